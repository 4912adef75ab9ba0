"""The kernel against the plain-Python game, event by event, under random rules and policies."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from rounce_differential import check_policy_choices, compare, policies, rule_sets

from analyzer.games.rounce.policies import KINDS
from analyzer.games.rounce.rules import KNOBS
from analyzer.games.rounce.transcript import events
from analyzer.games.spec import LANES, KnobSpec, Policy, Table
from analyzer.kernels import jit

pytestmark = pytest.mark.modes

RULE_SETS = 500
ROUNDS = 40


def table_of(four: tuple[Policy, ...], players: int) -> Table:
    """As many of the policies as there are players, in two seatings."""
    seats = tuple(range(players))
    return Table(four[:players], ((seats, (*seats[1:], 0)),), "rotate")


def every_value(knob: KnobSpec) -> tuple[Any, ...]:
    """Values to be met: all of a knob that has few, and of a wide one any but the default."""
    if knob.kind == "int":
        low, high = knob.low or 0, knob.high or 0
        return tuple(range(low, high + 1)) if high - low < 10 else ("other",)
    return knob.choices if knob.kind == "choice" else (True, False)


def check(rules: dict[str, Any], four: tuple[Policy, ...], seed: int, first: int) -> tuple[int, Counter[str]]:
    """Compare matches of both engines until `ROUNDS` rounds are over, and every predictable choice with the oracle;
    the number of rounds and of such choices.
    """
    table = table_of(four, rules["players"])
    by_name = {policy.name: policy for policy in table.policies}
    rounds, choices = 0, Counter[str]()
    for match in events(rules, table, seed, first, LANES, first % 2):
        compare(match)
        choices += check_policy_choices(match, by_name)
        rounds += match[-1]["rounds"]
        if rounds >= ROUNDS:
            break
    return rounds, choices


def test_kernel_plays_as_the_reference_does() -> None:
    """500 rule sets, 20,000 rounds, every choice at least five times; a tenth in the other modes."""
    part = 1 if jit.COMPILED and not os.environ.get("NUMBA_BOUNDSCHECK") else 10
    seen: Counter[tuple[str, Any]] = Counter()
    rounds = 0
    choices = Counter[str]()

    @settings(
        max_examples=RULE_SETS // part, deadline=None, derandomize=True, database=None,
        phases=(Phase.generate,), suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(rule_sets(), policies(), st.integers(0, 2**64 - 1), st.integers(0, 10**12))
    def plays_alike(rules: dict[str, Any], four: tuple[Policy, ...], seed: int, first: int) -> None:
        nonlocal rounds
        compared, checked = check(rules, four, seed, first)
        rounds += compared
        choices.update(checked)
        for knob in KNOBS:
            value = rules[knob.key]
            seen[knob.key, value if value in every_value(knob) else "other"] += 1

    with np.errstate(over="ignore"):
        plays_alike()
    assert rounds >= RULE_SETS * ROUNDS // part
    for knob in KNOBS:
        for value in every_value(knob):
            assert seen[knob.key, value] >= 5 // part, (knob.key, value)
    # Calls of all kinds are checked under one name.
    for kind in ("call_pass", *KINDS[6:]):
        assert choices[kind] > 1000 // part, kind
