"""The flat state of a batch of matches, the record of rules, and the counters' layout: every dtype, declared
once.

A batch is 64 matches side by side, one a lane, played a round at a time: calls, tricks, score. A lane
whose match is over takes the next match, so that lanes do not wait for the longest. All choices of a
round stay in the batch's columns: they are its transcript.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.games.common.units import RECORD_FIELDS, UNIT_COUNTERS
from analyzer.games.rounce.tiles import MAX_HAND, MAX_SEATS, TILES
from analyzer.games.spec import LANES

HISTORY = 64
"""Rounds of a match whose leader is kept, for the drama."""

_L = (LANES,)
_S = (MAX_SEATS, LANES)
BATCH = np.dtype(
    [
        # Where play stands in the round, and who chooses from outside (bit per seat).
        ("cursor", "i8"),
        ("external", "i8"),
        ("answered", "i8"),
        # Group, window and unit that lanes take next.
        ("queue", "i8", (3,)),
        # The match.
        ("active", "i8", _L),
        ("unit", "i8", _L),
        ("play", "i8", _L),
        ("key", "u8", _L),
        ("arrangement", "i8", _L),
        ("score", "i8", _S),
        ("first_dealer", "i8", _L),
        ("number", "i8", _L),
        ("leader", "i8", _L),
        ("changes", "i8", _L),
        ("was_last", "i8", _L),
        ("history", "i8", (HISTORY, LANES)),
        # The round as dealt.
        ("dealer", "i8", _L),
        ("round_key", "u8", _L),
        ("place", "i8", (TILES, LANES)),
        ("turn_up", "i8", _L),
        ("trump", "i8", _L),
        ("dealt", "u8", _S),
        ("drawn", "i8", _L),
        # Calls.
        ("in_play", "i8", _L),
        ("folds", "i8", _L),
        ("dummies", "i8", _L),
        ("call", "i8", _S),
        ("drew", "u8", _S),
        ("aside", "u8", _S),
        ("taker", "i8", _L),
        ("defender", "i8", _L),
        ("walkover", "i8", _L),
        # Tricks: hands, what each knows to be out of everybody's hands, what was played.
        ("hand", "u8", _S),
        ("own_out", "u8", _S),
        ("recall", "u8", _S),
        ("played", "u8", _L),
        ("lead_seat", "i8", _L),
        ("seat", "i8", _L),
        ("led", "i8", _L),
        ("best", "i8", _L),
        ("best_seat", "i8", _L),
        ("left_to_play", "i8", _L),
        ("trick_tiles", "u8", _L),
        ("tricks", "i8", _S),
        ("suit", "i8", (MAX_HAND, LANES)),
        ("leads", "i8", (MAX_HAND, LANES)),
        ("winner", "i8", (MAX_HAND, LANES)),
        ("tile", "i8", (MAX_HAND * MAX_SEATS, LANES)),
        # The score of the round, and of the match.
        ("change", "i8", _S),
        ("over", "i8", _L),
        ("win", "i8", _S),
        ("probe_seat", "i8", _L),
        # Sums over a unit's plays: one lane plays them all.
        ("unit_win", "i8", (4, 4, LANES)),
        ("unit_points", "i8", (4, 4, LANES)),
        ("unit_place_win", "i8", _S),
        ("unit_place_points", "i8", _S),
    ]
)

RECORD = np.dtype([*RECORD_FIELDS])
"""A play (match) as a row."""

RULES = np.dtype(
    [
        ("players", "i8"),
        ("hand_size", "i8"),
        ("start_score", "i8"),
        ("first_dealer", "i8"),  # -1: drawn
        ("finish_shared", "i8"),
        ("max_rounds", "i8"),
        ("fold_allowed", "i8"),
        ("dummy_draw", "i8"),
        ("dummies_max", "i8"),
        ("dealer_takes", "i8"),
        ("defend_allowed", "i8"),
        ("winner_leads_trump", "i8"),
        ("must_trump_above", "i8"),
        ("must_trump_lead", "i8"),
        ("must_trump_void", "i8"),
        ("walkover", "i8"),
        ("rounce_penalty", "i8"),
        ("forgets", "i8"),
        ("probe", "i8"),
        ("plays", "i8"),
        ("combinations", "i8"),
        ("policies", "i8"),
        ("slots", "i8"),
        # Tiles under each trump. By trump * 7 + suit: tiles that belong to the suit; and then by tile or
        # strength: how strong a tile is when the suit was led (0 cannot win, 1 to 8 follows, 9 to 16 a
        # trump), tiles stronger than that, tiles of the suit above a tile, and its rank there (0 to 7).
        ("suit_tiles", "u8", (49,)),
        ("strength", "i8", (49 * TILES,)),
        ("beaten", "u8", (49 * 17,)),
        ("higher", "u8", (49 * TILES,)),
        ("rank", "i8", (49 * TILES,)),
        # By trump, and then by tile or height: 1 for the lowest trump to 7 (0 for others), that trump as a
        # set, other tiles that are the best of a suit, the suit in which a tile ranks highest.
        ("height", "i8", (7 * TILES,)),
        ("trump_at", "u8", (7 * 8,)),
        ("high_tiles", "u8", (7,)),
        ("best_suit", "i8", (7 * TILES,)),
        # By trump, and then by tile: others that share a number with it, trumps apart. By tile: its ends.
        # The places of the boneyard in the order in which they are drawn.
        ("neighbours", "u8", (7 * TILES,)),
        ("high_end", "i8", (TILES,)),
        ("low_end", "i8", (TILES,)),
        ("yard_place", "i8", (TILES,)),
    ]
)

POLICY = np.dtype(
    [
        ("memory", "i8"),
        ("remember", "u8"),  # chance of 2^64
        ("noise", "u8", (13,)),  # chance of a random move by decision, of 2^64
        # Scores of calls: by call and then behind, trumps, top trump, sure; high tiles, voids; position,
        # folds, dummies; own score, best rival's; height of the turn-up.
        ("call_hand", "i8", (6 * 2 * 8 * 8 * 8,)),
        ("call_plain", "i8", (6 * 8 * 7,)),
        ("call_seat", "i8", (6 * 4 * 4 * 4,)),
        ("call_score", "i8", (6 * 32 * 32,)),
        ("call_turn_up", "i8", (6 * 8,)),
        # Worth of keeping: by dummy or take, trump, height or better rank, worse rank, double, company.
        ("aside", "i8", (2 * 2 * 8 * 8 * 2 * 4,)),
        # Scores of tiles: by decision and then trump, rank, high, wins, company; no trick yet, tricks left,
        # players to play, wins, high, trump.
        ("tile_worth", "i8", (5 * 2 * 8 * 2 * 2 * 4,)),
        ("moment_worth", "i8", (5 * 2 * 8 * 4 * 2 * 2 * 2,)),
    ]
)

COUNTERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    *UNIT_COUNTERS,
    ("unfinished", ()),
    ("from_dealer_plays", ("from_dealer",)),
    ("from_dealer_win", ("from_dealer",)),
    ("from_dealer_win_sq", ("from_dealer",)),
    ("from_dealer_points", ("from_dealer",)),
    ("from_dealer_points_sq", ("from_dealer",)),
    ("length", ("rounds",)),
    ("lead_changes", ("changes",)),
    ("led", ("tenth",)),
    ("led_won", ("tenth",)),
    ("comeback", ()),
    ("comeback_n", ()),
    ("led_n", ()),
    ("rounds", ()),
    ("trump", ("trump",)),
    ("trump_tricks", ("trump",)),
    ("trump_change", ("trump",)),
    ("dealt_trumps", ("trumps",)),
    ("walkover_dealer", ()),
    ("walkover_last", ()),
    ("played", ()),
    ("tricks", ()),
    ("defended", ()),
    ("defended_tricks", ()),
    ("rounced", ()),
    ("change_sum", ()),
    ("position_n", ("position",)),
    ("position_change", ("position",)),
    ("position_change_sq", ("position",)),
    ("calls", ("position", "call")),
    ("call_change", ("position", "call")),
    ("call_rounced", ("position", "call")),
    ("call_trumps_n", ("call", "trumps")),
    ("call_trumps_change", ("call", "trumps")),
    ("call_trumps_rounced", ("call", "trumps")),
    ("tile_n", ("tile", "role")),
    ("tile_tricks", ("tile", "role")),
    ("tile_change", ("tile", "role")),
    ("trump_rank_n", ("trump_rank",)),
    ("trump_rank_tricks", ("trump_rank",)),
    ("trump_rank_change", ("trump_rank",)),
    ("lead_n", ("lead_kind", "rank8")),
    ("lead_won", ("lead_kind", "rank8")),
    ("lead_change", ("lead_kind", "rank8")),
    ("chart_n", ("arm", "position", "trumps", "height")),
    ("chart_change", ("arm", "position", "trumps", "height")),
    ("chart_rounced", ("arm", "position", "trumps", "height")),
)
"""Grouped counters in the order and with the axes in which the kernel keeps them, one after the other in a
row of int64.
"""

(
    UNFINISHED,
    FROM_DEALER_PLAYS,
    FROM_DEALER_WIN,
    FROM_DEALER_WIN_SQ,
    FROM_DEALER_POINTS,
    FROM_DEALER_POINTS_SQ,
    LENGTH,
    LEAD_CHANGES,
    LED,
    LED_WON,
    COMEBACK,
    COMEBACK_N,
    LED_N,
    ROUNDS,
    TRUMP,
    TRUMP_TRICKS,
    TRUMP_CHANGE,
    DEALT_TRUMPS,
    WALKOVER_DEALER,
    WALKOVER_LAST,
    PLAYED,
    TRICKS,
    DEFENDED,
    DEFENDED_TRICKS,
    ROUNCED,
    CHANGE_SUM,
    POSITION_N,
    POSITION_CHANGE,
    POSITION_CHANGE_SQ,
    CALLS,
    CALL_CHANGE,
    CALL_ROUNCED,
    CALL_TRUMPS_N,
    CALL_TRUMPS_CHANGE,
    CALL_TRUMPS_ROUNCED,
    TILE_N,
    TILE_TRICKS,
    TILE_CHANGE,
    TRUMP_RANK_N,
    TRUMP_RANK_TRICKS,
    TRUMP_RANK_CHANGE,
    LEAD_N,
    LEAD_WON,
    LEAD_CHANGE,
    CHART_N,
    CHART_CHANGE,
    CHART_ROUNCED,
) = range(len(UNIT_COUNTERS), len(COUNTERS))

PASS, FOLD, DUMMY, TAKE, DEFEND, DEFEND_TAKE = range(6)
PERFECT, NONE, TOP_CARD, CHANCE = range(4)


class Setup(NamedTuple):
    """Rules and table as the kernel reads them. C-contiguous arrays; A combinations, R = A * plays
    arrangements, P policies.

    Few arrays: functions that serve one lane are handed the rules' record and a policy's, each no more
    than a pointer.
    """

    rules: NDArray[np.void]
    """(1,) RULES."""
    policies: NDArray[np.void]
    """(P,) POLICY."""
    seating: NDArray[np.int64]
    """(R, 4) policy of each seat."""
    slot: NDArray[np.int64]
    """(R, 4) which of its combination's distinct policies that is."""
    who: NDArray[np.int64]
    """(A, 4) the combination's distinct policies, then -1."""
    held: NDArray[np.int64]
    """(A, 4, 4) plays in a unit of a slot's policy at a seat."""
    at: NDArray[np.int64]
    """(len(COUNTERS) + 1,) where each counter starts in a row; last, the row's length."""
    marks: NDArray[np.int64]
    """(M + 1,) unit indices at which the running sums' segments begin."""
