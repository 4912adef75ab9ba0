"""Changes to a scenario from outside the file: `KEY=VALUE`, any key of the file, dotted.

VALUE is TOML; what is no TOML is taken as a bare word, so that `rules.caught=penalty` needs no quotes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.errors import ScenarioError, key_of, shortened, shown
from analyzer.scenario.toml import loads


@dataclass(frozen=True)
class Override:
    """One change."""

    path: tuple[str, ...]
    value: Any
    label: str
    """What errors call it."""

    @property
    def key(self) -> str:
        """The key as written in the file."""
        return key_of(self.path)


def parse_override(text: str) -> Override:
    """An override from `KEY=VALUE`. Raises ScenarioError when it is none."""
    label = f"override {shortened(text)!r}"
    key, value = split_key(text)
    if not key:
        raise ScenarioError(f"{label}: is not KEY=VALUE, such as count=1000 or table.seating=rotate")
    return Override(_path(key, label), _value(value.strip(), label), label)


def split_key(text: str) -> tuple[str, str]:
    """What stands before the equals sign and what behind; no key where there is none."""
    key, equals, value = text.partition("=")
    # A quoted key may hold an equals sign.
    while equals and key.count('"') % 2:
        more, equals, value = value.partition("=")
        key = f"{key}={more}"
    return (key, value) if equals and key.strip() and key.isprintable() else ("", "")


def apply_overrides(document: dict[str, Any], overrides: Sequence[Override]) -> None:
    """Write the overrides into `document`, modified in place. Raises ScenarioError when two contradict each
    other or one would go through something that is no table."""
    _refuse_twice(overrides)
    changed = {override.path for override in overrides}
    for one, other in (("seats", "field"), ("field", "seats")):
        # Whoever names the one from outside means it instead of the file's other.
        table = document.get("table")
        if ("table", one) in changed and ("table", other) not in changed and isinstance(table, dict):
            table.pop(other, None)
    if ("precision",) in changed and ("count",) not in changed:
        document.pop("count", None)
    if ("count",) in changed and ("precision",) not in changed:
        for key in ("precision", "max_count"):
            document.pop(key, None)
    for override in overrides:
        inner = document
        for depth, part in enumerate(override.path[:-1], 1):
            inner = inner.setdefault(part, {})
            if not isinstance(inner, dict):
                raise ScenarioError(f"{override.label}: {key_of(override.path[:depth])} is {shown(inner)}, not a table")
        inner[override.path[-1]] = override.value


def _refuse_twice(overrides: Iterable[Override]) -> None:
    seen: list[Override] = []
    for override in overrides:
        for other in seen:
            length = min(len(other.path), len(override.path))
            if other.path[:length] == override.path[:length]:
                raise ScenarioError(f"{override.key}: is given twice, by {other.label} and {override.label}")
        seen.append(override)


def _path(key: str, label: str) -> tuple[str, ...]:
    try:
        inner: Any = loads(f"{key} = 0")
    except (ValueError, RecursionError):
        raise ScenarioError(f"{label}: {shortened(key)!r} is not a key") from None
    path: list[str] = []
    while isinstance(inner, dict):
        if len(inner) != 1:
            raise ScenarioError(f"{label}: {shortened(key)!r} is not one key")
        ((part, inner),) = inner.items()
        path.append(part)
    return tuple(path)


def _value(text: str, label: str) -> Any:
    try:
        parsed = loads(f"value = {text}")
    except (ValueError, RecursionError) as error:
        if not text or text[0] in "\"'[{":
            raise ScenarioError(f"{label}: {shortened(text)!r} is not a value: {error}") from None
        return text
    return parsed["value"] if len(parsed) == 1 else text
