"""`analyzer plan`: how many deals a question needs, and how long they take here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.cli import options, session

if TYPE_CHECKING:
    from analyzer.studies.outcome import Outcome

SECONDS = (3600, 60, 1)


class Duration(click.ParamType[float]):
    """A time such as `90s`, `10m`, `2h` or `1h30m`, in seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Seconds; fails as a usage error."""
        if isinstance(value, float):
            return value
        found = re.fullmatch(r"(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?", str(value), re.ASCII)
        parts = found.groups() if found else ()
        seconds = sum(int(part or 0) * size for part, size in zip(parts, SECONDS, strict=False))
        if not seconds:
            self.fail(f"{str(value)[:40]!r} is not a time, written like 90s, 10m, 2h or 1h30m", param, ctx)
        return float(seconds)


@click.command()
@options.scenario_argument
@click.option(
    "--detect", type=float, metavar="X", help="The smallest difference of a win share to tell, such as 0.003."
)
@click.option(
    "--budget",
    type=Duration(),
    metavar="TIME",
    help="How long it may take, such as 90s, 10m or 2h: what can be told then?",
)
@click.option(
    "--change",
    "change",
    multiple=True,
    metavar="KEY=VALUE",
    help="What is to be compared with the scenario, as --set of what-if; repeatable. It takes the place of the file's "
    "own [[what_if]] tables.",
)
@options.count_option
@options.first_option
@options.seed_option
@options.set_option
@options.jobs_option
@options.cluster_option
@options.out_option
@options.quiet_option
@options.json_option
@click.pass_obj
def command(
    command_line: str,
    source: str,
    detect: float | None,
    budget: float | None,
    change: tuple[str, ...],
    count: int | None,
    first: int | None,
    seed: int | None,
    changes: tuple[str, ...],
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Say how many deals or matches SCENARIO needs for a question, from a short pilot.

    The question is that of a what-if, if the file has [[what_if]] tables or --change is given: with how many deals is a
    change of a win share of --detect told from none? Else it is how seats and policies of one run differ. -n is the
    size of the pilot, 20,000 unless given. How long it takes here, and what a --budget tells, is said on the terminal
    and in run.json; results.json hangs on no machine.
    """
    from analyzer.scenario.load import load_what_if
    from analyzer.studies.changes import told
    from analyzer.studies.plan import PILOT, check_question, plan

    check_question(detect, budget)
    scenario = load_what_if(source, change, changes, count=PILOT if count is None else count, first=first, seed=seed)
    timed: list[str] = []

    def study(**how: Any) -> Outcome:
        outcome = plan(scenario, detect=detect, budget=budget, **how)
        timed.extend(outcome.timed["timed"]["told"])
        return outcome

    code = session.conduct(
        study,
        scenario,
        "plan",
        ["pilot"],
        session.Place(command_line, out, quiet, as_json),
        cluster=cluster,
        jobs=jobs,
        told=[("what if", told(scenario, each)) for each in scenario.what_ifs],
    )
    for line in timed if not quiet else ():
        options.say(line)
    return code
