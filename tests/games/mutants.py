"""Games with one rule broken on purpose, to see that comparing the engines finds it.

A mutation of the plain-Python game or of the tables that the kernel reads can be looked for where the kernel is
compiled. One of the kernel itself needs a process without compilation, which this file is as a program:
`NUMBA_DISABLE_JIT=1 python mutants.py GAME NUMBER...` compares the engines with each of these mutations in turn and
prints, a line each, what differs first.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import numpy as np

from analyzer.games.registry import game_named
from analyzer.studies.verify import verify

HERE = Path(__file__).parent
RULE_SETS, PLAYS = 100, 24
"""For a mutation of the kernel: 64 deals are played at once, and comparing costs little beside playing uncompiled."""

IMPORTED_ANEW = {
    "reference": ("reference", "verify"),
    "tables": ("setup", "policies", "play", "transcript", "verify"),
    "kernel": ("",),
}
"""Engine -> beginnings of the names of a game's modules that a mutation of it touches. The compiled kernel is costly to
import, and knows nothing of the tables that it is given."""


@dataclass(frozen=True)
class Mutation:
    """One change of a file of a game, and the rule that it breaks."""

    file: str
    """Name in the game's folder without suffix; those of the plain-Python game begin with `reference`."""
    old: str
    """What stands there exactly once."""
    new: str
    rule: str
    slow: bool = False
    """Whether it takes long to find, and is not looked for at every change."""

    @property
    def engine(self) -> str:
        """Where it is: reference, tables or kernel."""
        if self.file.startswith("reference"):
            return "reference"
        return "kernel" if self.file == "kernel" else "tables"


class _Loader(importlib.abc.InspectLoader, importlib.abc.MetaPathFinder):
    """Gives one module another text."""

    def __init__(self, name: str, path: Path, text: str) -> None:
        self._name, self._path, self._text = name, path, text

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        return importlib.util.spec_from_loader(name, self, origin=str(self._path)) if name == self._name else None

    def get_source(self, fullname: str) -> str:
        return self._text


def mutated_text(game: str, mutation: Mutation) -> str:
    """The file after the change; AssertionError with what to do when the old text is not there once."""
    path = _path(game, mutation)
    text = path.read_text("utf-8")
    times = text.count(mutation.old)
    assert times == 1, (
        f"{path.name} of {game}: {mutation.old!r} occurs {times} times, not once, so that this mutation "
        f"({mutation.rule}) changes nothing or too much; write it against what the file says now"
    )
    assert mutation.new != mutation.old
    return text.replace(mutation.old, mutation.new)


def _path(game: str, mutation: Mutation) -> Path:
    spec = importlib.util.find_spec(game_named(game).package)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0]) / f"{mutation.file}.py"


@contextmanager
def mutated(game: str, mutation: Mutation) -> Iterator[None]:
    """The game's modules are imported anew with the change, and are as they were afterwards."""
    package = game_named(game).package
    loader = _Loader(f"{package}.{mutation.file}", _path(game, mutation), mutated_text(game, mutation))
    prefixes = tuple(f"{package}.{part}" for part in IMPORTED_ANEW[mutation.engine])
    before = {name: module for name, module in sys.modules.items() if name.startswith(prefixes)}
    _forget(package, before)
    sys.meta_path.insert(0, loader)
    try:
        yield
    finally:
        sys.meta_path.remove(loader)
        _forget(package, [name for name in sys.modules if name.startswith(prefixes)])
        for name, module in before.items():
            sys.modules[name] = module
            setattr(sys.modules[package], name.removeprefix(f"{package}."), module)


def _forget(package: str, names: Iterable[str]) -> None:
    """A module is also an attribute of its package, which `from package import module` takes first."""
    for name in names:
        del sys.modules[name]
        delattr(sys.modules[package], name.removeprefix(f"{package}."))


@cache
def mutations_of(game: str) -> tuple[Mutation, ...]:
    """The game's list, `GAME/mutations.toml`."""
    listed = tomllib.loads((HERE / game / "mutations.toml").read_text("utf-8"))["mutation"]
    return tuple(Mutation(**each) for each in listed)


def first_difference(game: str, mutation: Mutation | None, rule_sets: int = RULE_SETS) -> str:
    """What verify finds with a mutation, or without; empty when it finds nothing."""
    with mutated(game, mutation) if mutation else nullcontext(), np.errstate(all="ignore"):
        done = verify(game_named(game), rule_sets, PLAYS, 1, lambda done, total: None)
    return "" if done.divergence is None else f"rule set {done.rule_sets}: {'; '.join(done.divergence.differences)}"


if __name__ == "__main__":
    name = sys.argv[1]
    for number in map(int, sys.argv[2:]):
        print(" ".join(first_difference(name, mutations_of(name)[number]).split()), flush=True)
    # None of them may be left behind.
    assert not first_difference(name, None, 1)
