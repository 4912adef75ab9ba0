"""The study "plan": how many units a question needs, from a short pilot; and how long they take on this machine.

The numbers of units follow from the pilot's sums alone. What hangs on the machine, its speed and memory and what a
time budget buys, stands in `run.json` and is told on the terminal.
"""

from __future__ import annotations

import threading

from analyzer.errors import ScenarioError
from analyzer.scenario.load import Scenario
from analyzer.sim.engine import Workers
from analyzer.sim.work import Work
from analyzer.studies.batches import job_of, setting_of
from analyzer.studies.outcome import Outcome
from analyzer.studies.paired import Paired
from analyzer.studies.pilot import quantities_of_changes, quantities_of_run
from analyzer.studies.plan_here import here
from analyzer.studies.plan_report import PlanReport
from analyzer.studies.player import Player
from analyzer.studies.run import Progress
from analyzer.studies.what_if import compared

PILOT = 20_000
"""Units of the pilot, unless told otherwise."""
TIMED = 0.5
"""Seconds that the speed is measured for."""


def plan(
    scenario: Scenario,
    *,
    detect: float | None = None,
    budget: float | None = None,
    jobs: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Outcome:
    """Play the scenario's `count` units as a pilot, of its what-ifs if it has any and else of the scenario alone, and
    say how many are needed to tell a difference of win shares of `detect`, and what can be told within `budget`
    seconds. Raises ScenarioError.
    """
    check_question(detect, budget)
    spec = scenario.game.batches[0]
    arms, changes = compared(scenario) if scenario.what_ifs else (None, [])
    work: Work = arms or job_of(scenario, spec, scenario.count).work
    with Player(jobs, workers, progress, stop) as player:
        player.prepare(scenario.game, work)
        tallies = player.count("pilot", work, scenario.first, scenario.count).tallies()
        speed = player.speed(work, scenario.first + scenario.count, scenario.count, TIMED)
    if arms:
        found = list(quantities_of_changes(Paired(arms, tallies, scenario.confidence), changes, scenario))
    else:
        found = list(quantities_of_run(scenario, tallies, setting_of(scenario, spec)))
    report = PlanReport(scenario, tallies, found, detect)
    return Outcome(
        study="plan",
        scenario=scenario,
        title=f"How many are needed? {scenario.title}",
        question=scenario.question,
        count=tallies.units,
        body=report.body(),
        tables=report.tables,
        findings=tuple(report.findings()),
        tallies={"pilot": tallies},
        seconds=player.seconds,
        plays=player.plays,
        partial=tallies.units < scenario.count,
        timed={"timed": here(report, speed, budget)},
    )


def check_question(detect: float | None, budget: float | None) -> None:
    """Raise ScenarioError if nothing is asked, or what cannot be."""
    if detect is None and budget is None:
        raise ScenarioError("plan: say what is to be told (detect) or how long it may take (budget)")
    if detect is not None and not 0 < detect < 1:
        raise ScenarioError(f"detect: {detect:g} is not allowed; allowed: a win share between 0 and 1, such as 0.003")
    if budget is not None and not 0 < budget < float("inf"):
        raise ScenarioError(f"budget: {budget:g} is not allowed; allowed: seconds above 0")
