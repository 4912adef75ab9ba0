"""Variances from whole numbers: exactness, the interval of a variance, coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analyzer.stats.moments import centred, ratio, spread_of, variance

RUNS = [pytest.param(1_000, id="quick"), pytest.param(10_000, id="long", marks=pytest.mark.slow)]
SIZES = np.full(64, 100)


def test_what_cancels_in_floats_does_not_cancel() -> None:
    n = 10**9
    total, squares = 4000 * (n - 1) + 3999, 4000**2 * (n - 1) + 3999**2
    assert spread_of(total, squares, n)[()] == n - 1
    mean, scatter = centred(total, squares, n, 2.0)
    assert mean == pytest.approx(total / n / 2)
    assert scatter == pytest.approx((n - 1) / n / 4, rel=1e-12)


def test_impossible_squares_and_broken_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="too small"):
        spread_of([4], [7], [2])
    with pytest.raises(ValueError, match="not a whole number"):
        spread_of([0.5], [7], [2])


def test_ratio_without_a_divisor_is_not_known() -> None:
    assert np.isnan(ratio(np.array([1], object), np.array([0], object))).all()


def test_variance_is_that_of_the_sample() -> None:
    values = np.random.default_rng(1).integers(-20, 60, (64, 50))
    found = variance(values.sum(1), (values**2).sum(1), np.full(64, 50), 10.0, 0.95).item(())
    assert found["estimate"] == pytest.approx(np.var(values / 10, ddof=1))
    assert found["low"] < found["estimate"] < found["high"]
    assert found["n"] == 3200


def test_a_bounded_number_that_hardly_ever_differed_has_a_largest_variance() -> None:
    zero = np.zeros((64, 1), np.int64)
    found = variance(zero, zero, SIZES, 1.0, 0.95, (-1.0, 1.0)).item(0)
    assert (found["estimate"], found["low"]) == (0, 0)
    assert found["high"] == pytest.approx(1 - 0.025 ** (1 / 6400))
    assert variance(zero, zero, SIZES, 1.0, 0.95).item(0)["high"] is None


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("chance", [0.3, 0.02])
def test_coverage_of_the_interval_of_a_variance(runs: int, chance: float) -> None:
    """Differences −1, 0, 1 of which 2% or 30% are not 0, over 6,400 units."""
    rng = np.random.default_rng(401)
    changed = rng.binomial(100, chance, (64, runs))
    up = rng.binomial(changed, 0.6)
    truth = chance - (0.2 * chance) ** 2
    found = variance(2 * up - changed, changed, SIZES, 1.0, 0.95, (-1.0, 1.0))
    coverage = float(np.mean((found.low <= truth) & (truth <= found.high)))
    assert abs(coverage - 0.95) < 0.01 + 5 * math.sqrt(0.05 * 0.95 / runs)
