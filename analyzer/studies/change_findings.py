"""What a what-if changed, in sentences: said where the numbers allow it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from analyzer.report.findings import written
from analyzer.report.numbers import plural
from analyzer.sim.arms import WHOLE, Row
from analyzer.stats.verdicts import BETTER, EQUAL, UNDECIDED, WORSE
from analyzer.studies.changes import Change, ChangeReport
from analyzer.studies.outcome import Said
from analyzer.studies.paired import POINTS, WIN
from analyzer.studies.said import roughly, said


def findings(report: ChangeReport) -> list[Said]:
    """Of every what-if: who wins more and less often, points, what is open, how many results turn, what pairing was
    worth.
    """
    return [each for k, change in enumerate(report.changes) for each in _of_change(report, k, change)]


def _of_change(report: ChangeReport, k: int, change: Change) -> Iterator[Said]:
    name = change.what_if.name
    if change.whole is None:
        yield said("same", f"What does “{name}” change?", "Nothing at all: both sides are one and the same game.")
        return
    rows = _spoken_of(report)
    judged = [report.verdicts[k, row]["verdict"] for row in rows]
    shares = report.paired.change(change.whole, rows, WIN)
    for verdict, word in ((BETTER, "more"), (WORSE, "less")):
        moved = [index for index, found in enumerate(judged) if found == verdict]
        if moved:
            most = max(moved, key=lambda index: abs(shares.estimate[index]))
            others = f", the most of {len(moved)} who win {word} often" if len(moved) > 1 else ""
            gain = written(shares.item(most), "gain")
            who = report.rows.who(rows[most])
            yield said(verdict, f"Who wins {word} often if “{name}”?", f"{who} wins {gain} {word} often{others}.")
    if all(found == EQUAL for found in judged):
        yield said(
            "equal",
            f"Does “{name}” matter?",
            f"No win share changes by {100 * report.effect:g} percentage points or more: practically equal.",
        )
    yield from _undecided(report, name, [report.verdicts[k, row] for row in rows])
    yield from _points(report, change, rows)
    turned = written(report.paired.winner_changed(change.whole).item(()), "percent")
    if turned:
        yield said("winner_changed", f"How many results does “{name}” turn?", f"{turned} of plays have another winner.")
    yield from _without_winner(report, change)
    yield from _pairing(report, change, rows)


def _spoken_of(report: ChangeReport) -> list[Row]:
    """Policies where several sit in more than one seat, else each policy in its seat."""
    several = len(report.rows.by_policy) > 1 and len(report.rows.cells) > len(report.rows.by_policy)
    return report.rows.by_policy if several else report.rows.cells


def _undecided(report: ChangeReport, name: str, items: Sequence[dict[str, Any]]) -> Iterator[Said]:
    missing = [item.get("more") for item in items if item["verdict"] == UNDECIDED]
    if missing:
        known = [more for more in missing if more]
        further = f"; about {roughly(max(known))} {plural(report.scenario.game.unit)} more would tell" if known else ""
        verb = "is" if len(missing) == 1 else "are"
        yield said(
            "undecided",
            f"What is still open about “{name}”?",
            f"{len(missing)} of {len(items)} changes of win shares {verb} undecided{further}.",
        )


def _points(report: ChangeReport, change: Change, rows: Sequence[Row]) -> Iterator[Said]:
    points = report.paired.change(change.whole, rows, POINTS)
    known = [index for index in range(len(rows)) if points.low[index] > 0 or points.high[index] < 0]
    if known:
        most = max(known, key=lambda index: abs(points.estimate[index]))
        more = points.estimate[most] > 0
        found = points.item(most)
        ends = found if more else {"estimate": -found["estimate"], "low": -found["high"], "high": -found["low"]}
        yield said(
            "points",
            f"What does “{change.what_if.name}” do to points?",
            f"{report.rows.who(rows[most])} ends a play with {written(ends, 'points')} "
            f"{'more' if more else 'fewer'}, the largest change.",
        )


def _without_winner(report: ChangeReport, change: Change) -> Iterator[Said]:
    moved = report.paired.change(change.whole, [WHOLE], WIN)
    text = written(moved.item(0), "gain")
    if text and (moved.low[0] > 0 or moved.high[0] < 0):
        word = "more" if moved.estimate[0] > 0 else "less"
        yield said(
            "winner",
            f"Is there a winner if “{change.what_if.name}”?",
            f"Somebody wins {text} {word} often than before.",
        )


def _pairing(report: ChangeReport, change: Change, rows: Sequence[Row]) -> Iterator[Said]:
    worth = report.paired.worth(change.whole, rows, WIN)
    if not np.isfinite(worth.estimate).any():
        return
    least = int(np.nanargmin(worth.estimate))
    text = written(worth.item(least), "number")
    if text:
        yield said(
            "pairing",
            f"What was it worth to play “{change.what_if.name}” on the same deals?",
            f"Two separate runs would need {text} times as many {plural(report.scenario.game.unit)} for intervals as "
            "narrow, or more."
            if worth.low[least] > 1
            else f"Little: the variance ratio is {text}, so both sides have hardly more in common than two runs.",
        )
