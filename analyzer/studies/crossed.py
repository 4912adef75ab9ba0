"""Where a curve takes a value, in tables, sentences and `results.json`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from analyzer.games.spec import ColumnSpec
from analyzer.report.findings import written
from analyzer.report.frames import Words
from analyzer.report.numbers import exact
from analyzer.stats.intervals import Estimates, significant
from analyzer.stats.roots import Crossing, Roots

VALUE = ColumnSpec(
    "value",
    "At the value",
    "value",
    text="between two values played the curve is taken as straight; the interval allows for chance, not for bends",
)


def places(found: Sequence[Crossing], units: int) -> Estimates:
    """The crossings as estimates of the column `VALUE`."""
    x, low, high = (np.array([getattr(each, part) for each in found], np.float64) for part in ("x", "low", "high"))
    return Estimates(x, low, high, np.full(x.shape, np.nan), np.full(x.shape, units, np.int64))


def words(found: Sequence[Crossing]) -> dict[str, Words]:
    """Columns that say where and how the curve crosses."""
    return {
        "between": Words(
            "Between the values", tuple(map(_between, found)), tuple(list(each.bracket) for each in found)
        ),
        "way": Words("The curve", tuple(map(_way, found))),
        "cut": Words("Interval", tuple(map(_cut, found))),
    }


def item(crossing: Crossing, units: int) -> dict[str, Any]:
    """A crossing as it stands in `results.json`."""
    return {
        "value": places([crossing], units).item(0),
        "between": [significant(end) for end in crossing.bracket],
        "rising": crossing.rising,
        "cut_low": crossing.cut_low,
        "cut_high": crossing.cut_high,
    }


def spans(found: Roots) -> list[list[float | None]]:
    """Stretches without a crossing where the value is possible, for `results.json`."""
    return [[significant(end) for end in span] for span in found.possible]


def nothing_known(found: Roots, x: Sequence[float]) -> bool:
    """Whether every place from the first to the last of these values remains possible."""
    known = [(each.low, each.high) for each in found.crossings] + list(found.possible)
    return any(low <= x[0] and high >= x[-1] for low, high in known)


def at(crossing: Crossing, units: int) -> str | None:
    """Where it crosses, in a sentence; None without an interval."""
    if crossing.low == crossing.x == crossing.high:
        return exact(crossing.x)
    text = written(places([crossing], units).item(0), "number")
    cut = "the interval ends with the values played" if crossing.cut_low or crossing.cut_high else ""
    return f"{text}; {cut}" if text and cut else text


def _between(crossing: Crossing) -> str:
    low, high = (exact(end) for end in crossing.bracket)
    return low if low == high else f"{low} and {high}"


def _way(crossing: Crossing) -> str:
    if crossing.rising is None:
        return "touches, or begins or ends there"
    return "rises" if crossing.rising else "falls"


def _cut(crossing: Crossing) -> str:
    if math.isnan(crossing.low):
        return "too little was counted"
    if not (crossing.cut_low or crossing.cut_high):
        return "within the values played"
    ends = [word for cut, word in ((crossing.cut_low, "below"), (crossing.cut_high, "above")) if cut]
    return f"may lie {' or '.join(ends)} the values played"
