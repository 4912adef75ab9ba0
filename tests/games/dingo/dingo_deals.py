"""Hand-made deals, scripted players and random play of the plain-Python game, for the tests of Dingo."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from analyzer.games.dingo.reference import play
from analyzer.games.dingo.reference_view import DECK, SEATS, Decision
from analyzer.games.dingo.rules import KNOBS

Event = dict[str, Any]
DEFAULTS = {knob.key: knob.default for knob in KNOBS}


def rules_with(changes: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Default rules without an exchange, so that dealt cards are hunted, with changes."""
    rules = {**DEFAULTS, "exchange": (), **(changes or {}), **more}
    assert set(rules) == set(DEFAULTS)
    return rules


def deal_with(**given: str) -> dict[str, list[str]]:
    """Ten cards a seat: the given ones, then the rest of the deck, each seat's share from the aces down."""
    hands = {seat: given.get(seat, "").split() for seat in SEATS}
    rest = [card for card in DECK if not any(card in hand for hand in hands.values())]
    for seat in SEATS:
        while len(hands[seat]) < 10:
            hands[seat].append(rest.pop())
    return hands


class Luck:
    """Chances as told; nothing is overlooked unless said."""

    def __init__(self, order: str = "", circles: Mapping[str, str] | None = None, lapses: Iterable[str] = ()) -> None:
        self.order, self.circles, self.lapses = order, circles or {}, set(lapses)

    def hunt_order(self) -> Sequence[str]:
        return self.order

    def wolf_order(self, rank: str, seats: tuple[str, ...]) -> Sequence[str]:
        return self.circles.get(rank, "".join(seats))

    def lapse(self, seat: str, card: str) -> bool:
        return card in self.lapses


class Script:
    """Players who do as told and remember what they were asked.

    `give`: seat -> the cards discarded and passed, in order; else the last legal card. `lay`: seat and rank
    -> what is laid in the turns of that hunt, turns parted by "/"; else nothing.
    """

    def __init__(self, give: Mapping[str, str] | None = None, lay: Mapping[str, str] | None = None) -> None:
        self.give = {seat: cards.split() for seat, cards in (give or {}).items()}
        self.lay = {key: turns.split("/") for key, turns in (lay or {}).items()}
        self.asked: list[Decision] = []
        self.hands: list[tuple[str, ...]] = []

    def __call__(self, decision: Decision) -> Any:
        self.asked.append(decision)
        self.hands.append(tuple(decision.view.hand))
        if decision.kind in ("discard", "pass"):
            cards = self.give.get(decision.seat)
            return cards.pop(0) if cards else decision.legal[-1]
        turns = self.lay.get(decision.seat + decision.rank)
        return tuple(turns.pop(0).split()) if turns else ()


def events_of(
    hands: Mapping[str, Sequence[str]],
    rules: Mapping[str, Any] | None = None,
    script: Callable[[Decision], Any] | None = None,
    luck: Luck | None = None,
) -> list[Event]:
    """The transcript of a scripted deal."""
    return list(play(hands, rules if rules is not None else rules_with(), script or Script(), luck or Luck()))


def hunt_of(events: Iterable[Event], rank: str) -> Event:
    """The hunt of a rank, "A" for the ace hunt."""
    if rank == "A":
        return next(event for event in events if event["event"] == "ace_hunt")
    return next(event for event in events if event["event"] == "hunt" and event["rank"] == rank)


class RandomTable:
    """Players who choose as the `random` policy is defined, and the chances of a random deal."""

    def __init__(self, seed: int, lapse: float = 0.0) -> None:
        self.random, self.chance_of_lapse = random.Random(seed), lapse

    def hands(self) -> dict[str, list[str]]:
        deck = self.random.sample(DECK, len(DECK))
        return {seat: deck[10 * place : 10 * place + 10] for place, seat in enumerate(SEATS)}

    def hunt_order(self) -> Sequence[str]:
        return self.random.sample("23456789TJQK", 12)

    def wolf_order(self, rank: str, seats: tuple[str, ...]) -> Sequence[str]:
        return self.random.sample(seats, len(seats))

    def lapse(self, seat: str, card: str) -> bool:
        return self.random.random() < self.chance_of_lapse

    def decide(self, decision: Decision) -> Any:
        if decision.kind in ("discard", "pass"):
            return self.random.choice(decision.legal)
        wolves = [card for card in decision.view.hand if card[0] == decision.rank and card[1] in "SC"]
        laid = tuple(self.random.sample(wolves, self.random.randint(0, len(wolves))))
        with_rabbit = (*laid, "AD")
        return with_rabbit if with_rabbit in decision.legal and self.random.random() < 0.5 else laid


def random_deal(seed: int, rules: Mapping[str, Any] | None = None, lapse: float = 0.0) -> list[Event]:
    """One deal of random play; default rules unless given."""
    table = RandomTable(seed, lapse)
    return list(play(table.hands(), DEFAULTS if rules is None else rules, table.decide, table))
