"""What the pages say is so: commands, links, names and examples."""

from __future__ import annotations

import importlib
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.cli.main import COMMANDS, command_named
from analyzer.errors import AnalyzerError, Interrupted, ScenarioError
from analyzer.games.policy import preset_names
from analyzer.games.registry import GAMES, game_named
from analyzer.games.spec import GameSpec
from analyzer.report.folder import PARTS
from analyzer.report.tables import view
from analyzer.scenario.source import shipped_names
from analyzer.studies.run import RunResult

ROOT = Path(__file__).parents[1]
REPORTS = sorted(path.parent for path in (ROOT / "reports/published").glob("*/report.md"))
BASELINES = {"dingo": "dingo-baseline", "rounce": "rounce-baseline-3"}
"""Of each game the scenario whose report the pages quote."""
FILES = [ROOT / "README.md", ROOT / "reports/README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in FILES}
README, POLICIES, PYTHON = PAGES["README.md"], PAGES["docs/policies.md"], PAGES["docs/python.md"]
PLACEHOLDERS = {"SCENARIO": "dingo-baseline", "GAME": "dingo", "NAME": "careful", "K": "7", "KEY=VALUE": "count=1000"}
MINUS = "\N{MINUS SIGN}"


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> GameSpec:
    return game_named(request.param)


def part(page: str, heading: str) -> str:
    """What stands under a heading of a page, up to the next one of its level or a higher one, without fenced blocks."""
    level = len(heading) - len(heading.lstrip("#"))
    text = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    assert text.count(f"\n{heading}\n") == 1, heading
    return re.split(rf"^#{{1,{level}}} ", text.split(f"\n{heading}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]


def blocks(language: str, page: str) -> list[str]:
    """Fenced blocks of a page that are in this language ("" for none)."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return [text for name, text in found if name == language]


def commands() -> Iterator[tuple[str, list[str]]]:
    """Command lines in fenced blocks, with their page, as words after the program's name."""
    for name, page in PAGES.items():
        for block in blocks("", page):
            for line in block.replace("\\\n", " ").splitlines():
                if line.startswith("analyzer "):
                    yield name, shlex.split(line.split(" | ")[0], comments=True)[1:]


def mentions() -> Iterator[tuple[str, list[str]]]:
    """Command lines inside sentences and tables."""
    for name, page in PAGES.items():
        for text in re.findall(r"`analyzer ([^`]+)`", page):
            yield name, shlex.split(text.replace("\\|", "|").split(" | ")[0])


@pytest.mark.parametrize(("page", "words"), list(commands()), ids=lambda value: " ".join(value)[:60])
def test_every_command_shown_is_one(page: str, words: list[str]) -> None:
    given = [PLACEHOLDERS.get(word, word) for word in words]
    if given == ["COMMAND", "--help"]:
        return
    assert given[0] in COMMANDS
    values: dict[str, Any] = command_named(given[0]).make_context(given[0], given[1:]).params
    if values.get("source") in shipped_names():
        analyzer.load_scenario(
            values["source"], values.get("changes", ()), count=values.get("count"), seed=values["seed"]
        )


@pytest.mark.parametrize(("page", "words"), list(mentions()), ids=lambda value: " ".join(value)[:60])
def test_every_command_mentioned_has_the_options_mentioned(page: str, words: list[str]) -> None:
    name = words[0]
    if name in ("--help", "--version", "COMMAND"):
        return
    assert name in COMMANDS
    known = {option for parameter in command_named(name).params for option in parameter.opts}
    assert {word for word in words if word.startswith("-")} <= known


def test_the_readme_lists_every_command_and_the_makefile_every_target() -> None:
    assert re.findall(r"^\| `analyzer ([\w-]+)", README, re.MULTILINE) == list(COMMANDS)
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    listed = re.search(r"^Makefile +(.*)$", README, re.MULTILINE)
    assert targets is not None
    assert listed is not None
    assert listed[1].split(", ") == targets[1].split()
    for page in PAGES.values():
        assert set(re.findall(r"(?:`|^)make ([a-z-]+)", page, re.MULTILINE)) <= set(targets[1].split())


def test_the_exit_codes_are_those_of_the_errors() -> None:
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)}
    assert codes == {0, ScenarioError.exit_code, Interrupted.exit_code, AnalyzerError.exit_code}


@pytest.mark.parametrize(
    "path",
    [*FILES, *(folder / "report.md" for folder in REPORTS)],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_every_link_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        file, _, anchor = target.partition("#")
        found = path.parent / file if file else path
        assert found.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", found.read_text("utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_every_file_named_exists() -> None:
    rooms = (ROOT, ROOT / "analyzer", *((ROOT / "analyzer/games" / room) for room in ("", *GAMES)))
    ours = {path.name for folder in ("analyzer", "tests", "reports") for path in (ROOT / folder).rglob("*.*")}
    left_out = {name for name in PARTS if not (REPORTS[0] / name).exists()}
    for name, page in PAGES.items():
        roots = (*rooms, REPORTS[0], (ROOT / name).parent)
        for text in re.findall(r"`([\w.*/-]+(?:\.py|\.toml|\.md|\.sh|\.csv|\.json|\.txt|/))`", page):
            if text == "daring.toml" or "NAME" in text or "SCENARIO" in text or text in left_out:
                continue
            assert text in ours or any(list(root.glob(text.rstrip("/"))) for root in roots), name


def test_every_function_named_exists() -> None:
    for module, function in re.findall(
        r"`(intervals|jackknife|quantiles|families|goodness)\.(\w+)`", PAGES["docs/statistics.md"].replace(".py`", "`")
    ):
        assert hasattr(importlib.import_module(f"analyzer.stats.{module}"), function)


def test_the_map_has_every_room() -> None:
    rooms = PAGES["docs/architecture.md"].split("```")[1]
    for folder in (ROOT / "analyzer").iterdir():
        if (folder / "__init__.py").exists():
            assert f"  {folder.name}/" in rooms
    for room in ("common", *GAMES):
        assert f"    {room}/" in rooms


@pytest.mark.parametrize("page", PAGES)
def test_examples_of_scenarios_load(page: str, tmp_path: Path) -> None:
    for number, block in enumerate(blocks("toml", PAGES[page])):
        path = tmp_path / f"{number}.toml"
        whole = block if "game " in block else f'game = "dingo"\n{block}'
        path.write_text(whole, "utf-8")
        assert analyzer.load_scenario(path).table.policies
    for block in blocks("json", PAGES[page]):
        json.loads(block)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks("python", PAGES[page])])
def test_examples_in_python_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Pictures take most of a report's time.
    monkeypatch.setattr("analyzer.report.bundle.draw_all", lambda tables, confidence: [])
    for block in blocks("python", PAGES[page]):
        exec(compile(block.replace("100_000", "4_096"), page, "exec"), {})


def test_the_three_lines_are_three_and_the_same_everywhere() -> None:
    assert blocks("python", README)[0] == blocks("python", PYTHON)[0]
    assert blocks("python", README)[0].count("\n") == 3


def test_every_feature_and_decision_is_documented(game: GameSpec) -> None:
    chosen = part(POLICIES, f"## {game.title}")
    for decision in game.decisions:
        assert f"`{decision.name}`" in chosen or f"`{decision.group}`" in chosen
    section = part(POLICIES, f"### All features of {game.title}")
    tables = re.findall(r"^#### ([^\n]*)\n\n(.*?)(?=^#### |\Z)", section, re.MULTILINE | re.DOTALL)
    groups = [re.findall(r"`(\w+)`", heading) for heading, _ in tables]
    assert sorted(group for found in groups for group in found) == sorted(game.decision_groups)
    for group, (heading, lines) in zip((found[0] for found in groups), tables, strict=True):
        features = [feature for feature in game.features if group in feature.groups]
        told: dict[str, tuple[int, int, str] | tuple[()]] = {}
        for name, low, high, text, times in re.findall(
            r"^\| `(\w+)` \| (\S+) to (\S+) \| (.*?) \| (?:`(\w+)`)? ?\|$", lines, re.MULTILINE
        ):
            told[name] = (int(low.replace(MINUS, "-")), int(high), text)
            if times:
                assert times == f"{name}_points"
                told[times] = ()
        assert set(told) == {feature.name for feature in features}, heading
        for feature in features:
            expected = (feature.low, feature.high, feature.text)
            derived = f"{feature.name.removesuffix('_points')} times the points"
            assert told[feature.name] == expected or (not told[feature.name] and feature.text.startswith(derived))


def test_every_preset_is_documented(game: GameSpec) -> None:
    section = part(POLICIES, f"### Presets of {game.title}")
    names = sorted(preset_names(game))
    assert sorted(re.findall(r"^- \*\*`(\w+)`\*\*", section, re.MULTILINE)) == names
    for table in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE):
        assert sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == names


def test_the_disputed_rules_are_those_marked(game: GameSpec) -> None:
    table = part(PAGES["docs/rules.md"], f"### {game.title}")
    told = re.findall(r"^\| [^|]+ \| [^|]+ \| `([\w.]+)` \|", table, re.MULTILINE)
    assert told == [knob.key for knob in game.knobs if knob.disputed]


def test_every_table_and_key_told_is_in_the_results_and_the_other_way_round(game: GameSpec) -> None:
    results = analyzer.run(BASELINES[game.name], count=256).results
    told = {}
    for name, title, rows, columns in re.findall(
        r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| (`.*`) \|$", part(PYTHON, f"## Tables of {game.title}"), re.MULTILINE
    ):
        told[name] = (title, re.findall(r"`(\w+)`", rows), re.findall(r"`(\w+)`", columns))
    assert told == {
        table.name: (table.title, list(table.axes), [column.name for column in table.columns]) for table in game.tables
    }
    assert {name for name in told if name in results} | set(results["absent"]) == set(told)
    section = PYTHON.split("\n## The keys of the results\n")[1].split("\n## ")[0]
    keys = {key for line in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for key in re.findall(r"`(\w+)`", line)}
    assert keys == set(results) - set(told)


def test_what_the_readme_quotes_stands_in_the_published_report(game: GameSpec) -> None:
    folder = ROOT / "reports/published" / BASELINES[game.name]
    quoted = part(README, f"### {game.title}")
    assert f"({folder.relative_to(ROOT).as_posix()}/report.md)" in quoted
    rows = [line for line in quoted.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(analyzer.load_scenario(folder.name).seats)
    assert set(rows) <= set((folder / "report.md").read_text("utf-8").splitlines())
    said = re.findall(r"^> \*\*(.*?)\*\* (.*)$", quoted, re.MULTILINE)
    found = json.loads((folder / "results.json").read_text("utf-8"))["findings"]
    assert len(said) == 4
    assert {(f["question"], f["sentence"]) for f in found} >= set(said)


def texts(result: RunResult, table: str) -> dict[str, list[str]]:
    """A table of one axis as the report shows it: label -> `value (interval)` of each column."""
    shown = view(result.tables[table])
    return {
        label: [f"{cell.text} ({cell.interval})" for cell in cells]
        for (label,), cells in zip(shown.labels, shown.cells, strict=True)
    }


@pytest.mark.slow
def test_how_the_presets_fare_is_what_the_field_says(game: GameSpec) -> None:
    section, first = part(POLICIES, f"### Presets of {game.title}"), game.default_policy
    result = analyzer.run(f"{game.name}-field")
    shares, pairs = texts(result, "by_policy"), texts(result, "pairs")
    for name, (share, points, *_) in shares.items():
        gain = f"{pairs[f'{first} {MINUS} {name}'][0]} " if name != first else ""
        assert f"| `{name}` | {share} | {points} | {gain}|" in section
    order = re.findall(r"^\| `(\w+)` \| [\d.]+ \(", section, re.MULTILINE)
    assert order[: len(shares)] == sorted(shares, key=lambda name: -float(shares[name][0].split()[0]))


@pytest.mark.slow
def test_how_much_of_a_field_is_luck_is_what_the_run_says() -> None:
    text = " ".join(part((ROOT / "docs/statistics.md").read_text("utf-8"), "## Luck and skill").split())
    shares = texts(analyzer.run("dingo-field"), "luck_and_skill")
    deal, policy, rest = (shares[name][0].split()[0] for name in ("deal", "policy", "rest"))
    assert f"{deal}% the deal, {policy}% the way of playing, {rest}% the rest" in text


@pytest.mark.slow
def test_what_memory_and_daring_are_worth_is_what_the_runs_say() -> None:
    text = " ".join(POLICIES.split())
    pairs = texts(analyzer.run("dingo-forgetful"), "pairs")
    for policy in ("forgetful", "glancing", "hazy"):
        value, interval = pairs[f"careful {MINUS} {policy}"][0].split(" ", 1)
        assert f"{value} {interval}" in text or f"{value} percentage points {interval}" in text
    shown = [words for page, words in commands() if any("policies.bold" in word for word in words)]
    assert len(shown) == 2
    for words in shown:
        values: dict[str, Any] = command_named("run").make_context("run", words[1:]).params
        result = analyzer.run(values["source"], set=values["changes"], count=values["count"])
        value, low, high = re.findall(r"[\d.]+", texts(result, "pairs")[f"bold {MINUS} careful"][0])
        low, high = sorted((low, high), key=float)
        assert re.search(rf"{value} (percentage points )?\({low} to {high}\)", text)


@pytest.mark.slow
def test_what_the_presets_of_rounce_do_among_themselves_is_what_the_runs_say() -> None:
    section = part(POLICIES, "### Presets of Domino Rounce")
    for name in preset_names(game_named("rounce")):
        result = analyzer.run("rounce-baseline-3", set=[f"table.seats={[name] * 3}"], count=100_000)
        calls = texts(result, "calls")
        shares = [calls[call][0] for call in ("pass", "fold", "dummy", "take")]
        rounds = view(result.tables["matches"]).cells[0][0]
        assert f"| `{name}` | {' | '.join(shares)} | {rounds.text} ({rounds.interval}) |" in section


@pytest.mark.slow
def test_the_win_shares_by_seat_of_rounce_are_those_of_the_baselines() -> None:
    section = part(POLICIES, "### Which seat is best")
    results = [analyzer.run(f"rounce-baseline-{players}") for players in (2, 3, 4)]
    columns = [texts(result, "by_seat") for result in results]
    for seat in columns[-1]:
        assert f"| {seat} | {' | '.join(column[seat][0] if seat in column else '' for column in columns)} |" in section
    spreads = [view(result.tables["luck"]).cells[0][0] for result in results]
    assert f"| best less worst | {' | '.join(f'{cell.text} ({cell.interval})' for cell in spreads)} |" in section
