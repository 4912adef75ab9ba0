"""A decision does not look at what its player cannot know.

At each decision of a deal, everything hidden from the player is permuted: the cards in the others' hands
(and, in the exchange, who passed what is unknown to the player anyway), what the others know, and
discards that the player forgot. The same decision, at the same address, must come out the same.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from analyzer.games.dingo import kernel
from analyzer.games.dingo.play import new_batches
from analyzer.games.dingo.setup import build_setup
from analyzer.games.dingo.state import CIRCLES, TURNS
from analyzer.games.knobs import resolve_rules
from analyzer.games.policy import resolve_policies
from analyzer.games.registry import game_named
from analyzer.games.spec import LANES, Table
from analyzer.kernels import jit

pytestmark = pytest.mark.modes

GAME = game_named("dingo")
ACES = 0b1111 << 36
BATCHES = 16 if jit.COMPILED else 1

TABLES = {
    "careful": {"a": {}},
    "no memory": {"a": {"memory": "none"}},
    "top card": {"a": {"memory": "top_card"}},
    "half remembered, noisy": {"a": {"memory": 0.5, "noise": 0.3}},
    "saboteur": {"a": {"base": "saboteur"}},
}


def permuted(batch: np.void, forgets: bool, lane: int, seat: int, rng: random.Random) -> None:
    """Deal the cards that `seat` cannot place anew among the others' hands and the pile, each of them
    keeping its number of cards.
    """
    own = int(batch["hand"][seat, lane])
    # Where nobody forgets, all know the pile.
    known = int(batch["known"][seat, lane] if forgets else batch["pile"][lane])
    places = [int(batch["hand"][s, lane]) if s != seat else 0 for s in range(4)]
    forgotten = int(batch["pile"][lane]) & ~known
    hidden = [c for c in range(40) if not (own | known) >> c & 1]
    # An ace can only have been discarded where the pile holds one, so aces stay where aces may be.
    while True:
        rng.shuffle(hidden)
        rest = list(hidden)
        new_pile = sum(1 << rest.pop() for _ in range(forgotten.bit_count()))
        if not new_pile & ACES or forgotten & ACES:
            break
    for s in range(4):
        if s == seat:
            continue
        cards = 0
        for _ in range(places[s].bit_count()):
            cards |= 1 << rest.pop()
        batch["hand"][s, lane] = cards
        # What others know or passed is theirs alone.
        batch["known"][s, lane] = new_pile | known if rng.random() < 0.5 else 0
        batch["gone"][s, lane] = 0
    batch["pile"][lane] = new_pile | known
    assert not rest


@pytest.mark.parametrize("name", TABLES)
def test_exchange_decisions_do_not_see_hidden_cards(name: str) -> None:
    policies = resolve_policies(GAME, TABLES[name], ())
    table = Table((policies["a"],), (((0, 0, 0, 0),),), "fixed")
    setup = build_setup(resolve_rules(GAME, {}), table)
    rng = random.Random(name)
    with np.errstate(over="ignore"):
        for number in range(BATCHES):
            batches = new_batches()
            start(batches[0], setup, number)
            for point in range(28):
                before = batches.copy()
                kernel.advance(batches[0], setup, point + 1)
                chosen = batches[0]["choice"][point].copy()
                for lane in range(LANES):
                    permuted(before[0], bool(setup.rules["forgets"][0]), lane, point & 3, rng)
                kernel.advance(before[0], setup, point + 1)
                assert (before[0]["choice"][point] == chosen).all(), (name, point)


@pytest.mark.parametrize("name", TABLES)
def test_hunt_and_ace_decisions_do_not_see_hidden_cards(name: str) -> None:
    """The hunts rank by rank, so that each decision can be looked at alone; the other three hands are
    permuted but for the card that the dingo player has just played.
    """
    policies = resolve_policies(GAME, TABLES[name], ())
    table = Table((policies["a"],), (((0, 0, 0, 0),),), "fixed")
    setup = build_setup(resolve_rules(GAME, {"wolf_turns": "until_pass"}), table, rank_by_rank=True)
    rng = random.Random(name)
    compared = 0
    with np.errstate(over="ignore"):
        for number in range(BATCHES):
            batches = new_batches()
            batch = start(batches[0], setup, number)
            kernel.advance(batch, setup, 28)
            for point in range(28, 28 + 12 * CIRCLES * TURNS):
                before = batches.copy()
                kernel.advance(batch, setup, point + 1)
                turn = (point - 28) % (CIRCLES * TURNS)
                if turn % TURNS == 3 or point == 28:
                    continue
                rank = (point - 28) // (CIRCLES * TURNS)
                others = [scrambled(before[0], lane, rank, turn % TURNS, rng) for lane in range(LANES)]
                kernel.advance(before[0], setup, point + 1)
                for lane, actor in enumerate(others):
                    if actor is not None:
                        assert laid(before[0], lane, rank, turn) == laid(batch, lane, rank, turn), (name, point, lane)
                        compared += 1
            before = batches.copy()
            aces = 28 + 12 * CIRCLES * TURNS
            kernel.advance(batch, setup, aces + 1)
            for lane in range(LANES):
                scrambled_aces(before[0], lane, rng)
            kernel.advance(before[0], setup, aces + 1)
            first = (batch["ace_laid"][0] == before[0]["ace_laid"][0]) | (batch["ace_dingo"] != before[0]["ace_dingo"])
            assert first.all(), name
    assert compared > 100 * BATCHES


def start(batch: np.void, setup: object, number: int) -> np.void:
    kernel.deal(batch, setup, np.uint64(11), number * LANES)
    kernel.start(batch, setup, 0)
    return batch


def laid(batch: np.void, lane: int, rank: int, turn: int) -> int:
    return int(batch["laid"][turn, lane]) >> rank & 0x1_0001_0001


def scrambled(batch: np.void, lane: int, rank: int, place: int, rng: random.Random) -> int | None:
    """Give the wolves of the hunted rank that the acting seat cannot place to any of the seats it cannot
    rule out; the acting seat, or None when nobody acts or nothing is hidden.
    """
    bit = 1 << rank
    fields = int(batch["actors"][place, lane])
    actor = next((s for s in range(4) if fields >> 16 * s & bit), None)
    if actor is None:
        return None
    names = ("spade", "club")
    for name in names:
        field = int(batch[name][lane])
        known = int(batch[f"known_{name}"][lane]) >> 16 * actor & bit
        out = int(batch["first_" + name][lane]) | int(batch["second_" + name][lane])
        on_table = any(out >> 16 * s & bit for s in range(4))
        if field >> 16 * actor & bit or known or on_table:
            continue
        # Unknown, passed away or forgotten: it may lie anywhere but in the own hand.
        for s in range(4):
            field &= ~(bit << 16 * s)
        where = rng.choice([s for s in range(4) if s != actor] + [None])
        if where is not None:
            field |= bit << 16 * where
        batch[name][lane] = field
    return actor


def scrambled_aces(batch: np.void, lane: int, rng: random.Random) -> None:
    """Before the first turn of the ace hunt: permute the aces that its player does not hold among the two others."""
    hands = [int(batch["hand"][s, lane]) for s in range(4)]
    dingo = next(s for s in range(4) if hands[s] >> 36 & 1)
    actor = (dingo + 1) & 3
    for ace in (37, 38, 39):
        if hands[actor] >> ace & 1 or not any(hand >> ace & 1 for hand in hands):
            continue
        for s in range(4):
            hands[s] &= ~(1 << ace)
        hands[rng.choice([s for s in range(4) if s != actor])] |= 1 << ace
    for s in range(4):
        batch["hand"][s, lane] = hands[s]


def test_the_permutation_finds_a_decision_that_peeks() -> None:
    """The check itself: told another's discards (perfect memory for a forgetful player), decisions do change."""
    policies = resolve_policies(GAME, {"a": {"memory": "none"}, "b": {}}, ())
    differ = 0
    with np.errstate(over="ignore"):
        for name in ("a", "b"):
            table = Table((policies[name],), (((0, 0, 0, 0),),), "fixed")
            batches = new_batches()
            setup = build_setup(resolve_rules(GAME, {}), table)
            start(batches[0], setup, 0)
            kernel.advance(batches[0], setup, 28)
            if name == "a":
                forgetful = batches[0]["choice"][:28].copy()
            else:
                differ = int((batches[0]["choice"][:28] != forgetful).sum())
    assert differ > 28
