"""The scenarios that ship."""

import pytest

from analyzer.games.policy import preset_names
from analyzer.scenario.load import load_scenario
from analyzer.scenario.source import shipped_names

NAMES = shipped_names()


def test_those_promised_are_there():
    promised = {"dingo-baseline", "dingo-field", "dingo-random", "dingo-forgetful", "dingo-race"}
    assert promised <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_opens_with_a_question_and_loads(name):
    scenario = load_scenario(name)
    assert scenario.name == name
    assert scenario.question.endswith("?")
    assert scenario.title != name
    assert scenario.count >= len(scenario.table.arrangements)
    assert scenario.count % len(scenario.table.arrangements) == 0


def test_the_field_holds_every_preset():
    scenario = load_scenario("dingo-field")
    assert {policy.name for policy in scenario.table.policies} == set(preset_names(scenario.game))
    assert (len(scenario.table.arrangements), scenario.table.plays) == (35, 4)


def test_the_race_changes_rules():
    changed = load_scenario("dingo-race").changed_rules()
    assert {"wolf_order", "wolf_turns", "hunt_order", "dingo_player_may_wolf"} == set(changed)
    assert load_scenario("dingo-race", ["rules={}"]).changed_rules() == {}


def test_the_forgetful_play_by_the_weights_of_careful():
    policies = load_scenario("dingo-forgetful").table.policies
    assert len({str(policy.weights) for policy in policies}) == 1
    assert len({(policy.memory, policy.lapse) for policy in policies}) == len(policies)
