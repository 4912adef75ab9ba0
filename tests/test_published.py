"""The published reports are those of this program, small, and name nothing of the machine they were made on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

import analyzer
from analyzer.report.folder import PARTS
from analyzer.report.results import dump_results
from analyzer.scenario.load import Scenario
from analyzer.studies.ambiguity import ambiguity
from analyzer.studies.readings import readings_of

PUBLISHED = Path(__file__).parents[1] / "reports/published"
MAKE = PUBLISHED.parent / "make.sh"
RUNS = ("dingo-baseline", "rounce-baseline-3")
AMBIGUITIES = ("dingo-ambiguity", "rounce-ambiguity")
COUNT = 10_000
TOTAL, LARGEST = 3_800_000, 1_700_000
"""Bytes of a report, and of a file of it."""


def published(name: str) -> Path:
    return PUBLISHED / name


@pytest.fixture(params=(*RUNS, *AMBIGUITIES))
def folder(request: pytest.FixtureRequest) -> Path:
    """Of any report."""
    return published(request.param)


@pytest.fixture(params=RUNS)
def run_folder(request: pytest.FixtureRequest) -> Path:
    """Of the report of a run."""
    return published(request.param)


@pytest.fixture(params=AMBIGUITIES)
def ambiguity_folder(request: pytest.FixtureRequest) -> Path:
    """Of the report of an ambiguity study."""
    return published(request.param)


def results_in(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "results.json").read_text("utf-8")))


def asked(folder: Path) -> Scenario:
    """What the report's command asks."""
    if folder.name in RUNS:
        return analyzer.load_scenario(folder.name)
    return readings_of(folder.name.removesuffix("-ambiguity"), count=results_in(folder)["count"]).baseline


def files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def test_these_reports_are_published_and_no_others() -> None:
    assert {*RUNS} <= {path.name for path in PUBLISHED.iterdir()} <= {*RUNS, *AMBIGUITIES}


def test_it_is_the_report_of_what_its_command_asks(folder: Path) -> None:
    scenario = asked(folder)
    run = json.loads((folder / "run.json").read_text("utf-8"))
    assert run["scenario_digest"] == scenario.digest()
    assert (run["stream"], run["count"], run["partial"]) == (scenario.game.stream, scenario.count, False)
    assert (folder / "scenario.toml").read_text("utf-8") == scenario.to_toml()


def test_its_first_deals_are_played_as_now(run_folder: Path) -> None:
    published = json.loads((run_folder / "results.json").read_text("utf-8"))
    now = analyzer.run(run_folder.name, count=COUNT).results
    first = {row["mark"] for row in now["running"]}
    assert len(first) > 100
    assert [row for row in published["running"] if row["mark"] in first] == now["running"]


def test_it_says_what_the_program_says_now(run_folder: Path) -> None:
    published = json.loads((run_folder / "results.json").read_text("utf-8"))
    now = analyzer.run(run_folder.name, count=COUNT).results
    assert list(published) == list(now)
    assert published["absent"] == now["absent"]
    for name, value in now.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            assert published[name][0].keys() == value[0].keys(), name
    known = {(finding.name, finding.question) for finding in analyzer.load_scenario(run_folder.name).game.findings}
    assert {(finding["name"], finding["question"]) for finding in published["findings"]} <= known
    assert [check["name"] for check in published["health"]] == [check["name"] for check in now["health"]]
    assert all(check["passed"] for check in published["health"])


@pytest.mark.slow
def test_its_numbers_are_made_again_to_the_last_bit(run_folder: Path) -> None:
    result = analyzer.run(run_folder.name)
    assert (run_folder / "results.json").read_text("utf-8") == dump_results(result.results)


def test_it_says_of_the_readings_what_the_program_says_now(ambiguity_folder: Path) -> None:
    then = results_in(ambiguity_folder)
    found = readings_of(then["game"], count=200)
    now = ambiguity(found).results
    assert list(then) == list(now)
    assert then["left_out"] == now["left_out"]
    assert {(row["knob"], str(row["value"])) for row in then["ambiguity"]} == {
        (row["knob"], str(row["value"])) for row in now["ambiguity"]
    }
    assert all(row.keys() == now["ambiguity"][0].keys() for row in then["ambiguity"])
    assert [check["name"] for check in then["health"]] == [check["name"] for check in now["health"]]
    assert all(check["passed"] for check in then["health"])


@pytest.mark.slow
def test_its_readings_are_played_again_to_the_last_bit(ambiguity_folder: Path) -> None:
    then = results_in(ambiguity_folder)
    again = analyzer.ambiguity(then["game"], count=then["count"], seed=then["seed"])
    assert (ambiguity_folder / "results.json").read_text("utf-8") == dump_results(again.results)


def test_it_is_small_and_whole(folder: Path) -> None:
    sizes = {path: path.stat().st_size for path in files(folder)}
    assert sum(sizes.values()) < TOTAL
    assert max(sizes.values()) < LARGEST
    assert {path.name for path in folder.iterdir()} == PARTS - {"tallies.json"}
    results = results_in(folder)
    if folder.name in RUNS:
        tables = {path.stem for path in (folder / "tables").iterdir()}
        assert tables == {spec.name for spec in asked(folder).game.tables} - set(results["absent"])
    pictures = {f"figures/{path.name}" for path in (folder / "figures").iterdir()}
    shown = re.findall(r"\]\((figures/[^)]+)\)", (folder / "report.md").read_text("utf-8"))
    assert pictures == set(shown)


def test_its_page_holds_its_pictures_as_drawings(folder: Path) -> None:
    page = (folder / "report.html").read_text("utf-8")
    drawings = re.findall(r'<img src="data:image/svg\+xml;charset=utf-8,([^"]*)"', page)
    assert len(drawings) == page.count("<img ") == len(list((folder / "figures").iterdir()))
    for drawing in drawings:
        assert ElementTree.fromstring(unquote(drawing).replace("&amp;", "&")).tag.endswith("svg")
    assert not re.findall(r'(?:src|href)="(?!data:|#)', page)


def test_it_names_no_place_of_the_machine_that_made_it(folder: Path) -> None:
    run = json.loads((folder / "run.json").read_text("utf-8"))
    (line,) = re.findall(rf"^publish {folder.name} (.+)$", MAKE.read_text("utf-8"), re.MULTILINE)
    assert run["command"] == f"analyzer {line} --out reports/published/{folder.name}"
    for path in files(folder):
        if path.suffix not in (".png", ".html"):
            assert not re.search(r"(?:^|[\s\"'(=])/(?:home|root|tmp|work|usr|opt|Users)\b", path.read_text("utf-8")), (
                path
            )
