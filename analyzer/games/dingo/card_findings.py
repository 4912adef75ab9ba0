"""What a run says of seats and cards.

Who is dealt which card is chance, so what a dealt card brings is due to the card, whatever the players then
did with it.
"""

from __future__ import annotations

from analyzer.games.common.claims import (
    Estimate,
    Results,
    Select,
    Values,
    all_known,
    flipped,
    gains,
    known,
    leaders,
    listed,
    rows,
    together,
)
from analyzer.games.common.findings import extreme_seat
from analyzer.games.dingo.axes import kind_of
from analyzer.games.dingo.cards import CARD_INDEX
from analyzer.games.spec import FindingSpec, Setting

MANY_CARDS = 6
"""More cards than these that cannot be told apart are no answer."""

_SEATS = {
    "S": ("South", "the dealer"),
    "W": ("West", "left of the dealer"),
    "N": ("North", "across from the dealer"),
    "E": ("East", "right of the dealer"),
}
_CARDS = {"AD": "the ace rabbit (AD)", "AH": "the ace dingo (AH)"}
_PLURALS = {
    "low dingo": "low dingoes",
    "high dingo": "high dingoes",
    "ace dingo": "the ace dingo",
    "low wolf": "low wolves",
    "high wolf": "high wolves",
    "ace wolf": "the ace wolves",
    "ace rabbit": "the ace rabbit",
}
_ARTICLES = {"ace dingo": "the", "ace rabbit": "the", "ace wolf": "an"}


def _one(kind: str) -> str:
    return f"{_ARTICLES.get(kind, 'a')} {kind}"


def _kinds(results: Results, setting: Setting, sign: int) -> tuple[list[str], dict[str, Estimate]]:
    """Kinds of cards that are worth something (+1) or cost something (-1) when dealt, most first, and the
    worth of all kinds."""
    worth = gains(results, setting, "card_kinds", "kind")
    here = [kind for kind in worth if (worth[kind]["low"] > 0 if sign > 0 else worth[kind]["high"] < 0)]
    return sorted(here, key=lambda kind: -sign * worth[kind]["estimate"]), worth


def _keep(results: Results, setting: Setting) -> Values:
    kinds, worth = _kinds(results, setting, 1)
    if not kinds:
        return None
    top = kinds[0]
    return {"kinds": listed([_PLURALS[kind] for kind in kinds]), "top": _one(top), "gain": worth[top]}


def _shed(results: Results, setting: Setting) -> Values:
    kinds, worth = _kinds(results, setting, -1)
    kinds = [kind for kind in kinds if setting.rules["discard_aces"] or not kind.startswith("ace")]
    if not kinds:
        return None
    first = {row["kind"]: row["first_discard"] for row in rows(results, "card_kinds") if row["kind"] in kinds}
    if not all_known(first.values()):
        return None
    worst, soonest = kinds[0], max(kinds, key=lambda kind: first[kind]["estimate"])
    return {
        "kinds": listed([_PLURALS[kind] for kind in kinds]),
        "worst": _one(worst),
        "loss": worth[worst],
        "soonest": _PLURALS[soonest],
        "first": first[soonest],
    }


def _card(sign: int) -> Select:
    """The best (+1) or worst (-1) card to be dealt, with those that the run does not tell from it."""

    def proven(value: Estimate) -> bool:
        return bool(value["low"] > 0 if sign > 0 else value["high"] < 0)

    def select(results: Results, setting: Setting) -> Values:
        cards = gains(results, setting, "cards", "card")
        group = leaders(cards if sign > 0 else {card: flipped(value) for card, value in cards.items()})
        kinds = {kind_of(CARD_INDEX[card]) for card in group}
        if not group or (len(group) > MANY_CARDS and len(kinds) > 1):
            return None
        points = {row["card"]: row["points"] for row in rows(results, "cards")}[group[0]]
        if not known(points):
            return None
        points = together(points, len(cards), results, setting)
        if not proven(cards[group[0]]) or not proven(points):
            return None
        # No order is known among cards that are not told apart, so they stand in the order of the pack.
        names = [_CARDS.get(card, card) for card in sorted(group, key=list(cards).index)]
        if len(group) > MANY_CARDS:
            names = [f"among the {_PLURALS[kinds.pop()]}"]
        return {
            "subject": f"{'best' if sign > 0 else 'worst'} card{'s' if group[1:] else ''}",
            "verb": "are" if group[1:] else "is",
            "cards": listed(names),
            "top": _CARDS.get(group[0], group[0]),
            "gain": cards[group[0]],
            "points": points if sign > 0 else flipped(points),
        }

    return select


FIRST: tuple[FindingSpec, ...] = (
    FindingSpec(
        "best_seat",
        "Which seat is best?",
        "The best seat is {seat}: it wins {share:percent} of the deals, {gain:gain} more than its fair quarter.",
        extreme_seat(True, "seat", _SEATS),
    ),
    FindingSpec(
        "keep",
        "Which cards should I keep?",
        "Worth having: {kinds}. A hand dealt {top} wins {gain:gain} more than the average hand.",
        _keep,
    ),
)

MORE: tuple[FindingSpec, ...] = (
    FindingSpec(
        "worst_seat",
        "Which seat is worst?",
        "The worst seat is {seat}: it wins {share:percent} of the deals, {gain:gain} less than its fair quarter.",
        extreme_seat(False, "seat", _SEATS),
    ),
    FindingSpec(
        "best_card",
        "What is the best card to be dealt?",
        "The {subject} to be dealt {verb} {cards}: with {top} a hand wins {gain:gain} more than the average "
        "hand and scores {points:points} more.",
        _card(1),
    ),
    FindingSpec(
        "worst_card",
        "What is the worst card to be dealt?",
        "The {subject} to be dealt {verb} {cards}: with {top} a hand wins {gain:gain} less than the average "
        "hand and scores {points:points} less.",
        _card(-1),
    ),
    FindingSpec(
        "shed",
        "Which cards are a burden?",
        "A burden to be dealt: {kinds}. A hand dealt {worst} wins {loss:gain} less than the average hand. Of these "
        "the players part soonest with {soonest}: {first:percent} of them go at the first discard.",
        _shed,
    ),
)
