"""Every error that a user can cause or meet. The command line turns them into one line and an exit code."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time

__all__ = [
    "AnalyzerError",
    "ClusterError",
    "ClusterFault",
    "Interrupted",
    "KernelFault",
    "PlaceError",
    "ReportError",
    "RulesError",
    "ScenarioError",
    "TalliesError",
    "key_of",
    "listing",
    "nearest",
    "printable",
    "shortened",
    "shown",
]


class AnalyzerError(Exception):
    """Base of all errors of this package; `exit_code` is what the command line ends with."""

    exit_code = 1


class ScenarioError(AnalyzerError):
    """A scenario file, an override or an option that cannot be used. Nothing was written."""

    exit_code = 2


class RulesError(ScenarioError):
    """Rule knobs that are unknown, out of range, or cannot be played together."""


class TalliesError(AnalyzerError):
    """A checkpoint, or a report's tallies, that cannot be gone on from or joined: missing, damaged, or of another
    run. It was left as it is.
    """

    exit_code = 2


class ClusterError(AnalyzerError):
    """A cluster that cannot be used: a bad address, nobody there, other versions."""

    exit_code = 2


class ClusterFault(AnalyzerError):
    """A cluster that was lost, or failed, while a study played on it."""


class Interrupted(AnalyzerError):
    """Stopped by the user before anything was counted."""

    exit_code = 130


class KernelFault(AnalyzerError):
    """The simulator broke one of its own invariants; names game, seed and unit so that it can be replayed."""


class ReportError(AnalyzerError):
    """The report folder cannot be written; what was there before is whole."""


class PlaceError(ReportError):
    """A place for a report that was refused before anything was played."""

    exit_code = 2


def shown(value: object, length: int = 60) -> str:
    """A value found in a file, as TOML would show it, cut to `length` characters; never fails and is never long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, int) and value.bit_length() > 256:
        return f"a whole number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except ValueError:
        # A list may hold a number of more digits than Python writes out.
        return f"a {type(value).__name__}"
    return shortened(text, length)


def shortened(text: str, length: int = 60) -> str:
    """`text`, cut to `length` characters."""
    return text if len(text) <= length else f"{text[: length - 3]}..."


def printable(text: str) -> str:
    """`text` with escapes for what would steer a terminal or turn the direction of writing."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def key_of(path: Sequence[str | int]) -> str:
    """A key as written in a scenario: `table.seats[1]`; parts that TOML has to quote are quoted, long ones cut."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            bare = part.isascii() and part.replace("_", "").replace("-", "").isalnum()
            name = shortened(part, 40) if bare else repr(shortened(part, 40))
            text += f".{name}" if text else name
    return text


def listing(names: Iterable[str], most: int = 40) -> str:
    """`a, b, c`; of more than `most` names the first ones, and how many are left."""
    names = list(names)
    left = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + left


def nearest(name: str, known: Iterable[str]) -> str:
    """`" (did you mean 'x'?)"` for the closest known name, or an empty string."""
    match = difflib.get_close_matches(str(name), list(known), n=1, cutoff=0.5)
    return f" (did you mean {match[0]!r}?)" if match else ""
