"""Random words by address, and uniform choices made from them: known answers, uniformity, exactness."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from analyzer.kernels import choose, jit, rng
from analyzer.kernels.bits import U

pytestmark = pytest.mark.modes

DRAWS = 60_000 if jit.COMPILED else 3_000
TINY = 1e-6


def key(seed: np.uint64, unit: np.uint64) -> np.uint64:
    """A compiled function hands back a Python integer, and takes large ones only as uint64."""
    return U(rng.unit_key(seed, unit))


def where(phase: int, step: int, turn: int) -> np.uint64:
    return U(rng.address(phase, step, turn))


@pytest.fixture(autouse=True)
def _wrapping() -> object:
    with np.errstate(over="ignore"):
        yield


def test_mix_is_that_of_splitmix64() -> None:
    """First outputs of SplitMix64 seeded with 1234567, as published with the reference implementation."""
    state, words = U(1234567), []
    for _ in range(3):
        state = state + rng.GOLDEN
        words.append(int(rng.mix(state)))
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_words_are_a_function_of_the_address_alone() -> None:
    """Pinned: a change moves every published number, and must raise the stream."""
    assert int(where(3, 2, 1)) == 0x030201
    assert int(key(U(1), U(0))) == 6791897765849424158
    assert int(rng.word(key(U(1), U(0)), where(3, 2, 1))) == 6834139060191096205


def test_different_addresses_give_different_words() -> None:
    words = {
        int(rng.word(key(U(seed), U(unit)), where(phase, step, turn)))
        for seed in range(3)
        for unit in range(10)
        for phase in range(14)
        for step in range(5)
        for turn in range(4)
    }
    assert len(words) == 3 * 10 * 14 * 5 * 4


def test_bits_of_words_are_fair_and_independent_of_their_neighbours() -> None:
    words = np.array([int(rng.word(key(U(9), U(i)), where(1, 0, 0))) for i in range(DRAWS)], np.uint64)
    ones = np.array([int(((words >> U(b)) & U(1)).sum()) for b in range(64)])
    changed = np.array([int((((words ^ np.roll(words, 1)) >> U(b)) & U(1)).sum()) for b in range(64)])
    for counts in (ones, changed):
        z = (counts - DRAWS / 2) / math.sqrt(DRAWS / 4)
        assert stats.chi2.sf((z**2).sum(), 64) > TINY


@pytest.mark.parametrize("n", [2, 3, 6, 7, 10, 40])
def test_below_is_uniform(n: int) -> None:
    counts = Counter(int(choose.below(key(U(3), U(i)), where(2, n, 0), n)) for i in range(DRAWS))
    assert set(counts) <= set(range(n))
    assert stats.chisquare([counts[k] for k in range(n)]).pvalue > TINY


def test_below_rejects_the_excess_of_a_huge_bound() -> None:
    """Of n = 3 * 2^61 the numbers 2 modulo 3 belong to two words each, others to three; rejection makes them equal."""
    n = 3 << 61
    draws = DRAWS // 3
    counts = Counter(int(choose.below(key(U(4), U(i)), where(2, 0, 0), U(n))) % 3 for i in range(draws))
    assert stats.chisquare([counts[k] for k in range(3)]).pvalue > TINY


def test_subset_is_uniform_over_all_subsets() -> None:
    cards = 0b1011_0110_0100
    elements = [1 << i for i in range(12) if cards >> i & 1]
    all_of_three = [a | b | c for a, b, c in combinations(elements, 3)]
    counts = Counter(
        int(choose.subset(key(U(5), U(i)), where(0, 0, 0), U(cards), len(elements), 3)) for i in range(DRAWS)
    )
    assert set(counts) <= set(all_of_three)
    assert stats.chisquare([counts[s] for s in all_of_three]).pvalue > TINY


def test_coins_have_their_chance_at_every_place() -> None:
    n = DRAWS // 20
    for chance in (0.0, 2.0**-60, 0.1, 1 / 3, 0.5, 0.97, 1.0):
        threshold = min(int(chance * 2.0**64), 2**64 - 1)
        heads = np.zeros(64)
        for i in range(n):
            word = int(choose.coins(key(U(6), U(i)), where(7, 0, 0), U(threshold)))
            heads += [word >> b & 1 for b in range(64)]
        if chance in (0.0, 2.0**-60, 1.0):
            assert set(heads) == {n if chance == 1.0 else 0.0}
        else:
            z = (heads - n * chance) / math.sqrt(n * chance * (1 - chance))
            assert stats.chi2.sf((z**2).sum(), 64) > TINY
