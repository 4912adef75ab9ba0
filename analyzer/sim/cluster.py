"""Blocks played on a Dask cluster: a scheduler somewhere, or worker processes on this machine.

Results come back in the order in which they are asked for, and are the same as at home to the last bit: a block is
a pure function of its units, so that Dask may play it again elsewhere when a worker dies.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from multiprocessing import resource_tracker
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from analyzer.errors import AnalyzerError, ClusterError, ClusterFault
from analyzer.sim.engine import Workers
from analyzer.sim.work import Arrays, Work

if TYPE_CHECKING:
    from distributed import Future

ALLOWED = "tcp://HOST:PORT of a running Dask scheduler, or local:N for N worker processes on this machine"
MAX_LOCAL = 1024
CONNECT, JOIN, GONE = 5, 10, 60
"""Seconds in which a scheduler must answer, a first worker must join, and workers that have all died must be back."""
REFRESH = 5.0
"""Seconds between two counts of the workers' threads."""
RETRIES = 2
"""Times a block is played again after an error, such as a worker out of memory. (Death of a worker: Dask's setting
`distributed.scheduler.allowed-failures`, 3.)
"""
LEAST_SECONDS, MOST_SECONDS = 2.0, 60.0
SHARE = 0.25
"""Share of its time that the client may spend on blocks that come back; see `block_seconds`."""
TASK_SECONDS, BYTE_SECONDS = 3.8e-3, 1.25e-9
"""Of `block_cost`: measured by `tests/bench/cluster_model.py`."""


def workers(cluster: str | None, say: Callable[[str], None] = lambda line: None) -> AbstractContextManager[Any]:
    """The cluster of this address, to play on; None without one. `say` is told what is found there.

    Raises ClusterError.
    """
    return nullcontext() if cluster is None else Cluster(cluster, say)


def check_address(text: str) -> str:
    """The address, if it is one. Raises ClusterError."""
    if local := re.fullmatch(r"local:([1-9][0-9]{0,8})", text, re.ASCII):
        if int(local[1]) <= MAX_LOCAL:
            return text
        raise ClusterError(f"{text!r}: allowed: at most {MAX_LOCAL} worker processes")
    remote = re.fullmatch(r"tcp://([\w.-]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})", text, re.ASCII)
    if remote and 0 < int(remote[2]) < 65_536:
        return text
    raise ClusterError(f"{text[:60]!r} is no cluster; allowed: {ALLOWED}")


def block_seconds(threads: int, size: int) -> float:
    """Seconds that a block should take, if `threads` of them are played at once and bring back `size` bytes each.

    So long that client and scheduler, who have to do with every block, are busy for at most SHARE of the time.
    """
    return min(max(LEAST_SECONDS, threads * block_cost(size) / SHARE), MOST_SECONDS)


def block_cost(size: int) -> float:
    """Seconds that scheduler and client together spend on a block of so many bytes."""
    return TASK_SECONDS + BYTE_SECONDS * size


class Cluster(Workers):
    """Worker processes that a Dask scheduler knows; a context."""

    def __init__(self, address: str, say: Callable[[str], None] = lambda line: None) -> None:
        self.address = check_address(address)
        self._say = say
        self._threads = 0
        self._counted = self._seen = -math.inf
        self._seconds_a_play = 0.0
        self._closing: list[Any] = []
        self._packed: tuple[Work, bytes] | None = None

    @property
    def ahead(self) -> int:
        """Blocks under way at once: two a thread, of which Dask keeps those that are not being played at the scheduler.
        Workers may join and leave meanwhile.
        """
        if time.monotonic() - self._counted > REFRESH:
            self._count()
        return max(1, 2 * self._threads)

    def block_plays(self, cells: int) -> int:
        """Plays that take `block_seconds`, as far as known from `warm_up`."""
        return max(1, round(block_seconds(max(1, self._threads), 8 * cells) / self._seconds_a_play))

    def warm_up(self, work: Work) -> None:
        """Compile the kernel once a machine, load it in every worker process, and learn how fast they are.

        Raises ClusterFault.
        """
        from analyzer.sim import cluster_worker

        message = self._message(work)
        machines = {address.rpartition(":")[0]: address for address in self._client.nthreads()}
        self._client.run(cluster_worker.warm_up, message, workers=list(machines.values()), on_error="ignore")
        found = list(self._client.run(cluster_worker.warm_up, message, on_error="return").values())
        rates = sorted(seconds for seconds in found if isinstance(seconds, float))
        if not rates:
            raise ClusterFault(f"no worker could play: {found[0] if found else 'all are gone'}")
        self._seconds_a_play = rates[len(rates) // 2]

    def submit(self, work: Work, first: int, count: int) -> Block:
        """Begin a block when a thread is free; earlier ones go first."""
        from analyzer.sim import cluster_worker

        future = self._client.submit(
            cluster_worker.play_block, self._message(work), first, count, pure=False, retries=RETRIES
        )
        return Block(self, future)

    def __enter__(self) -> Self:
        try:
            self._open()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def alive(self) -> None:
        """Raises ClusterFault when the scheduler is gone, or all workers for GONE seconds."""
        if time.monotonic() - self._counted > REFRESH:
            self._count()
        if time.monotonic() - self._seen > GONE:
            raise ClusterFault(f"every worker of {self.address} has been gone for {GONE} seconds")

    def wait(self, future: Future[Arrays], seconds: float) -> None:
        """Raises TimeoutError when the future is not done by then."""
        from distributed import wait

        with self._client.as_current():
            wait([future], timeout=seconds)

    def _message(self, work: Work) -> bytes:
        from analyzer.sim import cluster_worker

        if self._packed is None or self._packed[0] is not work:
            self._packed = work, cluster_worker.packed(work)
        return self._packed[1]

    def _count(self) -> None:
        try:
            found = self._client.nthreads()
        except OSError as error:
            raise ClusterFault(f"lost the connection to the scheduler of {self.address}: {error}") from None
        self._threads = sum(found.values())
        self._counted = time.monotonic()
        if found:
            self._seen = self._counted

    def _open(self) -> None:
        try:
            import dask

            # What Dask notes about workers that come and go is not for a user's terminal; heeded when it is loaded.
            names = ("distributed", "distributed.client", "bokeh", "tornado", "tornado.application")
            dask.config.set({"logging": dict.fromkeys(names, "critical")})
            import distributed  # noqa: F401
        except ImportError:
            raise ClusterError("--cluster needs Dask: pip install 'strategy-analyzer[cluster]'") from None
        if self.address.startswith("local:"):
            self._start(int(self.address.removeprefix("local:")))
        else:
            self._connect()
        self._check()
        self._count()
        self._say(
            f"cluster {self.address}: threads {self._threads}, in worker processes {len(self._client.nthreads())}"
        )

    def _start(self, processes: int) -> None:
        from distributed import Client, LocalCluster

        self._say(f"starting {processes} worker processes")
        with _out_of_terminal():
            started = LocalCluster(
                n_workers=processes,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            )
            self._closing.append(started)
            self._client = Client(started, set_as_default=False)
            self._closing.append(self._client)

    def _connect(self) -> None:
        from distributed import Client

        try:
            # In a thread of its own, because a notebook has an event loop in this one.
            with ThreadPoolExecutor(1) as thread:
                kind = thread.submit(lambda: asyncio.run(_greet(self.address))).result()
            if kind != "Scheduler":
                raise ClusterError(f"at {self.address} there is a Dask {kind.lower()}; allowed: a scheduler")
            self._client = Client(self.address, timeout=CONNECT, set_as_default=False)
        except ClusterError:
            raise
        except Exception:
            raise ClusterError(f"no Dask scheduler answers at {self.address}{_refusal(self.address)}") from None
        self._closing.append(self._client)
        try:
            self._client.wait_for_workers(1, timeout=JOIN)
        except TimeoutError:
            raise ClusterError(
                f"no worker has joined the scheduler at {self.address}; start some there: dask worker {self.address}"
            ) from None

    def _check(self) -> None:
        """Raises ClusterError unless every worker is of our version."""
        from analyzer.sim import cluster_worker

        ours = cluster_worker.identity()
        refused = []
        for address, found in self._client.run(cluster_worker.identity, on_error="return").items():
            if isinstance(found, BaseException):
                refused.append(f"the worker {address} cannot load the analyzer: {found}")
            elif other := cluster_worker.differences(found, ours):
                refused.append(f"the worker {address} has {other}")
        if refused:
            more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
            raise ClusterError(f"{refused[0]}{more}; install the same on all machines")

    def _close(self) -> None:
        while self._closing:
            # A cluster that is gone already cannot be left in good order.
            with suppress(OSError, TimeoutError):
                self._closing.pop().close()


class Block:
    """A block that was given to a cluster."""

    def __init__(self, cluster: Cluster, future: Future[Arrays]) -> None:
        self._cluster, self._future = cluster, future

    def result(self, timeout: float) -> Arrays:
        """The block's arrays; raises TimeoutError when they are not there in so many seconds, and what `Work.play`
        raised, or ClusterFault.
        """
        try:
            if not self._future.done():
                self._cluster.wait(self._future, timeout)
        except TimeoutError:
            self._cluster.alive()
            raise
        except CancelledError:
            raise self._lost() from None
        try:
            arrays: Arrays = self._future.result()
        except AnalyzerError:
            raise
        except CancelledError:
            raise self._lost() from None
        except Exception as error:
            raise ClusterFault(f"a worker failed: {type(error).__name__}: {error}") from None
        return arrays

    def cancel(self) -> bool:
        """Take the block back unless it is done; a worker that plays it stops soon."""
        if self._future.done():
            return False
        self._future.cancel()
        return True

    def _lost(self) -> ClusterFault:
        return ClusterFault(f"lost the connection to the scheduler of {self._cluster.address}")


async def _greet(address: str) -> str:
    """What of Dask is there. Raises when nobody answers as Dask does: a client would wait for ever."""
    from distributed import rpc

    async with rpc(address, timeout=CONNECT) as there:
        # A little longer than connecting may take, whose failure tells the reason.
        found = await asyncio.wait_for(there.identity(), CONNECT + 1)
    return str(found["type"])


def _refusal(address: str) -> str:
    """What the system says when one connects there, in brackets; empty if nothing. Dask tries several times, and its
    error tells what the last try met, which its deadline may have cut short.
    """
    there = urlsplit(address)
    try:
        socket.create_connection((there.hostname, there.port), CONNECT).close()
    except UnicodeError:
        return " (no machine can have that name)"
    except OSError as error:
        return f" ({error.strerror})" if error.strerror else ""
    return ""


@contextmanager
def _out_of_terminal() -> Iterator[None]:
    """Threads and processes that are started meanwhile, and those that they start, never hear Ctrl-C or a terminal that
    closes. What reaches this thread meanwhile waits.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    # Starting this process lets Ctrl-C through again in the thread that does it.
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
