"""Building blocks of Dingo's tables: counts of hunts and of the ace rabbit's fates.

Every formula works over trailing axes, since the leading one holds the total and its leave-one-group-out
variants (`games/spec.py`). `Of` functions named after what they count return arrays (leading, *rows).
"""

from __future__ import annotations

from analyzer.games.common.formulas import TWELFTHS, wide
from analyzer.games.dingo.axes import FATES, OUTCOMES
from analyzer.games.spec import Array, Counters, Of, Setting

N_HUNTED = 12

ESCAPED = (OUTCOMES.index("no_dingo"), OUTCOMES.index("overlooked"), OUTCOMES.index("no_wolf"))
"""Outcomes of a hunt in which nobody scores."""
PLAYED = (OUTCOMES.index("no_wolf"), OUTCOMES.index("one_wolf"), OUTCOMES.index("two_wolves"))
"""Outcomes of a hunt with a dingo on the table."""


def hunts(rows: int = 0) -> Of:
    """Hunts of a rabbit 2 to K."""
    return lambda c, s: wide(c["units"] * (s.table.plays * N_HUNTED), rows)


def outcome(*which: int) -> Of:
    """Hunts by rank that ended in one of the outcomes."""
    return lambda c, s: c["outcome"][..., list(which)].sum(-1)


def over_ranks(of: Of) -> Of:
    """A count by rank (its last axis), summed."""
    return lambda c, s: of(c, s).sum(-1)


def held_rabbit(*sum_over: int) -> Of:
    """Deals in which somebody held the ace rabbit when the ace hunt opened, by wolves held and place unless
    summed over."""
    absent = FATES.index("absent")
    return lambda c, s: _summed(c["ace"][..., :absent].sum(-1), sum_over)


def rabbit_fate(fate: str, *sum_over: int) -> Of:
    """Deals in which the ace rabbit ended so, by wolves held and place unless summed over."""
    index = FATES.index(fate)
    return lambda c, s: _summed(c["ace"][..., index], sum_over)


def win_mean(c: Counters, s: Setting) -> Array:
    """Mean win share of a hand: a quarter, unless everybody was disqualified at times; (leading,)."""
    mean: Array = c["win"].sum((-1, -2)) / (TWELFTHS * c["plays"].sum((-1, -2)))
    return mean


def _summed(values: Array, sum_over: tuple[int, ...]) -> Array:
    return values.sum(sum_over) if sum_over else values
