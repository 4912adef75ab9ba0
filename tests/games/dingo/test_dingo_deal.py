"""How cards are dealt: every set of cards alike, cards given are held, a repeat keeps its cards, belief is not law."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import stats

from analyzer.errors import RulesError
from analyzer.games.dingo import kernel
from analyzer.games.dingo.cards import CARD_INDEX, DECK
from analyzer.games.dingo.play import Prepared, new_batches
from analyzer.games.dingo.setup import build_setup
from analyzer.games.dingo.state import Setup
from analyzer.games.knobs import resolve_rules
from analyzer.games.policy import resolve_policies
from analyzer.games.registry import game_named
from analyzer.games.spec import LANES, Table
from analyzer.kernels import jit

pytestmark = pytest.mark.modes

GAME = game_named("dingo")
RULES = resolve_rules(GAME, {})
TINY = 1e-7
BATCHES = 400 if jit.COMPILED else 4
WHOLE = (1 << DECK) - 1


@pytest.fixture(autouse=True)
def _wrapping() -> Any:
    with np.errstate(over="ignore"):
        yield


def table(name: str = "careful") -> Table:
    return Table((resolve_policies(GAME, {}, [name])[name],), (((0, 0, 0, 0),),), "fixed")


def cards(names: str) -> int:
    return sum(1 << CARD_INDEX[name] for name in names.split())


def dealt(setup: Setup, batches: int = 1, seed: int = 5) -> np.ndarray[Any, Any]:
    """(4, deals) hands with the suits as dealt."""
    batch, hands = new_batches()[0], []
    for number in range(batches):
        kernel.deal(batch, setup, np.uint64(seed), LANES * number)
        hands.append(batch["dealt"] ^ change(batch["dealt"], batch["coin"]))
    return np.concatenate(hands, axis=1)


def change(hands: np.ndarray[Any, Any], coin: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What exchanging spades and clubs changes in a hand, where the coin says so."""
    differ = (hands ^ hands >> np.uint64(1)) & coin
    return differ | differ << np.uint64(1)


def held(hands: np.ndarray[Any, Any], card: int) -> int:
    return int((hands >> np.uint64(card) & np.uint64(1)).sum())


def check_evenly(hands: np.ndarray[Any, Any], wanted: int, pool: list[int]) -> None:
    """Each of the pool's cards as often as any other in a hand that draws `wanted` of them (hypergeometric cells: their
    variance is smaller than a multinomial's by (n - wanted) / (n - 1)).
    """
    n, expected = len(pool), len(hands) * wanted / len(pool)
    observed = np.array([held(hands, card) for card in pool])
    statistic = ((observed - expected) ** 2 / expected).sum() * (n - 1) / (n - wanted)
    assert TINY < stats.chi2.sf(statistic, n - 1) < 1 - TINY


GIVEN = {
    "nothing": {},
    "one hand in part": {0: "AD AS 8H"},
    "two hands": {1: "2H 2S 2C 3H 3S 3C 4H", 3: "KH"},
    "one hand whole": {2: "2H 3H 4H 5H 6H 7H 8H 9H TH JH"},
}


@pytest.mark.parametrize("name", GIVEN)
def test_cards_given_are_held_and_all_else_is_dealt_evenly(name: str) -> None:
    given = {seat: cards(names) for seat, names in GIVEN[name].items()}
    hands = dealt(build_setup(RULES, table(), given=given), BATCHES)
    pool = [card for card in range(DECK) if not sum(given.values()) >> card & 1]
    assert (np.bitwise_or.reduce(hands) == WHOLE).all()
    assert {int(hand).bit_count() for hand in hands.reshape(-1)} == {10}
    for seat in range(4):
        mine = given.get(seat, 0)
        assert (hands[seat] & np.uint64(mine) == mine).all()
        if mine.bit_count() < 10:
            check_evenly(hands[seat], 10 - mine.bit_count(), pool)


def test_the_other_hands_hold_what_exact_odds_say_beside_those_given() -> None:
    """South holds the ace rabbit and a wolf: in which hands the other two aces lie, and how many eights each holds."""
    hands = dealt(build_setup(RULES, table(), given={0: cards("AD AS")}), BATCHES)
    n = hands.shape[1]
    ah, ac = ((hands >> np.uint64(CARD_INDEX[name]) & np.uint64(1)).argmax(axis=0) for name in ("AH", "AC"))
    places = np.array([8, 10, 10, 10])
    chances = (places[:, None] * places - np.diag(places)) / (38 * 37)
    assert stats.chisquare(np.bincount(4 * ah + ac, minlength=16), n * chances.reshape(-1)).pvalue > TINY
    for hand, size in zip(hands, places.tolist(), strict=True):
        eights = sum((hand >> np.uint64(CARD_INDEX[name]) & np.uint64(1)).astype(int) for name in ("8H", "8S", "8C"))
        odds = [comb(3, k) * comb(35, size - k) / comb(38, size) for k in range(4)]
        assert stats.chisquare(np.bincount(eights, minlength=4), n * np.array(odds)).pvalue > TINY


@pytest.mark.parametrize("seat", range(3))
def test_every_hand_of_a_small_pool_is_dealt_alike(seat: int) -> None:
    """All but seven cards given, so that every hand can be counted: three of the seven for one seat, four for East."""
    lots = list(range(33))
    given, taken = {}, 0
    for s, size in {seat: 7, 3: 6, **{s: 10 for s in range(3) if s != seat}}.items():
        given[s] = sum(1 << card for card in lots[taken : taken + size])
        taken += size
    hands = dealt(build_setup(RULES, table(), given=given), BATCHES)
    counts = Counter(int(hand) & ~given[seat] for hand in hands[seat])
    every = [sum(1 << card for card in chosen) for chosen in combinations(range(33, DECK), 3)]
    assert set(counts) <= set(every)
    assert stats.chisquare([counts[each] for each in every]).pvalue > TINY


def test_every_pair_of_cards_is_as_often_in_one_hand() -> None:
    """Picks of several cards at once are sets like any other: pairs in a hand, against odds."""
    hands = dealt(build_setup(RULES, table()), BATCHES)
    chance = comb(38, 8) / comb(40, 10)
    for seat in range(4):
        observed = [int((hands[seat] >> np.uint64(a) & hands[seat] >> np.uint64(b) & np.uint64(1)).sum())
                    for a, b in combinations(range(DECK), 2)]  # fmt: skip
        n = hands.shape[1]
        least = min(stats.binomtest(k, n, chance).pvalue for k in (min(observed), max(observed)))
        assert least * len(observed) > TINY


def test_the_same_cards_whatever_the_rules() -> None:
    other = resolve_rules(GAME, {"exchange": [], "points": {"ace": 7}, "hunt_order": "shuffled"})
    assert (dealt(build_setup(RULES, table())) == dealt(build_setup(other, table("random"), probe=True))).all()


def test_impossible_givens_are_refused() -> None:
    for given in ({0: 1, 1: 1}, {0: (1 << 11) - 1}, {2: 1 << 40}):
        with pytest.raises(RulesError, match="given to seat"):
            build_setup(RULES, table(), given=given)


def test_the_table_of_subsets_lists_every_set_once_the_first_places_first() -> None:
    subsets = build_setup(RULES, table()).subsets.tolist()
    assert len(set(subsets)) == len(subsets) == sum(comb(DECK, size) for size in range(4))
    start = 0
    for size in range(4):
        for places in (3, 20, DECK):
            found = subsets[start : start + comb(places, size)]
            assert set(found) == {sum(1 << place for place in chosen) for chosen in combinations(range(places), size)}
        start += comb(DECK, size)


def test_another_repeat_deals_the_same_cards_and_draws_other_choices() -> None:
    batches = [new_batches() for _ in range(2)]
    for repeat, each in enumerate(batches):
        kernel.play_through(each, build_setup(RULES, table("random"), repeat=repeat), np.uint64(5), 0, 0)
    one, other = (each[0] for each in batches)
    assert (one["dealt"] == other["dealt"]).all()
    assert (one["choice"][0] != other["choice"][0]).any()


def played(rules: dict[str, Any], seen: dict[str, Any] | None = None) -> np.void:
    batches = new_batches()
    setup = build_setup(rules, table(), seen=seen)
    kernel.play_through(batches, setup, np.uint64(9), 0, 0)
    return batches[0]


def test_players_who_believe_in_other_rules_play_by_those_and_score_by_the_rules() -> None:
    changed = resolve_rules(GAME, {"points": {"low": 5, "high": 1, "ace": 9}})
    base, believed, adapted = played(RULES), played(changed, RULES), played(changed)
    assert (base["choice"] == believed["choice"]).all()
    assert (base["laid"] == believed["laid"]).all()
    assert (base["ace_laid"] == believed["ace_laid"]).all()
    assert (base["score"] != believed["score"]).any()
    assert (adapted["choice"] != believed["choice"]).any()


def test_belief_makes_nothing_legal() -> None:
    """Seen rules that let aces be discarded, and the ace rabbit be laid alone, under rules that do not."""
    seen = resolve_rules(GAME, {"discard_aces": True, "ace_rabbit_needs": 0, "points": {"ace": -50}})
    batch = played(RULES, seen)
    assert (batch["pile"] >> np.uint64(36) == 0).all()
    laid = batch["ace_laid"]
    wolves = np.cumsum((laid & 1) + (laid >> 1 & 1), axis=0)
    assert (wolves[laid & 8 != 0] == 2).all()


@pytest.mark.skipif(not jit.COMPILED, reason="plays a block")
def test_a_prepared_table_hands_all_on_to_the_kernel() -> None:
    given = {0: cards("AD AS AC")}
    prepared = Prepared(RULES, table(), given=given, seen=resolve_rules(GAME, {"points": {"ace": 9}}), repeat=3)
    tallies = [np.zeros(shape, np.int64) for shape in (prepared.grouped_shape, prepared.plain_shape)]
    assert prepared.play(5, 0, 640, *tallies) == -1
    seats = prepared.named(*tallies)[0]["dealt"].sum(0)
    assert (seats[[37, 38, 39], 0] == 640).all()
