"""The tables of Dingo: who wins is told here, the rest comes from the files of cards, hunts and scores."""

from __future__ import annotations

import numpy as np

from analyzer.games.dingo.ace_tables import ACE_TABLES
from analyzer.games.dingo.axes import TWELFTHS
from analyzer.games.dingo.card_tables import CARD_TABLES
from analyzer.games.dingo.formulas import counter, needs_policies, seated, share
from analyzer.games.dingo.hunt_tables import HUNT_TABLES, LONE_TABLES
from analyzer.games.dingo.score_tables import LUCK_TABLES, SCORE_TABLES
from analyzer.games.spec import Array, ColumnSpec, Counters, Mean, Of, PictureSpec, Setting, TableSpec

WINS = "Who wins"
FAIR = 0.25


def _win_share(total: Of, squares: Of, units: Of, plays: Of, *, difference: bool = False) -> ColumnSpec:
    """Mean win share over units; `plays` are those of the row in a unit."""

    def twelfths(c: Counters, s: Setting) -> Array:
        return TWELFTHS * plays(c, s)

    label = "Win share, first minus second" if difference else "Win share"
    low = -1.0 if difference else 0.0
    return ColumnSpec("win_share", label, "share", Mean(total, squares, units, twelfths), low, 1.0)


def _points(total: Of, squares: Of, units: Of, plays: Of, *, difference: bool = False) -> ColumnSpec:
    label = "Points, first minus second" if difference else "Points"
    return ColumnSpec("points", label, "points", Mean(total, squares, units, plays))


def _in_unit(top: str, bottom: str) -> Of:
    """Plays in a unit: all plays over the units they are in, both counted."""
    return lambda c, s: c[top] / c[bottom]


def _seat_plays(c: Counters, s: Setting) -> Array:
    return np.asarray(float(s.table.plays))


def _intervals(name: str, title: str, x_label: str) -> tuple[PictureSpec, ...]:
    return (PictureSpec("intervals", name, title, ("win_share",), x_label, reference=FAIR),)


_POLICY_PLAYS = _in_unit("policy_plays", "policy_units")
_SEATED_PLAYS = _in_unit("plays", "seated")
_PAIR_PLAYS = _in_unit("pair_scale", "pair_units")

_WHO_WINS = (
    TableSpec(
        "by_seat",
        "Win share and points by seat",
        "South deals; West sits to South's left, then North, then East. A fair share is a quarter. A win "
        "shared by several counts for each in part.",
        ("seat",),
        (
            _win_share(counter("win", -2), counter("seat_win_sq"), counter("units"), _seat_plays),
            _points(counter("points", -2), counter("seat_points_sq"), counter("units"), _seat_plays),
            share("disqualified", "Disqualified", counter("disqualified", -2), counter("plays", -2)),
        ),
        pictures=_intervals("win_share_by_seat", "Win share by seat", "Seat"),
        section=WINS,
    ),
    TableSpec(
        "by_policy",
        "Win share and points by policy",
        "The mean over the seats that the policy held; a fair share is a quarter. All plays of the same "
        "cards count as one observation.",
        ("policy",),
        (
            _win_share(counter("win", -1), counter("policy_win_sq"), counter("policy_units"), _POLICY_PLAYS),
            _points(counter("points", -1), counter("policy_points_sq"), counter("policy_units"), _POLICY_PLAYS),
            share("disqualified", "Disqualified", counter("disqualified", -1), counter("plays", -1)),
        ),
        pictures=_intervals("win_share_by_policy", "Win share by policy", "Policy"),
        section=WINS,
    ),
    TableSpec(
        "by_policy_seat",
        "Win share and points by policy and seat",
        "Where the table seats the policy at all.",
        ("policy", "seat"),
        (
            _win_share(counter("win"), counter("win_sq"), counter("seated"), _SEATED_PLAYS),
            _points(counter("points"), counter("points_sq"), counter("seated"), _SEATED_PLAYS),
        ),
        pictures=_intervals("win_share_by_policy_seat", "Win share by policy and seat", "Policy"),
        section=WINS,
        keep=seated,
    ),
    TableSpec(
        "pairs",
        "Policies against each other",
        "What the first policy of a pair gets more than the second on the deals that both play: the same "
        "cards, so the comparison is paired. Unless the seating is rotated, seats have a part in the "
        "difference.",
        ("pair",),
        (
            _win_share(
                counter("pair_win"),
                counter("pair_win_sq"),
                counter("pair_units"),
                _PAIR_PLAYS,
                difference=True,
            ),
            _points(
                counter("pair_points"),
                counter("pair_points_sq"),
                counter("pair_units"),
                _PAIR_PLAYS,
                difference=True,
            ),
        ),
        section=WINS,
        absent=needs_policies,
    ),
)

TABLES: tuple[TableSpec, ...] = (
    *_WHO_WINS,
    *CARD_TABLES,
    *HUNT_TABLES,
    *LONE_TABLES,
    *ACE_TABLES,
    *SCORE_TABLES,
    *LUCK_TABLES,
)
