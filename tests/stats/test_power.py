"""How many units a question needs: textbook answers, both directions, and the power that is promised."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from analyzer.stats.intervals import Estimates, mean_of_squares
from analyzer.stats.moments import variance
from analyzer.stats.power import detectable, half_width_of, units_for_half_width, units_to_detect


def known(value: float, low: float | None = None, high: float | None = None) -> Estimates:
    ends = (np.array(value if end is None else end) for end in (low, high))
    return Estimates(np.array(value), *ends, np.array(np.nan), np.array(5_000))


def test_a_share_of_a_quarter_needs_720_000_deals_for_a_tenth_of_a_percentage_point() -> None:
    found = units_for_half_width(known(0.1875), 0.001, 0.95)
    assert found.item(())["estimate"] == math.ceil(0.1875 * (1.959964 / 0.001) ** 2)


@pytest.mark.parametrize(("power", "factor"), [(0.8, 7.848880), (0.95, 12.994708)])
def test_units_to_detect_follow_the_textbook(power: float, factor: float) -> None:
    found = units_to_detect(known(1.0), 0.05, power, 0.95)
    assert found.item(())["estimate"] == math.ceil(factor / 0.05**2)


def test_answers_have_the_range_of_the_variance() -> None:
    found = units_to_detect(known(1.0, 0.25, 4.0), 0.05, 0.8, 0.95)
    assert (found.low, found.high) == (
        pytest.approx(found.estimate / 4, abs=1),
        pytest.approx(4 * found.estimate, abs=4),
    )
    assert found.item(())["se"] is None
    smallest = detectable(known(1.0, 0.25, 4.0), 400, 0.8, 0.95)
    assert (smallest.low * 2, smallest.high / 2) == (pytest.approx(smallest.estimate), pytest.approx(smallest.estimate))


def test_both_directions_agree() -> None:
    v = known(0.3)
    units = float(units_to_detect(v, 0.004, 0.95, 0.99, comparisons=5).estimate)
    assert detectable(v, units, 0.95, 0.99, comparisons=5).estimate == pytest.approx(0.004, rel=1e-4)
    wide = float(units_for_half_width(v, 0.004, 0.95).estimate)
    assert half_width_of(v, wide, 0.95).estimate == pytest.approx(0.004, rel=1e-4)


def test_a_family_needs_more() -> None:
    one, ten = (units_to_detect(known(1.0), 0.05, 0.8, 0.95, comparisons=k).estimate for k in (1, 10))
    assert ten / one == pytest.approx(((stats.norm.isf(0.0025) + stats.norm.isf(0.2)) / 2.801585) ** 2, rel=1e-3)


def test_few_units_must_also_beat_the_least_width_of_an_interval() -> None:
    """A change of 0.01 with a variance of 0.006 takes 471 units by the textbook; intervals of shares take 938."""
    plain = float(units_to_detect(known(0.006), 0.01, 0.8, 0.95).estimate)
    units = float(units_to_detect(known(0.006), 0.01, 0.8, 0.95, (-1.0, 1.0)).estimate)
    assert plain == math.ceil(0.006 * 7.848880 / 0.01**2)
    least = 2 * (1 - 0.025 ** (1 / units))
    assert least + 0.841621 * math.sqrt(0.006 / units) == pytest.approx(0.01, rel=0.01)
    assert units > plain
    assert detectable(known(0.006), units, 0.8, 0.95, (-1.0, 1.0)).estimate == pytest.approx(0.01, rel=0.01)
    assert units_to_detect(known(0.006), 0.001, 0.8, 0.95, (-1.0, 1.0)).estimate == math.ceil(0.006 * 7.848880 / 1e-6)


def test_nothing_needs_fewer_than_two_units() -> None:
    assert units_for_half_width(known(0.0), 0.1, 0.95).estimate == 2


def test_it_agrees_with_the_noncentral_t() -> None:
    units = float(units_to_detect(known(1.0), 0.1, 0.8, 0.95).estimate)
    critical = stats.t.isf(0.025, units - 1)
    assert stats.nct.sf(critical, units - 1, 0.1 * math.sqrt(units)) == pytest.approx(0.8, abs=0.002)


@pytest.mark.parametrize(
    "runs", [pytest.param(1_000, id="quick"), pytest.param(20_000, id="long", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("power", [0.8, 0.95])
def test_the_promised_power_is_had(runs: int, power: float) -> None:
    """A pilot of 6,400 units with changes in 10% of them; then the planned run, many times."""
    rng = np.random.default_rng(451)
    chances = [0.045, 0.9, 0.055]
    pilot = rng.multinomial(100, chances, 64)
    v = variance(pilot[:, 2] - pilot[:, 0], pilot[:, 2] + pilot[:, 0], np.full(64, 100), 1.0, 0.95, (-1.0, 1.0))
    planned = units_to_detect(v, 0.01, power, 0.95)
    for end, allowed in (("low", -1), ("high", 1)):
        n = int(getattr(planned, end))
        counts = rng.multinomial(n, chances, runs)
        found = mean_of_squares(counts[:, 2] - counts[:, 0], counts[:, 2] + counts[:, 0], n, 1, 0.95, (-1.0, 1.0))
        had = float(np.mean(found.low > 0))
        assert allowed * (had - power) > -4 * math.sqrt(power * (1 - power) / runs)
