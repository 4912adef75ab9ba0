"""The installed command as a process of its own."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

ANALYZER = shutil.which("analyzer") or str(Path(sys.executable).with_name("analyzer"))
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


def call(*args, **options):
    return subprocess.run([ANALYZER, *map(str, args)], capture_output=True, text=True, timeout=120, **options)


def imported(*args):
    """Modules that a command imports."""
    code = f"""
    import sys
    from analyzer.cli.main import cli
    try:
        cli.main({list(args)!r})
    finally:
        print("MODULES", *sorted(sys.modules))
    """
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60, check=False
    )
    return set(result.stdout.rsplit("MODULES", 1)[1].split())


HEAVY = {"numba", "pandas", "matplotlib", "pydantic", "scipy", "numpy", "rich", "jinja2"}


@pytest.mark.parametrize(
    ("args", "may"),
    [
        (["--help"], set()),
        (["--version"], set()),
        (["run", "--help"], set()),
        (["scenarios"], set()),
        (["rules", "dingo"], {"numpy"}),
        (["check", "dingo-baseline"], {"numpy", "pydantic"}),
    ],
)
def test_a_command_imports_nothing_heavy_that_it_does_not_use(args, may):
    assert imported(*args) & HEAVY <= may


def test_importing_the_package_imports_nothing_else():
    code = "import sys, analyzer; print(*sys.modules)"
    listed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60).stdout.split()
    assert not HEAVY & set(listed)
    assert {name for name in listed if name.startswith("analyzer")} == {"analyzer"}


def test_bad_input_is_one_line_on_standard_error_and_exit_code_2(tmp_path):
    result = call("run", "dingo-baseline", "--set", "rules.points.low=many", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "analyzer: error: override 'rules.points.low=many': rules.points.low: 'many' is not allowed; "
        "allowed: a whole number from -1000 to 1000\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_name_in_no_encoding_of_the_terminal_is_escaped_not_a_fault(tmp_path):
    (tmp_path / "größe.toml").write_text('# Wie groß?\ngame = "dingo"\ntitle = "Größe −1"\n', "utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    options = {"cwd": tmp_path, "env": environment, "encoding": "latin-1"}
    result = call("check", "größe.toml", **options)
    assert (result.returncode, result.stderr) == (0, "")
    assert "Größe \\u22121" in result.stdout
    result = call("check", "−1.toml", **options)
    assert (result.returncode, result.stderr) == (2, "analyzer: error: \\u22121.toml: no such file\n")


def test_a_reader_that_went_away_is_no_fault():
    command = f"{shlex.quote(ANALYZER)} policies dingo | head -1"
    result = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1


def test_completion_offers_commands_scenarios_and_games():
    def complete(words, position):
        environment = {
            **os.environ,
            "_ANALYZER_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(position),
        }
        return call(env=environment).stdout.split()

    assert "plain,run" in complete("analyzer ", 1)
    assert "plain,dingo-race" in complete("analyzer run dingo-r", 2)
    assert "plain,dingo" in complete("analyzer rules d", 2)


FAKE = """
import sys, threading, time, types
import analyzer.studies
from analyzer.errors import Interrupted

def run(scenario, *, jobs, workers, progress, stop, before, keeper, records):
    progress("compiling", 0, 1)
    if "compiling" in sys.argv[0]:
        time.sleep(30)
    for step in range(3000):
        progress("main", step, 3000)
        time.sleep(0.01)
        if stop.is_set() or "short" in sys.argv[0] and step == 50:
            break
    for batch in scenario.game.batches[1:]:
        progress(batch.name, 100, 100)
    def write(folder, command):
        folder.mkdir(parents=True)
        (folder / "results.json").write_text("{}")
    findings = [{"sentence": "The sky is up."}]
    return types.SimpleNamespace(
        results={"findings": findings}, partial=stop.is_set(), counted=step, write=write
    )

module = types.ModuleType("analyzer.studies.run")
module.run = run
sys.modules[module.__name__] = analyzer.studies.run = module
from analyzer.cli.main import main
main()
"""


def fake(tmp_path, name, *args, **options):
    """A process whose simulator is a loop that waits to be stopped; `name` says how it behaves."""
    path = tmp_path / f"{name}.py"
    path.write_text(FAKE)
    return subprocess.Popen(
        [sys.executable, str(path), *args], cwd=tmp_path, text=True, stdout=subprocess.PIPE, **options
    )


def read_until(stream, text):
    seen = ""
    while text not in seen:
        line = stream.readline()
        assert line, seen
        seen += line
    return seen


def test_control_c_stops_with_a_report_and_exit_code_130(tmp_path):
    process = fake(tmp_path, "long", "run", "dingo-baseline", stderr=subprocess.PIPE)
    seen = read_until(process.stderr, "playing")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == "reports/dingo-baseline/report.html\n"
    assert (tmp_path / "reports/dingo-baseline/results.json").exists()
    assert "stopping..." in err
    assert re.search(r"deals? played until then", err)
    assert not CONTROL.search(seen + err)


def test_control_c_while_compiling_ends_at_once_without_a_report(tmp_path):
    process = fake(tmp_path, "compiling", "run", "dingo-baseline", stderr=subprocess.PIPE)
    read_until(process.stderr, "compiling")
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err.strip()) == (130, "", "analyzer: error: interrupted")
    assert not (tmp_path / "reports/dingo-baseline").exists()


def test_on_a_terminal_there_is_a_bar_and_findings_and_standard_output_stays_plain(tmp_path):
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    process = fake(tmp_path, "short", "run", "dingo-baseline", stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux: the other end is closed.
            break
        if not part:
            break
        seen += part
    os.close(ours)
    out, _ = process.communicate(timeout=20)
    shown = seen.decode()
    assert process.returncode == 0
    assert out == "reports/dingo-baseline/report.html\n"
    assert "\x1b[" in shown
    for told in ("playing", "deals per second", "writing the report", "- The sky is up."):
        assert told in shown


def test_a_real_run_writes_what_it_prints(tmp_path):
    result = call("run", "dingo-baseline", "-n", 2000, "--json", "--jobs", 1, cwd=tmp_path)
    assert result.returncode == 0
    folder = tmp_path / "reports" / "dingo-baseline"
    assert result.stdout == (folder / "results.json").read_text("utf-8")
    assert json.loads(result.stdout)["count"] == 2000
    assert (folder / "report.html").exists()
    assert not CONTROL.search(result.stderr)


def shell(command, tmp_path):
    """Exit code and output of a shell's line, in which "$@" is the program."""
    line = ["bash", "-c", command, "bash", sys.executable, "-m", "analyzer"]
    result = subprocess.run(line, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    return result.returncode, result.stdout, result.stderr


@pytest.mark.parametrize(
    ("streams", "out"),
    [
        ("2>&-", "r/report.html\n"),
        ("2>/dev/full", "r/report.html\n"),
        (">&-", ""),
        ("<&- >&- 2>&-", ""),
    ],
)
def test_a_run_is_not_lost_for_a_stream_that_takes_nothing(tmp_path, streams, out):
    code, said, _ = shell(f'"$@" run dingo-baseline -n 20 --jobs 1 --out r {streams}', tmp_path)
    assert (code, said) == (0, out)
    assert json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))["count"] == 20
    for path in (tmp_path / "r").rglob("*.*"):
        assert b"playing:" not in path.read_bytes()


def test_a_reader_of_the_messages_that_leaves_does_not_end_the_run(tmp_path):
    code, _, _ = shell('"$@" run dingo-baseline -n 20 --jobs 1 --out r 2>&1 | head -1; exit ${PIPESTATUS[0]}', tmp_path)
    assert code == 0
    assert (tmp_path / "r" / "report.html").exists()


@pytest.mark.parametrize("command", ["scenarios", "check dingo-baseline", "schema dingo", "--help"])
def test_a_full_disk_behind_standard_output_is_told_in_words(tmp_path, command):
    said = "analyzer: error: cannot write the output: the disk is full\n"
    assert shell(f'"$@" {command} > /dev/full', tmp_path) == (1, "", said)


def test_bad_input_with_closed_streams_still_ends_with_2(tmp_path):
    assert shell('"$@" check nothing <&- >&- 2>&-', tmp_path) == (2, "", "")


def test_control_c_while_the_program_loads_is_told_in_a_line():
    code = """
    import runpy, sys
    class Interrupts:
        def find_spec(self, name, *rest):
            if name == "click":
                raise KeyboardInterrupt
    sys.meta_path.insert(0, Interrupts())
    runpy.run_module("analyzer", run_name="__main__", alter_sys=True)
    """
    result = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "analyzer: error: interrupted\n")
