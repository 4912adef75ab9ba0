"""Look-ups of 64 lanes at once against a loop, and the processor's instruction against plain code."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.kernels.lookup import COLUMN, raise_to, raise_to_plain

pytestmark = pytest.mark.modes


@pytest.mark.parametrize("look_up", [raise_to, raise_to_plain], ids=["raise_to", "raise_to_plain"])
@pytest.mark.parametrize("size", [64, 256])
def test_each_lane_keeps_the_larger_of_what_it_had_and_what_it_finds(look_up: object, size: int) -> None:
    rng = np.random.default_rng(size)
    for at in (0, 5, 700):
        table = rng.integers(0, 1 << 16, 1024, dtype=np.uint16)
        index = rng.integers(0, size, COLUMN, dtype=np.uint8)
        index[:2] = 0, size - 1
        best = rng.integers(0, 1 << 16, COLUMN, dtype=np.uint16)
        wanted = np.maximum(best, table[at + index.astype(int)])
        look_up(best, table, np.uint64(at), index, size)  # type: ignore[operator]
        assert (best == wanted).all()
