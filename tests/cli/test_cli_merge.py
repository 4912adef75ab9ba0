"""`analyzer merge` round reports of a few deals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import analyzer


@pytest.fixture(autouse=True, scope="module")
def _plain() -> Iterator[None]:
    """No pictures, which take most of a report's time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.report.bundle.draw_all", lambda tables, confidence: [])
        yield


@pytest.fixture(scope="module")
def reports(_plain: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("reports")
    one, other = (analyzer.run("dingo-random", first=first, count=50).write(home / f"{first}") for first in (0, 50))
    return one, other


def test_the_last_line_is_the_joined_report(invoke, reports, tmp_path):
    result = invoke("merge", *reports, "--out", tmp_path / "r")
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path}/r/report.html\n")
    assert result.stderr == "100 deals from 2 reports\n"
    assert f'"command": "analyzer merge {reports[0]} {reports[1]} --out {tmp_path}/r"' in (
        tmp_path / "r" / "run.json"
    ).read_text("utf-8")


def test_json_is_the_content_of_results_and_quiet_says_nothing(invoke, reports, tmp_path):
    result = invoke("merge", *reports, "--out", tmp_path / "r", "--json", "--quiet")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (tmp_path / "r" / "results.json").read_text("utf-8")


def test_what_cannot_be_joined_is_one_line_exit_code_2_and_nothing_written(invoke, reports, tmp_path):
    result = invoke("merge", reports[0], reports[0], "--out", tmp_path / "r")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"analyzer: error: {reports[0]} and {reports[0]} overlap: both hold 50 deals from number 0 on\n"
    )
    assert list(tmp_path.iterdir()) == []
    assert invoke("merge", "--out", tmp_path / "r").exit_code == 2
    assert invoke("merge", reports[0]).exit_code == 2
