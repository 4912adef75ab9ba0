"""Pictures: a table of estimates and what is to be drawn of it -> a matplotlib Figure, its caption, its
description.

A picture computes no statistic and opens no file. What it leaves out (bars too low to see, the first swings
of a running mean, colours beyond the scale) its caption says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from analyzer.games.spec import PictureSpec, Running
from analyzer.report import numbers
from analyzer.report.cells import heat, stacked
from analyzer.report.curves import curve, lines
from analyzer.report.dots import histogram, intervals
from analyzer.report.panels import (
    Panel,
    colour_limit,
    early,
    first_axis_label,
    panels,
    reference,
    series_label,
    visible,
    whole,
)
from analyzer.report.sheet import png, style, svg

if TYPE_CHECKING:
    from analyzer.report.frames import TableResult


@dataclass(frozen=True)
class Drawing:
    """A finished picture; `name` is unique in its report and safe as a file name."""

    name: str
    table: str
    title: str
    caption: str
    alt: str
    png: bytes
    svg: bytes


def draw(result: TableResult, picture: PictureSpec) -> Figure:
    """The picture of one table; the kinds are described at `PictureSpec`."""
    parts, along = panels(result, picture), first_axis_label(result, picture)
    with style():
        if picture.kind == "heat":
            return heat(parts, picture, along, series_label(result, picture))
        how = {"intervals": intervals, "stacked": stacked, "histogram": histogram, "lines": lines, "curve": curve}
        return how[picture.kind](parts, picture, along)


def drawing(result: TableResult, picture: PictureSpec, name: str, confidence: float) -> Drawing:
    """The picture with everything a page needs of it."""
    figure, parts = draw(result, picture), panels(result, picture)
    return Drawing(
        name,
        result.spec.name,
        picture.title,
        " ".join(caption(parts, picture, confidence)),
        description(parts, picture),
        png(figure),
        svg(figure),
    )


def caption(parts: Sequence[Panel], picture: PictureSpec, confidence: float) -> list[str]:
    """Sentences that say how to read the picture and what it leaves out."""
    level = f"{confidence * numbers.PERCENT:g}% interval"
    bounded = any(panel.bounded.any() for panel in parts)
    said = []
    if picture.kind == "intervals" and bounded:
        said.append(f"A dot is an estimate, its bar the {level}.")
    elif picture.kind == "stacked":
        said.append("Each segment is an estimate; the table below has the intervals.")
    elif picture.kind == "histogram":
        if bounded:
            said.append(f"The thin line at the top of a bar is its {level}.")
        first, last = visible(parts)
        if last - first < len(parts[0].rows):
            said.append("Bars below a thousandth of the highest are left off at both ends; the table has them.")
    elif picture.kind == "lines":
        if bounded:
            sequence = any(isinstance(panel.column.estimator, Running) for panel in parts)
            held = ", part of a confidence sequence: those of a line hold all together" if sequence else ""
            said.append(f"The band is the {level}{held}.")
        if any(early(panel).any() for panel in parts):
            said.append("The first few swing far and may leave the picture.")
    elif picture.kind == "curve":
        said.append("Marks are the values played; between them the line is drawn straight.")
        if bounded:
            said.append(f"The band is the {level}.")
    elif picture.kind == "heat":
        said += _heat_notes(parts, picture, level)
    line = reference(picture, parts[0])
    if line and picture.kind != "heat":
        unit = numbers.unit_name(parts[0].column)
        shown = unit if unit == "%" else f" {unit}" if "point" in unit else ""
        said.append(f"The dashed line marks {numbers.exact(round(line, 2))}{shown}.")
    return said


def _heat_notes(parts: Sequence[Panel], picture: PictureSpec, level: str) -> list[str]:
    said = []
    if picture.diverging and any((panel.unclear & np.isfinite(panel.estimate)).any() for panel in parts):
        said.append(f"Pale cells with a grey number or dot: the {level} includes 0, so the sign is not known.")
    if (picture.diverging or picture.reference is not None) and any(
        colour_limit(whole(parts, panel, picture) - (reference(picture, panel) or 0.0))[1] for panel in parts
    ):
        said.append("The strongest colour also stands for the few values beyond the scale.")
    return said


KINDS = {
    "intervals": "Dots with intervals",
    "heat": "Heat map",
    "stacked": "Stacked bars",
    "histogram": "Bars",
    "lines": "Lines over a logarithmic axis",
    "curve": "Curves",
}


def description(parts: Sequence[Panel], picture: PictureSpec) -> str:
    """What the picture shows, for those who do not see it: kind, what is compared, smallest and largest
    value."""
    rows, series = len(parts[0].rows), len(parts[0].series)
    extent = f"{rows} rows" if parts[0].series == ("",) else f"{rows} by {series} values"
    split = f" in {len(parts)} panels" if len(parts) > 1 else ""
    said = [f"{picture.title}. {KINDS[picture.kind]}: {extent}{split}."]
    for label in dict.fromkeys(panel.label for panel in parts):
        found = [
            (float(panel.estimate[at]), text, _where(panel, at))
            for panel in parts
            if panel.label == label
            for at, text in zip(np.ndindex(panel.estimate.shape), chain(*panel.numbers_shown()), strict=True)
            if text
        ]
        if found:
            (_, least, least_at), (_, most, most_at) = min(found), max(found)
            said.append(f"{label}: smallest {least} at {least_at}, largest {most} at {most_at}.")
        else:
            said.append(f"{label}: nothing observed.")
    return " ".join(said)


def _where(panel: Panel, at: tuple[int, ...]) -> str:
    title = panel.title.removeprefix(panel.column.label).removeprefix(": ")
    return ", ".join(part for part in (panel.rows[at[0]], panel.series[at[1]], title) if part)
