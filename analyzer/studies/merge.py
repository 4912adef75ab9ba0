"""Joining the reports of runs over ranges of units that follow each other: the results of one run over all of them.

The ranges must meet: then every group of units, every mark of the running sums and every side batch (see
`batches.job_of`) holds what it would have held in one run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from analyzer.errors import TalliesError
from analyzer.report.numbers import counted
from analyzer.studies.played import Played, difference, fitting, identity, parts_from
from analyzer.studies.reports import Report, read_report
from analyzer.studies.run import RunResult, evaluated


def merge(folders: Sequence[Path]) -> RunResult:
    """Join reports, given in any order. Title, question and name are those of the one with the lowest units.

    Raises TalliesError when a report cannot be read or is damaged, when two are not of one run (rules, policies,
    seating, seed, version of the simulator, confidence), or when their ranges overlap or leave a gap.
    """
    if not folders:
        raise TalliesError("there is nothing to join: name one report folder or more")
    reports = sorted((read_report(folder) for folder in folders), key=lambda report: (report.main.first, report.end))
    first = reports[0]
    for before, after in pairwise(reports):
        _check_alike(first, after)
        _check_meeting(before, after)
    tallies = dict(first.tallies)
    for report in reports[1:]:
        tallies = {name: tallies[name].joined(report.tallies[name]) for name in tallies}
    units = sum(report.main.units for report in reports)
    # With precision the count is the most that may be played.
    count = units if first.scenario.precision is None else max(units, first.scenario.count)
    scenario = replace(first.scenario, count=count, name=first.name)
    parts = tuple(part for report in reports for part in parts_from(report.run.get("parts")))
    with fitting(" + ".join(str(report.folder) for report in reports)):
        return evaluated(scenario, Played(tallies, parts), joined=tuple(_provenance(report) for report in reports))


def _provenance(report: Report) -> dict[str, Any]:
    kept = ("analyzer", "python", "numpy", "numba", "machine", "command", "partial")
    return {
        "report": str(report.folder),
        "first": report.main.first,
        "count": report.main.units,
        **{key: report.run[key] for key in kept if key in report.run},
    }


def _check_alike(one: Report, other: Report) -> None:
    unlike = difference(identity(one.scenario), identity(other.scenario))
    if not unlike and one.scenario.confidence != other.scenario.confidence:
        unlike = f"its confidence is {other.scenario.confidence:g}, not {one.scenario.confidence:g}"
    if not unlike and one.scenario.precision != other.scenario.precision:
        unlike = f"its precision is {_precision(other)}, not {_precision(one)}"
    if unlike:
        raise TalliesError(f"{other.folder} cannot be joined to {one.folder}: {unlike}")


def _precision(report: Report) -> str:
    return "none" if report.scenario.precision is None else f"{report.scenario.precision:g}"


def _check_meeting(before: Report, after: Report) -> None:
    unit = before.scenario.game.unit
    if after.main.first < before.end:
        both = min(before.end, after.end) - after.main.first
        raise TalliesError(
            f"{before.folder} and {after.folder} overlap: both hold {counted(both, unit)} from number "
            f"{after.main.first:,} on"
        )
    if after.main.first > before.end:
        gap = after.main.first - before.end
        raise TalliesError(
            f"{counted(gap, unit)} between {before.folder} and {after.folder} would be missing; join with a run of "
            f"--first {before.end} -n {gap}"
        )
