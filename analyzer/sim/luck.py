"""Units played twice, with other chances of decisions the second time: what luck and skill are told apart by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.spec import GROUPS, LANES, CounterSpec
from analyzer.sim.work import Arrays, Named, TableWork, check_sound
from analyzer.stats.luck_sums import LuckSums, collect

NAMES = tuple(field.name for field in fields(LuckSums))
_BY_PLAY = ("total", "repeat_total")

COUNTERS = tuple(CounterSpec(name, ("lineup", "play", "seat") if name in _BY_PLAY else ("lineup",)) for name in NAMES)
"""The fields of `LuckSums`, all grouped."""


@dataclass(frozen=True)
class LuckWork:
    """One table, of whose plays only `LuckSums` are kept; unit i has line-up i mod their number.

    Where a game says from which seat the table `by_seat` counts (`GameSpec.seat_origin`), seats are counted from there
    too. Seating must be rotated then: plays change places with the seats.
    """

    first: TableWork

    best = 0

    @cached_property
    def second(self) -> TableWork:
        """The same deals with other chances of decisions."""
        return replace(self.first, repeat=1)

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """One array a field of `LuckSums`."""
        arrangements = self.first.table.arrangements
        cells = GROUPS, len(arrangements), self.first.table.plays, len(arrangements[0][0])
        return tuple(cells if name in _BY_PLAY else cells[:2] for name in NAMES)

    @property
    def plays(self) -> int:
        """Plays in a unit."""
        return 2 * self.first.table.plays

    @property
    def unit_bound(self) -> int:
        """No sum grows by more with one unit: the largest are squares of a seat's sums over plays, over all seats, and
        the table's own bound holds the square of a policy's sum over seats and plays.
        """
        return len(self.first.table.arrangements[0][0]) * self.first.unit_bound

    def play(self, first: int, count: int) -> Arrays:
        """Sums over a range of units. Raises KernelFault."""
        units = np.arange(first, first + count)
        sums = collect(
            self._points(self.first, first, count),
            units // LANES % GROUPS,
            GROUPS,
            repeat=self._points(self.second, first, count),
            lineup=units % len(self.first.table.arrangements),
            lineups=len(self.first.table.arrangements),
        )
        return tuple(getattr(sums, name) for name in NAMES)

    def _points(self, work: TableWork, first: int, count: int) -> NDArray[np.int64]:
        """(count, plays, seats)"""
        seats, plays = len(work.table.arrangements[0][0]), work.table.plays
        records = np.zeros((count, plays), work.prepared.record)
        check_sound(work, work.prepared.play(work.seed, first, count, records=records))
        points = records["points"][:, :, :seats].astype(np.int64)
        if not work.game.seat_origin:
            return points
        # From the origin on, the policies of play r sit as those of play r - origin do from the first seat on.
        origin = records[work.game.seat_origin].astype(np.int64)
        unit, play = np.ogrid[:count, :plays]
        moved = np.zeros_like(points)
        for seat in range(seats):
            moved[unit, (play - origin) % plays, seat] = points[unit, play, (seat + origin) % seats]
        return moved

    def named(self, arrays: Sequence[NDArray[Any]]) -> tuple[Named, Named]:
        """The sums by name."""
        return dict(zip(NAMES, arrays, strict=True)), {}

    def arrays(self, grouped: Mapping[str, NDArray[Any]], plain: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """Back from `named`."""
        return [grouped[name] for name in NAMES]

    def describe(self) -> dict[str, Any]:
        """The work as JSON."""
        return {"kind": "luck", "of": self.first.describe()}

    @classmethod
    def described(cls, content: Mapping[str, Any]) -> LuckWork:
        """Back from `describe`."""
        return cls(TableWork.described(content["of"]))
