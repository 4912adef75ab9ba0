"""Dingo's rules page, one test a rule: the ace hunt."""

from __future__ import annotations

import pytest
from dingo_deals import Luck, Script, deal_with, events_of, hunt_of, rules_with

from analyzer.games.dingo.reference_view import IllegalPlayError

APART = deal_with(S="AH", W="AS", N="AC", E="AD")


def ace_hunt(hands=APART, rules=None, lay=None, lapses=(), give=None):
    return hunt_of(events_of(hands, rules, Script(give, lay), Luck(lapses=lapses)), "A")


def test_the_holder_of_the_ace_dingo_must_play_it_and_nothing_else_with_it() -> None:
    script = Script()
    hunt = hunt_of(events_of(APART, script=script), "A")
    assert hunt["dingo"] == "S"
    first = next(asked for asked in script.asked if asked.rank == "A")
    assert (first.seat, first.laid) == ("W", ())
    assert first.view.played[-2:] == [("S", "AH"), ("E", "AD")]


@pytest.mark.parametrize(("dingo", "turns"), [("S", "WNES"), ("W", "NESW"), ("N", "ESWN"), ("E", "SWNE")])
def test_each_has_one_turn_clockwise_and_the_dingo_player_the_last(dingo: str, turns: str) -> None:
    for rules in (rules_with(), rules_with(wolf_order="left_of_dealer"), rules_with(wolf_order="random")):
        hunt = ace_hunt(deal_with(**{dingo: "AH"}), rules)
        assert "".join(turn["seat"] for turn in hunt["turns"]) == turns
    hunt = ace_hunt(deal_with(**{dingo: "AH"}), rules_with(ace_dingo_player_turn=False))
    assert "".join(turn["seat"] for turn in hunt["turns"]) == turns[:3]


def test_none_one_or_both_ace_wolves_may_be_played() -> None:
    script = Script()
    events_of(deal_with(S="AH", W="AS AC"), script=script)
    west = next(asked for asked in script.asked if asked.rank == "A")
    assert west.legal == ((), ("AS",), ("AC",), ("AS", "AC"), ("AC", "AS"))


def test_the_dingo_player_may_play_ace_wolves_in_the_last_turn() -> None:
    hunt = ace_hunt(deal_with(S="AH AS AC AD"), lay={"SA": "AC AS AD"})
    assert hunt["to_score"] == {"S": ["AH", "AC", "AS", "AD"]}
    without = ace_hunt(deal_with(S="AH AS AC AD"), rules_with(ace_dingo_player_turn=False))
    assert (without["to_score"], without["to_penalty"]) == ({}, {"S": ["AH", "AD"]})


def test_the_ace_rabbit_may_be_played_once_both_ace_wolves_are_out() -> None:
    hunt = ace_hunt(lay={"WA": "AS", "NA": "AC", "EA": "AD"})
    assert hunt["turns"] == [
        {"seat": "W", "cards": ["AS"]}, {"seat": "N", "cards": ["AC"]}, {"seat": "E", "cards": ["AD"]},
        {"seat": "S", "cards": []},
    ]  # fmt: skip
    assert hunt["rabbit"] == "alive"
    with pytest.raises(IllegalPlayError, match="ace rabbit needs 2 ace wolves out"):
        ace_hunt(lay={"WA": "AS", "EA": "AD"})


def test_wolves_laid_first_in_the_same_turn_count_for_the_ace_rabbit() -> None:
    hands = deal_with(S="AH", W="AS", N="AC AD")
    assert ace_hunt(hands, lay={"WA": "AS", "NA": "AC AD"})["rabbit"] == "alive"
    with pytest.raises(IllegalPlayError, match="then the ace rabbit"):
        ace_hunt(hands, lay={"WA": "AS", "NA": "AD AC"})
    with pytest.raises(IllegalPlayError, match="ace rabbit needs 2"):
        ace_hunt(hands, lay={"NA": "AC AD"})


def test_wolves_laid_after_the_holders_turn_come_too_late_for_the_ace_rabbit() -> None:
    hands = deal_with(S="AH", W="AD", N="AS AC")
    hunt = ace_hunt(hands, lay={"NA": "AS AC"})
    assert (hunt["rabbit"], hunt["to_penalty"]) == ("dead", {"W": ["AD"]})


@pytest.mark.parametrize(("needs", "wolves"), [(0, ""), (0, "AS"), (1, "AS"), (2, "AS AC")])
def test_ace_rabbit_needs(needs: int, wolves: str) -> None:
    hands = deal_with(S="AH", W="AS AC", E="AD")
    rules = rules_with(ace_rabbit_needs=needs)
    assert ace_hunt(hands, rules, {"WA": wolves, "EA": "AD"})["rabbit"] == "alive"
    if len(wolves.split()) == needs > 0:
        with pytest.raises(IllegalPlayError, match=f"needs {needs} ace wolves"):
            ace_hunt(hands, rules, {"WA": wolves[3:], "EA": "AD"})


def test_the_holder_need_not_play_the_ace_rabbit() -> None:
    hunt = ace_hunt(lay={"WA": "AS", "NA": "AC"})
    assert (hunt["rabbit"], hunt["to_penalty"]) == ("dead", {"E": ["AD"]})


def test_wolves_and_rabbit_go_to_their_own_players_score_piles() -> None:
    hunt = ace_hunt(lay={"WA": "AS", "NA": "AC", "EA": "AD"})
    assert hunt["to_score"] == {"S": ["AH"], "W": ["AS"], "N": ["AC"], "E": ["AD"]}
    assert hunt["to_penalty"] == {}
    assert hunt["outcome"] == "wolves"


def test_the_ace_dingo_scores_with_an_ace_wolf_and_dies_without() -> None:
    one = ace_hunt(lay={"NA": "AC"})
    assert one["to_score"] == {"S": ["AH"], "N": ["AC"]}
    none = ace_hunt()
    assert (none["outcome"], none["to_score"], none["to_penalty"]) == (
        "no_wolf",
        {},
        {"S": ["AH"], "E": ["AD"]},
    )


def test_the_ace_rabbit_not_played_is_dead() -> None:
    script = Script()
    events = events_of(APART, script=script)
    assert hunt_of(events, "A")["rabbit"] == "dead"
    assert ("E", "AD") in script.asked[-1].view.played
    assert "AD" not in events[-1]["left"]["E"]


def test_without_the_ace_dingo_there_are_no_turns_and_the_ace_rabbit_held_is_dead() -> None:
    rules = rules_with(exchange=("discard",), discard_aces=True)
    hunt = ace_hunt(APART, rules, {"WA": "AS"}, give={"S": "AH"})
    assert hunt == {
        "deal": 0, "event": "ace_hunt", "dingo": None, "lapse": None, "turns": [], "outcome": "no_dingo",
        "to_score": {}, "to_penalty": {"E": ["AD"]}, "rabbit": "dead",
    }  # fmt: skip


def test_a_discarded_ace_rabbit_is_absent() -> None:
    rules = rules_with(exchange=("discard",), discard_aces=True)
    hunt = ace_hunt(APART, rules, {"WA": "AS", "NA": "AC"}, give={"E": "AD"})
    assert (hunt["rabbit"], hunt["outcome"], hunt["to_penalty"]) == ("absent", "wolves", {})


def test_an_overlooked_ace_dingo_is_treated_as_a_discarded_one() -> None:
    hunt = ace_hunt(lay={"WA": "AS"}, lapses=["AH"])
    assert hunt == {
        "deal": 0, "event": "ace_hunt", "dingo": None, "lapse": "S", "turns": [], "outcome": "no_dingo",
        "to_score": {}, "to_penalty": {"E": ["AD"]}, "rabbit": "dead",
    }  # fmt: skip


def test_an_overlooked_ace_rabbit_is_hidden() -> None:
    for lapses in (["AD"], ["AH", "AD"]):
        hunt = ace_hunt(lapses=lapses)
        assert (hunt["rabbit"], "E" in hunt["to_penalty"]) == ("hidden", False)


def test_a_live_ace_rabbit_cannot_be_overlooked() -> None:
    assert ace_hunt(lay={"WA": "AS", "NA": "AC", "EA": "AD"}, lapses=["AD"])["rabbit"] == "alive"


def test_with_needs_0_and_no_wolf_the_ace_dingo_dies_and_the_ace_rabbit_may_live() -> None:
    hunt = ace_hunt(rules=rules_with(ace_rabbit_needs=0), lay={"EA": "AD"})
    assert (hunt["outcome"], hunt["rabbit"]) == ("no_wolf", "alive")
    assert (hunt["to_score"], hunt["to_penalty"]) == ({"E": ["AD"]}, {"S": ["AH"]})
