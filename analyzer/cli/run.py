"""`analyzer run`: play a scenario, write the report."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyzer.cli import options, text
from analyzer.cli.main import INTERRUPTED
from analyzer.cli.progress import Reporter, reporter
from analyzer.report.folder import prepare
from analyzer.report.numbers import counted

if TYPE_CHECKING:
    from types import FrameType

    from analyzer.scenario.load import Scenario

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a batch system or `kill`, and a terminal that was closed."""
TOP = 5
"""Findings shown on a terminal; the report has all."""


@click.command()
@options.scenario_argument
@options.count_option
@options.first_option
@options.seed_option
@options.set_option
@options.jobs_option
@options.cluster_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The report folder itself; reports/NAME unless given.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Go on from the checkpoint that a run left, or play a finished run on to a larger -n.",
)
@options.quiet_option
@options.json_option
@click.pass_obj
def command(
    command_line: str,
    source: str,
    changes: tuple[str, ...],
    count: int | None,
    first: int | None,
    seed: int | None,
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    resume: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Play SCENARIO and write the report: who wins, by seat and policy, and why.

    The last line on standard output is the path of report.html; with --json it is the content of
    results.json instead. Ctrl-C, or a kill, ends the run with a report of what was counted so far and exit code 130.
    A run that was killed or interrupted leaves a checkpoint, DIR.checkpoint, and goes on with --resume.
    """
    scenario = options.loaded(source, changes, count, seed, first)
    folder = Path("reports", scenario.name) if out is None else out
    prepare(folder)
    if not quiet:
        _announce(scenario)
    from analyzer.studies.checkpoint import Checkpoint

    checkpoint = Checkpoint(folder, scenario, (lambda line: None) if quiet else options.say)
    before = checkpoint.start(resume)
    with (
        options.workers_of(cluster, jobs, quiet) as workers,
        reporter(scenario, quiet) as progress,
        _stop_on_signal(progress) as stop,
    ):
        from analyzer.studies import run

        result = run.run(
            scenario, jobs=jobs, workers=workers, progress=progress, stop=stop, before=before, keeper=checkpoint
        )
        result.write(folder, command_line)
    if not result.partial:
        checkpoint.remove()
    elif not quiet:
        units = counted(result.counted, scenario.game.unit)
        options.say(f"interrupted: the report holds the {units} played until then; --resume goes on from there")
    if not quiet and sys.stderr.isatty():
        for finding in result.results["findings"][:TOP]:
            options.say(text.wrapped(f"- {finding['sentence']}", 0, 2))
    options.echo_report(result.results, folder, as_json)
    return INTERRUPTED if result.partial else 0


def _announce(scenario: Scenario) -> None:
    """What is in force, so that no change of a rule goes unseen."""
    rows = [
        (scenario.name, f"{text.units_in_words(scenario)}, seed {scenario.seed}"),
        ("table", text.table_in_words(scenario)),
        ("rules", "; ".join(text.rules_in_force(scenario))),
    ]
    for line in text.aligned(rows):
        options.say(line)


@contextmanager
def _stop_on_signal(progress: Reporter) -> Iterator[threading.Event]:
    """An event that the first signal to end sets; the second, or one before anything was counted, ends the command
    at once. One that the caller ignores, as nohup does, stays ignored."""
    stop = threading.Event()

    def interrupted(number: int, frame: FrameType | None) -> None:
        if stop.is_set() or not progress.counting:
            raise KeyboardInterrupt
        stop.set()
        progress.stopping()

    heeded = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, interrupted) for number in heeded}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
