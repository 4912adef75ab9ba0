"""`KEY=VALUE`: any key, TOML or a bare word, and never dropped in silence."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import ScenarioError
from analyzer.scenario.load import load_scenario
from analyzer.scenario.overrides import parse_override


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("rules.points.low=15", ("rules", "points", "low"), 15),
        ("count=1_000", ("count",), 1000),
        ("rules.wolf_order=random", ("rules", "wolf_order"), "random"),
        ('rules.wolf_order="random"', ("rules", "wolf_order"), "random"),
        ("rules.discard_aces=true", ("rules", "discard_aces"), True),
        ("title=Two words = three", ("title",), "Two words = three"),
        ("title=1\nseed = 2", ("title",), "1\nseed = 2"),
        ('table.seats=["a", "b"]', ("table", "seats"), ["a", "b"]),
        ("policies.careful.noise={lone_wolf = 0.5}", ("policies", "careful", "noise"), {"lone_wolf": 0.5}),
        ('policies."a=b".noise = 0.1', ("policies", "a=b", "noise"), 0.1),
        (" seed = 4 ", ("seed",), 4),
    ],
)
def test_a_key_is_dotted_and_a_value_is_toml_or_a_bare_word(text, path, value):
    override = parse_override(text)
    assert (override.path, override.value) == (path, value)


@pytest.mark.parametrize(
    "text",
    ["", "count", "=3", "a..b=3", "[a]=3", "a b=3", "count=", 'title="open', "table.seats=[a, b]", "a\nb=3"],
)
def test_what_is_no_override_is_refused(text):
    with pytest.raises(ScenarioError, match=r"^override "):
        parse_override(text)


@given(st.text(max_size=40))
def test_any_text_is_an_override_or_one_clear_line(text):
    caught = None
    try:
        override = parse_override(text)
    except ScenarioError as error:
        caught = error
    assert "\n" not in str(caught) if caught else override.path


def test_overrides_reach_every_kind_of_key(write):
    scenario = load_scenario(
        write(),
        [
            "rules.points.low=15",
            "rules.exchange=[]",
            "policies.mine.noise=0.5",
            "policies.careful.lapse=0.125",
            'table.seats=["greedy","careful","careful","mine"]',
            "table.seating=fixed",
            "count=10",
            "title=Changed",
        ],
    )
    assert scenario.rules["points.low"] == 15
    assert scenario.rules["exchange"] == ()
    assert (scenario.count, scenario.title) == (10, "Changed")
    assert [policy.name for policy in scenario.table.policies] == ["greedy", "careful", "mine"]
    assert [policy.lapse for policy in scenario.table.policies] == [0, 0.125, 0.125]
    assert set(scenario.table.policies[2].noise.values()) == {0.5}
    assert scenario.table.arrangements == (((0, 1, 1, 2),),)


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("rules.points.lw=15", ["rules.points.lw", "did you mean 'points.low'?"]),
        ("rules.points.low=1.5", ["rules.points.low: 1.5 is not allowed"]),
        ("sed=3", ["sed: no such key (did you mean 'seed'?)"]),
        ("table.seats.x=3", ["table.seats is ['mine', 'careful', 'greedy', 'careful'], not a table"]),
        ("policies.mine.noise.lone_wolf=1", ["policies.mine.noise is 0.25, not a table"]),
        ("policies.mine.base=carful", ["policies.mine.base: no policy is named 'carful'"]),
    ],
)
def test_what_an_override_breaks_is_blamed_on_it(write, override, told):
    with pytest.raises(ScenarioError) as caught:
        load_scenario(write(), [override])
    assert str(caught.value).startswith(f"override {override!r}: ")
    for part in told:
        assert part in str(caught.value)


def test_what_the_file_breaks_is_blamed_on_the_file(write):
    path = write(("count = 1_000", "count = 0"))
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path, ["seed=4"])
    assert str(caught.value).startswith(f"{path}: count: ")


@pytest.mark.parametrize("name", ["mien", "hoarder"])
def test_an_override_of_a_policy_that_nobody_plays_is_refused(write, name):
    with pytest.raises(ScenarioError, match=f"nobody at the table plays '{name}'"):
        load_scenario(write(), [f"policies.{name}.noise=0.1"])


@pytest.mark.parametrize(
    ("override", "key"),
    [
        ("policies.hoarder={discard={low_wolf=1}}", "policies.hoarder.discard.low_wolf"),
        ("policies.careful.noise=0.5", "policies.careful.noise"),
        ("policies.careful={lapse=0.5, noise={ace=0.5}}", "policies.careful.noise.ace"),
        ("policies.mine.base=blank", None),
        ("policies.mine={}", None),
        ("policies.mine.discard={}", None),
        ("policies.careful.lapse=0", None),
        ("policies.careful.idea=Another", "policies.careful.idea"),
    ],
)
def test_an_override_that_another_key_takes_the_effect_of_is_refused(write, override, key):
    text = """
    game = "dingo"
    policies.mine = {base = "careful", noise = 0.25, idea = "Mine."}
    policies.sound = {noise = 0.5, idea = "Sound."}
    table.seats = ["mine", "mine", "sound", "sound"]
    """
    if key is None:
        load_scenario(write(content=text), [override])
        return
    with pytest.raises(ScenarioError) as caught:
        load_scenario(write(content=text), [override])
    assert str(caught.value).startswith(f"override {override!r}: {key}: ")
    assert "changes nothing" in str(caught.value)


def test_a_table_of_policies_that_nobody_plays_is_refused(write):
    with pytest.raises(ScenarioError, match=r"policies\.hoarder\.noise: nobody at the table plays 'hoarder'"):
        load_scenario(write(content='game = "dingo"'), ["policies={hoarder={noise=0.1}}"])


def test_a_group_of_which_every_decision_says_otherwise_is_refused(write):
    text = 'game = "dingo"\n[policies.mine]\n' + "".join(f"discard_{n}.low_wolf = {n}\n" for n in range(1, 5))
    path = write(content=text + '[table]\nseats = ["mine", "mine", "mine", "mine"]\n')
    with pytest.raises(ScenarioError, match=r"policies\.mine\.discard\.low_wolf: changes nothing"):
        load_scenario(path, ["policies.mine.discard.low_wolf=9"])
    assert load_scenario(path, ["policies.mine.discard.high_wolf=9"])
    assert load_scenario(path, ["policies.mine.discard_2.low_wolf=9"])


def test_an_override_of_a_policy_that_a_seat_builds_on_holds(write):
    path = write(('["mine", "careful", "greedy", "careful"]', '["mine", "greedy", "greedy", "greedy"]'))
    scenario = load_scenario(path, ["policies.careful.lapse=0.5"])
    assert scenario.table.policies[0].lapse == 0.5


@pytest.mark.parametrize(
    ("overrides", "options"),
    [
        (["seed=1", "seed=1"], {}),
        (["rules.points={low=1}", "rules.points.low=2"], {}),
        (["count=5"], {"count": 6}),
        (["seed=5"], {"seed": 6}),
    ],
)
def test_the_same_key_given_twice_is_refused(write, overrides, options):
    with pytest.raises(ScenarioError, match="is given twice"):
        load_scenario(write(), overrides, **options)


def test_seats_from_outside_take_the_place_of_a_field_and_the_other_way_round(write):
    field = 'table.field=["careful","greedy","mine","random","dumper"]'
    scenario = load_scenario(write(), [field])
    assert len(scenario.table.arrangements) == 5
    path = write(content=scenario.to_toml(), name="field.toml")
    seats = 'table.seats=["careful","greedy","mine","random"]'
    assert len(load_scenario(path, [seats]).table.arrangements) == 1
    with pytest.raises(ScenarioError, match="has seats and field"):
        load_scenario(path, [seats, field])


@pytest.mark.parametrize(
    ("file", "overrides", "options", "ending"),
    [
        ("count = 5", [], {"precision": 0.01}, {"precision": 0.01, "max_count": 10**8}),
        ("count = 5", [], {"precision": 0.01, "count": 7_000}, {"precision": 0.01, "max_count": 7_000}),
        ("count = 5", ["precision=0.02"], {"count": 7_000}, {"precision": 0.02, "max_count": 7_000}),
        ("precision = 0.1\nmax_count = 9", [], {}, {"precision": 0.1, "max_count": 9}),
        ("precision = 0.1\nmax_count = 9", [], {"precision": 0.2}, {"precision": 0.2, "max_count": 9}),
        ("precision = 0.1\nmax_count = 9", ["max_count=8"], {}, {"precision": 0.1, "max_count": 8}),
        ("precision = 0.1\nmax_count = 9", ["count=8"], {}, {"count": 8}),
        ("precision = 0.1\nmax_count = 9", [], {"count": 8}, {"count": 8}),
    ],
)
def test_count_and_precision_from_outside_take_each_others_place(write, file, overrides, options, ending):
    path = write(content=f'game = "dingo"\n{file}\n')
    assert load_scenario(path, overrides, **options).ending() == ending


@pytest.mark.parametrize(
    ("file", "overrides", "told"),
    [
        ("precision = 0.1\ncount = 9", [], "count: does not go with precision"),
        ("max_count = 9", [], "max_count: goes with precision alone"),
        ("", ["precision=0.1", "count=9"], "override 'count=9': count: does not go with precision"),
        ("precision = 0", [], "precision: 0 is not allowed; allowed: a number from 0.000001 to 0.25"),
        ("precision = 0.3", [], "precision: 0.3 is not allowed"),
        ("precision = 0.1\nmax_count = 0", [], "max_count: 0 is not allowed; allowed: a whole number"),
    ],
)
def test_a_mixture_of_count_and_precision_is_refused(write, file, overrides, told):
    with pytest.raises(ScenarioError, match=re.escape(told)):
        load_scenario(write(content=f'game = "dingo"\n{file}\n'), overrides)


def test_a_scenario_by_precision_reads_back_and_has_a_digest_of_its_own(write):
    path = write(content='game = "dingo"\nprecision = 0.001\n')
    scenario = load_scenario(path)
    others = load_scenario(path, precision=0.002), load_scenario(path, count=10**8)
    assert len({each.digest() for each in (scenario, *others)}) == 3
    assert load_scenario(write(content=scenario.to_toml())) == scenario
