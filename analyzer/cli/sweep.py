"""`analyzer sweep`: one or two keys of a scenario at several values, on the same deals."""

from __future__ import annotations

from pathlib import Path

import click

from analyzer.cli import options, session


@click.command()
@options.scenario_argument
@click.argument("keys", metavar="KEY=V1,V2,...", nargs=-1, required=True)
@options.count_option
@options.first_option
@options.seed_option
@options.set_option
@options.effect_option
@options.jobs_option
@options.cluster_option
@options.out_option
@options.quiet_option
@options.json_option
@click.pass_obj
def command(
    command_line: str,
    source: str,
    keys: tuple[str, ...],
    count: int | None,
    first: int | None,
    seed: int | None,
    changes: tuple[str, ...],
    effect: float,
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Play SCENARIO at several values of a key, or at all pairs of values of two keys, on the same deals.

    A KEY is a rule (rules.KNOB) or whatever else of policies and table can change while the seats stay. Values are TOML
    or bare words; 1..9 are the whole numbers from 1 to 9, 1..9:2 every second of them. What cannot be played is refused
    before anything is. The report compares each value with the scenario as it is, and says where seats become fair.
    """
    from analyzer.scenario.variations import load_variations
    from analyzer.studies.sweep import check, sweep

    variations = load_variations(source, keys, changes, count=count, first=first, seed=seed)
    check(variations, effect)
    scenario = variations.base
    values = ", ".join(" with ".join(each.labels) for each in variations.variations)
    return session.conduct(
        lambda **how: sweep(variations, effect=effect, **how),
        scenario,
        "sweep",
        ["arms"],
        session.Place(command_line, out, quiet, as_json),
        cluster=cluster,
        jobs=jobs,
        told=[(" and ".join(variations.keys), values)],
    )
