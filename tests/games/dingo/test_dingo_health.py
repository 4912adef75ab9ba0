"""Dingo's health checks: they hold for deals counted from the plain-Python game, and each can fail."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from dingo_counts import DEFAULTS, blank, setting_of
from dingo_deals import random_deal

from analyzer.games.dingo.axes import BROKEN, ENDINGS, FATES, OUTCOMES
from analyzer.games.dingo.cards import CARD_INDEX, CARD_NAMES, HUNTED, SEATS
from analyzer.games.dingo.health import HEALTH, card_value
from analyzer.games.dingo.spec import SPEC
from analyzer.games.spec import Given, Setting
from analyzer.report.frames import Batch
from analyzer.report.health import check_health
from analyzer.sim.result import Tallies

DEALS = 60

RULES: tuple[dict[str, Any], ...] = (
    {},
    {"first_wolf_to": "owner", "wolf_turns": "until_pass", "points.eight": 0},
    {"first_wolf_to": "discard", "dingo_player_may_wolf": True, "points.low": -3},
    {"caught": "penalty", "discard_aces": True, "points.ace_rabbit_dead": 7},
    {"caught": "penalty", "first_wolf_to": "owner", "dingo_player_may_wolf": True, "ace_rabbit_needs": 0},
    {"exchange": ("left", "across"), "ace_rabbit_needs": 1, "points.ace": -5, "tie_break": "shared"},
)


def count_deal(events: list[dict[str, Any]], add: Callable[..., None]) -> None:
    """What the kernel counts of a deal, read off its transcript."""
    deal, result = events[0], events[-1]
    rules = deal["rules"]
    owner = {card: seat for seat, hand in deal["hands"].items() for card in hand}
    ends: dict[str, str] = {}
    handled: dict[str, int] = {}
    for event in events:
        if event["event"] in ("discard", "pass"):
            handled.setdefault(event["card"], event["step"])
            if event["event"] == "discard":
                ends[event["card"]] = "discarded"
        elif event["event"] == "hunt":
            _count_hunt(event, ends, add)
        elif event["event"] == "ace_hunt":
            laid = {card for turn in event["turns"] for card in turn["cards"]}
            ends.update(dict.fromkeys(laid - {"AD"}, "ace wolf"))
            if event["dingo"]:
                ends["AH"] = "scored" if event["outcome"] == "wolves" else "died"
            elif event["lapse"]:
                ends["AH"] = "overlooked"
            if event["rabbit"] != "absent":
                ends["AD"] = event["rabbit"]
            add("ace", 0, 0, FATES.index(event["rabbit"]))
    for card in CARD_NAMES:
        at = CARD_INDEX[card]
        add("dealt", at, SEATS.index(owner[card]))
        add("ending", at, ENDINGS.index(ends.get(card, "left")))
        add("handling", at, handled.get(card, len(rules["exchange"])))
    for seat, name in enumerate(SEATS):
        add("plays", 0, seat)
        add("score", 0, seat, 0)
        add("points", 0, seat, by=result["score"][name])
        add("win", 0, seat, by=round(12 * result["win_share"][name]))
    if any(result["win_share"].values()):
        tied = max(1, len(result["tied"]))
        broken = result["tie_break"] or "alone"
        if broken == "highest_value" and max(result["win_share"].values()) < 1:
            broken = "highest_value, shared"
        add("top", tied - 1, BROKEN.index(broken))
    else:
        add("no_winner")
    add("lead_changes", 0)


def _count_hunt(event: dict[str, Any], ends: dict[str, str], add: Callable[..., None]) -> None:
    rank = event["rank"]
    laid = [card for turn in event["turns"] for card in turn["cards"]]
    outcome = "overlooked" if event["lapse"] else event["outcome"]
    add("outcome", HUNTED.index(rank), OUTCOMES.index(outcome))
    ends.update(zip(laid, ("laid first", "laid second") if len(laid) == 2 else ("laid only",), strict=False))
    if outcome == "overlooked":
        ends[rank + "H"] = "overlooked"
    elif outcome != "no_dingo":
        ends[rank + "H"] = "scored" if laid else "died"


def counted_deals(setting: Setting, seed: int = 0) -> Tallies:
    tallies = blank(setting, DEALS)
    for deal in range(DEALS):

        def add(name: str, *at: int, by: int = 1) -> None:
            tallies.grouped[name][(0, *at)] += by

        count_deal(random_deal(1000 * seed + deal, setting.rules, lapse=0.15), add)
    return tallies


def verdicts(batches: dict[str, Batch]) -> dict[str, Any]:
    return {check["name"]: check["passed"] for check in check_health(SPEC.health, batches)}


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: ", ".join(rules) or "default")
def test_deals_of_the_plain_game_pass_every_check_of_the_main_batch(rules: dict[str, Any]) -> None:
    setting = setting_of(rules=rules)
    found = verdicts({"main": Batch(counted_deals(setting), setting)})
    main = {spec.name for spec in HEALTH if spec.batch == "main" and spec.kind == "equal"}
    assert {name for name, passed in found.items() if passed} == main


BREAK = {
    "cards_dealt": ("dealt", (0, 3, 1)),
    "cards_handled": ("handling", (0, 3, 1)),
    "cards_ended": ("ending", (0, 3, 5)),
    "hunts": ("outcome", (0, 4, 3)),
    "points": ("points", (0, 0, 0)),
    "win_shares": ("win", (0, 0, 0)),
    "every_deal_once": ("lead_changes", (0, 5)),
    "scores": ("score", (0, 0, 0, 0)),
}


def test_there_is_a_way_to_break_every_exact_check() -> None:
    assert {spec.name for spec in HEALTH if spec.batch == "main" and spec.kind == "equal"} == set(BREAK)


@pytest.mark.parametrize("name", BREAK)
def test_one_count_too_many_is_found(name: str) -> None:
    setting = setting_of()
    tallies = counted_deals(setting)
    counter, at = BREAK[name]
    tallies.grouped[counter][at] += 1
    assert verdicts({"main": Batch(tallies, setting)})[name] is False


def test_a_wolf_counted_as_second_instead_of_only_is_found() -> None:
    setting = setting_of()
    tallies = counted_deals(setting)
    only, second = (ENDINGS.index(end) for end in ("laid only", "laid second"))
    card = int(np.argmax(tallies.grouped["ending"].sum(0)[:36, only]))
    tallies.grouped["ending"][0, card, only] -= 1
    tallies.grouped["ending"][0, card, second] += 1
    # Both bring the same points, so only the outcomes tell.
    found = verdicts({"main": Batch(tallies, setting)})
    assert found["points"] is True
    assert found["hunts"] is False


def test_points_are_conserved_in_whole_numbers_beyond_a_float() -> None:
    setting = setting_of()
    tallies = counted_deals(setting)
    tallies.grouped["points"][0, 0, 0] += 2**60
    tallies.grouped["points"][0, 0, 1] -= 2**60 - 1
    assert verdicts({"main": Batch(tallies, setting)})["points"] is False


def test_a_policy_and_its_mirror_image_must_agree_exactly() -> None:
    setting = setting_of("a", "a′", "b", "b′", plays=[(0, 1, 2, 3)])
    tallies = blank(setting, 100)
    tallies.grouped["win"][:] = np.array([[3] * 4, [3] * 4, [5] * 4, [5] * 4], object)
    tallies.grouped["points"][:] = 7
    tallies.grouped["plays"][:] = 1
    assert verdicts({"mirror": Batch(tallies, setting)})["mirror"] is True
    tallies.grouped["points"][5, 3, 2] += 1
    assert verdicts({"mirror": Batch(tallies, setting)})["mirror"] is False
    tallies.grouped["points"][5, 3, 2] -= 1
    tallies.grouped["win"][5, 0, 0] += 1
    assert verdicts({"mirror": Batch(tallies, setting)})["mirror"] is False


@pytest.mark.parametrize(
    ("rules", "odds"),
    [
        ({}, 16 / 36),
        ({"exchange": ("discard", "left")}, 4 / 36),
        ({"exchange": ()}, 0.0),
        ({"exchange": ("discard",) * 5, "discard_aces": True}, 20 / 40),
        ({"exchange": ("discard",) * 10, "discard_aces": True}, 1.0),
    ],
)
def test_the_odds_of_no_dingo(rules: dict[str, Any], odds: float) -> None:
    setting = setting_of(rules=rules)
    check = next(spec for spec in HEALTH if spec.name == "no_dingo_odds")
    assert float(check.expected({}, setting)) == odds
    tallies = blank(setting, 64_000)
    right = round(1000 * odds)
    tallies.grouped["outcome"][..., 0], tallies.grouped["outcome"][..., 3] = right, 1000 - right
    assert verdicts({"random": Batch(tallies, setting)})["no_dingo_odds"] is True
    wrong = right + (40 if odds < 1 else -40)
    tallies.grouped["outcome"][:, 6, 0], tallies.grouped["outcome"][:, 6, 3] = wrong, 1000 - wrong
    assert verdicts({"random": Batch(tallies, setting)})["no_dingo_odds"] is False


def test_random_discards_meet_the_odds_in_the_plain_game() -> None:
    gone = sum(
        event["outcome"] == "no_dingo"
        for deal in range(400)
        for event in random_deal(deal, DEFAULTS)
        if event["event"] == "hunt"
    )
    # 400 deals, 12 hunts each; four standard deviations, hunts of a deal being nearly independent.
    assert gone / 4800 == pytest.approx(16 / 36, abs=0.03)


def test_cards_must_be_spread_evenly_over_the_seats() -> None:
    setting = setting_of()
    rng = np.random.default_rng(8)
    deals = 4096
    tallies = blank(setting, deals)
    seat_of = np.argsort(rng.random((deals, 40)), axis=1) // 10
    dealt = np.stack([(seat_of == seat).sum(0) for seat in range(4)], -1)
    tallies.grouped["dealt"][0] = dealt.astype(object)
    assert verdicts({"random": Batch(tallies, setting)})["cards_over_seats"] is True
    tallies.grouped["dealt"][0, 12, 0] += 300
    tallies.grouped["dealt"][0, 12, 1] -= 300
    assert verdicts({"random": Batch(tallies, setting)})["cards_over_seats"] is False


GIVEN: tuple[Given, ...] = (
    ((0, 1 << CARD_INDEX["AD"]),),
    ((1, 0b111), (3, (1 << 20) - (1 << 10))),
    tuple((seat, 1023 << 10 * seat) for seat in range(4)),
)


@pytest.mark.parametrize("given", GIVEN)
def test_cards_given_are_their_seats_and_the_others_are_spread_over_the_places_left(given: Given) -> None:
    setting = dataclasses.replace(setting_of(plays=[(0, 0, 0, 0)] * 2), given=given)
    rng, deals = np.random.default_rng(10), 4096
    places = np.concatenate([np.full(10 - dict(given).get(seat, 0).bit_count(), seat) for seat in range(4)])
    seat_of = np.full((deals, 40), -1)
    for seat, held in given:
        seat_of[:, [card for card in range(40) if held >> card & 1]] = seat
    free = np.flatnonzero(seat_of[0] < 0)
    seat_of[:, free] = rng.permuted(np.tile(places, (deals, 1)), axis=1)
    tallies = blank(setting, deals)
    # Every deal is played twice.
    tallies.grouped["dealt"][0] = np.stack([2 * (seat_of == seat).sum(0) for seat in range(4)], -1).astype(object)
    batches = {"main": Batch(tallies, setting)}
    assert verdicts(batches)["given_odds"] is True
    assert "given_odds" not in verdicts({"main": Batch(tallies, setting_of())})
    seat, held = given[0]
    card = held.bit_length() - 1
    tallies.grouped["dealt"][0, card, seat] -= 2
    tallies.grouped["dealt"][0, card, 1 - seat] += 2
    assert verdicts(batches)["given_odds"] is False
    tallies.grouped["dealt"][0, card, seat] += 2
    tallies.grouped["dealt"][0, card, 1 - seat] -= 2
    if free.size:
        tallies.grouped["dealt"][0, free[0]] = np.array([deals] * 2 + [0] * 2, object)
        assert verdicts(batches)["given_odds"] is False


def test_the_statistic_of_cards_over_seats_has_the_mean_it_should() -> None:
    check = next(spec for spec in HEALTH if spec.name == "cards_over_seats")
    rng = np.random.default_rng(9)
    deals, statistics = 64, []
    for _ in range(300):
        seat_of = np.argsort(rng.random((deals, 40)), axis=1) // 10
        dealt = np.stack([(seat_of == seat).sum(0) for seat in range(4)], -1)
        statistics.append(check.scale * ((dealt - deals / 4) ** 2 / (deals / 4)).sum())
    # Mean 117 and standard deviation 15.3, were it a chi-square on 117 degrees of freedom.
    assert np.mean(statistics) == pytest.approx(check.dof, abs=4 * 15.3 / np.sqrt(300))
    assert np.std(statistics) == pytest.approx(15.3, rel=0.2)


@pytest.mark.parametrize(
    ("card", "ending", "rules", "points"),
    [
        ("KS", "laid only", {}, 4),
        ("KS", "laid first", {}, 2),
        ("KS", "laid first", {"first_wolf_to": "discard"}, 0),
        ("2H", "died", {}, -1),
        ("2H", "overlooked", {}, 0),
        ("2H", "overlooked", {"caught": "penalty"}, -1),
        ("AC", "ace wolf", {}, 3),
        ("AD", "alive", {}, 10),
        ("AD", "dead", {}, -3),
        ("AD", "hidden", {}, 0),
        ("AD", "hidden", {"caught": "penalty"}, -3),
        ("KS", "left", {}, 0),
    ],
)
def test_points_of_an_end(card: str, ending: str, rules: dict[str, Any], points: int) -> None:
    assert card_value(CARD_INDEX[card], ending, {**DEFAULTS, **rules}) == points
