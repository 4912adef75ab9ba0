"""Joining the reports of runs over ranges of units that follow each other: the results of one run over all of them.

The ranges must meet: then every group of units, every mark of the running sums and every side batch (see
`batches.job_of`) holds what it would have held in one run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from analyzer.errors import ScenarioError, TalliesError
from analyzer.report.numbers import counted
from analyzer.scenario.load import Scenario, load_scenario
from analyzer.sim.result import Tallies
from analyzer.studies.batches import job_of
from analyzer.studies.played import Played, difference, fitting, identity, parts_from, run_json, tallies_from, unsealed
from analyzer.studies.run import RunResult, evaluated


@dataclass(frozen=True)
class _Report:
    folder: Path
    scenario: Scenario
    tallies: dict[str, Tallies]
    run: dict[str, Any]

    @property
    def main(self) -> Tallies:
        return next(iter(self.tallies.values()))

    @property
    def end(self) -> int:
        """The first unit after the range."""
        return self.main.first + self.main.units

    @property
    def provenance(self) -> dict[str, Any]:
        kept = ("analyzer", "python", "numpy", "numba", "machine", "command", "partial")
        return {
            "report": str(self.folder),
            "first": self.main.first,
            "count": self.main.units,
            **{key: self.run[key] for key in kept if key in self.run},
        }


def merge(folders: Sequence[Path]) -> RunResult:
    """Join reports, given in any order. Title, question and name are those of the one with the lowest units.

    Raises TalliesError when a report cannot be read or is damaged, when two are not of one run (rules, policies,
    seating, seed, version of the simulator, confidence), or when their ranges overlap or leave a gap.
    """
    if not folders:
        raise TalliesError("there is nothing to join: name one report folder or more")
    reports = sorted((_read(folder) for folder in folders), key=lambda report: (report.main.first, report.end))
    first = reports[0]
    for before, after in pairwise(reports):
        _check_alike(first, after)
        _check_meeting(before, after)
    tallies = dict(first.tallies)
    for report in reports[1:]:
        tallies = {name: tallies[name].joined(report.tallies[name]) for name in tallies}
    units = sum(report.main.units for report in reports)
    name = first.run.get("scenario")
    scenario = replace(first.scenario, count=units, name=name if isinstance(name, str) else first.folder.name)
    parts = tuple(part for report in reports for part in parts_from(report.run.get("parts")))
    with fitting(" + ".join(str(report.folder) for report in reports)):
        return evaluated(scenario, Played(tallies, parts), joined=tuple(report.provenance for report in reports))


def _read(folder: Path) -> _Report:
    path = folder / "tallies.json"
    content = unsealed(path, "tallies")
    try:
        scenario = load_scenario(folder / "scenario.toml")
    except ScenarioError as error:
        raise TalliesError(f"{folder}: its scenario cannot be read: {error}") from None
    tallies = tallies_from(content, scenario, path)
    main = next(iter(tallies.values()))
    for spec in scenario.game.batches:
        due = job_of(scenario, spec, main.units).count
        if spec.name not in tallies or tallies[spec.name].units != due:
            units = counted(due, scenario.game.unit)
            raise TalliesError(f"{path}: batch {spec.name!r} does not hold the {units} it should")
    if content.get("confidence") != scenario.confidence:
        raise TalliesError(f"{folder}: scenario.toml and tallies.json are not of one run: they differ in confidence")
    return _Report(folder, scenario, tallies, run_json(folder))


def _check_alike(one: _Report, other: _Report) -> None:
    unlike = difference(identity(one.scenario), identity(other.scenario))
    if not unlike and one.scenario.confidence != other.scenario.confidence:
        unlike = f"its confidence is {other.scenario.confidence:g}, not {one.scenario.confidence:g}"
    if unlike:
        raise TalliesError(f"{other.folder} cannot be joined to {one.folder}: {unlike}")


def _check_meeting(before: _Report, after: _Report) -> None:
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
