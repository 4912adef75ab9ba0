"""Two grids that kernel and tables share: cells of the score histogram, and marks of the running sums."""

from __future__ import annotations

from analyzer.games.dingo.cards import ACE_RANK
from analyzer.games.dingo.policies import rank_points
from analyzer.games.spec import Rules

MARKS_PER_DECADE = 20
DECADES = 10
MAX_CELLS = 512


def running_marks() -> list[int]:
    """Unit indices, evenly spaced in the logarithm and the same for every run, at which running sums are
    kept: 1 to 10^10.
    """
    return sorted({round(10 ** (step / MARKS_PER_DECADE)) for step in range(MARKS_PER_DECADE * DECADES + 1)})


def score_bins(rules: Rules) -> tuple[int, int, int]:
    """(lowest score, width, number) of the histogram's cells; width 1 unless the range of possible scores is
    very wide.

    Bounds: every card scores for one player at most, so no score leaves the sum of what all cards can bring.
    """
    low, high = _bounds(rules)
    width = -(-(high - low + 1) // MAX_CELLS)
    return low, width, (high - low) // width + 1


def _bounds(rules: Rules) -> tuple[int, int]:
    low = high = 0
    for rank in range(13):
        p = rank_points(rank, rules)
        # Two wolves and the hunted rabbit only ever score; the dingo may die.
        scoring = 2 if rank == ACE_RANK else 3
        high += scoring * max(p, 0) + abs(p)
        low += scoring * min(p, 0) - abs(p)
    fates = (int(rules["points.ace_rabbit_alive"]), -int(rules["points.ace_rabbit_dead"]), 0)
    return low + min(fates), high + max(fates)
