"""The flat state of a batch of deals, the record of rules, and the counters' layout: every dtype, declared once.

A batch is 64 deals side by side, one a lane, played a phase at a time. In the exchange a hand is a set of
cards (see `cards.py`). In the hunt, all ranks at once, a set is a word of four 16-bit fields, one a seat:
bit 16 * seat + rank ("seat fields"). All of a deal's choices stay in the batch's columns: they are its
transcript.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.games.common.units import RECORD_FIELDS, UNIT_COUNTERS
from analyzer.games.dingo.rules import MAX_STEPS
from analyzer.games.spec import LANES

TURNS = 4
"""Turns in a circle at most; a hunt has at most two circles (a second wolf ends it, so does a circle without
one).
"""
CIRCLES = 2
DRAWS = 4
"""Sets of up to three cards in which a hand is drawn."""

_L = (LANES,)
BATCH = np.dtype(
    [
        # Where play stands, and who chooses from outside (bit per seat).
        ("cursor", "i8"),
        ("external", "i8"),
        ("answered", "i8"),
        # The deal.
        ("unit", "i8", _L),
        ("key", "u8", _L),
        ("coin", "u8", _L),
        # The seating; the policy of each seat, and the set of lanes where a policy comes first at the seat.
        ("arrangement", "u4", _L),
        ("policy", "u2", (4, LANES)),
        ("leaders", "u8", (4,)),
        ("dealt", "u8", (4, LANES)),
        # The exchange: hands; what each knows to be discarded, and own discards (kept only where someone
        # forgets, else all know the pile); cards passed away that did not come back.
        ("hand", "u8", (4, LANES)),
        ("known", "u8", (4, LANES)),
        ("own", "u8", (4, LANES)),
        ("gone", "u8", (4, LANES)),
        ("pile", "u8", _L),
        ("choice", "u1", (4 * MAX_STEPS, LANES)),
        # One decision of all lanes: each rank's situation to its player, an index into Setup.exchange; the entry of
        # the card to part with.
        ("even", "u8", _L),
        ("odd", "u8", _L),
        ("situation", "u1", (13, LANES)),
        ("best", "u2", _L),
        # The hunt: cards passed away by offset of the receiver less 1; then seat fields.
        ("past", "u8", (4, 3, LANES)),
        ("dingo", "u8", _L),
        ("overlooked", "u8", _L),
        ("lapse", "u8", _L),
        ("spade", "u8", _L),
        ("club", "u8", _L),
        ("known_spade", "u8", _L),
        ("known_club", "u8", _L),
        ("past_spade", "u8", (3, LANES)),
        ("past_club", "u8", (3, LANES)),
        ("actors", "u8", (TURNS, LANES)),
        ("order", "u1", (12, LANES)),
        ("worth", "i4", (12, LANES)),
        # One turn of the hunt: seats whose turn it is, seats whose turn is to come; Setup.lays by whereabouts.
        ("acting", "u8", _L),
        ("later", "u8", _L),
        ("mask", "u8", (9, LANES)),
        ("out", "u8", _L),
        ("out_twice", "u8", _L),
        ("laid_by", "u8", _L),
        ("want_spade", "u8", _L),
        ("want_club", "u8", _L),
        ("club_first", "u8", _L),
        ("first_spade", "u8", _L),
        ("first_club", "u8", _L),
        ("second_spade", "u8", _L),
        ("second_club", "u8", _L),
        ("alone_first", "u8", _L),
        ("probed", "u8", (2, LANES)),
        # Transcript of the hunt: ranks of spades laid, of clubs << 16, of club-before-spade << 32, by
        # circle and turn. An outside answer has the same form.
        ("laid", "u8", (CIRCLES * TURNS, LANES)),
        ("answer", "u8", _L),
        # The ace hunt: seats or -1; what was laid in each turn (1 AS, 2 AC, 4 AC before AS, 8 AD).
        ("ace_dingo", "i1", _L),
        ("ace_overlooked", "i1", _L),
        ("rabbit_seat", "i1", _L),
        ("ace_out", "u1", _L),
        ("ace_laid", "u1", (TURNS, LANES)),
        ("rabbit_fate", "u1", _L),
        ("rabbit_points", "i4", _L),
        ("rabbit_wolves", "u1", _L),
        ("rabbit_place", "u1", _L),
        # By turn, in 16-bit fields: aces held, known, passed away (by offset of the receiver), three bits each; the
        # policies. One turn: index into Setup.ace, and what is wanted.
        ("aces", "u8", _L),
        ("ace_policy", "u8", _L),
        ("ace_index", "u4", _L),
        ("ace_wish", "u1", _L),
        # All of `ace_laid`, four bits a turn.
        ("ace_all", "u8", _L),
        # The result; seat fields of dingoes saved and dead, of rabbits caught, of first wolves that score for a seat;
        # the gain of each seat in a hunt, in points of its rank plus 1; who leads, as a bit.
        ("saved", "u8", _L),
        ("died", "u8", _L),
        ("caught", "u8", _L),
        ("given", "u8", _L),
        ("gain", "u8", _L),
        ("leader", "u1", _L),
        ("changes", "u1", _L),
        ("score", "i4", (4, LANES)),
        ("rabbits", "u2", (4, LANES)),
        ("standing", "i4", (4, LANES)),
        ("out_of_play", "u1", _L),
        ("tied", "u1", _L),
        ("broken", "u1", _L),
        ("win", "u1", (4, LANES)),
        # Work space of the tallies.
        ("column", "u8", _L),
        ("moved", "u8", _L),
        ("shown", "u8", (4, LANES)),
        ("value", "i8", (4, LANES)),
        ("count", "i8", (64,)),
        ("seat_win", "i4", _L),
        ("seat_points", "i4", _L),
        ("unit_win", "i4", (4, 4, LANES)),
        ("unit_points", "i4", (4, 4, LANES)),
    ]
)

RECORD = np.dtype(
    [
        *RECORD_FIELDS,
        ("tied", "i1"),
        ("broken", "i1"),
        ("lead_changes", "i1"),
        ("hunted", "i1"),
        ("ace_dingo", "i1"),
        ("ace_wolves", "i1"),
        ("rabbit_seat", "i1"),
        ("rabbit_fate", "i1"),
    ]
)
"""A play as a row; the fields' meaning is in `axes.RECORDS`."""

RULES = np.dtype(
    [
        ("n_steps", "i8"),
        ("offset", "i8", (MAX_STEPS,)),  # of the receiver; 0 for a discard
        ("kind", "i8", (MAX_STEPS,)),  # index of the decision
        ("discardable", "u8"),
        # Cards given to each seat, and those to be dealt; how a seat draws its hand: in DRAWS sets, each one of
        # `draw_bound` rows of Setup.subsets from `draw_from` on; a word whose rest is below `draw_unfair` is drawn
        # anew.
        ("given", "u8", (4,)),
        ("pool", "u8"),
        ("draw_bound", "u8", (3, DRAWS)),
        ("draw_from", "u8", (3, DRAWS)),
        ("draw_unfair", "u8", (3,)),
        ("again", "u8"),
        ("hunt_order", "i8"),
        ("wolf_order", "i8"),
        ("circles", "i8"),
        ("turns", "i8"),
        ("first_wolf_to", "i8"),
        ("ace_turns", "i8"),
        ("ace_needs", "i8"),
        ("caught_penalty", "i8"),
        ("tie_break", "i8"),
        ("points", "i8", (13,)),
        ("alive", "i8"),
        ("dead", "i8"),
        # What the table's policies need; skipped when nobody does. `all_noise`: every exchange decision is random.
        ("noise", "i8"),
        ("all_noise", "i8"),
        ("lapses", "i8"),
        ("forgets", "i8"),
        # How it is played and counted.
        ("probe", "i8"),
        ("rank_by_rank", "i8"),
        ("plays", "i8"),
        ("combinations", "i8"),
        ("policies", "i8"),
        ("slots", "i8"),
        ("score_low", "i8"),
        ("score_step", "i8"),
        ("score_bins", "i8"),
    ]
)

ASCENDING, DESCENDING, SHUFFLED = range(3)
LEFT_OF_DINGO, LEFT_OF_DEALER, DRAWN = range(3)
TO_DINGO_PLAYER, TO_OWNER, TO_DISCARD = range(3)
HIGHEST_RABBIT, HIGHEST_VALUE, SHARED = range(3)
PERFECT, NONE, TOP_CARD, CHANCE = range(4)
ALIVE, DEAD, HIDDEN, ABSENT = range(4)

COUNTERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    *UNIT_COUNTERS,
    ("disqualified", ("policy", "seat")),
    ("seat_win_sq", ("seat",)),
    ("seat_points_sq", ("seat",)),
    ("score", ("policy", "seat", "point")),
    ("top", ("tied", "broken")),
    ("outcome", ("outcome", "rank")),
    ("lone_first", ("place", "rank")),
    ("overtaken", ("place", "rank")),
    ("ace", ("wolves_held", "rabbit_place", "fate")),
    ("dealt", ("seat", "card")),
    ("card_win", ("card",)),
    ("card_points", ("card",)),
    ("handling", ("handling", "card")),
    ("ending", ("ending", "card")),
    ("lead_changes", ("changes",)),
    ("probe_n", ("arm", "place", "rank")),
    ("probe_win", ("arm", "place", "rank")),
    ("probe_points", ("arm", "place", "rank")),
)
"""Grouped counters in the order and with the axes in which the kernel keeps them, one after the other in a
row of int64.
"""

(DISQUALIFIED, SEAT_WIN_SQ, SEAT_POINTS_SQ, SCORE, TOP, OUTCOME, LONE_FIRST, OVERTAKEN, ACE, DEALT, CARD_WIN,
 CARD_POINTS, HANDLING, ENDING, LEAD_CHANGES, PROBE_N, PROBE_WIN,
 PROBE_POINTS) = range(len(UNIT_COUNTERS), len(COUNTERS))  # fmt: skip


class Setup(NamedTuple):
    """Rules and table as the kernel reads them. C-contiguous arrays; A combinations, R = A * plays
    arrangements, P policies.
    """

    rules: NDArray[np.void]
    """(1,) RULES."""
    subsets: NDArray[np.uint64]
    """(10701,) the empty set, then every single, pair and triple of 40 places, each kind in colexicographic order, so
    that those of fewer places come first.
    """
    exchange: NDArray[np.uint16]
    """(P * 7 * 1024,): for each rank's situation, the card to part with: worth's order (from 1) << 6 | 63 - card, or
    0.
    """
    seating: NDArray[np.int64]
    """(R, 4) policy of each seat."""
    slot: NDArray[np.int64]
    """(R, 4) which of its combination's distinct policies that is."""
    who: NDArray[np.int64]
    """(A, 4) the combination's distinct policies, then -1."""
    held: NDArray[np.int64]
    """(A, 4, 4) plays in a unit of a slot's policy at a seat."""
    lays: NDArray[np.uint64]
    """(R * 8 * 9,) seat fields, by turn: ranks at which each seat lays its one wolf, by whereabouts of the other; then
    those at which it lays one, two of its two.
    """
    ace: NDArray[np.uint8]
    """(P * 1080,) wolves laid | rabbit laid << 2, by situation."""
    noise: NDArray[np.uint64]
    """(P, 10) chance of a random move by decision, of 2^64."""
    lapse: NDArray[np.uint64]
    """(P,) likewise."""
    memory: NDArray[np.int64]
    """(P,) PERFECT ... CHANCE."""
    remember: NDArray[np.uint64]
    """(P,) chance of remembering, of 2^64."""
    at: NDArray[np.int64]
    """(len(COUNTERS) + 1,) where each counter starts in a row; last, the row's length."""
    marks: NDArray[np.int64]
    """(M + 1,) unit indices at which the running sums' segments begin."""
