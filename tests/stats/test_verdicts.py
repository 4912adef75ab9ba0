"""Verdicts on families of differences: known answers, errors within the level, how many units are missing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from analyzer.stats.families import holm
from analyzer.stats.intervals import Estimates, mean_of_squares
from analyzer.stats.paired import difference
from analyzer.stats.verdicts import BETTER, EQUAL, UNDECIDED, WORSE, verdicts

RUNS = [pytest.param(1_000, id="quick"), pytest.param(20_000, id="long", marks=pytest.mark.slow)]


def rows(estimate: list[float], se: float | list[float], n: int = 100_000) -> Estimates:
    at = np.array(estimate, np.float64)
    error = np.broadcast_to(np.asarray(se, np.float64), at.shape)
    return Estimates(at, at - 2 * error, at + 2 * error, error, np.full(at.shape, n))


def test_clear_cases() -> None:
    found = verdicts(rows([0.02, -0.02, 0.0005, 0.004], 0.001), 0.005, 0.95)
    assert found.verdict.tolist() == [BETTER, WORSE, EQUAL, BETTER]
    assert np.isnan(found.more).all()


def test_what_is_different_and_yet_small_is_practically_equal() -> None:
    found = verdicts(rows([0.002], 0.0002), 0.005, 0.95)
    assert found.p_different[0] < 0.05
    assert found.verdict.tolist() == [EQUAL]
    assert found.item(0)["verdict"] == "practically equal"


def test_only_what_is_beyond_the_effect() -> None:
    """For a register of what surely matters: 0.8 points are more than 0, but not surely more than 0.5."""
    family = rows([0.008, 0.012, -0.012, 0.001], 0.002)
    assert verdicts(family, 0.005, 0.95).verdict.tolist() == [BETTER, BETTER, WORSE, UNDECIDED]
    assert verdicts(family, 0.005, 0.95, beyond=0.005).verdict.tolist() == [UNDECIDED, BETTER, WORSE, UNDECIDED]


def test_p_values_are_holms_with_half_of_alpha_each() -> None:
    found = verdicts(rows([0.003, 0.001], 0.001), 0.005, 0.95)
    z = stats.norm.sf([3, 1])
    assert found.p_different == pytest.approx([2 * 2 * 2 * z[0], 2 * 2 * z[1]], rel=1e-3)
    assert found.p_equal == pytest.approx([2 * stats.norm.sf(2), 2 * 2 * stats.norm.sf(4)], rel=1e-2)


def test_exact_and_unknown_rows_are_no_comparisons() -> None:
    alone = verdicts(rows([0.003], 0.001), 0.005, 0.95)
    same = difference([0, 300, 0], [0, 300, 0], [1000, 100_000, 1], 1, 0.95, (-1.0, 1.0), same=[True, False, False])
    family = Estimates(
        np.array([0.0, 0.003, 0.1]), same.low, same.high, np.array([0.0, 0.001, np.nan]),
        np.array([1000, 100_000, 1]), exact=same.exact,
    )  # fmt: skip
    found = verdicts(family, 0.005, 0.95)
    assert found.verdict.tolist() == [EQUAL, alone.verdict[0], UNDECIDED]
    assert found.p_different[1] == alone.p_different[0]
    assert found.item(2) == {"verdict": UNDECIDED, "p_different": None, "p_equal": None}


def test_bounded_units_that_all_agree_are_equal_only_when_there_are_enough() -> None:
    """Nothing differed in n units: at half of 5%, one-sided, that speaks against 2 × (1 − 0.025^(1/n)) and more."""
    for n, verdict in ((700, UNDECIDED), (800, EQUAL)):
        none = mean_of_squares([0], [0], n, 1, 0.95, (-1.0, 1.0))
        found = verdicts(none, 0.01, 0.95, bounds=(-1.0, 1.0))
        assert found.verdict.tolist() == [verdict]
    needed = math.ceil(math.log(0.025) / math.log(1 - 0.01 / 2))
    few = verdicts(mean_of_squares([0], [0], 700, 1, 0.95, (-1.0, 1.0)), 0.01, 0.95, bounds=(-1.0, 1.0))
    assert few.item(0)["more"] == needed - 700
    points = verdicts(mean_of_squares([0], [0], 700, 1, 0.95), 0.01, 0.95)
    assert "more" not in points.item(0)


def test_missing_units_follow_the_textbook() -> None:
    """One row, half of alpha for each kind: n = ((z(1 − α/4) + z(0.8)) s / d)², if that is less than to be equal."""
    found = verdicts(rows([0.002], 0.001, 10_000), 0.003, 0.95)
    needed = 10_000 * ((stats.norm.isf(0.0125) + stats.norm.isf(0.2)) * 0.001 / 0.002) ** 2
    assert found.item(0)["more"] == math.ceil(needed - 10_000)
    without_effect = verdicts(rows([0.0], 0.001, 10_000), 0.0, 0.95)
    assert without_effect.verdict.tolist() == [UNDECIDED]
    assert np.isnan(without_effect.more[0])


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("truth", [0.0034, 0.0])
def test_with_the_missing_units_most_are_decided(runs: int, truth: float) -> None:
    """If the truth is the estimate, the new sample decides in about 80% (if equal: in 80% or more)."""
    rng = np.random.default_rng(431)
    first = verdicts(rows([truth], 0.003, 10_000), 0.004, 0.95)
    n = 10_000 + first.item(0)["more"]
    error = 0.003 * math.sqrt(10_000 / n)
    decided = [
        verdicts(rows([value], error, n), 0.004, 0.95).verdict[0] != UNDECIDED
        for value in rng.normal(truth, error, runs // 2)
    ]
    assert 0.8 - 5 * math.sqrt(0.16 / (runs // 2)) < np.mean(decided) < 0.93


FAMILIES = {
    "all null": [0.0] * 8,
    "at the effect": [0.004, -0.004] * 4,
    "mixed": [0.0, 0.0, 0.004, 0.004, -0.004, 0.02, 0.02, -0.02],
    "tiny": [1e-6, -1e-6] * 4,
    "large and one null": [0.02] * 7 + [0.0],
    "at the effect and one null": [0.004] * 7 + [0.0],
}


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("shared", [0.0, 0.7])
@pytest.mark.parametrize("family", FAMILIES)
def test_no_verdict_of_a_family_is_wrong_in_95_of_100(family: str, shared: float, runs: int) -> None:
    """Wrong: better or worse of what is 0 or has the other sign, equal of what differs by the effect or more."""
    rng = np.random.default_rng(432)
    truth, effect = np.array(FAMILIES[family]), 0.004
    for error in (0.0004, 0.0015):
        wrong = 0
        noise = math.sqrt(1 - shared) * rng.normal(size=(runs, 8)) + math.sqrt(shared) * rng.normal(size=(runs, 1))
        for estimate in truth + error * noise:
            found = verdicts(rows(list(estimate), error), effect, 0.95).verdict
            wrong += bool(
                np.any((found == BETTER) & (truth <= 0))
                or np.any((found == WORSE) & (truth >= 0))
                or np.any((found == EQUAL) & (np.abs(truth) >= effect))
            )
        assert wrong / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


def test_one_chain_over_both_kinds_of_claim_would_not_keep_the_level() -> None:
    """Why each kind has its own half of alpha: with rows that are taken off the family once they were called better,
    the next is tested ever more freely for being equal, which is false of all but one here."""
    rng = np.random.default_rng(433)
    truth, effect, error, runs = np.array([0.004] * 7 + [0.0]), 0.004, 0.0004, 2_000
    wrong = 0
    for estimate in truth + error * rng.normal(size=(runs, 8)):
        different = 2 * stats.norm.sf(np.abs(estimate) / error)
        equal = stats.norm.sf((effect - np.abs(estimate)) / error)
        together = np.minimum(different, equal)
        level = 0.05 / (8 - np.argsort(np.argsort(together)))
        wrong += bool(np.any((holm(together) <= 0.05) & (equal <= level) & (truth >= effect)))
    assert wrong / runs > 0.1
