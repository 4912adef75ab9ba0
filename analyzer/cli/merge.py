"""`analyzer merge`: join the reports of a run that was played in parts."""

from __future__ import annotations

from pathlib import Path

import click

from analyzer.cli import options
from analyzer.report.folder import prepare
from analyzer.report.numbers import counted


@click.command()
@click.argument("reports", nargs=-1, required=True, metavar="REPORT...", type=click.Path(path_type=Path))
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the joined report.",
)
@options.quiet_option
@options.json_option
@click.pass_obj
def command(command_line: str, reports: tuple[Path, ...], out: Path, quiet: bool, as_json: bool) -> None:
    """Join REPORTs, folders of runs of one scenario over ranges of deals that follow each other.

    The parts may have been played on any machines (`run --first K -n N`) and are given in any order. The
    joined report is that of one run over the whole range, to the last bit. What overlaps, leaves a gap, or
    was played by other rules, policies, seed or version is refused.
    """
    from analyzer.studies.merge import merge

    result = merge(reports)
    prepare(out)
    if not quiet:
        options.say(f"{counted(result.counted, result.scenario.game.unit)} from {counted(len(reports), 'report')}")
    result.write(out, command_line)
    options.echo_report(result.results, out, as_json)
