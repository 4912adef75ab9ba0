"""Small tables with made-up numbers, shaped like those that games declare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np

from analyzer.games.spec import ColumnSpec, PictureSpec, Ratio, TableSpec
from analyzer.report.frames import TableResult
from analyzer.stats.intervals import Estimates

SEATS = ("S", "W", "N", "E")
SHORT = ("random", "greedy", "cautious", "hoarder", "dumper", "saboteur", "careful")
LONG = tuple(f"{name} player whose name is forty chars "[:39] + str(i) for i, name in enumerate(SHORT))
CARDS = (*(rank + suit for rank in "23456789TJQK" for suit in "HSC"), "AH", "AS", "AC", "AD")
NOTHING = Ratio(lambda counters, setting: counters["x"], lambda counters, setting: counters["x"])


def column(name: str, label: str, unit: str, low: float | None = None, text: str = "") -> ColumnSpec:
    return ColumnSpec(name, label, unit, NOTHING, low=low, text=text)  # type: ignore[arg-type]


def estimates(values: Sequence[float], half: float | Sequence[float], n: int = 1000) -> Estimates:
    centre = np.asarray(values, dtype=float)
    reach = np.broadcast_to(np.asarray(half, dtype=float), centre.shape)
    return Estimates(centre, centre - reach, centre + reach, reach / 2, np.full(centre.shape, n, dtype=np.int64))


def table(
    axes: Mapping[str, Sequence[str]],
    columns: Sequence[ColumnSpec],
    value: Callable[[int, tuple[str, ...], str], tuple[float, float]],
    pictures: Sequence[PictureSpec] = (),
    name: str = "toy",
    title: str = "A toy table",
    **more: object,
) -> TableResult:
    """`value(row index, labels, column name)` -> estimate and half-width."""
    rows = tuple(product(*axes.values()))
    spec = TableSpec(
        name,
        title,
        "What a toy is.",
        tuple(axes),
        tuple(columns),
        pictures=tuple(pictures),
        **more,  # type: ignore[arg-type]
    )
    found = {}
    for col in columns:
        pairs = [value(index, row, col.name) for index, row in enumerate(rows)]
        found[col.name] = estimates([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    return TableResult(spec, rows, found)


def wave(index: int) -> float:
    """A number between -1 and 1 that looks like chance."""
    return float(np.sin(index * 12.9898) * 43758.5453 % 2 - 1)
