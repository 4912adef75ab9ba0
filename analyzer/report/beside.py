"""Two evaluations of one table side by side: both numbers of every row that both have, and their difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from analyzer.games.spec import ColumnSpec, Frequency, Quantile, Running, Spread
from analyzer.report.frames import Batch, TableResult, arm_of
from analyzer.stats.intervals import Bounds, Estimates, plain_values
from analyzer.stats.two_runs import Difference, LeftOut, certain, correlation, grouped, recovered

Sharing = Literal["paired", "overlapping", "separate"]
"""What two batches have in common: all their units, some, none."""


@dataclass(frozen=True)
class Side:
    """One table of one of two runs."""

    table: TableResult
    batch: Batch


def beside(a: Side, b: Side, sharing: Sharing, same: bool) -> tuple[TableResult, dict[str, Difference]]:
    """The table of both, and the differences by column, second less first, in the rows of that table: those that both
    have, in the first one's order. A column is there three times: `NAME_a`, `NAME_b` and, the difference, `NAME`.

    `same`: whether both were played by the same rules, policies and deals; then every difference is exactly 0. Raises
    ValueError when it is not.
    """
    known = set(b.table.rows)
    rows = tuple(row for row in a.table.rows if row in known)
    first, second = _chosen(a.table, rows), _chosen(b.table, rows)
    apart = sharing == "separate"
    arms = ({}, {}) if apart else (_arms(a, rows), _arms(b, rows))
    columns: list[ColumnSpec] = []
    estimates: dict[str, Estimates] = {}
    differences: dict[str, Difference] = {}
    for column in a.table.spec.columns:
        name, bounds = column.name, bounds_of(column)
        pair = (first[name], second[name])
        both = None if apart or name not in arms[0] else (arms[0][name], arms[1][name])
        found = _difference(column, pair, both, a.batch.setting.confidence)
        differences[name] = replace(found, found=certain(found.found)) if same else found
        low, high = bounds
        columns += [
            replace(column, name=f"{name}_a", label=f"{column.label}, A"),
            replace(column, name=f"{name}_b", label=f"{column.label}, B"),
            replace(column, label=f"{column.label}, B less A", low=low, high=high, estimator=None),
        ]
        estimates |= {f"{name}_a": pair[0], f"{name}_b": pair[1], name: differences[name].found}
    spec = replace(a.table.spec, columns=tuple(columns), pictures=())
    return TableResult(spec, rows, estimates), differences


def bounds_of(column: ColumnSpec) -> Bounds:
    """Smallest and largest difference of two values of a column."""
    if isinstance(column.estimator, Frequency):
        return -1.0, 1.0
    if column.low is None or column.high is None:
        return None, None
    return column.low - column.high, column.high - column.low


def _difference(
    column: ColumnSpec,
    pair: tuple[Estimates, Estimates],
    arms: tuple[LeftOut, LeftOut] | None,
    confidence: float,
) -> Difference:
    a, b = pair
    bounds = bounds_of(column)
    if isinstance(column.estimator, Spread | Running):
        # Spreads are both too large by chance, and running shares are looked at too often for an interval of this kind.
        return Difference(plain_values(b.estimate - a.estimate, np.minimum(a.n, b.n)), np.full(a.n.shape, np.nan))
    if arms is None:
        return recovered(a, b, bounds)
    if isinstance(column.estimator, Quantile):
        return recovered(a, b, bounds, correlation(*arms))
    return grouped(*arms, confidence, bounds)


def _chosen(table: TableResult, rows: tuple[tuple[str, ...], ...]) -> Mapping[str, Estimates]:
    places = [table.rows.index(row) for row in rows]
    return {name: column.map(lambda part: part[places]) for name, column in table.estimates.items()}


def _arms(side: Side, rows: tuple[tuple[str, ...], ...]) -> dict[str, LeftOut]:
    return arm_of(replace(side.table, rows=rows), side.batch.tallies, side.batch.setting)
