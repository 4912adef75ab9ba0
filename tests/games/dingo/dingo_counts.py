"""Counters with known numbers, for the tests of Dingo's tables, findings and health checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analyzer.games.dingo.rules import KNOBS
from analyzer.games.dingo.spec import COUNTERS, SPEC, axes
from analyzer.games.spec import GROUPS, LANES, Policy, Setting, Table
from analyzer.report.frames import TableResult, evaluate
from analyzer.sim.result import Tallies

DEFAULTS = {knob.key: knob.default for knob in KNOBS}
TABLES = {table.name: table for table in SPEC.tables}


def policy(name: str, *, lapse: float = 0.0, memory: Any = "perfect", weight: float = 1.0) -> Policy:
    kinds = [decision.name for decision in SPEC.decisions]
    weights = {kind: {"lay": weight} if kind == "lone_wolf" else {} for kind in kinds}
    return Policy(name, "", "", weights, dict.fromkeys(kinds, 0.0), lapse, memory)


def rotated(seats: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The four cyclic shifts of a seating."""
    return tuple(tuple(seats[(seat - shift) % 4] for seat in range(4)) for shift in range(4))


def setting_of(
    *policies: Policy | str,
    plays: Sequence[Sequence[int]] | None = None,
    rules: Mapping[str, Any] | None = None,
) -> Setting:
    """A run of these policies; one play with policy 0 everywhere, or the given plays of the only combination."""
    found = tuple(policy(each) if isinstance(each, str) else each for each in policies or ("careful",))
    seating = tuple(tuple(play) for play in plays or ((0, 0, 0, 0),))
    table = Table(found, (seating,), "fixed" if len(seating) == 1 else "rotate")
    knobs = {**DEFAULTS, **(rules or {})}
    return Setting(knobs, table, SPEC.seats(4), axes(knobs, table))


def blank(setting: Setting, units: int) -> Tallies:
    """Nothing counted but the units."""
    shapes = {spec.name: tuple(len(setting.axes[axis]) for axis in spec.axes) for spec in COUNTERS}
    grouped = {
        spec.name: np.zeros((GROUPS, *shapes[spec.name]), int).astype(object) for spec in COUNTERS if spec.grouped
    }
    plain = {spec.name: np.zeros(shapes[spec.name], int).astype(object) for spec in COUNTERS if not spec.grouped}
    tallies = Tallies(0, units, grouped, plain)
    grouped["units"] = tallies.group_units.astype(object)
    return tallies


def counted(setting: Setting, **counters: Any) -> Tallies:
    """64 groups of 64 units, each with the same counts; plain counters as given."""
    tallies = blank(setting, GROUPS * LANES)
    for name, array in counters.items():
        where = tallies.grouped if name in tallies.grouped else tallies.plain
        shape = where[name].shape
        filled = np.array(np.broadcast_to(np.asarray(array), shape)).astype(object)
        where[name] = filled
    return tallies


def table_of(name: str, tallies: Tallies, setting: Setting) -> TableResult:
    return evaluate(TABLES[name], tallies, setting)


def cell(name: str, column: str, tallies: Tallies, setting: Setting, *labels: str) -> dict[str, Any]:
    """One estimate of a table, by the labels of its row."""
    for record in table_of(name, tallies, setting).records():
        if tuple(record[axis] for axis in TABLES[name].axes) == labels:
            found: dict[str, Any] = record[column]
            return found
    raise AssertionError(f"{name} has no row {labels}")


def estimate(name: str, column: str, tallies: Tallies, setting: Setting, *labels: str) -> float:
    found = cell(name, column, tallies, setting, *labels)["estimate"]
    assert found is not None
    return float(found)
