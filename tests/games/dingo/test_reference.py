"""The plain-Python game on random play: nothing is lost, replaying is exact, tampering is found."""

from __future__ import annotations

import copy
import json
import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from dingo_deals import (
    DEFAULTS,
    Luck,
    RandomTable,
    Script,
    deal_with,
    events_of,
    hunt_of,
    random_deal,
    rules_with,
)
from engines import compare, rule_sets
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.games.dingo.reference import play, replay
from analyzer.games.dingo.reference_view import DECK, RANKS, IllegalPlayError, card_points

RABBITS = [rank + "D" for rank in RANKS[:12]]


def resting_places(events: list[dict[str, Any]]) -> list[str]:
    """Every card where it ended."""
    cards = [event["card"] for event in events if event["event"] == "discard"]
    for event in events:
        for pile in ("to_score", "to_penalty"):
            cards += [card for pile_cards in event.get(pile, {}).values() for card in pile_cards]
        cards += event.get("to_discard", [])
    return cards + [card for hand in events[-1]["left"].values() for card in hand]


@settings(max_examples=150, deadline=None)
@given(rules=rule_sets("dingo"), seed=st.integers(0, 10**6), lapse=st.sampled_from((0.0, 0.2, 1.0)))
def test_invariants_under_any_rules(rules: dict[str, Any], seed: int, lapse: float) -> None:
    events = random_deal(seed, rules, lapse)
    assert sorted(resting_places(events)) == sorted((*DECK, *RABBITS))
    result = events[-1]
    share = sum(result["win_share"].values())
    assert share == pytest.approx(0.0 if len(result["disqualified"]) == 4 else 1.0)
    red = {seat for seat, left in result["left"].items() if any(card[1] in "HD" for card in left)}
    assert result["disqualified"] == [seat for seat in "SWNE" if seat in red and rules["caught"] == "disqualified"]
    if lapse == 0:
        assert not red
    assert (result["tie_break"] is None) == (result["tied"] == [])
    winners = [seat for seat, won in result["win_share"].items() if won]
    assert all(result["score"][seat] == max(result["score"][s] for s in winners) for seat in winners)
    assert replay(events) == events


def test_a_transcript_survives_json() -> None:
    events = random_deal(3, lapse=0.1)
    assert replay(json.loads(json.dumps(events))) == events


def test_by_default_16_discards_and_scores_within_the_points_table() -> None:
    most = sum(card_points(card, DEFAULTS) for card in (*DECK, *RABBITS))
    least = -sum(card_points(rank + "H", DEFAULTS) for rank in RANKS) - 3
    for seed in range(100):
        events = random_deal(seed)
        assert sum(event["event"] == "discard" for event in events) == 16
        assert least <= sum(events[-1]["score"].values()) <= most


def test_no_dingo_with_chance_16_in_36_under_random_discards() -> None:
    n = 1500
    none = sum(
        event.get("outcome") == "no_dingo"
        for seed in range(n)
        for event in random_deal(seed)
        if event["event"] == "hunt"
    )
    # Hunts of one deal share its 16 discards, which narrows the spread: five binomial deviations are ample.
    p = 16 / 36
    assert abs(none - 12 * n * p) < 5 * math.sqrt(12 * n * p * (1 - p))


def test_random_discards_know_no_card_so_each_is_equally_likely() -> None:
    """Relabelling the 36 cards that are no ace relabels the discards, choice by choice."""
    plain = [card for card in DECK if card[0] != "A"]
    for seed in range(30):
        table = RandomTable(seed)
        hands = table.hands()
        names = dict(zip(plain, random.Random(seed).sample(plain, 36), strict=True))
        renamed = {seat: [names.get(card, card) for card in hand] for seat, hand in hands.items()}
        choices = random.Random(seed + 1)
        first = [choices.random() for _ in range(28)]
        discards = []
        for dealt in (hands, renamed):
            draws = iter(first)

            def decide(decision: Any, draws: Any = draws) -> Any:
                if decision.kind in ("discard", "pass"):
                    return decision.legal[int(next(draws) * len(decision.legal))]
                return ()

            discards.append([e["card"] for e in play(dealt, DEFAULTS, decide, table) if e["event"] == "discard"])
        assert len(discards[0]) == 16
        assert [names[card] for card in discards[0]] == discards[1]


def test_an_ace_hunt_of_random_players_enumerated_exactly() -> None:
    """Wolves and rabbit with West: 0, 1 or 2 wolves a third each, then the rabbit by a half: alive 1/6."""
    n = 3000
    table = RandomTable(5)
    fates = Counter(
        hunt_of(play(deal_with(S="AH", W="AS AC AD"), rules_with(), table.decide, table), "A")["rabbit"]
        for _ in range(n)
    )
    assert set(fates) == {"alive", "dead"}
    assert abs(fates["alive"] - n / 6) < 5 * math.sqrt(n * (1 / 6) * (5 / 6))


# Tampering


def rich() -> list[dict[str, Any]]:
    """A deal with an exchange, all outcomes of a hunt, a lapse in the twos and a tie."""
    hands = deal_with(S="2H 7H 8S 3C", W="7S 8H 3S", N="7C 8C 3H", E="9H 9S AD")
    rules = rules_with({"points.ace_rabbit_dead": 0, "points.ace": 0}, exchange=("discard", "right"))
    give = {"S": "3C", "W": "3S", "N": "3H", "E": "9S"}
    lay = {"W7": "7S", "N7": "7C", "S8": "8S"}
    return events_of(hands, rules, Script(give, lay), Luck(lapses=["2H"]))


def find(events: list[dict[str, Any]], kind: str, rank: str = "") -> dict[str, Any]:
    return next(event for event in events if event["event"] == kind and event.get("rank", "") == rank)


Tamper = Callable[[list[dict[str, Any]]], Any]


def put(kind: str, key: str, value: Any, rank: str = "") -> Tamper:
    def tamper(events: list[dict[str, Any]]) -> None:
        find(events, kind, rank)[key] = value

    return tamper


def swap_hands(events: list[dict[str, Any]]) -> None:
    hands = events[0]["hands"]
    hands["S"][5], hands["W"][5] = hands["W"][5], hands["S"][5]


TAMPERINGS: dict[str, Tamper] = {
    "another game": put("deal", "game", "rounce"),
    "a deal number": put("hunt", "deal", 5, "7"),
    "hands swapped": swap_hands,
    "a card twice": lambda events: events[0]["hands"]["S"].__setitem__(0, "7H"),
    "a hand too short": lambda events: events[0]["hands"]["S"].pop(),
    "a seat missing": lambda events: events[0]["hands"].pop("E"),
    "points changed": lambda events: events[0]["rules"]["points"].__setitem__("low", 2),
    "first wolf to another": lambda events: events[0]["rules"].__setitem__("first_wolf_to", "owner"),
    "another exchange": lambda events: events[0]["rules"].__setitem__("exchange", ["discard", "left"]),
    "a step more": lambda events: events[0]["rules"]["exchange"].append("discard"),
    "another hunt order": lambda events: events[0]["rules"].__setitem__("hunt_order", "descending"),
    "another turn order": lambda events: events[0]["rules"].__setitem__("wolf_order", "left_of_dealer"),
    "another way of turns": lambda events: events[0]["rules"].__setitem__("wolf_turns", "until_pass"),
    "the dingo player may": lambda events: events[0]["rules"].__setitem__("dingo_player_may_wolf", True),
    "no last ace turn": lambda events: events[0]["rules"].__setitem__("ace_dingo_player_turn", False),
    "caught costs points": lambda events: events[0]["rules"].__setitem__("caught", "penalty"),
    "no rules": lambda events: events[0].pop("rules"),
    "no first event": lambda events: events.pop(0),
    "a discard missing": lambda events: events.pop(1),
    "a discard twice": lambda events: events.insert(1, copy.deepcopy(events[1])),
    "discards out of turn": lambda events: events.insert(1, events.pop(2)),
    "another card discarded": put("discard", "card", "8S"),
    "an ace discarded": put("discard", "card", "AH"),
    "another's card discarded": put("discard", "card", "7S"),
    "a discard by another": put("discard", "seat", "N"),
    "a discard of another step": put("discard", "step", 1),
    "passed to another": put("pass", "to", "N"),
    "passed by another": put("pass", "from", "E"),
    "another card passed": put("pass", "card", "8S"),
    "a pass missing": lambda events: events.remove(find(events, "pass")),
    "hunts out of order": lambda events: events.insert(9, events.pop(10)),
    "a hunt missing": lambda events: events.remove(find(events, "hunt", "7")),
    "another rank": put("hunt", "rank", "2", "7"),
    "another dingo player": put("hunt", "dingo", "W", "7"),
    "a lapse more": put("hunt", "lapse", "S", "7"),
    "a lapse less": put("hunt", "lapse", None, "2"),
    "a lapse of another": put("hunt", "lapse", "W", "2"),
    "a turn less": lambda events: find(events, "hunt", "7")["turns"].pop(),
    "a turn more": lambda events: find(events, "hunt", "7")["turns"].append({"seat": "S", "cards": []}),
    "turns out of order": lambda events: find(events, "hunt", "7")["turns"].reverse(),
    "a wolf less": lambda events: find(events, "hunt", "7")["turns"][0]["cards"].clear(),
    "a wolf more": lambda events: find(events, "hunt", "7")["turns"][0]["cards"].append("7C"),
    "a wolf of another rank": lambda events: find(events, "hunt", "7")["turns"][2]["cards"].append("KC"),
    "another wolf": lambda events: find(events, "hunt", "7")["turns"][0].__setitem__("cards", ["7C"]),
    "another outcome": put("hunt", "outcome", "one_wolf", "7"),
    "the first wolf to its owner": lambda events: find(events, "hunt", "7")["to_score"].__setitem__("W", ["7S"]),
    "wolves the other way": lambda events: find(events, "hunt", "7")["to_score"]["S"].reverse(),
    "a dingo spared": put("hunt", "to_penalty", {}, "9"),
    "a rabbit lost": put("hunt", "to_discard", [], "9"),
    "an ace turn less": lambda events: find(events, "ace_hunt")["turns"].pop(),
    "an ace rabbit out of nothing": lambda events: find(events, "ace_hunt")["turns"][0]["cards"].append("AD"),
    "an ace wolf out of nothing": lambda events: find(events, "ace_hunt")["turns"][0]["cards"].append("AS"),
    "another ace outcome": put("ace_hunt", "outcome", "wolves"),
    "an ace lapse": put("ace_hunt", "lapse", "E"),
    "a rabbit alive": put("ace_hunt", "rabbit", "alive"),
    "a rabbit hidden": put("ace_hunt", "rabbit", "hidden"),
    "a rabbit absent": put("ace_hunt", "rabbit", "absent"),
    "a point more": lambda events: events[-1]["score"].__setitem__("N", events[-1]["score"]["N"] + 1),
    "a card left behind": lambda events: events[-1]["left"]["N"].pop(),
    "nobody disqualified": put("result", "disqualified", []),
    "nobody tied": put("result", "tied", []),
    "another tied": put("result", "tied", ["S", "W"]),
    "another tie-break": put("result", "tie_break", "highest_value"),
    "no tie-break": put("result", "tie_break", None),
    "another winner": put("result", "win_share", {"S": 1.0, "W": 0.0, "N": 0.0, "E": 0.0}),
    "no result": lambda events: events.pop(),
    "an event too many": lambda events: events.append(copy.deepcopy(events[1])),
    "an unknown event": lambda events: events.append({"deal": 0, "event": "trick"}),
    "a key missing": lambda events: find(events, "hunt", "7").pop("turns"),
    "no event": lambda events: events.clear(),
}


def test_the_deal_to_tamper_with_has_all_that_is_tampered_with() -> None:
    events = rich()
    assert {event.get("outcome") for event in events if event["event"] == "hunt"} == {
        "no_dingo", "no_wolf", "one_wolf", "two_wolves",
    }  # fmt: skip
    assert find(events, "hunt", "2")["lapse"] == "S"
    assert events[-1]["disqualified"] == ["S"]
    assert len(events[-1]["tied"]) > 1
    compare("dingo", events)


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
        compare("dingo", events)
