"""Domino Rounce's rules page, one test a rule: tiles, the match, the deal, the score, what a player knows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from rounce_deals import Script, deal_with, match_of, round_of, rules_with, score_of, tricks_of

from analyzer.games.rounce.reference import play_match
from analyzer.games.rounce.reference_view import TILES, Deal, IllegalPlayError, is_trump, rank_of, suits_of

THREES = rules_with(3, hand_size=3)
PLAIN = deal_with("5-0", "6-4 4-2 1-0", "3-1 4-0 2-0", "2-1 4-4 3-0")
"""Trump 5, which nobody holds."""


def of_kind(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == kind]


# Tiles


def test_the_set_is_28_tiles_with_each_pair_of_ends_once_the_higher_first() -> None:
    assert len(set(TILES)) == len(TILES) == 28
    assert all("6" >= tile[0] >= tile[2] >= "0" and tile[1] == "-" for tile in TILES)


@pytest.mark.parametrize("trump", range(7))
def test_a_tile_bearing_the_trump_belongs_to_the_trump_suit_only(trump: int) -> None:
    trumps = [tile for tile in TILES if is_trump(tile, trump)]
    assert len(trumps) == 7
    assert all(suits_of(tile, trump) == (trump,) for tile in trumps)
    sizes = Counter(suit for tile in TILES for suit in suits_of(tile, trump))
    assert sizes == {suit: 7 if suit == trump else 6 for suit in range(7)}


def test_any_other_tile_belongs_to_both_its_ends_suits_and_its_other_end_is_the_rank() -> None:
    assert suits_of("6-3", 5) == (6, 3)
    assert rank_of("6-3", 6, "natural") == 3
    assert rank_of("6-3", 3, "natural") == 6
    assert suits_of("5-3", 5) == (5,)
    assert rank_of("5-3", 5, "natural") == 3
    assert suits_of("4-4", 5) == (4,)


def test_doubles_rank_as_their_own_number_or_above_all() -> None:
    for tile in ("0-0", "3-3", "6-6"):
        suit = int(tile[0])
        others = [rank_of(other, suit, "natural") for other in TILES if str(suit) in other and other != tile]
        assert sorted((*others, rank_of(tile, suit, "natural"))) == list(range(7))
        assert rank_of(tile, suit, "natural") == suit
        assert rank_of(tile, suit, "high") > max(others)


def test_the_trump_is_the_higher_end_of_the_turn_up() -> None:
    for tile in TILES:
        rest = [other for other in TILES if other != tile]
        event = round_of(Deal([rest[:3], rest[3:6], rest[6:9]], tile, rest[9:]), THREES)[0]
        assert (event["turn_up"], event["trump"]) == (tile, int(tile[0]))


# The match


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everyone_starts_with_start_score(players: int) -> None:
    for start, rules in ((15, rules_with(players)), (40, rules_with(players, start_score=40))):
        size = rules["hand_size"]
        hands = [" ".join(TILES[seat * size :][:size]) for seat in range(players)]
        events = round_of(deal_with("6-6", *hands), rules)
        assert events[0]["scores"] == [start] * players
        assert len(events[0]["hands"]) == players


def test_the_deal_passes_to_the_left_and_scores_carry_over() -> None:
    events = match_of([PLAIN], {**THREES, "max_rounds": 7})
    deals, scores = of_kind(events, "deal"), of_kind(events, "score")
    assert [deal["dealer"] for deal in deals] == [0, 1, 2, 0, 1, 2, 0]
    assert [deal["scores"] for deal in deals[1:]] == [score["scores"] for score in scores[:-1]]
    assert events[-1]["scores"] == scores[-1]["scores"]


def test_the_first_dealer_is_drawn_or_a_seat() -> None:
    for seat in range(3):
        assert round_of(PLAIN, THREES, dealer=seat)[0]["dealer"] == seat
        assert round_of(PLAIN, {**THREES, "first_dealer": seat}, dealer=seat)[0]["dealer"] == seat
        with pytest.raises(IllegalPlayError, match="The match: seat 1 deals first, not 0"):
            round_of(PLAIN, {**THREES, "first_dealer": 1}, dealer=0)
    for nobody in (-1, 3, True):
        with pytest.raises(IllegalPlayError, match="a seat from 0 to 2"):
            list(play_match(THREES, lambda number: PLAIN, Script(), nobody))


def test_the_match_is_over_after_the_round_that_leaves_somebody_at_0_or_below() -> None:
    everyone_folds = dict.fromkeys(range(3), "fold fold fold fold")
    for start, rounds in ((5, 1), (6, 4), (10, 4)):
        events = match_of([PLAIN], rules_with(hand_size=3, start_score=start), Script(everyone_folds))
        scores = [start, start, start]
        for number in range(rounds):
            scores[number % 3] -= 5
        assert events[-1] == {
            "match": 0, "event": "result", "rounds": rounds, "scores": scores, "unfinished": False,
            "win_share": [1.0, 0.0, 0.0],
        }  # fmt: skip


TWO_AND_ONE = deal_with("5-0", "3-0 4-1 1-1", "6-6 4-4 2-1", "4-0 2-0 3-2")
"""Seat 0 deals, so seat 1 leads and with these plays wins two tricks, and seat 2 one."""
TWO_AND_ONE_PLAYS = {0: "3-0 4-1 1-1", 1: "6-6 4-4 2-1/2", 2: "4-0 2-0 3-2"}


@pytest.mark.parametrize(
    ("tie", "start", "shares"),
    [
        ("lowest", 1, [0.0, 1.0, 0.0]),
        ("shared", 1, [0.0, 0.5, 0.5]),
        ("lowest", 2, [0.0, 1.0, 0.0]),
        ("shared", 2, [0.0, 1.0, 0.0]),
    ],
)
def test_of_several_at_0_or_below_the_lowest_wins_or_all_share(tie: str, start: int, shares: list[float]) -> None:
    rules = rules_with(hand_size=3, start_score=start, finish_tie=tie)
    events = match_of([TWO_AND_ONE], rules, Script(plays=TWO_AND_ONE_PLAYS))
    assert events[-1]["scores"] == [start + 5, start - 2, start - 1]
    assert events[-1]["win_share"] == shares
    assert events[-1]["rounds"] == 1


@pytest.mark.parametrize("tie", ["lowest", "shared"])
def test_equal_lowest_scores_share_the_win(tie: str) -> None:
    deal = deal_with("5-0", "4-1 6-3 2-0", "4-0 1-1 6-2", "6-4 3-0 1-0")
    plays = {0: "4-1 6-3 2-0/2", 1: "4-0/4 1-1 6-2", 2: "6-4 3-0/3 1-0"}
    rules = rules_with(hand_size=3, start_score=1, finish_tie=tie)
    events = match_of([deal], rules, Script(plays=plays))
    assert score_of(events)["tricks"] == [1, 1, 1]
    assert events[-1]["scores"] == [0, 0, 0]
    assert events[-1]["win_share"] == [1 / 3, 1 / 3, 1 / 3]


def test_a_match_not_over_after_max_rounds_is_unfinished_and_has_no_winner() -> None:
    rules = rules_with(hand_size=3, max_rounds=4, walkover=0)
    events = match_of([PLAIN], rules, Script(dict.fromkeys(range(3), "fold " * 4)))
    assert events[-1] == {
        "match": 0, "event": "result", "rounds": 4, "scores": [15, 15, 15], "unfinished": True,
        "win_share": [0.0, 0.0, 0.0],
    }  # fmt: skip


def test_a_match_over_in_its_last_round_is_finished() -> None:
    events = match_of(
        [TWO_AND_ONE], rules_with(hand_size=3, start_score=2, max_rounds=1), Script(plays=TWO_AND_ONE_PLAYS)
    )
    assert not events[-1]["unfinished"]


# The deal


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7])
def test_hand_size_tiles_are_dealt_to_each_and_a_round_has_as_many_tricks(size: int) -> None:
    rules = rules_with(3, hand_size=size)
    hands = [" ".join(TILES[seat * size :][:size]) for seat in range(3)]
    events = round_of(deal_with("6-6", *hands), rules)
    assert [len(hand) for hand in events[0]["hands"]] == [size] * 3
    assert [trick["trick"] for trick in tricks_of(events)] == list(range(size))
    for wrong in (hands[:2], [*hands, ""], [hands[0], hands[1], hands[2][4:]]):
        with pytest.raises(IllegalPlayError, match=f"The deal: 3 players are dealt {size} tiles each"):
            round_of(deal_with("6-6", *wrong), rules, dealer=0)


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        (deal_with("5-0", "6-4 4-2 1-0", "3-1 4-0 2-0", "2-1 4-4 6-4"), "6-4 is in two places"),
        (deal_with("5-0", "6-4 4-2 1-0", "3-1 4-0 2-0", "2-1 4-4 5-0"), "5-0 is in two places"),
        (deal_with("5-0", "6-4 4-2 1-0", "3-1 4-0 2-0", "2-1 4-4 3-0", boneyard="4-4"), "4-4 is in two places"),
        (deal_with("5-0", "6-4 4-2 1-0", "3-1 4-0 2-0", "2-1 4-4 0-3"), "'0-3' is no tile"),
        (deal_with("7-0", "6-4 4-2 1-0", "3-1 4-0 2-0", "2-1 4-4 3-0"), "'7-0' is no tile"),
    ],
)
def test_a_tile_lies_in_one_place(deal: Deal, words: str) -> None:
    with pytest.raises(IllegalPlayError, match=words):
        round_of(deal, THREES)


# The score


def test_every_trick_lowers_the_score_by_1_and_who_played_for_none_is_rounced() -> None:
    events = round_of(TWO_AND_ONE, THREES, Script(plays=TWO_AND_ONE_PLAYS), dealer=0)
    assert score_of(events) == {
        "match": 0, "round": 0, "event": "score", "tricks": [0, 2, 1], "walkover": None, "rounced": [0],
        "change": [5, -2, -1], "scores": [20, 13, 14],
    }  # fmt: skip


@pytest.mark.parametrize("penalty", [0, 1, 100])
def test_rounce_penalty_is_what_a_rounced_player_gains(penalty: int) -> None:
    rules = {**THREES, "rounce_penalty": penalty}
    score = score_of(round_of(TWO_AND_ONE, rules, Script(plays=TWO_AND_ONE_PLAYS), dealer=0))
    assert (score["change"], score["rounced"]) == ([penalty, -2, -1], [0])


def test_several_can_be_rounced() -> None:
    deal = deal_with("5-0", "3-0 4-1 1-1", "6-6 6-5 5-5", "4-0 2-0 3-2")
    score = score_of(round_of(deal, THREES, Script(plays={1: "5-5 6-5 6-6"}), dealer=0))
    assert (score["tricks"], score["rounced"], score["change"]) == ([0, 3, 0], [0, 2], [5, -3, 5])


def test_folded_players_neither_gain_nor_lose_and_are_not_rounced() -> None:
    script = Script({0: "fold"}, plays={1: "6-6 4-4 2-1/2", 2: "4-0 2-0 3-2"})
    score = score_of(round_of(TWO_AND_ONE, THREES, script, dealer=2))
    assert (score["tricks"], score["rounced"], score["change"]) == ([0, 2, 1], [], [0, -2, -1])


# What a player knows


def test_a_player_knows_the_own_tiles_and_what_lies_open() -> None:
    deal = deal_with("5-0", "6-4 4-2 1-0", "3-1 4-0 2-0", "2-1 4-4 3-0", boneyard="6-6 6-5 2-2 1-1")
    script = Script({0: "fold"})
    round_of(deal, THREES, script)
    assert script.asked[0].decision.view.aside == ["6-4", "4-2", "1-0"]
    script = Script({0: "dummy", 2: "take"}, {0: "1-1", 2: "2-1"})
    round_of(deal, THREES, script)
    view = script.asked[-1].decision.view
    assert set(vars(view)) == {
        "seat", "rules", "round", "dealer", "scores", "turn_up", "trump", "hand", "calls", "tricks", "aside",
    }  # fmt: skip
    views = {asked.seat: asked.decision.view for asked in script.asked}
    assert views[0].aside == ["6-4", "4-2", "1-0", "1-1"]
    assert views[1].aside == []
    assert views[2].aside == ["2-1"]
    assert views[1].calls == [(0, "dummy"), (1, "pass"), (2, "take")]
    assert views[1].turn_up == "5-0"
    assert [len(trick.plays) for trick in views[1].tricks] == [3, 3, 3]
    assert views[1].playing == [0, 1, 2]


def test_views_of_two_players_share_only_what_lies_open() -> None:
    script = Script()
    round_of(PLAIN, THREES, script)
    views = {asked.seat: asked.decision.view for asked in script.asked}
    hands = {asked.seat: asked.hand for asked in script.asked if asked.kind == "call"}
    assert hands == {seat: tuple(PLAIN.hands[seat]) for seat in range(3)}
    for one, other in ((0, 1), (1, 2), (2, 0)):
        assert views[one].hand is not views[other].hand
        assert views[one].aside is not views[other].aside
        assert views[one].calls is views[other].calls
        assert views[one].tricks is views[other].tricks


def test_a_player_sees_each_call_and_tile_before_the_next_choice() -> None:
    seen: list[tuple[str, int, int, int]] = []
    script = Script({0: "pass", 1: "fold"})

    def decide(decision: Any) -> Any:
        view = decision.view
        seen.append((decision.kind, view.seat, len(view.calls), sum(len(trick.plays) for trick in view.tricks)))
        return script(decision)

    round_of(PLAIN, THREES, decide)
    assert seen[:7] == [
        ("call", 0, 0, 0), ("call", 1, 1, 0), ("call", 2, 2, 0),
        ("lead", 0, 3, 0), ("follow", 2, 3, 1), ("lead", 0, 3, 2), ("follow", 2, 3, 3),
    ]  # fmt: skip
