"""Sums over the units of several arms that were played on the same deals, and of pairs of them: what a paired
difference needs, formed unit by unit.

A *row* is a set of (play, seat) places for each combination of policies; a unit's number in a row is the sum over these
places, of win shares in twelfths (quantity 0) or of points (quantity 1).
"""

from __future__ import annotations

import numpy as np

from analyzer.kernels.jit import kernel

GROUPS = 64
LANES = 64
QUANTITIES = 2
BEST = 3
"""So many of the most changed units are kept."""
POINTS_FIRST = 2048
"""A unit's change is that of its points, and where these are equal that of its win shares, which stay below."""


@kernel
def gather(win, points, start, play, seat, begin, n, unit, values):
    """Numbers of the units `begin` ... `begin` + n - 1 of a block, the first of which is number `unit`.

    `win`, `points` (arms, units, plays, seats); row r of combination c has the places start[c, r] ... start[c, r + 1]
    - 1 of `play` and `seat`; `values` (arms, 2, rows, 64) int32 is filled.
    """
    arms, _, rows, _ = values.shape
    combinations = start.shape[0]
    values[:] = 0
    # Units of one combination are every so many.
    for offset in range(min(combinations, n)):
        c = (unit + offset) % combinations
        for r in range(rows):
            for k in range(start[c, r], start[c, r + 1]):
                for a in range(arms):
                    won, scored = win[a, :, play[k], seat[k]], points[a, :, play[k], seat[k]]
                    for j in range(offset, n, combinations):
                        values[a, 0, r, j] += won[begin + j]
                        values[a, 1, r, j] += scored[begin + j]


@kernel
def add_sums(values, n, pairs, sums, products):
    """Add n units' numbers to `sums` (arms, 2, rows, 2: total, squares) and `products` (pairs, 2, rows, 2: products,
    units that differ).
    """
    arms, _, rows, _ = values.shape
    for q in range(QUANTITIES):
        for r in range(rows):
            for a in range(arms):
                total, squares = 0, 0
                for j in range(n):
                    value = np.int64(values[a, q, r, j])
                    total += value
                    squares += value * value
                sums[a, q, r, 0] += total
                sums[a, q, r, 1] += squares
            for p in range(pairs.shape[0]):
                one, other = pairs[p, 0], pairs[p, 1]
                product, differ = 0, 0
                for j in range(n):
                    first, second = np.int64(values[one, q, r, j]), np.int64(values[other, q, r, j])
                    product += first * second
                    differ += 1 if first != second else 0
                products[p, q, r, 0] += product
                products[p, q, r, 1] += differ


@kernel
def add_change(win, points, one, other, begin, n, unit, changed, best):
    """Add to `changed` (2,) the plays of n units whose win shares differ between two arms, and the squares of a unit's
    number of them; keep in `best` (3, 3) change, unit and play of the most changed units.
    """
    plays, seats = win.shape[2], win.shape[3]
    for j in range(n):
        differ, change, most, most_play = 0, 0, -1, 0
        for play in range(plays):
            moved, gained = 0, 0
            for s in range(seats):
                moved += abs(np.int64(win[other, begin + j, play, s]) - np.int64(win[one, begin + j, play, s]))
                gained += abs(np.int64(points[other, begin + j, play, s]) - np.int64(points[one, begin + j, play, s]))
            differ += 1 if moved else 0
            here = gained * POINTS_FIRST + moved
            change += here
            if here > most:
                most, most_play = here, play
        changed[0] += differ
        changed[1] += differ * differ
        if change > best[BEST - 1, 0]:
            keep(best, change, unit + j, most_play)


@kernel
def keep(best, change, unit, play):
    """Put a unit in its place among the most changed ones; earlier units come first among equals."""
    place = BEST - 1
    while place > 0 and change > best[place - 1, 0]:
        for part in range(3):
            best[place, part] = best[place - 1, part]
        place -= 1
    best[place, 0], best[place, 1], best[place, 2] = change, unit, play


@kernel
def count_arms(win, points, first, start, play, seat, pairs, values, units, sums, products, changed, best):
    """Count a block whose first unit is `first`. `units` (64, rows), `sums`, `products` and `changed` (64, ...) by
    group of units, `best` (pairs, 3, 3); all int64, added to in place. For the rest see above.
    """
    total = win.shape[1]
    combinations, rows = start.shape[0], start.shape[1] - 1
    begin = 0
    while begin < total:
        unit = first + begin
        n = min(LANES - unit % LANES, total - begin)
        group = unit // LANES % GROUPS
        gather(win, points, start, play, seat, begin, n, unit, values)
        add_sums(values, n, pairs, sums[group], products[group])
        for p in range(pairs.shape[0]):
            add_change(win, points, pairs[p, 0], pairs[p, 1], begin, n, unit, changed[group, p], best[p])
        for j in range(n):
            c = (unit + j) % combinations
            for r in range(rows):
                units[group, r] += 1 if start[c, r + 1] > start[c, r] else 0
        begin += n
