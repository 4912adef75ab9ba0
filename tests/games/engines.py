"""Random rules and policies of any game as Hypothesis draws them, and checks of a transcript by both engines."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from analyzer.games.common.verify import Event, Play, compared, first_difference, random_policy
from analyzer.games.registry import game_named
from analyzer.games.spec import Policy
from analyzer.studies.verify import engines_of

SEEDS = st.integers(0, 2**32 - 1)


def rule_sets(game: str) -> st.SearchStrategy[dict[str, Any]]:
    """Rules that can be played; drawn as one seed, which is quick but does not shrink."""
    return SEEDS.map(lambda seed: random_rules(game, seed))


def random_rules(game: str, seed: int) -> dict[str, Any]:
    """Rules of a seed."""
    return engines_of(game_named(game)).random_rules(random.Random(seed))


def policies(game: str, count: int = 4) -> st.SearchStrategy[tuple[Policy, ...]]:
    """So many random policies, named p0, p1, ...; drawn likewise."""
    return SEEDS.map(lambda seed: tuple(policy_of(game, f"p{i}", seed) for i in range(count)))


def policy_of(game: str, name: str, seed: int) -> Policy:
    """A random policy of a seed."""
    return random_policy(game_named(game), name, random.Random(f"{name} {seed}"))


def compare(game: str, events: Sequence[Event]) -> None:
    """Assert that the plain-Python game gives the same transcript; raises what it raises."""
    again = engines_of(game_named(game)).replay(events, lambda decision, choice: None)
    differences = list(first_difference(events, again))
    assert not differences, "\n".join(differences)


def check_policy_choices(
    game: str, events: list[Event], policies: Mapping[str, Policy], coin: bool = False
) -> Counter[str]:
    """Assert that both engines agree on a transcript, and every predictable choice is the oracle's; how many were
    looked at, by kind of decision."""
    found = compared(engines_of(game_named(game)), Play(events, coin), policies)
    assert not found.differences, "\n".join(found.differences)
    return found.choices
