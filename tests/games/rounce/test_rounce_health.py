"""Rounce's health checks: they hold for matches counted from the plain-Python game, and each can fail."""

from __future__ import annotations

import dataclasses
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from rounce_counts import blank, random_counts, rotated, setting_of

from analyzer.games.rounce.axes import ROLES
from analyzer.games.rounce.health import HEALTH, bound_hands, trump_odds, trumps_odds
from analyzer.games.rounce.spec import SPEC
from analyzer.games.rounce.tiles import PAIRS
from analyzer.games.spec import Given, Setting
from analyzer.report.frames import Batch
from analyzer.report.health import check_health

MATCHES = 24
TRUMP = ROLES.index("trump")

RULES: tuple[dict[str, Any], ...] = (
    {},
    {"players": 2},
    {"players": 4},
    {"players": 4, "walkover": 2, "rounce_penalty": 9, "hand_size": 4, "doubles": "high"},
    {"players": 3, "defend_allowed": True, "finish_tie": "shared", "hand_size": 7, "dummies_max": 0},
    {"players": 4, "fold_allowed": False, "max_rounds": 8},
    {"players": 3, "start_score": 100, "rounce_penalty": 20, "max_rounds": 90},
)
IDS = [", ".join(f"{key}={value}" for key, value in rules.items()) or "default" for rules in RULES]
MAIN = {spec.name for spec in HEALTH if spec.batch == "main" and spec.kind == "equal"}


def verdicts(batches: dict[str, Batch]) -> dict[str, Any]:
    return {check["name"]: check["passed"] for check in check_health(SPEC.health, batches)}


@pytest.mark.parametrize("rules", RULES, ids=IDS)
def test_matches_of_the_plain_game_pass_every_check(rules: dict[str, Any]) -> None:
    setting = setting_of(**rules)
    batch = Batch(random_counts(setting, MATCHES), setting)
    found = verdicts({"main": batch, "random": batch})
    assert {name for name, passed in found.items() if passed} == {spec.name for spec in HEALTH} - {
        "mirror",
        "given_odds",
    }


BREAK: dict[str, tuple[str, tuple[int, ...]]] = {
    "tricks": ("tricks", ()),
    "rounds": ("walkover_last", ()),
    "change": ("rounced", ()),
    "scores": ("points", (0, 1)),
    "changes": ("tile_change", (4, 0)),
    "tricks_by_tile": ("trump_tricks", (3,)),
    "tiles": ("dealt_trumps", (2,)),
    "trumps": ("trump_rank_change", (4,)),
    "calls": ("calls", (1, 2)),
    "calls_by_trumps": ("call_trumps_n", (2, 1)),
    "rounced": ("call_rounced", (0, 0)),
    "defended": ("defended", ()),
    "places": ("position_n", (1,)),
    "win_shares": ("win", (0, 0)),
    "every_match_once": ("lead_changes", (3,)),
    "lengths": ("length", (11,)),
    "unfinished": ("no_winner", ()),
    "first_dealers": ("from_dealer_points", (1,)),
    "last_leader": ("led", (9,)),
}


def test_there_is_a_way_to_break_every_exact_check() -> None:
    assert set(BREAK) == MAIN


@pytest.mark.parametrize("name", BREAK)
def test_one_count_too_many_is_found(name: str) -> None:
    setting = setting_of(players=4)
    tallies = random_counts(setting, 6)
    counter, at = BREAK[name]
    tallies.grouped[counter][(0, *at)] += 1
    assert verdicts({"main": Batch(tallies, setting)})[name] is False


@pytest.mark.parametrize(
    ("counter", "at", "name"),
    [
        ("defended_tricks", (), "change"),
        ("walkover_dealer", (), "change"),
        ("change_sum", (), "scores"),
        ("position_change", (0,), "changes"),
        ("call_change", (0, 0), "changes"),
        ("call_trumps_change", (0, 0), "changes"),
        ("trump_change", (0,), "changes"),
        ("tile_tricks", (9, 1), "tricks_by_tile"),
        ("tile_n", (9, TRUMP), "tiles"),
        ("trump_rank_n", (3,), "tiles"),
        ("trump_rank_tricks", (3,), "trumps"),
        ("trump", (3,), "rounds"),
        ("lead_n", (0, 3), "rounds"),
        ("call_trumps_rounced", (0, 1), "rounced"),
        ("comeback_n", (), "every_match_once"),
        ("from_dealer_win", (0,), "first_dealers"),
        ("from_dealer_plays", (0,), "first_dealers"),
        ("led_won", (9,), "last_leader"),
    ],
)
def test_every_counter_that_is_summed_up_is_watched(counter: str, at: tuple[int, ...], name: str) -> None:
    setting = setting_of(players=4)
    tallies = random_counts(setting, 6)
    tallies.grouped[counter][(0, *at)] += 1
    assert verdicts({"main": Batch(tallies, setting)})[name] is False


def test_a_dealer_who_defends_does_not_count_tricks() -> None:
    setting = setting_of(players=4)
    tallies = random_counts(setting, 40)
    assert tallies.grouped["defended_tricks"].sum() > 0
    assert tallies.grouped["walkover_dealer"].sum() > 0
    assert tallies.grouped["walkover_last"].sum() > 0
    assert verdicts({"main": Batch(tallies, setting)})["change"] is True


# ---------------------------------------------------------------------------------------------- the mirror


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_policy_and_its_mirror_image_must_agree_exactly(players: int) -> None:
    # With three players one of the two has two seats, and so twice the wins.
    seats = [seat % 2 for seat in range(players)]
    setting = setting_of("a", "a′", plays=rotated(seats))
    tallies = blank(setting, 64)
    held = np.array([seats.count(0), seats.count(1)])
    each = {"plays": 64 * np.ones(players, int), "win": np.arange(players) + 3, "points": 5 - np.arange(players)}
    for name, values in each.items():
        tallies.grouped[name][0] = np.outer(held, values).astype(object)
    assert verdicts({"mirror": Batch(tallies, setting)})["mirror"] is True
    for name in ("win", "points"):
        tallies.grouped[name][0, 1, 1] += 1
        assert verdicts({"mirror": Batch(tallies, setting)})["mirror"] is False
        tallies.grouped[name][0, 1, 1] -= 1


# -------------------------------------------------------------------------------------------------- odds


def test_the_odds_of_the_trump_are_those_of_the_higher_end() -> None:
    counts = [sum(high == trump for high, _ in PAIRS) / 28 for trump in range(7)]
    assert trump_odds({}, setting_of())[0] == pytest.approx(counts)


def test_trumps_in_a_hand_are_hypergeometric() -> None:
    odds = trumps_odds(5, 7)
    assert odds.sum() == pytest.approx(1)
    assert odds[:2] == pytest.approx([comb(21, 5) / comb(27, 5), 6 * comb(21, 4) / comb(27, 5)])
    assert odds[2] == pytest.approx(0.24712, abs=1e-5)
    assert odds[6:].tolist() == [0, 0]
    assert (odds * np.arange(8)).sum() == pytest.approx(5 * 6 / 27)


def test_how_much_the_hands_of_a_round_hang_together() -> None:
    """Against all ways to deal two hands of 3 from 27 tiles of which 6 are trumps, as if drawn one by one."""
    sizes, trumps = 3, 1
    alone = trumps_odds(sizes, 7)[trumps]
    left = [1] * (6 - trumps) + [0] * (21 - (sizes - trumps))
    second = np.mean([sum(hand) == trumps for hand in combinations(left, sizes)])
    due = 1 + 3 * (alone * second - alone**2) / (alone * (1 - alone))
    assert bound_hands(sizes, 4, 7)[trumps] == pytest.approx(max(1, due))
    assert bound_hands(5, 4, 7)[1] == pytest.approx(1.038, abs=1e-3)
    assert (bound_hands(5, 2, 7) >= 1).all()


def _drawn(setting: Setting, rounds: int, seed: int) -> Batch:
    """What is dealt in so many rounds, drawn without the game; tiles given come first in their hands."""
    rng = np.random.default_rng(seed)
    tallies = blank(setting, 1000)
    players, size = len(setting.seats), setting.rules["hand_size"]
    ends = np.array(PAIRS)
    order = np.argsort(rng.random((rounds, 28)), axis=1)
    fixed = {
        1 + seat * size + place: tile
        for seat, held in setting.given
        for place, tile in enumerate(tile for tile in range(28) if held >> tile & 1)
    }
    if fixed:
        others = order[~np.isin(order, list(fixed.values()))].reshape(rounds, -1)
        order[:, [place for place in range(28) if place not in fixed]] = others
        order[:, list(fixed)] = list(fixed.values())
    trump = ends[order[:, 0], 0]
    hands = order[:, 1 : 1 + players * size].reshape(rounds, players, size)
    held = (ends[hands] == trump[:, None, None, None]).any(-1)
    tallies.grouped["rounds"][0] = rounds
    tallies.grouped["trump"][0] = np.bincount(trump, minlength=7).astype(object)
    tallies.grouped["dealt_trumps"][0] = np.bincount(held.sum(-1).ravel(), minlength=8).astype(object)
    for role, mask in enumerate((~held, held)):
        tallies.grouped["tile_n"][0, :, role] = np.bincount(hands[mask], minlength=28).astype(object)
    return Batch(tallies, setting)


@pytest.mark.parametrize("given", [((0, 0b11 << 26),), ((1, 0b11111),), ((0, 1), (2, 0b111 << 12))])
def test_tiles_given_are_dealt_and_all_else_is_as_likely_as_any_other(given: Given) -> None:
    """Every round is there once a play, as often as can be."""
    setting = dataclasses.replace(setting_of(plays=[(0, 0, 0)] * 3), given=given)
    batch = _drawn(setting, 20_000, 6)
    for name in ("rounds", "trump", "tile_n"):
        batch.tallies.grouped[name][0] *= 3
    assert verdicts({"main": batch})["given_odds"] is True
    assert "given_odds" not in verdicts({"main": Batch(batch.tallies, setting_of())})
    free = dataclasses.replace(setting, given=())
    freely = _drawn(free, 20_000, 6)
    assert verdicts({"main": Batch(freely.tallies, setting)})["given_odds"] is False
    tile = given[0][1].bit_length() - 1
    batch.tallies.grouped["tile_n"][0, tile, 0] -= 1
    assert verdicts({"main": batch})["given_odds"] is False
    batch.tallies.grouped["tile_n"][0, tile, 0] += 1
    batch.tallies.grouped["trump"][0, 5] += 2_000
    batch.tallies.grouped["trump"][0, 4] -= 2_000
    assert verdicts({"main": batch})["given_odds"] is False


@pytest.mark.parametrize(
    "rules", [{}, {"players": 4, "hand_size": 4}, {"players": 2, "hand_size": 7, "dummies_max": 0}]
)
def test_fair_deals_pass_and_unfair_ones_do_not(rules: dict[str, Any]) -> None:
    setting = setting_of(**rules)
    odds = ("trump_odds", "trumps_dealt_odds", "tiles_odds")
    batch = _drawn(setting, 20_000, 5)
    found = verdicts({"random": batch})
    assert [found[name] for name in odds] == [True] * 3
    grouped = batch.tallies.grouped
    for name, counter, more, less in (
        ("trump_odds", "trump", (0, 6), (0, 0)),
        ("trumps_dealt_odds", "dealt_trumps", (0, 0), (0, 2)),
        ("tiles_odds", "tile_n", (0, 9, 0), (0, 12, 0)),
    ):
        grouped[counter][more] += 700
        grouped[counter][less] -= 700
        assert verdicts({"random": batch})[name] is False
        grouped[counter][more] -= 700
        grouped[counter][less] += 700
    assert verdicts({"random": batch}) == found
