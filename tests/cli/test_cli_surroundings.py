"""The command where it is run: folders, disks, streams, locales and signals that are not what one expects."""

from __future__ import annotations

import ctypes
import json
import os
import pty
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.kernels.jit import CACHE

PACKAGE = str(Path(analyzer.__file__).parent.parent)
WARM = str(CACHE.parent.parent if CACHE else "")
"""Where the simulator lies compiled."""
FAKE = """
import os, sys, time, types
import analyzer.studies
from analyzer.report.folder import replacing

def run(scenario, *, progress, stop, **rest):
    progress("compiling", 0, 1)
    step = 0
    while not ("short" in sys.argv[0] and step == 3):
        progress("main", step, 10**6)
        step += 1
        # As the program does: who waits for an event holds its lock, and a signal's handler that sets it would hang.
        time.sleep(0.01)
        if stop.is_set():
            break
    for batch in scenario.game.batches[1:]:
        progress(batch.name, 100, 100)
    results = {"seed": scenario.seed, "findings": []}

    def write(folder, command):
        with replacing(folder) as new:
            (new / "tables").mkdir()
            (new / "report.md").write_text("x" * 100_000)
            if "slow" in sys.argv[0]:
                print("writing", file=sys.stderr, flush=True)
                time.sleep(0.6)
            (new / "results.json").write_text(str(scenario.seed))

    return types.SimpleNamespace(results=results, partial=stop.is_set(), counted=step, write=write)

module = types.ModuleType("analyzer.studies.run")
module.run = run
sys.modules[module.__name__] = analyzer.studies.run = module
from analyzer.cli.main import main
main()
"""
"""A run that plays nothing: for ever, or `short`; writing the report may be `slow`. The report holds the seed."""

Program = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """Start the program around a run that plays nothing."""
    started = []

    def start(name: str, *args: Any, **options: Any) -> subprocess.Popen[str]:
        path = tmp_path / "programs" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(FAKE)
        options = {"cwd": tmp_path, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        options["text"] = options.get("text", True)
        options["env"] = {**os.environ, "PYTHONPATH": PACKAGE, **options.get("env", {})}
        process = subprocess.Popen([sys.executable, str(path), "run", "dingo-baseline", *map(str, args)], **options)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def wait_for(process: subprocess.Popen[str], text: str) -> None:
    assert process.stderr is not None
    line = " "
    while text not in line:
        line = process.stderr.readline()
        assert line


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """An old report."""
    folder = tmp_path / "r"
    folder.mkdir()
    (folder / "results.json").write_text("old")
    return folder


def whole(folder: Path) -> str:
    """Which report stands there, if it is whole and nothing lies beside it."""
    assert [path.name for path in folder.parent.iterdir() if path.name.startswith(f".{folder.name}.")] == []
    text = (folder / "results.json").read_text()
    assert text == "old" or (folder / "report.md").stat().st_size == 100_000
    return text


# Signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_makes_a_report_of_what_was_counted(program: Program, report: Path, number: int) -> None:
    process = program("long", "--out", "r", "--seed", 5)
    wait_for(process, "playing")
    process.send_signal(number)
    code, out, err = ended(process)
    assert (code, out) == (130, "r/report.html\n")
    assert "interrupted: the report holds the" in err
    assert whole(report) == "5"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_report_is_written_lets_it_be_written(program: Program, report: Path, number: int) -> None:
    process = program("short slow", "--out", "r", "--seed", 5)
    wait_for(process, "writing\n")
    process.send_signal(number)
    assert ended(process)[:2] == (0, "r/report.html\n")
    assert whole(report) == "5"


def test_a_second_signal_ends_at_once_and_the_old_report_stays(program: Program, report: Path) -> None:
    process = program("long slow", "--out", "r", "--seed", 5)
    wait_for(process, "playing")
    process.send_signal(signal.SIGTERM)
    wait_for(process, "writing\n")
    process.send_signal(signal.SIGTERM)
    code, out, err = ended(process)
    assert (code, out) == (130, "")
    assert err.endswith("analyzer: error: interrupted\n")
    assert whole(report) == "old"


def test_a_killed_run_leaves_the_old_report_and_the_next_start_clears_up(program: Program, report: Path) -> None:
    process = program("short slow", "--out", "r", "--seed", 5)
    wait_for(process, "writing\n")
    process.kill()
    process.wait()
    assert (report / "results.json").read_text() == "old"
    assert ended(program("short", "--out", "r", "--seed", 6))[0] == 0
    assert whole(report) == "6"


def test_a_run_under_nohup_survives_the_end_of_its_terminal(program: Program, report: Path) -> None:
    process = program(
        "long", "--out", "r", "--seed", 5, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    )
    wait_for(process, "playing")
    process.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert ended(process)[0] == 130


def test_a_terminal_that_is_closed_ends_the_run_with_a_report(program: Program, report: Path) -> None:
    ours, theirs = pty.openpty()
    process = program("long", "--out", "r", "--seed", 5, stderr=theirs, env={"TERM": "xterm"})
    os.close(theirs)
    seen = b""
    while b"playing" not in seen:
        seen += os.read(ours, 1024)
    os.close(ours)
    process.send_signal(signal.SIGHUP)
    assert ended(process)[:2] == (130, "r/report.html\n")
    assert whole(report) == "5"


# Folders


def test_two_runs_into_one_folder_leave_one_whole_report(program: Program, report: Path) -> None:
    both = [program("short slow", "--out", "r", "--seed", seed, "--json") for seed in (5, 6)]
    for process, seed in zip(both, (5, 6), strict=True):
        code, out, _ = ended(process)
        # Each tells its own results, whatever stands in the folder by now.
        assert (code, json.loads(out)["seed"]) == (0, seed)
    assert whole(report) in ("5", "6")


@pytest.mark.parametrize("out", [".", "", "..", "../../r", "../tables/.."])
def test_the_folder_in_which_it_is_run_is_not_replaced(program: Program, report: Path, out: str) -> None:
    (report / "tables").mkdir()
    inside = report / "tables" if ".." in out else report
    code, said, err = ended(program("short", "--out", out, cwd=inside))
    assert (code, said) == (2, "")
    assert "is where this command is run, and a report folder is replaced as a whole" in err
    assert whole(report) == "old"


def test_a_folder_that_is_gone_is_no_place_to_start_from(program: Program, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    for out, code in (("r", 2), (tmp_path / "r", 0)):
        gone.mkdir(exist_ok=True)
        process = program("short", "--out", out, cwd=gone, preexec_fn=gone.rmdir)
        found, _, err = ended(process)
        assert (found, "Traceback" in err) == (code, False)
    assert (tmp_path / "r" / "results.json").exists()


def test_links_lead_to_the_report(program: Program, report: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("r")
    (tmp_path / "dangling").symlink_to("later")
    (tmp_path / "loop").symlink_to("loop")
    for link, code in (("link", 0), ("dangling", 0), ("loop", 2)):
        assert ended(program("short", "--out", link, "--seed", 7))[0] == code
    assert whole(report) == "7"
    assert whole(tmp_path / "later") == "7"
    assert (tmp_path / "link").is_symlink()


def test_a_mask_for_oneself_alone_holds_for_the_report(program: Program, tmp_path: Path) -> None:
    assert ended(program("short", "--out", "a/r", preexec_fn=lambda: os.umask(0o077)))[0] == 0
    for path in (tmp_path / "a").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


HOSTILE = {
    "MPLBACKEND": "nonsense",
    "TMPDIR": "/nonexistent",
    "XDG_CACHE_HOME": "relative",
    "XDG_CONFIG_HOME": "/nonexistent",
    "COLUMNS": "-1",
    "TERM": "nonsense",
    "LC_ALL": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
}


def real(tmp_path: Path, *args: Any, cache: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """The simulator itself in surroundings of the worst kind: a folder that may only be read, no home, no input."""
    (tmp_path / "locked").mkdir(mode=0o555, exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if name != "HOME"}
    return subprocess.run(
        ["bash", "-c", 'exec "$@" <&-', "bash", sys.executable, "-m", "analyzer", "run", *map(str, args)],
        cwd=tmp_path / "locked",
        env={**environment, "PYTHONPATH": PACKAGE, **HOSTILE, "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        **options,
    )


def restrict() -> None:
    os.umask(0o077)
    bound()


def test_a_real_run_in_hostile_surroundings_is_a_run(tmp_path: Path) -> None:
    done = real(
        tmp_path, "dingo-baseline", "-n", 64, "--jobs", 1, "--quiet", "--out", "../größe a/r",
        cache=WARM, preexec_fn=restrict,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, os.fsencode("../größe a/r/report.html") + b"\n", b"")
    assert json.loads((tmp_path / "größe a" / "r" / "results.json").read_text("utf-8"))["count"] == 64
    assert list((tmp_path / "locked").iterdir()) == []


@pytest.mark.slow
def test_a_real_run_without_a_cache_that_may_be_written_takes_only_longer(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o555)
    for cache in ("/dev/null", str(tmp_path / "cache")):
        done = real(
            tmp_path, "rounce-sprint", "-n", 64, "--jobs", 1, "--quiet", "--out", tmp_path / "r",
            cache=cache, preexec_fn=restrict,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.slow
def test_a_real_run_onto_a_disk_that_fills_leaves_the_old_report(tmp_path: Path, report: Path) -> None:
    for size in (1_000, 20_000, 100_000, 300_000):
        limit = lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))  # noqa: E731
        done = real(
            tmp_path, "dingo-baseline", "-n", 64, "--jobs", 1, "--quiet", "--out", report,
            cache=WARM, preexec_fn=limit,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (1, b"")
        assert b"the file grew too large; the report that was there is whole\n" in done.stderr
        assert whole(report) == "old"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_real_run_that_is_told_to_end_reports_what_it_counted(tmp_path: Path, number: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "analyzer", "run", "dingo-baseline", "-n", "1_000_000_000", "--jobs", "1", "--out", "r"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": PACKAGE}, stdout=-1, stderr=-1, text=True,
    )  # fmt: skip
    wait_for(process, "playing")
    time.sleep(2)
    process.send_signal(number)
    assert ended(process)[:2] == (130, "r/report.html\n")
    assert 0 < json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))["count"] < 10**9


@pytest.mark.slow
def test_two_real_runs_into_one_folder_leave_one_whole_report(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "analyzer", "run", "dingo-baseline", "-n", "64", "--out", "r", "--seed"]
    options: dict[str, Any] = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": PACKAGE}, "text": True}
    both = [subprocess.Popen([*line, seed], stdout=-1, stderr=-1, **options) for seed in "567"]
    assert [ended(process)[0] for process in both] == [0, 0, 0]
    seed = json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))["seed"]
    assert json.loads((tmp_path / "r" / "run.json").read_text("utf-8"))["seed"] == seed
    assert json.loads((tmp_path / "r" / "tallies.json").read_text("utf-8"))["seed"] == seed
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_a_file_that_may_not_grow_leaves_the_old_report(program: Program, report: Path) -> None:
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))  # noqa: E731
    code, out, err = ended(program("short", "--out", "r", preexec_fn=limit))
    assert (code, out) == (1, "")
    assert f"cannot write the report {report}: the file grew too large; the report that was there is whole" in err
    assert whole(report) == "old"


def bound() -> None:
    """Let permissions count for the process about to start, whoever runs it: no capability overrides them."""
    libc = ctypes.CDLL(None, use_errno=True)
    for overrides in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        if os.geteuid() == 0 and libc.prctl(24, overrides, 0, 0, 0):  # PR_CAPBSET_DROP
            raise OSError(ctypes.get_errno(), "the capability cannot be dropped")


@pytest.mark.parametrize("out", [(), ("--out", "r"), ("--out", "new/r")])
def test_a_folder_that_may_only_be_read_is_told_before_anything_is_played(
    program: Program, tmp_path: Path, out: tuple[str, ...]
) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    code, said, err = ended(program("short", *out, cwd=folder, preexec_fn=bound))
    assert (code, said) == (2, "")
    assert err.startswith(f"analyzer: error: cannot write the report {folder}/")
    assert err.endswith(": there is no permission to write there\n")
    assert list(folder.iterdir()) == []


# Locales and names

NAMES = ["größe", "a b", "日本語", "e\u0301", "-n", "=cmd", "<script>", "$HOME", "it's", "%s", "..."]
PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("locale", [{}, {"LANG": "C"}, PLAIN], ids=["own", "C", "ascii"])
def test_a_path_may_have_any_letters_in_any_locale(program: Program, tmp_path: Path, locale: dict[str, str]) -> None:
    folder = tmp_path.joinpath("reports of", *NAMES)
    process = program("short", "--quiet", "--out", folder, env=locale, text=False)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert out == os.fsencode(folder / "report.html") + b"\n"
    assert (folder / "results.json").exists()


@pytest.mark.parametrize("locale", [{}, PLAIN], ids=["own", "ascii"])
@pytest.mark.parametrize("name", [b"gr\xc3\xb6\xc3\x9fe", b"latin-\xf6", b"a b", b"=cmd"])
def test_a_file_may_have_any_name_in_any_locale(tmp_path: Path, locale: dict[str, str], name: bytes) -> None:
    path = os.path.join(os.fsencode(tmp_path), name + b".toml")
    Path(os.fsdecode(path)).write_text('# Größer?\ngame = "dingo"\n', "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "analyzer", "check", path],
        env={**os.environ, "PYTHONPATH": PACKAGE, **locale}, capture_output=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"valid" in done.stdout
