"""Delete-one-group jackknife with groups of unequal size: intervals for any smooth function of totals.

Source: F. M. T. A. Busing, E. Meijer, R. van der Leeden, Delete-m jackknife for unequal m, Statistics and
Computing 9 (1999), equations 5 and 6. With equal groups it is Tukey's jackknife.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.stats.intervals import UNBOUNDED, Bounds, Estimates, Floats, around, t_quantile

LEAST_GROUPS = 16
"""Below so many groups with observations the jackknife's own error is too large: no interval ("too few
deals")."""

ROUNDING = 1e-13
"""A standard error below this share of the value is rounding: the groups agree."""


def left_out(by_group: NDArray[Any]) -> NDArray[Any]:
    """(groups, *rows) -> (1 + groups, *rows): the total, then the total without each group; the dtype is kept."""
    total = np.asarray(by_group.sum(axis=0), by_group.dtype)
    return np.concatenate([total[None], total - by_group])


@dataclass(frozen=True)
class PseudoValues:
    """What each group says on its own: deviations whose squares add up to the variance.

    `deviations` (groups, *rows): sum over groups of d_j d_j' is the jackknife covariance; NaN where a leave-
    one-out value is not a number. `groups` (*rows): groups with observations; 0 where the deviations are not
    known. `centre` (*rows): the value with its bias of order 1/n taken away.
    """

    deviations: Floats
    groups: NDArray[np.int64]
    centre: Floats


def pseudo_values(values: Floats, group_units: NDArray[np.int64], n: Floats) -> PseudoValues:
    """Deviations of the pseudo-values from their mean, scaled so that their squares sum to the variance.

    `values` (1 + groups, *rows): the value from all units, then without each group. `group_units` (groups):
    units in each. `n` (1 + groups, *rows): observations behind each value; a group adds what is missing
    without it.
    """
    sizes = group_units.astype(np.float64)
    filled = sizes > 0
    rows = values.shape[1:]
    if not filled.any():
        return PseudoValues(np.zeros((0, *rows)), np.zeros(rows, np.int64), np.full(rows, np.nan))
    column = (-1, *(1 for _ in rows))
    share = (sizes[filled] / sizes.sum()).reshape(column)
    without = values[1:][filled]
    weight = 1 / share
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        own = weight * values[0] - (weight - 1) * without
        centre = len(without) * values[0] - ((1 - share) * without).sum(0)
        deviations = (own - centre) / np.sqrt(np.where(weight > 1, weight - 1, np.nan) * len(without))
    seen = (n[0] - n[1:] > 0).sum(0)
    # A number of observations that is not kept by group: any group with units may have added to it.
    seen = np.where((seen == 0) & (n[0] > 0), int(filled.sum()), seen)
    known = np.isfinite(deviations).all(0)
    return PseudoValues(np.where(known, deviations, np.nan), np.where(known, seen, 0).astype(np.int64), centre)


def jackknife(
    values: Floats,
    group_units: NDArray[np.int64],
    n: Floats,
    confidence: float,
    bounds: Bounds = UNBOUNDED,
    *,
    mended: bool = False,
) -> Estimates:
    """Estimates `values[0]` with t intervals on groups − 1 degrees of freedom.

    Shapes as in `pseudo_values`. The estimate is the plain value, not the bias-corrected one: its bias is of
    order 1/n, far below its standard error, and shares that must sum to 1 do. Where that is not so, as for the
    variance of a few nearly equal means, it can be `mended`. `se` and interval are NaN with observations in fewer
    than 16 groups. A bounded value keeps the least half-width of `n` observations, or of the units if those are fewer.
    """
    count = np.nan_to_num(n[0], nan=0.0, posinf=0.0)
    pseudo = pseudo_values(values, group_units, n)
    shown = np.where(pseudo.groups >= LEAST_GROUPS, pseudo.centre, np.nan) if mended else values[0]
    estimate = np.where(np.isfinite(shown), shown, np.nan)
    enough = pseudo.groups >= LEAST_GROUPS
    variance = (pseudo.deviations**2).sum(0)
    se = np.where(enough, np.sqrt(variance), np.nan)
    se = np.where(se <= ROUNDING * np.abs(estimate), 0.0, se)
    margin = t_quantile(pseudo.groups - 1, confidence) * se
    independent = np.minimum(count, float(group_units.sum()))
    low, high = around(estimate, margin, independent, confidence, bounds)
    return Estimates(estimate, low, high, se, np.rint(count).astype(np.int64))


def jackknife_positive(values: Floats, group_units: NDArray[np.int64], n: Floats, confidence: float) -> Estimates:
    """As `jackknife`, of a positive number whose chance error grows with it (a variance, a ratio of variances).

    The interval is that of the logarithm, so it is never below 0; `se` is that of the number itself. NaN where a value
    is not above 0.
    """
    positive = np.where(values > 0, values, np.nan)
    logarithm = jackknife(np.log(positive), group_units, n, confidence)
    estimate = np.where(np.isfinite(values[0]), values[0], np.nan)
    with np.errstate(over="ignore"):
        low, high = np.exp(logarithm.low), np.exp(logarithm.high)
    return Estimates(estimate, low, high, logarithm.se * estimate, logarithm.n)
