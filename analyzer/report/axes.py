"""What the pictures' axes have in common: value axes, category axes, boxes, panels in a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator
from numpy.typing import ArrayLike

from analyzer.report.numbers import number
from analyzer.report.panels import Panel
from analyzer.report.sheet import INK, LABEL, MUTED, RULE, TICK, WIDTH, Mark, Sheet, marks, text_width, widest, wrap

Side = Literal["x", "y"]

EDGE = 14.0
"""Empty px at the sheet's left and right."""
LINE = 14.0
"""Height of a line of tick text in px."""
LABEL_WIDTH = 290.0
"""Labels beside a horizontal picture are broken at this width; 40 letters stay on one line."""


def boxes(axes: Axes, x: ArrayLike, y: ArrayLike, width: ArrayLike, height: ArrayLike, **how: object) -> None:
    """Rectangles by their lower left corners, as one artist (hundreds of patches would be slow)."""
    left, low, wide, high = (part.ravel() for part in np.broadcast_arrays(x, y, width, height))
    corners = np.stack(
        [
            np.column_stack(pair)
            for pair in ((left, low), (left + wide, low), (left + wide, low + high), (left, low + high))
        ],
        axis=1,
    )
    axes.add_collection(PolyCollection(corners, **how), autolim=True)  # type: ignore[arg-type]


def tick_text(value: float, ticks: Sequence[float]) -> str:
    """A tick's number with as many digits as its neighbours need."""
    step = min((b - a for a, b in pairwise(ticks) if b > a), default=abs(value) or 1.0)
    digits = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    # A step of 2.5 needs a digit more than its size tells.
    digits += int(abs(round(step, digits) - step) > step * 1e-6)
    return number(value, digits)


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from `low` to `high`, evenly spaced, at most `most` intervals; the outermost may lie
    just beyond."""
    return [float(tick) for tick in MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)]


def value_axis(axes: Axes, side: Side, label: str, low: float, high: float, ticks: int = 6) -> None:
    """Limits, round ticks with plain numbers, faint rules, and a label with the unit, broken at the axis' length."""
    axis = axes.xaxis if side == "x" else axes.yaxis
    (axes.set_xlim if side == "x" else axes.set_ylim)(low, high)
    places = round_ticks(low, high, ticks)
    axis.set_ticks([tick for tick in places if low - 1e-12 <= tick <= high + 1e-12])
    axis.set_major_formatter(FuncFormatter(lambda value, _: tick_text(value, places)))
    axes.grid(axis=side, color=RULE, linewidth=0.7)
    axis.set_label_text(axis_label(label, axes.bbox.width if side == "x" else axes.bbox.height), fontsize=LABEL)


def axis_label(label: str, length: float) -> str:
    """The label of an axis of `length` px on at most three lines; if it needs several, the unit has its own."""
    words, bracket, unit = label.rpartition(" (")
    if not bracket or text_width(label, LABEL) <= length:
        return wrap(label, length, LABEL, lines=3)
    return f"{wrap(words, length, LABEL, lines=2)}\n({wrap(unit, length, LABEL, lines=1)}"


def value_limits(panels: Sequence[Panel], reference: float | None, *, zero: bool = False) -> tuple[float, float]:
    """Limits that hold every estimate and interval, with some air, and `reference`."""
    found = [part[np.isfinite(part)] for panel in panels for part in (panel.estimate, panel.low, panel.high)]
    values = np.concatenate([*found, [reference] if reference is not None else [], [0.0] if zero else []])
    if not values.size:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    air = 0.05 * (high - low) or abs(high) * 0.05 or 1.0
    return (low if zero and low == 0 else low - air), high + air


def category_axis(axes: Axes, side: Side, labels: Sequence[str], name: str, rotation: float = 0) -> None:
    """A tick at 0, 1, 2, ... for each label, half a step of air at both ends; rows run downwards on the y
    axis."""
    count = len(labels)
    axis = axes.xaxis if side == "x" else axes.yaxis
    axis.set_ticks(range(count), labels=list(labels), rotation=rotation)
    axis.set_minor_locator(NullLocator())
    axis.set_tick_params(length=0)
    axis.set_label_text(name, fontsize=LABEL)
    if side == "x":
        axes.set_xlim(-0.5, count - 0.5)
    else:
        axes.set_ylim(count - 0.5, -0.5)


def reference_line(axes: Axes, side: Side, value: float | None) -> None:
    """A dashed line to compare with, at a value of the axis `side`."""
    if value is not None:
        (axes.axvline if side == "x" else axes.axhline)(value, color=MUTED, linewidth=1, dashes=(4, 3), zorder=1)


def empty_note(axes: Axes, panel: Panel) -> None:
    """Says so where a panel has nothing to show."""
    if not np.isfinite(panel.estimate).any():
        axes.text(
            0.5,
            0.5,
            "nothing observed",
            transform=axes.transAxes,
            ha="center",
            va="center",
            color=MUTED,
            fontsize=LABEL,
            backgroundcolor="white",
        )


def fits_across(labels: Sequence[str], width: float, least: float = 0.0) -> bool:
    """Whether the labels stand side by side in `width` px, each having at least `least` px."""
    slot = width / max(1, len(labels))
    return slot >= least and widest(side_labels(labels, 9999)) + 7 <= slot


def upright(labels: Sequence[str], width: float) -> bool:
    """Whether the labels fit side by side when turned by a right angle."""
    return width / max(1, len(labels)) >= LINE and widest(side_labels(labels, 9999)) <= 110


def side_labels(labels: Sequence[str], width: float = LABEL_WIDTH, lines: int = 3) -> list[str]:
    """Labels broken to stand beside a picture."""
    return [wrap(label, width, lines=lines) for label in labels]


@dataclass(frozen=True)
class Grid:
    """Panels in rows and columns under the sheet's title; all lengths in px."""

    across: int
    left: float
    """Room for tick labels and the axis label, once a column of panels."""
    cell_width: float
    cell_height: float
    title_height: float
    below: float
    """Room for tick labels and axis label under each row of panels."""
    down: int

    @classmethod
    def plan(
        cls,
        count: int,
        left: float,
        height: float,
        *,
        across: int,
        titled: bool,
        lines: float = 1,
        right: float = EDGE,
        named: bool = True,
    ) -> Grid:
        """A grid of `count` panels, each `height` px high, tick labels of `lines` lines below."""
        across = min(across, max(1, count))
        width = (WIDTH - across * (left + right)) / across
        below = 8 + LINE * lines + (20 if named else 4)
        return cls(across, left, width, height, 22.0 if titled else 0.0, below, -(-count // across))

    @property
    def height(self) -> float:
        """All panels with their titles and labels."""
        return self.down * (self.title_height + self.cell_height + self.below) + 8

    def axes(self, sheet: Sheet, index: int, title: str) -> Axes:
        """The axes of panel `index`, titled."""
        row, column = divmod(index, self.across)
        left = column * (WIDTH / self.across) + self.left
        top = sheet.top + row * (self.title_height + self.cell_height + self.below) + 4
        if self.title_height:
            words = wrap(title, self.cell_width, LABEL, bold=True, lines=1)
            sheet.text(left, top + 14, words, size=LABEL, weight="bold", va="baseline", color=INK)
        return sheet.axes(left, top + self.title_height, self.cell_width, self.cell_height)


def legend_of(panels: Sequence[Panel], kind: str) -> list[tuple[str, Mark]]:
    """The series of all panels with their looks; nothing where the table has a single axis."""
    names = tuple(dict.fromkeys(name for panel in panels for name in panel.series))
    return [] if names == ("",) else list(zip(names, marks(kind, len(names)), strict=True))


def value_margin(label: str, limits: tuple[float, float], height: float) -> float:
    """Room left of a vertical value axis of `height` px: its widest tick text and its label turned upright."""
    ticks = round_ticks(*limits)
    lines = axis_label(label, height).count("\n") + 1
    return EDGE + max(text_width(tick_text(tick, ticks), TICK) for tick in ticks) + 12 + 16 * lines
