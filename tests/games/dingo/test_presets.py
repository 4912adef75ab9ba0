"""What the presets' one-line ideas claim, proven on decisions and in play."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest

from analyzer.games.dingo import kernel
from analyzer.games.dingo.play import new_batches
from analyzer.games.dingo.setup import build_setup
from analyzer.games.dingo.state import TURNS, Setup
from analyzer.games.knobs import resolve_rules
from analyzer.games.policy import preset_names, resolve_policies
from analyzer.games.registry import game_named
from analyzer.games.spec import LANES, Table
from analyzer.scenario.load import load_scenario
from analyzer.studies.run import RunResult, run

GAME = game_named("dingo")
RULES = resolve_rules(GAME, {})
PRESETS = ("random", "greedy", "cautious", "hoarder", "dumper", "saboteur", "careful")
EXCHANGE = 28
HUNTS = range(EXCHANGE, EXCHANGE + 3)
ACES = range(EXCHANGE + 2 * TURNS, EXCHANGE + 3 * TURNS)
BATCHES = 8


@cache
def setup_of(name: str) -> Setup:
    policies = resolve_policies(GAME, {}, [name])
    return build_setup(RULES, Table((policies[name],), (((0, 0, 0, 0),),), "fixed"))


def differing(player: str, other: str) -> tuple[int, int]:
    """(decisions in which `other` would choose differently, all decisions) in deals that `player` plays."""
    differ = total = 0
    for number in range(BATCHES):
        batches = new_batches()
        batch, setup = batches[0], setup_of(player)
        kernel.deal(batch, setup, np.uint64(21), number * LANES)
        kernel.start(batch, setup, 0)
        for point in [*range(EXCHANGE), *HUNTS, *ACES]:
            kernel.advance(batch, setup, point)
            copy = batches.copy()[0]
            before = batches.copy()[0]
            kernel.advance(batch, setup, point + 1)
            kernel.advance(copy, setup_of(other), point + 1)
            if point < EXCHANGE:
                differ += int((batch["choice"][point] != copy["choice"][point]).sum())
                total += LANES
            elif point in HUNTS:
                place = point - EXCHANGE
                if point == EXCHANGE:
                    kernel.open_hunts(before, setup)
                actors = before["actors"][place]
                could = actors & (before["spade"] | before["club"])
                changed = batch["laid"][place] ^ copy["laid"][place]
                for lane in range(LANES):
                    ranks = fold(int(could[lane]))
                    word = int(changed[lane])
                    differ += ((word | word >> 16) & ranks).bit_count()
                    total += ranks.bit_count()
            else:
                turn = point - ACES[0]
                for lane in range(LANES):
                    seat = (int(batch["ace_dingo"][lane]) + 1 + turn) & 3
                    aces = int(batch["hand"][seat, lane]) >> 37 & 7
                    out = sum(int(batch["ace_laid"][t, lane]) & 3 > 0 for t in range(turn))
                    if aces & 3 or (aces and out == 2):
                        total += 1
                        differ += int(batch["ace_laid"][turn, lane] != copy["ace_laid"][turn, lane])
    return differ, total


def fold(fields: int) -> int:
    return (fields | fields >> 16 | fields >> 32 | fields >> 48) & 0xFFFF


def test_the_presets_are_those_promised() -> None:
    assert set(preset_names(GAME)) == set(PRESETS)
    for policy in resolve_policies(GAME, {}, PRESETS).values():
        assert policy.idea.endswith(".")
        assert policy.origin.endswith(".")
        assert "\n" not in policy.idea + policy.origin


@pytest.mark.parametrize("pair", list(combinations(PRESETS, 2)), ids="-".join)
def test_every_pair_differs_in_a_twentieth_of_decisions(pair: tuple[str, str]) -> None:
    for player, other in permutations(pair):
        differ, total = differing(player, other)
        assert differ >= 0.05 * total, f"{other} at {player}'s table: {differ / total:.1%} of {total}"


@pytest.fixture(scope="module")
def field() -> RunResult:
    return run(load_scenario("dingo-field", count=20_000))


@pytest.mark.parametrize("other", [name for name in PRESETS if name != "careful"])
def test_careful_is_ahead_of_each_other_in_the_field(field: RunResult, other: str) -> None:
    row = next(r for r in field.results["pairs"] if set(r["pair"].split(" − ")) == {"careful", other})
    sign = 1 if row["pair"].startswith("careful") else -1
    for column in ("win_share", "points"):
        interval = sorted((sign * row[column]["low"], sign * row[column]["high"]))
        if column == "win_share":
            assert interval[0] > 0, (other, column, interval)


def test_forgetting_costs_a_careful_player_something() -> None:
    changes = [
        'policies.forgetful={base="careful", memory="none"}',
        'table.seats=["careful","forgetful","careful","forgetful"]',
    ]
    result = run(load_scenario("dingo-baseline", [*changes, 'table.seating="rotate"'], count=20_000))
    row = result.results["pairs"][0]
    assert row["pair"] == "careful − forgetful"
    assert row["win_share"]["low"] > 0.01


def test_greedy_lays_every_wolf_it_may() -> None:
    batches = new_batches()
    kernel.play_through(batches, setup_of("greedy"), np.uint64(3), 0, 0)
    batch = batches[0]
    in_reach = batch["dingo"]
    for lane in range(LANES):
        for seat in range(4):
            played = fold(int(in_reach[lane])) & ~(int(in_reach[lane]) >> 16 * seat & 0xFFFF)
            left = (int(batch["spade"][lane]) | int(batch["club"][lane])) >> 16 * seat & 0xFFFF
            assert not left & played


def test_cautious_is_never_overtaken_by_a_wolf_it_had_to_fear() -> None:
    """Four cautious players lay a lone first wolf only where the other cannot follow, so none is overtaken."""
    changes = ['table.seats=["cautious","cautious","cautious","cautious"]']
    result = run(load_scenario("dingo-baseline", changes, count=20_000))
    main = result.tallies["main"].grouped
    assert main["lone_first"].sum() > 10_000
    assert main["overtaken"].sum() == 0


def test_saboteur_withholds_ace_wolves_without_the_rabbit() -> None:
    changes = ['table.seats=["saboteur","saboteur","saboteur","saboteur"]']
    result = run(load_scenario("dingo-baseline", changes, count=5_000))
    ace = result.tallies["main"].grouped["ace"].sum(0)
    # Only the rabbit's holder lays, so it lives when that holder has both wolves and never otherwise.
    assert ace[:2, :, 0].sum() == 0
    assert ace[2, :, 0].sum() > 0
