"""What the presets' one-line ideas claim, proven on decisions and in play."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest

from analyzer.games.knobs import resolve_rules
from analyzer.games.policy import preset_names, resolve_policies
from analyzer.games.registry import game_named
from analyzer.games.rounce import kernel
from analyzer.games.rounce.setup import build_setup
from analyzer.games.rounce.state import BATCH, FOLD, Setup
from analyzer.games.spec import LANES, Table
from analyzer.kernels.jit import records
from analyzer.scenario.load import load_scenario
from analyzer.studies.run import RunResult, run

GAME = game_named("rounce")
PLAYERS = 4
RULES = resolve_rules(GAME, {}, PLAYERS)
PRESETS = ("steady", "counter", "racer", "bold", "gambler", "timid", "random")
ROUNDS = 40


@cache
def setup_of(name: str) -> Setup:
    policies = resolve_policies(GAME, {}, [name])
    return build_setup(RULES, Table((policies[name],), (((0,) * PLAYERS,),), "fixed"))


def differing(player: str, other: str) -> tuple[int, int]:
    """(decisions in which `other` would choose differently, all decisions) in rounds that `player` plays."""
    batches = records(np.zeros(1, BATCH))
    batch, setup = batches[0], setup_of(player)
    kernel.begin_through(batches, setup, np.uint64(5), 0, 0)
    calls, last = 2 * PLAYERS, kernel.last_point(setup)
    differ = total = 0
    for number in range(ROUNDS):
        # Scores as they come, and a new match for those that are over.
        for lane in range(LANES):
            if batch["over"][lane]:
                batch["score"][:, lane] = 1 + (number + lane) % 15
                batch["over"][lane] = 0
        kernel.deal_round(batch, setup)
        for point in range(last - 1):
            kernel.advance(batch, setup, point)
            copy = batches.copy()[0]
            before = batches.copy()[0]
            kernel.advance(batch, setup, point + 1)
            kernel.advance(copy, setup_of(other), point + 1)
            if point < calls:
                column = "aside" if point & 1 else "call"
                acted = (batch[column] != before[column]).any(axis=0)
                chose = (batch[column] != copy[column]).any(axis=0)
            else:
                trick, turn = divmod(point - calls, PLAYERS)
                place = trick * 4 + turn
                acted = batch["played"] != before["played"]
                chose = batch["tile"][place] != copy["tile"][place]
                # The last tile of a hand is no choice.
                acted &= trick < RULES["hand_size"] - 1
            differ += int((acted & chose).sum())
            total += int(acted.sum())
        kernel.advance(batch, setup, last)
    return differ, total


def test_the_presets_are_those_promised() -> None:
    assert set(preset_names(GAME)) == set(PRESETS)
    for policy in resolve_policies(GAME, {}, PRESETS).values():
        assert policy.idea.endswith(".")
        assert policy.origin.endswith(".")


@pytest.mark.parametrize("pair", list(combinations(PRESETS, 2)), ids="-".join)
def test_every_pair_differs_in_a_twentieth_of_decisions(pair: tuple[str, str]) -> None:
    for player, other in permutations(pair):
        differ, total = differing(player, other)
        assert differ >= 0.05 * total, f"{other} at {player}'s table: {differ / total:.1%} of {total}"


@pytest.fixture(scope="module")
def field() -> RunResult:
    return run(load_scenario("rounce-field", count=35 * 100))


@pytest.mark.parametrize("other", [name for name in PRESETS if name != "steady"])
def test_steady_is_ahead_of_each_other_in_the_field(field: RunResult, other: str) -> None:
    row = next(r for r in field.results["pairs"] if set(r["pair"].split(" − ")) == {"steady", other})
    sign = 1 if row["pair"].startswith("steady") else -1
    assert min(sign * row["win_share"]["low"], sign * row["win_share"]["high"]) > 0, row


def test_bold_never_folds_and_timid_folds_most() -> None:
    folds = {}
    for name in ("bold", "steady", "timid"):
        seats = ", ".join([f'"{name}"'] * PLAYERS)
        result = run(load_scenario("rounce-baseline-4", [f"table.seats=[{seats}]"], count=500))
        calls = result.tallies["main"].grouped["calls"].sum((0, 1))
        folds[name] = int(calls[FOLD]) / int(calls.sum())
    assert folds["bold"] == 0
    assert folds["timid"] > folds["steady"] > 0


def test_gambler_takes_every_dummy_there_is() -> None:
    result = run(load_scenario("rounce-baseline-2", ['table.seats=["gambler", "gambler"]'], count=300))
    calls = result.tallies["main"].grouped["calls"].sum((0, 1))
    assert calls[2] == calls.sum()
