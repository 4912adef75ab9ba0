"""When a run by precision ends: at the first look at which every win share of the headlines is known well enough.

The looks are places on a fixed grid of units, and what is seen there hangs on the totals alone; so the run ends at the
same unit however it was played. The sequences hold at all looks together, so ending at one of them is allowed.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from analyzer.games.common.grid import next_mark
from analyzer.games.spec import BatchSpec, Looks, Mean, Setting, TableSpec
from analyzer.report.counters import Counted
from analyzer.report.frames import evaluate, kept_rows
from analyzer.scenario.load import Scenario
from analyzer.sim.engine import Look
from analyzer.stats.sequential import LEAST_UNITS, expected_units


def looks_of(scenario: Scenario, spec: BatchSpec, setting: Setting) -> Looks | None:
    """How the means of a batch are estimated, if the run may end at any look; all of it is fixed before any unit is
    seen.
    """
    if scenario.precision is None or spec is not scenario.game.batches[0]:
        return None
    known = {
        table.headline(row, setting)
        for table in _headlines(scenario, setting)
        if table.headline
        for row in kept_rows(table, setting)
    }
    fair = 1 / len(setting.seats)
    guess = fair * (1 - fair)
    best_at = float(expected_units(guess, scenario.precision, scenario.confidence, comparisons=len(known)))
    return Looks(best_at, len(known), guess)


class Stopping:
    """The end of a scenario's run, whose main batch has this setting."""

    def __init__(self, scenario: Scenario, setting: Setting) -> None:
        assert scenario.precision is not None
        assert setting.looks is not None
        self.asked, self.limit = scenario.precision, scenario.count
        self._setting, self._looks = setting, setting.looks
        self._cycle = len(setting.table.arrangements)
        self._tables = _headlines(scenario, setting)

    @cached_property
    def look(self) -> Look:
        """Looks at a run, and whether it ends there."""

        return Look(self._after, lambda counted: self._enough(counted.tallies()))

    _seen = math.inf
    """What the last look found."""

    def expected(self, units: int) -> int:
        """Units after which it may end, as far as that can be told when so many are counted."""
        about = self._looks.best_at
        if self._seen < math.inf:
            about = units * (self._seen / self.asked) ** 2
        return min(self.limit, max(self._after(units), self._after(int(about))))

    def _enough(self, tallies: Counted) -> bool:
        """Whether to end after these units. A sequence is wider than two standard errors, which are found sooner."""
        errors = [
            float(np.max(found.se))
            for table in self._tables
            for found in evaluate(table, tallies, replace(self._setting, looks=None)).estimates.values()
        ]
        if not 2 * max(errors) <= self.asked:
            return False
        self._seen = self.widest(tallies)
        return self._seen <= self.asked

    def widest(self, tallies: Counted) -> float:
        """How far an interval of a headline reaches to one side at most."""
        reach = [0.0]
        for table in self._tables:
            for found in evaluate(table, tallies, self._setting).estimates.values():
                reach += [float(np.max(found.high - found.estimate)), float(np.max(found.estimate - found.low))]
        return math.inf if np.isnan(reach).any() else max(reach)

    def ended(self, tallies: Counted) -> bool:
        """Whether a run with these tallies is over."""
        on_grid = self._after(tallies.units - 1) == tallies.units
        return tallies.units >= self.limit or (on_grid and self._enough(tallies))

    def results(self, tallies: Counted) -> dict[str, Any]:
        """What `results.json` says of it."""
        widest, looks, at = self.widest(tallies), 0, self._after(0)
        while at <= tallies.units:
            looks, at = looks + 1, self._after(at)
        return {
            "asked": self.asked,
            "reached": widest <= self.asked,
            "widest": widest,
            "comparisons": self._looks.comparisons,
            "looks": looks,
            "limit": self.limit,
            "limit_reached": tallies.units >= self.limit,
            "whole_cycles": tallies.units % self._cycle == 0,
        }

    def _after(self, units: int) -> int:
        return next_mark(max(units, LEAST_UNITS - 1), self._cycle)


def _headlines(scenario: Scenario, setting: Setting) -> list[TableSpec]:
    """Tables whose win shares are waited for, with nothing but these."""
    found = []
    for table in scenario.game.tables:
        if table.headline and not (table.absent and table.absent(setting)):
            shares = tuple(
                column for column in table.columns if column.unit == "share" and isinstance(column.estimator, Mean)
            )
            found.append(replace(table, columns=shares, pictures=()))
    return found
