"""The engine: the same tallies in however many pieces, prefixes on a stop, totals beyond int64."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from analyzer.errors import KernelFault
from analyzer.games.spec import GROUPS, LANES
from analyzer.scenario.load import load_scenario
from analyzer.sim.blocks import block_units, blocks
from analyzer.sim.engine import Counted, Job, Look, Threads, accumulate, simulate, warm_up
from analyzer.sim.result import Tallies, Totals, group_sizes
from analyzer.sim.work import work_from


def job(count: int, first: int = 0, name: str = "dingo-forgetful", seed: int = 5) -> Job:
    scenario = load_scenario(name)
    return Job(scenario.game, scenario.rules, scenario.table, seed, count, first)


def same(a: Tallies, b: Tallies) -> bool:
    return a.to_json() == b.to_json()


@pytest.fixture(scope="module")
def whole() -> Tallies:
    return simulate(job(5_000))


@pytest.mark.parametrize(("jobs", "block"), [(1, 64), (2, 1000), (3, 4096), (7, 77), (2, None), (1, 10**9)])
def test_threads_and_blocks_change_no_number(whole: Tallies, jobs: int, block: int | None) -> None:
    assert same(whole, simulate(job(5_000), jobs=jobs, block=block))


def test_ranges_add_up_to_the_whole(whole: Tallies) -> None:
    parts = [simulate(job(count, first)) for first, count in ((0, 1), (1, 999), (1000, 3000), (4000, 1000))]
    for name, array in whole.grouped.items():
        assert (sum(part.grouped[name] for part in parts) == array).all(), name
    for name, array in whole.plain.items():
        assert (sum(part.plain[name] for part in parts) == array).all(), name


def test_a_unit_is_in_the_group_of_its_index() -> None:
    for unit in (0, 63, 64, 4095, 4096, 10**9 + 65):
        tallies = simulate(job(1, unit))
        sizes = [0] * GROUPS
        sizes[unit // LANES % GROUPS] = 1
        assert tallies.grouped["units"].tolist() == sizes
        assert tallies.group_units.tolist() == sizes


def test_group_sizes_are_counted_one_by_one() -> None:
    for first, units in ((0, 0), (0, 1), (5, 100), (4000, 200), (123456, 98765)):
        counted = [0] * GROUPS
        for unit in range(first, first + units):
            counted[unit // LANES % GROUPS] += 1
        assert group_sizes(first, units).tolist() == counted


def test_a_stop_leaves_the_longest_run_from_the_first_unit() -> None:
    stop = threading.Event()
    seen: list[int] = []

    def note(counted: Counted) -> None:
        seen.append(counted.units)
        if counted.units >= 1000:
            stop.set()

    tallies = simulate(job(100_000), jobs=2, block=256, seen=note, stop=stop)
    assert 1000 <= tallies.units < 100_000
    assert seen == sorted(seen)
    assert same(tallies, simulate(job(tallies.units)))


def test_a_stop_before_the_start_counts_nothing() -> None:
    stop = threading.Event()
    stop.set()
    assert simulate(job(1000), stop=stop).units == 0


def test_a_broken_invariant_names_game_seed_and_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = job(100)
    monkeypatch.setattr(wanted.work.prepared, "play", lambda *anything: 42)
    with pytest.raises(KernelFault, match="game dingo, seed 5, deal 42"):
        simulate(wanted)


def test_one_signature_after_a_full_run(whole: Tallies) -> None:
    from analyzer.games.dingo import kernel

    warm_up(job(1, name="dingo-race").work)
    simulate(job(10, name="dingo-field"))
    assert len(kernel.play_block.signatures) == 1


def test_totals_outgrow_int64_without_losing_a_unit() -> None:
    totals = Totals((2,))
    big = np.array([2**61 - 1, -(2**61) + 1], np.int64)
    for _ in range(10):
        totals.add(big)
    assert totals.exact().tolist() == [10 * (2**61 - 1), -10 * (2**61 - 1)]


def test_tallies_survive_json(whole: Tallies) -> None:
    assert same(whole, Tallies.from_json(whole.to_json()))


def test_tallies_go_on_from_where_they_stand(whole: Tallies) -> None:
    part = Tallies.from_json(json.loads(json.dumps(simulate(job(1234)).to_json())))
    assert same(whole, simulate(job(5_000), start=part, jobs=2, block=640))
    assert same(part, simulate(job(1234), start=part))


def every(step: int) -> Callable[[int], int]:
    return lambda units: (units // step + 1) * step


@pytest.mark.parametrize(("jobs", "block"), [(1, None), (2, 64), (3, 1000), (2, 10**6)])
def test_a_look_ends_at_its_own_unit_whatever_the_threads(jobs: int, block: int | None) -> None:
    """It sees the exact sums at every place, in order; what was played beyond is dropped."""
    seen: list[tuple[int, int]] = []

    def stop(counted: Counted) -> bool:
        tallies = counted.tallies()
        seen.append((counted.units, int(tallies.grouped["units"].sum())))
        return counted.units >= 1500

    counted = Counted(job(1).work, 100)
    with Threads(jobs) as threads:
        assert accumulate(counted, 100_000, threads, look=Look(every(300), stop), block=block)
    assert seen == [(units, units) for units in (300, 600, 900, 1200, 1500)]
    assert same(counted.tallies(), simulate(job(1500, 100)))


def test_a_count_that_goes_on_from_a_look_looks_there_again() -> None:
    counted = Counted(job(1).work, 0, simulate(job(600)))
    with Threads(2) as threads:
        assert accumulate(counted, 5_000, threads, look=Look(every(300), lambda counted: counted.end >= 600))
        assert counted.units == 600
        assert accumulate(counted, 5_000, threads, look=Look(every(300), lambda counted: counted.end >= 700))
    assert counted.units == 900


def test_a_look_that_never_stops_changes_nothing(whole: Tallies) -> None:
    counted = Counted(job(1).work, 0)
    with Threads(2) as threads:
        assert not accumulate(counted, 5_000, threads, look=Look(every(1024), lambda counted: False))
    assert same(counted.tallies(), whole)


class Numbers:
    """A work that adds up known numbers, and notes what was asked of it."""

    shapes = ((2,),)
    plays = 1

    best = 0

    def __init__(self, unit_bound: int, refuse_from: int = 10**9) -> None:
        self.unit_bound, self.refuse_from = unit_bound, refuse_from
        self.played: list[tuple[int, int]] = []

    def play(self, first: int, count: int) -> tuple[np.ndarray]:
        self.played.append((first, count))
        if first + count > self.refuse_from:
            raise KernelFault(f"block {first}")
        return (np.array([self.unit_bound, -self.unit_bound], np.int64) * count,)


class Queue:
    """Workers that play a block when its result is awaited, and let others be taken back."""

    ahead = 5

    def __init__(self) -> None:
        self.taken_back: list[int] = []

    def block_plays(self, cells: int) -> int:
        return 64

    def submit(self, work: Numbers, first: int, count: int) -> SimpleNamespace:
        def cancel() -> bool:
            self.taken_back.append(first)
            return True

        return SimpleNamespace(result=lambda timeout: work.play(first, count), cancel=cancel)


@pytest.mark.parametrize("bound", [2**61 - 1, 2**60, 2**61 // 100, 7])
def test_sums_at_the_bound_are_exact(bound: int) -> None:
    """However large a unit's numbers, blocks are cut so that no sum leaves int64."""
    work = Numbers(bound)
    counted = Counted(work, 0)
    accumulate(counted, 1000, Queue())
    assert counted.exact()[0].tolist() == [1000 * bound, -1000 * bound]
    assert max(count for _, count in work.played) * bound < 2**61


def test_a_fault_takes_back_what_was_not_begun() -> None:
    queue, work = Queue(), Numbers(1, refuse_from=64)
    counted = Counted(work, 0)
    with pytest.raises(KernelFault, match="block 64"):
        accumulate(counted, 10_000, queue, block=64)
    assert counted.units == 64
    assert queue.taken_back == [128, 192, 256, 320]


def test_a_stop_takes_back_what_was_not_begun() -> None:
    queue, stop = Queue(), threading.Event()
    counted = Counted(Numbers(1), 0)
    assert not accumulate(counted, 10_000, queue, block=64, stop=stop, seen=lambda counted: stop.set())
    assert counted.units == 64
    assert queue.taken_back == [64, 128, 192, 256]


@pytest.mark.parametrize("name", ["dingo-field", "rounce-baseline-3"])
@pytest.mark.parametrize("special", ["", "probed", "twice"])
def test_a_work_is_the_same_after_a_way_through_json(name: str, special: str) -> None:
    scenario = load_scenario(name)
    probe = next(spec.probe for spec in scenario.game.batches if spec.probe) if special == "probed" else None
    usual = Job(scenario.game, scenario.rules, scenario.table, 3, 1, 0, probe, special == "twice")
    knob = next(knob for knob in scenario.game.knobs if "score" in knob.touches and knob.kind == "int")
    seen = {**scenario.rules, knob.key: knob.alternatives[0]}
    works = [usual.work, replace(usual, seen=seen, given=((1, 0b1001),), repeat=2).work]
    played = []
    for work in works:
        again = work_from(json.loads(json.dumps(work.describe())))
        assert again == work
        played.append(work.play(70, 130))
        for one, other in zip(played[-1], again.play(70, 130), strict=True):
            assert np.array_equal(one, other)
    assert not all(np.array_equal(one, other) for one, other in zip(*played, strict=True))


@pytest.mark.parametrize("name", ["dingo-field", "rounce-field"])
@pytest.mark.parametrize("twice", [False, True])
def test_names_lose_no_number(name: str, twice: bool) -> None:
    scenario = load_scenario(name)
    work = Job(scenario.game, scenario.rules, scenario.table, 3, 1, twice=twice).work
    arrays = work.play(70, 200)
    for one, other in zip(arrays, work.arrays(*work.named(arrays)), strict=True):
        assert np.array_equal(one, other)


def test_blocks_cover_every_unit_once() -> None:
    for first, count, sizes in ((0, 10, (3,)), (5, 100, (64,)), (0, 0, (10,)), (7, 1, (1000,)), (3, 90, (64, 25))):
        pieces = list(blocks(first, first + count, sizes[0], *map(every, sizes[1:])))
        units = [unit for start, n in pieces for unit in range(start, start + n)]
        assert units == list(range(first, first + count))
        starts = {start for start, _ in pieces} - {first}
        assert starts == {unit for unit in units[1:] if any(unit % size == 0 for size in sizes)}


def test_blocks_suit_the_work() -> None:
    assert block_units(10**9, 1, 128_000, 4) == 65_536
    assert block_units(10**9, 4, 128_000, 4) == 16_384
    assert block_units(10**9, 4, 128_000, 4, 10**6) == 249_856
    assert block_units(1, 1, 128_000, 16) == LANES
    assert block_units(10**6, 24, 6_400_000, 4) % LANES == 0
    # Even the widest tallies leave a block that is played in well under a second.
    assert block_units(10**9, 24, 6_400_000, 4) * 24 <= 400_000
