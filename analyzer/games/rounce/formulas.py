"""Building blocks of Rounce's tables: rounds and hands, and what a hand dealt a tile is compared with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analyzer.games.common.formulas import wide
from analyzer.games.rounce.tiles import ENDS, PAIRS, rank_in
from analyzer.games.spec import Array, Counters, Of, Setting

BEARS = np.array([[trump in pair for trump in range(ENDS)] for pair in PAIRS], dtype=np.float64)
"""(tile, trump): 1 where the tile is a trump."""

DEALT = np.array(
    [[trump / (trump + 1) if pair[0] == trump else 1.0 for trump in range(ENDS)] for pair in PAIRS], dtype=np.float64
)
"""(tile, trump): how much of the tile is dealt under that trump, but for a factor common to all: a tile whose
higher end is the trump is itself the turn-up in one of trump + 1 cases, and then in nobody's hand."""


def rounds(rows: int = 0) -> Of:
    """Rounds, with `rows` trailing dimensions of length 1."""
    return lambda c, s: wide(c["rounds"], rows)


def hands(rows: int = 0) -> Of:
    """Hands dealt, with `rows` trailing dimensions of length 1."""
    return lambda c, s: wide(c["rounds"] * len(s.seats), rows)


def over_positions(name: str) -> Of:
    """A counter by position and call, summed over positions."""
    return lambda c, s: c[name].sum(-2)


def average_hand(what: str, weights: Callable[[Setting], Array]) -> Of:
    """Mean `tricks` or `change` of a hand over the rounds in which its tiles are dealt; (leading, *rows).

    `weights` (*rows, trump): which trumps a row stands for, and how much of the row's tile is dealt under each.
    Some trumps make for more tricks and fewer rounced players than others, so each counts by its rounds.
    """

    def mean(c: Counters, s: Setting) -> Array:
        weight = weights(s) * c["trump"][..., None, :]
        each = c[f"trump_{what}"] / (len(s.seats) * c["trump"])
        # A trump that has not come up yet has no mean, and no weight either.
        return np.asarray((weight * np.where(c["trump"] > 0, each, 0.0)[..., None, :]).sum(-1) / weight.sum(-1))

    return mean


def of_tiles(role: str | None) -> Callable[[Setting], Array]:
    """Weights (tile, trump) of the tiles as trumps, as plain tiles, or as either."""
    part = {"trump": BEARS, "plain": 1 - BEARS, None: np.ones_like(BEARS)}[role] * DEALT
    return lambda s: part


def of_trump_ranks(s: Setting) -> Array:
    """Weights (rank, trump): the one trump of each rank."""
    weights = np.zeros((ENDS + 1, ENDS))
    for tile, trump in np.argwhere(BEARS):
        rank = rank_in(int(tile), int(trump), s.rules["doubles"] == "high")
        weights[rank, trump] += DEALT[tile, trump]
    return weights


def call_exists(call: str, s: Setting) -> bool:
    """Whether the rules know a call."""
    rules = s.rules
    defends = bool(rules["defend_allowed"] and rules["dummies_max"])
    return {
        "fold": bool(rules["fold_allowed"]),
        "dummy": bool(rules["dummies_max"]),
        "take": bool(rules["dealer_takes"]),
        "defend": defends,
        "defend and take": defends and bool(rules["dealer_takes"]),
    }.get(call, True)


def trumps_fit(trumps: str, s: Setting) -> bool:
    """Whether a hand can hold so many trumps: the turn-up is always one of the seven."""
    return int(trumps) <= min(int(s.rules["hand_size"]), ENDS - 1)


def rank_exists(rank: str, s: Setting) -> bool:
    """Whether a tile can have this rank; only a double that ranks above all has a 7."""
    return int(rank) < ENDS or s.rules["doubles"] == "high"
