"""Blocks on real worker processes of this machine: the same numbers as at home, whatever befalls a worker."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator

import pytest

import analyzer
from analyzer.errors import AnalyzerError, ClusterError, ClusterFault
from analyzer.games.spec import LANES
from analyzer.sim import cluster_worker
from analyzer.sim.cluster import LEAST_SECONDS, MOST_SECONDS, Cluster, block_seconds, check_address, workers
from analyzer.sim.engine import Counted, Job, Threads, accumulate, simulate
from analyzer.sim.work import TableWork
from analyzer.studies.batches import job_of
from analyzer.studies.paired import Arms, table_work


def job(count: int, name: str = "dingo-baseline") -> Job:
    scenario = analyzer.load_scenario(name)
    return job_of(scenario, scenario.game.batches[0], count)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster("local:2") as started:
        started.warm_up(job(1).work)
        yield started


def processes(cluster: Cluster) -> dict[str, int]:
    """Address -> number of each worker process."""
    found: dict[str, int] = cluster._client.run(os.getpid)
    return found


def test_a_worker_killed_in_the_middle_changes_no_number(cluster: Cluster) -> None:
    before = processes(cluster)
    killed: list[int] = []

    def kill(counted: Counted) -> None:
        busy = [address for address, tasks in cluster._client.processing().items() if tasks]
        if not killed and busy:
            killed.append(before[busy[0]])
            os.kill(before[busy[0]], signal.SIGKILL)

    wanted = job(100_000)
    far = simulate(wanted, workers=cluster, block=1024, seen=kill)
    assert killed
    assert killed[0] not in processes(cluster).values()
    assert far.to_json() == simulate(wanted, jobs=2).to_json()


def test_extreme_units_of_a_block_of_several_pieces_are_no_sums(cluster: Cluster) -> None:
    scenarios = [analyzer.load_scenario("dingo-baseline", [f"rules.points.ace={points}"]) for points in (3, 4)]
    arms, _ = Arms.of([table_work(each, each.table) for each in scenarios]).work([(0, 1)])
    far, near = Counted(arms, 0), Counted(arms, 0)
    accumulate(far, 200_000, cluster, block=100_000)
    with Threads(2) as crew:
        accumulate(near, 200_000, crew)
    assert far.tallies().to_json() == near.tallies().to_json()


def test_a_stop_leaves_the_longest_run_from_the_first_unit(cluster: Cluster) -> None:
    stop = threading.Event()
    far = simulate(job(10**9), workers=cluster, block=4096, seen=lambda counted: stop.set(), stop=stop)
    assert 0 < far.units < 10**9
    assert far.to_json() == simulate(job(far.units)).to_json()


def test_a_block_taken_back_frees_its_worker(cluster: Cluster) -> None:
    """These would take a day."""
    work = job(1).work
    endless = [cluster.submit(work, 0, 10**11) for _ in range(cluster.ahead)]
    with pytest.raises(TimeoutError):
        endless[0].result(1.0)
    assert all(block.cancel() for block in endless)
    block = cluster.submit(work, 0, LANES)
    grouped, plain = block.result(60.0)
    assert not block.cancel()
    home = work.play(0, LANES)
    assert (grouped == home[0]).all()
    assert (plain == home[1]).all()


def test_what_a_block_raises_arrives(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    described = TableWork.describe
    monkeypatch.setattr(TableWork, "describe", lambda work: {**described(work), "game": "chess"})
    with pytest.raises(AnalyzerError, match="no game is named 'chess'"):
        simulate(job(100), workers=cluster)
    monkeypatch.setattr(TableWork, "describe", lambda work: {**described(work), "seed": None})
    with pytest.raises(ClusterFault, match="a worker failed: TypeError"):
        simulate(job(100), workers=cluster)


def test_other_versions_are_refused(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the start, and where a worker joins later."""
    monkeypatch.setattr(cluster_worker, "version", lambda package: "0.1")
    monkeypatch.setattr(cluster_worker, "simulator_digest", lambda: "f00d")
    told = r"the worker tcp://127.* has .*numba [\d.]+ \(here 0\.1\), .*simulator \w{16} \(here f00d\) \(and 1 more\)"
    with pytest.raises(ClusterError, match=told):
        cluster._check()
    with pytest.raises(ClusterFault, match=r"a worker that joined since the start has .*numba [\d.]+ \(here 0\.1\)"):
        simulate(job(100), workers=cluster)


@pytest.mark.parametrize(
    "address", ["local:1", "local:1024", "tcp://127.0.0.1:8786", "tcp://host-7.lan:1", "tcp://[::1]:8786"]
)
def test_addresses(address: str) -> None:
    assert check_address(address) == address


NO_ADDRESSES = """
local local:0 local:-1 local:1025 local:٢ local:2x tcp://:8786 tcp://host tcp://host:0 tcp://host:65536 host:8786
http://host:80 tcp://host:8786/x
"""


@pytest.mark.parametrize("text", [*NO_ADDRESSES.split(), "", "local: 2", "tcp://host:8786\n", "x" * 10_000])
def test_what_is_no_address_is_refused_and_what_is_allowed_said(text: str) -> None:
    with pytest.raises(ClusterError, match=r"allowed: (tcp://HOST:PORT .* or local:N|at most 1024)") as caught:
        check_address(text)
    assert len(str(caught.value)) < 250


def test_a_cluster_where_nobody_answers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Why is told also where Dask has no time for a single try."""
    monkeypatch.setattr("analyzer.sim.cluster.CONNECT", 0.001)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        told = rf"no Dask scheduler answers at tcp://127.0.0.1:{port} \(Connection refused\)"
        # Bound and not listening, so that nobody else can listen there either.
        with pytest.raises(ClusterError, match=told):
            workers(f"tcp://127.0.0.1:{port}").__enter__()


def test_a_name_that_no_machine_can_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.sim.cluster.CONNECT", 0.001)
    told = r"no Dask scheduler answers at tcp://a\.\.b:8786 \(no machine can have that name\)"
    with pytest.raises(ClusterError, match=told):
        workers("tcp://a..b:8786").__enter__()


def test_a_worker_is_no_scheduler(cluster: Cluster) -> None:
    with pytest.raises(ClusterError, match="there is a Dask worker"):
        workers(next(iter(processes(cluster)))).__enter__()


def test_without_the_extra_the_command_to_install_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert workers(None).__enter__() is None
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install 'strategy-analyzer\[cluster\]'"):
        workers("local:2").__enter__()


def test_blocks_are_longer_where_more_come_back() -> None:
    assert block_seconds(2, 10**6) == LEAST_SECONDS
    assert LEAST_SECONDS < block_seconds(1000, 10**6) < block_seconds(1000, 2 * 10**6) < MOST_SECONDS
    assert block_seconds(10**6, 10**6) == MOST_SECONDS
