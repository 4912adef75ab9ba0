"""Whether a row a play can be kept of a run, and where; refused before anything is played."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.errors import PlaceError, ScenarioError, shown
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
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file():
        raise PlaceError(f"records: {path} is there and no plain file; choose another place")
    if folder is not None and Path(os.path.realpath(folder)) in place.parents:
        raise PlaceError(
            f"records: {path} lies in the report folder, which is replaced as a whole; choose another place"
        )
    return recording(place, scenario.game, setting_of(scenario, scenario.game.batches[0]), scenario.first)
