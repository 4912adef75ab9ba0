"""What every game counts once a unit: sums and squares over its plays by policy and seat, and pairs of
policies on the same cards.

A game's batch has the fields `unit`, `unit_win` and `unit_points` (4, 4, lanes: by slot of its
combination's policies and seat), its setup `who`, `held` and `at`, its rules record `slots`,
`combinations` and `policies`; `UNIT_COUNTERS` come first in its row of counters.
"""

from __future__ import annotations

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
def add_play(batch, setup, row, seats, arrangement, s, win, points, j):
    """Add one seat's result of one play to its unit's sums and to the squares of single plays; the cell of
    policy and seat.
    """
    slot = setup.slot[arrangement, s]
    batch.unit_win[slot, s, j] += win
    batch.unit_points[slot, s, j] += points
    cell = setup.seating[arrangement, s] * seats + s
    row[setup.at[PLAY_POINTS_SQ] + cell] += points * points
    return cell


@kernel
def record_play(records, unit, play, seats, win, points, j):
    """Write a lane's result into row (unit, play) of `records`."""
    record = records[unit, play]
    for s in range(seats):
        record.win[s] = win[s, j]
        record.points[s] = points[s, j]


@kernel
def count_unit(batch, setup, row, running, seats, j):
    """Count a lane's unit once all its plays are over. `running` holds win shares, then plays, by policy and seat."""
    rules = setup.rules[0]
    combination = batch.unit[j] % rules.combinations
    row[setup.at[UNITS]] += 1
    for q in range(rules.slots):
        policy = setup.who[combination, q]
        if policy < 0:
            break
        win, points, plays = 0, 0, 0
        for s in range(seats):
            held = setup.held[combination, q, s]
            if held > 0:
                w, p = batch.unit_win[q, s, j], batch.unit_points[q, s, j]
                cell = policy * seats + s
                row[setup.at[SEATED] + cell] += 1
                row[setup.at[PLAYS] + cell] += held
                row[setup.at[WIN] + cell] += w
                row[setup.at[WIN_SQ] + cell] += w * w
                row[setup.at[POINTS] + cell] += p
                row[setup.at[POINTS_SQ] + cell] += p * p
                running[cell] += w
                running[running.size // 2 + cell] += held
                win += w
                points += p
                plays += held
        row[setup.at[POLICY_UNITS] + policy] += 1
        row[setup.at[POLICY_PLAYS] + policy] += plays
        row[setup.at[POLICY_WIN_SQ] + policy] += win * win
        row[setup.at[POLICY_POINTS_SQ] + policy] += points * points
        for other in range(q):
            count_pair(batch, setup, row, seats, j, combination, other, q)


@kernel
def count_pair(batch, setup, row, seats, j, combination, a, b):
    """The difference of two policies on one unit, in whole numbers: each's sum times the other's plays (over
    their divisor).
    """
    first, second = setup.who[combination, a], setup.who[combination, b]
    plays_a, plays_b, win_a, win_b, points_a, points_b = 0, 0, 0, 0, 0, 0
    for s in range(seats):
        plays_a += setup.held[combination, a, s]
        plays_b += setup.held[combination, b, s]
        win_a += batch.unit_win[a, s, j]
        win_b += batch.unit_win[b, s, j]
        points_a += batch.unit_points[a, s, j]
        points_b += batch.unit_points[b, s, j]
    divisor, rest = plays_a, plays_b
    while rest > 0:
        divisor, rest = rest, divisor % rest
    times_a, times_b = plays_b // divisor, plays_a // divisor
    policies = setup.rules[0].policies
    # Pairs (x, y), x < y, in lexicographic order.
    pair = first * (2 * policies - first - 1) // 2 + second - first - 1
    win = times_a * win_a - times_b * win_b
    points = times_a * points_a - times_b * points_b
    row[setup.at[PAIR_UNITS] + pair] += 1
    row[setup.at[PAIR_SCALE] + pair] += plays_a * times_a
    row[setup.at[PAIR_WIN] + pair] += win
    row[setup.at[PAIR_WIN_SQ] + pair] += win * win
    row[setup.at[PAIR_POINTS] + pair] += points
    row[setup.at[PAIR_POINTS_SQ] + pair] += points * points
