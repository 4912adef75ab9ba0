"""How many units a question needs, and what a number of units can tell.

Everything follows from the variance of a unit, which a pilot only estimates; so it comes as an estimate with an
interval (`moments.variance`) and every answer is an estimate with an interval too. For an unpaired comparison take the
sum of both arms' variances, for a paired one the variance of the difference; either way the answer is units of each
arm.

Source: J. M. Lachin, Introduction to sample size determination and power analysis for clinical trials, Controlled
Clinical Trials 2 (1981): n = ((z(1 − α/2) + z(power)) σ / δ)².
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from analyzer.stats.intervals import Estimates, Floats


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
    variance: Estimates, effect: float, power: float, confidence: float, *, comparisons: int = 1
) -> Estimates:
    """Units with which a true difference of `effect` is told from 0 (two-sided) with chance `power`."""
    z = _two_sided(confidence, comparisons) + float(ndtri(power))
    return _over(variance, lambda v: np.maximum(2.0, np.ceil(v * (z / effect) ** 2)))


def half_width_of(variance: Estimates, units: float, confidence: float, *, comparisons: int = 1) -> Estimates:
    """Half-width of a mean's interval after so many units."""
    return _over(variance, lambda v: _two_sided(confidence, comparisons) * np.sqrt(v / units))


def detectable(
    variance: Estimates, units: float, power: float, confidence: float, *, comparisons: int = 1
) -> Estimates:
    """The smallest true difference that so many units tell from 0 (two-sided) with chance `power`."""
    z = _two_sided(confidence, comparisons) + float(ndtri(power))
    return _over(variance, lambda v: z * np.sqrt(v / units))


def _two_sided(confidence: float, comparisons: int) -> float:
    return float(ndtri(1 - (1 - confidence) / comparisons / 2))


def _over(variance: Estimates, needed: Callable[[Floats], Floats]) -> Estimates:
    """The answer for the estimated variance, and for the ends of its interval: answers grow with the variance."""
    unknown = np.full(variance.estimate.shape, np.nan)
    return Estimates(needed(variance.estimate), needed(variance.low), needed(variance.high), unknown, variance.n)
