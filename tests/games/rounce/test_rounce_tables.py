"""Every formula of Rounce's tables on counters whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from rounce_counts import (
    TABLES,
    UNITS,
    blank,
    cell,
    counted,
    estimate,
    random_counts,
    rotated,
    setting_of,
    table_of,
    zeros,
)

from analyzer.games.common.formulas import fair_share
from analyzer.games.rounce.axes import ARMS, CALLS
from analyzer.games.rounce.formulas import call_exists
from analyzer.games.rounce.tile_tables import high_and_low
from analyzer.games.rounce.tiles import TILE_INDEX, TILE_NAMES
from analyzer.games.spec import Setting
from analyzer.report.counters import counters_of
from analyzer.report.plots import draw

THREE, FOUR, TWO = setting_of(), setting_of(players=4), setting_of(players=2)
RIVALS = setting_of("a", "b", plays=rotated((0, 1, 1)))
PLACES = {"1st": 0, "2nd": 1, "dealer": 2}


# ------------------------------------------------------------------------------------------------- matches


def test_win_share_by_seat_from_the_first_dealer() -> None:
    # Three plays a unit, so 192 a group at every place.
    tallies = counted(
        RIVALS, from_dealer_plays=192, from_dealer_win=[576, 1152, 576], from_dealer_win_sq=10**6,
        from_dealer_points=[960, 0, 1920], from_dealer_points_sq=10**6,
    )  # fmt: skip
    assert estimate("by_seat", "win_share", tallies, RIVALS, "first dealer") == 0.25
    assert estimate("by_seat", "win_share", tallies, RIVALS, "1 to its left") == 0.5
    assert estimate("by_seat", "points", tallies, RIVALS, "2 to its left") == 10
    assert cell("by_seat", "win_share", tallies, RIVALS, "first dealer")["n"] == UNITS


@pytest.mark.parametrize(("setting", "fair"), [(TWO, 1 / 2), (THREE, 1 / 3), (FOUR, 1 / 4)])
def test_win_shares_are_drawn_beside_the_fair_share(setting: Setting, fair: float) -> None:
    assert fair_share(setting) == fair
    drawn = [picture.reference for picture in table_of("by_seat", blank(setting, 10), setting).spec.pictures]
    assert drawn == [fair]


def test_policies_are_compared_on_the_same_tiles() -> None:
    tallies = counted(
        RIVALS, pair_units=64, pair_scale=64 * 18, pair_win=64 * 36, pair_win_sq=64 * 36**2, pair_points=-64 * 36,
        pair_points_sq=64 * 36**2,
    )  # fmt: skip
    assert estimate("pairs", "win_share", tallies, RIVALS, "a − b") == pytest.approx(36 / (12 * 18))
    assert estimate("pairs", "points", tallies, RIVALS, "a − b") == pytest.approx(-2)


def test_how_long_matches_last() -> None:
    length = zeros(THREE, "length")
    length[[9, 11, 13]] = 16, 32, 16
    tallies = counted(THREE, length=length, rounds=64 * 12, unfinished=4)
    assert estimate("matches", "rounds", tallies, THREE) == 12
    assert estimate("matches", "q50", tallies, THREE) == 12
    assert estimate("matches", "q25", tallies, THREE) == 10.5
    assert estimate("matches", "unfinished", tallies, THREE) == 4 / 64
    assert estimate("match_length", "share", tallies, THREE, "12") == 0.5


def test_a_quantile_among_the_longest_matches_is_not_known() -> None:
    length = zeros(THREE, "length")
    length[[9, -1]] = 32
    tallies = counted(THREE, length=length)
    assert estimate("matches", "q25", tallies, THREE) == 10
    assert cell("matches", "q75", tallies, THREE)["estimate"] is None


def test_an_open_last_length_is_drawn_where_it_begins() -> None:
    length = zeros(THREE, "length")
    length[[61, 63]] = 32
    result = table_of("match_length", counted(THREE, length=length), THREE)
    axes = draw(result, result.spec.pictures[0]).axes[0]
    assert axes.get_xlim()[1] == pytest.approx(64.6)


def test_how_early_the_winner_is_known() -> None:
    led, won = np.arange(10) * 3 + 20, np.arange(10) * 3 + 10
    tallies = counted(THREE, led=led, led_won=won, led_n=50)
    assert estimate("winner_known", "led", tallies, THREE, "50%") == pytest.approx(32 / 50)
    assert estimate("winner_known", "won", tallies, THREE, "100%") == pytest.approx(37 / 47)


def test_luck_and_drama() -> None:
    changes = zeros(THREE, "lead_changes")
    changes[[0, 2, 31]] = 32, 16, 16
    tallies = counted(
        THREE, lead_changes=changes, comeback=15, comeback_n=60, plays=64, points=128,
        play_points_sq=32 * 9 + 32, from_dealer_plays=64, from_dealer_win=[128, 256, 384],
        from_dealer_points=[64, 0, 128],
    )  # fmt: skip
    assert estimate("luck", "lead_changes", tallies, THREE) == pytest.approx((16 * 2 + 16 * 31) / 64)
    assert estimate("lead_changes", "share", tallies, THREE, "31+") == 0.25
    assert estimate("luck", "comeback", tallies, THREE) == 0.25
    assert estimate("luck", "points_sd", tallies, THREE) == pytest.approx(1)
    assert estimate("luck", "seat_spread", tallies, THREE) == pytest.approx(256 / (12 * 64))
    assert estimate("luck", "seat_spread_points", tallies, THREE) == 2


# -------------------------------------------------------------------------------------------------- rounds


def test_rounds_together() -> None:
    tallies = counted(
        THREE, rounds=100, played=80, walkover_dealer=15, walkover_last=5, defended=10, rounced=40, change_sum=-600
    )
    found = {name: estimate("rounds_overall", name, tallies, THREE) for name in (
        "played", "walkover_dealer", "walkover_last", "defended", "rounced", "change")}  # fmt: skip
    assert found == {
        "played": 0.8, "walkover_dealer": 0.15, "walkover_last": 0.05, "defended": 0.1, "rounced": 0.5, "change": -2,
    }  # fmt: skip


def test_the_change_of_a_round_by_place() -> None:
    # Half the rounds -3, half +1.
    tallies = counted(THREE, position_n=100, position_change=[-100, 0, 50], position_change_sq=[500, 0, 25])
    assert estimate("round_change", "change", tallies, THREE, "1st") == -1
    assert estimate("round_change", "change_sd", tallies, THREE, "1st") == 2
    assert estimate("round_change", "change", tallies, THREE, "dealer") == 0.5


def test_calls_by_place_and_by_trumps() -> None:
    calls, change, rounced = (zeros(FOUR, name) for name in ("calls", "call_change", "call_rounced"))
    calls[:, :3] = [60, 30, 10]
    calls[3, 3] = 100
    change[:, 0], rounced[:, 0] = -90, 15
    by_trumps, trumps_change = zeros(FOUR, "call_trumps_n"), zeros(FOUR, "call_trumps_change")
    by_trumps[0, :2], by_trumps[1, 0], trumps_change[0, 1] = [20, 50], 60, -100
    tallies = counted(
        FOUR, calls=calls, call_change=change, call_rounced=rounced, call_trumps_n=by_trumps,
        call_trumps_change=trumps_change, dealt_trumps=[80, 60, 50, 10, 0, 0, 0, 0], rounds=50,
    )  # fmt: skip
    assert estimate("calls", "share", tallies, FOUR, "pass") == pytest.approx(240 / 500)
    assert estimate("calls", "change", tallies, FOUR, "pass") == -1.5
    assert estimate("calls", "rounced", tallies, FOUR, "pass") == 0.25
    assert estimate("calls_by_position", "share", tallies, FOUR, "dealer", "take") == 0.5
    assert estimate("calls_by_position", "share", tallies, FOUR, "1st", "fold") == pytest.approx(0.3)
    assert estimate("calls_by_trumps", "share", tallies, FOUR, "0", "fold") == 0.75
    assert estimate("calls_by_trumps", "change", tallies, FOUR, "1", "pass") == -2
    assert estimate("trumps_dealt", "share", tallies, FOUR, "1") == pytest.approx(0.3)


def test_only_calls_that_the_rules_know_have_rows() -> None:
    def calls(setting: Setting) -> set[str]:
        return {row[0] for row in table_of("calls", blank(setting, 10), setting).rows}

    assert calls(FOUR) == set(CALLS)
    assert calls(THREE) == {"pass", "fold", "dummy", "take"}
    assert calls(TWO) == {"pass", "dummy", "take"}
    assert calls(setting_of(dealer_takes=False, dummies_max=0)) == {"pass", "fold"}
    assert calls(setting_of(players=4, dealer_takes=False)) == set(CALLS) - {"take", "defend and take"}
    assert not call_exists("defend", setting_of(players=4, dummies_max=0))
    rows = table_of("calls_by_position", blank(FOUR, 10), FOUR).rows
    assert {call for place, call in rows if place == "1st"} == {"pass", "fold", "dummy"}
    assert {call for place, call in rows if place == "dealer"} == set(CALLS)


def test_opening_leads() -> None:
    n, won, change = (zeros(THREE, name) for name in ("lead_n", "lead_won", "lead_change"))
    n[0, :7], n[1, 6], won[0, 6], won[1, 6], change[1, 6] = 10, 30, 5, 30, -60
    tallies = counted(THREE, lead_n=n, lead_won=won, lead_change=change, played=100)
    assert estimate("leads", "share", tallies, THREE, "6", "trump") == 0.3
    assert estimate("leads", "won", tallies, THREE, "6", "plain") == 0.5
    assert estimate("leads", "change", tallies, THREE, "6", "trump") == -2
    assert estimate("leads_by_kind", "won", tallies, THREE, "plain") == pytest.approx(5 / 70)
    assert ("7", "trump") not in table_of("leads", tallies, THREE).rows
    high = setting_of(doubles="high")
    assert ("7", "trump") in table_of("leads", blank(high, 10), high).rows


# --------------------------------------------------------------------------------------- the calling chart


def _chart(setting: Setting = THREE, **changes: tuple[int, int]) -> dict[str, np.ndarray]:
    """`n` and change of every arm, the same at each place with one trump of height 3."""
    n, change = zeros(setting, "chart_n"), zeros(setting, "chart_change")
    for arm, (count, total) in changes.items():
        at = ARMS.index(arm.replace("_", " "))
        n[at, :, 1, 3], change[at, :, 1, 3] = count, total
    return {"chart_n": n, "chart_change": change}


def test_what_a_call_gains_over_a_pass() -> None:
    chart = _chart(
        **{"pass": (10, 20), "fold": (20, 0), "dummy": (5, -5), "take": (4, 4), "pass_without_a_dummy": (30, 20)}
    )
    tallies = counted(THREE, **chart)
    for name, labels in (
        ("calling_by_trumps", ("1",)),
        ("calling_by_hand", ("1", "3")),
        ("calling_by_place", ("1", "dealer")),
        ("calling_chart", ("1", "3", "dealer")),
    ):
        assert estimate(name, "pass", tallies, THREE, *labels) == 1, name
        assert estimate(name, "fold", tallies, THREE, *labels) == 1
        # Only passes made when a dummy could be taken are compared with a dummy: 2 against -1.
        assert estimate(name, "dummy", tallies, THREE, *labels) == 3
        assert estimate(name, "take", tallies, THREE, *labels) == 0
        assert estimate(name, "dummy_over_fold", tallies, THREE, *labels) == 1
        assert TABLES[name].batch == "probe"
    assert cell("calling_chart", "fold", tallies, THREE, "1", "3", "1st")["n"] == 64 * 60


def test_taking_the_turn_up_is_compared_with_passes_of_dealers() -> None:
    n, change = zeros(THREE, "chart_n"), zeros(THREE, "chart_change")
    take, passes = ARMS.index("take"), ARMS.index("pass")
    n[take, PLACES["dealer"], 2, 5], change[take, PLACES["dealer"], 2, 5] = 8, -24
    n[passes, :, 2, 5], change[passes, :, 2, 5] = 8, [80, 80, -8]
    tallies = counted(THREE, chart_n=n, chart_change=change)
    assert estimate("calling_by_trumps", "take", tallies, THREE, "2") == 2
    assert cell("calling_chart", "take", tallies, THREE, "2", "5", "1st")["estimate"] is None


def test_how_often_a_call_leads_to_being_rounced() -> None:
    chart = _chart(**{"pass": (10, 0), "dummy": (5, 0), "pass_without_a_dummy": (30, 0)})
    rounced = zeros(THREE, "chart_rounced")
    rounced[ARMS.index("pass"), :, 1, 3], rounced[ARMS.index("dummy"), :, 1, 3] = 4, 1
    tallies = counted(THREE, **chart, chart_rounced=rounced)
    assert estimate("calling_by_trumps", "pass_rounced", tallies, THREE, "1") == pytest.approx(0.1)
    assert estimate("calling_by_trumps", "dummy_rounced", tallies, THREE, "1") == pytest.approx(0.2)


def test_the_chart_has_rows_for_hands_that_there_are() -> None:
    full = counted(THREE, chart_n=1)
    rows = table_of("calling_by_hand", full, THREE).rows
    assert ("0", "none") in rows
    assert {height for trumps, height in rows if trumps == "3"} == {"3", "4", "5", "6", "7"}
    assert not {trumps for trumps, _ in rows} & {"6", "7"}
    assert not {height for trumps, height in rows if trumps == "0"} - {"none"}


def test_no_picture_of_a_call_that_the_rules_do_not_know() -> None:
    def pictures(setting: Setting) -> list[str]:
        result = table_of("calling_by_hand", blank(setting, 10), setting)
        return [picture.columns[0] for picture in result.spec.pictures]

    assert pictures(THREE) == ["fold", "dummy", "take"]
    assert pictures(TWO) == ["dummy", "take"]


# --------------------------------------------------------------------------------------------------- tiles


def _tiles(setting: Setting) -> dict[str, np.ndarray]:
    """1,000 rounds under each trump (no blank); the average hand scores -1 and wins a trick, but under 6 -2 and 2.
    Every tile does as the average hand does."""
    trump = np.array([0, *[1000] * 6])
    hands = 3 * trump
    mean = np.array([0, 1, 1, 1, 1, 1, 2])
    n, tricks = zeros(setting, "tile_n"), zeros(setting, "tile_tricks")
    rank_n, rank_tricks = zeros(setting, "trump_rank_n"), zeros(setting, "trump_rank_tricks")
    for name, at in TILE_INDEX.items():
        high, low = (int(end) for end in name.split("-"))
        for number in range(1, 7):
            # Of 84 equal parts a trump's tile of that higher end is turned up in 84 / (k + 1).
            dealt = 420 - 420 // (number + 1) if number == high else 420
            role = int(number in (high, low))
            n[at, role] += dealt
            tricks[at, role] += dealt * mean[number]
            if role:
                rank = 7 if high == low and setting.rules["doubles"] == "high" else low if number == high else high
                rank_n[rank] += dealt
                rank_tricks[rank] += dealt * mean[number]
    return {
        "trump": trump, "trump_tricks": hands * mean, "trump_change": -hands * mean, "rounds": trump.sum(),
        "tile_n": n, "tile_tricks": tricks, "tile_change": -tricks,
        "trump_rank_n": rank_n, "trump_rank_tricks": rank_tricks, "trump_rank_change": -rank_tricks,
    }  # fmt: skip


@pytest.mark.parametrize("doubles", ["natural", "high"])
def test_tiles_like_the_average_hand_of_their_rounds_are_worth_nothing(doubles: str) -> None:
    setting = setting_of(doubles=doubles)
    tallies = counted(setting, **_tiles(setting))
    for name in ("tiles", "tiles_as_trump", "tiles_as_plain", "trump_ranks"):
        for record in table_of(name, tallies, setting).records():
            assert record["tricks"]["estimate"] == pytest.approx(0, abs=1e-12), record
            assert record["change"]["estimate"] == pytest.approx(0, abs=1e-12), record


def test_what_a_tile_is_worth_in_each_role() -> None:
    counts = _tiles(THREE)
    at = TILE_INDEX["6-5"]
    counts["tile_change"][at] -= counts["tile_n"][at] * [1, 2]
    counts["trump_rank_change"][6] -= counts["trump_rank_n"][6]
    tallies = counted(THREE, **counts)
    assert estimate("tiles_as_plain", "change", tallies, THREE, "6-5") == pytest.approx(-1)
    assert estimate("tiles_as_trump", "change", tallies, THREE, "6-5") == pytest.approx(-2)
    assert -2 < estimate("tiles", "change", tallies, THREE, "6-5") < -1
    assert estimate("trump_ranks", "change", tallies, THREE, "6") == pytest.approx(-1)


def test_a_tile_turned_up_weighs_less_where_its_number_is_trump() -> None:
    # 6-0 is dealt as a trump under 6 only when it is not turned up itself, in six of seven cases.
    counts = _tiles(THREE) | {"trump": np.array([1000, *[0] * 5, 1000])}
    counts["trump_tricks"] = counts["trump"] * [3, 0, 0, 0, 0, 0, 6]
    at = TILE_INDEX["6-0"]
    counts["tile_n"][at, 1], counts["tile_tricks"][at, 1] = 13, 7 * 1 + 6 * 2
    assert estimate("tiles_as_trump", "tricks", counted(THREE, **counts), THREE, "6-0") == pytest.approx(0)


def test_the_blank_double_is_never_dealt_as_a_trump() -> None:
    rows = {row[0] for row in table_of("tiles_as_trump", blank(THREE, 10), THREE).rows}
    assert set(TILE_NAMES) - rows == {"0-0"}
    assert ("7",) not in table_of("trump_ranks", blank(THREE, 10), THREE).rows


def test_the_heat_maps_are_triangles() -> None:
    assert high_and_low("6-3") == ("6", "3")
    assert len({high_and_low(tile) for tile in TILE_NAMES}) == 28


# --------------------------------------------------------------------------------------------- all at once


def test_in_random_matches_tiles_are_worth_nothing_on_average() -> None:
    # Every hand has five tiles, so the values of all tiles, weighted by how often they are dealt, cancel out.
    tallies = random_counts(THREE, 200)
    records = table_of("tiles", tallies, THREE).records()
    weights = [record["change"]["n"] for record in records]
    assert np.average([record["change"]["estimate"] for record in records], weights=weights) == pytest.approx(
        0, abs=0.03
    )


def test_formulas_treat_the_leave_one_out_variants_alike() -> None:
    """The value without a group is the value of the other groups alone."""
    rng = np.random.default_rng(2)
    tallies = counted(FOUR)
    for name, array in tallies.grouped.items():
        if name != "units":
            tallies.grouped[name] = rng.integers(20, 60, array.shape).astype(object)
    full = counters_of(tallies)
    alone = blank(FOUR, UNITS)
    for name, array in tallies.grouped.items():
        alone.grouped[name] = array.copy()
        alone.grouped[name][7] *= 0
    without = counters_of(alone)
    for table in TABLES.values():
        if table.name.startswith("running") or (table.absent and table.absent(FOUR)):
            continue
        for column in table.columns:
            formula = getattr(column.estimator, "value", None)
            if formula is not None:
                with np.errstate(all="ignore"):
                    left, right = formula(full, FOUR)[8], formula(without, FOUR)[0]
                np.testing.assert_allclose(left, right, rtol=1e-12, err_msg=f"{table.name}.{column.name}")
