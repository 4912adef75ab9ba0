"""Dingo in plain Python, slow and obvious, written from the rules page (`rules.md`) and nothing else.

The second opinion on the kernel: tests and `verify` replay the kernel's transcripts here. Errors name the
section of the rules page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from analyzer.games.dingo.reference_score import result
from analyzer.games.dingo.reference_transcript import Event, Transcript, flat
from analyzer.games.dingo.reference_view import (
    DECK,
    PLACES_LEFT,
    RANKS,
    SEATS,
    Chance,
    Decide,
    Decision,
    IllegalPlayError,
    View,
    clockwise,
    left_of,
    why_illegal,
)
from analyzer.games.knobs import nested
from analyzer.games.spec import Rules

Laid = list[tuple[str, str]]
"""(seat, card) in the order laid."""


def play(
    hands: Mapping[str, Sequence[str]],
    rules: Rules,
    decide: Decide,
    chance: Chance,
    about: Mapping[str, Any] | None = None,
) -> Iterator[Event]:
    """One deal as transcript events.

    `rules` is flat and valid, every knob present; `about` gives deal, policies, seed and rotation of the
    first event. Raises IllegalPlayError when the hands, a choice or an order of chance break a rule.
    """
    about = {"deal": 0, "policies": {}, "seed": 0, "rotation": 0, **(about or {})}
    if set(hands) != set(SEATS) or any(len(hand) != 10 for hand in hands.values()):
        raise IllegalPlayError("Discards and exchanges: 10 cards are dealt to each of S, W, N, E")
    if sorted(card for hand in hands.values() for card in hand) != sorted(DECK):
        raise IllegalPlayError("Cards: the hands do not hold the 40 cards of the main deck once each")
    yield {
        "game": "dingo",
        "deal": about["deal"],
        "event": "deal",
        "hands": {seat: list(hands[seat]) for seat in SEATS},
        "policies": about["policies"],
        "rules": nested(rules),
        "seed": about["seed"],
        "rotation": about["rotation"],
    }
    for event in _Game(hands, rules, decide, chance).events():
        yield {"deal": about["deal"], **event}


def replay(events: Sequence[Event], watch: Callable[[Decision, Any], None] | None = None) -> list[Event]:
    """A deal's transcript computed anew from its cards, rules, choices and chances.

    Equal to `events` when those are right. `watch` is shown each decision with the choice that the transcript
    tells. Raises IllegalPlayError when a choice is illegal, missing or one too many, KeyError without a knob.
    """
    try:
        deal = events[0]
        told = Transcript(events[1:])
        rules = flat(deal["rules"])
        about = {key: deal[key] for key in ("deal", "policies", "seed", "rotation")}
        hands = deal["hands"]
    except (LookupError, TypeError, AttributeError, ValueError) as fault:
        raise IllegalPlayError(f"Transcript: not a deal of Dingo ({fault!r})") from fault

    def decide(decision: Decision) -> Any:
        choice = told.answer(decision)
        if watch is not None:
            watch(decision, choice)
        return choice

    again = list(play(hands, rules, decide, told, about))
    told.check_end()
    return again


class _Game:
    """The table while a deal is played."""

    def __init__(self, hands: Mapping[str, Sequence[str]], rules: Rules, decide: Decide, chance: Chance) -> None:
        self.rules, self.decide, self.chance = rules, decide, chance
        self.discards: Laid = []
        self.played: Laid = []
        self.views = {s: View(s, rules, list(hands[s]), self.discards, self.played) for s in SEATS}
        self.score_piles: dict[str, list[str]] = {seat: [] for seat in SEATS}
        self.penalty_piles: dict[str, list[str]] = {seat: [] for seat in SEATS}

    def events(self) -> Iterator[Event]:
        yield from self.exchange()
        for rank in self.hunt_order():
            yield self.hunt(rank)
        yield self.ace_hunt()
        left = {seat: self.views[seat].hand for seat in SEATS}
        yield result(left, self.score_piles, self.penalty_piles, self.rules)

    def ask(self, decision: Decision) -> Any:
        choice = self.decide(decision)
        if choice not in decision.legal:
            raise IllegalPlayError(why_illegal(decision, choice))
        return choice

    def holder(self, card: str) -> str | None:
        return next((seat for seat in SEATS if card in self.views[seat].hand), None)

    def lay(self, seat: str, card: str) -> None:
        self.views[seat].hand.remove(card)
        self.played.append((seat, card))

    def exchange(self) -> Iterator[Event]:
        discard = 0
        for step, word in enumerate(self.rules["exchange"]):
            discard += word == "discard"
            for seat in SEATS:
                view = self.views[seat]
                if word == "discard":
                    legal = tuple(card for card in view.hand if card[0] != "A" or self.rules["discard_aces"])
                    card = self.ask(Decision("discard", view, legal, step=step, discard=discard))
                    view.hand.remove(card)
                    self.discards.append((seat, card))
                    yield {"event": "discard", "step": step, "seat": seat, "card": card}
                else:
                    card = self.ask(Decision("pass", view, tuple(view.hand), step=step, way=word))
                    to = left_of(seat, PLACES_LEFT[word])
                    view.hand.remove(card)
                    view.passed.append((card, to))
                    self.views[to].hand.append(card)
                    self.views[to].received.append((card, seat))
                    yield {"event": "pass", "step": step, "from": seat, "to": to, "card": card}

    def hunt_order(self) -> list[str]:
        ranks = list(RANKS[:12])
        if self.rules["hunt_order"] == "shuffled":
            order = list(self.chance.hunt_order())
            if sorted(order) != sorted(ranks):
                raise IllegalPlayError(f"The hunt: the rabbits 2 to K are hunted once each, not {order}")
            return order
        return ranks if self.rules["hunt_order"] == "ascending" else ranks[::-1]

    def dingo_player(self, rank: str) -> tuple[str | None, str | None]:
        """Who lays the dingo of a rank, and who overlooked it."""
        holder = self.holder(rank + "H")
        if holder is None:
            return None, None
        if self.chance.lapse(holder, rank + "H"):
            return None, holder
        self.lay(holder, rank + "H")
        return holder, None

    def circle_of(self, rank: str, player: str) -> list[str]:
        """Seats with a turn in a hunt of 2 to K, in order."""
        others = clockwise(left_of(player))[:3]
        if self.rules["wolf_order"] == "left_of_dealer":
            others = [seat for seat in clockwise(left_of("S")) if seat != player]
        elif self.rules["wolf_order"] == "random":
            drawn = list(self.chance.wolf_order(rank, tuple(others)))
            if sorted(drawn) != sorted(others):
                raise IllegalPlayError(f"The hunt: the other three players have a turn each, not {drawn}")
            others = drawn
        return [*others, player] if self.rules["dingo_player_may_wolf"] else others

    def take_turns(self, kind: str, rank: str, player: str, circle: list[str], number: int, laid: Laid) -> list[Event]:
        """One circle of turns, number 0 or 1; what is laid in it is added to `laid`."""
        turns = []
        for place, seat in enumerate(circle):
            hand = self.views[seat].hand
            wolves = [card for card in (rank + "S", rank + "C") if card in hand]
            legal: list[tuple[str, ...]] = [cards for n in range(3) for cards in permutations(wolves, n)]
            if kind == "ace_hunt" and "AD" in hand:
                needs = self.rules["ace_rabbit_needs"]
                legal += [(*cards, "AD") for cards in legal if len(laid) + len(cards) >= needs]
            decision = Decision(
                kind, self.views[seat], tuple(legal), rank=rank, dingo=player, circle=number,
                before=tuple(circle[:place]), after=tuple(circle[place + 1 :]), laid=tuple(laid),
            )  # fmt: skip
            cards = self.ask(decision)
            for card in cards:
                self.lay(seat, card)
                laid.append((seat, card))
            turns.append({"seat": seat, "cards": list(cards)})
            if kind == "hunt" and self.rules["wolf_turns"] == "until_pass" and len(laid) == 2:
                break
        return turns

    def hunt(self, rank: str) -> Event:
        dingo, rabbit = rank + "H", rank + "D"
        player, lapse = self.dingo_player(rank)
        turns: list[Event] = []
        laid: Laid = []
        to_score: dict[str, list[str]] = {}
        to_penalty: dict[str, list[str]] = {}
        to_discard: list[str] = []
        if player is not None:
            circle = self.circle_of(rank, player)
            turns = self.take_turns("hunt", rank, player, circle, 0, laid)
            # No wolf ends the circles at the first, the second wolf at once: so there are two at the most.
            if self.rules["wolf_turns"] == "until_pass" and len(laid) == 1:
                turns += self.take_turns("hunt", rank, player, circle, 1, laid)

        if player is None:
            outcome = "no_dingo"
            to_discard.append(rabbit)
        elif not laid:
            outcome = "no_wolf"
            to_discard.append(rabbit)
            to_penalty[player] = [dingo]
        else:
            outcome = "one_wolf" if len(laid) == 1 else "two_wolves"
            to_score[player] = [dingo]
            if len(laid) == 2:
                owner, first = laid[0]
                taker = {"dingo_player": player, "owner": owner, "discard": None}[self.rules["first_wolf_to"]]
                (to_discard if taker is None else to_score.setdefault(taker, [])).append(first)
            hunter, wolf = laid[-1]
            to_score.setdefault(hunter, []).extend((rabbit, wolf))
        self.fill_piles(to_score, to_penalty)
        return {
            "event": "hunt", "rank": rank, "dingo": player, "lapse": lapse, "turns": turns,
            "outcome": outcome, "to_score": to_score, "to_penalty": to_penalty, "to_discard": to_discard,
        }  # fmt: skip

    def ace_hunt(self) -> Event:
        player, lapse = self.dingo_player("A")
        turns: list[Event] = []
        laid: Laid = []
        to_score: dict[str, list[str]] = {}
        to_penalty: dict[str, list[str]] = {}
        outcome = "no_dingo"
        if player is not None:
            circle = clockwise(left_of(player))
            if not self.rules["ace_dingo_player_turn"]:
                circle.remove(player)
            turns = self.take_turns("ace_hunt", "A", player, circle, 0, laid)
            outcome = "wolves" if any(card != "AD" for _, card in laid) else "no_wolf"
            (to_score if outcome == "wolves" else to_penalty)[player] = ["AH"]
            for seat, card in laid:
                to_score.setdefault(seat, []).append(card)

        rabbit = "alive" if any(card == "AD" for _, card in laid) else "absent"
        owner = self.holder("AD")
        if owner is not None and self.chance.lapse(owner, "AD"):
            rabbit = "hidden"
        elif owner is not None:
            rabbit = "dead"
            self.lay(owner, "AD")
            to_penalty.setdefault(owner, []).append("AD")
        self.fill_piles(to_score, to_penalty)
        return {
            "event": "ace_hunt", "dingo": player, "lapse": lapse, "turns": turns, "outcome": outcome,
            "to_score": to_score, "to_penalty": to_penalty, "rabbit": rabbit,
        }  # fmt: skip

    def fill_piles(self, to_score: dict[str, list[str]], to_penalty: dict[str, list[str]]) -> None:
        for seat, cards in to_score.items():
            self.score_piles[seat] += cards
        for seat, cards in to_penalty.items():
            self.penalty_piles[seat] += cards
