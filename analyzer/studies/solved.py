"""What `solve` found, in tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.games.spec import PictureSpec, TableSpec
from analyzer.report.findings import written
from analyzer.report.frames import TableResult
from analyzer.report.numbers import exact
from analyzer.scenario.load import Scenario
from analyzer.stats.roots import Crossing
from analyzer.studies import crossed
from analyzer.studies.outcome import Said
from analyzer.studies.said import said
from analyzer.studies.scale import Scale
from analyzer.studies.swept import axis_names
from analyzer.studies.targets import Target

if TYPE_CHECKING:
    from analyzer.studies.solve import Solution


class SolveReport:
    """The curve, and where it takes the target."""

    def __init__(self, scenario: Scenario, scale: Scale, target: Target, solution: Solution) -> None:
        self.scenario, self.scale, self.target, self.solution = scenario, scale, target, solution
        self.levels, self.found = solution.levels(), solution.roots()
        self.style = {"share": "percent", "points": "points"}.get(target.column.unit, "number")
        self.tables = tuple(self._tables())

    def _tables(self) -> Iterator[TableResult]:
        target, scale = self.target, self.scale
        if self.found.crossings:
            yield TableResult(
                TableSpec(
                    "answers",
                    f"Where {target.text} is {target.value_text}",
                    self._left(),
                    ("crossing",),
                    (crossed.VALUE,),
                    section="answer",
                ),
                tuple((str(k),) for k in range(1, len(self.found.crossings) + 1)),
                {crossed.VALUE.name: crossed.places(self.found.crossings, self.solution.units)},
                crossed.words(self.found.crossings),
            )
        picture = PictureSpec(
            "curve",
            "curve",
            f"{target.column.label} by {scale.key}",
            (target.column.name,),
            scale.key,
            reference=target.value,
        )
        passed = [exact(value) for value in self.solution.refused]
        yield TableResult(
            TableSpec(
                "curve",
                f"{target.column.label} at every value played",
                f"From {exact(scale.low)} to {exact(scale.high)}: {scale.why}. All values are played on the same deals."
                + (f" Passed over, because they cannot be played: {', '.join(passed)}." if passed else ""),
                axis_names([scale.key]),
                (target.column,),
                pictures=(picture,),
                section="curve",
            ),
            tuple((exact(value).replace("\N{MINUS SIGN}", "-").replace(",", ""),) for value in self.solution.curve.x),
            {target.column.name: self.levels},
        )

    def _left(self) -> str:
        """What was not looked at any closer; empty when nothing is left."""
        if not self.solution.unfinished:
            return ""
        return f"The stretches between values played could not be narrowed further: {self.solution.unfinished}."

    def body(self) -> dict[str, Any]:
        """The study's own keys of `results.json`."""
        scale, target, units = self.scale, self.target, self.solution.units
        return {
            "key": scale.key,
            "target": {"name": target.name, "where": dict(target.where), "value": target.value},
            "from": scale.low,
            "to": scale.high,
            "range": scale.why,
            "whole": scale.whole,
            "tolerance": scale.tolerance,
            "as_is": scale.own,
            "crossings": [crossed.item(each, units) for each in self.found.crossings],
            "possible": crossed.spans(self.found),
            "unfinished": self.solution.unfinished or None,
            "refused": list(self.solution.refused),
            "curve": [
                {"value": value, target.name: self.levels.item(k)} for k, value in enumerate(self.solution.curve.x)
            ],
        }

    def findings(self) -> Iterator[Said]:
        """What the numbers allow to be said."""
        target, key = self.target, self.scale.key
        question = f"Which {key} makes {target.text} {target.value_text}?"
        reach = f"from {exact(self.scale.low)} to {exact(self.scale.high)}"
        crossings = self.solution.roots(max(1, len(self.found.crossings))).crossings
        if crossed.nothing_known(self.found, self.solution.curve.x):
            sentence = f"This run does not tell: every value {reach} remains possible."
            yield said("open", question, f"{sentence} {self._ends()}".strip())
            return
        for crossing in crossings:
            if text := crossed.at(crossing, self.solution.units):
                yield said("answer", question, f"At {key} = {text}. {self._bracket(crossing)}".strip())
        if len(crossings) > 1:
            yield said(
                "several",
                f"Is there one {key} only?",
                f"The curve takes the target {len(crossings)} times; crossings whose intervals overlap may be fewer.",
            )
        if not self.found.crossings and self.found.possible:
            spans = " and ".join(f"from {low:.4g} to {high:.4g}" for low, high in self.found.possible)
            yield said("near", question, f"Perhaps one {spans}: the curve only comes near the target. {self._ends()}")
        elif not self.found.crossings and np.isfinite(self.levels.low).all():
            yield said("none", question, f"No value {reach} does it. {self._ends()}")

    def _level(self, value: float) -> str | None:
        place = self.solution.curve.x.index(value)
        return written(self.levels.item(place), self.style)

    def _bracket(self, crossing: Crossing) -> str:
        """The number at the two values played between which a crossing lies."""
        low, high = crossing.bracket
        ends = [f"{text} at {exact(value)}" for value in dict.fromkeys((low, high)) if (text := self._level(value))]
        return f"Played: {' and '.join(ends)}." if ends else ""

    def _ends(self) -> str:
        """The smallest and the largest number seen."""
        order = np.argsort(self.levels.estimate, kind="stable")
        x = self.solution.curve.x
        ends = [
            f"{word} {text} at {exact(x[place])}"
            for word, place in (("smallest", order[0]), ("largest", order[-1]))
            if (text := self._level(x[place]))
        ]
        return f"Of the values played {' and '.join(ends)}." if ends else ""
