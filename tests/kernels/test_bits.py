"""Sets in a word against Python's integers."""

from __future__ import annotations

import random
from itertools import pairwise

import numba
import numpy as np
import pytest

from analyzer.kernels import bits, jit
from analyzer.kernels.bits import U

pytestmark = pytest.mark.modes

RNG = random.Random(7)
WORDS = [0, 1, 2**63, 2**64 - 1, *(RNG.getrandbits(64) & RNG.getrandbits(64) for _ in range(100))]


@pytest.fixture(autouse=True)
def _wrapping() -> object:
    with np.errstate(over="ignore"):
        yield


@pytest.mark.parametrize("n", [0, 1, 12, 40, 63, 64])
def test_full_mask(n: int) -> None:
    assert bits.full_mask(n).bit_count() == n
    assert bits.full_mask(n) < 2**64


def test_count_is_the_number_of_bits() -> None:
    assert [bits.count(U(word)) for word in WORDS] == [word.bit_count() for word in WORDS]


def test_lowest_and_nth_walk_the_elements_in_order() -> None:
    for word in WORDS:
        elements = [i for i in range(64) if word >> i & 1]
        if elements:
            assert bits.lowest(U(word)) == elements[0]
        for n, element in enumerate(elements):
            assert int(bits.nth(U(word), n)) == 1 << element
            assert int(bits.nth_by_clearing(U(word), n)) == 1 << element


def test_scatter_puts_bits_where_the_mask_has_them_and_gather_undoes_it() -> None:
    for word, mask in pairwise(WORDS):
        places = [i for i in range(64) if mask >> i & 1]
        scattered = sum(1 << place for k, place in enumerate(places) if word >> k & 1)
        gathered = sum(1 << k for k, place in enumerate(places) if word >> place & 1)
        for scatter in (bits.scatter, bits.scatter_by_bits):
            assert int(scatter(U(word), U(mask))) == scattered
        for gather in (bits.gather, bits.gather_by_bits):
            assert int(gather(U(word), U(mask))) == gathered


def test_high_product_is_that_of_python() -> None:
    if not jit.COMPILED:
        assert all(int(bits.high_product(U(a), U(b))) == a * b >> 64 for a, b in pairwise(WORDS))
        return

    through = numba.njit(lambda a, b: bits.high_product(a, b))
    for a, b in pairwise(WORDS):
        assert int(through(U(a), U(b))) == a * b >> 64


def test_every_third_bit_is_gathered_and_spread() -> None:
    for word in WORDS:
        gathered = sum((word >> 3 * i & 1) << i for i in range(16))
        assert int(bits.gather3(U(word))) == gathered
        assert int(bits.spread3(U(gathered))) == sum((gathered >> i & 1) << 3 * i for i in range(16))


def test_rotation_keeps_all_bits() -> None:
    for word in WORDS:
        for n in (1, 16, 48, 63):
            assert int(bits.rotate_right(U(word), n)) == ((word >> n) | (word << (64 - n))) % 2**64
