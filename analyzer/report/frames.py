"""From counters to tables of estimates: tallies in, DataFrames and rows of `results.json` out.

What a game declares as formulas over counters (`TableSpec`) is evaluated here with its intervals. Formulas of
ratios, frequencies, quantiles and spreads see float64 counters whose leading dimension of 65 holds the total and its 64
leave-one-group-out variants. The `total`, `squares` and `n` of a mean see the total alone, as Python integers
(dtype object, leading dimension 1): squares of points leave the 53 bits of a float64 long before 10^9 units,
and a variance is their small difference.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyzer.games.spec import (
    ColumnSpec,
    Frequency,
    LuckPart,
    Mean,
    Of,
    PictureSpec,
    Quantile,
    Ratio,
    Running,
    Setting,
    Spread,
    TableSpec,
)
from analyzer.report import numbers
from analyzer.report.counters import Counted, counters_by_group, counters_of, exact_counters
from analyzer.report.sequences import RUNNING, explained, sequence
from analyzer.stats.decomposition import Luck, decompose
from analyzer.stats.families import spread
from analyzer.stats.intervals import Estimates, Floats, mean_of_squares, wilson
from analyzer.stats.jackknife import jackknife
from analyzer.stats.luck_sums import LuckSums
from analyzer.stats.quantiles import quantile, share_below, woodruff
from analyzer.stats.ranks import ranks_of_values
from analyzer.stats.two_runs import LeftOut

PARTS = ("low", "high", "se", "n", "under_equal")
"""What stands beside an estimate, in the order of a DataFrame's columns."""


@dataclass(frozen=True)
class Batch:
    """One simulation of a run: what was counted, and what its tables may know."""

    tallies: Counted
    setting: Setting


@dataclass(frozen=True)
class Words:
    """A column of words, one text a row: a verdict, a command."""

    label: str
    texts: tuple[str, ...]
    items: tuple[Any, ...] | None = None
    """What stands in `results.json` instead of the texts."""


@dataclass(frozen=True)
class TableResult:
    """A table's rows (labels, one an axis) and estimates (1-D, aligned with the rows); columns of words come last."""

    spec: TableSpec
    rows: tuple[tuple[str, ...], ...]
    estimates: Mapping[str, Estimates]
    words: Mapping[str, Words] = field(default_factory=dict)

    def records(self) -> list[dict[str, Any]]:
        """Rows as they stand in `results.json`: labels by axis, then an estimate a column."""
        return [
            dict(zip(self.spec.axes, labels, strict=True))
            | {name: column.item(index) for name, column in self.estimates.items()}
            | {name: (column.items or column.texts)[index] for name, column in self.words.items()}
            for index, labels in enumerate(self.rows)
        ]

    def frame(self) -> pd.DataFrame:
        """The same numbers flat: axis columns, then for each column itself, `_low`, `_high`, `_se`, `_n`; a
        spread has `_under_equal` too."""
        columns: dict[str, Any] = {
            axis: [labels[place] for labels in self.rows] for place, axis in enumerate(self.spec.axes)
        }
        for name, column in self.estimates.items():
            items = [column.item(index) for index in range(len(self.rows))]
            parts = [part for part in PARTS if part != "under_equal" or column.under_equal is not None]
            columns[name] = _column([item["estimate"] for item in items])
            for part in parts:
                values = [item[part] for item in items]
                columns[f"{name}_{part}"] = np.array(values, dtype=np.int64) if part == "n" else _column(values)
        columns |= {name: list(column.texts) for name, column in self.words.items()}
        return pd.DataFrame(columns)


def evaluate(spec: TableSpec, tallies: Counted, setting: Setting) -> TableResult:
    """The table's estimates with their intervals, from what was counted.

    `setting` is that of the batch that was counted. Raises ValueError when a formula's shape does not fit the
    rows.
    """
    labels = [setting.axes[axis] for axis in spec.axes]
    shape = tuple(len(axis) for axis in labels)
    rows = list(itertools.product(*labels))
    kept = [place for place, row in enumerate(rows) if spec.keep is None or spec.keep(row, setting)]
    counters = _Counters(counters_of(tallies), exact_counters(tallies), tallies, setting)
    full = {
        column.name: counters.estimates(column, shape, f"table {spec.name}, column {column.name}")
        for column in spec.columns
    }
    if spec.drop_empty:
        seen = np.any([column.n.reshape(-1) > 0 for column in full.values()], axis=0)
        kept = [place for place in kept if seen[place]]
    estimates = {name: column.map(lambda part: part.reshape(-1)[kept]) for name, column in full.items()}
    drawn = tuple(
        _resolved(picture, setting) for picture in spec.pictures if not picture.shown or picture.shown(setting)
    )
    columns = tuple(explained(column, setting) for column in spec.columns)
    words = {"rank": counters.places(spec, kept)} if spec.ranked and len(kept) > 1 else {}
    shown = replace(spec, pictures=drawn, columns=columns)
    return TableResult(shown, tuple(rows[place] for place in kept), estimates, words)


def kept_rows(spec: TableSpec, setting: Setting) -> list[tuple[str, ...]]:
    """Labels of the rows that the table has, whatever was counted."""
    rows = itertools.product(*(setting.axes[axis] for axis in spec.axes))
    return [row for row in rows if spec.keep is None or spec.keep(row, setting)]


def means_by_group(
    spec: TableSpec, column: ColumnSpec, tallies: Counted, setting: Setting
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], Floats]:
    """Of a column of means: totals, squares and units (64, kept rows) by group of units, and what a unit's number is
    divided by (kept rows).
    """
    assert isinstance(column.estimator, Mean)
    how, where = column.estimator, f"table {spec.name}, column {column.name}"
    shape = tuple(len(setting.axes[axis]) for axis in spec.axes)
    rows, kept = list(itertools.product(*(setting.axes[axis] for axis in spec.axes))), kept_rows(spec, setting)
    at = [rows.index(row) for row in kept]
    groups = counters_by_group(tallies)
    sums = (
        fitted(np.asarray(part(groups, setting), dtype=object), shape, where, len(tallies.group_units))
        for part in (how.total, how.squares, how.n)
    )
    total, squares, n = (part.reshape(len(part), -1)[:, at] for part in sums)
    counters = _Counters(counters_of(tallies), exact_counters(tallies), tallies, setting)
    return total, squares, n, counters.scale(how, shape, where).reshape(-1)[at]


def arm_of(result: TableResult, tallies: Counted, setting: Setting) -> dict[str, LeftOut]:
    """Of each column of an evaluated table the values without each group, rows as in `result`, to compare with another
    run's. Of a quantile it is the share below its estimate. Columns whose error no group tells of are not there.
    """
    labels = [setting.axes[axis] for axis in result.spec.axes]
    shape = tuple(len(axis) for axis in labels)
    place = {row: index for index, row in enumerate(itertools.product(*labels))}
    kept = [place[row] for row in result.rows]
    counters = _Counters(counters_of(tallies), exact_counters(tallies), tallies, setting)
    groups = np.asarray(tallies.group_units, dtype=np.int64)
    found = {}
    for column in result.spec.columns:
        parts = counters.left_out(column, shape, f"table {result.spec.name}, column {column.name}")
        if parts is not None:
            values, n = (part.reshape(len(groups) + 1, -1)[:, kept] for part in parts)
            found[column.name] = LeftOut(values, groups, n)
    return found


def _resolved(picture: PictureSpec, setting: Setting) -> PictureSpec:
    """The picture with its line to compare with as a number."""
    return replace(picture, reference=picture.reference_of(setting)) if picture.reference_of else picture


def evaluate_tables(
    specs: Sequence[TableSpec], batches: Mapping[str, Batch]
) -> tuple[dict[str, TableResult], dict[str, str]]:
    """Every table that this run has, and for the others the reason why not, by name."""
    tables: dict[str, TableResult] = {}
    absent: dict[str, str] = {}
    for spec in specs:
        batch = batches.get(spec.batch)
        if batch is None:
            absent[spec.name] = f"the batch {spec.batch!r} that it is counted in was not simulated"
        elif reason := spec.absent(batch.setting) if spec.absent else None:
            absent[spec.name] = reason
        else:
            tables[spec.name] = evaluate(spec, batch.tallies, batch.setting)
    return tables, absent


@dataclass(frozen=True)
class _Counters:
    floats: Mapping[str, Floats]
    exact: Mapping[str, NDArray[Any]]
    tallies: Counted
    setting: Setting

    def places(self, spec: TableSpec, kept: Sequence[int]) -> Words:
        """Each kept row's place by the ranked column, as the range of places that it may truly have."""
        how = next(column.estimator for column in spec.columns if column.name == spec.ranked)
        assert isinstance(how, Mean), f"table {spec.name} is ranked by {spec.ranked}, which is no mean"
        where, shape = f"table {spec.name}, places", (len(self.setting.axes[spec.axes[0]]),)
        n, total, scale = (self._real(part, shape, where)[:, kept] for part in (how.n, how.total, how.scale))
        with np.errstate(all="ignore"):
            values = total / (n * scale)
        groups = np.asarray(self.tallies.group_units, dtype=np.int64)
        found = ranks_of_values(values, groups, n, self.setting.confidence)
        ranges = list(zip(found.place.tolist(), found.best.tolist(), found.worst.tolist(), strict=True))
        items = tuple({"place": place, "best": best, "worst": worst} for place, best, worst in ranges)
        return Words("Place", tuple(numbers.place_range(best, worst) for _, best, worst in ranges), items)

    def estimates(self, column: ColumnSpec, shape: tuple[int, ...], where: str) -> Estimates:
        confidence, bounds = self.setting.confidence, (column.low, column.high)
        groups = np.asarray(self.tallies.group_units, dtype=np.int64)
        how = column.estimator
        if isinstance(how, Mean):
            total, squares, n = (self._whole(part, shape, where) for part in (how.total, how.squares, how.n))
            scale = self.scale(how, shape, where)
            if self.setting.looks:
                return sequence(total, squares, n, scale, confidence, bounds, self.setting.looks)
            return mean_of_squares(total, squares, n, scale, confidence, bounds)
        if isinstance(how, Running):
            total, squares, n = (self._whole(part, shape, where) for part in (how.total, how.squares, how.n))
            scale, looks = self._real(how.scale, shape, where)[0], self.setting.looks or RUNNING
            # Of marks that the run did not reach nothing is said.
            total, squares = np.where(n > 0, total, 0), np.where(n > 0, squares, 0)
            return sequence(total, squares, n, scale, confidence, bounds, looks)
        assert how is not None, f"{where} has no estimator"
        if isinstance(how, LuckPart):
            return self._luck.share if how.of == "share" else self._luck.variance
        n = self._real(how.n, shape, where)
        if isinstance(how, Frequency):
            return wilson(self._real(how.successes, shape, where)[0], n[0], confidence)
        if isinstance(how, Ratio):
            return jackknife(self._real(how.value, shape, where), groups, n, confidence, bounds)
        if isinstance(how, Quantile):
            edges = how.edges(self.setting)
            histogram = self._longer(how.histogram, shape, "quantile", where)
            if histogram.shape[-1] != len(edges) - 1:
                raise ValueError(f"{where}: {histogram.shape[-1]} cells have {len(edges)} edges")
            return woodruff(histogram, edges, how.level, groups, n, confidence)
        assert isinstance(how, Spread)
        return spread(self._longer(how.value, shape, "spread", where), groups, n, confidence, column.high)

    def left_out(self, column: ColumnSpec, shape: tuple[int, ...], where: str) -> tuple[Floats, Floats] | None:
        """Values (1 + groups, *shape) and the observations behind them; see `arm_of`."""
        how = column.estimator
        if how is None or isinstance(how, Spread | Running | LuckPart):
            return None
        n = self._real(how.n, shape, where)
        if isinstance(how, Ratio):
            return self._real(how.value, shape, where), n
        if isinstance(how, Quantile):
            histogram, edges = self._longer(how.histogram, shape, "quantile", where), how.edges(self.setting)
            return share_below(histogram, edges, quantile(histogram[0], edges, how.level)), n
        with np.errstate(all="ignore"):
            if isinstance(how, Frequency):
                return self._real(how.successes, shape, where) / n, n
            return self._real(how.total, shape, where) / (n * self._real(how.scale, shape, where)), n

    @cached_property
    def _luck(self) -> Luck:
        sums = LuckSums(**self.tallies.grouped)
        return decompose(sums, self.setting.table.arrangements, 1.0, self.setting.confidence)

    def scale(self, how: Mean, shape: tuple[int, ...], where: str) -> Floats:
        """What a unit's number is divided by."""
        return np.asarray(self._real(how.scale, shape, where)[0])

    def _real(self, formula: Of, shape: tuple[int, ...], where: str) -> Floats:
        # A row without observations divides by 0; the estimators turn what comes of it into "not known".
        with np.errstate(all="ignore"):
            value = np.asarray(formula(self.floats, self.setting), dtype=np.float64)
        return fitted(value, shape, where, len(self.tallies.group_units) + 1)

    def _longer(self, formula: Of, shape: tuple[int, ...], what: str, where: str) -> Floats:
        """A formula with one axis more than the rows have."""
        with np.errstate(all="ignore"):
            value = np.asarray(formula(self.floats, self.setting), dtype=np.float64)
        if value.ndim != len(shape) + 2:
            raise ValueError(f"{where}: a {what} needs one axis more than {shape}, found {value.shape[1:]}")
        return fitted(value, (*shape, value.shape[-1]), where)

    def _whole(self, formula: Of, shape: tuple[int, ...], where: str) -> NDArray[Any]:
        value = np.asarray(formula(self.exact, self.setting), dtype=object)
        whole = fitted(value, shape, where, 1)
        return whole.reshape(shape)


def fitted(value: NDArray[Any], shape: tuple[int, ...], where: str, leading: int | None = None) -> NDArray[Any]:
    """`value` spread over the rows: one number, one a leading index, or one a leading index and row."""
    lead = value.shape[0] if leading is None else leading
    wide = value.reshape(-1, *(1 for _ in shape)) if value.ndim <= 1 else value
    if wide.ndim != len(shape) + 1:
        raise ValueError(f"{where}: {value.shape} does not fit rows of shape {shape}")
    try:
        return np.broadcast_to(wide, (lead, *shape))
    except ValueError:
        raise ValueError(f"{where}: {value.shape} does not fit rows of shape {shape}") from None


def _column(values: list[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
