"""What must be counted to tell luck from skill (`decomposition`): whole numbers, which add up over units.

Without SciPy, since it is counted while playing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class LuckSums:
    """Sums by group of units and line-up (a way to seat the plays of a unit), of the dtype they were made with.

    Y is a unit's points in a play and seat, A their sum over its plays, Z and B the same in the repeat; what has no
    axes for plays and seats is summed over them too.
    """

    units: Whole
    """(groups, lineups)"""
    total: Whole
    """(groups, lineups, plays, seats): Y."""
    squares: Whole
    """(groups, lineups): Y²."""
    row_squares: Whole
    """(groups, lineups): A²."""
    repeat_total: Whole | None = None
    """(groups, lineups, plays, seats): Z."""
    repeat_squares: Whole | None = None
    """(groups, lineups): Z²."""
    cross: Whole | None = None
    """(groups, lineups): Y Z."""
    row_cross: Whole | None = None
    """(groups, lineups): A B."""


def collect(
    points: ArrayLike,
    group: ArrayLike,
    groups: int,
    *,
    repeat: ArrayLike | None = None,
    lineup: ArrayLike = 0,
    lineups: int = 1,
) -> LuckSums:
    """Sums of a block of units from their whole points (units, plays, seats), and of their `repeat`, same shape.

    `group` (units): group of each unit, below `groups`; `lineup` (units, or one number): its line-up, below `lineups`.
    Sums are int64: below 2^63.
    """
    y = np.asarray(points, np.int64)
    where = (np.asarray(group, np.int64), np.broadcast_to(np.asarray(lineup, np.int64), y.shape[:1]))

    def summed(values: Whole) -> Whole:
        out = np.zeros((groups, lineups, *values.shape[1:]), np.int64)
        np.add.at(out, where, values)
        return out

    def products(a: Whole, b: Whole) -> tuple[Whole, Whole]:
        """Of single plays, and of sums over plays."""
        return summed((a * b).sum((1, 2))), summed((a.sum(1) * b.sum(1)).sum(1))

    units, (squares, row_squares) = summed(np.ones(len(y), np.int64)), products(y, y)
    if repeat is None:
        return LuckSums(units, summed(y), squares, row_squares)
    z = np.asarray(repeat, np.int64)
    cross, row_cross = products(y, z)
    return LuckSums(units, summed(y), squares, row_squares, summed(z), summed((z * z).sum((1, 2))), cross, row_cross)
