"""The decorator's promises: one cache folder a digest, no compile at import, cost of a missing cache only time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.kernels import jit

PROGRAM = """
from analyzer.kernels import jit, bits
from analyzer.kernels.bits import U
assert bits.count.signatures == []
print(bits.count(U(7)), jit.CACHE)
"""


def run(before: str = "", cwd: Path | None = None, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", before + PROGRAM],
        env={**os.environ, **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
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


@pytest.mark.parametrize("damage", [b"", b"\x80", b"not a pickle", None])
def test_a_damaged_cache_is_made_anew(tmp_path: Path, damage: bytes | None) -> None:
    _, folder = run(NUMBA_CACHE_DIR=str(tmp_path))
    kept = {path: path.read_bytes() for path in Path(folder).rglob("*.nb?")}
    assert {path.suffix for path in kept} == {".nbi", ".nbc"}
    for path, content in kept.items():
        path.write_bytes(content[: len(content) // 2] if damage is None else damage)
    assert run(NUMBA_CACHE_DIR=str(tmp_path))[0] == "3"
    assert all(len(path.read_bytes()) == len(content) for path, content in kept.items())


def test_a_full_disk_under_the_cache_costs_only_time(tmp_path: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))"
    assert run(limit, NUMBA_CACHE_DIR=str(tmp_path))[0] == "3"
    assert not [path for path in tmp_path.rglob("*.*") if path.is_file()]


@pytest.mark.parametrize("unknown", ["~", "relative", ""])
def test_a_home_that_is_not_known_makes_no_folder_where_a_run_is_started(tmp_path: Path, unknown: str) -> None:
    home = "import os; os.path.expanduser = lambda path: path"
    said = run(home, cwd=tmp_path, NUMBA_CACHE_DIR="", XDG_CACHE_HOME=unknown)
    assert said == ["3", "None"]
    assert list(tmp_path.iterdir()) == []


def test_the_digest_covers_every_kernel_and_game_source() -> None:
    before = jit.source_digest()
    assert before == jit.source_digest()
    assert len(before) == 20
