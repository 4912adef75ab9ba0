"""Means from exact squares and yes/no frequencies: known answers, few units, coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from analyzer.stats.intervals import (
    Estimates,
    chance_beyond,
    least_half_width,
    mean_of_squares,
    significant,
    t_quantile,
    wilson,
)

RUNS = [pytest.param(2_000, id="quick"), pytest.param(100_000, id="long", marks=pytest.mark.slow)]


def within(coverage: float, runs: int, at_most: float = 1.0) -> bool:
    """Whether a simulated coverage agrees with at least 95% (and at most `at_most`), five standard errors
    allowed."""
    slack = 5 * math.sqrt(0.05 * 0.95 / runs)
    return 0.95 - slack <= coverage <= at_most + slack


def mean_of(values: list[int], **named: object) -> dict[str, float | None]:
    total, squares = sum(values), sum(value * value for value in values)
    bounds = named.get("bounds", (None, None))
    return mean_of_squares([total], [squares], [len(values)], named.get("scale", 1), 0.95, bounds).item(0)  # type: ignore[arg-type]


def test_mean_is_that_of_the_textbook() -> None:
    values = [1, 2, 3, 4, 10]
    low, high = stats.t.interval(0.95, 4, np.mean(values), stats.sem(values))
    item = mean_of(values)
    assert item == {
        "estimate": 4.0,
        "low": pytest.approx(low),
        "high": pytest.approx(high),
        "se": pytest.approx(stats.sem(values)),
        "n": 5,
    }


def test_scale_divides_mean_and_error() -> None:
    plain, scaled = mean_of([0, 12, 12, 6]), mean_of([0, 12, 12, 6], scale=12)
    for part in ("estimate", "low", "high", "se"):
        assert scaled[part] == pytest.approx(plain[part] / 12)


def test_variance_survives_a_thousand_million_units_of_large_points() -> None:
    """All units but one score 4000: n·Q − S² is n − 1, so the standard error is exactly 1/n. In float64 it is
    lost."""
    n = 10**9
    total, squares = 4000 * (n - 1) + 3999, 4000**2 * (n - 1) + 3999**2
    found = mean_of_squares(np.array([total], dtype=object), np.array([squares], dtype=object), n, 1, 0.95)
    assert found.se == pytest.approx(1e-9, rel=1e-12)
    assert found.low < found.estimate < found.high
    assert found.estimate < 4000
    assert float(n) * float(squares) - float(total) ** 2 != n - 1


def test_points_of_both_signs_at_a_thousand_million_units() -> None:
    n = 10**9
    item = mean_of_squares([0], [n * 1000**2], [n], [1], 0.95).item(0)
    assert item["estimate"] == 0
    assert item["se"] == pytest.approx(1000 / math.sqrt(n - 1), rel=1e-12)


@pytest.mark.parametrize("values", [[], [3]])
def test_below_two_units_nothing_is_claimed(values: list[int]) -> None:
    item = mean_of(values, bounds=(0, 12))
    assert item["estimate"] == (values[0] if values else None)
    assert (item["low"], item["high"], item["se"], item["n"]) == (None, None, None, len(values))


def test_no_scale_no_estimate() -> None:
    assert mean_of([1, 2], scale=math.nan)["estimate"] is None
    assert mean_of([1, 2], scale=0)["estimate"] is None


@pytest.mark.parametrize("n", [2, 3, 10, 1000])
def test_a_bounded_mean_keeps_a_width_when_all_agree(n: int) -> None:
    item = mean_of([12] * n, scale=12, bounds=(0.0, 1.0))
    assert item["se"] == 0
    assert item["high"] == 1
    assert item["low"] == pytest.approx(0.025 ** (1 / n))


def test_one_odd_unit_does_not_narrow_a_bounded_mean() -> None:
    agreed, odd = mean_of([6] * 1000, bounds=(0, 12)), mean_of([6] * 999 + [7], bounds=(0, 12))
    assert odd["high"] - odd["low"] >= agreed["high"] - agreed["low"] - 1e-9


def test_an_unbounded_mean_claims_no_interval_when_all_agree() -> None:
    item = mean_of([5, 5, 5])
    assert (item["estimate"], item["low"], item["high"], item["se"]) == (5, None, None, 0)


def test_intervals_are_cut_at_the_bounds() -> None:
    item = mean_of([0, 12], scale=12, bounds=(0, 1))
    assert (item["low"], item["high"]) == (0, 1)


def test_numbers_that_cannot_be_sums_are_refused() -> None:
    with pytest.raises(ValueError, match="whole"):
        mean_of_squares([1.5], [3], [2], [1], 0.95)
    with pytest.raises(ValueError, match="too small"):
        mean_of_squares([10], [3], [2], [1], 0.95)


def test_wilson_is_that_of_the_textbook() -> None:
    yes, n = np.array([0, 2, 7, 10, 431]), np.array([10, 10, 10, 10, 997])
    found = wilson(yes, n, 0.95)
    for index in range(len(yes)):
        known = stats.binomtest(int(yes[index]), int(n[index])).proportion_ci(0.95, method="wilson")
        assert found.low[index] == pytest.approx(known.low, abs=1e-12)
        assert found.high[index] == pytest.approx(known.high, abs=1e-12)
    assert found.low[0] == 0
    assert found.high[3] == 1


def test_wilson_with_no_or_one_unit() -> None:
    found = wilson([0, 1], [0, 1], 0.95)
    assert found.item(0) == {"estimate": None, "low": None, "high": None, "se": None, "n": 0}
    assert found.item(1) == {"estimate": 1.0, "low": None, "high": None, "se": None, "n": 1}


def test_t_quantiles() -> None:
    assert t_quantile([4, 63, 10**9], 0.95) == pytest.approx(stats.t.ppf(0.975, [4, 63, 10**9]), rel=1e-6)
    assert np.isnan(t_quantile(0, 0.95))


def test_least_half_width_shares_alpha_among_comparisons() -> None:
    assert least_half_width(5, 0.95, (-1, 1), 6) == pytest.approx(2 * (1 - (0.05 / 12) ** (1 / 5)))
    assert least_half_width(5, 0.95, (0, None)) == 0


def test_what_a_report_shows_of_a_number() -> None:
    assert significant(1 / 3) == 0.333333333333
    assert significant(-3e-17) == 0
    assert significant(math.nan) is None
    assert significant(math.inf) is None
    one = np.array([0.5])
    assert Estimates(one, one, one, one, np.array([7]), np.array([np.nan])).item(0)["under_equal"] is None


@pytest.mark.parametrize("runs", RUNS)
def test_coverage_of_a_mean_of_win_shares(runs: int) -> None:
    """A unit's sum over four plays of twelfths won, with the skew of a weak player: 95% within what
    simulation tells."""
    rng = np.random.default_rng(101)
    chances = {0: 0.55, 6: 0.1, 12: 0.25, 24: 0.1}
    truth = sum(value * chance for value, chance in chances.items()) / 48
    sample = rng.choice(list(chances), p=list(chances.values()), size=(runs, 400))
    found = mean_of_squares(sample.sum(1), (sample**2).sum(1), 400, 48, 0.95, (0, 1))
    assert within(float(np.mean((found.low <= truth) & (truth <= found.high))), runs, at_most=0.96)


@pytest.mark.parametrize("runs", RUNS)
def test_coverage_of_a_bounded_mean_of_rare_wins(runs: int) -> None:
    """One unit in 200 differs, so that most samples agree: Student's interval alone would cover in 63% of
    them."""
    rng = np.random.default_rng(102)
    wins = rng.binomial(200, 0.005, size=runs)
    found = mean_of_squares(12 * wins, 144 * wins, 200, 12, 0.95, (0, 1))
    assert within(float(np.mean((found.low <= 0.005) & (found.high >= 0.005))), runs)


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("chance", [0.02, 0.25, 0.5])
def test_coverage_of_wilson(runs: int, chance: float) -> None:
    """On the average over sample sizes, as its discreteness makes single sizes swing round 95%."""
    rng = np.random.default_rng(103)
    n = rng.integers(150, 350, size=runs)
    found = wilson(rng.binomial(n, chance), n, 0.95)
    coverage = float(np.mean((found.low <= chance) & (chance <= found.high)))
    assert within(coverage + 0.005, runs, at_most=0.975)


def test_a_p_value_is_where_the_interval_ends() -> None:
    """At confidence 1 − p the interval's end lies exactly on the hypothesis, whichever width decides."""
    for total, squares, n, bounds in ((30, 400, 50, (None, None)), (5, 5, 40, (-1.0, 1.0)), (0, 0, 40, (-1.0, 1.0))):
        found = mean_of_squares(total, squares, n, 1, 0.95, bounds)
        gap = 0.15
        p = float(chance_beyond(gap, found.se, n - 1, n, bounds))
        assert 0 < p < 1
        there = mean_of_squares(total, squares, n, 1, 1 - p, bounds)
        assert there.high - there.estimate == pytest.approx(gap)


def test_p_values_where_nothing_is_known_or_nothing_can_be() -> None:
    assert chance_beyond(0.1, 0.0, 9, 10, (None, None)) == 1
    assert chance_beyond(0.1, np.nan, 0, 1, (-1.0, 1.0)) == 1
    assert chance_beyond(0.0, 0.1, 9, 10, (-1.0, 1.0)) == 1
    assert chance_beyond(2.0, 0.0, 9, 10, (-1.0, 1.0)) == 0
    assert chance_beyond([0.2, np.nan], 0.1, 10**9, 10, (None, None)) == pytest.approx([2 * stats.norm.sf(2), 1])
