"""Tables of who wins, of scores and of luck; cards and hunts have their own files (`card_tables.py`, `hunt_tables.py`)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analyzer.games.dingo.axes import TWELFTHS
from analyzer.games.dingo.card_tables import CARD_TABLES
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
    share,
    sits,
)
from analyzer.games.dingo.hunt_tables import ACE_TABLES, HUNT_TABLES, LONE_TABLES
from analyzer.games.spec import (
    Array,
    ColumnSpec,
    Counters,
    Mean,
    Of,
    PictureSpec,
    Plain,
    Ratio,
    Setting,
    Spread,
    TableSpec,
)

WINS, SCORES, LUCK = "Who wins", "Scores", "Luck"
FAIR = 0.25


def _win_share(total: Of, squares: Of, units: Of, plays: Of, difference: bool = False) -> ColumnSpec:
    """Mean win share; `plays` counts those of the row in a unit."""
    twelfths: Of = lambda c, s: TWELFTHS * plays(c, s)  # noqa: E731
    label = "Win share, first minus second" if difference else "Win share"
    return ColumnSpec("win_share", label, "share", Mean(total, squares, units, twelfths), -1.0 if difference else 0.0, 1.0)


def _points(total: Of, squares: Of, units: Of, plays: Of, difference: bool = False) -> ColumnSpec:
    label = "Points, first minus second" if difference else "Points"
    return ColumnSpec("points", label, "points", Mean(total, squares, units, plays))


def _plays(c: Counters, s: Setting) -> Array:
    """Plays of a seat in a unit."""
    return np.asarray(float(s.table.plays))


def _quotient(top: str, bottom: str) -> Of:
    return lambda c, s: c[top] / c[bottom]


def _in_seat_range(labels: tuple[str, ...], setting: Setting) -> bool:
    return sits(labels[0], labels[1], setting)


_POLICY_PLAYS = _quotient("policy_plays", "policy_units")
_SEATED_PLAYS = _quotient("plays", "seated")
_PAIR_PLAYS = _quotient("pair_scale", "pair_units")
_ALL_PLAYS = counter("plays", -1, -2)

_WHO_WINS = (
    TableSpec(
        "by_seat", "Win share and points by seat",
        "South deals; West sits to South's left, then North, then East. A fair share is a quarter. A win shared by several counts for each "
        "in part.",
        ("seat",),
        (
            _win_share(counter("win", -2), counter("seat_win_sq"), counter("units"), _plays),
            _points(counter("points", -2), counter("seat_points_sq"), counter("units"), _plays),
            share("disqualified", "Disqualified", counter("disqualified", -2), counter("plays", -2)),
        ),
        pictures=(
            PictureSpec("intervals", "win_share_by_seat", "Win share by seat", ("win_share",), "Seat", reference=FAIR),
        ),
        section=WINS,
    ),
    TableSpec(
        "by_policy", "Win share and points by policy",
        "The mean over the seats the policy held; a fair share is a quarter. All plays of the same cards count as one observation.",
        ("policy",),
        (
            _win_share(counter("win", -1), counter("policy_win_sq"), counter("policy_units"), _POLICY_PLAYS),
            _points(counter("points", -1), counter("policy_points_sq"), counter("policy_units"), _POLICY_PLAYS),
            share("disqualified", "Disqualified", counter("disqualified", -1), counter("plays", -1)),
        ),
        pictures=(
            PictureSpec("intervals", "win_share_by_policy", "Win share by policy", ("win_share",), "Policy", reference=FAIR),
        ),
        section=WINS,
    ),
    TableSpec(
        "by_policy_seat", "Win share and points by policy and seat", "Only where the table ever seats the policy.",
        ("policy", "seat"),
        (
            _win_share(counter("win"), counter("win_sq"), counter("seated"), _SEATED_PLAYS),
            _points(counter("points"), counter("points_sq"), counter("seated"), _SEATED_PLAYS),
        ),
        pictures=(
            PictureSpec(
                "intervals", "win_share_by_policy_seat", "Win share by policy and seat", ("win_share",), "Policy", reference=FAIR
            ),
        ),
        section=WINS, keep=_in_seat_range, absent=needs_policies,
    ),
    TableSpec(
        "pairs", "Policies against each other",
        "What the first policy of a pair gets more than the second, on the deals that both play (paired: the same cards). Without rotation "
        "the difference is also one of seats.",
        ("pair",),
        (
            _win_share(counter("pair_win"), counter("pair_win_sq"), counter("pair_units"), _PAIR_PLAYS, True),
            _points(counter("pair_points"), counter("pair_points_sq"), counter("pair_units"), _PAIR_PLAYS, True),
        ),
        section=WINS, absent=needs_policies,
    ),
)


def _no_lapse(setting: Setting) -> str | None:
    if any(policy.lapse for policy in setting.table.policies):
        return None
    return "no policy ever overlooks a card (lapse = 0), so nobody can be caught with one"


def _running(rows: int) -> tuple[Of, Of]:
    """Win share after each mark and the plays behind it, by seat (`rows` = -2: summed over policies) or by policy (-1).

    A mark that the run did not reach whole has no plays.
    """

    def plays(c: Counters, s: Setting) -> Array:
        so_far = c["running_plays"].cumsum(-3)
        due = np.array([float(mark) for mark in s.axes["mark"]]) * (s.table.plays * len(s.seats))
        whole = so_far.sum((-1, -2)) == due
        return np.where(whole[..., None], so_far.sum(rows), 0.0)

    def value(c: Counters, s: Setting) -> Array:
        return c["running_win"].cumsum(-3).sum(rows) / (TWELFTHS * plays(c, s))

    return value, plays


def _running_table(name: str, axis: str, rows: int, absent: Callable[[Setting], str | None]) -> TableSpec:
    value, plays = _running(rows)
    return TableSpec(
        name, f"Running win share by {axis}",
        "The win share after so many deals. No band: an interval looked at again and again would not hold.",
        ("mark", axis),
        (ColumnSpec("win_share", "Win share so far", "share", Plain(value, plays), 0.0, 1.0),),
        pictures=(PictureSpec("lines", name, f"Running win share by {axis}", ("win_share",), "Deals", reference=FAIR),),
        section=LUCK, absent=absent, folded=True, drop_empty=True,
    )


def _several(setting: Setting) -> str | None:
    return "shown by policy instead (running_by_policy)" if len(setting.policies) > 1 else None


_CELL_SCORES = counter("score", -2, -3)
_QUANTILES = ((0.05, "q05", "5%"), (0.25, "q25", "25%"), (0.5, "q50", "Median"), (0.75, "q75", "75%"), (0.95, "q95", "95%"))


def _quantile_columns(sum_over: int) -> tuple[ColumnSpec, ...]:
    def at(level: float) -> Of:
        return lambda c, s: quantiles(c["score"].sum(sum_over), s.axes["point"], level)

    plays: Of = lambda c, s: c["plays"].sum(sum_over + 1)  # noqa: E731
    return tuple(ColumnSpec(name, label, "points", Ratio(at(level), plays)) for level, name, label in _QUANTILES)


_QUANTILE_TEXT = (
    "That share of the hands scores less. Within a score the hands are taken as spread evenly from half a point below it to half a point "
    "above, so a median need not be a whole number."
)
_SCORES = (
    TableSpec(
        "score_distribution", "Scores", "How often a hand scores so many points, a disqualified hand's points included.", ("point",),
        (share("share", "Share of hands", _CELL_SCORES, lambda c, s: _ALL_PLAYS(c, s)[..., None]),),
        pictures=(PictureSpec("histogram", "score_distribution", "Scores", ("share",), "Points of a hand"),),
        section=SCORES, folded=True,
    ),
    TableSpec(
        "score_distribution_by_policy", "Scores by policy", "How often a hand of this policy scores so many points.",
        ("policy", "point"),
        (share("share", "Share of hands", counter("score", -2), lambda c, s: c["plays"].sum(-1)[..., None]),),
        pictures=(PictureSpec("histogram", "score_distribution_by_policy", "Scores by policy", ("share",), "Points of a hand"),),
        section=SCORES, absent=needs_policies, folded=True,
    ),
    TableSpec("score_quantiles", "Score quantiles by seat", _QUANTILE_TEXT, ("seat",), _quantile_columns(-3), section=SCORES),
    TableSpec(
        "score_quantiles_by_policy", "Score quantiles by policy", _QUANTILE_TEXT, ("policy",), _quantile_columns(-2), section=SCORES,
        absent=needs_policies,
    ),
    TableSpec(
        "ties", "Ties for the top score", "How many share the top score, and what decided between them.", ("tied", "broken"),
        (share("share", "Share of deals", counter("top"), deals(2)),),
        section=SCORES,
        keep=lambda labels, setting: (labels[0] == "1") == (labels[1] == "alone")
        and (not labels[1].startswith("highest") or labels[1] == setting.rules["tie_break"]),
    ),
    TableSpec(
        "disqualifications", "Disqualifications", "How often a hand is caught with a red card and disqualified.", ("policy", "seat"),
        (share("share", "Share of hands", counter("disqualified"), counter("plays")),),
        section=SCORES, keep=_in_seat_range, absent=_no_lapse,
    ),
)


def _seat_win(c: Counters, s: Setting) -> Array:
    return c["win"].sum(-2) / (TWELFTHS * c["plays"].sum(-2))


def _seat_points(c: Counters, s: Setting) -> Array:
    return c["points"].sum(-2) / c["plays"].sum(-2)


def _mean_lead_changes(c: Counters, s: Setting) -> Array:
    changes = c["lead_changes"]
    return (changes * np.arange(changes.shape[-1])).sum(-1) / changes.sum(-1)


def _points_sd(c: Counters, s: Setting) -> Array:
    return np.sqrt(np.maximum(0.0, points_variance(c, s)))


_SPREAD_TEXT = "Best seat minus worst; `under_equal` is what equal seats would show by chance."
_LUCK = (
    TableSpec(
        "luck", "Luck and drama",
        "How much seats matter, how far a hand's points swing, and how much happens on the way. A spread of seats is above 0 by chance "
        "even when seats are equal, so its interval starts at 0 unless some seats differ.",
        (),
        (
            ColumnSpec("seat_spread", "Win share, best seat minus worst", "share", Spread(_seat_win, counter("units")), 0.0, 1.0, _SPREAD_TEXT),
            ColumnSpec(
                "seat_spread_points", "Points, best seat minus worst", "points", Spread(_seat_points, counter("units")), 0.0, None,
                _SPREAD_TEXT,
            ),
            ColumnSpec(
                "points_sd", "Spread of a hand's points (standard deviation)", "points", Ratio(_points_sd, _ALL_PLAYS), 0.0, None
            ),
            share("nothing_scored", "Hunts in which nobody scored", over_ranks(outcome(*ESCAPED)), hunts()),
            ColumnSpec("lead_changes", "Lead changes a deal", "count", Ratio(_mean_lead_changes, deals()), 0.0, float(N_HUNTED)),
            share("tied", "Deals with a tied top score", lambda c, s: c["top"][..., 1:, :].sum((-1, -2)), deals()),
            share("shared", "Deals whose win is shared", lambda c, s: c["top"][..., -1].sum(-1), deals()),
            share("no_winner", "Deals without a winner (all disqualified)", counter("no_winner"), deals()),
        ),
        section=LUCK,
    ),
    TableSpec(
        "skill", "Luck and skill",
        "Which share of the variance of a hand's points lies between the policies; cards and the others' play make the rest.",
        (),
        (
            ColumnSpec(
                "policy_share", "Share of the variance of points between policies", "share", Ratio(policy_variance_share, _ALL_PLAYS),
                0.0, 1.0,
            ),
        ),
        section=LUCK, absent=needs_balance,
    ),
    TableSpec(
        "lead_changes", "Lead changes", "How often in a deal another seat becomes the sole leader after a hunt.", ("changes",),
        (share("share", "Share of deals", counter("lead_changes"), deals(1)),),
        pictures=(PictureSpec("histogram", "lead_changes", "Lead changes in a deal", ("share",), "Lead changes"),),
        section=LUCK,
    ),
    _running_table("running", "seat", -2, _several),
    _running_table("running_by_policy", "policy", -1, needs_policies),
)

TABLES: tuple[TableSpec, ...] = (
    *_WHO_WINS, *CARD_TABLES, *HUNT_TABLES, *LONE_TABLES, *ACE_TABLES, *_SCORES, *_LUCK,
)
