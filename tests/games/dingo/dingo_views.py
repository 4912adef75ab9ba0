"""Views, decisions and policies from a few words, for tests of the policy oracle."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from dingo_deals import DEFAULTS

from analyzer.games.dingo.policies import DECISIONS
from analyzer.games.dingo.reference_view import Decision, View
from analyzer.games.spec import Policy

KINDS = [decision.name for decision in DECISIONS]


def policy(memory: Any = "perfect", **weights: dict[str, float]) -> Policy:
    """A policy without noise; weights by kind of decision."""
    return Policy("p", "", "", {kind: weights.get(kind, {}) for kind in KINDS}, dict.fromkeys(KINDS, 0.0), 0.0, memory)


def view(hand: str, discards: str = "", passed: str = "", seat: str = "S", **rules: Any) -> View:
    """A view from words: discards and passes as seat and card, `W9H` (discarded by, passed to West)."""
    return View(
        seat,
        {**DEFAULTS, **rules},
        hand.split(),
        [(word[0], word[1:]) for word in discards.split()],
        [],
        [(word[1:], word[0]) for word in passed.split()],
    )


def exchange(of: View, kind: str = "discard", number: int = 1, way: str = "") -> Decision:
    """A discard or pass of any card in hand."""
    return Decision(kind, of, tuple(of.hand), discard=number, way=way)


def turn(of: View, dingo: str, circle: str, laid: str = "", rank: str = "7", number: int = 0) -> Decision:
    """A turn of the seat in a circle; `laid` as seat and card."""
    place = circle.index(of.seat)
    wolves = [card for card in of.hand if card[0] == rank and card[1] in "SC"]
    out = tuple((word[0], word[1:]) for word in laid.split())
    legal: list[tuple[str, ...]] = [cards for n in range(3) for cards in permutations(wolves, n)]
    kind = "ace_hunt" if rank == "A" else "hunt"
    if kind == "ace_hunt" and "AD" in of.hand:
        legal += [(*cards, "AD") for cards in legal if len(out) + len(cards) >= of.rules["ace_rabbit_needs"]]
    return Decision(
        kind, of, tuple(legal), rank=rank, dingo=dingo, circle=number,
        before=tuple(circle[:place]), after=tuple(circle[place + 1 :]), laid=out,
    )  # fmt: skip


def shown(features: dict[str, int]) -> dict[str, int]:
    """Features that are not 0, those in points apart."""
    return {name: value for name, value in features.items() if value and not name.endswith("points")}
