"""Paired differences: known answers, arms that are the same, what pairing was worth, coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from analyzer.stats.jackknife import left_out
from analyzer.stats.paired import changed_share, difference, difference_sums, variance_ratio

RUNS = [pytest.param(1_000, id="quick"), pytest.param(20_000, id="long", marks=pytest.mark.slow)]
WIN = (-1.0, 1.0)


def slack(runs: int) -> float:
    return 5 * math.sqrt(0.05 * 0.95 / runs)


def test_sums_of_two_arms_give_the_sums_of_their_difference() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(-30, 60, (2, 500))
    total, squares = difference_sums(a.sum(), (a * a).sum(), b.sum(), (b * b).sum(), (a * b).sum())
    assert (total[()], squares[()]) == ((b - a).sum(), ((b - a) ** 2).sum())


def test_the_interval_is_that_of_the_paired_t_test() -> None:
    rng = np.random.default_rng(2)
    a = rng.integers(0, 50, 300)
    b = a + rng.integers(-3, 5, 300)
    d = b - a
    found = difference(d.sum(), (d * d).sum(), 300, 10, 0.95).item(())
    known = stats.ttest_rel(b / 10, a / 10).confidence_interval(0.95)
    assert (found["low"], found["high"]) == (pytest.approx(known.low), pytest.approx(known.high))
    assert "exact" not in found


def test_a_bounded_difference_that_never_showed_keeps_a_width() -> None:
    found = difference(0, 0, 1000, 12, 0.95, WIN).item(())
    assert (found["estimate"], found["se"]) == (0, 0)
    assert found["high"] == pytest.approx(2 * (1 - 0.025 ** (1 / 1000)))
    assert found["low"] == -found["high"]


def test_arms_that_are_the_same_differ_by_exactly_nothing() -> None:
    found = difference([0, 0], [0, 0], 1000, 12, 0.95, WIN, same=[True, False])
    assert found.item(0) == {"estimate": 0, "low": 0, "high": 0, "se": 0, "n": 1000, "exact": True}
    assert found.item(1)["high"] > 0
    assert found.map(lambda part: part[1:]).item(0) == found.item(1)
    points = difference(0, 0, 1000, 1, 0.95, same=True).item(())
    assert (points["low"], points["exact"]) == (0, True)
    assert changed_share(0, 1000, 0.95, same=True).item(()) == found.item(0)


def test_the_same_arms_cannot_differ() -> None:
    with pytest.raises(ValueError, match="the same differ"):
        difference(1, 1, 10, 1, 0.95, same=True)


def test_without_units_nothing_is_known() -> None:
    item = difference(0, 0, 0, 1, 0.95, WIN, same=True).item(())
    assert item == {"estimate": None, "low": None, "high": None, "se": None, "n": 0}


def test_points_of_few_changed_units_have_no_interval() -> None:
    found = difference([100, 100], [400, 400], 1000, 1, 0.95, changed=[29, 30])
    assert np.isnan(found.low).tolist() == [True, False]
    assert found.estimate.tolist() == [0.1, 0.1]
    assert np.isfinite(difference(10, 40, 1000, 12, 0.95, WIN, changed=10).low)


def test_changed_share_is_wilson() -> None:
    known = stats.binomtest(7, 100).proportion_ci(0.95, method="wilson")
    found = changed_share(7, 100, 0.95).item(())
    assert (found["low"], found["high"]) == (pytest.approx(known.low), pytest.approx(known.high))


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize(("expected", "value"), [(2, 12), (10, 12), (50, 12), (50, 3), (1000, 3)])
def test_coverage_of_rare_bounded_changes(runs: int, expected: int, value: int) -> None:
    """Of 10,000 units so many are expected to change, four in five up, by a whole win or a quarter of one."""
    rng = np.random.default_rng(411)
    changed = rng.binomial(10_000, expected / 10_000, runs)
    total = value * (2 * rng.binomial(changed, 0.8) - changed)
    truth = 0.6 * expected / 10_000 * value / 12
    found = difference(total, value**2 * changed, 10_000, 12, 0.95, WIN)
    assert np.mean((found.low <= truth) & (truth <= found.high)) >= 0.95 - 0.01 - slack(runs)


@pytest.mark.parametrize(
    "runs", [pytest.param(500, id="quick"), pytest.param(10_000, id="long", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("expected", [10, 30, 60, 300])
def test_coverage_of_rare_changes_of_points(runs: int, expected: int) -> None:
    """Uneven changes of points; where few changed, no interval is no miss, and those that are shown hold."""
    rng = np.random.default_rng(412)
    changed = rng.binomial(10_000, expected / 10_000, runs)
    units = np.repeat(np.arange(runs), changed)
    up = rng.random(units.size) < 0.8
    d = np.where(up, 5 * rng.integers(1, 9, units.size), -5 * rng.integers(1, 4, units.size))
    total = np.bincount(units, d, runs)
    truth = expected / 10_000 * (0.8 * 22.5 - 0.2 * 10)
    found = difference(total, np.bincount(units, d * d, runs), 10_000, 1, 0.95, changed=changed)
    missed = (found.low > truth) | (truth > found.high)
    assert np.mean(missed) <= 0.05 + 0.015 + slack(runs)


def arm_sums(rng: np.random.Generator, runs: int, shared: float, units: int = 6400) -> list[np.ndarray]:
    """Sums (64, runs) of a, a², b, b², ab of two arms whose points have variance 100 and correlation `shared`."""
    sums = [np.zeros((64, runs), np.int64) for _ in range(5)]
    for group in range(64):
        size = (units // 64, runs)
        common = math.sqrt(shared) * rng.normal(size=size)
        a, b = (np.rint(10 * (common + math.sqrt(1 - shared) * rng.standard_gamma(4.0, size=size) / 2)) for _ in "ab")
        for out, part in zip(sums, (a, a * a, b, b * b, a * b), strict=True):
            out[group] = part.sum(0)
    return sums


def test_variance_ratio_is_that_of_the_sample() -> None:
    sums = arm_sums(np.random.default_rng(3), 1, 0.9)
    a, aa, b, bb, ab = (int(part.sum()) for part in sums)
    n = 6400
    apart = (aa - a * a / n) + (bb - b * b / n)
    together = (aa + bb - 2 * ab) - (b - a) ** 2 / n
    found = variance_ratio(*sums, np.full(64, 100), 0.95).item(0)
    assert found["estimate"] == pytest.approx(apart / together)
    assert found["low"] < found["estimate"] < found["high"]


def test_variance_ratio_of_arms_that_never_differ_is_not_known() -> None:
    one = np.arange(64)[:, None]
    found = variance_ratio(one, one**2, one, one**2, one**2, np.full(64, 1), 0.95).item(0)
    assert (found["estimate"], found["low"], found["n"]) == (None, None, 64)


@pytest.mark.parametrize(
    "runs", [pytest.param(150, id="quick"), pytest.param(2_000, id="long", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("shared", [0.0, 0.9])
def test_coverage_of_the_variance_ratio(runs: int, shared: float) -> None:
    rng = np.random.default_rng(413)
    # Rounding to whole points adds 1/12 to a variance of 100.
    truth = (100 + 1 / 12) / (100 * (1 - shared) + 1 / 12)
    found = variance_ratio(*arm_sums(rng, runs, shared), np.full(64, 100), 0.95)
    assert abs(np.mean((found.low <= truth) & (truth <= found.high)) - 0.95) < 0.015 + slack(runs)


def test_left_out_keeps_whole_numbers() -> None:
    large = np.array([[2**62], [2**62], [1]], object)
    assert left_out(large).tolist() == [[2**63 + 1], [2**62 + 1], [2**62 + 1], [2**63]]
