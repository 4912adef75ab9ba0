"""The end of a deal of the plain-Python game: what is left, disqualification, scores, ties and win shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.games.dingo.reference_view import DECK, RANKS, SEATS, card_points
from analyzer.games.spec import Rules

Piles = Mapping[str, list[str]]
"""Seat -> cards."""


def result(left: Piles, score_piles: Piles, penalty_piles: Piles, rules: Rules) -> dict[str, Any]:
    """The last event of a deal, from the cards left in hand and the piles."""
    caught = {seat: [card for card in left[seat] if card[1] in "HD"] for seat in SEATS}
    score = {}
    for seat in SEATS:
        lost = penalty_piles[seat] + (caught[seat] if rules["caught"] == "penalty" else [])
        won = sum(card_points(card, rules) for card in score_piles[seat])
        score[seat] = won - sum(_points_lost(card, rules) for card in lost)
    disqualified = [seat for seat in SEATS if caught[seat] and rules["caught"] == "disqualified"]
    standing = [seat for seat in SEATS if seat not in disqualified]
    top = [seat for seat in standing if score[seat] == max(score[other] for other in standing)]
    winners, tie_break = _break_tie(top, score_piles, rules)
    return {
        "event": "result",
        "score": score,
        "left": {seat: sorted(left[seat], key=DECK.index) for seat in SEATS},
        "disqualified": disqualified,
        "tied": top if len(top) > 1 else [],
        "tie_break": tie_break,
        "win_share": {seat: 1 / len(winners) if seat in winners else 0.0 for seat in SEATS},
    }


def _points_lost(card: str, rules: Rules) -> int:
    return int(rules["points.ace_rabbit_dead"]) if card == "AD" else card_points(card, rules)


def _break_tie(top: list[str], score_piles: Piles, rules: Rules) -> tuple[list[str], str | None]:
    """Who wins of those with the top score, and what decided."""
    if len(top) < 2:
        return top, None
    rule = rules["tie_break"]
    if rule == "shared":
        return top, "shared"
    best: dict[str, int] = {}
    for seat in top:
        rabbits = [card for card in score_piles[seat] if card[1] == "D"]
        if rabbits and rule == "highest_rabbit":
            best[seat] = max(RANKS.index(card[0]) for card in rabbits)
        elif rabbits:
            best[seat] = max(card_points(card, rules) for card in rabbits)
    winners = [seat for seat in best if best[seat] == max(best.values())]
    # Without a rabbit among them, or when all have an equal one, nothing was decided.
    return (winners, rule) if 0 < len(winners) < len(top) else (top, "shared")
