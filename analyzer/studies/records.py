"""Whether a row a play can be kept of a run, and where; refused before anything is played."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.errors import PlaceError, ScenarioError, shown
from analyzer.files import reason
from analyzer.report.numbers import counted
from analyzer.scenario.load import Scenario
from analyzer.studies.batches import setting_of

if TYPE_CHECKING:
    from analyzer.report.records import Records

MOST = 10**8
"""Rows of a file: some gigabytes."""


def records_of(
    path: Path | None,
    scenario: Scenario,
    *,
    folder: Path | None = None,
    cluster: str | None = None,
    resume: bool = False,
) -> AbstractContextManager[Records | None]:
    """The file `path` for the plays of a scenario, to hand to `run`; None without one. `folder` is that of the report.

    Raises ScenarioError for what cannot be recorded, PlaceError for a place that cannot be written.
    """
    if path is None:
        return nullcontext()
    from analyzer.report.records import FORMATS, recording, suffix_of

    if cluster is not None:
        raise ScenarioError("records: workers of a cluster send back sums, no single plays; leave one of the two out")
    if resume:
        raise ScenarioError(
            "records: the rows of what was played before were not kept, so a run that goes on cannot record them; "
            "leave one of the two out"
        )
    suffix = suffix_of(path)
    if suffix is None:
        raise ScenarioError(
            f"records: {shown(path.name)} is not allowed; allowed: a name that ends in one of {', '.join(FORMATS)}"
        )
    if suffix == ".parquet" and find_spec("pyarrow") is None:
        raise ScenarioError(
            "records: Parquet needs PyArrow: pip install 'strategy-analyzer[parquet]', or take a name that ends in .csv"
        )
    rows, plays = scenario.count * scenario.table.plays, scenario.table.plays
    if rows > MOST:
        of = counted(scenario.count, scenario.game.unit) + (f" of {plays} plays" if plays > 1 else "")
        raise ScenarioError(
            f"records: {rows:,} rows ({of}); allowed: at most {MOST:,}; ask for fewer with a smaller count"
        )
    place = _place(path, folder)
    return recording(place, scenario.game, setting_of(scenario, scenario.game.batches[0]), scenario.first)


def _place(path: Path, folder: Path | None) -> Path:
    """The path without links. Raises PlaceError when something else is there, or the report is to go there."""
    try:
        place = Path(os.path.realpath(path))
        if place.is_symlink():
            raise PlaceError(f"records: {path} is a link that leads back to itself; choose another place")
        if place.exists() and not place.is_file():
            raise PlaceError(f"records: {path} is there and no plain file; choose another place")
        report = None if folder is None else Path(os.path.realpath(folder))
    except OSError as error:
        raise PlaceError(f"cannot write the records {path}: {reason(error)}") from None
    if report is not None and report in (place, *place.parents):
        raise PlaceError(
            f"records: {path} lies in the report folder, which is replaced as a whole; choose another place"
        )
    if report is not None and place in report.parents:
        raise PlaceError(f"records: {path} is to hold the report folder, hence no file; choose another place")
    return place
