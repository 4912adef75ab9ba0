"""The decorator's promises: one cache folder a digest, no compile at import, cost of a missing cache only time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from analyzer.kernels import jit

PROGRAM = """
from analyzer.kernels import jit, bits
from analyzer.kernels.bits import U
assert bits.count.signatures == []
print(bits.count(U(7)), jit.CACHE)
"""


def run(**environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_the_digest_changes_with_the_mode(tmp_path: Path) -> None:
    plain = run(NUMBA_CACHE_DIR=str(tmp_path))
    checked = run(NUMBA_CACHE_DIR=str(tmp_path), NUMBA_BOUNDSCHECK="1")
    assert plain[0] == checked[0] == "3"
    assert plain[1] != checked[1]
    assert Path(plain[1]).parent == Path(checked[1]).parent == tmp_path / "strategy-analyzer"


def test_an_unwritable_cache_costs_only_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert run(NUMBA_CACHE_DIR=str(blocked)) == ["3", "None"]


def test_the_digest_covers_every_kernel_and_game_source() -> None:
    before = jit.source_digest()
    assert before == jit.source_digest()
    assert len(before) == 20
