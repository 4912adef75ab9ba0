"""Where the text of a scenario comes from: a file, or one that ships with the package."""

from __future__ import annotations

import errno
import os
import stat
import time
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from analyzer.errors import ScenarioError, nearest, shown

SUFFIX = ".toml"
MAX_BYTES = 1_000_000
"""A scenario is written by hand; whatever is larger is something else."""
PATIENCE = 3
"""Seconds that a pipe may be without a writer."""


@dataclass(frozen=True)
class Source:
    """A scenario's text before anything is understood."""

    name: str
    """The file's name without its suffix."""
    label: str
    """What errors call it."""
    text: str
    call: str
    """How a command names it where it lies: a shipped name, or the file's name without its folder."""


@cache
def shipped_names() -> tuple[str, ...]:
    """Names of the scenarios that ship with the package, sorted."""
    entries = resources.files("analyzer.shipped").iterdir()
    return tuple(sorted(entry.name.removesuffix(SUFFIX) for entry in entries if entry.name.endswith(SUFFIX)))


def read_source(source: str | Path) -> Source:
    """The scenario `source`, a path or the name of a shipped one (`./name` reads a file that is named like
    a shipped one).

    Raises ScenarioError when there is none, it cannot be read, or it is no UTF-8 text.
    """
    named = os.fspath(source)
    if isinstance(source, str) and source in shipped_names():
        entry = resources.files("analyzer.shipped").joinpath(source + SUFFIX)
        return Source(source, f"{source}{SUFFIX}", _decoded(entry.read_bytes(), f"{source}{SUFFIX}"), source)
    path = Path(source)
    label = named if named.isprintable() and named else repr(named)
    try:
        if not named or not path.exists():
            raise ScenarioError(_missing(named, label))
        if path.is_dir():
            raise ScenarioError(f"{label}: is a directory; a scenario is a file, one question each")
        data = _read(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ScenarioError(f"{label}: cannot be read: {reason}") from None
    if len(data) > MAX_BYTES:
        raise ScenarioError(f"{label}: more than {MAX_BYTES:,} bytes; this is no scenario")
    # The name becomes a folder's; one of dots alone would lead out of its parent.
    return Source(path.stem.strip(". ") or "scenario", label, _decoded(data, label), path.name)


def _read(path: Path) -> bytes:
    """The file's bytes, one more than allowed at most. A pipe is read to its end; one that nobody writes to is an
    error, where plain reading would wait for ever."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        start = _first_byte(handle) if stat.S_ISFIFO(os.fstat(handle).st_mode) else b""
        os.set_blocking(handle, True)
        return start + file.read(MAX_BYTES + 1 - len(start))


def _first_byte(pipe: int) -> bytes:
    """The first byte of a pipe that does not block, or nothing where its writer is still at work."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            start = os.read(pipe, 1)
        except BlockingIOError:
            return b""
        if start:
            return start
        time.sleep(0.02)
    raise OSError(errno.ETIMEDOUT, f"it is a pipe, and nobody wrote to it for {PATIENCE} seconds")


def question_of(text: str) -> str:
    """The question that a scenario's text opens with: its first comment, up to a line that is none or an
    empty one, in one line; "" without."""
    words: list[str] = []
    for line in text.lstrip().split("\n"):
        if not line.startswith("#") or not line[1:].strip():
            break
        words.extend(line[1:].split())
    # A comment may hold control codes of terminals and marks that turn the direction of writing.
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in " ".join(words))


def _decoded(data: bytes, label: str) -> str:
    try:
        # Some editors open a UTF-8 file with a mark of byte order.
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ScenarioError(
            f"{label}: byte {error.start} ({data[error.start]:#04x}) is not UTF-8; save it as UTF-8 text"
        ) from None


def _missing(named: str, label: str) -> str:
    known = shipped_names()
    if "/" not in named and not named.endswith(SUFFIX):
        return (
            f"no scenario is named {shown(named)}{nearest(named, known)}; "
            f"shipped: {', '.join(known)}; or give a file's path"
        )
    stem = Path(named).name.removesuffix(SUFFIX)
    if stem in known:
        return f"{label}: no such file; the scenario that ships is named {stem!r}"
    return f"{label}: no such file{nearest(stem, known)}"
