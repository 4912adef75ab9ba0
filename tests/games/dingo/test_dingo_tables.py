"""Every formula of Dingo's tables on counters whose answer is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dingo_counts import TABLES, blank, cell, counted, estimate, policy, rotated, setting_of, table_of

from analyzer.games.dingo.axes import ENDINGS, FATES, KINDS, OUTCOMES
from analyzer.games.dingo.cards import CARD_INDEX, CARD_NAMES
from analyzer.games.dingo.formulas import balanced, policy_variance_share, quantiles
from analyzer.games.spec import GROUPS, LANES, Setting
from analyzer.report.frames import counters_of
from analyzer.sim.result import Tallies

UNITS = GROUPS * LANES
ONE = setting_of()
TWO = setting_of("a", "b", plays=rotated((0, 1, 1, 1)))


# ------------------------------------------------------------------------------------------------ who wins


def test_win_share_by_seat_is_twelfths_over_all_plays_of_the_seat() -> None:
    # A group of 64 units, four plays each: 256 plays a seat.
    win = np.array([[100, 0, 0, 0], [668, 768, 768, 768]])
    tallies = counted(TWO, win=win, seat_win_sq=768**2, points=[[1, 2, 3, 4], [0, 0, 0, 252]], seat_points_sq=10**6)
    assert estimate("by_seat", "win_share", tallies, TWO, "S") == pytest.approx(768 / (12 * 256))
    assert estimate("by_seat", "points", tallies, TWO, "W") == pytest.approx(2 / 256)
    assert estimate("by_seat", "points", tallies, TWO, "E") == pytest.approx(1)
    assert cell("by_seat", "win_share", tallies, TWO, "S")["n"] == UNITS


def test_the_error_of_a_win_share_is_that_of_units() -> None:
    # Half the units win all four plays of the seat, half none: the standard deviation is one half.
    win = np.array([[0, 0, 0, 0], [32 * 48, 0, 0, 0]])
    tallies = counted(TWO, win=win, seat_win_sq=[32 * 48**2, 0, 0, 0])
    found = cell("by_seat", "win_share", tallies, TWO, "S")
    assert found["estimate"] == 0.5
    assert found["se"] == pytest.approx(0.5 / math.sqrt(UNITS - 1))


def test_disqualified_hands_are_a_share_of_hands() -> None:
    setting = setting_of(policy("a", lapse=0.1), "b", plays=rotated((0, 1, 1, 1)))
    tallies = counted(setting, disqualified=[[8, 0, 0, 0], [0, 16, 0, 0]], plays=[[64] * 4, [192] * 4])
    assert estimate("by_seat", "disqualified", tallies, setting, "S") == 8 / 256
    assert estimate("by_policy", "disqualified", tallies, setting, "b") == pytest.approx(16 / 768)
    assert estimate("disqualifications", "share", tallies, setting, "a", "S") == 8 / 64
    assert TABLES["disqualifications"].absent is not None
    assert TABLES["disqualifications"].absent(setting) is None


def test_win_share_by_policy_is_the_mean_over_the_seats_it_held() -> None:
    tallies = counted(
        TWO, win=[[12, 24, 36, 48], [0, 0, 0, 0]], points=[[0, 0, 0, 128], [64, 64, 64, 0]],
        policy_units=64, policy_plays=[256, 768], policy_win_sq=10**5, policy_points_sq=10**5,
    )  # fmt: skip
    assert estimate("by_policy", "win_share", tallies, TWO, "a") == pytest.approx(120 / (12 * 256))
    assert estimate("by_policy", "points", tallies, TWO, "a") == pytest.approx(0.5)
    assert estimate("by_policy", "points", tallies, TWO, "b") == pytest.approx(0.25)


def test_win_share_by_policy_and_seat_counts_the_units_seated_there() -> None:
    tallies = counted(
        TWO, win=[[32 * 12, 0, 0, 0], [0, 96 * 12, 0, 0]], seated=64, plays=[[64] * 4, [192] * 4],
        win_sq=10**6, points_sq=10**6, points=[[-64, 0, 0, 0], [0, 0, 0, 0]],
    )  # fmt: skip
    assert estimate("by_policy_seat", "win_share", tallies, TWO, "a", "S") == 0.5
    assert estimate("by_policy_seat", "win_share", tallies, TWO, "b", "W") == 0.5
    assert estimate("by_policy_seat", "points", tallies, TWO, "a", "S") == -1


def test_a_policy_has_rows_only_where_it_sits() -> None:
    fixed = setting_of("a", "b", plays=[(0, 1, 1, 1)])
    rows = table_of("by_policy_seat", blank(fixed, 10), fixed).rows
    assert rows == (("a", "S"), ("b", "W"), ("b", "N"), ("b", "E"))


def test_pairs_compare_plays_not_sums() -> None:
    # In every unit a (one play a deal) wins two of its four plays, b (three plays a deal) two of its twelve.
    d_win, d_points = 12 * (2 * 12) - 4 * (2 * 12), 12 * 8 - 4 * 12
    tallies = counted(
        TWO, pair_units=64, pair_scale=64 * 48, pair_win=64 * d_win, pair_win_sq=64 * d_win**2,
        pair_points=64 * d_points, pair_points_sq=64 * d_points**2,
    )  # fmt: skip
    assert estimate("pairs", "win_share", tallies, TWO, "a − b") == pytest.approx(2 / 4 - 2 / 12)
    assert estimate("pairs", "points", tallies, TWO, "a − b") == pytest.approx(8 / 4 - 12 / 12)


# -------------------------------------------------------------------------------------------------- scores


def test_the_score_distribution_is_a_share_of_hands() -> None:
    score = np.zeros((2, 4, len(TWO.axes["point"])), int)
    at = TWO.axes["point"].index("5")
    score[0, :, at] = 32
    score[1, :, at + 1] = 192
    score[0, :, at + 1] = 32
    tallies = counted(TWO, score=score, plays=[[64] * 4, [192] * 4])
    assert estimate("score_distribution", "share", tallies, TWO, "5") == 128 / 1024
    assert estimate("score_distribution", "share", tallies, TWO, "6") == 896 / 1024
    assert estimate("score_distribution_by_policy", "share", tallies, TWO, "a", "5") == 0.5
    total = sum(record["share"]["estimate"] for record in table_of("score_distribution", tallies, TWO).records())
    assert total == pytest.approx(1)


def test_quantiles_of_even_scores_lie_even() -> None:
    ten = np.ones((1, 10))
    cells = [str(score) for score in range(10)]
    found = [quantiles(ten, cells, level)[0] for level in (0.05, 0.25, 0.5, 0.75, 0.95)]
    assert found == pytest.approx([0.0, 2.0, 4.5, 7.0, 9.0])


def test_quantiles_know_the_width_of_a_cell() -> None:
    cells = ["-2.5", "1.5", "5.5"]
    assert quantiles(np.array([[0.0, 8.0, 0.0]]), cells, 0.5)[0] == 1.5
    assert quantiles(np.array([[0.0, 8.0, 0.0]]), cells, 0.25)[0] == 0.5
    assert quantiles(np.array([[4.0, 0.0, 4.0]]), cells, 0.5)[0] == -0.5


def test_quantiles_agree_with_percentiles_of_smoothed_scores() -> None:
    rng = np.random.default_rng(3)
    scores = rng.binomial(20, 0.4, 50_000)
    smooth = np.quantile(scores + rng.uniform(-0.5, 0.5, scores.size), [0.05, 0.5, 0.95])
    histogram = np.bincount(scores, minlength=21)[None].astype(float)
    found = [quantiles(histogram, [str(k) for k in range(21)], level)[0] for level in (0.05, 0.5, 0.95)]
    assert found == pytest.approx(smooth, abs=0.03)


def test_score_quantiles_by_seat_and_by_policy() -> None:
    score = np.zeros((2, 4, len(TWO.axes["point"])), int)
    at = TWO.axes["point"].index("0")
    score[0, :, at], score[1, 0, at + 4], score[1, 1:, at + 8] = 64, 64, 192
    tallies = counted(TWO, score=score, plays=[[64] * 4, [64, 192, 192, 192]])
    assert estimate("score_quantiles", "q25", tallies, TWO, "S") == pytest.approx(0.0)
    assert estimate("score_quantiles", "q75", tallies, TWO, "S") == pytest.approx(4.0)
    assert estimate("score_quantiles_by_policy", "q50", tallies, TWO, "a") == pytest.approx(0.0)
    assert estimate("score_quantiles_by_policy", "q95", tallies, TWO, "b") == pytest.approx(8.45, abs=0.01)


def test_ties_are_shares_of_deals() -> None:
    top = np.zeros((4, 4), int)
    top[0, 0], top[1, 1], top[2, 3] = 200, 40, 16
    tallies = counted(TWO, top=top)
    assert estimate("ties", "share", tallies, TWO, "1", "alone") == 200 / 256
    assert estimate("ties", "share", tallies, TWO, "2", "highest_rabbit") == 40 / 256
    assert estimate("luck", "tied", tallies, TWO) == 56 / 256
    assert estimate("luck", "shared", tallies, TWO) == 16 / 256


def test_ties_have_a_row_for_each_way_the_rules_know() -> None:
    rows = table_of("ties", blank(ONE, 10), ONE).rows
    assert rows[0] == ("1", "alone")
    assert {broken for _, broken in rows[1:]} == {"highest_rabbit", "shared"}
    shared = setting_of(rules={"tie_break": "shared"})
    assert {broken for _, broken in table_of("ties", blank(shared, 10), shared).rows} == {"alone", "shared"}


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
    assert ends["KS"] == {"discarded", "laid_only", "laid_first", "laid_second", "left"}
    assert ends["AC"] == {"discarded", "ace_wolf", "left"}
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


# ---------------------------------------------------------------------------------------------------- luck


def test_the_spread_of_seats_is_best_minus_worst() -> None:
    tallies = counted(ONE, win=[[192, 96, 240, 240]], points=[[64, 128, 0, 64]], plays=64)
    assert estimate("luck", "seat_spread", tallies, ONE) == pytest.approx(144 / 768)
    assert estimate("luck", "seat_spread_points", tallies, ONE) == pytest.approx(2)
    assert cell("luck", "seat_spread", tallies, ONE)["under_equal"] is not None


def test_luck_in_numbers() -> None:
    # Scores of 1 and 3 in turn: variance 1.
    tallies = counted(
        ONE, plays=64, points=128, play_points_sq=32 + 32 * 9, lead_changes=[16, 16, 32, *[0] * 10], no_winner=2
    )
    assert estimate("luck", "points_sd", tallies, ONE) == pytest.approx(1)
    assert estimate("luck", "lead_changes", tallies, ONE) == pytest.approx(1.25)
    assert estimate("luck", "no_winner", tallies, ONE) == 2 / 64
    assert estimate("lead_changes", "share", tallies, ONE, "2") == 0.5


def _skilled(rng: np.random.Generator, units: int, effect: int) -> tuple[Setting, dict[str, np.ndarray]]:
    """Two policies, each in two seats of every play; a scores `effect` more, all else is a coin of ±1."""
    setting = setting_of("a", "b", plays=rotated((0, 1, 0, 1)))
    points = rng.choice([-1, 1], (units, 2, 8))
    points[:, 0] += effect
    sums = points.sum(-1)
    d = 8 * sums[:, 0] - 8 * sums[:, 1]
    shape = (2, 4)
    counters = {
        "plays": np.full(shape, 2 * units), "policy_plays": np.full(2, 8 * units),
        "points": np.repeat(sums.sum(0)[:, None], 4, 1) / 4,
        "play_points_sq": np.repeat((points**2).sum((0, 2))[:, None], 4, 1) / 4,
        "pair_units": np.array([units]), "pair_scale": np.array([64 * units]),
        "pair_points": np.array([d.sum()]), "pair_points_sq": np.array([(d**2).sum()]),
    }  # fmt: skip
    return setting, {name: np.asarray(value, float)[None] for name, value in counters.items()}


def test_the_share_of_variance_between_policies() -> None:
    setting, counters = _skilled(np.random.default_rng(5), 20_000, 2)
    # Between: the policies lie one point either side of the mean; within: a coin of ±1.
    assert policy_variance_share(counters, setting)[0] == pytest.approx(0.5, abs=0.01)


def test_the_share_of_variance_is_not_too_large_with_few_deals() -> None:
    rng = np.random.default_rng(6)
    shares = []
    for _ in range(1500):
        setting, counters = _skilled(rng, 6, 1)
        shares.append(policy_variance_share(counters, setting)[0])
    # 1/4 between and 1 within; without the correction the mean would be above 0.21.
    assert np.mean(shares) == pytest.approx(0.2, abs=0.005)


def test_seats_speak_for_themselves_only_when_policies_are_balanced() -> None:
    assert balanced(ONE)
    assert balanced(TWO)
    assert not balanced(setting_of("a", "b", plays=[(0, 1, 1, 1)]))


# ------------------------------------------------------------------------------------- the running share


def test_the_running_share_after_m_deals_is_that_of_the_first_m() -> None:
    marks = [int(mark) for mark in ONE.axes["mark"]]
    win, plays = np.zeros((len(marks), 1, 4), int), np.zeros((len(marks), 1, 4), int)
    # 100 deals: S wins the first 10, then W.
    begin = 0
    for index, mark in enumerate(marks):
        for unit in range(begin, min(mark, 100)):
            plays[index] += 1
            win[index, 0, 0 if unit < 10 else 1] += 12
        begin = mark
    tallies = counted(ONE, running_win=win, running_plays=plays)
    rows = [int(mark) for mark, _ in table_of("running", tallies, ONE).rows]
    assert min(rows) == 1
    assert max(rows) == 100
    assert estimate("running", "win_share", tallies, ONE, "10", "S") == 1
    assert estimate("running", "win_share", tallies, ONE, "100", "S") == pytest.approx(0.1)
    assert estimate("running", "win_share", tallies, ONE, "100", "W") == pytest.approx(0.9)
    assert cell("running", "win_share", tallies, ONE, "100", "W")["low"] is None


def test_the_running_share_by_policy_and_a_segment_that_was_not_finished() -> None:
    marks = [int(mark) for mark in TWO.axes["mark"]]
    win, plays = np.zeros((len(marks), 2, 4), int), np.zeros((len(marks), 2, 4), int)
    # One deal with its four plays, then a second segment with too few deals for its mark.
    plays[0, 0], plays[0, 1], win[0, 0] = 1, 3, 12
    last = len(marks) - 1
    plays[last, 0], plays[last, 1] = 1, 3
    tallies = counted(TWO, running_win=win, running_plays=plays)
    assert table_of("running_by_policy", tallies, TWO).rows == (("1", "a"), ("1", "b"))
    assert estimate("running_by_policy", "win_share", tallies, TWO, "1", "a") == 1
    assert estimate("running_by_policy", "win_share", tallies, TWO, "1", "b") == 0


# ---------------------------------------------------------------------------------------- all at once


def test_formulas_treat_the_leave_one_out_variants_alike() -> None:
    """The value without a group is the value of the other groups alone."""
    rng = np.random.default_rng(2)
    tallies = counted(ONE)
    for name, array in tallies.grouped.items():
        if name != "units":
            tallies.grouped[name] = rng.integers(20, 60, array.shape).astype(object)
    full = counters_of(tallies)
    alone = blank(ONE, UNITS)
    for name, array in tallies.grouped.items():
        alone.grouped[name] = array.copy()
        alone.grouped[name][7] *= 0
    without = counters_of(alone)
    for table in TABLES.values():
        if table.name.startswith("running") or (table.absent and table.absent(ONE)):
            continue
        for column in table.columns:
            formula = getattr(column.estimator, "value", None)
            if formula is not None:
                with np.errstate(all="ignore"):
                    left, right = formula(full, ONE)[8], formula(without, ONE)[0]
                np.testing.assert_allclose(left, right, rtol=1e-12, err_msg=f"{table.name}.{column.name}")
