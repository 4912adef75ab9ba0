"""Both engines of Dingo for `verify`: random rules, the kernel's deals, and the plain-Python game."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from analyzer.games.common.verify import Play, random_value
from analyzer.games.dingo.reference import replay
from analyzer.games.dingo.reference_policy import kind_of, policy_choice
from analyzer.games.dingo.reference_view import Decision
from analyzer.games.dingo.rules import ACES, HAND, KNOBS, MAX_STEPS, STEPS, check_rules
from analyzer.games.dingo.transcript import deals
from analyzer.games.spec import Given, Policy, Rules, Table

__all__ = ["expected", "kind_of", "plays", "random_rules", "replay"]

DISCARD_OFTEN = (*STEPS, "discard", "discard")


FLAT = 0.2
"""Share of rule sets where cards are worth 0 or 1 each, so that there are ties to break."""


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Flat rules, each knob over its full range, every exchange playable."""
    rules: dict[str, Any] = {}
    for knob in KNOBS:
        rules[knob.key] = _exchange(rng) if knob.kind == "steps" else random_value(knob, rng)
    if rng.random() < FLAT:
        rules |= {knob.key: rng.randint(0, 1) for knob in KNOBS if knob.key.startswith("points.")}
    rules["exchange"] = playable(rules["exchange"], rules["discard_aces"])
    check_rules(rules)
    return rules


def playable(steps: Sequence[str], discard_aces: bool) -> tuple[str, ...]:
    """The steps, a pass for each discard that could lack a legal card, cut where the hand is empty."""
    held = HAND
    kept = []
    for step in steps:
        word = "left" if step == "discard" and held < (1 if discard_aces else ACES + 1) else step
        if held < 1:
            break
        held -= word == "discard"
        kept.append(word)
    return tuple(kept)


def _exchange(rng: random.Random) -> tuple[str, ...]:
    usual: tuple[str, ...] = next(knob.default for knob in KNOBS if knob.kind == "steps")
    length = rng.choice((len(usual), 0, rng.randint(1, 8), rng.randint(1, MAX_STEPS), MAX_STEPS, -1))
    return usual if length < 0 else tuple(rng.choice(DISCARD_OFTEN) for _ in range(length))


def plays(
    rules: Rules, table: Table, seed: int, first: int, count: int, play: int, given: Given = ()
) -> Iterator[Play]:
    """The deals as events, each with the coin that swapped spades and clubs for ties."""
    for deal in deals(rules, table, seed, first, count, play, given):
        yield Play(deal.events(), deal.swapped)


def expected(decision: Decision, policy: Policy, coin: bool) -> Any:
    """The oracle's choice; None for noise and for a memory that forgets by chance."""
    if policy.noise[kind_of(decision)] or not isinstance(policy.memory, str):
        return None
    return policy_choice(decision, policy, swapped=coin)
