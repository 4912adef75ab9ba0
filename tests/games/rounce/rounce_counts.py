"""Counters with known numbers, and counters read off transcripts, for the tests of Rounce's tables, findings and
health checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from rounce_deals import random_match, rules_with

from analyzer.games.rounce.axes import ARMS, CALLS
from analyzer.games.rounce.spec import COUNTERS, SPEC, axes
from analyzer.games.rounce.tiles import TILE_INDEX
from analyzer.games.spec import GROUPS, LANES, Policy, Setting, Table
from analyzer.report.frames import TableResult, evaluate
from analyzer.sim.result import Tallies

TABLES = {table.name: table for table in SPEC.tables}
UNITS = GROUPS * LANES


def policy(name: str, *, memory: Any = "perfect", weight: float = 1.0) -> Policy:
    kinds = [decision.name for decision in SPEC.decisions]
    weights = {kind: {"one": weight} if kind.startswith("call") else {} for kind in kinds}
    return Policy(name, "", "", weights, dict.fromkeys(kinds, 0.0), 0.0, memory)


def rotated(seats: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The cyclic shifts of a seating."""
    n = len(seats)
    return tuple(tuple(seats[(seat - shift) % n] for seat in range(n)) for shift in range(n))


def setting_of(
    *policies: Policy | str, players: int = 3, plays: Sequence[Sequence[int]] | None = None, **rules: Any
) -> Setting:
    """A run of these policies; one play with policy 0 everywhere, or the given plays of the only combination."""
    found = tuple(policy(each) if isinstance(each, str) else each for each in policies or ("steady",))
    seating = tuple(tuple(play) for play in plays or ((0,) * players,))
    table = Table(found, (seating,), "fixed" if len(seating) == 1 else "rotate")
    n = len(seating[0])
    knobs = rules_with(n, **rules)
    return Setting(knobs, table, SPEC.seats(n), axes(knobs, table))


def blank(setting: Setting, units: int) -> Tallies:
    """Nothing counted but the units."""
    shapes = {spec.name: tuple(len(setting.axes[axis]) for axis in spec.axes) for spec in COUNTERS}
    grouped = {
        spec.name: np.zeros((GROUPS, *shapes[spec.name]), int).astype(object) for spec in COUNTERS if spec.grouped
    }
    plain = {spec.name: np.zeros(shapes[spec.name], int).astype(object) for spec in COUNTERS if not spec.grouped}
    tallies = Tallies(0, units, grouped, plain)
    grouped["units"] = tallies.group_units.astype(object)
    return tallies


def counted(setting: Setting, **counters: Any) -> Tallies:
    """64 groups of 64 units, each with the same counts; plain counters as given."""
    tallies = blank(setting, UNITS)
    for name, array in counters.items():
        where = tallies.grouped if name in tallies.grouped else tallies.plain
        where[name] = np.array(np.broadcast_to(np.asarray(array), where[name].shape)).astype(object)
    return tallies


def zeros(setting: Setting, name: str) -> np.ndarray:
    """An empty counter of one group."""
    return np.zeros(blank(setting, 0).grouped[name].shape[1:], int)


def table_of(name: str, tallies: Tallies, setting: Setting) -> TableResult:
    return evaluate(TABLES[name], tallies, setting)


def cell(name: str, column: str, tallies: Tallies, setting: Setting, *labels: str) -> dict[str, Any]:
    """One estimate of a table, by the labels of its row."""
    for record in table_of(name, tallies, setting).records():
        if tuple(record[axis] for axis in TABLES[name].axes) == labels:
            found: dict[str, Any] = record[column]
            return found
    raise AssertionError(f"{name} has no row {labels}")


def estimate(name: str, column: str, tallies: Tallies, setting: Setting, *labels: str) -> float:
    found = cell(name, column, tallies, setting, *labels)["estimate"]
    assert found is not None
    return float(found)


class Counts:
    """What the kernel counts of matches of one policy, read off their transcripts; every match is a unit of the given
    group.

    With `probe` every call is counted as one of the experiment.
    """

    def __init__(self, setting: Setting, matches: int, *, probe: bool = False) -> None:
        self.setting, self.probe = setting, probe
        self.tallies = blank(setting, 0)
        self.tallies.units = matches
        self.n = len(setting.seats)
        self.group = 0

    def add(self, name: str, *at: int, by: int = 1) -> None:
        self.tallies.grouped[name][(self.group, *at)] += by

    def match(self, events: Sequence[Mapping[str, Any]], group: int = 0) -> None:
        self.group = group
        rounds = [list(part) for _, part in groupby(events[:-1], key=lambda event: event["round"])]
        result, first = events[-1], events[0]["dealer"]
        scores = [part[-1]["scores"] for part in rounds]
        for part in rounds:
            self.round(part)
        self.add("units")
        win = [round(12 * share) for share in result["win_share"]]
        for seat in range(self.n):
            place, points = (seat - first) % self.n, result["scores"][seat]
            self.add("from_dealer_plays", place)
            self.add("from_dealer_win", place, by=win[seat])
            self.add("from_dealer_win_sq", place, by=win[seat] ** 2)
            self.add("from_dealer_points", place, by=points)
            self.add("from_dealer_points_sq", place, by=points**2)
            self.add("plays", 0, seat)
            self.add("seated", 0, seat)
            self.add("win", 0, seat, by=win[seat])
            self.add("points", 0, seat, by=points)
            self.add("play_points_sq", 0, seat, by=points**2)
            self.add("points_sq", 0, seat, by=points**2)
            self.add("win_sq", 0, seat, by=win[seat] ** 2)
        self.add("policy_units", 0)
        self.add("policy_plays", 0, by=self.n)
        self.add("policy_win_sq", 0, by=sum(win) ** 2)
        self.add("policy_points_sq", 0, by=sum(result["scores"]) ** 2)
        length = len(rounds)
        self.add("length", min(length, 64) - 1)
        leaders = [alone(each, min(each)) for each in scores]
        sole = [seat for seat in leaders if seat is not None]
        self.add("lead_changes", min(31, sum(a != b for a, b in pairwise(sole))))
        if result["unfinished"]:
            self.add("unfinished")
            self.add("no_winner")
            return
        last = {alone(each, max(each)) for each in scores}
        self.add("comeback_n")
        self.add("comeback", by=int(any(win[seat] and seat in last for seat in range(self.n))))
        if length <= 64:
            self.add("led_n")
            for tenth in range(10):
                leader = leaders[-(-length * (tenth + 1) // 10) - 1]
                if leader is not None:
                    self.add("led", tenth)
                    self.add("led_won", tenth, by=int(win[leader] > 0))

    def round(self, events: Sequence[Mapping[str, Any]]) -> None:
        deal, score = events[0], events[-1]
        calls = {event["seat"]: event["call"].replace("_", " and ") for event in events if event["event"] == "call"}
        tricks = [event for event in events if event["event"] == "trick"]
        trump, size = deal["trump"], len(tricks)
        won, change = score["tricks"], score["change"]
        self.add("rounds")
        self.add("trump", trump)
        self.add("trump_tricks", trump, by=sum(won))
        self.add("trump_change", trump, by=sum(change))
        self.add("change_sum", by=sum(change))
        self.add("rounced", by=len(score["rounced"]))
        if size:
            self.add("played")
            self.add("tricks", by=size)
        else:
            self.add("walkover_dealer" if len(calls) < self.n else "walkover_last")
        for seat, call in calls.items():
            if call.startswith("defend"):
                self.add("defended")
                self.add("defended_tricks", by=won[seat])
        dummies = 0
        for place in range(self.n):
            seat = (deal["dealer"] + 1 + place) % self.n
            may = dummies < self.setting.rules["dummies_max"]
            self.seat(deal, seat, place, calls.get(seat), may, won[seat], change[seat], int(seat in score["rounced"]))
            dummies += calls.get(seat) == "dummy"
        if tricks:
            self.lead(tricks[0], trump, change)

    def seat(
        self,
        deal: Mapping[str, Any],
        seat: int,
        place: int,
        call: str | None,
        may: bool,
        won: int,
        change: int,
        rounced: int,
    ) -> None:
        hand, trump = deal["hands"][seat], deal["trump"]
        trumps = [tile for tile in hand if str(trump) in tile]
        self.add("dealt_trumps", len(trumps))
        self.add("position_n", place)
        self.add("position_change", place, by=change)
        self.add("position_change_sq", place, by=change**2)
        if call is not None:
            at, count = CALLS.index(call), len(trumps)
            for name, by in (("calls", 1), ("call_change", change), ("call_rounced", rounced)):
                self.add(name, place, at, by=by)
            for name, by in (("n", 1), ("change", change), ("rounced", rounced)):
                self.add(f"call_trumps_{name}", at, count, by=by)
                if self.probe:
                    arm = call if may or call != "pass" else "pass without a dummy"
                    top = max((self.height(tile, trump) for tile in trumps), default=0)
                    self.add(f"chart_{name}", ARMS.index(arm), place, count, top, by=by)
        for tile in hand:
            for name, by in (("n", 1), ("tricks", won), ("change", change)):
                self.add(f"tile_{name}", TILE_INDEX[tile], int(tile in trumps), by=by)
                if tile in trumps:
                    self.add(f"trump_rank_{name}", self.rank(tile, trump), by=by)

    def lead(self, trick: Mapping[str, Any], trump: int, change: Sequence[int]) -> None:
        leader, suit = trick["leader"], trick["suit"]
        at = int(suit == trump), self.rank(trick["plays"][0]["tile"], suit)
        self.add("lead_n", *at)
        self.add("lead_won", *at, by=int(trick["winner"] == leader))
        self.add("lead_change", *at, by=change[leader])

    def rank(self, tile: str, suit: int) -> int:
        high, low = (int(end) for end in tile.split("-"))
        if high == low:
            return 7 if self.setting.rules["doubles"] == "high" else high
        return low if suit == high else high

    def height(self, tile: str, trump: int) -> int:
        """Place of a trump among the seven, from the lowest."""
        suit = {self.rank(f"{max(trump, end)}-{min(trump, end)}", trump) for end in range(7)}
        return 1 + sorted(suit).index(self.rank(tile, trump))


def alone(scores: Sequence[int], value: int) -> int | None:
    """The only seat with this score."""
    return scores.index(value) if list(scores).count(value) == 1 else None


def random_counts(setting: Setting, matches: int, *, seed: int = 0, probe: bool = False) -> Tallies:
    """Random matches of the plain-Python game, counted; one in each group in turn."""
    counts = Counts(setting, matches, probe=probe)
    for match in range(matches):
        counts.match(random_match(1000 * seed + match, setting.rules), match % GROUPS)
    return counts.tallies
