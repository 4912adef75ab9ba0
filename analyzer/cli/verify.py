"""`analyzer verify`: both engines of a game play the same deals, and must agree."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from analyzer.cli import options, text
from analyzer.errors import ScenarioError
from analyzer.games.registry import game_named
from analyzer.report.numbers import counted
from analyzer.scenario.model import MAX_COUNT, MAX_SEED

if TYPE_CHECKING:
    from analyzer.studies.verify import Divergence, Verified

RULE_SETS, COUNT, OF_SCENARIO = 100, 20, 1000
MOST = 10**6
EVERY = 5.0
"""Seconds between two lines of progress."""


@click.command()
@options.game_argument
@click.option(
    "-n",
    "--count",
    type=options.WHOLE,
    help=f"How many deals (or matches) under each rule set, {COUNT} unless given; of a scenario {OF_SCENARIO:,}.",
)
@click.option("--rules", type=options.WHOLE, help=f"How many rule sets, {RULE_SETS} unless given.")
@click.option("--scenario", "source", metavar="SCENARIO", help="Compare this scenario's deals, no random ones.")
@click.option("--deal", type=options.WHOLE, help="With --scenario: number of the first deal, 0 unless given.")
@click.option("--seed", type=options.WHOLE, help="Which random rules, policies and deals; 1 unless given.")
@options.quiet_option
@options.json_option
def command(
    game: str,
    count: int | None,
    rules: int | None,
    source: str | None,
    deal: int | None,
    seed: int | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Play random deals of GAME under random rules and by random policies in both engines, the compiled one and the
    game in plain Python, and compare them event by event.

    The first divergence ends it with exit code 1. Shown are, as a scenario, the smallest rule change and the plainest
    policies that still diverge, and the first such deal.
    """
    spec = game_named(game)
    _refuse_idle(source, rules, deal)
    count = _checked("--count", count, COUNT if source is None else OF_SCENARIO, 1, MOST)
    rules = _checked("--rules", rules, RULE_SETS, 1, MOST)
    if source is None:
        seed = _checked("--seed", seed, 1, 0, MAX_SEED)
        progress = _Lines(counted(rules, "rule set"), quiet)
        from analyzer.studies import verify

        done = verify.verify(spec, rules, count, seed, progress)
    else:
        scenario = options.loaded(source, (), count, seed)
        if scenario.game.name != spec.name:
            raise ScenarioError(f"--scenario: {source} is one of {scenario.game.name}, not of {spec.name}")
        deal = _checked("--deal", deal, 0, 0, MAX_COUNT - count)
        progress = _Lines("the scenario", quiet)
        from analyzer.studies import verify

        done = verify.verify_scenario(scenario, deal, progress)
    if done.divergence is not None:
        progress.say("the engines part; looking for the smallest scenario that shows it")
        from analyzer.studies.shrink import shrunk

        done.divergence = shrunk(done.divergence)
    if as_json:
        options.echo_json(done.record())
    else:
        click.echo("\n".join(_agreement(done) if done.divergence is None else _parting(done, done.divergence)))
    return 0 if done.divergence is None else 1


def _refuse_idle(source: str | None, rules: int | None, deal: int | None) -> None:
    if source is None and deal is not None:
        raise ScenarioError("--deal: random deals have random numbers; give it with --scenario")
    if source is not None and rules is not None:
        raise ScenarioError("--rules: a scenario has rules of its own; leave out --rules or --scenario")


def _checked(option: str, given: int | None, default: int, low: int, high: int) -> int:
    value = default if given is None else given
    if not low <= value <= high:
        raise ScenarioError(f"{option}: {value} is not allowed; allowed: a whole number from {low} to {high:_}")
    return value


class _Lines:
    """Progress in lines on standard error."""

    def __init__(self, what: str, quiet: bool) -> None:
        self._quiet, self._said = quiet, time.monotonic()
        self.say(f"comparing both engines over {what} (on first use the simulator is compiled, once)")

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._said >= EVERY:
            self._said = now
            self.say(f"{done} of {total} done, no divergence")

    def say(self, line: str) -> None:
        if not self._quiet:
            options.say(line)


def _compared(done: Verified) -> str:
    parts = (
        counted(done.rule_sets, "rule set"),
        counted(done.deals, done.game.unit),
        counted(done.events, "event"),
        f"{counted(done.choices.total(), 'choice')} as the policy oracle makes them",
    )
    return ", ".join(parts)


def _agreement(done: Verified) -> Iterator[str]:
    yield text.wrapped(f"Both engines agree: {_compared(done)}.")
    yield "\nHow many rule sets had which value of a knob:"
    rows = []
    for knob, labels in done.record()["covered"].items():
        rows.append((knob, ", ".join(f"{label} {times}" for label, times in labels.items())))
    yield from text.aligned(rows, 2)


def _parting(done: Verified, found: Divergence) -> Iterator[str]:
    from analyzer.studies.verify import scenario_text

    case, game = found.case, done.game
    yield text.wrapped(f"The engines part after {_compared(done)}.")
    yield f"\n{game.unit.capitalize()} {case.first} of the scenario below:"
    for line in found.differences:
        yield f"  {line}"
    yield f"\n{scenario_text(case.scenario)}"
    rotation = f" --rotation {case.play}" if case.play else ""
    yield "Saved as divergence.toml it can be looked at and compared again:"
    yield f"  analyzer trace divergence.toml --deal {case.first}{rotation}"
    yield f"  analyzer verify {game.name} --scenario divergence.toml --deal {case.first} -n 1"
