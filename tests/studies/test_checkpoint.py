"""Checkpoints: a run that was ended anywhere goes on to the same results, and what is no part of it is refused."""

from __future__ import annotations

import errno
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.errors import TalliesError
from analyzer.scenario.load import Scenario, load_scenario
from analyzer.sim.result import Tallies
from analyzer.studies import checkpoint as module
from analyzer.studies.checkpoint import Checkpoint
from analyzer.studies.played import Part, Played, sealed, unsealed
from analyzer.studies.run import RunResult, run

COUNT = 6_000
BLOCK = 1_536
"""Units of its blocks."""


class Killed(BaseException):
    """The end of a process."""


@pytest.fixture(autouse=True)
def _at_every_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY", 0.0)


@pytest.fixture(autouse=True, scope="module")
def _plain() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.studies.batches.SIDE_PLAYS", 10_000)
        patch.setattr("analyzer.report.bundle.draw_all", lambda tables, confidence: [])
        yield


def asked(count: int = COUNT, *changes: str, name: str = "dingo-baseline") -> Scenario:
    return load_scenario(name, changes, count=count)


@pytest.fixture(scope="module")
def whole(_plain: None) -> RunResult:
    return run(asked(), jobs=2)


def killed(scenario: Scenario, folder: Path, phase: str, done: int, resume: bool = False) -> None:
    """A run whose process ends when a phase has come so far."""

    def progress(now: str, units: int, total: int) -> None:
        if now == phase and units >= done:
            raise Killed

    keeper = Checkpoint(folder, scenario)
    with pytest.raises(Killed):
        run(scenario, jobs=2, progress=progress, before=keeper.start(resume), keeper=keeper)
    # The lock of a process ends with it.
    keeper._let_go()


def resumed(scenario: Scenario, folder: Path) -> tuple[RunResult, list[str]]:
    said: list[str] = []
    keeper = Checkpoint(folder, scenario, said.append)
    result = run(scenario, jobs=1, before=keeper.start(resume=True), keeper=keeper)
    result.write(folder)
    keeper.remove()
    return result, said


def same(one: RunResult, other: RunResult) -> bool:
    return one.results == other.results and one.sealed_tallies() == other.sealed_tallies()


def test_a_run_killed_in_every_batch_goes_on_to_the_same_results(whole: RunResult, tmp_path: Path) -> None:
    folder = tmp_path / "r"
    path = tmp_path / "r.checkpoint"
    killed(asked(), folder, "main", BLOCK + 1)
    for phase, done in (("main", 4_000), ("probe", 100), ("luck", 2_000), ("mirror", 2_000)):
        before = unsealed(path, "checkpoint")["batches"]
        assert before
        killed(asked(), folder, phase, done, resume=True)
        after = unsealed(path, "checkpoint")["batches"]
        assert all(after[name]["units"] >= batch["units"] for name, batch in before.items())
    result, said = resumed(asked(), folder)
    assert same(result, whole)
    assert said == [f"going on after 6,000 deals of 6,000, from {path}"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["r"]
    parts = json.loads((folder / "run.json").read_text())["parts"]
    assert sum(part["count"] for part in parts) == COUNT
    assert [part["first"] for part in parts] == sorted(part["first"] for part in parts)
    assert len(parts) == 6


def test_an_interrupted_run_leaves_a_checkpoint_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    stop, folder = threading.Event(), tmp_path / "r"
    # Not due while it runs: it is the interruption that writes it.
    keeper = Checkpoint(folder, asked(10**7), clock=lambda: 0.0)

    def progress(phase: str, done: int, total: int) -> None:
        if phase == "main" and done:
            stop.set()

    partial = run(asked(10**7), jobs=1, progress=progress, stop=stop, keeper=keeper)
    assert partial.partial
    assert keeper.written
    keeper._let_go()
    content = unsealed(keeper.path, "checkpoint")
    assert content["asked"] == 10**7
    units = {name: tallies.units for name, tallies in partial.tallies.items()}
    assert {name: batch["units"] for name, batch in content["batches"].items()} == units
    scenario = asked(partial.counted + 500)
    result, said = resumed(scenario, folder)
    assert said == [f"going on after {partial.counted:,} deals of 10,000,000, from {keeper.path}"]
    assert same(result, run(scenario, jobs=2))


def test_a_finished_run_is_played_on(whole: RunResult, tmp_path: Path) -> None:
    folder = tmp_path / "r"
    run(asked(2_777), jobs=1).write(folder)
    killed(asked(), folder, "main", 4_500, resume=True)
    result, _ = resumed(asked(), folder)
    assert same(result, whole)
    assert (result.parts[0].first, result.parts[0].count) == (0, 2_777)
    again, said = resumed(asked(), folder)
    assert same(again, whole)
    assert said == [f"going on after 6,000 deals, from the report {folder}"]
    # The times of an old report that does not tell them are left out.
    (folder / "run.json").unlink()
    longer, _ = resumed(asked(COUNT + 100), folder)
    assert [(part.first, part.count) for part in longer.parts] == [(COUNT, 100)]


def test_a_part_of_a_longer_run_is_resumed_as_well(tmp_path: Path) -> None:
    scenario = asked(4_000, "first=1000")
    killed(scenario, tmp_path / "r", "main", 2_500)
    result, _ = resumed(scenario, tmp_path / "r")
    assert same(result, run(scenario, jobs=2))


def test_where_there_is_nothing_it_starts_anew_and_says_so(tmp_path: Path) -> None:
    said: list[str] = []
    assert Checkpoint(tmp_path / "r", asked(), said.append).start(resume=True) is None
    report = tmp_path / "r" / "tallies.json"
    assert said == [
        f"nothing to resume: there is no {tmp_path / 'r.checkpoint'} and no {report}; starting anew",
    ]


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A checkpoint of a run that was killed."""
    killed(asked(), tmp_path / "r", "main", 2 * BLOCK + 1)
    return tmp_path / "r.checkpoint"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["seed=2"], "is of another run: its seed is 1, not 2"),
        (["rules.points.low=4"], "is of another run: its rules.points.low is 1, not 4"),
        (["policies.careful.lapse=0.5"], "is of another run: its policy 'careful' plays otherwise"),
        (["table.seating=all"], "is of another run: its policies sit otherwise"),
        (["first=5"], "is of another run: it begins with deal 0, not 5"),
        (["count=100"], "holds 3,072 deals and 100 are asked; ask for as many or more with -n, or leave --resume out"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused_and_left(left: Path, changes: list[str], said: str) -> None:
    whole = left.read_bytes()
    scenario = load_scenario("dingo-baseline", changes, count=None if "count=100" in changes else COUNT)
    with pytest.raises(TalliesError) as refused:
        Checkpoint(left.with_suffix(""), scenario).start(resume=True)
    assert str(refused.value) == f"{left}: {said}"
    assert refused.value.exit_code == 2
    assert left.read_bytes() == whole


def test_a_checkpoint_of_another_version_or_damaged_is_refused_and_left(left: Path) -> None:
    content = unsealed(left, "checkpoint")
    other = sealed("checkpoint", {**content, "identity": {**content["identity"], "simulator": "0" * 64}})
    for data, said in (
        (other.encode(), "another version of the simulator"),
        (left.read_bytes()[:-100], "is damaged"),
        (b"", "is no file of tallies"),
    ):
        left.write_bytes(data)
        with pytest.raises(TalliesError, match=said):
            Checkpoint(left.with_suffix(""), asked()).start(resume=True)
        assert left.read_bytes() == data


@pytest.mark.parametrize(("cut", "shown"), [(0, "3,072 deals of 6,000"), (7, "is damaged")])
def test_without_resume_a_checkpoint_is_put_aside_not_lost(left: Path, cut: int, shown: str) -> None:
    data = left.read_bytes()[: len(left.read_bytes()) - cut]
    left.write_bytes(data)
    said: list[str] = []
    assert Checkpoint(left.with_suffix(""), asked(), said.append).start(resume=False) is None
    aside = left.with_name("r.checkpoint.old")
    assert aside.read_bytes() == data
    assert not left.exists()
    assert len(said) == 1
    assert said[0].startswith("starting anew; the checkpoint of an unfinished run that was here (")
    assert shown in said[0]
    assert said[0].endswith(f" is now {aside}: to go on with it, name it r.checkpoint again and add --resume")


def test_something_else_of_that_name_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "r.checkpoint"
    for make in (lambda: path.write_text("weights"), lambda: (path.unlink(), path.mkdir())):
        make()
        with pytest.raises(TalliesError, match=r"is no checkpoint of this program and was left alone"):
            Checkpoint(tmp_path / "r", asked()).start(resume=False)
        assert path.exists()


def test_two_runs_into_one_folder_do_not_take_each_others_checkpoint(left: Path, whole: RunResult) -> None:
    folder, said = left.with_suffix(""), []
    first = Checkpoint(folder, asked())
    assert first.start(resume=True) is not None
    with pytest.raises(TalliesError, match="another run is writing it"):
        Checkpoint(folder, asked()).start(resume=True)
    second = Checkpoint(folder, asked(), said.append)
    assert second.start(resume=False) is None
    assert not second.due()
    second.write(Played(whole.tallies))
    assert said == [f"another run keeps its checkpoint in {left}; this one keeps none"]
    assert unsealed(left, "checkpoint")["batches"]["main"]["units"] == 2 * BLOCK
    first.remove()
    assert not left.exists()


def test_of_two_runs_that_begin_at_once_the_first_to_write_keeps_one(tmp_path: Path, whole: RunResult) -> None:
    said: list[str] = []
    one, other = (Checkpoint(tmp_path / "r", asked(), said.append) for _ in range(2))
    one.start(resume=False)
    other.start(resume=False)
    one.write(Played(whole.tallies))
    other.write(Played({}))
    other.write(Played({}))
    other.remove()
    assert said == [f"another run keeps its checkpoint in {one.path}; this one keeps none"]
    assert len(unsealed(one.path, "checkpoint")["batches"]) == 5
    assert [path.name for path in tmp_path.iterdir()] == ["r.checkpoint"]


def test_it_is_written_every_twenty_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert module.EVERY < 30
    now = 100.0
    keeper = Checkpoint(tmp_path / "r", asked(), clock=lambda: now)
    seen = []
    for _ in range(50):
        now += 1
        if keeper.due():
            seen.append(now)
            keeper.write(Played({}, (Part(0, 0, {}),)))
    assert seen == [120.0, 140.0]


def test_a_full_disk_is_told_once_and_ends_no_run(
    tmp_path: Path, whole: RunResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    keeper = Checkpoint(tmp_path / "r", asked(), said.append)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert same(run(asked(), jobs=1, keeper=keeper), whole)
    assert said == [f"cannot write the checkpoint {keeper.path}: the disk is full; the run goes on without"]
    assert list(tmp_path.iterdir()) == []


def test_what_a_dead_process_was_writing_is_swept_away(tmp_path: Path) -> None:
    (tmp_path / ".r.checkpoint.new-0badf00d").write_text("half")
    (tmp_path / ".r2.checkpoint.new-0badf00d").write_text("of another")
    Checkpoint(tmp_path / "r", asked()).start(resume=False)
    assert [path.name for path in tmp_path.iterdir()] == [".r2.checkpoint.new-0badf00d"]


def test_numbers_beyond_int64_survive(tmp_path: Path) -> None:
    scenario = asked(10)
    tallies = run(scenario, jobs=1).tallies
    main = tallies["main"]
    main.grouped["points_sq"] = main.grouped["points_sq"] + 10**30
    keeper = Checkpoint(tmp_path / "r", scenario)
    keeper.write(Played(tallies))
    keeper._let_go()
    before = keeper.start(resume=True)
    assert before is not None
    again: Tallies = before.main
    assert again.to_json() == main.to_json()
    keeper._let_go()
    longer = asked(20)
    result = run(longer, jobs=1, before=before)
    assert min(result.tallies["main"].grouped["points_sq"].flat) >= 10**30
