"""Runs that are killed at any moment, as processes of their own: what goes on from them is byte for byte the same."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import analyzer
from analyzer.report.results import dump_results

# The program with a checkpoint after every block, and no pictures, which take the longest.
OFTEN = """
import sys
import analyzer.report.bundle
import analyzer.studies.checkpoint
analyzer.studies.checkpoint.EVERY = float(sys.argv.pop(1))
analyzer.report.bundle.draw_all = lambda tables, confidence: []
from analyzer.cli.main import main
main()
"""


def start(home: Path, *args: object, every: float = 0.0) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", OFTEN, str(every), *map(str, args)]
    return subprocess.Popen(command, cwd=home, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def killed_after(process: subprocess.Popen[str], checkpoint: Path, seconds: float) -> bool:
    """Kill a process so long after it wrote its first checkpoint (or the one there changed); whether it was alive."""
    before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        try:
            if checkpoint.stat().st_mtime_ns != before:
                break
        except FileNotFoundError:
            pass
        time.sleep(0.005)
    time.sleep(seconds)
    process.kill()
    process.communicate()
    return process.returncode == -signal.SIGKILL


def kills(home: Path, scenario: str, count: int, waits: list[float], every: float = 0.0) -> tuple[int, str]:
    """Start a run, kill it, resume and kill it again, and at last let it end: the kills that met it, and what the last
    process said."""
    args = ("run", scenario, "-n", count, "--out", "r", "--jobs", 2, "--resume")
    checkpoint = home / "r.checkpoint"
    met = sum(killed_after(start(home, *args, every=every), checkpoint, wait) for wait in waits)
    process = start(home, *args, every=1e9)
    _, said = process.communicate(timeout=600)
    assert process.returncode == 0, said
    assert [path.name for path in home.iterdir()] == ["r"]
    return met, said


def test_a_run_that_is_killed_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    count = 2_000_000
    met, said = kills(tmp_path, "dingo-baseline", count, [0.0, 0.2])
    assert met == 2
    assert "going on after" in said
    assert " of them already played" in said
    results = (tmp_path / "r" / "results.json").read_text("utf-8")
    assert results == dump_results(analyzer.run("dingo-baseline", count=count).results)
    parts = json.loads((tmp_path / "r" / "run.json").read_text("utf-8"))["parts"]
    assert len(parts) == 3
    assert sum(part["count"] for part in parts) == count


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_kills_at_random_moments_change_no_byte(tmp_path: Path, seed: int) -> None:
    moments = random.Random(seed)
    scenario = moments.choice(["dingo-baseline", "dingo-field", "rounce-baseline-3", "rounce-field", "dingo-race"])
    count = moments.randint(1, 40) * (10_000 if scenario.startswith("dingo") else 1_000)
    waits = [moments.expovariate(2.0) for _ in range(moments.randint(2, 8))]
    kills(tmp_path, scenario, count, waits, every=moments.choice([0.0, 0.05, 0.3]))
    results = (tmp_path / "r" / "results.json").read_text("utf-8")
    assert results == dump_results(analyzer.run(scenario, count=count).results)


def test_control_c_leaves_what_resume_goes_on_from(tmp_path: Path) -> None:
    process = start(tmp_path, "run", "dingo-baseline", "-n", 10**9, "--out", "r", "--jobs", 1, every=1e9)
    assert process.stderr is not None
    while "playing" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume goes on from there" in said
    counted = json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))["count"]
    assert (tmp_path / "r.checkpoint").exists()
    process = start(tmp_path, "run", "dingo-baseline", "-n", counted + 1000, "--out", "r", "--resume", every=1e9)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert f"going on after {counted:,} deals of 1,000,000,000, from" in said
    assert os.listdir(tmp_path) == ["r"]
    results = (tmp_path / "r" / "results.json").read_text("utf-8")
    assert results == dump_results(analyzer.run("dingo-baseline", count=counted + 1000).results)
