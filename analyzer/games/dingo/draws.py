"""How hands are drawn: sets of up to three cards at a time, each a row of a table.

A uniform hand is a uniform triple, then one of what is left, and so on: a hand of ten takes four steps, and each step
one look-up, as the triples of n places are the first ones of a table in colexicographic order (Knuth, The Art of
Computer Programming 4A, 7.2.1.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import RulesError
from analyzer.games.dingo import state as S
from analyzer.games.dingo.cards import DECK
from analyzer.games.dingo.rules import HAND

PER_DRAW = 3
"""Cards drawn together at most."""


@lru_cache(maxsize=1)
def subsets() -> NDArray[np.uint64]:
    """See Setup.subsets."""
    found = [0]
    for size in range(1, PER_DRAW + 1):
        found += sorted(sum(1 << place for place in places) for places in combinations(range(DECK), size))
    return np.array(found, np.uint64)


def draws(given: Mapping[int, int]) -> dict[str, Any]:
    """How hands are drawn when some cards are given: fields of RULES."""
    pool = (1 << DECK) - 1
    bounds, rows, unfair = np.ones((3, S.DRAWS), np.uint64), np.zeros((3, S.DRAWS), np.uint64), []
    for seat, cards in given.items():
        if cards & ~pool or cards.bit_count() > HAND:
            raise RulesError(f"cards given to seat {seat}: a card twice, no card at all, or more than {HAND}")
        pool &= ~cards
    left = pool.bit_count()
    for seat in range(3):
        wanted, ways = HAND - given.get(seat, 0).bit_count(), 1
        for draw in range(S.DRAWS):
            size = min(wanted, PER_DRAW)
            bounds[seat, draw] = comb(left, size)
            rows[seat, draw] = sum(comb(DECK, smaller) for smaller in range(size))
            ways *= comb(left, size)
            wanted, left = wanted - size, left - size
        unfair.append(2**64 % ways)
    return {
        "given": [given.get(seat, 0) for seat in range(4)], "pool": pool, "draw_bound": bounds, "draw_from": rows,
        "draw_unfair": unfair,
    }  # fmt: skip
