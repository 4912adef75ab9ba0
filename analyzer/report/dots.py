"""Pictures along a value axis: intervals and histograms."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analyzer.games.spec import PictureSpec
from analyzer.report.axes import (
    EDGE,
    LABEL_WIDTH,
    LINE,
    Grid,
    axis_label,
    boxes,
    category_axis,
    empty_note,
    fits_across,
    legend_of,
    reference_line,
    side_labels,
    value_axis,
    value_limits,
    value_margin,
)
from analyzer.report.panels import Panel, reference, value_label, visible
from analyzer.report.sheet import BEHIND, INK, OKABE_ITO, SMALL, WIDTH, Mark, Sheet, widest

HEIGHT = 260.0
"""Height of a single picture's axes in px."""
DOT_STEP = 10.0
"""px between the dots of neighbouring series."""


def intervals(panels: list[Panel], picture: PictureSpec, row_name: str) -> Figure:
    """A dot with its interval for each row and series; rows along x where their labels fit, else
    downwards."""
    legend = legend_of(panels, "dot")
    looks = dict(legend) or {"": Mark("dot", OKABE_ITO[0])}
    titled = len(panels) > 1
    rows = panels[0].rows
    across = 1 if len(panels) <= 2 else 2
    limits = [_shared_limits(panels, panel, picture) for panel in panels]
    words = [value_label(panel, picture) for panel in panels]
    left = max(value_margin(label, ends, HEIGHT) for label, ends in zip(words, limits, strict=True))
    grid = Grid.plan(len(panels), left, HEIGHT, across=across, titled=titled, named=bool(row_name))
    if fits_across(rows, grid.cell_width, least=DOT_STEP * len(looks) + 10):
        sheet = Sheet(picture.title, legend, grid.height)
        for index, panel in enumerate(panels):
            axes = grid.axes(sheet, index, panel.title)
            category_axis(axes, "x", side_labels(rows, 9999), row_name)
            value_axis(axes, "y", words[index], *limits[index])
            _dots(axes, panel, looks, grid.cell_width / len(rows), down=False, compare=reference(picture, panel))
        return sheet.figure
    labels = side_labels(rows, LABEL_WIDTH)
    steps = max(DOT_STEP * len(looks) + 10, LINE * (1 + max(label.count("\n") for label in labels)) + 5)
    left = EDGE + widest(labels) + 8
    # A line of the axis label is a little higher than one of the ticks.
    below = 1 + 1.3 * max(axis_label(label, WIDTH - left - EDGE).count("\n") for label in words)
    grid = Grid.plan(len(panels), left, steps * len(rows) + 6, across=1, titled=titled, lines=below)
    sheet = Sheet(picture.title, legend, grid.height)
    for index, panel in enumerate(panels):
        axes = grid.axes(sheet, index, panel.title)
        category_axis(axes, "y", labels, "")
        value_axis(axes, "x", words[index], *limits[index])
        _dots(axes, panel, looks, steps, down=True, compare=reference(picture, panel))
    return sheet.figure


def _shared_limits(panels: list[Panel], panel: Panel, picture: PictureSpec) -> tuple[float, float]:
    """Panels of one column have one scale."""
    same = [other for other in panels if other.column is panel.column]
    return value_limits(same, reference(picture, panel))


def _dots(axes: Axes, panel: Panel, looks: dict[str, Mark], slot: float, *, down: bool, compare: float | None) -> None:
    """Dots and interval bars of one panel; the series stand beside each other within a row's slot of `slot`
    px."""
    reference_line(axes, "x" if down else "y", compare)
    names = list(looks)
    step = min(DOT_STEP * 1.6, (slot - 18) / max(1, len(names) - 1)) / slot if len(names) > 1 else 0.0
    if len(names) > 1:
        for row in range(1, len(panel.rows), 2):
            (axes.axhspan if down else axes.axvspan)(row - 0.5, row + 0.5, color="#f5f5f5", zorder=0, linewidth=0)
    for column, name in enumerate(panel.series):
        look = looks[name]
        place = np.arange(len(panel.rows)) + (names.index(name) - (len(names) - 1) / 2) * step
        seen, barred = np.isfinite(panel.estimate[:, column]), panel.bounded[:, column]
        lines = axes.hlines if down else axes.vlines
        lines(
            place[barred],
            panel.low[barred, column],
            panel.high[barred, column],
            color=look.colour,
            linewidth=2,
        )
        caps = np.concatenate([panel.low[barred, column], panel.high[barred, column]])
        twice = np.concatenate([place[barred], place[barred]])
        ends = (caps, twice) if down else (twice, caps)
        # The caps are wider than the dot: an interval too narrow to stick out of it still shows.
        axes.plot(*ends, linestyle="", marker="|" if down else "_", color=look.colour, markersize=7)
        dots = (panel.estimate[seen, column], place[seen]) if down else (place[seen], panel.estimate[seen, column])
        axes.plot(
            *dots,
            linestyle="",
            marker=look.marker,
            color=look.colour,
            markersize=5.5,
            markeredgecolor="white",
            markeredgewidth=0.6,
        )
    if len(names) == 1 and not down:
        _values(axes, panel, slot)
    empty_note(axes, panel)


def _values(axes: Axes, panel: Panel, slot: float) -> None:
    """The number beside each dot, where all of them fit."""
    texts = [row[0] for row in panel.numbers_shown()]
    if widest(texts, SMALL) + 10 > slot / 2:
        return
    for place, text in enumerate(texts):
        if text:
            height = panel.estimate[place, 0]
            axes.annotate(
                text,
                (place, height),
                (9, 0),
                textcoords="offset points",
                bbox=BEHIND,
                va="center_baseline",
                fontsize=SMALL,
            )


def histogram(panels: list[Panel], picture: PictureSpec, row_name: str) -> Figure:
    """Bars over a numeric axis, one panel a combination of the other axes, all on the same scales."""
    places = np.array([float(label.removesuffix("+")) for label in panels[0].rows])
    width = float(np.diff(np.sort(places)).min()) if places.size > 1 else 1.0
    first, last = visible(panels)
    top = value_limits(panels, reference(picture, panels[0]), zero=True)
    across = 1 if len(panels) <= 2 else 2 if len(panels) <= 8 else 3
    height = HEIGHT if len(panels) == 1 else 150.0 if across < 3 else 110.0
    left = value_margin(value_label(panels[0], picture), top, height)
    grid = Grid.plan(len(panels), left, height, across=across, titled=len(panels) > 1)
    sheet = Sheet(picture.title, [], grid.height)
    for index, panel in enumerate(panels):
        axes = grid.axes(sheet, index, panel.title)
        seen = np.isfinite(panel.estimate[:, 0])
        boxes(
            axes,
            places[seen] - width / 2,
            0,
            width,
            panel.estimate[seen, 0],
            facecolor=OKABE_ITO[0],
            edgecolor="white",
            linewidth=0.5 if grid.cell_width / max(1, last - first) > 4 else 0,
        )
        barred = panel.bounded[:, 0] & seen
        axes.vlines(places[barred], panel.low[barred, 0], panel.high[barred, 0], color=INK, linewidth=1)
        value_axis(
            axes, "x", row_name, places[first] - 0.6 * width, places[last - 1] + 0.6 * width, 10 if across == 1 else 6
        )
        axes.grid(visible=False, axis="x")
        value_axis(axes, "y", value_label(panel, picture), *top, 6 if height > 200 else 4)
        reference_line(axes, "y", reference(picture, panel))
        empty_note(axes, panel)
    return sheet.figure
