"""Solve: roots that are known, targets that games declare, ranges, refusals, and how often the interval is right."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.errors import ScenarioError
from analyzer.games.registry import GAMES, game_named
from analyzer.report.results import dump_results
from analyzer.scenario.load import load_scenario
from analyzer.sim.result import group_sizes
from analyzer.studies.batches import setting_of
from analyzer.studies.scale import GRID
from analyzer.studies.solve import Curve, Solution, load_problem, solve
from analyzer.studies.solved import SolveReport
from analyzer.studies.targets import parse_target, target_names

LONG = ["rules.start_score=1000", "rules.max_rounds=9"]
"""No match is over before its last round, so it has as many rounds as it may have."""


def answers(results: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(row["value"]["estimate"], row["between"], row["rising"]) for row in results["crossings"]]


def test_a_root_that_is_known() -> None:
    found = analyzer.solve(
        "rounce-baseline-3", "rules.max_rounds", "match_length = 7.5", set=LONG, low=1, high=40, count=1100
    )
    assert answers(found.results) == [(7.5, [7, 8], True)]
    (value,) = (row["value"] for row in found.results["crossings"])
    assert (value["low"], value["high"]) == (7.5, 7.5)
    assert [row["value"] for row in found.results["curve"]] == [1, 6, 7, 8, 9, 11, 16, 20, 25, 30, 35, 40]
    assert all(row["match_length"]["estimate"] == row["value"] for row in found.results["curve"])
    (finding,) = found.results["findings"]
    assert finding["sentence"] == "At rules.max_rounds = 7.5."


def test_a_value_played_that_hits_the_target_is_the_answer() -> None:
    found = analyzer.solve(
        "rounce-baseline-3", "rules.max_rounds", "match_length = 4", set=LONG, low=1, high=8, count=1100
    )
    assert answers(found.results) == [(4, [4, 4], True)]


def test_no_value_does_it() -> None:
    found = analyzer.solve(
        "rounce-baseline-3", "rules.max_rounds", "match_length = 90", set=LONG, low=1, high=40, count=1100
    )
    assert found.results["crossings"] == []
    assert [table.spec.name for table in found.tables] == ["curve"]
    assert found.tables[0].spec.pictures[0].reference == 90
    (finding,) = found.results["findings"]
    assert finding["sentence"].startswith("No value from 1 to 40 does it.")


def test_real_numbers_are_refined_to_the_tolerance_and_the_interval_holds_the_answer() -> None:
    found = analyzer.solve(
        "dingo-field", "policies.careful.noise", "win_share(policy=careful) = 25%", tolerance=0.02, count=2048
    )
    (crossing,) = found.results["crossings"]
    low, high = crossing["between"]
    assert 0 < high - low <= 0.02
    assert low <= crossing["value"]["estimate"] <= high
    assert crossing["value"]["low"] < 0.26 < crossing["value"]["high"]
    assert not crossing["rising"]
    assert found.results["as_is"] == 0


def test_weights_stay_whole_numbers_of_their_unit() -> None:
    found = analyzer.solve(
        "dingo-baseline", "policies.careful.discard.partner_held", "points(seat=S) = 9.7", count=1100, low=-1, high=2.5
    )
    assert all((row["value"] * 1024).is_integer() for row in found.results["curve"])


def test_win_share_and_points_are_those_of_a_run() -> None:
    run = analyzer.run("rounce-baseline-3", count=640).results
    for part, target in (("win_share", "win_share(seat=1) = 0.3"), ("points", "points(policy=steady, seat=1) = 3")):
        found = analyzer.solve("rounce-baseline-3", "rules.start_score", target, low=14, high=16, count=640)
        (level,) = (row[part] for row in found.results["curve"] if row["value"] == 15)
        due = run["by_policy_seat"][1][part]
        assert level["estimate"] == pytest.approx(due["estimate"])
        assert level["n"] == due["n"]


@pytest.mark.parametrize("name", GAMES)
def test_every_target_of_a_game_is_the_number_of_its_table(name: str) -> None:
    game = game_named(name)
    source = {"dingo": "dingo-forgetful", "rounce": "rounce-baseline-4"}[name]
    scenario = load_scenario(source)
    setting = setting_of(scenario, game.batches[0])
    run = analyzer.run(source, count=1100)
    for spec in game.targets:
        table = run.tables[spec.table]
        last = table.rows[-1]
        where = ", ".join(f"{axis}={label}" for axis, label in zip(table.spec.axes, last, strict=True))
        target = parse_target(f"{spec.name}({where}) = 0.1" if where else f"{spec.name} = 0.1", game, setting)
        values, n = target.of(run.tallies["main"], setting)
        assert values[0] == pytest.approx(table.estimates[spec.column].estimate[-1]), spec.name
        assert n[0] == table.estimates[spec.column].n[-1]
        assert np.isfinite(values).all()
        assert set(target.counters(game, setting)) <= set(run.tallies["main"].grouped)
    assert set(target_names(game)) == {"win_share", "points", *(spec.name for spec in game.targets)}


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("tie_rate", "is none; a target is written"),
        ("tie_rat = 3%", "no target 'tie_rat' .did you mean 'tie_rate'"),
        ("tie_rate = 101%", "can never be 101%; it is at least 0 and at most 1"),
        ("points(seat=S) = 3%", "is no share"),
        ("win_share = 0.3", "of whom\\? Name seat or policy"),
        ("disqualified_rate = 0.3", "of whom\\? Name seat"),
        ("win_share(seet=S) = 0.3", "has no 'seet' .did you mean 'seat'"),
        ("tie_rate(seat=S) = 0.3", "has no 'seat'; it has none"),
        ("win_share(policy=carefull) = 0.3", "no such policy .did you mean 'careful'"),
        ("win_share(S) = 0.3", "is not AXIS=LABEL"),
        ("win_share(seat=S, seat=W) = 0.3", "names a row twice"),
    ],
)
def test_targets_that_are_none_are_refused(target: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        load_problem("dingo-baseline", "rules.points.ace", target)


@pytest.mark.parametrize(
    ("source", "key", "more", "said"),
    [
        ("dingo-baseline", "rules.caught", {}, "`sweep SCENARIO rules.caught=…` plays every value"),
        ("dingo-baseline", "rules.discard_aces", {}, "true or false"),
        ("dingo-baseline", "rules.points.aec", {}, "did you mean 'points.ace'"),
        ("dingo-baseline", "count", {}, "is no number that can change"),
        ("dingo-baseline", "policies.bold.noise", {}, "nobody at the table plays 'bold'"),
        ("dingo-baseline", "policies.careful.base", {}, "not the name of a policy"),
        ("dingo-baseline", "policies.careful.discard", {}, "not a table of weights"),
        ("dingo-baseline", "rules.points.ace", {"low": 5, "high": 5}, "no range from 5 to 5"),
        ("dingo-baseline", "rules.points.ace", {"low": math.nan}, "--from: nan is not allowed"),
        ("dingo-baseline", "rules.points.ace", {"high": math.inf}, "--to: inf is not allowed"),
        ("dingo-baseline", "rules.points.ace", {"low": 0.5}, "--from: 0.5 is not allowed"),
        ("dingo-baseline", "rules.points.ace", {"high": 2000}, "is not allowed; allowed: a whole number from -1000"),
        ("dingo-baseline", "rules.points.ace", {"tolerance": 0.1}, "neighbours are found without it"),
        ("dingo-baseline", "policies.careful.noise", {"tolerance": 2}, "--tolerance: 2 is not allowed"),
        ("rounce-baseline-4", "rules.players", {}, "is the number of seats"),
    ],
)
def test_keys_and_ranges_that_cannot_be_are_refused(source: str, key: str, more: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        load_problem(source, key, "lead_changes = 3", **more)


@pytest.mark.parametrize(
    ("source", "key", "low", "high", "why"),
    [
        ("dingo-baseline", "rules.ace_rabbit_needs", 0, 2, "all that the rule allows"),
        ("dingo-baseline", "rules.points.ace_rabbit_alive", -10, 30, "around the scenario's own 10"),
        ("rounce-baseline-4", "rules.dummy_draw", 5, 27, "all that the rule allows, as far as it can be played"),
        ("rounce-no-fold", "rules.dummy_draw", 5, 7, "all that the rule allows, as far as it can be played"),
        ("rounce-baseline-4", "rules.start_score", 1, 45, "around the scenario's own 15"),
        ("dingo-baseline", "policies.careful.lapse", 0, 1, "all chances"),
        ("dingo-baseline", "policies.careful.memory", 0, 1, "all chances"),
    ],
)
def test_without_a_range_a_sensible_one_is_taken_and_said(
    source: str, key: str, low: float, high: float, why: str
) -> None:
    scale = load_problem(source, key, "lead_changes = 3", ["rules.dummies_max=1"] if "fold" in source else []).scale
    assert (scale.low, scale.high) == (low, high)
    assert why in scale.why
    assert len(scale.first()) <= GRID + 1 or scale.whole


def test_any_number_of_threads_writes_the_same_bytes() -> None:
    texts = {
        dump_results(
            analyzer.solve("rounce-baseline-3", "rules.start_score", "match_length = 9", count=640, jobs=jobs).results
        )
        for jobs in (1, 3)
    }
    assert len(texts) == 1


def test_a_stop_while_refining_keeps_what_was_whole() -> None:
    stop = threading.Event()
    problem = load_problem("rounce-baseline-3", "rules.start_score", "match_length = 9", count=1100)

    def progress(phase: str, done: int, total: int) -> None:
        if phase.startswith("refining"):
            stop.set()

    found = solve(problem, jobs=1, progress=progress, stop=stop)
    assert found.partial
    assert found.count == 1100
    assert found.results["unfinished"] == "it was interrupted"
    assert len(found.results["curve"]) == len(problem.first)
    (crossing,) = found.results["crossings"]
    assert crossing["between"][1] - crossing["between"][0] > 1


def synthetic(curve: list[float], noise: float, target: float = 0.25) -> SolveReport:
    """The report of a curve that is given, at 0, 1, 2 ..."""
    problem = load_problem(
        "dingo-baseline", "rules.points.ace", f"win_share(seat=S) = {target}", low=0, high=len(curve)
    )
    rng = np.random.default_rng(5)
    shift = rng.normal(scale=noise / 63 * 8, size=(len(curve), 64))
    shift -= shift.mean(1, keepdims=True)
    units = 64_000
    n = np.concatenate([[units], units - group_sizes(0, units)]).astype(float)
    values = tuple(np.concatenate([[level], level + moves]) for level, moves in zip(curve, shift, strict=True))
    played = Curve(tuple(map(float, range(len(curve)))), values, tuple(n for _ in curve))
    return SolveReport(
        problem.scenario, problem.scale, problem.target, Solution(played, 0, units, problem.target, 0.95)
    )


def test_several_crossings_are_all_listed() -> None:
    report = synthetic([0.2, 0.3, 0.2, 0.3], 0.001)
    told = [each["sentence"] for each in report.findings()]
    assert [text.split(".")[0:2] for text in told[:3]] == [
        ["At rules", "points"],
        ["At rules", "points"],
        ["At rules", "points"],
    ]
    assert told[3].startswith("The curve takes the target 3 times")
    assert [round(row["value"]["estimate"], 6) for row in report.body()["crossings"]] == [0.5, 1.5, 2.5]
    assert [row["rising"] for row in report.body()["crossings"]] == [True, False, True]


def test_a_curve_that_only_comes_near_and_one_that_tells_nothing() -> None:
    (near,) = synthetic([0.2, 0.2499, 0.2], 0.001).findings()
    assert near["sentence"].startswith("Perhaps one from 0.9")
    (open_one,) = synthetic([0.2501, 0.2499, 0.2501], 0.01).findings()
    assert open_one["sentence"].startswith("This run does not tell: every value from 0 to 3 remains possible.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "target", "low", "high"),
    [
        ("rules.start_score", "match_length = 2", 3, 6),
        ("policies.mine.noise", "win_share(seat=1) = 0.27", 0, 0.8),
        ("policies.steady.noise", "rounced_rate = 0.6", 0, 0.4),
    ],
)
def test_the_interval_holds_the_true_value_in_95_of_100(key: str, target: str, low: float, high: float) -> None:
    """Every run by the whole way, on deals of its own; the truth from many more deals."""
    changes = ['table.seats=["steady","mine","steady"]', "policies.mine.base=steady", "rules.first_dealer=0"]
    # All values are played at once, so that in every run the same pieces of the curve are taken as straight.
    more = {} if key.startswith("rules") else {"tolerance": high / 2, "set": [*changes, "rules.start_score=4"]}
    given = {"set": changes, "low": low, "high": high} | more

    def solved(count: int, first: int) -> dict[str, Any]:
        return analyzer.solve("rounce-baseline-3", key, target, count=count, first=first, **given).results

    (truth,) = (row["value"]["estimate"] for row in solved(400_000, 0)["crossings"])
    runs, units, held = 300, 2048, 0
    for run in range(runs):
        results = solved(units, 10**6 + run * units)
        spans = [(row["value"]["low"], row["value"]["high"]) for row in results["crossings"]] + results["possible"]
        held += any(start <= truth <= end for start, end in spans)
    assert abs(held / runs - 0.95) < 4 * math.sqrt(0.05 * 0.95 / runs), held
