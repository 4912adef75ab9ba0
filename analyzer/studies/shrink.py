"""The smallest rule change, policies and deal that still show a divergence: what it does not need goes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from analyzer.errors import RulesError
from analyzer.games.policy import resolve_policies
from analyzer.games.spec import KnobSpec, Policy
from analyzer.scenario.load import Scenario
from analyzer.scenario.seating import build_table
from analyzer.studies.verify import Case, Divergence, diverges

WINDOW = 16
"""Deals in which a simpler scenario must still diverge."""
SCAN = 320
"""Deals among which the first is looked for that diverges."""
SEED = 1
"""The seed of scenarios that name none."""

Step = Callable[[Scenario], Scenario]
"""A scenario made simpler, or the same where there is nothing to make simpler."""


def shrunk(found: Divergence) -> Divergence:
    """A divergence with as few changed knobs and as plain policies as can be, in the first deal that shows it."""
    case = _seated(found.case)
    best = case.scenario
    steps = [_free, *_rule_steps(best), *_policy_steps(best)]
    before = None
    while best != before:
        before = best
        for step in steps:
            simpler = step(best)
            if simpler != best and diverges(replace(case, scenario=simpler)) is not None:
                best = simpler
    return _first(replace(case, scenario=best)) or found


def _first(case: Case) -> Divergence | None:
    """The first deal that diverges, by the usual seed, or by the same seed, or among those looked at."""
    scenario = case.scenario
    scans = [
        replace(case, first=0, scenario=replace(scenario, seed=seed, count=SCAN)) for seed in (SEED, scenario.seed)
    ]
    return next(filter(None, map(diverges, (*scans, case))), None)


def _seated(case: Case) -> Case:
    """As many deals as are looked at, everyone in a fixed seat, if that still diverges."""
    table = case.scenario.table
    seats = table.arrangements[case.first % len(table.arrangements)][case.play]
    fixed = Case(_with_seats(case.scenario, [table.policies[index] for index in seats]), case.first, 0)
    chosen = fixed if diverges(fixed) else case
    return replace(chosen, scenario=replace(chosen.scenario, count=WINDOW))


def _with_seats(scenario: Scenario, seats: Sequence[Policy]) -> Scenario:
    names = [policy.name for policy in seats]
    table = build_table(names, len(names), "fixed", {policy.name: policy for policy in seats})
    return replace(scenario, listing=tuple(names), table=table)


def _free(scenario: Scenario) -> Scenario:
    """Every hand left to chance."""
    return replace(scenario, given=())


def _rule_steps(scenario: Scenario) -> Iterator[Step]:
    """All knobs to their defaults, then one by one; a knob that stays changed to a value worth trying, a list to a
    shorter one."""
    knobs = [knob for knob in scenario.game.knobs if not knob.seats]
    yield partial(_with_rules, changes={}, defaults=knobs)
    for knob in knobs:
        yield partial(_with_rules, changes={}, defaults=[knob])
    for knob in knobs:
        for value in knob.alternatives:
            yield partial(_with_value, knob=knob, value=value)
        if knob.kind == "steps":
            for index in reversed(range(len(scenario.rules[knob.key]))):
                yield partial(_without_item, knob=knob, index=index)


def _with_rules(scenario: Scenario, changes: Mapping[str, Any], defaults: Collection[KnobSpec] = ()) -> Scenario:
    """Some knobs changed and others at their defaults; the same scenario if that cannot be played."""
    rules: dict[str, Any] = {}
    for knob in scenario.game.knobs:
        rules[knob.key] = knob.default_in(rules) if knob in defaults else {**scenario.rules, **changes}[knob.key]
    try:
        scenario.game.check_rules(rules)
    except RulesError:
        return scenario
    hand = scenario.game.deal.hand(rules)
    fits = all(held.bit_count() <= hand for _, held in scenario.given)
    return replace(scenario, rules=rules) if fits else scenario


def _with_value(scenario: Scenario, knob: KnobSpec, value: Any) -> Scenario:
    now = scenario.rules[knob.key]
    usual = now in (knob.default_in(scenario.rules), *knob.alternatives)
    longer = knob.kind == "steps" and len(value) >= len(now)
    return scenario if usual or longer else _with_rules(scenario, {knob.key: value})


def _without_item(scenario: Scenario, knob: KnobSpec, index: int) -> Scenario:
    items = scenario.rules[knob.key]
    if items == knob.default or index >= len(items):
        return scenario
    return _with_rules(scenario, {knob.key: items[:index] + items[index + 1 :]})


def _policy_steps(scenario: Scenario) -> Iterator[Step]:
    """The default or the random preset in every seat, then in one; a policy that stays without a faculty, a kind of
    decision, a weight."""
    if scenario.table.seating != "fixed":
        return
    presets = list(resolve_policies(scenario.game, {}, (scenario.game.default_policy, "random")).values())
    for preset in presets:
        yield partial(_with_preset, preset=preset, presets=presets)
    for seat, policy in enumerate(_seats(scenario)):
        for change in _changes(policy, presets):
            yield partial(_with_change, seat=seat, change=change, presets=presets)


def _changes(policy: Policy, presets: Sequence[Policy]) -> Iterator[Callable[[Policy], Policy]]:
    for preset in presets:
        yield partial(_instead, preset=preset)
    yield partial(replace, memory="perfect")
    yield partial(replace, lapse=0.0)
    yield partial(replace, noise=dict.fromkeys(policy.noise, 0.0))
    for kind, weights in policy.weights.items():
        yield partial(_without_weights, kind=kind, features=tuple(weights))
        for feature in weights:
            yield partial(_without_weights, kind=kind, features=(feature,))


def _instead(policy: Policy, preset: Policy) -> Policy:
    return preset


def _without_weights(policy: Policy, kind: str, features: Collection[str]) -> Policy:
    left = {feature: weight for feature, weight in policy.weights[kind].items() if feature not in features}
    return replace(policy, weights={**policy.weights, kind: left})


def _seats(scenario: Scenario) -> list[Policy]:
    table = scenario.table
    return [table.policies[index] for index in table.arrangements[0][0]]


def _with_preset(scenario: Scenario, preset: Policy, presets: Sequence[Policy]) -> Scenario:
    """A preset in every seat, unless there are presets in all."""
    seats = _seats(scenario)
    return scenario if all(own in presets for own in seats) else _with_seats(scenario, [preset] * len(seats))


def _with_change(
    scenario: Scenario, seat: int, change: Callable[[Policy], Policy], presets: Sequence[Policy]
) -> Scenario:
    """The policy of a seat changed, in all seats where it sits, unless it is a preset."""
    seats = _seats(scenario)
    if seats[seat] in presets:
        return scenario
    return _with_seats(scenario, [change(own) if own == seats[seat] else own for own in seats])
