"""Works played together give the sums of each."""

from __future__ import annotations

import json
import threading

import numpy as np

from analyzer.scenario.load import load_scenario
from analyzer.sim.engine import Counted, Threads, accumulate
from analyzer.sim.joined import JoinedWork
from analyzer.sim.work import TableWork, work_from
from analyzer.studies.paired import Arms, table_work


def works() -> JoinedWork:
    low, high = (load_scenario("dingo-race", [f"rules.points.ace={points}"]) for points in (3, 4))
    field = load_scenario("dingo-field")
    arms, _ = Arms.of([table_work(each, each.table) for each in (low, high)]).work([(0, 1)])
    alone = TableWork(field.game, field.rules, field.table, field.seed)
    return JoinedWork({"arms": arms, "alone": alone})


def count(work: object, units: int, stop: threading.Event | None = None) -> Counted:
    counted = Counted(work, 3)  # type: ignore[arg-type]
    with Threads(2) as crew:
        accumulate(counted, 3 + units, crew, block=100, stop=stop)
    return counted


def test_each_part_is_what_it_is_alone() -> None:
    joined = works()
    apart = joined.apart(count(joined, 1_000).tallies())
    assert list(apart) == ["arms", "alone"]
    for name, work in joined.parts.items():
        assert apart[name].to_json() == count(work, 1_000).tallies().to_json()


def test_names_lead_back_to_the_arrays() -> None:
    joined = works()
    counted = count(joined, 200)
    again = Counted(joined, 3, counted.tallies())
    assert all((one == two).all() for one, two in zip(counted.exact(), again.exact(), strict=True))
    assert [array.shape for array in counted.exact()] == list(joined.shapes)


def test_a_description_makes_it_again() -> None:
    joined = works()
    again = work_from(json.loads(json.dumps(joined.describe())))
    for one, two in zip(joined.play(5, 300), again.play(5, 300), strict=True):
        assert np.array_equal(one, two)
    assert (again.plays, again.best, again.unit_bound) == (joined.plays, joined.best, joined.unit_bound)
