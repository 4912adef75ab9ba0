"""What a sweep found, in tables: every number from the sums of arms on the same deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from analyzer.games.common.formulas import balanced
from analyzer.games.spec import ColumnSpec, PictureSpec, TableSpec
from analyzer.report.frames import TableResult, Words
from analyzer.scenario.variations import Variations, value_label
from analyzer.sim.arms import Row
from analyzer.stats.families import spread
from analyzer.stats.intervals import Estimates, concatenated
from analyzer.stats.jackknife import left_out
from analyzer.stats.roots import Roots, roots
from analyzer.stats.verdicts import verdicts
from analyzer.studies import crossed
from analyzer.studies.batches import setting_of
from analyzer.studies.paired import POINTS, SHARE_CHANGES, SHARES, WIN, Paired
from analyzer.studies.rows import Rows
from analyzer.studies.said import in_words, share_changes, shares

COLUMNS = (
    shares("win_share", "Win share"),
    share_changes("win_share_change", "Change of win share", "against the scenario as it is, on the same deals"),
    ColumnSpec("points", "Points", "points", text="a play"),
    ColumnSpec("points_change", "Change of points", "points", text="a play, against the scenario as it is"),
)
SPREAD = ColumnSpec("win_share_spread", "Win share, best seat minus worst", "share", low=0.0, high=1.0)


@dataclass(frozen=True)
class Value:
    """A value (or a pair of them) with what answers for it, by places among what is played."""

    labels: tuple[str, ...]
    values: tuple[Any, ...]
    arm: int
    pair: int | None
    """The pair scenario, value; None where both are one and the same work."""

    @property
    def name(self) -> str:
        """The value in a sentence."""
        return " with ".join(self.labels)


class SweepReport:
    """The numbers of all values, laid out."""

    def __init__(self, variations: Variations, paired: Paired, values: Sequence[Value], effect: float) -> None:
        self.variations, self.paired, self.values, self.effect = variations, paired, values, effect
        self.scenario = variations.base
        self.rows = Rows(paired.work, self.scenario.seats)
        self.axes = axis_names(variations.keys)
        self.curved = variations.numeric and len(values) > 1
        own = zip(variations.keys, variations.own, strict=True)
        told = [f"{key} = {value_label(value)}" for key, value in own if value is not None]
        self.as_is = "the scenario as it is" + (f" ({', '.join(told)})" if told else "")
        self.tables = tuple(self._tables())

    @cached_property
    def verdicts(self) -> dict[tuple[int, Row], dict[str, Any]]:
        """One family: every change of a win share at every value."""
        found = concatenated([self.paired.change(value.pair, self.rows.family, WIN) for value in self.values])
        judged = verdicts(found, self.effect, self.paired.confidence, bounds=SHARE_CHANGES)
        keys = [(k, row) for k in range(len(self.values)) for row in self.rows.family]
        items = {key: judged.item(index) for index, key in enumerate(keys)}
        # A policy alone in a seat has that seat's verdict.
        place = self.paired.work.rows
        same = {place[row]: row for row in reversed(self.rows.family)}
        return {(k, row): items[k, same[place[row]]] for k in range(len(self.values)) for row in self.rows.every}

    def strict(self, comparisons: int) -> Paired:
        """Estimates whose intervals hold together, so many of them."""
        return replace(self.paired, confidence=1 - (1 - self.paired.confidence) / max(1, comparisons))

    def _tables(self) -> Iterator[TableResult]:
        rows = self.rows
        few = len(rows.cells) <= len(rows.by_seat)
        yield self._table("sweep", "By value, seat and policy", rows.cells, ("seat", "policy"), pictured=few)
        if rows.several_policies and len(rows.cells) > len(rows.by_policy):
            yield self._table("sweep_by_policy", "By value and policy", rows.by_policy, ("policy",), pictured=True)
        if rows.several_policies and len(rows.cells) > len(rows.by_seat):
            yield self._table("sweep_by_seat", "By value and seat", rows.by_seat, ("seat",), pictured=True)
        yield self._fairness()
        if self.curved and any(found.crossings for _, found in self.crossings):
            yield self._crossings()

    def _table(self, name: str, title: str, rows: Sequence[Row], who: Sequence[str], *, pictured: bool) -> TableResult:
        spec = TableSpec(
            name,
            title,
            f"Changes are against {self.as_is}, on the same deals. Verdicts are one family over all changes of win "
            f"shares on this page (Holm); the smallest change that matters is {100 * self.effect:g} percentage points.",
            (*self.axes, *who),
            COLUMNS,
            section="values",
            pictures=tuple(self._pictures(name, who)) if pictured else (),
        )
        labels, told = [], []
        places = [self.rows.every.index(row) for row in rows]
        parts: dict[str, list[Estimates]] = {column.name: [] for column in COLUMNS}
        for k, value in enumerate(self.values):
            for column, estimates in zip(COLUMNS, self._found[k], strict=True):
                parts[column.name].append(estimates.map(lambda part: part[places]))
            for row in rows:
                names = self.rows.names(row)
                labels.append((*value.labels, *(names[axis] for axis in who)))
                told.append(self.verdicts[k, row])
        words = Words("Verdict", tuple(in_words(each, self.scenario.game.unit) for each in told), tuple(told))
        return TableResult(
            spec, tuple(labels), {column: concatenated(found) for column, found in parts.items()}, {"verdict": words}
        )

    @cached_property
    def _found(self) -> list[tuple[Estimates, ...]]:
        """By value: each of `COLUMNS`, one estimate for each of all rows."""
        rows, level, change = self.rows.every, self.paired.level, self.paired.change
        return [
            (
                level(value.arm, rows, WIN),
                change(value.pair, rows, WIN),
                level(value.arm, rows, POINTS),
                change(value.pair, rows, POINTS),
            )
            for value in self.values
        ]

    def move(self, k: int, row: Row) -> float:
        """By how much the win share of a row changes at value number k."""
        return float(self._found[k][1].estimate[self.rows.every.index(row)])

    def _pictures(self, name: str, who: Sequence[str]) -> Iterator[PictureSpec]:
        several = len(self.variations.keys) > 1
        kind: Any = "heat" if several else "curve" if self.curved else "intervals"
        axis = "" if several else self.variations.keys[0]
        level, moved, points, points_moved = (column.name for column in COLUMNS)
        fair = 1 / len(self.scenario.seats)
        by = "by " + " and ".join(who if self.rows.several_policies else who[:1])
        if not several:
            yield PictureSpec(kind, f"{name}_{level}", f"Win share {by}", (level,), axis, reference=fair, joined=True)
        for column, what in ((moved, "win share"), (points_moved, "points")):
            yield PictureSpec(
                kind,
                f"{name}_{column}",
                f"Change of {what} {by}",
                (column,),
                axis,
                diverging=True,
                joined=True,
            )
        if not several:
            yield PictureSpec(kind, f"{name}_{points}", f"Points a play {by}", (points,), axis, joined=True)

    @cached_property
    def mixed(self) -> str:
        """A sentence where seats differ also by who sits in them; else empty."""
        if balanced(setting_of(self.scenario, self.scenario.game.batches[0])):
            return ""
        return "Policies do not sit evenly in all seats here, so this is due to them too."

    def spreads(self, confidence: float) -> Estimates:
        """Best seat minus worst at every value."""
        seats = self.rows.by_seat
        values = np.stack([self.paired.without(value.arm, seats, WIN) for value in self.values], axis=1)
        return spread(values, self.paired.tallies.group_units, self._units(), confidence, 1.0)

    def _units(self) -> Any:
        """(65, values) units behind each value of the jackknife."""
        units = left_out(self.paired.tallies.group_units.astype(np.float64))
        return np.repeat(units[:, None], len(self.values), axis=1)

    def _fairness(self) -> TableResult:
        several = len(self.variations.keys) > 1
        kind: Any = "heat" if several else "curve" if self.curved else "intervals"
        text = "How far win shares of seats lie apart. The best seat is ahead of the worst by chance even when seats "
        text += f"are equal, so the interval starts at 0 unless some seats differ. {self.mixed}"
        if self.scenario.game.seat_origin:
            text = f"{text.strip()} Seats are places at the table: where it is drawn who begins, they are alike."
        picture = PictureSpec(
            kind,
            "fairness",
            "How far seats lie apart",
            (SPREAD.name,),
            "" if several else self.variations.keys[0],
        )
        spec = TableSpec(
            "fairness",
            "How far seats lie apart",
            text.strip(),
            self.axes,
            (SPREAD,),
            pictures=(picture,),
            section="seats",
        )
        labels = tuple(value.labels for value in self.values)
        return TableResult(spec, labels, {SPREAD.name: self.spreads(self.paired.confidence)})

    @cached_property
    def crossings(self) -> list[tuple[Row, Roots]]:
        """Where each seat wins its fair share, if the values are numbers."""
        return self.roots(self.paired.confidence) if self.curved else []

    def roots(self, confidence: float) -> list[tuple[Row, Roots]]:
        x = [value.values[0] for value in self.values]
        sizes, units = self.paired.tallies.group_units, self._units()
        fair = 1 / len(self.scenario.seats)
        found = []
        for row in self.rows.by_seat:
            curve = np.concatenate([self.paired.without(value.arm, [row], WIN) for value in self.values], axis=1)
            found.append((row, roots(x, curve, fair, sizes, units, confidence, SHARES)))
        return found

    def _crossings(self) -> TableResult:
        every = [(row, k, one) for row, found in self.crossings for k, one in enumerate(found.crossings, 1)]
        placed = [crossing for _, _, crossing in every]
        spec = TableSpec(
            "crossings",
            "Where a seat wins its fair share",
            f"A fair share is {100 / len(self.scenario.seats):.4g}%. {self.mixed}".strip(),
            ("seat", "crossing"),
            (crossed.VALUE,),
            section="seats",
        )
        labels = tuple((self.rows.names(row)["seat"], str(k)) for row, k, _ in every)
        estimates = {crossed.VALUE.name: crossed.places(placed, self.paired.tallies.units)}
        return TableResult(spec, labels, estimates, crossed.words(placed))

    def body(self) -> dict[str, Any]:
        """The study's own keys of `results.json`."""
        spreads = self.spreads(self.paired.confidence)
        units = self.paired.tallies.units
        return {
            "keys": list(self.variations.keys),
            "as_is": list(self.variations.own),
            "effect": self.effect,
            "sweep": [self._entry(k, row) for k in range(len(self.values)) for row in self.rows.cells],
            "by_policy": [self._entry(k, row) for k in range(len(self.values)) for row in self.rows.by_policy],
            "by_seat": [self._entry(k, row) for k in range(len(self.values)) for row in self.rows.by_seat],
            "fairness": [
                {"set": self._set(value), SPREAD.name: spreads.item(k)} for k, value in enumerate(self.values)
            ],
            "crossings": [
                {
                    "seat": self.rows.names(row)["seat"],
                    "crossings": [crossed.item(each, units) for each in found.crossings],
                    "possible": crossed.spans(found),
                }
                for row, found in self.crossings
            ],
        }

    def _set(self, value: Value) -> dict[str, Any]:
        return dict(zip(self.variations.keys, value.values, strict=True))

    def _entry(self, k: int, row: Row) -> dict[str, Any]:
        value = self.values[k]
        return {
            "set": self._set(value),
            **self.rows.names(row),
            **{
                column.name: estimates.item(self.rows.every.index(row))
                for column, estimates in zip(COLUMNS, self._found[k], strict=True)
            },
            "same": value.pair is None,
            **self.verdicts[k, row],
        }


def axis_names(keys: Sequence[str]) -> tuple[str, ...]:
    """Short names of the keys for the columns of a table: their last part, where that says which is meant."""
    short = tuple(key.rpartition(".")[2] for key in keys)
    taken = {"seat", "policy", "crossing"}
    clear = len({*short, *taken}) == len(short) + len(taken)
    return short if clear else tuple(keys)
