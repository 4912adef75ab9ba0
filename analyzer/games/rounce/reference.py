"""Domino Rounce in plain Python, slow and obvious, written from the rules page (`rules.md`) and nothing else.

The second opinion on the kernel: tests and `verify` replay the kernel's transcripts here. Errors name the
section of the rules page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from analyzer.games.rounce.reference_legal import (
    check_deal,
    legal_calls,
    legal_discards,
    legal_follows,
    legal_leads,
    why_illegal,
)
from analyzer.games.rounce.reference_score import is_over, result, round_score, winner_of
from analyzer.games.rounce.reference_transcript import Event, Transcript
from analyzer.games.rounce.reference_view import Deal, Decide, Decision, IllegalPlayError, Trick, View, ends
from analyzer.games.spec import Rules


def play_match(
    rules: Rules,
    deals: Callable[[int], Deal],
    decide: Decide,
    first_dealer: int = 0,
    about: Mapping[str, Any] | None = None,
) -> Iterator[Event]:
    """One match as transcript events.

    `rules` is valid, every knob present; `deals` gives each round its tiles, `first_dealer` who deals the
    first; `about` gives match, policies, seed and rotation of the deal events. Raises IllegalPlayError
    when the tiles, the dealer or a choice break a rule.
    """
    about = {"match": 0, "policies": [], "seed": 0, "rotation": 0, **(about or {})}
    players = rules["players"]
    if type(first_dealer) is not int or not 0 <= first_dealer < players:
        raise IllegalPlayError(f"The match: the first dealer is a seat from 0 to {players - 1}, not {first_dealer!r}")
    if rules["first_dealer"] not in ("random", first_dealer):
        raise IllegalPlayError(f"The match: seat {rules['first_dealer']} deals first, not {first_dealer}")
    scores = [rules["start_score"]] * players
    number = 0
    while number < rules["max_rounds"] and not is_over(scores):
        this = _Round(rules, number, (first_dealer + number) % players, scores, deals(number), decide)
        for event in this.events():
            told = {"game": "rounce", **about, "rules": dict(rules)} if event["event"] == "deal" else {}
            yield {**told, "match": about["match"], "round": number, **event}
        scores = this.scores
        number += 1
    yield {"match": about["match"], **result(scores, number, rules)}


def replay(events: Sequence[Event], watch: Callable[[Decision, Any], None] | None = None) -> list[Event]:
    """A match's transcript computed anew from its tiles, rules, choices and first dealer.

    Equal to `events` when those are right. `watch` is shown each decision with the choice that the transcript
    tells. Raises IllegalPlayError when a choice is illegal, missing or one too many, KeyError without a knob.
    """
    try:
        told = Transcript(events)
    except (LookupError, TypeError, AttributeError, ValueError) as fault:
        raise IllegalPlayError(f"Transcript: not a match of Domino Rounce ({fault!r})") from fault

    def decide(decision: Decision) -> Any:
        choice = told.answer(decision)
        if watch is not None:
            watch(decision, choice)
        return choice

    again = list(play_match(told.rules, told.deal, decide, told.first_dealer, told.about))
    told.check_end(again[-1]["rounds"])
    return again


class _Round:
    """The table while a round is played; `scores` are those after it at its end."""

    def __init__(
        self, rules: Rules, number: int, dealer: int, scores: Sequence[int], deal: Deal, decide: Decide
    ) -> None:
        check_deal(deal, rules)
        self.rules, self.dealer, self.scores, self.deal, self.decide = rules, dealer, list(scores), deal, decide
        self.trump = ends(deal.turn_up)[0]
        self.boneyard = list(deal.boneyard)
        self.calls: list[tuple[int, str]] = []
        self.tricks: list[Trick] = []
        self.views = [
            View(seat, rules, number, dealer, scores, deal.turn_up, self.trump, list(hand), self.calls, self.tricks)
            for seat, hand in enumerate(deal.hands)
        ]

    def events(self) -> Iterator[Event]:
        yield {
            "event": "deal", "dealer": self.dealer, "scores": list(self.scores),
            "hands": [list(hand) for hand in self.deal.hands], "turn_up": self.deal.turn_up, "trump": self.trump,
        }  # fmt: skip
        yield from self.call_round()
        if len(self.playing) > 1:
            yield from self.play()
        score = round_score(self.views[self.dealer])
        self.scores = score["scores"]
        yield score

    @property
    def playing(self) -> list[int]:
        """Seats still in, from the dealer's left."""
        return self.views[self.dealer].playing

    def ask(self, decision: Decision) -> Any:
        choice = self.decide(decision)
        if not decision.allows(choice):
            raise IllegalPlayError(why_illegal(decision, choice))
        return choice

    def call_round(self) -> Iterator[Event]:
        for seat in self.playing:
            if self.playing == [seat]:
                # Only the dealer, who comes last, can find all others folded.
                return
            view = self.views[seat]
            call = self.ask(Decision("call", view, legal_calls(view)))
            self.calls.append((seat, call))
            event = {"event": "call", "seat": seat, "call": call}
            if call in ("dummy", "take", "defend_take"):
                drew = self.drawn(view, call)
                discarded = self.ask(Decision("discard", view, legal_discards(view, call), call=call))
                for tile in discarded:
                    view.hand.remove(tile)
                    view.aside.append(tile)
                event |= {"drew": drew, "discarded": list(discarded)}
            elif call == "fold":
                view.aside += view.hand
                view.hand.clear()
            yield event

    def drawn(self, view: View, call: str) -> list[str]:
        """Tiles that come into a hand with a call: the turn-up, or a dummy in the place of the old hand."""
        drew = [self.deal.turn_up]
        if call == "dummy":
            count = self.rules["dummy_draw"]
            if len(self.boneyard) < count:
                raise IllegalPlayError(f"The calls: a dummy draws {count} tiles, not {len(self.boneyard)} (dummy_draw)")
            drew, self.boneyard = self.boneyard[:count], self.boneyard[count:]
            view.aside += view.hand
            view.hand.clear()
        view.hand += drew
        return drew

    def play(self) -> Iterator[Event]:
        leader = self.playing[0]
        for number in range(self.rules["hand_size"]):
            order = [*self.playing, *self.playing]
            order = order[order.index(leader) :][: len(self.playing)]
            trick = Trick(leader, -1, [])
            for seat in order:
                view = self.views[seat]
                if seat == leader:
                    tile, trick.suit = self.ask(Decision("lead", view, legal_leads(view)))
                    self.tricks.append(trick)
                else:
                    tile = self.ask(Decision("follow", view, legal_follows(view)))
                view.hand.remove(tile)
                trick.plays.append((seat, tile))
            leader = trick.winner = winner_of(trick, self.trump, self.rules["doubles"])
            yield {
                "event": "trick", "trick": number, "leader": trick.leader, "suit": trick.suit,
                "plays": [{"seat": seat, "tile": tile} for seat, tile in trick.plays], "winner": leader,
            }  # fmt: skip
