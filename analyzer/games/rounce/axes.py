"""What Rounce's counters are and what the positions of their axes are called.

The kernel fills `COUNTERS`; tables, findings and health checks read them. Of a round: `change` is the change of a
seat's score, so that less is better; `tricks` are those of rounds that were played out; a seat that folded, or won
without play, is in with its change and no trick.
"""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.games.common.counters import UNIT_COUNTERS, counters, unit_axes
from analyzer.games.common.tables import Words
from analyzer.games.rounce.tiles import ENDS, MAX_HAND, TILE_NAMES
from analyzer.games.spec import CounterSpec, Rules, Table

WORDS = Words(
    plays="matches",
    unit="match",
    dealt="tiles",
    points="Final score",
    fair="one divided by the number of players",
    whose="a seat's final score",
)

CALLS = ("pass", "fold", "dummy", "take", "defend", "defend and take")
ARMS = (*CALLS, "pass without a dummy")
"""Calls of the experiment; a pass when no dummy may be taken any more stands apart."""
FROM_DEALER = ("first dealer", "1 to its left", "2 to its left", "3 to its left")
DEALER = "dealer"
NO_TRUMP = "none"
PLAIN, TRUMP = ROLES = ("plain", "trump")
TENTHS = tuple(f"{10 * tenth}%" for tenth in range(1, 11))
RANKS = tuple(str(rank) for rank in range(ENDS + 1))
"""Ranks of a tile; 7 is a double that ranks above all."""


def seats(count: int) -> tuple[str, ...]:
    """Labels of so many seats."""
    return tuple(str(seat) for seat in range(count))


def positions(players: int) -> tuple[str, ...]:
    """Places in the order of the calls; the dealer calls last."""
    return (*("1st", "2nd", "3rd")[: players - 1], DEALER)


def axes(rules: Rules, table: Table) -> Mapping[str, tuple[str, ...]]:
    """Axis name -> labels of its positions, under these rules and for this table."""
    players = len(table.arrangements[0][0])
    return {
        **unit_axes(seats(players), table),
        "from_dealer": FROM_DEALER[:players],
        "position": positions(players),
        "call": CALLS,
        "arm": ARMS,
        "trumps": tuple(str(count) for count in range(MAX_HAND + 1)),
        "height": (NO_TRUMP, *(str(height) for height in range(1, ENDS + 1))),
        "tile": TILE_NAMES,
        "role": ROLES,
        "trump": tuple(str(number) for number in range(ENDS)),
        "trump_rank": RANKS,
        "rank8": RANKS,
        "rank": RANKS,
        "lead_kind": ROLES,
        "rounds": (*(str(count) for count in range(1, 64)), "64+"),
        "changes": (*(str(count) for count in range(31)), "31+"),
        "tenth": TENTHS,
    }


RECORDS = (
    ("rounds", "rounds played"),
    ("first_dealer", "seat of the first dealer"),
    ("lead_changes", "how often the sole lead went to another seat"),
    ("unfinished", "1 if the match was not over after the most rounds allowed"),
)
"""Fields of the record of a match, after win shares and points."""

COUNTERS: tuple[CounterSpec, ...] = (
    *UNIT_COUNTERS,
    # Matches.
    *counters(names=("unfinished", "comeback", "comeback_n", "led_n")),
    *counters(
        "from_dealer",
        names=(
            "from_dealer_plays",
            "from_dealer_win",
            "from_dealer_win_sq",
            "from_dealer_points",
            "from_dealer_points_sq",
        ),
    ),
    *counters("rounds", names=("length",)),
    *counters("changes", names=("lead_changes",)),
    *counters("tenth", names=("led", "led_won")),
    # Rounds.
    *counters(names=("rounds", "walkover_dealer", "walkover_last", "played", "tricks", "defended", "defended_tricks")),
    *counters(names=("rounced", "change_sum")),
    *counters("trump", names=("trump", "trump_tricks", "trump_change")),
    *counters("trumps", names=("dealt_trumps",)),
    *counters("position", names=("position_n", "position_change", "position_change_sq")),
    *counters("position", "call", names=("calls", "call_change", "call_rounced")),
    *counters("call", "trumps", names=("call_trumps_n", "call_trumps_change", "call_trumps_rounced")),
    *counters("tile", "role", names=("tile_n", "tile_tricks", "tile_change")),
    *counters("trump_rank", names=("trump_rank_n", "trump_rank_tricks", "trump_rank_change")),
    *counters("lead_kind", "rank8", names=("lead_n", "lead_won", "lead_change")),
    *counters("arm", "position", "trumps", "height", names=("chart_n", "chart_change", "chart_rounced")),
)
