"""The tables of Dingo: who wins is told here, the rest comes from the files of cards, hunts and scores."""

from __future__ import annotations

from analyzer.games.common.formulas import counter, share
from analyzer.games.common.tables import WINS, points, policy_tables, seat_places, seat_plays, win_intervals, win_share
from analyzer.games.dingo.ace_tables import ACE_TABLES
from analyzer.games.dingo.axes import WORDS
from analyzer.games.dingo.card_tables import CARD_TABLES
from analyzer.games.dingo.hunt_tables import HUNT_TABLES, LONE_TABLES
from analyzer.games.dingo.score_tables import LUCK_TABLES, SCORE_TABLES
from analyzer.games.spec import TableSpec

_BY_SEAT = TableSpec(
    "by_seat",
    "Win share and points by seat",
    "South deals; West sits to South's left, then North, then East. A fair share is a quarter. A win "
    "shared by several counts for each in part.",
    ("seat",),
    (
        win_share(counter("win", -2), counter("seat_win_sq"), counter("units"), seat_plays),
        points(WORDS, counter("points", -2), counter("seat_points_sq"), counter("units"), seat_plays),
        share("disqualified", "Disqualified", counter("disqualified", -2), counter("plays", -2)),
    ),
    pictures=win_intervals("win_share_by_seat", "Win share by seat", "Seat"),
    section=WINS,
    headline=seat_places,
)

TABLES: tuple[TableSpec, ...] = (
    _BY_SEAT,
    *policy_tables(WORDS, share("disqualified", "Disqualified", counter("disqualified", -1), counter("plays", -1))),
    *CARD_TABLES,
    *HUNT_TABLES,
    *LONE_TABLES,
    *ACE_TABLES,
    *SCORE_TABLES,
    *LUCK_TABLES,
)
