"""A decision does not look at what its player cannot know.

At each decision of a round everything hidden from the player is permuted: the tiles in the others' hands, those
that they laid down or put aside, those that the player forgot, the boneyard and its order. The same decision, at
the same address, must come out the same.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from rounce_batches import actor, begun, choice, next_round, player, random_player, setup_of

from analyzer.games.rounce import kernel
from analyzer.games.rounce.state import Setup
from analyzer.games.spec import LANES, Policy
from analyzer.kernels import jit

pytestmark = pytest.mark.modes

ROUNDS = 24 if jit.COMPILED else 1
ALL = (1 << 28) - 1
SETS = ("hand", "own_out", "dealt", "drew", "aside", "recall")

TABLES: dict[str, tuple[list[Policy], dict[str, Any]]] = {
    "two": ([player("a")] * 2, {}),
    "three": ([player("a")] * 3, {"doubles": "high"}),
    "four": ([player("a")] * 4, {"dummies_max": 1, "dummy_draw": 7}),
    "no memory": ([player("a", memory="none"), player("b")] * 2, {"winner_leads_trump": False}),
    "last trick only": ([player("a", memory="top_card")] * 3, {"winner_leads_trump": False}),
    "half remembered, noisy": ([player("a", memory=0.5, noise=0.3)] * 4, {"must_trump_when": "void"}),
    "random": ([random_player()] * 3, {"hand_size": 6, "dummies_max": 1}),
}


def mapped(tiles: int, to: list[int]) -> int:
    """The set with each tile replaced."""
    return sum(1 << to[tile] for tile in range(28) if tiles >> tile & 1)


def permuted(batch: np.void, setup: Setup, lane: int, seat: int, rng: random.Random) -> int:
    """Exchange the tiles that `seat` cannot place among all places where they may be; how many those are."""
    players, forgets = int(setup.rules["players"][0]), bool(setup.rules["forgets"][0])
    remembered = batch["recall"][seat, lane] | batch["trick_tiles"][lane] if forgets else batch["played"][lane]
    known = int(batch["hand"][seat, lane] | batch["own_out"][seat, lane] | remembered)
    # Face up on the table, or taken into a known hand.
    known |= 1 << int(batch["turn_up"][lane])
    hidden = [tile for tile in range(28) if not known >> tile & 1]
    new = rng.sample(hidden, len(hidden))
    to = list(range(28))
    for tile, other in zip(hidden, new, strict=True):
        to[tile] = other
    for name in SETS:
        for other in range(players):
            if other != seat:
                batch[name][other, lane] = mapped(int(batch[name][other, lane]), to)
    for name in ("played", "yard"):
        batch[name][lane] = mapped(int(batch[name][lane]), to)
    batch["tile"][:, lane] = [to[int(tile)] for tile in batch["tile"][:, lane]]
    return len(hidden)


@pytest.mark.parametrize("name", TABLES)
def test_decisions_do_not_see_hidden_tiles(name: str) -> None:
    seats, rules = TABLES[name]
    setup = setup_of(seats, start_score=40, **rules)
    rng = random.Random(name)
    last = kernel.last_point(setup) - 1
    compared, hidden, dealt = 0, 0, 0
    with np.errstate(over="ignore"):
        batches = begun(setup, seed=11)
        going = LANES
        while going and dealt < ROUNDS:
            dealt += 1
            for point in range(last):
                kernel.advance(batches[0], setup, point)
                before = batches.copy()
                actors = [actor(before[0], setup, point, lane) for lane in range(LANES)]
                kernel.advance(batches[0], setup, point + 1)
                for lane, seat in enumerate(actors):
                    if seat is not None:
                        hidden += permuted(before[0], setup, lane, seat, rng)
                kernel.advance(before[0], setup, point + 1)
                for lane, seat in enumerate(actors):
                    if seat is not None:
                        told = choice(batches[0], setup, point, seat, lane)
                        assert choice(before[0], setup, point, seat, lane) == told, (name, point, lane)
                        compared += 1
            kernel.advance(batches[0], setup, last + 1)
            going = next_round(batches, setup)
    assert dealt == ROUNDS
    assert compared > 300 * dealt
    assert hidden > 10 * compared


def test_the_permutation_finds_a_decision_that_peeks() -> None:
    """The check itself: for a forgetful player the tiles of past tricks are hidden, and with perfect memory instead
    its choices do change.
    """
    rules = {"winner_leads_trump": False, "must_trump_when": "never", "max_rounds": 1}
    differ = 0
    with np.errstate(over="ignore"):
        played = []
        for memory in ("none", "perfect"):
            setup = setup_of([player("a", memory=memory)] * 3, **rules)
            batches = begun(setup)
            kernel.advance(batches[0], setup, kernel.last_point(setup))
            played.append(batches[0]["tile"].copy())
        differ = int((played[0] != played[1]).any(axis=0).sum())
    assert differ > LANES // 8
