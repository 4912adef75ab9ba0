"""Arms on the same deals: which have to be played, and the estimates that their sums give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import ScenarioError
from analyzer.games.spec import Rules, Table
from analyzer.scenario.load import Scenario
from analyzer.scenario.model import Seating
from analyzer.scenario.seating import joint_tables
from analyzer.sim.arms import ArmsWork, Row
from analyzer.sim.result import Tallies
from analyzer.sim.work import TableWork
from analyzer.stats.intervals import UNBOUNDED, Bounds, Estimates, mean_of_squares, stacked
from analyzer.stats.jackknife import left_out
from analyzer.stats.moments import ratio, variance
from analyzer.stats.paired import changed_share, difference, difference_sums, variance_ratio

WIN, POINTS = 0, 1
"""Quantities of `ArmsWork`."""
TWELFTHS = 12
SHARES: Bounds = (0.0, 1.0)
SHARE_CHANGES: Bounds = (-1.0, 1.0)


def joint(scenarios: Sequence[Scenario]) -> list[Table]:
    """Tables of the scenarios, the first being the baseline, in which a place means the same. Raises ScenarioError
    where that cannot be.
    """
    base = scenarios[0]
    for other in scenarios[1:]:
        for what, mine, its in (
            ("rules' number of seats", len(base.seats), len(other.seats)),
            ("table.seating", base.table.seating, other.table.seating),
            ("table's number of policies", len(base.listing), len(other.listing)),
        ):
            if mine != its:
                raise ScenarioError(
                    f"the {what} changes from {mine} to {its}, and then no place at one table is that of the other; "
                    "run both, and set the reports side by side with `compare`"
                )
    policies = [{policy.name: policy for policy in each.table.policies} for each in scenarios]
    seating = cast(Seating, base.table.seating)
    return joint_tables([each.listing for each in scenarios], policies, len(base.seats), seating)


def table_work(scenario: Scenario, table: Table, seen: Rules | None = None) -> TableWork:
    """A scenario's work at a joint table."""
    return TableWork(scenario.game, scenario.rules, table, scenario.seed, seen=seen, given=scenario.given)


@dataclass(frozen=True)
class Arms:
    """Arms, each played once however often it is named."""

    works: tuple[TableWork, ...]
    """Distinct by digest."""
    index: tuple[int, ...]
    """Of each arm asked for, its place among the works."""

    @classmethod
    def of(cls, wanted: Sequence[TableWork]) -> Arms:
        """The distinct ones among these arms, in order."""
        places: dict[str, int] = {}
        works: list[TableWork] = []
        for work in wanted:
            if places.setdefault(work.prepared.digest(), len(works)) == len(works):
                works.append(work)
        return cls(tuple(works), tuple(places[work.prepared.digest()] for work in wanted))

    def work(self, pairs: Sequence[tuple[int, int]]) -> tuple[ArmsWork, list[int | None]]:
        """What is to be played for the differences between these pairs of arms asked for, and where each stands; None
        for a pair that is one and the same work.
        """
        distinct = [(self.index[first], self.index[second]) for first, second in pairs]
        played = list(dict.fromkeys(pair for pair in distinct if pair[0] != pair[1]))
        return ArmsWork(self.works, tuple(played)), [
            played.index(pair) if pair in played else None for pair in distinct
        ]


@dataclass(frozen=True)
class Paired:
    """Estimates from the sums of arms; rows as in `ArmsWork.rows`, quantity `WIN` (a share) or `POINTS`."""

    work: ArmsWork
    tallies: Tallies
    confidence: float

    def _scale(self, rows: Sequence[Row], quantity: int) -> tuple[NDArray[np.object_], NDArray[np.float64]]:
        """(rows,) units in which each row sits, and by what a unit's number is divided."""
        places = [self.work.rows[row] for row in rows]
        units = self.tallies.grouped["units"].sum(0)[places]
        held = np.array([int(self.work.plays_of[row].max()) for row in rows], np.float64)
        return units, held * (TWELFTHS if quantity == WIN else 1)

    def level(self, arm: int, rows: Sequence[Row], quantity: int) -> Estimates:
        """Mean of an arm (place among the works) in each row."""
        units, scale = self._scale(rows, quantity)
        sums = self._sums(arm, rows, quantity).sum(0)
        bounds = SHARES if quantity == WIN else UNBOUNDED
        return mean_of_squares(sums[:, 0], sums[:, 1], units, scale, self.confidence, bounds)

    def change(self, pair: int | None, rows: Sequence[Row], quantity: int) -> Estimates:
        """Mean difference of a pair in each row, second less first."""
        units, scale = self._scale(rows, quantity)
        bounds = SHARE_CHANGES if quantity == WIN else UNBOUNDED
        if pair is None:
            zeros = np.zeros(len(rows), object)
            return difference(zeros, zeros, units, scale, self.confidence, bounds, same=True)
        first, second = (self._sums(arm, rows, quantity).sum(0) for arm in self.work.pairs[pair])
        products = self._products(pair, rows, quantity).sum(0)
        total, squares = difference_sums(first[:, 0], first[:, 1], second[:, 0], second[:, 1], products[:, 0])
        return difference(total, squares, units, scale, self.confidence, bounds, changed=products[:, 1])

    def without(self, arm: int, rows: Sequence[Row], quantity: int) -> NDArray[np.float64]:
        """(65, rows) an arm's means from all units, then without each group: for the jackknife."""
        _, scale = self._scale(rows, quantity)
        return ratio(left_out(self._sums(arm, rows, quantity)[..., 0]), self.units_without(rows)) / scale

    def units_without(self, rows: Sequence[Row]) -> NDArray[np.object_]:
        """(65, rows) units in which each row sits, all of them, then without each group."""
        return left_out(self.tallies.grouped["units"][:, [self.work.rows[row] for row in rows]])

    def worth(self, pair: int | None, rows: Sequence[Row], quantity: int) -> Estimates:
        """What pairing was worth in each row: ratio of the variances of the difference, unpaired over paired."""
        if pair is None:
            unknown = np.full(len(rows), np.nan)
            return Estimates(unknown, unknown, unknown, unknown, self._scale(rows, quantity)[0].astype(np.int64))
        first, second = (self._sums(arm, rows, quantity) for arm in self.work.pairs[pair])
        products = self._products(pair, rows, quantity)
        sums = (first[..., 0], first[..., 1], second[..., 0], second[..., 1], products[..., 0])
        units = self.tallies.grouped["units"][:, [self.work.rows[row] for row in rows]].astype(np.int64)
        found = []
        for place in range(len(rows)):
            a, aa, b, bb, ab = (part[:, place] for part in sums)
            found.append(variance_ratio(a, aa, b, bb, ab, units[:, place], self.confidence))
        return stacked(found)

    def variance(self, arm: int, rows: Sequence[Row], quantity: int) -> Estimates:
        """Variance of a unit of an arm in each row."""
        return self._variances(self._sums(arm, rows, quantity), rows, quantity, SHARES)

    def change_variance(self, pair: int, rows: Sequence[Row], quantity: int) -> Estimates:
        """Variance of a unit's difference of a pair in each row."""
        first, second = (self._sums(arm, rows, quantity) for arm in self.work.pairs[pair])
        products = self._products(pair, rows, quantity)
        sums = difference_sums(first[..., 0], first[..., 1], second[..., 0], second[..., 1], products[..., 0])
        return self._variances(np.stack(sums, axis=-1), rows, quantity, SHARE_CHANGES)

    def _variances(self, sums: NDArray[np.object_], rows: Sequence[Row], quantity: int, bounds: Bounds) -> Estimates:
        """`sums` (groups, rows, 2): totals and squares."""
        scale = self._scale(rows, quantity)[1]
        units = self.tallies.grouped["units"].astype(np.int64)
        return stacked(
            [
                variance(
                    sums[:, place, 0],
                    sums[:, place, 1],
                    units[:, self.work.rows[row]],
                    float(scale[place]),
                    self.confidence,
                    bounds if quantity == WIN else UNBOUNDED,
                )
                for place, row in enumerate(rows)
            ]
        )

    def winner_changed(self, pair: int | None) -> Estimates:
        """Scalar: share of plays whose winner changed."""
        plays, units = self.work.arms[0].plays, self.tallies.units
        if pair is None:
            return changed_share(0, units, self.confidence, same=True)
        total, squares = self.tallies.grouped["changed"].sum(0)[pair]
        if plays == 1:
            return changed_share(int(total), units, self.confidence)
        return mean_of_squares(total, squares, units, plays, self.confidence, SHARES)

    def most_changed(self, pair: int | None) -> list[tuple[int, int]]:
        """The most changed units, each with its most changed play."""
        if pair is None:
            return []
        return [(int(unit), int(play)) for change, unit, play in self.tallies.plain["most_changed"][pair] if change > 0]

    def _sums(self, arm: int, rows: Sequence[Row], quantity: int) -> NDArray[np.object_]:
        return self.tallies.grouped["sums"][:, arm, quantity, [self.work.rows[row] for row in rows]]

    def _products(self, pair: int, rows: Sequence[Row], quantity: int) -> NDArray[np.object_]:
        return self.tallies.grouped["products"][:, pair, quantity, [self.work.rows[row] for row in rows]]
