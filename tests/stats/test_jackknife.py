"""The delete-one-group jackknife with unequal groups: known answers, too few groups, coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analyzer.stats.jackknife import LEAST_GROUPS, jackknife, jackknife_positive, pseudo_values

RUNS = [pytest.param(1_000, id="quick"), pytest.param(20_000, id="long", marks=pytest.mark.slow)]

Array = NDArray[np.float64]


def left_out(by_group: Array) -> Array:
    """Totals with one group left out: (groups, *rows) -> (1 + groups, *rows)."""
    total = by_group.sum(0)
    return np.concatenate([total[None], total - by_group])


def one_row(by_group: list[float] | Array, sizes: list[int] | Array, **named: object) -> dict[str, float | None]:
    """The mean of a unit from group sums."""
    sums, units = left_out(np.asarray(by_group, np.float64)), left_out(np.asarray(sizes, np.float64))
    with np.errstate(invalid="ignore"):
        found = jackknife(sums / units, np.asarray(sizes, np.int64), units, 0.95, **named)  # type: ignore[arg-type]
    return found.item(())


def test_equal_groups_give_the_t_interval_of_group_means() -> None:
    rng = np.random.default_rng(1)
    sums = rng.normal(50, 8, 64)
    item = one_row(sums, [10] * 64)
    error = stats.sem(sums / 10)
    low, high = stats.t.interval(0.95, 63, np.mean(sums) / 10, error)
    assert item == {
        "estimate": pytest.approx(np.mean(sums) / 10),
        "low": pytest.approx(low),
        "high": pytest.approx(high),
        "se": pytest.approx(error),
        "n": 640,
    }


def test_unequal_groups_follow_the_published_formula() -> None:
    """Equations 5 and 6 of Busing, Meijer and van der Leeden, written out, for a ratio that is not linear."""
    rng = np.random.default_rng(2)
    sizes = rng.integers(5, 40, 20)
    top, bottom = rng.poisson(3 * sizes).astype(float), rng.poisson(5 * sizes).astype(float)
    theta, n, g = top.sum() / bottom.sum(), sizes.sum(), len(sizes)
    without = (top.sum() - top) / (bottom.sum() - bottom)
    h = n / sizes
    centre = g * theta - sum((1 - m / n) * value for m, value in zip(sizes, without, strict=True))
    own = [hj * theta - (hj - 1) * value for hj, value in zip(h, without, strict=True)]
    variance = sum((value - centre) ** 2 / (hj - 1) for value, hj in zip(own, h, strict=True)) / g
    padded = np.concatenate([sizes, np.zeros(44, np.int64)])
    values = left_out(np.concatenate([top, np.zeros(44)])) / left_out(np.concatenate([bottom, np.zeros(44)]))
    found = jackknife(values, padded, left_out(padded.astype(float)), 0.95)
    assert found.se == pytest.approx(math.sqrt(variance))
    assert found.high - found.low == pytest.approx(2 * stats.t.ppf(0.975, g - 1) * math.sqrt(variance))


def test_unequal_group_means_weigh_by_their_size() -> None:
    """For a mean the pseudo-values are the group means; sums of deviations must reproduce their weighted
    scatter."""
    sizes = np.array([30] * 15 + [90])
    sums = np.arange(16.0) * sizes
    found = pseudo_values(left_out(sums) / left_out(sizes.astype(float)), sizes, left_out(sizes.astype(float)))
    centre = sums.sum() / sizes.sum()
    share = sizes / sizes.sum()
    known = (np.arange(16.0) - centre) * np.sqrt(share / (1 - share) / 16)
    assert found.deviations == pytest.approx(known)


@pytest.mark.parametrize("filled", [0, 1, 2, LEAST_GROUPS - 1])
def test_too_few_groups_claim_nothing(filled: int) -> None:
    sizes = [64] * filled + [0] * (64 - filled)
    item = one_row([7.0 * (index + 1) * (index < filled) for index in range(64)], sizes, bounds=(0, 1000))
    assert (item["low"], item["high"], item["se"]) == (None, None, None)
    assert (item["estimate"] is None) == (filled == 0)
    assert item["n"] == 64 * filled


def test_sixteen_groups_are_enough() -> None:
    item = one_row([float(index % 3) for index in range(16)], [64] * 16)
    assert item["se"] is not None


@pytest.mark.parametrize(("seen", "known"), [(15, False), (16, True)])
def test_a_row_seen_in_few_groups_is_not_known(seen: int, known: bool) -> None:
    sizes = np.full(64, 100)
    plays = np.array([20.0] * seen + [0.0] * (64 - seen))
    wins = plays * (0.2 + 0.01 * np.arange(64))
    found = jackknife(left_out(wins) / left_out(plays), sizes, left_out(plays), 0.95, (0, 1))
    assert np.isfinite(found.se) == known
    assert np.isfinite(found.low) == known


def test_a_row_that_hangs_on_one_group_is_not_known() -> None:
    plays = np.array([5.0] + [0.0] * 63)
    with np.errstate(invalid="ignore"):
        values = left_out(plays * 0.5) / left_out(plays)
    item = jackknife(values, np.full(64, 100), left_out(plays), 0.95, (0, 1)).item(())
    assert item == {"estimate": 0.5, "low": None, "high": None, "se": None, "n": 5}


def test_infinite_values_are_not_known() -> None:
    item = jackknife(np.full(65, np.inf), np.full(64, 10), np.full(65, 640.0), 0.95).item(())
    assert (item["estimate"], item["low"], item["se"]) == (None, None, None)


def test_bounded_values_that_agree_keep_a_width_of_the_fewer_of_units_and_observations() -> None:
    sizes, four_plays = np.full(64, 100), np.full(64, 400.0)
    agreed = jackknife(np.ones(65), sizes, left_out(four_plays), 0.95, (0.0, 1.0)).item(())
    assert (agreed["se"], agreed["high"], agreed["n"]) == (0, 1, 25600)
    assert agreed["low"] == pytest.approx(0.025 ** (1 / 6400))
    rare = jackknife(np.ones(65), sizes, left_out(np.ones(64)), 0.95, (0.0, 1.0)).item(())
    assert rare["low"] == pytest.approx(0.025 ** (1 / 64))


def test_unbounded_values_that_agree_in_all_groups_are_exact() -> None:
    noisy = 9 + 1e-16 * np.arange(65)
    item = jackknife(noisy, np.full(64, 100), left_out(np.full(64, 100.0)), 0.95).item(())
    assert (item["estimate"], item["low"], item["high"], item["se"]) == (9, 9, 9, 0)


def test_observations_not_kept_by_group_count_all_groups() -> None:
    values = 0.5 + 0.01 * np.sin(np.arange(65.0))
    found = jackknife(values, np.full(64, 10), np.full(65, 640.0), 0.95)
    assert np.isfinite(found.se)


def test_the_interval_of_a_positive_number_is_that_of_its_logarithm() -> None:
    rng = np.random.default_rng(8)
    sizes, sums = np.full(64, 10), rng.gamma(2, 5, 64)
    values, n = left_out(sums) / left_out(sizes.astype(float)), left_out(sizes.astype(float))
    found, logarithm = jackknife_positive(values, sizes, n, 0.95), jackknife(np.log(values), sizes, n, 0.95)
    assert (found.low, found.high) == (pytest.approx(np.exp(logarithm.low)), pytest.approx(np.exp(logarithm.high)))
    assert found.se == pytest.approx(logarithm.se * found.estimate)
    nothing = jackknife_positive(np.zeros(65), sizes, n, 0.95).item(())
    assert nothing == {"estimate": 0, "low": None, "high": None, "se": None, "n": 640}


def test_mending_takes_the_bias_of_a_square_away() -> None:
    """The square of a mean is too large by its variance; with equal groups the jackknife takes off exactly that."""
    means, sizes = np.random.default_rng(9).normal(1, 3, 64), np.full(64, 10)
    values, n = (left_out(10 * means) / left_out(sizes.astype(float))) ** 2, left_out(sizes.astype(float))
    mended, plain = (jackknife(values, sizes, n, 0.95, mended=way) for way in (True, False))
    assert plain.estimate == pytest.approx(means.mean() ** 2)
    assert mended.estimate == pytest.approx(means.mean() ** 2 - means.var(ddof=1) / 64)
    assert mended.high - mended.low == pytest.approx(plain.high - plain.low)
    few = jackknife(values[:11], sizes[:10], n[:11], 0.95, mended=True).item(())
    assert few["estimate"] is None


def simulated_groups(rng: np.random.Generator, runs: int, sizes: NDArray[np.int64]) -> tuple[Array, Array]:
    """Group sums (groups, runs) of a skewed number and of the plays behind it, dependent within a unit."""
    units = int(sizes.sum())
    plays = rng.integers(1, 5, size=(units, runs)).astype(float)
    points = plays * rng.gamma(2.0, 1.5, size=(units, runs))
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return np.add.reduceat(points, starts, axis=0), np.add.reduceat(plays, starts, axis=0)


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("sizes", [[20] * 64, [30] * 40 + [9] * 23 + [2], [50] * 15 + [21]], ids=["64", "uneven", "16"])
def test_coverage_of_a_ratio(runs: int, sizes: list[int]) -> None:
    rng = np.random.default_rng(201)
    units = np.array(sizes)
    covered = total = 0
    for start in range(0, runs, 1_000):
        part = min(1_000, runs - start)
        points, plays = simulated_groups(rng, part, units)
        found = jackknife(left_out(points) / left_out(plays), units, left_out(plays), 0.95)
        covered += int(((found.low <= 3) & (found.high >= 3)).sum())
        total += part
    assert abs(covered / total - 0.95) < 0.01 + 5 * math.sqrt(0.05 * 0.95 / runs)
