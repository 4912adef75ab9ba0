"""What commands that play have in common: what is in force is said first, signals end a study in good order, findings
are said last."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.cli import options, text
from analyzer.cli.main import INTERRUPTED
from analyzer.cli.progress import Phases, Reporter, reporter
from analyzer.report.folder import prepare
from analyzer.report.numbers import counted

if TYPE_CHECKING:
    from types import FrameType

    from analyzer.scenario.load import Scenario
    from analyzer.studies.outcome import Outcome

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a batch system or `kill`, and a terminal that was closed."""
TOP = 5
"""Findings shown on a terminal; the report has all."""


def announce(scenario: Scenario, *more: tuple[str, str]) -> None:
    """What is in force, so that no change of a rule goes unseen; `more`: further names and texts."""
    rows = [
        (scenario.name, f"{text.units_in_words(scenario)}, seed {scenario.seed}"),
        ("table", text.table_in_words(scenario)),
        *(("given", given) for given in text.given_in_words(scenario)),
        ("rules", "; ".join(text.rules_in_force(scenario))),
        *more,
    ]
    for line in text.aligned(rows):
        options.say(line)


@contextmanager
def stop_on_signal(progress: Reporter) -> Iterator[threading.Event]:
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


@dataclass(frozen=True)
class Place:
    """Where a study's answer goes."""

    command_line: str
    out: Path | None
    """The report folder, if one was named."""
    quiet: bool
    as_json: bool


def conduct(
    study: Callable[..., Outcome],
    scenario: Scenario,
    name: str,
    phases: Sequence[str],
    place: Place,
    *,
    cluster: str | None,
    jobs: int | None,
    told: Sequence[tuple[str, str]] = (),
    labels: Mapping[str, str] | None = None,
) -> int:
    """Play a study and write its report; the exit code.

    `study` takes `workers`, `jobs`, `progress` and `stop`; `name` is the command's, `phases` those of `Player.count`.
    `told`: names and texts to announce besides what is in force; `labels`: what a phase is called, other than the
    first.
    """
    folder = Path("reports", f"{scenario.name}-{name}") if place.out is None else place.out
    prepare(folder)
    if not place.quiet:
        announce(scenario, *told)
    with (
        options.workers_of(cluster, jobs, place.quiet) as workers,
        reporter(Phases(scenario.game.play_unit, dict.fromkeys(phases, 1), labels or {}), place.quiet) as progress,
        stop_on_signal(progress) as stop,
    ):
        outcome = study(workers=workers, jobs=jobs, progress=progress, stop=stop)
        outcome.write(folder, place.command_line)
    if outcome.partial and not place.quiet:
        units = counted(outcome.count, scenario.game.unit)
        options.say(f"interrupted: the report holds the {units} played until then")
    say_findings(outcome.results, place.quiet)
    options.echo_report(outcome.results, folder, place.as_json)
    return INTERRUPTED if outcome.partial else 0


def say_findings(results: Mapping[str, Any], quiet: bool) -> None:
    """The first findings, on a terminal."""
    if not quiet and sys.stderr.isatty():
        for finding in results["findings"][:TOP]:
            options.say(text.wrapped(f"- {finding['sentence']}", 0, 2))
