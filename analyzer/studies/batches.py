"""What a run consists of: the scenario's table, and side questions played beside it."""

from __future__ import annotations

from dataclasses import replace

from analyzer.games.policy import resolve_policies
from analyzer.games.spec import BatchSpec, Policy, Setting, Table
from analyzer.scenario.load import Scenario
from analyzer.scenario.seating import build_table
from analyzer.sim.engine import Job

MIRRORED = "′"
SIDE_PLAYS = 1_600_000
"""A side batch plays at most so many games, a second's work, which a user waits for after Ctrl-C too."""


def job_of(scenario: Scenario, spec: BatchSpec, counted: int) -> Job:
    """A batch of a run that counts `counted` units from the scenario's first on.

    A side batch has a part in those units that lie below its limit, whatever else they are played with: so the
    parts of a run add up to the same side batches as the whole.
    """
    table = table_of(scenario, spec)
    units = counted
    if spec.limit is not None:
        limit = min(spec.limit, max(1, SIDE_PLAYS // table.plays))
        units = max(0, min(scenario.first + counted, limit) - scenario.first)
    return Job(scenario.game, scenario.rules, table, scenario.seed, units, scenario.first, spec.probe)


def setting_of(scenario: Scenario, spec: BatchSpec) -> Setting:
    """What the tables of a batch may know."""
    table = table_of(scenario, spec)
    axes = scenario.game.axes(scenario.rules, table)
    return Setting(scenario.rules, table, scenario.seats, axes, scenario.confidence)


def table_of(scenario: Scenario, spec: BatchSpec) -> Table:
    """The table of a batch: the scenario's, one of `random`, or each policy against itself under a second name."""
    if spec.table == "main":
        return scenario.table
    n = len(scenario.seats)
    if spec.table == "random":
        random = resolve_policies(scenario.game, {}, ["random"])["random"]
        return build_table(["random"] * n, n, "fixed", {"random": random})
    pairs: list[Policy] = []
    arrangements = []
    for index, policy in enumerate(scenario.table.policies):
        pairs += [policy, replace(policy, name=policy.name + MIRRORED)]
        seats = [2 * index + seat % 2 for seat in range(n)]
        arrangements.append(tuple(tuple(seats[(seat - turn) % n] for seat in range(n)) for turn in range(n)))
    return Table(tuple(pairs), tuple(arrangements), "rotate")
