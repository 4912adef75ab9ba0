"""The cells of the score histogram, shared by kernel and tables."""

from __future__ import annotations

from analyzer.games.dingo.cards import ACE_RABBIT, ACE_RANK, DECK, rank_of
from analyzer.games.dingo.policies import rank_points
from analyzer.games.dingo.rules import HAND
from analyzer.games.spec import Rules

MAX_CELLS = 512


def score_bins(rules: Rules) -> tuple[int, int, int]:
    """(lowest score, width, number) of the histogram's cells; width 1 unless the range of possible scores is
    very wide.
    """
    low, high = _bounds(rules)
    width = -(-(high - low + 1) // MAX_CELLS)
    return low, width, (high - low) // width + 1


def _bounds(rules: Rules) -> tuple[int, int]:
    """A score is a sum over the cards of a final hand: what each brings its holder is one of a few values."""
    held = HAND - sum(step == "discard" for step in rules["exchange"])
    values = [_values(card, rules) for card in range(DECK)]
    high = sum(sorted((max(each) for each in values), reverse=True)[:held])
    return sum(sorted(min(each) for each in values)[:held]), high


def _values(card: int, rules: Rules) -> set[int]:
    """What a card of the final hand may bring, the rabbit it catches and the first wolf it is given included."""
    if card == ACE_RABBIT:
        return {0, int(rules["points.ace_rabbit_alive"]), -int(rules["points.ace_rabbit_dead"])}
    p = rank_points(rank_of(card), rules)
    if rank_of(card) == ACE_RANK:
        return {-p, 0, p} if card % 3 == 0 else {0, p}
    return {-p, 0, p, 2 * p} if card % 3 == 0 else {0, p, 2 * p}
