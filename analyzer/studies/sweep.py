"""The study "sweep": one or two keys of a scenario at several values, all on the same deals."""

from __future__ import annotations

import threading

from analyzer.scenario.variations import Variations
from analyzer.sim.engine import Workers
from analyzer.studies.outcome import Outcome, outcome_of_arms
from analyzer.studies.paired import Arms, Paired, joint, table_work
from analyzer.studies.player import Player
from analyzer.studies.run import Progress
from analyzer.studies.said import EFFECT, check_effect
from analyzer.studies.swept import SweepReport, Value
from analyzer.studies.swept_findings import findings


def check(variations: Variations, effect: float) -> None:
    """Raise ScenarioError where a variation has another size or seating, and for an effect that is none."""
    check_effect(effect)
    joint([variations.base, *(each.scenario for each in variations.variations)])


def sweep(
    variations: Variations,
    *,
    effect: float = EFFECT,
    jobs: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Outcome:
    """Play a scenario and its variations on the same deals, and compare each with the scenario as it is. Raises
    ScenarioError as `check`.
    """
    check(variations, effect)
    scenario = variations.base
    if progress:
        # Many tables of weights take their time.
        progress("compiling", 0, 1)
    scenarios = [scenario, *(each.scenario for each in variations.variations)]
    arms = Arms.of([table_work(each, table) for each, table in zip(scenarios, joint(scenarios), strict=True)])
    work, at = arms.work([(0, place) for place in range(1, len(scenarios))])
    values = [
        Value(each.labels, each.values, arm, pair)
        for each, arm, pair in zip(variations.variations, arms.index[1:], at, strict=True)
    ]
    with Player(jobs, workers, progress, stop) as player:
        player.prepare(scenario.game, work)
        tallies = player.count("arms", work, scenario.first, scenario.count).tallies()
    report = SweepReport(variations, Paired(work, tallies, scenario.confidence), values, effect)
    return outcome_of_arms(
        "sweep",
        f"{' and '.join(variations.keys)} varied: {scenario.title}",
        scenario,
        work,
        tallies,
        player,
        body=report.body(),
        tables=report.tables,
        findings=findings(report),
    )
