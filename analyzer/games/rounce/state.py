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
from analyzer.games.spec import GROUPS, LANES

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
        # The match: its unit and the group of that, seating, policies by seat.
        ("active", "i1", _L),
        ("unit", "i8", _L),
        ("group", "i1", _L),
        ("play", "i4", _L),
        ("key", "u8", _L),
        ("arrangement", "i8", _L),
        ("policy", "i4", _S),
        ("score", "i4", _S),
        ("first_dealer", "i1", _L),
        ("number", "i4", _L),
        ("leader", "i1", _L),
        ("changes", "i4", _L),
        ("was_last", "i1", _L),
        ("history", "i1", (HISTORY, LANES)),
        # The round as dealt: the lanes that take part, as a set; keys of its tiles and of its choices, who deals, the
        # trumps, rows of Setup.fives, what is in whose hand or nobody's; the two lowest scores, from 0 to 31.
        ("lanes", "u8"),
        ("deal_key", "u8", _L),
        ("round_key", "u8", _L),
        ("dealer", "i1", _L),
        ("turn_up", "i1", _L),
        ("trump", "i1", _L),
        ("trump_tiles", "u8", _L),
        ("five", "u4", _S),
        ("dealt", "u8", _S),
        ("yard", "u8", _L),
        ("lowest_score", "i1", _L),
        ("second_score", "i1", _L),
        # Calls.
        ("in_play", "i1", _L),
        ("folds", "i1", _L),
        ("dummies", "i1", _L),
        ("call", "i1", _S),
        ("drew", "u8", _S),
        ("aside", "u8", _S),
        ("taker", "i1", _L),
        ("defender", "i1", _L),
        ("walkover", "i1", _L),
        # Lanes in which a position took a dummy or the turn-up, as sets.
        ("with_dummy", "u8"),
        ("with_take", "u8"),
        # Lanes that have a player for each turn of a trick, as sets, and by how many tiles are legal: first those in
        # which each counts in one suit, then those in which tiles may be led in either of theirs; the legal tiles and
        # the kind of choice.
        ("turns", "u8", (MAX_SEATS,)),
        ("options", "u8", (2, MAX_HAND + 1)),
        ("legal", "u8", _L),
        ("kind", "i1", _L),
        # Tricks: hands, what each knows to be out of everybody's hands, the turn-up while it lies on the table,
        # what was played; the suit led, as trump * 7 + suit, and the tiles that would win the trick so far.
        ("hand", "u8", _S),
        ("own_out", "u8", _S),
        ("recall", "u8", _S),
        ("face_up", "u8", _L),
        ("played", "u8", _L),
        ("trick_tiles", "u8", _L),
        ("lead_seat", "i1", _L),
        ("seat", "i1", _L),
        ("led", "i1", _L),
        ("winning", "u8", _L),
        ("best_seat", "i1", _L),
        ("seats_in", "i1", _L),
        ("tricks", "i1", _S),
        ("suit", "i1", (MAX_HAND, LANES)),
        ("leads", "i1", (MAX_HAND, LANES)),
        ("winner", "i1", (MAX_HAND, LANES)),
        ("tile", "i1", (MAX_HAND * MAX_SEATS, LANES)),
        # The score of the round, and of the match: seats that were rounced, as a set; tricks and changes of all seats
        # together; the lowest and the highest score, and the seats that have them, as sets.
        ("change", "i4", _S),
        ("rounced", "i1", _L),
        ("tricks_won", "i1", _L),
        ("total_change", "i4", _L),
        ("least", "i4", _L),
        ("most", "i4", _L),
        ("first", "i1", _L),
        ("last", "i1", _L),
        ("over", "i1", _L),
        ("win", "i1", _S),
        ("probe_seat", "i1", _L),
        # Tiles that were dealt, and those dealt twice, for the proof that none was lost.
        ("seen", "u8", _L),
        ("twice", "u8", _L),
        # Sums over a unit's plays: one lane plays them all.
        ("unit_win", "i8", (4, 4, LANES)),
        ("unit_points", "i8", (4, 4, LANES)),
        ("unit_place_win", "i8", _S),
        ("unit_place_points", "i8", _S),
        # Packed counters of rounds by group, see `kernel.packed`, and the rounds counted since they were emptied:
        # by tile and which of its ends is trump; by position, call and trumps; by trump; by lead; squares of
        # score changes by position.
        ("pending", "i8"),
        ("tile_sums", "i8", (GROUPS, TILES * 3)),
        ("call_sums", "i8", (GROUPS, MAX_SEATS * 8 * 8)),
        ("trump_sums", "i8", (GROUPS, 7)),
        ("lead_sums", "i8", (GROUPS, 16)),
        ("square_sums", "i8", (GROUPS, MAX_SEATS)),
    ]
)
"""Small numbers are kept small, so that a batch stays in the processor's nearest cache. Read one through `np.int64`
before reckoning with it: where nothing is compiled, it would overflow.
"""

RECORD = np.dtype(
    [
        *RECORD_FIELDS,
        ("rounds", "i4"),
        ("first_dealer", "i1"),
        ("lead_changes", "i4"),
        ("unfinished", "i1"),
    ]
)
"""A play (match) as a row; the fields' meaning is in `axes.RECORDS`."""

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
        ("noisy", "i8"),  # whether any policy chooses at random at times
        ("probe", "i8"),
        ("plays", "i8"),
        ("combinations", "i8"),
        ("policies", "i8"),
        ("slots", "i8"),
        ("again", "i8"),
        # Tiles dealt to a seat for sure, and whether there are any.
        ("conditioned", "i8"),
        ("given", "u8", (MAX_SEATS,)),
        # Tiles under each trump. By trump * 7 + suit: tiles that belong to the suit. By trump * 7 + suit led, and then
        # by tile: told of it in the suit in which it counts, from the lowest bit: the 28 tiles above it there, the 28
        # tiles of that suit, 4 bits of nothing, its rank (3 bits), whether that suit is trump. The same of tiles led,
        # by trump, tile and which of its suits.
        ("suit_tiles", "u8", (49,)),
        ("told", "u8", (49 * TILES,)),
        ("lead_told", "u8", (7 * TILES * 2,)),
        # By the turn-up: its height among the trumps, from 1. By trump, and then by tile: suits as which it may be led,
        # the higher first, one twice if there is no other; its cell among `tile_sums`; where its worth begins among
        # those of tiles to put aside; of a tile that is no trump, other such tiles that share a number with it.
        ("height", "i1", (TILES,)),
        ("led_as", "i1", (7 * TILES * 2,)),
        ("tile_cell", "i1", (7 * TILES,)),
        ("aside_cell", "i2", (7 * TILES,)),
        ("neighbours", "u4", (7 * TILES,)),
        # By trump: other tiles that are the best of a suit. By the turn-up and a set of the trumps, the one of the
        # lowest number in bit 0: 64 * trumps + 8 * height of the highest + those that are sure.
        ("high_tiles", "u8", (7,)),
        ("hand_cell", "i2", (TILES * 128,)),
        # By quarter of the tiles, and then by a set of its seven: the ends that are there, a bit each.
        ("ends", "i1", (4 * 128,)),
        # By tile: its higher end. By seats in play and seat: the next of them, clockwise.
        ("high_end", "i1", (TILES,)),
        ("next_in", "i1", (16 * MAX_SEATS,)),
    ]
)

POLICY = np.dtype(
    [
        ("memory", "i8"),
        ("remember", "u8"),  # chance of 2^64
        ("noise", "u8", (13,)),  # chance of a random move by decision, of 2^64
        # Scores of calls, by situation and then call (six, and two that are not): behind and `hand_cell`; high tiles,
        # voids; position, folds, dummies; own score, best rival's; height of the turn-up. Their sum is 8 times the
        # score, plus 7 less the call, so that the largest sum tells the call.
        ("call_hand", "i8", (2 * 512 * 8,)),
        ("call_plain", "i8", (8 * 7 * 8,)),
        ("call_seat", "i8", (4 * 4 * 4 * 8,)),
        ("call_score", "i8", (32 * 32 * 8,)),
        ("call_turn_up", "i8", (8 * 8,)),
        # Worth of keeping, times 32: by dummy or take, trump, height or better rank, worse rank, double, company.
        ("aside", "i8", (2 * 2 * 8 * 8 * 2 * 4,)),
        # Tiles in the order of their scores: by decision, no trick yet, tricks left, players to play; and by trump,
        # rank, high, wins, company, how many different scores of such a moment are lower.
        ("tile_order", "u1", (5 * 2 * 8 * 4 * 2 * 8 * 2 * 2 * 4,)),
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
    fives: NDArray[np.uint32]
    """(C(27, 5),) every set of five out of 27, those of the first m before any other (colexicographic order)."""
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
