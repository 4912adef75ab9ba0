"""Both engines of a game play the same deals under random rules: do they agree, event by event?"""

from __future__ import annotations

import importlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

from analyzer.games.common.verify import Compared, Engines, compared, random_policy, value_label, value_labels
from analyzer.games.knobs import nested
from analyzer.games.policy import policy_table, preset_names, resolve_policies
from analyzer.games.spec import GameSpec, Policy
from analyzer.scenario.load import Scenario
from analyzer.scenario.model import MAX_SEED
from analyzer.scenario.seating import build_table
from analyzer.scenario.toml import dumps

MAX_FIRST = 10**9
"""Numbers of first deals are drawn below this."""

Progress = Callable[[int, int], None]
"""Called with the rule sets that are done and how many there will be."""


@dataclass(frozen=True)
class Case:
    """Deals to play in both engines: those of a scenario from one on, each in one of its seatings."""

    scenario: Scenario
    """Its `count` is how many deals (or matches)."""
    first: int
    play: int
    """Which play of each deal, where it is played in several seatings."""


@dataclass(frozen=True)
class Divergence:
    """Where the engines part."""

    case: Case
    """Of one deal."""
    differences: tuple[str, ...]
    """In words."""


@dataclass
class Verified:
    """What was compared, and the first divergence if there was one."""

    game: GameSpec
    rule_sets: int = 0
    deals: int = 0
    """Or matches."""
    events: int = 0
    choices: Counter[str] = field(default_factory=Counter)
    """Choices that the policy oracle looked at, by kind of decision."""
    covered: dict[str, Counter[str]] = field(default_factory=dict)
    """Knob -> label of its value -> number of rule sets."""
    divergence: Divergence | None = None

    def record(self) -> dict[str, Any]:
        """As plain values."""
        found = self.divergence
        return {
            "game": self.game.name,
            "agree": found is None,
            "rule_sets": self.rule_sets,
            "deals": self.deals,
            "events": self.events,
            "choices": dict(self.choices),
            "covered": {
                knob.key: {label: self.covered[knob.key][label] for label in value_labels(knob)}
                for knob in self.game.knobs
            },
            "divergence": found
            and {
                "deal": found.case.first,
                "rotation": found.case.play,
                "differences": list(found.differences),
                "scenario": scenario_text(found.case.scenario),
            },
        }


def scenario_text(scenario: Scenario) -> str:
    """A scenario file that names only what is not usual, and loads to the same rules, policies and table."""
    game = scenario.game
    own = [policy for policy in scenario.table.policies if not _is_preset(game, policy)]
    document = {
        "game": game.name,
        "seed": scenario.seed,
        "rules": nested({key: value for key, (value, _) in scenario.changed_rules().items()}),
        "given": scenario.given_texts(),
        "policies": {policy.name: _plain_table(game, policy) for policy in own},
        "table": {**scenario.lists(), "seating": scenario.table.seating},
    }
    return f"# {scenario.question}\n{dumps(document)}"


def _is_preset(game: GameSpec, policy: Policy) -> bool:
    return policy.name in preset_names(game) and resolve_policies(game, {}, (policy.name,))[policy.name] == policy


def _plain_table(game: GameSpec, policy: Policy) -> dict[str, Any]:
    usual = {"idea": "", "origin": "", "lapse": 0.0, "memory": "perfect"}
    return {key: value for key, value in policy_table(game, policy).items() if value != usual.get(key)}


def engines_of(game: GameSpec) -> Engines:
    """Both engines of a game."""
    return cast(Engines, importlib.import_module(f"{game.package}.verify"))


def random_case(game: GameSpec, seed: int, number: int, count: int) -> Case:
    """Rule set `number`, with random policies in every seat and deals from anywhere."""
    rng = random.Random(f"{game.name} {seed} {number}")
    rules = engines_of(game).random_rules(rng)
    told = next((rules[knob.key] for knob in game.knobs if knob.seats), game.seat_counts[-1])
    policies = {f"p{seat}": random_policy(game, f"p{seat}", rng) for seat in range(told)}
    table = build_table(tuple(policies), told, "rotate", policies)
    scenario = Scenario(
        name="divergence",
        question="Where do both engines part?",
        title="Divergence",
        game=game,
        count=count,
        first=0,
        seed=rng.randint(0, MAX_SEED),
        confidence=0.95,
        rules=rules,
        listing=tuple(policies),
        table=table,
    )
    return Case(scenario, rng.randrange(MAX_FIRST), rng.randrange(table.plays))


def look(case: Case) -> Iterator[tuple[Compared, Case]]:
    """Compare a case deal by deal, each with the case of this deal alone."""
    scenario = case.scenario
    engines = engines_of(scenario.game)
    policies = {policy.name: policy for policy in scenario.table.policies}
    told = engines.plays(
        scenario.rules, scenario.table, scenario.seed, case.first, scenario.count, case.play, scenario.given
    )
    for unit in range(case.first, case.first + scenario.count):
        alone = replace(case, first=unit, scenario=replace(scenario, count=1))
        try:
            play = next(told)
        except Exception as error:
            # Also a crash is a difference that must be shown with the rules and the deal that lead to it.
            yield Compared(0, Counter(), (f"the kernel stops: {type(error).__name__}: {error}",)), alone
            return
        yield compared(engines, play, policies), alone


def diverges(case: Case) -> Divergence | None:
    """The first divergence of a case."""
    for found, alone in look(case):
        if found.differences:
            return Divergence(alone, found.differences)
    return None


def verify(game: GameSpec, sets: int, count: int, seed: int, progress: Progress) -> Verified:
    """Compare `count` deals under each of `sets` rule sets, up to the first divergence."""
    done = Verified(game, covered={knob.key: Counter() for knob in game.knobs})
    for number in range(sets):
        progress(number, sets)
        case = random_case(game, seed, number, count)
        done.rule_sets += 1
        for knob in game.knobs:
            done.covered[knob.key][value_label(knob, case.scenario.rules)] += 1
        if _differ(done, case):
            return done
    progress(sets, sets)
    return done


def verify_scenario(scenario: Scenario, first: int, progress: Progress) -> Verified:
    """Compare the deals of a scenario from `first` on, in each of their plays, up to the first divergence."""
    game, plays = scenario.game, scenario.table.plays
    done = Verified(game, rule_sets=1)
    done.covered = {knob.key: Counter((value_label(knob, scenario.rules),)) for knob in game.knobs}
    for play in range(plays):
        progress(play, plays)
        if _differ(done, Case(scenario, first, play)):
            return done
    progress(plays, plays)
    return done


def _differ(done: Verified, case: Case) -> bool:
    """Whether the engines part in a case; what was compared is added to `done`."""
    for found, alone in look(case):
        done.deals += 1
        done.events += found.events
        done.choices.update(found.choices)
        if found.differences:
            done.divergence = Divergence(alone, found.differences)
            return True
    return False
