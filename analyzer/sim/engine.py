"""Blocks of units played on workers, and added up in the order of the units."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import Any, Protocol, Self

from numpy.typing import NDArray

from analyzer.games.spec import GameSpec, Given, Rules, Table
from analyzer.sim.blocks import PLAYS, block_units, blocks, safe_units
from analyzer.sim.luck import LuckWork
from analyzer.sim.result import Best, Tallies, Totals
from analyzer.sim.work import Arrays, Keep, TableWork, Work

GLANCE = 0.2
"""Seconds between two looks at whether to stop, while a block is awaited."""


class Pending(Protocol):
    """A block that was given to a worker."""

    def result(self, timeout: float) -> Arrays:
        """The block's arrays; raises TimeoutError when they are not there in so many seconds, and what `Work.play`
        raised.
        """

    def cancel(self) -> bool:
        """Take the block back, if that is still possible: whether it is dropped."""


class Workers(Protocol):
    """Whoever plays blocks; a context."""

    @property
    def ahead(self) -> int:
        """Blocks under way at once."""

    def block_plays(self, cells: int) -> int:
        """Plays that a block should have, about, if its arrays have so many numbers."""

    def warm_up(self, work: Work) -> None:
        """Make the kernel ready wherever it will be needed; comes before blocks are submitted."""

    def submit(self, work: Work, first: int, count: int) -> Pending:
        """Begin a block as soon as a worker is free; earlier ones go first."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Threads:
    """Threads of this process."""

    def __init__(self, jobs: int) -> None:
        self.ahead = 2 * jobs
        self._pool = ThreadPoolExecutor(max_workers=jobs)

    def block_plays(self, cells: int) -> int:
        """Few, so that a run stops quickly."""
        return PLAYS

    def warm_up(self, work: Work) -> None:
        """Compile the kernel, or load it from the cache."""
        warm_up(work)

    def submit(self, work: Work, first: int, count: int) -> Pending:
        """Begin a block when a thread is free."""
        return self._pool.submit(work.play, first, count)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()


class Counted:
    """What was counted of a work so far: exact sums over the units first ... first + units - 1."""

    def __init__(self, work: Work, first: int, start: Tallies | None = None) -> None:
        self.work, self.first, self.units = work, first, 0
        sums = len(work.shapes) - work.best
        self.sums = tuple((Totals if k < sums else Best)(shape) for k, shape in enumerate(work.shapes))
        if start is not None:
            self.first, self.units = start.first, start.units
            for total, array in zip(self.sums, work.arrays(start.grouped, start.plain), strict=True):
                total.add_exact(array)

    @property
    def end(self) -> int:
        """The first unit that was not counted."""
        return self.first + self.units

    def add(self, count: int, arrays: Arrays) -> None:
        """Add the next `count` units."""
        for total, array in zip(self.sums, arrays, strict=True):
            total.add(array)
        self.units += count

    def exact(self) -> list[NDArray[Any]]:
        """The sums as Python integers."""
        return [total.exact() for total in self.sums]

    def tallies(self) -> Tallies:
        """The sums by name."""
        return Tallies(self.first, self.units, *self.work.named(self.exact()))


@dataclass(frozen=True)
class Look:
    """Looks at what was counted so far, in the order of the units."""

    after: Callable[[int], int]
    """Numbers of units counted at which to look: the first of them above a given one. Where one looks must not hang on
    what was seen.
    """
    stop: Callable[[Counted], bool]
    """Whether to end here, of the sums alone; units that were played beyond are dropped."""


def accumulate(
    counted: Counted,
    end: int,
    workers: Workers,
    *,
    look: Look | None = None,
    seen: Callable[[Counted], None] | None = None,
    stop: threading.Event | None = None,
    block: int | None = None,
) -> bool:
    """Count on up to unit `end`, in place; whether a look ended it earlier.

    `seen` is called after each block. When `stop` is set, blocks that cannot be taken back are finished and what is
    counted is the longest run of units from the first on. `block` (units) changes nothing but the time it takes. Raises
    KernelFault.
    """
    work = counted.work
    cells = sum(math.prod(shape) for shape in work.shapes)
    size = block or block_units(end - counted.end, work.plays, cells, workers.ahead, workers.block_plays(cells))
    # So that no sum of a block reaches 2^61 and `Totals` can add it in int64.
    size = min(size, safe_units(work.unit_bound))
    cut_after = (lambda unit: counted.first + look.after(unit - counted.first)) if look else None
    todo = blocks(counted.end, end, size, cut_after)
    pending: deque[tuple[int, Pending]] = deque()
    halt = stop or threading.Event()

    def ended() -> bool:
        return look is not None and look.after(counted.units - 1) == counted.units and look.stop(counted)

    # Where a count goes on, it may have stopped short of its last look.
    if counted.units and ended():
        return True
    try:
        while True:
            while len(pending) < workers.ahead and not halt.is_set():
                piece = next(todo, None)
                if piece is None:
                    break
                pending.append((piece[1], workers.submit(work, *piece)))
            if not pending:
                return False
            count, awaited = pending.popleft()
            arrays = _awaited(awaited, halt)
            if arrays is None:
                return False
            counted.add(count, arrays)
            if seen:
                seen(counted)
            if ended():
                return True
    finally:
        for _, left in pending:
            left.cancel()


def _awaited(block: Pending, halt: threading.Event) -> Arrays | None:
    """The arrays of a block, or None if it was dropped because `halt` was set."""
    while not (halt.is_set() and block.cancel()):
        with suppress(TimeoutError):
            return block.result(GLANCE)
    return None


@dataclass(frozen=True)
class Job:
    """A table's units to simulate; the tallies are a pure function of this."""

    game: GameSpec
    rules: Rules
    table: Table
    seed: int
    count: int
    first: int = 0
    probe: str | None = None
    twice: bool = False
    """Whether every unit is played a second time with other chances of decisions, to tell luck from skill."""
    seen: Rules | None = None
    given: Given = ()
    repeat: int = 0
    keep: Keep | None = field(default=None, compare=False, repr=False)

    @cached_property
    def work(self) -> TableWork | LuckWork:
        """What is played, of whatever units."""
        work = TableWork(
            self.game, self.rules, self.table, self.seed, self.probe, self.seen, self.given, self.repeat, self.keep
        )
        return LuckWork(work) if self.twice else work


def warm_up(work: Work) -> None:
    """Compile the kernel, or load it from the cache, by playing no unit at all."""
    work.play(0, 0)


def simulate(
    job: Job,
    *,
    jobs: int = 1,
    workers: Workers | None = None,
    start: Tallies | None = None,
    look: Look | None = None,
    seen: Callable[[Counted], None] | None = None,
    stop: threading.Event | None = None,
    block: int | None = None,
) -> Tallies:
    """Play a job's units and return their tallies: on `workers`, or on `jobs` threads of its own.

    `start` holds the tallies of its first units, which are not played again. For the rest see `accumulate`.
    """
    counted = Counted(job.work, job.first, start)
    with Threads(jobs) if workers is None else nullcontext(workers) as crew:
        accumulate(counted, job.first + job.count, crew, look=look, seen=seen, stop=stop, block=block)
    return counted.tallies()
