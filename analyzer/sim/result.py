"""What a simulation leaves: whole numbers by name, in groups of units, that add up in any order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.spec import GROUPS, LANES
from analyzer.sim.blocks import MOST


class Totals:
    """Sum of int64 arrays that may outgrow int64: kept in int64 while no element is near the limit, then in
    Python integers.

    Each addend must stay below 2^61 in absolute value (see `blocks.safe_units`): what is kept in int64 then stays
    below 2^62.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._small = np.zeros(shape, np.int64)
        self._large: NDArray[Any] | None = None

    def add(self, block: NDArray[np.int64]) -> None:
        """Add a block's tallies."""
        self._small += block
        if self._small.max(initial=0) > MOST or self._small.min(initial=0) < -MOST:
            self._large = self.exact()
            self._small[:] = 0

    def add_exact(self, array: NDArray[Any]) -> None:
        """Add Python integers (dtype object) of any size."""
        self._large = array if self._large is None else self._large + array

    def exact(self) -> NDArray[Any]:
        """The sums as Python integers (dtype object)."""
        small = self._small.astype(object)
        return small if self._large is None else self._large + small


class Best:
    """The most extreme units of all, as lists (lists, places, parts): the first part is what they are sorted by, the
    largest first, the second the unit, of which the lowest comes first among equals; -1 where there is none.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._kept = np.full(shape, -1, np.int64)
        self._kept[..., 0] = 0

    def add(self, block: NDArray[np.int64]) -> None:
        """Take in a block's lists; blocks come in the order of units."""
        both = np.concatenate([self._kept, block], axis=1)
        order = np.argsort(-both[..., 0], axis=1, kind="stable")[:, : block.shape[1]]
        self._kept = np.take_along_axis(both, order[..., None], axis=1)

    def add_exact(self, array: NDArray[Any]) -> None:
        """Take in lists of dtype object."""
        self.add(array.astype(np.int64))

    def exact(self) -> NDArray[Any]:
        """The lists as Python integers (dtype object)."""
        return self._kept.astype(object)


@dataclass
class Tallies:
    """Counters of one simulation over units first ... first + units - 1."""

    first: int
    units: int
    grouped: dict[str, NDArray[Any]]
    """Counter -> (64, *axes) of Python integers."""
    plain: dict[str, NDArray[Any]]
    """Counter -> (*axes)."""

    @property
    def group_units(self) -> NDArray[np.int64]:
        """(64,) number of units in each group."""
        return group_sizes(self.first, self.units)

    def joined(self, other: Tallies) -> Tallies:
        """These and those of the units that follow, in one."""
        return Tallies(
            self.first,
            self.units + other.units,
            {name: array + other.grouped[name] for name, array in self.grouped.items()},
            {name: array + other.plain[name] for name, array in self.plain.items()},
        )

    def to_json(self) -> dict[str, Any]:
        """JSON-ready form: nested lists of whole numbers."""
        return {
            "first": self.first,
            "units": self.units,
            "grouped": {name: array.tolist() for name, array in self.grouped.items()},
            "plain": {name: array.tolist() for name, array in self.plain.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tallies:
        """Back from `to_json`."""
        grouped = {name: np.array(value, object) for name, value in data["grouped"].items()}
        plain = {name: np.array(value, object) for name, value in data["plain"].items()}
        return cls(data["first"], data["units"], grouped, plain)


def group_sizes(first: int, units: int) -> NDArray[np.int64]:
    """Units of first ... first + units - 1 in each of the 64 groups; unit i is in group (i // 64) % 64."""

    def upto(n: int) -> NDArray[np.int64]:
        cycle = GROUPS * LANES
        part = np.clip(n % cycle - LANES * np.arange(GROUPS), 0, LANES)
        return (n // cycle * LANES + part).astype(np.int64)

    return upto(first + units) - upto(first)
