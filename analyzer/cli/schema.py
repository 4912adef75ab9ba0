"""`analyzer schema`: the JSON Schema of a game's scenario files."""

from __future__ import annotations

import click

from analyzer.cli import options


@click.command()
@options.game_argument
def command(game: str) -> None:
    """Print the JSON Schema (draft 2020-12) of the scenario files of GAME, for editors that complete and
    check TOML.
    """
    from analyzer.games.registry import game_named
    from analyzer.scenario.schema import scenario_schema

    options.echo_json(scenario_schema(game_named(game)))
