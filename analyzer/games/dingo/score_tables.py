"""Tables of scores, ties and disqualifications, of luck, and of the win share as it settles."""

from __future__ import annotations

import numpy as np

from analyzer.games.common.formulas import (
    TWELFTHS,
    counter,
    mean_label,
    needs_policies,
    played,
    points_sd,
    seated,
    share,
)
from analyzer.games.common.tables import LUCK, luck_and_skill_table, quantile_columns, running_tables, spread_of
from analyzer.games.dingo.axes import BROKEN, WORDS
from analyzer.games.dingo.formulas import ESCAPED, N_HUNTED, hunts, outcome, over_ranks
from analyzer.games.spec import Array, ColumnSpec, Counters, Of, PictureSpec, Ratio, Setting, TableSpec

SCORES = "Scores"

_HANDS = counter("plays", -1, -2)


def _hands_by_policy(rows: int) -> Of:
    """Hands each policy played, with `rows` trailing dimensions of length 1."""
    return lambda c, s: c["plays"].sum(-1)[(..., *(None,) * rows)]


def _tie_exists(labels: tuple[str, ...], setting: Setting) -> bool:
    tied, broken = labels
    by_rabbit, *narrowed = broken.split(", ")
    if by_rabbit.startswith("highest") and by_rabbit != setting.rules["tie_break"]:
        return False
    # Two that share were not narrowed.
    return (tied == "1") == (broken == "alone") and not (tied == "2" and narrowed)


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
        quantile_columns(counter("score", -3), "point", counter("plays", -2)),
        section=SCORES,
    ),
    TableSpec(
        "score_quantiles_by_policy",
        "Score quantiles by policy",
        _QUANTILE_TEXT,
        ("policy",),
        quantile_columns(counter("score", -2), "point", counter("plays", -1)),
        section=SCORES,
    ),
    TableSpec(
        "ties",
        "Ties for the top score",
        "How many share the top score, and what decided between them; `highest_value, shared`: it narrowed the tie, "
        "and those left share the win. The shares add up to 1 less the deals without a winner (`no_winner` of `luck`).",
        ("tied", "broken"),
        (share("share", "Share of deals", counter("top"), played(2)),),
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


def _tied(c: Counters, s: Setting) -> Array:
    return np.asarray(c["top"][..., 1:, :].sum((-1, -2)))


def _shared(c: Counters, s: Setting) -> Array:
    sharing = [index for index, broken in enumerate(BROKEN) if broken.endswith("shared")]
    return np.asarray(c["top"][..., sharing].sum((-1, -2)))


LUCK_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "luck",
        "Luck and drama",
        "How much seats matter, how far a hand's points swing, and how much happens on the way. The best "
        "seat is ahead of the worst by chance even when seats are equal, so that interval starts at 0 "
        "unless some seats differ.",
        (),
        (
            spread_of("seat_spread", "Win share, best seat minus worst", "share", _seat_win, 1.0),
            spread_of("seat_spread_points", "Points, best seat minus worst", "points", _seat_points, None),
            ColumnSpec(
                "points_sd",
                "Spread of a hand's points (standard deviation)",
                "points",
                Ratio(points_sd, _HANDS),
                0.0,
            ),
            share("nothing_scored", "Hunts in which nobody scored", over_ranks(outcome(*ESCAPED)), hunts()),
            ColumnSpec(
                "lead_changes",
                "Lead changes a deal",
                "count",
                Ratio(mean_label("lead_changes", "changes"), played()),
                0.0,
                float(N_HUNTED),
            ),
            share("tied", "Deals with a tied top score", _tied, played()),
            share("shared", "Deals whose win is shared", _shared, played()),
            share("no_winner", "Deals without a winner (all disqualified)", counter("no_winner"), played()),
        ),
        section=LUCK,
    ),
    luck_and_skill_table(WORDS),
    TableSpec(
        "lead_changes",
        "Lead changes",
        'How often in a deal another seat becomes the sole leader after a hunt. With `caught = "penalty"` overlooked '
        "cards count only when hands are shown, after the ace hunt.",
        ("changes",),
        (share("share", "Share of deals", counter("lead_changes"), played(1)),),
        pictures=(PictureSpec("histogram", "lead_changes", "Lead changes in a deal", ("share",), "Lead changes"),),
        section=LUCK,
    ),
    *running_tables(WORDS),
)
