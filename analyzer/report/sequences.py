"""Averages that one may look at at any time: their intervals are those of confidence sequences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.spec import ColumnSpec, Looks, Mean, Setting
from analyzer.stats.intervals import Bounds, Estimates, Floats
from analyzer.stats.sequential import asymptotic, bounded

RUNNING = Looks(best_at=100_000)
"""Of what is looked at in every run: near the narrowest from a thousand units to a thousand million."""
ANY_TIME = "Its interval is part of a confidence sequence and holds wherever the run ended."


def explained(column: ColumnSpec, setting: Setting) -> ColumnSpec:
    """The column, and where its intervals hold."""
    if setting.looks is None or not isinstance(column.estimator, Mean):
        return column
    return replace(column, text=f"{column.text}. {ANY_TIME}" if column.text else ANY_TIME)


def sequence(
    total: NDArray[Any],
    squares: NDArray[Any],
    n: NDArray[Any],
    scale: Floats,
    confidence: float,
    bounds: Bounds,
    looks: Looks,
) -> Estimates:
    """Means that may be looked at at any time."""
    low, high = bounds
    # The plays of no units divide by 0.
    by, comparisons = np.where(np.isfinite(scale) & (scale > 0), scale, 1.0), looks.comparisons
    if low is None or high is None:
        return asymptotic(total, squares, n, by, confidence, looks.best_at, comparisons=comparisons)
    variance = looks.variance if low == 0 else None
    return bounded(
        total, squares, n, by, confidence, (low, high), looks.best_at, variance=variance, comparisons=comparisons
    )
