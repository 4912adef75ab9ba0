"""Policies of any game, resolved from presets and a scenario's tables, on a small game made for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from analyzer.errors import ScenarioError
from analyzer.games.policy import MAX_WEIGHT, WEIGHT_UNIT, policy_table, preset_names, resolve_policies
from analyzer.games.spec import DecisionSpec, FeatureSpec, GameSpec, Policy

DECISIONS = tuple(DecisionSpec(name, name.split("_")[0], "") for name in ("throw_1", "throw_2", "catch"))
FEATURES = (FeatureSpec("red", ("throw", "catch"), 0, 1, ""), FeatureSpec("far", ("catch",), 0, 1, ""))
PRESETS = {
    "plain": 'idea = "Does little."\norigin = "Nobody."\n[throw]\nred = 1.5\n[catch]\nfar = -2\n',
    "wild": 'base = "plain"\nidea = "By chance."\nnoise = 0.25\nlapse = 0.125\nmemory = "none"\n[throw_2]\nred = 3\n',
}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> GameSpec:
    """Decisions throw_1, throw_2 (group throw) and catch; features red (both groups), far (catch)."""
    # A name of its own: presets are read once a package.
    package = f"ball_{crc32(request.node.nodeid.encode())}"
    folder = tmp_path / package / "policies"
    folder.mkdir(parents=True)
    (tmp_path / package / "__init__.py").write_text("")
    for name, text in PRESETS.items():
        (folder / f"{name}.toml").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return GameSpec(
        name="ball", title="Ball", unit="deal", summary="", sources="", seat_counts=(2,), seats=lambda n: tuple("AB"),
        knobs=(), check_rules=lambda rules: None, decisions=DECISIONS, features=FEATURES, default_policy="plain",
        axes=lambda rules, table: {}, counters=(), batches=(), tables=(), findings=(), health=(), package=package,
        stream=1,
    )  # fmt: skip


def one(game: GameSpec, **table: Any) -> Policy:
    """A policy `mine` of one table."""
    return resolve_policies(game, {"mine": table}, [])["mine"]


def refusal(game: GameSpec, tables: Mapping[str, Any], wanted: tuple[str, ...] = ()) -> str:
    with pytest.raises(ScenarioError) as caught:
        resolve_policies(game, tables, wanted)
    message = str(caught.value)
    assert len(message) < 600
    return message


# Bases


def test_presets_are_found_and_resolved(game: GameSpec) -> None:
    assert preset_names(game) == ("plain", "wild")
    done = resolve_policies(game, {}, ["wild", "plain", "wild"])
    assert list(done) == ["wild", "plain"]
    plain, wild = done["plain"], done["wild"]
    assert plain.weights == {"throw_1": {"red": 1.5}, "throw_2": {"red": 1.5}, "catch": {"far": -2.0}}
    assert (plain.idea, plain.origin, plain.lapse, plain.memory) == ("Does little.", "Nobody.", 0.0, "perfect")
    assert plain.noise == {"throw_1": 0.0, "throw_2": 0.0, "catch": 0.0}
    assert wild.weights == {"throw_1": {"red": 1.5}, "throw_2": {"red": 3.0}, "catch": {"far": -2.0}}
    assert (wild.idea, wild.origin, wild.lapse, wild.memory) == ("By chance.", "Nobody.", 0.125, "none")
    assert set(wild.noise.values()) == {0.25}


def test_only_what_is_wanted_and_what_the_scenario_defines_is_resolved(game: GameSpec) -> None:
    assert list(resolve_policies(game, {"mine": {}}, [])) == ["mine"]
    assert list(resolve_policies(game, {"mine": {}}, ["wild", "mine"])) == ["mine", "wild"]
    assert resolve_policies(game, {}, []) == {}


def test_a_table_without_a_base_stands_on_the_default_policy(game: GameSpec) -> None:
    assert one(game).weights == resolve_policies(game, {}, ["plain"])["plain"].weights
    assert one(game).name == "mine"


def test_the_blank_base_has_no_weights(game: GameSpec) -> None:
    blank = one(game, base="blank", catch={"red": 1})
    assert blank.weights == {"throw_1": {}, "throw_2": {}, "catch": {"red": 1.0}}
    assert "stands for a policy without weights" in refusal(game, {"blank": {}})


def test_a_chain_of_bases_and_a_key_that_replaces_the_base_s(game: GameSpec) -> None:
    tables = {
        "c": {"base": "b", "catch": {"far": 0}},
        "b": {"base": "a", "throw": {"red": 5}, "lapse": 0.5},
        "a": {"base": "wild", "catch": {"red": 7}},
    }
    done = resolve_policies(game, tables, [])
    # A table for the group also replaces what the base had for one decision of it.
    assert done["c"].weights == {"throw_1": {"red": 5.0}, "throw_2": {"red": 5.0}, "catch": {"red": 7.0}}
    assert done["a"].weights == {"throw_1": {"red": 1.5}, "throw_2": {"red": 3.0}, "catch": {"far": -2.0, "red": 7.0}}
    assert (done["c"].lapse, done["c"].memory, done["a"].lapse) == (0.5, "none", 0.125)
    # Resolving leaves presets and tables as they were.
    assert resolve_policies(game, {}, ["wild"])["wild"].weights["catch"] == {"far": -2.0}
    assert tables["c"] == {"base": "b", "catch": {"far": 0}}


def test_a_name_hides_the_preset_and_may_stand_on_it(game: GameSpec) -> None:
    done = resolve_policies(game, {"wild": {"base": "wild", "lapse": 1}, "other": {"base": "wild"}}, ["wild"])
    assert (done["wild"].lapse, done["wild"].memory) == (1.0, "none")
    assert done["other"].lapse == 1.0
    assert resolve_policies(game, {"plain": {"lapse": 1}}, [])["plain"].weights["catch"] == {"far": -2.0}


@pytest.mark.parametrize(
    "tables",
    [
        {"a": {"base": "a"}},
        {"a": {"base": "b"}, "b": {"base": "a"}},
        {"a": {"base": "b"}, "b": {"base": "c"}, "c": {"base": "b"}},
    ],
)
def test_a_circle_of_bases_is_refused(game: GameSpec, tables: dict[str, Any]) -> None:
    assert "circle" in refusal(game, tables)


@pytest.mark.parametrize(
    "names",
    [
        ("wild", "b"),
        ("b", "wild"),
    ],
)
def test_a_circle_through_a_name_that_hides_a_preset_is_refused(game: GameSpec, names: tuple[str, str]) -> None:
    tables = {"wild": {"base": "b"}, "b": {"base": "wild"}}
    assert "circle" in refusal(game, {name: tables[name] for name in names})


def test_a_long_chain_is_no_traceback(game: GameSpec) -> None:
    tables = {f"p{i}": {"base": f"p{i + 1}"} for i in range(100)} | {"p100": {}}
    assert resolve_policies(game, tables, ["p0"])["p0"].weights["catch"] == {"far": -2.0}


# Groups and single decisions


@pytest.mark.parametrize("keys", [("throw", "throw_2"), ("throw_2", "throw")])
def test_a_single_decision_goes_before_its_group_in_any_order(game: GameSpec, keys: tuple[str, str]) -> None:
    given = {"throw": {"red": 1}, "throw_2": {"red": 2}}
    mine = one(game, base="blank", **{key: given[key] for key in keys})
    assert (mine.weights["throw_1"], mine.weights["throw_2"]) == ({"red": 1.0}, {"red": 2.0})


def test_weights_are_rounded_to_1024ths_and_zeros_dropped(game: GameSpec) -> None:
    mine = one(game, base="blank", catch={"red": 0.3, "far": -0.0})
    assert mine.weights["catch"] == {"red": round(0.3 * WEIGHT_UNIT) / WEIGHT_UNIT}
    assert one(game, catch={"far": 0}).weights["catch"] == {}
    edge = one(game, catch={"far": MAX_WEIGHT, "red": -MAX_WEIGHT})
    assert edge.weights["catch"] == {"far": MAX_WEIGHT, "red": -MAX_WEIGHT}


@pytest.mark.parametrize("weight", [0.0004, -1 / 2048, 5e-324])
def test_a_weight_that_would_round_to_0_is_refused(game: GameSpec, weight: float) -> None:
    message = refusal(game, {"mine": {"catch": {"far": weight}}})
    assert f"policies.mine.catch.far: {weight} is not allowed" in message
    assert "allowed: 0, or at least" in message


@pytest.mark.parametrize(
    "weight",
    [float("nan"), float("inf"), -float("inf"), 10**400, -(10**400), MAX_WEIGHT + 1, 1e300, "1", True, None, [1]],
)
def test_a_weight_that_is_no_sensible_number_is_refused(game: GameSpec, weight: Any) -> None:
    message = refusal(game, {"mine": {"catch": {"far": weight}}})
    assert message.startswith("policies.mine.catch.far: ")
    assert f"allowed: a number from -{MAX_WEIGHT} to {MAX_WEIGHT}" in message


# Noise, lapse, memory


def test_noise_for_all_by_group_and_by_decision(game: GameSpec) -> None:
    assert one(game, noise=1).noise == {"throw_1": 1.0, "throw_2": 1.0, "catch": 1.0}
    mine = one(game, base="wild", noise={"throw_2": 0.75, "throw": 0.5})
    # What is not named keeps the base's chance.
    assert mine.noise == {"throw_1": 0.5, "throw_2": 0.75, "catch": 0.25}
    assert one(game, base="wild", noise={}).noise["catch"] == 0.25
    assert one(game, base="wild", noise=0).noise["catch"] == 0.0


@pytest.mark.parametrize("chance", [-0.1, 1.1, float("nan"), float("inf"), 10**400, "0.5", True, None, [0.5]])
def test_a_chance_is_from_0_to_1(game: GameSpec, chance: Any) -> None:
    for key in ("noise", "lapse"):
        message = refusal(game, {"mine": {key: chance}})
        assert message.startswith(f"policies.mine.{key}: ")
        assert "allowed: a chance from 0 to 1" in message
    assert refusal(game, {"mine": {"noise": {"catch": chance}}}).startswith("policies.mine.noise.catch: ")


@pytest.mark.parametrize("memory", ["perfect", "none", "top_card", 0, 1, 0.25])
def test_memories(game: GameSpec, memory: Any) -> None:
    assert one(game, memory=memory).memory == memory


@pytest.mark.parametrize("memory", ["perfekt", -0.1, 2, float("nan"), float("inf"), 10**400, True, None, [1], {"p": 1}])
def test_other_memories_are_refused(game: GameSpec, memory: Any) -> None:
    message = refusal(game, {"mine": {"memory": memory}})
    assert message.startswith("policies.mine.memory: ")
    assert "'perfect', 'none', 'top_card', or a chance from 0 to 1" in message
    if memory == "perfekt":
        assert "did you mean 'perfect'?" in message


# Names


@pytest.mark.parametrize(
    ("tables", "wanted", "words"),
    [
        ({}, ("wld",), ["no policy is named 'wld'", "did you mean 'wild'?", "policies: plain, wild"]),
        ({"mine": {"base": "plane"}}, (), ["no policy is named 'plane'", "did you mean 'plain'?", "mine, plain, wild"]),
        ({"mine": {"base": 3}}, (), ["policies.mine.base: 3 is not the name of a policy"]),
        ({"mine": {"ctach": {}}}, (), ["policies.mine.ctach: no such key", "did you mean 'catch'?", "memory"]),
        ({"mine": {"throw_3": {}}}, (), ["policies.mine.throw_3: no such key", "did you mean 'throw_"]),
        ({"mine": {"throw": {"rad": 1}}}, (), ["policies.mine.throw.rad: no such feature", "did you mean 'red'?"]),
        ({"mine": {"throw": {"far": 1}}}, (), ["policies.mine.throw.far: no such feature", "features: red"]),
        ({"mine": {"throw": 3}}, (), ["policies.mine.throw: 3 is not a table of weights"]),
        ({"mine": {"noise": {"cach": 1}}}, (), ["policies.mine.noise.cach: no such kind", "did you mean 'catch'?"]),
        ({"mine": {"idea": 3}}, (), ["policies.mine.idea: 3 is not a text"]),
        ({"mine": {"origin": ["x"]}}, (), ["policies.mine.origin: ['x'] is not a text"]),
    ],
)  # fmt: skip
def test_a_refusal_names_key_and_nearest_name(
    game: GameSpec, tables: dict[str, Any], wanted: tuple[str, ...], words: list[str]
) -> None:
    message = refusal(game, tables, wanted)
    assert all(word in message for word in words), message


@pytest.mark.parametrize("table", [3, "careful", None, ["a"], True])
def test_a_policy_is_a_table(game: GameSpec, table: Any) -> None:
    assert "policies.mine" in refusal(game, {"mine": table})


@pytest.mark.parametrize("name", ["../x", "=cmd", "<script>", "ü", "", " "])
def test_odd_names_are_names(game: GameSpec, name: str) -> None:
    assert resolve_policies(game, {name: {}}, [name])[name].name == name


@pytest.mark.parametrize("key", ["throw", "base", "idea"])
@pytest.mark.parametrize(
    "value",
    [pytest.param(list(range(9999)), id="list"), pytest.param(1 << 20_000, id="number")],
)
def test_a_huge_value_of_another_kind_does_not_fill_the_message(game: GameSpec, key: str, value: Any) -> None:
    assert f"policies.mine.{key}: " in refusal(game, {"mine": {key: value}})


@pytest.mark.parametrize("key", ["lapse", "noise", "memory"])
@pytest.mark.parametrize("value", [pytest.param(list(range(9999)), id="list"), pytest.param(1 << 20_000, id="number")])
def test_a_huge_value_does_not_fill_the_message(game: GameSpec, key: str, value: Any) -> None:
    assert f"policies.mine.{key}: " in refusal(game, {"mine": {key: value}})


# Back to a table


def test_a_resolved_policy_written_as_a_table_resolves_to_itself(game: GameSpec) -> None:
    for policy in (
        one(game, base="wild", noise={"catch": 0.5}, memory=0.5, catch={"red": 0.001}),
        one(game, base="blank"),
        resolve_policies(game, {}, ["wild"])["wild"],
    ):
        again = resolve_policies(game, {policy.name: policy_table(game, policy)}, [])[policy.name]
        assert again == policy


def test_a_table_under_a_presets_name_changes_that_preset(game: GameSpec) -> None:
    wild = resolve_policies(game, {}, ["wild"])["wild"]
    changed = resolve_policies(game, {"wild": {"lapse": 0.5}}, [])["wild"]
    assert changed.weights == wild.weights
    assert changed.lapse == 0.5
    assert (
        one(game, lapse=0.5).weights == resolve_policies(game, {}, [game.default_policy])[game.default_policy].weights
    )


def test_idea_and_origin_are_one_printable_line(game: GameSpec) -> None:
    mine = resolve_policies(game, {"mine": {"idea": "  one\n two\tthree "}}, ())["mine"]
    assert mine.idea == "one two three"
    for text in ("\x1b]0;title\x07", "a\x00b", "right \u202e left", "x" * 301):
        message = refusal(game, {"mine": {"origin": text}}, ())
        assert message.startswith("policies.mine.origin: ")
        assert message.endswith("allowed: a printable text of at most 300 characters")
        assert message.isprintable()


def test_a_negative_zero_is_zero(game: GameSpec) -> None:
    table = {"lapse": -0.0, "memory": -0.0, "noise": -0.0}
    mine = resolve_policies(game, {"mine": table}, ())["mine"]
    assert str([mine.lapse, mine.memory, *mine.noise.values()]).count("-") == 0
