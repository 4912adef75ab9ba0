"""Quantiles of grouped data, with Woodruff's interval.

A histogram is read as spread evenly within its cells. How sure one is of the share below a fixed value is told by the
jackknife; the quantiles at the ends of that share's interval are the ends for the quantile [1]. Thus the interval
follows a distribution on whole numbers, whose quantiles do not move smoothly when units are left out.

Sources: [1] R. S. Woodruff, Confidence intervals for medians and other position measures, JASA 47 (1952).
[2] C. A. Francisco, W. A. Fuller, Quantile estimation with a complex survey design, Annals of Statistics 19 (1991).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats.intervals import Estimates, Floats
from analyzer.stats.jackknife import jackknife


def quantile(histogram: Floats, edges: Floats, level: ArrayLike) -> Floats:
    """The value below which a share `level` of each histogram (*rows, cells) lies; NaN where that is not known.

    `edges` (cells + 1): where cells begin and, last, end; infinite if the last cell is open. At level 0 and 1 it is the
    smallest and largest value that there could be, whatever was seen. `level` broadcasts over the rows.
    """
    shares = np.broadcast_to(np.asarray(level, np.float64), histogram.shape[:-1])
    up_to = histogram.cumsum(-1)
    due = shares * up_to[..., -1]
    cell = np.minimum((up_to < due[..., None]).sum(-1), histogram.shape[-1] - 1)
    inside = np.take_along_axis(histogram, cell[..., None], -1)[..., 0]
    below = np.take_along_axis(up_to, cell[..., None], -1)[..., 0] - inside
    with np.errstate(invalid="ignore", divide="ignore"):
        found = edges[cell] + (edges[cell + 1] - edges[cell]) * ((due - below) / inside)
    seen = up_to[..., -1] > 0
    found = np.where(seen & (shares <= 0), edges[0], np.where(seen & (shares >= 1), edges[-1], found))
    return np.where(np.isfinite(found), found, np.nan)


def share_below(histogram: Floats, edges: Floats, value: Floats) -> Floats:
    """The share of each histogram (leading, *rows, cells) below its row's `value` (*rows); (leading, *rows)."""
    cell = np.clip(np.searchsorted(edges, value, side="right") - 1, 0, histogram.shape[-1] - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        part = (value - edges[cell]) / (edges[cell + 1] - edges[cell])
        up_to = histogram.cumsum(-1)
        index = np.broadcast_to(cell[..., None], (*histogram.shape[:-1], 1))
        inside = np.take_along_axis(histogram, index, -1)[..., 0]
        ending = np.take_along_axis(up_to, index, -1)[..., 0]
        return np.asarray((ending - inside * (1 - part)) / up_to[..., -1])


def woodruff(
    histogram: Floats,
    edges: Floats,
    level: float,
    group_units: NDArray[np.int64],
    n: Floats,
    confidence: float,
) -> Estimates:
    """Quantiles at `level` of the histograms (1 + groups, *rows, cells): of all units, then without each group.

    `edges` as in `quantile`; `group_units` (groups) and `n` (1 + groups, *rows) as in the jackknife, which gives the
    interval of the share below the estimate, with its least width and its rule of 16 groups. The standard error is
    that of the share, times the interval's width over that of the share's [2]. There is no interval when an end lies
    in an open last cell.
    """
    all_units = histogram[0]
    estimate = quantile(all_units, edges, level)
    below = jackknife(share_below(histogram, edges, estimate), group_units, n, confidence, (0.0, 1.0))
    low, high = quantile(all_units, edges, below.low), quantile(all_units, edges, below.high)
    known = np.isfinite(low) & np.isfinite(high)
    with np.errstate(invalid="ignore"):
        se = below.se * (high - low) / (below.high - below.low)
    return Estimates(
        estimate,
        np.where(known, np.minimum(low, estimate), np.nan),
        np.where(known, np.maximum(high, estimate), np.nan),
        np.where(known, se, np.nan),
        below.n,
    )
