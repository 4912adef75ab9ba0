"""Variances from whole numbers, exactly: what cancels in floating point is formed in integers first.

Sums of numbers and of their squares over n units stay whole however large, so n·Q − S², which is n² times the
variance, loses nothing. Arrays have any shape; whole numbers come as dtype object, int64 or whole floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats.intervals import UNBOUNDED, Bounds, Estimates, Floats, least_half_width, whole_numbers
from analyzer.stats.jackknife import jackknife_positive, left_out


def spread_of(total: ArrayLike, squares: ArrayLike, n: ArrayLike) -> NDArray[Any]:
    """n·Q − S² as Python integers; raises ValueError where the squares are too small for the total."""
    s, q, count = np.broadcast_arrays(*(whole_numbers(part) for part in (total, squares, n)))
    spread = np.asarray(count * q - s * s, dtype=object)
    for index in np.ndindex(spread.shape):
        if spread[index] < 0:
            raise ValueError(f"squares {q[index]} are too small for total {s[index]} over {count[index]} units")
    return spread


def ratio(above: NDArray[Any], below: NDArray[Any]) -> Floats:
    """Quotients of Python integers, rounded once; NaN where `below` is 0."""
    top, bottom = np.broadcast_arrays(above, below)
    found = np.full(top.shape, np.nan)
    for index in np.ndindex(top.shape):
        if bottom[index] != 0:
            found[index] = top[index] / bottom[index]
    return found


def centred(total: ArrayLike, squares: ArrayLike, n: ArrayLike, scale: ArrayLike) -> tuple[Floats, Floats]:
    """Mean, and sum of squared deviations from it, of whole numbers divided by `scale`; NaN below one unit."""
    count, by = whole_numbers(n), np.asarray(scale, np.float64)
    mean = np.asarray(ratio(whole_numbers(total), count) / by)
    return mean, np.asarray(ratio(spread_of(total, squares, n), count) / by**2)


def variance(
    total: ArrayLike,
    squares: ArrayLike,
    group_units: NDArray[np.int64],
    scale: float,
    confidence: float,
    bounds: Bounds = UNBOUNDED,
) -> Estimates:
    """Variance of a unit, with the jackknife's interval of its logarithm.

    `total`, `squares` (groups, *rows): sums over the units of each group; `group_units` (groups). The estimate has
    divisor n − 1. For a number with `bounds` the interval is known also when hardly any unit was other than 0: its
    upper end is then what might have gone unseen, (largest square) × (1 − (α/2)^(1/n)), its lower end 0.
    """
    sums, squared = left_out(whole_numbers(total)), left_out(whole_numbers(squares))
    units = np.broadcast_to(left_out(whole_numbers(group_units)).reshape(-1, *(1 for _ in sums.shape[1:])), sums.shape)
    values = ratio(spread_of(sums, squared, units), units * (units - 1)) / scale**2
    found = jackknife_positive(values, group_units, units.astype(np.float64), confidence)
    low, high = bounds
    if low is None or high is None:
        return found
    unseen = least_half_width(found.n, confidence, (0.0, max(abs(low), abs(high)) ** 2))
    known = np.isfinite(found.estimate)
    return Estimates(
        found.estimate,
        np.where(known, np.nan_to_num(found.low), np.nan),
        np.where(known, np.maximum(np.nan_to_num(found.high), np.maximum(unseen, found.estimate)), np.nan),
        found.se,
        found.n,
    )
