"""Rounce's spec fits together: counters, axes, tables, pictures, batches."""

from __future__ import annotations

from collections import Counter

import pytest
from rounce_counts import TABLES, blank, rotated, setting_of

from analyzer.errors import ScenarioError
from analyzer.games.policy import resolve_policies
from analyzer.games.rounce.axes import positions
from analyzer.games.rounce.spec import COUNTERS, SPEC
from analyzer.games.rounce.state import COUNTERS as KEPT
from analyzer.games.rounce.tiles import TILE_NAMES
from analyzer.games.spec import Setting
from analyzer.report.frames import Batch, evaluate_tables
from analyzer.report.results import rounded

TWO, THREE, FOUR = (setting_of(players=players) for players in (2, 3, 4))
RIVALS = setting_of("a", "b", plays=rotated((0, 1, 1)))


def test_the_counters_are_those_of_the_kernel() -> None:
    declared = {spec.name: spec.axes for spec in COUNTERS if spec.grouped}
    assert declared == dict(KEPT)
    assert {spec.name for spec in COUNTERS if not spec.grouped} == {
        "running_win", "running_plays", "running_win_sq", "running_policy_win_sq"
    }  # fmt: skip


def test_every_axis_of_counters_and_tables_has_labels() -> None:
    for setting in (TWO, THREE, FOUR):
        for name in [axis for spec in (*COUNTERS, *SPEC.tables) for axis in spec.axes]:
            assert name in setting.axes
        for labels in setting.axes.values():
            assert len(set(labels)) == len(labels)


def test_names_are_used_once() -> None:
    for specs in (SPEC.tables, SPEC.findings, SPEC.health, SPEC.counters, SPEC.batches):
        names = Counter(spec.name for spec in specs)
        assert max(names.values()) == 1
    pictures = Counter(picture.name for table in SPEC.tables for picture in table.pictures)
    assert max(pictures.values()) == 1


def test_pictures_show_columns_of_their_table() -> None:
    for table in SPEC.tables:
        columns = {column.name for column in table.columns}
        for picture in table.pictures:
            assert set(picture.columns) <= columns, picture.name


def test_tables_and_checks_name_batches_that_exist() -> None:
    batches = {batch.name for batch in SPEC.batches}
    assert {spec.batch for spec in (*SPEC.tables, *SPEC.health)} <= batches


def test_seats_and_places_have_names_for_every_table() -> None:
    assert [SPEC.seats(n) for n in SPEC.seat_counts] == [("0", "1"), ("0", "1", "2"), ("0", "1", "2", "3")]
    assert positions(2) == ("1st", "dealer")
    assert positions(4) == ("1st", "2nd", "3rd", "dealer")
    assert THREE.axes["from_dealer"] == ("first dealer", "1 to its left", "2 to its left")
    assert THREE.axes["tile"] == TILE_NAMES
    assert (len(THREE.axes["rounds"]), len(THREE.axes["changes"])) == (64, 32)


@pytest.mark.parametrize("units", [1, 2, 5000])
@pytest.mark.parametrize("setting", [TWO, THREE, FOUR, RIVALS], ids=["two", "three", "four", "two policies"])
def test_every_table_stands_when_nothing_was_counted(setting: Setting, units: int) -> None:
    batch = Batch(blank(setting, units), setting)
    tables, absent = evaluate_tables(
        SPEC.tables, dict.fromkeys((spec.name for spec in SPEC.batches if not spec.twice), batch)
    )
    assert {*tables, *absent} == set(TABLES)
    for result in tables.values():
        for record in rounded(result.records()):
            for column in result.spec.columns:
                low, high = record[column.name]["low"], record[column.name]["high"]
                assert low is None or high is None or low <= high


def test_tables_that_compare_policies_need_two() -> None:
    reasons = {table.name: table.absent(TWO) for table in SPEC.tables if table.absent}
    assert {name for name, reason in reasons.items() if reason} == {"pairs", "running_by_policy"}
    assert str(reasons["pairs"]).startswith("one policy sits in both seats")
    reasons = {table.name: table.absent(RIVALS) for table in SPEC.tables if table.absent}
    assert {name for name, reason in reasons.items() if reason} == {"running"}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"lapse": 0.1}, ["policies.mine.lapse", "nothing can be overlooked"]),
        ({"noise": {"call_fold": 0.5}}, ["policies.mine.noise.call_fold", "no such kind of decision"]),
    ],
)
def test_settings_that_mean_nothing_here_are_refused(table: dict[str, object], words: list[str]) -> None:
    with pytest.raises(ScenarioError) as refusal:
        resolve_policies(SPEC, {"mine": table}, [])
    assert all(word in str(refusal.value) for word in words)
    assert resolve_policies(SPEC, {"mine": {"lapse": 0, "noise": {"call": 0.5}}}, [])["mine"].noise["call_fold"] == 0.5
