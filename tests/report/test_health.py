"""The health panel: every kind of check passes on sound counts and fails on broken ones; one level a page."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest
from toy_game import HEALTH, ToyTallies, played, setting

from analyzer.games.spec import HealthSpec
from analyzer.report.frames import Batch
from analyzer.report.health import LEVEL, check_health

EVEN = (1 / 3, 1 / 3, 1 / 3)


def panel(main: ToyTallies, side: ToyTallies) -> dict[str, dict[str, Any]]:
    checks = check_health(HEALTH, {"main": Batch(main, setting()), "side": Batch(side, setting())})
    json.dumps(checks, allow_nan=False)
    return {check["name"]: check for check in checks}


def test_a_sound_machine_passes() -> None:
    checks = panel(played(5000), played(3000, EVEN))
    assert [check["passed"] for check in checks.values()] == [True, True, True]
    assert checks["winners"]["p"] is None
    assert checks["winners"]["detail"] == "exact: 1 number agrees"
    assert checks["winners"]["text"] == "Every unit has one winner."
    assert (checks["coin"]["units"], checks["even"]["units"]) == (5000, 3000)
    assert 0 < checks["coin"]["p"] <= 1
    assert "where 50.00% is due" in checks["coin"]["detail"]
    assert checks["even"]["tests"] == 3


def test_numbers_that_should_be_equal_and_are_not_fail() -> None:
    broken = played(5000)
    broken.grouped["win"][3, 1] += 1
    check = panel(broken, played(3000, EVEN))["winners"]
    assert check["passed"] is False
    assert check["detail"] == "1 of 1 differ; the first is 60001, not 60000"


def test_equality_is_exact_beyond_float64() -> None:
    spec = dataclasses.replace(HEALTH[0], observed=lambda c, s: c["big"], expected=lambda c, s: 2**60)
    for odd, passed in ((0, True), (1, False)):
        tallies = ToyTallies(1, np.array([1] + [0] * 63), {"big": np.array([2**60 + odd] + [0] * 63, dtype=object)})
        (check,) = check_health([spec], {"main": Batch(tallies, setting())})
        assert check["passed"] is passed


def test_odds_that_are_not_met_fail() -> None:
    broken = played(5000)
    broken.grouped["heads"] = broken.grouped["heads"] - 4
    check = panel(broken, played(3000, EVEN))["coin"]
    assert check["passed"] is False
    assert check["p"] < LEVEL


def test_counts_that_are_not_even_fail() -> None:
    check = panel(played(5000), played(3000, (0.40, 0.30, 0.30)))["even"]
    assert check["passed"] is False


def test_a_page_is_one_family() -> None:
    """A p-value of 3 in ten million fails alone, and passes among ten others."""
    n, heads = 10_000, 5_258
    group = np.array([n] + [0] * 63)
    tallies = ToyTallies(n, group, {"units": group.astype(object), "heads": np.array([heads] + [0] * 63, dtype=object)})
    batches = {"main": Batch(tallies, setting())}
    (alone,) = check_health([HEALTH[1]], batches)
    fair = dataclasses.replace(HEALTH[1], observed=lambda c, s: np.full((65, 10), n / 2))
    among, others = check_health([HEALTH[1], fair], batches)
    assert alone["passed"] is False
    assert among["passed"] is True
    assert among["p"] == pytest.approx(11 * alone["p"])
    assert others["tests"] == 10


@pytest.mark.parametrize("units", [1, 2, 3])
def test_few_units_pass_and_say_that_they_tell_little(units: int) -> None:
    checks = panel(played(units), played(units, EVEN))
    assert all(check["passed"] for check in checks.values())
    assert checks["even"]["detail"].startswith("too few to tell")
    assert "nan" not in json.dumps(checks)


def test_a_batch_that_was_not_simulated_is_not_called_sound() -> None:
    (check,) = check_health([HEALTH[2]], {"main": Batch(played(10), setting())})
    assert check["passed"] is None
    assert check["detail"] == "not checked: the batch 'side' was not simulated"
    (check,) = check_health([HEALTH[1]], {"main": Batch(played(0), setting())})
    assert check["passed"] is None


def test_nothing_to_check_is_an_empty_panel() -> None:
    assert check_health([], {}) == []


def test_odds_of_nothing_pass() -> None:
    """A row that never came up, and an expectation that divides by it."""
    spec = HealthSpec(
        "none",
        "None",
        "odds",
        "main",
        observed=lambda c, s: c["units"] - c["units"],
        expected=lambda c, s: 0.5 + 0 / c["units"],
        n=lambda c, s: c["units"] - c["units"],
    )
    (check,) = check_health([spec], {"main": Batch(played(20), setting())})
    assert check["passed"] is True
    assert check["p"] == 1
    (check,) = check_health(
        [dataclasses.replace(spec, observed=lambda c, s: np.zeros((65, 0)))],
        {"main": Batch(played(20), setting())},
    )
    assert (check["passed"], check["tests"]) == (True, 0)


def test_odds_need_a_number_of_trials() -> None:
    with pytest.raises(ValueError, match="coin: odds need n"):
        check_health([dataclasses.replace(HEALTH[1], n=None)], {"main": Batch(played(20), setting())})


@pytest.mark.parametrize(
    "runs", [pytest.param(200, id="quick"), pytest.param(4_000, id="long", marks=pytest.mark.slow)]
)
def test_sound_pages_do_not_fail(runs: int) -> None:
    """At a level of one in a million none of a few thousand should; and the adjusted p-values stay honest at
    5%."""
    smallest = []
    for seed in range(runs):
        checks = panel(played(640, seed=2 * seed), played(640, EVEN, seed=2 * seed + 1))
        assert all(check["passed"] for check in checks.values())
        smallest.append(min(checks["coin"]["p"], checks["even"]["p"]))
    assert np.mean(np.array(smallest) <= 0.05) <= 0.05 + 5 * math.sqrt(0.05 * 0.95 / runs)
