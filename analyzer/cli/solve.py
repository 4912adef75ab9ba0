"""`analyzer solve`: the value of a key that brings a number to a target."""

from __future__ import annotations

from pathlib import Path

import click

from analyzer.cli import options, session


class Listing(click.Command):
    """A command whose help ends with the targets of every game."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The targets, by game; games are looked up only when help is wanted."""
        from analyzer.games.registry import GAMES, game_named
        from analyzer.studies.targets import COMMON

        with formatter.section("Targets of every game"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMON.items()])
        for game in map(game_named, GAMES):
            axes = {table.name: table.axes for table in game.tables}
            rows = [(_call(each.name, axes[each.table]), each.text) for each in game.targets]
            with formatter.section(f"Targets of {game.title}"):
                formatter.write_dl(rows)


def _call(name: str, axes: tuple[str, ...]) -> str:
    return f"{name}({', '.join(f'{axis}=…' for axis in axes)})" if axes else name


@click.command(cls=Listing)
@options.scenario_argument
@click.argument("key", metavar="KEY")
@click.option(
    "--target",
    required=True,
    metavar="TEXT",
    help="What is to come about, such as 'win_share(seat=LABEL) = 0.25' or 'points(policy=NAME) = 3'; a share also as "
    "25%.",
)
@click.option("--from", "low", type=float, metavar="X", help="The least value to look at; a sensible one unless given.")
@click.option("--to", "high", type=float, metavar="X", help="The largest value to look at, likewise.")
@click.option(
    "--tolerance",
    type=float,
    metavar="X",
    help="Of a key with real numbers: how near to each other the two values around an answer are to be; a 256th of the "
    "range unless given.",
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
    key: str,
    target: str,
    low: float | None,
    high: float | None,
    tolerance: float | None,
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
    """Find the value of KEY at which a number of SCENARIO takes a target, and write the report.

    A KEY is a rule that is a whole number, or a policy's weight, noise, lapse or memory. Values over the range are
    played on the same deals, then ever closer to where the curve crosses the target. All crossings are listed.
    """
    from analyzer.studies.solve import GRID, MOST, REFINING, load_problem, solve

    problem = load_problem(
        source,
        key,
        target,
        changes,
        low=low,
        high=high,
        tolerance=tolerance,
        count=count,
        first=first,
        seed=seed,
    )
    scenario, scale = problem.scenario, problem.scale
    rounds = [f"{REFINING} {number}" for number in range(1, MOST)]
    return session.conduct(
        lambda **how: solve(problem, **how),
        scenario,
        "solve",
        [GRID, *rounds],
        session.Place(command_line, out, quiet, as_json),
        cluster=cluster,
        jobs=jobs,
        labels={name: f"closer to the target, {name.removeprefix(REFINING).strip()}" for name in rounds},
        told=[
            ("target", f"{problem.target.text} = {problem.target.value_text}"),
            (scale.key, f"from {scale.low:g} to {scale.high:g} ({scale.why})"),
        ],
    )
