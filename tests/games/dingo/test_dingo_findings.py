"""What a run of Dingo lets one say, and what it does not."""

from __future__ import annotations

import math
from typing import Any

import pytest
from dingo_counts import rotated, setting_of
from dingo_results import NOTHING, ONE, baseline, cards, est, gains_by, kinds, said, seats
from scipy.stats import t

from analyzer.games.common.claims import flipped, leaders, listed, minus, together
from analyzer.games.dingo.axes import kind_of
from analyzer.games.dingo.cards import CARD_INDEX, CARD_NAMES, HUNTED
from analyzer.games.dingo.spec import SPEC
from analyzer.report.findings import findings_of, sentence_of

# ------------------------------------------------------------------------------------------- as a whole


def test_the_four_questions_come_first_and_much_is_said_of_the_baseline() -> None:
    found = findings_of(SPEC.findings, baseline(), ONE)
    assert len(found) >= 8
    assert [finding["question"] for finding in found[:4]] == [
        "Which seat is best?",
        "Which cards should I keep?",
        "When should I lay a lone wolf?",
        "How often does the ace rabbit live?",
    ]


def test_what_is_said_of_the_baseline() -> None:
    found = said(baseline())
    assert found["best_seat"].startswith("The best seat is East, right of the dealer: it wins 28.2%")
    assert "3.2 percentage points" in found["best_seat"]
    assert found["worst_seat"].startswith("The worst seat is South, the dealer (or North: the run does not tell)")
    assert "Worth having: the ace rabbit and the ace wolves." in found["keep"]
    assert "A burden to be dealt: low wolves and low dingoes. A hand dealt a low wolf wins 2.5" in found["shed"]
    assert "The best card to be dealt is the ace rabbit (AD)" in found["best_card"]
    assert "The worst card to be dealt is 9C" in found["worst_card"]
    assert "less than the average hand" in found["worst_card"]
    assert "whatever your turn" in found["lone_wolf_always"]
    assert "most often when it is laid 1st in the circle" in found["lone_wolf_overtaken"]
    assert found["lone_wolf_points"].endswith("earns its player 0.97 points (0.94 to 1.00) against holding it back.")
    assert "lone_wolf_ranks" in found
    assert "K" not in found["lone_wolf_ranks"].split(":")[0]


def test_every_sentence_of_the_baseline_holds_an_interval() -> None:
    for sentence in said(baseline()).values():
        assert " to " in sentence
        assert "(" in sentence


@pytest.mark.parametrize("spec", SPEC.findings, ids=lambda spec: spec.name)
def test_nothing_is_said_when_nothing_is_known(spec: Any) -> None:
    empty = {"count": 3}
    assert sentence_of(spec, empty, ONE) is None

    def forget(value: Any) -> Any:
        if isinstance(value, dict):
            return NOTHING if "estimate" in value else {key: forget(inner) for key, inner in value.items()}
        return [forget(inner) for inner in value] if isinstance(value, list) else value

    assert sentence_of(spec, forget(baseline()), ONE) is None


def test_nothing_is_picked_out_of_a_handful_of_deals() -> None:
    few = baseline() | {"count": 8}
    names = set(said(few))
    assert not names & {"best_seat", "worst_seat", "keep", "shed", "best_card", "worst_card", "lone_wolf_always"}


# ------------------------------------------------------------------------------------------------- seats


def test_nothing_is_said_of_seats_that_the_intervals_do_not_separate() -> None:
    even = baseline() | {"by_seat": seats(0.2495, 0.2502, 0.2497, 0.2506)}
    even["luck"] = [even["luck"][0] | {"seat_spread": {**est(0.0011), "low": 0.0}}]
    assert not {"best_seat", "worst_seat", "seat_spread"} & set(said(even))


def test_seats_are_compared_all_at_once() -> None:
    # Apart at 95% one by one, but not when four are looked at.
    near = baseline() | {"by_seat": seats(0.249, 0.249, 0.249, 0.2512, half=0.001)}
    assert "best_seat" not in said(near)


def test_two_seats_may_share_the_lead() -> None:
    two = baseline() | {"by_seat": seats(0.23, 0.27, 0.23, 0.2705)}
    assert "The best seat is East, right of the dealer (or West: the run does not tell)" in said(two)["best_seat"]


def test_seats_are_left_alone_when_policies_are_tied_to_them() -> None:
    fixed = setting_of("a", "b", plays=[(0, 1, 1, 1)])
    assert not {"best_seat", "worst_seat", "seat_spread"} & set(said(baseline(), fixed))
    turned = setting_of("a", "b", plays=rotated((0, 1, 1, 1)))
    assert "best_seat" in said(baseline(), turned)


# ------------------------------------------------------------------------------------------------- cards


def test_cards_that_are_not_told_apart_are_named_together() -> None:
    twins = baseline() | {"cards": cards(AS=0.05, AC=0.0502)}
    assert "The best cards to be dealt are AS and AC: with AC" in said(twins)["best_card"]


def test_many_cards_alike_are_named_by_their_kind_or_not_at_all() -> None:
    low_wolves = [card for card in CARD_NAMES if kind_of(CARD_INDEX[card]) == "low wolf"]
    one_kind = baseline() | {"cards": cards(**dict.fromkeys(low_wolves, -0.02))}
    assert "The worst cards to be dealt are among the low wolves" in said(one_kind)["worst_card"]
    mixed = baseline() | {"cards": cards(**dict.fromkeys([*low_wolves, "2H"], -0.02))}
    assert "worst_card" not in said(mixed)


def test_aces_are_no_advice_for_the_discard_unless_they_may_go() -> None:
    bad = baseline() | {"card_kinds": kinds({"ace rabbit": -0.07, "high dingo": -0.02})}
    assert said(bad)["shed"].startswith("A burden to be dealt: high dingoes.")
    free = setting_of(rules={"discard_aces": True})
    assert said(bad, free)["shed"].startswith("A burden to be dealt: the ace rabbit and high dingoes.")


def test_without_a_discard_nobody_is_told_what_to_discard() -> None:
    rows = [row | {"first_discard": NOTHING} for row in baseline()["card_kinds"]]
    assert "shed" not in said(baseline() | {"card_kinds": rows})


# ------------------------------------------------------------------------------------------ lone wolves


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ((0.02, 0.03, 0.04), {"lone_wolf_always"}),
        ((-0.02, -0.03, -0.04), {"lone_wolf_never"}),
        ((-0.02, 0.0, 0.04), {"lone_wolf_lay", "lone_wolf_hold"}),
        ((0.0, 0.03, 0.04), {"lone_wolf_lay"}),
        ((-0.03, 0.0, 0.0), {"lone_wolf_hold"}),
        ((0.0, 0.001, -0.001), set()),
    ],
)
def test_when_to_lay_a_lone_wolf(values: tuple[float, ...], names: set[str]) -> None:
    places = dict(zip(("1st", "2nd", "3rd"), values, strict=True))
    results = baseline() | {"lone_wolf_value_by_place": gains_by("place", places)}
    answers = {"lone_wolf_always", "lone_wolf_never", "lone_wolf_lay", "lone_wolf_hold"}
    assert set(said(results)) & answers == names


def test_advice_on_lone_wolves_names_the_turns() -> None:
    results = baseline() | {"lone_wolf_value_by_place": gains_by("place", {"1st": -0.02, "2nd": -0.03, "3rd": 0.04})}
    found = said(results)
    assert found["lone_wolf_lay"].startswith(
        "Lay a lone first wolf when you act 3rd in the circle: laid 3rd it gains 4.0"
    )
    assert found["lone_wolf_hold"].startswith(
        "Hold a lone first wolf back when you act 1st or 2nd in the circle: laid 2nd"
    )
    assert "costs 3.0" in found["lone_wolf_hold"]


def test_lone_wolves_that_cost() -> None:
    results = baseline() | {
        "lone_wolf_value_by_rank": gains_by("rank", dict.fromkeys(HUNTED, -0.03)),
        "lone_wolf_value": [{"win_share": est(-0.03), "points": est(-0.5)}],
    }
    found = said(results)
    assert "costs with every rank" in found["lone_wolf_ranks_against"]
    assert "loses 3.0" in found["lone_wolf_ranks_against"]
    assert "lone_wolf_ranks" not in found
    assert "costs its player 0.500 points" in found["lone_wolf_points"]


def test_holding_ace_wolves_is_said_to_help_only_when_it_does() -> None:
    assert "ace_rabbit_wolves" in said(baseline())
    same = [{"wolves_held": held, "lives": est(0.99)} for held in "012"]
    assert "ace_rabbit_wolves" not in said(baseline() | {"ace_rabbit_by_wolves": same})


# ----------------------------------------------------------------------------------------------- claims


@pytest.mark.parametrize("family", [1, 4, 7, 12, 40])
@pytest.mark.parametrize(("count", "df"), [(1024, 15), (2048, 31), (1_000_000, 63)])
def test_simultaneous_intervals_are_bonferroni_s(family: int, count: int, df: int) -> None:
    value = est(0.1, half=0.0, n=count) | {"se": 0.01}
    found = together(value, family, {"count": count}, ONE)
    due = t.ppf(1 - 0.05 / (2 * family), df) * 0.01
    assert found["high"] - 0.1 == pytest.approx(due, rel=0.01)
    assert 0.1 - found["low"] == pytest.approx(due, rel=0.01)


def test_simultaneous_intervals_are_never_narrower_than_their_own() -> None:
    exact = est(0.5, half=0.02) | {"se": 0.0}
    found = together(exact, 4, {"count": 1000}, ONE)
    assert (found["low"], found["high"]) == (exact["low"], exact["high"])


def test_simultaneous_intervals_of_shares_stay_shares() -> None:
    found = together(est(0.999, 0.001), 40, {"count": 10_000}, ONE, share=True)
    assert found["high"] == 1.0
    assert math.isinf(together(est(0.5), 4, {"count": 10}, ONE)["high"])


def test_the_limit_of_a_side_batch_counts() -> None:
    wide = together(est(0.1), 4, {"count": 10**6}, ONE, limit=1024)
    narrow = together(est(0.1), 4, {"count": 10**6}, ONE)
    assert wide["high"] > narrow["high"]


def test_small_helpers() -> None:
    values = {"a": est(0.1), "b": est(0.3), "c": est(0.2995)}
    assert leaders(values) == ["b", "c"]
    assert leaders({}) == []
    assert flipped(est(0.2, 0.1))["low"] == pytest.approx(-0.3)
    assert minus(est(0.2, 0.1), 0.25)["high"] == pytest.approx(0.05)
    assert [listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
