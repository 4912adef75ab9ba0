"""Explanations of traced plays: of every choice, of the play that the kernel made, and in words."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from analyzer.errors import KernelFault
from analyzer.games.common.explain import EVENT, LAPSE, Option, Question, explained, say, woven
from analyzer.games.common.verify import noise_key
from analyzer.games.policy import resolve_policies
from analyzer.games.registry import GAMES, game_named
from analyzer.games.spec import Policy
from analyzer.scenario.load import load_scenario
from analyzer.studies.trace import trace, words
from analyzer.studies.verify import engines_of, random_case

PLAYS = 2


def looked_at(name: str, sets: int) -> Counter[str]:
    """Explain random plays and compare each explanation with the choice; what was seen."""
    game = game_named(name)
    seen: Counter[str] = Counter()
    expected = variance = 0.0
    for number in range(sets):
        case = random_case(game, 17, number, PLAYS)
        policies = {policy.name: policy for policy in case.scenario.table.policies}
        plain = trace(case.scenario, case.first, PLAYS, case.play)
        for told, events in zip(plain, trace(case.scenario, case.first, PLAYS, case.play, explain=True), strict=True):
            assert [event for event in events if event["event"] != EVENT] == told
            assert words(case.scenario, events).count("\n") > words(case.scenario, told).count("\n")
            choices: list[Any] = []

            def watch(decision: Any, choice: Any, choices: list[Any] = choices) -> None:
                if len(decision.legal) > 1:
                    choices.append((decision.seat, choice))

            engines_of(game).replay(told, watch)
            reasons = [event for event in events if event["event"] == EVENT and event["decision"] != LAPSE]
            seen[LAPSE] += sum(event["event"] == EVENT for event in events) - len(reasons)
            # Every choice between several is explained, and as the one that was made.
            assert [(event["seat"], made(event)) for event in reasons] == [(seat, plainly(c)) for seat, c in choices]
            for event in reasons:
                policy = policies[event["policy"]]
                check_sums(event, policy)
                if event["decided"] != "noise":
                    assert event["chosen"] == event["best"] or sorted(event["chosen"]) == sorted(event["best"])
                chance = event["noise"]
                expected += chance
                variance += chance * (1 - chance)
                seen.update((event["decision"], event["decided"], f"memory {policy.memory}"))
    # Noise decided as often as it should, so that it is no excuse for a choice that is not understood.
    assert abs(seen["noise"] - expected) < 5 * math.sqrt(variance)
    kinds = {noise_key(game, decision) for decision in game.decisions}
    assert all(seen[kind] > sets // 10 for kind in kinds), seen
    assert min(seen["weights"], seen["tie"], seen["noise"], seen["memory 0.5"]) > sets, seen
    return seen


def made(event: dict[str, Any]) -> Any:
    """The choice as an explanation tells it, in the oracle's terms."""
    chosen = event["chosen"]
    if event["decision"].startswith("aside"):
        return tuple(chosen)
    only = chosen[0]
    return (only["tile"], only["suit"]) if isinstance(only, dict) else tuple(only) if isinstance(only, list) else only


def plainly(choice: Any) -> Any:
    """Tiles put aside in the order of their names, everything else as it is."""
    aside = isinstance(choice, tuple) and choice and all(isinstance(part, str) and "-" in part for part in choice)
    return tuple(sorted(choice)) if aside else choice


def check_sums(event: dict[str, Any], policy: Policy) -> None:
    """Parts are weights of the policy that count, and add up to the sum; options go from the best on."""
    sums = [option["sum"] for option in event["options"]]
    assert sums == sorted(sums, reverse=event["takes"] == "highest")
    for option in event["options"]:
        kind = f"call_{option['choice']}" if event["decision"] == "call" else event["decision"]
        assert option["sum"] == sum(part["value"] * part["weight"] for part in option["parts"])
        assert all(
            part["value"] and part["weight"] == policy.weights[kind][part["feature"]] for part in option["parts"]
        )
        sizes = [abs(part["value"] * part["weight"]) for part in option["parts"]]
        assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("name", GAMES)
def test_every_choice_of_random_plays_is_explained(name: str) -> None:
    seen = looked_at(name, 15)
    assert (seen[LAPSE] > 0) == game_named(name).lapses


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_choice_of_many_random_plays_is_explained(name: str) -> None:
    looked_at(name, 400)


@pytest.mark.parametrize("name", GAMES)
def test_presets_of_shipped_scenarios_are_explained_and_fit_json(name: str) -> None:
    scenario = load_scenario(f"{name}-field")
    for rotation in (0, scenario.table.plays - 1):
        for events in trace(scenario, 3, 1, rotation, explain=True):
            assert all(json.loads(json.dumps(event)) == event for event in events)


# By hand

POLICY = Policy(
    "mine", "", "", {"throw": {"red": 1.5, "far": -1.0}, "keep": {}}, {"throw": 0.25, "keep": 0.0}, 0.1, 0.5
)


def question(**change: Any) -> Question:
    options = (
        Option("a", "a", {"red": 2, "far": 1}, "throw"),
        Option("b", "b", {"far": 1}, "throw"),
        Option("c", "c", {"red": 2, "far": 1}, "throw"),
    )
    usual = Question({"event": "throw", "seat": "S", "step": 4}, "S", "throw", 0.25, options, "the first is chosen")
    return replace(usual, **change)


def test_an_explanation_by_hand() -> None:
    event = explained(question(), POLICY, ["a"], False)
    assert (event["event"], event["step"], event["seat"], event["policy"]) == (EVENT, 4, "S", "mine")
    assert [(option["choice"], option["sum"]) for option in event["options"]] == [("a", 2.0), ("c", 2.0), ("b", -1.0)]
    assert event["options"][0]["parts"] == [
        {"feature": "red", "value": 2, "weight": 1.5},
        {"feature": "far", "value": 1, "weight": -1.0},
    ]
    assert (event["chosen"], event["best"], event["decided"]) == (["a"], ["a"], "tie")
    assert say(event) == [
        "  S (mine) weighs throw; the highest is chosen:",
        "  > a   2  = red 2 × 1.5, far 1 × -1",
        "    c   2  = red 2 × 1.5, far 1 × -1",
        "    b  -1  = far 1 × -1",
        "    A tie: the first is chosen, hence a.",
    ]


def test_the_least_are_taken_where_things_are_kept() -> None:
    event = explained(question(least=True), POLICY, ["b"], False)
    assert (event["best"], event["decided"], event["takes"]) == (["b"], "weights", "lowest")
    assert say(event)[1:] == [
        "  > b     -1  = far 1 × -1",
        "    a, c   2  = red 2 × 1.5, far 1 × -1",
        "    Decided by the weights.",
    ]
    assert say(event)[0].endswith("the lowest goes:")
    two = explained(question(least=True, taken=2), POLICY, ["a", "b"], False)
    assert (two["best"], two["decided"]) == (["b", "a"], "tie")


def test_noise_is_told_also_where_it_drew_another_choice() -> None:
    event = explained(question(), POLICY, ["b"], True)
    assert (event["chosen"], event["best"], event["decided"]) == (["b"], ["a"], "noise")
    assert say(event)[-1] == "    Decided by noise, of chance 0.25: a random legal choice, b."


def test_a_choice_that_weights_and_chance_do_not_explain_is_a_fault() -> None:
    with pytest.raises(KernelFault, match=r"throw of S \(mine\).*\['c'\] was chosen.*\['a'\]"):
        explained(question(), POLICY, ["c"], False)


def test_weights_of_0_are_told() -> None:
    options = tuple(Option(name, name, {"red": 1}, "keep") for name in "ab")
    event = explained(question(options=options, decision="keep"), POLICY, ["a"], False)
    assert event["decided"] == "tie"
    assert say(event) == [
        "  S (mine) has no weight that counts for keep, so that all are worth the same: a, b",
        "    A tie: the first is chosen, hence a.",
    ]


def test_long_lines_are_broken_between_features() -> None:
    names = {f"feature_number_{n}": 1 for n in range(20)}
    policy = replace(POLICY, weights={"throw": dict.fromkeys(names, 0.5)})
    options = tuple(Option(f"{n}", f"choice {n}", names if n == 3 else {}, "throw") for n in range(12))
    lines = say(explained(question(options=options), policy, ["3"], False))
    assert max(map(len, lines)) <= 100
    assert lines[1].startswith(f"  > {'choice 3'.ljust(32)}  10  = feature_number_0 1 × 0.5, feature")
    deep = " " * lines[1].index("feature")
    assert lines[2].startswith(f"{deep}feature_number_2 1 × 0.5,")
    # The eleven others are alike; they are told once, before their sum.
    assert lines[-4:-1] == [
        "    choice 0, choice 1, choice 2, choice 4, choice 5, choice 6, choice 7, choice 8, choice 9,",
        "      choice 10, choice 11",
        f"    {' ' * 32}   0",
    ]


def test_a_reason_without_an_event_is_refused() -> None:
    event = {"deal": 1, "event": "throw", "step": 0}
    reason = ({"event": "throw", "step": 0}, {"event": EVENT})
    assert woven([event], [reason], {"deal": 1}) == [{"deal": 1, "event": EVENT}, event]
    with pytest.raises(ValueError, match="no event tells the choice"):
        woven([event], [({"event": "throw", "step": 1}, {"event": EVENT})], {})


def test_a_zero_policy_and_a_lapse_in_words() -> None:
    scenario = load_scenario("dingo-baseline")
    tables = {"zero": {"base": "blank", "lapse": 1.0}}
    zero = resolve_policies(scenario.game, tables, ["zero"])["zero"]
    scenario = replace(scenario, table=replace(scenario.table, policies=(zero,)))
    text = words(scenario, next(trace(scenario, 0, explain=True)))
    assert "has no weight that counts for discard_1" in text
    assert "overlooks AD: a lapse, of chance 1" in text
    assert "by this deal's coin the" in text
