"""Features, kinds of decision and choices as Domino Rounce's policy oracle works them out, on positions by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from rounce_batches import player
from rounce_deals import rules_with

from analyzer.games.rounce.policies import FEATURES
from analyzer.games.rounce.reference_legal import legal_calls, legal_discards, legal_follows, legal_leads
from analyzer.games.rounce.reference_policy import (
    Features,
    aside_features,
    call_features,
    height,
    kind_of,
    policy_choice,
    suit_in,
    tile_features,
    unseen,
)
from analyzer.games.rounce.reference_view import TILES, Decision, Trick, View, ends


def view(
    hand: str,
    turn_up: str = "5-0",
    seat: int = 1,
    dealer: int = 2,
    calls: str = "",
    tricks: Sequence[Trick] = (),
    aside: str = "",
    scores: Sequence[int] = (15, 15, 15),
    **rules: Any,
) -> View:
    """What a seat knows, from words; `calls` from the dealer's left on."""
    n = len(scores)
    called = [((dealer + 1 + place) % n, call) for place, call in enumerate(calls.split())]
    knobs = rules_with(n, **{"hand_size": 3, **rules})
    trump = ends(turn_up)[0]
    return View(seat, knobs, 0, dealer, scores, turn_up, trump, hand.split(), called, list(tricks), aside.split())


def trick(suit: int, plays: str, winner: int = -1) -> Trick:
    """A trick from words, `2:4-1` being what seat 2 played; without a winner it is being played."""
    told = [(int(word[0]), word[2:]) for word in plays.split()]
    return Trick(told[0][0], suit, told, winner)


def shown(features: Features) -> Features:
    """Those that are not 0."""
    return {name: value for name, value in features.items() if value}


def names_of(group: str) -> set[str]:
    return {feature.name for feature in FEATURES if group in feature.groups}


# Calls


@pytest.mark.parametrize(
    ("doubles", "heights"),
    [("natural", [1, 2, 3, 4, 5, 6, 7]), ("high", [1, 2, 3, 4, 5, 7, 6])],
)
def test_height_of_a_trump(doubles: str, heights: list[int]) -> None:
    mine = view("0-0 1-0 2-0", doubles=doubles)
    trumps = ["5-0", "5-1", "5-2", "5-3", "5-4", "5-5", "6-5"]
    assert [height(tile, mine) for tile in trumps] == heights
    assert height("6-6", mine) == 0


def test_features_of_a_call() -> None:
    mine = view("6-5 5-1 6-6 4-0 2-1", calls="fold", scores=(12, 15, 9), hand_size=5)
    # Suit 3 is missing; 6-6 is the best six; of the unseen trumps 5-5 is the best.
    assert shown(call_features(mine)) == {
        "one": 1, "trumps": 2, "trumps_squared": 4, "top_trump": 7, "sure": 1, "behind_trumps": 2,
        "high": 1, "voids": 1,
        "position": 1, "to_call": 1, "folds": 1, "players": 3,
        "own_score": 15, "rival_score": 9, "behind": 6,
        "turn_up": 1,
    }  # fmt: skip


def test_features_of_the_dealers_call_with_high_doubles() -> None:
    scores = (2, 40, 3, 5)
    mine = view("5-5 3-3 0-0", "5-4", seat=0, dealer=0, calls="dummy pass fold", scores=scores, doubles="high")
    assert shown(call_features(mine)) == {
        "one": 1, "trumps": 1, "trumps_squared": 1, "top_trump": 7, "sure": 1,
        "high": 2, "voids": 4,
        "position": 3, "dealer": 1, "folds": 1, "dummies": 1, "in_play": 2, "players": 4,
        "own_score": 2, "rival_score": 3, "own_near": 1, "rival_near": 1,
        "turn_up": 5,
    }  # fmt: skip


def test_scores_are_seen_up_to_31() -> None:
    found = call_features(view("0-0 1-0 2-0", seat=0, scores=(40, 12, 99)))
    assert (found["own_score"], found["rival_score"], found["behind"]) == (31, 12, 19)


def test_nobody_is_behind_with_equal_scores() -> None:
    found = call_features(view("5-1 1-0 2-0", scores=(33, 40, 31)))
    assert (found["behind"], found["behind_trumps"], found["trumps"]) == (0, 0, 1)


def test_under_trump_6_the_best_of_a_suit_bear_a_5() -> None:
    assert call_features(view("5-5 5-0 4-3", "6-0"))["high"] == 2
    assert call_features(view("5-5 5-0 4-3", "6-0", doubles="high"))["high"] == 1


def test_a_turn_up_is_not_unseen() -> None:
    """Only 6-6 is above 6-5: it may be in a hand, or lie there for all to see."""
    assert call_features(view("6-5 1-0 2-0", "6-0"))["sure"] == 0
    assert call_features(view("6-5 1-0 2-0", "6-6"))["sure"] == 1


# Tiles put aside


@pytest.mark.parametrize(
    ("tile", "doubles", "expected"),
    [
        ("5-2", "natural", {"trump": 1, "trump_height": 3}),
        ("5-5", "high", {"trump": 1, "trump_height": 7}),
        ("6-4", "natural", {"rank": 6, "low": 4, "company": 2}),
        ("4-4", "natural", {"rank": 4, "low": 4, "double": 1, "company": 2}),
        ("4-4", "high", {"rank": 7, "low": 7, "double": 1, "company": 2}),
        # The only other tile with a 2 is a trump.
        ("2-0", "natural", {"rank": 2}),
    ],
)
def test_features_of_a_tile_put_aside(tile: str, doubles: str, expected: Features) -> None:
    assert shown(aside_features(view("5-2 5-5 6-4 4-4 4-1 2-0", doubles=doubles), tile)) == expected


@pytest.mark.parametrize(("hand", "company"), [("6-4 4-1", 1), ("6-4 4-4 4-1 6-0", 3), ("6-4 4-4 4-3 4-1 4-0 6-0", 3)])
def test_company_counts_up_to_three(hand: str, company: int) -> None:
    assert aside_features(view(hand), "6-4")["company"] == company


# Tiles played


LED = {"wins": 1, "wins_after": 2, "no_trick_wins": 1, "no_trick_left_wins": 3, "left_wins": 3}
HIGH = {"high": 1, "high_after": 2, "no_trick_high": 1, "left_high": 3}


@pytest.mark.parametrize(
    ("tile", "suit", "expected"),
    [
        ("6-4", 6, {"rank": 4}),
        ("6-4", 4, {"rank": 6, "company": 1, **HIGH}),
        ("5-2", 5, {"trump": 1, "rank": 2, "trump_rank": 2, "no_trick_trump": 1, "left_trump": 3, **HIGH}),
    ],
)
def test_features_of_a_lead(tile: str, suit: int, expected: Features) -> None:
    """6-6 and 4-4 are out: the first is above 6-4 among the sixes, the second below it among the fours."""
    assert shown(tile_features(view("6-4 4-1 5-2"), tile, suit, {"6-6", "4-4"})) == LED | expected


@pytest.mark.parametrize(
    ("tile", "hidden", "expected"),
    [
        ("4-1", {"4-0"}, {"rank": 1, "high": 1, "high_after": 1, "left_high": 2}),
        ("4-1", {"4-3"}, {"rank": 1}),
        (
            "6-4",
            {"4-3"},
            {"rank": 6, "wins": 1, "wins_after": 1, "left_wins": 2, "high": 1, "high_after": 1, "left_high": 2},
        ),
    ],
)
def test_features_of_a_tile_that_follows(tile: str, hidden: set[str], expected: Features) -> None:
    """In the second of three tricks, the first of which was one's own, with one player to come."""
    over = trick(3, "0:3-2 1:3-3 2:3-0", winner=1)
    mine = view("6-4 4-1", tricks=[over, trick(4, "0:4-2")])
    assert shown(tile_features(mine, tile, 4, hidden)) == {"company": 1, **expected}


@pytest.mark.parametrize(
    ("tile", "suit", "expected"),
    [
        ("2-1", 1, {"rank": 2, "high": 1, "no_trick_high": 1, "left_high": 3}),
        (
            "5-3", 5,
            {"trump": 1, "rank": 3, "trump_rank": 3, "high": 1, "wins": 1, "wins_last": 1, "no_trick_wins": 1,
             "no_trick_high": 1, "no_trick_trump": 1, "no_trick_left_wins": 3, "left_wins": 3, "left_trump": 3,
             "left_high": 3},
        ),
    ],
)  # fmt: skip
def test_features_of_the_last_to_play_who_cannot_follow(tile: str, suit: int, expected: Features) -> None:
    mine = view("5-3 2-1 3-3", tricks=[trick(4, "2:4-2 0:5-1")])
    assert suit_in(mine, tile) == suit
    assert shown(tile_features(mine, tile, suit, {"5-2"})) == expected


def test_who_folded_does_not_play_after_one() -> None:
    found = tile_features(view("6-4 4-1 5-2", seat=1, dealer=2, calls="fold pass pass"), "6-4", 6, ())
    assert (found["wins_after"], found["wins_last"]) == (1, 0)


def test_a_high_double_ranks_above_the_rest_of_its_suit() -> None:
    found = tile_features(view("4-4 2-1 3-3", doubles="high"), "4-4", 4, {"6-4"})
    assert (found["rank"], found["high"]) == (7, 1)
    found = tile_features(view("4-4 2-1 3-3"), "4-4", 4, {"6-4"})
    assert (found["rank"], found["high"]) == (4, 0)


# What is unseen


@pytest.mark.parametrize(("memory", "forgotten"), [("perfect", set()), ("top_card", {"1-0"}), ("none", {"1-0", "3-0"})])
def test_what_is_unseen_hangs_on_memory(memory: str, forgotten: set[str]) -> None:
    """Own tiles, those put aside and the trick being played are never forgotten."""
    tricks = [trick(0, "0:1-0 1:2-0", winner=0), trick(0, "0:3-0 1:4-0", winner=0), trick(0, "0:6-0")]
    mine = view("6-4", tricks=tricks, aside="0-0")
    seen = {"6-4", "0-0", "1-0", "2-0", "3-0", "4-0", "6-0", "5-0"}
    assert unseen(mine, memory) == set(TILES) - seen | forgotten


@pytest.mark.parametrize("call", ["take", "defend_take"])
def test_a_turn_up_taken_is_unseen_by_the_others(call: str) -> None:
    assert "5-0" not in unseen(view("6-4 1-0 2-0", calls="pass pass pass"), "perfect")
    assert "5-0" in unseen(view("6-4 1-0 2-0", calls=f"pass pass {call}"), "perfect")
    assert "5-0" not in unseen(view("6-4 1-0 5-0", seat=2, calls=f"pass pass {call}"), "perfect")


def test_a_memory_by_chance_is_not_predicted() -> None:
    with pytest.raises(ValueError, match="cannot be predicted"):
        unseen(view("6-4 1-0 2-0"), 0.5)


# Choices


def lead_of(mine: View) -> Decision:
    return Decision("lead", mine, legal_leads(mine))


def follow_of(mine: View) -> Decision:
    return Decision("follow", mine, legal_follows(mine))


def test_kinds_of_decisions() -> None:
    first = view("6-4 4-1 5-2")
    assert kind_of(Decision("call", first, legal_calls(first))) == "call_pass"
    assert kind_of(Decision("discard", first, (), call="dummy")) == "aside_dummy"
    assert kind_of(Decision("discard", first, (), call="take")) == "aside_take"
    assert kind_of(Decision("discard", first, (), call="defend_take")) == "aside_take"
    assert kind_of(lead_of(first)) == "lead_first"
    assert kind_of(lead_of(view("6-4 4-1", tricks=[trick(3, "1:3-3 2:3-0", winner=1)]))) == "lead_later"
    assert kind_of(follow_of(view("6-4 4-1 5-2", tricks=[trick(4, "0:4-2")]))) == "follow_win"
    assert kind_of(follow_of(view("4-1 4-0 5-2", tricks=[trick(4, "0:4-2")]))) == "follow_lose"
    assert kind_of(follow_of(view("6-1 3-0 5-2", tricks=[trick(4, "0:4-2")]))) == "void"


def test_of_equal_calls_the_earliest_is_made() -> None:
    mine = view("6-4 4-1 5-2", calls="pass")
    asked = Decision("call", mine, legal_calls(mine))
    assert policy_choice(asked, player("p", weights={})) == "pass"
    assert policy_choice(asked, player("p", weights={"call_dummy": {"one": 1}, "call_fold": {"one": 1}})) == "fold"
    assert policy_choice(asked, player("p", weights={"call_dummy": {"trumps": 2}, "call_fold": {"one": 1}})) == "dummy"


def test_a_call_that_is_not_legal_is_not_made() -> None:
    mine = view("6-4 4-1 5-2", calls="pass")
    asked = Decision("call", mine, legal_calls(mine))
    assert policy_choice(asked, player("p", weights={"call_take": {"one": 9}})) == "pass"


def test_of_equal_leads_the_lower_tile_by_its_higher_end() -> None:
    asked = lead_of(view("6-4 4-1 2-0"))
    assert policy_choice(asked, player("p", weights={})) == ("2-0", 2)
    assert policy_choice(asked, player("p", weights={"lead": {"rank": 1}})) == ("6-4", 4)
    assert policy_choice(asked, player("p", weights={"lead": {"rank": -1}})) == ("2-0", 2)


def test_of_equal_tiles_that_follow_the_lower() -> None:
    asked = follow_of(view("6-4 4-1 5-2", tricks=[trick(4, "0:4-2")]))
    assert policy_choice(asked, player("p", weights={})) == "4-1"
    assert policy_choice(asked, player("p", weights={"follow": {"wins": 1}})) == "6-4"


def test_what_is_put_aside_is_least_worth_keeping() -> None:
    mine = view("6-4 4-1 2-0 5-2 3-3")
    asked = Decision("discard", mine, legal_discards(mine, "dummy"), call="dummy")
    assert policy_choice(asked, player("p", weights={})) == ("2-0", "3-3")
    assert policy_choice(asked, player("p", weights={"aside": {"trump": -9, "rank": -0.5}})) == ("5-2", "6-4")


def test_the_turn_up_taken_is_kept() -> None:
    mine = view("6-4 4-1 2-1 5-0", seat=2, calls="pass pass take")
    asked = Decision("discard", mine, legal_discards(mine, "take"), call="take")
    assert policy_choice(asked, player("p", weights={"aside": {"trump": -9}})) == ("2-1",)


# Features as declared


def test_features_are_those_declared() -> None:
    mine = view("6-4 4-1 5-2")
    assert set(call_features(mine)) == names_of("call")
    for tile in mine.hand:
        assert set(aside_features(mine, tile)) == names_of("aside")
        assert set(tile_features(mine, tile, ends(tile)[0], ())) == names_of("lead")
    assert names_of("lead") == names_of("follow")
