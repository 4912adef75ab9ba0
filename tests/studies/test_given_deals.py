"""Deals conditioned on what a hand holds: the same in runs, traces and both engines; what is then said and left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analyzer.report.html import html_report
from analyzer.report.markdown import markdown_report
from analyzer.report.page import compose
from analyzer.scenario.load import Scenario, load_scenario, load_what_if
from analyzer.sim.luck import LuckWork
from analyzer.studies.batches import job_of, setting_of
from analyzer.studies.run import RunResult, run
from analyzer.studies.shrink import shrunk
from analyzer.studies.trace import trace
from analyzer.studies.verify import Case, Divergence, scenario_text, verify_scenario
from analyzer.studies.what_if import what_if

GIVEN = {"dingo-field": "given={W='AS', E='2H 3H'}", "rounce-field": "given={0='6-6 6-5', 2='0-0'}"}
NAMES = pytest.mark.parametrize("name", GIVEN)
VALUES = {"dingo": {"cards", "card_kinds"}, "rounce": {"tiles", "tiles_as_trump", "tiles_as_plain", "trump_ranks"}}
"""Tables that compare the hand dealt a card with the average hand."""


def conditioned(name: str, count: int = 130) -> Scenario:
    return load_scenario(name, [GIVEN[name]], count=count)


@pytest.fixture(scope="module", params=GIVEN)
def result(request: pytest.FixtureRequest) -> RunResult:
    return run(conditioned(request.param, 2000), jobs=1)


def results_of(play: list[dict[str, Any]]) -> tuple[list[float], list[int]]:
    """Win shares and points by seat, as the last event tells them."""
    last = play[-1]
    found = [last["win_share"], last.get("score", last.get("scores"))]
    return tuple(list(part.values()) if isinstance(part, dict) else part for part in found)  # type: ignore[return-value]


@NAMES
def test_traced_deals_hold_what_is_given_and_are_those_that_runs_play(name: str) -> None:
    scenario = conditioned(name, 12)
    held = {seat: set(text.split()) for seat, text in scenario.given_texts().items()}
    win, points = np.zeros(len(scenario.seats)), np.zeros(len(scenario.seats))
    for play in range(scenario.table.plays):
        for events in trace(scenario, 0, 12, play):
            for deal in (event for event in events if event["event"] == "deal"):
                hands = deal["hands"] if isinstance(deal["hands"], dict) else dict(enumerate(deal["hands"]))
                dealt = {str(seat): set(hand) for seat, hand in hands.items()}
                assert all(cards <= dealt[seat] for seat, cards in held.items())
            share, score = results_of(events)
            win, points = win + share, points + score
    work = job_of(scenario, scenario.game.batches[0], 12).work
    grouped = work.named(work.play(0, 12))[0]
    assert np.allclose(grouped["win"].sum((0, 1)) / 12, win)
    assert (grouped["points"].sum((0, 1)) == points).all()


@NAMES
def test_both_engines_agree_on_them(name: str) -> None:
    done = verify_scenario(conditioned(name, 2), 10**6, lambda done, total: None)
    assert done.divergence is None
    assert done.deals == 2 * conditioned(name).table.plays


def test_both_sides_of_a_what_if_hold_them() -> None:
    scenario = load_what_if("dingo-baseline", ["rules.points.ace_rabbit_alive=15"], ["given.S=AD AS"], count=300)
    assert [each.scenario.given for each in scenario.what_ifs] == [scenario.given]
    results = what_if(scenario, jobs=1).results
    assert results["given"] == {"S": "AS AD"}
    assert [check["passed"] for check in results["health"]] == [True]
    (change,) = results["what_ifs"]
    alone = run(replace(scenario, what_ifs=()), jobs=1).results
    before = [row["win_share_before"]["estimate"] for row in change["by_seat"]]
    assert before == [row["win_share"]["estimate"] for row in alone["by_seat"]]


@NAMES
def test_random_players_are_dealt_freely_and_all_others_are_not(name: str) -> None:
    scenario = conditioned(name)
    for spec in scenario.game.batches:
        given = () if spec.name == "random" else scenario.given
        assert job_of(scenario, spec, 130).given == setting_of(scenario, spec).given == given
        work = job_of(scenario, spec, 130).work
        assert (work.first if isinstance(work, LuckWork) else work).given == given


def test_the_panel_checks_the_odds_beside_those_given_and_nothing_fails(result: RunResult) -> None:
    checks = {check["name"]: check for check in result.results["health"]}
    assert [name for name, check in checks.items() if not check["passed"]] == []
    assert checks["given_odds"]["tests"] > 30
    free = run(replace(result.scenario, given=(), count=1), jobs=1)
    assert set(checks) - {check["name"] for check in free.results["health"]} == {"given_odds"}
    assert "given" not in free.results


def test_what_is_due_to_cards_dealt_by_chance_is_left_out_with_the_reason(result: RunResult) -> None:
    absent = {name for name, reason in result.results["absent"].items() if reason.startswith("some seat is given")}
    assert absent == VALUES[result.scenario.game.name]
    assert not absent & set(result.results)


def test_nothing_is_said_of_seats_that_are_unlike_by_their_cards(result: RunResult) -> None:
    scenario = result.scenario
    assert not [found for found in result.results["findings"] if "seat" in found["name"]]
    shares = {row["seat"]: 0.0 for row in result.results["by_policy_seat"]}
    for row in result.results["by_policy_seat"]:
        shares[row["seat"]] += row["win_share"]["estimate"]
    # So large that freely dealt seats as unlike would be spoken of.
    assert max(shares.values()) > 1.1 * min(shares.values())
    assert result.results["given"] == scenario.given_texts()


def test_the_page_says_that_hands_are_given(result: RunResult) -> None:
    held = "; ".join(f"{seat} holds {text}" for seat, text in result.scenario.given_texts().items())
    page = compose(result.results, [], [], {}, "")
    assert held in page.conditioned
    assert f"<strong>Hands are given.</strong> {page.conditioned}" in html_report(page)
    assert "> **Hands are given.** Whenever hands are dealt" in markdown_report(page)
    free = compose({key: value for key, value in result.results.items() if key != "given"}, [], [], {}, "")
    assert "Hands are given" not in html_report(free) + markdown_report(free)


def broken(case: Case) -> Divergence | None:
    """As if a hand of more than five tiles were played wrongly."""
    wrong = case.scenario.rules["hand_size"] > 5
    return Divergence(case, ("wrong",)) if wrong else None


def test_a_divergence_is_shown_with_what_is_given_only_where_it_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "given.0=6-6 6-5 6-4 6-3 6-2 6-1"
    scenario = load_scenario("rounce-baseline-2", [text, "rules.hand_size=7", "rules.dummies_max=0"], count=5)
    found = Divergence(Case(scenario, 0, 0), ("wrong",))
    monkeypatch.setattr("analyzer.studies.shrink.diverges", broken)
    assert shrunk(found).case.scenario.given == ()
    monkeypatch.setattr(
        "analyzer.studies.shrink.diverges",
        lambda case: Divergence(case, ("wrong",)) if case.scenario.given == scenario.given else None,
    )
    small = shrunk(found).case.scenario
    # Smaller hands could not hold it.
    assert (small.given, small.rules["hand_size"]) == (scenario.given, 6)
    assert '[given]\n0 = "6-1 6-2 6-3 6-4 6-5 6-6"' in scenario_text(small)
