"""Several arms played on the same units: sums of each, and of pairs of them, by group of units.

An arm is a table under rules. One whose policies believe in other rules (`TableWork.seen`) differs from the arm of
those rules in nothing but scores; where that one is played, this one is only scored. All arms have the same
arrangements, so that a place (play and seat) means the same in each. Draws have addresses, hence the arms of a unit
have their cards in common, and the choices that do not hang on what was changed.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.common.seating import places
from analyzer.games.spec import GROUPS, LANES, Table
from analyzer.sim.blocks import blocks
from analyzer.sim.work import Arrays, Named, TableWork, check_sound

Row = tuple[int, int]
"""Index of a policy and of a seat; -1 for all of them."""
WHOLE: Row = (-1, -1)
"""All seats together: a play that somebody won counts as 1."""
GROUPED = ("units", "sums", "products", "changed")
BEST = "most_changed"
CHUNK = 4_096
"""Plays of an arm that are recorded before they are added up."""


def rows_of(table: Table) -> dict[Row, tuple[tuple[tuple[int, int], ...], ...]]:
    """Every row of a table, and its places (play, seat) by combination: each policy in each of its seats, each policy,
    each seat, all.
    """
    seats = len(table.arrangements[0][0])
    policies = range(len(table.policies))
    keys = [
        *((policy, seat) for policy in policies for seat in range(seats)),
        *((policy, -1) for policy in policies),
        *((-1, seat) for seat in range(seats)),
        WHOLE,
    ]
    found = {key: places(table, *key) for key in keys}
    return {key: held for key, held in found.items() if any(held)}


@dataclass(frozen=True)
class ArmsWork:
    """Arms, and the pairs of them (first, second) whose difference is wanted."""

    arms: tuple[TableWork, ...]
    pairs: tuple[tuple[int, int], ...]

    @cached_property
    def rows(self) -> dict[Row, int]:
        """Where each row's sums stand; rows of the same places share them."""
        return self._layout[0]

    @cached_property
    def _layout(self) -> tuple[dict[Row, int], tuple[NDArray[np.int64], ...]]:
        distinct: dict[Any, int] = {}
        rows = {key: distinct.setdefault(places, len(distinct)) for key, places in rows_of(self.arms[0].table).items()}
        combinations = len(self.arms[0].table.arrangements)
        places = [row[c] for c in range(combinations) for row in distinct]
        ends = np.cumsum([0, *map(len, places)])
        # Where a combination's last row ends, the next one's first begins.
        start = np.stack([ends[c * len(distinct) : (c + 1) * len(distinct) + 1] for c in range(combinations)])
        flat = np.array([place for row in places for place in row], np.int64).reshape(-1, 2)
        return rows, (start.astype(np.int64), flat[:, 0].copy(), flat[:, 1].copy())

    @cached_property
    def _played(self) -> dict[int, list[int]]:
        """Arms that have to be played, each with those that are the same plays under other scores."""
        played: dict[int, list[int]] = {k: [] for k, arm in enumerate(self.arms) if arm.seen is None}
        scored = [k for k in range(len(self.arms)) if k not in played]
        for k in scored:
            arm = self.arms[k]
            sources = (p for p in played if replace(self.arms[p], seen=self.arms[p].rules, rules=arm.rules) == arm)
            source = next(sources, None)
            played.setdefault(k if source is None else source, []).extend([] if source is None else [k])
        return played

    @cached_property
    def plays_of(self) -> dict[Row, NDArray[np.int64]]:
        """(combinations,) plays of each row in a unit, one for each of its seats; 0 where its policy does not sit."""
        start = self._layout[1][0]
        seats = len(self.arms[0].table.arrangements[0][0])
        return {
            key: (start[:, place + 1] - start[:, place]) // (seats if key == WHOLE else 1)
            for key, place in self.rows.items()
        }

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """By group: units, sums, products, changed; then the most changed units."""
        rows, arms, pairs = len(set(self.rows.values())), len(self.arms), len(self.pairs)
        return (
            (GROUPS, rows),
            (GROUPS, arms, 2, rows, 2),
            (GROUPS, pairs, 2, rows, 2),
            (GROUPS, pairs, 2),
            (pairs, 3, 3),
        )

    best = 1

    @property
    def plays(self) -> int:
        """Plays in a unit, of all arms that are played."""
        return len(self._played) * self.arms[0].plays

    @property
    def unit_bound(self) -> int:
        """No sum grows by more with one unit."""
        return max(arm.unit_bound for arm in self.arms)

    def play(self, first: int, count: int) -> Arrays:
        """Sums of a range of units. Raises KernelFault."""
        arrays = tuple(np.zeros(shape, np.int64) for shape in self.shapes)
        arrays[-1][..., 1:] = -1
        for start, units in blocks(first, first + count, max(LANES, CHUNK // self.arms[0].plays)):
            self._add(start, units, arrays)
        return arrays

    def _add(self, first: int, count: int, arrays: Arrays) -> None:
        """Play a range of units that stays in the processor's cache, and add it to the arrays."""
        kernel = importlib.import_module("analyzer.kernels.arms")
        rows, places = len(arrays[0][0]), self._layout[1]
        records = np.zeros((len(self.arms), count, self.arms[0].plays), self.arms[0].prepared.record)
        for index, children in self._played.items():
            arm, again = self.arms[index], np.zeros((len(children), *records.shape[1:]), records.dtype)
            tables = [self.arms[child].prepared for child in children]
            wrong = arm.prepared.play(
                arm.seed, first, count, records=records[index], rescored=tables, again=again if children else None
            )
            check_sound(arm, wrong)
            records[children] = again
        values = np.zeros((len(self.arms), 2, rows, LANES), np.int32)
        seats = len(self.arms[0].table.arrangements[0][0])
        pairs = np.array(self.pairs, np.int64).reshape(-1, 2)
        kernel.count_arms(
            records["win"][..., :seats], records["points"][..., :seats], first, *places, pairs, values, *arrays
        )

    def named(self, arrays: Sequence[NDArray[Any]]) -> tuple[Named, Named]:
        """By name: what is kept by group, and the most changed units."""
        return dict(zip(GROUPED, arrays, strict=False)), {BEST: arrays[-1]}

    def arrays(self, grouped: Mapping[str, NDArray[Any]], plain: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """Back from `named`."""
        return [*(grouped[name] for name in GROUPED), plain[BEST]]

    def describe(self) -> dict[str, Any]:
        """The work as JSON."""
        return {"kind": "arms", "arms": [arm.describe() for arm in self.arms], "pairs": self.pairs}

    @classmethod
    def described(cls, content: Mapping[str, Any]) -> ArmsWork:
        """Back from `describe`."""
        return cls(
            tuple(TableWork.described(arm) for arm in content["arms"]),
            tuple((first, second) for first, second in content["pairs"]),
        )
