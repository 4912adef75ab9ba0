"""What is played: a pure function of a range of units, whoever plays it and in how many pieces."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import KernelFault
from analyzer.games.registry import game_named
from analyzer.games.spec import GameSpec, Given, Policy, Rules, Table

Arrays = tuple[NDArray[np.int64], ...]
Named = dict[str, NDArray[Any]]
Keep = Callable[[int, NDArray[np.void]], None]
"""Told the first unit and the records (units, plays) of a block, from any thread."""


class Work(Protocol):
    """Units are numbered; playing a range of them gives arrays of whole numbers, which add up over ranges."""

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Shapes of the arrays."""

    @property
    def plays(self) -> int:
        """Plays in a unit: how long a unit takes."""

    @property
    def unit_bound(self) -> int:
        """No sum grows by more with one unit, in absolute value."""

    @property
    def best(self) -> int:
        """How many of the arrays, the last ones, are lists of extreme units instead of sums (`result.Best`)."""

    def play(self, first: int, count: int) -> Arrays:
        """Sums over units first ... first + count - 1. May be called from several threads. Raises KernelFault."""

    def named(self, arrays: Sequence[NDArray[Any]]) -> tuple[Named, Named]:
        """The arrays by counter name: grouped (64, *axes) and plain (*axes)."""

    def arrays(self, grouped: Mapping[str, NDArray[Any]], plain: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """Back from `named`, of dtype object."""

    def describe(self) -> dict[str, Any]:
        """The work as JSON, of which `work_from` makes it again elsewhere."""


class Prepared(Protocol):
    """What a game's `play.Prepared(rules, table, probe, seen=, given=, repeat=)` offers; see
    `games.common.prepared`.
    """

    record: np.dtype[Any]
    grouped_shape: tuple[int, int]
    plain_shape: tuple[int, int]
    plays: int
    unit_bound: int

    def digest(self) -> str:
        """Tables of one digest play alike."""

    def play(
        self,
        seed: int,
        first: int,
        count: int,
        grouped: NDArray[np.int64] | None = None,
        plain: NDArray[np.int64] | None = None,
        records: NDArray[np.void] | None = None,
        rescored: Sequence[Any] = (),
        again: NDArray[np.void] | None = None,
    ) -> int:
        """Add units to the tallies, and a row a play to the records; -1 or a unit that broke an invariant."""

    def named(self, grouped: NDArray[Any], plain: NDArray[Any]) -> tuple[Named, Named]:
        """Tallies by counter name."""

    def unnamed(
        self, grouped: Mapping[str, NDArray[Any]], plain: Mapping[str, NDArray[Any]]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Back from `named`."""


def load_kernel(game: GameSpec) -> ModuleType:
    """The game's module that plays, and with it the compiler: imported when first needed."""
    return importlib.import_module(f"{game.package}.play")


@dataclass(frozen=True)
class TableWork:
    """One table under one set of rules, with all its tallies."""

    game: GameSpec
    rules: Rules
    table: Table
    seed: int
    probe: str | None = None
    seen: Rules | None = None
    """The rules that policies believe in, if others."""
    given: Given = ()
    repeat: int = 0
    """The same deals with choices drawn anew."""
    keep: Keep | None = field(default=None, compare=False, repr=False)
    """Who wants the records of whatever is played here; no part of what is described."""

    best = 0

    @cached_property
    def prepared(self) -> Prepared:
        """Rules and table as the game's kernel reads them."""
        made: Prepared = load_kernel(self.game).Prepared(
            self.rules, self.table, self.probe, seen=self.seen, given=dict(self.given), repeat=self.repeat
        )
        return made

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Grouped tallies, then plain ones."""
        return self.prepared.grouped_shape, self.prepared.plain_shape

    @property
    def plays(self) -> int:
        """Plays in a unit."""
        return self.table.plays

    @property
    def unit_bound(self) -> int:
        """No tally grows by more with one unit."""
        return self.prepared.unit_bound

    def play(self, first: int, count: int) -> Arrays:
        """Tallies of a range of units. Raises KernelFault."""
        grouped, plain = (np.zeros(shape, np.int64) for shape in self.shapes)
        rows = None if self.keep is None else np.zeros((count, self.plays), self.prepared.record)
        check_sound(self, self.prepared.play(self.seed, first, count, grouped, plain, rows))
        if self.keep is not None and rows is not None:
            self.keep(first, rows)
        return grouped, plain

    def named(self, arrays: Sequence[NDArray[Any]]) -> tuple[Named, Named]:
        """Tallies by the names of the game's counters."""
        return self.prepared.named(*arrays)

    def arrays(self, grouped: Mapping[str, NDArray[Any]], plain: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """Back from `named`."""
        return list(self.prepared.unnamed(grouped, plain))

    def describe(self) -> dict[str, Any]:
        """The work as JSON."""
        return {
            "kind": "table",
            "game": self.game.name,
            "rules": dict(self.rules),
            "policies": [asdict(policy) for policy in self.table.policies],
            "arrangements": self.table.arrangements,
            "seating": self.table.seating,
            "seed": self.seed,
            "probe": self.probe,
            "seen": None if self.seen is None else dict(self.seen),
            "given": self.given,
            "repeat": self.repeat,
        }

    @classmethod
    def described(cls, content: Mapping[str, Any]) -> TableWork:
        """Back from `describe`, also after a way through JSON, which knows lists only."""
        policies = tuple(Policy(**policy) for policy in content["policies"])
        return cls(
            game=game_named(content["game"]),
            rules=_rules(content["rules"]),
            table=Table(policies, _tuples(content["arrangements"]), content["seating"]),
            seed=content["seed"],
            probe=content["probe"],
            seen=None if content["seen"] is None else _rules(content["seen"]),
            given=_tuples(content["given"]),
            repeat=content["repeat"],
        )


KINDS = {
    "table": "analyzer.sim.work:TableWork",
    "arms": "analyzer.sim.arms:ArmsWork",
    "luck": "analyzer.sim.luck:LuckWork",
    "joined": "analyzer.sim.joined:JoinedWork",
    "counters": "analyzer.sim.counters:CountersWork",
}
"""Every kind of work, by the `kind` of its description: where its class is."""


def work_from(description: Mapping[str, Any]) -> Work:
    """The work of a description (see `Work.describe`)."""
    module, name = KINDS[description["kind"]].split(":")
    made: Work = getattr(importlib.import_module(module), name).described(description)
    return made


def check_sound(work: TableWork, wrong: int) -> None:
    """Raise KernelFault if a kernel returned a unit that broke an invariant instead of -1."""
    if wrong >= 0:
        raise KernelFault(
            f"the simulator broke an invariant: game {work.game.name}, seed {work.seed}, {work.game.unit} "
            f"{wrong}; please report it with the scenario"
        )


def _rules(content: Mapping[str, Any]) -> Rules:
    return {key: _tuples(value) for key, value in content.items()}


def _tuples(value: Any) -> Any:
    return tuple(_tuples(inner) for inner in value) if isinstance(value, list | tuple) else value
