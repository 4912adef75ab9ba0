"""Why each player of a deal chose as they did: the transcript's events with explanations between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from analyzer.games.common.explain import Event, Option, Question, explained, lapse, woven
from analyzer.games.dingo.chances import Chances
from analyzer.games.dingo.reference import replay
from analyzer.games.dingo.reference_policy import (
    exchange_features,
    hunt_features,
    kind_of,
    known_discards,
    tie_order,
)
from analyzer.games.dingo.reference_view import Decision, View
from analyzer.games.dingo.transcript import Deal, deals
from analyzer.games.spec import Given, Policy, Rules, Table


def events(
    rules: Rules, table: Table, seed: int, first: int, count: int, play: int, given: Given = ()
) -> Iterator[list[Event]]:
    """As `transcript.events`, each choice between several legal ones explained before the event that tells it."""
    policies = {policy.name: policy for policy in table.policies}
    for deal in deals(rules, table, seed, first, count, play, given):
        yield _explained(deal, policies)


def _explained(deal: Deal, policies: Mapping[str, Policy]) -> list[Event]:
    told, chances = deal.events(), Chances(deal.key)
    reasons: list[tuple[Mapping[str, Any], Event]] = []
    seated = {seat: policies[name] for seat, name in told[0]["policies"].items()}

    def watch(decision: Decision, choice: Any) -> None:
        if len(decision.legal) > 1:
            policy = seated[decision.seat]
            question = _question(decision, policy, _known(decision.view, policy, chances), deal.swapped)
            chosen = choice if isinstance(choice, str) else list(choice)
            reasons.append((question.place, explained(question, policy, [chosen], chances.noise(decision, policy))))

    replay(told, watch)
    return woven([*_with_lapses(told, seated)], reasons, {"deal": deal.unit})


def _with_lapses(told: list[Event], seated: Mapping[str, Policy]) -> Iterator[Event]:
    """The events, with one before each hunt in which a red card is overlooked."""
    left = told[-1]["left"]
    for event in told:
        if event["event"] in ("hunt", "ace_hunt"):
            place = {"rank": event["rank"]} if event["event"] == "hunt" else {}
            hider = next((seat for seat, cards in left.items() if "AD" in cards), None)
            overlooked = [(event["lapse"], f"{event.get('rank', 'A')}H")]
            overlooked += [(hider, "AD")] if event.get("rabbit") == "hidden" else []
            for seat, card in overlooked:
                if seat is not None:
                    yield {"deal": event["deal"], **lapse(place, seat, seated[seat], card)}
        yield event


def _known(view: View, policy: Policy, chances: Chances) -> set[str]:
    """Cards that a player knows to be discarded."""
    if isinstance(policy.memory, str):
        return known_discards(view, policy.memory)
    return known_discards(view, "none") | chances.recalled(view, policy.memory)


def _question(decision: Decision, policy: Policy, known: set[str], swapped: bool) -> Question:
    kind = kind_of(decision)
    coin = f"by this deal's coin the {'club' if swapped else 'spade'}"
    if decision.kind in ("discard", "pass"):
        cards = sorted(decision.legal, key=lambda card: tie_order(card, swapped))
        seat = "seat" if decision.kind == "discard" else "from"
        return Question(
            place={"event": decision.kind, "step": decision.step, seat: decision.seat},
            seat=decision.seat,
            decision=kind,
            chance=policy.noise[kind],
            options=tuple(Option(card, card, exchange_features(decision.view, card, known), kind) for card in cards),
            tie=f"the lower card goes (of one rank {coin})",
            least=True,
        )
    ways = sorted(decision.legal, key=lambda cards: _least_first(cards, swapped))
    place = {"event": "hunt", "rank": decision.rank} if decision.kind == "hunt" else {"event": "ace_hunt"}
    return Question(
        place=place,
        seat=decision.seat,
        decision=kind,
        chance=policy.noise[kind],
        options=tuple(_laying(decision, cards, known, kind) for cards in ways),
        tie=f"to lay less is chosen (of two wolves {coin}, alone or first)",
    )


def _least_first(cards: Collection[str], swapped: bool) -> tuple[int, bool, list[tuple[int, int]]]:
    return sum(card != "AD" for card in cards), "AD" in cards, [tie_order(card, swapped) for card in cards]


def _laying(decision: Decision, cards: tuple[str, ...], known: set[str], kind: str) -> Option:
    features = hunt_features(decision, cards, known) if cards else {}
    return Option(list(cards), " ".join(cards) or "nothing", features, kind)
