"""A sweep's numbers are those of runs, its changes those of pairs on the same deals, and its answers known ones."""

from __future__ import annotations

import json
import threading
from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.errors import Interrupted, ScenarioError
from analyzer.report.results import dump_results
from analyzer.scenario.variations import load_variations
from analyzer.studies.outcome import Outcome
from analyzer.studies.sweep import sweep
from analyzer.studies.swept import axis_names

PENALTY = "rules.rounce_penalty"
SPRINT = ["rules.start_score=4", "rules.first_dealer=0"]


@pytest.fixture(scope="module")
def penalties() -> Outcome:
    return analyzer.sweep("rounce-baseline-3", f"{PENALTY}=0,5,10", set=SPRINT, count=3000)


def rows(outcome: Outcome, value: object) -> list[dict[str, Any]]:
    return [row for row in outcome.results["sweep"] if value in row["set"].values()]


def test_levels_are_those_of_a_run_and_changes_their_differences(penalties: Outcome) -> None:
    for value in (0, 5, 10):
        run = analyzer.run("rounce-baseline-3", set=[*SPRINT, f"{PENALTY}={value}"], count=3000).results
        for row, alone, now in zip(rows(penalties, value), run["by_policy_seat"], rows(penalties, 5), strict=True):
            assert (row["seat"], row["policy"]) == (alone["seat"], alone["policy"])
            for part in ("win_share", "points"):
                assert row[part] == alone[part]
                change = row[f"{part}_change"]["estimate"]
                assert change == pytest.approx(row[part]["estimate"] - now[part]["estimate"])
    assert {row["same"] for row in rows(penalties, 0)} == {False}


def test_the_scenario_s_own_value_changes_nothing_exactly(penalties: Outcome) -> None:
    for row in rows(penalties, 5):
        for part in ("win_share_change", "points_change"):
            assert row[part] == {"estimate": 0, "low": 0, "high": 0, "se": 0, "n": 3000, "exact": True}
        assert row["same"]
        assert row["verdict"] == "practically equal"


def test_a_knob_that_does_nothing_here_gives_zero_and_keeps_a_width() -> None:
    found = analyzer.sweep("rounce-baseline-3", "rules.max_rounds=1_000,5_000", set=SPRINT, count=500)
    for row in rows(found, 5000):
        assert row["win_share_change"]["estimate"] == 0
        assert row["win_share_change"]["high"] > 0
        assert row["points_change"]["low"] is None
        assert not row["same"]


def test_values_of_one_game_only_are_said_to_be_the_same() -> None:
    (finding,) = analyzer.sweep("dingo-baseline", "rules.points.eight=1", count=64).results["findings"]
    assert finding["sentence"].startswith("Not at all: every value is one and the same game as the scenario as it is")


def test_the_spread_over_seats_is_that_of_the_rows(penalties: Outcome) -> None:
    for value, fairness in zip((0, 5, 10), penalties.results["fairness"], strict=True):
        shares = [row["win_share"]["estimate"] for row in rows(penalties, value)]
        found = fairness["win_share_spread"]
        assert fairness["set"] == {PENALTY: value}
        assert found["estimate"] == pytest.approx(max(shares) - min(shares))
        assert 0 <= found["low"] <= found["estimate"] <= found["high"]
        assert found["under_equal"] > 0
    assert list(penalties.frame("fairness")["rounce_penalty"]) == ["0", "5", "10"]


def test_a_seat_s_fair_share_lies_where_its_curve_crosses(penalties: Outcome) -> None:
    for number, entry in enumerate(penalties.results["crossings"]):
        shares = [rows(penalties, value)[number]["win_share"]["estimate"] for value in (0, 5, 10)]
        gaps = np.array(shares) - 1 / 3
        assert len(entry["crossings"]) == int((gaps[:-1] * gaps[1:] < 0).sum())
        for crossing in entry["crossings"]:
            assert np.interp(crossing["value"]["estimate"], (0, 5, 10), gaps) == pytest.approx(0, abs=1e-9)


def test_two_keys_have_a_row_for_each_pair_and_heat_maps() -> None:
    found = analyzer.sweep("rounce-baseline-3", f"{PENALTY}=0,5", "rules.doubles=natural,high", set=SPRINT, count=500)
    assert found.results["keys"] == [PENALTY, "rules.doubles"]
    assert len(found.results["sweep"]) == 4 * 3
    assert found.results["sweep"][-1]["set"] == {PENALTY: 5, "rules.doubles": "high"}
    assert found.results["crossings"] == []
    assert {picture.kind for table in found.tables for picture in table.spec.pictures} == {"heat"}
    assert list(found.frame("sweep").columns[:4]) == ["rounce_penalty", "doubles", "seat", "policy"]


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("dingo-baseline", ["sweep", "fairness", "crossings"]),
        ("dingo-field", ["sweep", "sweep_by_policy", "sweep_by_seat", "fairness", "crossings"]),
    ],
)
def test_a_field_has_tables_of_policies_and_of_seats(name: str, names: list[str]) -> None:
    found = analyzer.sweep(name, "rules.points.ace=0,3,30", count=700)
    told = [table.spec.name for table in found.tables]
    assert told in (names, names[:-1])
    pictured = {table.spec.name for table in found.tables if table.spec.pictures}
    assert pictured == {*names[:-1]} - ({"sweep"} if name == "dingo-field" else set())


def test_any_number_of_threads_writes_the_same_bytes() -> None:
    texts = {
        dump_results(analyzer.sweep("rounce-baseline-3", f"{PENALTY}=0,5", set=SPRINT, count=999, jobs=jobs).results)
        for jobs in (1, 3)
    }
    assert len(texts) == 1
    assert json.loads(texts.pop())["study"] == "sweep"


def test_a_stop_leaves_a_prefix_that_all_values_have_in_common() -> None:
    stop = threading.Event()
    variations = load_variations("dingo-baseline", ["rules.points.ace=1,5"], count=200_000)

    def progress(phase: str, done: int, total: int) -> None:
        if phase == "arms" and done:
            stop.set()

    found = sweep(variations, jobs=1, progress=progress, stop=stop)
    assert found.partial
    whole = analyzer.sweep("dingo-baseline", "rules.points.ace=1,5", count=found.count)
    assert dump_results(whole.results) == dump_results(found.results)
    stop.set()
    with pytest.raises(Interrupted):
        sweep(variations, stop=stop)


def test_what_cannot_be_compared_is_refused_before_anything_is_played() -> None:
    with pytest.raises(ScenarioError, match="number of seats changes from 3 to 2"):
        analyzer.sweep("rounce-baseline-3", 'table.seats=["steady","steady"]')
    with pytest.raises(ScenarioError, match="effect: 2 is not allowed"):
        analyzer.sweep("rounce-baseline-3", f"{PENALTY}=1", effect=2)


def test_columns_are_called_by_the_last_part_of_a_key_where_that_is_clear() -> None:
    assert axis_names(["rules.points.ace"]) == ("ace",)
    assert axis_names(["policies.a.noise", "policies.b.noise"]) == ("policies.a.noise", "policies.b.noise")
    assert axis_names(["policies.x.seat"]) == ("policies.x.seat",)


def test_the_report_says_what_unevenly_seated_policies_mean_for_seats() -> None:
    found = analyzer.sweep(
        "dingo-baseline",
        "rules.points.ace=1,5",
        count=64,
        set=['table.seats=["careful","bold","careful","careful"]', "policies.bold.lapse=0"],
    )
    text = next(table.spec.text for table in found.tables if table.spec.name == "fairness")
    assert "Policies do not sit evenly" in text


def test_with_too_few_deals_no_value_is_ruled_out() -> None:
    found = analyzer.sweep("rounce-baseline-3", f"{PENALTY}=0,5,10", set=SPRINT, count=65).results
    assert all(row["possible"] == [[0, 10]] for row in found["crossings"])
    (fair,) = (each["sentence"] for each in found["findings"] if each["name"] == "fair")
    assert fair == "The share of seats 0, 1 and 2 cannot be told from it at any value."
    solved = analyzer.solve("rounce-baseline-3", PENALTY, "points(seat=0) = 1", set=SPRINT, count=65).results
    (sentence,) = (each["sentence"] for each in solved["findings"])
    assert sentence.startswith("This run does not tell: every value")


def test_the_scenario_s_own_list_is_told_as_a_scenario_writes_it() -> None:
    found = analyzer.sweep("dingo-baseline", 'rules.exchange=[],["left"]', count=64)
    (told,) = {table.spec.text for table in found.tables if table.spec.name == "sweep"}
    assert 'rules.exchange = ["discard", "left", "discard", "across", "discard", "right", "discard"]' in told
