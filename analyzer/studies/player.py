"""How a study plays its works: on whom, who hears how far it is, who may end it, and how long what took."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from types import TracebackType
from typing import Self

from analyzer.errors import Interrupted
from analyzer.games.spec import GameSpec
from analyzer.sim.engine import Counted, Look, Threads, Workers, accumulate
from analyzer.sim.work import Work, load_kernel
from analyzer.studies.run import Progress, processors


class Player:
    """Plays works on `jobs` threads (all processors by default), or on `workers`; a context.

    `progress` is called with (phase, done, total) in plays of all arms; when `stop` is set, a count ends with the units
    played until then.
    """

    def __init__(
        self,
        jobs: int | None = None,
        workers: Workers | None = None,
        progress: Progress | None = None,
        stop: threading.Event | None = None,
    ) -> None:
        self._crew = Threads(jobs or processors()) if workers is None else workers
        self._own = workers is None
        self._say = progress or (lambda phase, done, total: None)
        self._stop = stop or threading.Event()
        self.seconds: defaultdict[str, float] = defaultdict(float)
        """By what was done: import, compile, simulate."""
        self.plays = 0
        """Plays counted in all."""

    def __enter__(self) -> Self:
        if self._own:
            self._crew.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._own:
            self._crew.__exit__(kind, error, trace)

    @property
    def stopped(self) -> bool:
        """Whether somebody ended it."""
        return self._stop.is_set()

    def prepare(self, game: GameSpec, work: Work) -> None:
        """Compile what the work needs, or load it from the cache."""
        self._say("compiling", 0, 1)
        begun = time.perf_counter()
        load_kernel(game)
        imported = time.perf_counter()
        self._crew.warm_up(work)
        self.seconds["import"] += imported - begun
        self.seconds["compile"] += time.perf_counter() - imported
        self._say("compiling", 1, 1)

    def speed(self, work: Work, first: int, units: int, least: float) -> float:
        """Units a second, over blocks of so many that are not kept, played for at least so many seconds; 0 if it was
        ended before one was over.
        """
        counted = Counted(work, first)
        begun = time.perf_counter()
        while True:
            accumulate(counted, counted.end + units, self._crew, stop=self._stop)
            passed = time.perf_counter() - begun
            if passed >= least or self.stopped:
                return counted.units / passed
            units *= 2

    def count(
        self, phase: str, work: Work, first: int, units: int, look: Look | None = None, *, least: int = 1
    ) -> Counted:
        """Count units first ... first + units - 1 of a work, or fewer when a look or `stop` ends it. Raises
        Interrupted when these are fewer than `least`."""
        begun = time.perf_counter()
        counted = Counted(work, first)
        total = units * work.plays
        self._say(phase, 0, total)
        accumulate(
            counted,
            first + units,
            self._crew,
            look=look,
            seen=lambda so_far: self._say(phase, so_far.units * work.plays, total),
            stop=self._stop,
        )
        self.seconds["simulate"] += time.perf_counter() - begun
        self.plays += counted.units * work.plays
        if counted.units < least:
            raise Interrupted("stopped before anything was counted; no report was written")
        return counted
