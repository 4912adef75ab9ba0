"""`analyzer rules`: what a scenario may change in a game's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from analyzer.cli import options, text
from analyzer.games.knobs import allowed
from analyzer.games.registry import game_named
from analyzer.scenario.toml import value_text

if TYPE_CHECKING:
    from analyzer.games.spec import KnobSpec


@click.command()
@options.game_argument
@click.option("--page", is_flag=True, help="Show the rules page instead: the whole rules in words.")
@options.json_option
def command(game: str, page: bool, as_json: bool) -> None:
    """List the rule knobs of GAME: default, what is allowed, what it touches, and where in the rules page it
    belongs. A knob marked "disputed" decides where the sources are silent or disagree.
    """
    spec = game_named(game)
    if page:
        from importlib import resources

        click.echo(resources.files(spec.package).joinpath("rules.md").read_text("utf-8"), nl=False)
    elif as_json:
        options.echo_json([_record(knob) for knob in spec.knobs])
    else:
        click.echo(text.wrapped(f"{spec.title}: {spec.summary}"))
        click.echo(text.wrapped(f"Sources: {spec.sources}"))
        click.echo("\nKnobs of a scenario's [rules] and their defaults (--page: the rules in words):\n")
        for knob in spec.knobs:
            click.echo("\n".join(_lines(knob)))


def _lines(knob: KnobSpec) -> list[str]:
    default = f"{value_text(knob.default)}" + (f" ({knob.derived_text})" if knob.derived_text else "")
    return [
        f"{knob.key} = {default}" + ("   [disputed]" if knob.disputed else ""),
        text.wrapped(knob.text, 4),
        text.wrapped(f"Allowed: {allowed(knob)}. Touches: {', '.join(knob.touches)}. Rules page: {knob.reference}.", 4),
        "",
    ]


def _record(knob: KnobSpec) -> dict[str, Any]:
    return {
        "key": knob.key,
        "kind": knob.kind,
        "default": knob.default,
        "derived": knob.derived_text,
        "low": knob.low,
        "high": knob.high,
        "choices": knob.choices,
        "alternatives": knob.alternatives,
        "touches": knob.touches,
        "disputed": knob.disputed,
        "reference": knob.reference,
        "text": knob.text,
    }
