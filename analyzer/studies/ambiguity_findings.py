"""What the readings of the rules change, in sentences that the numbers allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.report.findings import written
from analyzer.report.numbers import counted
from analyzer.stats.classes import CLASSES, DECIDE, LITTLE, NOTHING, OPEN
from analyzer.studies.ambiguity_report import AmbiguityReport
from analyzer.studies.outcome import Said
from analyzer.studies.said import said

KEYS = {DECIDE: "decide", LITTLE: "little", OPEN: "open", NOTHING: "nothing"}
"""What findings are named after."""


def findings(report: AmbiguityReport) -> Iterator[Said]:
    """What the numbers allow to be said; the sources' own gaps first."""
    for name, which, what in (
        ("gaps", report.gaps, "Which readings of the sources' gaps"),
        ("settled", report.settled, "Which changes of rules that the sources settle"),
    ):
        for kind in CLASSES:
            chosen = [k for k in which if report.classes.found[k] == kind]
            if chosen:
                most = len(chosen) if name == "gaps" else 3
                yield _finding(report, f"{name}_{KEYS[kind]}", kind, chosen, what, most)


def _finding(report: AmbiguityReport, name: str, kind: str, chosen: Sequence[int], what: str, most: int) -> Said:
    """A sentence on the readings of a class; the first ones with their numbers."""
    names = [report.reading(k).name for k in chosen]
    if kind == NOTHING:
        return said(
            name,
            f"{what} do not matter?",
            f"Does not matter: {', '.join(names)}. No win share changes by {report.percent} or more.",
        )
    listed = "; ".join(_told(report, k) for k in chosen[:most])
    listed += f"; also {', '.join(names[most:])}" if names[most:] else ""
    if kind == DECIDE:
        return said(name, f"{what} must be decided first?", f"Decide before believing any number: {listed}.")
    if kind == LITTLE:
        return said(
            name,
            f"{what} matter a little?",
            f"Matters a little: {listed}. Something changes, but it is not shown on which side of {report.percent}.",
        )
    return said(name, f"{what} are still open?", f"Undecided: {listed}.")


def _told(report: AmbiguityReport, k: int) -> str:
    """A reading, how much it changes for whom, and what is missing."""
    size = written(report.largest.item(k), "gain")
    more = report.more(k)
    parts = [
        f"{size}, {report.where(k)}" if size and report.place(k) else "",
        f"about {counted(more, report.unit)} more would tell" if more else "",
    ]
    known = "; ".join(part for part in parts if part)
    return report.reading(k).name + (f" ({known})" if known else "")
