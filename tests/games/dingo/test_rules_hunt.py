"""Dingo's rules page, one test a rule: the hunt of the rabbits 2 to K."""

from __future__ import annotations

import pytest
from dingo_deals import Luck, Script, deal_with, events_of, hunt_of, rules_with

from analyzer.games.dingo.reference_view import IllegalPlayError

DINGO_WITH_SOUTH = deal_with(S="7H", W="7S", E="7C")
"""South holds the dingo of the sevens; West and East a wolf each."""


def hunted(events: list[dict[str, object]]) -> str:
    return "".join(str(event["rank"]) for event in events if event["event"] == "hunt")


def cards_laid(hunt: dict[str, object]) -> list[tuple[str, list[str]]]:
    return [(turn["seat"], turn["cards"]) for turn in hunt["turns"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("order", "ranks"),
    [("ascending", "23456789TJQK"), ("descending", "KQJT98765432"), ("shuffled", "7K2Q3J4T5968")],
)
def test_hunt_order_and_the_ace_hunt_always_last(order: str, ranks: str) -> None:
    events = events_of(deal_with(), rules_with(hunt_order=order), luck=Luck(order="7K2Q3J4T5968"))
    assert hunted(events) == ranks
    assert [event["event"] for event in events[-2:]] == ["ace_hunt", "result"]


def test_shuffled_rabbits_are_hunted_once_each() -> None:
    with pytest.raises(IllegalPlayError, match="hunted once each"):
        events_of(deal_with(), rules_with(hunt_order="shuffled"), luck=Luck(order="77K2Q3J4T596"))


def test_the_holder_must_play_the_dingo() -> None:
    script = Script()
    hunt = hunt_of(events_of(DINGO_WITH_SOUTH, script=script), "7")
    assert hunt["dingo"] == "S"
    assert hunt["lapse"] is None
    # Nobody is asked for it: South has no turn in this hunt.
    assert [asked.seat for asked in script.asked if asked.rank == "7"] == ["W", "N", "E"]


def test_a_discarded_dingo_means_no_dingo_and_no_wolf_may_be_played() -> None:
    script = Script({"S": "7H"}, {"W7": "7S"})
    events = events_of(DINGO_WITH_SOUTH, rules_with(exchange=("discard",)), script)
    assert hunt_of(events, "7") == {
        "deal": 0, "event": "hunt", "rank": "7", "dingo": None, "lapse": None, "turns": [],
        "outcome": "no_dingo", "to_score": {}, "to_penalty": {}, "to_discard": ["7D"],
    }  # fmt: skip
    assert not any(asked.rank == "7" for asked in script.asked)


def test_an_overlooked_dingo_is_no_dingo_and_the_lapse_is_named() -> None:
    events = events_of(DINGO_WITH_SOUTH, script=Script(lay={"W7": "7S"}), luck=Luck(lapses=["7H"]))
    assert hunt_of(events, "7") == {
        "deal": 0, "event": "hunt", "rank": "7", "dingo": None, "lapse": "S", "turns": [],
        "outcome": "no_dingo", "to_score": {}, "to_penalty": {}, "to_discard": ["7D"],
    }  # fmt: skip
    assert "7H" in events[-1]["left"]["S"]


@pytest.mark.parametrize(
    ("order", "dingo", "turns"),
    [
        ("left_of_dingo", "S", "WNE"), ("left_of_dingo", "W", "NES"), ("left_of_dingo", "N", "ESW"),
        ("left_of_dingo", "E", "SWN"), ("left_of_dealer", "S", "WNE"), ("left_of_dealer", "W", "NES"),
        ("left_of_dealer", "N", "WES"), ("left_of_dealer", "E", "WNS"), ("random", "N", "SEW"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dingo_player_may", [False, True])
def test_wolf_order(order: str, dingo: str, turns: str, dingo_player_may: bool) -> None:
    rules = rules_with(wolf_order=order, dingo_player_may_wolf=dingo_player_may)
    hunt = hunt_of(events_of(deal_with(**{dingo: "7H"}), rules, luck=Luck(circles={"7": "SEW"})), "7")
    # A dingo player who may lay wolves is last in the circle, whatever the order.
    assert "".join(seat for seat, _ in cards_laid(hunt)) == turns + dingo * dingo_player_may


def test_a_random_order_is_one_of_the_other_three() -> None:
    with pytest.raises(IllegalPlayError, match="other three players"):
        events_of(DINGO_WITH_SOUTH, rules_with(wolf_order="random"), luck=Luck(circles={"7": "SWN"}))


def test_none_one_or_both_wolves_of_the_rank_that_are_held_may_be_played() -> None:
    script = Script()
    events_of(deal_with(S="7H", W="7S 7C", N="8S"), script=script)
    asked = {decision.seat: decision.legal for decision in script.asked if decision.rank == "7"}
    assert asked["W"] == ((), ("7S",), ("7C",), ("7S", "7C"), ("7C", "7S"))
    assert asked["N"] == ((),)


@pytest.mark.parametrize(
    ("cards", "why"), [("7C", "does not hold 7C"), ("8S", "not 8S"), ("8H", "not 8H"), ("7S 7S", "once")]
)
def test_nothing_else_may_be_played(cards: str, why: str) -> None:
    hands = deal_with(S="7H", W="7S 8S 8H", E="7C")
    with pytest.raises(IllegalPlayError, match=why):
        events_of(hands, script=Script(lay={"W7": cards}))


def test_what_was_played_before_is_seen() -> None:
    script = Script(lay={"W7": "7S"})
    events_of(DINGO_WITH_SOUTH, script=script)
    east = next(asked for asked in script.asked if asked.rank == "7" and asked.seat == "E")
    assert east.laid == (("W", "7S"),)
    assert (east.dingo, east.before, east.after, east.circle) == ("S", ("W", "N"), (), 0)


def test_once_each_has_one_turn_also_when_both_wolves_are_out() -> None:
    events = events_of(deal_with(S="7H", W="7S 7C"), script=Script(lay={"W7": "7S 7C"}))
    assert cards_laid(hunt_of(events, "7")) == [("W", ["7S", "7C"]), ("N", []), ("E", [])]


def test_once_a_wolf_held_back_in_the_only_turn_is_not_played_later() -> None:
    events = events_of(DINGO_WITH_SOUTH, script=Script(lay={"W7": "/7S", "E7": "7C"}))
    assert cards_laid(hunt_of(events, "7")) == [("W", []), ("N", []), ("E", ["7C"])]


@pytest.mark.parametrize(
    ("lay", "turns"),
    [
        # A whole circle without a wolf ends the turns, the first one too.
        ({}, [("W", []), ("N", []), ("E", [])]),
        ({"E7": "7C"}, [("W", []), ("N", []), ("E", ["7C"]), ("W", []), ("N", []), ("E", [])]),
        # The second wolf ends them at once, in the second circle and in the first.
        ({"E7": "7C", "W7": "/7S"}, [("W", []), ("N", []), ("E", ["7C"]), ("W", ["7S"])]),
        ({"W7": "7S", "E7": "7C"}, [("W", ["7S"]), ("N", []), ("E", ["7C"])]),
        (
            {"W7": "7S", "E7": "/7C"},
            [("W", ["7S"]), ("N", []), ("E", []), ("W", []), ("N", []), ("E", ["7C"])],
        ),
    ],
)
def test_until_pass_circles_follow_until_a_whole_circle_adds_no_wolf(
    lay: dict[str, str], turns: list[tuple[str, list[str]]]
) -> None:
    events = events_of(DINGO_WITH_SOUTH, rules_with(wolf_turns="until_pass"), Script(lay=lay))
    assert cards_laid(hunt_of(events, "7")) == turns


def test_until_pass_a_player_with_both_may_lay_the_second_in_the_next_circle() -> None:
    rules = rules_with(wolf_turns="until_pass")
    hands = deal_with(S="7H", N="7S 7C")
    events = events_of(hands, rules, Script(lay={"N7": "7C/7S"}))
    assert cards_laid(hunt_of(events, "7")) == [("W", []), ("N", ["7C"]), ("E", []), ("W", []), ("N", ["7S"])]
    assert hunt_of(events, "7")["to_score"] == {"S": ["7H", "7C"], "N": ["7D", "7S"]}
    both = events_of(hands, rules, Script(lay={"N7": "7C 7S"}))
    assert cards_laid(hunt_of(both, "7")) == [("W", []), ("N", ["7C", "7S"])]


def test_until_pass_touches_the_hunt_only() -> None:
    hands = deal_with(S="AH", W="AS", N="AC AD")
    events = events_of(hands, rules_with(wolf_turns="until_pass"), Script(lay={"WA": "AS", "NA": "AC"}))
    assert len(hunt_of(events, "A")["turns"]) == 4


def test_the_dingo_player_may_not_play_wolves() -> None:
    hands = deal_with(S="7H 7S 7C")
    events = events_of(hands, script=Script(lay={"S7": "7S"}))
    assert [seat for seat, _ in cards_laid(hunt_of(events, "7"))] == ["W", "N", "E"]
    assert hunt_of(events, "7")["outcome"] == "no_wolf"


def test_the_dingo_player_who_may_captures_as_any_other() -> None:
    rules = rules_with(dingo_player_may_wolf=True)
    events = events_of(deal_with(S="7H 7S 7C"), rules, Script(lay={"S7": "7S"}))
    assert hunt_of(events, "7")["to_score"] == {"S": ["7H", "7D", "7S"]}
    events = events_of(DINGO_WITH_SOUTH, rules, Script(lay={"E7": "7C"}))
    assert cards_laid(hunt_of(events, "7"))[-1] == ("S", [])


def test_no_wolf_discards_the_rabbit_and_penalises_the_dingo() -> None:
    hunt = hunt_of(events_of(DINGO_WITH_SOUTH), "7")
    assert hunt["outcome"] == "no_wolf"
    assert (hunt["to_score"], hunt["to_penalty"], hunt["to_discard"]) == ({}, {"S": ["7H"]}, ["7D"])


def test_one_wolf_captures_the_rabbit_and_saves_the_dingo() -> None:
    hunt = hunt_of(events_of(DINGO_WITH_SOUTH, script=Script(lay={"E7": "7C"})), "7")
    assert hunt["outcome"] == "one_wolf"
    assert (hunt["to_score"], hunt["to_penalty"], hunt["to_discard"]) == (
        {"S": ["7H"], "E": ["7D", "7C"]},
        {},
        [],
    )


@pytest.mark.parametrize(
    ("first_wolf_to", "to_score", "to_discard"),
    [
        ("dingo_player", {"S": ["7H", "7S"], "E": ["7D", "7C"]}, []),
        ("owner", {"S": ["7H"], "W": ["7S"], "E": ["7D", "7C"]}, []),
        ("discard", {"S": ["7H"], "E": ["7D", "7C"]}, ["7S"]),
    ],
)
def test_of_two_wolves_the_second_captures_and_first_wolf_to_has_the_first(
    first_wolf_to: str, to_score: dict[str, list[str]], to_discard: list[str]
) -> None:
    script = Script(lay={"W7": "7S", "E7": "7C"})
    hunt = hunt_of(events_of(DINGO_WITH_SOUTH, rules_with(first_wolf_to=first_wolf_to), script), "7")
    assert hunt["outcome"] == "two_wolves"
    assert (hunt["to_score"], hunt["to_penalty"], hunt["to_discard"]) == (to_score, {}, to_discard)


@pytest.mark.parametrize(("lay", "first", "second"), [("7S 7C", "7S", "7C"), ("7C 7S", "7C", "7S")])
def test_a_player_who_lays_both_lays_them_in_a_row(lay: str, first: str, second: str) -> None:
    hands = deal_with(S="7H", W="7S 7C")
    hunt = hunt_of(events_of(hands, script=Script(lay={"W7": lay})), "7")
    assert hunt["to_score"] == {"S": ["7H", first], "W": ["7D", second]}
    owner = hunt_of(events_of(hands, rules_with(first_wolf_to="owner"), Script(lay={"W7": lay})), "7")
    assert owner["to_score"] == {"S": ["7H"], "W": [first, "7D", second]}


def test_wolves_not_played_stay_in_the_hand_and_score_nothing() -> None:
    events = events_of(DINGO_WITH_SOUTH)
    assert "7S" in events[-1]["left"]["W"]
    assert "7C" in events[-1]["left"]["E"]
    laid = events_of(DINGO_WITH_SOUTH, script=Script(lay={"W7": "7S"}))
    assert laid[-1]["score"]["W"] == events[-1]["score"]["W"] + 2
