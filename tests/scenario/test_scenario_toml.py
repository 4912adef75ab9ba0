"""The resolved scenario as a file, and back."""

import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.scenario import toml
from analyzer.scenario.load import load_scenario
from analyzer.scenario.source import question_of, shipped_names

printable = st.text(st.characters(exclude_categories=["C", "Zl", "Zp", "Zs"]), min_size=1, max_size=40)
plain = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**64),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8")),
)
values = st.one_of(plain, st.lists(plain, max_size=3))
names = st.text(st.characters(codec="utf-8"), max_size=5)
documents = st.recursive(
    st.dictionaries(names, values, min_size=1, max_size=3),
    lambda inner: st.dictionaries(names, inner, min_size=1, max_size=2),
    max_leaves=5,
)


@settings(max_examples=60, deadline=None)
@given(documents)
def test_any_document_reads_back(document):
    assert tomllib.loads(toml.dumps(document)) == document


def test_tables_without_content_are_left_out():
    assert toml.dumps({"a": 1, "b": {"c": {}}}) == "a = 1\n"


@pytest.mark.parametrize("name", shipped_names())
def test_a_shipped_scenario_reads_back_from_its_resolved_form(name, write):
    scenario = load_scenario(name)
    text = scenario.to_toml()
    again = load_scenario(write(content=text))
    assert again == scenario
    assert again.digest() == scenario.digest()
    assert again.to_toml() == text


def test_the_resolved_form_names_every_knob_and_no_base_but_blank(write):
    scenario = load_scenario(write(), ["rules.points.low=3"])
    document = tomllib.loads(scenario.to_toml())
    flat = {f"points.{key}": value for key, value in document["rules"].pop("points").items()} | document["rules"]
    assert {key: tuple(value) if isinstance(value, list) else value for key, value in flat.items()} == scenario.rules
    assert set(document["policies"]) == {"mine", "careful", "greedy"}
    assert {policy["base"] for policy in document["policies"].values()} == {"blank"}
    assert document["count"] == 1000


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(
    name=printable,
    title=printable,
    idea=st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), max_size=50),
    question=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=300),
    noise=st.floats(0, 1),
    memory=st.one_of(st.sampled_from(["none", "perfect", "top_card"]), st.floats(0, 1)),
    weight=st.floats(-1e6, 1e6).map(lambda weight: weight if abs(weight) > 1e-3 else 0.0),
    seating=st.sampled_from(["fixed", "rotate", "all"]),
    seed=st.integers(0, 2**64 - 1),
    seats=st.lists(st.sampled_from(["greedy", "random", "mine"]), min_size=4, max_size=4),
)
def test_any_scenario_reads_back_from_its_resolved_form(
    write, name, title, idea, question, noise, memory, weight, seating, seed, seats
):
    if name == "blank":
        return
    document = {
        "game": "dingo",
        "title": title,
        "seed": seed,
        "policies": {name: {"idea": idea, "noise": noise, "memory": memory, "discard": {"low_wolf": weight}}},
        "table": {"seats": [name if seat == "mine" else seat for seat in seats], "seating": seating},
    }
    scenario = load_scenario(write(content=f"# {question}\n{toml.dumps(document)}"))
    assert load_scenario(write(content=scenario.to_toml())) == scenario


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("", ""),
        ("game = 'x'\n# later", ""),
        ("# One?\ngame = 'x'", "One?"),
        ("\n\n#One,\n#   two\tand three?\n# \n# not this", "One, two and three?"),
        ("# One?\n\n# not this", "One?"),
        ("# ## One?", "## One?"),
        ("# \u202eOne\x9b31m?", "\ufffdOne\ufffd31m?"),
    ],
)
def test_the_question_is_the_first_comment(text, question):
    assert question_of(text) == question
