"""Dingo's knobs: what a `[rules]` table may say, and what the refusal names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from analyzer.errors import RulesError
from analyzer.games.dingo.policies import DECISIONS, FEATURES
from analyzer.games.dingo.rules import KNOBS, check_rules
from analyzer.games.knobs import allowed, nested, resolve_rules
from analyzer.games.spec import GameSpec, KnobSpec, Table

DEFAULT_EXCHANGE = ("discard", "left", "discard", "across", "discard", "right", "discard")


def no_axes(rules: Mapping[str, Any], table: Table) -> dict[str, tuple[str, ...]]:
    """A game without counters."""
    return {}


DINGO = GameSpec(
    name="dingo", title="Dingo", unit="deal", summary="", sources="", seat_counts=(4,), seats=lambda n: tuple("SWNE"),
    knobs=KNOBS, check_rules=check_rules, decisions=DECISIONS, features=FEATURES, default_policy="careful",
    axes=no_axes, counters=(), batches=(), tables=(), findings=(), health=(), package="analyzer.games.dingo", stream=1,
)  # fmt: skip
"""Only what knobs need; the checks of the whole spec are elsewhere."""


def refusal(given: Mapping[str, Any]) -> str:
    with pytest.raises(RulesError) as caught:
        resolve_rules(DINGO, given)
    return str(caught.value)


def test_nothing_given_is_the_rules_page() -> None:
    assert resolve_rules(DINGO, {}) == {
        "points.low": 1, "points.eight": 1, "points.high": 2, "points.ace": 3, "points.ace_rabbit_alive": 10,
        "points.ace_rabbit_dead": 3, "exchange": DEFAULT_EXCHANGE, "discard_aces": False, "hunt_order": "ascending",
        "wolf_order": "left_of_dingo", "wolf_turns": "once", "dingo_player_may_wolf": False,
        "first_wolf_to": "dingo_player", "ace_dingo_player_turn": True, "ace_rabbit_needs": 2,
        "caught": "disqualified", "tie_break": "highest_rabbit",
    }  # fmt: skip


def test_eight_follows_low_unless_given() -> None:
    assert resolve_rules(DINGO, {"points": {"low": 4}})["points.eight"] == 4
    assert resolve_rules(DINGO, {"points": {"low": 4, "eight": 0}})["points.eight"] == 0
    assert resolve_rules(DINGO, {"points": {"eight": 5}})["points.low"] == 1


def values(knob: KnobSpec) -> list[Any]:
    """Every choice, or the ends of the range."""
    if knob.kind == "bool":
        return [False, True]
    if knob.kind == "choice":
        return list(knob.choices)
    if knob.kind == "steps":
        return [[], ["discard"], ["left", "across", "right"], ["right"] * 24, [*DEFAULT_EXCHANGE, "discard", "discard"]]
    return [knob.low, 0, 1, knob.high]


def given(key: str, value: Any) -> dict[str, Any]:
    *parents, last = key.split(".")
    return {parents[0]: {last: value}} if parents else {last: value}


@pytest.mark.parametrize(("key", "value"), [(knob.key, value) for knob in KNOBS for value in values(knob)])
def test_every_value_of_every_knob_is_accepted_and_survives_nesting(key: str, value: Any) -> None:
    rules = resolve_rules(DINGO, given(key, value))
    assert rules[key] == (tuple(value) if isinstance(value, list) else value)
    assert resolve_rules(DINGO, nested(rules)) == rules
    assert list(rules) == [knob.key for knob in KNOBS]


@pytest.mark.parametrize(("key", "value"), [(knob.key, value) for knob in KNOBS for value in knob.alternatives])
def test_alternatives_worth_trying_are_playable_and_change_something(key: str, value: Any) -> None:
    assert resolve_rules(DINGO, given(key, value)) != resolve_rules(DINGO, {})


@pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.key)
def test_every_knob_says_what_it_is_for(knob: KnobSpec) -> None:
    assert knob.text.endswith(".")
    assert knob.touches
    assert knob.alternatives
    assert knob.reference
    assert allowed(knob)


WRONG = {
    "int": ["1", 1.0, 1.5, None, True, False, [1], {"a": 1}, float("nan"), float("inf"), 10**30, -(10**30)],
    "bool": ["true", 0, 1, None, 1.0, []],
    "choice": ["", "nothing", 1, None, True, ["ascending"]],
    "steps": ["discard", 3, None, True, [1], [["left"]], ["left", "up"], {"left": 1}],
}


@pytest.mark.parametrize(("knob", "value"), [(knob, value) for knob in KNOBS for value in WRONG[knob.kind]])
def test_a_wrong_value_is_refused_by_name(knob: KnobSpec, value: Any) -> None:
    message = refusal(given(knob.key, value))
    assert message.startswith(f"rules.{knob.key}: ")
    assert allowed(knob) in message


@pytest.mark.parametrize("knob", [knob for knob in KNOBS if knob.kind == "int"], ids=lambda knob: knob.key)
def test_the_ends_of_a_range_are_hard(knob: KnobSpec) -> None:
    assert knob.low is not None
    assert knob.high is not None
    for value in (knob.low - 1, knob.high + 1):
        message = refusal(given(knob.key, value))
        assert f"{value} is not allowed; allowed: a whole number from {knob.low} to {knob.high}" in message


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"hunt_ordr": "ascending"}, ["rules.hunt_ordr: no such knob of Dingo", "did you mean 'hunt_order'?"]),
        ({"points": {"lo": 1}}, ["rules.points.lo: no such knob", "did you mean 'points.low'?", "points.eight"]),
        ({"points": {"zebra": 1}}, ["rules.points.zebra: no such knob", "knobs: points.low, points.eight"]),
        ({"points.low": 1}, ["rules.'points.low': a key with dots in quotes"]),
        ({"points": 3}, ["rules.points: 3 is not a table of knobs"]),
        ({"points": {"low": {"deep": 1}}}, ["rules.points.low: a table is not allowed"]),
        ({"": 1}, ["rules.'': no such knob"]),
        ({"hunt_order": "ascendin"}, ["did you mean 'ascending'?", '"descending"']),
        ({"exchange": ["discard", "lefft"]}, ["'lefft' is not a step", "did you mean 'left'?"]),
        ({"hunt_order": "x" * 1000}, ["..."]),
    ],
)  # fmt: skip
def test_a_refusal_names_key_value_what_is_allowed_and_the_nearest(table: dict[str, Any], words: list[str]) -> None:
    message = refusal(table)
    assert all(word in message for word in words), message
    assert len(message) < 500


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    assert refusal({"points": {"low": 1 << 20_000}}).startswith("rules.points.low: ")


def test_an_exchange_that_runs_out_of_discardable_cards_is_refused_with_the_reason() -> None:
    message = refusal({"exchange": ["discard"] * 7})
    assert "rules.exchange: step 6 (discard) comes with 4 cards in hand; a discard needs at least 5" in message
    assert "up to 4 aces" in message
    assert "discard_aces = true" in message
    assert resolve_rules(DINGO, {"exchange": ["discard"] * 6})["exchange"] == ("discard",) * 6
    # Passes leave the number of cards as it is.
    assert "step 12 (discard)" in refusal({"exchange": ["discard", "left"] * 6 + ["discard"]})


def test_with_discard_aces_the_hand_may_be_emptied_but_not_more() -> None:
    assert resolve_rules(DINGO, {"exchange": ["discard"] * 10, "discard_aces": True})
    message = refusal({"exchange": ["discard"] * 11, "discard_aces": True})
    assert "step 10 (discard) comes with 0 cards in hand; a discard needs at least 1 (the hand is empty)" in message
    assert "or set discard_aces" not in message
    assert "a pass needs at least 1" in refusal({"exchange": ["discard"] * 10 + ["left"], "discard_aces": True})


def test_an_exchange_has_at_most_24_steps() -> None:
    assert len(resolve_rules(DINGO, {"exchange": ["across"] * 24})["exchange"]) == 24
    assert "rules.exchange: 25 steps; at most 24 are allowed" in refusal({"exchange": ["across"] * 25})


def test_rules_nested_as_in_a_scenario() -> None:
    table = nested(resolve_rules(DINGO, {}))
    assert table["points"]["ace_rabbit_alive"] == 10
    assert table["exchange"] == list(DEFAULT_EXCHANGE)
    assert "points.low" not in table
