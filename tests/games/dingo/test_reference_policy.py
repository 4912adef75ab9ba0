"""Features by name as the policy oracle computes them: by hand, and against the declared functions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from dingo_deals import RandomTable
from dingo_views import shown, turn, view
from engines import rule_sets
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.games.dingo import policies as declared
from analyzer.games.dingo.cards import CARD_INDEX, rank_of
from analyzer.games.dingo.reference import play
from analyzer.games.dingo.reference_policy import (
    exchange_features,
    held_wolves,
    hunt_features,
    hunt_options,
    kind_of,
    known_discards,
    receiver,
    state_of,
)
from analyzer.games.dingo.reference_view import RANKS, Decision

STATES = {
    "unknown": declared.UNKNOWN,
    "held": declared.HELD,
    "discarded": declared.DISCARDED,
    "passed": declared.PASSED,
}


# What a player knows


def test_states_of_a_card() -> None:
    mine = view("2S 3S", discards="W4S S5S E6S", passed="W3S N7S E7S W6S")
    for memory, known in (("perfect", {"4S", "5S", "6S"}), ("none", {"5S"}), ("top_card", {"5S", "6S"})):
        assert known_discards(mine, memory) == known
    known = known_discards(mine, "perfect")
    # In hand again after a pass; passed and then seen discarded; passed twice, last to East.
    states = [state_of(rank + "S", mine, known) for rank in "2345678"]
    assert states == ["held", "held", "discarded", "discarded", "discarded", "passed", "unknown"]
    assert receiver("7S", mine) == "E"
    # Who has forgotten the discard still remembers the pass.
    assert state_of("6S", mine, known_discards(mine, "none")) == "passed"


def test_top_card_of_one_s_own_hides_the_others() -> None:
    assert known_discards(view("2S", discards="W4S S5S"), "top_card") == {"5S"}
    assert known_discards(view("2S"), "top_card") == set()


# Features by hand


@pytest.mark.parametrize(
    ("card", "hand", "discards", "passed", "expected"),
    [
        ("7H", "7H", "", "", {"low_dingo": 1, "rank_dingo": 5}),
        (
            "KH",
            "KH KS",
            "WKC",
            "",
            {"high_dingo": 1, "rank_dingo": 11, "wolves_held": 1, "wolves_discarded": 1, "doomed": 1},
        ),
        ("KH", "KH KS", "", "WKC", {"high_dingo": 1, "rank_dingo": 11, "wolves_held": 1, "wolves_passed": 1}),
        ("7S", "7S 7C", "", "N7H", {"low_wolf": 1, "rank_wolf": 5, "partner_held": 1, "dingo_passed": 1}),
        ("7C", "7C 7H", "E7S", "", {"low_wolf": 1, "rank_wolf": 5, "partner_discarded": 1, "dingo_held": 1}),
        (
            "TC",
            "TC",
            "ETH",
            "WTS",
            {"high_wolf": 1, "rank_wolf": 8, "partner_passed": 1, "dingo_discarded": 1},
        ),
        (
            "AH",
            "AH AS AC AD",
            "",
            "",
            {"ace_dingo": 1, "rank_dingo": 12, "wolves_held": 2, "doomed": 1, "rabbit_held": 1},
        ),
        ("AS", "AS", "EAD", "", {"ace_wolf": 1, "rank_wolf": 12, "rabbit_discarded": 1}),
        ("AC", "AC", "", "EAD", {"ace_wolf": 1, "rank_wolf": 12, "rabbit_passed": 1}),
        (
            "AD",
            "AD AS",
            "EAC",
            "WAH",
            {"ace_rabbit": 1, "dingo_passed": 1, "wolves_held": 1, "wolves_discarded": 1},
        ),
    ],
)
def test_exchange_features(card: str, hand: str, discards: str, passed: str, expected: dict[str, int]) -> None:
    mine = view(hand, discards, passed)
    found = exchange_features(mine, card, known_discards(mine, "perfect"))
    assert shown(found) == expected
    points = {"7": 1, "K": 2, "T": 2, "A": 10 if card == "AD" else 3}[card[0]]
    assert found["points"] == points
    assert all(found[f"{name}_points"] == found[name] * points for name in found if f"{name}_points" in found)


@pytest.mark.parametrize(
    ("discards", "passed", "laid", "number", "expected"),
    [
        ("", "", "", 0, {"first": 1, "partner_unknown": 1, "unknown_to_act": 1}),
        ("W7C", "", "", 0, {"first": 1, "partner_discarded": 1}),
        ("", "E7C", "", 0, {"first": 1, "partner_passed_later": 1, "passed_to_act": 1}),
        ("", "W7C", "", 0, {"first": 1, "partner_passed_earlier": 1, "passed_to_act": 1}),
        ("", "S7C", "", 0, {"first": 1, "partner_with_dingo_player": 1, "passed_to_act": 1}),
        ("", "E7C", "W7C", 0, {"second": 1}),
        ("", "", "N7C", 1, {"own_first": 1, "circle": 1}),
    ],
)
def test_lone_wolf_features(discards: str, passed: str, laid: str, number: int, expected: dict[str, int]) -> None:
    mine = view("7S", discards, passed, seat="N")
    found = hunt_features(turn(mine, "S", "WNE", laid, number=number), ["7S"], known_discards(mine, "perfect"))
    assert shown(found) == {"lay": 1, "to_act": 1, "place": 1, **expected}


@pytest.mark.parametrize(
    ("first_to", "laid", "dingo", "own", "to_dingo", "to_first"),
    [
        # Alone: rabbit and wolf are won, the dingo comes from the penalty pile to the score pile.
        ("dingo_player", "", "S", 4, 4, 0),
        ("dingo_player", "", "N", 8, 0, 0),
        # Second: the first wolf's player loses the rabbit, and the wolf unless it stays with its owner.
        ("dingo_player", "W7C", "S", 4, 2, -4),
        ("dingo_player", "W7C", "N", 6, 0, -4),
        ("owner", "W7C", "S", 4, 0, -2),
        ("discard", "W7C", "S", 4, 0, -4),
        # One's own first: only what the rules leave of it is won.
        ("dingo_player", "N7C", "S", 0, 2, 0),
        ("dingo_player", "N7C", "N", 2, 0, 0),
        ("owner", "N7C", "S", 2, 0, 0),
        ("discard", "N7C", "S", 0, 0, 0),
    ],
)
def test_points_of_a_lone_wolf(first_to: str, laid: str, dingo: str, own: int, to_dingo: int, to_first: int) -> None:
    mine = view("7S", seat="N", first_wolf_to=first_to, **{"points.low": 2})
    circle = "WEN" if dingo == "N" else "WNE"
    found = hunt_features(turn(mine, dingo, circle, laid), ["7S"], set())
    assert [found[name] for name in ("own_points", "dingo_points", "first_player_points")] == [
        own,
        to_dingo,
        to_first,
    ]


@pytest.mark.parametrize(
    ("first_to", "dingo", "option", "own", "to_dingo"),
    [
        ("dingo_player", "S", ["7S"], 2, 2), ("dingo_player", "S", ["7S", "7C"], 2, 3),
        ("dingo_player", "N", ["7S"], 4, 0), ("dingo_player", "N", ["7S", "7C"], 5, 0),
        ("owner", "S", ["7S", "7C"], 3, 2), ("discard", "S", ["7S", "7C"], 2, 2),
    ],
)  # fmt: skip
def test_both_wolves_features(first_to: str, dingo: str, option: list[str], own: int, to_dingo: int) -> None:
    mine = view("7S 7C", seat="N", first_wolf_to=first_to)
    found = hunt_features(turn(mine, dingo, "WEN" if dingo == "N" else "WNE"), option, set())
    name = ("one", "two")[len(option) - 1]
    acts = {} if dingo == "N" else {f"{name}_to_act": 1}
    assert shown(found) == {name: 1, f"{name}_place": 2 if dingo == "N" else 1, **acts}
    assert (found["own_points"], found["dingo_points"]) == (own, to_dingo)


FIRST = {"wolf": 1, "to_act": 2}
SECOND = {"wolf": 1, "to_act": 2, "wolf_out": 1, "completes": 1, "completes_to_act": 2}
TWICE = SECOND | {"wolf": 2, "to_act": 4, "holding_rabbit": 2, "rabbit": 1}


@pytest.mark.parametrize(
    ("hand", "discards", "passed", "laid", "option", "expected"),
    [
        ("AS", "", "", "", "AS", FIRST),
        ("AS", "WAC", "", "", "AS", FIRST | {"partner_discarded": 1}),
        ("AS", "", "EAC", "", "AS", FIRST | {"partner_passed": 1}),
        ("AS", "", "WAC", "WAC", "AS", SECOND | {"completes_unknown": 2, "unknown_swing": 26}),
        ("AS", "", "EAD", "WAC", "AS", SECOND | {"completes_passed_later": 1, "later_swing": 13}),
        ("AS", "", "WAD", "WAC", "AS", SECOND | {"completes_passed_earlier": 1}),
        ("AS", "WAD", "", "WAC", "AS", SECOND | {"rabbit_discarded": 1}),
        ("AS AC AD", "", "", "", "AS AC AD", TWICE),
    ],
)  # fmt: skip
def test_ace_features(hand: str, discards: str, passed: str, laid: str, option: str, expected: dict[str, int]) -> None:
    mine = view(hand, discards, passed, seat="N")
    found = hunt_features(turn(mine, "S", "WNES", laid, "A"), option.split(), known_discards(mine, "perfect"))
    assert shown(found) == expected
    wolves = len([card for card in option.split() if card != "AD"])
    assert found["own_points"] == 3 * wolves + (13 if "AD" in option else 0)
    assert found["dingo_points"] == (0 if laid else 6)


def test_the_ace_dingos_player_saves_the_own_dingo() -> None:
    found = hunt_features(turn(view("AS"), "S", "WNES", rank="A"), ["AS"], set())
    assert (found["own_points"], found["dingo_points"], found["holding_dingo"]) == (9, 0, 1)


# Features as declared


def names_of(group: str) -> set[str]:
    return {feature.name for feature in declared.FEATURES if group in feature.groups}


def test_a_feature_name_means_one_thing_in_a_decision() -> None:
    for group in dict.fromkeys(decision.group for decision in declared.DECISIONS):
        names = Counter(feature.name for feature in declared.FEATURES if group in feature.groups)
        assert [name for name, times in names.items() if times > 1] == []


def test_points_gained_stay_in_their_declared_ranges() -> None:
    dear = {
        "points.low": 1000,
        "points.ace": 1000,
        "points.ace_rabbit_alive": 1000,
        "points.ace_rabbit_dead": 1000,
    }
    cases = {
        "lone_wolf": (turn(view("7S", seat="N", **dear), "N", "WEN"), ["7S"]),
        "both_wolves": (turn(view("7S 7C", seat="N", **dear), "N", "WEN"), ["7S", "7C"]),
        "ace": (turn(view("AS AC AD", seat="N", **dear), "N", "WESN", rank="A"), ["AS", "AC", "AD"]),
    }
    for group, (decision, option) in cases.items():
        found = hunt_features(decision, option, set())
        (own,) = (one for one in declared.FEATURES if one.name == "own_points" and group in one.groups)
        assert own.low <= found["own_points"] <= own.high


@settings(max_examples=80, deadline=None)
@given(rules=rule_sets("dingo"), seed=st.integers(0, 10**6), memory=st.sampled_from(("perfect", "none", "top_card")))
def test_features_are_those_declared_and_agree_with_the_tables_features(rules: Any, seed: int, memory: str) -> None:
    table = RandomTable(seed)

    def decide(decision: Decision) -> Any:
        known = known_discards(decision.view, memory)
        if decision.kind in ("discard", "pass"):
            for card in decision.view.hand:
                check_exchange(decision, card, known, rules)
        else:
            for option in hunt_options(decision, False):
                check_hunt(decision, option, known, rules)
        return table.decide(decision)

    for _ in play(table.hands(), rules, decide, table):
        pass


def check_exchange(decision: Decision, card: str, known: set[str], rules: Any) -> None:
    found = exchange_features(decision.view, card, known)
    suits = "HSCD" if card[0] == "A" else "HSC"
    states = [STATES[state_of(card[0] + suit, decision.view, known)] for suit in suits]
    four = (*states, declared.UNKNOWN)[:4]
    expected = declared.card_features(rank_of(CARD_INDEX[card]), "HSCD".index(card[1]), four, rules)
    assert set(found) == names_of(decision.kind)
    assert found == {name: expected.get(name, 0) for name in found}


def check_hunt(decision: Decision, option: tuple[str, ...], known: set[str], rules: Any) -> None:
    found = hunt_features(decision, option, known)
    kind = kind_of(decision)
    mine = decision.dingo == decision.seat
    turn = declared.Turn(RANKS.index(decision.rank), decision.circle, len(decision.before), len(decision.after), mine)
    wolves = sum(card != "AD" for card in option)
    if kind == "lone_wolf":
        where = next(name for name in declared.WHEREABOUTS if found[name])
        expected = declared.lone_features(turn, where, rules)
    elif kind == "both_wolves":
        expected = declared.both_features(turn, len(option), rules) | {"first_player_points": 0}
    else:
        rabbit = {
            "held": declared.RABBIT_HELD,
            "discarded": declared.RABBIT_DISCARDED,
            "unknown": declared.RABBIT_UNKNOWN,
            "passed": declared.RABBIT_EARLIER,
        }[state_of("AD", decision.view, known)]
        if rabbit == declared.RABBIT_EARLIER and receiver("AD", decision.view) in decision.after:
            rabbit = declared.RABBIT_LATER
        out = [card for _, card in decision.laid if card != "AD"]
        apart = [card for card in ("AS", "AC") if card not in out and card not in decision.view.hand]
        partner = declared.PARTNER_UNKNOWN
        if len(apart) == 1:
            state = state_of(apart[0], decision.view, known)
            partner = {"discarded": declared.PARTNER_DISCARDED, "passed": declared.PARTNER_PASSED}.get(
                state, declared.PARTNER_UNKNOWN
            )
        ace = declared.AceTurn(len(decision.after), mine, len(held_wolves(decision)), rabbit, len(out), partner)
        expected = declared.ace_features(ace, wolves, "AD" in option, rules)
    assert set(found) >= names_of(kind)
    assert found == {name: expected.get(name, 0) for name in found}
