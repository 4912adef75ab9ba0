"""Rule knobs of any game: from a scenario's `[rules]` table to one checked flat mapping, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.errors import RulesError, key_of, nearest, shown
from analyzer.games.spec import GameSpec, KnobSpec, Rules


def resolve_rules(game: GameSpec, given: Mapping[str, Any], n_seats: int | None = None) -> Rules:
    """Every knob of the game by dotted key, `given` (nested as in a scenario) over the defaults.

    `n_seats` sit at the table; None: as many as the rules say. Raises RulesError naming key, value found, what
    is allowed, and the nearest known name.
    """
    flat = _flatten(game, given)
    rules: dict[str, Any] = {}
    for knob in game.knobs:
        if knob.key in flat:
            rules[knob.key] = _checked(knob, flat[knob.key])
        elif knob.seats and n_seats is not None:
            rules[knob.key] = n_seats
        else:
            rules[knob.key] = knob.default_in(rules)
        if knob.seats and n_seats not in (None, rules[knob.key]):
            raise RulesError(
                f"rules.{knob.key}: {rules[knob.key]}, but the table has {n_seats} seats; "
                "leave it out, or give the table as many"
            )
    game.check_rules(rules)
    return rules


def seats_told(game: GameSpec, given: Mapping[str, Any]) -> int | None:
    """The number of seats that `given` names, if the game has a knob for it; raises as `resolve_rules` does."""
    flat = _flatten(game, given)
    return next((_checked(knob, flat[knob.key]) for knob in game.knobs if knob.seats and knob.key in flat), None)


def nested(rules: Rules) -> dict[str, Any]:
    """Flat rules as the nested table of a scenario file or transcript."""
    table: dict[str, Any] = {}
    for key, value in rules.items():
        *parents, last = key.split(".")
        inner = table
        for parent in parents:
            inner = inner.setdefault(parent, {})
        inner[last] = list(value) if isinstance(value, tuple) else value
    return table


def allowed(knob: KnobSpec) -> str:
    """What a knob accepts, in words."""
    if knob.kind == "int":
        return f"a whole number from {knob.low} to {knob.high}"
    if knob.kind == "bool":
        return "true or false"
    words = ", ".join(f'"{choice}"' if isinstance(choice, str) else str(choice) for choice in knob.choices)
    return f"a list of {words}" if knob.kind == "steps" else f"one of {words}"


def _flatten(game: GameSpec, given: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    known = [knob.key for knob in game.knobs]
    parents = {key.rsplit(".", 1)[0] for key in known if "." in key}
    flat: dict[str, Any] = {}
    for name, value in given.items():
        key = f"{prefix}{name}"
        if "." in name:
            raise RulesError(f"{key_of(('rules', name))}: a key with dots in quotes; write it without quotes")
        if key in known:
            flat[key] = value
        elif key in parents:
            if not isinstance(value, Mapping):
                raise RulesError(f"rules.{key}: {shown(value)} is not a table of knobs")
            flat.update(_flatten(game, value, f"{key}."))
        else:
            where = key_of(("rules", *key.split(".")))
            inside = [other for other in known if other.startswith(prefix)] or known
            raise RulesError(f"{where}: no such knob of {game.title}{nearest(key, known)}; knobs: {', '.join(inside)}")
    return flat


def _checked(knob: KnobSpec, value: Any) -> Any:
    good = False
    if knob.kind == "int":
        good = type(value) is int and knob.low is not None and knob.high is not None and knob.low <= value <= knob.high
    elif knob.kind == "bool":
        good = type(value) is bool
    elif knob.kind == "choice":
        # True equals 1 and so does 1.0, but neither is a seat.
        good = any(type(value) is type(choice) and value == choice for choice in knob.choices)
    else:
        good = isinstance(value, list | tuple) and all(isinstance(step, str) for step in value)
        if good:
            for step in value:
                if step not in knob.choices:
                    raise RulesError(
                        f"rules.{knob.key}: {shown(step)} is not a step{nearest(step, map(str, knob.choices))}; "
                        f"allowed: {allowed(knob)}"
                    )
            return tuple(value)
    if not good:
        hint = nearest(value, map(str, knob.choices)) if isinstance(value, str) and knob.kind == "choice" else ""
        raise RulesError(f"rules.{knob.key}: {shown(value)} is not allowed{hint}; allowed: {allowed(knob)}")
    return value
