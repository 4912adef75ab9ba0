"""The kernel against the plain-Python game, event by event, under random rules and policies."""

from __future__ import annotations

import os

import numpy as np
import pytest

from analyzer.games.common.verify import noise_key, value_labels
from analyzer.games.registry import GAMES, game_named
from analyzer.kernels import jit
from analyzer.studies.verify import verify

pytestmark = pytest.mark.modes

RULE_SETS = 500
CHECKED, UNCOMPILED = 10, 25
"""Parts of the rule sets that are played with bounds checks, and as plain Python, which takes most of a second each."""
PLAYS = {"dingo": 40, "rounce": 12}
"""Deals under each rule set: 20,000; matches, of which most have few rounds: 20,000 rounds."""
EVENTS = {"dingo": 900_000, "rounce": 200_000}
CHOICES = {"dingo": 2000, "rounce": 1000}
"""So many choices of each kind are predictable at least."""


@pytest.mark.parametrize("name", GAMES)
def test_the_kernel_plays_as_the_reference_does(name: str) -> None:
    """500 rule sets, 20,000 deals or rounds, every value of a knob at least five times; a part in the other modes."""
    part = UNCOMPILED if not jit.COMPILED else CHECKED if os.environ.get("NUMBA_BOUNDSCHECK") else 1
    game = game_named(name)
    with np.errstate(over="ignore"):
        done = verify(game, RULE_SETS // part, PLAYS[name], 1, lambda done, total: None)
    assert done.divergence is None, "\n".join(done.divergence.differences)
    assert done.rule_sets * part == RULE_SETS
    assert done.events >= EVENTS[name] // part
    for knob in game.knobs:
        for label in value_labels(knob):
            assert done.covered[knob.key][label] >= 5 // part, (knob.key, label)
    # Decisions that are one choice are looked at under the first one's name.
    kinds = {noise_key(game, decision): decision.name for decision in reversed(game.decisions)}
    for kind in kinds.values():
        assert done.choices[kind] >= CHOICES[name] // part, kind
