"""Verdicts on a family of differences: better, worse, practically equal, or undecided and how much is missing.

Two kinds of error are possible: to call something better or worse that is not, and to call practically equal what
differs by the smallest effect that matters, or more. Each kind is kept, over the whole family, to half of alpha by
Holm's method [1], so that with the chance `confidence` every verdict of the family is right. "Practically equal" is
the test of D. J. Schuirmann [2]: the difference is shown to lie above −effect and below +effect. One Holm chain over
both kinds of claim would not do: a row that was rightly called better could not be taken off the family, since "equal"
might still be false of it.

Sources: [1] S. Holm, Scandinavian J. Statistics 6 (1979); that the sign may be read off: J. P. Shaffer, Control of
directional errors with stagewise multiple test procedures, Annals of Statistics 8 (1980). [2] D. J. Schuirmann, A
comparison of the two one-sided tests procedure and the power approach, J. Pharmacokinetics and Biopharmaceutics 15
(1987). [3] J. M. Lachin, Introduction to sample size determination and power analysis for clinical trials, Controlled
Clinical Trials 2 (1981).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from analyzer.stats.families import holm
from analyzer.stats.intervals import UNBOUNDED, Bounds, Estimates, Floats, chance_beyond, significant

BETTER, WORSE, EQUAL, UNDECIDED = "better", "worse", "practically equal", "undecided"

_POWER = 0.8
"""Chance to be decided with the units that are said to be missing, if the difference is as estimated."""


@dataclass(frozen=True)
class Verdicts:
    """One verdict a row of the family."""

    verdict: NDArray[np.str_]
    p_different: Floats
    """Adjusted: at alpha or below is called better or worse."""
    p_equal: Floats
    """Adjusted: at alpha or below is called practically equal."""
    more: Floats
    """Further units after which an undecided row is decided with a chance of about 80%, if its true difference is the
    estimate; NaN where decided, and where nothing is known."""

    def item(self, index: int) -> dict[str, Any]:
        """One verdict as it stands in `results.json`."""
        shown: dict[str, Any] = {
            "verdict": str(self.verdict[index]),
            "p_different": significant(self.p_different[index]),
            "p_equal": significant(self.p_equal[index]),
        }
        if np.isfinite(self.more[index]):
            shown["more"] = int(self.more[index])
        return shown


def verdicts(
    found: Estimates,
    effect: float,
    confidence: float,
    *,
    bounds: Bounds = UNBOUNDED,
    df: ArrayLike | None = None,
    beyond: float = 0.0,
) -> Verdicts:
    """Verdicts on the differences `found` (1-D: the family), `effect` being the smallest that matters.

    Better means above `beyond`, worse below −`beyond` (0, or the effect itself where only what surely matters is to be
    told). What is both different and practically equal is called practically equal. `bounds` of a unit's difference
    and degrees of freedom `df` (default: units − 1) are those of its interval. Rows that are `exact` are practically
    equal; they and rows of which nothing is known do not count among the comparisons.
    """
    size, error, units = np.abs(found.estimate), found.se, found.n.astype(np.float64)
    degrees = np.broadcast_to(np.asarray(units - 1 if df is None else df, np.float64), size.shape)
    alpha = 1 - confidence
    exact = np.zeros(size.shape, np.bool_) if found.exact is None else found.exact
    tested = np.isfinite(error) & ~exact

    def adjusted(gap: Floats, sides: int) -> Floats:
        p = chance_beyond(np.maximum(gap, 0.0), error, degrees, units, bounds) * sides / 2
        whole = np.where(tested, np.where(gap > 0, p, 1.0), np.nan)
        whole[tested] = np.minimum(1.0, 2 * holm(whole[tested]))
        return whole

    different, equal = adjusted(size - beyond, 2), adjusted(effect - size, 1)
    is_equal, differs = exact | (equal <= alpha), different <= alpha
    verdict = np.select([is_equal, differs & (found.estimate > 0), differs], [EQUAL, BETTER, WORSE], default=UNDECIDED)
    open_row = tested & (verdict == UNDECIDED)
    more = np.fmin(
        _more(size - beyond, found, bounds, alpha / 4 / max(1, int((tested & ~differs).sum())), _POWER),
        _more(effect - size, found, bounds, alpha / 2 / max(1, int((tested & ~is_equal).sum())), (1 + _POWER) / 2),
    )
    return Verdicts(verdict, different, equal, np.where(open_row, more, np.nan))


def _more(gap: Floats, found: Estimates, bounds: Bounds, one_sided: float, power: float) -> Floats:
    """Further units to show that the truth is less than `gap` away on one side [3]; NaN where they cannot do it."""
    low, high = bounds
    wide = None if low is None or high is None else high - low
    units = found.n.astype(np.float64)
    possible = (gap > 0) & ((found.se > 0) | (wide is not None))
    with np.errstate(invalid="ignore", divide="ignore"):
        needed = units * ((ndtri(1 - one_sided) + ndtri(power)) * found.se / gap) ** 2
        if wide is not None:
            needed = np.maximum(needed, np.log(one_sided) / np.log1p(-np.minimum(gap / wide, 1 - 1e-12)))
    return np.where(possible, np.maximum(np.ceil(needed - units), 1.0), np.nan)
