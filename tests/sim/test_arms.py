"""Several arms on the same units: rows, sums, the most changed units, and that cuts change nothing."""

import json

import numpy as np
import pytest

from analyzer.games.registry import GAMES, game_named
from analyzer.scenario.load import load_scenario
from analyzer.scenario.toml import value_text
from analyzer.sim.arms import ArmsWork, rows_of
from analyzer.sim.engine import Counted, Threads, accumulate
from analyzer.sim.work import TableWork, work_from

CASES = {
    "fixed": ("dingo-baseline", "rules.points.ace=5"),
    "rotated": ("dingo-race", "rules.wolf_order=left_of_dealer"),
    "field": ("dingo-field", "rules.caught=penalty"),
    "rounce": ("rounce-baseline-3", "rules.rounce_penalty=3"),
}
UNITS = 300


def arms_of(name: str, change: str, seating: str = "") -> ArmsWork:
    extra = [f"table.seating={seating}"] if seating else []
    scenarios = [load_scenario(name, extra), load_scenario(name, [change, *extra])]
    works = tuple(TableWork(each.game, each.rules, each.table, each.seed) for each in scenarios)
    return ArmsWork(works, ((0, 1),))


def slowly(work: ArmsWork, first: int, count: int):
    """The sums in plain Python: units, sums, products, changed, best."""
    records = []
    for arm in work.arms:
        rows = np.zeros((count, arm.plays), arm.prepared.record)
        assert arm.prepared.play(arm.seed, first, count, records=rows) == -1
        records.append(rows)
    places = rows_of(work.arms[0].table)
    units, sums, products, changed, best = (np.zeros(shape, object) for shape in work.shapes)
    changes = []
    for i in range(count):
        group, combination = (first + i) // 64 % 64, (first + i) % len(work.arms[0].table.arrangements)
        for r in range(units.shape[1]):
            key = next(key for key, at in work.rows.items() if at == r)
            here = places[key][combination]
            units[group, r] += bool(here)
            for q, field in enumerate(("win", "points")):
                a, b = (sum(int(rows[field][i, play, seat]) for play, seat in here) for rows in records)
                for arm, value in enumerate((a, b)):
                    sums[group, arm, q, r] += (value, value * value)
                products[group, 0, q, r] += (a * b, int(a != b))
        win, points = (
            np.abs(np.subtract(*(rows[field][i].astype(int) for rows in records))).sum(-1)
            for field in ("win", "points")
        )
        moved = int((win > 0).sum())
        changed[group, 0] += (moved, moved * moved)
        by_play = 2048 * points + win
        changes.append((-int(by_play.sum()), first + i, int(by_play.argmax())))
    for place, (change, unit, play) in enumerate(sorted(changes)[:3]):
        best[0, place] = (-change, unit, play) if change else (0, -1, -1)
    return units, sums, products, changed, best


@pytest.mark.parametrize("case", CASES)
def test_sums_of_arms_are_those_of_their_records(case: str) -> None:
    work = arms_of(*CASES[case])
    for array, due in zip(work.play(61, UNITS), slowly(work, 61, UNITS), strict=True):
        assert (array == due).all()


@pytest.mark.parametrize("case", CASES)
def test_an_arm_is_counted_as_a_run_counts_it(case: str) -> None:
    work = arms_of(*CASES[case])
    sums = work.play(0, UNITS)[1].sum(0)
    for index, arm in enumerate(work.arms):
        tallies, _ = arm.named(arm.play(0, UNITS))
        for quantity, name in enumerate(("win", "points")):
            for (policy, seat), place in work.rows.items():
                if -1 not in (policy, seat):
                    cell = (slice(None), policy, seat)
                    assert sums[index, quantity, place, 0] == tallies[name][cell].sum()
                    assert sums[index, quantity, place, 1] == tallies[f"{name}_sq"][cell].sum()


def test_rows_are_policies_in_seats_policies_and_seats() -> None:
    rows = rows_of(load_scenario("dingo-baseline", ['table.seats=["careful","greedy","careful","random"]']).table)
    assert rows[0, 0] == (((0, 0),),)
    assert (0, 1) not in rows
    assert rows[0, -1] == (((0, 0), (0, 2)),)
    assert rows[-1, 3] == (((0, 3),),)


def test_a_rotated_policy_has_a_place_in_every_play() -> None:
    table = load_scenario(
        "dingo-baseline", ['table.seats=["greedy","careful","careful","careful"]', "table.seating=rotate"]
    ).table
    rows = rows_of(table)
    assert rows[0, -1] == (((0, 0), (1, 1), (2, 2), (3, 3)),)
    assert rows[0, 2] == (((2, 2),),)
    assert len(rows[1, 2][0]) == 3


@pytest.mark.parametrize("case", ["rotated", "field"])
def test_jobs_and_blocks_change_nothing(case: str) -> None:
    work = arms_of(*CASES[case])
    whole = work.play(5, 700)
    for jobs, block in ((1, 64), (3, 100)):
        counted = Counted(work, 5)
        with Threads(jobs) as crew:
            accumulate(counted, 705, crew, block=block)
        assert all((found == due).all() for found, due in zip(counted.exact(), whole, strict=True))
        again = Counted(work, 0, counted.tallies())
        assert all((found == due).all() for found, due in zip(again.exact(), whole, strict=True))


def test_the_work_goes_through_json() -> None:
    work = arms_of(*CASES["rounce"])
    back = work_from(json.loads(json.dumps(work.describe())))
    assert all((one == two).all() for one, two in zip(work.play(0, 64), back.play(0, 64), strict=True))


def test_what_policies_believe_goes_through_json() -> None:
    changed, usual = load_scenario("dingo-baseline", ["rules.points.ace=9"]), load_scenario("dingo-baseline")
    work = TableWork(changed.game, changed.rules, changed.table, 1, seen=usual.rules)
    back = work_from(json.loads(json.dumps(work.describe())))
    assert isinstance(back, TableWork)
    assert back.prepared.digest() == work.prepared.digest()


def test_tables_that_play_alike_have_one_digest() -> None:
    digests = [
        TableWork(each.game, each.rules, each.table, 1).prepared.digest()
        for each in (
            load_scenario("dingo-baseline"),
            load_scenario("dingo-baseline", ["policies.careful.idea=another"]),
            load_scenario("dingo-baseline", ["rules.points.ace=4"]),
            load_scenario("dingo-baseline", ["policies.careful.noise=0.5"]),
            load_scenario("dingo-baseline", ["table.seating=rotate"]),
        )
    ]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4


def rescored() -> list[tuple[str, str, object]]:
    """Every value worth trying of every knob of every game that touches scores alone."""
    return [
        (game.name, knob.key, value)
        for game in map(game_named, GAMES)
        for knob in game.knobs
        if knob.touches == ("score",) and not knob.ends
        for value in knob.alternatives
    ]


@pytest.mark.parametrize(("game", "key", "value"), rescored())
def test_plays_scored_anew_are_those_plays_under_the_rule(game: str, key: str, value: object) -> None:
    """Scoring what was played, and playing it with policies that believe in the old rule, give the same records."""
    name = {"dingo": "dingo-field", "rounce": "rounce-baseline-3"}[game]
    usual = load_scenario(name)
    changed = load_scenario(name, [f"rules.{key}={value_text(value)}"])
    plain = TableWork(usual.game, usual.rules, usual.table, usual.seed)
    other = TableWork(usual.game, changed.rules, usual.table, usual.seed, seen=usual.rules)
    shape = (500, plain.plays)
    records, again, alone = (np.zeros(shape, plain.prepared.record) for _ in range(3))
    assert plain.prepared.play(1, 0, 500, records=records, rescored=[other.prepared], again=again[None]) == -1
    assert other.prepared.play(1, 0, 500, records=alone) == -1
    assert (again == alone).all()
    arms = ArmsWork((plain, other), ((0, 1),))
    apart = ArmsWork((other,), ())
    assert arms.plays == apart.plays
    assert (arms.play(0, 500)[1][:, 1] == apart.play(0, 500)[1][:, 0]).all()
