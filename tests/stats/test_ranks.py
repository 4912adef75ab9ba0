"""Ranks as ranges: known answers, positions without a value, simultaneous coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from analyzer.stats.jackknife import left_out
from analyzer.stats.ranks import ranks, ranks_of_values

RUNS = [pytest.param(500, id="quick"), pytest.param(20_000, id="long", marks=pytest.mark.slow)]
SIZES = np.full(64, 100)

Array = NDArray[np.float64]


def of(values: list[float], se: float) -> list[tuple[int, int, int]]:
    at = np.array(values)
    difference = at[:, None] - at[None, :]
    shape = difference.shape
    found = ranks(difference, np.full(shape, se), np.full(shape, 63), np.full(shape, 6400.0), 0.95)
    return list(zip(found.place.tolist(), found.best.tolist(), found.worst.tolist(), strict=True))


def test_what_is_told_apart_has_its_place_and_what_is_not_has_a_range() -> None:
    assert of([0.1, 0.5, 0.3], 0.01) == [(3, 3, 3), (1, 1, 1), (2, 2, 2)]
    assert of([0.1, 0.5, 0.3], 10.0) == [(3, 1, 3), (1, 1, 3), (2, 1, 3)]
    assert of([0.5, 0.51, 0.1, 0.1], 0.02) == [(2, 1, 2), (1, 1, 2), (3, 3, 4), (3, 3, 4)]


def test_a_position_without_a_value_may_be_anywhere() -> None:
    assert of([0.5, np.nan, 0.1], 0.01) == [(1, 1, 2), (0, 1, 3), (2, 2, 3)]


def test_with_few_groups_nothing_is_told_apart() -> None:
    sizes = np.array([100] * 15 + [0] * 49)
    values = np.broadcast_to(np.array([0.6, 0.4]), (65, 2)).copy()
    n = np.repeat(left_out(sizes.astype(float))[:, None], 2, 1)
    found = ranks_of_values(values, sizes, n, 0.95)
    assert (found.place.tolist(), found.best.tolist(), found.worst.tolist()) == ([1, 2], [1, 1], [2, 2])


def test_bounded_positions_that_agree_in_all_groups_need_units_to_be_apart() -> None:
    values = np.broadcast_to(np.array([0.251, 0.249]), (65, 2))
    for size, worst in ((10, 2), (1000, 1)):
        sizes = np.full(64, size)
        n = np.repeat(left_out(sizes.astype(float))[:, None], 2, 1)
        assert ranks_of_values(values, sizes, n, 0.95, (-1.0, 1.0)).worst[0] == worst


def shares(rng: np.random.Generator, chances: list[float], runs: int) -> Array:
    wins = np.stack([rng.multinomial(100, chances, size=runs) for _ in SIZES]).astype(float)
    return left_out(wins) / left_out(SIZES.astype(float))[:, None, None]


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize(
    "chances", [[0.25] * 4, [0.4, 0.2, 0.2, 0.2], [0.3, 0.26, 0.24, 0.2], [0.2501, 0.25, 0.25, 0.2499]], ids=str
)
def test_all_ranges_hold_together(runs: int, chances: list[float]) -> None:
    """Every position's true places (equal ones may have any of theirs) lie in its range in 95 of 100 runs."""
    truth = np.array(chances)
    first, last = 1 + (truth[None] > truth[:, None]).sum(1), len(chances) - (truth[None] < truth[:, None]).sum(1)
    values = shares(np.random.default_rng(441), chances, runs)
    n = np.broadcast_to(left_out(SIZES.astype(float))[:, None, None], values.shape)
    found = ranks_of_values(values, SIZES, n, 0.95, (-1.0, 1.0))
    missed = ((found.best > first) | (found.worst < last)).any(-1)
    assert np.mean(missed) <= 0.05 + 0.005 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert np.all((found.best <= found.place) & (found.place <= found.worst))
