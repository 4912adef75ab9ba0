"""Sets in one 64-bit word. A set is uint64 and meets only uint64."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.kernels import jit
from analyzer.kernels.jit import kernel

U = np.uint64
ZERO = U(0)
ONE = U(1)


def full_mask(n: int) -> int:
    """The lowest n bits, n from 0 to 64."""
    return (1 << n) - 1


@kernel
def count(x):
    """Number of elements; compiles to one instruction."""
    x = x - ((x >> U(1)) & U(0x5555555555555555))
    x = (x & U(0x3333333333333333)) + ((x >> U(2)) & U(0x3333333333333333))
    x = (x + (x >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * U(0x0101010101010101)) >> U(56))


@kernel
def lowest(x):
    """Index of the lowest element of a set that is not empty."""
    return count((x & (ZERO - x)) - ONE)


@kernel
def nth_by_clearing(x, n):
    """The n-th element (from 0) of a set, as a set of one; n below its size."""
    for _ in range(n):
        x = x & (x - ONE)
    return x & (ZERO - x)


def _high_product_plain(a, b):
    return U((int(a) * int(b)) >> 64)


high_product: Any = jit.high_product if jit.COMPILED else _high_product_plain
"""High 64 bits of the product of two words."""


@kernel
def scatter_by_bits(x, mask):
    """The low bits of a word put, in order, where `mask` has bits."""
    result = ZERO
    while mask != ZERO:
        one = mask & (ZERO - mask)
        if x & ONE:
            result |= one
        x >>= ONE
        mask ^= one
    return result


@kernel
def gather_by_bits(x, mask):
    """The bits of a word that lie where `mask` has bits, side by side from bit 0: undoes `scatter`."""
    result, place = ZERO, ONE
    while mask != ZERO:
        one = mask & (ZERO - mask)
        if x & one:
            result |= place
        place <<= ONE
        mask ^= one
    return result


if jit.HAS_PDEP:

    @kernel
    def nth(x, n):
        """The n-th element (from 0) of a set, as a set of one; n below its size."""
        return jit.deposit(ONE << U(n), x)

    @kernel
    def scatter(x, mask):
        """The low bits of a word put, in order, where `mask` has bits."""
        return jit.deposit(x, mask)

    @kernel
    def gather(x, mask):
        """The bits of a word that lie where `mask` has bits, side by side from bit 0: undoes `scatter`."""
        return jit.extract(x, mask)

else:
    nth, scatter, gather = nth_by_clearing, scatter_by_bits, gather_by_bits


@kernel
def gather3(x):
    """Bits 0, 3, 6 ... 45 of a word as its lowest 16 bits (Morton decoding; Warren, Hacker's Delight, ch. 7)."""
    x = x & U(0x0000249249249249)
    x = (x ^ (x >> U(2))) & U(0x00000C30C30C30C3)
    x = (x ^ (x >> U(4))) & U(0x000000F00F00F00F)
    x = (x ^ (x >> U(8))) & U(0x000000FF0000FF)
    return (x ^ (x >> U(16))) & U(0xFFFF)


@kernel
def spread3(x):
    """The lowest 16 bits of a word as bits 0, 3, 6 ... 45: the inverse of `gather3`."""
    x = x & U(0xFFFF)
    x = (x ^ (x << U(16))) & U(0x000000FF0000FF)
    x = (x ^ (x << U(8))) & U(0x000000F00F00F00F)
    x = (x ^ (x << U(4))) & U(0x00000C30C30C30C3)
    return (x ^ (x << U(2))) & U(0x0000249249249249)


@kernel
def rotate_right(x, n):
    """Rotate by n, 1 to 63."""
    return (x >> U(n)) | (x << U(64 - n))
