"""`analyzer scenarios`: the questions that ship."""

from __future__ import annotations

import click

from analyzer.cli import options, text
from analyzer.scenario.source import question_of, read_source, shipped_names


@click.command()
@options.json_option
def command(as_json: bool) -> None:
    """List the scenarios that ship, each with its question. `analyzer run NAME` answers one."""
    questions = [(name, question_of(read_source(name).text)) for name in shipped_names()]
    if as_json:
        options.echo_json([{"name": name, "question": question} for name, question in questions])
        return
    for line in text.aligned(questions):
        click.echo(line)
