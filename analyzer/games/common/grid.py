"""The numbers of units at which running sums are kept and runs are looked at, shared by kernels and studies."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

MARKS_PER_DECADE = 40
DECADES = 9
"""Running sums are kept up to 10^9 units."""
LOOKED_DECADES = 13
"""Runs are looked at for as long as any can be."""


def running_marks(cycle: int) -> tuple[int, ...]:
    """Numbers of units at which running sums are kept: 1 to 10^9, evenly spaced in the logarithm, the same for every
    run of tables whose line-ups take turns in a `cycle` of so many units, and whole cycles.
    """
    return _marks(cycle, DECADES)


def next_mark(units: int, cycle: int) -> int:
    """The first of these numbers above `units`, and beyond 10^9."""
    marks = _marks(cycle, LOOKED_DECADES)
    return marks[bisect_right(marks, units)]


@cache
def _marks(cycle: int, decades: int) -> tuple[int, ...]:
    exact = (round(10 ** (step / MARKS_PER_DECADE)) for step in range(MARKS_PER_DECADE * decades + 1))
    return tuple(dict.fromkeys(-(-mark // cycle) * cycle for mark in exact))
