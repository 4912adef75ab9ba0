"""Families of comparisons and the spread of positions: known answers, simultaneous coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analyzer.stats.families import (
    benjamini_hochberg,
    expected_range,
    holm,
    range_quantile,
    simultaneous_limits,
    spread,
)
from analyzer.stats.jackknife import jackknife

RUNS = [pytest.param(500, id="quick"), pytest.param(20_000, id="long", marks=pytest.mark.slow)]
SIZES = np.array([160] * 40 + [150] * 24)

Array = NDArray[np.float64]


def slack(runs: int, chance: float = 0.05) -> float:
    return 5 * math.sqrt(chance * (1 - chance) / runs)


def left_out(by_group: Array) -> Array:
    total = by_group.sum(0)
    return np.concatenate([total[None], total - by_group])


def shares(rng: np.random.Generator, chances: list[float], runs: int, sizes: NDArray[np.int64] = SIZES) -> Array:
    """Win shares (1 + groups, runs, k) of one winner a unit."""
    wins = np.stack([rng.multinomial(int(size), chances, size=runs) for size in sizes]).astype(float)
    return left_out(wins) / left_out(sizes.astype(float))[:, None, None]


def spread_of(values: Array, high: float | None = None, sizes: NDArray[np.int64] = SIZES) -> dict[str, float | None]:
    return spread(values, sizes, left_out(sizes.astype(float)), 0.95, high).item(())


def test_holm_on_the_textbook_family() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]).size == 0


def test_benjamini_hochberg_agrees_with_scipy() -> None:
    p = np.random.default_rng(3).random(40) ** 3
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p, method="bh"))
    assert benjamini_hochberg([0.01, 0.02, 0.9]) == pytest.approx([0.03, 0.03, 0.9])


@pytest.mark.parametrize("runs", RUNS)
def test_holm_errs_in_one_family_of_twenty_and_benjamini_hochberg_too_when_all_is_null(runs: int) -> None:
    rng = np.random.default_rng(301)
    p = rng.random((runs, 8))
    for adjust in (holm, benjamini_hochberg):
        wrong = np.mean([adjust(row).min() <= 0.05 for row in p])
        assert abs(wrong - 0.05) < slack(runs)


@pytest.mark.parametrize("runs", RUNS)
def test_benjamini_hochberg_keeps_the_share_of_false_discoveries(runs: int) -> None:
    """Half of 20 are real: the share of false ones among those found is 5% times the half that is null."""
    rng = np.random.default_rng(302)
    p = rng.random((runs, 20))
    p[:, :10] = 2 * stats.norm.sf(np.abs(rng.normal(3, 1, (runs, 10))))
    false = []
    for row in p:
        found = benjamini_hochberg(row) <= 0.05
        false.append(found[10:].sum() / max(1, found.sum()))
    assert abs(np.mean(false) - 0.025) < 5 * np.std(false) / math.sqrt(runs)


def test_simultaneous_limits_of_one_estimate_are_the_t_interval() -> None:
    low, high = simultaneous_limits([2.0, np.nan], [0.5, 0.5], 63, 0.95)
    known = stats.t.interval(0.95, 63, 2.0, 0.5)
    assert (low[0], high[0]) == pytest.approx(known)
    assert np.isnan([low[1], high[1]]).all()


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("shared", [0.0, 0.5])
def test_coverage_of_simultaneous_limits(runs: int, shared: float) -> None:
    """Exact for independent estimates with known error, wider than needed for related ones."""
    rng = np.random.default_rng(303)
    errors = math.sqrt(1 - shared) * rng.normal(size=(runs, 6)) + math.sqrt(shared) * rng.normal(size=(runs, 1))
    low, high = simultaneous_limits(errors[0], np.ones(6), 10**9, 0.95)
    margin = float(high[0] - errors[0, 0])
    coverage = float(np.mean((np.abs(errors) <= margin).all(1)))
    assert coverage >= 0.95 - slack(runs)
    if shared == 0:
        assert coverage <= 0.95 + slack(runs)
    assert (high - low) == pytest.approx(2 * margin)


def test_expected_range_gives_the_constants_of_quality_control() -> None:
    assert [round(expected_range(k), 3) for k in (2, 3, 4, 5, 10)] == [1.128, 1.693, 2.059, 2.326, 3.078]


@pytest.mark.parametrize(("k", "df", "confidence"), [(2, 15, 0.95), (3, 40, 0.99), (4, 63, 0.95), (12, 20, 0.9)])
def test_range_quantile_agrees_with_scipy(k: int, df: int, confidence: float) -> None:
    assert range_quantile(k, df, confidence) == pytest.approx(stats.studentized_range.ppf(confidence, k, df), rel=1e-6)


def test_spread_of_two_positions_is_the_difference() -> None:
    """Then Tukey's quantile is Student's times √2, and the range constant 2/√π."""
    values = shares(np.random.default_rng(4), [0.7, 0.3], 1)[:, 0]
    found = spread_of(values)
    n = left_out(SIZES.astype(float))
    difference = jackknife(np.abs(values[:, 0] - values[:, 1]), SIZES, n, 0.95).item(())
    for part in ("estimate", "low", "high", "se", "n"):
        assert found[part] == pytest.approx(difference[part], rel=1e-6)
    assert found["under_equal"] == pytest.approx(difference["se"] * math.sqrt(2 / math.pi))


def test_equal_seats_show_a_tenth_of_a_percentage_point_at_a_million_deals() -> None:
    sizes = np.full(64, 15625)
    found = spread(shares(np.random.default_rng(5), [0.25] * 4, 60, sizes), sizes, np.full((65, 60), 1e6), 0.95, 1.0)
    assert found.under_equal is not None
    assert np.mean(found.under_equal) == pytest.approx(0.00103, rel=0.05)
    assert np.mean(found.estimate) == pytest.approx(0.00103, rel=0.15)


@pytest.mark.parametrize("runs", RUNS)
def test_coverage_of_the_spread_of_equal_seats(runs: int) -> None:
    """The limits hold 0 in 95% of all runs; the mean spread is what equality shows by chance."""
    values = shares(np.random.default_rng(304), [0.25] * 4, runs)
    found = spread(values, SIZES, np.repeat(left_out(SIZES.astype(float))[:, None], runs, 1), 0.95, 1.0)
    assert abs(np.mean(found.low == 0) - 0.95) < 0.01 + slack(runs)
    assert found.under_equal is not None
    error = np.std(found.estimate) / math.sqrt(runs)
    assert abs(np.mean(found.estimate) - np.mean(found.under_equal)) < 5 * error + 0.02 * np.mean(found.under_equal)


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("chances", [[0.26, 0.25, 0.25, 0.24], [0.31, 0.25, 0.24, 0.2], [0.5, 0.3, 0.2]])
def test_coverage_of_the_spread_of_unequal_seats(runs: int, chances: list[float]) -> None:
    values = shares(np.random.default_rng(305), chances, runs)
    found = spread(values, SIZES, np.repeat(left_out(SIZES.astype(float))[:, None], runs, 1), 0.95, 1.0)
    truth = max(chances) - min(chances)
    assert np.mean((found.low <= truth) & (truth <= found.high)) >= 0.95 - 0.01 - slack(runs)


def test_spread_is_floored_and_cut() -> None:
    equal = spread_of(shares(np.random.default_rng(6), [1 / 3] * 3, 1)[:, 0], 1.0)
    assert equal["low"] == 0
    lone = spread_of(shares(np.random.default_rng(6), [0.9999, 0.0001], 1)[:, 0], 1.0)
    assert lone["high"] == 1


def test_seats_that_agree_in_every_group_keep_a_width_when_bounded() -> None:
    sizes = np.full(16, 2)
    values = np.full((17, 4), 0.25)
    bounded = spread_of(values, 1.0, sizes)
    assert (bounded["estimate"], bounded["low"], bounded["se"], bounded["under_equal"]) == (0, 0, 0, 0)
    assert bounded["high"] == pytest.approx(2 * (1 - (0.05 / 12) ** (1 / 32)))
    assert spread_of(values, None, sizes)["high"] == 0


def test_positions_without_a_value_are_left_out() -> None:
    values = shares(np.random.default_rng(7), [0.4, 0.3, 0.3], 1)[:, 0]
    gap = np.concatenate([values, np.full((65, 1), np.nan)], axis=1)
    assert spread_of(gap) == spread_of(values)
    alone = spread_of(np.where(np.arange(4) == 1, gap, np.nan))
    assert (alone["estimate"], alone["high"], alone["under_equal"]) == (None, None, None)


@pytest.mark.parametrize("filled", [0, 1, 3])
def test_spread_with_few_units_claims_nothing(filled: int) -> None:
    sizes = np.array([1] * filled + [0] * (64 - filled))
    wins = np.zeros((64, 4))
    wins[np.arange(filled), np.arange(filled)] = 1
    with np.errstate(invalid="ignore"):
        values = left_out(wins) / left_out(sizes.astype(float))[:, None]
    found = spread_of(values, 1.0, sizes)
    assert (found["low"], found["high"], found["se"], found["under_equal"]) == (None, None, None, None)
    assert found["n"] == filled
