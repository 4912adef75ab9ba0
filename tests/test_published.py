"""The published report is that of this program, small, and names nothing of the machine it was made on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

import analyzer
from analyzer.report.folder import PARTS
from analyzer.report.results import dump_results

PUBLISHED = Path(__file__).parents[1] / "reports/published"
NAMES = ("dingo-baseline", "rounce-baseline-3")
COUNT = 10_000
TOTAL, LARGEST = 3_500_000, 1_500_000
"""Bytes of a report, and of a file of it."""


@pytest.fixture(params=NAMES)
def folder(request: pytest.FixtureRequest) -> Path:
    return PUBLISHED / str(request.param)


def files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def test_these_reports_are_published_and_no_others() -> None:
    assert sorted(path.name for path in PUBLISHED.iterdir()) == sorted(NAMES)


def test_it_is_the_report_of_the_scenario_that_ships(folder: Path) -> None:
    scenario = analyzer.load_scenario(folder.name)
    run = json.loads((folder / "run.json").read_text("utf-8"))
    assert run["scenario_digest"] == scenario.digest()
    assert (run["stream"], run["count"], run["partial"]) == (scenario.game.stream, scenario.count, False)
    assert (folder / "scenario.toml").read_text("utf-8") == scenario.to_toml()


def test_its_first_deals_are_played_as_now(folder: Path) -> None:
    published = json.loads((folder / "results.json").read_text("utf-8"))
    now = analyzer.run(folder.name, count=COUNT).results
    first = {row["mark"] for row in now["running"]}
    assert len(first) > 100
    assert [row for row in published["running"] if row["mark"] in first] == now["running"]


def test_it_says_what_the_program_says_now(folder: Path) -> None:
    published = json.loads((folder / "results.json").read_text("utf-8"))
    now = analyzer.run(folder.name, count=COUNT).results
    assert list(published) == list(now)
    assert published["absent"] == now["absent"]
    for name, value in now.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            assert published[name][0].keys() == value[0].keys(), name
    known = {(finding.name, finding.question) for finding in analyzer.load_scenario(folder.name).game.findings}
    assert {(finding["name"], finding["question"]) for finding in published["findings"]} <= known
    assert [check["name"] for check in published["health"]] == [check["name"] for check in now["health"]]
    assert all(check["passed"] for check in published["health"])


@pytest.mark.slow
def test_its_numbers_are_made_again_to_the_last_bit(folder: Path) -> None:
    result = analyzer.run(folder.name)
    assert (folder / "results.json").read_text("utf-8") == dump_results(result.results)


def test_it_is_small_and_whole(folder: Path) -> None:
    sizes = {path: path.stat().st_size for path in files(folder)}
    assert sum(sizes.values()) < TOTAL
    assert max(sizes.values()) < LARGEST
    assert {path.name for path in folder.iterdir()} == PARTS - {"tallies.json"}
    results = json.loads((folder / "results.json").read_text("utf-8"))
    tables = {path.stem for path in (folder / "tables").iterdir()}
    assert tables == {spec.name for spec in analyzer.load_scenario(folder.name).game.tables} - set(results["absent"])
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
    assert run["command"] == f"analyzer run {folder.name} --out reports/published/{folder.name}"
    for path in files(folder):
        if path.suffix not in (".png", ".html"):
            assert not re.search(r"(?:^|[\s\"'(=])/(?:home|root|tmp|work|usr|opt|Users)\b", path.read_text("utf-8")), (
                path
            )
