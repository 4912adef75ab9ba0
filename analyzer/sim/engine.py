"""Threads over blocks of units: the serial kernel runs in each, tallies are added in the order of the units."""

from __future__ import annotations

import importlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import KernelFault
from analyzer.games.spec import GameSpec, Rules, Table
from analyzer.sim.blocks import block_units, blocks
from analyzer.sim.result import Tallies, Totals


class Prepared(Protocol):
    """What a game's `play.Prepared(rules, table, probe)` offers."""

    grouped_shape: tuple[int, int]
    plain_shape: tuple[int, int]
    plays: int
    record: np.dtype[Any]

    def play(
        self,
        seed: int,
        first: int,
        count: int,
        grouped: NDArray[np.int64],
        plain: NDArray[np.int64],
        records: NDArray[np.void] | None = None,
    ) -> int:
        """Add units to the tallies, and their plays to `records` (count, plays) of dtype `record`; -1 or a unit that
        broke an invariant.
        """

    def named(
        self, grouped: NDArray[Any], plain: NDArray[Any]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
        """Tallies by counter name."""


@dataclass(frozen=True)
class Job:
    """What to simulate; a pure function of this, whoever computes it and in how many pieces."""

    game: GameSpec
    rules: Rules
    table: Table
    seed: int
    count: int
    first: int = 0
    probe: str | None = None


def load_kernel(game: GameSpec) -> ModuleType:
    """The game's module that plays, and with it the compiler: imported when first needed."""
    return importlib.import_module(f"{game.package}.play")


def prepare(job: Job) -> Prepared:
    """The job's rules and table as the game's kernel reads them."""
    prepared: Prepared = load_kernel(job.game).Prepared(job.rules, job.table, job.probe)
    return prepared


def warm_up(job: Job) -> None:
    """Compile the kernel, or load it from the cache, by playing no unit at all."""
    prepared = prepare(job)
    prepared.play(job.seed, 0, 0, np.zeros(prepared.grouped_shape, np.int64), np.zeros(prepared.plain_shape, np.int64))


def simulate(
    job: Job,
    *,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
    block: int | None = None,
) -> Tallies:
    """Play a job's units on `jobs` threads and return their tallies.

    When `stop` is set, blocks that have begun are finished and the tallies are those of the longest run
    of units from the first on. `progress` gets the number of units added so far. `block` (units) changes
    nothing but the time it takes. Raises KernelFault.
    """
    prepared = prepare(job)
    grouped, plain = Totals(prepared.grouped_shape), Totals(prepared.plain_shape)
    size = block or block_units(job.count, prepared.plays, prepared.grouped_shape[1], jobs)
    halt = stop or threading.Event()

    def play(first: int, count: int) -> tuple[int, NDArray[np.int64], NDArray[np.int64]] | None:
        if halt.is_set():
            return None
        mine = np.zeros(prepared.grouped_shape, np.int64), np.zeros(prepared.plain_shape, np.int64)
        wrong = prepared.play(job.seed, first, count, *mine)
        if wrong >= 0:
            raise KernelFault(
                f"the simulator broke an invariant: game {job.game.name}, seed {job.seed}, {job.game.unit} "
                f"{wrong}; please report it with the scenario"
            )
        return (count, *mine)

    done = 0
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            for result in _in_order(pool, play, blocks(job.first, job.count, size), ahead=2 * jobs):
                if result is None:
                    break
                count, block_grouped, block_plain = result
                grouped.add(block_grouped)
                plain.add(block_plain)
                done += count
                if progress:
                    progress(done)
        except BaseException:
            halt.set()
            raise
    by_name = prepared.named(grouped.exact(), plain.exact())
    return Tallies(job.first, done, *by_name)


def _in_order(
    pool: ThreadPoolExecutor, play: Callable[[int, int], Any], todo: Iterator[tuple[int, int]], ahead: int
) -> Iterator[Any]:
    """Results of blocks in their order, never more than `ahead` blocks begun beyond the one awaited."""
    pending: deque[Future[Any]] = deque()
    for piece in todo:
        pending.append(pool.submit(play, *piece))
        if len(pending) >= ahead:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()
