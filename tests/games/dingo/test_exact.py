"""Frequencies of the kernel against positions enumerated exactly and odds known in closed form."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from analyzer.games.dingo.axes import FATES, OUTCOMES, PLACES, RABBIT_PLACES
from analyzer.games.knobs import resolve_rules
from analyzer.games.policy import resolve_policies
from analyzer.games.registry import game_named
from analyzer.games.spec import Table
from analyzer.sim.engine import Job, simulate
from analyzer.sim.result import Tallies

GAME = game_named("dingo")
DEALS = 200_000
TINY = 1e-7
HALF = Fraction(1, 2)


def random_play(seed: int, **rules: Any) -> Tallies:
    """Four random players."""
    policies = resolve_policies(GAME, {}, ["random"])
    table = Table((policies["random"],), (((0, 0, 0, 0),),), "fixed")
    return simulate(Job(GAME, resolve_rules(GAME, rules), table, seed, DEALS), jobs=2)


def placements(cards: int) -> dict[tuple[int, ...], Fraction]:
    """Chance of each way in which so many given cards lie in four hands of ten out of forty."""
    chances = {}
    for seats in product(range(4), repeat=cards):
        chance, held = Fraction(1), [0] * 4
        for index, seat in enumerate(seats):
            chance *= Fraction(10 - held[seat], 40 - index)
            held[seat] += 1
        chances[seats] = chance
    assert sum(chances.values()) == 1
    return chances


def assert_fits(observed: list[int], chances: list[Fraction]) -> None:
    """Chi-square of counts against exact chances; a count of something impossible fails at once."""
    possible = [i for i, chance in enumerate(chances) if chance]
    assert all(observed[i] == 0 for i in range(len(chances)) if i not in possible)
    total = sum(observed)
    expected = [float(total * chances[i]) for i in possible]
    assert stats.chisquare([observed[i] for i in possible], expected).pvalue > TINY


def ace_hunt(seats: tuple[int, ...], needs: int, last_turn: bool) -> dict[tuple[int, str, str], Fraction]:
    """(ace wolves held with the rabbit, its holder's place, its fate) -> chance, four random players, aces
    (AH, AS, AC, AD) so placed.
    """
    dingo, spade, club, rabbit = seats
    order = [(dingo + 1 + turn) % 4 for turn in range(4 if last_turn else 3)]
    held = [spade, club].count(rabbit)
    place = RABBIT_PLACES[(rabbit - dingo + 3) % 4]
    results: dict[tuple[int, str, str], Fraction] = defaultdict(Fraction)

    def turn(index: int, out: int, chance: Fraction) -> None:
        if index == len(order):
            results[held, place, "dead"] += chance
            return
        seat = order[index]
        mine = [spade, club].count(seat)
        for laid in range(mine + 1):
            part = chance / (mine + 1)
            if seat == rabbit and out + laid >= needs:
                results[held, place, "alive"] += part * HALF
                part *= HALF
            turn(index + 1, out + laid, part)

    turn(0, 0, Fraction(1))
    return results


@pytest.mark.parametrize(("needs", "last_turn"), [(2, True), (1, True), (0, False), (2, False)])
def test_ace_hunt_of_random_players_over_all_placements(needs: int, last_turn: bool) -> None:
    tallies = random_play(1, exchange=[], ace_rabbit_needs=needs, ace_dingo_player_turn=last_turn)
    exact: dict[tuple[int, str, str], Fraction] = defaultdict(Fraction)
    for seats, chance in placements(4).items():
        for case, part in ace_hunt(seats, needs, last_turn).items():
            exact[case] += chance * part
    counted = tallies.grouped["ace"].sum(0)
    cells = list(product(range(3), RABBIT_PLACES, FATES))
    observed = [int(counted[held, RABBIT_PLACES.index(place), FATES.index(fate)]) for held, place, fate in cells]
    assert_fits(observed, [exact[cell] for cell in cells])


def hunt(seats: tuple[int, ...], order: str, may_wolf: bool) -> dict[tuple[str, int | None, bool], Fraction]:
    """(outcome, place at which one wolf was laid alone first, overtaken) -> chance, cards (dingo, two
    wolves) so placed.
    """
    dingo, *wolves = seats
    turns = (
        [(dingo + 1 + k) % 4 for k in range(3)] if order == "left_of_dingo" else [s for s in (1, 2, 3, 0) if s != dingo]
    )
    turns += [dingo] if may_wolf else []
    results: dict[tuple[str, int | None, bool], Fraction] = defaultdict(Fraction)

    def turn(index: int, out: int, alone: int | None, chance: Fraction) -> None:
        if index == len(turns):
            outcome = ("no_wolf", "one_wolf", "two_wolves")[out]
            results[outcome, alone, alone is not None and out == 2] += chance
            return
        mine = wolves.count(turns[index])
        for laid in range(mine + 1):
            first = index if laid == 1 and out == 0 else alone
            turn(index + 1, out + laid, first, chance / (mine + 1))

    turn(0, 0, None, Fraction(1))
    return results


@pytest.mark.parametrize(
    ("order", "may_wolf"), [("left_of_dingo", False), ("left_of_dealer", True), ("left_of_dingo", True)]
)
def test_a_hunt_of_random_players_over_all_placements(order: str, may_wolf: bool) -> None:
    tallies = random_play(2, exchange=[], wolf_order=order, dingo_player_may_wolf=may_wolf)
    outcomes: dict[str, Fraction] = defaultdict(Fraction)
    alone: dict[int, Fraction] = defaultdict(Fraction)
    overtaken: dict[int, Fraction] = defaultdict(Fraction)
    for seats, chance in placements(3).items():
        for (outcome, place, after), part in hunt(seats, order, may_wolf).items():
            outcomes[outcome] += chance * part
            if place is not None:
                alone[place] += chance * part
                overtaken[place] += chance * part * after
    counted = tallies.grouped["outcome"].sum(0)
    first, over = tallies.grouped["lone_first"].sum(0), tallies.grouped["overtaken"].sum(0)
    for rank in range(12):
        assert_fits([int(n) for n in counted[rank]], [outcomes[outcome] for outcome in OUTCOMES])
        cells = [
            *(int(first[p, rank] - over[p, rank]) for p in range(len(PLACES))),
            *(int(over[p, rank]) for p in range(4)),
        ]
        chances = [*(alone[p] - overtaken[p] for p in range(4)), *(overtaken[p] for p in range(4))]
        assert_fits([*cells, DEALS - sum(cells)], [*chances, 1 - sum(chances)])


def test_no_dingo_in_sixteen_of_thirty_six_hunts() -> None:
    tallies = random_play(3)
    counted = tallies.grouped["outcome"].sum(0)
    for rank in range(12):
        none = int(counted[rank, OUTCOMES.index("no_dingo")])
        assert stats.binomtest(none, DEALS, 16 / 36).pvalue > TINY


def test_every_card_is_dealt_to_every_seat_alike() -> None:
    tallies = random_play(4)
    dealt = tallies.grouped["dealt"].sum(0).astype(float)
    expected = DEALS / 4
    # Ten of forty cards a hand: the statistic (39/40) * sum (O - E)^2 / E has 117 degrees of freedom.
    statistic = 39 / 40 * ((dealt - expected) ** 2 / expected).sum()
    assert stats.chi2.sf(statistic, 117) > TINY
    assert stats.chi2.cdf(statistic, 117) > TINY


def test_pairs_of_cards_share_a_hand_as_often_as_they_should() -> None:
    """Two given cards lie in one hand with chance 9/39: seen by the share of deals in which one seat holds
    both ace wolves.
    """
    tallies = random_play(5, exchange=[])
    held_both = sum(int(n) for n in tallies.grouped["ace"].sum(0)[2].reshape(-1))
    chance = sum(p for seats, p in placements(3).items() if seats[0] == seats[1] == seats[2])
    assert stats.binomtest(held_both, DEALS, float(chance)).pvalue > TINY


def test_by_symmetry_random_players_win_alike_where_no_seat_is_ahead() -> None:
    """Without an exchange, with orders drawn, and with everyone having a turn in the ace hunt, seats differ
    only by label.
    """
    tallies = random_play(6, exchange=[], wolf_order="random", tie_break="shared")
    wins = tallies.grouped["win"].sum(0)[0].astype(float) / 12
    squares = tallies.grouped["win_sq"].sum(0)[0].astype(float) / 144
    z = (wins - DEALS / 4) / np.sqrt(squares - wins**2 / DEALS)
    assert (np.abs(z) < 5.5).all()
