"""Seatings of a table as arrays, for the kernels of all games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.games.spec import Table

MOST_SEATS = 4


class SeatingArrays(NamedTuple):
    """A combinations of `plays` arrangements each, R = A * plays; unused seats hold policy 0."""

    seating: NDArray[np.int64]
    """(R, 4) policy of each seat."""
    slot: NDArray[np.int64]
    """(R, 4) which of its combination's distinct policies that is."""
    who: NDArray[np.int64]
    """(A, 4) the combination's distinct policies, then -1."""
    held: NDArray[np.int64]
    """(A, 4, 4) plays in a unit of a slot's policy at a seat."""
    slots: int
    """Distinct policies in a combination at most."""


def seating_arrays(table: Table) -> SeatingArrays:
    """The table's arrangements for a kernel."""
    n = len(table.arrangements)
    seating = np.zeros((n * table.plays, MOST_SEATS), np.int64)
    slot = np.zeros((n * table.plays, MOST_SEATS), np.int64)
    who = np.full((n, MOST_SEATS), -1, np.int64)
    held = np.zeros((n, MOST_SEATS, MOST_SEATS), np.int64)
    for c, combination in enumerate(table.arrangements):
        distinct = sorted({policy for play in combination for policy in play})
        who[c, : len(distinct)] = distinct
        for r, play in enumerate(combination, c * table.plays):
            for seat, policy in enumerate(play):
                q = distinct.index(policy)
                seating[r, seat], slot[r, seat] = policy, q
                held[c, q, seat] += 1
    return SeatingArrays(seating, slot, who, held, int((who >= 0).sum(axis=1).max()))


def places(table: Table, policy: int, seat: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """By combination the places (play, seat) of a policy in a seat, both by index; -1 for all of them."""
    return tuple(
        tuple(
            (play, place)
            for play, seated in enumerate(combination)
            for place, sits in enumerate(seated)
            if policy in (-1, sits) and seat in (-1, place)
        )
        for combination in table.arrangements
    )


def chance_threshold(chance: float) -> int:
    """A chance as a number of 2^64: a random word is below it with that chance; the largest stands for certainty."""
    return min(int(chance * 2.0**64), 2**64 - 1)
