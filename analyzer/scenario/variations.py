"""A scenario at several values of one or two of its keys: `KEY=v1,v2,…`.

A value is written as in an override. Values stand between commas that are in no brackets and no quotes; `1..9` and
`1..9:2` are whole numbers, every one or every second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from analyzer.errors import ScenarioError, shortened, shown
from analyzer.scenario.load import Draft, Scenario, load_draft, refuse_precision
from analyzer.scenario.overrides import Override, parse_override, split_key
from analyzer.scenario.toml import value_text

MAX_VARIATIONS = 400
MAX_KEYS = 2
_RANGE = re.compile(r"([+-]?[0-9]+)\.\.([+-]?[0-9]+)(?::([0-9]+))?", re.ASCII)
_CLOSES = {"[": "]", "{": "}", '"': '"', "'": "'"}


@dataclass(frozen=True)
class Variation:
    """The scenario at one value of each key."""

    values: tuple[Any, ...]
    scenario: Scenario

    @property
    def labels(self) -> tuple[str, ...]:
        """The values as texts."""
        return tuple(value_label(value) for value in self.values)


@dataclass(frozen=True)
class Variations:
    """A scenario, and the same at every combination of values of the keys."""

    base: Scenario
    keys: tuple[str, ...]
    variations: tuple[Variation, ...]
    """Numbers rise; the last key varies fastest."""

    @property
    def numeric(self) -> bool:
        """Whether there is one key, and its values are numbers."""
        return len(self.keys) == 1 and all(is_number(each.values[0]) for each in self.variations)

    @property
    def own(self) -> tuple[Any | None, ...]:
        """What the scenario itself says of each key; None where that is not a rule."""
        return tuple(self.base.rules.get(key.removeprefix("rules.")) for key in self.keys)


def load_variations(
    source: str | Path,
    keys: Sequence[str],
    overrides: Sequence[str] = (),
    *,
    count: int | None = None,
    first: int | None = None,
    seed: int | None = None,
) -> Variations:
    """The scenario (as `load_scenario`) at the values of `keys`, one or two texts `KEY=v1,v2,…`. Raises ScenarioError,
    also for a value that cannot be played.
    """
    if not 0 < len(keys) <= MAX_KEYS:
        raise ScenarioError(f"{len(keys)} keys to vary; allowed: one or two, each written KEY=v1,v2,…")
    lists = [parse_values(text) for text in keys]
    names = tuple(each[0].key for each in lists)
    if len(set(names)) < len(names):
        raise ScenarioError(f"{names[0]}: is varied twice; give all its values at once")
    draft = load_draft(source, overrides, count=count, first=first, seed=seed)
    base = draft.bare().scenario()
    refuse_precision(base, "a sweep")
    wanted = list(product(*lists))
    if len(wanted) > MAX_VARIATIONS:
        raise ScenarioError(f"{len(wanted):,} combinations of values; allowed: at most {MAX_VARIATIONS}")
    return Variations(base, names, tuple(varied(draft, changes) for changes in wanted))


def varied(draft: Draft, changes: Sequence[Override]) -> Variation:
    """One variation. Raises ScenarioError that names the values, also where it cannot be played."""
    name = ", ".join(f"{change.key} = {value_label(change.value)}" for change in changes)
    try:
        made = draft.what_if(name, changes).scenario
    except ScenarioError as error:
        if any(str(error).startswith(change.label) for change in changes):
            raise
        raise type(error)(f"{shortened(name, 200)} cannot be played: {error}") from None
    return Variation(tuple(change.value for change in changes), made)


def parse_values(text: str) -> list[Override]:
    """The values of `KEY=v1,v2,…` as changes, numbers in rising order. Raises ScenarioError."""
    key, values = split_key(text)
    if not key:
        raise ScenarioError(f"{shortened(text)!r} is not KEY=v1,v2,…, such as rules.KNOB=1,2,5 or rules.KNOB=1..9")
    found = [parse_override(f"{key}={value}") for piece in pieces(values) for value in _listed(piece, text)]
    for place, change in enumerate(found):
        if any(_same(change.value, other.value) for other in found[:place]):
            raise ScenarioError(f"{change.key}: the value {shortened(value_label(change.value))} is given twice")
    return sorted(found, key=lambda change: change.value) if all(is_number(each.value) for each in found) else found


def is_number(value: Any) -> bool:
    """Whether it is a whole or a real number."""
    return type(value) in (int, float)


def value_label(value: Any) -> str:
    """A value as text: a word without quotes."""
    return value if isinstance(value, str) else _typed(value)


def _typed(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} = {_typed(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_typed, value))}]"
    return value_text(value) if isinstance(value, str | bool | int | float) else shown(value)


def _same(one: Any, other: Any) -> bool:
    """Whether two values are one; a truth value is no number."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def pieces(text: str) -> Iterator[str]:
    """The text cut at commas outside of brackets and quotes."""
    awaited: list[str] = []
    piece = ""
    for letter in text:
        if letter == "," and not awaited:
            yield piece.strip()
            piece = ""
            continue
        piece += letter
        if awaited and letter == awaited[-1]:
            awaited.pop()
        elif letter in _CLOSES and (not awaited or awaited[-1] not in "\"'"):
            awaited.append(_CLOSES[letter])
    yield piece.strip()


def _listed(piece: str, text: str) -> Iterator[str]:
    """The values of a range, else the piece itself."""
    if not piece:
        raise ScenarioError(f"{shortened(text)!r}: a value is missing before or after a comma")
    found = _RANGE.fullmatch(piece)
    if found is None:
        yield piece
        return
    first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if not step or last < first or (last - first) // step >= MAX_VARIATIONS:
        raise ScenarioError(
            f"{shortened(piece)!r} is no range; allowed: FIRST..LAST or FIRST..LAST:STEP, rising, of at most "
            f"{MAX_VARIATIONS} whole numbers"
        )
    yield from (str(number) for number in range(first, last + 1, step))
