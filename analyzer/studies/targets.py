"""What `solve` aims at: `win_share(seat=S) = 0.25`, read and measured.

Win share and points are known of every game, by seat, policy or both; further numbers a game declares (`TargetSpec`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import ScenarioError, listing, nearest, shortened
from analyzer.games.common.formulas import TWELFTHS
from analyzer.games.spec import (
    GROUPS,
    Array,
    ColumnSpec,
    Counters,
    Frequency,
    GameSpec,
    Mean,
    Ratio,
    Setting,
    TableSpec,
    TargetSpec,
)
from analyzer.report.counters import Counted, counters_of
from analyzer.report.frames import fitted
from analyzer.report.numbers import PERCENT, exact, unit_name
from analyzer.scenario.variations import pieces
from analyzer.stats.intervals import Floats

COMMON = {
    "win_share": ("Win share", "win share of a seat, of a policy, or of a policy in a seat"),
    "points": ("Points", "points a play, likewise"),
}
"""Of every game: label, and what it is."""
_TEXT = re.compile(r"\s*(\w+)\s*(?:\((.*)\)\s*)?=\s*([+-]?[0-9][0-9_]*(?:\.[0-9]+)?|[+-]?\.[0-9]+)\s*(%?)\s*", re.ASCII)
HOW = "a target is written NAME = NUMBER or NAME(seat=LABEL, …) = NUMBER, such as win_share(seat=LABEL) = 0.25"

Measure = Callable[[Counters, Setting], tuple[Array, Array]]
"""Counters -> values and observations, (65,) each: of all units, then without each group."""


@dataclass(frozen=True)
class Target:
    """A number of a table, and the value that it is to have."""

    name: str
    where: Mapping[str, str]
    """Which row: axis -> label."""
    value: float
    column: ColumnSpec
    """How it is shown."""
    measure: Measure

    @property
    def text(self) -> str:
        """The number, as a target is written."""
        where = ", ".join(f"{axis}={label}" for axis, label in self.where.items())
        return f"{self.name}({where})" if where else self.name

    @property
    def value_text(self) -> str:
        """The value in the unit shown."""
        unit = unit_name(self.column)
        if self.column.unit == "share":
            return f"{exact(round(self.value * PERCENT, 6))}%"
        return f"{exact(self.value)} points" if unit == "points" else exact(self.value)

    def of(self, tallies: Counted, setting: Setting) -> tuple[Floats, Floats]:
        """The number from all units, then without each group, and the observations behind: (65,) each."""
        with np.errstate(all="ignore"):
            values, n = self.measure(counters_of(tallies), setting)
        return values, n

    def counters(self, game: GameSpec, setting: Setting) -> tuple[str, ...]:
        """Names of the counters that it is made of."""
        asked = _Asked(game, setting)
        with np.errstate(all="ignore"):
            self.measure(asked, setting)
        return tuple(sorted(asked.names))


class _Asked(Mapping[str, Array]):
    """Empty counters that note which of them a formula wants; grouped ones alone, since only these leave groups out."""

    def __init__(self, game: GameSpec, setting: Setting) -> None:
        self._shapes = {
            counter.name: tuple(len(setting.axes[axis]) for axis in counter.axes)
            for counter in game.counters
            if counter.grouped
        }
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> Array:
        shape = self._shapes[name]
        self.names.add(name)
        return np.zeros((GROUPS + 1, *shape))

    def __iter__(self) -> Iterator[str]:
        return iter(self._shapes)

    def __len__(self) -> int:
        return len(self._shapes)


def target_names(game: GameSpec) -> dict[str, str]:
    """Every target of a game, and what it is."""
    return {name: text for name, (_, text) in COMMON.items()} | {each.name: each.text for each in game.targets}


def parse_target(text: str, game: GameSpec, setting: Setting) -> Target:
    """The target of a text. Raises ScenarioError: what was found, what is allowed, the nearest name."""
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ScenarioError(f"--target: {shortened(text)!r} is none; {HOW}")
    name, arguments, number, percent = found.groups()
    names = target_names(game)
    if name not in names:
        raise ScenarioError(
            f"--target: {game.title} has no target {shortened(name)!r}{nearest(name, names)}; "
            f"targets: {', '.join(names)}"
        )
    value = float(number) / (PERCENT if percent else 1.0)
    told = list(_arguments(arguments or ""))
    where = dict(told)
    if len(where) < len(told):
        raise ScenarioError(f"--target: {name} names a row twice; {HOW}")
    special = next((each for each in game.targets if each.name == name), None)
    target = (
        _common(name, where, value, setting) if special is None else _declared(special, where, value, game, setting)
    )
    if percent and target.column.unit != "share":
        raise ScenarioError(f"--target: {target.text} is no share, so its value has no percent sign")
    low, high = target.column.low, target.column.high
    if not math.isfinite(value) or (low is not None and value < low) or (high is not None and value > high):
        allowed = " and ".join(
            f"{word} {end:g}" for word, end in (("at least", low), ("at most", high)) if end is not None
        )
        raise ScenarioError(f"--target: {target.text} can never be {number}{percent}; it is {allowed}")
    return target


def _arguments(text: str) -> Iterator[tuple[str, str]]:
    for piece in pieces(text) if text.strip() else ():
        axis, equals, label = (part.strip() for part in piece.partition("="))
        if not equals or not axis or not label:
            raise ScenarioError(f"--target: {shortened(piece)!r} is not AXIS=LABEL; {HOW}")
        quoted = len(label) > 1 and label[0] == label[-1] and label[0] in "\"'"
        yield axis, label[1:-1] if quoted else label


def _common(name: str, where: Mapping[str, str], value: float, setting: Setting) -> Target:
    label, _ = COMMON[name]
    _check_row(name, where, {axis: setting.axes[axis] for axis in ("seat", "policy")}, every=False)
    policy, seat = where.get("policy"), where.get("seat")
    rows = [index for index, one in enumerate(setting.axes["policy"]) if policy in (None, one)]
    places = [index for index, one in enumerate(setting.axes["seat"]) if seat in (None, one)]
    share = name == "win_share"
    counter, scale = ("win", TWELFTHS) if share else ("points", 1)

    def measure(c: Counters, s: Setting) -> tuple[Array, Array]:
        total, n = (c[part][:, rows][:, :, places].sum((-1, -2)) for part in (counter, "plays"))
        return total / (scale * n), n

    who = " in ".join(part for part in (policy, f"seat {seat}" if seat else "") if part)
    column = ColumnSpec(
        name,
        f"{label} of {who}",
        "share" if share else "points",
        low=0.0 if share else None,
        high=1.0 if share else None,
    )
    return Target(name, where, value, column, measure)


def _declared(spec: TargetSpec, where: Mapping[str, str], value: float, game: GameSpec, setting: Setting) -> Target:
    table = next(each for each in game.tables if each.name == spec.table)
    column = next(each for each in table.columns if each.name == spec.column)
    _check_row(spec.name, where, _rows_of(table, setting), every=True)
    labels = tuple(where[axis] for axis in table.axes)
    if table.keep and not table.keep(labels, setting):
        raise ScenarioError(f"--target: {spec.name} of {', '.join(labels)} does not exist at this table")
    reason = table.absent(setting) if table.absent else None
    if reason:
        raise ScenarioError(f"--target: {spec.name} cannot be had here: {reason}")
    how = column.estimator
    assert isinstance(how, Mean | Ratio | Frequency), f"target {spec.name} is no mean, ratio or frequency"

    def measure(c: Counters, s: Setting) -> tuple[Array, Array]:
        axes = [s.axes[axis] for axis in table.axes]
        at = tuple(labels.index(where[axis]) for axis, labels in zip(table.axes, axes, strict=True))

        def row(values: Any) -> NDArray[np.float64]:
            shape = tuple(map(len, axes))
            placed = fitted(np.asarray(values, np.float64), shape, f"target {spec.name}", GROUPS + 1)
            return np.asarray(placed.reshape(GROUPS + 1, -1)[:, np.ravel_multi_index(at, shape) if at else 0])

        if isinstance(how, Ratio):
            return row(how.value(c, s)), row(how.n(c, s))
        n = row(how.n(c, s))
        if isinstance(how, Frequency):
            return row(how.successes(c, s)) / n, n
        return row(how.total(c, s)) / (n * row(how.scale(c, s))), n

    told = f"{column.label}: {', '.join(labels)}" if labels else column.label
    return Target(
        spec.name, where, value, ColumnSpec(spec.name, told, column.unit, low=column.low, high=column.high), measure
    )


def _rows_of(table: TableSpec, setting: Setting) -> dict[str, tuple[str, ...]]:
    return {axis: setting.axes[axis] for axis in table.axes}


def _check_row(name: str, where: Mapping[str, str], axes: Mapping[str, tuple[str, ...]], *, every: bool) -> None:
    """Raise ScenarioError unless the labels name a row: all of the axes, or (not `every`) one or more of them."""
    for axis, label in where.items():
        if axis not in axes:
            known = f"; allowed: {', '.join(axes)}" if axes else "; it has none"
            raise ScenarioError(f"--target: {name} has no {shortened(axis)!r}{nearest(axis, axes)}{known}")
        if label not in axes[axis]:
            raise ScenarioError(
                f"--target: {name}({axis}={shortened(label)}): there is no such {axis}{nearest(label, axes[axis])}; "
                f"allowed: {listing(axes[axis])}"
            )
    missing = [axis for axis in axes if axis not in where]
    if missing and (every or len(missing) == len(axes)):
        example = missing[0]
        raise ScenarioError(
            f"--target: {name} of whom? Name {' and '.join(missing) if every else ' or '.join(missing)}, such as "
            f"{name}({example}={axes[example][0]})"
        )
