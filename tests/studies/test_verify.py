"""Verify compares both engines, stops at the first divergence, and makes it small; with broken games that stand in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from analyzer.games.dingo import reference_policy as dingo_policy
from analyzer.games.dingo import reference_score as dingo_score
from analyzer.games.dingo import verify as dingo
from analyzer.games.registry import game_named
from analyzer.games.rounce import reference as rounce_reference
from analyzer.games.rounce import reference_score as rounce_score
from analyzer.scenario.load import Scenario, load_scenario
from analyzer.studies.shrink import shrunk
from analyzer.studies.verify import Divergence, Verified, random_case, scenario_text, verify, verify_scenario


def quiet(done: int, total: int) -> None:
    """No progress."""


def diverging(name: str, sets: int = 60, count: int = 8) -> tuple[Verified, Divergence]:
    """What verify finds, made small."""
    done = verify(game_named(name), sets, count, 3, quiet)
    assert done.divergence is not None
    return done, shrunk(done.divergence)


def reloaded(scenario: Scenario, tmp_path: Any) -> Scenario:
    """The scenario from its text."""
    path = tmp_path / "divergence.toml"
    path.write_text(scenario_text(scenario), "utf-8")
    return load_scenario(path)


def test_engines_that_agree() -> None:
    seen: list[tuple[int, int]] = []
    done = verify(game_named("dingo"), 3, 2, 5, lambda *at: seen.append(at))
    assert (done.rule_sets, done.deals, done.divergence) == (3, 6, None)
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
    record = done.record()
    assert record["agree"]
    assert record["events"] == done.events > 6 * 14
    assert set(record["covered"]) == {knob.key for knob in done.game.knobs}
    assert all(sum(times.values()) == 3 for times in record["covered"].values())


def test_the_same_seed_compares_the_same_deals() -> None:
    game = game_named("rounce")
    assert random_case(game, 1, 0, 5) == random_case(game, 1, 0, 5)
    assert random_case(game, 1, 0, 5) != random_case(game, 2, 0, 5)
    assert random_case(game, 1, 0, 5) != random_case(game, 1, 1, 5)


def test_a_scenario_in_every_seating() -> None:
    scenario = load_scenario("dingo-field", count=3)
    done = verify_scenario(scenario, 1000, quiet)
    assert (done.rule_sets, done.deals, done.divergence) == (1, 3 * scenario.table.plays, None)


def test_random_scenarios_survive_their_text(tmp_path: Any) -> None:
    for name in ("dingo", "rounce"):
        for number in range(20):
            scenario = random_case(game_named(name), 1, number, 1).scenario
            again = reloaded(scenario, tmp_path)
            assert (again.rules, again.seed) == (scenario.rules, scenario.seed)
            assert [(p.weights, p.noise, p.lapse, p.memory) for p in again.table.policies] == [
                (p.weights, p.noise, p.lapse, p.memory) for p in scenario.table.policies
            ]
            assert again.table.arrangements == scenario.table.arrangements


def test_a_rule_that_no_change_is_needed_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Eights cost nothing in the penalty pile: any deal of the default policy shows it."""

    def lost(card: str, rules: Any) -> int:
        return 0 if card == "8H" else dingo_score.card_points(card, rules)

    monkeypatch.setattr(dingo_score, "_points_lost", lost)
    _, small = diverging("dingo")
    scenario = small.case.scenario
    assert scenario.changed_rules() == {}
    assert scenario.table.seating == "fixed"
    assert {policy.name for policy in scenario.table.policies} == {"careful"}
    assert (scenario.seed, small.case.play) == (1, 0)
    assert "(result) differs" in small.differences[0]
    assert "score: kernel" in small.differences[1]
    # No earlier deal shows it, and the scenario's text does.
    assert verify_scenario(reloaded(scenario, tmp_path), small.case.first, quiet).divergence is not None
    if small.case.first:
        earlier = load_scenario(tmp_path / "divergence.toml", count=small.case.first)
        assert verify_scenario(earlier, 0, quiet).divergence is None


def test_a_rule_that_one_knob_is_needed_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def natural(trick: Any, trump: int, doubles: str) -> int:
        return rounce_score.winner_of(trick, trump, "natural")

    monkeypatch.setattr(rounce_reference, "winner_of", natural)
    _, small = diverging("rounce")
    assert small.case.scenario.changed_rules() == {"doubles": ("high", "natural")}


def test_a_list_that_is_needed_is_made_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is discarded and something passed, the wrong is told."""
    result = dingo_score.result

    def wrong(left: Any, score: Any, penalty: Any, rules: Any) -> Any:
        steps = rules["exchange"]
        told = result(left, score, penalty, rules)
        return told if "discard" in steps or "across" not in steps else {**told, "tied": ["S"]}

    monkeypatch.setattr("analyzer.games.dingo.reference.result", wrong)
    _, small = diverging("dingo", sets=400, count=1)
    assert small.case.scenario.rules["exchange"] == ("across",)
    assert list(small.case.scenario.changed_rules()) == ["exchange"]


def test_a_choice_that_one_weight_is_needed_for(monkeypatch: pytest.MonkeyPatch) -> None:
    features = dingo_policy.exchange_features

    def blind(view: Any, card: str, known: Any) -> Any:
        return {**features(view, card, known), "doomed": 0, "doomed_points": 0}

    monkeypatch.setattr(dingo_policy, "exchange_features", blind)
    _, small = diverging("dingo", sets=300)
    assert small.case.scenario.changed_rules() == {}
    own = [policy for policy in small.case.scenario.table.policies if policy.name not in ("careful", "random")]
    weights = [set(table) for policy in own for table in policy.weights.values() if table]
    assert weights in ([], [{"doomed"}], [{"doomed_points"}])
    assert "the oracle" in small.differences[0]


def test_a_crash_of_the_kernel_is_a_divergence(monkeypatch: pytest.MonkeyPatch) -> None:
    plays = dingo.plays

    def crash(rules: Any, *given: Any) -> Iterator[Any]:
        yield from plays(rules, *given) if rules["caught"] != "penalty" else iter([][0])

    monkeypatch.setattr(dingo, "plays", crash)
    check_crash("the kernel stops: IndexError: list index out of range")


def test_a_crash_of_the_reference_is_a_divergence(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = dingo.replay

    def crash(events: Any, watch: Any) -> Any:
        return replay(events, watch) if events[0]["rules"]["caught"] != "penalty" else [][0]

    monkeypatch.setattr(dingo, "replay", crash)
    check_crash("the reference game stops: IndexError: list index out of range")


def check_crash(told: str) -> None:
    """A crash under one knob's other value, and under no other."""
    _, small = diverging("dingo")
    assert small.differences == (told,)
    assert small.case.scenario.changed_rules() == {"caught": ("penalty", "disqualified")}
    assert small.case.first == 0
