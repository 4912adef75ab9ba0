"""What a sweep found, in sentences: said where the numbers allow it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from analyzer.report.findings import written
from analyzer.report.numbers import exact, plural
from analyzer.stats.verdicts import BETTER, EQUAL, UNDECIDED, WORSE
from analyzer.studies import crossed
from analyzer.studies.outcome import Said
from analyzer.studies.paired import WIN
from analyzer.studies.said import roughly, said
from analyzer.studies.swept import SweepReport

MOST_LISTED = 8
"""Values named in a sentence; of more only how many they are."""


def findings(report: SweepReport) -> Iterator[Said]:
    """What the numbers allow to be said."""
    what = " and ".join(report.variations.keys)
    if all(value.pair is None for value in report.values):
        yield said(
            "same", f"Does {what} matter?", f"Not at all: every value is one and the same game as {report.as_is}."
        )
        return
    yield from _moved(report, what)
    yield from _fairest(report, what)
    yield from _fair_places(report, what)


def _moved(report: SweepReport, what: str) -> Iterator[Said]:
    played = [k for k, value in enumerate(report.values) if value.pair is not None]
    judged = [(k, row) for k in played for row in report.rows.family]
    strict = report.strict(len(judged))
    for verdict, word in ((BETTER, "more"), (WORSE, "less")):
        moved = [key for key in judged if report.verdicts[key]["verdict"] == verdict]
        if moved:
            k, row = max(moved, key=lambda key: abs(report.move(*key)))
            value = report.values[k]
            others = f" (the largest of {len(moved)} such changes)" if len(moved) > 1 else ""
            if text := written(strict.change(value.pair, [row], WIN).item(0), "gain"):
                yield said(
                    verdict,
                    f"Who wins {word} often, at which value of {what}?",
                    f"{report.rows.who(row)} wins {text} {word} often at {value.name} than in {report.as_is}{others}.",
                )
    told = [report.verdicts[key] for key in judged]
    if all(each["verdict"] == EQUAL for each in told):
        least = f"{100 * report.effect:g} percentage points"
        yield said(
            "equal", f"Does {what} matter?", f"At no value does a win share change by {least}: practically equal."
        )
    elif undecided := [each for each in told if each["verdict"] == UNDECIDED]:
        known = [each["more"] for each in undecided if "more" in each]
        further = f"; about {roughly(max(known))} {plural(report.scenario.game.unit)} more would tell" if known else ""
        yield said(
            "undecided",
            f"What is still open about {what}?",
            f"{len(undecided)} of {len(told)} changes of win shares are undecided{further}.",
        )


def _fairest(report: SweepReport, what: str) -> Iterator[Said]:
    found = report.strict(len(report.values))
    spreads = report.spreads(found.confidence)
    if len(report.values) < 2 or not np.isfinite(spreads.high).all():
        return
    best = int(np.argmin(spreads.estimate))
    others = [value for k, value in enumerate(report.values) if k != best and spreads.low[k] <= spreads.high[best]]
    if len(others) == len(report.values) - 1:
        sentence = "At none of these values are seats surely nearer to each other than at the others."
    else:
        text = written(spreads.item(best), "gain")
        if text is None:
            return
        sentence = f"At {report.values[best].name}: the best seat wins {text} more often than the worst."
        if others:
            few = len(others) <= MOST_LISTED
            named = ", ".join(value.name for value in others) if few else f"{len(others)} other values"
            sentence += f" Seats are not surely farther apart at {named}."
    yield said("fairest", f"At which {what} are seats most alike?", f"{sentence} {report.mixed}".strip())


def _fair_places(report: SweepReport, what: str) -> Iterator[Said]:
    if not report.curved:
        return
    x = [value.values[0] for value in report.values]
    parts: list[str] = []
    none: list[str] = []
    near: list[str] = []
    everywhere: list[str] = []
    for row, found in report.roots(report.strict(len(report.rows.by_seat)).confidence):
        name = report.rows.names(row)["seat"]
        texts = [text for each in found.crossings if (text := crossed.at(each, report.paired.tallies.units))]
        if crossed.nothing_known(found, x):
            everywhere.append(name)
        elif found.crossings and len(texts) == len(found.crossings):
            parts.append(f"seat {name} at {' and '.join(texts)}")
        elif not found.crossings:
            (near if found.possible else none).append(name)
    if everywhere:
        parts.append(f"the share of {seats_told(everywhere)} cannot be told from it at any value")
    if near:
        parts.append(f"{seats_told(near)} perhaps, though the curve only comes near it")
    if none:
        parts.append(f"{seats_told(none)} at no value in this range")
    if parts:
        share = f"{exact(round(100 / len(report.scenario.seats), 2))}%"
        yield said("fair", f"At which {what} does a seat win its fair share of {share}?", f"{'; '.join(parts)}.")


def seats_told(names: Sequence[str]) -> str:
    """`seat S`, `seats S and W`."""
    *most, last = names
    return f"seats {', '.join(most)} and {last}" if most else f"seat {last}"
