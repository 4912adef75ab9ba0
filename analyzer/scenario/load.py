"""From a scenario file to a scenario that can be played: everything checked, nothing left to inherit."""

from __future__ import annotations

import hashlib
import json
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Any

from analyzer.errors import ScenarioError, key_of, listing, nearest, shortened, shown
from analyzer.games.knobs import nested, resolve_rules, seats_told
from analyzer.games.policy import BLANK, policy_changes, policy_table, preset_names, resolve_policies
from analyzer.games.registry import game_named
from analyzer.games.spec import GameSpec, Given, Policy, Rules, Table
from analyzer.scenario.given import resolve_given
from analyzer.scenario.idle import played_tables, refuse_idle
from analyzer.scenario.model import MAX_TITLE, ScenarioModel, checked, how_long
from analyzer.scenario.overrides import Override, apply_overrides, parse_override
from analyzer.scenario.seating import build_table, listed
from analyzer.scenario.source import question_of, read_source
from analyzer.scenario.toml import dumps, loads, value_text

MAX_DEPTH = 12
MAX_LABEL = 40


@dataclass(frozen=True)
class WhatIf:
    """A change of a scenario, to be compared with it on the same deals."""

    name: str
    set: Mapping[str, Any] = field(compare=False)
    """What changes: dotted key -> value."""
    scenario: Scenario
    """The scenario with the change."""


@dataclass(frozen=True)
class Scenario:
    """A question ready to be played."""

    name: str = field(compare=False)
    """The file's name without its suffix; the default name of the report's folder."""
    question: str
    """The file's first comment, in one line."""
    title: str
    game: GameSpec
    count: int
    """Units: deals or matches; at most, with `precision`."""
    first: int
    """Number of the first of them."""
    seed: int
    confidence: float
    rules: Rules
    """Every knob by dotted key."""
    listing: tuple[str, ...]
    """Names of policies as listed: one for every seat, or those of a field."""
    table: Table
    what_ifs: tuple[WhatIf, ...] = ()
    given: Given = ()
    precision: float | None = None
    """Half-width of every win share at which to end; None: `count` units are played."""
    idle: tuple[str, ...] = field(default=(), compare=False)
    """Policies of the file on which nobody at the table depends."""
    call: tuple[str, ...] = field(default=(), compare=False)
    """Words of a command line that name it: its file, and what was changed from outside."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Labels of the seats, in order of play."""
        return self.game.seats(len(self.table.arrangements[0][0]))

    def changed_rules(self) -> dict[str, tuple[Any, Any]]:
        """Knobs that differ from their default: key -> (value, default). The table's size is no change."""
        changed = {}
        for knob in self.game.knobs:
            default = knob.default_in(self.rules)
            if self.rules[knob.key] != default and not knob.seats:
                changed[knob.key] = (self.rules[knob.key], default)
        return changed

    def given_texts(self) -> dict[str, str]:
        """What seats are dealt for sure, as `[given]` says it."""
        return self.game.deal.texts(self.given, self.seats)

    def digest(self) -> str:
        """SHA-256 over all that the numbers depend on, the game's `stream` included; title and question are
        not among it."""
        content = {
            "game": self.game.name,
            "stream": self.game.stream,
            "count": self.count,
            "first": self.first,
            "seed": self.seed,
            "confidence": self.confidence,
            "rules": self.rules,
            "policies": [[policy.name, _numbers(policy)] for policy in self.table.policies],
            "arrangements": self.table.arrangements,
            "seating": self.table.seating,
            # Named only where there is some, so that older reports keep their digest.
            **({"given": self.given_texts()} if self.given else {}),
            **({} if self.precision is None else {"precision": self.precision}),
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def lists(self) -> dict[str, list[str]]:
        """`seats` or `field` of the table, as a file would list them."""
        return {"seats" if len(self.listing) == len(self.seats) else "field": list(self.listing)}

    def ending(self) -> dict[str, Any]:
        """What a file says of when a run ends."""
        if self.precision is None:
            return {"count": self.count}
        return {"precision": self.precision, "max_count": self.count}

    def to_toml(self) -> str:
        """The scenario as a file that names every knob and weight and loads to an equal scenario."""
        comment = textwrap.wrap(self.question, 98, break_long_words=False, break_on_hyphens=False)
        document = {
            "game": self.game.name,
            "title": self.title,
            **self.ending(),
            "first": self.first,
            "seed": self.seed,
            "confidence": self.confidence,
            "rules": nested(self.rules),
            "given": self.given_texts(),
            "policies": {policy.name: policy_table(self.game, policy) for policy in self.table.policies},
            "table": {**self.lists(), "seating": self.table.seating},
        }
        if self.what_ifs:
            document["what_if"] = [{"name": each.name, **_told(self, each.scenario)} for each in self.what_ifs]
        return "".join(f"# {line}\n" for line in comment) + dumps(document)


def load_scenario(
    source: str | Path,
    overrides: Sequence[str] = (),
    *,
    count: int | None = None,
    first: int | None = None,
    seed: int | None = None,
    precision: float | None = None,
) -> Scenario:
    """The scenario of a file's path or of a shipped name; `overrides` (`KEY=VALUE`, see `overrides.py`),
    `count`, `first`, `seed` and `precision` take the place of what it says; with `precision`, `count` is the most.

    Raises ScenarioError (RulesError for knobs): one line with file, key, what was found, what is allowed and
    the nearest known name.
    """
    return load_draft(source, overrides, count=count, first=first, seed=seed, precision=precision).scenario()


def refuse_precision(scenario: Scenario, what: str) -> None:
    """Raise ScenarioError if the scenario says no number of units, for a study that needs one."""
    if scenario.precision is not None:
        raise ScenarioError(
            f"{scenario.name}: precision: {what} plays a number fixed beforehand; say how many with -n (count)"
        )


def load_what_if(
    source: str | Path,
    changes: Sequence[str] = (),
    base: Sequence[str] = (),
    *,
    count: int | None = None,
    first: int | None = None,
    seed: int | None = None,
) -> Scenario:
    """As `load_scenario` with the overrides `base`, and with one what-if made of `changes` in place of those of the
    file, if there are any.
    """
    draft = load_draft(source, base, count=count, first=first, seed=seed)
    if not changes:
        return draft.scenario()
    change = draft.what_if(", ".join(changes), [parse_override(text) for text in changes])
    return replace(draft.bare().scenario(), what_ifs=(change,))


@dataclass(frozen=True)
class Draft:
    """A scenario's document, read once, from which it and its variations are made."""

    name: str
    label: str
    """What errors call the file."""
    call: str
    """How a command names the file."""
    question: str
    document: Mapping[str, Any]
    changes: tuple[Override, ...] = ()
    """What is already changed in the document."""

    def changed(self, changes: Sequence[Override]) -> Draft:
        """The draft with these changes. Raises ScenarioError."""
        document = deepcopy(dict(self.document))
        apply_overrides(document, changes)
        return replace(self, document=document, changes=(*self.changes, *changes))

    def bare(self) -> Draft:
        """The draft without its what-ifs, for whoever does not ask them: an override may leave one without sense."""
        return replace(self, document={key: value for key, value in self.document.items() if key != "what_if"})

    def scenario(self) -> Scenario:
        """The draft as a scenario with its what-ifs, checked and resolved. Raises ScenarioError."""
        try:
            _screen(self.document, ())
            model = checked(self.document)
            scenario = _resolved(model, self.name, self.question)
            refuse_idle(
                scenario.game, model.policies, [policy.name for policy in scenario.table.policies], self.changes
            )
        except ScenarioError as error:
            raise type(error)(f"{_blamed(str(error), self.label, self.changes)}: {error}") from None
        changes = {change.key: change.value for change in self.changes if change.key not in ("count", "first")}
        call = (self.call, *(f"--set={key}={value_text(value)}" for key, value in changes.items()))
        return replace(scenario, what_ifs=tuple(self._what_ifs(model)), call=call)

    def _what_ifs(self, model: ScenarioModel) -> Iterator[WhatIf]:
        names = [table.name for table in model.what_if]
        for index, table in enumerate(model.what_if):
            where = f"what_if[{index}]"
            if not table.name.isprintable() or not table.name.strip() or table.name in names[:index]:
                raise ScenarioError(
                    f"{self.label}: {where}.name: {shown(table.name)} is not allowed; allowed: a line of printable "
                    "text that no other what_if has"
                )
            parts = {part: getattr(table, part) for part in ("rules", "policies", "table")}
            yield self.what_if(table.name, list(leaves(parts, f"{self.label}: {where}")))

    def what_if(self, name: str, changes: Sequence[Override]) -> WhatIf:
        """A change of the draft, under a name. Raises ScenarioError, also for what no what-if can change."""
        for change in changes:
            if change.path[0] not in ("rules", "policies", "table"):
                raise ScenarioError(
                    f"{change.label}: {change.key} cannot be what changes: both sides are played on the same deals; "
                    "keys: rules, policies, table"
                )
        told = {change.key: change.value for change in changes}
        return WhatIf(name, told, self.bare().changed(changes).scenario())


def _told(scenario: Scenario, changed: Scenario) -> dict[str, Any]:
    """What a what-if of the resolved scenario must say."""
    known = {policy.name: policy for policy in scenario.table.policies}
    policies = {
        policy.name: policy_changes(scenario.game, known[policy.name], policy)
        if policy.name in known
        else policy_table(scenario.game, policy)
        for policy in changed.table.policies
    }
    seating = changed.table.seating
    table = changed.lists() if changed.listing != scenario.listing else {}
    return {
        "rules": nested({key: value for key, value in changed.rules.items() if value != scenario.rules[key]}),
        "policies": policies,
        "table": {**table, **({"seating": seating} if seating != scenario.table.seating else {})},
    }


def leaves(table: Mapping[str, Any], label: str) -> Iterator[Override]:
    """A change for every value in a nested table."""

    def within(inner: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Override]:
        for key, value in inner.items():
            if isinstance(value, Mapping):
                yield from within(value, (*path, key))
            else:
                yield Override((*path, key), value, label)

    yield from within(table, ())


def read_draft(source: str | Path) -> Draft:
    """The document of a file's path or of a shipped name. Raises ScenarioError when it is no TOML."""
    origin = read_source(source)
    return Draft(origin.name, origin.label, origin.call, question_of(origin.text), _parsed(origin.text, origin.label))


def load_draft(
    source: str | Path,
    overrides: Sequence[str] = (),
    *,
    count: int | None = None,
    first: int | None = None,
    seed: int | None = None,
    precision: float | None = None,
) -> Draft:
    """The document of `load_scenario`, of which also variations can be made."""
    changes = [parse_override(text) for text in overrides]
    most = precision is not None or any(change.path == ("precision",) for change in changes)
    for option, key, number in (
        ("count", "max_count" if most else "count", count),
        ("first", "first", first),
        ("seed", "seed", seed),
        ("precision", "precision", precision),
    ):
        if number is not None:
            changes.append(Override((key,), number, f"the {option} option"))
    return read_draft(source).changed(changes)


def _parsed(text: str, label: str) -> dict[str, Any]:
    try:
        return loads(text)
    except TOMLDecodeError as error:
        reason = str(error)
        if "(at end of document)" in reason:
            lines = text.rstrip().count("\n") + 1
            reason = reason.replace("at end of document", f"at line {lines}, where the file ends")
        raise ScenarioError(f"{label}: not TOML: {reason}") from None
    except RecursionError:
        raise ScenarioError(f"{label}: is nested too deeply; allowed: {MAX_DEPTH} levels") from None
    except ValueError:
        # Python refuses to read whole numbers of more than some thousand digits.
        raise ScenarioError(f"{label}: holds a number of too many digits; allowed: 64-bit numbers") from None


def _screen(value: Any, path: tuple[str | int, ...]) -> None:
    """Refuse what no key can hold, so that later checks may print and compare what they find."""
    if len(path) > MAX_DEPTH:
        raise ScenarioError(f"{key_of(path[:3])}: is nested too deeply; allowed: {MAX_DEPTH} levels")
    if isinstance(value, dict):
        for key, inner in value.items():
            _screen(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _screen(inner, (*path, index))
    elif isinstance(value, int) and value.bit_length() > 64:
        bits = value.bit_length()
        raise ScenarioError(f"{key_of(path)}: a whole number of {bits} bits; allowed: 64 bits")
    elif isinstance(value, float) and not math.isfinite(value):
        raise ScenarioError(f"{key_of(path)}: {value} is not allowed; allowed: finite numbers")
    elif isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ScenarioError(f"{key_of(path)}: {shown(value)} is not Unicode text")


def _resolved(model: ScenarioModel, name: str, question: str) -> Scenario:
    game = _game(model.game)
    told = seats_told(game, model.rules) or game.seat_counts[-1]
    names = listed(game, model.table, told)
    n_seats = told if model.table.seats is None else len(names)
    rules = resolve_rules(game, model.rules, n_seats)
    _check_names(game, model, names)
    policies = resolve_policies(game, model.policies, names)
    table = build_table(names, n_seats, model.table.seating, policies)
    count, precision = how_long(model)
    if precision is not None:
        # Line-ups that take turns have their one share after whole cycles.
        cycle = len(table.arrangements)
        count = count // cycle * cycle or count
    used = played_tables(game, model.policies, names)
    return Scenario(
        name=name,
        question=question,
        title=_title(model.title, name),
        game=game,
        count=count,
        precision=precision,
        first=model.first,
        seed=model.seed,
        confidence=float(model.confidence),
        rules=rules,
        listing=names,
        table=table,
        given=resolve_given(game, model.given, n_seats, rules),
        idle=tuple(name for name in model.policies if name not in used),
    )


def _game(name: str) -> GameSpec:
    try:
        return game_named(name)
    except ScenarioError as error:
        raise ScenarioError(f"game: {error}") from None


def _title(title: str | None, name: str) -> str:
    if title is None:
        return name if name.isprintable() else shortened(ascii(name), MAX_TITLE)
    if not title.isprintable() or not title.strip():
        raise ScenarioError(f"title: {shown(title)} is not allowed; allowed: a line of printable text")
    return title


def _check_names(game: GameSpec, model: ScenarioModel, names: Sequence[str]) -> None:
    for name in model.policies:
        if not name.isprintable() or name != name.strip() or not 0 < len(name) <= MAX_LABEL:
            raise ScenarioError(
                f"policies: {shown(name)} is no name for a policy; allowed: 1 to {MAX_LABEL} printable "
                "characters, no space at either end"
            )
    known = tuple(dict.fromkeys((*model.policies, *preset_names(game))))
    key = "table.seats" if model.table.seats is not None else "table.field"
    used = [(f"{key}[{index}]", name) for index, name in enumerate(names)]
    for policy, table in model.policies.items():
        base = table.get("base")
        if isinstance(base, str) and base != BLANK:
            used.append((key_of(("policies", policy, "base")), base))
    for where, name in used:
        if name not in known:
            raise ScenarioError(
                f"{where}: no policy is named {shown(name)}{nearest(name, known)}; policies: {listing(known)}"
            )


def _blamed(message: str, label: str, changes: Sequence[Override]) -> str:
    """Who wrote the key that a message opens with: the file, or an override."""
    for change in changes:
        for key in (change.key, ".".join(change.path)):
            rest = message.removeprefix(key)
            if rest != message and rest[:1] in (":", ".", "["):
                return change.label
    return label


def _numbers(policy: Policy) -> dict[str, Any]:
    return {
        "lapse": policy.lapse,
        "memory": policy.memory,
        "noise": {decision: chance for decision, chance in policy.noise.items() if chance},
        **{decision: dict(weights) for decision, weights in policy.weights.items() if weights},
    }
