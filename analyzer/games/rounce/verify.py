"""Both engines of Domino Rounce for `verify`: random rules, the kernel's matches, and the plain-Python game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from analyzer.games.common.verify import Play, random_value
from analyzer.games.rounce.reference import replay
from analyzer.games.rounce.reference_policy import kind_of, policy_choice
from analyzer.games.rounce.reference_view import Decision
from analyzer.games.rounce.rules import KNOBS, boneyard_of, check_rules
from analyzer.games.rounce.tiles import TILES
from analyzer.games.rounce.transcript import events
from analyzer.games.spec import Given, Policy, Rules, Table

__all__ = ["expected", "kind_of", "plays", "random_rules", "replay"]

QUICK = 8
"""Rounds of most matches at the most: long ones tell little more."""


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Flat rules of 2, 3 or 4 players, each knob over its full range, every one playable.

    A match is cut after few rounds unless it is sure to be short.
    """
    given: dict[str, Any] = {}
    players = given["players"] = rng.randint(2, 4)
    size = given["hand_size"] = rng.choice((3, 5, rng.randint(3, min(7, (TILES - 1) // players))))
    given["start_score"] = rng.choice((15, rng.randint(1, 10), 1, 1000))
    given["first_dealer"] = rng.choice(("random", *range(players)))
    given["walkover"] = rng.choice((5, rng.randint(0, 10), 0, 100))
    given["rounce_penalty"] = rng.choice((5, rng.randint(0, 10), 0, 100))
    short = given["start_score"] <= 10 and given["rounce_penalty"] <= 1 <= given["walkover"]
    given["max_rounds"] = rng.choice((rng.randint(1, QUICK), rng.choice((1000, 100_000) if short else (QUICK,))))
    given["fold_allowed"] = players > 2 and rng.random() < 0.5
    given["must_trump_above"] = rng.choice((rng.randint(0, 3), rng.randint(0, 7)))
    for knob in KNOBS:
        if knob.key not in given and knob.kind in ("bool", "choice"):
            given[knob.key] = random_value(knob, rng)
    boneyard = boneyard_of(given)
    most = min(players, boneyard // size)
    dummies = given["dummies_max"] = rng.choice((most, rng.randint(0, most)))
    if dummies:
        draw = rng.choice((rng.randint(size, size + 2), rng.randint(size, boneyard // dummies)))
        given["dummy_draw"] = draw if dummies * draw <= boneyard else size
    else:
        given["dummy_draw"] = rng.choice((size, 1, 27, rng.randint(1, 27)))
    rules = {knob.key: given[knob.key] for knob in KNOBS}
    check_rules(rules)
    return rules


def plays(
    rules: Rules, table: Table, seed: int, first: int, count: int, play: int, given: Given = ()
) -> Iterator[Play]:
    """The matches as events; no coin turns a tie."""
    for match in events(rules, table, seed, first, count, play, given):
        yield Play(match, False)


def expected(decision: Decision, policy: Policy, coin: bool) -> Any:
    """The oracle's choice; None for noise and for tiles played by who forgets others' by chance."""
    remembers = isinstance(policy.memory, str) or decision.kind in ("call", "discard")
    if policy.noise[kind_of(decision)] or not remembers:
        return None
    return policy_choice(decision, policy)
