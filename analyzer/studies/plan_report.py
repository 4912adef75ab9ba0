"""How many units a question needs, in tables and sentences, from what a pilot measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.games.spec import ColumnSpec, PictureSpec, TableSpec
from analyzer.report import numbers
from analyzer.report.frames import TableResult
from analyzer.scenario.load import Scenario
from analyzer.sim.result import Tallies
from analyzer.stats.intervals import UNBOUNDED, Bounds, Estimates, stacked
from analyzer.stats.power import detectable, units_to_detect
from analyzer.studies.outcome import Said, records
from analyzer.studies.pilot import Quantity
from analyzer.studies.said import roughly, said, share_changes

POWERS = (0.8, 0.95)
"""Chances with which a difference of the size asked for is to be told."""
BUDGETS = tuple(10**power for power in range(3, 10))
"""Units for which is said what they tell: 1,000 to 10^9."""
_RIVALS = (
    " Two policies at one table take wins from each other, so their difference varies more there than between runs of "
    "their own; but it is also larger."
)
_SD = "Standard deviation of its difference"
_WORTH = "how many times as many deals two runs of their own would need"


@dataclass(frozen=True)
class Family:
    """Quantities told together: of one what-if; of one run its shares, or its pairs of policies."""

    name: str
    what: str
    """What is told, in words: a change of `what`."""
    members: tuple[Quantity, ...]

    @property
    def paired(self) -> bool:
        return self.members[0].apart is not None


class PlanReport:
    """The answers, laid out."""

    def __init__(
        self, scenario: Scenario, tallies: Tallies, quantities: Sequence[Quantity], detect: float | None
    ) -> None:
        self.scenario, self.tallies, self.quantities, self.detect = scenario, tallies, quantities, detect
        self.units = numbers.plural(scenario.game.unit)
        self.families = tuple(self._families())
        self.tables = tuple(self._tables()) if quantities else ()

    def _families(self) -> Iterator[Family]:
        for name in dict.fromkeys(each.what_if for each in self.quantities):
            mine = tuple(each for each in self.quantities if each.what_if == name)
            if name:
                yield Family(name, "a change", mine)
                continue
            shares = tuple(each for each in mine if each.apart is None)
            pairs = tuple(each for each in mine if each.apart is not None)
            if shares:
                yield Family("shares", "a win share from that of equals, a difference", shares)
            if pairs:
                yield Family("pairs", "two policies apart, a difference", pairs)

    def needed(
        self, variance: Estimates, power: float, bounds: Bounds = UNBOUNDED, *, comparisons: int = 1
    ) -> Estimates:
        """Units to tell `detect`."""
        assert self.detect is not None
        return units_to_detect(variance, self.detect, power, self.scenario.confidence, bounds, comparisons=comparisons)

    def _labels(self, quantity: Quantity) -> tuple[str, ...]:
        return (quantity.who, quantity.what_if) if self._several else (quantity.who,)

    @property
    def _several(self) -> bool:
        return len({each.what_if for each in self.quantities}) > 1

    @property
    def _axes(self) -> tuple[str, ...]:
        return ("who", "what_if") if self._several else ("who",)

    def _tables(self) -> Iterator[TableResult]:
        both = any(each.apart is not None for each in self.quantities)
        alike = all(each.apart is not None for each in self.quantities)
        labels = tuple(self._labels(each) for each in self.quantities)
        head = self.units.capitalize()
        if self.detect is not None:
            columns, parts = [], []
            for name, label, apart in (("needed", "", False), ("needed_apart", " in runs of their own", True)):
                for power in POWERS if both or not apart else ():
                    columns.append(
                        ColumnSpec(
                            f"{name}_{power * 100:g}", f"{head}{label}, {power * 100:g}% power", "count", low=0.0
                        )
                    )
                    parts.append(stacked([self._needed(each, power, apart) for each in self.quantities]))
            yield TableResult(
                TableSpec(
                    "needed",
                    f"How many {self.units} it takes",
                    f"To tell a true difference of {self._size} from none: after so many {self.units} its interval "
                    "leaves out 0 with a chance of 80%, or 95%. The intervals here say how well the pilot knows how "
                    f"much a {self.scenario.game.unit} varies."
                    + (
                        " Both sides are played on the same deals; with runs of their own each would need as many as "
                        "the last columns say."
                        if both
                        else ""
                    )
                    + (_RIVALS if any(family.name == "pairs" for family in self.families) else "")
                    + self._verdicts(),
                    self._axes,
                    tuple(columns),
                    section="what is needed",
                    pictures=(
                        PictureSpec(
                            "intervals",
                            "needed",
                            f"{head} to tell {self._size} with {POWERS[0] * 100:g}% power",
                            ("needed_80", "needed_apart_80") if alike else ("needed_80",),
                        ),
                    ),
                ),
                labels,
                {column.name: part for column, part in zip(columns, parts, strict=True)},
            )
        yield self._told_by()
        yield self._measured(labels, both)

    def _needed(self, quantity: Quantity, power: float, apart: bool) -> Estimates:
        if not apart:
            return self.needed(quantity.variance, power, quantity.bounds)
        return _unknown(quantity.variance) if quantity.apart is None else self.needed(quantity.apart, power)

    def _verdicts(self) -> str:
        """How much more the verdicts of `what-if` take, in words."""
        of = [len(family.members) for family in self.families if family.paired and self.families[0].name != "shares"]
        if not of:
            return ""
        one = _known(1e6)
        factor = float(
            self.needed(one, POWERS[0], comparisons=2 * sum(of)).estimate / self.needed(one, POWERS[0]).estimate
        )
        return (
            f" The verdicts of what-if hold for all {sum(of)} changes together, for which it takes up to "
            f"{factor:.1f} times as many."
        )

    def _told_by(self) -> TableResult:
        """What numbers of units tell."""
        columns = [share_changes("difference_80", "80% power"), share_changes("difference_95", "95% power")]
        rows: list[tuple[str, ...]] = []
        parts: dict[str, list[Estimates]] = {column.name: [] for column in columns}
        for number in BUDGETS:
            for each in self.quantities:
                rows.append((str(number), *self._labels(each)))
                for column, power in zip(columns, POWERS, strict=True):
                    parts[column.name].append(self.detectable_by(each.variance, number, power, each.bounds))
        return TableResult(
            TableSpec(
                "told_by",
                f"What a number of {self.units} tells",
                f"The smallest true difference that so many {self.units} tell from none.",
                (self.units, *self._axes),
                tuple(columns),
                section="what is needed",
                folded=True,
            ),
            tuple(rows),
            {name: stacked(found) for name, found in parts.items()},
        )

    def detectable_by(self, variance: Estimates, number: float, power: float, bounds: Bounds = UNBOUNDED) -> Estimates:
        """What so many units tell."""
        return detectable(variance, number, power, self.scenario.confidence, bounds)

    def _measured(self, labels: tuple[tuple[str, ...], ...], both: bool) -> TableResult:
        columns = [share_changes("difference", "Difference of win share in the pilot"), ColumnSpec("sd", _SD, "share")]
        parts = {
            "difference": stacked([each.measured for each in self.quantities]),
            "sd": stacked([_root(each.variance) for each in self.quantities]),
        }
        if both:
            columns.append(ColumnSpec("worth", "Worth of the same deals", "ratio", text=_WORTH))
            parts["worth"] = stacked([_ratio(each.apart, each.variance) for each in self.quantities])
        return TableResult(
            TableSpec(
                "pilot",
                "What the pilot measured",
                f"Over {numbers.counted(self.tallies.units, self.scenario.game.unit)}.",
                self._axes,
                tuple(columns),
                section="the pilot",
            ),
            labels,
            parts,
        )

    @property
    def _size(self) -> str:
        assert self.detect is not None
        return f"{numbers.exact(numbers.PERCENT * self.detect)} percentage points"

    def body(self) -> dict[str, Any]:
        """The study's own keys of `results.json`."""
        return {"detect": self.detect, "powers": list(POWERS), **records(self.tables)}

    def hardest(self, family: Family) -> Quantity:
        return max(family.members, key=lambda each: np.nan_to_num(float(each.variance.estimate)))

    def findings(self) -> Iterator[Said]:
        """What the numbers allow to be said."""
        if not self.quantities:
            yield said(
                "same", "How many are needed?", "Both sides are one and the same game: there is nothing to tell."
            )
        for family in self.families if self.detect is not None else ():
            worst = self.hardest(family)
            needed = self.needed(worst.variance, POWERS[0], worst.bounds).item(())
            if not np.isfinite(worst.variance.se):
                # Too few to know how well the pilot knows it.
                continue
            surer = self.needed(worst.variance, POWERS[1], worst.bounds).item(())
            apart = ""
            if worst.apart is not None:
                alone = self.needed(worst.apart, POWERS[0]).item(())["estimate"]
                apart = f"; in runs of their own {roughly(alone)} each"
            about = f" under “{family.name}”" if worst.what_if else ""
            most = f" That is for the one of {len(family.members)} that needs most, {worst.who}."
            yield said(
                f"needed_{family.name}",
                "How many are needed?",
                f"To tell {family.what} of {self._size}{about} with 80% power: about {_in_words(needed, self.units)}, "
                f"with 95% power {roughly(surer['estimate'])}{apart}.{most if family.members[1:] else ''}",
            )


def _in_words(needed: dict[str, Any], units: str) -> str:
    """A number of units with its interval, in as few digits as tell its ends apart."""
    parts = [needed[part] for part in ("estimate", "low", "high")]
    digits = next((some for some in (2, 3, 4) if roughly(parts[1], some) != roughly(parts[2], some)), 5)
    value, low, high = (roughly(part, digits) for part in parts)
    return f"{value} {units} ({low} to {high})"


def _known(variance: float) -> Estimates:
    value = np.array(variance)
    return Estimates(value, value, value, value, np.array(1))


def _unknown(like: Estimates) -> Estimates:
    nothing = np.full(like.estimate.shape, np.nan)
    return Estimates(nothing, nothing, nothing, nothing, like.n)


def _root(variance: Estimates) -> Estimates:
    unknown = np.full(variance.estimate.shape, np.nan)
    return Estimates(np.sqrt(variance.estimate), np.sqrt(variance.low), np.sqrt(variance.high), unknown, variance.n)


def _ratio(apart: Estimates | None, together: Estimates) -> Estimates:
    """What the same deals are worth; its interval has the extreme quotients of both ends."""
    if apart is None:
        return _unknown(together)
    with np.errstate(divide="ignore", invalid="ignore"):
        value, low, high = (
            np.where(below > 0, above / below, np.nan)
            for above, below in (
                (apart.estimate, together.estimate),
                (apart.low, together.high),
                (apart.high, together.low),
            )
        )
    return Estimates(value, low, high, np.full(value.shape, np.nan), together.n)
