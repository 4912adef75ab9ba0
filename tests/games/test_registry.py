"""What holds for every game in the registry, and what each must come with."""

from __future__ import annotations

import contextlib
import importlib
import json
import re
from pathlib import Path

import pytest

from analyzer.errors import RulesError
from analyzer.games.knobs import nested, resolve_rules
from analyzer.games.policy import preset_names, resolve_policies
from analyzer.games.registry import GAMES, game_named
from analyzer.games.spec import GameSpec, Rules, Setting, Table
from analyzer.scenario.load import load_scenario
from analyzer.scenario.seating import build_table
from analyzer.sim.engine import Job, simulate
from analyzer.studies.trace import trace, words

ROOT = Path(__file__).parents[2]
HOUSE = ("report", "studies", "stats", "cli", "scenario", "sim", "kernels")


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> GameSpec:
    return game_named(request.param)


def default_table(game: GameSpec, name: str = "") -> Table:
    policy = name or game.default_policy
    n = game.seat_counts[-1]
    return build_table([policy] * n, n, "fixed", resolve_policies(game, {}, [policy]))


def rules_of(game: GameSpec, given: dict[str, object] | None = None) -> Rules:
    return resolve_rules(game, given or {}, game.seat_counts[-1])


def test_a_game_comes_with_all_its_rooms(game: GameSpec) -> None:
    for module in ("play", "transcript", "explain", "reference"):
        importlib.import_module(f"{game.package}.{module}")
    folder = ROOT / "analyzer" / "games" / game.name
    assert (folder / "rules.md").read_text("utf-8").startswith("# ")
    assert {game.default_policy, "random"} <= set(preset_names(game))
    assert list((ROOT / "scenarios").glob(f"{game.name}-baseline*.toml"))
    assert (ROOT / "tests" / "games" / game.name / "golden.txt").exists()
    assert game.name in (ROOT / "README.md").read_text("utf-8").lower()
    assert game.title in (ROOT / "docs" / "policies.md").read_text("utf-8")


def test_golden_playthrough(game: GameSpec) -> None:
    """One deal in words and as events, line by line: a change of rules, policies or the stream shows here first."""
    scenario = load_scenario(f"{game.name}-field")
    events = next(iter(trace(scenario, 12, 1, 1)))
    text = (
        words(scenario, events) + "\n\n" + "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events)
    )
    golden = (ROOT / "tests" / "games" / game.name / "golden.txt").read_text("utf-8")
    assert text.splitlines() == golden.splitlines()


def test_knobs_have_one_default_in_range_and_other_values_to_try(game: GameSpec) -> None:
    defaults = rules_of(game)
    assert rules_of(game, nested(defaults)) == defaults
    for knob in game.knobs:
        assert knob.text.endswith(".")
        assert knob.touches
        assert knob.reference
        assert knob.alternatives
        for value in knob.alternatives:
            assert value != defaults[knob.key]
            given: object = list(value) if isinstance(value, tuple) else value
            for part in reversed(knob.key.split(".")):
                given = {part: given}
            # What one value needs, another knob may have to allow; the game's own rule tests cover those refusals.
            with contextlib.suppress(RulesError):
                found = resolve_rules(game, given, value if knob.seats else game.seat_counts[-1])  # type: ignore[arg-type]
                assert found[knob.key] == value


def test_the_rules_page_names_every_knob(game: GameSpec) -> None:
    page = (ROOT / "analyzer" / "games" / game.name / "rules.md").read_text("utf-8")
    for knob in game.knobs:
        assert f"`{knob.key}`" in page, knob.key


def test_features_are_named_once_a_decision(game: GameSpec) -> None:
    pairs = [(feature.name, group) for feature in game.features for group in feature.groups]
    assert len(pairs) == len(set(pairs))
    assert {group for _, group in pairs} <= set(game.decision_groups)


def test_counters_fit_their_axes(game: GameSpec) -> None:
    table = default_table(game)
    rules = rules_of(game)
    axes = game.axes(rules, table)
    tallies = simulate(Job(game, rules, table, 1, 130))
    for counter in game.counters:
        shape = tuple(len(axes[axis]) for axis in counter.axes)
        array = tallies.grouped[counter.name] if counter.grouped else tallies.plain[counter.name]
        assert array.shape == ((64, *shape) if counter.grouped else shape), counter.name
    assert Setting(rules, table, game.seats(game.seat_counts[-1]), axes).policies == (game.default_policy,)
    assert tallies.units == 130


def test_a_deal_has_the_same_cards_under_every_policy_and_seating(game: GameSpec) -> None:
    scenario = load_scenario(f"{game.name}-field")
    n = len(scenario.seats)
    seats = json.dumps(["random"] * n)
    other = load_scenario(
        sorted((ROOT / "scenarios").glob(f"{game.name}-baseline*"))[-1], [f"table.seats={seats}"], seed=scenario.seed
    )
    for unit in (0, 5, 10**9):
        first = [next(iter(trace(s, unit, 1, r)))[0] for s, r in ((scenario, 0), (scenario, n - 1), (other, 0))]
        assert first[0]["hands"] == first[1]["hands"] == first[2]["hands"]


def test_the_house_holds_no_game_words(game: GameSpec) -> None:
    """Generic rooms name no game, no card, no hunt: those words come from the games' data."""
    words_of_games = {game.name, "dingo", "wolf", "wolves", "rabbit", "hunt", "rounce", "domino", "trump", "dummy"}
    pattern = re.compile(rf"\b({'|'.join(sorted(words_of_games))})\b", re.IGNORECASE)
    for room in HOUSE:
        for path in sorted((ROOT / "analyzer" / room).rglob("*")):
            if path.suffix in {".py", ".html", ".css"}:
                found = pattern.findall(path.read_text("utf-8"))
                assert not found, f"{path.relative_to(ROOT)}: {found}"
