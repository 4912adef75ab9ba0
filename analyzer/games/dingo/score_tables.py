"""Tables of scores, ties and disqualifications, of luck, and of the win share as it settles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analyzer.games.dingo.axes import TWELFTHS
from analyzer.games.dingo.formulas import (
    ESCAPED,
    N_HUNTED,
    counter,
    deals,
    hunts,
    needs_balance,
    needs_policies,
    outcome,
    over_ranks,
    points_variance,
    policy_variance_share,
    quantiles,
    seated,
    share,
)
from analyzer.games.spec import (
    Array,
    ColumnSpec,
    Counters,
    Of,
    PictureSpec,
    Plain,
    Ratio,
    Setting,
    Spread,
    TableSpec,
    Unit,
)

SCORES, LUCK = "Scores", "Luck"
FAIR = 0.25

_HANDS = counter("plays", -1, -2)


def _hands_by_policy(rows: int) -> Of:
    """Hands each policy played, with `rows` trailing dimensions of length 1."""
    return lambda c, s: c["plays"].sum(-1)[(..., *(None,) * rows)]


_LEVELS = (
    (0.05, "q05", "5%"),
    (0.25, "q25", "25%"),
    (0.5, "q50", "Median"),
    (0.75, "q75", "75%"),
    (0.95, "q95", "95%"),
)


def _quantile_columns(sum_over: int) -> tuple[ColumnSpec, ...]:
    """Quantiles of the scores; `sum_over` is the axis of (policy, seat, point) that is summed over."""

    def at(level: float) -> Of:
        return lambda c, s: quantiles(c["score"].sum(sum_over), s.axes["point"], level)

    hands = counter("plays", sum_over + 1)
    return tuple(ColumnSpec(name, label, "points", Ratio(at(level), hands)) for level, name, label in _LEVELS)


def _tie_exists(labels: tuple[str, ...], setting: Setting) -> bool:
    tied, broken = labels
    by_rabbit = broken.startswith("highest")
    return (tied == "1") == (broken == "alone") and (not by_rabbit or broken == setting.rules["tie_break"])


def _needs_lapse(setting: Setting) -> str | None:
    if any(policy.lapse for policy in setting.table.policies):
        return None
    return "no policy ever overlooks a card (lapse = 0), so nobody can be caught with one"


_QUANTILE_TEXT = (
    "Such a share of the hands scores less. Within a score the hands are taken as spread evenly from half a "
    "point below it to half a point above, so a median need not be a whole number."
)

SCORE_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "score_distribution",
        "Scores",
        "How often a hand scores so many points; disqualified hands keep their points here.",
        ("point",),
        (share("share", "Share of hands", counter("score", -2, -3), lambda c, s: _HANDS(c, s)[..., None]),),
        pictures=(PictureSpec("histogram", "score_distribution", "Scores", ("share",), "Points of a hand"),),
        section=SCORES,
        folded=True,
    ),
    TableSpec(
        "score_distribution_by_policy",
        "Scores by policy",
        "How often a hand of this policy scores so many points.",
        ("policy", "point"),
        (share("share", "Share of hands", counter("score", -2), _hands_by_policy(1)),),
        pictures=(
            PictureSpec(
                "histogram",
                "score_distribution_by_policy",
                "Scores by policy",
                ("share",),
                "Points of a hand",
            ),
        ),
        section=SCORES,
        absent=needs_policies,
        folded=True,
    ),
    TableSpec(
        "score_quantiles",
        "Score quantiles by seat",
        _QUANTILE_TEXT,
        ("seat",),
        _quantile_columns(-3),
        section=SCORES,
    ),
    TableSpec(
        "score_quantiles_by_policy",
        "Score quantiles by policy",
        _QUANTILE_TEXT,
        ("policy",),
        _quantile_columns(-2),
        section=SCORES,
    ),
    TableSpec(
        "ties",
        "Ties for the top score",
        "How many share the top score, and what decided between them.",
        ("tied", "broken"),
        (share("share", "Share of deals", counter("top"), deals(2)),),
        section=SCORES,
        keep=_tie_exists,
    ),
    TableSpec(
        "disqualifications",
        "Disqualifications",
        "How often a hand is caught with a red card and disqualified.",
        ("policy", "seat"),
        (share("share", "Share of hands", counter("disqualified"), counter("plays")),),
        section=SCORES,
        keep=seated,
        absent=_needs_lapse,
    ),
)


def _seat_win(c: Counters, s: Setting) -> Array:
    return np.asarray(c["win"].sum(-2) / (TWELFTHS * c["plays"].sum(-2)))


def _seat_points(c: Counters, s: Setting) -> Array:
    return np.asarray(c["points"].sum(-2) / c["plays"].sum(-2))


def _mean_lead_changes(c: Counters, s: Setting) -> Array:
    changes = c["lead_changes"]
    return np.asarray((changes * np.arange(changes.shape[-1])).sum(-1) / changes.sum(-1))


def _points_sd(c: Counters, s: Setting) -> Array:
    # Rounding may leave a variance of 0 a little below it.
    return np.sqrt(np.maximum(0.0, points_variance(c, s)))


def _tied(c: Counters, s: Setting) -> Array:
    return np.asarray(c["top"][..., 1:, :].sum((-1, -2)))


def _shared(c: Counters, s: Setting) -> Array:
    return np.asarray(c["top"][..., -1].sum(-1))


def _running(sum_over: int) -> Plain:
    """Win share of the first m units for each mark m, by seat (summed over policies: -2) or by policy (-1).

    A mark that the run did not reach has no plays.
    """

    def plays(c: Counters, s: Setting) -> Array:
        so_far = c["running_plays"].cumsum(-3)
        due = np.array([float(mark) for mark in s.axes["mark"]]) * (s.table.plays * len(s.seats))
        reached = so_far.sum((-1, -2)) == due
        return np.where(reached[..., None], so_far.sum(sum_over), 0.0)

    def value(c: Counters, s: Setting) -> Array:
        return np.asarray(c["running_win"].cumsum(-3).sum(sum_over) / (TWELFTHS * plays(c, s)))

    return Plain(value, plays)


def _running_table(name: str, axis: str, sum_over: int, absent: Callable[[Setting], str | None]) -> TableSpec:
    title = f"Running win share by {axis}"
    return TableSpec(
        name,
        title,
        "The win share after so many deals. There is no band: an interval that is looked at again and again "
        "does not hold.",
        ("mark", axis),
        (ColumnSpec("win_share", "Win share so far", "share", _running(sum_over), 0.0, 1.0),),
        pictures=(PictureSpec("lines", name, title, ("win_share",), "Deals", reference=FAIR),),
        section=LUCK,
        absent=absent,
        folded=True,
        drop_empty=True,
    )


def _shown_by_policy(setting: Setting) -> str | None:
    return "shown by policy instead (running_by_policy)" if len(setting.policies) > 1 else None


def _spread(name: str, label: str, unit: Unit, by_seat: Of, high: float | None) -> ColumnSpec:
    text = "`under_equal` is what equal seats would show by chance."
    return ColumnSpec(name, label, unit, Spread(by_seat, counter("units")), 0.0, high, text)


LUCK_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "luck",
        "Luck and drama",
        "How much seats matter, how far a hand's points swing, and how much happens on the way. The best "
        "seat is ahead of the worst by chance even when seats are equal, so that interval starts at 0 "
        "unless some seats differ.",
        (),
        (
            _spread("seat_spread", "Win share, best seat minus worst", "share", _seat_win, 1.0),
            _spread("seat_spread_points", "Points, best seat minus worst", "points", _seat_points, None),
            ColumnSpec(
                "points_sd",
                "Spread of a hand's points (standard deviation)",
                "points",
                Ratio(_points_sd, _HANDS),
                0.0,
            ),
            share("nothing_scored", "Hunts in which nobody scored", over_ranks(outcome(*ESCAPED)), hunts()),
            ColumnSpec(
                "lead_changes",
                "Lead changes a deal",
                "count",
                Ratio(_mean_lead_changes, deals()),
                0.0,
                float(N_HUNTED),
            ),
            share("tied", "Deals with a tied top score", _tied, deals()),
            share("shared", "Deals whose win is shared", _shared, deals()),
            share("no_winner", "Deals without a winner (all disqualified)", counter("no_winner"), deals()),
        ),
        section=LUCK,
    ),
    TableSpec(
        "skill",
        "Luck and skill",
        "Which share of the variance of a hand's points lies between the policies; the cards and the "
        "others' play make the rest.",
        (),
        (
            ColumnSpec(
                "policy_share",
                "Share of the variance of points between policies",
                "share",
                Ratio(policy_variance_share, _HANDS),
                0.0,
                1.0,
            ),
        ),
        section=LUCK,
        absent=needs_balance,
    ),
    TableSpec(
        "lead_changes",
        "Lead changes",
        "How often in a deal another seat becomes the sole leader after a hunt.",
        ("changes",),
        (share("share", "Share of deals", counter("lead_changes"), deals(1)),),
        pictures=(PictureSpec("histogram", "lead_changes", "Lead changes in a deal", ("share",), "Lead changes"),),
        section=LUCK,
    ),
    _running_table("running", "seat", -2, _shown_by_policy),
    _running_table("running_by_policy", "policy", -1, needs_policies),
)
