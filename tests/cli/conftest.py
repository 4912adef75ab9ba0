"""The command line in this process, and a run that needs no simulator."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import analyzer.studies
from analyzer.cli.main import cli
from analyzer.errors import Interrupted
from analyzer.report.results import dump_results


@pytest.fixture
def invoke() -> Callable[..., Result]:
    """Call the program with arguments: exit code, standard output and standard error apart."""
    return lambda *args: CliRunner().invoke(cli, [str(arg) for arg in args], prog_name="analyzer")


@dataclass
class FakeStudy:
    """Takes the place of `analyzer.studies.run`: plays nothing, reports progress, notes what it was given."""

    scenario: Any = None
    jobs: int | None = None
    workers: Any = None
    before: Any = None
    keeper: Any = None
    records: Any = None
    command: str = ""
    during: Callable[[Any, Any], None] = lambda progress, stop: None
    """Called between the phases with the progress callback and the stop event."""
    results: dict[str, Any] = field(
        default_factory=lambda: {"findings": [{"sentence": f"Finding {number}."} for number in range(7)]}
    )

    def run(self, scenario: Any, *, progress: Any, stop: Any, **others: Any) -> Any:
        self.scenario = scenario
        for name, value in others.items():
            assert name in ("jobs", "workers", "before", "keeper", "records")
            setattr(self, name, value)
        progress("compiling", 0, 1)
        progress("main", 0, scenario.count)
        self.during(progress, stop)
        counted = scenario.count // 2 if stop.is_set() else scenario.count
        if not counted:
            raise Interrupted("stopped before any deal was counted; no report was written")
        for batch in ("main", "probe", "luck", "random", "mirror"):
            progress(batch, counted, counted)

        def write(folder: Path, command: str) -> Path:
            self.command = command
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "results.json").write_text(dump_results(self.results))
            return folder

        return types.SimpleNamespace(results=self.results, partial=stop.is_set(), counted=counted, write=write)


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> FakeStudy:
    """The fake in place."""
    fake = FakeStudy()
    module = types.ModuleType("analyzer.studies.run")
    module.run = fake.run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "analyzer.studies.run", module)
    monkeypatch.setattr(analyzer.studies, "run", module, raising=False)
    return fake
