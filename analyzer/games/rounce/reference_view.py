"""What a player of the plain-Python game knows and is asked. Tiles are names (`6-3`), seats and suits numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from analyzer.errors import AnalyzerError
from analyzer.games.spec import Rules

TILES = tuple(f"{high}-{low}" for high in range(7) for low in range(high + 1))
"""The double-six set."""


class IllegalPlayError(AnalyzerError):
    """A choice, a deal or a transcript that the rules do not allow; the message names the section."""


@cache
def ends(tile: str) -> tuple[int, int]:
    """Both numbers of a tile, the higher first."""
    return int(tile[0]), int(tile[2])


@cache
def suits_of(tile: str, trump: int) -> tuple[int, ...]:
    """Suits a tile belongs to: the trump suit alone if it bears the trump, else those of its ends."""
    high, low = ends(tile)
    if trump in (high, low):
        return (trump,)
    return (high,) if high == low else (high, low)


@cache
def is_trump(tile: str, trump: int) -> bool:
    """Whether a tile bears the trump number."""
    return trump in ends(tile)


@cache
def rank_of(tile: str, suit: int, doubles: str) -> int:
    """Rank of a tile of a suit: its other end; a double's own number, or 7 when doubles are high."""
    high, low = ends(tile)
    if high == low:
        return 7 if doubles == "high" else high
    return low if suit == high else high


@dataclass(frozen=True)
class Deal:
    """What chance gives to a round."""

    hands: Sequence[Sequence[str]]
    """By seat."""
    turn_up: str
    boneyard: Sequence[str]
    """In the order drawn; at least as many tiles as will be."""


@dataclass
class Trick:
    """A trick, also while it is played."""

    leader: int
    suit: int
    plays: list[tuple[int, str]]
    """(seat, tile) in order of play."""
    winner: int = -1


@dataclass
class View:
    """All that one player knows. It lives on with the round: read it when asked, do not keep it."""

    seat: int
    rules: Rules
    round: int
    dealer: int
    scores: Sequence[int]
    """By seat, before the round."""
    turn_up: str
    trump: int
    hand: list[str]
    calls: list[tuple[int, str]]
    """(seat, call) so far; after a take the turn-up is in the dealer's hand."""
    tricks: list[Trick]
    """The last may not be over."""
    aside: list[str] = field(default_factory=list)
    """Tiles that this player laid down or put aside."""

    @property
    def playing(self) -> list[int]:
        """Seats that have not folded, from the dealer's left."""
        seats = [(self.dealer + 1 + place) % len(self.scores) for place in range(len(self.scores))]
        return [seat for seat in seats if (seat, "fold") not in self.calls]


@dataclass(frozen=True)
class Decision:
    """A question to one player."""

    kind: str
    """call, discard, lead or follow."""
    view: View
    legal: tuple[Any, ...]
    """Every allowed answer: a call; a tuple of tiles put aside, in any order; (tile, suit) led; a tile."""
    call: str = ""
    """Discard: the call that it belongs to."""

    @property
    def seat(self) -> int:
        """Who is asked."""
        return self.view.seat

    def allows(self, choice: Any) -> bool:
        """Whether a choice is legal."""
        if self.kind != "discard":
            return choice in self.legal
        return any(len(choice) == len(tiles) and all(tile in choice for tile in tiles) for tiles in self.legal)


Decide = Callable[[Decision], Any]
