"""Whatever rule of an engine is broken, comparing the engines finds it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from mutants import Mutation, first_difference, mutated, mutated_text, mutations_of

from analyzer.games.common.verify import Engines, Play, compared
from analyzer.games.registry import GAMES, game_named
from analyzer.games.spec import Policy
from analyzer.studies.verify import engines_of, random_case

ROOT = Path(__file__).parents[2]
RULE_SETS, PLAYS = 300, 12
"""Part of what `test_engines.py` compares: there both engines agree."""
Told = tuple[Play, dict[str, Policy]]
LEAST = 20
AT_EVERY_CHANGE = 5


def chosen(engine: str) -> list[Any]:
    """Parameters of the mutations of one engine."""
    return [
        pytest.param(game, mutation, marks=pytest.mark.slow if mutation.slow else ())
        for game in GAMES
        for mutation in mutations_of(game)
        if mutation.engine == engine
    ]


def each(engine: str) -> Any:
    """A test for each mutation of one engine."""
    return pytest.mark.parametrize(
        ("game", "mutation"), chosen(engine), ids=lambda value: getattr(value, "rule", value)
    )


@cache
def _kept(game: str) -> tuple[list[Told], Iterator[Told]]:
    return [], _told(game, engines_of(game_named(game)))


def _told(game: str, engines: Engines) -> Iterator[Told]:
    for number in range(RULE_SETS):
        case = random_case(game_named(game), 1, number, PLAYS)
        scenario = case.scenario
        policies = {policy.name: policy for policy in scenario.table.policies}
        for play in engines.plays(scenario.rules, scenario.table, scenario.seed, case.first, PLAYS, case.play):
            yield play, policies


def told_by_kernel(game: str) -> Iterator[Told]:
    """Plays under random rules, by the kernel as it is; kept for the next mutation."""
    kept, more = _kept(game)
    yield from kept
    for told in more:
        kept.append(told)
        yield told


@cache
def found_uncompiled(game: str, slow: bool) -> dict[str, str]:
    """What verify finds with each mutation of the kernel, by the rule it breaks: one process runs them in turn."""
    numbers = [
        number
        for number, mutation in enumerate(mutations_of(game))
        if mutation.slow == slow and mutation.engine == "kernel"
    ]
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests/games/mutants.py"), game, *map(str, numbers)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False, timeout=3000,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    return {mutations_of(game)[number].rule: line for number, line in zip(numbers, lines, strict=True)}


@pytest.mark.parametrize("game", GAMES)
def test_the_list_is_long_and_each_mutation_can_be_made(game: str) -> None:
    mutations = mutations_of(game)
    assert len(mutations) >= LEAST
    assert max(Counter(mutation.rule for mutation in mutations).values()) == 1
    for mutation in mutations:
        compile(mutated_text(game, mutation), mutation.file, "exec")
    assert sum(not mutation.slow for mutation in mutations) >= AT_EVERY_CHANGE


@pytest.mark.parametrize("game", GAMES)
def test_a_mutation_that_can_no_longer_be_made_is_told(game: str) -> None:
    with pytest.raises(AssertionError, match=r"occurs 0 times, not once.*nothing at all"):
        mutated_text(game, Mutation("reference", "no such text", "", "nothing at all"))


@each("reference")
def test_a_broken_rule_of_the_reference_is_found(game: str, mutation: Mutation) -> None:
    with mutated(game, mutation):
        engines = engines_of(game_named(game))
        assert any(compared(engines, play, policies).differences for play, policies in told_by_kernel(game))


@each("tables")
def test_a_broken_rule_of_the_tables_is_found(game: str, mutation: Mutation) -> None:
    assert first_difference(game, mutation, RULE_SETS), f"{mutation} is not found"


@each("kernel")
def test_a_broken_rule_of_the_kernel_is_found(game: str, mutation: Mutation) -> None:
    found = found_uncompiled(game, mutation.slow)
    assert found[mutation.rule], f"{mutation} is not found"
