"""Differences of runs that were counted apart: known answers, and coverage whatever they have in common."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analyzer.sim.result import group_sizes
from analyzer.stats.intervals import Estimates, mean_of_squares, wilson
from analyzer.stats.jackknife import jackknife, left_out
from analyzer.stats.quantiles import quantile, share_below, woodruff
from analyzer.stats.two_runs import LeftOut, certain, correlation, even_groups, grouped, recovered

RUNS = [pytest.param(200, id="quick"), pytest.param(4_000, id="long", marks=pytest.mark.slow)]
Array = NDArray[np.float64]


def slack(runs: int) -> float:
    return 0.01 + 5 * math.sqrt(0.05 * 0.95 / runs)


def arm(values: Array, first: int = 0) -> LeftOut:
    """Means of units' values (units, *rows), the first being unit number `first`."""
    rows = (1,) * (values.ndim - 1)
    group = (np.arange(first, first + len(values)) // 64) % 64
    sums = np.zeros((64, *values.shape[1:]))
    np.add.at(sums, group, values)
    units = group_sizes(first, len(values))
    n = np.broadcast_to(left_out(units.astype(float)).reshape(-1, *rows), (65, *values.shape[1:]))
    return LeftOut(left_out(sums) / n, units, n)


def two_arms(
    rng: np.random.Generator, runs: int, ranges: tuple[int, int, int, int], shared: float
) -> tuple[Array, Array]:
    """Values of two runs over units a ... a + m and b ... b + n, alike in the units of the same number."""
    a, m, b, n = ranges
    units = max(a + m, b + n)
    cards = shared * rng.gamma(2.0, 1.0, (units, runs))
    own = rng.gamma(1.0, 1.0, (2, units, runs))
    return (cards + own[0])[a : a + m], (cards + own[1])[b : b + n]


# Known answers


def test_with_all_units_in_common_it_is_the_jackknife_of_the_difference() -> None:
    rng = np.random.default_rng(1)
    a, b = two_arms(rng, 3, (0, 5000, 0, 5000), 2.0)
    found = grouped(arm(a), arm(b), 0.95)
    whole = arm(b - a)
    known = jackknife(whole.values, whole.group_units, whole.n, 0.95)
    for name in ("estimate", "low", "high", "se"):
        assert getattr(found.found, name) == pytest.approx(getattr(known, name))
    assert (found.found.n.tolist(), found.df.tolist()) == ([5000] * 3, [63.0] * 3)


def test_what_both_share_drops_out() -> None:
    rng = np.random.default_rng(2)
    a, b = two_arms(rng, 200, (0, 4096, 0, 4096), 3.0)
    paired = grouped(arm(a), arm(b), 0.95).found
    apart = recovered(*(mean_of_squares_of(each) for each in (a, b))).found
    assert np.median(apart.se / paired.se) == pytest.approx(math.sqrt((9 * 2 + 1) / 1), rel=0.1)
    assert correlation(arm(a), arm(b)).mean() == pytest.approx(18 / 19, abs=0.02)
    assert correlation(arm(a), arm(a)) == pytest.approx(1)


def mean_of_squares_of(values: Array) -> Estimates:
    """The estimate of a run's mean, to 1/1000."""
    whole = np.rint(1000 * values).astype(np.int64)
    return mean_of_squares(whole.sum(0), (whole**2).sum(0), len(whole), 1000, 0.95)


def test_independent_means_have_nearly_the_interval_of_welch() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(5, 2, 400), rng.normal(6, 1, 900)
    found = recovered(mean_of_squares_of(a), mean_of_squares_of(b))
    known = stats.ttest_ind(b, a, equal_var=False)
    assert found.found.low == pytest.approx(known.confidence_interval().low, abs=2e-3)
    assert found.found.high == pytest.approx(known.confidence_interval().high, abs=2e-3)
    assert found.df == pytest.approx(known.df, rel=1e-3)
    assert found.found.n == 400


def test_independent_shares_have_newcombe_s_interval() -> None:
    """R. G. Newcombe (1998), table II, method 10: 56/70 less 48/80 is 0.0524 to 0.3339; 10/10 less 0/20 from 0.6791."""
    found = recovered(wilson(48, 80, 0.95), wilson(56, 70, 0.95), (-1, 1)).found
    assert (float(found.low), float(found.high)) == (pytest.approx(0.0524, abs=5e-5), pytest.approx(0.3339, abs=5e-5))
    edge = recovered(wilson(0, 20, 0.95), wilson(10, 10, 0.95), (-1, 1)).found
    assert (float(edge.low), float(edge.high)) == (pytest.approx(0.6791, abs=5e-5), 1)


def test_too_few_deals_give_no_interval() -> None:
    few = np.ones((900, 1)) * np.arange(900)[:, None]
    found = grouped(arm(few), arm(few + few % 3), 0.95, (-1, 1)).found
    assert found.estimate == pytest.approx(1.0, abs=0.01)
    assert np.isnan([found.low, found.high, found.se]).all()


def test_arms_that_agree_without_being_the_same_keep_a_width_or_have_none() -> None:
    same = np.arange(5000.0)[:, None] % 7
    bounded, free = (grouped(arm(same), arm(same), 0.95, bounds).found for bounds in ((-1, 1), (None, None)))
    assert (bounded.estimate, bounded.se, free.se) == (0, 0, 0)
    assert bounded.high == pytest.approx(2 * (1 - 0.025 ** (1 / 5000)))
    assert np.isnan([free.low, free.high]).all()


def test_a_difference_of_few_groups_has_no_interval_without_bounds() -> None:
    base = np.arange(8192.0)[:, None] % 5
    for groups, known in ((15, False), (16, True)):
        change = base.copy()
        change[: 64 * groups : 64] += 3
        found = grouped(arm(base), arm(change), 0.95).found
        assert bool(np.isfinite(found.low).all()) == known


def test_arms_that_are_the_same_differ_by_exactly_nothing() -> None:
    found = grouped(arm(np.ones((2000, 2))), arm(np.ones((2000, 2))), 0.95).found
    item = certain(found).item(1)
    assert item == {"estimate": 0, "low": 0, "high": 0, "se": 0, "n": 2000, "exact": True}
    other = grouped(arm(np.zeros((2000, 1))), arm(np.ones((2000, 1))), 0.95).found
    with pytest.raises(ValueError, match="the same differ"):
        certain(other)


def test_nothing_counted_is_nothing_known() -> None:
    nothing = LeftOut(np.full((65, 1), np.nan), np.full(64, 100), np.zeros((65, 1)))
    for found in (grouped(nothing, nothing, 0.95, (-1, 1)).found, certain(grouped(nothing, nothing, 0.95).found)):
        assert {**found.item(0), "exact": None} == {
            "estimate": None, "low": None, "high": None, "se": None, "n": 0, "exact": None,
        }  # fmt: skip


def test_groups_that_are_even_enough() -> None:
    assert even_groups(group_sizes(0, 64 * 64 * 5 + 100))
    assert even_groups(group_sizes(1000, 20_000))
    assert not even_groups(group_sizes(0, 64 * 64 + 100))
    assert not even_groups(group_sizes(0, 640))


# Coverage


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("shared", [0.0, 1.0, 3.0])
@pytest.mark.parametrize(
    "ranges",
    [
        pytest.param((0, 2000, 0, 2000), id="paired"),
        pytest.param((700, 5000, 700, 5000), id="paired-uneven"),
        pytest.param((0, 20480, 0, 12288), id="part"),
        pytest.param((0, 12288, 6000, 14000), id="overlapping"),
    ],
)
def test_coverage_with_units_in_common(runs: int, ranges: tuple[int, int, int, int], shared: float) -> None:
    rng = np.random.default_rng(401)
    covered = total = 0
    for _ in range(0, runs, 100):
        a, b = two_arms(rng, 100, ranges, shared)
        found = grouped(arm(a, ranges[0]), arm(b, ranges[2]), 0.95).found
        covered += int(((found.low <= 0) & (found.high >= 0)).sum())
        total += 100
    assert abs(covered / total - 0.95) < slack(runs)


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("chances", [(0.3, 0.35), (0.02, 0.05), (0.9, 0.9)])
def test_coverage_of_independent_runs(runs: int, chances: tuple[float, float]) -> None:
    rng = np.random.default_rng(402)
    yes = [rng.binomial(n, chance, 10 * runs) for n, chance in zip((300, 700), chances, strict=True)]
    found = recovered(wilson(yes[0], 300, 0.95), wilson(yes[1], 700, 0.95), (-1, 1)).found
    truth = chances[1] - chances[0]
    covered = ((found.low <= truth) & (found.high >= truth)).mean()
    assert abs(covered - 0.95) < slack(10 * runs)


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("shared", [0.0, 0.8])
@pytest.mark.parametrize("level", [0.05, 0.5])
def test_coverage_of_quantiles_of_the_same_units(runs: int, level: float, shared: float) -> None:
    """Two histograms of whole numbers, the units' values going together or not; the second's are 2 more."""
    rng = np.random.default_rng(403)
    edges, units, covered = np.arange(-60.5, 61.5), 4096, 0
    sizes = group_sizes(0, units)
    n = left_out(sizes.astype(float))
    group = (np.arange(units) // 64) % 64
    truth = 2.0
    for _ in range(runs // 4):
        common, own = rng.normal(0, 8, units), rng.normal(0, 8, (2, units))
        sides = []
        for k, shift in enumerate((0.0, truth)):
            values = np.rint(shared * common + math.sqrt(1 - shared**2) * own[k] + shift).clip(-60, 60).astype(int)
            histogram = np.zeros((64, 121))
            np.add.at(histogram, (group, values + 60), 1)
            whole = left_out(histogram)
            below = share_below(whole, edges, quantile(whole[0], edges, level))
            sides.append((woodruff(whole, edges, level, sizes, n, 0.95), LeftOut(below, sizes, n)))
        (first, one), (second, other) = sides
        found = recovered(first, second, together=correlation(one, other)).found
        covered += bool(found.low <= truth <= found.high)
    assert abs(covered / (runs // 4) - 0.95) < slack(runs // 4)
