"""Two evaluations of a table side by side, on a game made for the tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from toy_game import BY_SEAT, COIN, SEATS, ToyTallies, played, setting

from analyzer.report.beside import Side, beside, bounds_of
from analyzer.report.frames import Batch, TableResult, arm_of, evaluate

N = 5000


def side(table: TableResult, tallies: ToyTallies) -> Side:
    return Side(table, Batch(tallies, setting()))


def sides(spec, seeds=(11, 12)):
    return [side(evaluate(spec, tallies, setting()), tallies) for tallies in (played(N, seed=seed) for seed in seeds)]


@pytest.mark.parametrize("spec", [BY_SEAT, COIN])
def test_values_without_groups_begin_with_the_estimate(spec):
    (one, _) = sides(spec)
    arms = arm_of(one.table, one.batch.tallies, one.batch.setting)
    assert "spread" not in arms
    for name, arm in arms.items():
        assert arm.values.shape == (65, len(one.table.rows))
        assert arm.values[0] == pytest.approx(one.table.estimates[name].estimate)
        assert arm.n[0] == pytest.approx(one.table.estimates[name].n)


def test_rows_are_chosen_by_their_labels():
    one, _ = sides(BY_SEAT)
    last = replace(one.table, rows=one.table.rows[2:])
    whole, chosen = (arm_of(table, one.batch.tallies, one.batch.setting)["points"] for table in (one.table, last))
    assert (chosen.values == whole.values[:, 2:]).all()


@pytest.mark.parametrize("sharing", ["paired", "separate"])
def test_both_numbers_and_their_difference(sharing):
    one, other = sides(BY_SEAT)
    table, differences = beside(one, other, sharing, False)
    assert [column.name for column in table.spec.columns][:3] == ["win_share_a", "win_share_b", "win_share"]
    assert [column.label for column in table.spec.columns][:3] == [
        "win share, A",
        "win share, B",
        "win share, B less A",
    ]
    assert table.rows == tuple((seat,) for seat in SEATS)
    a, b = (each.table.estimates["win_share"] for each in (one, other))
    found = table.estimates["win_share"]
    assert found.estimate == pytest.approx(b.estimate - a.estimate)
    # Other seeds, so groups have nothing in common and both ways must say much the same.
    assert found.se == pytest.approx(np.hypot(a.se, b.se), rel=0.3)
    assert found is differences["win_share"].found
    assert (differences["win_share"].df == 63).all() == (sharing == "paired")


def test_only_rows_that_both_have_in_the_first_one_s_order():
    one, other = sides(BY_SEAT)
    fewer = replace(other, table=_rows(other.table, [2, 1]))
    table, _ = beside(one, fewer, "paired", False)
    assert table.rows == ((SEATS[1],), (SEATS[2],))
    assert table.estimates["points_b"].estimate.tolist() == other.table.estimates["points"].estimate[1:].tolist()
    whole, _ = beside(one, other, "paired", False)
    assert table.estimates["points"].low.tolist() == whole.estimates["points"].low[1:].tolist()


def _rows(table: TableResult, places: list[int]) -> TableResult:
    estimates = {name: column.map(lambda part: part[places]) for name, column in table.estimates.items()}
    return replace(table, rows=tuple(table.rows[place] for place in places), estimates=estimates)


def test_spreads_have_no_interval_and_frequencies_are_bounded():
    one, other = sides(COIN)
    for sharing in ("paired", "separate"):
        estimates = beside(one, other, sharing, False)[0].estimates
        assert np.isfinite(estimates["heads"].low).all()
        assert np.isnan(estimates["spread"].low).all()
        assert np.isfinite(estimates["spread"].estimate).all()
    heads, spread = COIN.columns[0], BY_SEAT.columns[1]
    assert (bounds_of(heads), bounds_of(spread)) == ((-1.0, 1.0), (None, None))


def test_what_is_the_same_is_exact_and_what_only_claims_it_is_found_out():
    one, other = sides(COIN)
    found = beside(one, one, "paired", True)[0].estimates
    assert [found[name].item(0) for name in ("heads", "spread")] == 2 * [
        {"estimate": 0, "low": 0, "high": 0, "se": 0, "n": N, "exact": True}
    ]
    with pytest.raises(ValueError, match="the same differ"):
        beside(one, other, "paired", True)
