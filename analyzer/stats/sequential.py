"""Confidence sequences: intervals that hold at all looks together, however often and whenever one looks.

**Bounded numbers** (win shares, their differences). For a unit's number X of mean m and smallest value l, c = m − l, ξ
= (X − m)/c ≥ −1 and 0 ≤ λ < 1: exp(λξ − ψ(λ)ξ²) ≤ 1 + λξ with ψ(λ) = −log(1 − λ) − λ [1, eq. 4.11 of its
predecessor 2], so the product over units has expectation at most 1 at every step, and so has its mixture over λ. With
s = Σξ and v = Σξ², which need only n, the sum and the sum of squares at a look, the mixture with the conjugate
density on (0, 1), proportional to (1 − λ)^(ρ−1) e^(−ρ(1−λ)), is closed [3, proposition 9]:

    log M(s, v) = log P(a, a + s) + s − a log(1 + s/a) + r(a) − log P(ρ, ρ) − r(ρ),   a = v + ρ,

P the regularised incomplete gamma function and r(a) = log Γ(a) − a log a + a. By Ville's inequality M ever reaches
2/α with chance α/2 at most; the values m at which it did are rejected, and likewise from above with u − X. Unlike in
[1] and [3] the squares are taken around the m that is tested and not around a running mean, so a look's interval
depends on the totals at that look alone: not on where the looks are, nor on the order of the units. Betting as in [1]
would need every single number.

**Points** have no useful bounds. The asymptotic sequence [4] is claimed from 1,000 units on: its promise holds in the
limit of a late first look, for numbers of finite variance.

Sources: [1] I. Waudby-Smith, A. Ramdas, Estimating means of bounded random variables by betting, JRSS B 86 (2024).
[2] X. Fan, I. Grama, Q. Liu, Exponential inequalities for martingales, Electronic J. Probability 20 (2015). [3] S. R.
Howard, A. Ramdas, J. McAuliffe, J. Sekhon, Time-uniform, nonparametric, nonasymptotic confidence sequences, Annals of
Statistics 49 (2021). [4] I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, Time-uniform central limit
theory and asymptotic confidence sequences, Annals of Statistics 52 (2024), theorem 2.2. [5] H. Robbins, Statistical
methods related to the law of the iterated logarithm, Annals of Math. Statistics 41 (1970).
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammainc, gammaln

from analyzer.stats.intervals import Estimates, Floats
from analyzer.stats.moments import centred
from analyzer.stats.paired import LEAST_CHANGED

LEAST_UNITS = 1_000
"""Units before which the asymptotic sequence claims nothing."""

_SCALES = (1.0, 0.01)
"""Half of the stake is tuned for the variance that was guessed, half for one a hundred times smaller."""

_STEPS = 40


def bounded(
    total: ArrayLike,
    squares: ArrayLike,
    n: ArrayLike,
    scale: ArrayLike,
    confidence: float,
    bounds: tuple[float, float],
    best_at: float,
    *,
    variance: float | None = None,
    comparisons: int = 1,
) -> Estimates:
    """Means of a bounded number at several looks, with the ends of their confidence sequence (not intersected).

    `total`, `squares`, `n`: sums over all units up to a look, of a unit's whole numbers, which `scale` divides, and of
    their squares; arrays of one shape, looks and rows in any order. `bounds` of the number. The sequence is narrowest
    at about `best_at` units if their variance is about `variance` (default: 1/16 of the squared range). Both must be
    chosen before the units are seen. They change the width, not the promise. With `comparisons` sequences all hold
    together. Valid when all units have one mean, or at whole cycles when the line-ups take turns. Below one unit
    nothing is known. Raises ValueError as `mean_of_squares` does.
    """
    low, high = bounds
    level = math.log(2 * comparisons / (1 - confidence))
    guess = (high - low) ** 2 / 16 if variance is None else variance
    rho = best_at * guess / _tuning(level)
    mean, scatter = centred(total, squares, n, scale)
    units = np.broadcast_to(np.asarray(n, np.float64), mean.shape)
    seen = units >= 1
    inside, about = np.where(seen, mean, low), np.where(seen, scatter, 0.0)
    below = inside - _reach(inside - low, about, units, rho, level)
    above = inside + _reach(high - inside, about, units, rho, level)
    return _estimates(mean, scatter, units, np.where(seen, below, np.nan), np.where(seen, above, np.nan))


def asymptotic(
    total: ArrayLike,
    squares: ArrayLike,
    n: ArrayLike,
    scale: ArrayLike,
    confidence: float,
    best_at: float,
    *,
    changed: ArrayLike | None = None,
    comparisons: int = 1,
) -> Estimates:
    """As `bounded`, for numbers without bounds: the asymptotic sequence [4], from 1,000 units on; NaN before, and
    while all units agree.

    `changed`: of a difference, the units up to a look in which it was not 0; where given, nothing is claimed before 30
    of them. A number that a few units in a thousand decide needs the same care.
    """
    level = math.log(comparisons / (1 - confidence))
    rho = best_at / _tuning(level)
    mean, scatter = centred(total, squares, n, scale)
    units = np.broadcast_to(np.asarray(n, np.float64), mean.shape)
    many = (units >= LEAST_UNITS) & (scatter > 0)
    if changed is not None:
        many &= np.asarray(changed) >= LEAST_CHANGED
    count = np.where(many, units, 1.0)
    half = np.sqrt(scatter / count * (count + rho) * (np.log1p(count / rho) + 2 * level)) / count
    return _estimates(mean, scatter, units, np.where(many, mean - half, np.nan), np.where(many, mean + half, np.nan))


def narrowed(looks: Estimates) -> Estimates:
    """Running intersection over the looks on the first axis: what all looks so far leave possible.

    It keeps the promise, since all looks hold together. Should the looks contradict each other (then one has missed),
    the interval starts anew from that look.
    """
    low, high = looks.low.copy(), looks.high.copy()
    for k in range(1, len(low)):
        lower, upper = np.fmax(low[k - 1], low[k]), np.fmin(high[k - 1], high[k])
        agree = ~(lower > upper)
        low[k], high[k] = np.where(agree, lower, low[k]), np.where(agree, upper, high[k])
    return replace(looks, low=low, high=high)


def first_within(looks: Estimates, half_width: float) -> int | None:
    """First look (first axis) at which every row's interval is at most `half_width` to either side; None if none is.

    Both sides are measured from the estimate, which in a narrowed interval need not lie in the middle.
    """
    reach = np.maximum(looks.high - looks.estimate, looks.estimate - looks.low)
    narrow = (reach <= half_width).reshape(len(reach), -1).all(axis=1)
    return int(np.argmax(narrow)) if narrow.any() else None


def expected_units(variance: ArrayLike, half_width: float, confidence: float, *, comparisons: int = 1) -> Floats:
    """Units at which a sequence tuned for that very moment is about so narrow: what to give as `best_at`."""
    level = math.log(2 * comparisons / (1 - confidence))
    share = 1 / _tuning(level)
    factor = (1 + share) * (math.log1p(1 / share) + 2 * level)
    return np.ceil(np.asarray(variance, np.float64) * factor / half_width**2)


def _tuning(level: float) -> float:
    """By what the time at which a mixture is to be narrowest is divided, for its parameter [3, section 3.5], [5]."""
    return 2 * level + math.log1p(2 * level)


def _reach(room: Floats, scatter: Floats, units: Floats, rho: float, level: float) -> Floats:
    """How far below the mean the lowest value lies that is not rejected, at most `room`, the mean less the bound."""
    some = np.where(room > 0, room, 1.0)
    near, far = np.zeros_like(some), some * (1 - 1e-9)

    def rejected(h: Floats) -> NDArray[np.bool_]:
        c = some - h
        s, v = units * h / c, (scatter + units * h * h) / c**2
        stakes = [_log_capital(s, v, scaled * rho / c**2) - math.log(len(_SCALES)) for scaled in _SCALES]
        return np.asarray(np.logaddexp(*stakes) >= level)

    at_all = (room > 0) & rejected(far)
    for _ in range(_STEPS):
        middle = (near + far) / 2
        out = rejected(middle)
        near, far = np.where(out, near, middle), np.where(out, middle, far)
    return np.where(at_all, far, room)


def _log_capital(s: Floats, v: Floats, rho: Floats) -> Floats:
    a = v + rho
    with np.errstate(divide="ignore"):
        chance = np.log(gammainc(a, a + s)) - np.log(gammainc(rho, rho))
    return np.asarray(chance + s - a * np.log1p(s / a) + _remainder(a) - _remainder(rho))


def _remainder(a: Floats) -> Floats:
    """log Γ(a) − a log a + a, by Stirling's series where the terms would cancel."""
    large = np.maximum(a, 10.0)
    series = -0.5 * np.log(large / (2 * np.pi)) + 1 / (12 * large) - 1 / (360 * large**3) + 1 / (1260 * large**5)
    small = np.minimum(a, 10.0)
    return np.where(a >= 10, series, gammaln(small) - small * np.log(small) + small)


def _estimates(mean: Floats, scatter: Floats, units: Floats, low: Floats, high: Floats) -> Estimates:
    many = units >= 2
    count = np.where(many, units, 2.0)
    se = np.where(many, np.sqrt(scatter / (count * (count - 1))), np.nan)
    return Estimates(mean, low, high, se, units.astype(np.int64))
