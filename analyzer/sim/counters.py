"""Several arms played on the same units, with some of their tallies each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.sim.result import Tallies
from analyzer.sim.work import Arrays, Named, TableWork


@dataclass(frozen=True)
class CountersWork:
    """Arms, and the grouped counters of each that are wanted. Arms may have axes of their own."""

    arms: tuple[TableWork, ...]
    counters: tuple[str, ...]

    best = 0

    @cached_property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Of every counter of the first arm, then of the next."""
        shapes: list[tuple[int, ...]] = []
        for arm in self.arms:
            grouped, _ = arm.named([np.zeros(shape, np.int64) for shape in arm.shapes])
            shapes += [grouped[name].shape for name in self.counters]
        return tuple(shapes)

    @property
    def plays(self) -> int:
        """Plays in a unit, of all arms."""
        return sum(arm.plays for arm in self.arms)

    @property
    def unit_bound(self) -> int:
        """No sum grows by more with one unit."""
        return max(arm.unit_bound for arm in self.arms)

    def play(self, first: int, count: int) -> Arrays:
        """Tallies of a range of units. Raises KernelFault."""
        found: list[NDArray[np.int64]] = []
        for arm in self.arms:
            grouped, _ = arm.named(arm.play(first, count))
            found += [np.ascontiguousarray(grouped[name]) for name in self.counters]
        return tuple(found)

    def named(self, arrays: Sequence[NDArray[Any]]) -> tuple[Named, Named]:
        """The arrays by arm and counter."""
        return dict(zip(self._names, arrays, strict=True)), {}

    def arrays(self, grouped: Mapping[str, NDArray[Any]], plain: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """Back from `named`."""
        return [grouped[name] for name in self._names]

    def of_arm(self, tallies: Tallies, arm: int) -> Tallies:
        """The counters of one arm, by their own names."""
        grouped = {name: tallies.grouped[f"{arm} {name}"] for name in self.counters}
        return Tallies(tallies.first, tallies.units, grouped, {})

    @property
    def _names(self) -> list[str]:
        return [f"{arm} {name}" for arm in range(len(self.arms)) for name in self.counters]

    def describe(self) -> dict[str, Any]:
        """The work as JSON."""
        return {"kind": "counters", "arms": [arm.describe() for arm in self.arms], "counters": list(self.counters)}

    @classmethod
    def described(cls, content: Mapping[str, Any]) -> CountersWork:
        """Back from `describe`."""
        return cls(tuple(TableWork.described(arm) for arm in content["arms"]), tuple(content["counters"]))
