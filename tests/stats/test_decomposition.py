"""Luck and skill: parts of known size are found again, from whole numbers, with and without repeats."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from analyzer.stats.decomposition import Luck, _main_effects, decompose
from analyzer.stats.luck_sums import LuckSums, collect

ROTATED = np.array([[[(seat + play) % 4 for seat in range(4)] for play in range(4)]])
SEATS = np.array([30.0, 0.0, -10.0, -20.0])
SKILL = np.array([40.0, 20.0, 0.0, -60.0])

Whole = NDArray[np.int64]


def played(
    rng: np.random.Generator,
    n: int,
    seating: Whole = ROTATED,
    *,
    seats: NDArray[np.float64] = SEATS,
    skill: NDArray[np.float64] = SKILL,
    deal: float = 100.0,
    interplay: float = 30.0,
    chance: float = 50.0,
    shared: float = 0.0,
) -> tuple[Whole, Whole, Whole]:
    """Points (n, plays, seats) of two sets of plays, and the line-up of each unit. Standard deviations of a deal's
    cards by seat, of the interplay of cards with policies, of chance in each play, and of what chances the plays of a
    set share."""
    lineup = np.arange(n) % len(seating)
    size = (n, *seating.shape[1:])
    common = seats + skill[seating[lineup]] + deal * rng.normal(size=(n, 1, size[2]))
    common = common + interplay * rng.normal(size=size)
    sets = []
    for _ in range(2):
        noise = chance * rng.normal(size=size) + shared * rng.normal(size=(n, 1, size[2]))
        sets.append(np.rint(common + noise).astype(np.int64))
    return sets[0], sets[1], lineup


def split(n: int, seed: int, *, repeats: bool = True, seating: Whole = ROTATED, **named: object) -> Luck:
    first, second, lineup = played(np.random.default_rng(seed), n, seating, **named)  # type: ignore[arg-type]
    group = np.arange(n) // 64 % 64
    sums = collect(first, group, 64, repeat=second if repeats else None, lineup=lineup, lineups=len(seating))
    return decompose(sums, seating, 1.0, 0.95)


TRUE = {
    "deal": 100.0**2,
    "seat": float(np.var(SEATS)),
    "policy": float(np.var(SKILL)),
    "rest": 30.0**2 + 50.0**2 + 1 / 12,
    "interplay": 30.0**2,
    "chance": 50.0**2 + 1 / 12,
}


def test_known_parts_are_found_again() -> None:
    luck = split(40_960, 1)
    total = TRUE["deal"] + TRUE["seat"] + TRUE["policy"] + TRUE["rest"]
    assert luck.names == tuple(TRUE)
    for name, variance, share in zip(luck.names, luck.variance.estimate, luck.share.estimate, strict=True):
        assert variance == pytest.approx(TRUE[name], rel=0.05)
        assert share == pytest.approx(TRUE[name] / total, rel=0.05)
    assert luck.total.estimate == pytest.approx(total, rel=0.02)
    assert luck.share.estimate[:4].sum() == pytest.approx(1, abs=1e-12)
    assert luck.share.estimate[4:].sum() == pytest.approx(luck.share.estimate[3])
    assert np.all(luck.share.low < luck.share.estimate)


def test_without_repeats_rest_stays_whole() -> None:
    luck = split(40_960, 2, repeats=False)
    assert luck.names == ("deal", "seat", "policy", "rest")
    for name, variance in zip(luck.names, luck.variance.estimate, strict=True):
        assert variance == pytest.approx(TRUE[name], rel=0.05)


def test_chances_that_plays_of_a_deal_share_are_chance_only_with_repeats() -> None:
    luck = split(40_960, 3, shared=40.0)
    assert luck.variance.estimate[0] == pytest.approx(100.0**2, rel=0.05)
    assert luck.variance.estimate[5] == pytest.approx(50.0**2 + 40.0**2, rel=0.05)
    alone = split(40_960, 3, shared=40.0, repeats=False)
    assert alone.variance.estimate[0] == pytest.approx(100.0**2 + 40.0**2, rel=0.05)


def test_every_arrangement_of_a_table_with_one_policy_twice() -> None:
    seating = np.array([sorted(set(permutations((0, 1, 1, 2))))])
    luck = split(8_192, 4, seating=seating)
    weights = SKILL[[0, 1, 1, 2]]
    assert luck.variance.estimate[2] == pytest.approx(np.var(weights), rel=0.15)
    assert luck.variance.estimate[1] == pytest.approx(TRUE["seat"], rel=0.15)


def test_line_ups_of_a_field_that_take_turns() -> None:
    """Five policies, each line-up leaves out one; line-ups differ in number (unbalanced)."""
    skill = np.array([40.0, 20.0, 0.0, -60.0, 10.0])
    lines = [[k for k in range(5) if k != left] for left in range(5)]
    seating = np.array([[[line[(seat + play) % 4] for seat in range(4)] for play in range(4)] for line in lines])
    luck = split(40_960 + 3, 5, seating=seating, skill=skill)
    assert luck.variance.estimate[2] == pytest.approx(np.var(skill), rel=0.1)
    assert luck.variance.estimate[1] == pytest.approx(TRUE["seat"], rel=0.1)
    assert luck.variance.estimate[0] == pytest.approx(TRUE["deal"], rel=0.05)


def test_a_line_up_that_was_never_played_does_not_count() -> None:
    first, second, _ = played(np.random.default_rng(6), 6_400)
    group = np.arange(6_400) // 64 % 64
    one = decompose(collect(first, group, 64, repeat=second), ROTATED, 1.0, 0.95)
    padded = collect(first, group, 64, repeat=second, lineups=2)
    both = decompose(padded, np.concatenate([ROTATED, ROTATED[:, ::-1]]), 1.0, 0.95)
    assert both.share.estimate == pytest.approx(one.share.estimate)


def test_sums_of_blocks_add_up() -> None:
    first, second, _ = played(np.random.default_rng(7), 6_400)
    group = np.arange(6_400) // 64 % 64
    whole = collect(first, group, 64, repeat=second)
    parts = [collect(first[cut], group[cut], 64, repeat=second[cut]) for cut in (slice(0, 1000), slice(1000, None))]
    for name, value in vars(whole).items():
        assert np.array_equal(value, getattr(parts[0], name) + getattr(parts[1], name))


def test_sums_beyond_int64_are_split_as_well() -> None:
    first, second, _ = played(np.random.default_rng(7), 6_400)
    sums = collect(first, np.arange(6_400) // 64 % 64, 64, repeat=second)
    large = {name: value.astype(object) for name, value in vars(sums).items()}
    for name, value in large.items():
        power = 0 if name == "units" else 1 if name.endswith("total") else 2
        large[name] = value * 10 ** (12 * power)
    one, other = decompose(sums, ROTATED, 1.0, 0.95), decompose(LuckSums(**large), ROTATED, 1e12, 0.95)
    assert other.share.estimate == pytest.approx(one.share.estimate)
    assert other.variance.low == pytest.approx(one.variance.low)


def test_seats_and_policies_have_one_solution_whatever_the_rounding() -> None:
    """What is added to all seats may be taken from all policies: rounding must not choose how much."""
    seating = np.array([list(permutations(line)) for line in combinations(range(7), 4)])
    mean = np.random.default_rng(0).normal(size=seating.shape)
    seat = np.eye(4)[np.broadcast_to(np.arange(4), seating.shape)].reshape(-1, 4)
    policy = np.eye(7)[seating].reshape(-1, 7)
    for units in range(2_240, 2_260):
        weight = np.bincount(np.arange(units) % len(seating)) / units
        each = np.repeat(weight / 96, 96)
        rows, target = np.sqrt(each)[:, None] * np.hstack([seat, policy]), np.sqrt(each) * mean.reshape(-1)
        effects = np.linalg.lstsq(rows, target, rcond=1e-9)[0]
        due = [float(np.cov(part, aweights=each, ddof=0)) for part in (seat @ effects[:4], policy @ effects[4:])]
        found = _main_effects(mean, weight, seating)[:2]
        assert [(part**2).sum() for part in found] == pytest.approx(due, rel=1e-9)


def test_one_policy_in_all_seats_needs_one_play() -> None:
    """Nobody else could sit there: what all plays of a deal have in common is the deal."""
    seating = np.zeros((1, 1, 4), np.int64)
    luck = split(40_960, 13, seating=seating, interplay=0.0)
    assert luck.variance.estimate[0] == pytest.approx(100.0**2, rel=0.05)
    assert luck.variance.estimate[1] == pytest.approx(np.var(SEATS), rel=0.05)
    assert luck.variance.estimate[5] == pytest.approx(50.0**2, rel=0.05)
    assert luck.variance.estimate[2] == luck.variance.estimate[4] == luck.share.se[4] == 0
    twice = split(40_960, 13, seating=np.zeros((1, 2, 4), np.int64), interplay=0.0)
    assert twice.share.estimate == pytest.approx(luck.share.estimate, abs=0.01)


def test_no_chance_is_exactly_0() -> None:
    luck = split(2_048, 14, chance=0.0)
    assert luck.share.item(5) == {"estimate": 0.0, "low": 0.0, "high": 0.0, "se": 0.0, "n": 2_048}


def test_a_scale_changes_variances_and_no_share() -> None:
    first, second, _ = played(np.random.default_rng(8), 6_400)
    sums = collect(first, np.arange(6_400) // 64 % 64, 64, repeat=second)
    one, ten = (decompose(sums, ROTATED, scale, 0.95) for scale in (1.0, 10.0))
    assert ten.variance.estimate * 100 == pytest.approx(one.variance.estimate)
    assert ten.share.low == pytest.approx(one.share.low)


def test_variance_of_equal_means_has_no_bias() -> None:
    """Nobody is better and no seat: unmended, the variance of four seats' means would be 3/4 of their squared
    error."""
    found = []
    for seed in range(60):
        luck = split(2_048, 900 + seed, repeats=False, seats=np.zeros(4), skill=np.zeros(4))
        found.append(luck.variance.estimate[1:3])
    mean, error = np.mean(found, axis=0), np.std(found, axis=0) / math.sqrt(60)
    assert np.all(np.abs(mean) < 3 * error)
    assert 6 * error[0] < 0.75 * (100**2 + 30**2 / 4 + 50**2 / 4) / 2_048


def test_one_play_and_bound_policies_are_refused() -> None:
    group = np.zeros(8, np.int64)
    with pytest.raises(ValueError, match="several plays"):
        decompose(collect(np.ones((8, 1, 4)), group, 64), ROTATED[:, :1], 1.0, 0.95)
    bound = np.array([[[0, 1, 2, 3], [0, 1, 2, 3]]])
    with pytest.raises(ValueError, match="cannot be told apart"):
        decompose(collect(np.ones((8, 2, 4)), group, 64), bound, 1.0, 0.95)


@pytest.mark.parametrize("units", [1, 2, 64, 65, 500])
def test_few_units_claim_nothing(units: int) -> None:
    luck = split(units, 9)
    for part in range(6):
        assert luck.share.item(part) == {"estimate": None, "low": None, "high": None, "se": None, "n": units}


@pytest.mark.parametrize("runs", [pytest.param(60, id="quick"), pytest.param(1_500, id="long", marks=pytest.mark.slow)])
@pytest.mark.parametrize("times", [0.0, 0.1, 0.3, 1.0], ids=["equal", "near", "nearly", "unequal"])
def test_coverage_of_the_shares(times: float, runs: int) -> None:
    """Seats and policies from all equal to far apart; in between their differences are of the size of their errors."""
    named = {"seats": times * SEATS, "skill": times / 4 * SKILL}
    true = TRUE | {
        name: float(np.var(effects)) for name, effects in zip(("seat", "policy"), named.values(), strict=True)
    }
    total = true["deal"] + true["seat"] + true["policy"] + true["rest"]
    truth = np.array(list(true.values())) / total
    covered = np.zeros(6)
    for seed in range(runs):
        luck = split(2_048, 10_000 + seed, **named)
        covered += (luck.share.low <= truth) & (truth <= luck.share.high)
    assert np.all(covered / runs > 0.95 - 0.01 - 3 * math.sqrt(0.05 * 0.95 / runs)), covered / runs
