"""`analyzer check`: is the scenario valid, and what is in force."""

from __future__ import annotations

import click

from analyzer.cli import options, text
from analyzer.errors import listing
from analyzer.report.numbers import counted


@click.command()
@options.scenario_argument
@options.count_option
@options.precision_option
@options.seed_option
@options.set_option
@options.json_option
@options.quiet_option
def command(
    source: str,
    changes: tuple[str, ...],
    count: int | None,
    precision: float | None,
    seed: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say whether SCENARIO is valid, and show the table, policies and rules that are in force.

    Ends with exit code 2 and one line that names file, key and what is allowed when it is not. With --quiet
    the exit code alone tells.
    """
    scenario = options.loaded(source, changes, count, seed, precision=precision)
    if as_json:
        options.echo_json(text.as_json(scenario))
        return
    if quiet:
        return
    game = scenario.game
    click.echo(f"{scenario.name}: valid")
    if scenario.question:
        click.echo(text.wrapped(scenario.question))
    click.echo()
    rows = [
        ("title", scenario.title),
        ("game", f"{game.title} (stream {game.stream})"),
        ("count", text.units_in_words(scenario)),
        ("seed", str(scenario.seed)),
        ("confidence", f"{scenario.confidence:g}"),
        ("digest", scenario.digest()),
        ("table", text.table_in_words(scenario)),
        *(("given" if not line else "", given) for line, given in enumerate(text.given_in_words(scenario))),
        *(("rules" if not line else "", rule) for line, rule in enumerate(text.rules_in_force(scenario))),
    ]
    for line in text.aligned(rows):
        click.echo(line)
    unseen = len(scenario.table.arrangements) - scenario.count
    if unseen > 0:
        click.echo(f"\nNote: {counted(unseen, 'combination')} of the field would never play; raise count.")
    if scenario.idle:
        click.echo(f"\nNote: nobody at the table plays {listing(scenario.idle)}, defined in the file.")
    click.echo("\npolicies")
    described = [
        row for policy in scenario.table.policies for row in ((policy.name, policy.idea), ("", text.faculties(policy)))
    ]
    for line in text.aligned(described, indent=2):
        click.echo(line)
