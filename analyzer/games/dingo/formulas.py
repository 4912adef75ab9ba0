"""Building blocks of Dingo's tables: sums of counters, and columns made of them.

Every formula works over trailing axes, since the leading one holds the total and its leave-one-group-out
variants (`games/spec.py`). `Of` functions named after what they count return arrays (leading, *rows).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from analyzer.games.dingo.axes import FATES, OUTCOMES, TWELFTHS
from analyzer.games.spec import Array, ColumnSpec, Counters, Of, Ratio, Setting

N_HUNTED = 12

ESCAPED = (OUTCOMES.index("no_dingo"), OUTCOMES.index("overlooked"), OUTCOMES.index("no_wolf"))
"""Outcomes of a hunt in which nobody scores."""
PLAYED = (OUTCOMES.index("no_wolf"), OUTCOMES.index("one_wolf"), OUTCOMES.index("two_wolves"))
"""Outcomes of a hunt with a dingo on the table."""


def counter(name: str, *sum_over: int) -> Of:
    """A counter, summed over some of its axes (given from the end: -1 is the last)."""
    if sum_over:
        return lambda c, s: c[name].sum(sum_over)
    return lambda c, s: c[name]


def deals(rows: int = 0) -> Of:
    """Deals played, all plays of a unit counted, with `rows` trailing dimensions of length 1."""
    return lambda c, s: _wide(c["units"] * s.table.plays, rows)


def hunts(rows: int = 0) -> Of:
    """Hunts of a rabbit 2 to K."""
    return lambda c, s: _wide(c["units"] * (s.table.plays * N_HUNTED), rows)


def outcome(*which: int) -> Of:
    """Hunts by rank that ended in one of the outcomes."""
    return lambda c, s: c["outcome"][..., list(which)].sum(-1)


def over_ranks(of: Of) -> Of:
    """A count by rank (its last axis), summed."""
    return lambda c, s: of(c, s).sum(-1)


def held_rabbit(*sum_over: int) -> Of:
    """Deals in which somebody held the ace rabbit when the ace hunt opened, by wolves held and place unless
    summed over."""
    absent = FATES.index("absent")
    return lambda c, s: _summed(c["ace"][..., :absent].sum(-1), sum_over)


def rabbit_fate(fate: str, *sum_over: int) -> Of:
    """Deals in which the ace rabbit ended so, by wolves held and place unless summed over."""
    index = FATES.index(fate)
    return lambda c, s: _summed(c["ace"][..., index], sum_over)


def points_mean(c: Counters, s: Setting) -> Array:
    """Mean points of a hand, over all policies and seats; (leading,)."""
    mean: Array = c["points"].sum((-1, -2)) / c["plays"].sum((-1, -2))
    return mean


def points_variance(c: Counters, s: Setting) -> Array:
    """Variance of the points of a hand over all deals, policies and seats; (leading,)."""
    squares: Array = c["play_points_sq"].sum((-1, -2)) / c["plays"].sum((-1, -2))
    return squares - points_mean(c, s) ** 2


def win_mean(c: Counters, s: Setting) -> Array:
    """Mean win share of a hand: a quarter, unless everybody was disqualified at times; (leading,)."""
    mean: Array = c["win"].sum((-1, -2)) / (TWELFTHS * c["plays"].sum((-1, -2)))
    return mean


def policy_variance_share(c: Counters, s: Setting) -> Array:
    """Share of the variance of points that lies between the policies; (leading,).

    The variance between policies with weights w is the sum over pairs of w_a w_b (difference of means)². A
    squared estimated difference is too large by the estimate's own variance on average, so that is taken off;
    what is left may not fall below 0. The differences are those of the deals both policies play.
    """
    weight = c["policy_plays"] / c["policy_plays"].sum(-1)[..., None]
    first, second = np.triu_indices(weight.shape[-1], 1)
    total, units, scale = c["pair_points"], c["pair_units"], c["pair_scale"]
    own_error = (units * c["pair_points_sq"] - total**2) / (units - 1) / scale**2
    between = (weight[..., first] * weight[..., second] * ((total / scale) ** 2 - own_error)).sum(-1)
    return np.asarray(np.maximum(0.0, between / points_variance(c, s)))


def quantiles(histogram: Array, cells: Sequence[str], share: float) -> Array:
    """The score below which `share` of the histogram (last axis) lies; (leading, *rows).

    The scores of a cell are taken as spread evenly over its width, as is usual for grouped data: a smooth
    function of the counts, so that the jackknife holds for it, which it would not for the whole-numbered
    quantile.
    """
    places = np.array([float(cell) for cell in cells])
    width = places[1] - places[0] if places.size > 1 else 1.0
    up_to = histogram.cumsum(-1)
    due = share * up_to[..., -1:]
    cell = np.minimum((up_to < due).sum(-1), places.size - 1)
    inside = np.take_along_axis(histogram, cell[..., None], -1)[..., 0]
    below = np.take_along_axis(up_to, cell[..., None], -1)[..., 0] - inside
    return np.asarray(places[cell] + width * ((due[..., 0] - below) / inside - 0.5))


def share(name: str, label: str, top: Of, of: Of, text: str = "") -> ColumnSpec:
    """A column `top / of` between 0 and 1, observed `of` times."""
    return ColumnSpec(name, label, "share", Ratio(_quotient(top, of), of), 0.0, 1.0, text)


def points_each(name: str, label: str, top: Of, of: Of) -> ColumnSpec:
    """A column `top / of` in points, observed `of` times."""
    return ColumnSpec(name, label, "points", Ratio(_quotient(top, of), of))


def balanced(setting: Setting) -> bool:
    """Whether every policy sits equally often in every seat, in each unit: only then is what a seat wins due
    to the seat, and what a policy wins due to the policy."""
    seats = range(len(setting.seats))
    return all(
        len({sum(play[seat] == policy for play in combination) for seat in seats}) == 1
        for combination in setting.table.arrangements
        for policy in range(len(setting.policies))
    )


def needs_policies(setting: Setting) -> str | None:
    """Why policies cannot be compared, or None."""
    if len(setting.policies) < 2:
        return "one policy sits in all four seats, so there is nothing to compare"
    return None


def needs_balance(setting: Setting) -> str | None:
    """Why what is due to policies cannot be told from what is due to seats, or None."""
    if reason := needs_policies(setting):
        return reason
    if not balanced(setting):
        return 'some policy sits more often in one seat than in another (seating = "rotate" or "all" mends that)'
    return None


def seated(labels: tuple[str, ...], setting: Setting) -> bool:
    """Whether the table ever seats a policy there; `labels` are a policy and a seat."""
    policy, seat = setting.policies.index(labels[0]), setting.seats.index(labels[1])
    return any(play[seat] == policy for combination in setting.table.arrangements for play in combination)


def _quotient(top: Of, of: Of) -> Callable[[Counters, Setting], Array]:
    return lambda c, s: top(c, s) / of(c, s)


def _wide(values: Array, rows: int) -> Array:
    return values.reshape(*values.shape, *(1,) * rows)


def _summed(values: Array, sum_over: tuple[int, ...]) -> Array:
    return values.sum(sum_over) if sum_over else values
