"""Runs by precision: they end at the same unit however they are played, and what they show then holds."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import analyzer
from analyzer.errors import ScenarioError, TalliesError
from analyzer.games.common.grid import next_mark, running_marks
from analyzer.report.frames import evaluate
from analyzer.report.results import dump_results
from analyzer.report.sequences import RUNNING
from analyzer.scenario.load import Scenario, load_scenario
from analyzer.sim.engine import simulate
from analyzer.stats.intervals import mean_of_squares
from analyzer.stats.sequential import bounded, expected_units
from analyzer.studies import checkpoint as module
from analyzer.studies.batches import job_of, setting_of
from analyzer.studies.checkpoint import Checkpoint
from analyzer.studies.merge import merge
from analyzer.studies.run import RunResult, run, stopping_of
from analyzer.studies.what_if import what_if

P = 0.03
FIELD = ["table.field=['careful', 'random', 'greedy', 'dumper', 'hoarder', 'cautious']", "table.seating=rotate"]
EQUAL = ["rules.exchange=[]", "rules.wolf_order=random", "rules.tie_break=shared"]
"""Rules under which seats are equal when all play at random."""


@pytest.fixture(autouse=True, scope="module")
def _plain() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.studies.batches.SIDE_PLAYS", 4_000)
        patch.setattr("analyzer.report.bundle.draw_all", lambda tables, confidence: [])
        yield


def asked(precision: float = P, *changes: str, most: int | None = None, name: str = "dingo-baseline") -> Scenario:
    return load_scenario(name, changes, precision=precision, count=most)


@pytest.fixture(scope="module")
def whole(_plain: None) -> RunResult:
    return run(asked(), jobs=2)


class Killed(BaseException):
    """The end of a process."""


def resumed(folder: Path, scenario: Scenario) -> RunResult:
    keeper = Checkpoint(folder, scenario)
    result = run(scenario, jobs=2, before=keeper.start(True), keeper=keeper)
    keeper.remove()
    return result


def test_it_ends_at_the_first_look_at_which_all_are_narrow_whatever_the_threads(whole: RunResult) -> None:
    units, said = whole.counted, whole.results["precision"]
    assert said["reached"]
    assert said["widest"] <= P
    assert not whole.partial
    assert dump_results(run(asked(), jobs=1).results) == dump_results(run(asked(), jobs=3).results)
    assert dump_results(run(asked(), jobs=1).results) == dump_results(whole.results)
    marks = [mark for mark in running_marks(1) if 1_000 <= mark <= units]
    assert (marks[-1], len(marks)) == (units, said["looks"])
    stopping = stopping_of(asked())
    assert stopping is not None
    before = simulate(job_of(asked(), asked().game.batches[0], marks[-2]), jobs=2)
    assert stopping.widest(before) > P
    assert not stopping.ended(before)


def test_it_ends_about_when_expected(whole: RunResult) -> None:
    about = float(expected_units(3 / 16, P, 0.95, comparisons=5))
    assert about / 1.3 < whole.counted < 1.3 * about


def test_headlines_show_the_sequence_and_the_running_share_ends_in_it(whole: RunResult) -> None:
    row = whole.results["by_seat"][0]["win_share"]
    main = whole.tallies["main"]
    total, squares = main.grouped["win"].sum(0)[0, 0], main.grouped["seat_win_sq"].sum(0)[0]
    about = float(expected_units(3 / 16, P, 0.95, comparisons=5))
    found = bounded(total, squares, main.units, 12, 0.95, (0.0, 1.0), about, variance=3 / 16, comparisons=5)
    assert (row["low"], row["high"]) == (pytest.approx(float(found.low)), pytest.approx(float(found.high)))
    last = whole.results["running"][-4]
    assert (last["mark"], last["seat"]) == (str(whole.counted), "S")
    assert last["win_share"] == row
    single = mean_of_squares(total, squares, main.units, 12, 0.95, (0.0, 1.0))
    assert row["high"] - row["low"] > 1.5 * float(single.high - single.low)
    points = whole.results["by_seat"][0]["points"]
    assert points["high"] - points["low"] > 1.5 * 2 * 1.96 * points["se"]


def test_the_page_says_how_it_ended_and_which_intervals_hold(whole: RunResult, tmp_path: Path) -> None:
    folder = whole.write(tmp_path / "report")
    for page in ((folder / "report.md").read_text("utf-8"), (folder / "report.html").read_text("utf-8")):
        assert "±3 percentage points" in page
        assert f"It is so after {whole.counted:,} deals" in page
        assert page.count("Its interval is part of a confidence sequence") == 6
        assert "no promise" in page
    assert json.loads((folder / "run.json").read_text("utf-8"))["precision"] == P


@pytest.mark.parametrize("done", [1, 2_000])
def test_a_run_that_was_killed_ends_at_the_same_unit(
    whole: RunResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    def progress(phase: str, units: int, total: int) -> None:
        if phase == "main" and units >= done:
            raise Killed

    keeper = Checkpoint(tmp_path / "report", asked())
    monkeypatch.setattr(module, "EVERY", 0.0)
    with pytest.raises(Killed):
        run(asked(), jobs=2, keeper=keeper, progress=progress)
    monkeypatch.undo()
    assert keeper.written == (done > 1)
    keeper._let_go()
    assert dump_results(resumed(tmp_path / "report", asked()).results) == dump_results(whole.results)


def test_one_that_was_interrupted_is_partial_and_goes_on_to_the_same_unit(whole: RunResult, tmp_path: Path) -> None:
    stop = threading.Event()

    def progress(phase: str, units: int, total: int) -> None:
        if phase == "main" and units:
            stop.set()

    part = run(asked(), jobs=1, progress=progress, stop=stop)
    assert part.partial
    assert part.counted < whole.counted
    assert part.results["precision"] | {"widest": 0} == whole.results["precision"] | {
        "reached": False, "widest": 0, "looks": part.results["precision"]["looks"]
    }  # fmt: skip
    shorter = run(asked(most=part.counted), jobs=2).results
    assert {**shorter, "precision": 0} == {**part.results, "precision": 0}
    part.write(tmp_path / "report")
    assert dump_results(resumed(tmp_path / "report", asked()).results) == dump_results(whole.results)


def test_one_that_is_complete_goes_on_to_a_finer_precision(whole: RunResult, tmp_path: Path) -> None:
    whole.write(tmp_path / "report")
    assert dump_results(resumed(tmp_path / "report", asked()).results) == dump_results(whole.results)
    finer = run(asked(0.025), jobs=2)
    assert finer.counted > whole.counted
    assert dump_results(resumed(tmp_path / "report", asked(0.025)).results) == dump_results(finer.results)
    # A fixed number may follow a run by precision: it is a longer run like any other.
    fixed = load_scenario("dingo-baseline", count=5_000)
    assert dump_results(resumed(tmp_path / "report", fixed).results) == dump_results(run(fixed, jobs=1).results)


def test_what_may_go_beyond_its_end_is_not_resumed(whole: RunResult, tmp_path: Path) -> None:
    analyzer.run("dingo-baseline", count=1_500).write(tmp_path / "fixed")
    whole.write(tmp_path / "finer")
    run(asked(P, "confidence=0.99"), jobs=2).write(tmp_path / "surer")
    for folder, scenario in (("fixed", asked()), ("finer", asked(0.04)), ("surer", asked())):
        with pytest.raises(TalliesError, match=r"nobody looked there whether a precision of 0\.0[34]"):
            resumed(tmp_path / folder, scenario)


def test_at_the_limit_it_ends_and_says_so(tmp_path: Path) -> None:
    result = run(asked(most=2_000), jobs=2)
    assert (result.counted, result.partial) == (2_000, False)
    said = result.results["precision"]
    assert (said["reached"], said["limit_reached"], said["limit"]) == (False, True, 2_000)
    page = (result.write(tmp_path / "report") / "report.md").read_text("utf-8")
    assert "It was not so within the 2,000 deals that it might play at most" in page


def test_line_ups_that_take_turns_are_looked_at_after_whole_cycles() -> None:
    """Fifteen line-ups; also for a part that begins within a cycle."""
    scenario = load_scenario("dingo-baseline", FIELD, precision=0.05, first=7)
    result = run(scenario, jobs=2)
    assert result.results["precision"]["reached"]
    assert result.counted % 15 == 0
    assert result.counted == next_mark(result.counted - 1, 15)
    assert dump_results(run(scenario, jobs=1).results) == dump_results(result.results)
    limited = load_scenario("dingo-baseline", FIELD, precision=0.001, count=1_000)
    assert limited.count == 990
    # By policy, by policy and seat, by seat: none is another's.
    assert result.results["precision"]["comparisons"] == 6 + 24 + 4


def test_marks_are_whole_cycles_from_the_first_on() -> None:
    marks = running_marks(15)
    assert marks[:3] == (15, 30, 45)
    assert all(mark % 15 == 0 for mark in marks)
    assert running_marks(1)[-1] == 10**9
    assert next_mark(10**12, 1) > 10**12


def test_rows_of_the_same_places_are_one_comparison() -> None:
    fixed = setting_of(asked(), asked().game.batches[0])
    assert fixed.looks is not None
    assert fixed.looks.comparisons == 5
    assert setting_of(asked(), asked().game.batches[1]).looks is None


def test_parts_of_one_precision_are_joined_and_others_refused(whole: RunResult, tmp_path: Path) -> None:
    whole.write(tmp_path / "a")
    second = load_scenario("dingo-baseline", precision=P, first=whole.counted, count=1_500)
    run(second, jobs=2).write(tmp_path / "b")
    joined = merge([tmp_path / "b", tmp_path / "a"])
    assert joined.counted == whole.counted + 1_500
    assert joined.scenario.precision == P
    assert joined.results["precision"]["reached"]
    assert merge([joined.write(tmp_path / "c")]).results == joined.results
    fixed = load_scenario("dingo-baseline", first=whole.counted, count=100)
    run(fixed, jobs=1).write(tmp_path / "d")
    with pytest.raises(TalliesError, match=r"its precision is none, not 0\.03"):
        merge([tmp_path / "a", tmp_path / "d"])


def test_studies_that_need_a_number_say_so() -> None:
    scenario = load_scenario("dingo-race", ["precision=0.01"])
    with pytest.raises(ScenarioError, match="what-if plays a number fixed beforehand"):
        what_if(replace(scenario, what_ifs=(None,)))  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------ false alarms


def lines(seed: int, count: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(seats,) whether at some mark from 100 deals on the interval leaves out the share of equals: that of the
    sequence, and that for one look."""
    scenario = load_scenario("dingo-random", EQUAL, count=count, seed=seed)
    spec = scenario.game.batches[0]
    tallies = simulate(job_of(scenario, spec, count))
    running = next(table for table in scenario.game.tables if table.name == "running")
    found = (
        evaluate(running, tallies, setting_of(scenario, spec)).estimates["win_share"].map(lambda a: a.reshape(-1, 4))
    )
    late = found.n[:, 0] >= 100
    marks = late.size
    win, squares = (tallies.plain[name].sum(1).cumsum(0)[:marks] for name in ("running_win", "running_win_sq"))
    single = mean_of_squares(win, squares, found.n, 12 * scenario.table.plays, scenario.confidence, (0.0, 1.0))
    return tuple(((e.low > 0.25) | (e.high < 0.25))[late].any(0) for e in (found, single))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("runs", "count"), [(40, 4_000), pytest.param(1_000, 50_000, marks=pytest.mark.slow)], ids=["quick", "long"]
)
def test_peeking_at_real_runs_keeps_the_level_and_one_look_intervals_do_not(runs: int, count: int) -> None:
    """Each seat's band leaves out the truth at some look in at most 5 of 100 runs; that for one look in far more."""
    missed = np.array([lines(seed, count) for seed in range(1, runs + 1)])
    rates = missed.mean(0)
    assert (rates[0] <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)).all()
    assert (rates[1] > 0.2).all()


@pytest.mark.slow
def test_what_a_run_by_precision_shows_at_its_end_holds_together() -> None:
    """All win shares of a stopped run hold the truth in at least 95 of 100 runs."""
    runs, missed = 400, 0
    for seed in range(1, runs + 1):
        scenario = load_scenario("dingo-random", [*EQUAL, "count=1"], seed=seed)
        scenario = replace(scenario, precision=0.015, count=10**6)
        stopping = stopping_of(scenario)
        assert stopping is not None
        spec = scenario.game.batches[0]
        tallies = simulate(job_of(scenario, spec, scenario.count), look=stopping.look)
        assert tallies.units < scenario.count
        setting = setting_of(scenario, spec)
        tables = [table for table in scenario.game.tables if table.headline]
        found = [evaluate(table, tallies, setting).estimates["win_share"] for table in tables]
        missed += any(((e.low > 0.25) | (e.high < 0.25)).any() for e in found)
    assert missed / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


def test_the_band_of_every_run_is_tuned_alike() -> None:
    """It must not hang on the count asked for, or an interrupted run would not equal one of what it counted."""
    assert RUNNING.best_at == 100_000
    assert setting_of(load_scenario("dingo-baseline"), load_scenario("dingo-baseline").game.batches[0]).looks is None
