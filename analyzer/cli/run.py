"""`analyzer run`: play a scenario, write the report."""

from __future__ import annotations

from pathlib import Path

import click

from analyzer.cli import options, session
from analyzer.cli.main import INTERRUPTED
from analyzer.cli.progress import phases_of_run, reporter
from analyzer.report.folder import prepare
from analyzer.report.numbers import counted


@click.command()
@options.scenario_argument
@options.count_option
@options.precision_option
@options.first_option
@options.seed_option
@options.set_option
@options.jobs_option
@options.cluster_option
@options.out_option
@click.option(
    "--resume",
    is_flag=True,
    help="Go on from the checkpoint that a run left, or play a finished run on to a larger -n.",
)
@click.option(
    "--records",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write a row for each play to FILE: .csv, .csv.gz or .parquet.",
)
@options.quiet_option
@options.json_option
@click.pass_obj
def command(
    command_line: str,
    source: str,
    changes: tuple[str, ...],
    count: int | None,
    precision: float | None,
    first: int | None,
    seed: int | None,
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    resume: bool,
    records: Path | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Play SCENARIO and write the report: who wins, by seat and policy, and why.

    The last line on standard output is the path of report.html; with --json it is the content of
    results.json instead. Ctrl-C, or a kill, ends the run with a report of what was counted so far and exit code 130.
    A run that was killed or interrupted leaves a checkpoint, DIR.checkpoint, and goes on with --resume.
    """
    scenario = options.loaded(source, changes, count, seed, first, precision)
    folder = Path("reports", scenario.name) if out is None else out
    from analyzer.studies.records import records_of

    recording = records_of(records, scenario, folder=folder, cluster=cluster, resume=resume)
    prepare(folder)
    if not quiet:
        session.announce(scenario)
    from analyzer.studies.checkpoint import Checkpoint

    checkpoint = Checkpoint(folder, scenario, (lambda line: None) if quiet else options.say)
    with (
        options.workers_of(cluster, jobs, quiet) as workers,
        reporter(phases_of_run(scenario), quiet) as progress,
        session.stop_on_signal(progress) as stop,
        recording as recorder,
    ):
        from analyzer.studies import run

        # Last of what may be refused: it puts aside what an earlier run left.
        before = checkpoint.start(resume)
        result = run.run(
            scenario,
            jobs=jobs,
            workers=workers,
            progress=progress,
            stop=stop,
            before=before,
            keeper=checkpoint,
            records=recorder,
        )
        result.write(folder, command_line)
    if recorder and not quiet:
        options.say(f"records: {counted(recorder.written, 'row')} in {records}")
    if not result.partial:
        checkpoint.remove()
    elif not quiet:
        units = counted(result.counted, scenario.game.unit)
        options.say(f"interrupted: the report holds the {units} played until then; --resume goes on from there")
    session.say_findings(result.results, quiet)
    options.echo_report(result.results, folder, as_json)
    return INTERRUPTED if result.partial else 0
