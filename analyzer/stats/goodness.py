"""Tests of counts against what must hold: exact odds and even spread, as p-values.

Sources: [1] C. J. Clopper, E. S. Pearson, Biometrika 26 (1934): exact binomial tails, the smaller one
doubled. [2] K. Pearson, Philosophical Magazine 50 (1900): the chi-square statistic.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, chdtrc

from analyzer.stats.intervals import Floats

LEAST_EXPECTED = 5.0
"""Below this expected count in a cell the chi-square law is not trusted."""


def binomial_p(observed: ArrayLike, n: ArrayLike, chance: ArrayLike) -> Floats:
    """Two-sided exact binomial p-value of each count `observed` out of `n` against the probability `chance`
    [1].

    1 where `n` is 0; 0 where the count is impossible (above `n`, or any at a chance of 0).
    """
    yes, count, p = np.broadcast_arrays(*(np.asarray(part, np.float64) for part in (observed, n, chance)))
    possible = (yes >= 0) & (yes <= count) & (p >= 0) & (p <= 1)
    k = np.where(possible, yes, 0.0)
    m = np.where(possible, count, 0.0)
    q = np.where(possible, p, 0.5)
    # P(X <= k) and P(X >= k) as incomplete beta functions; the outermost are 1, where a parameter would be 0.
    at_most = np.where(k < m, betainc(np.maximum(m - k, 0.5), k + 1, 1 - q), 1.0)
    at_least = np.where(k > 0, betainc(np.maximum(k, 0.5), m - k + 1, q), 1.0)
    doubled = np.minimum(1.0, 2 * np.minimum(at_most, at_least))
    return np.where(possible, doubled, 0.0)


def chi_square_p(observed: ArrayLike, expected: ArrayLike, dof: int, scale: float = 1.0) -> float | None:
    """P-value of counts against expected counts: scale × Σ(O−E)²/E on `dof` degrees of freedom [2].

    `scale` mends the statistic where counts are bound to each other (hands of fixed size). None when an
    expected count lies below 5, too few to tell; 0 when something was counted where nothing can be.
    """
    seen, due = np.broadcast_arrays(np.asarray(observed, np.float64), np.asarray(expected, np.float64))
    impossible = due == 0
    if np.any(seen[impossible] != 0):
        return 0.0
    seen, due = seen[~impossible], due[~impossible]
    if due.size == 0 or due.min() < LEAST_EXPECTED:
        return None
    return float(chdtrc(dof, scale * float(((seen - due) ** 2 / due).sum())))
