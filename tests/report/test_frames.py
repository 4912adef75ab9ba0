"""Tallies to tables: the two views of counters, every estimator, rows that are left out, few units."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest
from scipy import stats
from toy_game import ALONE, BY_SEAT, COIN, GAME, SEATS, SIDE, ToyTallies, by_group, column, played, setting

from analyzer.games.spec import Mean, Quantile, Ratio, Running, Spread, TableSpec
from analyzer.report.counters import counters_of, exact_counters
from analyzer.report.frames import Batch, evaluate, evaluate_tables
from analyzer.report.sequences import RUNNING
from analyzer.stats.quantiles import woodruff
from analyzer.stats.sequential import bounded


def test_counters_hold_the_total_and_what_is_left_without_each_group() -> None:
    tallies = played(1000)
    counters = counters_of(tallies)
    win = counters["win"]
    assert win.shape == (65, 3)
    assert win.dtype == np.float64
    assert win[0].sum() == 12_000
    assert win[5] == pytest.approx(win[0] - tallies.grouped["win"][4].astype(float))
    assert counters["units"].shape == (65,)
    assert counters["running"].shape == (65, 2)
    assert (counters["running"] == counters["running"][0]).all()
    assert set(counters) == {*tallies.grouped, "running"}
    assert len(counters) == 8


def test_exact_counters_are_python_integers() -> None:
    tallies = ToyTallies(2, np.array([2] + [0] * 63), {"big": np.array([2**80 + 1] + [0] * 63, dtype=object)})
    exact = exact_counters(tallies)["big"]
    assert exact.shape == (1,)
    assert exact[0] == 2**80 + 1


def test_means_agree_with_the_textbook() -> None:
    tallies = played(1000)
    rows = evaluate(BY_SEAT, tallies, setting()).records()
    wins = [int(won) // 12 for won in exact_counters(tallies)["win"][0]]
    assert [row["seat"] for row in rows] == list(SEATS)
    for row, won in zip(rows, wins, strict=True):
        sample = [1.0] * won + [0.0] * (1000 - won)
        low, high = stats.t.interval(0.95, 999, np.mean(sample), stats.sem(sample))
        assert row["win_share"] == {
            "estimate": pytest.approx(won / 1000),
            "low": pytest.approx(low),
            "high": pytest.approx(high),
            "se": pytest.approx(stats.sem(sample)),
            "n": 1000,
        }


def test_means_keep_their_variance_at_a_thousand_million_units_of_large_points() -> None:
    """Units of ±1000 points in four plays, all alike but one: an error of 1/n that float64 squares would
    lose."""
    n = 10**9
    group = [n // 64] * 64
    points, squares = [4000 * size for size in group], [4000**2 * size for size in group]
    points[3] -= 1
    squares[3] += 3999**2 - 4000**2
    grouped = {
        "units": np.array(group, dtype=object),
        "points": np.array(points, dtype=object)[:, None],
        "points_sq": np.array(squares, dtype=object)[:, None],
    }
    tallies = ToyTallies(n, np.array(group), grouped)
    spec = dataclasses.replace(BY_SEAT, axes=("policy",), columns=(BY_SEAT.columns[1],))
    row = evaluate(spec, tallies, setting()).records()[0]
    assert row["points"]["se"] == pytest.approx(1e-9, rel=1e-9)
    assert row["points"]["n"] == n


def test_a_frequency_a_ratio_and_a_spread_without_row_axes() -> None:
    tallies = played(10_000)
    rows = evaluate(COIN, tallies, setting()).records()
    assert len(rows) == 1
    (row,) = rows
    assert row["heads"]["estimate"] == row["heads_again"]["estimate"]
    assert row["heads_again"]["se"] == pytest.approx(row["heads"]["se"], rel=0.4)
    shares = exact_counters(tallies)["win"][0] / 120_000
    assert row["spread"]["estimate"] == pytest.approx(max(shares) - min(shares))
    assert 0 < row["spread"]["low"] < 0.3 < row["spread"]["high"]
    assert 0 < row["spread"]["under_equal"] < 0.02


def test_quantiles_of_a_histogram_with_and_without_row_axes() -> None:
    """Units of a group of three, told by who won: seats as the numbers 0, 1, 2."""
    tallies, sizes = played(10_000), np.bincount((np.arange(10_000) // 64) % 64, minlength=64)
    edges = np.array([-0.5, 0.5, 1.5, 2.5])
    won = counters_of(tallies)["win"] / 12
    due = woodruff(won, edges, 0.6, sizes, counters_of(tallies)["units"], 0.95).item(())
    alone = Quantile(lambda c, s: c["win"] / 12, lambda c, s: c["units"], 0.6, lambda s: edges)
    (record,) = evaluate(TableSpec("winner", "", "", (), (column("q60", alone),)), tallies, setting()).records()
    assert record["q60"] == due
    assert due["low"] < 0.8 < due["high"]
    twice = Quantile(
        lambda c, s: np.stack([c["win"], c["win"][..., ::-1]], -2), lambda c, s: c["units"], 0.6, lambda s: edges
    )
    rows = evaluate(TableSpec("winners", "", "", ("mark",), (column("q60", twice),)), tallies, setting()).records()
    assert rows[0]["q60"] == due
    assert rows[1]["q60"]["estimate"] == pytest.approx(1.5 + (0.6 - won[0, 1:].sum() / 10_000) / (won[0, 0] / 10_000))


def test_a_frame_holds_the_numbers_of_the_records() -> None:
    result = evaluate(COIN, played(2000), setting())
    frame, (record,) = result.frame(), result.records()
    assert list(frame.columns)[:5] == ["heads", "heads_low", "heads_high", "heads_se", "heads_n"]
    assert frame.columns[-1] == "spread_under_equal"
    for name, item in record.items():
        for part, value in item.items():
            assert frame[name if part == "estimate" else f"{name}_{part}"][0] == value
    seats = evaluate(BY_SEAT, played(2000), setting()).frame()
    assert list(seats["seat"]) == list(SEATS)
    assert seats["points_n"].dtype == np.int64


def test_only_the_rows_that_a_table_keeps() -> None:
    kept = dataclasses.replace(BY_SEAT, keep=lambda row, setting: row[0] != "second")
    result = evaluate(kept, played(500), setting())
    assert result.rows == (("first",), ("third",))
    full = evaluate(BY_SEAT, played(500), setting()).records()
    assert result.records() == [full[0], full[2]]


def test_two_axes_come_in_order_of_the_first() -> None:
    value = Ratio(lambda c, s: np.repeat(c["win"][:, None], 2, 1) * [[1], [2]], lambda c, s: c["units"])
    spec = TableSpec("two", "", "", ("mark", "seat"), (column("twice", value),))
    result = evaluate(spec, played(64 * 20), setting())
    assert result.rows[:4] == (("64", "first"), ("64", "second"), ("64", "third"), ("640", "first"))
    found = result.estimates["twice"].estimate
    assert found[3:] == pytest.approx(2 * found[:3])
    assert result.frame().columns[0] == "mark"


def test_a_formula_that_does_not_fit_names_its_place() -> None:
    wrong = column("wrong", Ratio(lambda c, s: c["win"].sum(0), lambda c, s: c["units"]))
    with pytest.raises(ValueError, match="table by_seat, column wrong"):
        evaluate(dataclasses.replace(BY_SEAT, columns=(wrong,)), played(100), setting())
    flat = column("flat", Spread(lambda c, s: c["win"], lambda c, s: c["units"]))
    with pytest.raises(ValueError, match="column flat: a spread needs one axis more"):
        evaluate(dataclasses.replace(BY_SEAT, columns=(flat,)), played(100), setting())
    for name, cells, message in (("short", 3, "3 cells have 3 edges"), ("single", 1, "a quantile needs one axis more")):
        histogram = lambda c, s, cells=cells: c["win"] if cells > 1 else c["units"]  # noqa: E731
        few = column(name, Quantile(histogram, lambda c, s: c["units"], 0.5, lambda s: np.arange(3.0)))
        with pytest.raises(ValueError, match=f"table coin, column {name}: {message}"):
            evaluate(dataclasses.replace(COIN, columns=(few,)), played(100), setting())
    deep = column("deep", Mean(lambda c, s: c["win"][..., None], *[lambda c, s: c["units"]] * 3))
    with pytest.raises(ValueError, match="column deep"):
        evaluate(dataclasses.replace(BY_SEAT, columns=(deep,)), played(100), setting())


@pytest.mark.parametrize("units", [0, 1, 2, 3])
def test_few_units_give_nulls_and_no_warning(units: int) -> None:
    tallies = played(units)
    rows = [record for spec in (BY_SEAT, COIN) for record in evaluate(spec, tallies, setting()).records()]
    assert "NaN" not in json.dumps(rows)
    for row in rows:
        for name, item in row.items():
            if name == "seat":
                continue
            assert item["n"] == units
            assert (item["estimate"] is None) == (units == 0)
            if units < 2 or name in ("heads_again", "spread"):
                assert item["low"] is item["high"] is item["se"] is None
            elif name != "points":
                assert item["low"] < item["high"]
    assert evaluate(COIN, tallies, setting()).frame().shape == (1, 16)


def test_a_row_without_observations_stays_with_nulls() -> None:
    tallies = played(2000)
    empty = np.zeros((64, 3), dtype=object)
    empty[:, 0] = tallies.grouped["units"]
    tallies.grouped["plays"] = empty
    share = column("share", Ratio(lambda c, s: c["win"] / c["plays"] / 12, lambda c, s: c["plays"]), low=0.0)
    rows = evaluate(dataclasses.replace(BY_SEAT, columns=(share,)), tallies, setting()).records()
    assert rows[0]["share"]["low"] is not None
    assert rows[1]["share"] == {"estimate": None, "low": None, "high": None, "se": None, "n": 0}


def test_a_running_share_has_a_sequence_and_marks_that_were_not_reached_can_be_dropped() -> None:
    heads = lambda c, s: c["running"]  # noqa: E731
    n = lambda c, s: np.stack([c["running"][..., 0] * 0, 2 * c["running"][..., 1]], axis=-1)  # noqa: E731
    value = column("so_far", Running(heads, heads, n, lambda c, s: np.ones(1)), low=0.0, high=1.0)
    spec = TableSpec("running", "", "", ("mark",), (value,))
    full = evaluate(spec, played(640), setting()).records()
    assert full[0]["so_far"] == {"estimate": None, "low": None, "high": None, "se": None, "n": 0}
    some = full[1]["so_far"]
    known = bounded(some["n"] // 2, some["n"] // 2, some["n"], 1, 0.95, (0.0, 1.0), RUNNING.best_at)
    assert some["estimate"] == 0.5
    assert (some["low"], some["high"]) == (pytest.approx(float(known.low)), pytest.approx(float(known.high)))
    dropped = evaluate(dataclasses.replace(spec, drop_empty=True), played(640), setting())
    assert dropped.rows == (("640",),)
    assert dropped.records() == full[1:]
    assert len(dropped.frame()) == 1


def test_confidence_widens_intervals() -> None:
    narrow = evaluate(BY_SEAT, played(500), setting(0.5)).records()[0]["win_share"]
    wide = evaluate(BY_SEAT, played(500), setting(0.99)).records()[0]["win_share"]
    ratio = (wide["high"] - wide["low"]) / (narrow["high"] - narrow["low"])
    assert ratio == pytest.approx(stats.t.ppf(0.995, 499) / stats.t.ppf(0.75, 499))


def test_tables_that_a_run_does_not_have_say_why() -> None:
    tables, absent = evaluate_tables(GAME.tables, {"main": Batch(played(300), setting())})
    assert list(tables) == ["by_seat", "coin"]
    assert absent[ALONE.name] == "one policy only"
    assert "'side'" in absent[SIDE.name]


@pytest.mark.parametrize(
    "runs", [pytest.param(150, id="quick"), pytest.param(3_000, id="long", marks=pytest.mark.slow)]
)
def test_coverage_from_tallies_to_rows(runs: int) -> None:
    """The whole way, with the groups of real runs (the last batch not full): three estimators cover what is
    true."""
    rng = np.random.default_rng(501)
    covered = dict.fromkeys(("mean", "ratio", "frequency"), 0)
    group = (np.arange(2500) // 64) % 64
    for _ in range(runs):
        heads = (rng.random(2500) < 0.3).astype(np.int64)
        won = np.stack([heads, 1 - heads, 0 * heads], axis=1)
        counts = {"units": np.ones(2500, np.int64), "heads": heads, "win": 12 * won, "win_sq": 144 * won}
        tallies = ToyTallies(
            2500,
            np.bincount(group, minlength=64),
            {name: by_group(part, group) for name, part in counts.items()},
        )
        seat = evaluate(dataclasses.replace(BY_SEAT, columns=BY_SEAT.columns[:1]), tallies, setting()).records()[0]
        coin = evaluate(COIN, tallies, setting()).records()[0]
        for name, item in (
            ("mean", seat["win_share"]),
            ("ratio", coin["heads_again"]),
            ("frequency", coin["heads"]),
        ):
            covered[name] += item["low"] <= 0.3 <= item["high"]
    for hits in covered.values():
        assert abs(hits / runs - 0.95) < 0.005 + 5 * math.sqrt(0.05 * 0.95 / runs)
