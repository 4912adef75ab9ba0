"""Sentences from results: how an estimate is written, and when a sentence is not said."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_game import BEST_SEAT, GAME, played, setting

from analyzer.games.spec import FindingSpec
from analyzer.report.findings import findings_of, sentence_of, written
from analyzer.report.frames import Batch, evaluate_tables
from analyzer.report.results import assemble


def estimate(value: float | None, low: float | None, high: float | None) -> dict[str, Any]:
    return {"estimate": value, "low": low, "high": high, "se": None, "n": 9}


def said(sentence: str, **values: Any) -> str | None:
    return sentence_of(FindingSpec("one", "?", sentence, lambda results, setting: values), {}, setting())


@pytest.mark.parametrize(
    ("style", "value", "text"),
    [
        ("percent", (0.271, 0.27, 0.272), "27.1% (27.0 to 27.2)"),
        ("percent", (0.5, 0.3, 0.7), "50% (30 to 70)"),
        ("percent", (1.0, 0.9993, 1.0), "100.00% (99.93 to 100.00)"),
        ("gain", (0.021, 0.02, 0.022), "2.1 percentage points (2.0 to 2.2)"),
        ("gain", (-0.021, -0.023, -0.02), "2.1 percentage points (2.0 to 2.3)"),
        ("gain", (0.001, -0.001, 0.003), "0.1 percentage points (−0.1 to 0.3)"),
        ("gain", (0.03, 0.01, 0.05), "3 percentage points (1 to 5)"),
        ("points", (3.2, 3.1, 3.3), "3.2 points (3.1 to 3.3)"),
        ("points", (-3.2, -3.3, -3.1), "−3.2 points (−3.3 to −3.1)"),
        ("points", (1.2, -1.0, 3.4), "1 point (−1 to 3)"),
        ("number", (12345.6, 12300, 12400), "12,346 (12,300 to 12,400)"),
    ],
)
def test_an_estimate_is_written_with_the_digits_of_its_interval(
    style: str, value: tuple[float, float, float], text: str
) -> None:
    assert written(estimate(*value), style) == text


@pytest.mark.parametrize(
    "value",
    [
        (0.2, None, None),
        (None, None, None),
        (0.2, 0.2, 0.2),
        (math.nan, 0.1, 0.3),
        (0.2, -math.inf, 0.3),
        (0.2, 0.1, math.inf),
        (0.2, 0.2, 0.2 + 1e-12),
    ],
)
@pytest.mark.parametrize("style", ["percent", "gain", "points", "number"])
def test_an_estimate_without_a_usable_interval_is_not_written(value: tuple[Any, Any, Any], style: str) -> None:
    assert written(estimate(*value), style) is None
    assert said("It is {it:" + style + "}.", it=estimate(*value)) is None


def test_another_style_is_refused() -> None:
    for style in ("", "%", ".2f"):
        with pytest.raises(ValueError, match="percent, gain, points, number"):
            written(estimate(0.2, 0.1, 0.3), style)


any_float = st.one_of(st.none(), st.floats())


@given(
    value=any_float,
    low=any_float,
    high=any_float,
    style=st.sampled_from(["percent", "gain", "points", "number"]),
)
def test_no_numbers_whatever_make_a_nonsense(value: Any, low: Any, high: Any, style: str) -> None:
    text = written(estimate(value, low, high), style)
    if text is not None:
        assert "nan" not in text
        assert "inf" not in text
        assert "−0 " not in text
        least, most = text.partition("(")[2].rstrip(")").split(" to ")
        assert least != most


def test_a_sentence_takes_estimates_words_and_whole_numbers() -> None:
    text = said(
        "{best[seat]} wins {best[share]:percent} of {n:,}; next {others[0]:points}.",
        best={"seat": "{odd} name", "share": estimate(0.4, 0.3, 0.5)},
        n=1_000_000,
        others=[estimate(2, 1, 3)],
    )
    assert text == "{odd} name wins 40% (30 to 50) of 1,000,000; next 2 points (1 to 3)."


@pytest.mark.parametrize("value", [None, math.nan, math.inf])
def test_a_sentence_with_a_number_that_is_not_known_is_not_said(value: Any) -> None:
    assert said("It is {it}.", it=value) is None
    assert said("It is well.", it=value) == "It is well."


def test_nothing_selected_nothing_said() -> None:
    assert sentence_of(FindingSpec("one", "?", "never", lambda results, setting: None), {}, setting()) is None


def results(units: int, chances: tuple[float, float, float]) -> dict[str, Any]:
    batches = {"main": Batch(played(units, chances), setting())}
    tables, absent = evaluate_tables(GAME.tables, batches)
    return assemble(GAME, batches, tables, absent, study="run", title="", question="", seed=1, more={})


def test_a_finding_answers_its_question_when_the_numbers_support_it() -> None:
    (found,) = findings_of([BEST_SEAT], results(4000, (0.2, 0.5, 0.3)), setting())
    assert (found["name"], found["question"]) == ("best_seat", "Which seat is best?")
    assert found["sentence"].startswith("The second seat wins ")
    assert found["sentence"].endswith(" more than fair.")


@pytest.mark.parametrize(
    ("units", "chances"), [(4000, (1 / 3, 1 / 3, 1 / 3)), (1, (1.0, 0.0, 0.0)), (2, (0.5, 0.3, 0.2))]
)
def test_a_finding_is_silent_when_they_do_not(units: int, chances: tuple[float, float, float]) -> None:
    assert findings_of([BEST_SEAT], results(units, chances), setting()) == []
