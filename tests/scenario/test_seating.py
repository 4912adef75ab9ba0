"""Arrangements: who sits where in every unit."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from analyzer.errors import ScenarioError
from analyzer.scenario.load import load_scenario

FIVE = ["careful", "greedy", "random", "dumper", "hoarder"]


def table(write, lists, seating):
    return load_scenario(write(content=f'game = "dingo"\n[table]\n{lists}\nseating = "{seating}"\n')).table


def test_fixed_is_as_listed(write):
    four = table(write, 'seats = ["careful", "greedy", "careful", "random"]', "fixed")
    assert [policy.name for policy in four.policies] == ["careful", "greedy", "random"]
    assert four.arrangements == (((0, 1, 0, 2),),)
    assert four.plays == 1


def test_rotate_moves_every_policy_one_seat_on(write):
    four = table(write, 'seats = ["careful", "greedy", "random", "dumper"]', "rotate")
    assert four.arrangements == (((0, 1, 2, 3), (3, 0, 1, 2), (2, 3, 0, 1), (1, 2, 3, 0)),)
    listed = four.arrangements[0][0]
    for play, seated in enumerate(four.arrangements[0]):
        assert all(seated[seat] == listed[(seat - play) % 4] for seat in range(4))


def test_rotate_keeps_all_shifts_of_a_table_that_repeats_itself(write):
    two = table(write, 'seats = ["careful", "greedy", "careful", "greedy"]', "rotate")
    assert two.arrangements == (((0, 1, 0, 1), (1, 0, 1, 0), (0, 1, 0, 1), (1, 0, 1, 0)),)


@pytest.mark.parametrize(
    ("seats", "number"),
    [
        (["careful", "greedy", "random", "dumper"], 24),
        (["careful", "greedy", "careful", "random"], 12),
        (["careful", "greedy", "careful", "greedy"], 6),
        (["greedy", "careful", "careful", "careful"], 4),
        (["careful"] * 4, 1),
    ],
)
def test_all_is_every_distinct_arrangement_in_lexicographic_order(write, seats, number):
    arrangements = table(write, f"seats = {seats}", "all").arrangements[0]
    order = list(dict.fromkeys(seats))
    indices = [order.index(name) for name in seats]
    assert list(arrangements) == sorted(set(permutations(indices)))
    assert len(arrangements) == number


@pytest.mark.parametrize("seating", ["rotate", "all"])
def test_every_policy_holds_every_seat_equally_often(write, seating):
    plays = table(write, f"seats = {FIVE[:4]}", seating).arrangements[0]
    for seat in range(4):
        assert len(set(Counter(play[seat] for play in plays).values())) == 1


def test_a_field_seats_every_combination_in_lexicographic_order(write):
    field = table(write, f"field = {FIVE}", "fixed")
    assert [policy.name for policy in field.policies] == FIVE
    assert [play for (play,) in field.arrangements] == list(combinations(range(5), 4))
    rotated = table(write, f"field = {FIVE}", "rotate")
    assert {len(plays) for plays in rotated.arrangements} == {4}
    assert [plays[0] for plays in rotated.arrangements] == list(combinations(range(5), 4))


def test_a_field_of_as_many_as_seats_is_one_combination(write):
    assert len(table(write, f"field = {FIVE[:4]}", "all").arrangements) == 1


def many(number):
    policies = "\n".join(f'[policies.p{index}]\nbase = "random"' for index in range(number))
    return f'game = "dingo"\n{policies}\n[table]\nfield = {[f"p{index}" for index in range(number)]}\n'


def test_the_largest_field_is_taken_and_a_larger_refused_with_the_arithmetic(write):
    assert len(load_scenario(write(content=many(23))).table.arrangements) == 8855
    for number, combinations_ in ((24, "10,626"), (41, "101,270")):
        with pytest.raises(ScenarioError) as caught:
            load_scenario(write(content=many(number)))
        told = f"{number} policies on 4 seats make {combinations_} combinations; allowed: at most 40 policies"
        assert told in str(caught.value)


@pytest.mark.parametrize(
    ("lists", "told"),
    [
        (f"field = {FIVE[:3]}", "table.field: 3 policies; Dingo has 4 seats"),
        (f"field = {[*FIVE, 'greedy']}", r"table.field\[5\]: 'greedy' is listed twice"),
        (f"field = {[*FIVE, 'gredy']}", r"table.field\[5\]: no policy is named 'gredy'"),
        ("seats = []", "table.seats: 0 policies; Dingo has 4 seats"),
        ("seats = ['careful']", "table.seats: 1 policy; Dingo has 4 seats"),
        (f"seats = {FIVE}", "table.seats: 5 policies; Dingo has 4 seats"),
    ],
)
def test_who_cannot_sit_down_is_refused(write, lists, told):
    with pytest.raises(ScenarioError, match=told):
        table(write, lists, "fixed")
