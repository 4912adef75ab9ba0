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

Whole = NDArray[np.int64]

PARTS = ("deal", "seat", "policy", "rest")
REST = ("interplay", "chance")
"""What rest consists of, known with repeats only."""


@dataclass(frozen=True)
class LuckSums:
    """What must be counted: whole numbers, by group of units and line-up (a way to seat the plays of a unit).

    Y is a unit's points in a play and seat, A their sum over its plays, Z and B the same in the repeat.
    """

    units: Whole
    """(groups, lineups)"""
    total: Whole
    """(groups, lineups, plays, seats): sum of Y."""
    squares: Whole
    """The same shape: sum of Y²."""
    row_squares: Whole
    """(groups, lineups, seats): sum of A²."""
    repeat_total: Whole | None = None
    """(groups, lineups, plays, seats): sum of Z."""
    repeat_squares: Whole | None = None
    """The same shape: sum of Z²."""
    cross: Whole | None = None
    """The same shape: sum of Y Z."""
    row_cross: Whole | None = None
    """(groups, lineups, seats): sum of A B."""

    def __add__(self, other: LuckSums) -> LuckSums:
        """Sums over the units of both."""

        def both(mine: Whole | None, others: Whole | None) -> Whole | None:
            return None if mine is None or others is None else mine + others

        return LuckSums(
            self.units + other.units,
            self.total + other.total,
            self.squares + other.squares,
            self.row_squares + other.row_squares,
            both(self.repeat_total, other.repeat_total),
            both(self.repeat_squares, other.repeat_squares),
            both(self.cross, other.cross),
            both(self.row_cross, other.row_cross),
        )


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


def collect(
    points: ArrayLike,
    group: ArrayLike,
    groups: int,
    *,
    repeat: ArrayLike | None = None,
    lineup: ArrayLike = 0,
    lineups: int = 1,
) -> LuckSums:
    """Sums of a block of units from their whole points (units, plays, seats), and of their `repeat`, same shape.

    `group` (units): group of each unit, below `groups`; `lineup` (units, or one number): its line-up, below `lineups`.
    Sums are int64: below 2^63.
    """
    y = np.asarray(points, np.int64)
    where = (np.asarray(group, np.int64), np.broadcast_to(np.asarray(lineup, np.int64), y.shape[:1]))

    def summed(values: Whole) -> Whole:
        out = np.zeros((groups, lineups, *values.shape[1:]), np.int64)
        np.add.at(out, where, values)
        return out

    once = (summed(np.ones(len(y), np.int64)), summed(y), summed(y * y), summed(y.sum(1) ** 2))
    if repeat is None:
        return LuckSums(*once)
    z = np.asarray(repeat, np.int64)
    return LuckSums(*once, summed(z), summed(z * z), summed(y * z), summed(y.sum(1) * z.sum(1)))


def decompose(sums: LuckSums, seating: ArrayLike, scale: float, confidence: float) -> Luck:
    """The split of the variance of points / `scale`.

    `seating` (lineups, plays, seats): number of the policy in each seat. All plays of a deal weigh the same, line-ups
    as often as they were played. Intervals by the jackknife over groups of units; they may reach below 0. Raises
    ValueError when there is one play a unit, or when policies are so bound to seats that the two cannot be told apart.
    """
    policies = np.asarray(seating, np.int64)
    if policies.shape[1] < 2:
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
    group_units = sums.units.sum(1)
    units = left_out(group_units).astype(np.float64)
    total = values[:, :1].sum(1)
    names = PARTS if sums.cross is None else PARTS + REST
    parts = values[:, 1 : 1 + len(names)]
    n = np.repeat(units[:, None], len(names), 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = parts / total[:, None]
    return Luck(
        names,
        jackknife(parts, group_units, n, confidence, mended=True),
        jackknife(shares, group_units, n, confidence, mended=True),
        jackknife(total, group_units, units, confidence, mended=True),
    )


def _parts(sums: dict[str, Floats], seating: Whole) -> Floats:
    """Total, deal, seat, policy, rest, interplay, chance; the last two NaN without repeats."""
    plays = seating.shape[1]
    n = sums["units"][:, None, None]
    weight = (n / n.sum())[:, 0, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        y, yy = sums["total"] / n, sums["squares"] / n
        rows = sums["row_squares"] / n[:, 0]
        z, products, mean, square = y, yy, y, yy
        if "cross" in sums:
            z, products, rows = sums["repeat_total"] / n, sums["cross"] / n, sums["row_cross"] / n[:, 0]
            mean, square = (y + z) / 2, (yy + sums["repeat_squares"] / n) / 2
        unbiased = (n / (n - 1))[:, 0, 0]
        # Covariances within a seat over the units, of one play with itself and with the others.
        same = unbiased * (products - y * z).mean((1, 2))
        all_pairs = (rows - y.sum(1) * z.sum(1)).mean(1) * unbiased
        others = (all_pairs - plays * same) / (plays * (plays - 1))
        within = unbiased * (square - (y * y + z * z) / 2).mean((1, 2))
    seat, policy, between = _main_effects(mean, weight, seating)
    deal, systematic, inside = (float(part[weight > 0] @ weight[weight > 0]) for part in (others, same, within))
    total = inside + between
    rest = total - deal - seat - policy
    chance = inside - systematic if "cross" in sums else np.nan
    return np.array([total, deal, seat, policy, rest, rest - chance, chance])


def _main_effects(mean: Floats, weight: Floats, seating: Whole) -> tuple[float, float, float]:
    """Variances over the cells (lineups, plays, seats): of the seats' effects, of the policies', and of the means."""
    known = weight > 0
    cells, seats = mean[known], seating.shape[2]
    share = np.repeat(weight[known] / (seating.shape[1] * seats), seating.shape[1] * seats)
    names, policy = np.unique(seating[known], return_inverse=True)
    seat = np.broadcast_to(np.arange(seats), cells.shape).reshape(-1)
    by_seat, by_policy = np.eye(seats)[seat], np.eye(len(names))[policy.reshape(-1)]
    design = np.concatenate([by_seat, by_policy], axis=1)
    moments = design.T @ (share[:, None] * design)
    if np.linalg.matrix_rank(moments) < seats + len(names) - 1:
        raise ValueError("policies are so bound to seats that seat and policy cannot be told apart; rotate the seating")
    flat = cells.reshape(-1)
    effects = np.linalg.pinv(moments) @ (design.T @ (share * flat))

    def spread(values: Floats) -> float:
        return float(share @ (values - share @ values) ** 2)

    return spread(by_seat @ effects[:seats]), spread(by_policy @ effects[seats:]), spread(flat)
