"""The kernel against the plain-Python game, event by event, under random rules and policies."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import numpy as np
import pytest
from differential import check_policy_choices, compare, policies, rule_sets
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from analyzer.games.dingo.play import played
from analyzer.games.dingo.rules import KNOBS
from analyzer.games.dingo.transcript import Deal
from analyzer.games.spec import Policy, Table
from analyzer.kernels import jit

pytestmark = pytest.mark.modes

RULE_SETS = 500
DEALS = 40


def table_of(four: tuple[Policy, ...]) -> Table:
    return Table(four, ((tuple(range(4)), (3, 0, 1, 2)),), "rotate")


def check(rules: dict[str, Any], four: tuple[Policy, ...], seed: int, first: int, deals: int) -> int:
    """Compare `deals` deals of both engines, and every predictable choice with the oracle; the number of
    such choices.
    """
    table = table_of(four)
    play = first % 2
    batch = played(rules, table, seed, first, play)
    by_name = {policy.name: policy for policy in four}
    choices = 0
    for lane in range(deals):
        deal = Deal(batch, lane, rules, table, seed, play)
        events = deal.events()
        compare(events)
        choices += check_policy_choices(events, by_name, deal.swapped)
    return choices


def test_kernel_plays_as_the_reference_does() -> None:
    """500 rule sets, 20,000 deals, every choice at least five times; a tenth in the other modes."""
    part = 1 if jit.COMPILED and not os.environ.get("NUMBA_BOUNDSCHECK") else 10
    seen: Counter[tuple[str, Any]] = Counter()
    choices = Counter[str]()

    @settings(
        max_examples=RULE_SETS // part, deadline=None, derandomize=True, database=None,
        phases=(Phase.generate,), suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(rule_sets(), policies(), st.integers(0, 2**64 - 1), st.integers(0, 10**12))
    def plays_alike(rules: dict[str, Any], four: tuple[Policy, ...], seed: int, first: int) -> None:
        choices["checked"] += check(rules, four, seed, first, DEALS)
        for knob in KNOBS:
            wide = knob.kind in ("int", "steps") and knob.key != "ace_rabbit_needs"
            seen[knob.key, rules[knob.key] != knob.default if wide else rules[knob.key]] += 1

    with np.errstate(over="ignore"):
        plays_alike()
    for knob in KNOBS:
        values = {"choice": knob.choices, "bool": (True, False), "int": (0, 1, 2), "steps": (True,)}[knob.kind]
        for value in (True,) if knob.key.startswith("points.") else values:
            assert seen[knob.key, value] >= 5 // part, (knob.key, value)
    assert choices["checked"] > 100_000 // part
