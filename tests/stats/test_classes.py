"""Readings sorted by whether they matter: known answers, and how often a page holds a false class."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analyzer.stats.classes import DECIDE, LITTLE, NOTHING, OPEN, Classes, classes
from analyzer.stats.intervals import Estimates

BOUNDS = (-1.0, 1.0)
EFFECT = 0.005


def sort(values: object, se: object, n: int = 10**6, exact: object = None) -> Classes:
    estimate, error = np.broadcast_arrays(np.asarray(values, float), np.asarray(se, float))
    known = None if exact is None else np.asarray(exact, bool)
    found = Estimates(estimate, estimate, estimate, error, np.full(estimate.shape, n), exact=known)
    return classes(found, EFFECT, 0.95, BOUNDS)


def test_each_class() -> None:
    found = sort(
        [[0.0001, -0.02], [0.004, 0.0001], [0.0001, -0.001], [0.003, 0.0]], [[0.0005], [0.001], [0.0005], [0.01]]
    )
    assert found.found.tolist() == [DECIDE, LITTLE, NOTHING, OPEN]


def test_one_change_beyond_the_effect_is_enough() -> None:
    assert sort([[0.0] * 10 + [-0.01]], [[0.0005] * 11]).found.tolist() == [DECIDE]


def test_all_must_lie_within_it() -> None:
    assert sort([[0.0] * 10 + [0.0]], [[0.0005] * 10 + [0.01]]).found.tolist() == [OPEN]


def test_what_is_shown_to_be_another_and_practically_equal_does_not_matter() -> None:
    found = sort([[0.002, 0.002]], [[0.0002, 0.0002]])
    assert found.found.tolist() == [NOTHING]
    assert found.item(0)["p_different"] < 1e-6


def test_the_effect_decides() -> None:
    for effect, kind in ((0.001, DECIDE), (0.01, LITTLE), (0.05, NOTHING)):
        estimate = np.array([[0.009]])
        found = Estimates(estimate, estimate, estimate, np.array([[0.001]]), np.array([[10**6]]))
        assert classes(found, effect, 0.95, BOUNDS).found.tolist() == [kind]


def test_what_is_exact_does_not_matter_and_costs_nothing() -> None:
    values, se = [[0.0, 0.0], [0.0083, 0.0]], [[0.0, 0.0], [0.001, 0.0]]
    alone = sort([[0.0083]], [[0.001]])
    both = sort(values, se, exact=[[True, True], [False, True]])
    assert both.found.tolist() == [NOTHING, DECIDE]
    assert both.p_beyond[1, 0] == alone.p_beyond[0, 0]
    assert both.item(0) == {"class": NOTHING, "p_beyond": None, "p_different": None, "p_equal": None}


def test_a_difference_of_which_nothing_is_known_is_open() -> None:
    found = sort([[np.nan]], [[np.nan]], n=0)
    assert found.found.tolist() == [OPEN]
    assert np.isnan(found.times[0])


def test_each_kind_of_claim_has_a_third_of_alpha() -> None:
    # One comparison: beyond the effect at a two-sided level of 5% / 3.
    for z, kind in ((2.38, LITTLE), (2.41, DECIDE)):
        assert sort([[EFFECT + z * 0.0001]], [[0.0001]]).found.tolist() == [kind]


def test_how_many_more_are_missing() -> None:
    """Played so many times as many units, with the same differences, some 80 to 90 of 100 are decided."""
    rng = np.random.default_rng(3)
    for true in (0.0, 0.003, 0.007):
        se = 0.003
        first = sort([[true]], [[se]])
        assert first.found[0] in (OPEN, LITTLE)
        times = first.times[0]
        later = true + rng.normal(size=4_000) * se / math.sqrt(times)
        decided = [sort([[each]], [[se / math.sqrt(times)]], n=int(10**6 * times)).found[0] for each in later]
        assert 0.77 < np.isin(decided, (DECIDE, NOTHING)).mean() < 0.93


def test_missing_units_of_a_group_are_those_of_what_decides_it() -> None:
    se = [[0.002, 0.002]]
    near = sort([[0.0049, 0.0049]], se).times[0]
    # One beyond the effect is enough.
    assert sort([[0.0065, 0.0049]], se).times[0] < near / 50
    # All must lie within it, and the last to be told is the one that is near.
    assert sort([[0.0, 0.0049]], se).times[0] > near / 2


TRUTHS = {
    "nothing": [[0.0] * 11] * 29,
    "at the edge": [[EFFECT] * 11] * 29,
    "at both edges": [[EFFECT, -EFFECT] + [0.0] * 9] * 29,
    "mixed": [[0.0] * 11] * 9 + [[EFFECT] + [0.0] * 10] * 10 + [[0.02] + [0.0] * 10] * 10,
}


@pytest.mark.parametrize("runs", [pytest.param(60, id="quick"), pytest.param(3_000, id="long", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", TRUTHS)
def test_false_classes(runs: int, name: str) -> None:
    """Of a hundred pages five at most hold a class that is wrong: beyond what lies within, without effect what has one,
    a change where there is none."""
    rng = np.random.default_rng(11)
    truth = np.array(TRUTHS[name])
    se = np.tile(np.geomspace(0.0002, 0.003, truth.shape[1]), (truth.shape[0], 1))
    most = np.abs(truth).max(axis=1)
    wrong = 0
    for _ in range(runs):
        shared = rng.normal(size=(truth.shape[0], 1))
        noise = math.sqrt(0.5) * rng.normal(size=truth.shape) + math.sqrt(0.5) * shared
        kind = sort(truth + se * noise, se).found
        false = ((kind == DECIDE) & (most <= EFFECT)) | ((kind == NOTHING) & (most >= EFFECT))
        wrong += bool((false | ((kind == LITTLE) & (most == 0))).any())
    assert wrong / runs <= 0.05 + 5 * math.sqrt(0.05 * 0.95 / runs)


def test_without_a_family_a_page_would_hold_many() -> None:
    """The same pages, each change judged by its own interval."""
    rng = np.random.default_rng(11)
    wrong = sum(bool((np.abs(rng.normal(size=(29, 11))) > 1.96).any()) for _ in range(200))
    assert wrong > 150
