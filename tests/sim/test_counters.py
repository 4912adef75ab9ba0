"""Some counters of several arms: those of runs of their own, in however many pieces, and described."""

from __future__ import annotations

import json

from analyzer.scenario.load import load_scenario
from analyzer.sim.counters import CountersWork
from analyzer.sim.engine import Counted, Job, Threads, accumulate, simulate
from analyzer.sim.work import TableWork, work_from


def arms() -> CountersWork:
    scenarios = [load_scenario("dingo-baseline", changes) for changes in ([], ["rules.exchange=[]"])]
    works = tuple(TableWork(each.game, each.rules, each.table, 7) for each in scenarios)
    return CountersWork(works, ("handling", "win"))


def test_each_arm_has_the_numbers_of_a_run_of_its_own_whatever_the_blocks() -> None:
    work = work_from(json.loads(json.dumps(arms().describe())))
    assert isinstance(work, CountersWork)
    counted = Counted(work, 100)
    with Threads(2) as crew:
        accumulate(counted, 1100, crew, block=77)
    tallies = counted.tallies()
    for place, arm in enumerate(work.arms):
        alone = simulate(Job(arm.game, arm.rules, arm.table, 7, 1000, 100))
        found = work.of_arm(tallies, place)
        assert set(found.grouped) == {"handling", "win"}
        for name in found.grouped:
            assert (found.grouped[name] == alone.grouped[name]).all()
        assert (found.group_units == alone.group_units).all()
    assert tallies.grouped["0 handling"].shape != tallies.grouped["1 handling"].shape
    again = Counted(work, 0, tallies)
    assert again.tallies().to_json() == tallies.to_json()
