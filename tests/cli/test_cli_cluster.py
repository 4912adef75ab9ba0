"""`--cluster`: what is refused, and runs on worker processes that are killed and interrupted, as a user's are."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import analyzer
from analyzer.report.results import dump_results


def test_the_study_plays_on_the_cluster(
    invoke: Callable[..., Result], study: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("analyzer.sim.cluster.workers", lambda address, say: nullcontext((address, say)))
    args = ("run", "dingo-baseline", "-n", 10, "--out", tmp_path / "r", "--cluster", "tcp://10.0.0.1:8786")
    assert invoke(*args).exit_code == 0
    address, say = study.workers
    assert address == "tcp://10.0.0.1:8786"
    say("loud")
    assert invoke(*args, "--quiet").exit_code == 0


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (
            ("--cluster", "local:none"),
            "Invalid value for '--cluster': 'local:none' is no cluster; allowed: tcp://HOST:PORT",
        ),
        (("--cluster", "local:2", "--jobs", 2), "--jobs and --cluster do not go together"),
    ],
)
def test_what_is_refused(invoke: Callable[..., Result], study: Any, tmp_path: Path, args: Any, told: str) -> None:
    result = invoke("run", "dingo-baseline", "-n", 10, "--out", tmp_path / "r", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr
    assert list(tmp_path.iterdir()) == []
    assert study.scenario is None


def test_without_the_extra(
    invoke: Callable[..., Result], study: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    args = ("run", "dingo-baseline", "-n", 10, "--out", tmp_path / "r")
    result = invoke(*args, "--cluster", "local:2")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith("analyzer: error: --cluster needs Dask: pip install 'strategy-analyzer[cluster]'\n")
    assert list(tmp_path.iterdir()) == []
    assert invoke(*args).exit_code == 0


def started(home: Path, count: int) -> tuple[subprocess.Popen[str], list[int]]:
    """A run on two worker processes, in a session of its own, that has begun to count; and the two."""
    import psutil

    command = [sys.executable, "-m", "analyzer", "run", "dingo-baseline", "-n", str(count), "--cluster", "local:2"]
    process = subprocess.Popen(
        [*command, "--out", "r"], cwd=home, text=True, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stderr is not None
    while "playing:" not in process.stderr.readline():
        assert process.poll() is None
    children = psutil.Process(process.pid).children(recursive=True)
    return process, [child.pid for child in children if any("spawn_main" in word for word in child.cmdline())]


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_of_a_run_changes_no_byte(tmp_path: Path) -> None:
    process, workers = started(tmp_path, 20_000_000)
    assert len(workers) == 2
    os.kill(workers[0], signal.SIGKILL)
    _, said = process.communicate(timeout=600)
    assert process.returncode == 0, said
    assert "Traceback" not in said
    home = analyzer.run("dingo-baseline", count=20_000_000)
    assert (tmp_path / "r/results.json").read_text("utf-8") == dump_results(home.results)


@pytest.mark.slow
def test_an_interrupt_in_the_terminal_leaves_the_prefix_and_no_process(tmp_path: Path) -> None:
    process, workers = started(tmp_path, 10**9)
    while "per second" not in process.stderr.readline():  # type: ignore[union-attr]
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=600)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    results = json.loads((tmp_path / "r/results.json").read_text("utf-8"))
    assert 0 < results["count"] < 10**9
    home = analyzer.run("dingo-baseline", count=results["count"])
    assert (tmp_path / "r/results.json").read_text("utf-8") == dump_results(home.results)
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)
