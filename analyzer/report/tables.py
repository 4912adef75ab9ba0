"""Tables of estimates as HTML, Markdown and CSV.

On a page a share is a percentage and its interval decides the digits; a CSV holds fractions to 12
significant digits.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
from markupsafe import Markup

from analyzer.games.spec import ColumnSpec
from analyzer.report import numbers

if TYPE_CHECKING:
    from analyzer.report.frames import TableResult

HTML_ROWS = 1000
MARKDOWN_ROWS = 60
MATRIX_COLUMNS = 13
"""A table of two axes and one column is laid out as a matrix when the second axis has at most so many
labels."""
MATRIX_ROWS = 12
"""... and the list would be longer than this."""

SHORT_LABEL = 24
"""Labels of at most so many letters are not broken."""

NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")
FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
MARKDOWN = re.compile(r"[\\`*\[\]|~$]|(?<!\w)_|_(?!\w)|^[#+=>-]")
LIST_NUMBER = re.compile(r"^(\d+)([.)])(?=\s)")


@dataclass(frozen=True)
class Cell:
    """An estimate as text; `interval` is empty when there is none."""

    text: str
    interval: str = ""
    alone: bool = False
    """An estimate that should have an interval and has none."""
    words: bool = False
    """A text, not a number."""


@dataclass(frozen=True)
class View:
    """A table as a reader sees it: texts only."""

    title: str
    axes: tuple[str, ...]
    columns: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    cells: tuple[tuple[Cell, ...], ...]
    total: int
    """Rows before the table was cut."""

    @property
    def missing(self) -> bool:
        """Whether some cell has no number."""
        return any(cell.text == numbers.DASH for row in self.cells for cell in row)

    @property
    def bare(self) -> bool:
        """Whether some number has no interval."""
        return any(cell.alone for row in self.cells for cell in row)


def heading(name: str) -> str:
    """`lead_changes` -> `Lead changes`."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def column_heading(column: ColumnSpec) -> str:
    """The column's label with its unit, once."""
    return numbers.with_unit(column.label, numbers.unit_name(column))


def column_cells(result: TableResult, column: ColumnSpec) -> list[Cell]:
    """One cell a row of the table."""
    estimates, factor = result.estimates[column.name], numbers.factor(column.unit)
    ends = [(low * factor, high * factor) for low, high in zip(estimates.low, estimates.high, strict=True)]
    digits = numbers.column_digits(ends)
    texts = [
        numbers.value_and_interval(value * factor, low, high, places)
        for value, (low, high), places in zip(estimates.estimate, ends, digits, strict=True)
    ]
    return [Cell(text, interval, not interval and text != numbers.DASH) for text, interval in texts]


def _plain(value: float) -> str:
    return numbers.number(value, numbers.significant(value))


def view(result: TableResult, limit: int = HTML_ROWS) -> View:
    """The table's texts, at most `limit` rows; two axes and one column become a matrix where that reads
    better."""
    spec = result.spec
    axes = tuple(heading(axis) for axis in spec.axes)
    cells = [column_cells(result, column) for column in spec.columns]
    columns = [column_heading(column) for column in spec.columns]
    for column in spec.columns:
        equal = result.estimates[column.name].under_equal
        if equal is not None:
            columns.append(f"{column_heading(column)} by chance alone, were all equal")
            cells.append([Cell(_plain(value * numbers.factor(column.unit))) for value in equal.tolist()])
    for words in result.words.values():
        columns.append(words.label)
        cells.append([Cell(text, words=True) for text in words.texts])
    if len(axes) == 2 and len(columns) == 1 and len(result.rows) > MATRIX_ROWS:
        across = tuple(dict.fromkeys(row[1] for row in result.rows))
        if len(across) <= MATRIX_COLUMNS:
            down = tuple(dict.fromkeys(row[0] for row in result.rows))
            at = dict(zip(result.rows, cells[0], strict=True))
            matrix = tuple(tuple(at.get((row, col), Cell("")) for col in across) for row in down[:limit])
            unit = numbers.unit_name(spec.columns[0])
            units = tuple(numbers.with_unit(col, unit) for col in across)
            return View(spec.title, axes[:1], units, tuple((row,) for row in down[:limit]), matrix, len(down))
    rows = tuple(zip(*cells, strict=True)) if cells else ()
    return View(spec.title, axes, tuple(columns), result.rows[:limit], rows[:limit], len(result.rows))


def notes(shown: View, link: str) -> list[str]:
    """What a reader must know to read the table right."""
    said = []
    if shown.missing:
        said.append(f"{numbers.DASH} stands where nothing, or too little, was observed.")
    if shown.bare:
        said.append("Where no interval stands beside a number, none can be given.")
    if shown.total > len(shown.labels):
        said.append(f"The first {len(shown.labels):,} of {shown.total:,} rows; all of them are in {link}.")
    return said


def html_table(shown: View) -> Markup:
    """A `<table>` with caption, scoped headings and escaped text."""
    out = [Markup("<table><caption>{}</caption><thead><tr>").format(shown.title)]
    out += [Markup('<th scope="col">{}</th>').format(axis) for axis in shown.axes]
    texts = [bool(cells) and cells[0].words for cells in zip(*shown.cells, strict=True)] or [False] * len(shown.columns)
    out += [
        Markup('<th scope="col" class="{}">{}</th>').format("words" if words else "num", column)
        for column, words in zip(shown.columns, texts, strict=True)
    ]
    out.append(Markup("</tr></thead><tbody>"))
    # One width for a column's intervals, so that its numbers stand below each other.
    widths = [max(len(cell.interval) for cell in cells) for cells in zip(*shown.cells, strict=True)]
    for labels, cells in zip(shown.labels, shown.cells, strict=True):
        out.append(Markup("<tr>"))
        out += [_html_label(label) for label in labels]
        out += [_html_cell(cell, width) for cell, width in zip(cells, widths, strict=True)]
        out.append(Markup("</tr>\n"))
    out.append(Markup("</tbody></table>"))
    return Markup("").join(out)


def _html_label(label: str) -> Markup:
    short = Markup(' class="short"') if len(label) <= SHORT_LABEL else ""
    return Markup('<th scope="row"{}>{}</th>').format(short, label)


def _html_cell(cell: Cell, width: int) -> Markup:
    if cell.words:
        return Markup('<td class="words{}">{}</td>').format(" long" if len(cell.text) > SHORT_LABEL else "", cell.text)
    if not width:
        return Markup('<td class="num">{}</td>').format(cell.text)
    interval = Markup('<span class="ci" style="min-width:{}ch">{}</span>').format(width, cell.interval)
    return Markup('<td class="num">{} {}</td>').format(cell.text, interval)


def markdown_text(text: object) -> str:
    """Text that Markdown shows as it is: no markup, no HTML, no line break, no end of a table cell."""
    flat = " ".join(str(text).split()).replace("&", "&amp;").replace("<", "&lt;")
    return LIST_NUMBER.sub(r"\1\\\2", MARKDOWN.sub(r"\\\g<0>", flat))


def markdown_table(shown: View) -> str:
    """A pipe table, ending with a line break."""
    lines = [
        "| " + " | ".join(markdown_text(head) for head in (*shown.axes, *shown.columns)) + " |",
        "|" + " :-- |" * len(shown.axes) + " --: |" * len(shown.columns),
    ]
    for labels, cells in zip(shown.labels, shown.cells, strict=True):
        texts = [cell.text + (f" ({cell.interval})" if cell.interval else "") for cell in cells]
        lines.append("| " + " | ".join([*(markdown_text(label) for label in labels), *texts]) + " |")
    return "\n".join(lines) + "\n"


def csv_cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula: such a text gets an apostrophe in front, numbers
    stay."""
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.12g}"
    if not isinstance(value, str) or NUMBER.fullmatch(value):
        return value
    starts = value.lstrip().startswith(FORMULA) or value[:1] in ("\t", "\r", "\n")
    return "'" + value if starts else value


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Comma-separated text with a heading line; lines end with a line feed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([csv_cell(name) for name in head])
    writer.writerows([csv_cell(value) for value in row] for row in rows)
    return out.getvalue()


def csv_table(frame: pd.DataFrame) -> str:
    """A data frame as CSV: fractions, not percent; empty where there is no number."""
    columns = [frame[name].tolist() for name in frame.columns]
    return csv_text([str(name) for name in frame.columns], zip(*columns, strict=True))


def csv_columns(results: Iterable[TableResult]) -> str:
    """What each estimated column of the CSV files is: its unit (shares are fractions there) and meaning."""
    units = {"share": "fraction", "points": "points", "count": "count", "ratio": "ratio", "value": "value"}
    rows = [
        (f"{result.spec.name}.csv", *row)
        for result in results
        for row in (
            *((column.name, units[column.unit], column.label, column.text) for column in result.spec.columns),
            *((name, "text", words.label, "") for name, words in result.words.items()),
        )
    ]
    return csv_text(("file", "column", "unit", "label", "meaning"), rows)
