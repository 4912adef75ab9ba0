"""Confidence sequences: the formula against quadrature, false alarms while peeking, tightness, stopping."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from analyzer.stats.intervals import Estimates, mean_of_squares
from analyzer.stats.sequential import asymptotic, bounded, expected_units, first_within, narrowed

RUNS = [pytest.param(250, id="quick"), pytest.param(3_000, id="long", marks=pytest.mark.slow)]
POINT_RUNS = [pytest.param(500, id="quick"), pytest.param(5_000, id="long", marks=pytest.mark.slow)]
SHARES = (0.0, 1.0)
LOOKS = np.unique(np.rint(np.geomspace(50, 20_000, 40)).astype(np.int64))

NODES = np.polynomial.legendre.leggauss(300)

Whole = NDArray[np.int64]


def capital(values: list[float], m: float, low: float, best_at: float, guess: float) -> float:
    """The capital of a bet that the mean is above m, written out: mixtures over λ by quadrature, unit by unit."""
    c, level = m - low, math.log(2 / 0.05)
    nodes, weights = NODES
    # λ = 1 − x⁴⁰ takes away the singularity of the second density at 1.
    x = (nodes + 1) / 2
    stake, weights = 1 - x**40, weights * x**39
    psi = -40 * np.log(x) - stake
    growth = np.exp(np.sum([stake * (v - m) / c - psi * ((v - m) / c) ** 2 for v in values], axis=0))
    total = 0.0
    for scale in (1.0, 0.01):
        rho = scale * best_at * guess / (2 * level + math.log(1 + 2 * level)) / c**2
        density = np.exp((rho - 1) * 40 * np.log(x) + rho * stake)
        total += 0.5 * float(weights @ (density * growth)) / float(weights @ density)
    return total


def test_ends_are_where_the_capital_reaches_its_limit() -> None:
    whole = 10 * [0, 3, 3, 6, 12, 0, 3, 0, 9, 3, 0, 0, 3, 6, 0, 3, 12, 0, 3, 3, 0, 6, 0, 3]
    values = [value / 12 for value in whole]
    total, squares = sum(whole), sum(value**2 for value in whole)
    found = bounded(total, squares, len(whole), 12, 0.95, SHARES, 400.0)
    low, high = float(found.low), float(found.high)
    assert 0 < low < np.mean(values) < high < 1
    assert capital(values, low, 0.0, 400.0, 1 / 16) == pytest.approx(40, rel=1e-4)
    mirrored = [1 - value for value in values]
    assert capital(mirrored, 1 - high, 0.0, 400.0, 1 / 16) == pytest.approx(40, rel=1e-4)
    rejected = [capital(values, m, 0.0, 400.0, 1 / 16) >= 40 for m in np.linspace(0.02, np.mean(values), 40)]
    assert rejected == sorted(rejected, reverse=True)
    assert any(rejected)


def test_what_cannot_be_rejected_reaches_the_bounds() -> None:
    assert bounded(3, 9, 2, 12, 0.95, SHARES, 100.0).item(()) | {"se": 0} == {
        "estimate": 0.125, "low": 0.0, "high": 1.0, "se": 0, "n": 2
    }  # fmt: skip
    never = bounded(0, 0, 100_000, 12, 0.95, SHARES, 1e4)
    assert never.low == 0
    assert 0 < never.high < 0.001
    nothing = bounded([0, 5], [0, 25], [0, 1], 12, 0.95, SHARES, 100.0)
    assert np.isnan(nothing.low).tolist() == [True, False]
    assert nothing.item(1)["se"] is None


def test_looks_depend_on_their_own_totals_alone() -> None:
    n, total = np.array([100, 1000, 10_000]), np.array([260, 2_480, 25_300])
    together = bounded(12 * total, 144 * total, n * 10, 12, 0.95, SHARES, 1e4)
    alone = bounded(12 * total[1], 144 * total[1], n[1] * 10, 12, 0.95, SHARES, 1e4)
    assert together.low[1] == alone.low
    assert together.high[1] == alone.high


def test_the_bounds_only_set_the_scale() -> None:
    """Twice the number, and one less: ends move along."""
    n, wins = 5_000, 1_300
    plain = bounded(wins, wins, n, 1, 0.95, SHARES, 1e4)
    moved = bounded(2 * wins - n, n, n, 1, 0.95, (-1.0, 1.0), 1e4)
    assert moved.low == pytest.approx(2 * plain.low - 1)
    assert moved.high == pytest.approx(2 * plain.high - 1)


def test_a_family_is_wider_than_one() -> None:
    one, eight = (bounded(1250, 1250, 5000, 1, 0.95, SHARES, 1e4, comparisons=k) for k in (1, 8))
    stricter = bounded(1250, 1250, 5000, 1, 1 - 0.05 / 8, SHARES, 1e4)
    assert eight.low < one.low
    assert eight.low == stricter.low


def test_asymptotic_ends_follow_the_published_formula() -> None:
    n, best, alpha = 5_000, 20_000, 0.05
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / best
    half = 3 * math.sqrt(2 * (n * rho2 + 1) / (n * n * rho2) * math.log(math.sqrt(n * rho2 + 1) / alpha))
    found = asymptotic(4 * n, 25 * n, n, 1, 0.95, best)
    assert found.high - 4 == pytest.approx(half)
    assert 4 - found.low == pytest.approx(half)


def test_points_claim_nothing_before_a_thousand_units_or_while_all_agree() -> None:
    n = np.array([999, 1000, 1000])
    found = asymptotic(0 * n, n * np.array([1, 1, 0]), n, 1, 0.95, 1e4)
    assert np.isfinite(found.low).tolist() == [False, True, False]


def test_points_of_a_rare_change_claim_nothing_before_thirty() -> None:
    n = np.array([10_000, 20_000])
    found = asymptotic([290, 310], [2900, 3100], n, 1, 0.95, 1e4, changed=[29, 31])
    assert np.isfinite(found.low).tolist() == [False, True]


def test_narrowing_keeps_the_best_ends_and_starts_anew_when_looks_contradict() -> None:
    low, high = np.array([[np.nan], [0.1], [0.2], [0.15], [0.8]]), np.array([[np.nan], [0.5], [0.6], [0.45], [0.9]])
    middle = (low + high) / 2
    found = narrowed(Estimates(middle, low, high, middle, np.ones(middle.shape, np.int64)))
    assert found.low[1:, 0].tolist() == [0.1, 0.2, 0.2, 0.8]
    assert found.high[1:, 0].tolist() == [0.5, 0.5, 0.45, 0.9]


def test_the_first_look_that_is_narrow_enough_in_every_row() -> None:
    n = np.array([[1_000], [10_000], [100_000], [1_000_000]])
    wins = n // 4 * np.array([1, 2])
    looks = bounded(wins, wins, n, 1, 0.95, SHARES, 1e5)
    k = first_within(looks, 0.01)
    assert k == 2
    assert np.all(looks.high[k] - looks.low[k] <= 0.02)
    assert first_within(looks, 1e-6) is None
    assert first_within(asymptotic(n, 2 * n, n - 500, 1, 0.95, 1e4), np.inf) == 1


def test_a_sequence_tuned_for_its_target_gets_there_about_when_expected() -> None:
    units = float(expected_units(0.1875, 0.005, 0.95))
    n = round(units)
    found = bounded(n // 4, n // 4, n, 1, 0.95, SHARES, units, variance=0.1875)
    assert float(found.high - found.low) / 2 == pytest.approx(0.005, rel=0.07)


@pytest.mark.parametrize(
    ("variance", "bounds"), [(0.05, (0.0, 1.0)), (0.1875, (0.0, 1.0)), (0.01, (-1.0, 1.0))], ids=str
)
def test_how_much_wider_than_an_interval_for_one_look(variance: float, bounds: tuple[float, float]) -> None:
    """What the page says: at a million units 1.6 to 2 times, tuned for ten thousand to a million."""
    n, mean = 10**6, 0.25 * (bounds[0] == 0)
    total, squares = round(mean * n * 48), round((variance + mean**2) * n * 48**2)
    for best_at in (1e4, 1e5, 1e6):
        found = bounded(total, squares, n, 48, 0.95, bounds, best_at)
        wider = float((found.high - found.low) / 2 / (1.96 * found.se))
        assert 1.6 < wider < 2.0


def looks_at(
    values: NDArray[np.float64], chances: list[float], rng: np.random.Generator, runs: int
) -> tuple[Whole, ...]:
    """Totals and squares (looks, runs) up to each look of a number with these values and chances; its units."""
    steps = np.diff(LOOKS, prepend=0)
    counts = np.stack([rng.multinomial(int(step), chances, size=runs) for step in steps]).cumsum(0)
    return (counts @ values).astype(np.int64), (counts @ values**2).astype(np.int64), np.repeat(LOOKS[:, None], runs, 1)


LAWS = {
    "yes or no": ([0, 12], [0.75, 0.25], SHARES),
    "quarters": ([0, 3, 6, 9, 12], [0.35, 0.4, 0.18, 0.05, 0.02], SHARES),
    "rare": ([0, 12], [0.995, 0.005], SHARES),
    "change": ([-12, 0, 12], [0.02, 0.95, 0.03], (-1.0, 1.0)),
}


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("law", LAWS)
def test_peeking_at_every_look_stays_within_the_level(law: str, runs: int) -> None:
    """At most 5 of 100 sequences ever leave out the truth, at any of 40 looks; intersected ones neither. Intervals for
    one look do far oftener."""
    numbers, chances, bounds = LAWS[law]
    values = np.array(numbers, np.float64)
    truth = float(values @ chances) / 12
    total, squares, n = looks_at(values, chances, np.random.default_rng(421), runs)
    looks = bounded(total, squares, n, 12, 0.95, bounds, 3_000.0)
    for found in (looks, narrowed(looks)):
        missed = ((found.low > truth) | (truth > found.high)).any(0)
        assert np.mean(missed) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    single = mean_of_squares(total, squares, n, 12, 0.95, bounds)
    missed = ((single.low > truth) | (truth > single.high)).any(0)
    assert np.mean(missed) > 0.15


@pytest.mark.parametrize("runs", RUNS)
def test_line_ups_that_take_turns_are_judged_at_whole_cycles(runs: int) -> None:
    """Two line-ups in turn, 0.1 and 0.4 of a win; looks after whole cycles; the truth is their average."""
    rng = np.random.default_rng(422)
    half = LOOKS // 2
    steps = np.diff(half, prepend=0)[:, None]
    wins = (rng.binomial(steps, 0.1, (len(half), runs)) + rng.binomial(steps, 0.4, (len(half), runs))).cumsum(0)
    found = bounded(wins, wins, np.repeat(2 * half[:, None], runs, 1), 1, 0.95, SHARES, 3_000.0)
    assert np.mean(((found.low > 0.25) | (found.high < 0.25)).any(0)) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.parametrize("runs", POINT_RUNS)
def test_peeking_at_points_stays_within_the_level(runs: int) -> None:
    """Uneven points, 100 looks from 1,000 to 100,000 units; intervals for one look fail."""
    rng = np.random.default_rng(423)
    values, chances = np.array([-5.0, 0.0, 10.0, 60.0]), [0.4, 0.4, 0.15, 0.05]
    truth = float(values @ chances)
    ends = np.rint(np.geomspace(1_000, 100_000, 100)).astype(np.int64)
    counts = np.stack([rng.multinomial(int(step), chances, size=runs) for step in np.diff(ends, prepend=0)]).cumsum(0)
    total, squares, n = counts @ values, counts @ values**2, np.repeat(ends[:, None], runs, 1)
    found = asymptotic(total, squares, n, 1, 0.95, 10_000.0)
    assert np.mean(((found.low > truth) | (truth > found.high)).any(0)) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    single = mean_of_squares(total, squares, n, 1, 0.95)
    assert np.mean(((single.low > truth) | (truth > single.high)).any(0)) > 0.15


@pytest.mark.parametrize("runs", POINT_RUNS)
@pytest.mark.parametrize("chance", [0.002, 0.0005])
def test_peeking_at_points_that_rarely_change_stays_within_the_level(chance: float, runs: int) -> None:
    """All or nothing in one of 500 or 2,000 units: held back until 30 have changed, which is what it needs."""
    rng = np.random.default_rng(425)
    ends = np.rint(np.geomspace(1_000, 300_000, 100)).astype(np.int64)
    changed = rng.binomial(np.diff(ends, prepend=0)[:, None], chance, (100, runs)).cumsum(0)
    n = np.repeat(ends[:, None], runs, 1)
    free, held = (asymptotic(200 * changed, 200**2 * changed, n, 1, 0.95, 1e4, changed=c) for c in (None, changed))
    wrong = [np.mean(((f.low > 200 * chance) | (f.high < 200 * chance)).any(0)) for f in (free, held)]
    assert wrong[0] > 0.1
    assert wrong[1] <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.parametrize("runs", RUNS)
def test_a_run_that_stops_when_it_is_narrow_still_holds(runs: int) -> None:
    """Stopped at the first look with half-width 0.02, the interval there holds in 95 of 100 runs."""
    numbers, chances, bounds = LAWS["quarters"]
    values = np.array(numbers, np.float64)
    truth = float(values @ chances) / 12
    total, squares, n = looks_at(values, chances, np.random.default_rng(424), runs)
    looks = narrowed(bounded(total, squares, n, 12, 0.95, bounds, float(expected_units(0.06, 0.02, 0.95))))
    missed = 0
    for run in range(runs):
        mine = looks.map(lambda part, run=run: part[:, run])
        k = first_within(mine, 0.02)
        assert k is not None
        missed += not mine.low[k] <= truth <= mine.high[k]
    assert missed / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
