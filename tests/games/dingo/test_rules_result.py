"""Dingo's rules page, one test a rule: disqualification, scores, ties and win shares."""

from __future__ import annotations

from typing import Any

import pytest
from dingo_deals import DEFAULTS, Luck, Script, deal_with, events_of, hunt_of, random_deal, rules_with

from analyzer.games.dingo.reference_score import result
from analyzer.games.dingo.reference_view import card_points


def ending(
    score: dict[str, str], rules: dict[str, Any] | None = None, left: dict[str, str] | None = None
) -> dict[str, Any]:
    """The result of score piles and cards left in hand."""

    def piles(given: dict[str, str]) -> dict[str, list[str]]:
        return {seat: given.get(seat, "").split() for seat in "SWNE"}

    return result(piles(left or {}), piles(score), piles({}), {**DEFAULTS, **(rules or {})})


# Disqualification


def test_a_player_caught_with_a_red_card_is_disqualified_and_cannot_win() -> None:
    hands = deal_with(S="7H 2S", W="7S")
    caught = events_of(hands, luck=Luck(lapses=["7H"]))[-1]
    assert caught["disqualified"] == ["S"]
    assert "7H" in caught["left"]["S"]
    end = ending({"S": "AS AC", "W": "2S"}, left={"S": "7H"})
    assert end["score"]["S"] == 6
    assert end["win_share"] == {"S": 0.0, "W": 1.0, "N": 0.0, "E": 0.0}


def test_a_hidden_ace_rabbit_is_a_red_card_in_hand() -> None:
    end = events_of(deal_with(E="AD"), luck=Luck(lapses=["AD"]))[-1]
    assert end["disqualified"] == ["E"]
    assert "AD" in end["left"]["E"]


def test_caught_penalty_counts_the_cards_in_the_penalty_pile() -> None:
    rules = {"caught": "penalty", "points.ace_rabbit_dead": 4}
    end = ending({"S": "AS AC", "W": "2S"}, rules, left={"S": "KH AH 2C", "E": "AD"})
    assert end["disqualified"] == []
    assert end["score"] == {"S": 6 - 2 - 3, "W": 1, "N": 0, "E": -4}
    # They stay listed as left in hand.
    assert end["left"] == {"S": ["2C", "KH", "AH"], "W": [], "N": [], "E": ["AD"]}
    assert end["tied"] == ["S", "W"]


def test_a_wolf_in_hand_is_no_red_card() -> None:
    end = ending({}, {"caught": "penalty"}, left={"S": "AS KC"})
    assert (end["score"]["S"], end["disqualified"]) == (0, [])


def test_the_others_piles_stand() -> None:
    hands = deal_with(S="6H 7H", W="6S", N="7S", E="AD")
    lay = {"W6": "6S", "N7": "7S"}
    fair = events_of(hands, script=Script(lay=lay))[-1]["score"]
    lapsed = events_of(hands, script=Script(lay=lay), luck=Luck(lapses=["7H"]))
    assert lapsed[-1]["disqualified"] == ["S"]
    assert lapsed[-1]["score"]["W"] == fair["W"]
    assert lapsed[-1]["score"]["N"] == fair["N"] - 2
    assert hunt_of(lapsed, "6")["to_score"]["W"] == ["6D", "6S"]


def test_all_four_disqualified_nobody_wins() -> None:
    end = ending({"S": "AS"}, left={"S": "2H", "W": "3H", "N": "4H", "E": "AD"})
    assert end["disqualified"] == ["S", "W", "N", "E"]
    assert set(end["win_share"].values()) == {0.0}
    assert (end["tied"], end["tie_break"]) == ([], None)


# Result


def test_the_score_is_the_score_pile_minus_the_penalty_pile() -> None:
    hands = deal_with(S="7H 6H", W="7S", E="8H")
    events = events_of(hands, script=Script(lay={"W7": "7S"}))
    score = dict.fromkeys("SWNE", 0)
    for event in events:
        for seat, cards in event.get("to_score", {}).items():
            score[seat] += sum(card_points(card, DEFAULTS) for card in cards)
        for seat, cards in event.get("to_penalty", {}).items():
            score[seat] -= sum(3 if card == "AD" else card_points(card, DEFAULTS) for card in cards)
    assert events[-1]["score"] == score


def test_a_dead_ace_rabbit_loses_its_points() -> None:
    for dead in (-1000, 0, 3, 1000):
        rules = rules_with(
            {"points.ace_rabbit_dead": dead, "points.low": 0, "points.eight": 0, "points.high": 0},
            caught="penalty",
        )
        rules["points.ace"] = 0
        assert events_of(deal_with(E="AD"), rules)[-1]["score"] == {"S": 0, "W": 0, "N": 0, "E": -dead}


def test_the_highest_score_wins_alone() -> None:
    end = ending({"S": "2S", "W": "KS", "N": "3S"})
    assert end["win_share"] == {"S": 0.0, "W": 1.0, "N": 0.0, "E": 0.0}
    assert (end["tied"], end["tie_break"]) == ([], None)


def test_highest_rabbit_breaks_a_tie_among_the_tied_only() -> None:
    end = ending({"S": "3D 2S", "W": "4D 3S", "N": "9D"})
    assert (end["tied"], end["tie_break"]) == (["S", "W"], "highest_rabbit")
    assert end["win_share"]["W"] == 1.0


def test_the_live_ace_rabbit_is_the_highest_and_a_dead_one_does_not_count() -> None:
    rules = {"points.ace_rabbit_alive": 2}
    end = ending({"S": "KD", "W": "AD"}, rules)
    assert (end["tie_break"], end["win_share"]["W"]) == ("highest_rabbit", 1.0)
    empty: dict[str, list[str]] = {seat: [] for seat in "SWNE"}
    dead = result(
        empty,
        empty | {"S": ["2D"], "W": ["AS"]},
        empty | {"W": ["AD"]},
        {**DEFAULTS, "points.ace_rabbit_dead": 2},
    )
    assert (dead["tied"], dead["tie_break"], dead["win_share"]["S"]) == (["S", "W"], "highest_rabbit", 1.0)


def test_any_rabbit_is_above_none() -> None:
    for rule in ("highest_rabbit", "highest_value"):
        end = ending({"S": "2D", "W": "AS"}, {"tie_break": rule, "points.low": -5, "points.ace": -5})
        # North and East stand at 0 and lead; they have no rabbit and share.
        assert (end["tied"], end["tie_break"], end["win_share"]["N"]) == (["N", "E"], "shared", 0.5)
        end = ending({"S": "2D AS", "W": "AS"}, {"tie_break": rule, "points.low": 0, "points.ace": 1})
        assert (end["tied"], end["tie_break"], end["win_share"]["S"]) == (["S", "W"], rule, 1.0)
        dear = {"tie_break": rule, "points.low": -1, "points.high": 4}
        end = ending({"S": "2D KS", "W": "9S KC"}, dear)
        assert (end["tied"], end["tie_break"], end["win_share"]["S"]) == (["S", "W"], rule, 1.0)


def test_highest_value_compares_points_and_a_live_ace_rabbit_at_its_own() -> None:
    rules = {"tie_break": "highest_value", "points.ace_rabbit_alive": 1}
    end = ending({"S": "TD", "W": "AD 2S"}, rules)
    assert (end["tied"], end["tie_break"], end["win_share"]["S"]) == (["S", "W"], "highest_value", 1.0)


def test_highest_value_of_rabbits_below_0_is_the_one_nearer_to_it() -> None:
    rules = {"tie_break": "highest_value", "points.low": -1, "points.high": -4}
    end = ending({"S": "2D AS", "W": "TD AC AH"}, rules)
    assert (end["tied"], end["tie_break"], end["win_share"]["S"]) == (["S", "W"], "highest_value", 1.0)


def test_highest_value_those_equal_in_it_share() -> None:
    rules = {"tie_break": "highest_value"}
    narrowed = ending({"S": "TD", "W": "KD", "N": "2D 3D"}, rules)
    assert (narrowed["tied"], narrowed["tie_break"]) == (["S", "W", "N"], "highest_value")
    assert narrowed["win_share"] == {"S": 0.5, "W": 0.5, "N": 0.0, "E": 0.0}
    equal = ending({"S": "TD", "W": "KD"}, rules)
    assert (equal["tied"], equal["tie_break"], equal["win_share"]["S"]) == (["S", "W"], "shared", 0.5)


def test_shared_shares_every_tie() -> None:
    end = ending({"S": "TD", "W": "KD"}, {"tie_break": "shared"})
    assert (end["tied"], end["tie_break"]) == (["S", "W"], "shared")
    assert end["win_share"] == {"S": 0.5, "W": 0.5, "N": 0.0, "E": 0.0}


@pytest.mark.parametrize(("seats", "share"), [("S", 1.0), ("SW", 0.5), ("SWN", 1 / 3), ("SWNE", 0.25)])
def test_tied_without_a_rabbit_they_share_equally(seats: str, share: float) -> None:
    end = ending(dict.fromkeys(seats, "AS"))
    assert [end["win_share"][seat] for seat in seats] == [share] * len(seats)
    assert end["tie_break"] == (None if seats == "S" else "shared")
    assert sum(end["win_share"].values()) == pytest.approx(1.0)


def test_a_disqualified_player_does_not_tie() -> None:
    end = ending({"S": "AS", "W": "AC"}, left={"S": "2H"})
    assert (end["tied"], end["tie_break"], end["win_share"]["W"]) == ([], None, 1.0)


# Transcript


def test_every_event_has_the_keys_of_the_contract() -> None:
    hunt = {"deal", "event", "dingo", "lapse", "turns", "outcome", "to_score", "to_penalty"}
    keys = {
        "deal": {"game", "deal", "event", "hands", "policies", "rules", "seed", "rotation"},
        "discard": {"deal", "event", "step", "seat", "card"},
        "pass": {"deal", "event", "step", "from", "to", "card"},
        "hunt": hunt | {"rank", "to_discard"},
        "ace_hunt": hunt | {"rabbit"},
        "result": {"deal", "event", "score", "left", "disqualified", "tied", "tie_break", "win_share"},
    }
    for seed in range(5):
        events = random_deal(seed)
        assert all(set(event) == keys[event["event"]] for event in events)
        assert [event["event"] for event in events].count("hunt") == 12
        assert (events[0]["event"], events[-1]["event"]) == ("deal", "result")


def test_the_deal_event_nests_every_knob() -> None:
    told = random_deal(1)[0]["rules"]
    assert set(told["points"]) == {"low", "eight", "high", "ace", "ace_rabbit_alive", "ace_rabbit_dead"}
    assert {key for key in DEFAULTS if "." not in key} == set(told) - {"points"}
    assert told["exchange"] == ["discard", "left", "discard", "across", "discard", "right", "discard"]
