"""What was counted, as the formulas of tables see it: counters by name, each made when a formula first asks for it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from analyzer.stats.intervals import Floats
from analyzer.stats.jackknife import left_out


class Counted(Protocol):
    """The tallies of one simulation, as `sim` returns them."""

    @property
    def first(self) -> int: ...

    @property
    def units(self) -> int: ...

    @property
    def group_units(self) -> NDArray[Any]: ...

    @property
    def grouped(self) -> Mapping[str, NDArray[Any]]: ...

    @property
    def plain(self) -> Mapping[str, NDArray[Any]]: ...


class _View(Mapping[str, NDArray[Any]]):
    """Counters by name, each made when a formula first asks for it."""

    def __init__(self, tallies: Counted, make: Callable[[NDArray[Any], bool], NDArray[Any]]) -> None:
        self._tallies = tallies
        self._make = make
        self._made: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._made:
            grouped = name in self._tallies.grouped
            source = self._tallies.grouped[name] if grouped else self._tallies.plain[name]
            self._made[name] = self._make(source, grouped)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return itertools.chain(self._tallies.grouped, self._tallies.plain)

    def __len__(self) -> int:
        return len(self._tallies.grouped) + len(self._tallies.plain)


def counters_of(tallies: Counted) -> Mapping[str, Floats]:
    """Every counter as float64 (65, *axes): the total, then the total without each group; plain ones
    repeated."""
    groups = len(tallies.group_units)

    def floats(source: NDArray[Any], grouped: bool) -> Floats:
        if not grouped:
            once = np.asarray(source, dtype=np.float64)
            return np.broadcast_to(once, (groups + 1, *once.shape))
        return left_out(source).astype(np.float64)

    return _View(tallies, floats)


def exact_counters(tallies: Counted) -> Mapping[str, NDArray[Any]]:
    """Every counter's total as Python integers, dtype object, (1, *axes)."""

    def exact(source: NDArray[Any], grouped: bool) -> NDArray[Any]:
        whole = np.asarray(source, dtype=object)
        total = np.asarray(whole.sum(axis=0) if grouped else whole, dtype=object)
        return total[None]

    return _View(tallies, exact)


def counters_by_group(tallies: Counted) -> Mapping[str, NDArray[Any]]:
    """Every grouped counter as Python integers, dtype object, (64, *axes)."""
    return _View(tallies, lambda source, grouped: np.asarray(source, dtype=object))
