"""What a player of the plain-Python game knows and is asked. Cards are names (`2H`, `AD`), seats letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from analyzer.errors import AnalyzerError
from analyzer.games.spec import Rules

SEATS = ("S", "W", "N", "E")
"""Clockwise; South deals."""
RANKS = "23456789TJQKA"
DECK = (*(rank + suit for rank in RANKS for suit in "HSC"), "AD")
PLACES_LEFT = {"left": 1, "across": 2, "right": 3}
"""How many seats clockwise a pass goes."""


class IllegalPlayError(AnalyzerError):
    """A choice, a deal or a transcript that the rules do not allow; the message names the section."""


@dataclass
class View:
    """All that one player knows. It lives on with the deal: read it when asked, do not keep it."""

    seat: str
    rules: Rules
    hand: list[str]
    discards: list[tuple[str, str]]
    """(seat, card) of every discard by anyone, as it was made; the last is on top of the pile."""
    played: list[tuple[str, str]]
    """(seat, card) of every card laid or revealed in a hunt so far."""
    passed: list[tuple[str, str]] = field(default_factory=list)
    """(card, to whom) of the player's own passes."""
    received: list[tuple[str, str]] = field(default_factory=list)
    """(card, from whom)."""


@dataclass(frozen=True)
class Decision:
    """A question to one player."""

    kind: str
    """discard, pass, hunt or ace_hunt."""
    view: View
    legal: tuple[Any, ...]
    """Every allowed answer: a card in the exchange, a tuple of cards in the order laid in a hunt."""
    step: int = 0
    """Exchange: index of the step."""
    discard: int = 0
    """Discard: which one it is, from 1."""
    way: str = ""
    """Pass: left, across or right."""
    rank: str = ""
    """Hunt: rank of the rabbit."""
    dingo: str = ""
    """Hunt: seat of the dingo player."""
    circle: int = 0
    """Hunt: 0 in the first circle of turns, 1 in the second."""
    before: tuple[str, ...] = ()
    """Hunt: seats whose turn in this circle is over."""
    after: tuple[str, ...] = ()
    """Hunt: seats still to act in this circle."""
    laid: tuple[tuple[str, str], ...] = ()
    """Hunt: (seat, card) of what earlier turns of it laid."""

    @property
    def seat(self) -> str:
        """Who is asked."""
        return self.view.seat


Decide = Callable[[Decision], Any]


class Chance(Protocol):
    """What neither rules nor players settle."""

    def hunt_order(self) -> Sequence[str]:
        """The twelve ranks as revealed; asked when `hunt_order` is shuffled."""

    def wolf_order(self, rank: str, seats: tuple[str, ...]) -> Sequence[str]:
        """The three seats in the order of this hunt; asked when `wolf_order` is random."""

    def lapse(self, seat: str, card: str) -> bool:
        """Whether the player overlooks this red card now that it must be played or revealed."""


def clockwise(first: str) -> list[str]:
    """The four seats from `first` on."""
    at = SEATS.index(first)
    return [*SEATS[at:], *SEATS[:at]]


def left_of(seat: str, places: int = 1) -> str:
    """The seat so many places clockwise."""
    return SEATS[(SEATS.index(seat) + places) % 4]


def card_points(card: str, rules: Rules) -> int:
    """Points of a card, of the ace rabbit when alive."""
    rank = card[0]
    if card == "AD":
        return int(rules["points.ace_rabbit_alive"])
    if rank == "A":
        return int(rules["points.ace"])
    return int(rules["points.eight" if rank == "8" else "points.high" if rank in "TJQK" else "points.low"])


def why_illegal(decision: Decision, choice: Any) -> str:
    """The rule that a choice breaks."""
    seat, hand = decision.seat, decision.view.hand
    if decision.kind in ("discard", "pass"):
        section = "Discards and exchanges"
        if choice not in hand:
            return f"{section}: {seat} does not hold {choice}"
        return f"{section}: any card but an ace may be discarded; {seat} chose {choice}"
    section = "The hunt" if decision.kind == "hunt" else "The ace hunt"
    for card in choice:
        if card not in hand:
            return f"{section}: {seat} does not hold {card}"
        if card[0] != decision.rank or card[1] not in ("SC" if decision.kind == "hunt" else "SCD"):
            return f"{section}: {seat} may lay wolves of rank {decision.rank}, not {card}"
    if "AD" in choice[:-1] or len(set(choice)) < len(choice):
        return f"{section}: wolves are laid once each, then the ace rabbit; {seat} laid {list(choice)}"
    needs = decision.view.rules["ace_rabbit_needs"]
    return f"{section}: the ace rabbit needs {needs} ace wolves out; {seat} laid {list(choice)}"
