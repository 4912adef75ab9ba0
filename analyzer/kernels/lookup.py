"""Looking up 64 lanes in a small table, and keeping each lane's best."""

from __future__ import annotations

from analyzer.kernels import jit
from analyzer.kernels.bits import U
from analyzer.kernels.jit import kernel

COLUMN = 64
"""Lanes of a column."""


@kernel
def raise_to_plain(best, table, at, index, size):
    """best[j] = max(best[j], table[at + index[j]]) for all 64 lanes j.

    `best` (64,) and `table` uint16, `index` (64,) uint8 below `size`, a multiple of 64; `best` is modified in place.
    """
    for j in range(COLUMN):
        best[j] = max(best[j], table[U(at) + U(index[j])])


if jit.HAS_PERMUTE:

    @kernel
    def raise_to(best, table, at, index, size):
        """The same as `raise_to_plain`, 64 entries of the table at a time."""
        for block in range(size >> 6):
            jit.raise_block(best, table, U(at), index, U(block))

else:
    raise_to = raise_to_plain
