"""Play goes on from any decision: choices made outside, rank by rank or all at once, lead to the same deal."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.games.dingo import kernel
from analyzer.games.dingo.play import new_batches
from analyzer.games.dingo.setup import build_setup
from analyzer.games.dingo.state import CIRCLES, TURNS, Setup
from analyzer.games.knobs import resolve_rules
from analyzer.games.policy import resolve_policies
from analyzer.games.registry import game_named
from analyzer.games.spec import LANES, Table
from analyzer.kernels import jit

pytestmark = pytest.mark.modes

GAME = game_named("dingo")
RESULT = (
    "choice",
    "laid",
    "ace_laid",
    "score",
    "win",
    "tied",
    "broken",
    "rabbit_fate",
    "out_of_play",
    "changes",
    "hand",
    "pile",
)
RULES: list[dict[str, object]] = [
    {},
    {"wolf_turns": "until_pass", "wolf_order": "random", "dingo_player_may_wolf": True, "hunt_order": "shuffled"},
    {"exchange": ["left", "discard", "right"], "wolf_order": "left_of_dealer", "ace_rabbit_needs": 1},
]


@pytest.fixture(autouse=True)
def _wrapping() -> object:
    with np.errstate(over="ignore"):
        yield


def setup_of(rules: dict[str, object], *, rank_by_rank: bool) -> Setup:
    policies = resolve_policies(GAME, {"a": {}, "b": {"noise": 0.4, "lapse": 0.1, "memory": 0.5}}, ())
    table = Table(tuple(policies.values()), (((0, 1, 0, 1), (1, 0, 1, 0)),), "rotate")
    return build_setup(resolve_rules(GAME, rules), table, rank_by_rank=rank_by_rank)


def dealt(setup: Setup, external: int = 0) -> np.void:
    batch = new_batches()[0]
    kernel.deal(batch, setup, np.uint64(3), 0)
    kernel.start(batch, setup, 1)
    batch["external"] = external
    return batch


def played(setup: Setup) -> np.void:
    batch = dealt(setup)
    kernel.advance(batch, setup, kernel.last_point(setup))
    kernel.finish(batch, setup)
    return batch


def assert_same(a: np.void, b: np.void) -> None:
    for name in RESULT:
        assert np.array_equal(a[name], b[name]), name


@pytest.mark.parametrize("rules", RULES)
def test_rank_by_rank_is_the_same_play_as_all_at_once(rules: dict[str, object]) -> None:
    assert_same(played(setup_of(rules, rank_by_rank=False)), played(setup_of(rules, rank_by_rank=True)))


@pytest.mark.parametrize("rules", RULES)
def test_a_copy_taken_at_any_point_plays_on_to_the_same_result(rules: dict[str, object]) -> None:
    setup = setup_of(rules, rank_by_rank=True)
    whole = played(setup)
    batch = dealt(setup)
    last = kernel.last_point(setup)
    for point in range(0, last, 5 if jit.COMPILED else 23):
        kernel.advance(batch, setup, point)
        copy = batch.copy()
        kernel.advance(copy, setup, last)
        kernel.finish(copy, setup)
        assert_same(whole, copy)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("rank_by_rank", [False, True])
@pytest.mark.parametrize("external", [0b0001, 0b1010, 0b1111] if jit.COMPILED else [0b1010])
def test_the_policys_own_choices_given_from_outside_change_nothing(
    rules: dict[str, object], rank_by_rank: bool, external: int
) -> None:
    setup = setup_of(rules, rank_by_rank=rank_by_rank)
    whole = played(setup)
    exchange = 4 * int(setup.rules["n_steps"][0])
    last = kernel.last_point(setup)
    batch = dealt(setup, external)
    asked = 0
    while (point := kernel.advance(batch, setup, last)) < last:
        asked += 1
        if point < exchange:
            batch["choice"][point] = whole["choice"][point]
        elif point < last - TURNS:
            batch["answer"][:] = whole["laid"][(point - exchange) % (CIRCLES * TURNS)]
        else:
            turn = point - (last - TURNS)
            batch["ace_laid"][turn] = whole["ace_laid"][turn]
        batch["answered"] = 1
    kernel.finish(batch, setup)
    assert asked > exchange // 4
    assert_same(whole, batch)


def test_another_choice_from_outside_is_played() -> None:
    setup = setup_of({}, rank_by_rank=False)
    whole = played(setup)
    batch = dealt(setup, 0b0001)
    assert kernel.advance(batch, setup, 1) == 0
    for lane in range(LANES):
        hand = [card for card in range(36) if int(batch["hand"][0, lane]) >> card & 1]
        batch["choice"][0, lane] = next(card for card in hand if card != whole["choice"][0, lane])
    batch["answered"] = 1
    kernel.advance(batch, setup, 1)
    assert batch["cursor"] == 1
    assert (batch["choice"][0] != whole["choice"][0]).all()
    assert not np.array_equal(batch["pile"], whole["pile"])
