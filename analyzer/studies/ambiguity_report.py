"""What the readings of the rules change, in tables and sentences: every number from sums of arms on the same deals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from analyzer.games.spec import ColumnSpec, KnobSpec, PictureSpec, TableSpec
from analyzer.report.frames import TableResult, Words
from analyzer.report.numbers import counted
from analyzer.sim.arms import WHOLE, Row
from analyzer.stats.classes import DECIDE, LITTLE, NOTHING, OPEN, classes
from analyzer.stats.intervals import Estimates, concatenated, plain_values, stacked
from analyzer.stats.largest import largest
from analyzer.studies.paired import POINTS, SHARE_CHANGES, WIN, Paired
from analyzer.studies.readings import BASELINE, FIELD, Reading, Readings, in_words
from analyzer.studies.said import share_changes, shares

COLUMNS = (
    share_changes(
        "effect",
        "Largest change of a win share",
        "whatever its sign, over all seats of the baseline table and all policies of the field; the interval allows "
        "for all of them together, since the largest of several estimates is large by chance too",
    ),
    shares("winner_changed", "Other winner", "share of plays at the baseline table that another seat wins"),
)
BEHIND = (
    share_changes("change", "That change with its sign", "alone, with its single interval"),
    share_changes("by_chance", "By chance", "the largest change that would be seen, on average, if none were real"),
    share_changes("won", "Change of plays that somebody wins", "at the baseline table"),
    shares("winner_changed_field", "Other winner, field", "share of plays in the field that another seat wins"),
)
CHANGES = (
    share_changes("win_share", "Change of win share", "by this reading, on the same deals"),
    ColumnSpec("points", "Change of points", "points", text="by this reading, a play"),
)
MORE, LESS, EQUAL, UNKNOWN = "more", "less", "practically equal", "undecided"


@dataclass(frozen=True)
class At:
    """What was played at one table."""

    paired: Paired
    pairs: Sequence[int | None]
    """Of each reading the pair with the rules in force; None where both are one and the same work."""
    by_policy: bool
    """Whether the changes that count are those of policies, and not those of seats."""

    @cached_property
    def rows(self) -> list[Row]:
        """Whose changes count."""
        axis = 0 if self.by_policy else 1
        return [row for row in self.paired.work.rows if row[axis] >= 0 and row[1 - axis] == -1]

    def names(self, seats: Sequence[str]) -> list[str]:
        """Of the rows."""
        policies = self.paired.work.arms[0].table.policies
        return [policies[policy].name if self.by_policy else seats[seat] for policy, seat in self.rows]

    def changes(self, quantity: int) -> list[Estimates]:
        """Of each reading the changes in the rows."""
        return [self.paired.change(pair, self.rows, quantity) for pair in self.pairs]

    def won(self) -> list[Estimates]:
        """Of each reading the change of the share of plays that somebody wins."""
        return [self.paired.change(pair, [WHOLE], WIN) for pair in self.pairs]

    def winners(self) -> Estimates:
        """(readings) shares of plays with another winner."""
        return stacked([self.paired.winner_changed(pair) for pair in self.pairs])


class AmbiguityReport:
    """The numbers of all readings, laid out."""

    def __init__(self, readings: Readings, at: Mapping[str, At], effect: float) -> None:
        self.readings, self.at, self.effect = readings, at, effect
        self.scenario = readings.baseline
        self.unit = self.scenario.game.unit
        self.changes = {name: each.changes(WIN) for name, each in at.items()}
        self.found = stacked([concatenated(parts) for parts in zip(*self.changes.values(), strict=True)])
        self.places = [(name, label) for name, each in at.items() for label in each.names(readings.tables[name].seats)]
        self.classes = classes(self.found, effect, self.scenario.confidence, SHARE_CHANGES)
        self.largest, self.largest_at = largest(self.found, self.scenario.confidence, SHARE_CHANGES)
        self.winners = {name: each.winners() for name, each in at.items()}
        sizes = -np.nan_to_num(self.largest.estimate)
        order = sorted(range(len(sizes)), key=lambda k: (not self._knob(k).disputed, sizes[k], k))
        self.gaps = [k for k in order if self._knob(k).disputed]
        self.settled = [k for k in order if not self._knob(k).disputed]
        self.order = order
        self.tables = tuple(self._tables())

    @property
    def percent(self) -> str:
        """The effect in words."""
        size = f"{100 * self.effect:g}"
        return f"{size} percentage {'point' if size == '1' else 'points'}"

    def reading(self, k: int) -> Reading:
        """The k-th reading."""
        return self.readings.readings[k]

    def _knob(self, k: int) -> KnobSpec:
        return self.reading(k).knob

    def _tables(self) -> Iterator[TableResult]:
        meaning = (
            f"“{DECIDE}”: some seat's or policy's win share is shown to change by more than {self.percent}. "
            f"“{NOTHING}”: all of them are shown to change by less. “{LITTLE}”: some change is shown, but not on which "
            f"side of {self.percent} it lies. “{OPEN}”: none of these. All changes of win shares on this page are one "
            "family (Holm). Policies know the reading and count its points, but play by the weights that they have in "
            "the rules in force; players who adapt may make more of it, or less."
        )
        if self.gaps:
            yield self._ranked("gaps", "Where the sources are silent or disagree", self.gaps, meaning)
        if self.settled:
            yield self._ranked("settled", "Rules that the sources settle", self.settled, "" if self.gaps else meaning)
        yield self._behind()
        yield self._detail("change_by_seat", "What a reading changes, by seat of the baseline table", BASELINE)
        yield self._detail("change_by_policy", "What a reading changes, by policy in the field", FIELD)
        yield self._rules()
        if self.readings.left_out:
            yield self._left_out()

    def _ranked(self, name: str, title: str, which: Sequence[int], text: str) -> TableResult:
        spec = TableSpec(
            name,
            title,
            text,
            ("reading",),
            COLUMNS,
            section="what must be decided" if name == "gaps" else "what else could be otherwise",
            pictures=(
                PictureSpec(
                    "intervals",
                    f"{name}-effect",
                    f"{title}: the largest change of a win share",
                    ("effect",),
                    reference=self.effect,
                ),
            ),
        )
        shown = replace(self.largest, under_equal=None)
        parts = zip(COLUMNS, (shown, self.winners[BASELINE]), strict=True)
        return TableResult(
            spec,
            tuple((self.reading(k).name,) for k in which),
            {column.name: part.map(lambda array: array[list(which)]) for column, part in parts},
            {
                "class": Words("Class", tuple(self._class(k) for k in which)),
                "where": Words("Largest for", tuple(self.where(k) for k in which)),
                "in_force": Words("Instead of", tuple(self._instead(k) for k in which)),
                "reference": Words("Rules page", tuple(self._knob(k).reference for k in which)),
            },
        )

    def _behind(self) -> TableResult:
        """What stands behind the ranking."""
        rows, equal = range(len(self.order)), self.largest.under_equal
        assert equal is not None
        parts = zip(
            BEHIND,
            (
                self.found.map(lambda array: array[rows, self.largest_at]),
                plain_values(equal, self.largest.n),
                concatenated(self.at[BASELINE].won()),
                self.winners[FIELD],
            ),
            strict=True,
        )
        spec = TableSpec(
            "behind", "Behind the largest changes", "", ("reading",), BEHIND, section="in detail", folded=True
        )
        return TableResult(
            spec,
            tuple((self.reading(k).name,) for k in self.order),
            {column.name: part.map(lambda array: array[self.order]) for column, part in parts},
            {"where": Words("Whose", tuple(self.where(k) for k in self.order))},
        )

    def _class(self, k: int) -> str:
        more = self.more(k)
        further = f" (about {counted(more, self.unit)} more would tell)" if more else ""
        return f"{self.classes.found[k]}{further}"

    def more(self, k: int) -> int | None:
        """Further units at each table after which it is told whether the reading matters, two digits of it."""
        times = float(self.classes.times[k])
        if not math.isfinite(times):
            return None
        more = max(1, math.ceil((times - 1) * self.at[BASELINE].paired.tallies.units))
        step = int(10 ** max(0, len(str(more)) - 2))
        return -(-more // step) * step

    def place(self, k: int) -> tuple[str, str] | None:
        """Table, and seat or policy, of the largest change; None if nothing changed."""
        return self.places[int(self.largest_at[k])] if self.largest.estimate[k] > 0 else None

    def where(self, k: int) -> str:
        """Whose the largest change is."""
        place = self.place(k)
        if place is None:
            return "nobody"
        return f"seat {place[1]}" if place[0] == BASELINE else f"{place[1]} in the field"

    def _instead(self, k: int) -> str:
        """The value in force, and what hangs on it and changes too."""
        reading, rules = self.reading(k), self.scenario.rules
        others = [
            f"{key} {in_words(rules[key])} → {in_words(value)}"
            for key, value in reading.at[BASELINE].scenario.rules.items()
            if value != rules[key] and key != reading.knob.key
        ]
        return in_words(rules[reading.knob.key]) + (f" (with it {', '.join(others)})" if others else "")

    def _detail(self, name: str, title: str, table: str) -> TableResult:
        at = self.at[table]
        axis = "policy" if at.by_policy else "seat"
        labels = at.names(self.readings.tables[table].seats)
        spec = TableSpec(
            name,
            title,
            f"Verdicts belong to the one family of this page; beyond means by more than {self.percent}.",
            (axis, "reading"),
            CHANGES,
            section="in detail",
            pictures=(
                PictureSpec("heat", f"{name}-win-share", f"{title}: win shares", ("win_share",), diverging=True),
            ),
            folded=True,
        )
        wins, points = self.changes[table], at.changes(POINTS)
        return TableResult(
            spec,
            tuple((label, self.reading(k).name) for k in self.order for label in labels),
            {
                "win_share": concatenated([wins[k] for k in self.order]),
                "points": concatenated([points[k] for k in self.order]),
            },
            {
                "verdict": Words(
                    "Verdict",
                    tuple(self._verdict(k, self.places.index((table, label))) for k in self.order for label in labels),
                )
            },
        )

    def _verdict(self, k: int, place: int) -> str:
        """What is shown of one change."""
        alpha, exact = 1 - self.scenario.confidence, self.found.exact
        way = MORE if self.found.estimate[k, place] > 0 else LESS
        if self.classes.p_beyond[k, place] <= alpha:
            return f"{way}, beyond {self.percent}"
        if self.classes.p_equal[k, place] <= alpha or (exact is not None and exact[k, place]):
            return EQUAL
        return way if self.classes.p_different[k, place] <= alpha else UNKNOWN

    def _rules(self) -> TableResult:
        played = [reading.knob for reading in self.readings.readings]
        knobs = [knob for knob in self.scenario.game.knobs if knob in played]
        spec = TableSpec(
            "rules_asked",
            "The rules in question",
            f"The sections are those of `analyzer rules {self.scenario.game.name} --page`.",
            ("knob",),
            (),
            section="the rules in question",
        )
        return TableResult(
            spec,
            tuple((knob.key,) for knob in knobs),
            {},
            {
                "text": Words("What it is", tuple(knob.text for knob in knobs)),
                "sources": Words(
                    "In the sources", tuple("silent or unclear" if knob.disputed else "settled" for knob in knobs)
                ),
                "reference": Words("Section", tuple(knob.reference for knob in knobs)),
            },
        )

    def _left_out(self) -> TableResult:
        left_out = self.readings.left_out
        spec = TableSpec("left_out_readings", "Left out", "", ("reading",), (), section="the rules in question")
        reasons = Words("Why", tuple(each.reason for each in left_out))
        return TableResult(spec, tuple((each.name,) for each in left_out), {}, {"reason": reasons})

    def body(self) -> dict[str, Any]:
        """The study's own keys of `results.json`."""
        known = {table.spec.name: table for table in self.tables}
        return {
            "effect": self.effect,
            "field": [policy.name for policy in self.readings.tables[FIELD].table.policies],
            "ambiguity": [self._entry(k) for k in self.order],
            "change_by_seat": known["change_by_seat"].records(),
            "change_by_policy": known["change_by_policy"].records(),
            "left_out": [
                {"knob": each.knob.key, "value": each.value, "disputed": each.knob.disputed, "reason": each.reason}
                for each in self.readings.left_out
            ],
        }

    def _entry(self, k: int) -> dict[str, Any]:
        reading, rules, place = self.reading(k), self.scenario.rules, self.place(k)
        knob = reading.knob
        axis = "policy" if place and self.at[place[0]].by_policy else "seat"
        return {
            "knob": knob.key,
            "value": reading.value,
            "in_force": rules[knob.key],
            "default": knob.default_in(rules),
            "disputed": knob.disputed,
            "reference": knob.reference,
            "text": knob.text,
            "rules": {
                key: {"before": rules[key], "after": value}
                for key, value in reading.at[BASELINE].scenario.rules.items()
                if value != rules[key]
            },
            **self.classes.item(k),
            "more": self.more(k),
            "effect": self.largest.item(k),
            "where": None if place is None else {"table": place[0], axis: place[1]},
            "change": self.found.item((k, int(self.largest_at[k]))),
            "winner_changed": self.winners[BASELINE].item(k),
            "winner_changed_field": self.winners[FIELD].item(k),
        }
