"""The study "solve": which value of a key brings a number to a target. A coarse grid first, then the middle of every
stretch in which the curve crosses the target, all on the same deals.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from analyzer.errors import ScenarioError
from analyzer.games.spec import Setting
from analyzer.scenario.load import Draft, Scenario, load_draft, refuse_precision
from analyzer.scenario.variations import Variation
from analyzer.sim.counters import CountersWork
from analyzer.sim.engine import Workers
from analyzer.sim.result import Tallies, group_sizes
from analyzer.stats.intervals import Bounds, Estimates, Floats
from analyzer.stats.jackknife import jackknife
from analyzer.stats.roots import Roots, next_values, roots
from analyzer.studies.batches import setting_of
from analyzer.studies.outcome import Outcome
from analyzer.studies.paired import Arms, joint, table_work
from analyzer.studies.player import Player
from analyzer.studies.run import Progress
from analyzer.studies.scale import Scale, scale_of
from analyzer.studies.solved import SolveReport
from analyzer.studies.targets import Target, parse_target

MOST = 200
"""Values played at most."""
GRID, REFINING = "arms", "refining"


@dataclass(frozen=True)
class Problem:
    """A scenario, the key that varies, and what its value is to bring about."""

    draft: Draft
    scenario: Scenario
    scale: Scale
    target: Target
    first: tuple[Variation, ...]
    """What is played first."""


@dataclass(frozen=True)
class Curve:
    """The number at the values played so far, which rise; from all units, then without each group."""

    x: tuple[float, ...] = ()
    values: tuple[Floats, ...] = ()
    n: tuple[Floats, ...] = ()

    def joined(self, x: Sequence[float], found: Sequence[tuple[Floats, Floats]]) -> Curve:
        """With further values."""
        more = [(at, values, n) for at, (values, n) in zip(x, found, strict=True)]
        rows = sorted([*zip(self.x, self.values, self.n, strict=True), *more], key=lambda row: row[0])
        return Curve(tuple(row[0] for row in rows), tuple(row[1] for row in rows), tuple(row[2] for row in rows))


@dataclass(frozen=True)
class Solution:
    """What was measured, and what follows."""

    curve: Curve
    first: int
    units: int
    target: Target
    confidence: float
    refused: tuple[float, ...] = field(default=())
    """Values that would have been next and cannot be played."""
    unfinished: str = ""
    """Why no further values were played, although some crossing is not yet between neighbours."""

    @property
    def _sizes(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return group_sizes(self.first, self.units)

    @property
    def _bounds(self) -> Bounds:
        return self.target.column.low, self.target.column.high

    def levels(self) -> Estimates:
        """The number at each value."""
        values, n = (np.stack(part, axis=1) for part in (self.curve.values, self.curve.n))
        return jackknife(values, self._sizes, n, self.confidence, self._bounds)

    def roots(self, comparisons: int = 1) -> Roots:
        """Where the curve takes the target, with intervals so many of which hold together."""
        values, n = (np.stack(part, axis=1) for part in (self.curve.values, self.curve.n))
        confidence = 1 - (1 - self.confidence) / comparisons
        return roots(self.curve.x, values, self.target.value, self._sizes, n, confidence, self._bounds)


def load_problem(
    source: str | Path,
    key: str,
    target: str,
    overrides: Sequence[str] = (),
    *,
    low: float | None = None,
    high: float | None = None,
    tolerance: float | None = None,
    count: int | None = None,
    first: int | None = None,
    seed: int | None = None,
) -> Problem:
    """The problem of a scenario (as `load_scenario`), all that is to be played first being checked. Raises
    ScenarioError.
    """
    draft = load_draft(source, overrides, count=count, first=first, seed=seed)
    scenario = draft.bare().scenario()
    refuse_precision(scenario, "solve")
    aim = parse_target(target, scenario.game, setting_of(scenario, scenario.game.batches[0]))
    scale = scale_of(draft, scenario, key, low, high, tolerance)
    grid = tuple(scale.at(draft, value) for value in scale.first())
    joint([scenario, *(each.scenario for each in grid)])
    return Problem(draft, scenario, scale, aim, grid)


def solve(
    problem: Problem,
    *,
    jobs: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Outcome:
    """Play and refine. What is stopped while it refines keeps what was whole before."""
    scenario, scale = problem.scenario, problem.scale
    rounds: dict[str, Tallies] = {}
    curve, solution, todo, played = Curve(), None, list(problem.first), 0
    refused: list[float] = []
    partial = False
    with Player(jobs, workers, progress, stop) as player:
        while todo:
            work, index, settings = _work(problem, todo)
            if solution is None:
                player.prepare(scenario.game, work)
            phase = f"{REFINING} {len(rounds)}" if rounds else GRID
            counted = player.count(phase, work, scenario.first, scenario.count, least=0 if rounds else 1)
            partial = counted.units < scenario.count
            if solution is not None and partial:
                solution = replace(solution, unfinished="it was interrupted")
                break
            tallies = counted.tallies()
            rounds[phase] = tallies
            played = tallies.units
            found = [
                problem.target.of(work.of_arm(tallies, place), setting)
                for place, setting in zip(index, settings, strict=True)
            ]
            curve = curve.joined([float(each.values[0]) for each in todo], found)
            solution = Solution(curve, scenario.first, played, problem.target, scenario.confidence)
            todo = [] if partial else list(_next(problem, solution, refused))
            if len(curve.x) + len(todo) > MOST:
                solution, todo = replace(solution, unfinished=f"{len(curve.x)} values are played already"), []
            solution = replace(solution, refused=tuple(refused))
        if progress:
            progress("report", 0, 1)
    assert solution is not None
    if partial and not solution.unfinished:
        solution = replace(solution, unfinished="it was interrupted")
    report = SolveReport(scenario, scale, problem.target, solution)
    return Outcome(
        study="solve",
        scenario=scenario,
        title=f"{scale.key} for {problem.target.text} = {problem.target.value_text}: {scenario.title}",
        question=scenario.question,
        count=played,
        body=report.body(),
        tables=report.tables,
        findings=tuple(report.findings()),
        tallies=rounds,
        seconds=player.seconds,
        plays=player.plays,
        partial=partial,
    )


def _work(problem: Problem, wanted: Sequence[Variation]) -> tuple[CountersWork, tuple[int, ...], list[Setting]]:
    """What is to be played for these values, where each stands in it, and what its formulas may know."""
    scenarios = [each.scenario for each in wanted]
    tables = joint([problem.scenario, *scenarios])[1:]
    arms = Arms.of([table_work(each, table) for each, table in zip(scenarios, tables, strict=True)])
    settings = [
        Setting(each.rules, table, each.seats, each.game.axes(each.rules, table), each.confidence, each.given)
        for each, table in zip(scenarios, tables, strict=True)
    ]
    names = sorted({name for each in settings for name in problem.target.counters(problem.scenario.game, each)})
    return CountersWork(arms.works, tuple(names)), arms.index, settings


def _next(problem: Problem, solution: Solution, refused: list[float]) -> Iterator[Variation]:
    """The values to play next; those that cannot be played go to `refused`."""
    scale = problem.scale
    middles = next_values(solution.roots(), scale.tolerance, whole=scale.whole)
    for value in sorted({scale.fit(middle) for middle in middles}):
        if value not in solution.curve.x and value not in refused:
            try:
                yield scale.at(problem.draft, value)
            except ScenarioError:
                refused.append(value)
