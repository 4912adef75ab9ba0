"""Play goes on from any decision: choices made outside lead to the same round, copies to the same result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from rounce_batches import actor, begun, choice, next_round, player, random_player, setup_of

from analyzer.games.rounce import kernel
from analyzer.games.rounce.state import Setup
from analyzer.games.spec import LANES
from analyzer.kernels import jit

pytestmark = pytest.mark.modes

ROUNDS = 6 if jit.COMPILED else 1
RESULT = (
    "call", "drew", "aside", "in_play", "folds", "dummies", "taker", "defender", "walkover", "hand", "own_out",
    "played", "tricks", "suit", "leads", "winner", "tile", "change", "score", "over", "win", "dealer",
)  # fmt: skip
RULES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"doubles": "high", "winner_leads_trump": False, "must_trump_when": "void"}),
    (4, {"hand_size": 4, "dummies_max": 2, "dummy_draw": 5}),
]


@pytest.fixture(autouse=True)
def _wrapping() -> Iterator[None]:
    with np.errstate(over="ignore"):
        yield


def setup_for(players: int, rules: dict[str, Any]) -> Setup:
    a, b, c = player("a"), player("b", noise=0.4, memory=0.5), random_player("c")
    return setup_of([a, b, c, b][:players], **rules)


def assert_same(a: np.void, b: np.void, setup: Setup) -> None:
    players = int(setup.rules["players"][0])
    lanes = (a["active"] == 1) & (a["walkover"] < 0)
    for name in RESULT:
        # What a round without tricks leaves of an earlier one is not looked at, nor are seats that nobody has.
        found = [
            each[name][..., lanes if name in ("suit", "leads", "winner", "tile") else a["active"] == 1]
            for each in (a, b)
        ]
        rows = slice(players) if found[0].shape[:-1] == (4,) else slice(None)
        assert np.array_equal(found[0][rows], found[1][rows]), name


@pytest.mark.parametrize(("players", "rules"), RULES)
def test_a_copy_taken_at_any_point_plays_on_to_the_same_result(players: int, rules: dict[str, Any]) -> None:
    setup = setup_for(players, rules)
    last = kernel.last_point(setup)
    batches = begun(setup)
    for _ in range(ROUNDS):
        whole = batches.copy()
        kernel.advance(whole[0], setup, last)
        for point in range(last + 1):
            kernel.advance(batches[0], setup, point)
            assert batches[0]["cursor"] == point
            copy = batches.copy()
            kernel.advance(copy[0], setup, last)
            assert_same(whole[0], copy[0], setup)
        next_round(batches, setup)


@pytest.mark.parametrize(("players", "rules"), RULES)
@pytest.mark.parametrize("external", [0b0001, 0b0110, 0b1111])
def test_the_policys_own_choices_given_from_outside_change_nothing(
    players: int, rules: dict[str, Any], external: int
) -> None:
    setup = setup_for(players, rules)
    last = kernel.last_point(setup)
    whole, batches = begun(setup), begun(setup)
    batch = batches[0]
    batch["external"] = external
    for _ in range(ROUNDS):
        kernel.advance(whole[0], setup, last)
        asked = 0
        while (point := kernel.advance(batch, setup, last)) < last:
            answer(batch, whole[0], setup, point, external)
            asked += 1
        assert asked > players
        assert_same(whole[0], batch, setup)
        assert next_round(whole, setup) == next_round(batches, setup)


def answer(batch: np.void, whole: np.void, setup: Setup, point: int, external: int) -> None:
    """Give the choices of outside seats at a point as they are in `whole`."""
    players = int(setup.rules["players"][0])
    trick, turn = divmod(max(0, point - 2 * players), players)
    acts = 0
    for lane in range(LANES):
        seat = actor(batch, setup, point, lane)
        if seat is None or not external >> seat & 1:
            continue
        acts += 1
        told = choice(whole, setup, point, seat, lane)
        if point < 2 * players:
            batch["aside" if point & 1 else "call"][seat, lane] = told[0]
        else:
            batch["tile"][4 * trick + turn, lane] = told[0]
            if not turn:
                batch["suit"][trick, lane] = told[1]
    assert acts
    batch["answered"] = 1


def test_another_choice_from_outside_is_played() -> None:
    """Everyone passes and the lowest tile is led, as its lower end."""
    setup = setup_of([player("a")] * 2, must_trump_when="never")
    batches = begun(setup)
    batch = batches[0]
    batch["external"] = 0b11
    for position in range(2):
        assert kernel.advance(batch, setup, 4) == 2 * position
        batch["call"][:2][(batch["dealer"] + 1 + position) % 2, np.arange(LANES)] = 0
        batch["answered"] = 1
    assert kernel.advance(batch, setup, 5) == 4
    leader = (batch["dealer"] + 1) % 2
    hands = [int(batch["hand"][leader[lane], lane]) for lane in range(LANES)]
    tiles = [(hand & -hand).bit_length() - 1 for hand in hands]
    high = [max(end for end in range(7) if end * (end + 1) // 2 <= tile) for tile in tiles]
    low = [tile - end * (end + 1) // 2 for tile, end in zip(tiles, high, strict=True)]
    trump = batch["trump"].tolist()
    suits = [t if t in (a, b) else b for t, a, b in zip(trump, high, low, strict=True)]
    batch["tile"][0], batch["suit"][0], batch["answered"] = tiles, suits, 1
    assert kernel.advance(batch, setup, 5) == 5
    assert (batch["led"] % 7).tolist() == suits
    assert (batch["call"][:2] == 0).all()
    assert batch["hand"][leader, np.arange(LANES)].tolist() == [hand & (hand - 1) for hand in hands]
