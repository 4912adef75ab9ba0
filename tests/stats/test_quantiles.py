"""Quantiles of histograms with Woodruff's interval: known answers, what is not known, coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analyzer.stats.quantiles import quantile, share_below, woodruff

RUNS = [pytest.param(2_000, id="quick"), pytest.param(20_000, id="long", marks=pytest.mark.slow)]
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
CHUNK = 500

Array = NDArray[np.float64]


def halves(least: int, cells: int) -> Array:
    """Edges of cells one wide round whole numbers."""
    return np.arange(cells + 1) + least - 0.5


def left_out(by_group: Array) -> Array:
    """Totals, then without each group: (groups, ...) -> (1 + groups, ...)."""
    total = by_group.sum(0)
    return np.concatenate([total[None], total - by_group])


def found(by_group: Array, edges: Array, level: float, confidence: float = 0.95) -> dict[str, float | None]:
    """The estimate from one histogram a group (groups, cells)."""
    sizes = by_group.sum(-1).astype(np.int64)
    return woodruff(left_out(by_group), edges, level, sizes, left_out(by_group.sum(-1)), confidence).item(())


def test_quantiles_of_even_numbers_lie_even() -> None:
    assert [float(quantile(np.ones(10), halves(0, 10), level)) for level in LEVELS] == pytest.approx([0, 2, 4.5, 7, 9])


def test_quantiles_know_the_width_of_a_cell() -> None:
    edges = np.array([-4.5, -0.5, 3.5, 7.5])
    assert quantile(np.array([0.0, 8.0, 0.0]), edges, 0.5) == 1.5
    assert quantile(np.array([0.0, 8.0, 0.0]), edges, 0.25) == 0.5
    assert quantile(np.array([4.0, 0.0, 4.0]), edges, 0.5) == -0.5


def test_quantiles_agree_with_percentiles_of_smoothed_numbers() -> None:
    rng = np.random.default_rng(3)
    numbers = rng.binomial(20, 0.4, 50_000)
    smooth = np.quantile(numbers + rng.uniform(-0.5, 0.5, numbers.size), LEVELS)
    histogram = np.bincount(numbers, minlength=21).astype(float)
    assert [float(quantile(histogram, halves(0, 21), level)) for level in LEVELS] == pytest.approx(smooth, abs=0.03)


def test_levels_0_and_1_are_the_ends_of_what_there_could_be() -> None:
    histograms = np.array([[0.0, 3.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    edges = halves(0, 4)
    np.testing.assert_equal(quantile(histograms, edges, 0.0), [-0.5, np.nan])
    np.testing.assert_equal(quantile(histograms, edges, 1.0), [3.5, np.nan])
    np.testing.assert_equal(quantile(histograms, edges, [np.nan, 0.5]), [np.nan, np.nan])
    edges[-1] = math.inf
    np.testing.assert_equal(quantile(histograms, edges, 1.0), [np.nan, np.nan])


def test_the_share_below_a_quantile_is_its_level() -> None:
    rng = np.random.default_rng(4)
    histograms = rng.integers(1, 9, size=(3, 7)).astype(float)
    for level in LEVELS:
        value = quantile(histograms, halves(-3, 7), level)
        assert share_below(histograms[None], halves(-3, 7), value)[0] == pytest.approx(level)
    # Of another histogram, at the same values.
    assert share_below(np.array([[2.0, 0.0, 6.0]]), halves(0, 3), np.asarray(1.75))[0] == 0.25 + 0.25 * 0.75


def test_the_interval_is_that_of_the_share_carried_over() -> None:
    """64 equal groups: Student's interval of the groups' own shares below the estimate, read as quantiles."""
    rng = np.random.default_rng(5)
    by_group = rng.multinomial(40, np.full(100, 0.01), size=64).astype(float)
    edges = halves(0, 100)
    item = found(by_group, edges, 0.75)
    total = by_group.sum(0)
    estimate = float(quantile(total, edges, 0.75))
    own = share_below(by_group, edges, np.asarray(estimate))
    error = stats.sem(own)
    low, high = stats.t.interval(0.95, 63, 0.75, error)
    ends = quantile(np.stack([total, total]), edges, [low, high])
    slope = (ends[1] - ends[0]) / (high - low)
    assert item == {
        "estimate": pytest.approx(estimate), "low": pytest.approx(ends[0]), "high": pytest.approx(ends[1]),
        "se": pytest.approx(error * slope), "n": 2560,
    }  # fmt: skip


def test_an_interval_may_reach_further_to_one_side() -> None:
    by_group = np.tile([1.0, 40.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], (64, 1))
    by_group[::2] += [0, 6, 0, 0, 0, 0, 0, 0, 0, 0]
    # Just below the edge of a crowded cell, above which hardly anything lies.
    item = found(by_group, halves(0, 10), 88 / 104 - 1e-4)
    assert item["estimate"] is not None
    assert item["low"] is not None
    assert item["high"] is not None
    assert item["estimate"] - item["low"] < 0.5 * (item["high"] - item["estimate"])


@pytest.mark.parametrize(("filled", "known"), [(0, False), (1, False), (15, False), (16, True)])
def test_too_few_groups_claim_nothing(filled: int, known: bool) -> None:
    by_group = np.zeros((64, 5))
    by_group[:filled] = np.random.default_rng(6).multinomial(64, np.full(5, 0.2), size=filled)
    item = found(by_group, halves(0, 5), 0.5)
    assert (item["estimate"] is not None) == (filled > 0)
    assert all((item[part] is not None) == known for part in ("low", "high", "se"))
    assert item["n"] == 64 * filled


def test_one_number_alone_keeps_a_width() -> None:
    by_group = np.tile([0.0, 100.0, 0.0], (64, 1))
    item = found(by_group, halves(0, 3), 0.5)
    half = 1 - 0.025 ** (1 / 6400)
    assert (item["estimate"], item["se"]) == (1, 0)
    assert (item["low"], item["high"]) == (pytest.approx(1 - half), pytest.approx(1 + half))


def test_few_observations_leave_all_that_lies_beyond_them_open() -> None:
    """16 observations say little of where the lowest 5% lie: down to the least that there could be."""
    by_group = np.zeros((64, 12))
    by_group[np.arange(16), 4 + np.arange(16) % 4] = 1
    sizes = np.full(64, 100)
    item = woodruff(left_out(by_group), halves(-4, 12), 0.05, sizes, left_out(by_group.sum(-1)), 0.95).item(())
    assert item["low"] == -4.5
    assert item["n"] == 16


def test_what_lies_in_an_open_last_cell_is_not_known() -> None:
    edges = np.array([0.5, 1.5, 2.5, math.inf])
    by_group = np.random.default_rng(7).multinomial(64, [0.5, 0.3, 0.2], size=64).astype(float)
    assert found(by_group, edges, 0.5)["high"] is not None
    inside = found(by_group, edges, 0.95)
    assert (inside["estimate"], inside["low"], inside["high"], inside["se"]) == (None, None, None, None)
    near = found(by_group, edges, float(by_group[:, :2].sum() / by_group.sum()) - 1e-4)
    assert near["estimate"] is not None
    assert (near["low"], near["high"], near["se"]) == (None, None, None)


def test_rows_are_told_one_by_one() -> None:
    by_group = np.random.default_rng(8).multinomial(64, np.full(9, 1 / 9), size=(64, 2, 3)).astype(float)
    sizes, n = np.full(64, 64), left_out(by_group.sum(-1))
    together = woodruff(left_out(by_group), halves(0, 9), 0.25, sizes, n, 0.95)
    alone = found(by_group[:, 1, 2], halves(0, 9), 0.25)
    assert together.estimate.shape == (2, 3)
    assert together.item((1, 2)) == alone


LATTICE = np.array(
    [
        *(1, 1, 5, 7, 23, 32, 70, 104, 174, 240, 340, 434, 546, 649, 741, 790, 842, 810, 812, 673, 622, 453, 392, 250),
        *(216, 140, 135, 103, 99, 88, 69, 59, 33, 27, 11, 7, 1),
    ],
    np.float64,
)
"""How often a hand of some card game scores -7, -6, ...: whole numbers, uneven from one to the next."""


def lattice_groups(rng: np.random.Generator, sizes: NDArray[np.int64], runs: int, plays: int) -> Array:
    """Histograms (groups, runs, cells) of units that play so often, each with good or bad luck in all its plays."""
    good, bad = np.roll(LATTICE, 3), np.roll(LATTICE, -3)
    lucky = rng.binomial(sizes[:, None], 0.5, size=(sizes.size, runs))
    unlucky = sizes[:, None] - lucky
    return (
        rng.multinomial(lucky * plays, good / good.sum()) + rng.multinomial(unlucky * plays, bad / bad.sum())
    ).astype(float)


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("plays", [1, 4])
@pytest.mark.parametrize("units", [2_000, 20_000])
def test_coverage_on_whole_numbers(units: int, plays: int, runs: int) -> None:
    """Groups as in a run: batches of 64 units in turn, the last one not full."""
    rng = np.random.default_rng(301)
    sizes = np.bincount((np.arange(units) // 64) % 64, minlength=64)
    edges = halves(-7, LATTICE.size)
    law = np.roll(LATTICE, 3) + np.roll(LATTICE, -3)
    covered = dict.fromkeys(LEVELS, 0)
    for _ in range(0, runs, CHUNK):
        histogram = left_out(lattice_groups(rng, sizes, CHUNK, plays))
        for level in LEVELS:
            truth = quantile(law, edges, level)
            it = woodruff(histogram, edges, level, sizes, histogram.sum(-1), 0.95)
            covered[level] += int(((it.low <= truth) & (truth <= it.high)).sum())
    for level, hits in covered.items():
        assert 0.93 <= hits / runs <= 0.97, (level, hits / runs)
