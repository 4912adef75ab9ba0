"""Scenarios of every kind: refused in one line, or accepted with every value that was given."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fuzz_input import damaged, documents, examples, files, texts, toml, toml_value, values
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cli import text
from analyzer.errors import ScenarioError
from analyzer.scenario.load import Scenario, load_scenario

LINE = 1500
"""Longest line that tells an error."""


def loaded(source: Path, overrides: tuple[str, ...] = (), **options: Any) -> Scenario | None:
    """The scenario, or None when it was refused as it should be."""
    try:
        scenario = load_scenario(source, overrides, **options)
    except ScenarioError as error:
        message = str(error)
        assert message.isprintable() or "\\ud" in ascii(message), ascii(message)[:300]
        assert 0 < len(message) <= LINE, message[:300]
        return None
    shown = json.dumps(text.as_json(scenario), allow_nan=False)
    assert json.loads(shown)["rules"].keys()
    return scenario


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "question.toml"
        path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
        return path

    return write


def leaves(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping) and value:
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def check_rules(given_rules: Mapping[str, Any], scenario: Scenario) -> None:
    for path, value in leaves(given_rules):
        if value == {}:
            continue
        kept = scenario.rules[".".join(path)]
        assert type(kept) is type(value) or isinstance(value, list)
        assert (list(kept) if isinstance(kept, tuple) else kept) == value


def check_policy(table: Mapping[str, Any], scenario: Scenario, name: str) -> None:
    """Everything that a policy's table says is in the policy that plays."""
    policy = next(policy for policy in scenario.table.policies if policy.name == name)
    for decision in scenario.game.decisions:
        told = {**table.get(decision.group, {}), **table.get(decision.name, {})}
        for feature, weight in told.items():
            kept = policy.weights[decision.name].get(feature, 0.0)
            assert abs(kept - weight) <= 1 / 2048
            assert (kept == 0) == (weight == 0)
        noise = table.get("noise")
        if isinstance(noise, Mapping):
            noise = noise.get(decision.name, noise.get(decision.group))
        if noise is not None:
            assert policy.noise[decision.name] == noise
    for key in ("lapse", "memory"):
        if key in table:
            assert getattr(policy, key) == table[key]
    if "idea" in table:
        assert policy.idea == " ".join(table["idea"].split())


def check_kept(document: Mapping[str, Any], scenario: Scenario) -> None:
    """Everything that a scenario's document says is in force."""
    for key in ("title", "count", "seed", "confidence"):
        if key in document:
            assert getattr(scenario, key) == document[key]
    assert scenario.game.name == document["game"]
    check_rules(document.get("rules", {}), scenario)
    seated = {policy.name for policy in scenario.table.policies}
    for name, table in document.get("policies", {}).items():
        if name in seated:
            check_policy(table, scenario, name)
    table = document.get("table", {})
    resolved = text.as_json(scenario)["table"]
    if "seats" in table:
        # All arrangements are the same whatever the order of the list.
        anyhow: Callable[[list[str]], list[str]] = sorted if scenario.table.seating == "all" else list
        assert anyhow(resolved["seats"]) == anyhow(table["seats"])
    assert resolved["seating"] == table.get("seating", "fixed")
    if "field" in table:
        assert resolved.get("field", resolved.get("seats")) == table["field"]


def check_again(scenario: Scenario, file: Callable[[str | bytes], Path]) -> None:
    """The resolved form loads to the same scenario."""
    again = load_scenario(file(scenario.to_toml()))
    assert again == scenario
    assert again.digest() == scenario.digest()


@examples(100)
@given(documents())
def test_what_is_accepted_is_in_force(file: Callable[[str | bytes], Path], document: dict[str, Any]) -> None:
    scenario = loaded(file(toml(document)))
    if scenario is not None:
        check_kept(document, scenario)
        check_again(scenario, file)


@examples(180)
@given(damaged())
def test_odd_values_are_refused_or_in_force(file: Callable[[str | bytes], Path], document: dict[str, Any]) -> None:
    scenario = loaded(file(toml(document)))
    if scenario is not None:
        check_kept(document, scenario)
        check_again(scenario, file)


@examples(120)
@given(files())
def test_any_file_is_a_scenario_or_one_clear_line(file: Callable[[str | bytes], Path], content: bytes) -> None:
    scenario = loaded(file(content))
    if scenario is not None:
        check_again(scenario, file)


@examples(90)
@given(documents())
def test_overrides_do_what_the_file_would(file: Callable[[str | bytes], Path], document: dict[str, Any]) -> None:
    whole = loaded(file(toml(document)))
    overrides = tuple(
        f"{'.'.join(map(toml_value, path))}={toml_value(value)}"
        for path, value in leaves({key: value for key, value in document.items() if key != "game"})
    )
    changed = loaded(file(toml({"game": document["game"]})), overrides)
    if whole is None:
        assert changed is None
    elif changed is None:
        # Only what a file may hold without being used is refused: a policy that nobody plays.
        seated = {policy.name for policy in whole.table.policies}
        assert document["policies"].keys()
        assert seated
    else:
        assert changed == whole


KEYS = (
    "game", "title", "count", "seed", "confidence", "rules", "policies", "table", "table.seats", "table.field",
    "table.seating", "rules.points", "rules.points.low", "rules.exchange", "rules.tie_break", "policies.careful",
    "policies.careful.noise", "policies.careful.discard", "policies.careful.discard.low_wolf", "policies.careful.base",
    "policies.nobody.noise", "rules.start_score", "rules.players", "nothing",
)  # fmt: skip


@examples(120)
@given(st.lists(st.tuples(st.one_of(st.sampled_from(KEYS), texts), values, st.booleans()), min_size=1, max_size=3))
def test_odd_overrides_are_refused_or_in_force(
    file: Callable[[str | bytes], Path], changes: list[tuple[str, Any, bool]]
) -> None:
    path = file('game = "dingo"\ntitle = "A question"\n')
    overrides = tuple(f"{key}={toml_value(value) if quoted else value}" for key, value, quoted in changes)
    scenario = loaded(path, overrides)
    if scenario is None:
        return
    check_again(scenario, file)
    for key, value, quoted in changes:
        if quoted and key in ("title", "count", "seed", "confidence"):
            assert getattr(scenario, key) == value
        if quoted and key.startswith("rules."):
            assert scenario.rules.get(key.removeprefix("rules."), value) in (
                value,
                tuple(value) if isinstance(value, list) else value,
            )


@examples(30)
@given(st.one_of(st.integers(), st.sampled_from([0, 10**12, 2**64 - 1, 2**64, -1])), st.booleans())
def test_numbers_from_outside_are_refused_or_in_force(
    file: Callable[[str | bytes], Path], number: int, seed: bool
) -> None:
    scenario = loaded(file('game = "rounce"\n'), **{"seed" if seed else "count": number})
    if scenario is not None:
        assert (scenario.seed if seed else scenario.count) == number
