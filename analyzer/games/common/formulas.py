"""Building blocks of any game's tables: sums of counters, and columns made of them.

Every formula works over trailing axes, since the leading one holds the total and its leave-one-group-out
variants (`games/spec.py`). `Of` functions named after what they count return arrays (leading, *rows). The
counters named here (`units`, `plays`, `win`, `points` ...) are those that every game keeps, by policy and seat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from analyzer.games.spec import Array, ColumnSpec, Counters, Of, Ratio, Setting

TWELFTHS = 12
"""A whole win in the unit of the `win` counters: a win shared by two, three or four is a whole number."""

MINUS = " − "
"""Between the two names of a pair of policies."""

OPEN = "+"
"""At the end of the last label of an axis of whole numbers: that many or more."""

_ALL_SEATS = {2: "both", 3: "all three", 4: "all four"}


def counter(name: str, *sum_over: int) -> Of:
    """A counter, summed over some of its axes (given from the end: -1 is the last)."""
    if sum_over:
        return lambda c, s: c[name].sum(sum_over)
    return lambda c, s: c[name]


def played(rows: int = 0) -> Of:
    """Deals or matches played, all plays of a unit counted, with `rows` trailing dimensions of length 1."""
    return lambda c, s: wide(c["units"] * s.table.plays, rows)


def wide(values: Array, rows: int) -> Array:
    """`values` with so many trailing dimensions of length 1."""
    return values.reshape(*values.shape, *(1,) * rows)


def quotient(top: Of, of: Of) -> Callable[[Counters, Setting], Array]:
    """One formula over another."""
    return lambda c, s: top(c, s) / of(c, s)


def share(name: str, label: str, top: Of, of: Of, text: str = "") -> ColumnSpec:
    """A column `top / of` between 0 and 1, observed `of` times."""
    return ColumnSpec(name, label, "share", Ratio(quotient(top, of), of), 0.0, 1.0, text)


def points_each(name: str, label: str, top: Of, of: Of, text: str = "") -> ColumnSpec:
    """A column `top / of` in points, observed `of` times."""
    return ColumnSpec(name, label, "points", Ratio(quotient(top, of), of), text=text)


def numbers_of(labels: Sequence[str]) -> Array:
    """The labels of a numeric axis as numbers; an open last one as its least."""
    return np.array([float(label.removesuffix(OPEN)) for label in labels])


def mean_label(name: str, axis: str) -> Of:
    """Mean of a counter along its only axis, whose labels are numbers; (leading,)."""
    return lambda c, s: (c[name] * numbers_of(s.axes[axis])).sum(-1) / c[name].sum(-1)


def points_mean(c: Counters, s: Setting) -> Array:
    """Mean points over all policies and seats; (leading,)."""
    mean: Array = c["points"].sum((-1, -2)) / c["plays"].sum((-1, -2))
    return mean


def points_variance(c: Counters, s: Setting) -> Array:
    """Variance of a seat's points over all plays, policies and seats; (leading,)."""
    squares: Array = c["play_points_sq"].sum((-1, -2)) / c["plays"].sum((-1, -2))
    return squares - points_mean(c, s) ** 2


def points_sd(c: Counters, s: Setting) -> Array:
    """Standard deviation of a seat's points; (leading,)."""
    # Rounding may leave a variance of 0 a little below it.
    return np.sqrt(np.maximum(0.0, points_variance(c, s)))


def edges_of(labels: Sequence[str]) -> Array:
    """Where the cells of a numeric axis begin and, last, end: halfway between the labels, which lie evenly; infinite
    after an open last one. (labels + 1,)."""
    places = numbers_of(labels)
    width = places[1] - places[0] if places.size > 1 else 1.0
    ends = places + width / 2
    if labels[-1].endswith(OPEN):
        ends[-1] = np.inf
    return np.concatenate([places[:1] - width / 2, ends])


def fair_share(setting: Setting) -> float:
    """The win share of equals."""
    return 1 / len(setting.seats)


def conditioned(setting: Setting) -> bool:
    """Whether some seat is dealt something for sure: its hands are then unlike those of the others."""
    return bool(setting.given)


def needs_free_deals(what: str) -> Callable[[Setting], str | None]:
    """Why what is due to being dealt `what` cannot be told, or None."""
    reason = (
        f"some seat is given {what}s, so who is dealt the others is not chance alone: a hand that was dealt one cannot "
        "be compared with the average hand"
    )
    return lambda setting: reason if conditioned(setting) else None


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
        return f"one policy sits in {_ALL_SEATS[len(setting.seats)]} seats, so there is nothing to compare"
    return None


def seated(labels: tuple[str, ...], setting: Setting) -> bool:
    """Whether the table ever seats a policy there; `labels` are a policy and a seat."""
    policy, seat = setting.policies.index(labels[0]), setting.seats.index(labels[1])
    return any(play[seat] == policy for combination in setting.table.arrangements for play in combination)
