"""Luck and skill: the variance of a seat's points in one play, split by where it comes from.

Drawn at random are a unit (its cards), one of its plays (its seating) and a seat. The variance of the points Y found
there is split into

- **deal**: what the cards of a seat are worth whoever plays them: the covariance of the points in one seat on one deal
  between two different plays of it;
- **seat** and **policy**: variance of the main effects of both, fitted to the cells' means by least squares;
- **rest**: what remains: policies that suit some cards or neighbours better, and chance. With a second set of plays of
  the same deals, in which only the chances of decisions differ ("repeats"), it is split into **chance**, the variance
  within one deal, play and seat, and **interplay**, all else. The covariance for *deal* is then taken between a play of
  the first set and one of the second, because plays of one set may share the chances of their decisions. Without
  repeats what they share counts as *deal*.

These are the variance components of the random model with deals as the random factor, by the method of moments: no
law of the points is assumed, and a component near 0 may come out slightly negative. If seats and policies are not
balanced, what both explain together counts as rest.

Sources: C. R. Henderson, Estimation of variance and covariance components, Biometrics 9 (1953), method 1; S. R. Searle,
G. Casella, C. E. McCulloch, Variance components (1992), chapters 4 and 5. The bias of order 1/n in the variance of
means is taken away by the jackknife (M. H. Quenouille, Biometrika 43, 1956), which also gives the intervals.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.stats.intervals import Estimates, Floats
from analyzer.stats.jackknife import jackknife, left_out
from analyzer.stats.luck_sums import LuckSums

PARTS = ("deal", "seat", "policy", "rest")
REST = ("interplay", "chance")
"""What rest consists of, known with repeats only."""

ROUNDING = 1e-12
"""A part below this share of the total is the rounding of sums."""


@dataclass(frozen=True)
class Luck:
    """The parts by `names`, which are `PARTS` and with repeats also `REST`; the former add up to the total."""

    names: tuple[str, ...]
    variance: Estimates
    """(names)"""
    share: Estimates
    """(names): of the total."""
    total: Estimates
    """Scalar: variance of a seat's points in one play."""


def decompose(sums: LuckSums, seating: ArrayLike, scale: float, confidence: float) -> Luck:
    """The split of the variance of points / `scale`.

    `seating` (lineups, plays, seats): number of the policy in each seat. All plays of a deal weigh the same, line-ups
    as often as they were played. Intervals by the jackknife over groups of units; they may reach below 0. One policy
    in all seats needs one play a unit, if there are repeats: any other play would be the same. Raises ValueError when
    there is one play a unit and several policies, or when policies are so bound to seats that the two cannot be told
    apart.
    """
    policies = np.asarray(seating, np.int64)
    if policies.shape[1] < 2 and (sums.cross is None or policies.min() < policies.max()):
        raise ValueError("luck and skill need several plays of each deal, with the policies in other seats")
    counted = {
        field.name: left_out(getattr(sums, field.name)).astype(np.float64)
        for field in fields(sums)
        if getattr(sums, field.name) is not None
    }
    values = np.stack(
        [_parts({name: part[j] for name, part in counted.items()}, policies) for j in range(1 + len(sums.units))]
    )
    values /= scale**2
    group_units = sums.units.sum(1).astype(np.int64)
    units = left_out(group_units).astype(np.float64)
    total = values[:, 0]
    names = PARTS if sums.cross is None else PARTS + REST
    parts = values[:, 1 : 1 + len(names)]
    parts[np.abs(parts) < ROUNDING * total[:, None]] = 0.0
    n = np.repeat(units[:, None], len(names), 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = parts / total[:, None]
    return Luck(
        names,
        jackknife(parts, group_units, n, confidence, mended=True),
        jackknife(shares, group_units, n, confidence, mended=True),
        jackknife(total, group_units, units, confidence, mended=True),
    )


def _parts(sums: dict[str, Floats], seating: NDArray[np.int64]) -> Floats:
    """Total, deal, seat, policy, rest, interplay, chance; the last two NaN without repeats."""
    plays, seats = seating.shape[1:]
    n = sums["units"]
    if not n.any():
        return np.full(1 + len(PARTS + REST), np.nan)
    weight = n / n.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        y = sums["total"] / n[:, None, None]
        z = sums["repeat_total"] / n[:, None, None] if "cross" in sums else y
        mean, unbiased = (y + z) / 2, n / (n - 1)
        # Means over the cells (plays, seats) of a line-up: squares, and products of a play with itself in the repeat.
        cells = n * plays * seats
        squares, products, rows = sums["squares"], sums["squares"], sums["row_squares"]
        if "cross" in sums:
            squares = (squares + sums["repeat_squares"]) / 2
            products, rows = sums["cross"], sums["row_cross"]
        squares, products, rows = squares / cells, products / cells, rows / (n * seats)
        same = unbiased * (products - (y * z).mean((1, 2)))
        if plays > 1:
            all_pairs = unbiased * (rows - (y.sum(1) * z.sum(1)).mean(1))
            others = (all_pairs - plays * same) / (plays * (plays - 1))
        else:
            others = same
        # Half the variance of Y - Z: exactly 0 where no repeat differs.
        apart = unbiased * (squares - products - ((y - z) ** 2).mean((1, 2)) / 2)
    seat, policy, between = _main_effects(mean, weight, seating)
    deal, systematic, chance = (float(part[weight > 0] @ weight[weight > 0]) for part in (others, same, apart))
    total = systematic + chance + between
    rest = total - deal - seat - policy
    if "cross" not in sums:
        return np.array([total, deal, seat, policy, rest, np.nan, np.nan])
    return np.array([total, deal, seat, policy, rest, rest - chance, chance])


def _main_effects(mean: Floats, weight: Floats, seating: NDArray[np.int64]) -> tuple[float, float, float]:
    """Variances over the cells (lineups, plays, seats): of the seats' effects, of the policies', and of the means."""
    known = weight > 0
    cells, seats = mean[known], seating.shape[2]
    share = np.repeat(weight[known] / (seating.shape[1] * seats), seating.shape[1] * seats)
    names, policy = np.unique(seating[known], return_inverse=True)
    seat = np.broadcast_to(np.arange(seats), cells.shape).reshape(-1)
    by_seat, by_policy = np.eye(seats)[seat], np.eye(len(names))[policy.reshape(-1)]
    # Effects of policies are those beyond the first one's, so that there is one solution.
    design = np.concatenate([by_seat, by_policy[:, 1:]], axis=1)
    moments = design.T @ (share[:, None] * design)
    if np.linalg.matrix_rank(moments, tol=ROUNDING, hermitian=True) < len(moments):
        raise ValueError("policies are so bound to seats that seat and policy cannot be told apart; rotate the seating")
    flat = cells.reshape(-1)
    effects = np.linalg.solve(moments, design.T @ (share * flat))

    def spread(values: Floats) -> float:
        return float(share @ (values - share @ values) ** 2)

    return spread(by_seat @ effects[:seats]), spread(by_policy[:, 1:] @ effects[seats:]), spread(flat)
