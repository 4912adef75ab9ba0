"""Two arms that were counted apart: the difference of any two estimates, with an interval that allows for the units
which both have in common.

Where units may be common they are the same in every group of both arms, so the groups' deviations are subtracted
group by group before they are squared: what both arms share drops out, and arms that share nothing lose nothing but
degrees of freedom. Arms without a common unit are independent; then the interval is made of both intervals.

Sources: [1] F. M. T. A. Busing, E. Meijer, R. van der Leeden, Statistics and Computing 9 (1999): the jackknife with
groups of unequal size. [2] G. Y. Zou, A. Donner, Construction of confidence limits about effect measures: a general
approach, Statistics in Medicine 27 (2008): limits of a difference from those of its parts, correlated or not; for
proportions it is method 10 of R. G. Newcombe, Statistics in Medicine 17 (1998). [3] B. L. Welch, Biometrika 34 (1947).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analyzer.stats.intervals import UNBOUNDED, Bounds, Estimates, Floats, around, t_quantile
from analyzer.stats.jackknife import LEAST_GROUPS, ROUNDING, pseudo_values

OWN_ROUNDING = 1e-11
"""A group's own difference below this share of the value is rounding: it is formed from values 64 times as large."""


@dataclass(frozen=True)
class LeftOut:
    """An arm's values (1 + groups, *rows), of all units and then without each group; the units in each group (groups);
    the observations behind each value (1 + groups, *rows)."""

    values: Floats
    group_units: NDArray[np.int64]
    n: Floats


@dataclass(frozen=True)
class Difference:
    """Second arm minus first."""

    found: Estimates
    df: Floats
    """Degrees of freedom of its standard errors."""


def even_groups(group_units: NDArray[np.int64]) -> bool:
    """Whether groups are of nearly one size, as `grouped` needs it of arms that do not have the same units."""
    return bool(group_units.min() >= 0.75 * group_units.max() > 0)


def grouped(a: LeftOut, b: LeftOut, confidence: float, bounds: Bounds = UNBOUNDED) -> Difference:
    """The difference of arms whose common units are in the same groups: all units in common, or some of even groups.

    `bounds` are those of a unit's difference. With all units in common this is the jackknife [1] of the difference.
    NaN ends with observations in fewer than 16 groups; without bounds also where fewer than 16 groups differ, whose few
    values say too little of those that were not seen.
    """
    (first, groups_a), (second, groups_b) = _deviations(a), _deviations(b)
    groups = np.minimum(groups_a, groups_b)
    apart = second - first
    estimate = b.values[0] - a.values[0]
    scale = np.maximum(np.abs(a.values[0]), np.abs(b.values[0]))
    enough = (groups >= LEAST_GROUPS) & np.isfinite(estimate)
    with np.errstate(invalid="ignore"):
        se = np.where(enough, np.sqrt((apart**2).sum(0)), np.nan)
        se = np.where(se <= ROUNDING * scale, 0.0, se)
        differing = (np.abs(_own(b) - _own(a)) > OWN_ROUNDING * scale).sum(0)
    n = np.minimum(_count(a.n[0]), _count(b.n[0]))
    units = np.minimum(n, min(float(a.group_units.sum()), float(b.group_units.sum())))
    low, high = around(estimate, t_quantile(groups - 1, confidence) * se, units, confidence, bounds)
    if None in bounds:
        few = differing < LEAST_GROUPS
        low, high = np.where(few, np.nan, low), np.where(few, np.nan, high)
    shown = np.where(np.isfinite(estimate), estimate, np.nan)
    return Difference(Estimates(shown, low, high, se, n.astype(np.int64)), groups - 1.0)


def correlation(a: LeftOut, b: LeftOut) -> Floats:
    """How the errors of both arms go together, from -1 to 1; 0 where one has none; NaN below 16 groups."""
    (first, groups_a), (second, groups_b) = _deviations(a), _deviations(b)
    size = np.sqrt((first**2).sum(0) * (second**2).sum(0))
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.where(size > 0, (first * second).sum(0) / size, 0.0)
    enough = np.minimum(groups_a, groups_b) >= LEAST_GROUPS
    return np.where(enough, np.clip(found, -1.0, 1.0), np.nan)


def recovered(a: Estimates, b: Estimates, bounds: Bounds = UNBOUNDED, together: Floats | float = 0.0) -> Difference:
    """The difference of two estimates from their intervals [2]; `together` is the correlation of their errors, 0 of
    independent arms.

    NaN ends where one of them has none, or where nothing is left between them. Degrees of freedom of the standard error
    are Welch's [3], for observations that are units.
    """
    estimate = b.estimate - a.estimate

    def reach(first: Floats, second: Floats) -> Floats:
        return np.sqrt(np.maximum(0.0, first**2 + second**2 - 2 * together * first * second))

    with np.errstate(invalid="ignore", divide="ignore"):
        low = estimate - reach(a.high - a.estimate, b.estimate - b.low)
        high = estimate + reach(a.estimate - a.low, b.high - b.estimate)
        se = reach(a.se, b.se)
        parts = sum(each.se**4 / np.maximum(each.n - 1.0, 1.0) for each in (a, b))
        df = np.where(parts > 0, (a.se**2 + b.se**2) ** 2 / parts, np.minimum(a.n, b.n) - 1.0)
    if bounds[0] is not None:
        low = np.maximum(low, bounds[0])
    if bounds[1] is not None:
        high = np.minimum(high, bounds[1])
    open_ = high > low
    low, high = np.where(open_, low, np.nan), np.where(open_, high, np.nan)
    return Difference(Estimates(estimate, low, high, se, np.minimum(a.n, b.n)), df)


def certain(found: Estimates) -> Estimates:
    """The difference of arms that are one and the same: exactly 0 wherever there are observations.

    Raises ValueError when they differ.
    """
    if np.any(np.nan_to_num(found.estimate) != 0):
        raise ValueError("arms that are the same differ")
    seen = (found.n > 0) & np.isfinite(found.estimate)
    parts = {name: np.where(seen, 0.0, np.nan) for name in ("estimate", "low", "high", "se")}
    return replace(found, exact=seen, **parts)


def _deviations(arm: LeftOut) -> tuple[Floats, NDArray[np.int64]]:
    """The groups' deviations (groups, *rows), 0 of a group without units, and the groups with observations (*rows)."""
    pseudo = pseudo_values(arm.values, arm.group_units, arm.n)
    every = np.zeros((len(arm.group_units), *arm.values.shape[1:]))
    every[arm.group_units > 0] = pseudo.deviations
    return every, pseudo.groups


def _own(arm: LeftOut) -> Floats:
    """What each group says on its own (groups, *rows), NaN of one without units."""
    units = arm.group_units.astype(np.float64).reshape(-1, *(1 for _ in arm.values.shape[1:]))
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = arm.group_units.sum() / units
        return np.asarray(weight * arm.values[0] - (weight - 1) * arm.values[1:])


def _count(n: Floats) -> Floats:
    return np.rint(np.nan_to_num(n, nan=0.0, posinf=0.0))
