"""Domino Rounce's knobs: what a `[rules]` table may say, which defaults hang on others, and what a refusal names."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from engines import random_rules

from analyzer.errors import RulesError, ScenarioError
from analyzer.games import registry
from analyzer.games.dingo.spec import SPEC as OTHER
from analyzer.games.knobs import allowed, nested, resolve_rules, seats_told
from analyzer.games.rounce.rules import KNOBS, check_rules
from analyzer.games.spec import GameSpec, KnobSpec
from analyzer.scenario import load
from analyzer.scenario.load import Scenario, load_scenario

ROUNCE: GameSpec = dataclasses.replace(
    OTHER, name="rounce", title="Domino Rounce", seat_counts=(2, 3, 4), seats=lambda n: tuple("0123")[:n],
    knobs=KNOBS, check_rules=check_rules,
)  # fmt: skip
"""Only what knobs and tables need; the policies are borrowed. The checks of the whole spec are elsewhere."""


def refusal(given: Mapping[str, Any], n_seats: int | None = None) -> str:
    with pytest.raises(RulesError) as caught:
        resolve_rules(ROUNCE, given, n_seats)
    return str(caught.value)


def test_nothing_given_is_the_rules_page_for_four() -> None:
    assert resolve_rules(ROUNCE, {}) == {
        "players": 4, "start_score": 15, "first_dealer": "random", "finish_tie": "lowest", "max_rounds": 1000,
        "hand_size": 5, "doubles": "natural", "fold_allowed": True, "dummy_draw": 7, "dummies_max": 1,
        "dealer_takes": True, "defend_allowed": True, "winner_leads_trump": True, "must_trump_above": 2,
        "must_trump_when": "lead", "walkover": 5, "rounce_penalty": 5,
    }  # fmt: skip
    assert resolve_rules(ROUNCE, {}) == {knob.key: knob.default for knob in KNOBS}


@pytest.mark.parametrize(
    ("n_seats", "fold", "draw", "dummies", "defend"),
    [(2, False, 6, 2, False), (3, True, 6, 2, False), (4, True, 7, 1, True)],
)
def test_defaults_follow_the_number_of_seats(n_seats: int, fold: bool, draw: int, dummies: int, defend: bool) -> None:
    for rules in (resolve_rules(ROUNCE, {}, n_seats), resolve_rules(ROUNCE, {"players": n_seats})):
        assert rules["players"] == n_seats
        assert (rules["fold_allowed"], rules["dummy_draw"], rules["dummies_max"]) == (fold, draw, dummies)
        assert rules["defend_allowed"] == defend


@pytest.mark.parametrize(("n_seats", "size", "draw", "dummies"), [
    (2, 3, 4, 2), (2, 6, 7, 2), (2, 7, 8, 1), (3, 4, 5, 2), (3, 6, 7, 1), (3, 7, 8, 0), (4, 3, 5, 1), (4, 4, 6, 1),
    (4, 6, 8, 0),
])  # fmt: skip
def test_dummies_follow_the_hand_and_what_the_boneyard_holds(n_seats: int, size: int, draw: int, dummies: int) -> None:
    rules = resolve_rules(ROUNCE, {"hand_size": size}, n_seats)
    assert (rules["dummy_draw"], rules["dummies_max"]) == (draw, dummies)


def test_dummies_follow_a_draw_that_is_given() -> None:
    for draw, dummies in ((5, 2), (6, 2), (7, 1), (12, 1), (13, 0), (27, 0)):
        assert resolve_rules(ROUNCE, {"dummy_draw": draw}, 3)["dummies_max"] == dummies


def values(knob: KnobSpec) -> list[Any]:
    """Every choice, or the ends of the range."""
    if knob.kind == "bool":
        return [False, True]
    return list(knob.choices) if knob.kind == "choice" else [knob.low, knob.high]


OTHERS_FOR = {("hand_size", 7): {"players": 3}, ("dummies_max", 4): {"hand_size": 3, "dummy_draw": 3}}
"""What has to be different for a value to be playable with four."""


@pytest.mark.parametrize(("key", "value"), [(knob.key, value) for knob in KNOBS for value in values(knob)])
def test_every_value_of_every_knob_is_accepted_and_survives_nesting(key: str, value: Any) -> None:
    more: dict[str, Any] = OTHERS_FOR.get((key, value), {})
    more = {**more, "dummies_max": 0} if (key, value) == ("dummy_draw", 1) else more
    rules = resolve_rules(ROUNCE, {**more, key: value})
    assert rules[key] == value
    assert resolve_rules(ROUNCE, nested(rules)) == rules
    assert list(rules) == [knob.key for knob in KNOBS]


@pytest.mark.parametrize(("key", "value"), [(knob.key, value) for knob in KNOBS for value in knob.alternatives])
def test_alternatives_worth_trying_are_playable_and_change_something(key: str, value: Any) -> None:
    assert resolve_rules(ROUNCE, {key: value}) != resolve_rules(ROUNCE, {})


WRONG = {
    "int": ["1", 1.0, 1.5, None, True, [1], {"a": 1}, float("nan"), 10**30, -1],
    "bool": ["true", 0, 1, None, 1.0, []],
    "choice": ["", "nothing", "0", 4, -1, 1.0, None, True, False, ["random"]],
}


@pytest.mark.parametrize(("knob", "value"), [(knob, value) for knob in KNOBS for value in WRONG[knob.kind]])
def test_a_wrong_value_is_refused_by_name(knob: KnobSpec, value: Any) -> None:
    message = refusal({knob.key: value})
    assert message.startswith(f"rules.{knob.key}: ")
    assert allowed(knob) in message


@pytest.mark.parametrize("knob", [knob for knob in KNOBS if knob.kind == "int"], ids=lambda knob: knob.key)
def test_the_ends_of_a_range_are_hard(knob: KnobSpec) -> None:
    assert knob.low is not None
    assert knob.high is not None
    for value in (knob.low - 1, knob.high + 1):
        message = refusal({knob.key: value})
        assert f"{value} is not allowed; allowed: a whole number from {knob.low} to {knob.high}" in message


@pytest.mark.parametrize(
    ("given", "n_seats", "words"),
    [
        (
            {"hand_size": 7}, 4,
            ["rules.hand_size: 7 with 4 players", "4 players x 7 tiles + 1 turn-up = 29", "28 tiles", "at most 6 each"],
        ),
        (
            {"dummies_max": 2}, 4,
            ["rules.dummies_max: 2 dummies x 7 tiles (dummy_draw) = 14", "the boneyard holds 7",
             "28 tiles - (4 players x 5 tiles + 1 turn-up = 21)", "at most 1 dummies of 7 tiles"],
        ),
        ({"dummies_max": 1, "hand_size": 7}, 3, ["1 dummies x 8 tiles", "the boneyard holds 6", "at most 0"]),
        ({"dummies_max": 1, "dummy_draw": 13}, 3, ["1 dummies x 13 tiles (dummy_draw) = 13", "the boneyard holds 12"]),
        ({"dummy_draw": 4}, 3, ["rules.dummy_draw: 4 tiles are fewer than a hand of 5", "dummies_max = 0"]),
        ({"dummies_max": 3}, 2, ["rules.dummies_max: 3 with 2 players", "at most 2"]),
        ({"dummies_max": 4, "dummy_draw": 3, "hand_size": 3}, 3, ["rules.dummies_max: 4 with 3 players"]),
        ({"fold_allowed": True}, 2, ["rules.fold_allowed: true with 2 players", "only 3 or 4 players may fold"]),
        ({"first_dealer": 2}, 2, ["rules.first_dealer: 2 is no seat", "with 2 players", "from 0 to 1"]),
        ({"first_dealer": "0"}, 3, ["rules.first_dealer: '0' is not allowed", '"random", 0, 1, 2, 3']),
        ({"start_scor": 7}, 3, ["rules.start_scor: no such knob of Domino Rounce", "did you mean 'start_score'?"]),
    ],
)  # fmt: skip
def test_what_cannot_be_dealt_or_does_not_fit_is_refused_with_the_arithmetic(
    given: dict[str, Any], n_seats: int, words: list[str]
) -> None:
    message = refusal(given, n_seats)
    assert all(word in message for word in words), message
    assert len(message) < 400


def test_a_hand_too_large_for_a_dummy_is_fine_without_one() -> None:
    assert resolve_rules(ROUNCE, {"dummies_max": 0, "dummy_draw": 1}, 3)["dummy_draw"] == 1
    assert resolve_rules(ROUNCE, {"fold_allowed": False}, 2)["fold_allowed"] is False


def test_random_rule_sets_are_valid_and_reach_every_value() -> None:
    """Every value of short ranges and the ends of long ones, five times in 500 sets."""
    seen = Counter[tuple[str, Any]]()
    for seed in range(500):
        rules = random_rules("rounce", seed)
        assert resolve_rules(ROUNCE, nested(rules), rules["players"]) == rules
        seen.update(rules.items())
    for knob in KNOBS:
        wanted = values(knob)
        if knob.kind == "int" and knob.high is not None and knob.high <= 7 and knob.low is not None:
            wanted = list(range(knob.low, knob.high + 1))
        if knob.key == "dummy_draw":
            # What a dummy draws by default, and two either way.
            wanted = [3, 4, 5, 6, 7, 8, 9]
        for value in wanted:
            assert seen[knob.key, value] >= 5, (knob.key, value)


# The table's seats


def test_players_are_as_many_as_the_table_has_seats() -> None:
    assert resolve_rules(ROUNCE, {"players": 3}, 3)["players"] == 3
    message = refusal({"players": 3}, 2)
    assert message == "rules.players: 3, but the table has 2 seats; leave it out, or give the table as many"
    assert seats_told(ROUNCE, {"players": 2}) == 2
    assert seats_told(ROUNCE, {"walkover": 2}) is None
    with pytest.raises(RulesError, match=r"rules\.players: 5 is not allowed"):
        seats_told(ROUNCE, {"players": 5})
    assert seats_told(OTHER, {}) is None


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Loads a scenario of this game from its tables."""
    monkeypatch.setattr(load, "game_named", lambda name: ROUNCE if name == "rounce" else registry.game_named(name))

    def of(text: str) -> Scenario:
        path = tmp_path / "s.toml"
        path.write_text(f'# Why?\ngame = "rounce"\n{text}', "utf-8")
        return load_scenario(path)

    return of


THREE = 'seats = ["careful", "random", "random"]'
PAIR = 'field = ["careful", "random"]'
FIELD = 'field = ["careful", "greedy", "random", "dumper"]'


@pytest.mark.parametrize(
    ("text", "n_seats", "combinations"),
    [
        ('[table]\nseats = ["careful", "random"]', 2, 1),
        (f"[table]\n{THREE}", 3, 1),
        (f"[rules]\nplayers = 3\n[table]\n{THREE}", 3, 1),
        (f"[table]\n{FIELD}", 4, 1),
        (f"[rules]\nplayers = 3\n[table]\n{FIELD}", 3, 4),
        (f"[rules]\nplayers = 2\n[table]\n{FIELD}", 2, 6),
        ("", 4, 1),
        ("[rules]\nplayers = 2", 2, 1),
    ],
)
def test_a_scenario_says_how_many_sit_by_seats_or_by_players(
    loaded: Any, text: str, n_seats: int, combinations: int
) -> None:
    scenario = loaded(text)
    assert scenario.rules["players"] == len(scenario.seats) == n_seats
    assert len(scenario.table.arrangements) == combinations
    assert scenario.changed_rules() == {}
    assert loaded(scenario.to_toml().split('game = "rounce"\n')[1]) == scenario


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"[rules]\nplayers = 2\n[table]\n{THREE}", "rules.players: 2, but the table has 3 seats"),
        ('[table]\nseats = ["random"]', "table.seats: 1 policy; Domino Rounce has 2, 3 or 4 seats"),
        ('[rules]\nplayers = 5\n[table]\nseats = ["random", "random"]', "rules.players: 5 is not allowed"),
        (f"[rules]\nplayers = 3\n[table]\n{PAIR}", "table.field: 2 policies; Domino Rounce has 3 seats"),
        (f"[table]\n{PAIR}", "table.field: 2 policies; Domino Rounce has 4 seats"),
        ('[rules]\nfold_allowed = true\n[table]\nseats = ["random", "random"]', "rules.fold_allowed: true with 2"),
    ],
)  # fmt: skip
def test_a_table_that_does_not_fit_is_refused(loaded: Any, text: str, words: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        loaded(text)
    assert words in str(caught.value)


def test_changed_rules_are_told_against_defaults_that_hang_on_others(loaded: Any) -> None:
    scenario = loaded("[rules]\nplayers = 3\nhand_size = 6\ndummies_max = 0")
    assert scenario.changed_rules() == {"hand_size": (6, 5), "dummies_max": (0, 1)}


# The page

PAGE = resources.files("analyzer.games.rounce").joinpath("rules.md").read_text("utf-8")


@pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.key)
def test_the_rules_page_tells_of_every_knob(knob: KnobSpec) -> None:
    assert f"## {knob.reference}\n" in PAGE
    section = PAGE.split(f"## {knob.reference}\n")[1].split("\n## ")[0]
    assert f"`{knob.key}`" in section or f"`{knob.key} =" in section
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{knob.key}` |"))
    cells = row.strip("| ").split(" | ") if knob.disputed else row.removesuffix(" | |").strip("| ").split(" | ")
    if knob.derive is None and not knob.seats:
        shown = str(knob.default).lower() if knob.kind == "bool" else str(knob.default)
        assert cells[1] == f"`{shown}`"
    assert all(f"`{choice}`" in row for choice in knob.choices)
    if knob.kind == "int":
        assert f"{knob.low} to {knob.high:,}".replace("1,000", "1000") in cells[2]
    assert cells[3] == ", ".join(knob.touches)
    assert (cells[4:] == ["yes"]) == knob.disputed


def test_the_rules_page_names_no_other_knob() -> None:
    table = PAGE.split("## All knobs")[1].split("## ")[0]
    named = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert named == [knob.key for knob in KNOBS]


@pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.key)
def test_every_knob_says_what_it_is_for(knob: KnobSpec) -> None:
    assert knob.text.endswith(".")
    assert knob.touches
    assert knob.alternatives
    assert bool(knob.derived_text) == (knob.derive is not None or knob.seats)
