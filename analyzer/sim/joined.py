"""Several works played together, unit by unit: a count that ends early has played the same units of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from analyzer.sim.result import Tallies
from analyzer.sim.work import Arrays, Named, Work, work_from


@dataclass(frozen=True)
class JoinedWork:
    """Works by name."""

    parts: Mapping[str, Work]

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Sums of every part, then lists of extreme units of every part."""
        return tuple(self._ordered([work.shapes for work in self.parts.values()]))

    @property
    def plays(self) -> int:
        """Plays in a unit, of all parts."""
        return sum(work.plays for work in self.parts.values())

    @property
    def unit_bound(self) -> int:
        """No sum grows by more with one unit."""
        return max(work.unit_bound for work in self.parts.values())

    @property
    def best(self) -> int:
        """Lists of extreme units, of all parts."""
        return sum(work.best for work in self.parts.values())

    def play(self, first: int, count: int) -> Arrays:
        """All parts over a range of units. Raises KernelFault."""
        return tuple(self._ordered([work.play(first, count) for work in self.parts.values()]))

    def named(self, arrays: Sequence[NDArray[Any]]) -> tuple[Named, Named]:
        """By the names of part and counter."""
        grouped: Named = {}
        plain: Named = {}
        for (name, work), mine in zip(self.parts.items(), self._split(arrays), strict=True):
            for known, found in zip((grouped, plain), work.named(mine), strict=True):
                known |= {f"{name}.{counter}": array for counter, array in found.items()}
        return grouped, plain

    def arrays(self, grouped: Mapping[str, NDArray[Any]], plain: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """Back from `named`."""
        return self._ordered([work.arrays(_of(grouped, name), _of(plain, name)) for name, work in self.parts.items()])

    def apart(self, tallies: Tallies) -> dict[str, Tallies]:
        """The tallies of each part."""
        return {
            name: Tallies(tallies.first, tallies.units, _of(tallies.grouped, name), _of(tallies.plain, name))
            for name in self.parts
        }

    def describe(self) -> dict[str, Any]:
        """The work as JSON."""
        return {"kind": "joined", "parts": {name: work.describe() for name, work in self.parts.items()}}

    @classmethod
    def described(cls, content: Mapping[str, Any]) -> JoinedWork:
        """Back from `describe`."""
        return cls({name: work_from(part) for name, part in content["parts"].items()})

    def _ordered(self, found: Sequence[Sequence[Any]]) -> list[Any]:
        """What each part has an array of, in the order of `shapes`."""
        ends = [len(each) - work.best for each, work in zip(found, self.parts.values(), strict=True)]
        return [
            *(item for each, end in zip(found, ends, strict=True) for item in each[:end]),
            *(item for each, end in zip(found, ends, strict=True) for item in each[end:]),
        ]

    def _split(self, arrays: Sequence[NDArray[Any]]) -> Iterator[list[NDArray[Any]]]:
        """The arrays of each part."""
        sums, best = 0, len(arrays) - self.best
        for work in self.parts.values():
            number = len(work.shapes) - work.best
            yield [*arrays[sums : sums + number], *arrays[best : best + work.best]]
            sums, best = sums + number, best + work.best


def _of(arrays: Mapping[str, NDArray[Any]], part: str) -> Named:
    opening = f"{part}."
    return {name.removeprefix(opening): array for name, array in arrays.items() if name.startswith(opening)}
