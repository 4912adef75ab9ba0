"""How a number is written: percent, digits that the interval deserves, a true minus sign.

Rates are fractions everywhere else; this module (used by `tables.py` and `plots.py`) is where they become
percent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.games.spec import ColumnSpec, Unit

PERCENT = 100.0
MAX_DIGITS = 6
DASH = "–"
"""Stands for a number that there is not."""


def counted(count: int, unit: str) -> str:
    """`1 unit`, `2,000 units`."""
    return f"1 {unit}" if count == 1 else f"{count:,} {plural(unit)}"


def place_range(best: int, worst: int) -> str:
    """`1st`, or `2nd to 4th`."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    shown = [
        f"{place}{'th' if place % 100 in (11, 12, 13) else endings.get(place % 10, 'th')}" for place in (best, worst)
    ]
    return shown[0] if best == worst else " to ".join(shown)


def plural(unit: str) -> str:
    """`units`."""
    return f"{unit}es" if unit.endswith(("s", "x", "ch", "sh")) else f"{unit}s"


def factor(unit: Unit) -> float:
    """What a value is multiplied by before it is shown."""
    return PERCENT if unit == "share" else 1.0


def is_difference(column: ColumnSpec) -> bool:
    """Whether the column can be negative by its declaration: then a share is a difference of shares."""
    return column.low is not None and column.low < 0


def unit_name(column: ColumnSpec) -> str:
    """The unit in words: `%`, `percentage points`, `points`, `count`, `ratio`."""
    if column.unit == "share":
        return "percentage points" if is_difference(column) else "%"
    return column.unit


def with_unit(text: str, unit: str) -> str:
    """`text (unit)`, or `text` alone when it says the unit already."""
    said = unit.lower() in text.lower()
    return text if said else f"{text} ({unit})"


def decimals(low: float, high: float) -> int:
    """Digits after the point that the interval deserves: one significant digit of its half-width.

    Both ends are in the unit shown. An interval of width 0 (an exact value) or none at all has no say:
    `MAX_DIGITS`.
    """
    half = (high - low) / 2
    if not math.isfinite(half) or half <= 0:
        return MAX_DIGITS
    # The nudge keeps a half-width of 0.1 that is stored as 0.0999... at one digit.
    return min(MAX_DIGITS, max(0, -math.floor(math.log10(half * (1 + 1e-9)))))


def significant(value: float, digits: int = 3) -> int:
    """Digits after the point that show `value` to so many significant digits."""
    if value == 0 or not math.isfinite(value):
        return 0
    return min(MAX_DIGITS, max(0, digits - 1 - math.floor(math.log10(abs(value)))))


def number(value: float, digits: int) -> str:
    """`value` with thousands separators; never `-0.0`; a dash for NaN."""
    if not math.isfinite(value):
        return DASH
    text = f"{value:,.{digits}f}"
    if text.startswith("-") and not text.strip("-0.,"):
        text = text[1:]
    return text.replace("-", "\N{MINUS SIGN}")


def exact(value: float) -> str:
    """A value known without error, with no digit more than it needs."""
    text = number(value, MAX_DIGITS)
    return text.rstrip("0").rstrip(".") if "." in text else text


def column_digits(ends: Sequence[tuple[float, float]]) -> list[int]:
    """Digits of each cell of a column, from the intervals' ends in the unit shown.

    Neighbours in a column share their digits where their intervals differ little, so that points stand
    below each other; a cell whose interval is ten times as wide or narrow keeps its own.
    """
    own = [decimals(low, high) for low, high in ends]
    real = sorted(digits for digits, (low, high) in zip(own, ends, strict=True) if high > low)
    if not real:
        return own
    common = real[len(real) // 2]
    shown = []
    for digits, (low, high) in zip(own, ends, strict=True):
        near = abs(digits - common) <= 1 and number(low, common) != number(high, common)
        shown.append(common if near else digits)
    return shown


def value_and_interval(estimate: float, low: float, high: float, digits: int) -> tuple[str, str]:
    """Both as text, in the unit shown: `("27.1", "27.0 to 27.2")`; the interval is `exact` when its width
    is 0 and empty when there is none; the value is a dash when nothing was observed."""
    if not math.isfinite(estimate):
        return DASH, ""
    if not (math.isfinite(low) and math.isfinite(high)):
        return number(estimate, significant(estimate)), ""
    if low == high:
        return exact(estimate), "exact"
    return number(estimate, digits), f"{number(low, digits)} to {number(high, digits)}"
