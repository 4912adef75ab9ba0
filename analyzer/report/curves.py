"""Pictures of lines over a numeric axis: running values, and curves over the values of a knob."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator, NullFormatter, NullLocator

from analyzer.games.spec import PictureSpec
from analyzer.report.axes import Grid, empty_note, legend_of, reference_line, value_axis, value_limits, value_margin
from analyzer.report.panels import Floats, Panel, early, reference, value_label
from analyzer.report.sheet import LABEL, OKABE_ITO, WIDTH, Mark, Sheet, widest, wrap

HEIGHT, LESS = 260.0, 200.0
"""Height of the axes in px, in one column and in two."""


def lines(panels: list[Panel], picture: PictureSpec, row_name: str) -> Figure:
    """Lines over a logarithmic numeric axis, with a band where there are intervals."""
    limits = [_line_limits(panels, panel, picture) for panel in panels]
    sheet, drawn, width = _drawn(panels, picture, limits, marked=False)
    places = _places(panels[0])
    for axes in drawn:
        _logarithmic(axes, places, row_name, width)
    return sheet.figure


def curve(panels: list[Panel], picture: PictureSpec, row_name: str) -> Figure:
    """Lines over a linear numeric axis, a mark at each of its values, with a band where there are intervals."""
    limits = []
    for panel in panels:
        same = [other for other in panels if other.column is panel.column]
        limits.append(value_limits(same, reference(picture, panel)))
    sheet, drawn, _ = _drawn(panels, picture, limits, marked=True)
    places = _places(panels[0])
    low, high = float(places.min()), float(places.max())
    air = 0.02 * (high - low) or 1.0
    for axes in drawn:
        value_axis(axes, "x", row_name, low - air, high + air, 10 if len(panels) <= 2 else 5)
    return sheet.figure


def _places(panel: Panel) -> Floats:
    return np.array([float(label) for label in panel.rows])


def _drawn(
    panels: list[Panel], picture: PictureSpec, limits: list[tuple[float, float]], *, marked: bool
) -> tuple[Sheet, list[Axes], float]:
    """The sheet with all but the axes along x, these, and their width in px."""
    legend = legend_of(panels, "dot" if marked else "line")
    looks = dict(legend) or {"": Mark("line", OKABE_ITO[0])}
    places = _places(panels[0])
    across = 1 if len(panels) <= 2 else 2
    height = HEIGHT if across == 1 else LESS
    words = [value_label(panel, picture) for panel in panels]
    left = max(value_margin(label, ends, height) for label, ends in zip(words, limits, strict=True))
    grid = Grid.plan(len(panels), left, height, across=across, titled=len(panels) > 1, right=36)
    sheet = Sheet(picture.title, legend, grid.height)
    drawn = []
    for index, panel in enumerate(panels):
        axes = grid.axes(sheet, index, panel.title)
        for column, name in enumerate(panel.series):
            _line(axes, panel, column, places, looks[name], marked)
        value_axis(axes, "y", words[index], *limits[index])
        reference_line(axes, "y", reference(picture, panel))
        empty_note(axes, panel)
        drawn.append(axes)
    return sheet, drawn, grid.cell_width


def _line(axes: Axes, panel: Panel, column: int, places: Floats, look: Mark, marked: bool) -> None:
    """One series with its band; what is not marked is, where it is a single place."""
    barred, seen = panel.bounded[:, column], np.isfinite(panel.estimate[:, column])
    if barred.any():
        low, high = (np.where(barred, part[:, column], np.nan) for part in (panel.low, panel.high))
        # Where many bands lie on each other their edges tell them apart.
        many = len(panel.series) > 2
        axes.fill_between(places, low, high, color=look.colour, alpha=0.07 if many else 0.18, linewidth=0)
        if many:
            axes.plot(places, np.column_stack([low, high]), color=look.colour, alpha=0.6, linewidth=0.7, dashes=(1, 1))
    axes.plot(
        places,
        panel.estimate[:, column],
        color=look.colour,
        linewidth=1.6,
        linestyle=look.dash,
        marker=look.marker if marked else "o" if seen.sum() == 1 else "",
        markersize=4,
    )


def _line_limits(panels: list[Panel], panel: Panel, picture: PictureSpec) -> tuple[float, float]:
    """Limits from the later half of the axis; panels of one column have one scale."""
    late = ~early(panel)
    same = [
        replace(p, estimate=p.estimate[late], low=p.low[late], high=p.high[late])
        for p in panels
        if p.column is panel.column
    ]
    return value_limits(same, reference(picture, panel))


def _logarithmic(axes: Axes, places: Floats, name: str, width: float) -> None:
    """Powers of ten in plain numbers, as many as fit."""
    positive = places[places > 0]
    low, high = (positive.min(), positive.max()) if positive.size else (1.0, 10.0)
    low, high = (low, high) if high > low else (low / 2, high * 2)
    axes.set_xscale("log")
    axes.set_xlim(low / (high / low) ** 0.02, high * (high / low) ** 0.02)
    powers = np.arange(np.ceil(np.log10(low) - 1e-9), np.floor(np.log10(high) + 1e-9) + 1)
    if powers.size < 2:
        ticks = np.array([low, high])
    else:
        widths = widest([f"{10**power:,.0f}" for power in powers]) + 12
        every = int(np.ceil(powers.size * widths / width))
        ticks = 10.0 ** powers[::-1][::every][::-1]
    axes.xaxis.set_major_locator(FixedLocator(ticks.tolist()))
    axes.xaxis.set_major_formatter(FixedFormatter([f"{tick:,.0f}" for tick in ticks]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(wrap(name, WIDTH), fontsize=LABEL)
