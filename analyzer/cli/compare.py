"""`analyzer compare`: two reports side by side."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.cli import options, text
from analyzer.errors import ScenarioError, nearest
from analyzer.report.numbers import counted

if TYPE_CHECKING:
    from analyzer.report.frames import TableResult
    from analyzer.studies.compare import Compared

SHARING = {
    "paired": "The same {units}: every difference is paired.",
    "overlapping": "Some {units} are in both: differences allow for that.",
    "separate": "No {unit} is in both: differences are those of independent runs.",
}
OTHERS_GIVEN = (
    "Seats are given other {word}s in B than in A, so that no {unit} is in both; differences allow for what one seed "
    "makes alike."
)
ALL = "all"
PLAIN_WIDTH = 240
"""Letters in a line where no terminal sets the width."""
LONGEST = 60
"""Letters that are shown of a value that differs."""


@click.command()
@click.argument("first", metavar="A", type=click.Path(path_type=Path))
@click.argument("second", metavar="B", type=click.Path(path_type=Path))
@click.option(
    "--table",
    "names",
    multiple=True,
    metavar="NAME",
    help="Show this table instead of those of win shares; repeatable; all shows every one that both have.",
)
@options.effect_option
@options.json_option
def command(first: Path, second: Path, names: tuple[str, ...], effect: float, as_json: bool) -> None:
    """Set the reports A and B, folders that `run` or `merge` wrote, side by side: what differs in their scenarios, and
    of every number both values and the difference, B less A, with its interval.

    Where both have the same seed and deals the difference is paired, which is far more certain; else it is that of
    independent runs. Verdicts speak of B, and hold all together.
    """
    from analyzer.studies.compare import compare

    found = compare(first, second, effect)
    if as_json:
        from analyzer.report.results import dump_results

        click.echo(dump_results(found.results).encode("utf-8", "backslashreplace"), nl=False)
        return
    chosen = _chosen(found, names)
    for line in _opening(found):
        click.echo(line)
    for table in chosen:
        click.echo("\n" + _shown(table))
    if not names:
        more = [name for name in found.tables if found.tables[name] not in chosen]
        click.echo("\n" + text.wrapped(f"Further tables (--table NAME): {', '.join(more)}", 0, 2))


def _chosen(found: Compared, names: tuple[str, ...]) -> list[TableResult]:
    from analyzer.studies.compare import HEADLINES

    if ALL in names:
        return list(found.tables.values())
    for name in names:
        if name not in found.tables:
            reason = found.results["absent"].get(name)
            raise ScenarioError(
                f"--table {name}: {reason}"
                if reason
                else f"--table: no table is named {name!r}{nearest(name, found.tables)}; "
                f"tables: {', '.join(found.tables)}"
            )
    return [found.tables[name] for name in names or HEADLINES if name in found.tables]


def _opening(found: Compared) -> Iterator[str]:
    """What is compared, what the reports have in common, and what differs."""
    results, unit = found.results, found.a.scenario.game.unit
    for label, report in (("A", found.a), ("B", found.b)):
        about = results[label.lower()]
        which = f" from number {about['first']:,} on" if about["first"] else ""
        units = f"{counted(about['count'], unit)}{which}"
        yield f"{label}  {report.folder}: {about['title']}; {units}, seed {about['seed']}"
    yield _in_common(found)
    if results["same"]:
        yield "Both are one and the same run: every difference is exactly 0."
    elif results["differences"]:
        yield "What differs:"
        rows = [(each["key"], f"{_value(each['a'])} → {_value(each['b'])}") for each in results["differences"]]
        yield from text.aligned(rows, 2)
    else:
        yield "Their scenarios do not differ."


def _in_common(found: Compared) -> str:
    game, sharing = found.a.scenario.game, found.results["sharing"]
    if found.a.scenario.given == found.b.scenario.given or sharing == "separate":
        return SHARING[sharing].format(unit=game.unit, units=counted(2, game.unit).split()[1])
    return OTHERS_GIVEN.format(word=game.deal.word, unit=game.unit)


def _value(value: Any) -> str:
    from analyzer.scenario.toml import value_text

    if value is None:
        return "–"
    if isinstance(value, dict):
        return "a policy of its own"
    told = value_text(value)
    return told if len(told) <= LONGEST else f"{told[: LONGEST - 1]}…"


def _shown(table: TableResult) -> str:
    """A table: a line for each column in each row, with both values, the difference and the verdict."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from analyzer.report.numbers import unit_name, with_unit
    from analyzer.report.tables import column_cells, heading
    from analyzer.studies.compare import JUDGED

    on_terminal = sys.stdout.isatty()
    console = Console(width=None if on_terminal else PLAIN_WIDTH)
    grid = Table(title=Text(table.spec.title), title_justify="left", box=box.SIMPLE_HEAD if on_terminal else None)
    words = [column.label for column in table.words.values()]
    for head in (*map(heading, table.spec.axes), "", "A", "B", "B less A", *words):
        grid.add_column(Text(head))
    columns = table.spec.columns
    for a, b, difference in zip(columns[::3], columns[1::3], columns[2::3], strict=True):
        label = with_unit(a.label.removesuffix(", A"), unit_name(a))
        cells = zip(*(column_cells(table, column) for column in (a, b, difference)), strict=True)
        for row, (labels, numbers) in enumerate(zip(table.rows, cells, strict=True)):
            shown = [f"{cell.text} ({cell.interval})" if cell.interval else cell.text for cell in numbers]
            told = [column.texts[row] if difference.name == JUDGED else "" for column in table.words.values()]
            grid.add_row(*map(Text, (*labels, label, *shown, *told)))
    with console.capture() as made:
        console.print(grid)
    return "\n".join(line.rstrip() for line in made.get().splitlines())
