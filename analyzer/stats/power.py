"""How many units a question needs, and what a number of units can tell.

Everything follows from the variance of a unit, which a pilot only estimates; so it comes as an estimate with an
interval (`moments.variance`) and every answer is an estimate with an interval too. For an unpaired comparison take the
sum of both arms' variances, for a paired one the variance of the difference; either way the answer is units of each
arm.

Source: J. M. Lachin, Introduction to sample size determination and power analysis for clinical trials, Controlled
Clinical Trials 2 (1981): n = ((z(1 − α/2) + z(power)) σ / δ)². Intervals of bounded numbers never get narrower than
w(n) = range × (1 − (α/2)^(1/n)) (`intervals.least_half_width`), so where few units are needed n must satisfy
w(n) + z(power) σ / √n ≤ δ as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from analyzer.stats.intervals import UNBOUNDED, Bounds, Estimates, Floats, least_half_width


def units_for_half_width(
    variance: Estimates, half_width: float, confidence: float, *, comparisons: int = 1
) -> Estimates:
    """Units after which the interval of a mean is estimate ± `half_width`.

    Of one look at the end; an anytime-valid sequence needs more (`sequential.expected_units`). With `comparisons`,
    intervals that hold together.
    """
    z = _two_sided(confidence, comparisons)
    return _over(variance, lambda v: np.maximum(2.0, np.ceil(v * (z / half_width) ** 2)))


def units_to_detect(
    variance: Estimates,
    effect: float,
    power: float,
    confidence: float,
    bounds: Bounds = UNBOUNDED,
    *,
    comparisons: int = 1,
) -> Estimates:
    """Units with which a true difference of `effect` is told from 0 (two-sided) with chance `power`; `bounds` of a
    unit's difference.
    """
    chance = float(ndtri(power))
    z = _two_sided(confidence, comparisons) + chance
    low, high = bounds
    # w(n) is at most this over n, and nearly that where it matters.
    reach = 0.0 if low is None or high is None else (high - low) * math.log(2 * comparisons / (1 - confidence))

    def needed(v: Floats) -> Floats:
        usual = v * (z / effect) ** 2
        missed = chance * np.sqrt(v)
        least = ((missed + np.sqrt(missed**2 + 4 * reach * effect)) / (2 * effect)) ** 2 if reach else 0.0
        return np.maximum(2.0, np.ceil(np.maximum(usual, least)))

    return _over(variance, needed)


def half_width_of(variance: Estimates, units: float, confidence: float, *, comparisons: int = 1) -> Estimates:
    """Half-width of a mean's interval after so many units."""
    return _over(variance, lambda v: _two_sided(confidence, comparisons) * np.sqrt(v / units))


def detectable(
    variance: Estimates,
    units: float,
    power: float,
    confidence: float,
    bounds: Bounds = UNBOUNDED,
    *,
    comparisons: int = 1,
) -> Estimates:
    """The smallest true difference that so many units tell from 0 (two-sided) with chance `power`."""
    z, chance = _two_sided(confidence, comparisons), float(ndtri(power))
    least = least_half_width(units, confidence, bounds, comparisons)
    return _over(variance, lambda v: np.maximum(z * np.sqrt(v / units), least) + chance * np.sqrt(v / units))


def _two_sided(confidence: float, comparisons: int) -> float:
    return float(ndtri(1 - (1 - confidence) / comparisons / 2))


def _over(variance: Estimates, needed: Callable[[Floats], Floats]) -> Estimates:
    """The answer for the estimated variance, and for the ends of its interval: answers grow with the variance."""
    unknown = np.full(variance.estimate.shape, np.nan)
    return Estimates(needed(variance.estimate), needed(variance.low), needed(variance.high), unknown, variance.n)
