"""Uniform choices without bias: a number below n, a subset of a set, and independent coins for 64 places at
once.
"""

from __future__ import annotations

import numpy as np

from analyzer.kernels.bits import ONE, ZERO, U, high_product, nth
from analyzer.kernels.jit import kernel
from analyzer.kernels.rng import word

_NEXT = U(1 << 56)
"""Added to an address for a further word there."""
_ALL = U(0xFFFFFFFFFFFFFFFF)


@kernel
def below(key, where, n):
    """Uniform in 0..n-1 as int64, n below 2^63 (Lemire 2019, "Fast random integer generation in an interval": multiply,
    reject the excess).
    """
    n = U(n)
    w = word(key, where)
    low = w * n
    if low < n:
        excess = (ZERO - n) % n
        while low < excess:
            where = where + _NEXT
            w = word(key, where)
            low = w * n
    return np.int64(high_product(w, n))


@kernel
def subset(key, where, cards, size, n):
    """A uniform `n`-subset of a set of `size` elements; size! / (size - n)! must be below 2^64.

    One random word gives all picks (Brackett-Rozinsky and Lemire 2024, "Batched ranged random integer
    generation").
    """
    while True:
        low = word(key, where)
        product = ONE
        rest = cards
        for i in range(n):
            bound = U(size - i)
            pick = nth(rest, high_product(low, bound))
            low = low * bound
            product = product * bound
            rest = rest ^ pick
        if low >= product or low >= (ZERO - product) % product:
            return cards ^ rest
        where = where + _NEXT


@kernel
def coins(key, where, chance):
    """64 independent coins, each 1 with chance `chance` / 2^64 (all ones for the largest word).

    Compares 64 random fractions with the chance, a binary digit of all of them a word, until none is
    undecided: about 8 words.
    """
    if chance == _ALL:
        return _ALL
    result = ZERO
    undecided = _ALL
    digit = U(63)
    while undecided != ZERO and chance != ZERO:
        w = word(key, where)
        where = where + _NEXT
        if (chance >> digit) & ONE:
            result = result | (undecided & ~w)
            undecided = undecided & w
        else:
            undecided = undecided & ~w
        if digit == ZERO:
            break
        digit = digit - ONE
    return result
