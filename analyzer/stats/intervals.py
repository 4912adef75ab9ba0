"""Estimates with their intervals: means from exact squares, and yes/no frequencies.

Everything here works on arrays of any shape, one estimate an element. NaN stands for "not known" and becomes
null in reports; no function warns or raises because there were few observations, or none.

Sources: [1] W. S. Gosset (Student), The probable error of a mean, Biometrika 6 (1908). [2] E. B. Wilson,
Probable inference, the law of succession, and statistical inference, JASA 22 (1927); L. D. Brown, T. T. Cai,
A. DasGupta, Interval estimation for a binomial proportion, Statistical Science 16 (2001). [3] C. J. Clopper,
E. S. Pearson, The use of confidence or fiducial limits, Biometrika 26 (1934): (alpha/2)^(1/n) is their limit
when all n trials agree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtr, stdtrit

Floats = NDArray[np.float64]
Bounds = tuple[float | None, float | None]
"""Smallest and largest possible value of what is estimated; None where there is no such bound."""

UNBOUNDED: Bounds = (None, None)

NOISE = 1e-15
"""Numbers nearer to 0 than this are the rounding of the last bit: counts never reach 1e15, nor shares
1e-15."""


def significant(value: float) -> float | None:
    """`value` to 12 significant digits, noise as 0, None when it is not a number: what a report shows.

    Twelve digits are the same on machines whose mathematical functions differ in the last bit.
    """
    number = float(value)
    if not math.isfinite(number):
        return None
    return 0.0 if abs(number) < NOISE else float(f"{number:.12g}")


@dataclass(frozen=True)
class Estimates:
    """Estimates with standard errors and interval ends, arrays of one shape; NaN where nothing is known."""

    estimate: Floats
    low: Floats
    high: Floats
    se: Floats
    n: NDArray[np.int64]
    """Observations behind each estimate."""
    under_equal: Floats | None = None
    """Of a spread, or the largest of several sizes: what chance would show if all were equal."""
    exact: NDArray[np.bool_] | None = None
    """Of a difference only: whether it is known without sampling, because both arms are the same."""

    def item(self, index: int | tuple[int, ...]) -> dict[str, Any]:
        """One estimate as it stands in `results.json`: 12 significant digits, None for NaN."""
        shown: dict[str, Any] = {
            "estimate": significant(self.estimate[index]),
            "low": significant(self.low[index]),
            "high": significant(self.high[index]),
            "se": significant(self.se[index]),
            "n": int(self.n[index]),
        }
        if self.under_equal is not None:
            shown["under_equal"] = significant(self.under_equal[index])
        if self.exact is not None and self.exact[index]:
            shown["exact"] = True
        return shown

    def map(self, change: Callable[[Any], Any]) -> Estimates:
        """The same change of shape (or choice of elements) made to every array."""
        equal, exact = (None if part is None else change(part) for part in (self.under_equal, self.exact))
        return Estimates(
            change(self.estimate), change(self.low), change(self.high), change(self.se), change(self.n), equal, exact
        )


_PARTS = ("estimate", "low", "high", "se", "n")


def stacked(found: Sequence[Estimates]) -> Estimates:
    """Estimates of one shape, along a new first axis."""
    return _together(found, np.stack)


def concatenated(found: Sequence[Estimates]) -> Estimates:
    """Estimates one after the other, along their first axis."""
    return _together(found, np.concatenate)


def _together(found: Sequence[Estimates], how: Callable[[Any], Any]) -> Estimates:
    exact = [np.zeros(each.n.shape, np.bool_) if each.exact is None else each.exact for each in found]
    estimate, low, high, se, n = (how([getattr(each, part) for each in found]) for part in _PARTS)
    return Estimates(estimate, low, high, se, n, exact=how(exact))


def t_quantile(df: ArrayLike, confidence: float) -> Floats:
    """Two-sided quantile of Student's t [1]; NaN where `df` < 1."""
    degrees = np.asarray(df, dtype=np.float64)
    quantile = np.asarray(stdtrit(np.maximum(degrees, 1.0), 0.5 + confidence / 2), dtype=np.float64)
    return np.where(degrees >= 1, quantile, np.nan)


def least_half_width(n: ArrayLike, confidence: float, bounds: Bounds, comparisons: int = 1) -> Floats:
    """Half-width below which a bounded mean of `n` observations is never claimed; 0 without two bounds.

    range × (1 − (alpha/2)^(1/n)): if all n observations agree, a value that turns up with a chance above 1 −
    (alpha/2)^(1/n) would have been seen [3]. It also holds when hardly any disagree, so that one odd unit
    among thousands cannot make the interval narrower than none would. With several `comparisons` at once
    alpha is shared among them.
    """
    count = np.asarray(n, dtype=np.float64)
    low, high = bounds
    if low is None or high is None:
        return np.zeros_like(count)
    alpha = (1 - confidence) / comparisons
    return (high - low) * -np.expm1(math.log(alpha / 2) / np.maximum(count, 1.0))


def around(estimate: Floats, margin: Floats, n: ArrayLike, confidence: float, bounds: Bounds) -> tuple[Floats, Floats]:
    """Interval ends `estimate` ± the larger of `margin` and the least half-width, cut at the bounds."""
    half = np.maximum(margin, least_half_width(n, confidence, bounds))
    low, high = estimate - half, estimate + half
    if bounds[0] is not None:
        low = np.maximum(low, bounds[0])
    if bounds[1] is not None:
        high = np.minimum(high, bounds[1])
    return low, high


def chance_beyond(gap: ArrayLike, se: ArrayLike, df: ArrayLike, n: ArrayLike, bounds: Bounds) -> Floats:
    """Two-sided p-value of a hypothesis `gap` (0 or more) away from the estimate: the largest alpha at which the
    interval of `around`, at confidence 1 − alpha, still reaches it. 1 where nothing is known, as where all units of
    an unbounded mean agree.
    """
    distance, error, degrees, count = np.broadcast_arrays(*(np.asarray(part, np.float64) for part in (gap, se, df, n)))
    low, high = bounds
    unseen = np.zeros(distance.shape)
    if low is not None and high is not None:
        with np.errstate(divide="ignore"):
            unseen = np.exp(np.maximum(count, 1.0) * np.log1p(-np.clip(distance / (high - low), 0.0, 1.0)))
    seen = degrees >= 1
    with np.errstate(invalid="ignore", divide="ignore"):
        tail = stdtr(np.where(seen, degrees, 1.0), -distance / error)
    if low is not None and high is not None:
        tail = np.where((error == 0) & (distance > 0), 0.0, tail)
    known = seen & np.isfinite(error) & np.isfinite(distance) & (distance > 0)
    known &= (error > 0) | (low is not None and high is not None)
    return np.where(known, np.minimum(1.0, 2 * np.maximum(tail, unseen)), 1.0)


def mean_of_squares(
    total: ArrayLike,
    squares: ArrayLike,
    n: ArrayLike,
    scale: ArrayLike,
    confidence: float,
    bounds: Bounds = UNBOUNDED,
) -> Estimates:
    """Mean over `n` units of a whole number, divided by `scale`, with Student's t interval [1].

    `total` and `squares` are the sum and the sum of squares of the units' numbers, `n` the units; arrays (or
    scalars) that broadcast together, of Python integers (dtype object) or of whole floats. The variance comes
    from n·Q − S² in exact integers, so nothing cancels at 10^9 deals of ±1000 points. Below two units `se`
    and interval are NaN; so is the interval where all units agree and the mean has no bounds: how far one
    that was not seen might lie is not known then. Raises ValueError when a number is not whole or the squares
    are too small for the total.
    """
    sums, squared, counts, scales = np.broadcast_arrays(
        *(whole_numbers(part) for part in (total, squares, n)), np.asarray(scale, dtype=object)
    )
    estimate, se = np.full(sums.shape, np.nan), np.full(sums.shape, np.nan)
    units = np.zeros(sums.shape, dtype=np.int64)
    for index in np.ndindex(sums.shape):
        count = counts[index]
        units[index] = count
        divisor = float(scales[index])
        if count < 1 or not math.isfinite(divisor) or divisor == 0:
            continue
        s, q = sums[index], squared[index]
        spread = count * q - s * s
        if spread < 0:
            raise ValueError(f"squares {q} are too small for total {s} over {count} units")
        estimate[index] = s / count / divisor
        if count > 1:
            se[index] = math.sqrt(spread / (count * count * (count - 1))) / abs(divisor)
    margin = t_quantile(units - 1, confidence) * se
    if None in bounds:
        margin = np.where(se == 0, np.nan, margin)
    low, high = around(estimate, margin, units, confidence, bounds)
    return Estimates(estimate, low, high, se, units)


def wilson(successes: ArrayLike, n: ArrayLike, confidence: float) -> Estimates:
    """Frequency of a yes in `n` yes/no units with Wilson's score interval [2]; below two units no
    interval."""
    yes, count = np.broadcast_arrays(np.asarray(successes, np.float64), np.asarray(n, np.float64))
    z = float(ndtri(0.5 + confidence / 2))
    units = np.where(count >= 1, count, np.nan)
    share = yes / units
    centre = (share + z * z / (2 * units)) / (1 + z * z / units)
    half = z / (1 + z * z / units) * np.sqrt(share * (1 - share) / units + z * z / (4 * units * units))
    many = count >= 2
    # With no yes, or no no, the exact end is 0 or 1 and only rounding moves it.
    low = np.where(yes > 0, np.clip(centre - half, 0.0, share), 0.0)
    high = np.where(yes < count, np.clip(centre + half, share, 1.0), 1.0)
    return Estimates(
        share,
        np.where(many, low, np.nan),
        np.where(many, high, np.nan),
        np.where(many, np.sqrt(share * (1 - share) / units), np.nan),
        count.astype(np.int64),
    )


def plain_values(values: ArrayLike, n: ArrayLike) -> Estimates:
    """Values of which no interval is claimed; not known where they are not finite."""
    value, count = np.broadcast_arrays(np.asarray(values, np.float64), np.asarray(n, np.float64))
    unknown = np.full(value.shape, np.nan)
    estimate = np.where(np.isfinite(value), value, np.nan)
    return Estimates(estimate, unknown, unknown, unknown, np.nan_to_num(count).astype(np.int64))


def whole_numbers(values: ArrayLike) -> NDArray[Any]:
    """The same numbers as Python integers (dtype object); raises ValueError when one is not whole."""
    given = np.asarray(values, dtype=object)
    whole = np.empty(given.shape, dtype=object)
    for index in np.ndindex(given.shape):
        whole[index] = int(given[index])
        if whole[index] != given[index]:
            raise ValueError(f"{given[index]!r} is not a whole number")
    return whole
