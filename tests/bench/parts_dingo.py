"""Where the time of a Dingo deal goes, by elimination: each part is played on top of those before it, on fresh deals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from analyzer.games.dingo import kernel as K
from analyzer.games.spec import LANES
from analyzer.kernels.jit import kernel, records

PARTS = (
    "dealing",
    "exchange",
    "hunts",
    "ace hunt",
    "scores, running lead, winner",
    "tallies of cards, hunts, hands",
    "tallies of scores, seats, units",
)


@kernel
def play_parts(batches, setup, first, windows, row, running, parts):  # type: ignore[no-untyped-def]
    """The first `parts` parts of `windows` batches from unit `first` on, all added to one row of tallies."""
    batch = batches[0]
    batch.external = 0
    last = K.last_point(setup)
    for window in range(windows):
        K.deal(batch, np.uint64(1), first + LANES * window)
        K.clear_units(batch, setup)
        if parts > 1:
            K.start(batch, setup, 0)
            K.advance(batch, setup, 4 * setup.rules[0].n_steps)
        if parts > 2:
            K.advance(batch, setup, last - K.S.TURNS)
        if parts > 3:
            K.advance(batch, setup, last)
        if parts > 4:
            K.finish(batch, setup)
        if parts > 5:
            K.count_sets(batch, setup, row, LANES)
        if parts > 6:
            K.count_play(batch, setup, row, LANES)
            K.count_units(batch, setup, row, running, LANES)


def parts(prepared: Any, first: int, units: int, best: Callable[[Callable[[], object]], float]) -> list[tuple[str, float]]:
    """Nanoseconds a deal of each part, with the shortest time of a call by `best` (seconds)."""
    batches = records(np.zeros(1, K.S.BATCH))
    row, running = np.zeros(prepared.grouped_shape[1], np.int64), np.zeros(prepared.plain_shape[1], np.int64)
    found, before = [], 0.0
    for number, name in enumerate(PARTS, 1):

        def run(number: int = number) -> None:
            play_parts(batches, prepared.setup, first, units // LANES, row, running, number)

        run()
        time = best(run) / units * 1e9
        found.append((name, time - before))
        before = time
    return found
