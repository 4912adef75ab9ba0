"""Hand-made deals, scripted players and random play of the plain-Python game, for the tests of Domino Rounce."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.games.rounce.reference import play_match
from analyzer.games.rounce.reference_view import TILES, Deal, Decision
from analyzer.games.rounce.rules import KNOBS, check_rules

Event = dict[str, Any]


def rules_with(players: int = 3, **changes: Any) -> dict[str, Any]:
    """The default rules of so many players, with changes; defaults that hang on a changed knob follow it."""
    rules: dict[str, Any] = {}
    for knob in KNOBS:
        rules[knob.key] = players if knob.seats else changes.pop(knob.key, knob.default_in(rules))
    assert not changes
    check_rules(rules)
    return rules


def deal_with(turn_up: str, *hands: str, boneyard: str = "") -> Deal:
    """A deal of these hands by seat; the boneyard starts as told, and holds all other tiles."""
    given = [hand.split() for hand in hands]
    first = boneyard.split()
    known = {turn_up, *first, *(tile for hand in given for tile in hand)}
    return Deal(given, turn_up, [*first, *(tile for tile in TILES if tile not in known)])


@dataclass(frozen=True)
class Asked:
    """What a player was asked, as it was then."""

    kind: str
    seat: int
    trick: int
    legal: tuple[Any, ...]
    hand: tuple[str, ...]
    decision: Decision


class Script:
    """Players who do as told and remember what they were asked.

    `calls`: seat -> calls, one a round; else pass. `aside`: seat -> tiles put aside. `plays`: seat -> tiles in
    the order played, a tile led with its suit as `6-3/3`; else the first legal choice.
    """

    def __init__(
        self,
        calls: Mapping[int, str] | None = None,
        aside: Mapping[int, str] | None = None,
        plays: Mapping[int, str] | None = None,
    ) -> None:
        self.calls = {seat: words.split() for seat, words in (calls or {}).items()}
        self.aside = {seat: tuple(words.split()) for seat, words in (aside or {}).items()}
        self.plays = {seat: words.split() for seat, words in (plays or {}).items()}
        self.asked: list[Asked] = []

    def __call__(self, decision: Decision) -> Any:
        view, legal = decision.view, decision.legal
        trick = len(view.tricks) - (decision.kind == "follow")
        self.asked.append(Asked(decision.kind, view.seat, trick, legal, tuple(view.hand), decision))
        if decision.kind == "call":
            words = self.calls.get(view.seat)
            return words.pop(0) if words else "pass"
        if decision.kind == "discard":
            return self.aside.get(view.seat, legal[0])
        tiles = self.plays.get(view.seat)
        if not tiles:
            return legal[0]
        tile, _, suit = tiles.pop(0).partition("/")
        if decision.kind == "follow":
            return tile
        return (tile, int(suit) if suit else next((suit for held, suit in legal if held == tile), -1))

    def legal(self, kind: str, seat: int, trick: int = 0) -> set[Any]:
        """The choices that a player had; a lead's as `6-3/3`."""
        (asked,) = (a for a in self.asked if (a.kind, a.seat, a.trick) == (kind, seat, trick))
        return {f"{choice[0]}/{choice[1]}" for choice in asked.legal} if kind == "lead" else set(asked.legal)


def round_of(
    deal: Deal, rules: Mapping[str, Any], script: Callable[[Decision], Any] | None = None, dealer: int | None = None
) -> list[Event]:
    """The events of one round; the last seat deals unless said, so that seat 0 is on the dealer's left."""
    first = len(deal.hands) - 1 if dealer is None else dealer
    return list(play_match({**rules, "max_rounds": 1}, lambda number: deal, script or Script(), first))[:-1]


def match_of(deals: Sequence[Deal], rules: Mapping[str, Any], script: Script | None = None) -> list[Event]:
    """The events of a match over these deals, again from the first when they run out; seat 0 deals first."""
    return list(play_match(rules, lambda number: deals[number % len(deals)], script or Script(), 0))


def tricks_of(events: Sequence[Event]) -> list[Event]:
    """The tricks among some events."""
    return [event for event in events if event["event"] == "trick"]


def score_of(events: Sequence[Event]) -> Event:
    """The score of the only round."""
    (score,) = (event for event in events if event["event"] == "score")
    return score


class RandomTable:
    """Players who choose as the `random` policy is defined, and shuffled tiles."""

    def __init__(self, seed: int, rules: Mapping[str, Any]) -> None:
        self.random, self.rules = random.Random(seed), rules
        self.deals: list[Deal] = []

    def first_dealer(self) -> int:
        told: int | str = self.rules["first_dealer"]
        return told if isinstance(told, int) else self.random.randrange(self.rules["players"])

    def deal(self, number: int) -> Deal:
        tiles = self.random.sample(TILES, len(TILES))
        players, size = self.rules["players"], self.rules["hand_size"]
        hands = [tiles[1 + seat * size :][:size] for seat in range(players)]
        self.deals.append(Deal(hands, tiles[0], tiles[1 + players * size :]))
        return self.deals[-1]

    def decide(self, decision: Decision) -> Any:
        if decision.kind != "lead":
            return self.random.choice(decision.legal)
        tile = self.random.choice(list(dict.fromkeys(tile for tile, _ in decision.legal)))
        return self.random.choice([choice for choice in decision.legal if choice[0] == tile])


def random_match(seed: int, rules: Mapping[str, Any] | None = None) -> list[Event]:
    """One match of random play; three players, at most 40 rounds unless rules are given."""
    table = RandomTable(seed, rules_with(max_rounds=40) if rules is None else rules)
    about = {"match": seed, "policies": ["random"] * table.rules["players"], "seed": 7, "rotation": 0}
    return list(play_match(table.rules, table.deal, table.decide, table.first_dealer(), about))
