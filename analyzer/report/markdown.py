"""The page `report.md`: the same content for a repository or a terminal, with relative links to figures and
tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.report import tables
from analyzer.report.page import Page, folded
from analyzer.report.tables import markdown_text as text

if TYPE_CHECKING:
    from analyzer.report.frames import TableResult


def markdown_report(page: Page) -> str:
    """The whole page; texts from a scenario cannot become markup."""
    return "\n".join(_lines(page)) + "\n"


def _lines(page: Page) -> Iterator[str]:
    yield f"# {text(page.title)}"
    if page.question:
        yield f"\n{text(page.question)}"
    for check in page.failed:
        yield f"\n> **Health check failed: {text(check.title)}.** {text(check.detail)}"
    if page.partial:
        yield f"\n> **Partial run.** {text(page.partial)}"
    if page.conditioned:
        yield f"\n> **Hands are given.** {text(page.conditioned)}"
    yield f"\n{text(page.facts)}"
    if page.stopping:
        yield f"\n{text(page.stopping)}"
    yield "\n## Findings\n"
    for question, sentence in page.findings:
        yield f"- **{text(question)}** {text(sentence)}"
    if not page.findings:
        yield "The numbers support no finding yet: too few were counted."
    if page.drawings:
        yield "\n## Pictures"
    for drawing in page.drawings:
        yield f"\n![{text(drawing.alt)}](figures/{drawing.name}.png)"
        if drawing.caption:
            yield f"\n*{text(drawing.caption)}*"
    yield "\n## Tables"
    yield f"\nIn brackets the {page.confidence} interval. Shares are percent here, fractions in the CSV."
    for section, group in page.tables:
        yield f"\n### {text(section)}"
        for table in group:
            yield from _table(table)
    if page.absent:
        yield "\n### Left out\n"
        yield from (f"- {text(name)}: {text(reason)}" for name, reason in page.absent)
    yield "\n## Rules and policies in force\n"
    yield from _pairs("Rule", page.rules)
    for name, known in page.policies:
        yield f"\n### Policy {text(name)}\n"
        yield from _pairs("What", known)
    yield "\nEvery rule and every weight: `scenario.toml`."
    yield "\n## Health\n"
    if page.checks:
        yield "| Check | Result | Detail |\n| :-- | :-- | :-- |"
        yield from (f"| {text(c.title)} | {c.verdict} | {text(c.detail)} |" for c in page.checks)
    else:
        yield "This study has no checks of its own; `run` on the same scenario has them."
    yield "\n## Provenance\n"
    yield from _pairs("What", page.provenance)


def _table(table: TableResult) -> Iterator[str]:
    spec, link = table.spec, f"[tables/{table.spec.name}.csv](tables/{table.spec.name}.csv)"
    yield f"\n#### {text(spec.title)}"
    if spec.text:
        yield f"\n{text(spec.text)}"
    for column in spec.columns:
        if column.text:
            yield f"\n{text(column.label)}: {text(column.text)}"
    shown = tables.view(table, tables.MARKDOWN_ROWS)
    closed = folded(table, shown)
    yield "\n<details><summary>Show the table</summary>\n" if closed else ""
    yield tables.markdown_table(shown)
    yield from tables.notes(shown, link)
    if closed:
        yield "\n</details>"
    yield f"\nAll of its numbers: {link}"


def _pairs(head: str, pairs: tuple[tuple[str, str], ...]) -> Iterator[str]:
    yield f"| {head} | Value |\n| :-- | :-- |"
    yield from (f"| {text(key)} | {text(value)} |" for key, value in pairs)
