"""Any command line ends with 0, or with 2 and the reason; nothing is written but the report of a run."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from fuzz_input import WHOLE, damaged, examples, texts, toml, toml_value, values
from hypothesis import given
from hypothesis import strategies as st

import analyzer.studies
from analyzer.cli.main import COMMANDS, cli
from analyzer.report.folder import FILES, replacing
from analyzer.scenario.source import shipped_names

SCENARIO_COMMANDS = ("run", "check", "trace")
GAME_COMMANDS = ("rules", "policies", "schema")
OPTIONS = (
    "-n", "--count", "--seed", "--set", "--json", "--quiet", "--jobs", "--out", "--deal", "--deals", "--rotation",
    "--explain",
    "--format", "--features", "--presets", "--page", "--help", "-h", "--version", "--no-such", "-x", "--", "-",
)  # fmt: skip

numbers = st.one_of(st.sampled_from([str(n) for n in WHOLE if n < 10**40]), st.integers().map(str), texts)
sources = st.one_of(
    st.sampled_from(shipped_names()), st.sampled_from(["q.toml", "q", "", ".", "/", "/dev/null"]), texts
)
places = st.sampled_from(
    ["r", "a/b", "", ".", "..", "r/", "/dev/null", "q.toml", "q.toml/r", "é ü", "=cmd", "<b>", "-", "x" * 300]
)
keys = st.sampled_from(
    ["count", "seed", "title", "table.seats", "table.seating", "rules.points.low", "policies.careful.noise", "x"]
)


@st.composite
def changes(draw: Any) -> str:
    """The value of a `--set`."""
    value = draw(values)
    return f"{draw(keys)}={toml_value(value) if draw(st.booleans()) else value}"


@st.composite
def lines(draw: Any) -> list[str]:
    """Arguments: a command that is nearly right."""
    command = draw(st.sampled_from([*SCENARIO_COMMANDS, *SCENARIO_COMMANDS, *GAME_COMMANDS, "scenarios", "no-such"]))
    line = [command]
    if command in SCENARIO_COMMANDS:
        line.append(draw(sources))
    elif command in GAME_COMMANDS:
        line.append(draw(st.one_of(st.sampled_from(["dingo", "rounce"]), texts)))
    for option in draw(st.lists(st.sampled_from(OPTIONS), max_size=3)):
        line.append(option)
        if option in ("-n", "--count", "--seed", "--jobs", "--deal", "--deals", "--rotation"):
            line.append(draw(numbers))
        elif option == "--set":
            line.append(draw(changes()))
        elif option == "--out":
            line.append(draw(places))
        elif option == "--format":
            line.append(draw(st.sampled_from(["words", "jsonl", "", "xml"])))
    line.extend(draw(st.lists(texts, max_size=1)))
    return line


@pytest.fixture
def within(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to start in, and a simulator that plays nothing."""
    monkeypatch.chdir(tmp_path)

    def run(scenario: Any, **rest: Any) -> Any:
        def write(folder: Path, command: str) -> None:
            with replacing(folder) as new:
                (new / "results.json").write_text(json.dumps({"count": scenario.count, "seed": scenario.seed}))

        results = {"count": scenario.count, "seed": scenario.seed, "findings": []}
        return types.SimpleNamespace(results=results, partial=False, counted=scenario.count, write=write)

    module = types.ModuleType("analyzer.studies.run")
    module.run = run  # type: ignore[attr-defined]
    traces = types.ModuleType("analyzer.studies.trace")
    traces.trace = lambda scenario, deal, deals, rotation, explain: iter([[{"deal": deal}]])  # type: ignore[attr-defined]
    traces.words = lambda scenario, events: str(events)  # type: ignore[attr-defined]
    for name, fake in (("run", module), ("trace", traces)):
        monkeypatch.setitem(sys.modules, f"analyzer.studies.{name}", fake)
        monkeypatch.setattr(analyzer.studies, name, fake, raising=False)
    return tmp_path


def called(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args), prog_name="analyzer")


def check_end(result: Result, args: list[str]) -> None:
    """How any command ends."""
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.stderr
    assert "error: unexpected" not in result.stderr
    assert result.exit_code in (0, 2), result.stderr
    if result.exit_code == 2:
        assert result.stdout == ""
        assert result.stderr
        if result.stderr.startswith("analyzer: "):
            assert result.stderr.count("\n") == 1
            assert result.stderr[:-1].isprintable()


def check_folders(folder: Path, result: Result) -> None:
    """Nothing but whole reports, and none after an error; removes them."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.name != "q.toml"]
    assert all(path.name in FILES for path in found)
    assert not found or result.exit_code == 0
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.name != "q.toml":
            path.rmdir() if path.is_dir() else path.unlink()


@examples(200)
@given(lines())
def test_any_command_line_ends_in_order(within: Path, args: list[str]) -> None:
    (within / "q.toml").write_text('game = "dingo"\ncount = 64\n', "utf-8")
    args = [arg.replace("\0", "") for arg in args]
    result = called(*args)
    check_end(result, args)
    check_folders(within, result)


@examples(80)
@given(st.sampled_from([*COMMANDS]), st.lists(texts.filter(lambda text: "\0" not in text), max_size=4))
def test_any_arguments_end_in_order(within: Path, command: str, args: list[str]) -> None:
    """Of a process: no argument of one can hold a null character, which the conversion of paths would stumble over."""
    result = called(command, *args)
    check_end(result, args)
    check_folders(within, result)


@examples(80)
@given(damaged(), st.booleans())
def test_a_run_of_any_scenario_writes_what_check_tells_or_nothing(
    within: Path, document: dict[str, Any], surrogates: bool
) -> None:
    (within / "q.toml").write_bytes(toml(document).encode("utf-8", "surrogatepass" if surrogates else "replace"))
    checked, run = called("check", "q.toml", "--json"), called("run", "q.toml", "--quiet", "--json")
    check_end(checked, [])
    check_end(run, [])
    assert (checked.exit_code, checked.stderr) == (run.exit_code, run.stderr)
    if run.exit_code == 0:
        told, done = json.loads(checked.stdout), json.loads(run.stdout)
        assert (told["count"], told["seed"]) == (done["count"], done["seed"])
        assert json.loads((within / "reports" / "q" / "results.json").read_text()) == {
            key: done[key] for key in ("count", "seed")
        }
    check_folders(within, run)


@examples(40)
@given(texts.filter(lambda text: "/" not in text and "\0" not in text and text not in ("", ".", "..")))
def test_a_scenario_of_any_name_writes_below_reports_alone(within: Path, name: str) -> None:
    path = within / f"{name[:60]}.toml"
    try:
        path.write_text('game = "dingo"\ncount = 64\n', "utf-8")
    except (OSError, UnicodeEncodeError):
        return
    result = called("run", f"./{path.name}", "--quiet")
    path.unlink()
    check_end(result, [])
    assert result.exit_code == 0
    (report,) = (within / "reports").iterdir()
    assert (report / "results.json").exists()
    assert [entry.name for entry in within.iterdir()] == ["reports"]
    check_folders(within, result)
