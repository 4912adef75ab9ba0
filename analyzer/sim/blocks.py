"""Cutting a run of units into blocks. Where the cuts are changes no number, only time and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from analyzer.games.spec import GROUPS, LANES

MOST = 2**61 - 1
"""Largest sum of a block, so that int64 holds two of them, and any sum while it is played."""

PLAYS = 1 << 16
"""Plays in a block on this machine: some 50 ms of work, so that a run stops quickly."""


def block_units(count: int, plays: int, cells: int, ahead: int, wanted: int = PLAYS) -> int:
    """Units a block, for units of so many plays, tallies of `cells` counters and `ahead` blocks under way.

    About `wanted` plays: large enough that clearing and adding the tallies is a small part of the work, small
    enough that all workers get some, and whole cycles of the 64 groups where that can be.
    """
    cycle = GROUPS * LANES
    units = max(wanted, cells // 16) // plays
    units = min(units, -(-count // max(1, ahead)))
    return max(LANES, units // cycle * cycle or -(-units // LANES) * LANES)


def safe_units(unit_bound: int) -> int:
    """Units whose sums are at most MOST, if one unit adds at most `unit_bound` to each.

    The most extreme rules (10^7 points a play, 24 plays a unit) have a bound of 2.4 * 10^17, which leaves 9 units.
    """
    return max(1, MOST // unit_bound)


def blocks(first: int, end: int, size: int, cut_after: Callable[[int], int] | None = None) -> Iterator[tuple[int, int]]:
    """(first unit, number of units) of every block of first ... end - 1, in order, cut at multiples of `size`, and
    where `cut_after` says: the first such place after a unit.
    """
    while first < end:
        cut = min(end, (first // size + 1) * size)
        if cut_after is not None:
            cut = min(cut, cut_after(first))
        yield first, cut - first
        first = cut
