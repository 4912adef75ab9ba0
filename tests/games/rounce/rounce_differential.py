"""Random rule sets and policies of Domino Rounce, and checks of transcripts against the plain-Python game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from analyzer.games.policy import MAX_WEIGHT, MEMORIES, WEIGHT_UNIT
from analyzer.games.rounce.policies import DECISIONS, FEATURES
from analyzer.games.rounce.reference import replay
from analyzer.games.rounce.reference_policy import kind_of, policy_choice
from analyzer.games.rounce.reference_view import Decision
from analyzer.games.rounce.rules import KNOBS, boneyard_of, check_rules
from analyzer.games.rounce.tiles import TILES
from analyzer.games.spec import Policy

Event = dict[str, Any]
QUICK = 8
"""Rounds of most matches at the most: long ones tell little more."""


@st.composite
def rule_sets(draw: st.DrawFn) -> dict[str, Any]:
    """Flat rules of 2, 3 or 4 players, each knob over its full range, every one playable.

    A match is cut after few rounds unless it is sure to be short.
    """
    given: dict[str, Any] = {}
    players = given["players"] = draw(st.integers(2, 4))
    size = given["hand_size"] = draw(st.one_of(st.sampled_from((3, 5)), st.integers(3, min(7, (TILES - 1) // players))))
    given["start_score"] = draw(st.one_of(st.just(15), st.integers(1, 10), st.sampled_from((1, 1000))))
    given["first_dealer"] = draw(st.sampled_from(("random", *range(players))))
    given["walkover"] = draw(st.one_of(st.just(5), st.integers(0, 10), st.sampled_from((0, 100))))
    given["rounce_penalty"] = draw(st.one_of(st.just(5), st.integers(0, 10), st.sampled_from((0, 100))))
    short = given["start_score"] <= 10 and given["rounce_penalty"] <= 1 <= given["walkover"]
    given["max_rounds"] = draw(
        st.one_of(st.integers(1, QUICK), st.sampled_from((1000, 100_000) if short else (QUICK,)))
    )
    given["fold_allowed"] = players > 2 and draw(st.booleans())
    for knob in KNOBS:
        if knob.key not in given and knob.kind in ("bool", "choice"):
            given[knob.key] = draw(st.booleans() if knob.kind == "bool" else st.sampled_from(knob.choices))
    given["must_trump_above"] = draw(st.one_of(st.integers(0, 3), st.integers(0, 7)))
    boneyard = boneyard_of(given)
    most = min(players, boneyard // size)
    given["dummies_max"] = draw(st.one_of(st.just(most), st.integers(0, most)))
    usual = st.integers(size, size + 2) if given["dummies_max"] else st.just(size)
    whole = st.integers(size, boneyard // given["dummies_max"]) if given["dummies_max"] else st.integers(1, 27)
    given["dummy_draw"] = draw(st.one_of(usual, whole))
    if given["dummies_max"] * given["dummy_draw"] > boneyard:
        given["dummy_draw"] = size
    rules = {knob.key: given[knob.key] for knob in KNOBS}
    check_rules(rules)
    return rules


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
    groups = {decision.group for decision in DECISIONS}
    everywhere = rng.choice((1.0, 0.3))
    mixed = {group: rng.choice((0.0, 1.0, 0.5)) for group in sorted(groups)}
    by_group = rng.choice(({}, {}, dict.fromkeys(groups, everywhere), mixed))
    noise = {decision.name: by_group.get(decision.group, 0.0) for decision in DECISIONS}
    memory = rng.choice((*MEMORIES, *MEMORIES, 0.0, 0.5, 1.0))
    return Policy(name, "", "", weights, noise, 0.0, memory)  # type: ignore[arg-type]


def policies(count: int = 4) -> st.SearchStrategy[tuple[Policy, ...]]:
    """So many random policies, named p0, p1, ...; drawn as one seed, which is quick but does not shrink."""
    return st.integers(0, 2**32 - 1).map(lambda seed: tuple(random_policy(f"p{i}", seed) for i in range(count)))


def predictable(decision: Decision, policy: Policy) -> bool:
    """Whether the policy's choice in a decision hangs on no chance; only who plays a tile remembers others."""
    remembers = isinstance(policy.memory, str) or decision.kind in ("call", "discard")
    return remembers and policy.noise[kind_of(decision)] == 0


def check_policy_choices(events: Sequence[Event], policies: Mapping[str, Policy]) -> Counter[str]:
    """Assert that every predictable choice of a transcript is the one that the seat's policy makes.

    `policies` by the names in the deal event. Returns how many decisions of each kind, with more than one legal
    answer, were checked.
    """
    seats = [policies[name] for name in events[0]["policies"]]
    checked = Counter[str]()

    def watch(decision: Decision, choice: Any) -> None:
        policy = seats[decision.seat]
        if len(decision.legal) < 2 or not predictable(decision, policy):
            return
        kind = kind_of(decision)
        expected = policy_choice(decision, policy)
        checked[kind] += 1
        assert choice == expected, (
            f"{kind} of {decision.seat} ({policy.name}, memory {policy.memory}): "
            f"transcript {choice!r}, oracle {expected!r}\n  {decision}\n  {policy.weights}"
        )

    replay(events, watch)
    return checked
