"""TOML: text to plain values, and plain values to text that reads back to the same values."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MAX_DOTS = 400
"""Dots in a line. `tomllib` takes time that grows with the square of a dotted key's length, 20 s for 20,000 parts; no
text of a scenario is as long."""


def loads(text: str) -> dict[str, Any]:
    """The document of a TOML text. Raises ValueError where it is none and RecursionError where it is nested too
    deeply."""
    if any(line.count(".") > MAX_DOTS for line in text.split("\n") if not line.lstrip().startswith("#")):
        raise RecursionError("a key of too many parts")
    return tomllib.loads(text)


def dumps(document: Mapping[str, Any]) -> str:
    """A document of texts, numbers, truth values, lists and tables; tables without content are left out."""
    return "\n".join(_lines(document, ())) + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...], *, listed: bool = False) -> Iterator[str]:
    """The lines of a table, `listed`: one of several of the same name."""
    plain = {key: value for key, value in table.items() if not (isinstance(value, Mapping) or _tables(value))}
    if path and (plain or listed):
        name = ".".join(map(_key, path))
        yield ""
        yield f"[[{name}]]" if listed else f"[{name}]"
    for key, value in plain.items():
        yield f"{_key(key)} = {value_text(value)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _lines(value, (*path, key))
        elif _tables(value):
            for inner in value:
                yield from _lines(inner, (*path, key), listed=True)


def _tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if bare else value_text(name)


def value_text(value: Any) -> str:
    """A value as it stands behind its key."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value:_}"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        # JSON's escapes are TOML's; JSON alone lets the delete character stand.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {value_text(inner)}" for key, inner in value.items()) + "}"
    assert isinstance(value, Sequence)
    return f"[{', '.join(map(value_text, value))}]"
