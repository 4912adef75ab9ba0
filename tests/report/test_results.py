"""The results dictionary and its text: keys, determinism, no NaN, round trip."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest
from toy_game import BY_SEAT, GAME, SEATS, played, setting

from analyzer.games.spec import GameSpec
from analyzer.report.frames import Batch, evaluate_tables
from analyzer.report.results import assemble, dump_results, rounded


def results(units: int = 1000, game: GameSpec = GAME) -> dict[str, Any]:
    batches = {
        "main": Batch(played(units), setting()),
        "side": Batch(played(min(units, 300), (1 / 3, 1 / 3, 1 / 3)), setting()),
    }
    tables, absent = evaluate_tables(game.tables, batches)
    return assemble(game, batches, tables, absent, study="run", title="Toys", question="Who wins?", seed=7, more={})


def test_results_hold_everything_that_a_report_tells() -> None:
    found = results()
    assert {name: found[name] for name in ("game", "study", "title", "question", "count", "seed", "confidence")} == {
        "game": "toy",
        "study": "run",
        "title": "Toys",
        "question": "Who wins?",
        "count": 1000,
        "seed": 7,
        "confidence": 0.95,
    }
    assert found["rules"] == {"points": {"win": 3, "loss": 0}, "steps": ["left", "right"]}
    assert found["policies"] == [{"name": "plain", "idea": "plays on", "origin": "the tests"}]
    assert (found["seating"], found["plays"], found["seats"]) == ("fixed", 1, list(SEATS))
    assert [row["seat"] for row in found["by_seat"]] == list(SEATS)
    assert [row["win_share"]["n"] for row in found["side"]] == [300] * 3
    assert found["absent"] == {"alone": "one policy only"}
    assert "alone" not in found
    assert [check["name"] for check in found["health"]] == ["winners", "coin", "even"]
    assert [finding["name"] for finding in found["findings"]] == ["best_seat"]


def test_an_estimate_is_always_the_same_five_numbers() -> None:
    for row in results()["by_seat"]:
        assert list(row["win_share"]) == ["estimate", "low", "high", "se", "n"]


def test_the_text_is_deterministic_and_reads_back() -> None:
    text = dump_results(results())
    assert text == dump_results(results())
    assert json.loads(text) == results()
    assert text.endswith("}\n")
    assert sum(line.startswith('  {"seat"') for line in text.splitlines()) == 6


@pytest.mark.parametrize("units", [1, 2, 3])
def test_few_units_give_valid_json(units: int) -> None:
    text = dump_results(results(units))
    for word in ("NaN", "Infinity", "nan", "inf"):
        assert word not in text
    assert json.loads(text)["count"] == units


def test_floats_have_twelve_digits() -> None:
    assert rounded(
        {
            "third": 1 / 3,
            "big": 123456789012345.6,
            "none": [math.nan, -math.inf],
            "zero": -0.0,
            "whole": 10**30,
            "numpy": [np.float64(0.1) * 3, np.int64(4), np.array([0.25])],
            "said": (True, None, "text"),
        }
    ) == {
        "third": 0.333333333333,
        "big": 123456789012000.0,
        "none": [None, None],
        "zero": 0.0,
        "whole": 10**30,
        "numpy": [0.3, 4, [0.25]],
        "said": [True, None, "text"],
    }
    assert str(rounded(-0.0)) == "0.0"


def test_the_text_refuses_nan() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dump_results({"odd": math.nan})


def test_a_table_cannot_take_the_place_of_another_key() -> None:
    clash = dataclasses.replace(GAME, tables=(dataclasses.replace(BY_SEAT, name="rules"),), findings=())
    with pytest.raises(ValueError, match="'rules'"):
        results(game=clash)


def test_letters_of_all_languages_stay_readable() -> None:
    assert "Würfel – 骰子" in dump_results({"title": "Würfel – 骰子"})
