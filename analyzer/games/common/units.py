"""What every game counts once a unit: sums and squares over its plays by policy and seat, and pairs of
policies on the same cards.

A game's batch has the fields `unit`, `unit_win` and `unit_points` (4, 4, lanes: by slot of its
combination's policies and seat), its setup `who`, `held` and `at`, its rules record `slots`,
`combinations` and `policies`; `UNIT_COUNTERS` come first in its row of counters.
"""

from __future__ import annotations

import numpy as np

from analyzer.kernels.jit import kernel

RECORD_FIELDS = (
    ("win", "i1", (4,)),
    ("points", "i4", (4,)),
)
"""Fields that the record of a play begins with in every game, by seat: win shares in twelfths, points. Seats that
are not played keep 0.
"""

UNIT_COUNTERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("units", ()),
    ("no_winner", ()),
    ("seated", ("policy", "seat")),
    ("plays", ("policy", "seat")),
    ("win", ("policy", "seat")),
    ("win_sq", ("policy", "seat")),
    ("points", ("policy", "seat")),
    ("points_sq", ("policy", "seat")),
    ("play_points_sq", ("policy", "seat")),
    ("policy_units", ("policy",)),
    ("policy_plays", ("policy",)),
    ("policy_win_sq", ("policy",)),
    ("policy_points_sq", ("policy",)),
    ("pair_units", ("pair",)),
    ("pair_scale", ("pair",)),
    ("pair_win", ("pair",)),
    ("pair_win_sq", ("pair",)),
    ("pair_points", ("pair",)),
    ("pair_points_sq", ("pair",)),
)

(
    UNITS,
    NO_WINNER,
    SEATED,
    PLAYS,
    WIN,
    WIN_SQ,
    POINTS,
    POINTS_SQ,
    PLAY_POINTS_SQ,
    POLICY_UNITS,
    POLICY_PLAYS,
    POLICY_WIN_SQ,
    POLICY_POINTS_SQ,
    PAIR_UNITS,
    PAIR_SCALE,
    PAIR_WIN,
    PAIR_WIN_SQ,
    PAIR_POINTS,
    PAIR_POINTS_SQ,
) = range(len(UNIT_COUNTERS))


@kernel
def clear_unit(batch, slots, seats, j):
    """Set a lane's sums over a unit's plays to 0."""
    for q in range(slots):
        for s in range(seats):
            batch.unit_win[q, s, j] = 0
            batch.unit_points[q, s, j] = 0


@kernel
def add_plays(batch, setup, row, seats, win, points, arrangement, first, n, step):
    """Add results of one play, `win` and `points` (seats, lanes), to their units' sums and to the squares of single
    plays: n lanes of one arrangement, every `step`-th from `first` on.
    """
    for s in range(seats):
        slot = setup.slot[arrangement, s]
        squares = 0
        for i in range(n):
            j = first + i * step
            gained = np.int64(points[s, j])
            batch.unit_win[slot, s, j] += win[s, j]
            batch.unit_points[slot, s, j] += gained
            squares += gained * gained
        row[setup.at[PLAY_POINTS_SQ] + setup.seating[arrangement, s] * seats + s] += squares


@kernel
def record_play(records, unit, play, seats, win, points, j):
    """Write a lane's result into row (unit, play) of `records`."""
    record = records[unit, play]
    for s in range(seats):
        record.win[s] = win[s, j]
        record.points[s] = points[s, j]


@kernel
def count_units(batch, setup, row, running, seats, combination, first, n, step):
    """Count units once all their plays are over: n lanes of one combination, every `step`-th from `first` on.
    `running` holds win shares, then plays, then squares, by policy and seat, then squares by policy.
    """
    at, cells = setup.at, setup.rules[0].policies * seats
    row[at[UNITS]] += n
    for q in range(setup.rules[0].slots):
        policy = setup.who[combination, q]
        if policy < 0:
            break
        plays = 0
        for s in range(seats):
            held = setup.held[combination, q, s]
            if held == 0:
                continue
            win, win_sq, points, points_sq = 0, 0, 0, 0
            for i in range(n):
                j = first + i * step
                w, p = np.int64(batch.unit_win[q, s, j]), np.int64(batch.unit_points[q, s, j])
                win += w
                win_sq += w * w
                points += p
                points_sq += p * p
            cell = policy * seats + s
            row[at[SEATED] + cell] += n
            row[at[PLAYS] + cell] += n * held
            row[at[WIN] + cell] += win
            row[at[WIN_SQ] + cell] += win_sq
            row[at[POINTS] + cell] += points
            row[at[POINTS_SQ] + cell] += points_sq
            running[cell] += win
            running[cells + cell] += n * held
            running[2 * cells + cell] += win_sq
            plays += held
        win_sq, points_sq = 0, 0
        for i in range(n):
            w, p = slot_sums(batch, seats, q, first + i * step)
            win_sq += w * w
            points_sq += p * p
        row[at[POLICY_UNITS] + policy] += n
        row[at[POLICY_PLAYS] + policy] += n * plays
        row[at[POLICY_WIN_SQ] + policy] += win_sq
        running[3 * cells + policy] += win_sq
        row[at[POLICY_POINTS_SQ] + policy] += points_sq
        for other in range(q):
            count_pair(batch, setup, row, seats, combination, other, q, first, n, step)


@kernel
def slot_sums(batch, seats, q, j):
    """Win shares and points of a slot's policy at all its seats; 0 where it did not sit."""
    win, points = 0, 0
    for s in range(seats):
        win += np.int64(batch.unit_win[q, s, j])
        points += np.int64(batch.unit_points[q, s, j])
    return win, points


@kernel
def count_pair(batch, setup, row, seats, combination, a, b, first, n, step):
    """The difference of two policies on each unit, in whole numbers: each's sum times the other's plays (over
    their divisor). Lanes as in `count_units`.
    """
    at = setup.at
    one, other = setup.who[combination, a], setup.who[combination, b]
    plays_a, plays_b = 0, 0
    for s in range(seats):
        plays_a += setup.held[combination, a, s]
        plays_b += setup.held[combination, b, s]
    divisor, rest = plays_a, plays_b
    while rest > 0:
        divisor, rest = rest, divisor % rest
    times_a, times_b = plays_b // divisor, plays_a // divisor
    policies = setup.rules[0].policies
    # Pairs (x, y), x < y, in lexicographic order.
    pair = one * (2 * policies - one - 1) // 2 + other - one - 1
    win_sum, win_sq, points_sum, points_sq = 0, 0, 0, 0
    for i in range(n):
        win_a, points_a = slot_sums(batch, seats, a, first + i * step)
        win_b, points_b = slot_sums(batch, seats, b, first + i * step)
        win = times_a * win_a - times_b * win_b
        points = times_a * points_a - times_b * points_b
        win_sum += win
        win_sq += win * win
        points_sum += points
        points_sq += points * points
    row[at[PAIR_WIN] + pair] += win_sum
    row[at[PAIR_WIN_SQ] + pair] += win_sq
    row[at[PAIR_POINTS] + pair] += points_sum
    row[at[PAIR_POINTS_SQ] + pair] += points_sq
    row[at[PAIR_UNITS] + pair] += n
    row[at[PAIR_SCALE] + pair] += n * plays_a * times_a
