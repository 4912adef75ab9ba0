"""The JSON Schema says of a file what the loader says of it, as far as a schema can."""

import json

import pytest

from analyzer.games.registry import GAMES, game_named
from analyzer.scenario.schema import scenario_schema


@pytest.fixture(params=GAMES)
def game(request):
    return game_named(request.param)


def test_every_knob_stands_in_it_with_range_choices_and_default(game):
    rules = scenario_schema(game)["properties"]["rules"]
    for knob in game.knobs:
        schema = rules
        for part in knob.key.split("."):
            assert schema["additionalProperties"] is False
            schema = schema["properties"][part]
        assert knob.text in schema["description"]
        if knob.derived_text:
            assert knob.derived_text in schema["description"]
        else:
            assert schema["default"] == (list(knob.default) if isinstance(knob.default, tuple) else knob.default)
        if knob.kind == "int":
            assert (schema["minimum"], schema["maximum"]) == (knob.low, knob.high)
        elif knob.kind == "choice":
            assert tuple(schema["enum"]) == knob.choices
        elif knob.kind == "steps":
            assert tuple(schema["items"]["enum"]) == knob.choices
        else:
            assert schema["type"] == "boolean"


def test_every_decision_stands_in_it_with_its_features(game):
    policy = scenario_schema(game)["properties"]["policies"]["additionalProperties"]
    assert policy["additionalProperties"] is False
    for decision in game.decisions:
        known = {feature.name for feature in game.features if decision.group in feature.groups}
        for name in (decision.name, decision.group):
            assert set(policy["properties"][name]["properties"]) == known
            assert name in policy["properties"]["noise"]["anyOf"][1]["properties"]


def test_it_is_plain_json_without_null_and_closed_to_unknown_keys(game):
    schema = scenario_schema(game)
    text = json.dumps(schema, allow_nan=False)
    assert '"null"' not in text
    assert "$ref" not in text
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["game"]
    assert schema["properties"]["table"]["additionalProperties"] is False
    assert schema["properties"]["game"]["const"] == game.name


def test_a_table_has_seats_or_a_field_of_a_size_that_can_sit_down(game):
    table = scenario_schema(game)["properties"]["table"]
    assert table["not"] == {"required": ["seats", "field"]}
    seats, field = table["properties"]["seats"], table["properties"]["field"]
    assert (seats["minItems"], seats["maxItems"]) == (min(game.seat_counts), max(game.seat_counts))
    assert (field["minItems"], field["uniqueItems"]) == (min(game.seat_counts), True)
