"""Files of tallies: what is damaged or of another run is refused, in words."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import TalliesError
from analyzer.scenario.load import Scenario, load_scenario
from analyzer.studies.played import (
    Part,
    Played,
    difference,
    identity,
    parts_from,
    run_json,
    sealed,
    tallies_from,
    tallies_json,
    unsealed,
)
from analyzer.studies.run import run


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return load_scenario("dingo-forgetful", count=200)


@pytest.fixture(scope="module")
def content(scenario: Scenario) -> dict[str, Any]:
    return tallies_json(scenario, run(scenario, jobs=1).tallies)


@pytest.fixture
def path(tmp_path: Path, content: dict[str, Any]) -> Path:
    path = tmp_path / "tallies.json"
    path.write_text(sealed("tallies", content))
    return path


def test_what_was_sealed_comes_back(path: Path, scenario: Scenario, content: dict[str, Any]) -> None:
    assert json.loads(path.read_text())["batches"] == content["batches"]
    tallies = tallies_from(unsealed(path, "tallies"), scenario, path)
    assert {name: batch.to_json() for name, batch in tallies.items()} == content["batches"]
    assert Played(tallies).main is tallies["main"]


def test_every_cut_and_every_changed_byte_is_found(path: Path) -> None:
    whole = path.read_bytes()
    places = random.Random(1)
    # Without its last byte, a line's end, nothing is missing.
    for length in (0, 1, 11, 75, 76, len(whole) // 2, len(whole) - 2):
        path.write_bytes(whole[:length])
        with pytest.raises(TalliesError, match=r"is damaged|is no file of tallies"):
            unsealed(path, "tallies")
    for _ in range(50):
        place = places.randrange(len(whole) - 1)
        changed = bytearray(whole)
        changed[place] ^= 1 << places.randrange(8)
        path.write_bytes(changed)
        with pytest.raises(TalliesError, match=r"is damaged|is no file of tallies"):
            unsealed(path, "tallies")


def test_a_file_of_another_kind_or_format_is_refused(path: Path) -> None:
    with pytest.raises(TalliesError, match="holds 'tallies' in format 1; this program reads 'checkpoint' in format 1"):
        unsealed(path, "checkpoint")
    with pytest.raises(TalliesError, match="cannot be read: No such file"):
        unsealed(path.with_name("none"), "tallies")


@pytest.mark.parametrize("body", ["{]", "{" * 100_000, '{"n":' + "9" * 10_000 + "}"])
def test_what_is_no_json_under_a_right_checksum_is_refused(path: Path, body: str) -> None:
    path.write_text(f'{{"sha256":"{hashlib.sha256(body.encode()).hexdigest()}",{body[1:]}\n')
    with pytest.raises(TalliesError, match="it is not JSON"):
        unsealed(path, "tallies")


def damages() -> list[tuple[str, Any]]:
    """Ways to spoil a content that a checksum does not show."""

    def spoil(name: str, *keys: Any, value: Any) -> tuple[str, Any]:
        def change(content: Any) -> None:
            for key in keys[:-1]:
                content = content[key]
            if value is None:
                del content[keys[-1]]
            else:
                content[keys[-1]] = value

        return name, change

    main = ("batches", "main")
    return [
        spoil("a missing identity", "identity", value=None),
        spoil("no mapping", "identity", value=[1]),
        spoil("no batches", "batches", value={}),
        spoil("batches of another sort", "batches", value=7),
        spoil("an unknown batch", "batches", "moon", value={"first": 0, "units": 0, "grouped": {}, "plain": {}}),
        spoil("a missing main batch", *main, value=None),
        spoil("a missing counter", *main, "grouped", "win", value=None),
        spoil("a ragged counter", *main, "grouped", "units", value=[[1], 2]),
        spoil("a counter of another length", *main, "grouped", "units", value=[1] * 63),
        spoil("a fraction", *main, "grouped", "units", value=[1.5] * 64),
        spoil("a truth", *main, "grouped", "units", value=[True] * 64),
        spoil("units that are no number", *main, "units", value="200"),
        spoil("units below 0", *main, "units", value=-1),
        spoil("a missing sum of luck and skill", "batches", "luck", "grouped", "cross", value=None),
        spoil("sums of other line-ups", "batches", "luck", "grouped", "cross", value=[[1, 1]] * 64),
        spoil("counters of another batch", "batches", "luck", "plain", value={"running_win": []}),
        spoil("a side batch longer than the main one", "batches", "mirror", "units", value=201),
        spoil("another first unit", "batches", "mirror", "first", value=1),
    ]


@pytest.mark.parametrize(("name", "change"), damages())
def test_a_spoilt_content_is_refused(
    path: Path, scenario: Scenario, content: dict[str, Any], name: str, change: Any
) -> None:
    spoilt = json.loads(json.dumps(content))
    change(spoilt)
    path.write_text(sealed("tallies", spoilt))
    with pytest.raises(TalliesError, match="is damaged"):
        tallies_from(unsealed(path, "tallies"), scenario, path)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("seed=3", "its seed is 1, not 3"),
        ("rules.points.low=4", "its rules.points.low is 1, not 4"),
        ('rules.exchange=["left"]', 'its rules.exchange is ["left", "discard", "discard"], not ["left"]'),
        ("table.seating=all", "its policies sit otherwise"),
        ("first=9", "it begins with deal 0, not 9"),
        ("given.N=AD 2H", "its seats are given nothing, not N: 2H AD"),
    ],
)
def test_tallies_of_another_run_are_refused_with_the_difference(
    path: Path, scenario: Scenario, override: str, said: str
) -> None:
    other = load_scenario("dingo-forgetful", [override], count=200)
    if "exchange" in override:
        said = said.replace('["left", "discard", "discard"]', json.dumps(list(scenario.rules["exchange"])))
    with pytest.raises(TalliesError) as refused:
        tallies_from(unsealed(path, "tallies"), other, path)
    assert str(refused.value) == f"{path}: is of another run: {said}"


def test_a_difference_of_versions_policies_and_games_is_told(scenario: Scenario) -> None:
    mine = identity(scenario)
    assert difference(mine, identity(replace(scenario, count=5, confidence=0.9, title="Other"))) == ""
    assert difference(mine, {**mine, "stream": 99}) == f"its deals were drawn by stream 99, not stream {mine['stream']}"
    found = difference(mine, {**mine, "simulator": "abcdefghi"})
    assert found == f"another version of the simulator played it (abcdefgh, not {mine['simulator'][:8]})"
    rounce = identity(load_scenario("rounce-baseline-2"))
    assert difference(mine, rounce) == "its game is rounce, not dingo"
    names = list(mine["policies"])
    other = {**mine["policies"], names[0]: "0"}
    assert difference(mine, {**mine, "policies": other}) == f"its policy {names[0]!r} plays otherwise"
    assert difference(mine, {**mine, "policies": {"x": "0"}}) == f"its policies are x, not {', '.join(names)}"


def test_the_resolved_scenario_is_the_same_run(scenario: Scenario, tmp_path: Path) -> None:
    (tmp_path / "scenario.toml").write_text(scenario.to_toml())
    assert identity(load_scenario(tmp_path / "scenario.toml")) == identity(scenario)


def test_parts_that_are_something_else_are_none(tmp_path: Path) -> None:
    assert parts_from([{"first": 3, "count": 4, "seconds": {"main": 1}}]) == (Part(3, 4, {"main": 1.0}),)
    for found in (None, 3, [{}], [{"first": "x", "count": 1, "seconds": {}}], [{"first": 1, "count": 1, "seconds": 2}]):
        assert parts_from(found) == ()
    assert run_json(tmp_path) == {}
    (tmp_path / "run.json").write_text("[]")
    assert run_json(tmp_path) == {}
