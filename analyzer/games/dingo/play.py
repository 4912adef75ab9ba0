"""Dingo for the engine and for traces: a table made ready to play, counters by name, and single deals played
through.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from analyzer.games.common.prepared import PreparedTable
from analyzer.games.dingo import kernel, state
from analyzer.games.dingo.axes import COUNTERS
from analyzer.games.dingo.cards import DECK
from analyzer.games.dingo.grid import score_bins
from analyzer.games.dingo.setup import axis_sizes, build_setup
from analyzer.games.dingo.state import BATCH
from analyzer.games.spec import Given, Rules, Table
from analyzer.kernels.jit import records


class Prepared(PreparedTable):
    """One table under one set of rules, ready to play; `probe` names the experiment, if any; for the others see
    `build_setup`.
    """

    def __init__(
        self,
        rules: Rules,
        table: Table,
        probe: str | None = None,
        *,
        seen: Rules | None = None,
        given: Mapping[int, int] | None = None,
        repeat: int = 0,
    ) -> None:
        setup = build_setup(rules, table, probe=probe is not None, seen=seen, given=given, repeat=repeat)
        sizes = axis_sizes(rules, table)
        low, width, cells = score_bins(rules)
        most = max(-low, low + width * cells)
        super().__init__(
            setup,
            kernel.play_block,
            BATCH,
            state.COUNTERS,
            COUNTERS,
            sizes,
            table.plays,
            state.RECORD,
            most_points=most,
            # A card's counters grow by its holder's points, the others by a count of cards, ranks or seats.
            most_else=4 * max(most, DECK),
        )


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
    given: Given = (),
    probe: bool = False,
    rank_by_rank: bool = False,
) -> np.void:
    """A batch whose lanes are one play (seating) of the units `unit` ... `unit` + 63, by the kernel that runs use; see
    `state.BATCH`."""
    batches = new_batches()
    setup = build_setup(rules, table, given=dict(given), probe=probe, rank_by_rank=rank_by_rank)
    kernel.play_through(batches, setup, np.uint64(seed), unit, play)
    batch: np.void = batches[0]
    return batch
