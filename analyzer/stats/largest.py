"""The largest of several differences, whatever its sign.

The largest of k estimates is biased upwards: some chance error is always the largest. So it comes with an interval that
allows for all k together, and with the value that chance alone would show if there were no difference anywhere.

Source: Z. Šidák, Rectangular confidence regions for the means of multivariate normal distributions, JASA 62 (1967): if
all k intervals hold together, the largest true size lies between the largest of the lower limits of the k sizes and the
largest of the upper ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from analyzer.stats.families import simultaneous_limits
from analyzer.stats.intervals import Bounds, Estimates, Floats, least_half_width

_STEPS = np.linspace(0.0, 9.0, 901)


def largest(found: Estimates, confidence: float, bounds: Bounds) -> tuple[Estimates, NDArray[np.int64]]:
    """The largest size among the k differences on the last axis of `found` (*rows, k), and (*rows) which it is, the
    first among equals.

    `bounds` are those of a unit's difference. Lower ends are cut at 0. Where every difference is `exact` the largest is
    exactly 0; where one is not known there is no interval. `se` and `n` are those of the difference that is the
    largest, `under_equal` is what it would be by chance (`by_chance`).
    """
    sizes = np.abs(found.estimate)
    exact = np.zeros(sizes.shape, np.bool_) if found.exact is None else found.exact
    place = np.argmax(np.nan_to_num(sizes, nan=-1.0), axis=-1)
    low, high, chance = (np.full(place.shape, np.nan) for _ in range(3))
    for row in np.ndindex(place.shape):
        sampled = ~exact[row]
        compared = max(1, int(sampled.sum()))
        error, units = np.where(sampled, found.se[row], 0.0), found.n[row]
        _, reach = simultaneous_limits(np.zeros(error.shape), error, units - 1, confidence, compared)
        unseen = least_half_width(units, confidence, bounds, compared)
        half = np.where(sampled, np.maximum(reach, unseen), 0.0)
        # The largest of something unknown is unknown.
        low[row], high[row] = np.max(np.maximum(sizes[row] - half, 0.0)), np.max(sizes[row] + half)
        chance[row] = by_chance(error)
    if bounds[1] is not None:
        high = np.minimum(high, bounds[1])

    def at(part: NDArray[np.generic]) -> NDArray[np.generic]:
        return np.take_along_axis(part, place[..., None], axis=-1)[..., 0]

    estimate, se = np.asarray(at(sizes), np.float64), np.asarray(at(found.se), np.float64)
    units = np.asarray(at(found.n), np.int64)
    return Estimates(estimate, low, high, se, units, under_equal=chance, exact=np.asarray(exact.all(axis=-1))), place


def by_chance(se: Floats) -> float:
    """Expected largest size of independent normal numbers of mean 0 and these standard errors (1-D); NaN where one is
    not known. E = ∫ 1 − Π(2Φ(x/se) − 1) dx.
    """
    top = float(np.max(se))
    if not top > 0:
        return top
    with np.errstate(divide="ignore"):
        below = 2 * ndtr(_STEPS[1:, None] * (top / se)) - 1
    return top * float(np.trapezoid(np.concatenate([[1.0], 1 - below.prod(axis=1)]), _STEPS))
