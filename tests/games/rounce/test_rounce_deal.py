"""How tiles are dealt: larger hands hold smaller ones, tiles given are held, a round dealt anew keeps its tiles."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from rounce_batches import new_batches, next_round, random_player, table_of
from rounce_deals import rules_with
from scipy import stats

from analyzer.games.rounce import kernel
from analyzer.games.rounce.play import Prepared
from analyzer.games.rounce.setup import build_setup
from analyzer.games.rounce.state import Setup
from analyzer.games.rounce.tiles import TILE_INDEX
from analyzer.games.spec import LANES
from analyzer.kernels import jit

pytestmark = pytest.mark.modes

TINY = 1e-7
BATCHES = 200 if jit.COMPILED else 4


@pytest.fixture(autouse=True)
def _wrapping() -> Any:
    with np.errstate(over="ignore"):
        yield


def setup_for(players: int, *, given: dict[int, int] | None = None, repeat: int = 0, **rules: Any) -> Setup:
    knobs = rules_with(players, start_score=1000, **rules)
    return build_setup(knobs, table_of(*[random_player()] * players), given=given, repeat=repeat)


def dealt(setup: Setup, rounds: int = 1, seed: int = 5) -> np.void:
    """A batch whose round number `rounds` is dealt."""
    batches = new_batches()
    kernel.begin_through(batches, setup, np.uint64(seed), 0, 0)
    kernel.deal_round(batches[0], setup)
    for _ in range(rounds - 1):
        kernel.advance(batches[0], setup, kernel.last_point(setup))
        next_round(batches, setup)
    return batches[0]


@pytest.mark.parametrize("players", [2, 3])
def test_a_larger_hand_holds_the_smaller(players: int) -> None:
    sizes = range(3, 8)
    hands = [dealt(setup_for(players, hand_size=size, dummies_max=0))["dealt"][:players] for size in sizes]
    for size, small, large in zip(sizes, hands, [*hands[1:], None], strict=True):
        assert {int(hand).bit_count() for hand in small.reshape(-1)} == {size}
        if large is not None:
            assert (small & ~large == 0).all()


def test_the_number_of_players_changes_no_hand() -> None:
    two, three, four = (dealt(setup_for(players)) for players in (2, 3, 4))
    assert (two["dealt"][:2] == four["dealt"][:2]).all()
    assert (three["dealt"][:3] == four["dealt"][:3]).all()
    assert (two["turn_up"] == four["turn_up"]).all()


def test_a_larger_dummy_holds_the_smaller_and_a_second_follows() -> None:
    batches = [dealt(setup_for(3)).copy() for _ in range(2)]
    small, large = (
        [int(kernel.draw(batch, lane, n)) for lane in range(LANES)] for batch, n in zip(batches, (4, 7), strict=True)
    )
    assert all(a & ~b == 0 and a.bit_count() == 4 and b.bit_count() == 7 for a, b in zip(small, large, strict=True))
    for lane in range(LANES):
        batches[0]["dummies"][lane] = 1
        again = int(kernel.draw(batches[0], lane, 4))
        assert again & small[lane] == 0
        assert int(batches[0]["yard"][lane]).bit_count() == 4


def test_a_boneyard_of_all_is_drawn_whole_in_parts() -> None:
    """More than ten tiles come out of several words."""
    batch = dealt(setup_for(2, hand_size=3, dummies_max=1, dummy_draw=20))
    yards = [int(yard) for yard in batch["yard"]]
    drawn = [int(kernel.draw(batch, lane, 20)) for lane in range(LANES)]
    for yard, tiles, left in zip(yards, drawn, batch["yard"].tolist(), strict=True):
        assert tiles.bit_count() == 20
        assert tiles | left == yard
        assert left.bit_count() == 1
    assert len(set(drawn)) > LANES // 2


def test_another_repeat_deals_the_same_tiles_and_draws_other_choices() -> None:
    one, other = (dealt(setup_for(4, repeat=repeat)) for repeat in (0, 1))
    assert (one["dealt"] == other["dealt"]).all()
    assert (one["deal_key"] == other["deal_key"]).all()
    assert (one["round_key"] != other["round_key"]).all()


GIVEN = (1 << TILE_INDEX["6-6"]) | (1 << TILE_INDEX["6-5"])


def test_tiles_given_are_held_and_all_else_is_dealt_evenly() -> None:
    """Against odds: 26 tiles are left for a turn-up, three more of seat 0 and five of the others."""
    setup = setup_for(3, given={0: GIVEN}, max_rounds=100_000)
    batches = new_batches()
    kernel.begin_through(batches, setup, np.uint64(1), 0, 0)
    batch = batches[0]
    counts, turned, pairs = np.zeros((3, 28)), np.zeros(28), Counter[int]()
    for number in range(BATCHES):
        batch["number"][:] = number
        kernel.deal_round(batch, setup)
        hands = batch["dealt"][:3]
        assert (hands[0] & np.uint64(GIVEN) == GIVEN).all()
        seen = hands[0] | hands[1] | hands[2] | np.uint64(1) << batch["turn_up"].astype(np.uint64)
        assert {int(tiles).bit_count() for tiles in seen} == {16}
        assert {int(hand).bit_count() for hand in hands.reshape(-1)} == {5}
        for seat in range(3):
            counts[seat] += [(hands[seat] >> np.uint64(tile) & np.uint64(1)).sum() for tile in range(28)]
        turned += np.bincount(batch["turn_up"], minlength=28)
        pairs.update(int(hand & np.uint64(0b1111)).bit_count() for hand in hands[1])
    rounds = BATCHES * LANES
    others = [tile for tile in range(28) if not GIVEN >> tile & 1]
    for observed, each in ((counts[0], 3), (counts[1], 5), (counts[2], 5), (turned, 1)):
        expected = rounds * each / 26
        # Hypergeometric cells: their variance is smaller than a multinomial's by (26 - each) / 25.
        statistic = ((observed[others] - expected) ** 2 / expected).sum() * 25 / (26 - each)
        assert TINY < stats.chi2.sf(statistic, 25) < 1 - TINY
    chances = [comb(4, k) * comb(22, 5 - k) / comb(26, 5) for k in range(5)]
    assert stats.chisquare([pairs[k] for k in range(5)], np.array(chances) * rounds).pvalue > TINY


@pytest.mark.skipif(not jit.COMPILED, reason="needs many rounds")
def test_every_deal_beside_the_tiles_given_is_as_likely_as_any_other() -> None:
    """Hands of three, of which one tile is left to chance: 23 turn-ups by 22 tiles, every one of them counted."""
    sure = {0: sum(1 << TILE_INDEX[name] for name in ("6-6", "6-5", "0-0")),
            1: sum(1 << TILE_INDEX[name] for name in ("5-5", "4-0"))}  # fmt: skip
    setup = setup_for(2, hand_size=3, dummies_max=0, given=sure, max_rounds=100_000)
    batches = new_batches()
    kernel.begin_through(batches, setup, np.uint64(2), 0, 0)
    batch, counts = batches[0], np.zeros((28, 28), int)
    for number in range(BATCHES):
        batch["number"][:] = number
        kernel.deal_round(batch, setup)
        assert (batch["dealt"][0] == sure[0]).all()
        last = [(int(hand) & ~sure[1]).bit_length() - 1 for hand in batch["dealt"][1]]
        np.add.at(counts, (batch["turn_up"], last), 1)
    left = [tile for tile in range(28) if not (sure[0] | sure[1]) >> tile & 1]
    ways = counts[np.ix_(left, left)]
    assert ways.sum() == BATCHES * LANES
    assert (ways.diagonal() == 0).all()
    assert stats.chisquare(ways[~np.eye(len(left), dtype=bool)]).pvalue > TINY


@pytest.mark.skipif(not jit.COMPILED, reason="needs many rounds")
def test_packed_counters_are_emptied_in_time() -> None:
    """One block of more rounds than a counter holds, under the largest changes of score, against small blocks."""
    knobs = rules_with(2, start_score=100, walkover=100, rounce_penalty=100, max_rounds=20)
    prepared = Prepared(knobs, table_of(random_player(), random_player()))
    whole, parts = (
        [np.zeros(shape, np.int64) for shape in (prepared.grouped_shape, prepared.plain_shape)] for _ in range(2)
    )
    units = 64 * 160
    assert prepared.play(7, 0, units, *whole) == -1
    for first in range(0, units, 64):
        assert prepared.play(7, first, 64, *parts) == -1
    named = prepared.named(*whole)[0]
    assert named["rounds"].sum() > 2 * kernel.PENDING_MOST
    assert all((a == b).all() for a, b in zip(whole, parts, strict=True))


def test_the_table_of_fives_lists_every_set_once_the_first_places_first() -> None:
    fives = setup_for(2).fives
    assert len(set(fives.tolist())) == len(fives) == comb(27, 5)
    for places in (5, 12, 17, 22, 27):
        assert {int(five) for five in fives[: comb(places, 5)]} == {
            sum(1 << place for place in chosen) for chosen in combinations(range(places), 5)
        }
