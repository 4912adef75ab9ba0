"""What a report says, in the order in which it says it; `html.py` and `markdown.py` only set it in type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer.report import numbers
from analyzer.report.numbers import counted
from analyzer.report.plots import Drawing
from analyzer.report.tables import View, heading

if TYPE_CHECKING:
    from analyzer.report.frames import TableResult

FOLDED_ROWS = 24
"""Longer tables are shown closed."""
PASSED = {True: "held", False: "FAILED", None: "not tested"}


@dataclass(frozen=True)
class Check:
    """One line of the health panel."""

    title: str
    verdict: str
    detail: str
    failed: bool


@dataclass(frozen=True)
class Page:
    """Everything on the page, as plain text and tables."""

    title: str
    question: str
    facts: str
    partial: str
    """Empty unless the run was interrupted."""
    conditioned: str
    """Empty unless seats are given something."""
    stopping: str
    """How a run by precision ended, and what its intervals mean; else empty."""
    findings: tuple[tuple[str, str], ...]
    """(question, sentence)"""
    drawings: tuple[Drawing, ...]
    tables: tuple[tuple[str, tuple[TableResult, ...]], ...]
    """(section, tables)"""
    absent: tuple[tuple[str, str], ...]
    """(table, why it was left out)"""
    rules: tuple[tuple[str, str], ...]
    policies: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """(policy, what is known of it)"""
    scenario: str
    checks: tuple[Check, ...]
    provenance: tuple[tuple[str, str], ...]
    confidence: str
    """`95%`"""

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.failed)


def compose(
    results: Mapping[str, Any],
    tables: Sequence[TableResult],
    drawings: Sequence[Drawing],
    provenance: Mapping[str, Any],
    scenario: str,
) -> Page:
    """The page of a run: `results` as in `results.json`, `provenance` as in `run.json`, `scenario` resolved
    TOML."""
    sections: dict[str, list[TableResult]] = {}
    for table in tables:
        sections.setdefault(heading(table.spec.section), []).append(table)
    unit = str(results.get("unit", "unit"))
    count = int(results["count"])
    confidence = f"{results['confidence'] * numbers.PERCENT:g}%"
    first = int(results["first"])
    which = f", numbers {first:,} to {first + count - 1:,}" if first else ""
    facts = [f"Game: {results['game']}", f"{counted(count, unit)} counted{which}", f"seed {results['seed']}"]
    partial = f"This run was interrupted. Everything below rests on the first {counted(count, unit)} alone."
    return Page(
        title=str(results["title"]),
        question=str(results["question"]),
        facts=" · ".join([*facts, f"intervals are {confidence}"]),
        partial=partial if provenance.get("partial") else "",
        conditioned=_conditioned(results.get("given", {})),
        stopping=_stopping(results["precision"], counted(count, unit), confidence) if "precision" in results else "",
        findings=tuple((found["question"], found["sentence"]) for found in results["findings"]),
        drawings=tuple(drawings),
        tables=tuple((name, tuple(group)) for name, group in sections.items()),
        absent=tuple(results.get("absent", {}).items()),
        rules=tuple(flat(results["rules"])),
        policies=tuple(_policies(results["policies"])),
        scenario=scenario,
        checks=tuple(
            Check(check["title"], PASSED[check["passed"]], check["detail"], check["passed"] is False)
            for check in results["health"]
        ),
        provenance=tuple(flat(provenance)),
        confidence=confidence,
    )


def _conditioned(given: Mapping[str, str]) -> str:
    if not given:
        return ""
    who = "; ".join(f"{seat} holds {held}" for seat, held in given.items())
    return (
        f"Whenever hands are dealt, {who}; everything else is dealt at random. All that is said below is said of such "
        "deals alone; where random players check the machine, they are dealt freely."
    )


def _stopping(precision: Mapping[str, Any], units: str, confidence: str) -> str:
    """How a run ended that was to end by precision."""
    widest = numbers.PERCENT * precision["widest"] if precision["widest"] is not None else None
    reach = (
        ""
        if widest is None
        else f": the widest interval reaches ±{numbers.number(widest, numbers.significant(widest))}"
    )
    if precision["reached"]:
        how = f"It is so after {units}{reach}, seen at look number {precision['looks']:,}."
    elif precision["limit_reached"]:
        how = f"It was not so within the {units} that it might play at most{reach}."
    else:
        how = f"It is not yet so after {units}{reach}."
    cycles = (
        " It was left within a cycle of line-ups that take turns, while sequences hold after whole ones; these are a "
        "little off."
    )
    return (
        "This run was to end as soon as every win share by seat, by policy, and by policy and seat is known to "
        f"±{numbers.exact(numbers.PERCENT * precision['asked'])} percentage points. {how} Columns that say so have "
        "intervals of a confidence sequence: they hold wherever the run ends, those of the "
        f"{precision['comparisons']} win shares all together with {confidence}."
        f"{'' if precision['whole_cycles'] else cycles} All other intervals are meant for a number that was fixed "
        "beforehand, while here the deals had a say in it. It hung on how wide intervals were, not on which way "
        "anything leaned, so those others are about right, but it is no promise."
    )


def flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Nested values as (dotted key, text) pairs."""
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", plain(value)


def plain(value: Any) -> str:
    """A value in words: true, false, a comma-separated list, a number, a text; mappings in brackets."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(plain(item) for item in value) or "none"
    if value is None or value == {}:
        return "none"
    if isinstance(value, Mapping):
        return f"({', '.join(f'{key} {plain(inner)}' for key, inner in value.items())})"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _policies(policies: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    for policy in policies:
        known = {key: value for key, value in policy.items() if key != "name" and value not in ("", None)}
        yield str(policy["name"]), tuple(flat(known))


def folded(table: TableResult, shown: View) -> bool:
    """Whether the table is shown closed."""
    return table.spec.folded or shown.total > FOLDED_ROWS
