"""Luck and skill: the variance of a seat's points in one play, split by where it comes from.

Drawn at random are a unit (its cards), one of its plays (its seating) and a seat. The variance of the points Y found
there is split into

- **deal**: what the cards of a seat are worth whoever plays them: the covariance of the points in one seat on one deal
  between two different plays of it;
- **seat** and **policy**: variance of the main effects of both, fitted to the cells' means by least squares. Near 0
  their intervals are widened to those of a noncentral chi-square (`_limits_of_square`);
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
from scipy.special import chdtr, chndtrinc, ndtri

from analyzer.stats.intervals import Estimates, Floats, t_quantile
from analyzer.stats.jackknife import LEAST_GROUPS, jackknife, left_out, pseudo_values
from analyzer.stats.luck_sums import LuckSums

PARTS = ("deal", "seat", "policy", "rest")
REST = ("interplay", "chance")
"""What rest consists of, known with repeats only."""

ROUNDING = 1e-12
"""A part below this share of the total is the rounding of sums."""

FAR = 1_000.0
"""A sum of squares so many times its error is as good as normal."""


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
    split = [_parts({name: part[j] for name, part in counted.items()}, policies) for j in range(1 + len(sums.units))]
    values, seat, policy = (np.stack(column) for column in zip(*split, strict=True))
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
        variance = jackknife(parts, group_units, n, confidence, mended=True)
        share = jackknife(shares, group_units, n, confidence, mended=True)
        for name, effects in (("seat", seat), ("policy", policy)):
            low, high = _limits_of_square(effects / scale, group_units, units, confidence)
            for estimates, unit in ((variance, 1.0), (share, total[0])):
                at = names.index(name)
                estimates.low[at] = np.fmin(estimates.low[at], low / unit)
                estimates.high[at] = np.fmax(estimates.high[at], high / unit)
    return Luck(names, variance, share, jackknife(total, group_units, units, confidence, mended=True))


def _limits_of_square(
    effects: Floats, group_units: NDArray[np.int64], units: Floats, confidence: float
) -> tuple[float, float]:
    """Limits of the sum of squares of `effects` (1 + groups, k) where it is not far above its own error; else NaN.

    Such a sum is uneven near 0, and small just where its jackknife error is: that interval alone would end too low.
    Errors of the effects are taken as normal, so that the sum is a noncentral chi-square, scaled and with degrees of
    freedom after F. E. Satterthwaite (Biometrics Bulletin 2, 1946), whose noncentrality has exact limits.
    """
    pseudo = pseudo_values(effects, group_units, np.repeat(units[:, None], effects.shape[1], 1))
    groups = int(pseudo.groups.min())
    covariance = pseudo.deviations.T @ pseudo.deviations
    trace, squares = np.trace(covariance), (covariance**2).sum()
    if groups < LEAST_GROUPS or not squares > 0:
        return np.nan, np.nan
    # As Student's quantile is to the normal one, for errors known from so many groups.
    tail = (1 - confidence) / 2
    scale = squares / trace * float(t_quantile(groups - 1, confidence) / ndtri(tail)) ** 2
    freedom, found = trace**2 / squares, (effects[0] ** 2).sum() / scale
    if found > FAR:
        return np.nan, np.nan
    below = chdtr(freedom, found)
    low, high = (chndtrinc(found, freedom, chance) if below > chance else 0.0 for chance in (1 - tail, tail))
    # More digits than these the solver does not promise, and machines might differ in them.
    return scale * float(f"{low:.6g}"), scale * float(f"{high:.6g}")


def _parts(sums: dict[str, Floats], seating: NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
    """Total, deal, seat, policy, rest, interplay, chance, the last two NaN without repeats; then effects of seats, and
    of policies, whose squares add up to the variance of each."""
    plays, seats = seating.shape[1:]
    n = sums["units"]
    if not n.any():
        return np.full(1 + len(PARTS + REST), np.nan), np.full(seats, np.nan), np.full(int(seating.max()) + 1, np.nan)
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
    seat_effects, policy_effects, between = _main_effects(mean, weight, seating)
    seat, policy = (seat_effects**2).sum(), (policy_effects**2).sum()
    deal, systematic, chance = (float(part[weight > 0] @ weight[weight > 0]) for part in (others, same, apart))
    total = systematic + chance + between
    rest = total - deal - seat - policy
    interplay, chance = (rest - chance, chance) if "cross" in sums else (np.nan, np.nan)
    return np.array([total, deal, seat, policy, rest, interplay, chance]), seat_effects, policy_effects


def _main_effects(mean: Floats, weight: Floats, seating: NDArray[np.int64]) -> tuple[Floats, Floats, float]:
    """Effects of the seats and of the policies on the means of the cells (lineups, plays, seats), less their average
    and times the root of their weight, and the variance of the means; effects are 0 where nothing was played."""
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

    def weighted(held: Floats, values: Floats) -> Floats:
        part = share @ held
        return np.asarray(np.sqrt(part) * (values - part @ values))

    policies = np.zeros(int(seating.max()) + 1)
    policies[names] = weighted(by_policy, np.append(0.0, effects[seats:]))
    return weighted(by_seat, effects[:seats]), policies, float(share @ (flat - share @ flat) ** 2)
