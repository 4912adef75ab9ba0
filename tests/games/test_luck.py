"""Luck and skill of both games: the batch counts what it says, known cases come out, intervals hold the truth."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from luck_results import luck_parts

from analyzer.games.registry import GAMES, game_named
from analyzer.games.spec import LUCK_PARTS, BatchSpec, GameSpec, Setting
from analyzer.report.findings import findings_of
from analyzer.report.frames import TableResult, evaluate
from analyzer.report.results import rounded
from analyzer.scenario.load import Scenario, load_scenario
from analyzer.sim.engine import simulate
from analyzer.sim.luck import LuckWork
from analyzer.stats.decomposition import PARTS, REST
from analyzer.studies.batches import MOST_LINE_UPS, job_of, setting_of, table_of

UNEQUAL = {
    "dingo": ["careful", "random", "hoarder", "random"],
    "rounce": ["steady", "random", "timid", "random"],
}


def spec_of(game: GameSpec) -> BatchSpec:
    return next(spec for spec in game.batches if spec.twice)


def scenario_of(name: str, *seats: str, seed: int = 1) -> Scenario:
    names = ",".join(f'"{seat}"' for seat in seats)
    base = load_scenario(f"{name}-baseline-4" if name == "rounce" else f"{name}-baseline", [f"table.seats=[{names}]"])
    return replace(base, seed=seed)


def split(scenario: Scenario, units: int, jobs: int = 1) -> TableResult:
    """The table of luck and skill from so many units."""
    spec = spec_of(scenario.game)
    table = next(table for table in scenario.game.tables if table.batch == spec.name)
    tallies = simulate(replace(job_of(scenario, spec, 1), count=units), jobs=jobs)
    return evaluate(table, tallies, setting_of(scenario, spec))


def shares(result: TableResult, end: str = "estimate") -> dict[str, float]:
    return dict(zip(LUCK_PARTS, getattr(result.estimates["share"], end).tolist(), strict=True))


def test_parts_are_those_of_the_statistics() -> None:
    assert LUCK_PARTS == PARTS + REST


@pytest.mark.parametrize("name", GAMES)
def test_sums_are_those_of_the_plays_by_seat_and_policy(name: str) -> None:
    """Held against the tallies that a plain run keeps of the same table."""
    scenario = scenario_of(name, *UNEQUAL[name])
    spec = spec_of(scenario.game)
    job = replace(job_of(scenario, spec, 1), first=100, count=700)
    luck, plain = (simulate(replace(job, twice=twice)).grouped for twice in (True, False))
    assert luck["units"].sum() == plain["units"].sum() == 700
    by_seat = plain["from_dealer_points"] if name == "rounce" else plain["points"].sum(1)
    assert np.array_equal(luck["total"].sum((1, 2)), by_seat)
    seated = np.array(job.table.arrangements)
    for policy in range(len(job.table.policies)):
        assert np.array_equal((luck["total"] * (seated == policy)).sum((1, 2, 3)), plain["points"][:, policy].sum(1))
    assert luck["squares"].sum() == plain["play_points_sq"].sum()
    assert not np.array_equal(luck["total"], luck["repeat_total"])


def points_of(work: LuckWork, units: int) -> list[np.ndarray[Any, Any]]:
    """Points (units, plays, seats) of both plays of every unit, seats as the table has them."""
    found = []
    for each in (work.first, work.second):
        records = np.zeros((units, each.table.plays), each.prepared.record)
        assert each.prepared.play(each.seed, 0, units, records=records) == -1
        found.append(records["points"].astype(float))
    return found


def test_shares_are_those_worked_out_from_single_plays() -> None:
    """Four policies that all differ: means, covariances and variances by NumPy's own formulas."""
    scenario = scenario_of("dingo", "careful", "greedy", "random", "saboteur")
    units = 20_480
    job = job_of(scenario, spec_of(scenario.game), 1)
    assert isinstance(job.work, LuckWork)
    y, z = points_of(job.work, units)
    both = (y + z) / 2
    seated = np.array(job.table.arrangements[0])
    total = np.concatenate([y, z]).var(dtype=float)
    pairs = [(i, j) for i in range(4) for j in range(4) if i != j]
    due = {
        "deal": np.mean([np.cov(y[:, i, seat], z[:, j, seat])[0, 1] for i, j in pairs for seat in range(4)]),
        "seat": both.mean((0, 1)).var(),
        "policy": np.var([both[:, seated == policy].mean() for policy in range(4)]),
        "chance": np.mean((y - z) ** 2) / 2,
    }
    found = shares(split(scenario, units))
    for part, variance in due.items():
        assert found[part] == pytest.approx(variance / total, abs=2e-4), part
    assert found["deal"] + found["seat"] + found["policy"] + found["rest"] == pytest.approx(1)
    assert found["interplay"] + found["chance"] == pytest.approx(found["rest"])
    assert min(found["deal"], found["policy"], found["chance"], found["interplay"]) > 0.05


@pytest.mark.parametrize("name", GAMES)
def test_equal_players_without_chance_leave_all_to_deal_and_seat(name: str) -> None:
    scenario = scenario_of(name, *[game_named(name).default_policy] * 4)
    result = split(scenario, 2_048)
    for part in ("policy", "rest", "interplay", "chance"):
        assert shares(result)[part] == shares(result, "se")[part] == 0
    assert shares(result)["deal"] + shares(result)["seat"] == pytest.approx(1)
    assert abs(shares(result)["seat"]) < 0.02


def test_random_players_are_nearly_all_chance() -> None:
    """Nobody has skill, seats differ by a hundredth of a point, and a good hand is worth little to who drops it."""
    result = split(scenario_of("dingo", *["random"] * 4), 16_384)
    assert shares(result)["policy"] == shares(result, "high")["policy"] == 0
    assert shares(result, "low")["seat"] < 0.001
    assert 0.9 < shares(result, "low")["chance"] < shares(result, "high")["chance"] < 0.96
    assert shares(result)["deal"] == pytest.approx(1 - shares(result)["chance"], abs=0.001)


@pytest.mark.parametrize("name", GAMES)
def test_policies_that_differ_much_show(name: str) -> None:
    result = split(scenario_of(name, *UNEQUAL[name]), 4_096)
    assert shares(result, "low")["policy"] > 0.03
    assert shares(result, "low")["chance"] > 0.03


def test_who_deals_first_counts_as_the_seat() -> None:
    """In Rounce seats are alike but for their place from the first dealer, by which the table goes."""
    scenario = scenario_of("rounce", *["steady"] * 4)
    unlike = replace(scenario, rules={**scenario.rules, "max_rounds": 1})
    spec = spec_of(scenario.game)
    tallies = simulate(replace(job_of(unlike, spec, 1), count=4_096))
    by_place = tallies.grouped["total"].sum((0, 1, 2)) / 4_096
    found = split(unlike, 4_096)
    assert found.estimates["variance"].estimate[1] == pytest.approx(np.var(by_place.astype(float)), rel=0.3)
    assert shares(found, "low")["seat"] > 0


def test_different_rotations_are_played_once() -> None:
    spec = spec_of(game_named("dingo"))
    for seats, plays in ((["random"] * 4, 1), (["random", "careful"] * 2, 2), (["random", *["careful"] * 3], 4)):
        scenario = scenario_of("dingo", *seats)
        assert table_of(scenario, spec).plays == plays
        everywhere = replace(scenario, table=replace(scenario.table, seating="all"))
        assert table_of(everywhere, spec) == table_of(scenario, spec)


def test_of_many_line_ups_some_are_taken_so_that_all_play_about_alike() -> None:
    names = [f"p{number}" for number in range(23)]
    field = ",".join(f'"{name}"' for name in names)
    own = [f'policies.{name}={{base="careful", lapse={number / 100}}}' for number, name in enumerate(names)]
    scenario = load_scenario("dingo-field", [*own, f"table.field=[{field}]"])
    table = table_of(scenario, spec_of(scenario.game))
    assert len(table.arrangements) == len(set(table.arrangements)) == MOST_LINE_UPS < len(scenario.table.arrangements)
    seated = np.bincount(np.ravel(table.arrangements), minlength=23) / (4 * MOST_LINE_UPS)
    assert seated.min() > 0.5 * 4 / 23
    assert seated.max() < 2 * 4 / 23
    assert len(table_of(load_scenario("dingo-field"), spec_of(scenario.game)).arrangements) == 35


@pytest.mark.parametrize("name", GAMES)
def test_no_sum_grows_faster_than_its_bound(name: str) -> None:
    scenario = scenario_of(name, *UNEQUAL[name])
    points = {
        "dingo": {"points.high": 10**6, "points.low": 10**6},
        "rounce": {"rounce_penalty": 1000, "start_score": 1000},
    }
    extreme = replace(scenario, rules={**scenario.rules, **points[name]})
    for seats in (extreme, replace(extreme, table=scenario_of(name, *["random"] * 4).table)):
        work = job_of(seats, spec_of(scenario.game), 1).work
        largest = max(int(abs(array).max()) for unit in range(20) for array in work.play(unit, 1))
        assert work.unit_bound / 10**9 < largest <= work.unit_bound


def said(name: str, *policies: str, **share: float) -> dict[str, str]:
    game = game_named(name)
    scenario = scenario_of(name, *(policies * 4)[:4])
    setting: Setting = setting_of(scenario, game.batches[0])
    findings = findings_of(game.findings, rounded({"count": 1, "luck_and_skill": luck_parts(**share)}), setting)
    return {finding["name"]: finding["sentence"] for finding in findings}


@pytest.mark.parametrize("name", GAMES)
def test_what_is_said_of_luck(name: str) -> None:
    assert set(said(name, "random", deal=0.06, chance=0.94)) == {"luck_among_equals", "chance_in_decisions"}
    assert "30,000" in said(name, "random", deal=0.99, seat=0.01)["all_dealt"]
    two = ("random", game_named(name).default_policy)
    assert set(said(name, *two, deal=0.6, policy=0.1, rest=0.3)) == {"luck_and_skill"}
    assert set(said(name, *two, deal=0.6, policy=0.0005, rest=0.4, chance=0.4)) == {
        "luck_without_skill",
        "chance_in_decisions",
    }
    assert said(name, *two, deal=0.0, policy=0.1, rest=0.9) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "field", "runs"), [("dingo", False, 300), ("dingo", True, 300), ("rounce", False, 150)]
)
def test_coverage_of_the_intervals_that_are_shown(name: str, field: bool, runs: int) -> None:
    """Truth: a hundred times as many deals."""
    scenario = load_scenario("dingo-field") if field else scenario_of(name, *UNEQUAL[name])
    units = 2_048
    truth = shares(split(replace(scenario, seed=99), 100 * units, jobs=2))
    covered = dict.fromkeys(LUCK_PARTS, 0)
    for seed in range(runs):
        result = split(replace(scenario, seed=1_000 + seed), units)
        for part in LUCK_PARTS:
            covered[part] += shares(result, "low")[part] <= truth[part] <= shares(result, "high")[part]
    assert all(hits / runs > 0.95 - 0.01 - 3 * math.sqrt(0.05 * 0.95 / runs) for hits in covered.values()), covered
