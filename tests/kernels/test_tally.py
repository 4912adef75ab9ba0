"""Counting over lanes against plain loops."""

from __future__ import annotations

import random

import numpy as np
import pytest

from analyzer.kernels.tally import count_bits, sum_where

pytestmark = pytest.mark.modes


@pytest.mark.parametrize("n", [0, 1, 5, 64])
@pytest.mark.parametrize("bits", [1, 40, 48, 64])
def test_counts_and_sums_are_those_of_a_loop(n: int, bits: int) -> None:
    rng = random.Random(n * 100 + bits)
    sets = np.array([[rng.getrandbits(64) for _ in range(64)] for _ in range(4)], np.uint64)
    values = np.array([[rng.randint(-(2**40), 2**40) for _ in range(64)] for _ in range(4)], np.int64)
    counts, sums = np.full(64, 3, np.int64), np.full(64, -5, np.int64)
    count_bits(sets[0], n, counts, bits)
    sum_where(sets, values, n, sums, bits)
    has = [[[int(word) >> b & 1 for word in row[:n]] for row in sets] for b in range(64)]
    assert counts.tolist() == [3 + (sum(has[b][0]) if b < bits else 0) for b in range(64)]
    weighted = [
        sum(
            int(value) * bit
            for row, bits_ in zip(values, has[b], strict=True)
            for value, bit in zip(row, bits_, strict=False)
        )
        for b in range(64)
    ]
    assert sums.tolist() == [-5 + (weighted[b] if b < bits else 0) for b in range(64)]


def test_sixty_four_full_words_do_not_overflow_a_byte() -> None:
    sets = np.full(64, 2**64 - 1, np.uint64)
    counts = np.zeros(64, np.int64)
    count_bits(sets, 64, counts, 64)
    assert counts.tolist() == [64] * 64
