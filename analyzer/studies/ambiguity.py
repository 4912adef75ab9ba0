"""The study "ambiguity": every reading of the rules against those in force, on the same deals, at two tables.

The tables are a baseline, where the default policy sits in every seat, and a field of all presets. Both are played unit
by unit together, so that a study that ends early has the same units of each.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.scenario.load import Scenario
from analyzer.sim.engine import Workers
from analyzer.sim.joined import JoinedWork
from analyzer.studies.ambiguity_findings import findings
from analyzer.studies.ambiguity_report import AmbiguityReport, At
from analyzer.studies.checks import same_as_run
from analyzer.studies.outcome import Outcome
from analyzer.studies.paired import Arms, Paired, joint, table_work
from analyzer.studies.player import Player
from analyzer.studies.readings import FIELD, Readings
from analyzer.studies.run import Progress
from analyzer.studies.said import EFFECT, check_effect

CHECKED = 512
"""So many units of each table are played by both ways of counting."""


def ambiguity(
    readings: Readings,
    *,
    effect: float = EFFECT,
    jobs: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Outcome:
    """Play every reading and the rules in force on the same deals, and sort the readings by what they change. Raises
    ScenarioError for an `effect` that is none.
    """
    check_effect(effect)
    scenario = readings.baseline
    arms = {name: _arms(readings, name) for name in readings.tables}
    pairs = [(0, k + 1) for k in range(len(readings.readings))]
    works = {name: each.work(pairs) for name, each in arms.items()}
    whole = JoinedWork({name: work for name, (work, _) in works.items()})
    with Player(jobs, workers, progress, stop) as player:
        player.prepare(scenario.game, whole)
        counted = player.count("arms", whole, scenario.first, scenario.count).tallies()
    tallies = whole.apart(counted)
    at = {
        name: At(Paired(work, tallies[name], scenario.confidence), placed, by_policy=name == FIELD)
        for name, (work, placed) in works.items()
    }
    report = AmbiguityReport(readings, at, effect)
    return Outcome(
        study="ambiguity",
        scenario=scenario,
        title=scenario.title,
        question=scenario.question,
        count=counted.units,
        body=report.body(),
        tables=report.tables,
        findings=tuple(findings(report)),
        tallies=tallies,
        seconds=player.seconds,
        plays=player.plays,
        partial=counted.units < scenario.count,
        checks=tuple(_checks(scenario, at)),
    )


def _arms(readings: Readings, name: str) -> Arms:
    """The rules in force and every reading, at a table."""
    scenario = readings.tables[name]
    changed = [reading.at[name].scenario for reading in readings.readings]
    tables = joint([scenario, *changed])
    return Arms.of([table_work(each, table) for each, table in zip([scenario, *changed], tables, strict=True)])


def _checks(scenario: Scenario, at: Mapping[str, At]) -> Iterator[dict[str, Any]]:
    for name, each in at.items():
        paired = each.paired
        units = min(paired.tallies.units, CHECKED)
        where = "field" if name == FIELD else "baseline table"
        line = same_as_run(paired.work, scenario.first, units, scenario.game.unit)
        yield {
            **line,
            "name": f"{line['name']}_{name}",
            "title": f"Every reading at the {where} gives the numbers of a run of its own",
        }
