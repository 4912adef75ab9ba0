"""A row a play: which rows, in which order, the same bytes however played, and no file but a whole one."""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
import pytest

import analyzer
from analyzer.errors import AnalyzerError, PlaceError, ReportError, ScenarioError
from analyzer.games.registry import GAMES, game_named
from analyzer.report import records
from analyzer.report.records import columns_of, suffix_of
from analyzer.report.results import dump_results
from analyzer.scenario.load import Scenario, load_scenario
from analyzer.studies.records import MOST, records_of
from analyzer.studies.run import RunResult, run
from analyzer.studies.trace import trace

DOCS = Path(__file__).parents[2] / "docs"
READ: dict[str, Callable[[Path], pd.DataFrame]] = {
    ".csv": pd.read_csv,
    ".csv.gz": pd.read_csv,
    ".parquet": pd.read_parquet,
}


def recorded(scenario: Scenario, path: Path, jobs: int = 1, **options: Any) -> RunResult:
    with records_of(path, scenario) as sink:
        return run(scenario, jobs=jobs, records=sink, **options)


@pytest.mark.parametrize(
    ("name", "suffix"), [("dingo-field", ".parquet"), ("rounce-field", ".csv"), ("rounce-baseline-2", ".csv.gz")]
)
def test_a_row_is_what_became_of_its_play(name: str, suffix: str, tmp_path: Path) -> None:
    scenario = load_scenario(name, count=40, first=1000)
    path = tmp_path / f"plays{suffix}"
    result = recorded(scenario, path)
    rows, seats, plays = READ[suffix](path), scenario.seats, scenario.table.plays
    assert list(rows.columns) == [column for column, _ in columns_of(scenario.game, seats)]
    assert rows["unit"].tolist() == [unit for unit in range(1000, 1040) for _ in range(plays)]
    assert rows["play"].tolist() == list(range(plays)) * 40
    for at in (0, 1, 40 * plays - 1):
        row = rows.iloc[at]
        events = next(iter(trace(scenario, int(row["unit"]), 1, int(row["play"]))))
        told = [events[0]["policies"], events[-1]["win_share"], events[-1].get("score", events[-1].get("scores"))]
        policies, shares, points = (list(each.values()) if isinstance(each, dict) else each for each in told)
        assert [row[f"policy_{seat}"] for seat in seats] == policies
        assert [row[f"win_share_{seat}"] for seat in seats] == pytest.approx(shares)
        assert [row[f"points_{seat}"] for seat in seats] == points
    for row in result.results["by_policy_seat"]:
        mine = rows[rows[f"policy_{row['seat']}"] == row["policy"]]
        assert mine[f"points_{row['seat']}"].mean() == pytest.approx(row["points"]["estimate"])
        assert mine[f"win_share_{row['seat']}"].mean() == pytest.approx(row["win_share"]["estimate"])
    assert dump_results(result.results) == dump_results(run(scenario, jobs=1).results)


@pytest.mark.parametrize("suffix", READ)
def test_the_bytes_hang_on_no_thread_and_no_block(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "PIECE", 1000)
    scenario = load_scenario("dingo-baseline", ["table.seating=rotate"], count=1000)
    files = []
    for jobs, block in ((1, 1000), (2, 64), (3, 350)):
        monkeypatch.setattr("analyzer.sim.engine.block_units", lambda *args, size=block: size)
        path = tmp_path / f"{jobs}{suffix}"
        recorded(scenario, path, jobs)
        files.append(path.read_bytes())
    assert files[0] == files[1] == files[2]
    assert len(READ[suffix](path)) == 1000 * scenario.table.plays
    if suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet").ParquetFile(path)
        assert parquet.metadata.row_group(0).num_rows == 1000
        assert parquet.metadata.num_row_groups == scenario.table.plays


def test_a_stopped_run_leaves_the_rows_of_what_it_counted(tmp_path: Path) -> None:
    stop = threading.Event()

    def progress(phase: str, done: int, total: int) -> None:
        if phase == "main" and done:
            stop.set()

    scenario = load_scenario("dingo-baseline", count=10**7)
    result = recorded(scenario, tmp_path / "part.csv", jobs=2, progress=progress, stop=stop)
    assert result.partial
    rows = pd.read_csv(tmp_path / "part.csv", usecols=["unit"])["unit"]
    assert rows.tolist() == list(range(result.counted))


@pytest.mark.parametrize("suffix", READ)
def test_what_fails_leaves_no_file_and_the_old_one_whole(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"plays{suffix}"
    scenario = load_scenario("dingo-baseline", count=300)
    recorded(scenario, path)
    before = path.read_bytes()

    def progress(phase: str, done: int, total: int) -> None:
        if phase == "random":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recorded(load_scenario("dingo-baseline", count=300, seed=9), path, progress=progress)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]
    recorded(load_scenario("dingo-baseline", count=300, seed=9), path)
    assert path.read_bytes() != before


class Full:
    """A file on a disk that takes so many bytes."""

    def __init__(self, file: BinaryIO, bytes_left: int) -> None:
        self._file, self._left = file, bytes_left

    def write(self, data: bytes) -> int:
        self._left -= len(data)
        if self._left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self._file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.mark.parametrize("suffix", READ)
@pytest.mark.parametrize("room", [500, 20_000])
def test_a_full_disk_is_told_and_leaves_no_trace(
    suffix: str, room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "PIECE", 1000)
    made = records.FORMATS[suffix]
    monkeypatch.setitem(records.FORMATS, suffix, lambda file: made(Full(file, room)))  # type: ignore[arg-type]
    path = tmp_path / f"plays{suffix}"
    with pytest.raises(ReportError) as caught:
        recorded(load_scenario("dingo-baseline", count=4000), path)
    assert (str(caught.value), caught.value.exit_code) == (f"cannot write the records {path}: the disk is full", 1)
    assert os.listdir(tmp_path) == []


def refusal(path: Path, **options: Any) -> AnalyzerError:
    count = options.pop("count", 10)
    scenario = load_scenario("dingo-field", count=count)
    with pytest.raises((ScenarioError, PlaceError)) as caught, records_of(path, scenario, **options):
        pass
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    return caught.value


def test_what_cannot_be_recorded_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plays.csv"
    assert "workers of a cluster send back sums" in str(refusal(path, cluster="local:2"))
    assert "a run that goes on cannot record them" in str(refusal(path, resume=True))
    told = str(refusal(path, count=MOST // 4 + 1))
    assert told.startswith("records: 100,000,004 rows (25,000,001 deals of 4 plays); allowed: at most 100,000,000; ask")
    for name in ("plays.txt", "plays", ".csv", "csv"):
        told = str(refusal(tmp_path / name))
        assert told == f"records: '{name}' is not allowed; allowed: a name that ends in one of .csv, .csv.gz, .parquet"
    monkeypatch.setattr("analyzer.studies.records.find_spec", lambda name: None)
    assert "pip install 'strategy-analyzer[parquet]'" in str(refusal(tmp_path / "plays.parquet"))
    (tmp_path / "folder.csv").mkdir()
    assert "is there and no plain file" in str(refusal(tmp_path / "folder.csv"))
    inside = tmp_path / "report" / "plays.csv"
    assert "lies in the report folder" in str(refusal(inside, folder=tmp_path / "report"))
    assert "lies in the report folder" in str(refusal(path, folder=path))
    assert "is to hold the report folder" in str(refusal(path, folder=path / "reports" / "mine"))
    assert "the name is too long" in str(refusal(tmp_path / f"{'a' * 300}.csv"))
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    assert "a link that leads back to itself" in str(refusal(tmp_path / "loop.csv"))
    (tmp_path / "file").write_text("")
    assert "a part of its path is not a folder" in str(refusal(tmp_path / "file" / "plays.csv"))
    assert sorted(os.listdir(tmp_path)) == ["file", "folder.csv", "loop.csv"]


def test_what_a_dead_process_was_writing_is_removed_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "plays.csv"
    path.parent.mkdir()
    (path.parent / ".plays.csv.new-0123").write_text("half")
    (path.parent / ".other.csv.new-0123").write_text("half")
    recorded(load_scenario("dingo-baseline", count=3), path)
    assert sorted(os.listdir(path.parent)) == [".other.csv.new-0123", "plays.csv"]


def test_a_name_that_a_spreadsheet_would_reckon_with_is_text_there(tmp_path: Path) -> None:
    source = tmp_path / "formula.toml"
    source.write_text('game = "dingo"\n[policies."=1+1"]\n[table]\nseats = ["=1+1", "careful", "careful", "careful"]\n')
    scenario = load_scenario(source, count=2)
    recorded(scenario, tmp_path / "plays.csv")
    recorded(scenario, tmp_path / "plays.parquet")
    assert set(pd.read_csv(tmp_path / "plays.csv")["policy_S"]) == {"'=1+1"}
    assert set(pd.read_parquet(tmp_path / "plays.parquet")["policy_S"]) == {"=1+1"}


def test_from_python_and_a_format_by_its_suffix(tmp_path: Path) -> None:
    result = analyzer.run("dingo-baseline", count=100, jobs=1, records=tmp_path / "plays.csv")
    rows = pd.read_csv(tmp_path / "plays.csv")
    assert len(rows) == result.counted == 100
    assert np.isclose(rows[[f"win_share_{seat}" for seat in "SWNE"]].sum(axis=1), 1).all()
    assert [suffix_of(Path(name)) for name in ("a.csv", "b.c.csv.gz", "c.parquet", "d.gz")] == [*READ, None]


def test_the_page_lists_every_column() -> None:
    page = (DOCS / "runs.md").read_text("utf-8")
    section = page.split("\n## A row for each play\n")[1].split("\n## ")[0]
    told = re.findall(r"^\| `(\w+)` \| (.+?) \|$", section, re.MULTILINE)
    games = [game_named(name) for name in GAMES]
    general = [column for column in columns_of(games[0], ("SEAT",)) if column not in games[0].records]
    due = [(name, text.replace(f"of the {games[0].unit}", "of the deal or match")) for name, text in general]
    assert told == [*due, *(column for game in games for column in game.records)]
