"""Cutting a run of units into blocks. Where the cuts are changes no number, only time and memory."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.games.spec import GROUPS, LANES

_PLAYS = 1 << 16
"""Plays in a block: some 50 ms of work, so that a run stops quickly."""


def block_units(count: int, plays: int, row: int, jobs: int) -> int:
    """Units a block, for units of so many plays and tallies of `row` counters a group.

    Large enough that clearing and adding the tallies is a small part of the work, small enough that all
    threads get some, and whole cycles of the 64 groups where that can be.
    """
    cycle = GROUPS * LANES
    units = max(_PLAYS, 4 * row) // plays
    units = min(units, -(-count // max(1, 2 * jobs)))
    return max(LANES, units // cycle * cycle or -(-units // LANES) * LANES)


def blocks(first: int, count: int, size: int) -> Iterator[tuple[int, int]]:
    """(first unit, number of units) of every block, in order, cut at multiples of `size`."""
    end = first + count
    while first < end:
        cut = min(end, (first // size + 1) * size)
        yield first, cut - first
        first = cut
