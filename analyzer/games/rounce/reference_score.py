"""Who wins a trick, what a round costs and who wins a match, in the plain-Python game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.games.rounce.reference_view import Trick, View, is_trump, rank_of, suits_of
from analyzer.games.spec import Rules


def winner_of(trick: Trick, trump: int, doubles: str) -> int:
    """Seat of the highest trump, else of the highest rank of the suit led."""
    trumps = [(seat, tile) for seat, tile in trick.plays if is_trump(tile, trump)]
    if trumps:
        return max(trumps, key=lambda play: rank_of(play[1], trump, doubles))[0]
    followed = [(seat, tile) for seat, tile in trick.plays if trick.suit in suits_of(tile, trump)]
    return max(followed, key=lambda play: rank_of(play[1], trick.suit, doubles))[0]


def round_score(view: View) -> dict[str, Any]:
    """The last event of a round, from anyone's view at its end."""
    rules, playing = view.rules, view.playing
    change = [0] * len(view.scores)
    tricks = [sum(trick.winner == seat for trick in view.tricks) for seat in range(len(view.scores))]
    walkover = None
    rounced = []
    if len(playing) == 1:
        (walkover,) = playing
        change[walkover] = -rules["walkover"] if walkover == view.dealer else -rules["hand_size"]
    else:
        for seat in sorted(playing):
            if (seat, "defend") in view.calls or (seat, "defend_take") in view.calls:
                continue
            if tricks[seat] == 0:
                rounced.append(seat)
                change[seat] = rules["rounce_penalty"]
            else:
                change[seat] = -tricks[seat]
    return {
        "event": "score", "tricks": tricks, "walkover": walkover, "rounced": rounced, "change": change,
        "scores": [score + more for score, more in zip(view.scores, change, strict=True)],
    }  # fmt: skip


def is_over(scores: Sequence[int]) -> bool:
    """Whether somebody has come down to 0."""
    return min(scores) <= 0


def result(scores: Sequence[int], rounds: int, rules: Rules) -> dict[str, Any]:
    """The last event of a match."""
    winners = [seat for seat, score in enumerate(scores) if score <= 0]
    if rules["finish_tie"] == "lowest":
        winners = [seat for seat in winners if scores[seat] == min(scores)]
    return {
        "event": "result", "rounds": rounds, "scores": list(scores), "unfinished": not winners,
        "win_share": [1 / len(winners) if seat in winners else 0.0 for seat in range(len(scores))],
    }  # fmt: skip
