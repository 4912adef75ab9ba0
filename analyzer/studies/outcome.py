"""What a study other than `run` comes to: its results, its tables, and the report folder with both."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.games.spec import Setting
from analyzer.report.frames import TableResult
from analyzer.report.results import opening, rounded
from analyzer.scenario.load import Scenario
from analyzer.sim.result import Tallies
from analyzer.studies.checks import same_as_run
from analyzer.studies.played import identity, sealed

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.sim.arms import ArmsWork
    from analyzer.studies.player import Player

Said = dict[str, str]
"""A finding: name, question, sentence."""


@dataclass(frozen=True)
class Outcome:
    """A finished (or interrupted) study of a scenario."""

    study: str
    scenario: Scenario
    title: str
    question: str
    count: int
    """Units counted."""
    body: Mapping[str, Any]
    """What `results.json` holds besides what it holds of every study."""
    tables: tuple[TableResult, ...]
    """The tables of the page."""
    findings: tuple[Said, ...]
    tallies: Mapping[str, Tallies]
    """What was counted, by the name of its part."""
    seconds: Mapping[str, float]
    plays: int
    """Plays counted in all, of every arm."""
    partial: bool
    checks: tuple[Mapping[str, Any], ...] = ()
    """Lines of the health panel, as `report.health` gives them."""
    timed: Mapping[str, Any] = field(default_factory=dict)
    """What hangs on this machine: it stands in `run.json`, never in `results.json`."""

    @cached_property
    def results(self) -> dict[str, Any]:
        """What `results.json` holds."""
        scenario = self.scenario
        axes = scenario.game.axes(scenario.rules, scenario.table)
        setting = Setting(scenario.rules, scenario.table, scenario.seats, axes, scenario.confidence, scenario.given)
        known = opening(
            scenario.game,
            setting,
            study=self.study,
            title=self.title,
            question=self.question,
            seed=scenario.seed,
            first=scenario.first,
            count=self.count,
        )
        last = {"absent": {}, "health": list(self.checks), "findings": list(self.findings)}
        found: dict[str, Any] = rounded({**known, **self.body, **last})
        return found

    def frame(self, name: str) -> pd.DataFrame:
        """One table of the results, as `RunResult.frame`."""
        for table in self.tables:
            if table.spec.name == name:
                return table.frame()
        raise KeyError(f"no table is named {name!r}; tables: {', '.join(table.spec.name for table in self.tables)}")

    def write(self, folder: str | Path, command: str = "") -> Path:
        """Write the report folder, replacing an older report there whole or not at all; returns its path.
        Raises ReportError.
        """
        from analyzer.report.bundle import write_report

        return write_report(
            Path(folder),
            results=self.results,
            tables=list(self.tables),
            provenance=self._provenance(command),
            scenario=self.scenario.to_toml(),
            tallies=self.sealed_tallies(),
        )

    def sealed_tallies(self) -> str:
        """What `tallies.json` holds."""
        batches = {name: tallies.to_json() for name, tallies in self.tallies.items()}
        return sealed("study", {"study": self.study, "identity": identity(self.scenario), "batches": batches})

    def _provenance(self, command: str) -> dict[str, Any]:
        simulated = self.seconds.get("simulate", 0.0)
        return {
            **machine(command, self.scenario),
            "first": self.scenario.first,
            "count": self.count,
            "partial": self.partial,
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
            "deals_per_second": round(self.plays / simulated) if simulated > 0 else None,
            **self.timed,
        }


def outcome_of_arms(
    study: str,
    title: str,
    scenario: Scenario,
    work: ArmsWork,
    tallies: Tallies,
    player: Player,
    *,
    body: Mapping[str, Any],
    tables: tuple[TableResult, ...],
    findings: Iterable[Said],
) -> Outcome:
    """The outcome of a study that played several arms on the same deals; the way they were counted is checked."""
    return Outcome(
        study=study,
        scenario=scenario,
        title=title,
        question=scenario.question,
        count=tallies.units,
        body=body,
        tables=tables,
        findings=tuple(findings),
        tallies={"arms": tallies},
        seconds=player.seconds,
        plays=player.plays,
        partial=tallies.units < scenario.count,
        checks=(same_as_run(work, scenario.first, tallies.units, scenario.game.unit),),
    )


def machine(command: str, scenario: Scenario) -> dict[str, Any]:
    """Where and from what a report came about."""
    return {
        "analyzer": version("strategy-analyzer"),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "machine": platform.machine(),
        "stream": scenario.game.stream,
        "command": command,
        "scenario": scenario.name,
        "scenario_digest": scenario.digest(),
        "seed": scenario.seed,
    }


def records(tables: Sequence[TableResult]) -> dict[str, list[dict[str, Any]]]:
    """Tables as keys of `results.json`."""
    return {table.spec.name: table.records() for table in tables}
