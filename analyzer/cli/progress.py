"""How far a run is: a bar on a terminal, plain lines elsewhere, nothing when quiet.

A study calls a reporter: `reporter(phase, done, total)`. Phases: "compiling", those in which it plays (done and
total in units), "report".
"""

from __future__ import annotations

import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO, cast

from analyzer.cli.options import say

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from analyzer.scenario.load import Scenario

COMPILING = "compiling"
REPORT = "report"
LABELS = {COMPILING: "preparing (on first use: compiling, once)", REPORT: "writing the report"}
EVERY = 5.0
"""Seconds between two lines of a phase."""


@dataclass(frozen=True)
class Phases:
    """The phases in which something is played."""

    noun: str
    """What is counted, plural."""
    plays: Mapping[str, int]
    """Plays in a unit, by phase, in their order."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What a phase is called, where that is neither "playing" nor a side batch."""


def phases_of_run(scenario: Scenario) -> Phases:
    """A run's batches."""
    from analyzer.studies.batches import plays_in

    return Phases(scenario.game.play_unit, {batch.name: plays_in(scenario, batch) for batch in scenario.game.batches})


class Reporter:
    """A reporter that says nothing; the others derive from it. A context: what it shows ends with it."""

    def __init__(self) -> None:
        self.counting = False
        """Whether there may be something to save."""

    def __call__(self, phase: str, done: int, total: int) -> None:
        """Take note of a phase."""
        if phase != COMPILING:
            self.counting = True

    def stopping(self) -> None:
        """Say that the run ends early; called from a signal handler."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what is shown."""


class _Loud(Reporter, ABC):
    def __init__(self, phases: Phases, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._noun, self._plays = phases.noun, phases.plays
        self._labels = {**LABELS, **phases.labels}
        self._main, self._last = next(iter(phases.plays)), list(phases.plays)[-1]
        self._phase = ""
        self._started = 0.0
        self._before = 0
        """Units of the phase that an earlier run had done."""

    def __call__(self, phase: str, done: int, total: int) -> None:
        super().__call__(phase, done, total)
        if self._phase == REPORT:
            return
        begins = phase != self._phase and total > 0
        if begins:
            self._phase, self._started, self._before = phase, self._clock(), done
        if total > 0:
            self._show(phase, done, total, begins)
        if phase == self._last and done >= total:
            # Aggregating and drawing take their time, and no bar should stand at 100% meanwhile.
            self(REPORT, 0, 1)

    def stopping(self) -> None:
        # Buffered streams may be in use at this moment; the file itself is not.
        with suppress(OSError):
            os.write(2, b"\nstopping...\n")

    @abstractmethod
    def _show(self, phase: str, done: int, total: int, begins: bool) -> None:
        """Show how far a phase is; `begins` when it has just started."""

    def _label(self, phase: str) -> str:
        return "playing" if phase == self._main else self._labels.get(phase, f"side batch {phase!r}")

    def _rate(self, phase: str, done: int) -> float:
        """Plays a second since the phase began, 0 when that cannot be told yet."""
        passed = self._clock() - self._started
        return (done - self._before) * self._plays[phase] / passed if passed > 0 else 0.0


class Lines(_Loud):
    """Plain lines, without control codes, for files and pipes."""

    def __init__(self, phases: Phases, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(phases, clock)
        self._said = 0.0
        self._ended = False

    def _show(self, phase: str, done: int, total: int, begins: bool) -> None:
        now = self._clock()
        label = self._label(phase)
        if begins:
            self._said, self._ended = now, False
            if phase in self._plays:
                before = f", {done * self._plays[phase]:,} of them already played" if done else ""
                say(f"{label}: {total * self._plays[phase]:,} {self._noun}{before}")
                self._ended = 0 < total <= done
            else:
                say(label)
        if phase not in self._plays or self._ended:
            return
        rate = self._rate(phase, done)
        if done >= total:
            self._ended = True
            say(f"{label}: done in {now - self._started:.1f} s, {rate:,.0f} {self._noun} per second")
        elif now - self._said >= EVERY and rate:
            self._said = now
            left = (total - done) * self._plays[phase] / rate
            say(f"{label}: {100 * done // total}%, {rate:,.0f} {self._noun} per second, {_span(left)} left")


class _Forgiving:
    """A stream of which nothing is lost but the words when its terminal is closed."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


class Bar(_Loud):
    """A bar for each phase; the last, writing the report, has no known length and moves until it is done."""

    def __init__(self, phases: Phases, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(phases, clock)
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        self._bar: Progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=Console(file=cast("TextIO", _Forgiving(sys.stderr))),
        )
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *error: Any) -> None:
        if error[0] is None:
            self._finish()
        self._bar.stop()

    def _show(self, phase: str, done: int, total: int, begins: bool) -> None:
        counted = phase in self._plays
        if begins:
            self._finish()
            # What was done before is no speed of this run.
            at = done if counted else 0
            self._task = self._bar.add_task(self._label(phase), total=total if counted else None, completed=at, rate="")
        if counted and self._task is not None:
            rate = self._rate(phase, done)
            self._bar.update(
                self._task, completed=done, total=total, rate=f"{rate:,.0f} {self._noun} per second" if rate else ""
            )

    def _finish(self) -> None:
        if self._task is not None and self._bar.tasks[self._task].total is None:
            self._bar.update(self._task, total=1, completed=1)


def reporter(phases: Phases, quiet: bool) -> Reporter:
    """The reporter for this process's standard error."""
    if quiet:
        return Reporter()
    terminal = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return Bar(phases) if terminal else Lines(phases)


def _span(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
