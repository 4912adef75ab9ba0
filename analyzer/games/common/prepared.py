"""A table made ready to play, in the form that the engine wants, for all games."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.spec import GROUPS, CounterSpec
from analyzer.kernels import jit

WHOLE_WIN = 12
"""A win share, in twelfths."""

RUNNING = ("running_win", "running_plays", "running_win_sq")
RUNNING_BY_POLICY = "running_policy_win_sq"
"""Running sums, as a kernel keeps them one after the other: by policy and seat, last by policy."""

Layout = Sequence[tuple[str, tuple[str, ...]]]
"""Counters, with their axes, one after the other in a row, as a kernel keeps them."""


def row_starts(layout: Layout, sizes: Mapping[str, int]) -> NDArray[np.int64]:
    """(len(layout) + 1,) where each counter starts in a row; last, the row's length."""
    lengths = [int(np.prod([sizes[axis] for axis in axes], dtype=np.int64)) for _, axes in layout]
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _largest_square(held: NDArray[np.int64], most: int) -> int:
    """Largest square that one unit adds, if a seat's number in a play is at most `most`.

    A policy with k plays in a unit sums up to k * most. A pair's difference is that of two such sums, each times the
    other's plays over their divisor (`units.count_pair`), hence at most 2 * lcm(k, l) * most. `held` is (combination,
    slot, seat): plays of a slot's policy at a seat.
    """
    plays = held.sum(axis=-1)
    pairs = np.lcm(plays[:, :, None], plays[:, None, :])[:, ~np.eye(plays.shape[1], dtype=bool)]
    return (max(int(plays.max()), 2 * int(pairs.max())) * most) ** 2


class PreparedTable:
    """One table under one set of rules, ready to play blocks of units from any thread.

    `setup` has `at` and `marks`, `play_block` is the game's kernel, `batch` its state's dtype, `layout`
    its counters, `counters` the same ones with the axes that tables see, `sizes` the length of each axis, `record` the
    dtype of the record of a play. The points of a seat in a play are at most `most_points`, and no other counter grows
    by more than `most_else` in a play (absolute values).
    """

    def __init__(
        self,
        setup: Any,
        play_block: Callable[..., int],
        batch: np.dtype[Any],
        layout: Layout,
        counters: Sequence[CounterSpec],
        sizes: Mapping[str, int],
        plays: int,
        record: np.dtype[Any],
        most_points: int,
        most_else: int,
    ) -> None:
        self.setup, self.plays, self.record = setup, plays, record
        self._play_block, self._batch = play_block, batch
        self._layout, self._sizes = layout, sizes
        self._axes = {counter.name: counter.axes for counter in counters}
        self.grouped_shape = (GROUPS, int(setup.at[-1]))
        self.plain_shape = (len(setup.marks), sizes["policy"] * (3 * sizes["seat"] + 1))
        self.unit_bound = max(_largest_square(setup.held, max(most_points, WHOLE_WIN)), plays * most_else)

    def digest(self) -> str:
        """Of everything that play and tallies depend on besides the seed: tables of one digest play alike."""
        found = hashlib.sha256()
        for part in self.setup:
            found.update(repr(np.shape(part)).encode())
            found.update(np.ascontiguousarray(part).tobytes())
        return found.hexdigest()

    def play(
        self,
        seed: int,
        first: int,
        count: int,
        grouped: NDArray[np.int64] | None = None,
        plain: NDArray[np.int64] | None = None,
        records: NDArray[np.void] | None = None,
        rescored: Sequence[PreparedTable] = (),
        again: NDArray[np.void] | None = None,
    ) -> int:
        """Play units first ... first + count - 1 and add to the tallies in place; -1, or the unit that broke
        an invariant.

        Without tallies nothing is counted, which takes less time. `records` (count, plays) of dtype `record`, if given,
        gets a row for each play. The same plays are scored by the rules of `rescored` too, which must differ in nothing
        but scores, into `again` (len(rescored), count, plays).
        """
        batches = jit.records(np.zeros(1, self._batch))
        rows = jit.records(np.zeros((0, self.plays), self.record) if records is None else records)
        rules = jit.records(np.concatenate([self.setup.rules[:0], *(other.setup.rules for other in rescored)]))
        others = jit.records(np.zeros((0, 0, self.plays), self.record) if again is None else again)
        tallies = (
            np.zeros((1, self.grouped_shape[1]), np.int64) if grouped is None else grouped,
            np.zeros(self.plain_shape, np.int64) if plain is None else plain,
        )
        return int(self._play_block(batches, self.setup, np.uint64(seed), first, count, *tallies, rows, rules, others))

    def named(
        self, grouped: NDArray[Any], plain: NDArray[Any]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
        """Tallies by counter name, with the axes of the game's counters: grouped (64, *axes), plain (*axes)."""
        by_name = self._views(grouped)
        # Units past the last mark are in no segment of the running sums.
        by_seat, by_policy = np.split(plain[:-1], [-self._sizes["policy"]], axis=1)
        segments = by_seat.reshape(len(by_seat), len(RUNNING), self._sizes["policy"], self._sizes["seat"])
        return by_name, {name: segments[:, k] for k, name in enumerate(RUNNING)} | {RUNNING_BY_POLICY: by_policy}

    def unnamed(
        self, grouped: Mapping[str, NDArray[Any]], plain: Mapping[str, NDArray[Any]]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Back from `named`, dtype object; the part of the running sums that has no name is 0."""
        rows = np.zeros(self.grouped_shape, object)
        for name, view in self._views(rows).items():
            view[...] = grouped[name]
        running = np.zeros(self.plain_shape, object)
        segments = np.stack([plain[name] for name in RUNNING], axis=1).reshape(len(running) - 1, -1)
        running[:-1] = np.concatenate([segments, plain[RUNNING_BY_POLICY]], axis=1)
        return rows, running

    def _views(self, rows: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Each counter's part of the rows, (64, *axes that tables see), not copied."""
        views = {}
        for (name, axes), start, stop in zip(self._layout, self.setup.at[:-1], self.setup.at[1:], strict=True):
            shape = tuple(self._sizes[axis] for axis in axes)
            order = [1 + axes.index(axis) for axis in self._axes[name]]
            views[name] = rows[:, start:stop].reshape(GROUPS, *shape).transpose(0, *order)
        return views
