"""Many comparisons at once: adjusted p-values, simultaneous limits, and the spread of k positions.

Sources: [1] S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statistics 6 (1979).
[2] Y. Benjamini, Y. Hochberg, Controlling the false discovery rate, JRSS B 57 (1995). [3] Z. Šidák,
Rectangular confidence regions for the means of multivariate normal distributions, JASA 62 (1967). [4] J. W.
Tukey, The problem of multiple comparisons (1953); C. Y. Kramer, Biometrics 12 (1956); A. J. Hayter, Annals of
Statistics 12 (1984). [5] L. H. C. Tippett, On the extreme individuals and the range of samples, Biometrika 17
(1925).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, ndtr

from analyzer.stats.intervals import Estimates, Floats, least_half_width, t_quantile
from analyzer.stats.jackknife import LEAST_GROUPS, ROUNDING, pseudo_values


def holm(p_values: ArrayLike) -> Floats:
    """Adjusted p-values (1-D): rejecting those at or below alpha errs once or more with chance alpha at most
    [1]."""
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, steps)
    return adjusted


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """Adjusted p-values (1-D): of those at or below alpha a share of alpha is expected to be false at most
    [2]."""
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, kind="stable")[::-1]
    steps = np.minimum.accumulate(p[order] * p.size / np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, steps)
    return adjusted


def simultaneous_limits(
    estimate: ArrayLike, se: ArrayLike, df: ArrayLike, confidence: float, comparisons: int | None = None
) -> tuple[Floats, Floats]:
    """Interval ends that hold for all estimates together, however they depend on each other [3].

    NaN estimates or standard errors have no limits and do not count among the `comparisons`, unless their number is
    given.
    """
    value, error = np.broadcast_arrays(np.asarray(estimate, np.float64), np.asarray(se, np.float64))
    compared = comparisons or max(1, int((np.isfinite(value) & np.isfinite(error)).sum()))
    margin = t_quantile(df, confidence ** (1 / compared)) * error
    return value - margin, value + margin


@cache
def expected_range(k: int) -> float:
    """Expected largest minus smallest of k independent standard normal numbers [5]: 1.128, 1.693, 2.059,
    ..."""
    x = np.linspace(-9.0, 9.0, 1801)
    below = ndtr(x)
    return float(np.trapezoid(1 - below**k - (1 - below) ** k, x))


@cache
def range_quantile(k: int, df: int, confidence: float) -> float:
    """Quantile of the studentised range of k positions [4], for `df` of 5 or more (groups − 1 here: at least
    15)."""
    z = np.linspace(-8.5, 8.5, 121)[:, None]
    reach = 9 / np.sqrt(2 * df)
    s = np.linspace(max(0.0, 1 - reach), 1 + reach, 101)[1:]
    log_density = np.log(2) + df / 2 * np.log(df / 2) - gammaln(df / 2) + (df - 1) * np.log(s) - df * s * s / 2
    chi = np.exp(log_density)
    normal = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)

    def chance_below(q: float) -> float:
        inner = np.trapezoid(k * normal * (ndtr(z) - ndtr(z - q * s)) ** (k - 1), z, axis=0)
        return float(np.trapezoid(chi * inner, s))

    low, high = 0.0, 200.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if chance_below(middle) < confidence else (low, middle)
    return high


def pairwise(values: Floats, group_units: NDArray[np.int64], n: Floats) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Differences (*rows, k, k) of the k positions on the last axis, first less second, their standard errors, and
    degrees of freedom (*rows, k, k).

    `values` and `n` (1 + groups, *rows, k), `group_units` (groups) as in the jackknife. The errors of a pair are NaN
    when one of the two has observations in fewer than 16 groups.
    """
    at = values[0]
    pseudo = pseudo_values(values, group_units, n)
    deviations = pseudo.deviations
    groups = np.minimum(pseudo.groups[..., :, None], pseudo.groups[..., None, :])
    errors = np.sqrt(((deviations[..., :, None] - deviations[..., None, :]) ** 2).sum(0))
    scale = np.maximum(np.abs(at)[..., :, None], np.abs(at)[..., None, :])
    errors = np.where(errors <= ROUNDING * scale, 0.0, errors)
    return at[..., :, None] - at[..., None, :], np.where(groups >= LEAST_GROUPS, errors, np.nan), groups - 1


def spread(
    values: Floats,
    group_units: NDArray[np.int64],
    n: Floats,
    confidence: float,
    high: float | None = None,
) -> Estimates:
    """Largest minus smallest of the k positions on the last axis of `values`, one spread a row.

    `values` (1 + groups, *rows, k), `group_units` (groups), `n` (1 + groups, *rows) as in the jackknife.
    Tukey and Kramer's simultaneous intervals of all differences between two positions [4] give the limits:
    the lower end is the largest lower limit, floored at 0, the upper end the largest upper limit, cut at
    `high`. `under_equal` is the spread that k equal positions would show by chance [5]: the range constant
    times the error that the positions do not share. `se` is that of the difference shown. Positions without a
    value are left out; with fewer than two, nothing is known.
    """
    rows = values.shape[1:-1]
    count = np.nan_to_num(n[0], nan=0.0, posinf=0.0)
    parts = {name: np.full(rows, np.nan) for name in ("estimate", "low", "high", "se", "under_equal")}
    for row in np.ndindex(rows):
        positions = values[(slice(None), *row)]
        positions = positions[:, np.isfinite(positions[0])]
        if positions.shape[1] < 2:
            continue
        observed = np.repeat(n[(slice(None), *row)][:, None], positions.shape[1], axis=1)
        units = min(float(count[row]), float(group_units.sum()))
        for name, value in _spread_of(positions, group_units, observed, units, confidence, high).items():
            parts[name][row] = value
    return Estimates(n=np.rint(count).astype(np.int64), **parts)


def _spread_of(
    positions: Floats,
    group_units: NDArray[np.int64],
    observed: Floats,
    units: float,
    confidence: float,
    high: float | None,
) -> dict[str, float]:
    at = positions[0]
    k = at.size
    largest, smallest = int(np.argmax(at)), int(np.argmin(at))
    known = {"estimate": float(at[largest] - at[smallest])}
    differences, errors, df = pairwise(positions, group_units, observed)
    if not np.isfinite(errors).all():
        return known
    pairs = k * (k - 1) // 2
    margins = range_quantile(k, int(df.min()), confidence) / np.sqrt(2) * errors
    if high is not None:
        margins = np.maximum(margins, least_half_width(units, confidence, (-high, high), pairs))
    apart = ~np.eye(k, dtype=bool)
    upper = float((differences + margins)[apart].max())
    return known | {
        "low": max(0.0, float((differences - margins)[apart].max())),
        "high": upper if high is None else min(upper, high),
        "se": float(errors[largest, smallest]),
        "under_equal": expected_range(k) * float(np.sqrt((errors[apart] ** 2).mean() / 2)),
    }
