"""No sum leaves int64: what a unit can add at the limits of the rules, and the blocks that are cut for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analyzer.games.policy import resolve_policies
from analyzer.games.registry import GAMES, game_named
from analyzer.scenario.load import load_scenario
from analyzer.scenario.seating import build_table
from analyzer.sim.blocks import MOST, safe_units
from analyzer.sim.engine import Job

LIMITS = {
    "dingo": [f"rules.points.{key}=1000" for key in ("low", "eight", "high", "ace", "ace_rabbit_alive")]
    + ["rules.points.ace_rabbit_dead=1000", 'rules.exchange=["left"]'],
    "rounce": ["rules.start_score=1000", "rules.max_rounds=100_000", "rules.rounce_penalty=100", "rules.walkover=100"],
}
BASE = {"dingo": "dingo-baseline", "rounce": "rounce-baseline-4"}


def job(name: str, changes: list[str], count: int) -> Job:
    """Four policies in all arrangements: most plays a unit, and the largest sums."""
    scenario = load_scenario(BASE[name], changes)
    game = game_named(name)
    names = ["random", game.default_policy, *list(policies_of(name))[:2]]
    table = build_table(names, 4, "all", resolve_policies(game, {}, names))
    return Job(game, scenario.rules, table, 1, count)


def policies_of(name: str) -> list[str]:
    table = load_scenario(f"{name}-field").table
    known = [policy.name for policy in table.policies]
    return [policy for policy in known if policy not in ("random", game_named(name).default_policy)]


@pytest.mark.parametrize("name", GAMES)
def test_blocks_keep_the_limits_of_the_rules_in_int64(name: str) -> None:
    work = job(name, LIMITS[name], 1).work
    assert work.plays == 24
    assert safe_units(work.unit_bound) * work.unit_bound <= MOST < 2**61
    assert safe_units(work.unit_bound) > 1
    # By the usual rules they cut nothing: a block has some 10^5 plays, and a cluster's some 10^6.
    assert safe_units(job(name, [], 1).work.unit_bound) * work.plays > 10**7


@pytest.mark.parametrize("name", GAMES)
def test_at_the_limits_the_squares_are_those_of_whole_numbers(name: str) -> None:
    """Counted again from the records of all plays, in Python's integers."""
    count = 20
    # As long as a test should be.
    work = job(name, [change.replace("max_rounds=100_000", "max_rounds=300") for change in LIMITS[name]], count).work
    grouped, plain = (np.zeros(shape, np.int64) for shape in work.shapes)
    prepared: Any = work.prepared
    records = np.zeros((count, work.plays), prepared.record)
    assert prepared.play(1, 0, count, grouped, plain, records) == -1
    counters = {key: array.astype(object).sum(0) for key, array in work.named([grouped, plain])[0].items()}
    points = records["points"].astype(object)
    seated = np.array(work.table.arrangements[0])
    policies = range(4)
    sums = np.array([[points[i][seated == policy].sum() for policy in policies] for i in range(count)], object)
    assert (counters["policy_points_sq"] == (sums**2).sum(0)).all()
    assert counters["play_points_sq"].sum() == (points**2).sum()
    pairs = [(sums[:, a] - sums[:, b]) for a in policies for b in policies if a < b]
    assert (counters["pair_points_sq"] == [(pair**2).sum() for pair in pairs]).all()
    # The bound holds, and is no wild guess: the limits come within some powers of ten of it.
    largest = max((pair**2).max() for pair in pairs)
    assert largest <= work.unit_bound < 10**7 * largest
    for array in work.named([grouped, plain])[0].values():
        assert np.abs(array).max() <= work.unit_bound * count
