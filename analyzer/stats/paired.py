"""Two arms on the same deals: the mean difference, how many units changed, and what the pairing was worth.

The difference is formed unit by unit before anything is averaged, so whatever both arms share (the cards) drops out.
From sums over units i of an arm's whole numbers a_i (baseline) and b_i: d = b − a has total ΣB − ΣA and squares ΣB² +
ΣA² − 2ΣAB.

Sources: [1] W. S. Gosset (Student), Biometrika 6 (1908): the paired t interval. [2] E. B. Wilson, JASA 22 (1927).
[3] A. B. Owen, Monte Carlo theory, methods and examples (2013), section 8.6: common random numbers, and the ratio of
the two variances as what they are worth. [4] The jackknife of `jackknife`, on the logarithm of the ratio.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats.intervals import UNBOUNDED, Bounds, Estimates, mean_of_squares, whole_numbers, wilson
from analyzer.stats.jackknife import jackknife_positive, left_out
from analyzer.stats.moments import ratio, spread_of

LEAST_CHANGED = 30
"""Units that differ, below which an unbounded difference has no interval: their few values say too little of those
that were not seen."""


def difference_sums(
    total_a: ArrayLike, squares_a: ArrayLike, total_b: ArrayLike, squares_b: ArrayLike, cross: ArrayLike
) -> tuple[NDArray[np.object_], NDArray[np.object_]]:
    """Total and squares of b − a as Python integers, from the sums of both arms and of their products."""
    a, aa, b, bb, ab = (whole_numbers(part) for part in (total_a, squares_a, total_b, squares_b, cross))
    return np.asarray(b - a, object), np.asarray(aa + bb - 2 * ab, object)


def difference(
    total: ArrayLike,
    squares: ArrayLike,
    n: ArrayLike,
    scale: ArrayLike,
    confidence: float,
    bounds: Bounds = UNBOUNDED,
    *,
    changed: ArrayLike | None = None,
    same: ArrayLike = False,
) -> Estimates:
    """Mean over `n` units of a difference d / `scale`, with the paired t interval [1].

    `total` and `squares` of d as in `mean_of_squares`, `bounds` those of a unit's difference. `changed`: units whose d
    is not 0; where given, an unbounded difference of fewer than 30 has no interval. `same`: whether the two arms are
    the same by their digests; then the difference is 0 and `exact`. All broadcast together. Raises ValueError when
    arms that are the same differ.
    """
    found = mean_of_squares(total, squares, n, scale, confidence, bounds)
    if changed is not None and None in bounds:
        few = np.broadcast_to(np.asarray(changed, np.float64) < LEAST_CHANGED, found.estimate.shape)
        found = replace(found, low=np.where(few, np.nan, found.low), high=np.where(few, np.nan, found.high))
    return _exact(found, same)


def changed_share(changed: ArrayLike, n: ArrayLike, confidence: float, *, same: ArrayLike = False) -> Estimates:
    """Share of units whose result changed, with Wilson's interval [2]; exactly 0 where the arms are the `same`."""
    return _exact(wilson(changed, n, confidence), same)


def variance_ratio(
    total_a: ArrayLike,
    squares_a: ArrayLike,
    total_b: ArrayLike,
    squares_b: ArrayLike,
    cross: ArrayLike,
    group_units: NDArray[np.int64],
    confidence: float,
) -> Estimates:
    """What pairing was worth: variance of the difference of independent arms over that of paired ones [3], [4].

    All sums (groups, *rows), over the units of each group, `group_units` (groups). A ratio of 9 saves eight ninths of
    the units, and makes an interval a third as wide. NaN where no unit differs.
    """
    a, aa, b, bb, ab = (left_out(whole_numbers(part)) for part in (total_a, squares_a, total_b, squares_b, cross))
    units = np.broadcast_to(left_out(whole_numbers(group_units)).reshape(-1, *(1 for _ in a.shape[1:])), a.shape)
    apart = spread_of(a, aa, units) + spread_of(b, bb, units)
    together = spread_of(*difference_sums(a, aa, b, bb, ab), units)
    return jackknife_positive(ratio(apart, together), group_units, units.astype(np.float64), confidence)


def _exact(found: Estimates, same: ArrayLike) -> Estimates:
    exact = np.broadcast_to(np.asarray(same, np.bool_), found.estimate.shape)
    if np.any(exact & (np.nan_to_num(found.estimate) != 0)):
        raise ValueError("arms that are the same differ")
    sure = exact & (found.n > 0)
    parts = {name: np.where(sure, 0.0, getattr(found, name)) for name in ("estimate", "low", "high", "se")}
    return replace(found, exact=sure, **parts)
