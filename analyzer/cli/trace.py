"""`analyzer trace`: single deals, move by move."""

from __future__ import annotations

import json
from typing import Literal

import click

from analyzer.cli import options
from analyzer.errors import ScenarioError
from analyzer.scenario.model import MAX_COUNT


@click.command()
@options.scenario_argument
@click.option("--deal", type=options.WHOLE, default=0, show_default=True, help="Number of the (first) deal.")
@click.option("--deals", type=options.WHOLE, default=1, show_default=True, help="How many deals, one after the other.")
@click.option(
    "--rotation",
    type=options.WHOLE,
    default=0,
    show_default=True,
    help="Which play of the deal, when each is played in several seatings.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["words", "jsonl"]),
    default="words",
    show_default=True,
    help="In words, or one JSON object an event.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Before each choice, every legal one with its features times weights, and what decided.",
)
@options.seed_option
@options.set_option
def command(
    source: str,
    changes: tuple[str, ...],
    seed: int | None,
    deal: int,
    deals: int,
    rotation: int,
    form: Literal["words", "jsonl"],
    explain: bool,
) -> None:
    """Replay single deals of SCENARIO, exactly as `run` plays them: who held what, who did what, who won; with
    --explain also why.
    """
    from analyzer.scenario.load import load_draft

    scenario = load_draft(source, changes, seed=seed).bare().scenario()
    for option, value, low, high in (
        ("--deal", deal, 0, MAX_COUNT - 1),
        ("--deals", deals, 1, MAX_COUNT - deal),
        ("--rotation", rotation, 0, scenario.table.plays - 1),
    ):
        if not low <= value <= high:
            raise ScenarioError(f"{option}: {value} is not allowed; allowed: a whole number from {low} to {high}")
    from analyzer.studies import trace

    for number, events in enumerate(trace.trace(scenario, deal, deals, rotation, explain)):
        if form == "jsonl":
            for event in events:
                click.echo(json.dumps(event, separators=(",", ":"), allow_nan=False))
        else:
            click.echo(("\n" if number else "") + trace.words(scenario, events).rstrip("\n"))
