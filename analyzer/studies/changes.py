"""What a what-if changed, in tables and sentences: every number from the sums of arms on the same deals."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analyzer.games.spec import ColumnSpec, PictureSpec, Policy, Table, TableSpec
from analyzer.report.frames import TableResult, Words
from analyzer.report.numbers import plural
from analyzer.scenario.load import Scenario, WhatIf
from analyzer.scenario.toml import value_text
from analyzer.sim.arms import WHOLE, Row
from analyzer.stats.intervals import Estimates, concatenated
from analyzer.stats.verdicts import verdicts
from analyzer.studies.paired import POINTS, SHARE_CHANGES, WIN, Paired
from analyzer.studies.rows import Rows
from analyzer.studies.said import in_words, share_changes, shares

RESCORE, REPLAY = "re-score", "re-play"


@dataclass(frozen=True)
class Change:
    """A what-if with the arms and pairs that answer it, by their places among what is played."""

    what_if: WhatIf
    whole: int | None
    """The pair baseline, changed; None where both are one and the same work. Likewise:"""
    rescore: int | None
    replay: int | None
    changed_arm: int
    unsplit: str
    """Why the layers are not offered; empty if they are."""
    tables: tuple[Table, Table]
    """Before and after: joint tables, as they are played."""


COLUMNS = (
    shares("win_share_before", "Win share before"),
    share_changes("win_share", "Change of win share", "after less before, on the same deals"),
    ColumnSpec("points", "Change of points", "points", text="after less before, a play"),
)
WORTH_COLUMNS = (
    ColumnSpec("variance_ratio", "For win shares", "ratio"),
    ColumnSpec("points_variance_ratio", "For points", "ratio"),
)
LAYER_COLUMNS = (
    share_changes("win_share", "Change of win share"),
    ColumnSpec("points", "Change of points", "points"),
)


class ChangeReport:
    """The numbers of all what-ifs, laid out."""

    def __init__(self, scenario: Scenario, paired: Paired, changes: Sequence[Change], effect: float) -> None:
        self.scenario, self.paired, self.changes, self.effect = scenario, paired, changes, effect
        self.rows = Rows(paired.work, scenario.seats)
        self.verdicts = self._verdicts()
        self.tables = self._tables()

    def _verdicts(self) -> dict[tuple[int, Row], dict[str, Any]]:
        """One family: every change of a win share, of all what-ifs."""
        found = [self.paired.change(change.whole, self.rows.family, WIN) for change in self.changes]
        whole = concatenated(found)
        judged = verdicts(whole, self.effect, self.scenario.confidence, bounds=SHARE_CHANGES)
        keys = [(k, row) for k in range(len(self.changes)) for row in self.rows.family]
        items = {key: judged.item(index) for index, key in enumerate(keys)}
        # A policy alone in a seat has that seat's verdict.
        place = self.paired.work.rows
        same = {place[row]: row for row in reversed(self.rows.family)}
        return {(k, row): items[k, same[place[row]]] for k in range(len(self.changes)) for row in self.rows.every}

    def _which(self) -> tuple[str, ...]:
        """The axis that tells what-ifs apart, where there are several."""
        return ("what_if",) if len(self.changes) > 1 else ()

    def _all_told(self) -> str:
        return " ".join(f"{told(self.scenario, change.what_if)}." for change in self.changes)

    def _tables(self) -> tuple[TableResult, ...]:
        seats, policies = len(self.rows.by_seat), len(self.rows.by_policy)
        made = [self._table("change", "What changes, by seat and policy", self.rows.cells, self._all_told())]
        if policies > 1 and len(self.rows.cells) > policies:
            made.append(self._table("change_by_policy", "What changes, by policy", self.rows.by_policy))
        if policies > 1 and len(self.rows.cells) > seats:
            made.append(self._table("change_by_seat", "What changes, by seat", self.rows.by_seat))
        return (*made, *(table for table in (self._layers(), self._worth(), self._deals()) if table is not None))

    def _table(self, name: str, title: str, rows: Sequence[Row], text: str = "") -> TableResult:
        single = [row for row in rows if -1 in row]
        axis = ("policy",) if single and rows[0][1] == -1 else ("seat",) if single else ("seat", "policy")
        spec = TableSpec(
            name,
            title,
            f"{text} Verdicts are one family over all changes of win shares on this page (Holm); the smallest change "
            f"that matters is {100 * self.effect:g} percentage points.".strip(),
            (*axis, *self._which()),
            COLUMNS,
            section="what changes",
            pictures=(
                PictureSpec("intervals", f"{name}-win-share", f"{title}: win shares", ("win_share",), diverging=True),
                PictureSpec("intervals", f"{name}-points", f"{title}: points a play", ("points",), diverging=True),
            ),
        )
        parts = [
            (
                self.paired.level(0, rows, WIN),
                self.paired.change(change.whole, rows, WIN),
                self.paired.change(change.whole, rows, POINTS),
            )
            for change in self.changes
        ]
        told = [self.verdicts[k, row] for k in range(len(self.changes)) for row in rows]
        words = Words("Verdict", tuple(in_words(item, self.scenario.game.unit) for item in told), tuple(told))
        return replace(self._laid_out(spec, rows, parts), words={"verdict": words})

    def _laid_out(self, spec: TableSpec, rows: Sequence[Row], parts: Sequence[tuple[Estimates, ...]]) -> TableResult:
        """A table of these rows for each what-if; `parts`: of each, its columns."""
        known = [{**self.rows.names(row), "what_if": change.what_if.name} for change in self.changes for row in rows]
        labels = tuple(tuple(names[axis] for axis in spec.axes) for names in known)
        columns = zip(spec.columns, zip(*parts, strict=True), strict=True)
        return TableResult(spec, labels, {column.name: concatenated(found) for column, found in columns})

    def _worth(self) -> TableResult:
        """What pairing was worth."""
        spec = TableSpec(
            "pairing",
            "What it was worth to play the same deals",
            f"How many times as many {plural(self.scenario.game.unit)} two separate runs would need for as narrow an "
            "interval of the change. None where nothing changed.",
            ("seat", "policy", *self._which()),
            WORTH_COLUMNS,
            section="single results and pairing",
        )
        cells = self.rows.cells
        parts = [
            tuple(self.paired.worth(change.whole, cells, quantity) for quantity in (WIN, POINTS))
            for change in self.changes
        ]
        return self._laid_out(spec, cells, parts)

    def _layers(self) -> TableResult | None:
        """The layers of every what-if that has them."""
        split = [change for change in self.changes if not change.unsplit]
        if not split:
            return None
        axes = ("seat", "layer", "policy", *self._which())
        labels: list[tuple[str, ...]] = []
        estimates: dict[str, list[Estimates]] = {column.name: [] for column in LAYER_COLUMNS}
        for change in split:
            for layer, pair in ((RESCORE, change.rescore), (REPLAY, change.replay)):
                for column, quantity in zip(LAYER_COLUMNS, (WIN, POINTS), strict=True):
                    estimates[column.name].append(self.paired.change(pair, self.rows.cells, quantity))
                for row in self.rows.cells:
                    names = self.rows.names(row)
                    labels.append(
                        (names["seat"], layer, names["policy"], *([change.what_if.name] if self._which() else []))
                    )
        spec = TableSpec(
            "layers",
            "Of what the change consists",
            "Re-score: the plays of before, scored by the new rules. Re-play: what follows from policies knowing the "
            "new rules. Both add up to the whole change, deal by deal.",
            axes,
            LAYER_COLUMNS,
            section="layers",
            pictures=(
                PictureSpec(
                    "intervals", "layers", "Of what the change of win shares consists", ("win_share",), diverging=True
                ),
            ),
        )
        return TableResult(spec, tuple(labels), {name: concatenated(parts) for name, parts in estimates.items()})

    def _deals(self) -> TableResult | None:
        """The most changed deals of every what-if, with the commands that tell them."""
        found = [(change, deal) for change in self.changes for deal in self._most_changed(change)]
        if not found:
            return None
        unit = self.scenario.game.unit
        spec = TableSpec(
            "most_changed",
            f"The most changed {plural(unit)}",
            "By the sum of all changes of points, then of win shares. The commands tell them move by move.",
            (*self._which(), unit),
            (),
            section="single results and pairing",
        )
        labels = [(*([change.what_if.name] if self._which() else []), f"{deal['deal']:,}") for change, deal in found]
        words = {side: Words(f"Told {side}", tuple(deal[side] for _, deal in found)) for side in ("before", "after")}
        return TableResult(spec, tuple(labels), {}, words)

    def body(self) -> dict[str, Any]:
        """The study's own keys of `results.json`."""
        return {"effect": self.effect, "what_ifs": [self._entry(k, change) for k, change in enumerate(self.changes)]}

    def _entry(self, k: int, change: Change) -> dict[str, Any]:
        given = change.what_if
        layers = [
            {"layer": layer, **self.rows.names(row), **self._changes(pair, row)}
            for layer, pair in ((RESCORE, change.rescore), (REPLAY, change.replay))
            for row in self.rows.cells
            if not change.unsplit
        ]
        return {
            "name": given.name,
            "set": dict(given.set),
            "rules": {
                key: {"before": self.scenario.rules[key], "after": value}
                for key, value in given.scenario.rules.items()
                if value != self.scenario.rules[key]
            },
            "same": change.whole is None,
            "change": [self._compared(k, change, row) for row in self.rows.cells],
            "by_policy": [self._compared(k, change, row) for row in self.rows.by_policy],
            "by_seat": [self._compared(k, change, row) for row in self.rows.by_seat],
            "layers": layers,
            "layers_absent": change.unsplit or None,
            "somebody_wins": self._somebody_wins(change),
            "winner_changed": self.paired.winner_changed(change.whole).item(()),
            "most_changed": list(self._most_changed(change)),
        }

    def _somebody_wins(self, change: Change) -> dict[str, Any]:
        """Share of plays with a winner, before and after, and its change."""
        return {
            "before": self.paired.level(0, [WHOLE], WIN).item(0),
            "after": self.paired.level(change.changed_arm, [WHOLE], WIN).item(0),
            "change": self.paired.change(change.whole, [WHOLE], WIN).item(0),
        }

    def _changes(self, pair: int | None, row: Row) -> dict[str, Any]:
        return {
            "win_share": self.paired.change(pair, [row], WIN).item(0),
            "points": self.paired.change(pair, [row], POINTS).item(0),
        }

    def _compared(self, k: int, change: Change, row: Row) -> dict[str, Any]:
        known = {
            f"{name}_{when}": self.paired.level(arm, [row], quantity).item(0)
            for name, quantity in (("win_share", WIN), ("points", POINTS))
            for when, arm in (("before", 0), ("after", change.changed_arm))
        }
        return {
            **self.rows.names(row),
            **self._changes(change.whole, row),
            **known,
            "variance_ratio": self.paired.worth(change.whole, [row], WIN).item(0),
            "points_variance_ratio": self.paired.worth(change.whole, [row], POINTS).item(0),
            **self.verdicts[k, row],
        }

    def _most_changed(self, change: Change) -> Iterator[dict[str, Any]]:
        for unit, play in self.paired.most_changed(change.whole):
            sides = zip((self.scenario, change.what_if.scenario), change.tables, strict=True)
            before, after = (_traced(each, table, unit, play) for each, table in sides)
            yield {"deal": unit, "rotation": play, "before": before, "after": after}


def _traced(scenario: Scenario, joint: Table, unit: int, play: int) -> str:
    """The command that traces a play of the joint table. It may be another one of the scenario's own table, which
    need not tell apart all whom the joint one does, and so has fewer arrangements."""

    def seated(table: Table) -> list[list[Policy]]:
        plays = table.arrangements[unit % len(table.arrangements)]
        return [[replace(table.policies[sits], name="") for sits in seats] for seats in plays]

    wanted, own = seated(joint)[play], seated(scenario.table)
    rotation = play if own[play : play + 1] == [wanted] else own.index(wanted)
    where = ["--deal", str(unit), *(["--rotation", str(rotation)] if len(own) > 1 else [])]
    return shlex.join(["analyzer", "trace", *scenario.call, *where])


def told(scenario: Scenario, what_if: WhatIf) -> str:
    """What a what-if changes, in words."""
    rules = [
        f"{key} {value_text(scenario.rules[key])} → {value_text(value)}"
        for key, value in what_if.scenario.rules.items()
        if value != scenario.rules[key]
    ]
    others = [key for key in what_if.set if not key.startswith("rules.")]
    return f"{what_if.name}: {', '.join([*rules, *others]) or 'nothing changes'}"
