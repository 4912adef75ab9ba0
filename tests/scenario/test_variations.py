"""Values of a key as they are written, and scenarios made of them."""

from __future__ import annotations

import pytest

from analyzer.errors import RulesError, ScenarioError
from analyzer.scenario.variations import MAX_VARIATIONS, load_variations, parse_values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("rules.x=1,2,5", [1, 2, 5]),
        ("rules.x=5, 1", [1, 5]),
        ("rules.x=1..4", [1, 2, 3, 4]),
        ("rules.x=-2..9:4,20", [-2, 2, 6, 20]),
        ("rules.x=0,0.25,1", [0, 0.25, 1]),
        ("rules.x=penalty,disqualified", ["penalty", "disqualified"]),
        ("rules.x=true,false,1,0", [True, False, 1, 0]),
        ("rules.x={a = [1,2]},{}", [{"a": [1, 2]}, {}]),
        ('rules.x=[],["left", "right"]', [[], ["left", "right"]]),
        ("rules.x=\"a,b\",'c]'", ["a,b", "c]"]),
        ("policies.\"a=b\".noise=0.1,'x'", [0.1, "x"]),
    ],
)
def test_values_stand_between_commas_and_numbers_rise(text: str, values: list[object]) -> None:
    found = parse_values(text)
    assert [change.value for change in found] == values
    assert [type(change.value) for change in found] == [type(value) for value in values]
    assert len({change.path for change in found}) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules.x", "is not KEY=v1,v2"),
        ("rules.x=", "a value is missing"),
        ("rules.x=1,,2", "a value is missing"),
        ("rules.x=1,2,", "a value is missing"),
        ("rules.x=1,2,1", "the value 1 is given twice"),
        ("rules.x=0,-0.0", "the value -0.0 is given twice"),
        ("rules.x=3..1", "no range"),
        ("rules.x=1..9:0", "no range"),
        ("rules.x=1..99999999999", "no range"),
        ("rules.x=[1", "is not a value"),
    ],
)
def test_what_is_no_list_of_values_is_refused(text: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        parse_values(text)


def test_one_or_two_keys_every_combination_the_last_fastest() -> None:
    found = load_variations("dingo-baseline", ["rules.points.low=2,1", "rules.caught=penalty,disqualified"])
    assert found.keys == ("rules.points.low", "rules.caught")
    assert [each.labels for each in found.variations] == [
        ("1", "penalty"),
        ("1", "disqualified"),
        ("2", "penalty"),
        ("2", "disqualified"),
    ]
    assert [each.scenario.rules["caught"] for each in found.variations][:2] == ["penalty", "disqualified"]
    assert found.own == (1, "disqualified")
    assert not found.numeric
    assert load_variations("dingo-baseline", ["policies.careful.noise=0,0.5"]).numeric
    assert load_variations("dingo-baseline", ["policies.careful.noise=0,0.5"]).own == (None,)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ([], "0 keys to vary"),
        (["rules.a=1", "rules.b=1", "rules.c=1"], "3 keys to vary"),
        (["rules.points.low=1", "rules.points.low=2"], "varied twice"),
        (["rules.points.low=1..21", "rules.points.ace=1..20"], f"420 combinations .* at most {MAX_VARIATIONS}"),
        (["count=1,2"], "count cannot be what changes"),
        (["rules.points.low={a=1}"], "a table is not allowed"),
        (["rules.points.low=1979-05-27"], "1979-05-27 is not allowed"),
        (["policies.bold.noise=0"], "nobody at the table plays 'bold'"),
    ],
)
def test_keys_that_cannot_vary_are_refused(keys: list[str], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        load_variations("dingo-baseline", keys)


def test_a_value_that_cannot_be_played_is_named_also_where_another_rule_forbids_it() -> None:
    with pytest.raises(RulesError, match=r"rules\.points\.low=2000': rules\.points\.low: 2000 is not allowed"):
        load_variations("dingo-baseline", ["rules.points.low=1,2000"])
    with pytest.raises(RulesError, match=r"^rules\.dummy_draw = 9 cannot be played: .*dummies_max"):
        load_variations("rounce-baseline-4", ["rules.dummy_draw=7,9"], ["rules.dummies_max=1"])
