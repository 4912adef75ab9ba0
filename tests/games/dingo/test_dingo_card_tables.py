"""Formulas of Dingo's tables of cards, hunts, lone wolves and the ace rabbit, on counters whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from dingo_counts import TABLES, blank, cell, counted, estimate, setting_of, table_of

from analyzer.games.dingo.axes import ENDINGS, FATES, KINDS, OUTCOMES
from analyzer.games.dingo.cards import CARD_INDEX, CARD_NAMES
from analyzer.games.spec import GROUPS, LANES, Setting
from analyzer.sim.result import Tallies

UNITS = GROUPS * LANES
ONE = setting_of()


# --------------------------------------------------------------------------------------------------- cards


def _cards(setting: Setting, **more: object) -> Tallies:
    """Every hand wins a quarter and scores 2, but those dealt AD win half, and those dealt 2H score 1."""
    win, points = np.full(40, 3 * 64), np.full(40, 2 * 64)
    win[CARD_INDEX["AD"]], points[CARD_INDEX["2H"]] = 6 * 64, 64
    plays = np.full((1, 4), 64)
    return counted(setting, card_win=win, card_points=points, dealt=16, plays=plays, win=3 * 64, points=2 * 64, **more)


def test_a_card_is_worth_what_its_hand_gets_more_than_the_average_hand() -> None:
    tallies = _cards(ONE)
    assert estimate("cards", "win_share", tallies, ONE, "AD") == pytest.approx(0.25)
    assert estimate("cards", "win_share", tallies, ONE, "2H") == pytest.approx(0)
    assert estimate("cards", "points", tallies, ONE, "2H") == pytest.approx(-1)
    assert cell("cards", "points", tallies, ONE, "2H")["n"] == UNITS


def test_a_kind_is_worth_the_mean_of_its_cards() -> None:
    handling = np.zeros((40, len(ONE.axes["handling"])), int)
    handling[:, -1] = 48
    handling[:, 0] = 16
    tallies = _cards(ONE, handling=handling)
    assert estimate("card_kinds", "points", tallies, ONE, "low dingo") == pytest.approx(-1 / 8)
    assert estimate("card_kinds", "win_share", tallies, ONE, "ace rabbit") == pytest.approx(0.25)
    assert estimate("card_kinds", "kept", tallies, ONE, "low wolf") == 0.75
    assert estimate("card_kinds", "first_discard", tallies, ONE, "low wolf") == 0.25
    assert {row[0] for row in table_of("card_kinds", tallies, ONE).rows} == set(KINDS)


def test_without_a_discard_nothing_is_known_of_the_first_one() -> None:
    setting = setting_of(rules={"exchange": ("left", "right")})
    tallies = counted(setting, dealt=16, handling=[1, 1, 62])
    assert cell("card_kinds", "first_discard", tallies, setting, "low wolf")["estimate"] is None
    assert estimate("card_kinds", "kept", tallies, setting, "low wolf") == 62 / 64


def test_the_two_fates_of_a_card_each_sum_to_one() -> None:
    rng = np.random.default_rng(1)
    handling = rng.multinomial(64, np.full(8, 1 / 8), 40)
    ending = np.zeros((40, len(ENDINGS)), int)
    for card, end in table_of("card_ending", blank(ONE, 9), ONE).rows:
        ending[CARD_INDEX[card], ENDINGS.index(end)] = 1
    ending *= 60 // ending.sum(-1, keepdims=True)
    ending[:, 0] += 64 - ending.sum(-1)
    tallies = counted(ONE, dealt=16, handling=handling, ending=ending)
    for name in ("card_handling", "card_ending"):
        records = table_of(name, tallies, ONE).records()
        for card in CARD_NAMES:
            shares = [record["share"]["estimate"] for record in records if record["card"] == card]
            assert sum(shares) == pytest.approx(1), (name, card)


def test_a_card_has_only_the_ends_it_can_come_to() -> None:
    rows = table_of("card_ending", blank(ONE, 9), ONE).rows
    ends = {card: {end for other, end in rows if other == card} for card in ("2H", "AH", "KS", "AC", "AD")}
    assert ends["2H"] == ends["AH"] == {"discarded", "scored", "died", "overlooked"}
    assert ends["KS"] == {"discarded", "laid only", "laid first", "laid second", "left"}
    assert ends["AC"] == {"discarded", "ace wolf", "left"}
    assert ends["AD"] == {"discarded", "alive", "dead", "hidden"}


def test_the_heat_maps_show_rank_by_suit() -> None:
    for picture in TABLES["cards"].pictures:
        assert picture.cell is not None
        assert picture.cell("TC") == ("T", "wolf ♣")
        assert picture.cell("AD") == ("A", "rabbit ♦")
        assert len({picture.cell(card) for card in CARD_NAMES}) == 40


# --------------------------------------------------------------------------------------------------- hunts


def _outcomes() -> np.ndarray:
    """Of 64 deals a group: no dingo 20, overlooked 4, no wolf 8, one wolf 22, two wolves 10, at every rank."""
    return np.tile([20, 4, 8, 22, 10], (12, 1))


@pytest.mark.parametrize(
    ("rules", "dingo", "wolf"),
    [
        ({}, -8 + 22 + 20, 44 + 20),
        ({"first_wolf_to": "owner"}, -8 + 22 + 10, 44 + 30),
        ({"first_wolf_to": "discard"}, -8 + 22 + 10, 44 + 20),
        ({"caught": "penalty"}, -4 - 8 + 22 + 20, 44 + 20),
    ],
)
def test_what_a_hunt_brings(rules: dict[str, object], dingo: int, wolf: int) -> None:
    setting = setting_of(rules=rules)
    tallies = counted(setting, outcome=_outcomes())
    for rank, points in (("2", 1), ("8", 1), ("K", 2)):
        assert estimate("hunts", "dingo_points", tallies, setting, rank) == pytest.approx(points * dingo / 64)
        assert estimate("hunts", "wolf_points", tallies, setting, rank) == pytest.approx(points * wolf / 64)


def test_how_hunts_end() -> None:
    tallies = counted(ONE, outcome=_outcomes())
    for name, labels in (("hunts", ("7",)), ("hunts_overall", ())):
        shares = [estimate(name, outcome, tallies, ONE, *labels) for outcome in OUTCOMES]
        assert shares == pytest.approx([20 / 64, 4 / 64, 8 / 64, 22 / 64, 10 / 64])
        assert estimate(name, "nothing_scored", tallies, ONE, *labels) == pytest.approx(0.5)
        assert estimate(name, "dingo_dies", tallies, ONE, *labels) == pytest.approx(8 / 40)
    assert estimate("luck", "nothing_scored", tallies, ONE) == pytest.approx(0.5)


def test_lone_first_wolves_and_how_often_they_are_overtaken() -> None:
    first, overtaken = np.zeros((4, 12), int), np.zeros((4, 12), int)
    first[0], first[2], overtaken[0], overtaken[2, 11] = 16, 8, 8, 4
    tallies = counted(ONE, lone_first=first, overtaken=overtaken)
    assert estimate("lone_wolf", "laid", tallies, ONE, "K") == 24 / 64
    assert estimate("lone_wolf", "overtaken", tallies, ONE, "K") == 12 / 24
    assert estimate("lone_wolf", "overtaken", tallies, ONE, "2") == pytest.approx(8 / 24)
    assert estimate("lone_wolf_by_place", "laid", tallies, ONE, "3rd") == 8 / 64
    assert estimate("lone_wolf_by_place", "overtaken", tallies, ONE, "3rd") == pytest.approx(4 / 96)
    assert estimate("lone_wolf_by_place_and_rank", "laid", tallies, ONE, "1st", "5") == 16 / 64
    assert estimate("lone_wolf_by_place_and_rank", "overtaken", tallies, ONE, "3rd", "K") == 0.5
    assert estimate("lone_wolf_overall", "laid", tallies, ONE) == pytest.approx(24 / 64)
    assert estimate("lone_wolf_overall", "overtaken", tallies, ONE) == pytest.approx(100 / 288)


def test_a_fourth_place_exists_when_the_dingo_player_may_lay_wolves() -> None:
    assert ("4th",) not in table_of("lone_wolf_by_place", blank(ONE, 9), ONE).rows
    more = setting_of(rules={"dingo_player_may_wolf": True})
    assert ("4th",) in table_of("lone_wolf_by_place", blank(more, 9), more).rows


def test_what_laying_a_lone_wolf_is_worth() -> None:
    n, win, points = np.zeros((2, 4, 12), int), np.zeros((2, 4, 12), int), np.zeros((2, 4, 12), int)
    n[:, :3], win[0, :3], win[1, :3] = 2, 6, 8
    points[0, :3], points[1, :3], points[1, 0, 3] = 4, 6, 10
    tallies = counted(ONE, probe_n=n, probe_win=win, probe_points=points)
    assert estimate("lone_wolf_value", "win_share", tallies, ONE) == pytest.approx(2 / 24)
    assert estimate("lone_wolf_value_by_rank", "points", tallies, ONE, "2") == pytest.approx(1)
    assert estimate("lone_wolf_value_by_rank", "points", tallies, ONE, "5") == pytest.approx(1 + 2 / 3)
    assert estimate("lone_wolf_value_by_place", "points", tallies, ONE, "1st") == pytest.approx(1 + 2 / 12)
    by_both = "lone_wolf_value_by_place_and_rank"
    assert estimate(by_both, "points", tallies, ONE, "1st", "5") == pytest.approx(3)
    assert cell("lone_wolf_value", "points", tallies, ONE)["n"] == 64 * 2 * 72
    assert TABLES["lone_wolf_value"].batch == "probe"


def test_how_often_the_ace_rabbit_lives() -> None:
    ace = np.zeros((3, 5, len(FATES)), int)
    ace[0, 0], ace[1, 2], ace[2, 3], ace[0, 4] = [2, 14, 0, 0], [16, 15, 1, 0], [8, 0, 0, 0], [0, 0, 0, 8]
    tallies = counted(ONE, ace=ace)
    overall = [estimate("ace_rabbit_overall", fate, tallies, ONE) for fate in FATES]
    assert overall == pytest.approx([26 / 64, 29 / 64, 1 / 64, 8 / 64])
    assert estimate("ace_rabbit_overall", "lives", tallies, ONE) == pytest.approx(26 / 56)
    assert estimate("ace_rabbit", "happens", tallies, ONE, "1", "3rd") == 0.5
    assert estimate("ace_rabbit", "lives", tallies, ONE, "1", "3rd") == 0.5
    assert estimate("ace_rabbit_by_wolves", "lives", tallies, ONE, "0") == 2 / 16
    assert estimate("ace_rabbit_by_wolves", "happens", tallies, ONE, "0") == 16 / 64
    assert estimate("ace_rabbit_by_place", "lives", tallies, ONE, "dingo player") == 1
    assert ("no dingo",) not in table_of("ace_rabbit_by_place", tallies, ONE).rows
    gone = setting_of(rules={"discard_aces": True})
    assert ("no dingo",) in table_of("ace_rabbit_by_place", blank(gone, 9), gone).rows
