"""Every formula of Dingo's tables on counters whose answer is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dingo_counts import TABLES, blank, cell, counted, estimate, policy, rotated, setting_of, table_of

from analyzer.games.common.formulas import balanced, edges_of
from analyzer.games.spec import GROUPS, LANES
from analyzer.report.counters import counters_of
from analyzer.report.sequences import RUNNING
from analyzer.stats.sequential import bounded

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


def test_the_cells_of_scores_begin_and_end_halfway_between_them() -> None:
    assert list(edges_of(["-1", "0", "1"])) == [-1.5, -0.5, 0.5, 1.5]
    assert list(edges_of(["-2.5", "1.5"])) == [-4.5, -0.5, 3.5]
    assert list(edges_of(["7"])) == [6.5, 7.5]
    assert list(edges_of(["1", "2", "3+"])) == [0.5, 1.5, 2.5, math.inf]


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
    top = np.zeros((len(TWO.axes["tied"]), len(TWO.axes["broken"])), int)
    top[0, 0], top[1, 1], top[2, 3] = 200, 40, 16
    tallies = counted(TWO, top=top)
    assert estimate("ties", "share", tallies, TWO, "1", "alone") == 200 / 256
    assert estimate("ties", "share", tallies, TWO, "2", "highest_rabbit") == 40 / 256
    assert estimate("luck", "tied", tallies, TWO) == 56 / 256
    assert estimate("luck", "shared", tallies, TWO) == 16 / 256


def test_a_tie_that_the_value_only_narrowed_is_shared() -> None:
    setting = setting_of(rules={"tie_break": "highest_value"})
    top = np.zeros((4, 5), int)
    top[0, 0], top[1, 2], top[1, 3], top[2, 2], top[2, 4], top[3, 4] = 20, 10, 8, 16, 6, 4
    tallies = counted(setting, top=top)
    assert estimate("ties", "share", tallies, setting, "3", "highest_value, shared") == 6 / 64
    assert estimate("luck", "tied", tallies, setting) == 44 / 64
    assert estimate("luck", "shared", tallies, setting) == 18 / 64
    rows = table_of("ties", tallies, setting).rows
    ways = ("highest_value", "shared", "highest_value, shared")
    # Of two none is left to share with once the tie is narrowed.
    due = [("1", "alone"), *((tied, way) for tied in "234" for way in ways if (tied, way) != ("2", ways[-1]))]
    assert list(rows) == due


def test_ties_have_a_row_for_each_way_the_rules_know() -> None:
    rows = table_of("ties", blank(ONE, 10), ONE).rows
    assert rows[0] == ("1", "alone")
    assert {broken for _, broken in rows[1:]} == {"highest_rabbit", "shared"}
    shared = setting_of(rules={"tie_break": "shared"})
    assert {broken for _, broken in table_of("ties", blank(shared, 10), shared).rows} == {"alone", "shared"}


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
    tallies = counted(ONE, running_win=win, running_plays=plays, running_win_sq=12 * win)
    rows = [int(mark) for mark, _ in table_of("running", tallies, ONE).rows]
    assert min(rows) == 1
    assert max(rows) == 100
    assert estimate("running", "win_share", tallies, ONE, "10", "S") == 1
    assert estimate("running", "win_share", tallies, ONE, "100", "S") == pytest.approx(0.1)
    assert estimate("running", "win_share", tallies, ONE, "100", "W") == pytest.approx(0.9)
    west = cell("running", "win_share", tallies, ONE, "100", "W")
    found = bounded(90, 90, 100, 1, 0.95, (0.0, 1.0), RUNNING.best_at)
    assert (west["low"], west["high"]) == (pytest.approx(float(found.low)), pytest.approx(float(found.high)))


def test_the_running_share_by_policy_and_a_segment_that_was_not_finished() -> None:
    marks = [int(mark) for mark in TWO.axes["mark"]]
    win, plays = np.zeros((len(marks), 2, 4), int), np.zeros((len(marks), 2, 4), int)
    # One deal with its four plays, then a second segment with too few deals for its mark.
    plays[0, 0], plays[0, 1], win[0, 0] = 1, 3, 12
    last = len(marks) - 1
    plays[last, 0], plays[last, 1] = 1, 3
    squares = win.sum(-1) ** 2
    tallies = counted(TWO, running_win=win, running_plays=plays, running_policy_win_sq=squares)
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
            formula = getattr(column.estimator, "value", None) or getattr(column.estimator, "histogram", None)
            if formula is not None:
                with np.errstate(all="ignore"):
                    left, right = formula(full, ONE)[8], formula(without, ONE)[0]
                np.testing.assert_allclose(left, right, rtol=1e-12, err_msg=f"{table.name}.{column.name}")
