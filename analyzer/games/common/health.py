"""Checks of the machine that every game has."""

from __future__ import annotations

import numpy as np

from analyzer.games.common.formulas import TWELFTHS, counter, played
from analyzer.games.spec import Array, Counters, HealthSpec, Of, Setting


def _mirror(twin: int) -> Of:
    """Wins and points by seat of every second policy of the mirror table, from the `twin`-th on, times the plays of
    its double there: with an odd number of seats one of the two sits down more often."""
    return lambda c, s: np.stack(
        [c[name][..., twin::2, :] * c["plays"][..., 1 - twin :: 2, :] for name in ("win", "points")], -1
    )


def totals(*names: str) -> Of:
    """Counters that hold every play once, summed; (leading, counter)."""
    return lambda c, s: np.stack([c[name].reshape(len(c[name]), -1).sum(-1) for name in names], -1)


def decided(c: Counters, s: Setting) -> Array:
    """Plays that somebody won."""
    return played()(c, s) - c["no_winner"]


MIRROR = HealthSpec(
    "mirror",
    "A policy against itself wins and scores exactly the same",
    "equal",
    "mirror",
    _mirror(0),
    _mirror(1),
    text="Each policy plays against itself under a second name, rotated over the seats.",
)


def win_shares(play: str) -> HealthSpec:
    """Every win is given out once; `play` is what a play is called."""
    return HealthSpec(
        "win_shares",
        f"Win shares sum to 1 in every {play} that somebody wins",
        "equal",
        "main",
        counter("win", -1, -2),
        lambda c, s: TWELFTHS * decided(c, s),
    )
