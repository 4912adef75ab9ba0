"""What the kernel counts: the same in however many pieces, in whole sums, and counted anew from transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import gcd
from typing import Any

import numpy as np
import pytest
from rounce_batches import new_batches, player, random_player
from rounce_counts import Counts, setting_of
from rounce_deals import rules_with

from analyzer.games.common.counters import UNIT_COUNTERS
from analyzer.games.common.grid import running_marks
from analyzer.games.rounce import kernel, transcript
from analyzer.games.rounce.axes import COUNTERS
from analyzer.games.rounce.setup import build_setup
from analyzer.games.rounce.spec import SPEC, axes
from analyzer.games.spec import GROUPS, LANES, Policy, Rules, Setting, Table
from analyzer.kernels import jit
from analyzer.sim.engine import Job, simulate
from analyzer.sim.result import Tallies

pytestmark = pytest.mark.modes

Event = dict[str, Any]
SEED = 17
FULL = jit.COMPILED
UNITS = 150 if FULL else 6
BY_UNIT = {spec.name for spec in (*UNIT_COUNTERS, *COUNTERS) if "policy" in spec.axes or "pair" in spec.axes} | {
    "units", "from_dealer_win_sq", "from_dealer_points_sq",
}  # fmt: skip
CHART = ("chart_n", "chart_change", "chart_rounced")


@pytest.fixture(autouse=True)
def _wrapping() -> Iterator[None]:
    with np.errstate(over="ignore"):
        yield


def game(seats: list[Policy], combinations_: list[list[tuple[int, ...]]], **rules: Any) -> tuple[Rules, Table, Setting]:
    """Rules, table and setting of these policies; combinations of seatings as in `Table`. Matches are cut where
    nothing is compiled.
    """
    rules = rules if FULL else {"max_rounds": 5, **rules}
    table = Table(tuple(seats), tuple(tuple(plays) for plays in combinations_), "rotate")
    knobs = rules_with(len(combinations_[0][0]), **rules)
    return knobs, table, Setting(knobs, table, SPEC.seats(knobs["players"]), axes(knobs, table))


A, B, C = player("a"), player("b", noise=0.3, memory="top_card"), random_player("c")
GAMES: dict[str, tuple[Rules, Table, Setting]] = {
    "two": game([A, B], [[(0, 1), (1, 0)]], finish_tie="shared"),
    "three": game([A, B, C], [[(0, 1, 2), (2, 0, 1), (1, 2, 0)], [(0, 0, 2), (2, 0, 0), (0, 2, 0)]]),
    "four": game([C, A], [[(0, 1, 1, 1), (1, 0, 1, 1)], [(0, 0, 0, 0), (1, 1, 1, 1)]], doubles="high"),
    "short": game(
        [A, C],
        [[(0, 1, 0, 1)]],
        start_score=3,
        defend_allowed=True,
        dummies_max=1,
        finish_tie="shared",
        walkover=2,
        rounce_penalty=1,
    ),
    "long": game([B], [[(0, 0, 0)]], start_score=40, rounce_penalty=9),
    "unfinished": game([C], [[(0, 0, 0)]], max_rounds=9, first_dealer=1, hand_size=4),
}


def job(name: str, count: int, first: int = 0, probe: str | None = None) -> Job:
    rules, table, _ = GAMES[name]
    return Job(SPEC, rules, table, SEED, count, first, probe)


def tallies_of(job: Job) -> Tallies:
    """The job's tallies, played in this thread, which also works where nothing is compiled."""
    prepared = job.work.prepared
    grouped, plain = np.zeros(prepared.grouped_shape, np.int64), np.zeros(prepared.plain_shape, np.int64)
    assert prepared.play(job.seed, job.first, job.count, grouped, plain) == -1
    return Tallies(job.first, job.count, *prepared.named(grouped.astype(object), plain.astype(object)))


# Pieces


@pytest.mark.skipif(not FULL, reason="overflow is ignored in one thread only")
@pytest.mark.parametrize("probe", [None, "call"])
def test_threads_blocks_and_ranges_change_no_number(probe: str | None) -> None:
    count = 9_000
    whole = simulate(job("three", count, 30, probe))
    assert tallies_of(job("three", count, 30, probe)).to_json() == whole.to_json()
    for jobs, block in ((1, 64), (2, 1000), (3, 4096), (2, 10**9)):
        assert simulate(job("three", count, 30, probe), jobs=jobs, block=block).to_json() == whole.to_json()
    cuts = [30, 31, 30 + count // 3, 30 + count // 2, 30 + count]
    parts = [simulate(job("three", b - a, a, probe)) for a, b in pairwise(cuts)]
    for each in ("grouped", "plain"):
        for name, array in getattr(whole, each).items():
            assert (sum(getattr(part, each)[name] for part in parts) == array).all(), name


def test_a_unit_is_in_the_group_of_its_index() -> None:
    for unit in (0, 63, 64, 4095, 4096, 10**9 + 65):
        tallies = tallies_of(job("two", 1, unit))
        group = unit // LANES % GROUPS
        assert tallies.grouped["units"].tolist() == [int(each == group) for each in range(GROUPS)]
        assert (tallies.grouped["rounds"] > 0).tolist() == [each == group for each in range(GROUPS)]


@pytest.mark.skipif(not FULL, reason="nothing is compiled")
def test_one_signature_after_all_kinds_of_tables() -> None:
    for name in GAMES:
        simulate(job(name, 1))
    assert len(kernel.play_block.signatures) == 1


# Sums


@pytest.mark.parametrize("name", GAMES)
def test_tricks_and_changes_of_score_add_up(name: str) -> None:
    rules, table, _ = GAMES[name]
    tallies = tallies_of(job(name, 40 * UNITS if FULL else UNITS))
    n = {key: array.sum(axis=0) for key, array in tallies.grouped.items()}
    size, players = rules["hand_size"], rules["players"]
    assert n["tricks"] == size * n["played"] == n["trump_tricks"].sum()
    assert n["rounds"] == n["played"] + n["walkover_dealer"] + n["walkover_last"] == n["trump"].sum()
    paid = rules["rounce_penalty"] * n["rounced"] + n["defended_tricks"] - size * n["played"]
    assert n["change_sum"] == paid - rules["walkover"] * n["walkover_dealer"] - size * n["walkover_last"]
    assert n["change_sum"] == n["trump_change"].sum() == n["position_change"].sum()
    # Everyone begins a match with as much, and what is left is the sum of all final scores.
    matches = n["from_dealer_plays"][0]
    assert matches == table.plays * tallies.units == n["length"].sum() == n["lead_changes"].sum()
    assert n["points"].sum() == matches * players * rules["start_score"] + n["change_sum"]
    assert n["from_dealer_points"].sum() == n["points"].sum()
    assert n["win"].sum() == 12 * (matches - n["unfinished"]) == n["from_dealer_win"].sum()
    assert (n["position_n"] == n["rounds"]).all()
    assert n["tile_n"].sum() == size * players * n["rounds"] == size * n["dealt_trumps"].sum()
    assert n["tile_tricks"].sum() == size * n["tricks"]
    assert n["lead_n"].sum() == n["played"]
    assert n["led_won"][9] == n["led"][9] or rules["finish_tie"] == "shared"
    assert n["calls"].sum() == n["call_trumps_n"].sum() == players * n["rounds"] - n["walkover_dealer"]


# Transcripts


def units_of(name: str, count: int) -> Iterator[tuple[int, list[list[Event]]]]:
    """(unit, its matches as events) of the first units."""
    rules, table, _ = GAMES[name]
    plays = [list(transcript.events(rules, table, SEED, 0, count, play)) for play in range(table.plays)]
    return enumerate([list(matches) for matches in zip(*plays, strict=True)])


@pytest.mark.parametrize("name", GAMES)
def test_every_counter_is_what_transcripts_give(name: str) -> None:
    """All but the chart, which is the experiment's."""
    _, _, setting = GAMES[name]
    found = tallies_of(job(name, UNITS))
    counts, units = Counts(setting, UNITS), UnitCounts(setting, found)
    for unit, matches in units_of(name, UNITS):
        for match in matches:
            counts.match(match, unit // LANES % GROUPS)
        units.unit(unit, matches)
    assert set(found.grouped) == {spec.name for spec in COUNTERS if spec.grouped}
    assert set(units.grouped) | set(units.plain) == BY_UNIT
    for key, array in found.grouped.items():
        assert (array == (units.grouped if key in BY_UNIT else counts.tallies.grouped)[key]).all(), key
    for key, array in found.plain.items():
        assert (array == units.plain[key]).all(), key
    assert not any(found.grouped[key].any() for key in CHART)


class UnitCounts:
    """Sums and squares of units, by policy and seat, by pair and by place, read off transcripts."""

    def __init__(self, setting: Setting, like: Tallies) -> None:
        self.names, self.players = list(setting.policies), len(setting.seats)
        self.cycle = len(setting.table.arrangements)
        self.pairs = list(combinations(range(len(self.names)), 2))
        self.grouped = {key: zeros(array) for key, array in like.grouped.items() if key in BY_UNIT}
        self.plain = {key: zeros(array) for key, array in like.plain.items()}

    def unit(self, unit: int, matches: list[list[Event]]) -> None:
        """Count all plays of a unit."""
        group = unit // LANES % GROUPS
        plays = np.zeros((len(self.names), self.players), int)
        sums = {what: np.zeros(plays.shape, int) for what in ("win", "points")}
        places = {what: np.zeros(self.players, int) for what in sums}
        for match in matches:
            told = {"win": [round(12 * share) for share in match[-1]["win_share"]], "points": match[-1]["scores"]}
            for seat, policy in enumerate(match[0]["policies"]):
                cell = self.names.index(policy), seat
                plays[cell] += 1
                self.grouped["play_points_sq"][(group, *cell)] += told["points"][seat] ** 2
                for what, values in told.items():
                    sums[what][cell] += values[seat]
                    places[what][(seat - match[0]["dealer"]) % self.players] += values[seat]
        n = {key: array[group] for key, array in self.grouped.items() if key != "units"}
        self.grouped["units"][group] += 1
        n["seated"] += plays > 0
        n["plays"] += plays
        n["policy_units"] += plays.any(axis=1)
        n["policy_plays"] += plays.sum(axis=1)
        for what, of in sums.items():
            n[what] += of
            n[f"{what}_sq"] += of**2
            n[f"policy_{what}_sq"] += of.sum(axis=1) ** 2
            n[f"from_dealer_{what}_sq"] += places[what] ** 2
        for at, (a, b) in enumerate(self.pairs):
            if plays[a].any() and plays[b].any():
                self.pair(
                    n,
                    at,
                    int(plays[a].sum()),
                    int(plays[b].sum()),
                    {k: (v[a].sum(), v[b].sum()) for k, v in sums.items()},
                )
        segment = next(index for index, mark in enumerate(running_marks(self.cycle)) if unit < mark)
        self.plain["running_win"][segment] += sums["win"]
        self.plain["running_plays"][segment] += plays
        self.plain["running_win_sq"][segment] += sums["win"] ** 2
        self.plain["running_policy_win_sq"][segment] += sums["win"].sum(axis=1) ** 2

    def pair(self, n: dict[str, Any], at: int, plays_a: int, plays_b: int, sums: dict[str, Any]) -> None:
        """Count a pair of policies that both sat there."""
        divisor = gcd(plays_a, plays_b)
        n["pair_units"][at] += 1
        n["pair_scale"][at] += plays_a * plays_b // divisor
        for what, (a, b) in sums.items():
            apart = int(plays_b * a - plays_a * b) // divisor
            n[f"pair_{what}"][at] += apart
            n[f"pair_{what}_sq"][at] += apart**2


def zeros(like: np.ndarray) -> np.ndarray:
    """Whole numbers of the same shape."""
    return np.zeros(like.shape, int).astype(object)


# The experiment


class Probed(Counts):
    """Counts that put on the chart only the calls of a round's probe seat."""

    def __init__(self, setting: Setting, matches: int, seats: dict[tuple[int, int, int], int]) -> None:
        super().__init__(setting, matches)
        self.seats = seats

    def seat(self, deal: Any, seat: int, *told: Any) -> None:
        self.probe = self.seats[deal["match"], deal["rotation"], deal["round"]] == seat
        super().seat(deal, seat, *told)


@pytest.mark.parametrize("name", ["two", "three", "four", "short"])
def test_the_chart_is_what_transcripts_of_the_experiment_give(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, _, setting = GAMES[name]
    found = tallies_of(job(name, UNITS, probe="call"))
    seats: dict[tuple[int, int, int], int] = {}

    def probed_rounds(
        rules: Rules, table: Table, seed: int, unit: int, play: int, given: dict[int, int]
    ) -> Iterator[np.void]:
        assert not given
        batches = new_batches()
        setup = build_setup(rules, table, probe=True)
        kernel.begin_through(batches, setup, np.uint64(seed), unit, play)
        number = 0
        while kernel.round_through(batches, setup):
            batch = batches[0]
            for lane in np.flatnonzero(batch["active"]):
                seats[unit + int(lane), play, number] = int(batch["probe_seat"][lane])
            number += 1
            yield batch

    monkeypatch.setattr(transcript, "rounds", probed_rounds)
    counts = Probed(setting, UNITS, seats)
    for unit, matches in units_of(name, UNITS):
        for match in matches:
            counts.match(match, unit // LANES % GROUPS)
    assert set(seats.values()) == set(range(rules["players"]))
    for key, array in found.grouped.items():
        if key not in BY_UNIT:
            assert (array == counts.tallies.grouped[key]).all(), key
    assert found.grouped["chart_n"].sum() > UNITS // 2


@pytest.mark.skipif(not FULL, reason="too few matches where nothing is compiled")
def test_the_experiment_draws_every_legal_call_as_often() -> None:
    setting = setting_of("random", players=4)
    found = tallies_of(Job(SPEC, setting.rules, setting.table, 3, 4096, probe="call"))
    n = found.grouped["chart_n"].sum(0).sum((-1, -2)).astype(int)
    rounds, arms = int(found.grouped["rounds"].sum()), setting.axes["arm"]
    # One seat a round, each as often; a dealer left alone makes no call.
    assert n[:, :3].sum(0) == pytest.approx([rounds / 4] * 3, rel=0.03)
    first = dict(zip(arms, n[:, 0], strict=True))
    assert [first[arm] for arm in ("pass", "fold", "dummy")] == pytest.approx([rounds / 12] * 3, rel=0.05)
    assert first["pass without a dummy"] == 0
    assert not n[[arms.index(arm) for arm in ("take", "defend", "defend and take")], :3].any()
