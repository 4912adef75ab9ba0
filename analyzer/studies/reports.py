"""A run's report folder, read back: its scenario, what was counted, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.errors import ScenarioError, TalliesError
from analyzer.report.numbers import counted
from analyzer.scenario.load import Scenario, load_scenario
from analyzer.sim.result import Tallies
from analyzer.studies.batches import job_of
from analyzer.studies.played import run_json, tallies_from, unsealed


@dataclass(frozen=True)
class Report:
    """What a report folder holds of a run."""

    folder: Path
    scenario: Scenario
    tallies: dict[str, Tallies]
    """Of each batch, by its name, the main one's first."""
    run: dict[str, Any]
    """`run.json`, empty where it cannot be read."""

    @property
    def main(self) -> Tallies:
        """The main batch."""
        return next(iter(self.tallies.values()))

    @property
    def end(self) -> int:
        """The first unit after the range."""
        return self.main.first + self.main.units

    @property
    def name(self) -> str:
        """The scenario's name where `run.json` tells it, else the folder's."""
        name = self.run.get("scenario")
        return name if isinstance(name, str) else self.folder.name


def read_report(folder: Path) -> Report:
    """The report of a run. Raises TalliesError when it cannot be read, is damaged, or was played by another version of
    the simulator.
    """
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
    looked = None if scenario.precision is None else [scenario.precision, scenario.confidence]
    for key, mine in (("confidence", scenario.confidence), ("looked", looked)):
        if content.get(key) != mine:
            raise TalliesError(f"{folder}: scenario.toml and tallies.json are not of one run: they differ in {key}")
    return Report(folder, scenario, tallies, run_json(folder))
