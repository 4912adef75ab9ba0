"""What a run of Rounce lets one say, and what it does not."""

from __future__ import annotations

from typing import Any

import pytest
from luck_results import luck_parts
from rounce_counts import policy, random_counts, rotated, setting_of
from rounce_results import NOTHING, THREE, baseline, calls, chart, est, said, seats, worth

from analyzer.games.rounce.spec import SPEC
from analyzer.games.rounce.tiles import TILE_NAMES
from analyzer.report.findings import findings_of, sentence_of
from analyzer.report.frames import Batch, evaluate_tables

# ------------------------------------------------------------------------------------------- as a whole


def test_what_is_said_of_the_baseline() -> None:
    found = said(baseline())
    assert len(found) >= 8
    assert found["best_seat"].startswith("The best seat is the first dealer: it wins 35.0%")
    assert "1.7 percentage points" in found["best_seat"]
    assert "the second seat to the first dealer's left: it wins 32.0%" in found["worst_seat"]
    assert found["call_fold"].startswith("Fold with no or 1 trump, unless there is a dummy to take: with no trump")
    assert found["call_dummy"].startswith("Take a dummy with no trump while there is one: it gains 1.2")
    assert found["call_pass"].startswith("Pass and play with 2, 3 or 4 trumps: with 4 trumps, that gains 4.2")
    assert "over folding" in found["call_pass"]
    assert found["call_take"].startswith("As dealer take the turn-up rather than pass with no, 1 or 2 trumps: with no")
    assert found["call_leave"].startswith(
        "As dealer pass rather than take the turn-up with 3 trumps: taking it costs 0.2"
    )
    assert found["best_tile"].startswith("The best tile to be dealt is 6-5: a hand dealt 6-5 scores 0.34 points")
    assert "worst tile to be dealt is 0-0" in found["worst_tile"]
    assert "best tile to be dealt is 6-6" in found["best_plain_tile"]
    assert "the trump of rank 6 scores 0.70 points" in found["trump_worth"]
    assert "13.20 (13.18 to 13.22) rounds on average" in found["match_length"]
    assert "wins 65.0%" in found["winner_known"]
    assert "89.0%" in found["winner_known"]
    assert found["rounced"].startswith("One is rounced most often after taking a dummy: in 22.0%")
    assert "after taking the turn-up: in 11.0%" in found["rounced"]
    assert "call last, as dealer: the score changes by −0.9" in found["best_place"]
    assert "call second" in found["worst_place"]
    assert "walkovers" in found
    assert not {"unfinished", "defended"} & set(found)


def test_every_sentence_of_the_baseline_holds_an_interval() -> None:
    for sentence in said(baseline()).values():
        assert " to " in sentence
        assert "(" in sentence


@pytest.mark.parametrize("spec", SPEC.findings, ids=lambda spec: spec.name)
def test_nothing_is_said_when_nothing_is_known(spec: Any) -> None:
    assert sentence_of(spec, {"count": 3}, THREE) is None

    def forget(value: Any) -> Any:
        if isinstance(value, dict):
            return NOTHING if "estimate" in value else {key: forget(inner) for key, inner in value.items()}
        return [forget(inner) for inner in value] if isinstance(value, list) else value

    assert sentence_of(spec, forget(baseline()), THREE) is None


def test_nothing_is_picked_out_of_a_handful_of_matches() -> None:
    few = set(said(baseline() | {"count": 8}))
    assert not few & {"best_seat", "worst_seat", "call_fold", "call_pass", "best_tile", "worst_tile", "rounced"}


def test_random_matches_of_three_give_at_least_eight_findings() -> None:
    tallies = random_counts(THREE, 1200, probe=True)
    batch = Batch(tallies, THREE)
    tables, _ = evaluate_tables(SPEC.tables, {spec.name: batch for spec in SPEC.batches if not spec.twice})
    results = {"count": tallies.units, **{name: table.records() for name, table in tables.items()}}
    found = {finding["name"]: finding["sentence"] for finding in findings_of(SPEC.findings, results, THREE)}
    assert len(found) >= 8
    # Whoever plays by lot still loses by passing without a trump, and wins by passing with three.
    assert "with no" in found["call_dummy"]
    assert "3 trumps" in found["call_pass"]


# ------------------------------------------------------------------------------------------------- seats


def test_nothing_is_said_of_seats_that_the_intervals_do_not_separate() -> None:
    even = baseline() | {"by_seat": seats(0.3335, 0.3333, 0.3332)}
    even["luck"] = [even["luck"][0] | {"seat_spread": {**est(0.001), "low": 0.0}}]
    assert not {"best_seat", "worst_seat", "seat_spread"} & set(said(even))


def test_seats_are_left_alone_when_policies_are_tied_to_them() -> None:
    assert "best_seat" not in said(baseline(), setting_of("a", "b", plays=[(0, 1, 1)]))
    assert "best_seat" in said(baseline(), setting_of("a", "b", plays=rotated((0, 1, 1))))


def test_places_are_compared_all_at_once() -> None:
    near = [{"position": place, "change": est(-0.5, 0.01)} for place in ("1st", "2nd", "dealer")]
    assert not {"best_place", "worst_place"} & set(said(baseline() | {"round_change": near}))


# ------------------------------------------------------------------------------------------------- calls


@pytest.mark.parametrize(
    ("gains", "names"),
    [
        ((0.5, -0.5, None, -1.0), {"call_fold"}),
        ((0.5, 1.0, None, 0.5), {"call_fold", "call_dummy"}),
        ((-0.5, 1.0, None, 1.5), {"call_dummy"}),
        ((-0.5, -1.0, None, -0.5), {"call_pass"}),
        ((0.5, 0.4, None, -0.1), {"call_fold"}),
        ((0.0, 0.0, 0.0, 0.0), set()),
        ((0.01, -0.01, 0.5, 0.0), {"call_take"}),
        ((0.01, -0.01, -0.5, 0.0), {"call_leave"}),
    ],
)
def test_which_call_is_best(gains: tuple[float | None, ...], names: set[str]) -> None:
    found = said(baseline() | {"calling_by_trumps": chart(gains)})
    assert {name for name in found if name.startswith("call_")} == names
    if "call_fold" in names:
        assert ("unless" in found["call_fold"]) == ("call_dummy" in names)


def test_calls_are_compared_all_at_once() -> None:
    # Clear of 0 one by one, but not when sixteen are looked at.
    rows = chart(*[(0.022, 0.0, 0.0, 0.0)] * 4)
    assert "call_fold" not in said(baseline() | {"calling_by_trumps": rows})


def test_where_nobody_may_fold_a_pass_is_compared_with_a_dummy() -> None:
    two = setting_of(players=2)
    results = baseline() | {"calling_by_trumps": chart((None, 1.0, 0.5, None), (None, -2.0, 0.5, None))}
    found = said(results, two)
    assert "call_fold" not in found
    assert found["call_pass"].startswith("Pass and play with 1 trump: that gains 2.0")
    assert "over a dummy" in found["call_pass"]
    assert found["call_dummy"].startswith("Take a dummy with no trump")


def test_how_often_one_is_rounced_needs_calls_that_differ() -> None:
    same = baseline() | {"calls": calls(**dict.fromkeys(("pass", "dummy", "take"), 0.2))}
    assert "rounced" not in said(same)


def test_the_warning_of_unfinished_matches_comes_first() -> None:
    results = baseline()
    results["matches"] = [results["matches"][0] | {"unfinished": est(0.02)}]
    (first, *_) = findings_of(SPEC.findings, results, setting_of(max_rounds=30))
    assert first["name"] == "unfinished"
    assert first["sentence"].startswith("Warning: 2.0% (1.9 to 2.1) of the matches were not over after 30 rounds")


def test_defended_rounds_are_told_where_there_are_any() -> None:
    rounds = {"walkover_dealer": est(0.0, 0.0005), "defended": est(0.07)}
    found = said(baseline() | {"rounds_overall": [rounds]})
    assert "In 7.0%" in found["defended"]
    assert "walkovers" not in found


# ------------------------------------------------------------------------------------------------- tiles


def test_tiles_that_are_not_told_apart_are_named_together_or_not_at_all() -> None:
    twins = baseline() | {"tiles": worth("tile", TILE_NAMES, t65=-0.34, t64=-0.335)}
    assert said(twins)["best_tile"].startswith("The best tiles to be dealt are 6-4 and 6-5: a hand dealt 6-5")
    assert "best_tile" not in said(baseline() | {"tiles": worth("tile", TILE_NAMES)})
    # All are the same but the best of them: nothing is worst.
    assert "worst_tile" not in said(twins)


def test_what_a_trump_is_worth_by_name_of_its_rank() -> None:
    ranks = worth("trump_rank", map(str, range(8)), r7=-0.9, r0=-0.05, **{f"r{rank}": -0.3 for rank in range(1, 7)})
    found = said(baseline() | {"trump_ranks": ranks}, setting_of(doubles="high"))
    assert "dealt the trump double scores 0.90 points" in found["trump_worth"]
    assert "one dealt the trump with a blank 0.05 points" in found["trump_worth"]


# ---------------------------------------------------------------------------------------------- policies


def test_policies_and_what_forgetting_costs() -> None:
    trio = (policy("steady"), policy("absent", memory="none"), policy("bold", weight=2.0))
    setting = setting_of(*trio, plays=rotated((0, 1, 2)))
    gaps = {"steady − absent": 0.05, "steady − bold": 0.10, "absent − bold": 0.05}
    shares = {"steady": 0.38, "absent": 0.33, "bold": 0.28}
    results = baseline() | {
        "pairs": [{"pair": pair, "win_share": est(gap)} for pair, gap in gaps.items()],
        "by_policy": [{"policy": name, "win_share": est(share)} for name, share in shares.items()],
        "luck_and_skill": luck_parts(deal=0.35, seat=0.0, policy=0.11, rest=0.54, interplay=0.34, chance=0.2),
    }
    found = said(results, setting)
    assert "it wins 38.0% (37.9 to 38.1) of its matches" in found["best_policy"]
    assert "on the same tiles" in found["best_policy"]
    assert found["worst_policy"].startswith("Every other way of playing beats bold")
    assert "Forgetting what was played costs 5.0" in found["forgetting"]
    assert found["luck_and_skill"] == (
        "About 35.0% (34.9 to 35.1) of the difference between results is the deal, 11.0% (10.9 to 11.1) is the way of "
        "playing, and 54.0% (53.9 to 54.1) is how ways of playing, tiles, seats and neighbours happen to meet, with "
        "what is left to chance."
    )
    assert "20.0% (19.9 to 20.1)" in found["chance_in_decisions"]
    assert not {"luck_without_skill", "luck_among_equals", "all_dealt"} & set(found)
