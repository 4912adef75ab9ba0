"""`analyzer ambiguity`: which unclear or disputed rule matters."""

from __future__ import annotations

from pathlib import Path

import click

from analyzer.cli import options, session, text
from analyzer.report.numbers import counted


@click.command()
@options.game_argument
@options.count_option
@options.seed_option
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change what all readings are compared with: rules.KNOB=3 at both tables, table.seats=[...] the baseline "
    "table, table.field=[...] the field; repeatable.",
)
@options.effect_option
@options.jobs_option
@options.cluster_option
@options.out_option
@options.quiet_option
@options.json_option
@click.pass_obj
def command(
    command_line: str,
    game: str,
    changes: tuple[str, ...],
    count: int | None,
    seed: int | None,
    effect: float,
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Compare every other reading of GAME's rules with the rules in force, on the same deals, and sort them by
    whether they matter.

    A reading is a knob at another value that is worth trying. Each is played at a baseline table, where the default
    policy sits in every seat, and in a field of all presets. The report says which must be decided before any number is
    believed, and which do not matter; what the sources leave open comes first.
    """
    from analyzer.studies.ambiguity import ambiguity
    from analyzer.studies.readings import FIELD, readings_of

    readings = readings_of(game, changes, count=count, seed=seed)
    played, left = len(readings.readings), len(readings.left_out)
    return session.conduct(
        lambda **how: ambiguity(readings, effect=effect, **how),
        readings.baseline,
        "ambiguity",
        ["arms"],
        session.Place(command_line, out, quiet, as_json),
        cluster=cluster,
        jobs=jobs,
        told=[
            ("field", text.table_in_words(readings.tables[FIELD])),
            ("readings", f"{counted(played, 'other value')} of rules, {left} left out"),
        ],
    )
