"""Other readings of a game's rules: every knob at every value that its `KnobSpec` names, at two tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analyzer.errors import RulesError, ScenarioError, nearest
from analyzer.games.policy import preset_names
from analyzer.games.registry import game_named
from analyzer.games.spec import GameSpec, KnobSpec, Rules
from analyzer.scenario.idle import played_tables
from analyzer.scenario.load import Draft, Scenario, WhatIf, leaves
from analyzer.scenario.model import checked
from analyzer.scenario.overrides import Override, parse_override

COUNT = 300_000
"""Units at each table."""
BASELINE, FIELD = "baseline", "field"
SETTABLE = ("rules", "policies", "table", "count", "first", "seed", "confidence")


@dataclass(frozen=True)
class Reading:
    """A knob at another value than that in force."""

    knob: KnobSpec
    value: Any
    at: Mapping[str, WhatIf]
    """The change of each table."""

    @property
    def name(self) -> str:
        """`knob = value`."""
        return name_of(self.knob, self.value)


@dataclass(frozen=True)
class LeftOut:
    """A value that is not played, and why."""

    knob: KnobSpec
    value: Any
    reason: str

    @property
    def name(self) -> str:
        """`knob = value`."""
        return name_of(self.knob, self.value)


@dataclass(frozen=True)
class Readings:
    """What is compared with what."""

    tables: Mapping[str, Scenario]
    """The rules in force, at each table; the baseline's has all readings as its what-ifs."""
    readings: tuple[Reading, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def baseline(self) -> Scenario:
        """The default policy in every seat, unless another table was asked for."""
        return self.tables[BASELINE]


def in_words(value: Any) -> str:
    """A knob's value without quotes and brackets."""
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) or "nothing" if isinstance(value, list | tuple) else str(value)


def name_of(knob: KnobSpec, value: Any) -> str:
    """`knob = value`."""
    return f"{knob.key} = {in_words(value)}"


def readings_of(
    game: str, changes: Sequence[str] = (), *, count: int | None = None, seed: int | None = None
) -> Readings:
    """Every reading of a game's rules at the baseline table and in the field of all presets.

    `changes` (`KEY=VALUE`) alter what all readings are compared with: rules and policies at both tables, `table.seats`
    the baseline's, `table.field` the field's. Raises ScenarioError.
    """
    spec = game_named(game)
    given = [*_parsed(changes), *_options(count=count, seed=seed)]
    about = {
        "game": spec.name,
        "title": f"Which unclear rule of {spec.title} matters?",
        "count": COUNT,
    }
    question = f"Which rules of {spec.title} must be settled before any number is believed, and which do not matter?"
    start = Draft(spec.name, f"ambiguity {spec.name}", spec.name, question, about)
    base = _seated(start, [change for change in given if change.path[:2] != ("table", "field")])
    scenario = base.scenario()
    document = {**about, "table": {"field": list(preset_names(spec)), "seating": "rotate"}}
    told = [*given, *_as_many(spec, scenario, given)]
    others = [change for change in told if change.path[:2] != ("table", "seats")]
    field = _seated(replace(start, document=document), others)
    _refuse_unheard(given, (base, field))
    drafts = {BASELINE: base, FIELD: field}
    readings, left_out = _sorted_out(spec, scenario.rules, drafts)
    tables = {
        BASELINE: replace(scenario, what_ifs=tuple(reading.at[BASELINE] for reading in readings)),
        FIELD: field.scenario(),
    }
    return Readings(tables, tuple(readings), tuple(left_out))


def _sorted_out(game: GameSpec, rules: Rules, drafts: Mapping[str, Draft]) -> tuple[list[Reading], list[LeftOut]]:
    readings: list[Reading] = []
    left_out: list[LeftOut] = []
    for knob in game.knobs:
        for value in dict.fromkeys((knob.default_in(rules), *knob.alternatives)):
            if value == rules[knob.key]:
                if value in knob.alternatives:
                    left_out.append(LeftOut(knob, value, "it is in force, and what the other values are compared with"))
                continue
            if knob.seats:
                why = (
                    "another number of seats is another table, and no seat of one is a seat of the other; with "
                    f"--set rules.{knob.key}={in_words(value)} all readings are compared there"
                )
                left_out.append(LeftOut(knob, value, why))
                continue
            path = ("rules", *knob.key.split("."))
            change = Override(path, list(value) if isinstance(value, tuple) else value, name_of(knob, value))
            try:
                at = {name: draft.what_if(name_of(knob, value), [change]) for name, draft in drafts.items()}
            except RulesError as error:
                reason = _unblamed(str(error), [change.label, *_labels(drafts[BASELINE])])
                left_out.append(LeftOut(knob, value, f"it cannot be played with the other rules: {reason}"))
                continue
            readings.append(Reading(knob, value, at))
    return readings, left_out


def _labels(draft: Draft) -> list[str]:
    return [draft.label, *(change.label for change in draft.changes)]


def _unblamed(message: str, labels: Sequence[str]) -> str:
    """An error without the words who is to blame for it."""
    for label in labels:
        message = message.removeprefix(f"{label}: ")
    return message


def _parsed(changes: Sequence[str]) -> Iterator[Override]:
    """A change a key, so that each finds the table it is for."""
    for text in changes:
        change = parse_override(text)
        if change.path[0] not in SETTABLE:
            raise ScenarioError(
                f"{change.label}: {change.key} cannot be set here{nearest(change.path[0], SETTABLE)}; "
                f"keys: {', '.join(SETTABLE)}"
            )
        if isinstance(change.value, dict):
            nested: Any = change.value
            for key in reversed(change.path):
                nested = {key: nested}
            yield from leaves(nested, change.label)
        else:
            yield change


def _options(**numbers: int | None) -> Iterator[Override]:
    for key, number in numbers.items():
        if number is not None:
            yield Override((key,), number, f"the {key} option")


def _as_many(game: GameSpec, baseline: Scenario, given: Sequence[Override]) -> Iterator[Override]:
    """The field's rules name as many seats as the baseline table has."""
    known = {change.path for change in given}
    for knob in game.knobs:
        path = ("rules", *knob.key.split("."))
        if knob.seats and path not in known:
            yield Override(path, len(baseline.seats), "the baseline table")


def _seated(draft: Draft, changes: Sequence[Override]) -> Draft:
    """The draft with the changes, those of policies apart that nobody at its table plays."""
    whole = draft.changed(changes)
    try:
        model = checked(whole.document)
    except ScenarioError:
        # Told where a scenario is made of it, and who is to blame.
        return whole
    game = game_named(model.game)
    used = played_tables(game, model.policies, model.table.seats or model.table.field or [game.default_policy])
    return draft.changed([change for change in changes if change.path[0] != "policies" or {*change.path[1:2]} <= used])


def _refuse_unheard(given: Sequence[Override], drafts: Sequence[Draft]) -> None:
    heard = {change.path for draft in drafts for change in draft.changes}
    for change in given:
        if change.path not in heard:
            raise ScenarioError(
                f"{change.label}: nobody at either table plays {change.path[1]!r}, so this changes nothing"
            )
