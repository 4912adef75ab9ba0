"""From rules and policies to the arrays that the kernel reads: weighted sums become added tables, once, in
exact whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.common.grid import running_marks
from analyzer.games.common.prepared import row_starts
from analyzer.games.common.seating import chance_threshold, seating_arrays
from analyzer.games.policy import WEIGHT_UNIT
from analyzer.games.rounce import policies as P
from analyzer.games.rounce import state as S
from analyzer.games.rounce.axes import axes
from analyzer.games.rounce.tiles import ENDS, MAX_HAND, PAIRS, TILES, rank_in, suits_of
from analyzer.games.spec import Policy, Rules, Table
from analyzer.kernels.jit import records

TRUMP_STRENGTH = 9


def build_setup(rules: Rules, table: Table, *, probe: bool = False) -> S.Setup:
    """Arrays for one table under one set of rules. `probe`: a seat drawn for each round calls at random."""
    seating = seating_arrays(table)
    record = _rules_record(rules, table)
    record["probe"] = probe
    record["slots"] = seating.slots
    for name, values in _tile_tables(rules["doubles"] == "high").items():
        record[name][0] = values
    return S.Setup(
        rules=records(record),
        policies=records(_policy_records(rules, table)),
        seating=seating.seating,
        slot=seating.slot,
        who=seating.who,
        held=seating.held,
        at=row_starts(S.COUNTERS, axis_sizes(rules, table)),
        marks=np.array([0, *running_marks()], np.int64),
    )


def _policy_records(rules: Rules, table: Table) -> NDArray[np.void]:
    found = np.zeros(len(table.policies), S.POLICY)
    for record, policy in zip(found, table.policies, strict=True):
        record["memory"] = _memory_code(policy)
        record["remember"] = chance_threshold(policy.memory) if isinstance(policy.memory, float) else 0
        record["noise"] = [chance_threshold(policy.noise[kind]) for kind in P.KINDS]
        for name, values in {**_call_tables(policy, rules), **_play_tables(policy)}.items():
            record[name] = values
    return found


def axis_sizes(rules: Rules, table: Table) -> dict[str, int]:
    """Length of every counter axis."""
    return {axis: len(labels) for axis, labels in axes(rules, table).items()}


def _memory_code(policy: Policy) -> int:
    names = {"perfect": S.PERFECT, "none": S.NONE, "top_card": S.TOP_CARD}
    return S.CHANCE if isinstance(policy.memory, float) else names[policy.memory]


def _rules_record(rules: Rules, table: Table) -> NDArray[np.void]:
    record = np.zeros(1, S.RULES)
    r = record[0]
    for name in (
        "players",
        "hand_size",
        "start_score",
        "max_rounds",
        "fold_allowed",
        "dummy_draw",
        "dummies_max",
        "dealer_takes",
        "defend_allowed",
        "winner_leads_trump",
        "must_trump_above",
        "walkover",
        "rounce_penalty",
    ):
        r[name] = rules[name]
    first = rules["first_dealer"]
    r["first_dealer"] = -1 if first == "random" else int(first)
    r["finish_shared"] = rules["finish_tie"] == "shared"
    n, hand = int(rules["players"]), int(rules["hand_size"])
    dealt = {0} | {1 + MAX_HAND * seat + k for seat in range(n) for k in range(hand)}
    yard = [place for place in reversed(range(TILES)) if place not in dealt]
    r["yard_place"][: len(yard)] = yard
    r["must_trump_lead"] = rules["must_trump_when"] in ("lead", "lead_or_void")
    r["must_trump_void"] = rules["must_trump_when"] in ("void", "lead_or_void")
    r["forgets"] = any(policy.memory != "perfect" for policy in table.policies)
    r["plays"], r["combinations"], r["policies"] = table.plays, len(table.arrangements), len(table.policies)
    return record


@cache
def _tile_tables(doubles_high: bool) -> dict[str, NDArray[Any]]:
    """`suit_tiles` ... `best_suit` of Setup."""
    suit_tiles = np.zeros(49, np.uint64)
    strength = np.zeros((49, TILES), np.int64)
    beaten = np.zeros((49, 17), np.uint64)
    higher = np.zeros((49, TILES), np.uint64)
    rank = np.zeros((49, TILES), np.int64)
    height = np.zeros((ENDS, TILES), np.int64)
    trump_at = np.zeros((ENDS, 8), np.uint64)
    high_tiles = np.zeros(ENDS, np.uint64)
    best_suit = np.zeros((ENDS, TILES), np.int64)
    neighbours = np.zeros((ENDS, TILES), np.uint64)
    for trump, suit in product(range(ENDS), repeat=2):
        at = trump * 7 + suit
        members = [tile for tile in range(TILES) if suit in suits_of(tile, trump)]
        suit_tiles[at] = sum(1 << tile for tile in members)
        ranks = {tile: rank_in(tile, suit, doubles_high) for tile in members}
        for tile, own in ranks.items():
            rank[at, tile] = own
            strength[at, tile] = (TRUMP_STRENGTH if suit == trump else 1) + own
            higher[at, tile] = sum(1 << other for other, theirs in ranks.items() if theirs > own)
        if suit != trump:
            for tile in range(TILES):
                if trump in PAIRS[tile]:
                    strength[at, tile] = TRUMP_STRENGTH + rank_in(tile, trump, doubles_high)
            high_tiles[trump] |= np.uint64(1 << max(ranks, key=lambda tile: ranks[tile]))
        for s in range(17):
            beaten[at, s] = sum(1 << tile for tile in range(TILES) if strength[at, tile] > s)
    for trump in range(ENDS):
        order = sorted(
            (tile for tile in range(TILES) if trump in PAIRS[tile]), key=lambda tile: rank_in(tile, trump, doubles_high)
        )
        for place, tile in enumerate(order, 1):
            height[trump, tile] = place
            trump_at[trump, place] = 1 << tile
        for tile in range(TILES):
            neighbours[trump, tile] = sum(
                1 << other
                for other in range(TILES)
                if other != tile and trump not in PAIRS[other] and set(PAIRS[other]) & set(PAIRS[tile])
            )
            best_suit[trump, tile] = max(suits_of(tile, trump), key=lambda suit: rank_in(tile, suit, doubles_high))
    tables = {
        "suit_tiles": suit_tiles,
        "strength": strength,
        "beaten": beaten,
        "higher": higher,
        "rank": rank,
        "height": height,
        "trump_at": trump_at,
        "high_tiles": high_tiles,
        "best_suit": best_suit,
        "neighbours": neighbours,
        "high_end": np.array([high for high, _ in PAIRS]),
        "low_end": np.array([low for _, low in PAIRS]),
    }
    return {name: table.reshape(-1) for name, table in tables.items()}


def _weight(policy: Policy, kind: str, name: str) -> int:
    return round(policy.weights[kind].get(name, 0.0) * WEIGHT_UNIT)


def _table(
    policy: Policy,
    kinds: Iterable[str],
    shape: tuple[int, ...],
    declared: tuple[tuple[str, int, str], ...],
    features: Callable[..., dict[str, int]],
) -> NDArray[np.int64]:
    """(len(kinds) * product of shape,) weighted sums of `features(*situation)` over all situations."""
    wanted = [name for name, _, _ in declared]
    situations = [features(*situation) for situation in product(*map(range, shape))]
    matrix = np.array([[found.get(name, 0) for name in wanted] for found in situations], np.int64)
    weights = np.array([[_weight(policy, kind, name) for name in wanted] for kind in kinds], np.int64)
    return np.ascontiguousarray((weights @ matrix.T).reshape(-1))


def hand_features(behind: int, trumps: int, top: int, sure: int) -> dict[str, int]:
    """Features of a hand's trumps."""
    return {
        "one": 1,
        "trumps": trumps,
        "trumps_squared": trumps * trumps,
        "top_trump": top,
        "sure": sure,
        "behind_trumps": behind * trumps,
    }


def score_features(own: int, rival: int, hand_size: int) -> dict[str, int]:
    """Features of the scores, each from 0 to 31."""
    return {
        "own_score": own,
        "rival_score": rival,
        "behind": max(0, own - rival),
        "own_near": int(own <= hand_size),
        "rival_near": int(rival <= hand_size),
    }


def _call_tables(policy: Policy, rules: Rules) -> dict[str, NDArray[np.int64]]:
    players = int(rules["players"])

    def seat_features(position: int, folds: int, dummies: int) -> dict[str, int]:
        return {
            "position": position,
            "dealer": int(position == players - 1),
            "to_call": max(0, players - 1 - position),
            "folds": folds,
            "dummies": dummies,
            "in_play": max(0, position - folds),
            "players": players,
        }

    def of_scores(own: int, rival: int) -> dict[str, int]:
        return score_features(own, rival, int(rules["hand_size"]))

    def plain_features(high: int, voids: int) -> dict[str, int]:
        return {"high": high, "voids": voids}

    def turn_up_features(height: int) -> dict[str, int]:
        return {"turn_up": height}

    kinds = P.CALL_KINDS
    return {
        "call_hand": _table(policy, kinds, (2, 8, 8, 8), P.HAND_FEATURES, hand_features),
        "call_plain": _table(policy, kinds, (8, 7), P.PLAIN_FEATURES, plain_features),
        "call_seat": _table(policy, kinds, (4, 4, 4), P.SEAT_FEATURES, seat_features),
        "call_score": _table(policy, kinds, (32, 32), P.SCORE_FEATURES, of_scores),
        "call_turn_up": _table(policy, kinds, (8,), P.TURN_UP_FEATURES, turn_up_features),
    }


def aside_features(trump: int, rank: int, low: int, double: int, company: int) -> dict[str, int]:
    """Features of a tile that may be put aside; `rank` is a trump's height."""
    if trump:
        return {"trump": 1, "trump_height": rank}
    return {"rank": rank, "low": low, "double": double, "company": company}


def tile_features(trump: int, rank: int, high: int, wins: int, company: int) -> dict[str, int]:
    """Features of a tile that may be played."""
    return {"trump": trump, "rank": rank, "trump_rank": trump * rank, "high": high, "wins": wins, "company": company}


def moment_features(none: int, left: int, after: int, wins: int, high: int, trump: int) -> dict[str, int]:
    """Features of a tile that may be played, in its moment."""
    return {
        "wins_last": wins * (after == 0),
        "wins_after": wins * after,
        "high_after": high * after,
        "no_trick_wins": none * wins,
        "no_trick_high": none * high,
        "no_trick_trump": none * trump,
        "no_trick_left_wins": none * left * wins,
        "left_wins": left * wins,
        "left_trump": left * trump,
        "left_high": left * high,
    }


def _play_tables(policy: Policy) -> dict[str, NDArray[np.int64]]:
    kinds = P.PLAY_KINDS
    return {
        "aside": _table(policy, P.ASIDE_KINDS, (2, 8, 8, 2, 4), P.ASIDE_FEATURES, aside_features),
        "tile_worth": _table(policy, kinds, (2, 8, 2, 2, 4), P.TILE_FEATURES, tile_features),
        "moment_worth": _table(policy, kinds, (2, 8, 4, 2, 2, 2), P.MOMENT_FEATURES, moment_features),
    }
