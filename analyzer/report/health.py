"""The health panel: what must hold of any run, checked on what was counted.

Exact checks compare whole numbers. All tests of odds and of even spread on a page form one family, controlled
together by Holm's method at level 10^-6: a sound machine fails a page once in a million runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analyzer.games.spec import HealthSpec, Of
from analyzer.report import numbers
from analyzer.report.counters import counters_of, exact_counters
from analyzer.report.frames import Batch
from analyzer.stats.families import holm
from analyzer.stats.goodness import LEAST_EXPECTED, binomial_p, chi_square_p
from analyzer.stats.intervals import Floats, significant

LEVEL = 1e-6
"""Chance that a sound machine fails any test of a page."""


@dataclass
class _Outcome:
    detail: str
    passed: bool | None = None
    p_values: Floats = field(default_factory=lambda: np.zeros(0))
    tests: int = 0


def check_health(specs: Sequence[HealthSpec], batches: Mapping[str, Batch]) -> list[dict[str, Any]]:
    """Every check of such a run as it stands in `results.json`.

    `passed` is true when nothing speaks against it, false when it failed, None when its batch was not
    simulated. `p` is the check's smallest p-value adjusted for all tests of the page, None where nothing is
    tested by chance. `tests`: numbers compared.
    """
    specs = [spec for spec in specs if _applies(spec, batches.get(spec.batch))]
    outcomes = [_outcome(spec, batches.get(spec.batch)) for spec in specs]
    adjusted = holm(np.concatenate([outcome.p_values for outcome in outcomes] or [np.zeros(0)]))
    checks, start = [], 0
    for spec, outcome in zip(specs, outcomes, strict=True):
        mine = adjusted[start : start + outcome.p_values.size]
        start += outcome.p_values.size
        passed, p = outcome.passed, None
        if mine.size:
            p = float(mine.min())
            passed = p >= LEVEL
        checks.append(
            {
                "name": spec.name,
                "title": spec.title,
                "passed": passed,
                "detail": outcome.detail,
                "text": spec.text,
                "kind": spec.kind,
                "batch": spec.batch,
                "units": batches[spec.batch].tallies.units if spec.batch in batches else 0,
                "tests": outcome.tests,
                "p": None if p is None else significant(p),
            }
        )
    return checks


def _applies(spec: HealthSpec, batch: Batch | None) -> bool:
    return spec.applies is None or (batch is not None and spec.applies(batch.setting))


def _outcome(spec: HealthSpec, batch: Batch | None) -> _Outcome:
    if batch is None or batch.tallies.units == 0:
        return _Outcome(f"not checked: the batch {spec.batch!r} was not simulated")
    return {"equal": _equal, "odds": _odds, "uniform": _uniform}[spec.kind](spec, batch)


def _equal(spec: HealthSpec, batch: Batch) -> _Outcome:
    counters = exact_counters(batch.tallies)
    observed, expected = np.broadcast_arrays(
        np.asarray(spec.observed(counters, batch.setting), dtype=object),
        np.asarray(spec.expected(counters, batch.setting), dtype=object),
    )
    pairs = list(zip(observed.flat, expected.flat, strict=True))
    wrong = [(found, due) for found, due in pairs if found != due]
    if not wrong:
        return _Outcome(f"exact: {_several(len(pairs), 'number agrees', 'numbers agree')}", True, tests=len(pairs))
    found, due = wrong[0]
    detail = f"{len(wrong)} of {numbers.number(len(pairs), 0)} differ; the first is {found}, not {due}"
    return _Outcome(detail, False, tests=len(pairs))


def _odds(spec: HealthSpec, batch: Batch) -> _Outcome:
    if spec.n is None:
        raise ValueError(f"health check {spec.name}: odds need n")
    observed, n, chance = _totals(batch, spec.observed, spec.n, spec.expected)
    p_values = binomial_p(observed, n, chance).reshape(-1)
    if p_values.size == 0:
        return _Outcome("nothing to compare", True)
    worst = int(np.argmin(p_values))
    count, due = float(n.reshape(-1)[worst]), float(chance.reshape(-1)[worst])
    seen = float(observed.reshape(-1)[worst])
    shown = numbers.number(numbers.PERCENT * seen / count, 2) if count > 0 else numbers.DASH
    detail = (
        f"{_several(p_values.size, 'frequency', 'frequencies')} against exact odds; the least likely is "
        f"{shown}% of {numbers.number(count, 0)} where {numbers.number(numbers.PERCENT * due, 2)}% is due"
    )
    return _Outcome(detail, p_values=p_values, tests=p_values.size)


def _uniform(spec: HealthSpec, batch: Batch) -> _Outcome:
    observed, expected = _totals(batch, spec.observed, spec.expected)
    p_value = chi_square_p(observed, expected, spec.dof, spec.scale)
    if p_value is None:
        few = f"too few to tell: a count below {LEAST_EXPECTED:.0f} is expected somewhere"
        return _Outcome(few, True, tests=observed.size)
    detail = f"{numbers.number(observed.size, 0)} counts against equal odds, {spec.dof} degrees of freedom"
    return _Outcome(detail, p_values=np.array([p_value]), tests=observed.size)


def _totals(batch: Batch, *formulas: Of) -> tuple[Floats, ...]:
    """What each formula says of the total (index 0 of its leading dimension, or a constant as it is),
    broadcast."""
    counters = counters_of(batch.tallies)
    with np.errstate(all="ignore"):
        arrays = [np.asarray(formula(counters, batch.setting), dtype=np.float64) for formula in formulas]
    return np.broadcast_arrays(*(array[0] if array.ndim else array for array in arrays))


def _several(count: int, one: str, many: str) -> str:
    return f"1 {one}" if count == 1 else f"{numbers.number(count, 0)} {many}"
