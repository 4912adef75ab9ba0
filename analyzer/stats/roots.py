"""Where a curve, measured on common deals at some values of a knob, takes a target value.

Between the values that were played the curve is taken as straight. A value x stays possible while the interval of
curve(x) − target holds 0 (the test is inverted); errors of neighbouring points are related, since they have their
deals in common, and the jackknife knows how. On a straight piece with ends g₀, g₁ and deviations d₀, d₁ that is a
quadratic inequality in the position between them, as in Fieller's interval of a ratio, and is solved as one.

Sources: E. C. Fieller, Some problems in interval estimation, JRSS B 16 (1954); inversion of a test: J. Neyman, Phil.
Trans. Royal Society A 236 (1937); F. M. T. A. Busing, E. Meijer, R. van der Leeden (1999) for the jackknife.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats.intervals import UNBOUNDED, Bounds, Floats, least_half_width, t_quantile
from analyzer.stats.jackknife import LEAST_GROUPS, ROUNDING, pseudo_values

Span = tuple[float, float]


@dataclass(frozen=True)
class Crossing:
    """One place where the interpolated curve takes the target value."""

    x: float
    bracket: Span
    """The two values played between which it lies; twice the same where a value played hits the target exactly."""
    rising: bool | None
    """Whether the curve goes from below to above; None where it only touches, or begins or ends there."""
    low: float
    high: float
    """The values around it that remain possible; NaN with observations in fewer than 16 groups."""
    cut_low: bool
    cut_high: bool
    """Whether that interval is cut off where the played values end: further ones may be possible too."""


@dataclass(frozen=True)
class Roots:
    """All crossings in order of x, and where there may be more."""

    crossings: tuple[Crossing, ...]
    """Crossings that share an interval cannot be told apart: there may be fewer."""
    possible: tuple[Span, ...]
    """Stretches without a crossing of the curve on which the target is still possible; all of it, crossings or not,
    with observations in fewer than 16 groups."""


def roots(
    x: ArrayLike,
    values: Floats,
    target: float,
    group_units: NDArray[np.int64],
    n: Floats,
    confidence: float,
    bounds: Bounds = UNBOUNDED,
) -> Roots:
    """Crossings of the target by the curve through `values[0]` at the knob values `x` (m, rising).

    `values` (1 + groups, m): the curve from all units, then without each group; `group_units` and `n` (1 + groups, m)
    as in the jackknife; all points played on the same units. `bounds` of a unit's number give the least half-width. The
    intervals allow for chance, not for bends between the values played. Raises ValueError when `x` does not rise.
    """
    knob = np.asarray(x, np.float64)
    if np.any(np.diff(knob) <= 0):
        raise ValueError("knob values must rise")
    g = values[0] - target
    spans = _possible(knob, g, values, group_units, n, confidence, bounds)
    crossings = tuple(_placed(*found, knob, spans) for found in _crossings(knob, g))
    if spans is None:
        return Roots(crossings, ((float(knob[0]), float(knob[-1])),) if knob.size else ())
    free = tuple((low, high) for low, high in spans if not any(low <= found.x <= high for found in crossings))
    return Roots(crossings, free)


def next_values(found: Roots, tolerance: float, *, whole: bool) -> tuple[float, ...]:
    """Knob values to play next: the middle of every crossing's bracket that is wider than `tolerance` (`whole`: wider
    than 1, rounded down to a whole number); none when all are narrow."""
    wide = sorted({c.bracket for c in found.crossings if c.bracket[1] - c.bracket[0] > (1 if whole else tolerance)})
    middles = ((low + high) / 2 for low, high in wide)
    return tuple(float(np.floor(middle)) if whole else middle for middle in middles)


def _crossings(x: Floats, g: Floats) -> list[tuple[float, Span, bool | None]]:
    """Places, brackets and directions; a run of exact hits counts once, at its middle."""
    found: list[tuple[float, Span, bool | None]] = []
    before: float | None = None
    start = 0
    while start < g.size:
        end = start
        while end + 1 < g.size and g[start] == 0 == g[end + 1]:
            end += 1
        if g[start] == 0:
            after = g[end + 1] if end + 1 < g.size else None
            turns = before is not None and after is not None and before * after < 0
            found.append(((x[start] + x[end]) / 2, (x[start], x[end]), bool(after > 0) if turns and after else None))
        elif start > 0 and g[start - 1] * g[start] < 0:
            share = g[start - 1] / (g[start - 1] - g[start])
            place = x[start - 1] + share * (x[start] - x[start - 1])
            found.append((float(place), (float(x[start - 1]), float(x[start])), bool(g[start] > 0)))
        before = float(g[end]) if g[end] != 0 else before
        start = end + 1
    return [(float(at), (float(low), float(high)), way) for at, (low, high), way in found]


def _possible(
    x: Floats,
    g: Floats,
    values: Floats,
    group_units: NDArray[np.int64],
    n: Floats,
    confidence: float,
    bounds: Bounds,
) -> list[Span] | None:
    """Stretches of x that are not rejected, joined where they touch; None when no interval can be had."""
    pseudo = pseudo_values(values, group_units, n)
    groups = int(pseudo.groups.min()) if x.size else 0
    if groups < LEAST_GROUPS:
        return None
    deviations = np.where(np.abs(pseudo.deviations) <= ROUNDING * np.abs(values[0]).max(), 0.0, pseudo.deviations)
    q = float(t_quantile(groups - 1, confidence))
    least = float(least_half_width(min(float(n[0].min()), float(group_units.sum())), confidence, bounds))
    spans: list[Span] = []
    for i in range(x.size - 1):
        for low, high in _on_piece(g[i], g[i + 1], deviations[:, i], deviations[:, i + 1], q, least):
            span = (float(x[i] + low * (x[i + 1] - x[i])), float(x[i] + high * (x[i + 1] - x[i])))
            if spans and span[0] <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(spans[-1][1], span[1]))
            else:
                spans.append(span)
    return spans


def _on_piece(g0: float, g1: float, d0: Floats, d1: Floats, q: float, least: float) -> list[Span]:
    """Shares t of the way from one point to the next where |g(t)| is at most q × se(t), or at most `least`."""
    slope, turn = g1 - g0, d1 - d0
    # (g0 + t slope)² − q² |d0 + t turn|² = a t² + b t + c
    a = slope**2 - q * q * float(turn @ turn)
    b = 2 * (g0 * slope - q * q * float(d0 @ turn))
    c = g0**2 - q * q * float(d0 @ d0)
    cuts = [0.0, 1.0, *_real_roots(a, b, c)]
    if slope != 0:
        cuts += [(least - g0) / slope, (-least - g0) / slope]
    edges = np.unique(np.clip(cuts, 0.0, 1.0))
    parts: list[Span] = []
    for low, high in pairwise(edges):
        t = (low + high) / 2
        if a * t * t + b * t + c <= 0 or abs(g0 + t * slope) <= least:
            joined = parts and parts[-1][1] == low
            parts[-1:] = [(parts[-1][0], float(high))] if joined else [*parts[-1:], (float(low), float(high))]
    return parts


def _real_roots(a: float, b: float, c: float) -> list[float]:
    inside = b * b - 4 * a * c
    if inside < 0:
        return []
    far = -(b + np.copysign(np.sqrt(inside), b)) / 2
    return [value for value in (far / a if a else None, c / far if far else None) if value is not None]


def _placed(at: float, bracket: Span, rising: bool | None, x: Floats, spans: list[Span] | None) -> Crossing:
    if spans is None:
        return Crossing(at, bracket, rising, np.nan, np.nan, False, False)
    # A curve without any chance error leaves only the place itself possible.
    low, high = next((span for span in spans if span[0] <= at <= span[1]), (at, at))
    return Crossing(at, bracket, rising, low, high, low <= float(x[0]), high >= float(x[-1]))
