"""Where the time of a Dingo deal goes, by elimination: each part added to the ones before, on fresh deals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analyzer.games.dingo import kernel
from analyzer.games.dingo.setup import build_setup
from analyzer.games.knobs import resolve_rules
from analyzer.games.policy import resolve_policies
from analyzer.games.registry import game_named
from analyzer.games.spec import LANES, Table
from analyzer.kernels.bits import U
from analyzer.kernels.jit import kernel as compiled
from analyzer.kernels.jit import records

PARTS = (
    "dealing",
    "exchange",
    "hunts",
    "ace hunt",
    "scores, running lead, winner",
    "tallies of cards, hunts, hands",
    "tallies of scores, seats, units",
)


BATCHES = 400


@compiled
def play_parts(batches, setup, n, row, running, parts):  # type: ignore[no-untyped-def]
    """The first `parts` parts of `n` batches, all added to one row of tallies."""
    batch = batches[0]
    batch.external = 0
    last = kernel.last_point(setup)
    for window in range(n):
        kernel.deal(batch, setup, U(1), LANES * window)
        kernel.clear_units(batch, setup.rules[0].slots)
        if parts > 1:
            kernel.start(batch, setup, 0)
            kernel.advance(batch, setup, 4 * setup.rules[0].n_steps)
        if parts > 2:
            kernel.advance(batch, setup, last - kernel.S.TURNS)
        if parts > 3:
            kernel.advance(batch, setup, last)
        if parts > 4:
            kernel.finish(batch, setup)
        if parts > 5:
            kernel.count_sets(batch, setup, row, LANES)
        if parts > 6:
            kernel.count_play(batch, setup, row, LANES)
            kernel.count_block(batch, setup, row, running, LANES)


def parts(policy: str, best: Callable[[Callable[[], object]], float]) -> dict[str, float]:
    """Nanoseconds a deal of each part; `best(call)` is the shortest time of a call, in seconds."""
    game = game_named("dingo")
    table = Table((resolve_policies(game, {}, [policy])[policy],), (((0, 0, 0, 0),),), "fixed")
    setup = build_setup(resolve_rules(game, {}), table)
    batches = records(np.zeros(1, kernel.S.BATCH))
    row, running = np.zeros(int(setup.at[-1]), np.int64), np.zeros(13, np.int64)
    play_parts(batches, setup, 1, row, running, len(PARTS))
    found, before = {}, 0.0
    for number, part in enumerate(PARTS, 1):
        time = best(lambda n=number: play_parts(batches, setup, BATCHES, row, running, n))  # type: ignore[misc]
        ns = time / (BATCHES * LANES) * 1e9
        found[part], before = ns - before, ns
    return found
