"""Tables of whole matches: who wins, how long they last, how they turn, and how much of it is luck."""

from __future__ import annotations

import numpy as np

from analyzer.games.common.formulas import (
    TWELFTHS,
    counter,
    mean_label,
    played,
    points_sd,
    share,
)
from analyzer.games.common.tables import (
    LUCK,
    WINS,
    luck_and_skill_table,
    points,
    policy_tables,
    quantile_columns,
    running_tables,
    seat_plays,
    spread_of,
    win_intervals,
    win_share,
)
from analyzer.games.rounce.axes import WORDS
from analyzer.games.spec import Array, ColumnSpec, Counters, PictureSpec, Ratio, Setting, TableSpec

MATCHES = "Matches"


def _place_win(c: Counters, s: Setting) -> Array:
    return np.asarray(c["from_dealer_win"] / (TWELFTHS * c["from_dealer_plays"]))


def _place_points(c: Counters, s: Setting) -> Array:
    return np.asarray(c["from_dealer_points"] / c["from_dealer_plays"])


def _rounds_a_match(c: Counters, s: Setting) -> Array:
    return np.asarray(c["rounds"] / played()(c, s))


WHO_WINS: tuple[TableSpec, ...] = (
    TableSpec(
        "by_seat",
        "Win share and final score by seat from the first dealer",
        "Seats as the first dealer of the match sees them; the seat to the dealer's left calls and leads first. A fair "
        f"share is {WORDS.fair}. A win shared by several counts for each in part. Scores go down to 0: a low final "
        "score is good.",
        ("from_dealer",),
        (
            win_share(counter("from_dealer_win"), counter("from_dealer_win_sq"), counter("units"), seat_plays),
            points(
                WORDS, counter("from_dealer_points"), counter("from_dealer_points_sq"), counter("units"), seat_plays
            ),
        ),
        pictures=win_intervals("win_share_by_seat", "Win share by seat from the first dealer", "Seat"),
        section=WINS,
        headline=lambda labels, setting: labels,
    ),
    *policy_tables(WORDS),
)

MATCH_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "matches",
        "Matches together",
        "A match that is not over after `max_rounds` rounds is unfinished: nobody wins it, but its rounds and scores"
        " count.",
        (),
        (
            ColumnSpec("rounds", "Rounds a match", "count", Ratio(_rounds_a_match, played()), 0.0),
            *quantile_columns(counter("length"), "rounds", played(), "count"),
            share("unfinished", "Matches unfinished", counter("unfinished"), played()),
        ),
        section=MATCHES,
    ),
    TableSpec(
        "match_length",
        "Length of a match",
        "How often a match has so many rounds; the last row holds all that have as many or more.",
        ("rounds",),
        (share("share", "Share of matches", counter("length"), played(1)),),
        pictures=(PictureSpec("histogram", "match_length", "Length of a match", ("share",), "Rounds (64: or more)"),),
        section=MATCHES,
        folded=True,
    ),
    TableSpec(
        "winner_known",
        "How early the winner is known",
        "After such a share of a match's rounds: how often somebody leads alone, and how often that leader wins in the "
        "end, alone or with others. Matches that end within 64 rounds.",
        ("tenth",),
        (
            share("led", "Matches with one leader", counter("led"), lambda c, s: c["led_n"][..., None]),
            share("won", "The leader wins", counter("led_won"), counter("led")),
        ),
        pictures=(
            PictureSpec("intervals", "winner_known", "How often the leader wins", ("won",), "Of the match played"),
        ),
        section=MATCHES,
    ),
    TableSpec(
        "lead_changes",
        "Lead changes",
        "How often in a match another seat becomes the sole leader after a round; the last row holds all with as many "
        "or more.",
        ("changes",),
        (share("share", "Share of matches", counter("lead_changes"), played(1)),),
        pictures=(
            PictureSpec(
                "histogram", "lead_changes", "Lead changes in a match", ("share",), "Lead changes (31: or more)"
            ),
        ),
        section=MATCHES,
        folded=True,
    ),
)

LUCK_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "luck",
        "Luck and drama",
        "How much it matters who deals first, how far final scores swing, and how matches turn. The best seat is ahead "
        "of the worst by chance even when seats are equal, so that interval starts at 0 unless some seats differ.",
        (),
        (
            spread_of("seat_spread", "Win share, best seat minus worst", "share", _place_win, 1.0),
            spread_of("seat_spread_points", "Final score, worst seat minus best", "points", _place_points, None),
            ColumnSpec(
                "points_sd",
                "Spread of a seat's final score (standard deviation)",
                "points",
                Ratio(points_sd, counter("plays", -1, -2)),
                0.0,
            ),
            ColumnSpec(
                "lead_changes",
                "Lead changes a match",
                "count",
                Ratio(mean_label("lead_changes", "changes"), played()),
                0.0,
            ),
            share("comeback", "Matches won by someone who was last alone", counter("comeback"), counter("comeback_n")),
        ),
        section=LUCK,
    ),
    luck_and_skill_table(WORDS),
    *running_tables(WORDS),
)
