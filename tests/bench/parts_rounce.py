"""Where the time of a Rounce round goes, by elimination: each part added to the ones before, on fresh rounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analyzer.games.knobs import resolve_rules
from analyzer.games.policy import resolve_policies
from analyzer.games.registry import game_named
from analyzer.games.rounce import kernel
from analyzer.games.rounce.setup import build_setup
from analyzer.games.rounce.state import BATCH
from analyzer.games.spec import LANES, Table
from analyzer.kernels.bits import U
from analyzer.kernels.jit import kernel as compiled
from analyzer.kernels.jit import records

PARTS = ("dealing", "calls, and what is put aside", "tiles", "scores", "tallies of a round", "running lead")
PLAYERS = 4
BATCHES = 400


@compiled
def rounds(batches, setup, grouped, n, parts):  # type: ignore[no-untyped-def]
    """`n` batches of rounds at all kinds of scores, each as far as its first `parts` parts."""
    batch = batches[0]
    rules = setup.rules[0]
    batch.external = 0
    for j in range(LANES):
        kernel.start_match(batch, rules, setup.seating, j, U(1), j, 0)
    for i in range(n):
        for j in range(LANES):
            batch.number[j] = i
            batch.over[j] = 0
            for s in range(PLAYERS):
                batch.score[s, j] = 1 + (i + 3 * j + 5 * s) % 15
        kernel.deal_round(batch, setup)
        if parts > 1:
            kernel.advance(batch, setup, 2 * PLAYERS)
        if parts > 2:
            kernel.advance(batch, setup, kernel.last_point(setup) - 1)
        if parts > 3:
            kernel.advance(batch, setup, kernel.last_point(setup))
        if parts > 4:
            kernel.count_rounds(batch, rules, setup.at, grouped)
        if parts > 5:
            kernel.follow_lead(batch, PLAYERS)


def parts(policy: str, best: Callable[[Callable[[], object]], float]) -> dict[str, float]:
    """Nanoseconds a round of each part; `best(call)` is the shortest time of a call, in seconds."""
    game = game_named("rounce")
    rules = resolve_rules(game, {}, PLAYERS)
    table = Table((resolve_policies(game, {}, [policy])[policy],), (((0,) * PLAYERS,),), "fixed")
    setup = build_setup(rules, table)
    batches = records(np.zeros(1, BATCH))
    grouped = np.zeros((1, int(setup.at[-1])), np.int64)
    rounds(batches, setup, grouped, 1, len(PARTS))
    found, before = {}, 0.0
    for number, part in enumerate(PARTS, 1):
        ns = best(lambda n=number: rounds(batches, setup, grouped, BATCHES, n)) / (BATCHES * LANES) * 1e9  # type: ignore[misc]
        found[part], before = ns - before, ns
    return found
