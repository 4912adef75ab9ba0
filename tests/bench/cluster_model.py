"""How a cluster behaves that is larger than any at hand.

python tests/bench/cluster_model.py measure    # what a block costs scheduler and client, on two worker processes here
python tests/bench/cluster_model.py            # from that, runs on up to 1,000 threads, block by block

The model keeps the engine's order: blocks are begun in order, at most `ahead` beyond the last one added; scheduler and
client are one server, which needs `block_cost` seconds for every block, and adds results in order. Threads differ in
speed, and workers die at random; a lost block begins anew on the next free thread.
"""

from __future__ import annotations

import heapq
import random
import sys
import time
from collections import deque
from dataclasses import dataclass

import numpy as np

from analyzer.games.spec import LANES
from analyzer.scenario.load import load_scenario
from analyzer.sim.cluster import Block, Cluster, block_cost, block_seconds
from analyzer.sim.engine import Counted
from analyzer.studies.batches import job_of

SCENARIOS = ("dingo-baseline", "dingo-field", "rounce-baseline-2", "rounce-baseline-4")
BLOCKS = 300
SIZE = 944_192
"""Bytes of a block of `dingo-baseline`."""
SPREAD = 0.1
"""Standard deviation of the threads' speeds; one in a hundred is half as fast."""
DEATHS = 1 / 3600
"""Deaths of a worker's machine, a second, on the whole cluster: one an hour."""
MACHINE = 32
"""Threads that die together."""


def measure() -> None:
    """Print processor seconds of this process (client and scheduler) a block, and the line through them.

    They hang less on what else the machine does than the seconds that pass.
    """
    points = []
    with Cluster("local:2") as cluster:
        for name in SCENARIOS:
            scenario = load_scenario(name)
            work = job_of(scenario, scenario.game.batches[0], 1).work
            cluster.warm_up(work)
            pending: deque[Block] = deque()
            counted = Counted(work, 0)
            size = 8 * sum(rows * columns for rows, columns in work.shapes)
            begun, busy = time.perf_counter(), time.process_time()
            for number in range(BLOCKS):
                pending.append(cluster.submit(work, LANES * number, LANES))
                if len(pending) == cluster.ahead:
                    counted.add(LANES, pending.popleft().result(60.0))
            while pending:
                counted.add(LANES, pending.popleft().result(60.0))
            busy = (time.process_time() - busy) / BLOCKS
            points.append((size, busy))
            wall = (time.perf_counter() - begun) / BLOCKS
            print(f"{name:<20} {size / 1e6:5.2f} MB {1e3 * busy:6.2f} ms busy {1e3 * wall:6.2f} ms passed a block")
    slope, start = np.polyfit(*np.array(points).T, 1)
    print(f"a block: {1e3 * start:.2f} ms + {1e9 * slope:.2f} ns a byte")


@dataclass(frozen=True)
class Outcome:
    """What became of a run."""

    seconds: float
    useful: float
    """Share of the threads' time that was spent on blocks that count."""
    busy: float
    """Share of the time that scheduler and client were busy."""
    waiting: int
    """Most results that had to wait for an earlier block."""
    blocks: int


def played(
    threads: int, core_seconds: float, each: float, ahead: int, size: int = SIZE, deaths: float = DEATHS
) -> Outcome:
    """A run of so many seconds of one thread's work, cut into blocks of `each` seconds."""
    chance = random.Random(7)
    each = min(each, core_seconds / ahead)
    blocks = max(1, round(core_seconds / each))
    cost = block_cost(size)
    pace = [max(0.5, chance.gauss(1, SPREAD)) * (2 if chance.random() < 0.01 else 1) for _ in range(threads)]
    free = [(0.0, thread) for thread in range(threads)]
    done: list[float] = []
    added: list[float] = []
    server = 0.0
    for number in range(blocks):
        if number >= ahead:
            # The oldest block is awaited and added, then the next one is sent.
            oldest = number - ahead
            server = max(server, done[oldest])
            added.append(server)
            server += cost
        sent = server if number >= ahead else number * cost
        when, thread = heapq.heappop(free)
        begins = max(when, sent)
        ends = begins + each * pace[thread]
        if chance.random() < deaths * each * MACHINE / threads:
            heapq.heappush(free, (ends, thread))
            when, thread = heapq.heappop(free)
            ends = max(when, begins + chance.random() * each * pace[thread]) + each * pace[thread]
        heapq.heappush(free, (ends, thread))
        done.append(ends)
    for oldest in range(max(0, blocks - ahead), blocks):
        server = max(server, done[oldest])
        added.append(server)
        server += cost
    waiting = np.max(np.searchsorted(np.sort(done), added, "right") - np.arange(blocks))
    share = sum(1 / value for value in pace) / threads
    return Outcome(server, core_seconds / (server * threads * share), blocks * cost / server, int(waiting), blocks)


def model() -> None:
    """Print tables: runs by size of the cluster, then what shorter blocks and a shorter queue would do."""
    head = "threads      run    block  ahead   blocks  useful   busy   MB/s  waiting"

    def line(threads: int, seconds: float, each: float, times: int = 2) -> str:
        found = played(threads, threads * seconds, each, times * threads)
        rate = found.blocks * SIZE / found.seconds / 1e6
        return (
            f"{threads:>7,} {found.seconds:>6,.0f} s {min(each, seconds / times):>6.2f} s {times * threads:>6,} "
            f"{found.blocks:>8,} {found.useful:>7.1%} {found.busy:>6.1%} {rate:>6.1f} "
            f"{found.waiting * SIZE / 1e6:>5,.0f} MB"
        )

    print(head)
    for threads in (8, 64, 256, 1000):
        for seconds in (60, 600, 3600):
            print(line(threads, seconds, block_seconds(threads, SIZE)))
    print("\nshorter and longer blocks\n" + head)
    for each in (0.1, 1.0, 5.0, 20.0, 60.0):
        print(line(1000, 600, each))
    print("\nfewer and more under way\n" + head)
    for times in (1, 2, 3, 4):
        print(line(1000, 600, block_seconds(1000, SIZE), times))


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["measure"] else model()
