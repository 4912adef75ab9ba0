"""Plans: numbers of deals follow from the pilot's sums, whatever the machine; the power promised is had."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import analyzer
from analyzer.errors import ScenarioError
from analyzer.report.results import dump_results
from analyzer.scenario.load import load_what_if
from analyzer.studies.outcome import Outcome
from analyzer.studies.plan import plan
from analyzer.studies.said import roughly, span

RABBIT = "rules.points.ace_rabbit_alive=15"
Z80, Z95 = norm.isf(0.025) + norm.isf(0.2), norm.isf(0.025) + norm.isf(0.05)


@pytest.fixture(scope="module")
def changed() -> Outcome:
    return analyzer.plan("dingo-baseline", detect=0.003, change=[RABBIT], count=6_000, jobs=2)


@pytest.fixture(scope="module")
def alone() -> Outcome:
    rotated = ["table.seats=['hoarder', 'careful', 'careful', 'careful']", "table.seating=rotate"]
    return analyzer.plan("dingo-baseline", detect=0.01, set=rotated, count=6_000, jobs=2)


def test_a_change_needs_what_the_paired_differences_of_the_pilot_say(changed: Outcome) -> None:
    rows = {row["who"]: row for row in changed.results["needed"]}
    assert list(rows) == ["seat S", "seat W", "seat N", "seat E"]
    same = analyzer.what_if("dingo-baseline", set=[RABBIT], count=6_000, jobs=1)
    for row in same.results["what_ifs"][0]["change"]:
        mine, found = rows[f"seat {row['seat']}"], row["win_share"]
        variance = found["se"] ** 2 * 6_000
        assert mine["needed_80"]["estimate"] == math.ceil(variance * (Z80 / 0.003) ** 2)
        assert mine["needed_95"]["estimate"] == math.ceil(variance * (Z95 / 0.003) ** 2)
        apart = 6_000 * sum(row[f"win_share_{when}"]["se"] ** 2 for when in ("before", "after"))
        assert mine["needed_apart_80"]["estimate"] == math.ceil(apart * (Z80 / 0.003) ** 2)
        assert mine["needed_80"]["low"] < mine["needed_80"]["estimate"] < mine["needed_80"]["high"]
    pilot = {row["who"]: row for row in changed.results["pilot"]}
    assert pilot["seat S"]["worth"]["estimate"] == pytest.approx(
        same.results["what_ifs"][0]["change"][0]["variance_ratio"]["estimate"]
    )
    assert pilot["seat S"]["difference"] == same.results["what_ifs"][0]["change"][0]["win_share"]


def test_one_run_needs_what_its_shares_and_its_pairs_say(alone: Outcome) -> None:
    rows = {row["who"]: row for row in alone.results["needed"]}
    run = analyzer.run("dingo-baseline", count=6_000, set=[
        "table.seats=['hoarder', 'careful', 'careful', 'careful']", "table.seating=rotate"
    ]).results  # fmt: skip
    for name, found in (
        ("seat S − fair share", run["by_seat"][0]),
        ("policy hoarder − fair share", run["by_policy"][0]),
        ("policy careful, seat E − fair share", run["by_policy_seat"][7]),
        ("hoarder − careful", run["pairs"][0]),
    ):
        variance = found["win_share"]["se"] ** 2 * 6_000
        assert rows[name]["needed_80"]["estimate"] == math.ceil(variance * (Z80 / 0.01) ** 2)
    assert rows["seat S − fair share"]["needed_apart_80"]["estimate"] is None
    both = 6_000 * sum(row["win_share"]["se"] ** 2 for row in run["by_policy"])
    assert rows["hoarder − careful"]["needed_apart_80"]["estimate"] == math.ceil(both * (Z80 / 0.01) ** 2)
    assert [finding["name"] for finding in alone.results["findings"]] == ["needed_shares", "needed_pairs"]


def test_results_hang_on_no_machine_and_run_json_does(changed: Outcome, tmp_path: Path) -> None:
    other = plan(load_what_if("dingo-baseline", [RABBIT], count=6_000), detect=0.003, budget=600.0, jobs=3)
    assert dump_results(other.results) == dump_results(changed.results)
    timed = json.loads((other.write(tmp_path / "plan") / "run.json").read_text("utf-8"))["timed"]
    assert timed["units_per_second"] > 0
    assert timed["memory_mb"] > 50
    row = timed["needed"][0]
    assert row["seconds_80"] == pytest.approx(row["units_80"] / timed["units_per_second"], rel=0.01, abs=0.001)
    budget = timed["budget"]
    assert budget["units"] == pytest.approx(600 * timed["units_per_second"], rel=0.01)
    worst = max(other.results["needed"], key=lambda each: each["needed_80"]["estimate"])
    told = budget["tells"][0]
    assert told["who"] == row["who"] == worst["who"]
    as_many = 0.003 * math.sqrt(worst["needed_80"]["estimate"] / budget["units"])
    assert told["difference_80"]["estimate"] == pytest.approx(as_many, rel=0.01)
    assert "second" not in json.dumps(other.results)


def test_what_a_number_tells_is_the_way_back(changed: Outcome) -> None:
    told = {(row["deals"], row["who"]): row for row in changed.results["told_by"]}
    for row in changed.results["needed"]:
        number = row["needed_80"]["estimate"]
        assert told["10000", row["who"]]["difference_80"]["estimate"] == pytest.approx(
            0.003 * math.sqrt(number / 10_000), rel=0.01
        )


def test_a_row_of_a_field_counts_the_deals_in_which_it_does_not_sit() -> None:
    field = ["table.field=['careful', 'random', 'greedy', 'dumper', 'hoarder']"]
    found = analyzer.plan("dingo-baseline", detect=0.01, set=field, count=6_000, jobs=2)
    run = analyzer.run("dingo-baseline", count=6_000, set=field).results
    share = run["by_policy"][0]["win_share"]
    rows = {row["who"]: row for row in found.results["needed"]}
    assert share["n"] == 4_800
    due = share["se"] ** 2 * 4_800 * (6_000 / 4_800) * (Z80 / 0.01) ** 2
    assert rows["policy careful − fair share"]["needed_80"]["estimate"] == pytest.approx(due, abs=2)
    with_change = analyzer.plan("dingo-baseline", detect=0.01, set=field, change=[RABBIT], count=6_000, jobs=2)
    assert {row["who"] for row in with_change.results["needed"]} > {"careful in seat S", "seat N", "dumper"}


def test_a_change_of_nothing_needs_nothing() -> None:
    found = analyzer.plan("dingo-baseline", detect=0.01, change=["rules.points.low=1"], count=2_000)
    nothing = "Both sides are one and the same game: there is nothing to tell."
    same = analyzer.load_scenario("dingo-baseline").rules["points.low"]
    if same == 1:
        assert [finding["sentence"] for finding in found.results["findings"]] == [nothing]
    again = analyzer.plan("dingo-baseline", detect=0.01, change=[f"rules.points.low={same}"], count=2_000)
    assert [finding["sentence"] for finding in again.results["findings"]] == [nothing]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "say what is to be told"),
        ({"detect": 0.0}, "detect: 0 is not allowed"),
        ({"detect": 1.5}, "detect: 1.5 is not allowed"),
        ({"detect": 0.01, "change": ["rules.points.lo=1"]}, "no such knob"),
        ({"detect": 0.01, "change": ["count=1"]}, "count cannot be what changes"),
        ({"detect": 0.01, "count": 0}, "count: 0 is not allowed"),
    ],
)
def test_what_cannot_be_planned_is_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(ScenarioError, match=told):
        analyzer.plan("dingo-baseline", **options)  # type: ignore[arg-type]


def test_of_a_handful_of_deals_little_is_known_and_nothing_is_said() -> None:
    found = analyzer.plan("dingo-baseline", detect=0.01, count=3)
    assert found.results["findings"] == []
    analyzer.plan("dingo-baseline", detect=0.01, change=[RABBIT], count=1)


@pytest.mark.parametrize(
    ("number", "text"),
    [(2, "2"), (95.4, "95"), (41_230, "41,000"), (999_000, "1 million"), (2_640_000, "2.6 million"),
     (431e6, "430 million"), (7.7e9, "7.7 thousand million")],
)  # fmt: skip
def test_numbers_of_deals_in_words(number: float, text: str) -> None:
    assert roughly(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "less than a second"), (1, "1 second"), (31.3, "31 seconds"), (89, "89 seconds"), (600, "10 minutes"),
     (7_200, "2 hours"), (400_000, "4.6 days"), (1e9, "11,574 days")],
)  # fmt: skip
def test_durations_in_words(seconds: float, text: str) -> None:
    assert span(seconds) == text


@pytest.mark.slow
@pytest.mark.parametrize(("power", "column"), [(0.8, "needed_80"), (0.95, "needed_95")])
def test_the_power_promised_is_had(power: float, column: str) -> None:
    """The true change is known from a million deals; a plan for it, from a pilot of its own, is carried out 400 times
    with other deals: its interval leaves out 0 as often as promised. So few deals are needed that its least width
    matters."""
    change = ["table.seats=['cautious', 'careful', 'careful', 'careful']"]
    long = analyzer.what_if("dingo-baseline", set=change, count=1_000_000, seed=99).results["what_ifs"][0]["change"]
    row = max(long, key=lambda each: abs(each["win_share"]["estimate"]))
    true = abs(row["win_share"]["estimate"])
    pilot = analyzer.plan("dingo-baseline", detect=true, change=change, seed=98).results["needed"]
    number = int(next(each for each in pilot if each["who"].endswith(f"seat {row['seat']}"))[column]["estimate"])
    hits = []
    for seed in range(1, 401):
        found = analyzer.what_if("dingo-baseline", set=change, count=number, seed=seed).results["what_ifs"][0]
        share = next(each for each in found["change"] if each["seat"] == row["seat"])["win_share"]
        hits.append(share["low"] > 0 or share["high"] < 0)
    # A binomial share, and what the normal law is off at a hundred deals.
    assert np.mean(hits) == pytest.approx(power, abs=3 * math.sqrt(power * (1 - power) / 400) + 0.015)
