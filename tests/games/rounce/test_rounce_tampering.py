"""Tampering with a transcript of Domino Rounce is found: the plain-Python game refuses it or tells another."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from engines import compare
from rounce_deals import Script, deal_with, rules_with

from analyzer.games.rounce.reference import play_match, replay
from analyzer.games.rounce.reference_view import IllegalPlayError

Event = dict[str, Any]


def rich() -> list[Event]:
    """A match with every call but a bare defence, a player rounced, a last player left alone."""
    hands = ("6-4 4-2 1-0", "3-1 4-0 2-0", "2-1 4-4 3-0")
    deal = deal_with("5-0", *hands, boneyard="6-6 6-5 2-2 3-3 0-0 4-1 4-3 6-2")
    rules = rules_with(3, hand_size=3, start_score=6, defend_allowed=True, max_rounds=4)
    # Seats 0, 1 and 2 deal in turn.
    calls = {0: "take fold dummy pass", 1: "dummy defend_take fold pass", 2: "pass dummy fold pass"}
    about = {"match": 4, "policies": ["a", "b", "c"], "seed": 9, "rotation": 1}
    return list(play_match(rules, lambda number: deal, Script(calls), 0, about))


def find(events: list[Event], kind: str, number: int = 0, index: int = 0) -> Event:
    found = [event for event in events if event["event"] == kind and event.get("round", number) == number]
    return found[index]


Tamper = Callable[[list[Event]], Any]


def put(kind: str, key: str, value: Any, number: int = 0, index: int = 0) -> Tamper:
    def tamper(events: list[Event]) -> None:
        event = find(events, kind, number, index)
        assert key in event
        event[key] = value

    return tamper


def rule(key: str, value: Any) -> Tamper:
    """Another rule in every round."""

    def tamper(events: list[Event]) -> None:
        for event in events:
            if event["event"] == "deal":
                assert key in event["rules"]
                event["rules"][key] = value

    return tamper


def swap_hands(events: list[Event]) -> None:
    hands = events[0]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def plays(events: list[Event], index: int = 0) -> list[Event]:
    found: list[Event] = find(events, "trick", 0, index)["plays"]
    return found


TAMPERINGS: dict[str, Tamper] = {
    "another game": put("deal", "game", "dingo"),
    "another match": put("trick", "match", 5),
    "another round": put("call", "round", 1),
    "hands swapped": swap_hands,
    "a tile twice": lambda events: events[0]["hands"][0].__setitem__(0, "3-1"),
    "the turn-up in a hand": lambda events: events[0]["hands"][0].__setitem__(0, "5-0"),
    "a hand too short": lambda events: events[0]["hands"][0].pop(),
    "a seat missing": lambda events: events[0]["hands"].pop(),
    "no such tile": lambda events: events[0]["hands"][0].__setitem__(0, "0-6"),
    "another turn-up": put("deal", "turn_up", "6-1"),
    "another trump": put("deal", "trump", 0),
    "another first dealer": put("deal", "dealer", 1),
    "a dealer who is not there": put("deal", "dealer", 7),
    "the deal does not pass": put("deal", "dealer", 0, 1),
    "scores not carried over": put("deal", "scores", [6, 6, 6], 1),
    "another start": put("deal", "scores", [5, 6, 6]),
    "other policies later": put("deal", "policies", ["a", "b", "b"], 2),
    "other rules later": lambda events: find(events, "deal", 2)["rules"].__setitem__("walkover", 4),
    "another seed later": put("deal", "seed", 8, 1),
    "another rotation later": put("deal", "rotation", 0, 1),
    "no rules": lambda events: events[0].pop("rules"),
    "players": rule("players", 2),
    "start score": rule("start_score", 7),
    "first dealer": rule("first_dealer", 2),
    "max rounds": rule("max_rounds", 2),
    "hand size": rule("hand_size", 4),
    "no folding": rule("fold_allowed", False),
    "fewer drawn": rule("dummy_draw", 3),
    "more drawn": rule("dummy_draw", 5),
    "no dummies": rule("dummies_max", 0),
    "no take": rule("dealer_takes", False),
    "no defence": rule("defend_allowed", False),
    "another penalty": rule("rounce_penalty", 4),
    "no first event": lambda events: events.pop(0),
    "a call missing": lambda events: events.pop(1),
    "a call twice": lambda events: events.insert(1, copy.deepcopy(events[1])),
    "calls out of turn": lambda events: events.insert(1, events.pop(2)),
    "a call by another": put("call", "seat", 2),
    "another call": put("call", "call", "pass"),
    "no call at all": put("call", "call", "knock"),
    "a take by another": put("call", "call", "take"),
    "a fold that plays on": put("call", "call", "fold", index=1),
    "a drawn tile of a hand": lambda events: find(events, "call")["drew"].__setitem__(0, "4-4"),
    "the turn-up drawn": lambda events: find(events, "call")["drew"].__setitem__(0, "5-0"),
    "a tile drawn twice": lambda events: find(events, "call")["drew"].__setitem__(0, "2-2"),
    "a tile too few drawn": lambda events: find(events, "call")["drew"].pop(),
    "a tile too many drawn": lambda events: find(events, "call")["drew"].append("1-1"),
    "nothing drawn": lambda events: find(events, "call").pop("drew"),
    "a tile drawn with a pass": lambda events: find(events, "call", 0, 1).__setitem__("drew", ["1-1"]),
    "another tile put aside": put("call", "discarded", ["2-1"]),
    "a tile too many put aside": put("call", "discarded", ["2-2", "3-3"]),
    "nothing put aside": put("call", "discarded", []),
    "the turn-up put aside": put("call", "discarded", ["5-0"], index=2),
    "another taken": put("call", "drew", ["5-1"], index=2),
    "a tile put aside is played": lambda events: plays(events)[0].__setitem__(
        "tile", find(events, "call")["discarded"][0]
    ),
    "another's tile played": lambda events: plays(events)[1].__setitem__("tile", plays(events)[2]["tile"]),
    "plays out of turn": lambda events: plays(events).reverse(),
    "a play less": lambda events: plays(events).pop(),
    "a play more": lambda events: plays(events).append({"seat": 0, "tile": "1-1"}),
    "no plays": lambda events: plays(events).clear(),
    "another suit": put("trick", "suit", 4),
    "another leader": put("trick", "leader", 2),
    "another winner": put("trick", "winner", 0),
    "another number": put("trick", "trick", 1),
    "a trick missing": lambda events: events.remove(find(events, "trick")),
    "tricks out of order": lambda events: events.insert(4, events.pop(5)),
    "a trick more": lambda events: events.insert(7, copy.deepcopy(find(events, "trick", 0, 2))),
    "other tricks": put("score", "tricks", [1, 1, 1]),
    "a walkover more": put("score", "walkover", 0),
    "a walkover less": put("score", "walkover", None, 2),
    "nobody rounced": put("score", "rounced", []),
    "another change": put("score", "change", [0, 0, 0]),
    "other scores": put("score", "scores", [6, 6, 6]),
    "no score": lambda events: events.remove(find(events, "score")),
    "a round missing": lambda events: events.__setitem__(
        slice(0, None), [event for event in events if event.get("round") != 1]
    ),
    "the end missing": lambda events: events.__setitem__(
        slice(0, None), [event for event in events if event.get("round", 0) < 2 and event["event"] != "result"]
    ),
    "a round too many": lambda events: events.append({**copy.deepcopy(events[0]), "round": 4}),
    "fewer rounds": put("result", "rounds", 1),
    "other last scores": put("result", "scores", [0, 0, 0]),
    "finished or not": lambda events: events[-1].__setitem__("unfinished", not events[-1]["unfinished"]),
    "another winner of all": put("result", "win_share", [1 / 3, 1 / 3, 1 / 3]),
    "no result": lambda events: events.pop(),
    "an unknown event": lambda events: events.append({"match": 4, "event": "hunt"}),
    "a key missing": lambda events: find(events, "trick").pop("plays"),
    "no event": lambda events: events.clear(),
}


def test_the_match_to_tamper_with_has_all_that_is_tampered_with() -> None:
    events = rich()
    calls = [(event["round"], event["call"]) for event in events if event["event"] == "call"]
    assert [call for number, call in calls if number == 0] == ["dummy", "pass", "take"]
    assert [call for number, call in calls if number == 1] == ["dummy", "fold", "defend_take"]
    assert [call for number, call in calls if number == 2] == ["dummy", "fold", "fold"]
    assert find(events, "score")["rounced"]
    assert [find(events, "score", number)["walkover"] for number in range(3)] == [None, None, 0]
    compare("rounce", events)


@pytest.mark.parametrize("name", TAMPERINGS)
def test_tampering_is_found(name: str) -> None:
    events = rich()
    TAMPERINGS[name](events)
    assert events != rich()
    try:
        again = replay(events)
    except IllegalPlayError:
        return
    assert again != events
    with pytest.raises(AssertionError, match=r"differs|events"):
        compare("rounce", events)


@pytest.mark.parametrize(
    ("name", "words"),
    [("a round too many", "a deal after the match was over in 4 rounds"), ("the end missing", "no deal of round 2")],
)
def test_a_match_told_too_long_or_too_short_is_refused(name: str, words: str) -> None:
    events = rich()
    TAMPERINGS[name](events)
    with pytest.raises(IllegalPlayError, match=f"Transcript: {words}"):
        replay(events)


def test_choices_left_over_are_refused() -> None:
    events = [*rich(), {"match": 4, "round": 4, "event": "call", "seat": 1, "call": "pass"}]
    with pytest.raises(IllegalPlayError, match="Transcript: call of seat 1 in round 4 after the last decision"):
        replay(events)


def test_a_refusal_names_the_section_of_the_rules_page() -> None:
    for name, section in {
        "a tile twice": "The deal: ", "no such tile": "Tiles: ", "a dealer who is not there": "The match: ",
        "a take by another": "The calls: ", "another's tile played": "The play: ", "no rules": "Transcript: ",
    }.items():  # fmt: skip
        events = rich()
        TAMPERINGS[name](events)
        with pytest.raises(IllegalPlayError, match=f"^{section}"):
            replay(events)
