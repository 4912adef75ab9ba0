"""Ranks as ranges: what places each of k positions may truly have, all together.

A position's place is 1 plus the number of those above it. Whoever is shown to be above it moves its best place down,
whoever is shown to be below it moves its worst place up; what is shown is kept together over all pairs by Holm's
method, so all ranges hold at once with the chance `confidence`. With equal true values any order of them is right.

Sources: M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm, Inference for ranks with applications to mobility across
neighbourhoods and academic achievement across countries, Review of Economic Studies 91 (2024), here with Holm's method
in place of their bootstrap; S. Holm, Scandinavian J. Statistics 6 (1979).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analyzer.stats.families import holm, pairwise
from analyzer.stats.intervals import UNBOUNDED, Bounds, Floats, chance_beyond

Places = NDArray[np.int64]


@dataclass(frozen=True)
class Ranks:
    """Places, 1 for the largest, arrays (*rows, k)."""

    place: Places
    """Of the estimates; equal estimates share the better place. 0 where there is no estimate."""
    best: Places
    worst: Places


def ranks(
    difference: Floats,
    se: Floats,
    df: NDArray[np.int64],
    n: Floats,
    confidence: float,
    bounds: Bounds = UNBOUNDED,
) -> Ranks:
    """Places from the differences (*rows, k, k) of all pairs, first less second, with standard errors and degrees of
    freedom; one family a row.

    `n` (*rows, k, k): units behind a difference, `bounds` of a unit's difference. What no pair tells apart may have any
    place; so may a position without an estimate.
    """
    k = difference.shape[-1]
    upper = np.triu_indices(k, 1)
    above = np.zeros(difference.shape, np.bool_)
    p_values = chance_beyond(np.abs(difference), se, df, n, bounds)
    for row in np.ndindex(difference.shape[:-2]):
        known = np.isfinite(difference[row][upper]) & np.isfinite(se[row][upper])
        first, second = upper[0][known], upper[1][known]
        apart = holm(p_values[row][first, second]) <= 1 - confidence
        more = difference[row][first, second] > 0
        above[row][first, second] = apart & more
        above[row][second, first] = apart & ~more
    seen = np.isfinite(np.diagonal(difference, axis1=-2, axis2=-1))
    place = np.where(seen, 1 + (difference < 0).sum(-1), 0)
    return Ranks(place.astype(np.int64), 1 + above.sum(-2), k - above.sum(-1))


def ranks_of_values(
    values: Floats,
    group_units: NDArray[np.int64],
    n: Floats,
    confidence: float,
    bounds: Bounds = UNBOUNDED,
) -> Ranks:
    """Places of the k positions on the last axis of `values` (1 + groups, *rows, k), by the jackknife of `pairwise`,
    which knows what the positions share; `bounds` are those of a difference."""
    units = np.minimum(n[0], float(group_units.sum()))
    both = np.minimum(units[..., :, None], units[..., None, :])
    return ranks(*pairwise(values, group_units, n), both, confidence, bounds)
