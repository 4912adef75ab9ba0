"""JSON Schema of a game's scenario files, for editors and other programs."""

from __future__ import annotations

from typing import Any

from analyzer.games.knobs import nested
from analyzer.games.policy import BLANK, MAX_WEIGHT, MEMORIES, preset_names
from analyzer.games.spec import GameSpec, KnobSpec
from analyzer.scenario.load import MAX_LABEL
from analyzer.scenario.model import ScenarioModel

_CHANCE = {"type": "number", "minimum": 0, "maximum": 1}


def scenario_schema(game: GameSpec) -> dict[str, Any]:
    """The schema (draft 2020-12): the shape of the file, every knob with range, choices and default, every
    decision of a policy with its features."""
    schema = ScenarioModel.model_json_schema()
    models = schema.pop("$defs")
    table = {**models["TableModel"], "not": {"required": ["seats", "field"]}}
    what_if = models["WhatIfModel"]
    keys: dict[str, Any] = schema["properties"]
    keys["game"] = {"const": game.name, "description": game.title}
    keys["rules"] = _described(keys["rules"], _tree(nested({knob.key: _knob(knob) for knob in game.knobs})))
    keys["given"] = _described(keys["given"], _given(game))
    keys["policies"] = _described(keys["policies"], _policies(game))
    keys["table"] = _described(keys["table"], table)
    inner = {
        part: {**keys[part], "description": key["description"]}
        for part, key in what_if["properties"].items()
        if part in keys
    }
    what_if["properties"].update(inner)
    keys["what_if"]["items"] = what_if
    for part in (schema, table):
        for name, key in part["properties"].items():
            part["properties"][name] = _without_null(key)
    table["properties"]["seats"].update(minItems=min(game.seat_counts), maxItems=max(game.seat_counts))
    table["properties"]["field"].update(minItems=min(game.seat_counts), uniqueItems=True)
    schema["not"] = {"required": ["count", "precision"]}
    schema["dependentRequired"] = {"max_count": ["precision"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": f"{game.title} scenario",
    }


def _without_null(key: dict[str, Any]) -> dict[str, Any]:
    """TOML has no null: a key that is not given is left out."""
    if "anyOf" not in key:
        return key
    (given,) = (option for option in key["anyOf"] if option["type"] != "null")
    return {**given, "description": key["description"]}


def _described(key: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": key["description"], **schema}


def _tree(table: dict[str, Any]) -> dict[str, Any]:
    """Knobs as nested tables; a leaf is a schema already, known by its description."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            name: inner if isinstance(inner.get("description"), str) else _tree(inner) for name, inner in table.items()
        },
    }


def _knob(knob: KnobSpec) -> dict[str, Any]:
    schema: dict[str, Any] = {"description": knob.text}
    if knob.kind == "int":
        schema.update(type="integer", minimum=knob.low, maximum=knob.high)
    elif knob.kind == "bool":
        schema.update(type="boolean")
    elif knob.kind == "choice":
        schema.update(enum=list(knob.choices))
    else:
        schema.update(type="array", items={"enum": list(knob.choices)})
    if knob.derived_text:
        schema["description"] += f" Default: {knob.derived_text}."
    else:
        schema["default"] = list(knob.default) if isinstance(knob.default, tuple) else knob.default
    return schema


def _given(game: GameSpec) -> dict[str, Any]:
    word = game.deal.word
    text = {
        "type": "string",
        "description": f"Names of {word}s, separated by spaces: {', '.join(game.deal.names)}.",
        "examples": [" ".join(game.deal.names[-2:])],
    }
    seats = game.seats(max(game.seat_counts))
    return {"type": "object", "additionalProperties": False, "properties": dict.fromkeys(seats, text)}


def _policies(game: GameSpec) -> dict[str, Any]:
    weights: dict[str, Any] = {}
    kinds: dict[str, str] = {}
    for decision in game.decisions:
        kinds.setdefault(decision.group, f"All decisions of the kind {decision.group}.")
        kinds[decision.name] = decision.text
        for name in (decision.group, decision.name):
            weights[name] = {
                "description": kinds[name],
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    feature.name: {
                        "type": "number",
                        "minimum": -MAX_WEIGHT,
                        "maximum": MAX_WEIGHT,
                        "description": feature.text,
                    }
                    for feature in game.features
                    if decision.group in feature.groups
                },
            }
    noise = {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: {**_CHANCE, "description": text} for name, text in kinds.items()},
    }
    policy = {
        "base": {
            "type": "string",
            "description": f"The policy whose weights hold where none are given: one of this file, {BLANK} "
            f"(all weights 0) or {', '.join(preset_names(game))}.",
            "default": game.default_policy,
        },
        "idea": {"type": "string", "description": "What it tries, in a line."},
        "origin": {"type": "string", "description": "Where it comes from, in a line."},
        "noise": {
            "description": "Chance of a random legal move instead, for all decisions or by kind.",
            "anyOf": [_CHANCE, noise],
        },
        "lapse": {**_CHANCE, "description": "Chance to overlook what must be played."},
        "memory": {
            "description": "What it remembers of the others' discards: all, nothing, the top one, or each "
            "with a chance.",
            "anyOf": [{"enum": list(MEMORIES)}, _CHANCE],
        },
    }
    return {
        "type": "object",
        "propertyNames": {"minLength": 1, "maxLength": MAX_LABEL, "not": {"const": BLANK}},
        "additionalProperties": {
            "type": "object",
            "additionalProperties": False,
            "properties": {**policy, **weights},
        },
    }
