"""Random rule sets and policies, and checks of a transcript against the plain-Python game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from analyzer.games.dingo.policies import DECISIONS, FEATURES
from analyzer.games.dingo.reference import replay
from analyzer.games.dingo.reference_policy import kind_of, policy_choice
from analyzer.games.dingo.reference_view import Decision
from analyzer.games.dingo.rules import ACES, HAND, KNOBS, MAX_STEPS, STEPS, check_rules
from analyzer.games.policy import MAX_WEIGHT, MEMORIES, WEIGHT_UNIT
from analyzer.games.spec import KnobSpec, Policy

Event = dict[str, Any]
DISCARD_OFTEN = (*STEPS, "discard", "discard")


def playable(steps: Sequence[str], discard_aces: bool) -> tuple[str, ...]:
    """The steps, a pass for each discard that could lack a legal card, cut where the hand is empty."""
    held = HAND
    kept = []
    for step in steps:
        word = "left" if step == "discard" and held < (1 if discard_aces else ACES + 1) else step
        if held < 1:
            break
        held -= word == "discard"
        kept.append(word)
    return tuple(kept)


def _values(knob: KnobSpec) -> st.SearchStrategy[Any]:
    if knob.kind == "int":
        low, high = knob.low or 0, knob.high or 0
        if high - low < 10:
            return st.integers(low, high)
        ends = st.sampled_from((low, 0, high))
        return st.one_of(st.just(knob.default), st.integers(-3, 15), ends, st.integers(low, high))
    if knob.kind == "bool":
        return st.booleans()
    return st.sampled_from(knob.choices)


def _exchanges(default: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    words = st.sampled_from(DISCARD_OFTEN)
    return st.one_of(
        st.just(default),
        st.just(()),
        st.lists(words, max_size=8).map(tuple),
        st.lists(words, max_size=MAX_STEPS).map(tuple),
        st.lists(words, min_size=MAX_STEPS, max_size=MAX_STEPS).map(tuple),
    )


@st.composite
def rule_sets(draw: st.DrawFn) -> dict[str, Any]:
    """Flat rules, each knob over its full range, every exchange playable."""
    rules: dict[str, Any] = {}
    for knob in KNOBS:
        rules[knob.key] = draw(_exchanges(knob.default) if knob.kind == "steps" else _values(knob))
    rules["exchange"] = playable(rules["exchange"], rules["discard_aces"])
    check_rules(rules)
    return rules


def random_policy(name: str, seed: int) -> Policy:
    """Sparse random weights over the documented features; half of the policies without noise."""
    rng = random.Random(f"{name} {seed}")

    def weight() -> float:
        unit = rng.choice((1, 64, WEIGHT_UNIT)) if rng.random() < 0.95 else MAX_WEIGHT * WEIGHT_UNIT // 4
        return rng.randint(-4, 4) * unit / WEIGHT_UNIT

    weights = {}
    for decision in DECISIONS:
        known = [feature.name for feature in FEATURES if decision.group in feature.groups]
        chosen = sorted(rng.sample(known, min(len(known), rng.choice((0, 1, 3, 8)))))
        weights[decision.name] = {feature: value for feature in chosen if (value := weight())}
    kinds = [decision.name for decision in DECISIONS]
    everywhere = rng.choice((0.0, 1.0, 0.3))
    noise = rng.choice(
        (
            dict.fromkeys(kinds, 0.0),
            dict.fromkeys(kinds, 0.0),
            dict.fromkeys(kinds, everywhere),
            {kind: rng.choice((0.0, 1.0, 0.5)) for kind in kinds},
        )
    )
    memory = rng.choice((*MEMORIES, *MEMORIES, 0.0, 0.5, 1.0))
    lapse = rng.choice((0.0, 0.0, 0.1, 1.0))
    return Policy(name, "", "", weights, noise, lapse, memory)  # type: ignore[arg-type]


def policies(count: int = 4) -> st.SearchStrategy[tuple[Policy, ...]]:
    """So many random policies, named p0, p1, ...; drawn as one seed, which is quick but does not shrink."""
    return st.integers(0, 2**32 - 1).map(lambda seed: tuple(random_policy(f"p{i}", seed) for i in range(count)))


def compare(events: Sequence[Event]) -> None:
    """Assert that the plain-Python game gives the same transcript; names the first event that differs."""
    again = replay(events)
    for index, (told, found) in enumerate(zip(events, again, strict=False)):
        lines = [
            f"  {key}: transcript {told.get(key, 'absent')!r}, reference {found.get(key, 'absent')!r}"
            for key in {**told, **found}
            if told.get(key, "absent") != found.get(key, "absent")
        ]
        assert told == found, "\n".join((f"event {index} differs: {told}", *lines))
    assert len(events) == len(again), f"transcript has {len(events)} events, the reference {len(again)}"


def predictable(policy: Policy, kind: str) -> bool:
    """Whether the policy's choices in a kind of decision hang on no chance."""
    return policy.noise[kind] == 0 and isinstance(policy.memory, str)


def check_policy_choices(events: Sequence[Event], policies: Mapping[str, Policy], swapped: bool) -> int:
    """Assert that every predictable choice of a transcript is the one that the seat's policy makes.

    `policies` by the names in the deal event; `swapped`: the deal's coin has swapped spades and clubs.
    Returns how many decisions, with more than one legal answer, were checked.
    """
    seats = {seat: policies[name] for seat, name in events[0]["policies"].items()}
    checked = 0

    def watch(decision: Decision, choice: Any) -> None:
        nonlocal checked
        policy = seats[decision.seat]
        if len(decision.legal) < 2 or not predictable(policy, kind_of(decision)):
            return
        expected = policy_choice(decision, policy, swapped=swapped)
        checked += 1
        assert choice == expected, (
            f"{kind_of(decision)} of {decision.seat} ({policy.name}, memory {policy.memory}): "
            f"transcript {choice!r}, oracle {expected!r}\n  {decision}\n  {policy.weights[kind_of(decision)]}"
        )

    replay(events, watch)
    return checked
