"""Dingo for the engine and for traces: a table made ready to play, counters by name, and single deals played
through.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.dingo import kernel, state
from analyzer.games.dingo.axes import COUNTERS
from analyzer.games.dingo.setup import axis_sizes, build_setup
from analyzer.games.dingo.state import BATCH
from analyzer.games.spec import GROUPS, Rules, Table
from analyzer.kernels.jit import records

_AXES = {counter.name: counter.axes for counter in COUNTERS}


class Prepared:
    """One table under one set of rules, ready to play blocks of units from any thread."""

    def __init__(self, rules: Rules, table: Table, probe: str | None = None) -> None:
        self.setup = build_setup(rules, table, probe=probe is not None)
        self._sizes = axis_sizes(rules, table)
        self.grouped_shape = (GROUPS, int(self.setup.at[-1]))
        self.plain_shape = (len(self.setup.marks), 8 * len(table.policies))
        self.plays = table.plays

    def play(self, seed: int, first: int, count: int, grouped: NDArray[np.int64], plain: NDArray[np.int64]) -> int:
        """Play units first ... first + count - 1 and add to the tallies in place; -1, or the unit that broke
        an invariant.
        """
        batches = new_batches()
        return int(kernel.play_block(batches, self.setup, np.uint64(seed), first, count, grouped, plain))

    def named(
        self, grouped: NDArray[Any], plain: NDArray[Any]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
        """Tallies by counter name, with the axes of `axes.COUNTERS`: grouped (64, *axes), plain (*axes)."""
        by_name = {}
        for (name, axes), start, stop in zip(state.COUNTERS, self.setup.at, self.setup.at[1:], strict=False):
            shape = tuple(self._sizes[axis] for axis in axes)
            order = [1 + axes.index(axis) for axis in _AXES[name]]
            by_name[name] = grouped[:, start:stop].reshape(GROUPS, *shape).transpose(0, *order)
        # Units past the last mark are in no segment of the running sums.
        segments = plain[:-1].reshape(len(plain) - 1, 2, *(self._sizes[axis] for axis in ("policy", "seat")))
        return by_name, {"running_win": segments[:, 0], "running_plays": segments[:, 1]}


def new_batches() -> NDArray[np.void]:
    """(1,) BATCH, empty."""
    return records(np.zeros(1, BATCH))


def played(
    rules: Rules,
    table: Table,
    seed: int,
    unit: int,
    play: int,
    *,
    probe: bool = False,
    rank_by_rank: bool = False,
) -> np.void:
    """A batch whose lanes are one play (seating) of the units `unit` ... `unit` + 63, by the kernel that runs use; see
    `state.BATCH`."""
    batches = new_batches()
    setup = build_setup(rules, table, probe=probe, rank_by_rank=rank_by_rank)
    kernel.play_through(batches, setup, np.uint64(seed), unit, play)
    batch: np.void = batches[0]
    return batch
