"""Both engines of a game against each other: random policies, and one play looked at by the plain-Python game.

A game's module `verify` is an `Engines`. The kernel tells a play as events; the plain-Python game computes the
same events anew from the cards, the chances and the choices in them, and its policy oracle says of every choice
that hangs on no chance which one it must be.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from analyzer.games.policy import MAX_WEIGHT, MEMORIES, WEIGHT_UNIT
from analyzer.games.spec import DecisionSpec, GameSpec, Given, KnobSpec, Policy, Rules, Table

Event = dict[str, Any]
FEW_VALUES = 10
"""A whole-number knob of at most so many values is covered value by value."""
HUGE = MAX_WEIGHT // 4
LONGEST = 200
"""Characters that are shown of a value; a dummy can be put aside in thousands of ways."""


class Play(NamedTuple):
    """One play as the kernel tells it."""

    events: list[Event]
    coin: bool
    """Whether the play's coin turned ties between equal choices the other way; False where there is no coin."""


class Decision(Protocol):
    """What the oracle is asked, as far as it is the same in every game."""

    @property
    def seat(self) -> Any:
        """Who is asked; a key of the first event's `policies`."""

    @property
    def legal(self) -> tuple[Any, ...]:
        """Every allowed answer."""


class Engines(Protocol):
    """What a game's module `verify` offers."""

    def random_rules(self, rng: random.Random) -> dict[str, Any]:
        """Flat rules that can be played, every knob over its full range."""

    def plays(
        self, rules: Rules, table: Table, seed: int, first: int, count: int, play: int, given: Given = ()
    ) -> Iterator[Play]:
        """Play number `play` (seating) of the units first ... first + count - 1, by the kernel."""

    def replay(self, events: Sequence[Event], watch: Callable[[Any, Any], None]) -> list[Event]:
        """The events computed anew; `watch` is shown each decision with the choice told."""

    def expected(self, decision: Any, policy: Policy, coin: bool) -> Any:
        """The policy's choice by the oracle; None where it hangs on chance."""

    def kind_of(self, decision: Any) -> str:
        """Name of the kind of decision."""


@dataclass(frozen=True)
class Compared:
    """What became of comparing one play."""

    events: int
    choices: Counter[str]
    """How many choices, of several that were legal, the oracle confirmed, by kind of decision."""
    differences: tuple[str, ...]
    """In words; empty when both engines agree."""


def compared(engines: Engines, play: Play, policies: Mapping[str, Policy]) -> Compared:
    """Compare a play of these policies, by the names in its first event."""
    choices = Counter[str]()
    differences: list[str] = []
    seats = play.events[0]["policies"]

    def watch(decision: Decision, choice: Any) -> None:
        if len(decision.legal) < 2:
            return
        policy = policies[seats[decision.seat]]
        expected = engines.expected(decision, policy, play.coin)
        if expected is None:
            return
        kind = engines.kind_of(decision)
        choices[kind] += 1
        if choice != expected:
            differences.append(
                f"{kind} of {decision.seat} ({policy.name}): the kernel chose {_shown(choice)}, the oracle "
                f"{_shown(expected)}, of {_shown(decision.legal)}"
            )

    try:
        again = engines.replay(play.events, watch)
    except Exception as error:
        # Also a crash is a difference that must be shown with the rules and the deal that lead to it.
        return Compared(len(play.events), choices, (*differences[:1], f"the reference game stops: {_named(error)}"))
    return Compared(len(play.events), choices, (*differences[:1], *first_difference(play.events, again)))


def first_difference(told: Sequence[Event], found: Sequence[Event]) -> Iterator[str]:
    """Lines about the first event in which the kernel's transcript and the reference's differ; none if they do not."""
    for index, (one, other) in enumerate(zip(told, found, strict=False)):
        if one != other:
            yield f"event {index} ({one.get('event')}) differs"
            for key in {**one, **other}:
                here, there = one.get(key, "absent"), other.get(key, "absent")
                if here != there:
                    yield f"  {key}: kernel {_shown(here)}, reference {_shown(there)}"
            return
    if len(told) != len(found):
        yield f"the kernel tells {len(told)} events, the reference {len(found)}"


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _shown(value: Any) -> str:
    text = str(list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def noise_key(game: GameSpec, decision: DecisionSpec) -> str:
    """The narrowest name under which noise can be given for a decision."""
    return decision.group if decision.group in game.whole_noise else decision.name


def random_policy(game: GameSpec, name: str, rng: random.Random) -> Policy:
    """Sparse random weights over the documented features; half of the policies without noise."""

    def weight() -> float:
        size = rng.choice((1, 64, WEIGHT_UNIT)) if rng.random() < 0.95 else HUGE * WEIGHT_UNIT
        return rng.randint(-4, 4) * size / WEIGHT_UNIT

    weights = {}
    for decision in game.decisions:
        known = [feature.name for feature in game.features if decision.group in feature.groups]
        chosen = sorted(rng.sample(known, min(len(known), rng.choice((0, 1, 3, 8)))))
        weights[decision.name] = {feature: value for feature in chosen if (value := weight())}
    everywhere = rng.choice((0.0, 0.0, rng.choice((0.3, 1.0)), None))
    keys = {decision.name: noise_key(game, decision) for decision in game.decisions}
    chances = {key: rng.choice((0.0, 0.5, 1.0)) if everywhere is None else everywhere for key in keys.values()}
    noise = {name: chances[key] for name, key in keys.items()}
    return Policy(
        name=name,
        idea="",
        origin="",
        weights=weights,
        noise=noise,
        lapse=rng.choice((0.0, 0.0, 0.1, 1.0)) if game.lapses else 0.0,
        memory=rng.choice((*MEMORIES, *MEMORIES, 0.0, 0.5, 1.0)),  # type: ignore[arg-type]
    )


def random_value(knob: KnobSpec, rng: random.Random) -> Any:
    """A value of a knob that is no list; of a wide range often the default, a small one or an end."""
    if knob.kind == "bool":
        return rng.random() < 0.5
    if knob.kind == "choice":
        return rng.choice(knob.choices)
    assert knob.low is not None
    assert knob.high is not None
    if knob.high - knob.low < FEW_VALUES:
        return rng.randint(knob.low, knob.high)
    drawn = (knob.default, rng.randint(-3, 15), rng.choice((knob.low, 0, knob.high)), rng.randint(knob.low, knob.high))
    return min(max(rng.choice(drawn), knob.low), knob.high)


def value_label(knob: KnobSpec, rules: Rules) -> str:
    """Under which name the value of a knob is counted as covered: its own, or of many values what it is like."""
    value = rules[knob.key]
    if knob.kind == "int" and knob.low is not None and knob.high is not None and knob.high - knob.low >= FEW_VALUES:
        if value == knob.default_in(rules):
            return "default"
        return {knob.low: "least", knob.high: "largest"}.get(value, "other")
    if knob.kind == "steps":
        return "default" if value == knob.default else "other" if value else "none"
    return str(value).lower() if knob.kind == "bool" else str(value)


def value_labels(knob: KnobSpec) -> tuple[str, ...]:
    """All names of `value_label`."""
    if knob.kind == "int" and knob.low is not None and knob.high is not None:
        if knob.high - knob.low >= FEW_VALUES:
            return ("default", "least", "largest", "other")
        return tuple(map(str, range(knob.low, knob.high + 1)))
    if knob.kind == "steps":
        return ("default", "none", "other")
    return ("true", "false") if knob.kind == "bool" else tuple(map(str, knob.choices))
