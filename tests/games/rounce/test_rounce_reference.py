"""The plain-Python game on random play: nothing is lost, replaying is exact, chances are as they must be."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import pytest
from engines import compare, rule_sets
from hypothesis import given, settings
from hypothesis import strategies as st
from rounce_deals import RandomTable, Script, deal_with, match_of, random_match, rules_with, tricks_of

from analyzer.games.rounce.reference import play_match, replay
from analyzer.games.rounce.reference_view import TILES, Decision, is_trump

Event = dict[str, Any]


def rounds_of(events: list[Event]) -> list[list[Event]]:
    """Events of each round."""
    return [[event for event in events if event.get("round") == number] for number in range(events[-1]["rounds"])]


def check_tiles(events: list[Event]) -> None:
    """A round's tiles: each in one place, hands of the right size, everything played that was held."""
    deal = events[0]
    rules = deal["rules"]
    known = [*(tile for hand in deal["hands"] for tile in hand), deal["turn_up"]]
    held = {seat: set(hand) for seat, hand in enumerate(deal["hands"])}
    playing = set(held)
    for event in events:
        if event["event"] == "call" and event["call"] == "fold":
            playing.remove(event["seat"])
        elif event["event"] == "call" and "drew" in event:
            if event["call"] == "dummy":
                assert len(event["drew"]) == rules["dummy_draw"]
                known += event["drew"]
                held[event["seat"]] = set()
            else:
                assert event["drew"] == [deal["turn_up"]] != event["discarded"]
            held[event["seat"]] |= set(event["drew"])
            assert set(event["discarded"]) <= held[event["seat"]]
            held[event["seat"]] -= set(event["discarded"])
            assert len(held[event["seat"]]) == rules["hand_size"]
    assert len(known) == len(set(known))
    assert set(known) <= set(TILES)
    for trick in (event for event in events if event["event"] == "trick"):
        assert {play["seat"] for play in trick["plays"]} == playing
        for play in trick["plays"]:
            held[play["seat"]].remove(play["tile"])
    left = {len(held[seat]) for seat in playing}
    assert left == ({rules["hand_size"]} if events[-1]["walkover"] is not None else {0})


def check_score(events: list[Event]) -> None:
    """A round's score against the sum rule."""
    deal, score = events[0], events[-1]
    rules = deal["rules"]
    assert score["scores"] == [a + b for a, b in zip(deal["scores"], score["change"], strict=True)]
    calls = {event["seat"]: event["call"] for event in events if event["event"] == "call"}
    defends = str(calls.get(deal["dealer"])).startswith("defend")
    size, rounced = rules["hand_size"], len(score["rounced"])
    if score["walkover"] is not None:
        assert sum(score["tricks"]) == rounced == 0
        alone = score["walkover"] == deal["dealer"]
        assert sum(score["change"]) == -(rules["walkover"] if alone else size)
        assert (deal["dealer"] in calls) != alone
        return
    assert sum(score["tricks"]) == size
    spared = score["tricks"][deal["dealer"]] if defends else 0
    assert sum(score["change"]) == -size + spared + rules["rounce_penalty"] * rounced
    for seat, call in calls.items():
        assert (seat in score["rounced"]) == (
            score["tricks"][seat] == 0 and call != "fold" and not call.startswith("defend")
        )


@settings(max_examples=200, deadline=None)
@given(rules=rule_sets("rounce"), seed=st.integers(0, 10**6))
def test_invariants_under_any_rules(rules: dict[str, Any], seed: int) -> None:
    events = random_match(seed, rules)
    result, rounds = events[-1], rounds_of(events)
    assert sum(map(len, rounds)) + 1 == len(events)
    for number, round_events in enumerate(rounds):
        check_tiles(round_events)
        check_score(round_events)
        deal = round_events[0]
        assert deal["dealer"] == (rounds[0][0]["dealer"] + number) % rules["players"]
        before = rounds[number - 1][-1]["scores"] if number else [rules["start_score"]] * rules["players"]
        assert deal["scores"] == before
        assert min(before) > 0
    assert result["scores"] == rounds[-1][-1]["scores"]
    assert result["unfinished"] == (min(result["scores"]) > 0)
    assert result["rounds"] == rules["max_rounds"] or not result["unfinished"]
    assert sum(result["win_share"]) == pytest.approx(0.0 if result["unfinished"] else 1.0)
    winners = [seat for seat, share in enumerate(result["win_share"]) if share]
    assert all(result["scores"][seat] <= 0 for seat in winners)
    assert result["unfinished"] or result["scores"].index(min(result["scores"])) in winners
    assert replay(events) == events


def test_a_transcript_survives_json() -> None:
    events = random_match(3)
    assert replay(json.loads(json.dumps(events))) == events


def test_what_chance_gives_and_a_round_uses_are_the_28_tiles() -> None:
    for players in (2, 3, 4):
        table = RandomTable(players, rules_with(players, max_rounds=20))
        list(play_match(table.rules, table.deal, table.decide))
        for deal in table.deals:
            tiles = [*(tile for hand in deal.hands for tile in hand), deal.turn_up, *deal.boneyard]
            assert sorted(tiles) == sorted(TILES)


# Facts to check against


def test_the_trump_is_k_with_chance_k_plus_1_in_28_and_6_trumps_are_unseen() -> None:
    rules = rules_with(2, hand_size=3)
    trumps = Counter[int]()
    for turn_up in TILES:
        rest = [tile for tile in TILES if tile != turn_up]
        deal = deal_with(turn_up, " ".join(rest[:3]), " ".join(rest[3:6]))
        trump = next(play_match(rules, lambda number, deal=deal: deal, Script()))["trump"]  # type: ignore[misc]
        trumps[trump] += 1
        assert sum(is_trump(tile, trump) for tile in rest) == 6
    assert trumps == {k: k + 1 for k in range(7)}


@pytest.mark.parametrize("size", [3, 5, 7])
def test_trumps_in_a_hand_as_dealt_are_hypergeometric(size: int) -> None:
    table = RandomTable(size, rules_with(2, hand_size=size))
    n = 4000
    counts = Counter(
        sum(is_trump(tile, int(deal.turn_up[0])) for tile in deal.hands[0]) for deal in map(table.deal, range(n))
    )
    for k in range(7):
        p = math.comb(6, k) * math.comb(21, size - k) / math.comb(27, size) if k <= size else 0.0
        assert abs(counts[k] - n * p) <= 5 * math.sqrt(n * p * (1 - p))


def test_a_first_trick_of_random_players_enumerated_exactly() -> None:
    """Trump 5. Seat 0 leads each tile by a third and each of its suits by a half: only 6-0 as a six, to which seat 1
    has to follow 6-4, loses the trick."""
    deal = deal_with("5-0", "6-0 5-1 2-1", "6-4 4-0 1-1")
    rules = rules_with(2, hand_size=3, max_rounds=1)
    n = 3000
    table = RandomTable(1, rules)

    def decide(decision: Decision) -> Any:
        return "pass" if decision.kind == "call" else table.decide(decision)

    won = Counter[int]()
    for _ in range(n):
        events = list(play_match(rules, lambda number: deal, decide, 1))
        won[tricks_of(events)[0]["winner"]] += 1
    assert abs(won[1] - n / 6) < 5 * math.sqrt(n * 1 / 6 * 5 / 6)


def test_a_match_of_hand_made_deals_replays() -> None:
    deals = [deal_with("5-0", "6-4 4-2 1-0", "3-1 4-0 2-0"), deal_with("6-6", "6-4 4-2 1-0", "3-1 4-0 2-0")]
    compare("rounce", match_of(deals, rules_with(2, hand_size=3)))


def test_watch_is_shown_every_decision_with_the_choice_told() -> None:
    events = random_match(11)
    seen = Counter[str]()

    def watch(decision: Decision, choice: Any) -> None:
        assert decision.allows(choice)
        seen[decision.kind] += 1

    replay(events, watch)
    played = sum(len(event["plays"]) for event in events if event["event"] == "trick")
    assert seen["lead"] + seen["follow"] == played
    assert seen["call"] == sum(event["event"] == "call" for event in events)
    assert seen["discard"] == sum("discarded" in event for event in events)
