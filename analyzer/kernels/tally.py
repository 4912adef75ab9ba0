"""Counting over the lanes of a batch: how often each of 64 bits is set, a phase at a time."""

from __future__ import annotations

import numpy as np

from analyzer.kernels.bits import ONE, U
from analyzer.kernels.jit import kernel

_BYTES = U(0x0101010101010101)


@kernel
def count_bits(sets, n, out, bits):
    """Add to out[b] how many of the first `n` (at most 64) words have bit b, for b < bits. `out` is modified
    in place.

    Every eighth bit is counted at once, in the bytes of one word; 64 words cannot overflow a byte.
    """
    for k in range(8):
        shift = U(k)
        total = U(0)
        for j in range(n):
            total += (sets[j] >> shift) & _BYTES
        for byte in range(8):
            bit = 8 * byte + k
            if bit < bits:
                out[bit] += np.int64((total >> U(8 * byte)) & U(255))


@kernel
def sum_where(sets, values, n, out, bits):
    """Add to out[b] the sum of `values` (4, lanes) int64 where `sets`, of the same shape, has bit b, over the first `n`
    lanes, for b < bits.
    """
    for b in range(bits):
        shift = U(b)
        total = np.int64(0)
        for j in range(n):
            for row in range(4):
                total += values[row, j] & -np.int64((sets[row, j] >> shift) & ONE)
        out[b] += total
