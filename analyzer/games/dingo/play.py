"""Dingo for the engine and for traces: a table made ready to play, counters by name, and single deals played through."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.dingo import kernel
from analyzer.games.dingo.setup import axis_sizes, build_setup
from analyzer.games.dingo.state import BATCH, COUNTERS, PLAIN_COUNTERS
from analyzer.games.spec import GROUPS, Counting, Rules, Table


class Prepared:
    """One table under one set of rules, ready to play blocks of units from any thread."""

    def __init__(self, rules: Rules, table: Table, probe: str | None = None) -> None:
        self.setup = build_setup(rules, table, probe=probe is not None)
        sizes = axis_sizes(rules, table)
        self.grouped = tuple(
            Counting(name, axes, tuple(sizes[axis] for axis in axes)) for name, axes in COUNTERS
        )
        self.plain = tuple(Counting(name, axes, tuple(sizes[axis] for axis in axes)) for name, axes in PLAIN_COUNTERS)
        self.grouped_shape = (GROUPS, int(self.setup.at[-1]))
        self.plain_shape = (len(self.setup.marks), 8 * len(table.policies))
        self.plays = table.plays

    def play(self, seed: int, first: int, count: int, grouped: NDArray[np.int64], plain: NDArray[np.int64]) -> int:
        """Play units first ... first + count - 1 and add to the tallies in place; -1, or the unit that broke an invariant."""
        batches = np.zeros(1, BATCH)
        return int(kernel.play_block(batches, self.setup, np.uint64(seed), first, count, grouped, plain))

    def named(self, grouped: NDArray[Any], plain: NDArray[Any]) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
        """Tallies by counter name: grouped (64, *axes), plain (*axes)."""
        by_name = {}
        for counting, start, stop in zip(self.grouped, self.setup.at, self.setup.at[1:], strict=False):
            by_name[counting.name] = grouped[:, start:stop].reshape(GROUPS, *counting.shape)
        half = plain.shape[1] // 2
        halves = (plain[1:, :half], plain[1:, half:])
        plain_by_name = {c.name: part.reshape(c.shape) for c, part in zip(self.plain, halves, strict=True)}
        return by_name, plain_by_name


def played(
    rules: Rules, table: Table, seed: int, unit: int, play: int, *, probe: bool = False, rank_by_rank: bool = False
) -> np.void:
    """A batch whose lane 0 is one play of one unit, by the kernel that runs use; see `state.BATCH`."""
    batches = np.zeros(1, BATCH)
    setup = build_setup(rules, table, probe=probe, rank_by_rank=rank_by_rank)
    kernel.play_through(batches, setup, np.uint64(seed), unit, play)
    batch: np.void = batches[0]
    return batch
