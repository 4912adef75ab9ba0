"""The engine: the same tallies in however many pieces, prefixes on a stop, totals beyond int64."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from analyzer.errors import KernelFault
from analyzer.games.spec import GROUPS, LANES
from analyzer.scenario.load import load_scenario
from analyzer.sim import engine
from analyzer.sim.blocks import block_units, blocks
from analyzer.sim.engine import Job, simulate, warm_up
from analyzer.sim.result import Tallies, Totals, group_sizes


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

    def progress(done: int) -> None:
        seen.append(done)
        if done >= 1000:
            stop.set()

    tallies = simulate(job(100_000), jobs=2, block=256, progress=progress, stop=stop)
    assert 1000 <= tallies.units < 100_000
    assert seen == sorted(seen)
    assert same(tallies, simulate(job(tallies.units)))


def test_a_stop_before_the_start_counts_nothing() -> None:
    stop = threading.Event()
    stop.set()
    assert simulate(job(1000), stop=stop).units == 0


def test_a_broken_invariant_names_game_seed_and_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = job(100)
    prepared = engine.prepare(wanted)
    monkeypatch.setattr(prepared, "play", lambda *anything: 42)
    monkeypatch.setattr(engine, "prepare", lambda job: prepared)
    with pytest.raises(KernelFault, match="game dingo, seed 5, deal 42"):
        simulate(wanted)


def test_one_signature_after_a_full_run(whole: Tallies) -> None:
    from analyzer.games.dingo import kernel

    warm_up(job(1, name="dingo-race"))
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


def test_blocks_cover_every_unit_once() -> None:
    for first, count, size in ((0, 10, 3), (5, 100, 64), (0, 0, 10), (7, 1, 1000)):
        units = [unit for start, n in blocks(first, count, size) for unit in range(start, start + n)]
        assert units == list(range(first, first + count))


def test_blocks_suit_the_work() -> None:
    assert block_units(10**9, 1, 2_000, 2) == 65_536
    assert block_units(10**9, 4, 2_000, 2) == 16_384
    assert block_units(1, 1, 2_000, 8) == LANES
    assert block_units(10**6, 24, 100_000, 2) % LANES == 0
    # Even the widest tallies leave a block that is played in well under a second.
    assert block_units(10**9, 24, 100_000, 2) * 24 <= 400_000
