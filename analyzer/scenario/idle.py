"""What a scenario says about policies to no effect: nobody plays them, or something nearer to the seats says
otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from analyzer.errors import ScenarioError, key_of, listing, nearest
from analyzer.games.policy import BLANK, preset_names, resolve_policies
from analyzer.games.spec import GameSpec
from analyzer.scenario.overrides import Override

Tables = Mapping[str, Mapping[str, Any]]
_ONE, _TWO = "\0one", "\0two"
"""Names that no scenario can give."""


def played_tables(game: GameSpec, tables: Tables, seated: Sequence[str]) -> set[str]:
    """Which of a scenario's `[policies]` sit at the table or are the base of one that does."""
    presets, used = preset_names(game), set[str]()
    for name in seated:
        while name in tables and name not in used:
            used.add(name)
            name = tables[name].get("base", name if name in presets else game.default_policy)
    return used


def refuse_idle(game: GameSpec, tables: Tables, seated: Sequence[str], changes: Sequence[Override]) -> None:
    """Raise ScenarioError for an override of a policy that would be dropped in silence; `tables` are the scenario's
    policies with the overrides in place."""
    used = played_tables(game, tables, seated)
    for change in changes:
        if change.path[0] != "policies":
            continue
        for path in _leaves(change.path, change.value):
            if len(path) > 1 and path[1] not in used:
                raise ScenarioError(
                    f"{key_of(path)}: nobody at the table plays {path[1]!r}, so this changes nothing"
                    f"{nearest(path[1], seated)}; at the table: {listing(seated)}"
                )
            if len(path) > 2 and not _matters(game, tables, seated, path):
                raise ScenarioError(
                    f"{key_of(path)}: changes nothing, because whoever is based on it says otherwise, "
                    f"or every single decision of the kind does; at the table: {listing(seated)}"
                )


def _leaves(path: tuple[str, ...], value: Any) -> Iterator[tuple[str, ...]]:
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves((*path, key), inner)
    else:
        yield path


def _matters(game: GameSpec, tables: Tables, seated: Sequence[str], path: tuple[str, ...]) -> bool:
    """Whether two different values in this place of a policy make a difference to anybody seated."""
    first, second = _different(game, path[2:])
    one, two = (resolve_policies(game, _with(tables, path, value), seated) for value in (first, second))
    return first == second or any(one[name] != two[name] for name in seated)


def _different(game: GameSpec, key: tuple[str, ...]) -> tuple[Any, Any]:
    """Two values that a key of a policy may have, as different as can be; the same twice where there is one only."""
    if key == ("base",):
        return _ONE, _TWO
    if key[0] in ("idea", "origin"):
        return "one", "two"
    if key == ("lapse",):
        return 0, int(game.lapses)
    if key[0] in ("noise", "memory"):
        return 0, 1
    if len(key) == 2:
        return 1, 2
    group = next(decision.group for decision in game.decisions if key[0] in (decision.name, decision.group))
    feature = next(feature.name for feature in game.features if group in feature.groups)
    return {feature: 1}, {feature: 2}


def _with(tables: Tables, path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """The tables with another value in one place, and two policies that differ in all that a base hands on."""
    changed: dict[str, Any] = deepcopy(dict(tables))
    inner = changed
    for part in path[1:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    for name, number in ((_ONE, 0), (_TWO, 1)):
        changed[name] = {"base": BLANK, "idea": name.strip("\0"), "noise": number, "memory": number}
    return changed
