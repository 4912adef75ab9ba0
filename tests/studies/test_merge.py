"""Joined reports are the report of one run; what cannot be joined is refused, and why."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.errors import TalliesError
from analyzer.studies.merge import merge
from analyzer.studies.played import sealed, unsealed

NAME = "dingo-baseline"
EXACT = ("results.json", "tallies.json", "scenario.toml")


def bare(folder: Path, first: int, count: int, name: str = NAME, **options: Any) -> Path:
    """What a merge reads of a report."""
    result = analyzer.run(name, first=first, count=count, jobs=1, **options)
    folder.mkdir()
    (folder / "scenario.toml").write_text(result.scenario.to_toml())
    (folder / "tallies.json").write_text(result.sealed_tallies())
    return folder


def written(folder: Path, first: int, count: int, name: str = NAME, **options: Any) -> Path:
    return analyzer.run(name, first=first, count=count, jobs=1, **options).write(folder, f"run {folder.name}")


@pytest.fixture(autouse=True, scope="module")
def _short_and_plain() -> Iterator[None]:
    """Side batches shorter than the runs; no pictures, which take most of a report's time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.studies.batches.SIDE_PLAYS", 4_000)
        patch.setattr("analyzer.report.bundle.draw_all", lambda tables, confidence: [])
        yield


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three ranges that meet, across the limits of the side batches."""
    home = tmp_path_factory.mktemp("parts")
    for name, first, count in (("a", 0, 900), ("b", 900, 1), ("c", 901, 1200)):
        written(home / name, first, count)
    return home


def test_reports_in_any_order_give_the_bytes_of_one_run(parts: Path, tmp_path: Path) -> None:
    whole = written(tmp_path / "whole", 0, 2101)
    joined = analyzer.merge([parts / "c", parts / "a", parts / "b"]).write(tmp_path / "joined", "merge")
    for name in EXACT:
        assert (joined / name).read_bytes() == (whole / name).read_bytes(), name
    for path in (whole / "tables").iterdir():
        assert (joined / "tables" / path.name).read_bytes() == path.read_bytes()
    run = json.loads((joined / "run.json").read_text())
    assert [(part["first"], part["count"]) for part in run["parts"]] == [(0, 900), (900, 1), (901, 1200)]
    assert [(part["report"], part["command"]) for part in run["joined"]] == [
        (str(parts / name), f"run {name}") for name in "abc"
    ]
    assert (run["scenario"], run["partial"], run["count"], run["first"]) == (NAME, False, 2101, 0)
    simulated = [json.loads((parts / name / "run.json").read_text())["seconds"]["simulate"] for name in "abc"]
    assert run["seconds"]["simulate"] == pytest.approx(sum(simulated), abs=0.002)
    assert run["deals_per_second"] > 0


def test_joined_reports_can_be_joined_and_played_on(parts: Path, tmp_path: Path) -> None:
    late = merge([parts / "b", parts / "c"])
    assert (late.scenario.first, late.counted, late.results["first"]) == (900, 1201, 900)
    late.write(tmp_path / "late")
    joined = merge([parts / "a", tmp_path / "late"])
    assert joined.results == analyzer.run(NAME, count=2101).results


@pytest.mark.parametrize("name", ["rounce-baseline-3", "dingo-forgetful"])
def test_other_games_and_fields_join_as_well(tmp_path: Path, name: str) -> None:
    bare(tmp_path / "a", 0, 70, name)
    bare(tmp_path / "b", 70, 130, name)
    assert merge([tmp_path / "b", tmp_path / "a"]).results == analyzer.run(name, count=200).results


def test_what_overlaps_or_leaves_a_gap_is_refused(parts: Path, tmp_path: Path) -> None:
    a, b, c = (parts / name for name in "abc")
    with pytest.raises(TalliesError) as refused:
        merge([a, c])
    assert str(refused.value) == f"1 deal between {a} and {c} would be missing; join with a run of --first 900 -n 1"
    with pytest.raises(TalliesError, match=r"a and .*a overlap: both hold 900 deals from number 0 on"):
        merge([a, b, a])
    across = bare(tmp_path / "across", 899, 2)
    with pytest.raises(TalliesError, match=r"a and .*across overlap: both hold 1 deal from number 899 on"):
        merge([a, across])
    with pytest.raises(TalliesError, match="nothing to join"):
        merge([])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("seed=2", "its seed is 2, not 1"),
        ("confidence=0.9", "its confidence is 0.9, not 0.95"),
    ],
)
def test_another_run_is_refused_with_the_difference(parts: Path, tmp_path: Path, change: str, said: str) -> None:
    other = bare(tmp_path / "other", 900, 5, set=[change])
    with pytest.raises(TalliesError) as refused:
        merge([other, parts / "a"])
    assert str(refused.value) == f"{other} cannot be joined to {parts / 'a'}: {said}"


def test_another_version_is_refused(parts: Path, tmp_path: Path) -> None:
    shutil.copytree(parts / "b", tmp_path / "b")
    path = tmp_path / "b" / "tallies.json"
    content = unsealed(path, "tallies")
    for key, value, said in (("stream", 99, "stream 99"), ("simulator", "0" * 64, "another version of the simulator")):
        path.write_text(sealed("tallies", {**content, "identity": {**content["identity"], key: value}}))
        with pytest.raises(TalliesError, match=said):
            merge([parts / "a", tmp_path / "b"])


def test_a_report_that_is_not_whole_is_refused(parts: Path, tmp_path: Path) -> None:
    folder = tmp_path / "b"
    shutil.copytree(parts / "b", folder)
    scenario = (folder / "scenario.toml").read_text()
    for text, said in (
        (scenario.replace("confidence = 0.95", "confidence = 0.9"), "they differ in confidence"),
        (scenario.replace("seed = 1", "seed = 2"), "is of another run: its seed is 1, not 2"),
        ("game = 3", "its scenario cannot be read"),
    ):
        assert text != scenario
        (folder / "scenario.toml").write_text(text)
        with pytest.raises(TalliesError, match=said):
            merge([parts / "a", folder])
    (folder / "scenario.toml").write_text(scenario)
    content = unsealed(folder / "tallies.json", "tallies")
    del content["batches"]["mirror"]
    (folder / "tallies.json").write_text(sealed("tallies", content))
    with pytest.raises(TalliesError, match="batch 'mirror' does not hold the 1 deal it should"):
        merge([parts / "a", folder])
    with pytest.raises(TalliesError, match="cannot be read: No such file"):
        merge([parts / "a", tmp_path / "nowhere"])


def test_a_report_without_its_provenance_is_joined_without_its_times(parts: Path, tmp_path: Path) -> None:
    shutil.copytree(parts / "a", tmp_path / "a")
    (tmp_path / "a" / "run.json").write_text("{")
    result = merge([tmp_path / "a", parts / "b"])
    assert (result.scenario.name, [part.first for part in result.parts]) == ("a", [900])
    assert result.counted == 901


@pytest.mark.parametrize(("value", "words"), [(10**400, "another shape"), (10**6, "do not fit together")])
def test_counters_made_by_hand_under_a_right_checksum_are_refused(
    parts: Path, tmp_path: Path, value: int, words: str
) -> None:
    forged = tmp_path / "forged"
    shutil.copytree(parts / "b", forged)
    content = unsealed(forged / "tallies.json", "tallies")
    content["batches"]["main"]["grouped"]["win"][0][0][0] = value
    (forged / "tallies.json").write_text(sealed("tallies", content))
    with pytest.raises(TalliesError, match=words) as caught:
        merge([parts / "a", forged])
    assert "forged" in str(caught.value)
    assert len(str(caught.value)) < 500
