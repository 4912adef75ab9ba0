"""`analyzer sweep` and `analyzer solve`: where the report goes, what is said, and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.games.registry import GAMES, game_named

SWEEP = ("sweep", "rounce-baseline-3", "rules.rounce_penalty=0,5", "-n", 256)
SOLVE = ("solve", "rounce-baseline-3", "rules.start_score", "--target", "match_length = 9", "-n", 1100)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("words", "name"), [(SWEEP, "sweep"), (SOLVE, "solve")])
def test_the_report_has_all_its_parts_and_its_place_is_said(invoke: Any, words: Any, name: str) -> None:
    done = invoke(*words, "--jobs", 2)
    assert done.exit_code == 0, done.stderr
    folder = Path("reports", f"rounce-baseline-3-{name}")
    assert done.stdout == f"{folder}/report.html\n"
    results = json.loads((folder / "results.json").read_text("utf-8"))
    assert results["study"] == name
    assert "finding" not in done.stderr
    assert results["findings"]
    for part in ("report.md", "tallies.json", "scenario.toml", "run.json", "columns.csv"):
        assert (folder / part).stat().st_size
    assert list((folder / "figures").glob("*.png"))
    assert list((folder / "tables").glob("*.csv"))
    assert "playing: " in done.stderr
    again = invoke(*words, "--json", "--quiet", "--out", "other")
    assert again.stderr == ""
    assert again.stdout == (folder / "results.json").read_text("utf-8")


def test_what_varies_and_what_is_looked_for_is_announced(invoke: Any) -> None:
    assert "rules.rounce_penalty  0, 5\n" in invoke(*SWEEP).stderr
    said = " ".join(invoke(*SOLVE).stderr.split())
    assert "target match_length = 9" in said
    assert "rules.start_score from 1 to 45 (around the scenario's own 15; --from and --to set another)" in said
    assert "closer to the target, 1: " in said


def test_set_changes_both_sides(invoke: Any) -> None:
    done = invoke(*SWEEP, "--set", "rules.start_score=3", "--json", "--quiet", "--seed", 9)
    results = json.loads(done.stdout)
    assert results["rules"]["start_score"] == 3
    assert results["seed"] == 9


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sweep", "rounce-baseline-3"), "Missing argument 'KEY=V1,V2,...'"),
        (("sweep", "rounce-baseline-3", "rules.walkover"), "is not KEY=v1,v2"),
        (("sweep", "rounce-baseline-3", "rules.walkover=1,200"), "200 is not allowed"),
        ((*SWEEP, "--effect", "0"), "effect: 0 is not allowed"),
        (("sweep", "rounce-baseline-3", 'table.seats=["steady","steady"]'), "number of seats changes from 3 to 2"),
        (("solve", "rounce-baseline-3", "rules.walkover"), "Missing option '--target'"),
        ((*SOLVE[:4], "match_lenght = 9"), "did you mean 'match_length'?"),
        ((*SOLVE, "--from", "9", "--to", "2"), "no range from 9 to 2"),
    ],
)
def test_bad_input_ends_with_code_2_and_nothing_written(invoke: Any, words: Any, said: str, here: Path) -> None:
    done = invoke(*words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stdout == ""
    assert not list(here.iterdir())


def test_help_lists_the_targets_of_every_game(invoke: Any) -> None:
    text = invoke("solve", "--help").stdout
    for name in ("win_share", "points", *(spec.name for game in GAMES for spec in game_named(game).targets)):
        assert f"  {name}" in text
    assert "disqualified_rate(seat=…)" in text


def test_the_page_of_the_commands_lists_them_too() -> None:
    page = (Path(__file__).parents[2] / "docs/cli.md").read_text("utf-8")
    section = page.split("\n## `analyzer solve", 1)[1].split("\n## ", 1)[0]
    for game in GAMES:
        for spec in game_named(game).targets:
            assert f"`{spec.name}" in section
