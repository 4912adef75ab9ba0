"""`analyzer what-if`: what a change does, on the same deals."""

from __future__ import annotations

from pathlib import Path

import click

from analyzer.cli import options, session
from analyzer.errors import ScenarioError


@click.command()
@options.scenario_argument
@options.count_option
@options.first_option
@options.seed_option
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="What changes, such as rules.KNOB=3; given several times, all together are the one change. It takes the place "
    "of the file's own [[what_if]] tables.",
)
@click.option(
    "--base",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change any key of the scenario on both sides; repeatable.",
)
@options.effect_option
@click.option(
    "--adapt",
    is_flag=True,
    help="Let policies be tuned for the changed rules first. Not possible yet, and refused.",
)
@options.jobs_option
@options.cluster_option
@options.out_option
@options.quiet_option
@options.json_option
@click.pass_obj
def command(
    command_line: str,
    source: str,
    changes: tuple[str, ...],
    base: tuple[str, ...],
    count: int | None,
    first: int | None,
    seed: int | None,
    effect: float,
    adapt: bool,
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Compare SCENARIO with what it would be under a change, on the same deals, and write the report.

    The change is what --set says, or each of the [[what_if]] tables of the file. Both sides have the same cards and the
    same chances, so the difference is known far better than by two runs.
    """
    if adapt:
        raise ScenarioError(
            "--adapt: policies cannot be tuned for changed rules yet; leave it out, and both sides play by the weights "
            "of the scenario"
        )
    from analyzer.scenario.load import load_what_if
    from analyzer.studies.changes import told
    from analyzer.studies.what_if import what_if

    scenario = load_what_if(source, changes, base, count=count, first=first, seed=seed)
    if not quiet:
        for each in scenario.what_ifs:
            if each.scenario.digest() == scenario.digest():
                options.say(f"warning: {each.name!r} changes nothing; every difference will be exactly 0")
    return session.conduct(
        lambda **how: what_if(scenario, effect=effect, **how),
        scenario,
        "what-if",
        ["arms"],
        session.Place(command_line, out, quiet, as_json),
        cluster=cluster,
        jobs=jobs,
        told=[("what if", told(scenario, each)) for each in scenario.what_ifs],
    )
