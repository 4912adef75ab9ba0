"""What a pilot measures: how much a unit varies in each number that a question is about, and how much it would in two
runs of their own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from analyzer.games.common.seating import places
from analyzer.games.spec import Mean, Setting, TableSpec
from analyzer.report.frames import evaluate, kept_rows, means_by_group
from analyzer.scenario.load import Scenario
from analyzer.sim.arms import WHOLE, Row
from analyzer.sim.result import Tallies
from analyzer.stats.intervals import Bounds, Estimates
from analyzer.stats.moments import variance
from analyzer.studies.changes import Change
from analyzer.studies.paired import SHARE_CHANGES, SHARES, WIN, Paired

PAIRS, BY_POLICY = "pairs", "by_policy"
"""Tables that every game has."""


@dataclass(frozen=True)
class Quantity:
    """A win share, or a difference of win shares, that a question is about; scalars."""

    who: str
    what_if: str
    """The name of the what-if; empty for a question about one run."""
    measured: Estimates
    """The difference, as the pilot shows it."""
    variance: Estimates
    """Of a unit played, in this experiment."""
    bounds: Bounds
    """Of a unit's number less what it is compared with."""
    apart: Estimates | None
    """The same with runs of their own for both sides; None where there is one side alone."""


def quantities_of_changes(paired: Paired, changes: list[Change], scenario: Scenario) -> Iterator[Quantity]:
    """The change of every win share under each what-if; those that are one number are told once, and what is constant
    not at all.
    """
    rows = paired.work.rows
    distinct: dict[int, Row] = {rows[WHOLE]: WHOLE}
    for row, place in rows.items():
        distinct.setdefault(place, row)
    names = [policy.name for policy in paired.work.arms[0].table.policies]
    # Few units hold a row of a field.
    shares = paired.tallies.grouped["units"].sum(0) / paired.tallies.units
    for change in changes:
        for place, row in distinct.items():
            if row == WHOLE or change.whole is None:
                continue
            found = [
                paired.change_variance(change.whole, [row], WIN),
                paired.variance(0, [row], WIN),
                paired.variance(change.changed_arm, [row], WIN),
            ]
            change_of, before, after = (_times(_at(each, 0), 1 / shares[place]) for each in found)
            yield Quantity(
                _who(row, names, scenario.seats),
                change.what_if.name,
                _at(paired.change(change.whole, [row], WIN), 0),
                change_of,
                SHARE_CHANGES,
                _sum(before, after),
            )


def _who(row: Row, names: list[str], seats: tuple[str, ...]) -> str:
    policy, seat = row
    if policy < 0 or (seat >= 0 and len(names) == 1):
        return f"seat {seats[seat]}"
    return names[policy] if seat < 0 else f"{names[policy]} in seat {seats[seat]}"


def quantities_of_run(scenario: Scenario, tallies: Tallies, setting: Setting) -> Iterator[Quantity]:
    """How far every win share of a run lies from that of equals, and how far policies lie apart."""
    whole = places(setting.table, -1, -1)
    told: set[Hashable] = {whole}
    fair = 1 / len(setting.seats)
    tables = [table for table in scenario.game.tables if not (table.absent and table.absent(setting))]
    by_policy: dict[tuple[str, ...], tuple[Estimates, Estimates]] = {}
    for table in (table for table in tables if table.headline):
        found = _by_row(table, tallies, setting)
        by_policy |= found if table.name == BY_POLICY else {}
        for row, (measured, varies) in found.items():
            assert table.headline is not None
            of = table.headline(row, setting)
            if of not in told:
                told.add(of)
                who = ", ".join(
                    f"{axis.replace('_', ' ')} {label}" for axis, label in zip(table.axes, row, strict=True)
                )
                gap = replace(
                    measured, estimate=measured.estimate - fair, low=measured.low - fair, high=measured.high - fair
                )
                yield Quantity(f"{who} − fair share", "", gap, varies, SHARES, None)
    for table in (table for table in tables if table.name == PAIRS):
        found = _by_row(table, tallies, setting)
        for (row, (measured, varies)), (a, b) in zip(found.items(), combinations(setting.policies, 2), strict=True):
            yield Quantity(row[0], "", measured, varies, SHARE_CHANGES, _sum(by_policy[a,][1], by_policy[b,][1]))


def _by_row(table: TableSpec, tallies: Tallies, setting: Setting) -> dict[tuple[str, ...], tuple[Estimates, Estimates]]:
    """Of a table's win shares the estimate and the variance of a unit played."""
    column = next(c for c in table.columns if c.unit == "share" and isinstance(c.estimator, Mean))
    estimates = evaluate(replace(table, columns=(column,), pictures=()), tallies, setting).estimates[column.name]
    total, squares, n, scale = means_by_group(table, column, tallies, setting)
    bounds = SHARE_CHANGES if column.low == SHARE_CHANGES[0] else SHARES
    found = {}
    for at, row in enumerate(kept_rows(table, setting)):
        units = n[:, at].astype(np.int64)
        varies = variance(total[:, at], squares[:, at], units, float(scale[at]), setting.confidence, bounds)
        share = int(units.sum()) / tallies.units
        found[row] = (_at(estimates, at), _times(varies, 1 / share if share else np.nan))
    return found


def _at(found: Estimates, place: int) -> Estimates:
    return found.map(lambda part: part[place])


def _times(found: Estimates, factor: float) -> Estimates:
    """Variance of a unit of which only some are in the row, as that of all of them."""
    return Estimates(found.estimate * factor, found.low * factor, found.high * factor, found.se * factor, found.n)


def _sum(one: Estimates, other: Estimates) -> Estimates:
    """Sum of two variances; its interval has the sums of both ends, and is rather too wide than too narrow."""
    unknown = np.full(one.estimate.shape, np.nan)
    return Estimates(one.estimate + other.estimate, one.low + other.low, one.high + other.high, unknown, one.n)
