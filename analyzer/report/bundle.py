"""The report folder: everything drawn and written in a folder of its own, which then replaces the old
report."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.report import tables as tabular
from analyzer.report.folder import replacing, safe_name
from analyzer.report.html import html_report
from analyzer.report.markdown import markdown_report
from analyzer.report.page import compose
from analyzer.report.plots import Drawing, drawing
from analyzer.report.results import dump_results

if TYPE_CHECKING:
    from analyzer.games.spec import PictureSpec
    from analyzer.report.frames import TableResult


def write_report(
    folder: Path,
    *,
    results: Mapping[str, Any],
    tables: Sequence[TableResult],
    provenance: Mapping[str, Any],
    scenario: str,
    tallies: str,
) -> Path:
    """Write the report of a run to `folder` and return it.

    `results` is what stands in `results.json`, `tables` the results' tables in the order of the page,
    `provenance` what stands in `run.json`; its `seconds.report` is set here. `scenario` and `tallies` are
    the texts of `scenario.toml` and `tallies.json`. Raises ReportError when it cannot be written or when
    something else stands there; an old report is then whole.
    """
    started = time.perf_counter()
    with replacing(folder) as new:
        drawings = draw_all(tables, float(results["confidence"]))
        (new / "figures").mkdir()
        for picture in drawings:
            (new / "figures" / f"{picture.name}.png").write_bytes(picture.png)
            (new / "figures" / f"{picture.name}.svg").write_bytes(picture.svg)
        (new / "tables").mkdir()
        for table in tables:
            _write(new / "tables" / f"{table.spec.name}.csv", tabular.csv_table(table.frame()))
        _write(new / "columns.csv", tabular.csv_columns(tables))
        _write(new / "results.json", dump_results(results))
        _write(new / "tallies.json", tallies)
        _write(new / "scenario.toml", scenario)
        took = round(time.perf_counter() - started, 3)
        run = {**provenance, "seconds": {**provenance.get("seconds", {}), "report": took}}
        _write(new / "run.json", json.dumps(run, ensure_ascii=False, indent=1) + "\n")
        page = compose(results, tables, drawings, run, scenario)
        _write(new / "report.html", html_report(page))
        _write(new / "report.md", markdown_report(page))
    return folder


def draw_all(tables: Sequence[TableResult], confidence: float) -> list[Drawing]:
    """Every picture of the tables that have something to show, named after itself, or after table and itself where two
    would clash."""
    wanted = [(table, picture) for table in tables for picture in table.spec.pictures if _worth_drawing(table, picture)]
    times = Counter(safe_name(picture.name) for _, picture in wanted)
    made: dict[str, Drawing] = {}
    for table, picture in wanted:
        name = safe_name(picture.name)
        if times[name] > 1:
            name = safe_name(f"{table.spec.name}-{picture.name}")
        while name in made:
            name += "-more"
        made[name] = drawing(table, picture, name, confidence)
    return list(made.values())


def _worth_drawing(table: TableResult, picture: PictureSpec) -> bool:
    """Whether there are rows and, where they are compared along an axis, more than one place to compare."""
    places = {labels[0] for labels in table.rows if labels}
    return bool(table.rows) and (picture.kind not in ("intervals", "curve") or len(places) > 1 or not table.spec.axes)


def _write(path: Path, text: str) -> None:
    # A lone surrogate (from a file name on the command line) cannot be written as UTF-8; its escape can.
    path.write_bytes(text.encode("utf-8", "backslashreplace"))
