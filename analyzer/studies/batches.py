"""What a run consists of: the scenario's table, and side questions played beside it."""

from __future__ import annotations

from dataclasses import replace

from analyzer.games.policy import resolve_policies
from analyzer.games.spec import BatchSpec, CounterSpec, Given, Policy, Setting, Table
from analyzer.scenario.load import Scenario
from analyzer.scenario.seating import build_table
from analyzer.sim.engine import Job
from analyzer.sim.luck import COUNTERS
from analyzer.studies.precision import looks_of

MIRRORED = "′"
SIDE_PLAYS = 1_600_000
"""A side batch plays at most so many games, a second's work, which a user waits for after Ctrl-C too."""
MOST_LINE_UPS = 70
"""Line-ups of a field by which luck is told from skill, as many as eight policies make: sums are kept of each."""


def job_of(scenario: Scenario, spec: BatchSpec, counted: int) -> Job:
    """A batch of a run that counts `counted` units from the scenario's first on.

    A side batch has a part in those units that lie below its limit, whatever else they are played with: so the
    parts of a run add up to the same side batches as the whole.
    """
    table = table_of(scenario, spec)
    units = counted
    if spec.limit is not None:
        limit = min(spec.limit, max(1, SIDE_PLAYS // plays_in(scenario, spec)))
        units = max(0, min(scenario.first + counted, limit) - scenario.first)
    return Job(
        scenario.game,
        scenario.rules,
        table,
        scenario.seed,
        units,
        scenario.first,
        spec.probe,
        spec.twice,
        given=given_in(scenario, spec),
    )


def setting_of(scenario: Scenario, spec: BatchSpec) -> Setting:
    """What the tables of a batch may know."""
    table = table_of(scenario, spec)
    axes = dict(scenario.game.axes(scenario.rules, table))
    if spec.twice:
        axes |= {"lineup": _numbers(len(table.arrangements)), "play": _numbers(table.plays)}
    given = given_in(scenario, spec)
    setting = Setting(scenario.rules, table, scenario.seats, axes, scenario.confidence, given)
    return replace(setting, looks=looks_of(scenario, spec, setting))


def given_in(scenario: Scenario, spec: BatchSpec) -> Given:
    """What seats are given in a batch: what the scenario says, but random players are dealt freely, since they are
    there to be held against known odds.
    """
    return () if spec.table == "random" else scenario.given


def plays_in(scenario: Scenario, spec: BatchSpec) -> int:
    """Plays of a unit in a batch."""
    return table_of(scenario, spec).plays * (2 if spec.twice else 1)


def counters_of(scenario: Scenario, spec: BatchSpec) -> tuple[CounterSpec, ...]:
    """What is counted in a batch."""
    return COUNTERS if spec.twice else scenario.game.counters


def table_of(scenario: Scenario, spec: BatchSpec) -> Table:
    """The table of a batch, see `BatchSpec.table`."""
    if spec.table == "main":
        return scenario.table
    if spec.table == "rotated":
        return _rotated(scenario.table)
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


def _rotated(table: Table) -> Table:
    """The table with every different rotation of its line-ups; of a field with very many, evenly spaced ones."""
    every = len(table.arrangements)
    line_ups = [table.arrangements[k * every // min(every, MOST_LINE_UPS)][0] for k in range(min(every, MOST_LINE_UPS))]
    turned = tuple(
        tuple(dict.fromkeys(line_up[-turn:] + line_up[:-turn] for turn in range(len(line_up)))) for line_up in line_ups
    )
    return Table(table.policies, turned, "rotate")


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(count))
