"""The study `ambiguity`: every reading is played or named as left out, known answers, the same numbers as a what-if."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.errors import Interrupted, ScenarioError
from analyzer.games.policy import preset_names
from analyzer.games.registry import GAMES, game_named
from analyzer.report.results import dump_results
from analyzer.scenario.load import load_scenario
from analyzer.stats.classes import DECIDE, NOTHING
from analyzer.studies.ambiguity import ambiguity
from analyzer.studies.outcome import Outcome
from analyzer.studies.readings import BASELINE, FIELD, Readings, readings_of

COUNT, EFFECT = 4_000, 0.01


@pytest.fixture(scope="module")
def dingo() -> Outcome:
    return analyzer.ambiguity("dingo", count=COUNT, effect=EFFECT)


def row(outcome: Outcome, knob: str, value: Any) -> dict[str, Any]:
    (found,) = [each for each in outcome.results["ambiguity"] if (each["knob"], each["value"]) == (knob, value)]
    return dict(found)


@pytest.mark.parametrize("changes", [(), ("rules.{}={}",)], ids=["defaults", "another number of seats"])
@pytest.mark.parametrize("name", GAMES)
def test_every_value_that_a_knob_names_is_played_or_left_out(name: str, changes: tuple[str, ...]) -> None:
    game = game_named(name)
    seats = [knob for knob in game.knobs if knob.seats]
    if changes and not seats:
        pytest.skip("a game of one number of seats")
    found = readings_of(name, [change.format(seats[0].key, seats[0].alternatives[0]) for change in changes])
    played = [(each.knob.key, each.value) for each in found.readings]
    left_out = [(each.knob.key, each.value) for each in found.left_out]
    assert len(set(played + left_out)) == len(played) + len(left_out)
    named = {(knob.key, value) for knob in game.knobs for value in knob.alternatives}
    assert named <= {*played, *left_out}
    rules = found.baseline.rules
    # Where another value than the default is in force, the default is a reading too.
    assert {*played, *left_out} - named == {
        (knob.key, knob.default_in(rules))
        for knob in game.knobs
        if rules[knob.key] != knob.default_in(rules) and knob.default_in(rules) not in knob.alternatives
    } | {(knob.key, knob.default) for knob in seats if changes}
    for each in found.readings:
        assert not each.knob.seats
        for table, what_if in each.at.items():
            assert what_if.scenario.rules[each.knob.key] == each.value != found.tables[table].rules[each.knob.key]
    assert all(each.reason for each in found.left_out)


def test_the_tables_are_the_default_policy_in_every_seat_and_all_presets() -> None:
    for name in GAMES:
        game, found = game_named(name), readings_of(name)
        assert set(found.tables) == {BASELINE, FIELD}
        assert set(found.baseline.listing) == {game.default_policy}
        assert len(found.baseline.listing) == game.seat_counts[-1]
        assert found.tables[FIELD].listing == preset_names(game)


def test_a_value_that_the_other_rules_forbid_is_left_out_and_the_reason_told() -> None:
    found = readings_of("rounce", ["rules.dummies_max=1"])
    (left,) = [each for each in found.left_out if each.name == "hand_size = 6"]
    assert left.reason.startswith("it cannot be played with the other rules: rules.dummies_max: 1 dummies x 8 tiles")
    assert "hand_size = 6" not in {each.name for each in found.readings}


def test_what_cannot_matter_for_these_policies_changes_nothing_and_is_told_not_to_matter(dingo: Outcome) -> None:
    # Nobody overlooks a card, so nobody is ever caught.
    found = row(dingo, "caught", "penalty")
    assert (found["class"], found["effect"]["estimate"], found["where"]) == (NOTHING, 0, None)
    assert found["winner_changed"]["estimate"] == found["winner_changed_field"]["estimate"] == 0
    assert 0 < found["effect"]["high"] < EFFECT
    (said,) = [each for each in dingo.findings if each["name"] == "settled_nothing"]
    assert said["sentence"].startswith("Does not matter: ")
    assert "caught = penalty" in said["sentence"]
    assert said["sentence"].endswith(" No win share changes by 1 percentage point or more.")
    assert dingo.results["effect"] == EFFECT


def test_what_changes_much_must_be_decided(dingo: Outcome) -> None:
    # Whoever sits to the dealer's left would always be first to lay a wolf.
    found = row(dingo, "wolf_order", "left_of_dealer")
    assert found["class"] == DECIDE
    assert found["disputed"]
    assert found["reference"] == "The hunt"
    assert found["where"]["table"] == "baseline"
    assert 0.1 < found["effect"]["low"] < found["effect"]["estimate"] < found["effect"]["high"] < 0.25
    assert abs(found["change"]["estimate"]) == found["effect"]["estimate"]
    first = dingo.findings[0]
    assert first["name"] == "gaps_decide"
    assert first["sentence"].startswith("Decide before believing any number: wolf_order = left_of_dealer (")


def test_the_sources_own_gaps_come_first_then_what_changes_most(dingo: Outcome) -> None:
    rows = dingo.results["ambiguity"]
    keys = [(not each["disputed"], -each["effect"]["estimate"]) for each in rows]
    assert keys == sorted(keys)
    assert list(dingo.frame("gaps")["reading"]) == [_name(each) for each in rows if each["disputed"]]
    assert list(dingo.frame("settled")["reading"]) == [_name(each) for each in rows if not each["disputed"]]


def _name(found: dict[str, Any]) -> str:
    value = found["value"]
    text = str(value).lower() if isinstance(value, bool) else " ".join(value) if isinstance(value, list) else value
    return f"{found['knob']} = {'nothing' if value == [] else text}"


def test_the_effect_is_the_largest_change_over_seats_and_policies(dingo: Outcome) -> None:
    details = [*dingo.results["change_by_seat"], *dingo.results["change_by_policy"]]
    for each in dingo.results["ambiguity"]:
        mine = [other["win_share"] for other in details if other["reading"] == _name(each)]
        assert len(mine) == 4 + 7
        assert each["effect"]["estimate"] == max(abs(other["estimate"]) for other in mine)
        # The simultaneous interval reaches at least as far as the single one of the largest.
        largest = max(mine, key=lambda other: abs(other["estimate"]))
        assert each["effect"]["high"] >= max(largest["high"], -largest["low"])


def test_a_value_takes_along_what_hangs_on_it(dingo: Outcome) -> None:
    rules = row(dingo, "points.low", 2)["rules"]
    assert rules == {"points.low": {"before": 1, "after": 2}, "points.eight": {"before": 1, "after": 2}}
    assert "1 (with it points.eight 1 → 2)" in list(dingo.frame("settled")["in_force"])


def test_the_scenario_of_the_report_asks_the_same_as_what_ifs(dingo: Outcome, tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text(dingo.scenario.to_toml(), "utf-8")
    scenario = load_scenario(path)
    assert [each.name for each in scenario.what_ifs] == [each.name for each in dingo.scenario.what_ifs]
    asked = analyzer.what_if(path)
    by_name = {each["name"]: each for each in asked.results["what_ifs"]}
    for each in dingo.results["change_by_seat"]:
        (same,) = [other for other in by_name[each["reading"]]["by_seat"] if other["seat"] == each["seat"]]
        assert same["win_share"] == each["win_share"]
        assert same["points"] == each["points"]
    for each in dingo.results["ambiguity"]:
        assert by_name[_name(each)]["winner_changed"] == each["winner_changed"]


def test_the_numbers_of_every_arm_are_those_of_a_run(dingo: Outcome) -> None:
    assert [check["name"] for check in dingo.results["health"]] == ["same_as_run_baseline", "same_as_run_field"]
    assert all(check["passed"] for check in dingo.results["health"])


def few(count: int) -> Readings:
    """The first readings only, which takes less time."""
    found = readings_of("dingo", count=count)
    return replace(found, readings=found.readings[:4])


def test_the_same_bytes_for_any_number_of_threads() -> None:
    one, three = (ambiguity(few(COUNT), jobs=jobs) for jobs in (1, 3))
    assert dump_results(one.results) == dump_results(three.results)
    assert one.sealed_tallies() == three.sealed_tallies()


@pytest.mark.slow
def test_the_same_bytes_of_matches_and_a_report_of_them(tmp_path: Path) -> None:
    one, three = (analyzer.ambiguity("rounce", count=500, jobs=jobs) for jobs in (1, 3))
    assert dump_results(one.results) == dump_results(three.results)
    assert one.sealed_tallies() == three.sealed_tallies()
    folder = one.write(tmp_path / "report")
    assert json.loads((folder / "results.json").read_text("utf-8")) == json.loads(dump_results(one.results))
    tables = {path.stem for path in (folder / "tables").iterdir()}
    assert tables == {table.spec.name for table in one.tables} >= {"gaps", "settled", "left_out_readings"}
    page = (folder / "report.md").read_text("utf-8")
    assert "players = 2" in page
    assert "silent or unclear" in page


def test_a_stopped_study_has_the_same_deals_of_everything() -> None:
    stop = threading.Event()

    def progress(phase: str, done: int, total: int) -> None:
        if phase == "arms" and done:
            stop.set()

    found = few(100_000)
    partial = ambiguity(found, jobs=1, progress=progress, stop=stop)
    assert partial.partial
    assert 0 < partial.count < 100_000
    whole = ambiguity(few(partial.count), jobs=2)
    assert dump_results(partial.results) == dump_results(whole.results)
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(Interrupted):
        ambiguity(found, stop=stopped)


def test_what_is_set_alters_what_readings_are_compared_with() -> None:
    found = readings_of("rounce", ["rules.players=3", "rules.doubles=high", "policies.steady.memory=none"], seed=9)
    for scenario in found.tables.values():
        assert (scenario.rules["players"], scenario.rules["doubles"], scenario.seed) == (3, "high", 9)
        (steady,) = [policy for policy in scenario.table.policies if policy.name == "steady"]
        assert steady.memory == "none"
    assert "doubles = natural" in {each.name for each in found.readings}


def test_each_table_can_be_another() -> None:
    found = readings_of("rounce", ['table.seats=["bold", "timid"]', 'table.field=["bold", "racer", "steady"]'])
    assert (found.baseline.listing, found.baseline.rules["players"]) == (("bold", "timid"), 2)
    assert (found.tables[FIELD].listing, found.tables[FIELD].rules["players"]) == (("bold", "racer", "steady"), 2)
    only = readings_of(
        "dingo", ["policies.greedy.memory=none", 'table={field=["greedy","careful","hoarder","dumper"]}']
    )
    assert set(only.baseline.listing) == {"careful"}
    assert only.tables[FIELD].table.policies[0].memory == "none"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (["rule.doubles=high"], "rule.doubles cannot be set here (did you mean 'rules'?)"),
        (["game=rounce"], "game cannot be set here"),
        (["rules.caugt=penalty"], "did you mean 'caught'?"),
        (["rules.points.low=x"], "rules.points.low: 'x' is not allowed"),
        (["policies.carefull.memory=none"], "nobody at either table plays 'carefull'"),
        (['table.seats=["careful"]'], "table.seats: 1 policy"),
        (["table.sets=3"], "table.sets"),
        (["what_if=[]"], "what_if cannot be set here"),
    ],
)
def test_what_cannot_be_set_is_refused(changes: list[str], told: str) -> None:
    with pytest.raises(ScenarioError) as error:
        readings_of("dingo", changes)
    assert told in str(error.value)


@pytest.mark.parametrize("effect", [0.0, -0.1, 1.0, float("nan")])
def test_an_effect_that_is_none_is_refused(effect: float) -> None:
    with pytest.raises(ScenarioError, match=r"effect: .* is not allowed"):
        analyzer.ambiguity("dingo", count=10, effect=effect)
