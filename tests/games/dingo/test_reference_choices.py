"""What the policy oracle chooses: worths, ties, memory, and whole deals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from dingo_deals import RandomTable, Script, deal_with, events_of, rules_with
from dingo_views import KINDS, exchange, policy, turn, view
from engines import check_policy_choices, policies, policy_of, rule_sets
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.games.dingo.policies import DECISIONS, DIRECTIONS, FEATURES
from analyzer.games.dingo.reference import play
from analyzer.games.dingo.reference_policy import kind_of, policy_choice
from analyzer.games.dingo.reference_view import SEATS, Decision
from analyzer.games.dingo.verify import expected

# Choices


def test_the_lowest_worth_goes_and_ties_to_the_lower_card_after_the_swap() -> None:
    mine = view("KH 7C 7S 3C AD")
    assert policy_choice(exchange(mine), policy(), swapped=False) == "3C"
    mine = view("AD KC 7C 7S KS")
    assert policy_choice(exchange(mine), policy(), swapped=False) == "7S"
    assert policy_choice(exchange(mine), policy(), swapped=True) == "7C"
    liked = policy(discard_1={"low_wolf": 0.5, "high_wolf": 0.25}, pass_left={"high_wolf": -1})
    assert policy_choice(exchange(mine), liked, swapped=False) == "AD"
    assert policy_choice(exchange(mine, "pass", way="left"), liked, swapped=True) == "KC"


def test_aces_are_ordered_dingo_wolves_rabbit() -> None:
    asked = exchange(view("AD AC AS AH"), "pass", way="across")
    assert policy_choice(asked, policy(), swapped=True) == "AH"
    asked = exchange(view("AD AC AS"), "pass", way="across")
    assert [policy_choice(asked, policy(), swapped=swapped) for swapped in (False, True)] == ["AS", "AC"]


def test_the_number_of_the_discard_and_the_way_of_the_pass_choose_the_weights() -> None:
    mine = view("7H 9S")
    kinds = [kind_of(exchange(mine, number=number)) for number in range(1, 7)]
    assert kinds == ["discard_1", "discard_2", "discard_3", "discard_4", "discard_4", "discard_4"]
    assert [kind_of(exchange(mine, "pass", way=way)) for way in DIRECTIONS] == [
        "pass_left",
        "pass_across",
        "pass_right",
    ]


def test_a_lone_wolf_is_laid_when_its_worth_is_above_0() -> None:
    asked = turn(view("7S", seat="N"), "S", "WNE")
    assert policy_choice(asked, policy(), swapped=False) == ()
    assert policy_choice(asked, policy(lone_wolf={"lay": 1 / 1024}), swapped=False) == ("7S",)
    # 2 points won and 1 player to act: 2 - 2 * 1 is not above 0.
    assert policy_choice(asked, policy(lone_wolf={"own_points": 1.0, "to_act": -2.0}), swapped=False) == ()


@pytest.mark.parametrize(
    ("one", "two", "plain", "swapped"),
    [
        (0, 0, (), ()),
        (-1, -2, (), ()),
        (1, 1, ("7S",), ("7C",)),
        (1, 2, ("7S", "7C"), ("7C", "7S")),
        (0, -1, (), ()),
    ],
)
def test_of_both_wolves_the_best_number_ties_to_less_and_the_lower_first(
    one: int, two: int, plain: Any, swapped: Any
) -> None:
    asked = turn(view("7C 7S", seat="N"), "S", "WNE")
    liking = policy(both_wolves={"one": one, "two": two})
    assert policy_choice(asked, liking, swapped=False) == plain
    assert policy_choice(asked, liking, swapped=True) == swapped


@pytest.mark.parametrize(
    ("hand", "laid", "weights", "plain", "swapped"),
    [
        ("AS AC AD", "", {}, (), ()),
        ("AS AC AD", "", {"wolf": 1}, ("AS", "AC"), ("AC", "AS")),
        ("AS AC AD", "", {"rabbit": 1}, ("AS", "AC", "AD"), ("AC", "AS", "AD")),
        ("AS AC AD", "", {"wolf": 1, "wolf_out": -1}, ("AS",), ("AC",)),
        ("AD", "WAS WAC", {"rabbit": 1}, ("AD",), ("AD",)),
        ("AD", "WAS WAC", {"rabbit": -1}, (), ()),
        ("AC", "WAS", {"completes": -1, "wolf": 1}, (), ()),
        ("AC AD", "WAS", {"completes": -1, "wolf": 1, "rabbit": 1}, ("AC", "AD"), ("AC", "AD")),
    ],
)
def test_of_ace_cards_the_best_option_and_ties_to_less(
    hand: str, laid: str, weights: Any, plain: Any, swapped: Any
) -> None:
    asked = turn(view(hand, seat="N"), "S", "WNES", laid, "A")
    assert policy_choice(asked, policy(ace=weights), swapped=False) == plain
    assert policy_choice(asked, policy(ace=weights), swapped=True) == swapped


@pytest.mark.parametrize(("memory", "laid"), [("perfect", ("7S",)), ("top_card", ()), ("none", ())])
def test_memory_decides_what_is_known_of_discards(memory: str, laid: Any) -> None:
    asked = turn(view("7S", discards="W7C E9H", seat="N"), "S", "WNE")
    careful = policy(memory, lone_wolf={"partner_discarded": 1})
    assert policy_choice(asked, careful, swapped=False) == laid


def test_a_memory_by_chance_is_not_predicted() -> None:
    with pytest.raises(ValueError, match="cannot be predicted"):
        policy_choice(exchange(view("7S")), policy(0.5), swapped=False)


# Whole deals


@settings(max_examples=60, deadline=None)
@given(rules=rule_sets("dingo"), table_of=policies("dingo"), seed=st.integers(0, 10**6), swapped=st.booleans())
def test_deals_played_by_the_oracle_pass_its_own_check(rules: Any, table_of: Any, seed: int, swapped: bool) -> None:
    table = RandomTable(seed, 0.1)
    seats = dict(zip(SEATS, table_of, strict=True))
    predicted = 0

    def decide(decision: Decision) -> Any:
        nonlocal predicted
        choice = expected(decision, seats[decision.seat], swapped)
        if len(decision.legal) > 1 and choice is not None:
            predicted += 1
            return choice
        return table.decide(decision)

    about = {"policies": {seat: one.name for seat, one in seats.items()}}
    events = list(play(table.hands(), rules, decide, table, about))
    assert check_policy_choices("dingo", events, {one.name: one for one in table_of}, swapped).total() == predicted


def test_a_choice_that_is_not_the_policys_is_found() -> None:
    hands = deal_with(S="7H", W="7S 2H 3H 4H")
    events = events_of(hands, rules_with(exchange=("discard",)), Script({"W": "3H"}))
    events[0]["policies"] = dict.fromkeys(SEATS, "p")
    with pytest.raises(AssertionError, match="discard_1 of S"):
        check_policy_choices("dingo", events, {"p": policy()})
    others = dict.fromkeys(SEATS, "noisy") | {"W": "p"}
    events[0]["policies"] = others
    noisy = replace(policy(), noise=dict.fromkeys(KINDS, 0.5))
    with pytest.raises(AssertionError, match=r"discard_1 of W \(p\): the kernel chose 3H, the oracle 2H"):
        check_policy_choices("dingo", events, {"p": policy(), "noisy": noisy})


def test_random_policies_cover_noise_lapse_and_memory() -> None:
    many = [policy_of("dingo", "p", seed) for seed in range(300)]
    assert {one.memory for one in many} == {"perfect", "none", "top_card", 0.0, 0.5, 1.0}
    assert {one.lapse for one in many} == {0.0, 0.1, 1.0}
    assert {chance for one in many for chance in one.noise.values()} == {0.0, 0.3, 0.5, 1.0}
    assert sum(isinstance(one.memory, str) and not any(one.noise.values()) for one in many) > 80
    for decision in DECISIONS:
        used = {name for one in many for name in one.weights[decision.name]}
        assert used == {feature.name for feature in FEATURES if decision.group in feature.groups}
