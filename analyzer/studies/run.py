"""The study "who wins, and why": a scenario's table played, side questions played beside it, everything
counted into one report.
"""

from __future__ import annotations

import json
import os
import platform
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.errors import Interrupted
from analyzer.games.policy import resolve_policies
from analyzer.games.spec import BatchSpec, Policy, Setting, Table
from analyzer.report.frames import Batch, TableResult, evaluate_tables
from analyzer.report.results import assemble
from analyzer.scenario.load import Scenario
from analyzer.scenario.seating import build_table
from analyzer.sim.engine import Job, Threads, simulate, warm_up
from analyzer.sim.result import Tallies
from analyzer.sim.work import load_kernel

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[str, int, int], None]
"""Called with (phase, done, total) in units; the phase is "compiling" or the name of a batch."""

MIRRORED = "′"
SIDE_PLAYS = 1_600_000
"""A side batch plays at most so many games, a second's work, which a user waits for after Ctrl-C too."""


@dataclass(frozen=True)
class RunResult:
    """A finished (or interrupted) run."""

    scenario: Scenario
    results: dict[str, Any]
    """What `results.json` holds."""
    tables: dict[str, TableResult]
    tallies: dict[str, Tallies]
    """Counters of each batch, by its name."""
    seconds: dict[str, float]
    partial: bool

    @property
    def counted(self) -> int:
        """Units of the main batch that were counted."""
        return self.tallies["main"].units

    def frame(self, name: str) -> pd.DataFrame:
        """One table of the results: its row labels, then for each column the estimate, `_low`, `_high`, `_se`, `_n`."""
        if name not in self.tables:
            reason = self.results["absent"].get(name)
            raise KeyError(
                f"{name}: {reason}" if reason else f"no table is named {name!r}; tables: {', '.join(self.tables)}"
            )
        return self.tables[name].frame()

    def write(self, folder: str | Path, command: str = "") -> Path:
        """Write the report folder, replacing an older report there whole or not at all; returns its path.
        Raises ReportError.
        """
        from analyzer.report.bundle import write_report

        return write_report(
            Path(folder),
            results=self.results,
            tables=list(self.tables.values()),
            provenance=self._provenance(command),
            scenario=self.scenario.to_toml(),
            tallies=self._tallies_json(),
        )

    def _provenance(self, command: str) -> dict[str, Any]:
        main = self.tallies["main"]
        plays = main.units * self.scenario.table.plays
        simulate_seconds = self.seconds["main"]
        return {
            "analyzer": version("strategy-analyzer"),
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "numba": version("numba"),
            "machine": platform.machine(),
            "stream": self.scenario.game.stream,
            "command": command,
            "scenario": self.scenario.name,
            "scenario_digest": self.scenario.digest(),
            "seed": self.scenario.seed,
            "first": main.first,
            "count": main.units,
            "asked": self.scenario.count,
            "partial": self.partial,
            "seconds": {name: round(value, 3) for name, value in self.seconds.items() if name != "main"},
            "deals_per_second": round(plays / simulate_seconds) if simulate_seconds > 0 else None,
            **{
                name: round(int(main.grouped[counter].sum()) / simulate_seconds) if simulate_seconds > 0 else None
                for name, counter in self.scenario.game.rates
            },
        }

    def _tallies_json(self) -> str:
        content = {
            "game": self.scenario.game.name,
            "stream": self.scenario.game.stream,
            "scenario_digest": self.scenario.digest(),
            "seed": self.scenario.seed,
            "batches": {name: tallies.to_json() for name, tallies in self.tallies.items()},
        }
        return json.dumps(content, separators=(",", ":")) + "\n"


def run(
    scenario: Scenario,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> RunResult:
    """Play a scenario on `jobs` threads (all processors by default) and evaluate it.

    When `stop` is set the run ends within a moment and is marked partial; Interrupted is raised if
    nothing was counted yet. The numbers are those of a run of the units counted, whatever the number of
    threads.
    """
    say = progress or (lambda phase, done, total: None)
    threads = jobs or processors()
    halt = stop or threading.Event()
    specs = scenario.game.batches
    main_job = _job(scenario, specs[0], scenario.count)
    say("compiling", 0, 1)
    begun = time.perf_counter()
    load_kernel(scenario.game)
    imported = time.perf_counter()
    warm_up(main_job.work)
    compiled = time.perf_counter()
    say("compiling", 1, 1)
    tallies: dict[str, Tallies] = {}
    seconds = {"import": imported - begun, "compile": compiled - imported}
    with Threads(threads) as workers:
        for spec in specs:
            # Side questions are asked of as many units as the main one counted, so that a run's results do not
            # tell how it ended.
            counted = tallies["main"].units if tallies else scenario.count
            job = _job(scenario, spec, counted)
            begun = time.perf_counter()
            say(spec.name, 0, job.count)
            tallies[spec.name] = simulate(
                job,
                workers=workers,
                seen=lambda so_far, name=spec.name, total=job.count: say(name, so_far.units, total),  # type: ignore[misc]
                stop=halt if spec is specs[0] else None,
            )
            if spec is specs[0]:
                seconds["main"] = time.perf_counter() - begun
                if not tallies["main"].units:
                    raise Interrupted(f"stopped before any {scenario.game.unit} was counted; no report was written")
    seconds["simulate"] = time.perf_counter() - compiled
    return _evaluated(scenario, tallies, seconds)


def processors() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _evaluated(scenario: Scenario, tallies: dict[str, Tallies], seconds: dict[str, float]) -> RunResult:
    begun = time.perf_counter()
    batches = {
        spec.name: Batch(tallies[spec.name], _setting(scenario, _table(scenario, spec)))
        for spec in scenario.game.batches
    }
    tables, absent = evaluate_tables(scenario.game.tables, batches)
    results = assemble(
        scenario.game,
        batches,
        tables,
        absent,
        study="run",
        title=scenario.title,
        question=scenario.question,
        seed=scenario.seed,
    )
    seconds["evaluate"] = time.perf_counter() - begun
    return RunResult(scenario, results, tables, tallies, seconds, partial=tallies["main"].units < scenario.count)


def _setting(scenario: Scenario, table: Table) -> Setting:
    axes = scenario.game.axes(scenario.rules, table)
    return Setting(scenario.rules, table, scenario.seats, axes, scenario.confidence)


def _job(scenario: Scenario, spec: BatchSpec, count: int) -> Job:
    table = _table(scenario, spec)
    units = count if spec.limit is None else min(count, spec.limit, max(1, SIDE_PLAYS // table.plays))
    return Job(scenario.game, scenario.rules, table, scenario.seed, units, probe=spec.probe)


def _table(scenario: Scenario, spec: BatchSpec) -> Table:
    """The table of a batch: the scenario's, four of `random`, or each policy against itself under a second name."""
    if spec.table == "main":
        return scenario.table
    n = len(scenario.seats)
    if spec.table == "random":
        random = resolve_policies(scenario.game, {}, ["random"])["random"]
        return build_table(["random"] * n, n, "fixed", {"random": random})
    pairs: list[Policy] = []
    arrangements = []
    for index, policy in enumerate(scenario.table.policies):
        pairs += [policy, replace(policy, name=policy.name + MIRRORED)]
        seats = [2 * index + seat % 2 for seat in range(n)]
        arrangements.append(tuple(tuple(seats[(seat - turn) % n] for seat in range(n)) for turn in range(n)))
    return Table(tuple(pairs), tuple(arrangements), "rotate")
