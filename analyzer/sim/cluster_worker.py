"""What the worker processes of a cluster run: who they are, a kernel made ready, blocks of units."""

from __future__ import annotations

import asyncio
import json
import math
import time
import zlib
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import version

import numpy as np
from distributed import get_worker

from analyzer.errors import ClusterFault
from analyzer.games.registry import GAMES, game_named
from analyzer.kernels.sources import simulator_digest
from analyzer.sim.blocks import block_units, blocks
from analyzer.sim.engine import Counted
from analyzer.sim.work import Arrays, Work, work_from

PACKAGES = ("strategy-analyzer", "numba", "numpy", "distributed")


class Dropped(Exception):
    """Nobody waits for this block any more."""


def identity() -> dict[str, str]:
    """What must be equal on all machines: versions, and a digest of all code that plays."""
    streams = {f"stream of {name}": str(game_named(name).stream) for name in GAMES}
    return {**{name: version(name) for name in PACKAGES}, **streams, "simulator": simulator_digest()[:16]}


def differences(theirs: Mapping[str, str], ours: Mapping[str, str]) -> str:
    """In words, what another process has that we have not; empty when nothing."""
    return ", ".join(
        f"{name} {theirs.get(name, 'missing')} (here {ours.get(name, 'missing')})"
        for name in {**ours, **theirs}
        if theirs.get(name) != ours.get(name)
    )


def packed(work: Work) -> bytes:
    """A work for a journey, with the identity that whoever plays it must have."""
    content = {"identity": identity(), "work": work.describe()}
    return zlib.compress(json.dumps(content, separators=(",", ":")).encode())


@lru_cache(maxsize=8)
def unpacked(message: bytes) -> Work:
    """Back from `packed`, once a process. Raises ClusterFault."""
    content = json.loads(zlib.decompress(message))
    if other := differences(identity(), content["identity"]):
        raise ClusterFault(f"a worker that joined since the start has {other}; install the same there")
    return work_from(content["work"])


async def warm_up(message: bytes) -> float:
    """Compile the kernel, or load it from the cache, beside the loop that keeps in touch with the scheduler.

    Returns seconds a play.
    """
    return await asyncio.to_thread(_seconds_a_play, unpacked(message))


def play_block(message: bytes, first: int, count: int) -> Arrays:
    """Sums over units first ... first + count - 1.

    Played in pieces as at home, between which a block that was taken back ends, so that the thread is free for
    what comes next. Raises KernelFault, ClusterFault.
    """
    work = unpacked(message)
    counted = Counted(work, first)
    worker = get_worker()
    task = worker.get_current_task()
    for begin, units in blocks(first, first + count, _piece(work)):
        if worker.state.tasks[task].state != "executing":
            raise Dropped
        counted.add(units, work.play(begin, units))
    return tuple(array.astype(np.int64) for array in counted.exact())


def _seconds_a_play(work: Work) -> float:
    work.play(0, 0)
    units = _piece(work)
    begun = time.perf_counter()
    work.play(0, units)
    return (time.perf_counter() - begun) / (units * work.plays)


def _piece(work: Work) -> int:
    """Units that are played at a stretch: a block as at home."""
    cells = sum(math.prod(shape) for shape in work.shapes)
    return block_units(2**62, work.plays, cells, 1)
