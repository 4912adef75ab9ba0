"""What a scenario gives to seats: names of cards or tiles, as sets that every deal holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.errors import ScenarioError, key_of, listing, nearest, shortened, shown
from analyzer.games.spec import GameSpec, Given, Rules


def resolve_given(game: GameSpec, given: Mapping[str, Any], n_seats: int, rules: Rules) -> Given:
    """`[given]` of a scenario: by seat label a text of names, separated by spaces; an empty one gives nothing.

    Raises ScenarioError for an unknown seat or name, a name given twice, and more than a hand holds.
    """
    seats, word, hand = game.seats(n_seats), game.deal.word, game.deal.hand(rules)
    owners: dict[str, str] = {}
    found: dict[int, int] = {}
    for seat, text in given.items():
        key = key_of(("given", seat))
        if seat not in seats:
            raise ScenarioError(f"{key}: no such seat{nearest(seat, seats)}; seats: {', '.join(seats)}")
        if not isinstance(text, str):
            raise ScenarioError(f"{key}: {shown(text)} is not allowed; allowed: a text of {word}s, separated by spaces")
        names = [_named(game, written, key) for written in text.split()]
        for name in names:
            if name in owners:
                whose = f" to {seat}" if owners[name] == seat else f", to {owners[name]} and to {seat}"
                raise ScenarioError(f"{key}: the {word} {name} is given twice{whose}")
            owners[name] = seat
        if len(names) > hand:
            raise ScenarioError(f"{key}: {len(names)} {word}s; allowed: at most {hand}, a whole hand")
        if names:
            found[seats.index(seat)] = sum(1 << game.deal.names.index(name) for name in names)
    return tuple(sorted(found.items()))


def _named(game: GameSpec, written: str, key: str) -> str:
    deal = game.deal
    name = deal.spelt(written)
    if name in deal.names:
        return name
    shortly = shortened(written, 20)
    if name in deal.elsewhere:
        raise ScenarioError(f"{key}: {shown(shortly)} cannot be given: it is {deal.elsewhere[name]}")
    raise ScenarioError(
        f"{key}: no {deal.word} is named {shown(shortly)}{nearest(name, deal.names)}; {deal.word}s: "
        f"{listing(deal.names)}"
    )
