"""The study "who wins, and why": a scenario's table played, side questions played beside it, everything
counted into one report.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from analyzer.errors import Interrupted
from analyzer.report.frames import Batch, TableResult, evaluate_tables
from analyzer.report.results import assemble
from analyzer.scenario.load import Scenario
from analyzer.sim.engine import Counted, Threads, Workers, simulate
from analyzer.sim.result import Tallies
from analyzer.sim.work import load_kernel
from analyzer.studies.batches import job_of, setting_of
from analyzer.studies.outcome import machine
from analyzer.studies.played import Part, Played, fitting, sealed, tallies_json
from analyzer.studies.precision import Stopping

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.records import Records

Progress = Callable[[str, int, int], None]
"""Called with (phase, done, total) in units; the phase is "compiling" or the name of a batch. A phase that goes on
with an earlier run begins with what that had done.
"""


class Keeper(Protocol):
    """Keeps what was played while a run goes on; see `checkpoint.Checkpoint`."""

    @property
    def written(self) -> bool:
        """Whether anything is kept of this run."""

    def due(self) -> bool:
        """Whether it is time to write."""

    def write(self, played: Played) -> None:
        """Keep this."""


@dataclass(frozen=True)
class RunResult:
    """A finished (or interrupted) run."""

    scenario: Scenario
    results: dict[str, Any]
    """What `results.json` holds."""
    tables: dict[str, TableResult]
    tallies: dict[str, Tallies]
    """Counters of each batch, by its name."""
    parts: tuple[Part, ...]
    """The stretches in which it was played, or more exactly those whose times are known."""
    evaluated: float
    """Seconds that the evaluation took."""
    partial: bool
    joined: tuple[dict[str, Any], ...] = ()
    """Provenance of the reports that this one was joined of."""

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
            tallies=self.sealed_tallies(),
        )

    def sealed_tallies(self) -> str:
        """What `tallies.json` holds."""
        content = {**tallies_json(self.scenario, self.tallies), "confidence": self.scenario.confidence}
        return sealed("tallies", content)

    def _provenance(self, command: str) -> dict[str, Any]:
        main = self.tallies["main"]
        seconds: Counter[str] = Counter()
        timed = 0
        for part in self.parts:
            seconds.update(part.seconds)
            timed += part.count
        simulated = seconds.pop("main", 0.0)
        # The share of what was counted whose time is known.
        share = timed / main.units

        def rate(number: int) -> int | None:
            return round(number * share / simulated) if simulated > 0 else None

        return {
            **machine(command, self.scenario),
            "first": main.first,
            "count": main.units,
            "asked": self.scenario.count,
            **({} if self.scenario.precision is None else {"precision": self.scenario.precision}),
            "partial": self.partial,
            "seconds": {**_rounded(seconds), "evaluate": round(self.evaluated, 3)},
            "deals_per_second": rate(main.units * self.scenario.table.plays),
            **{name: rate(int(main.grouped[counter].sum())) for name, counter in self.scenario.game.rates},
            "parts": [{**asdict(part), "seconds": _rounded(part.seconds)} for part in self.parts],
            **({"joined": list(self.joined)} if self.joined else {}),
        }


def run(
    scenario: Scenario,
    *,
    jobs: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
    before: Played | None = None,
    keeper: Keeper | None = None,
    records: Records | None = None,
) -> RunResult:
    """Play a scenario on `jobs` threads (all processors by default), or on `workers`, and evaluate it.

    When `stop` is set the run ends within a moment and is marked partial; Interrupted is raised if
    nothing was counted yet. The numbers are those of a run of the units counted, whatever the number of
    threads. It goes on from what was played `before`, and hands `keeper` what was played whenever that is due.
    `records` (see `records.records_of`) get every play of the main batch; they need threads, and nothing played before.
    """
    say = progress or (lambda phase, done, total: None)
    halt = stop or threading.Event()
    specs = scenario.game.batches
    main = specs[0].name
    crew = Threads(jobs or processors()) if workers is None else workers
    say("compiling", 0, 1)
    begun = time.perf_counter()
    load_kernel(scenario.game)
    imported = time.perf_counter()
    crew.warm_up(job_of(scenario, specs[0], 0).work)
    compiled = time.perf_counter()
    say("compiling", 1, 1)
    tallies = dict(before.tallies) if before else {}
    partial = False
    earlier = tallies[main].units if before else 0
    seconds = {"import": imported - begun, "compile": compiled - imported}

    def played(now: Mapping[str, Tallies]) -> Played:
        passed = {**seconds, "simulate": time.perf_counter() - compiled}
        # Until its end is noted, the main batch is all there is.
        part = Part(scenario.first + earlier, now[main].units - earlier, {"main": passed["simulate"], **passed})
        return Played(dict(now), (*(before.parts if before else ()), part))

    stopping = stopping_of(scenario)
    with crew if workers is None else nullcontext():
        for spec in specs:
            # Side questions are asked of as many units as the main one counted, so that a run's results do not
            # tell how it ended.
            job = job_of(scenario, spec, scenario.count if spec is specs[0] else tallies[main].units)
            if records and spec is specs[0]:
                job = replace(job, keep=records.keep)
            start = tallies.get(spec.name)
            ends = stopping if spec is specs[0] else None

            def tell(done: int, name: str = spec.name, total: int = job.count, ends: Stopping | None = ends) -> None:
                say(name, done, ends.expected(done) if ends else total)

            tell(start.units if start else 0)

            def seen(so_far: Counted, name: str = spec.name, tell: Callable[[int], None] = tell) -> None:
                tell(so_far.units)
                if records and name == main:
                    records.upto(so_far.end)
                if keeper and keeper.due():
                    keeper.write(played({**tallies, name: so_far.tallies()}))

            tallies[spec.name] = simulate(
                job,
                workers=crew,
                start=start,
                look=ends.look if ends else None,
                seen=seen,
                stop=halt if spec is specs[0] else None,
            )
            if spec is specs[0]:
                seconds["main"] = time.perf_counter() - compiled
                if not tallies[main].units:
                    raise Interrupted(f"stopped before any {scenario.game.unit} was counted; no report was written")
                partial = not (stopping.ended(tallies[main]) if stopping else tallies[main].units >= scenario.count)
                if ends and not partial:
                    say(main, tallies[main].units, tallies[main].units)
                if keeper and partial:
                    keeper.write(played(tallies))
    done = played(tallies)
    if keeper and keeper.written:
        keeper.write(done)
    with fitting("what was played before") if before else nullcontext():
        return evaluated(scenario, done, partial=partial)


def processors() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def stopping_of(scenario: Scenario) -> Stopping | None:
    """What ends a run by precision."""
    return None if scenario.precision is None else Stopping(scenario, setting_of(scenario, scenario.game.batches[0]))


def evaluated(
    scenario: Scenario, played: Played, *, partial: bool = False, joined: tuple[dict[str, Any], ...] = ()
) -> RunResult:
    """The results of what was played."""
    begun = time.perf_counter()
    batches = {
        spec.name: Batch(played.tallies[spec.name], setting_of(scenario, spec))
        for spec in scenario.game.batches
        if played.tallies[spec.name].units
    }
    tables, absent = evaluate_tables(scenario.game.tables, batches)
    stopping = stopping_of(scenario)
    results = assemble(
        scenario.game,
        batches,
        tables,
        absent,
        study="run",
        title=scenario.title,
        question=scenario.question,
        seed=scenario.seed,
        more={"precision": stopping.results(played.main)} if stopping else {},
    )
    took = time.perf_counter() - begun
    return RunResult(scenario, results, tables, played.tallies, played.parts, took, partial, joined)


def _rounded(seconds: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in seconds.items()}
