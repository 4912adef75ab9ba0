"""Groups of differences sorted by whether they matter: each group is one change, with a difference a position.

Three kinds of claim are made of a difference: it lies beyond the smallest effect that matters, it is not 0, it lies
within that effect. Each kind is kept to a third of alpha over the whole family, by Holm's method, so that with the
chance `confidence` no class of the page is wrong. For the tests see `verdicts`.

Source: S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statistics 6 (1979).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.stats.intervals import Bounds, Estimates, Floats, significant
from analyzer.stats.verdicts import verdicts

DECIDE, LITTLE, NOTHING, OPEN = (
    "decide this before believing any number",
    "matters a little",
    "does not matter",
    "undecided",
)
CLASSES = (DECIDE, LITTLE, OPEN, NOTHING)
"""From what matters most to what matters least."""

_KINDS = 3


@dataclass(frozen=True)
class Classes:
    """Of each group its class, of each difference what is shown of it."""

    found: NDArray[np.str_]
    """(groups)"""
    p_beyond: Floats
    """(groups, k), adjusted: at alpha or below is shown to lie beyond the effect. Likewise:"""
    p_different: Floats
    p_equal: Floats
    times: Floats
    """(groups) how many times as many units would tell whether it matters, with a chance of about 80%, if the
    differences are as estimated; NaN where that is told, and where nothing is known."""

    def item(self, group: int) -> dict[str, Any]:
        """A group's class as it stands in `results.json`: the least adjusted p-values for beyond and not 0, the
        greatest for within."""
        shown: dict[str, Any] = {"class": str(self.found[group])}
        for name, parts, pick in (
            ("p_beyond", self.p_beyond, np.min),
            ("p_different", self.p_different, np.min),
            ("p_equal", self.p_equal, np.max),
        ):
            known = parts[group][np.isfinite(parts[group])]
            shown[name] = significant(float(pick(known))) if known.size else None
        return shown


def classes(found: Estimates, effect: float, confidence: float, bounds: Bounds) -> Classes:
    """Sort groups of differences `found` (groups, k), `effect` being the smallest that matters.

    DECIDE: some difference is shown to lie beyond ±effect. NOTHING: all are shown to lie within. LITTLE: neither, and
    some is shown not to be 0. OPEN: none of these. `bounds` are those of a unit's difference; differences that are
    `exact` lie within and cost nothing.
    """
    shape, alpha = found.estimate.shape, 1 - confidence
    flat = found.map(lambda part: part.reshape(-1))
    # `verdicts` keeps two kinds of claim, each to half of what it is given.
    level = 1 - alpha * 2 / _KINDS
    beyond = verdicts(flat, effect, level, bounds=bounds, beyond=effect)
    differs = verdicts(flat, effect, level, bounds=bounds)

    def adjusted(p: Floats) -> Floats:
        return np.minimum(1.0, p * _KINDS / 2).reshape(shape)

    p_beyond, p_different = adjusted(beyond.p_different), adjusted(differs.p_different)
    p_equal = adjusted(beyond.p_equal)
    exact = np.zeros(shape, np.bool_) if found.exact is None else found.exact
    large, small = (p_beyond <= alpha).any(axis=1), (p_equal <= alpha) | exact
    kind = np.select(
        [large, small.all(axis=1), (p_different <= alpha).any(axis=1)], [DECIDE, NOTHING, LITTLE], default=OPEN
    )
    times = 1 + beyond.more.reshape(shape) / np.maximum(found.n, 1)
    decided = np.isin(kind, (DECIDE, NOTHING))
    return Classes(kind, p_beyond, p_different, p_equal, np.where(decided, np.nan, _times(times, found, effect)))


def _times(times: Floats, found: Estimates, effect: float) -> Floats:
    """Of each group: one difference beyond the effect is enough, all must lie within it."""
    above = np.abs(found.estimate) > effect
    first = np.where(above & np.isfinite(times), times, np.inf).min(axis=1)
    last = np.where(np.isfinite(times), times, -np.inf).max(axis=1)
    told = np.where(np.isfinite(first), first, last)
    return np.where(np.isfinite(told), told, np.nan)
