"""The values of a key among which `solve` looks: whole or real numbers, from where to where, and how fine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from analyzer.errors import ScenarioError, shortened
from analyzer.games.knobs import allowed
from analyzer.games.policy import WEIGHT_UNIT
from analyzer.games.spec import KnobSpec, Policy
from analyzer.scenario.load import Draft, Scenario
from analyzer.scenario.overrides import Override, parse_override
from analyzer.scenario.variations import Variation, is_number, value_label, varied

SMALL = 40
"""A rule with so many values, or fewer, is looked at over its whole range."""
ALL = 12
"""So many whole numbers, or fewer, are all played at once."""
GRID = 9
"""Values played first, evenly spaced."""
ASKED = "solve"
"""What an error names as the one who asked for a key."""
FINENESS = 256
"""Real numbers are refined to such a part of the range, unless a tolerance is given."""


@dataclass(frozen=True)
class Scale:
    """Numbers that a key may have."""

    path: tuple[str, ...]
    key: str
    whole: bool
    low: float
    high: float
    own: float | None
    """What the scenario itself says, if that is a number."""
    tolerance: float
    why: str
    """Where the range comes from, in words."""
    step: float = 0.0
    """Values are multiples of it; 0: any."""

    def fit(self, value: float) -> float:
        """The nearest value that the key can have, without digits that say nothing."""
        if self.whole:
            return float(round(value))
        return round(value / self.step) * self.step if self.step else float(f"{value:.6g}")

    def first(self) -> list[float]:
        """The values to play first, in order."""
        if self.whole and self.high - self.low < ALL:
            return [float(value) for value in range(int(self.low), int(self.high) + 1)]
        grid = [self.fit(value) for value in np.linspace(self.low, self.high, GRID)]
        own = [self.own] if self.own is not None and self.low <= self.own <= self.high else []
        return sorted({*grid, *own})

    def change(self, value: float) -> Override:
        """The change of a scenario that sets the key."""
        number = int(value) if self.whole else value
        return Override(self.path, number, f"{self.key} = {shortened(value_label(number))}")

    def at(self, draft: Draft, value: float) -> Variation:
        """The scenario with the value. Raises ScenarioError where it cannot be played."""
        return varied(draft, [self.change(value)])


def scale_of(
    draft: Draft, scenario: Scenario, key: str, low: float | None, high: float | None, tolerance: float | None
) -> Scale:
    """The numbers of a key of the scenario, from `low` to `high` or, where these are not given, over a sensible range.
    Raises ScenarioError for a key that is no number, and for a range that cannot be.
    """
    path = parse_override(f"{key}=0").path
    if path[0] == "rules":
        found = _rule(draft, scenario, path)
    elif path[0] == "policies" and len(path) > 2:
        found = _policy(draft, scenario, path)
    else:
        raise ScenarioError(f"{key}: is no number that can change; allowed: rules.KNOB, or what a policy weighs")
    for name, end in (("--from", low), ("--to", high)):
        if end is not None and not math.isfinite(end):
            raise ScenarioError(f"{name}: {end} is not allowed; allowed: finite numbers")
        if end is not None and found.whole and end != int(end):
            raise ScenarioError(f"{name}: {end:g} is not allowed; {key} is a whole number")
    if low is None and high is None:
        found = _playable(draft, found)
    else:
        low, high = (given if given is not None else end for given, end in ((low, found.low), (high, found.high)))
        found = replace(found, low=float(low), high=float(high), why="as asked")
    if not found.low < found.high:
        raise ScenarioError(f"{key}: no range from {found.low:g} to {found.high:g}; give --from and --to, rising")
    if tolerance is not None and not 0 < tolerance < found.high - found.low:
        raise ScenarioError(f"--tolerance: {tolerance:g} is not allowed; allowed: above 0 and below the range's width")
    if tolerance is not None and found.whole:
        raise ScenarioError(f"--tolerance: {key} is a whole number, and neighbours are found without it")
    fine = max(found.step, (found.high - found.low) / FINENESS) if tolerance is None else tolerance
    return replace(found, tolerance=1.0 if found.whole else fine)


def _rule(draft: Draft, scenario: Scenario, path: tuple[str, ...]) -> Scale:
    name, key = ".".join(path[1:]), ".".join(path)
    knob: KnobSpec | None = next((each for each in scenario.game.knobs if each.key == name), None)
    if knob is None:
        # Refused here, with the nearest name.
        draft.what_if(key, [Override(path, 0, ASKED)])
    assert knob is not None
    if knob.kind != "int" or knob.low is None or knob.high is None:
        raise ScenarioError(
            f"{key}: is {allowed(knob)}, and `solve` looks among numbers; `sweep SCENARIO {key}=…` plays every value"
        )
    if knob.seats:
        raise ScenarioError(f"{key}: is the number of seats, and no place at one table is that of another")
    own = float(scenario.rules[name])
    if knob.high - knob.low <= SMALL:
        return Scale(path, key, True, knob.low, knob.high, own, 1.0, "all that the rule allows")
    reach = max(10.0, 2 * abs(own))
    low, high = max(float(knob.low), own - reach), min(float(knob.high), own + reach)
    return Scale(
        path, key, True, low, high, own, 1.0, f"around the scenario's own {own:g}; --from and --to set another"
    )


def _policy(draft: Draft, scenario: Scenario, path: tuple[str, ...]) -> Scale:
    key = ".".join(path)
    # An idle policy, a wrong name or what is no number is refused here.
    draft.what_if(key, [Override(path, 1 if path[2] != "lapse" else 0, ASKED)])
    policy = next((each for each in scenario.table.policies if each.name == path[1]), None)
    own = None if policy is None else _own(scenario, policy, path[2:])
    if path[2] in ("noise", "lapse", "memory"):
        return Scale(path, key, False, 0.0, 1.0, own, 1.0, "all chances")
    if len(path) != 4:
        raise ScenarioError(f"{key}: is no number; name one weight, such as {key}.FEATURE")
    centre = own or 0.0
    reach = max(2.0, 2 * abs(centre))
    why = f"around the weight's own {centre:g}; --from and --to set another"
    return Scale(path, key, False, centre - reach, centre + reach, own, 1.0, why, 1 / WEIGHT_UNIT)


def _own(scenario: Scenario, policy: Policy, path: Sequence[str]) -> float | None:
    """What a policy has there now; None where that is no single number."""
    if path[0] in ("lapse", "memory"):
        value = getattr(policy, path[0])
        return float(value) if is_number(value) else None
    name = path[-1] if path[0] == "noise" else path[0]
    kinds = [
        each.name for each in scenario.game.decisions if list(path) == ["noise"] or name in (each.name, each.group)
    ]
    if path[0] == "noise":
        found = {policy.noise[kind] for kind in kinds}
    else:
        found = {policy.weights[kind].get(path[1], 0.0) for kind in kinds}
    return found.pop() if len(found) == 1 else None


def _playable(draft: Draft, scale: Scale) -> Scale:
    """The scale without the ends that cannot be played, from the scenario's own value outwards."""
    if not scale.whole or scale.own is None:
        return scale
    few = scale.high - scale.low <= SMALL
    values = [float(v) for v in range(int(scale.low), int(scale.high) + 1)] if few else scale.first()
    start = values.index(scale.own)
    ends = []
    for way in (values[start::-1], values[start:]):
        end = scale.own
        for value in way[1:]:
            try:
                scale.at(draft, value)
            except ScenarioError:
                break
            end = value
        ends.append(end)
    cut = (ends[0], ends[1]) != (scale.low, scale.high)
    why = f"{scale.why}, as far as it can be played" if cut else scale.why
    return replace(scale, low=ends[0], high=ends[1], why=why)
