"""The comparison of instruction counts: what is too far is told, and a kernel made slower is found."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import instructions
import pytest

from analyzer.games.registry import GAMES

ROOT = Path(__file__).parents[2]
LAST = "    return z ^ (z >> U(31))\n"
PROGRAM = str(ROOT / "tests/bench/instructions.py")


def test_what_is_too_far_either_way_or_missing_is_told() -> None:
    assert instructions.compared({"a": 1000, "b": 1000}, {"a": 1004, "b": 996}) == (
        ["a: 1,004 instructions, 1,000 on record, +0.40%", "b: 996 instructions, 1,000 on record, -0.40%"],
        True,
    )
    for found, told in (
        (1006, "a: 1,006 instructions, 1,000 on record, +0.60% (too far)"),
        (994, "a: 994 instructions, 1,000 on record, -0.60% (too far)"),
    ):
        assert instructions.compared({"a": 1000}, {"a": found}) == ([told], False)
    assert instructions.compared({"a": 1, "b": 1}, {"a": 1}) == (
        ["a: 1 instructions, 1 on record, +0.00%", "b: not played any more"],
        False,
    )
    assert instructions.compared({}, {"a": 1}) == (["a: not on record"], False)


def test_without_valgrind_the_reason_is_told_and_nothing_fails() -> None:
    environment = {**os.environ, "PATH": "/nonexistent"}
    for task, code in (("", 0), ("record", 1)):
        line = [sys.executable, PROGRAM, *task.split()]
        done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (code, "")
        assert done.stdout.startswith("instructions are not counted: ")


@pytest.mark.slow
@pytest.mark.skipif(bool(instructions.missing()), reason=instructions.missing())
def test_a_kernel_made_slower_is_found(tmp_path: Path) -> None:
    """A third round of mixing in every random word."""
    shutil.copytree(ROOT / "analyzer", tmp_path / "analyzer", ignore=shutil.ignore_patterns("__pycache__"))
    source = tmp_path / "analyzer/kernels/rng.py"
    text = source.read_text("utf-8")
    assert text.count(LAST) == 1
    source.write_text(text.replace(LAST, f"    z = (z ^ (z >> U(31))) * _MIX_1\n{LAST}"), "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    slower = re.findall(r"^(\w+): .*, \+[\d.]+% \(too far\)$", done.stdout, re.MULTILINE)
    assert set(slower) == set(GAMES), done.stdout
