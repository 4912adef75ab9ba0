"""What a plan costs on this machine: time, memory, and what a budget of time tells."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from typing import Any

from analyzer.report import numbers
from analyzer.stats.intervals import UNBOUNDED, Bounds, Estimates
from analyzer.studies.plan_report import POWERS, Family, PlanReport
from analyzer.studies.said import roughly, span


def here(report: PlanReport, speed: float, budget: float | None) -> dict[str, Any]:
    """What stands in `run.json`, at so many units a second; `told` are sentences for the terminal."""
    told: list[str] = []
    memory = _memory_mb()
    found: dict[str, Any] = {"units_per_second": round(speed), "memory_mb": memory, "needed": [], "budget": None}
    if speed > 0 and report.detect is not None:
        for family in report.families:
            found["needed"].append(_needed(report, family, speed))
            told += _needed_told(report, found["needed"][-1])
    number = 0 if budget is None else int(budget * speed)
    if budget is not None and number > 1:
        found["budget"] = {"seconds": budget, "units": number, "tells": []}
        for family in report.families:
            row = _tells(report, family, number)
            found["budget"]["tells"].append(row)
            least, apart = row["difference_80"], row.get("difference_apart_80")
            if least["estimate"] is not None:
                told.append(
                    f"{family.name}: in {span(budget)} about {roughly(number)} {report.units} can be played here; "
                    f"they tell differences of {_points(least)} with 80% power"
                    + (f", runs of their own of {_points(apart)}" if apart else "")
                )
    told.append(f"memory: about {memory:,} MB, however many {report.units} are played")
    return {**found, "told": told}


def _variances(report: PlanReport, family: Family) -> Iterator[tuple[str, float, Estimates, Bounds]]:
    """Suffix, power, variance and bounds of the number that needs most."""
    worst = report.hardest(family)
    for name, variance, bounds in (("", worst.variance, worst.bounds), ("_apart", worst.apart, UNBOUNDED)):
        if variance is not None:
            for power in POWERS:
                yield f"{name}_{power * 100:g}", power, variance, bounds


def _needed(report: PlanReport, family: Family, speed: float) -> dict[str, Any]:
    row: dict[str, Any] = {"family": family.name, "who": report.hardest(family).who}
    for suffix, power, variance, bounds in _variances(report, family):
        count = report.needed(variance, power, bounds).item(())["estimate"]
        row |= {f"units{suffix}": count, f"seconds{suffix}": None if count is None else round(count / speed, 3)}
    return row


def _needed_told(report: PlanReport, row: dict[str, Any]) -> Iterator[str]:
    if row["units_80"] is None:
        return
    said = {
        suffix: f"{roughly(row[f'units_{suffix}'])} ({span(row[f'seconds_{suffix}'])} here)"
        for suffix in ("80", "95", "apart_80")
        if row.get(f"units_{suffix}") is not None
    }
    apart = f"; in runs of their own {said['apart_80']} each, for 80%" if "apart_80" in said else ""
    yield f"{row['family']}: {report.units} for 80% power {said['80']}, for 95% {said['95']}{apart}"


def _tells(report: PlanReport, family: Family, number: int) -> dict[str, Any]:
    row: dict[str, Any] = {"family": family.name, "who": report.hardest(family).who}
    for suffix, power, variance, bounds in _variances(report, family):
        row[f"difference{suffix}"] = report.detectable_by(variance, number, power, bounds).item(())
    return row


def _points(difference: dict[str, Any]) -> str:
    value = numbers.PERCENT * difference["estimate"]
    return f"{numbers.number(value, numbers.significant(value, 2))} percentage points"


def _memory_mb() -> int:
    """The most that this process ever held, in MB; units add nothing to it."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # In bytes on macOS, in KiB elsewhere.
    return round(most / (1e6 if sys.platform == "darwin" else 1e6 / 1024))
