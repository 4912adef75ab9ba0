"""Policies of any game: from a preset file or a scenario's `[policies]` table to a resolved `Policy`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal, cast

from analyzer.errors import ScenarioError, key_of, listing, nearest, shown
from analyzer.games.spec import GameSpec, Policy

WEIGHT_UNIT = 1024
"""Weights are whole numbers of 1/1024, so that no machine breaks a tie differently."""
MAX_WEIGHT = 1_000_000
BLANK = "blank"
"""Base of policies that inherit nothing: all weights 0."""
MAX_CHAIN = 200
MAX_TEXT = 300
MEMORIES = ("perfect", "none", "top_card")
_SETTINGS = ("base", "idea", "origin", "noise", "lapse", "memory")


@cache
def _preset_tables(package: str) -> dict[str, dict[str, Any]]:
    folder = resources.files(package).joinpath("policies")
    files = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda entry: entry.name)
    return {entry.name.removesuffix(".toml"): tomllib.loads(entry.read_text("utf-8")) for entry in files}


def preset_names(game: GameSpec) -> tuple[str, ...]:
    """Names of the policies that ship with a game."""
    return tuple(_preset_tables(game.package))


def resolve_policies(
    game: GameSpec, tables: Mapping[str, Mapping[str, Any]], wanted: Iterable[str]
) -> dict[str, Policy]:
    """The `wanted` policies by name, and every one of `tables`, each resolved through its `base`.

    `tables` is a scenario's `[policies]`; a name there hides the preset of that name, and may be based on
    it. Raises ScenarioError naming the key, what was found, what is allowed and the nearest known name.
    """
    if BLANK in tables:
        raise ScenarioError(f"policies.{BLANK}: this name stands for a policy without weights; choose another")
    presets = _preset_tables(game.package)
    done: dict[str, Policy] = {}

    def resolve(name: str, chain: tuple[str, ...], within: Mapping[str, Any]) -> Policy:
        if name == BLANK:
            return _blank(game)
        # A name based on itself means the preset that it hides; any longer way round is a circle. Presets are based on
        # presets, whatever a scenario calls its own.
        own = name in within and chain[-1:] != (name,)
        if own and name in done:
            return done[name]
        if name in chain and (own or name not in presets):
            circle = f"{len(chain)}: {listing((*chain, name), 9)}"
            raise ScenarioError(f"{key_of(('policies', chain[0]))}: base goes round in a circle of {circle}")
        if len(chain) > MAX_CHAIN:
            first = key_of(("policies", chain[0]))
            raise ScenarioError(f"{first}: more than {MAX_CHAIN} policies, each the base of the one before")
        if not own and name not in presets:
            known = tuple(dict.fromkeys((*within, *presets)))
            raise ScenarioError(f"no policy is named {shown(name)}{nearest(name, known)}; policies: {listing(known)}")
        table = within[name] if own else presets[name]
        where = key_of(("policies", name))
        if not isinstance(table, Mapping):
            raise ScenarioError(f"{where}: {shown(table)} is not a table")
        # A scenario's table under a preset's name changes that preset; under a new name, the default policy.
        base = table.get("base", (name if name in presets else game.default_policy) if own else BLANK)
        if not isinstance(base, str):
            raise ScenarioError(f"{where}.base: {shown(base)} is not the name of a policy")
        policy = _derived(game, name, table, resolve(base, (*chain, name), within if own else {}), where)
        if own:
            done[name] = policy
        return policy

    for name in dict.fromkeys((*tables, *wanted)):
        done[name] = resolve(name, (), tables)
    return done


def policy_table(game: GameSpec, policy: Policy) -> dict[str, Any]:
    """A resolved policy as a scenario's `[policies.<name>]` table; every weight that is not 0, no base."""
    return {
        "base": BLANK,
        "idea": policy.idea,
        "origin": policy.origin,
        "lapse": policy.lapse,
        "memory": policy.memory,
        "noise": {kind: chance for kind, chance in _noise_table(game, policy).items() if chance},
        **{decision: dict(weights) for decision, weights in policy.weights.items() if weights},
    }


def policy_changes(game: GameSpec, old: Policy, new: Policy) -> dict[str, Any]:
    """What a table must say of a policy that plays as `old` for it to play as `new`; empty where they are equal."""
    settings = {key: getattr(new, key) for key in ("idea", "origin", "lapse", "memory")}
    changes = {key: value for key, value in settings.items() if value != getattr(old, key)}
    if new.noise != old.noise:
        changes["noise"] = _noise_table(game, new)
    for decision, weights in new.weights.items():
        before = old.weights[decision]
        moved = {name: weights.get(name, 0.0) for name in (*before, *weights)}
        told = {name: weight for name, weight in moved.items() if weight != before.get(name, 0.0)}
        changes |= {decision: told} if told else {}
    return changes


def _noise_table(game: GameSpec, policy: Policy) -> dict[str, float]:
    """Chances of noise by group where all its decisions have the same, else by decision."""
    table: dict[str, float] = {}
    for group in game.decision_groups:
        chances = {d.name: policy.noise[d.name] for d in game.decisions if d.group == group}
        same = len(set(chances.values())) == 1
        table |= {group: next(iter(chances.values()))} if same else chances
    return table


def _blank(game: GameSpec) -> Policy:
    names = [decision.name for decision in game.decisions]
    return Policy(BLANK, "", "", {name: {} for name in names}, dict.fromkeys(names, 0.0), 0.0, "perfect")


def _derived(game: GameSpec, name: str, table: Mapping[str, Any], parent: Policy, where: str) -> Policy:
    groups = game.decision_groups
    decisions = [decision.name for decision in game.decisions]
    keys = tuple(dict.fromkeys((*groups, *decisions)))
    for key in table:
        if key not in _SETTINGS and key not in keys:
            raise ScenarioError(
                f"{where}.{key_of((key,))}: no such key{nearest(key, (*keys, *_SETTINGS))}; "
                f"decisions: {', '.join(keys)}; settings: {', '.join(_SETTINGS)}"
            )
    weights = {decision: dict(parent.weights[decision]) for decision in decisions}
    # A table for the whole group first, then one for a single decision, whatever their order in the file.
    for single in (False, True):
        for decision in game.decisions:
            key = decision.name if single else decision.group
            if key in table and (not single or decision.name != decision.group):
                weights[decision.name].update(_weights(game, decision.group, table[key], f"{where}.{key}"))
    clean = {decision: {f: w for f, w in sorted(ws.items()) if w} for decision, ws in weights.items()}
    return Policy(
        name=name,
        idea=_text(table, "idea", parent.idea, where),
        origin=_text(table, "origin", parent.origin, where),
        weights=clean,
        noise=_noise(game, table["noise"], parent.noise, where) if "noise" in table else dict(parent.noise),
        lapse=_lapse(game, table["lapse"], f"{where}.lapse") if "lapse" in table else parent.lapse,
        memory=_memory(table["memory"], f"{where}.memory") if "memory" in table else parent.memory,
    )


def _text(table: Mapping[str, Any], key: str, default: str, where: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise ScenarioError(f"{where}.{key}: {shown(value)} is not a text")
    line = " ".join(value.split())
    if not line.isprintable() or len(line) > MAX_TEXT:
        raise ScenarioError(
            f"{where}.{key}: {shown(value)} is not allowed; allowed: a printable text of at most {MAX_TEXT} characters"
        )
    return line


def _weights(game: GameSpec, group: str, given: Any, where: str) -> dict[str, float]:
    if not isinstance(given, Mapping):
        raise ScenarioError(f"{where}: {shown(given)} is not a table of weights")
    known = [feature.name for feature in game.features if group in feature.groups]
    for feature, weight in given.items():
        if feature not in known:
            raise ScenarioError(
                f"{where}.{key_of((feature,))}: no such feature of this decision{nearest(feature, known)}; "
                f"features: {', '.join(known)}"
            )
        # abs() of a huge whole number compares exactly, where float() of it would overflow.
        if type(weight) not in (int, float) or not abs(weight) <= MAX_WEIGHT:
            raise ScenarioError(
                f"{where}.{feature}: {shown(weight)} is not allowed; "
                f"allowed: a number from -{MAX_WEIGHT} to {MAX_WEIGHT}"
            )
        # A weight that vanished would be a feature that its author believes in and nobody weighs.
        if weight and not round(weight * WEIGHT_UNIT):
            raise ScenarioError(
                f"{where}.{feature}: {shown(weight)} is not allowed: weights are whole numbers of 1/{WEIGHT_UNIT}, "
                f"so it would count as 0; allowed: 0, or at least {1 / WEIGHT_UNIT:.3g} either way"
            )
    return {feature: round(weight * WEIGHT_UNIT) / WEIGHT_UNIT for feature, weight in given.items()}


def _chance(value: Any, where: str) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise ScenarioError(f"{where}: {shown(value)} is not allowed; allowed: a chance from 0 to 1")
    # Adding 0 turns the negative zero into the plain one, so that equal policies have one digest.
    return float(value) + 0.0


def _lapse(game: GameSpec, value: Any, where: str) -> float:
    chance = _chance(value, where)
    if chance and not game.lapses:
        raise ScenarioError(
            f"{where}: {shown(value)} is not allowed; nothing can be overlooked in {game.title}; allowed: 0"
        )
    return chance


def _noise(game: GameSpec, value: Any, parent: Mapping[str, float], where: str) -> dict[str, float]:
    where = f"{where}.noise"
    if not isinstance(value, Mapping):
        return dict.fromkeys(parent, _chance(value, where))
    singles = (decision.name for decision in game.decisions if decision.group not in game.whole_noise)
    keys = tuple(dict.fromkeys((*game.decision_groups, *singles)))
    for key in value:
        if key not in keys:
            raise ScenarioError(
                f"{where}.{key_of((key,))}: no such kind of decision{nearest(key, keys)}; kinds: {', '.join(keys)}"
            )
    noise = dict(parent)
    for single in (False, True):
        for decision in game.decisions:
            key = decision.name if single else decision.group
            if key in value and key in keys:
                noise[decision.name] = _chance(value[key], f"{where}.{key}")
    return noise


def _memory(value: Any, where: str) -> Literal["perfect", "none", "top_card"] | float:
    if isinstance(value, str) and value in MEMORIES:
        return cast(Literal["perfect", "none", "top_card"], value)
    if type(value) in (int, float) and 0 <= value <= 1:
        return float(value) + 0.0
    hint = nearest(value, MEMORIES) if isinstance(value, str) else ""
    raise ScenarioError(
        f"{where}: {shown(value)} is not allowed{hint}; "
        f"allowed: {', '.join(map(repr, MEMORIES))}, or a chance from 0 to 1 that each "
        "discard by another is remembered"
    )
