"""The sheet that every picture is drawn on: 800 px wide, laid out by measured text, never by luck.

Only matplotlib's object-oriented interface is used; settings of the user's own matplotlib have no say
(`style()`), so that the same numbers give the same bytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

WIDTH = 800
DPI = 100
PNG_DPI = 160
"""PNG files are 1280 px wide, sharp on a dense screen and in print; text is sized for 800."""

TITLE, LABEL, TICK, SMALL = 12.0, 9.5, 9.0, 8.0
"""Font sizes in points."""

INK, MUTED, RULE = "#1a1a1a", "#6b6b6b", "#dddddd"
FAMILY = "DejaVu Sans"
BEHIND: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.85}
"""What a number that lies on lines or patterns has behind it."""

OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#F0E442")
"""Okabe and Ito (2008), Color Universal Design; yellow last, since it is faint on white."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
Dash = Literal["-", "--", ":", "-."]
DASHES: tuple[Dash, ...] = ("-", "--", ":", "-.")
HATCHES = ("", "///", "...", "xxx")


@dataclass(frozen=True)
class Mark:
    """How one series looks, in the picture and in its legend."""

    kind: str
    """dot, line or bar"""
    colour: str
    marker: str = "o"
    dash: Dash = "-"
    hatch: str = ""


def marks(kind: str, count: int) -> list[Mark]:
    """Different looks for `count` series: colours first, then also marker, dash or hatch."""
    colours = OKABE_ITO if kind == "bar" else OKABE_ITO[:-1]
    rounds = [divmod(index, len(colours)) for index in range(count)]
    return [
        Mark(
            kind,
            colours[place],
            MARKERS[index % len(MARKERS)],
            DASHES[turn % len(DASHES)],
            HATCHES[turn % len(HATCHES)],
        )
        for index, (turn, place) in enumerate(rounds)
    ]


def style() -> AbstractContextManager[None]:
    """Settings to draw and save under: matplotlib's defaults and ours, whatever a matplotlibrc says."""
    items = dict.items(matplotlib.rcParamsDefault)
    defaults: Any = {name: value for name, value in items if not name.startswith("backend")}
    ours: Any = {
        "font.family": FAMILY,
        "font.size": TICK,
        "text.parse_math": False,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": MUTED,
        "axes.linewidth": 0.8,
        "xtick.color": MUTED,
        "ytick.color": MUTED,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "hatch.linewidth": 0.6,
        "svg.hashsalt": "analyzer",
        "svg.fonttype": "path",
    }
    return matplotlib.rc_context(defaults | ours)


@cache
def _glyphs() -> frozenset[int]:
    return frozenset(get_font(findfont(FAMILY)).get_charmap())


def printable(text: str) -> str:
    """The text on one line, a box for each character that the font lacks."""
    flat = " ".join(text.split())
    return "".join(char if ord(char) in _glyphs() else "\N{WHITE SQUARE}" for char in flat)


@cache
def _renderer() -> Any:
    # Measuring text is not in matplotlib's type hints.
    renderer: Any = RendererAgg
    return renderer(8, 8, DPI)


@cache
def text_width(text: str, size: float = TICK, bold: bool = False) -> float:
    """Width in px at 100 dpi."""
    font = FontProperties(family=FAMILY, size=size, weight="bold" if bold else "normal")
    return float(_renderer().get_text_width_height_descent(text, font, False)[0])


def widest(texts: Sequence[str], size: float = TICK) -> float:
    """Width in px of the widest line of the texts."""
    return max((text_width(line, size) for text in texts for line in text.split("\n")), default=0.0)


def wrap(text: str, width: float, size: float = TICK, bold: bool = False, lines: int = 99) -> str:
    """The text broken at spaces (a long word anywhere) into lines of at most `width` px; cut with an
    ellipsis after `lines` of them."""
    out = [""]
    for word in re.findall(r"\S+", printable(text)):
        trial = f"{out[-1]} {word}" if out[-1] else word
        if text_width(trial, size, bold) <= width:
            out[-1] = trial
            continue
        if out[-1]:
            out.append("")
        for char in word:
            if out[-1] and text_width(out[-1] + char, size, bold) > width:
                out.append("")
            out[-1] += char
    if len(out) > lines:
        out = out[:lines]
        while out[-1] and text_width(out[-1] + "…", size, bold) > width:
            out[-1] = out[-1][:-1]
        out[-1] += "…"
    return "\n".join(out)


def ink_on(colour: tuple[float, ...]) -> str:
    """Black or white, whichever reads better on a colour of red, green and blue (relative luminance of WCAG
    2)."""
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in colour]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return INK if luminance > 0.2 else "#ffffff"


class Sheet:
    """A figure 800 px wide with a title and a legend at its top and `body` px below them. All lengths are
    in px."""

    def __init__(self, title: str, legend: Sequence[tuple[str, Mark]], body: float) -> None:
        heading = wrap(title, WIDTH - 28, TITLE, bold=True)
        rows = _legend_rows(legend)
        self.top = 14.0 + 20 * (heading.count("\n") + 1) + 19 * len(rows) + (6 if rows else 0)
        self.height = self.top + body
        self.figure = Figure(figsize=(WIDTH / DPI, self.height / DPI), dpi=DPI, facecolor="white")
        FigureCanvasAgg(self.figure)
        self.text(14, 10, heading, size=TITLE, weight="bold", va="top", linespacing=1.25)
        for line, row in enumerate(rows):
            self._legend_row(row, self.top - 19 * (len(rows) - line) + 6)

    def text(self, x: float, y: float, text: str, **how: object) -> None:
        """Text at px from the sheet's left and top edges."""
        self.figure.text(x / WIDTH, 1 - y / self.height, text, **how)  # type: ignore[arg-type]

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Plain axes; `top` is counted from the sheet's upper edge."""
        box = (left / WIDTH, 1 - (top + height) / self.height, width / WIDTH, height / self.height)
        axes = self.figure.add_axes(box)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_axisbelow(True)
        axes.tick_params(length=3, labelsize=TICK)
        return axes

    def _legend_row(self, row: Sequence[tuple[float, str, Mark]], y: float) -> None:
        for x, label, mark in row:
            level = 1 - y / self.height
            if mark.kind == "bar":
                box = Rectangle(
                    (x / WIDTH, level - 5 / self.height),
                    14 / WIDTH,
                    10 / self.height,
                    facecolor=mark.colour,
                    hatch=mark.hatch,
                    edgecolor="white" if mark.hatch else mark.colour,
                    linewidth=0,
                )
                self.figure.add_artist(box)
            else:
                self.figure.add_artist(
                    Line2D(
                        [x / WIDTH, (x + 7) / WIDTH, (x + 14) / WIDTH],
                        [level] * 3,
                        color=mark.colour,
                        linewidth=1.8,
                        linestyle=mark.dash if mark.kind == "line" else "-",
                        markevery=[1],
                        markersize=5.5,
                        marker=mark.marker if mark.kind == "dot" else "",
                    )
                )
            self.text(x + 19, y, label, size=TICK, va="center_baseline")


def _legend_rows(legend: Sequence[tuple[str, Mark]]) -> list[list[tuple[float, str, Mark]]]:
    """Entries with their left edges, a new row where the line is full; labels are cut at half the width."""
    rows: list[list[tuple[float, str, Mark]]] = []
    right = float(WIDTH)
    for name, mark in legend:
        label = wrap(name, WIDTH / 2 - 40, lines=1)
        width = 19 + text_width(label) + 16
        if right + width > WIDTH - 4:
            rows.append([])
            right = 14.0
        rows[-1].append((right, label, mark))
        right += width
    return rows


def png(figure: Figure) -> bytes:
    """The figure as PNG, the same bytes for the same figure."""
    out = io.BytesIO()
    with style():
        figure.savefig(out, format="png", dpi=PNG_DPI, metadata={"Software": None})
    return out.getvalue()


def svg(figure: Figure) -> bytes:
    """The figure as SVG with its letters as shapes, the same bytes for the same figure."""
    out = io.BytesIO()
    with style():
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return out.getvalue()
