"""The study "what if": changes of rules or policies, each against the scenario as it is, on the same deals.

A change is split in layers that add up, deal by deal: *re-score*, the same plays scored by the new rules; *re-play*,
the rest of it, since policies see the new rules. The third, *re-adapt*, needs policies tuned for the new rules.
"""

from __future__ import annotations

import threading

from analyzer.errors import ScenarioError
from analyzer.scenario.load import Scenario, refuse_precision
from analyzer.sim.arms import ArmsWork
from analyzer.sim.engine import Workers
from analyzer.studies.change_findings import findings
from analyzer.studies.changes import Change, ChangeReport
from analyzer.studies.outcome import Outcome, outcome_of_arms
from analyzer.studies.paired import Arms, Paired, joint, table_work
from analyzer.studies.player import Player
from analyzer.studies.run import Progress
from analyzer.studies.said import EFFECT, check_effect


def what_if(
    scenario: Scenario,
    *,
    effect: float = EFFECT,
    jobs: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Outcome:
    """Play a scenario and each of its what-ifs on the same deals, and compare. Raises ScenarioError when it has none,
    or one of another size or seating.
    """
    if not scenario.what_ifs:
        raise ScenarioError(
            f"{scenario.name}: asks no what-if; give one with --set KEY=VALUE, or write [[what_if]] into the file"
        )
    refuse_precision(scenario, "what-if")
    check_effect(effect)
    work, changes = compared(scenario)
    with Player(jobs, workers, progress, stop) as player:
        player.prepare(scenario.game, work)
        tallies = player.count("arms", work, scenario.first, scenario.count).tallies()
    paired = Paired(work, tallies, scenario.confidence)
    report = ChangeReport(scenario, paired, changes, effect)
    return outcome_of_arms(
        "what-if",
        f"What if? {scenario.title}",
        scenario,
        work,
        tallies,
        player,
        body=report.body(),
        tables=report.tables,
        findings=findings(report),
    )


def compared(scenario: Scenario) -> tuple[ArmsWork, list[Change]]:
    """What is to be played for the what-ifs of a scenario, and where in it each has its arms. Raises ScenarioError."""
    tables = joint([scenario, *(each.scenario for each in scenario.what_ifs)])
    base = table_work(scenario, tables[0])
    wanted, pairs, reasons = [base], [], []
    for each, table in zip(scenario.what_ifs, tables[1:], strict=True):
        reason = unsplit(scenario, each.scenario)
        changed = table_work(each.scenario, table)
        rescored = changed if reason else table_work(each.scenario, table, scenario.rules)
        wanted += [rescored, changed]
        pairs += [(0, len(wanted) - 1), (0, len(wanted) - 2), (len(wanted) - 2, len(wanted) - 1)]
        reasons.append(reason)
    arms = Arms.of(wanted)
    work, at = arms.work(pairs)
    return work, [
        Change(each, at[3 * k], at[3 * k + 1], at[3 * k + 2], arms.index[2 * k + 2], reason, (tables[0], tables[k + 1]))
        for k, (each, reason) in enumerate(zip(scenario.what_ifs, reasons, strict=True))
    ]


def unsplit(base: Scenario, changed: Scenario) -> str:
    """Why the same plays cannot be scored by the changed rules; empty if they can."""
    if base.listing != changed.listing or base.table.policies != changed.table.policies:
        return "who plays, or how, changes, and not the score of what was played"
    for knob in base.game.knobs:
        if base.rules[knob.key] == changed.rules[knob.key]:
            continue
        if knob.touches != ("score",):
            what = " and ".join(part for part in knob.touches if part != "score")
            return f"rules.{knob.key} touches the {what}, and not only the score of what was played"
        if knob.ends:
            return f"rules.{knob.key} can change when a {base.game.unit} is over, so other plays follow or fall away"
    return ""
