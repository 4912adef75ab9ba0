"""Root finding on common deals: known answers, several crossings, exact hits, coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from analyzer.stats.jackknife import left_out
from analyzer.stats.roots import next_values, roots

RUNS = [pytest.param(400, id="quick"), pytest.param(10_000, id="long", marks=pytest.mark.slow)]
SIZES = np.full(64, 100)
UNITS = left_out(SIZES.astype(float))

Array = NDArray[np.float64]


def replicates(truth: list[float], rng: np.random.Generator, shared: float = 0.0, own: float = 0.0) -> Array:
    """Curve values (65, m) with a standard error of `shared` that all points have in common, and of their own."""
    groups = 8 * (shared * rng.normal(size=(64, 1)) + own * rng.normal(size=(64, len(truth)))) + np.array(truth)
    return left_out(groups * SIZES[:, None]) / UNITS[:, None]


def estimated(curve: list[float], seed: int, shared: float, own: float) -> Array:
    """The same, but the curve itself is as given."""
    values = replicates([0.0] * len(curve), np.random.default_rng(seed), shared, own)
    return values - values[0] + np.array(curve)


def found(x: list[float], values: Array, target: float = 0.0, **named: object) -> object:
    return roots(x, values, target, SIZES, np.repeat(UNITS[:, None], values.shape[1], 1), 0.95, **named)  # type: ignore[arg-type]


def exactly(truth: list[float]) -> Array:
    return replicates(truth, np.random.default_rng(0))


def test_a_curve_without_noise_crosses_in_one_place() -> None:
    (crossing,) = found([0, 10, 30], exactly([-1.0, -0.5, 1.5]), 0.5).crossings
    assert crossing.x == pytest.approx(20)
    assert crossing.bracket == (10, 30)
    assert crossing.rising is True
    assert (crossing.low, crossing.high) == pytest.approx((20, 20))
    assert not crossing.cut_low
    assert not crossing.cut_high


def test_several_crossings_are_all_listed() -> None:
    curve = found([0, 1, 2, 3], estimated([-1, 1, -1, 1], 1, 0.02, 0.02))
    assert [crossing.rising for crossing in curve.crossings] == [True, False, True]
    assert [crossing.bracket for crossing in curve.crossings] == [(0, 1), (1, 2), (2, 3)]
    for crossing, place in zip(curve.crossings, (0.5, 1.5, 2.5), strict=True):
        assert crossing.x == pytest.approx(place)
        assert place - 0.05 < crossing.low < place < crossing.high < place + 0.05
    assert curve.possible == ()


def test_no_crossing_none_possible() -> None:
    curve = found([0, 1, 2], estimated([1, 2, 3], 2, 0.02, 0.02))
    assert (curve.crossings, curve.possible) == ((), ())


def test_where_the_curve_comes_near_the_target_is_possible() -> None:
    curve = found([0, 1, 2], estimated([1, 0.03, 1], 3, 0.0, 0.03))
    assert curve.crossings == ()
    ((low, high),) = curve.possible
    assert 0.8 < low < 1 < high < 1.2


def test_crossings_that_cannot_be_told_apart_share_an_interval() -> None:
    curve = found([0, 1, 2, 3], estimated([-1, 0.05, -0.05, 1], 4, 0.0, 0.08))
    spans = {(crossing.low, crossing.high) for crossing in curve.crossings}
    assert len(curve.crossings) == 3
    assert len(spans) == 1


def test_an_interval_that_runs_out_of_the_range_says_so() -> None:
    (crossing,) = found([0, 1], estimated([-0.02, 1], 5, 0.05, 0.0)).crossings
    assert (crossing.low, crossing.cut_low, crossing.cut_high) == (0, True, False)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([-1, 0, 1], [(1.0, (1.0, 1.0), True)]),
        ([1, 0, -1], [(1.0, (1.0, 1.0), False)]),
        ([1, 0, 1], [(1.0, (1.0, 1.0), None)]),
        ([0, 1, 2], [(0.0, (0.0, 0.0), None)]),
        ([-1, -2, 0], [(2.0, (2.0, 2.0), None)]),
        ([-1, 0, 0, 1], [(1.5, (1.0, 2.0), True)]),
    ],
)
def test_exact_hits_count_once(values: list[float], expected: list[object]) -> None:
    curve = found(list(range(len(values))), exactly([float(value) for value in values]))
    assert [(crossing.x, crossing.bracket, crossing.rising) for crossing in curve.crossings] == expected


def test_a_single_value_that_misses_finds_nothing() -> None:
    assert found([3], exactly([0.2]), 0.1).crossings == ()


def test_values_must_rise() -> None:
    with pytest.raises(ValueError, match="must rise"):
        found([0, 2, 2], exactly([0, 1, 2]))


def test_too_few_groups_give_crossings_without_intervals() -> None:
    sizes = np.array([100] * 15 + [0] * 49)
    values = np.array([[-1.0, 1.0]] * 65)
    curve = roots([0, 1], values, 0.0, sizes, np.repeat(left_out(sizes.astype(float))[:, None], 2, 1), 0.95)
    (crossing,) = curve.crossings
    assert crossing.x == 0.5
    assert math.isnan(crossing.low)
    # Nothing is ruled out, with a crossing or without.
    assert curve.possible == ((0.0, 1.0),)
    assert roots([0, 1], values + 3, 0.0, sizes, np.ones((65, 2)), 0.95).possible == ((0.0, 1.0),)


def test_bounded_numbers_keep_a_width() -> None:
    (crossing,) = found([0, 1], exactly([0.2, 0.3]), 0.25, bounds=(0.0, 1.0)).crossings
    least = 1 - 0.025 ** (1 / 6400)
    assert (crossing.low, crossing.high) == pytest.approx((0.5 - 10 * least, 0.5 + 10 * least))


def test_the_interval_is_fiellers() -> None:
    """On one straight piece: x = −g₀ / (g₁ − g₀), a ratio of two related means."""
    values = estimated([-1.0, 2.0], 6, 0.1, 0.2)
    (crossing,) = found([0, 1], values).crossings
    groups = 64 * values[0] - 63 * values[1:]
    cov = np.cov(np.stack([-groups[:, 0], groups[:, 1] - groups[:, 0]])) / 64
    q = 1.9983405417721956**2
    a, b = -values[0, 0], values[0, 1] - values[0, 0]
    f = np.polynomial.Polynomial([a * a - q * cov[0, 0], -2 * (a * b - q * cov[0, 1]), b * b - q * cov[1, 1]])
    assert (crossing.low, crossing.high) == pytest.approx(tuple(np.sort(f.roots())))


def test_next_values_halve_the_brackets() -> None:
    curve = found([0, 5, 20], exactly([-1, 1, -1]))
    assert next_values(curve, 0.1, whole=True) == (2, 12)
    assert next_values(curve, 0.1, whole=False) == (2.5, 12.5)
    assert next_values(curve, 15, whole=False) == ()
    assert next_values(found([4, 5], exactly([-1, 1])), 0.1, whole=True) == ()
    assert next_values(found([4, 5], exactly([0, 1])), 0.1, whole=False) == ()


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("noise", [(0.03, 0.01), (0.1, 0.1), (0.3, 0.3)], ids=str)
def test_true_crossings_are_possible_in_95_of_100(noise: tuple[float, float], runs: int) -> None:
    """Each of three true crossings lies in a crossing's interval or a possible stretch."""
    rng = np.random.default_rng(461)
    covered = np.zeros(3)
    for _ in range(runs):
        curve = found([0, 1, 3, 4, 6], replicates([-1, 0.5, 1, -1, 1], rng, *noise))
        spans = [(crossing.low, crossing.high) for crossing in curve.crossings] + list(curve.possible)
        for k, truth in enumerate((2 / 3, 3.5, 5)):
            covered[k] += any(low <= truth <= high for low, high in spans)
    assert np.all(np.abs(covered / runs - 0.95) < 5 * math.sqrt(0.05 * 0.95 / runs))
