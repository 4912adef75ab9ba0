"""A table's rows laid out for a picture: panels of rows × series, in the unit shown, NaN where there is no
number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from analyzer.games.spec import ColumnSpec, PictureSpec
from analyzer.report import numbers
from analyzer.report.tables import heading

if TYPE_CHECKING:
    from analyzer.report.frames import TableResult

Floats = NDArray[np.float64]
Labels = tuple[str, ...]


@dataclass(frozen=True)
class Panel:
    """One set of axes. Arrays have the shape (rows, series)."""

    title: str
    column: ColumnSpec
    rows: Labels
    series: Labels
    """One empty label when the table has a single axis."""
    estimate: Floats
    low: Floats
    high: Floats
    of_columns: bool = False
    """Whether rows or series are columns of the table (`column` is the first of them)."""

    @property
    def label(self) -> str:
        """What the numbers are, with their unit."""
        if self.of_columns:
            return heading(numbers.unit_name(self.column))
        return numbers.with_unit(self.column.label, numbers.unit_name(self.column))

    @property
    def headline(self) -> str:
        """The label, and which of several panels this is."""
        part = self.title.removeprefix(self.column.label).removeprefix(": ")
        return f"{self.label}: {part}" if part else self.label

    @property
    def bounded(self) -> NDArray[np.bool_]:
        """Where there is an interval."""
        return np.isfinite(self.low) & np.isfinite(self.high)

    @property
    def unclear(self) -> NDArray[np.bool_]:
        """Where the interval includes 0, or there is none: the sign is not known."""
        with np.errstate(invalid="ignore"):
            return ~((self.low > 0) | (self.high < 0))

    def numbers_shown(self) -> list[list[str]]:
        """Every estimate as text with the digits its interval deserves; empty where there is none."""
        ends = list(zip(self.low.ravel().tolist(), self.high.ravel().tolist(), strict=True))
        digits = numbers.column_digits(ends)
        texts = [
            numbers.value_and_interval(value, low, high, places)[0] if np.isfinite(value) else ""
            for value, (low, high), places in zip(self.estimate.ravel().tolist(), ends, digits, strict=True)
        ]
        across = len(self.series)
        return [texts[start : start + across] for start in range(0, len(texts), across)]


def panels(result: TableResult, picture: PictureSpec) -> list[Panel]:
    """The picture's panels: one a column and a combination of the axes that rows and series leave over.

    Rows are the first axis and series the second; of a histogram rows are the last axis, and every other
    makes panels; the one axis of a heat is split in two (`PictureSpec.cell`); a stacked table of one axis
    has its columns as series, and so has a table without axes; axes can be joined (`PictureSpec.joined`). Raises
    KeyError for a column that the table has not.
    """
    known = {column.name: column for column in result.spec.columns}
    columns = [known[name] for name in picture.columns]
    axes, rows = result.spec.axes, list(result.rows)
    if not axes or (picture.kind == "stacked" and len(axes) == 1):
        return [_of_columns(result, columns, picture)]
    kept = 2 if picture.kind == "heat" else 1
    if picture.joined and len(axes) > kept:
        rows, axes = _joined(rows, axes, kept), axes[: kept + 1]
    order = list(range(len(axes)))
    if picture.kind == "heat" and len(axes) == 1:
        split = picture.cell or (lambda label: (label[:-1], label[-1:]))
        rows, order = [split(row[0]) for row in rows], [0, 1]
    elif picture.kind == "histogram":
        order = [order[-1], *order[:-1]]
    used = 1 if picture.kind == "histogram" else 2
    labels = [tuple(dict.fromkeys(row[axis] for row in rows)) for axis in order]
    rest = list(product(*labels[used:]))
    across = labels[1] if used == 2 and len(labels) > 1 else ("",)
    made = []
    for column, others in product(columns, rest):
        name = ", ".join(others)
        title = name if len(columns) == 1 else ": ".join(part for part in (column.label, name) if part)
        arrays = [np.full((len(labels[0]), len(across)), np.nan) for _ in range(3)]
        at = {
            (*key, *others): (i, j) for (i, key0) in enumerate(labels[0]) for j, key in enumerate(_keys(key0, across))
        }
        estimates, factor = result.estimates[column.name], numbers.factor(column.unit)
        for index, row in enumerate(rows):
            place = at.get(tuple(row[axis] for axis in order))
            if place is not None:
                for array, source in zip(arrays, (estimates.estimate, estimates.low, estimates.high), strict=True):
                    array[place] = source[index] * factor
        estimate, low, high = arrays
        made.append(Panel(title, column, labels[0], across, estimate, low, high))
    return made


def _joined(rows: Sequence[Labels], axes: Labels, kept: int) -> list[Labels]:
    """Rows whose labels after the first `kept` are one, made of those that are not the same in every row; a bare number
    has its axis' name before it."""
    varies = [place for place in range(kept, len(axes)) if len({row[place] for row in rows}) > 1] or [kept]

    def told(place: int, label: str) -> str:
        return f"{axes[place]} {label}" if label.isdigit() else label

    return [(*row[:kept], ", ".join(told(place, row[place]) for place in varies)) for row in rows]


def whole(panel_list: Sequence[Panel], panel: Panel, picture: PictureSpec) -> Floats:
    """What sets the colours of a heat map's panel: its own values, or those of all joined panels of its column."""
    same = [other for other in panel_list if other.column is panel.column] if picture.joined else [panel]
    return np.concatenate([other.estimate for other in same])


def _keys(first: str, across: Labels) -> list[Labels]:
    """(row, series) label pairs; of a single axis the row's label alone."""
    return [(first,)] if across == ("",) else [(first, second) for second in across]


def _of_columns(result: TableResult, columns: Sequence[ColumnSpec], picture: PictureSpec) -> Panel:
    """Columns side by side: series of stacked bars, or the rows of a table without axes."""
    factor = numbers.factor(columns[0].unit)
    estimate, low, high = (
        np.array([getattr(result.estimates[column.name], part) for column in columns], dtype=np.float64) * factor
        for part in ("estimate", "low", "high")
    )
    labels = tuple(column.label for column in columns)
    if picture.kind != "stacked":
        return Panel("", columns[0], labels, ("",), estimate, low, high, of_columns=True)
    rows = tuple(" ".join(row) for row in result.rows)
    return Panel("", columns[0], rows, labels, estimate.T, low.T, high.T, of_columns=True)


def first_axis_label(result: TableResult, picture: PictureSpec) -> str:
    """What runs along the first axis: the picture's own words or the axis' name."""
    axes = result.spec.axes
    if picture.x_label or not axes:
        return picture.x_label
    return heading(axes[-1] if picture.kind == "histogram" else axes[0])


def series_label(result: TableResult, picture: PictureSpec) -> str:
    """What the second axis of a heat map is."""
    axes = result.spec.axes
    return picture.y_label or (heading(axes[1]) if len(axes) > 1 else "")


def value_label(panel: Panel, picture: PictureSpec) -> str:
    """What the values are, with the unit; `y_label` of the picture, if given, says it in other words."""
    unit = numbers.unit_name(panel.column)
    if panel.of_columns and not picture.y_label:
        return heading(unit)
    return numbers.with_unit(picture.y_label or panel.column.label, unit)


def colour_limit(values: Floats) -> tuple[float, bool]:
    """Where the colours of a diverging heat map end, and whether values lie beyond.

    One cell in twenty may lie beyond when the largest would leave the others pale (more than three times
    them); the cells carry their numbers.
    """
    sizes = np.sort(np.abs(values[np.isfinite(values)]))
    if not sizes.size or sizes[-1] == 0:
        return 1.0, False
    usual = sizes[: -max(1, sizes.size // 20)]
    if usual.size and usual[-1] > 0 and sizes[-1] > 3 * usual[-1]:
        return float(usual[-1]), True
    return float(sizes[-1]), False


def visible(panel_list: Sequence[Panel]) -> tuple[int, int]:
    """First and one past the last row of a histogram that can be seen: a bar of at least 1/1000 of the
    highest."""
    heights = np.column_stack([panel.estimate for panel in panel_list])
    peak = np.nanmax(heights, initial=0.0)
    seen = np.flatnonzero((np.nan_to_num(heights) >= peak / 1000).any(axis=1)) if peak > 0 else np.array([], dtype=int)
    return (int(seen[0]), int(seen[-1]) + 1) if seen.size else (0, heights.shape[0])


def reference(picture: PictureSpec, panel: Panel) -> float | None:
    """The value to compare with, in the unit shown: the picture's own, or 0 for differences."""
    if picture.reference is None:
        return 0.0 if picture.diverging else None
    return picture.reference * numbers.factor(panel.column.unit)


def early(panel: Panel) -> NDArray[np.bool_]:
    """Rows in the first half of a logarithmic axis, where a running mean swings too far to set the scale."""
    places = np.array([float(label) for label in panel.rows])
    mask: NDArray[np.bool_] = np.less(places, np.sqrt(places.max(initial=1.0) * max(places.min(initial=np.inf), 1.0)))
    return mask
