"""Batches of the kernel with policies made by hand, for the tests that look at it from inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rounce_deals import rules_with

from analyzer.games.rounce import kernel
from analyzer.games.rounce.policies import DECISIONS
from analyzer.games.rounce.setup import build_setup
from analyzer.games.rounce.state import BATCH, Setup
from analyzer.games.spec import Policy, Table
from analyzer.kernels.jit import records

ASIDE_CALLS = (2, 3, 5)
"""Numbers of the calls after which tiles are put aside."""

WEIGHTS = {
    "call_pass": {"one": 2.0, "trumps": 2.0, "sure": 1.0, "high": 0.5, "behind_trumps": 0.5},
    "call_fold": {"one": 4.0, "rival_near": -3.0, "players": -0.25},
    "call_dummy": {"one": 5.5, "trumps": -0.5, "voids": -0.25},
    "call_take": {"one": 1.5, "trumps": 2.0, "turn_up": 0.5},
    "call_defend": {"one": 3.0, "trumps": 1.0},
    "call_defend_take": {"one": 3.0, "turn_up": 0.5},
    "aside": {"trump": 9.0, "trump_height": 1.0, "rank": 1.0, "company": -0.5},
    "lead": {"high": 3.0, "trump_rank": 0.5, "company": -0.5, "left_trump": -0.25},
    "follow": {"wins": 4.0, "rank": -0.5, "high_after": 1.0, "no_trick_wins": 2.0},
}
"""A player who makes every call now and then, and to whom it matters what is out."""


def player(name: str, *, noise: float = 0.0, memory: Any = "perfect", weights: dict[str, Any] | None = None) -> Policy:
    """A policy of these weights by decision or group."""
    given = WEIGHTS if weights is None else weights
    found = {each.name: given.get(each.name, given.get(each.group, {})) for each in DECISIONS}
    return Policy(name, "", "", found, dict.fromkeys(found, noise), 0.0, memory)


def random_player(name: str = "random") -> Policy:
    """Uniform in every choice."""
    return player(name, noise=1.0, weights={})


def table_of(*seats: Policy) -> Table:
    """These policies at the table, by seat, each name once among the table's policies."""
    by_name = {policy.name: policy for policy in seats}
    names = list(by_name)
    return Table(tuple(by_name.values()), ((tuple(names.index(policy.name) for policy in seats),),), "fixed")


def setup_of(seats: Sequence[Policy], **rules: Any) -> Setup:
    """The kernel's arrays for these players under the default rules with changes."""
    return build_setup(rules_with(len(seats), **rules), table_of(*seats))


def new_batches() -> np.ndarray:
    """One batch with nothing in it."""
    return records(np.zeros(1, BATCH))


def begun(setup: Setup, seed: int = 3, unit: int = 0) -> np.ndarray:
    """A batch of 64 matches with the first round dealt."""
    batches = new_batches()
    kernel.begin_through(batches, setup, np.uint64(seed), unit, 0)
    kernel.deal_round(batches[0], setup)
    return batches


def next_round(batches: np.ndarray, setup: Setup) -> int:
    """Deal the next round to the matches that are not over; how many go on."""
    batch = batches[0]
    batch["active"][batch["over"] > 0] = 0
    going = int(batch["active"].sum())
    if going:
        kernel.deal_round(batch, setup)
    return going


def actor(batch: np.void, setup: Setup, point: int, lane: int) -> int | None:
    """The seat that chooses at a point, or None."""
    players = int(setup.rules["players"][0])
    if not batch["active"][lane] or batch["walkover"][lane] >= 0:
        return None
    if point < 2 * players:
        seat = int(batch["dealer"][lane] + 1 + (point >> 1)) % players
        if point & 1:
            return seat if batch["call"][seat, lane] in ASIDE_CALLS else None
        return None if point >> 1 == players - 1 and not batch["in_play"][lane] else seat
    trick, turn = divmod(point - 2 * players, players)
    in_play = int(batch["in_play"][lane])
    first = batch["lead_seat"][lane] if trick else batch["dealer"][lane] + 1
    seats = [int(first + k) % players for k in range(players) if in_play >> int(first + k) % players & 1]
    return seats[turn] if turn < len(seats) else None


def choice(batch: np.void, setup: Setup, point: int, seat: int, lane: int) -> tuple[int, ...]:
    """What that seat has chosen there."""
    players = int(setup.rules["players"][0])
    if point < 2 * players:
        return (int(batch["aside" if point & 1 else "call"][seat, lane]),)
    trick, turn = divmod(point - 2 * players, players)
    tile = int(batch["tile"][4 * trick + turn, lane])
    return (tile,) if turn else (tile, int(batch["suit"][trick, lane]))
