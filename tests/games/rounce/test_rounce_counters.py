"""What the kernel counts is what its transcripts tell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rounce_counts import Counts, policy, setting_of

from analyzer.games.rounce.spec import SPEC
from analyzer.games.rounce.transcript import events
from analyzer.games.spec import GROUPS, LANES
from analyzer.sim.engine import Job, simulate

UNITS = 2 * LANES + 7
RULES: tuple[dict[str, Any], ...] = (
    {"players": 2, "start_score": 40},
    {"players": 3},
    {"players": 4, "hand_size": 4, "doubles": "high", "max_rounds": 12},
    {"players": 4, "finish_tie": "shared", "walkover": 2, "rounce_penalty": 1},
)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: ", ".join(f"{key}={value}" for key, value in rules.items()))
def test_the_kernel_counts_what_happened(rules: dict[str, Any]) -> None:
    plain = policy("random")
    setting = setting_of(replace(plain, noise=dict.fromkeys(plain.noise, 1.0)), **rules)
    found = simulate(Job(SPEC, setting.rules, setting.table, 3, UNITS), jobs=1)
    due = Counts(setting, UNITS)
    for unit, match in enumerate(events(setting.rules, setting.table, 3, 0, UNITS, 0)):
        due.match(match, unit // LANES % GROUPS)
    for name, counts in due.tallies.grouped.items():
        np.testing.assert_array_equal(found.grouped[name].astype(int), counts.astype(int), err_msg=name)
    assert found.plain["running_plays"].sum() == UNITS * len(setting.seats)


def test_the_experiment_draws_every_legal_call_as_often() -> None:
    setting = setting_of(policy("random"), players=4)
    found = simulate(Job(SPEC, setting.rules, setting.table, 3, 4096, probe="call"), jobs=1)
    n = found.grouped["chart_n"].sum(0).sum((-1, -2)).astype(int)
    rounds, arms = int(found.grouped["rounds"].sum()), setting.axes["arm"]
    # One seat a round, each as often; a dealer left alone makes no call.
    assert n[:, :3].sum(0) == pytest.approx([rounds / 4] * 3, rel=0.03)
    first = dict(zip(arms, n[:, 0], strict=True))
    assert [first[arm] for arm in ("pass", "fold", "dummy")] == pytest.approx([rounds / 12] * 3, rel=0.05)
    assert first["pass without a dummy"] == 0
    assert not n[[arms.index(arm) for arm in ("take", "defend", "defend and take")], :3].any()
