"""The study `run`: the same bytes whatever the threads, sound at tiny counts, honest when stopped."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.errors import Interrupted
from analyzer.report.results import dump_results
from analyzer.scenario.load import load_scenario
from analyzer.studies.batches import MIRRORED
from analyzer.studies.run import RunResult, run

EXACT = ("results.json", "tallies.json", "scenario.toml")


def test_results_are_the_same_bytes_for_any_number_of_threads(tmp_path: Path) -> None:
    """Real processes of the installed command."""
    written = []
    for jobs in (1, 2, 7):
        folder = tmp_path / f"jobs {jobs}"
        command = [sys.executable, "-m", "analyzer", "run", "dingo-forgetful", "-n", "3001", "--quiet"]
        subprocess.run([*command, "--jobs", str(jobs), "--out", str(folder)], check=True, capture_output=True)
        files = [folder / name for name in EXACT] + sorted((folder / "tables").iterdir())
        files += sorted((folder / "figures").iterdir())
        written.append({path.relative_to(folder): path.read_bytes() for path in files})
    assert written[0] == written[1] == written[2]


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from numbers(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers(inner)
    elif isinstance(value, float):
        yield value


@pytest.mark.parametrize(
    ("name", "count"),
    [
        *(("dingo-baseline", n) for n in (1, 2, 3, 63, 64, 65)),
        ("dingo-field", 1),
        ("dingo-field", 3),
        ("dingo-race", 2),
    ],
)
def test_a_handful_of_deals_gives_a_sound_report(name: str, count: int, tmp_path: Path) -> None:
    result = run(load_scenario(name, count=count))
    assert result.results["count"] == count
    assert all(math.isfinite(value) for value in numbers(result.results))
    assert all(check["passed"] for check in result.results["health"])
    for row in result.results["by_seat"]:
        share = row["win_share"]
        assert (share["low"] is None) == (count < 2)
        if count >= 2:
            assert share["low"] < share["high"]
    if count in (1, 65):
        folder = result.write(tmp_path / "report")
        page = (folder / "report.html").read_text("utf-8") + (folder / "report.md").read_text("utf-8")
        assert not re.search(
            r"\b(nan|inf|None)\b|[-−]0\.?0*\b(?!\.)(?![\d.])",
            re.sub(r"<svg.*?</svg>|<style.*?</style>", "", page, flags=re.S),
        )
        assert json.loads((folder / "run.json").read_text("utf-8"))["count"] == count


def test_every_health_check_passes_in_every_shipped_scenario() -> None:
    for name in ("dingo-baseline", "dingo-field", "dingo-random", "dingo-forgetful", "dingo-race"):
        result = run(load_scenario(name, count=6_000))
        assert [check["name"] for check in result.results["health"] if not check["passed"]] == []


def test_the_baseline_answers_the_four_questions_first_and_says_eight_things() -> None:
    result = analyzer.run("dingo-baseline", count=400_000)
    findings = result.results["findings"]
    assert [finding["question"] for finding in findings[:4]] == [
        "Which seat is best?",
        "Which cards should I keep?",
        "When should I lay a lone wolf?",
        "How often does the ace rabbit live?",
    ]
    assert len(findings) >= 8
    assert all("nan" not in finding["sentence"] and "None" not in finding["sentence"] for finding in findings)


def test_nothing_is_said_of_seats_where_seats_are_equal() -> None:
    equal = ["rules.exchange=[]", "rules.wolf_order=random", "rules.tie_break=shared"]
    result = run(load_scenario("dingo-random", equal, count=60_000))
    assert not [f for f in result.results["findings"] if "seat" in f["question"].lower()]


def test_a_stopped_run_equals_a_run_of_what_was_counted() -> None:
    stop = threading.Event()

    def progress(phase: str, done: int, total: int) -> None:
        if phase == "main" and done:
            stop.set()

    partial = run(load_scenario("dingo-baseline", count=10**8), jobs=2, progress=progress, stop=stop)
    assert partial.partial
    assert 0 < partial.counted < 10**8
    whole = run(load_scenario("dingo-baseline", count=partial.counted), jobs=1)
    assert not whole.partial
    assert dump_results(partial.results) == dump_results(whole.results)


def test_a_run_stopped_before_anything_was_counted_has_no_results() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Interrupted, match="before any deal was counted"):
        run(load_scenario("dingo-baseline", count=1000), stop=stop)


@pytest.fixture(scope="module")
def small() -> RunResult:
    return analyzer.run("dingo-forgetful", count=2_000, seed=4)


def test_three_lines_of_python(small: RunResult) -> None:
    frame = small.frame("by_seat")
    assert list(frame["seat"]) == ["S", "W", "N", "E"]
    assert frame["win_share"].sum() == pytest.approx(1 - small.tallies["main"].grouped["no_winner"].sum() / (2_000 * 4))
    assert (frame["win_share_low"] < frame["win_share"]).all()


def test_an_unknown_table_is_refused_with_the_known_ones(small: RunResult) -> None:
    with pytest.raises(KeyError, match="by_policy_seat"):
        small.frame("by_set")
    baseline = analyzer.run("dingo-baseline", count=10)
    with pytest.raises(KeyError, match="pairs: one policy"):
        baseline.frame("pairs")


def test_mirrors_of_every_policy_are_played(small: RunResult) -> None:
    mirror = small.tallies["mirror"]
    n = len(small.scenario.table.policies)
    assert mirror.grouped["policy_plays"].shape == (64, 2 * n)
    assert MIRRORED not in "".join(small.scenario.table.policies[0].name)


def test_noise_of_one_kind_alone_is_that_of_the_probe_in_the_mean() -> None:
    """With `noise = { lone_wolf = 1.0 }` half of all lone wolves are laid, whatever the policy."""
    changes = ['policies.coin={base="careful", noise={lone_wolf=1.0}}', 'table.seats=["coin","coin","coin","coin"]']
    result = run(load_scenario("dingo-baseline", changes, count=20_000))
    main, probe = (result.tallies[name].grouped for name in ("main", "probe"))
    n = probe["probe_n"].sum((0, 2, 3))
    assert abs(int(n[1]) - int(n[0])) < 5 * math.sqrt(int(n.sum()))
    # Each place's lone first wolves were laid as often as the probe's coin lays them there: one in two.
    laid = main["lone_first"].sum((0, 2))
    assert laid[0] > laid[1] > laid[2] > 0


def test_a_side_batch_is_no_longer_than_a_moment_however_many_plays_a_unit_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.studies.batches.SIDE_PLAYS", 240)
    seats = 'table.seats=["careful", "greedy", "random", "hoarder"]'
    result = run(load_scenario("dingo-baseline", [seats, "table.seating=all"], count=100), jobs=1)
    assert {name: tallies.units for name, tallies in result.tallies.items()} == {
        "main": 100,
        "probe": 10,
        # Four rotations, twice.
        "luck": 30,
        "random": 100,
        "mirror": 60,
    }


def test_provenance_has_every_speed_of_the_game(tmp_path: Path) -> None:
    folder = analyzer.run("rounce-baseline-2", count=200).write(tmp_path / "report")
    provenance = json.loads((folder / "run.json").read_text("utf-8"))
    assert 0 < provenance["matches_per_second"] < provenance["rounds_per_second"]
    assert provenance["deals_per_second"] == provenance["matches_per_second"]
    assert set(provenance["seconds"]) >= {"import", "compile", "simulate", "report"}
