"""Options and arguments that several commands share."""

from __future__ import annotations

import json
import os
import re
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analyzer.scenario.load import Scenario
    from analyzer.sim.engine import Workers


class WholeNumber(click.ParamType[int]):
    """A whole number as in a scenario: `1000000` or `1_000_000`. Its range is checked where it is used."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; fails as a usage error."""
        if isinstance(value, int):
            return value
        if not re.fullmatch(r"[+-]?[0-9]+(_[0-9]+)*", str(value), re.ASCII) or len(value) > 40:
            self.fail(f"{str(value)[:40]!r} is not a whole number, written like 1000000 or 1_000_000", param, ctx)
        return int(value)


WHOLE = WholeNumber()


class ClusterAddress(click.ParamType[str]):
    """Where the workers of a study are; nobody is asked yet."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The address as it is; fails as a usage error."""
        from analyzer.errors import ClusterError
        from analyzer.sim.cluster import check_address

        try:
            return check_address(value)
        except ClusterError as error:
            self.fail(str(error), param, ctx)


def _complete_scenario(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from analyzer.scenario.source import shipped_names

    names = [CompletionItem(name) for name in shipped_names() if name.startswith(incomplete)]
    return [*names, CompletionItem(incomplete, type="file")]


def _complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from analyzer.games.registry import GAMES

    return [CompletionItem(name) for name in GAMES if name.startswith(incomplete)]


scenario_argument = click.argument("source", metavar="SCENARIO", shell_complete=_complete_scenario)
count_option = click.option("-n", "--count", type=WHOLE, help="How many deals or matches.")
precision_option = click.option(
    "--precision",
    type=float,
    metavar="X",
    help="End when the interval of every win share reaches at most X to either side, such as 0.001; -n is then the "
    "most to play.",
)
first_option = click.option(
    "--first", type=WHOLE, metavar="K", help="Number of the first deal or match: a part of a longer run."
)
seed_option = click.option("--seed", type=WHOLE, help="What is dealt: the same seed, the same deals.")
set_option = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change any key of the scenario, such as rules.KNOB=3 or table.seating=rotate; repeatable.",
)
out_option = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The report folder itself; reports/NAME unless given.",
)
effect_option = click.option(
    "--effect",
    type=float,
    default=0.005,
    show_default=True,
    help="The smallest difference of a win share that matters; verdicts rest on it.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    help="Threads; all processors unless given. Results do not depend on it.",
)
cluster_option = click.option(
    "--cluster",
    type=ClusterAddress(),
    metavar="ADDRESS",
    help="Play on a Dask cluster instead: tcp://HOST:PORT of its scheduler, or local:N for N worker processes here. "
    "Results do not depend on it.",
)
game_argument = click.argument("game", metavar="GAME", shell_complete=_complete_game)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
quiet_option = click.option("--quiet", is_flag=True, help="No progress and no messages, errors apart.")


def loaded(
    source: str,
    changes: tuple[str, ...],
    count: int | None = None,
    seed: int | None = None,
    first: int | None = None,
    precision: float | None = None,
) -> Scenario:
    """The scenario that the options name."""
    from analyzer.scenario.load import load_scenario

    return load_scenario(source, changes, count=count, seed=seed, first=first, precision=precision)


def workers_of(cluster: str | None, jobs: int | None, quiet: bool) -> AbstractContextManager[Workers | None]:
    """The cluster to play on, or None: on threads."""
    if cluster is not None and jobs is not None:
        raise click.UsageError("--jobs and --cluster do not go together: a cluster's workers have their own threads")
    from analyzer.sim.cluster import workers

    return workers(cluster, (lambda line: None) if quiet else say)


def say(line: str) -> None:
    """A message on standard error. A reader that went away, or a full disk behind it, is no reason to lose
    a run."""
    with suppress(OSError):
        click.echo(line, err=True)


def echo_json(value: Any) -> None:
    """Print a value as JSON, in ASCII so that any terminal and file takes it."""
    click.echo(json.dumps(value, indent=1, allow_nan=False))


def echo_report(results: Mapping[str, Any], folder: Path, as_json: bool) -> None:
    """The last words on standard output: where the report is, or as JSON what it says."""
    if as_json:
        from analyzer.report.results import dump_results

        # Not read from the folder, where another run may have written its own by now.
        click.echo(dump_results(results).encode("utf-8", "backslashreplace"), nl=False)
    else:
        # In the bytes of the file's name, whatever a terminal can show.
        click.echo(os.fsencode(folder / "report.html"))
