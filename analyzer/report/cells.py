"""Pictures made of boxes: heat maps and stacked bars."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, ListedColormap, Normalize, to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from analyzer.games.spec import PictureSpec
from analyzer.report.axes import (
    EDGE,
    LABEL_WIDTH,
    LINE,
    Grid,
    boxes,
    category_axis,
    empty_note,
    fits_across,
    reference_line,
    round_ticks,
    side_labels,
    tick_text,
    upright,
    value_axis,
    value_limits,
    value_margin,
)
from analyzer.report.panels import Floats, Panel, colour_limit, reference, value_label, whole
from analyzer.report.sheet import BEHIND, INK, MUTED, SMALL, WIDTH, Sheet, ink_on, marks, text_width, widest

BAR = 86.0
"""Room for a colour bar, its ticks and its label."""
PALE = 0.7
"""How much white goes into a cell whose sign is not known."""


def heat(panels: list[Panel], picture: PictureSpec, row_name: str, series_name: str) -> Figure:
    """Coloured cells with their numbers where these fit; first axis along x unless only the other way round
    has room."""
    rows, series = panels[0].rows, panels[0].series
    room = WIDTH - 2 * EDGE - BAR - 40
    beside = room - widest(side_labels(series))
    turned = not (fits_across(rows, beside) or upright(rows, beside))
    x_labels, y_labels = (series, rows) if turned else (rows, series)
    x_name, y_name = (series_name, row_name) if turned else (row_name, series_name)
    rows_beside = side_labels(y_labels)
    left = EDGE + widest(rows_beside) + (26 if y_name else 8)
    width = WIDTH - left - EDGE - BAR
    flat = fits_across(x_labels, width)
    below = side_labels(x_labels, 9999 if flat else 110, lines=1)
    lines = 1.0 if flat else (widest(below) + 4) / LINE
    cell = max(34.0 if len(y_labels) <= 8 else 22.0, LINE * (1 + max(label.count("\n") for label in rows_beside)) + 4)
    grid = Grid.plan(
        len(panels),
        left,
        cell * len(y_labels),
        across=1,
        titled=True,
        lines=lines,
        right=EDGE + BAR,
        named=bool(x_name),
    )
    sheet = Sheet(picture.title, [], grid.height)
    for index, panel in enumerate(panels):
        axes = grid.axes(sheet, index, panel.headline)
        category_axis(axes, "x", below, x_name, 0 if flat else 90)
        category_axis(axes, "y", rows_beside, y_name)
        axes.spines[:].set_visible(False)
        scale = _scale(panel, whole(panels, panel, picture), picture)
        _cells(axes, panel, scale, picture.diverging, turned, width / len(x_labels))
        if np.isfinite(panel.estimate).any():
            _colour_bar(sheet, axes, scale)
        empty_note(axes, panel)
    return sheet.figure


@dataclass(frozen=True)
class Scale:
    """Which colour a value has."""

    low: float
    high: float
    colours: Colormap
    extend: Literal["neither", "both", "min", "max"]
    """Where values lie beyond the ends."""

    def colour(self, value: float) -> tuple[float, float, float]:
        """Red, green and blue of a value, that of the nearer end beyond the scale."""
        place = (value - self.low) / (self.high - self.low)
        red, green, blue, _ = self.colours(min(1.0, max(0.0, place)))
        return red, green, blue


def _scale(panel: Panel, values: Floats, picture: PictureSpec) -> Scale:
    """Colours round 0 (or the reference) with equal reach on both sides, or from the smallest to the
    largest of `values`."""
    middle = reference(picture, panel)
    if middle is None:
        same = replace(panel, estimate=values, low=values, high=values)
        return Scale(*value_limits([same], None), colormaps["cividis"], "neither")
    reach, beyond = colour_limit(values - middle)
    over = beyond and bool(np.nanmax(values) > middle + reach)
    under = beyond and bool(np.nanmin(values) < middle - reach)
    extend: Literal["neither", "both", "min", "max"]
    extend = "both" if over and under else "max" if over else "min" if under else "neither"
    return Scale(middle - reach, middle + reach, _diverging(), extend)


@cache
def _diverging() -> Colormap:
    """Purple to orange (ColorBrewer, safe for colour-blind readers) without its nearly black ends."""
    return ListedColormap(colormaps["PuOr_r"](np.linspace(0.08, 0.92, 256)))


def _cells(axes: Axes, panel: Panel, scale: Scale, diverging: bool, turned: bool, width: float) -> None:
    """The cells of one panel, `width` px wide each. Where the sign is not known the colour is pale and the
    number grey; where numbers do not fit, such cells have a dot instead."""
    texts = panel.numbers_shown()
    room = widest([text for row in texts for text in row], SMALL) + 4 <= width
    unclear = panel.unclear & diverging
    seen = np.argwhere(np.isfinite(panel.estimate))
    if not seen.size:
        return
    fills: NDArray[np.float64] = np.array([scale.colour(panel.estimate[i, j]) for i, j in seen])
    pale = unclear[seen[:, 0], seen[:, 1]]
    fills[pale] += (1 - fills[pale]) * PALE
    across, down = (seen[:, 1], seen[:, 0]) if turned else (seen[:, 0], seen[:, 1])
    boxes(axes, across - 0.5, down - 0.5, 1, 1, facecolor=fills, edgecolor="white", linewidth=1)
    for x, y, (i, j), fill, muted in zip(across, down, seen, fills, pale, strict=True):
        ink = MUTED if muted else ink_on(tuple(fill))
        if room:
            axes.text(x, y, texts[i][j], ha="center", va="center", fontsize=SMALL, color=ink)
        elif muted:
            axes.plot([x], [y], marker=".", markersize=4, color=MUTED, linestyle="")


def _colour_bar(sheet: Sheet, axes: Axes, scale: Scale) -> None:
    """What the colours mean, right of the cells; pointed ends say that values lie beyond."""
    low, high = scale.low, scale.high
    box = axes.get_position()
    height = min(box.height, 260 / sheet.height)
    room = sheet.figure.add_axes((1 - BAR / WIDTH, box.y1 - height, 13 / WIDTH, height))
    bar = sheet.figure.colorbar(ScalarMappable(Normalize(low, high), scale.colours), cax=room, extend=scale.extend)
    places = round_ticks(low, high, 5 if height * sheet.height > 120 else 3)
    bar.set_ticks([tick for tick in places if low <= tick <= high])
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: tick_text(value, places)))
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=3, labelsize=SMALL)


def stacked(panels: list[Panel], picture: PictureSpec, row_name: str) -> Figure:
    """A bar a row, a segment a series, its number inside where it fits; bars stand where their labels fit,
    else lie."""
    series, rows = panels[0].series, panels[0].rows
    looks = marks("bar", len(series))
    legend = list(zip(series, looks, strict=True))
    tops = [np.nansum(panel.estimate, axis=1).max(initial=0.0) for panel in panels]
    share = panels[0].column.unit == "share"
    top = 100.0 if share and max(tops) <= 100 + 1e-6 else max(tops) * 1.03 or 1.0
    left = value_margin(value_label(panels[0], picture), (0, top), 300)
    grid = Grid.plan(len(panels), left, 300, across=1, titled=len(panels) > 1, named=bool(row_name))
    standing = fits_across(rows, grid.cell_width)
    labels = side_labels(rows, 9999 if standing else LABEL_WIDTH)
    if not standing:
        thick = max(20.0, LINE * (1 + max(label.count("\n") for label in labels)) + 6)
        left = EDGE + widest(labels) + 8
        grid = Grid.plan(len(panels), left, thick * len(rows), across=1, titled=len(panels) > 1, right=EDGE + 8)
    sheet = Sheet(picture.title, legend, grid.height)
    for index, panel in enumerate(panels):
        axes = grid.axes(sheet, index, panel.title)
        category_axis(axes, "x" if standing else "y", labels, row_name if standing else "")
        value_axis(axes, "y" if standing else "x", value_label(panel, picture), 0, top)
        slots = (grid.cell_width if standing else grid.cell_height) / len(rows)
        length = (grid.cell_height if standing else grid.cell_width) / top
        base = np.zeros(len(rows))
        texts = panel.numbers_shown()
        for column, look in enumerate(looks):
            part = panel.estimate[:, column]
            seen = np.flatnonzero(part > 0)
            how = {"facecolor": look.colour, "edgecolor": "white", "linewidth": 0.8, "hatch": look.hatch}
            place = seen - 0.43
            if standing:
                boxes(axes, place, base[seen], 0.86, part[seen], **how)
            else:
                boxes(axes, base[seen], place, part[seen], 0.86, **how)
            for row in seen.tolist():
                text, middle = texts[row][column], base[row] + part[row] / 2
                wide, high = text_width(text, SMALL) + 4, 13
                inside = (wide, high) if standing else (high, wide)
                if inside[0] <= slots * 0.86 and inside[1] <= part[row] * length:
                    x, y = (row, middle) if standing else (middle, row)
                    ink, behind = (INK, BEHIND) if look.hatch else (ink_on(to_rgb(look.colour)), None)
                    axes.text(x, y, text, ha="center", va="center", fontsize=SMALL, color=ink, bbox=behind)
            base[seen] += part[seen]
        reference_line(axes, "y" if standing else "x", reference(picture, panel))
        empty_note(axes, panel)
    return sheet.figure
