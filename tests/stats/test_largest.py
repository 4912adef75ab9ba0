"""The largest of several differences: known answers, and how often its interval holds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analyzer.stats.intervals import Estimates, least_half_width, t_quantile
from analyzer.stats.largest import by_chance, largest

BOUNDS = (-1.0, 1.0)
RUNS = [pytest.param(400, id="quick"), pytest.param(5_000, id="long", marks=pytest.mark.slow)]


def differences(values: object, se: object, n: int = 10_000, exact: object = None) -> Estimates:
    estimate, error = np.broadcast_arrays(np.asarray(values, float), np.asarray(se, float))
    known = None if exact is None else np.asarray(exact, bool)
    return Estimates(estimate, estimate, estimate, error, np.full(estimate.shape, n), exact=known)


def test_of_one_difference_it_is_its_size_with_its_interval() -> None:
    found, place = largest(differences([-0.05], [0.01]), 0.95, BOUNDS)
    half = float(t_quantile(9_999, 0.95)) * 0.01
    assert found.item(()) == pytest.approx(
        {
            "estimate": 0.05,
            "low": 0.05 - half,
            "high": 0.05 + half,
            "se": 0.01,
            "n": 10_000,
            "under_equal": 0.01 * math.sqrt(2 / math.pi),
        },
        rel=1e-5,
    )
    assert place[()] == 0


def test_the_ends_are_the_largest_of_the_simultaneous_ends_of_all() -> None:
    found, place = largest(differences([[0.02, -0.03, 0.028]], [[0.001, 0.01, 0.002]]), 0.95, BOUNDS)
    t = float(t_quantile(9_999, 0.95 ** (1 / 3)))
    assert place.tolist() == [1]
    assert found.low[0] == pytest.approx(0.028 - 0.002 * t)
    assert found.high[0] == pytest.approx(0.03 + 0.01 * t)
    assert found.se[0] == 0.01


def test_where_nothing_changed_the_interval_still_has_the_least_width() -> None:
    found, _ = largest(differences([0.0, 0.0], [0.0, 0.0]), 0.95, BOUNDS)
    assert found.item(())["estimate"] == found.item(())["low"] == 0
    assert found.item(())["high"] == pytest.approx(float(least_half_width(10_000, 0.95, BOUNDS, 2)))
    assert found.item(())["under_equal"] == 0


def test_what_is_exact_counts_for_nothing() -> None:
    same, _ = largest(differences([[0.0, 0.0]], [[0.0, 0.0]], exact=[[True, True]]), 0.95, BOUNDS)
    assert same.item(0) == {
        "estimate": 0,
        "low": 0,
        "high": 0,
        "se": 0,
        "n": 10_000,
        "under_equal": 0,
        "exact": True,
    }
    one, _ = largest(differences([[0.02, 0.0]], [[0.003, 0.0]], exact=[[False, True]]), 0.95, BOUNDS)
    alone, _ = largest(differences([[0.02]], [[0.003]]), 0.95, BOUNDS)
    assert one.item(0) == {**alone.item(0)}


def test_without_errors_there_is_no_interval() -> None:
    found, _ = largest(differences([[0.1, 0.0]], [[np.nan, 0.01]], n=1), 0.95, BOUNDS)
    assert found.item(0) == {"estimate": 0.1, "low": None, "high": None, "se": None, "n": 1, "under_equal": None}


def test_by_chance_is_the_expected_largest_size_of_normal_numbers() -> None:
    assert by_chance(np.array([2.0])) == pytest.approx(2 * math.sqrt(2 / math.pi), rel=1e-5)
    # E max(|Z1|, |Z2|) = 2 / sqrt(pi)
    assert by_chance(np.array([1.0, 1.0])) == pytest.approx(2 / math.sqrt(math.pi), rel=1e-5)
    assert by_chance(np.array([1.0, 0.0])) == pytest.approx(math.sqrt(2 / math.pi), rel=1e-5)
    rng = np.random.default_rng(5)
    se = np.array([1.0, 0.3, 0.7, 2.0, 1.9])
    drawn = np.abs(rng.normal(size=(200_000, 5)) * se).max(axis=1)
    assert by_chance(se) == pytest.approx(drawn.mean(), abs=5 * drawn.std() / math.sqrt(200_000))


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("shared", [0.0, 0.7])
@pytest.mark.parametrize("truth", [(0.0,) * 11, (0.01,) * 11, (0.02, *(0.0,) * 10)], ids=["none", "alike", "one"])
def test_coverage(runs: int, shared: float, truth: tuple[float, ...]) -> None:
    """The estimate is biased upwards, its interval holds nevertheless."""
    rng = np.random.default_rng(7)
    se = np.linspace(0.002, 0.006, len(truth))
    noise = math.sqrt(1 - shared) * rng.normal(size=(runs, len(truth))) + math.sqrt(shared) * rng.normal(size=(runs, 1))
    found, _ = largest(differences(np.array(truth) + noise * se, np.tile(se, (runs, 1)), n=10**6), 0.95, BOUNDS)
    most = max(truth)
    if len(set(truth)) == 1:
        assert found.estimate.mean() > most + 0.003
    held = ((found.low <= most) & (most <= found.high)).mean()
    assert held >= 0.95 - 5 * math.sqrt(0.95 * 0.05 / runs)
    if not any(truth) and not shared:
        assert found.estimate.mean() == pytest.approx(found.under_equal[0], rel=5 / math.sqrt(runs))
