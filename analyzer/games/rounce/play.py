"""Domino Rounce for the engine and for traces: a table made ready to play, and matches played round by round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from analyzer.games.common.prepared import PreparedTable
from analyzer.games.rounce import kernel, state
from analyzer.games.rounce.axes import COUNTERS
from analyzer.games.rounce.setup import axis_sizes, build_setup
from analyzer.games.rounce.state import BATCH
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
        change = max(rules["walkover"], rules["rounce_penalty"], rules["hand_size"])
        super().__init__(
            setup,
            kernel.play_block,
            BATCH,
            state.COUNTERS,
            COUNTERS,
            axis_sizes(rules, table),
            table.plays,
            state.RECORD,
            # A score rises by the penalty at most in a round, and the match ends when one falls to 0.
            most_points=rules["start_score"] + rules["max_rounds"] * rules["rounce_penalty"] + change,
            # In a round every seat counts tricks, a change of its score, or the square of that.
            most_else=rules["max_rounds"] * rules["players"] * change**2,
        )


def rounds(rules: Rules, table: Table, seed: int, unit: int, play: int, given: Given = ()) -> Iterator[np.void]:
    """One play (seating) of the matches `unit` ... `unit` + 63: the batch after each round, until every
    lane's match is over.

    A lane took part in the round where its `active` is 1; see `state.BATCH`. The batch is the same object
    each time.
    """
    batches = records(np.zeros(1, BATCH))
    setup = build_setup(rules, table, given=dict(given))
    kernel.begin_through(batches, setup, np.uint64(seed), unit, play)
    while kernel.round_through(batches, setup):
        yield batches[0]
