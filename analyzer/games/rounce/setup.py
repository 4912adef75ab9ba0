"""From rules and policies to the arrays that the kernel reads: weighted sums become added tables, once, in
exact whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import combinations, permutations, product
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
from analyzer.games.rounce.tiles import ENDS, MAX_SEATS, PAIRS, TILES, rank_in, suits_of
from analyzer.games.spec import Policy, Rules, Table
from analyzer.kernels.jit import records


def build_setup(
    rules: Rules,
    table: Table,
    *,
    probe: bool = False,
    seen: Rules | None = None,
    given: Mapping[int, int] | None = None,
    repeat: int = 0,
) -> S.Setup:
    """Arrays for one table under one set of rules.

    `probe`: a seat drawn for each round calls at random. `seen`: the rules that policies believe in, if others.
    `given`: tiles dealt to a seat for sure, as a set by seat. `repeat`: the same tiles with choices drawn anew.
    """
    seating = seating_arrays(table)
    record = _rules_record(rules, table)
    record["probe"] = probe
    record["slots"] = seating.slots
    record["again"] = repeat
    record["conditioned"] = bool(given)
    for seat, tiles in (given or {}).items():
        record["given"][0, seat] = tiles
    for name, values in _tile_tables(rules["doubles"] == "high").items():
        record[name][0] = values
    return S.Setup(
        rules=records(record),
        policies=records(_policy_records(seen or rules, table)),
        fives=_fives(),
        seating=seating.seating,
        slot=seating.slot,
        who=seating.who,
        held=seating.held,
        at=row_starts(S.COUNTERS, axis_sizes(rules, table)),
        marks=np.array([0, *running_marks(len(table.arrangements))], np.int64),
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
    r["must_trump_lead"] = rules["must_trump_when"] in ("lead", "lead_or_void")
    r["must_trump_void"] = rules["must_trump_when"] in ("void", "lead_or_void")
    r["noisy"] = any(policy.noise[kind] for policy in table.policies for kind in P.KINDS)
    r["forgets"] = any(policy.memory != "perfect" for policy in table.policies)
    r["plays"], r["combinations"], r["policies"] = table.plays, len(table.arrangements), len(table.policies)
    return record


@cache
def _fives() -> NDArray[np.uint32]:
    """Every set of five of 27 places in colexicographic order (Knuth, The Art of Computer Programming 4A, 7.2.1.3)."""
    sets = combinations(range(27), 5)
    return np.array(sorted(sum(1 << place for place in five) for five in sets), np.uint32)


@cache
def _tile_tables(doubles_high: bool) -> dict[str, NDArray[Any]]:
    """The tables of tiles in RULES."""
    return {**_suit_tables(doubles_high), **_trump_tables(doubles_high), **_set_tables(doubles_high)}


def _members(trump: int, suit: int) -> int:
    """Tiles of a suit, as a set."""
    return sum(1 << tile for tile in range(TILES) if suit in suits_of(tile, trump))


def _suit_tables(doubles_high: bool) -> dict[str, NDArray[Any]]:
    """Tables by trump and suit led."""
    suit_tiles = np.zeros(49, np.uint64)
    told = np.zeros((49, TILES), np.uint64)
    lead_told = np.zeros((ENDS, TILES, 2), np.uint64)
    for trump, led in product(range(ENDS), repeat=2):
        at = trump * 7 + led
        suit_tiles[at] = _members(trump, led)
        for tile in range(TILES):
            told[at, tile] = _told(tile, _counts_in(tile, trump, led, doubles_high), trump, doubles_high)
    for trump, tile in product(range(ENDS), range(TILES)):
        suits = suits_of(tile, trump)
        lead_told[trump, tile] = [_told(tile, suit, trump, doubles_high) for suit in (suits[0], suits[-1])]
    return _flat(suit_tiles=suit_tiles, told=told, lead_told=lead_told)


def _told(tile: int, suit: int, trump: int, doubles_high: bool) -> int:
    """See `told` in state.RULES."""
    rank = rank_in(tile, suit, doubles_high)
    members = [other for other in range(TILES) if suit in suits_of(other, trump)]
    above = sum(1 << other for other in members if rank_in(other, suit, doubles_high) > rank)
    return above | sum(1 << other for other in members) << 28 | rank << 60 | (suit == trump) << 63


def _counts_in(tile: int, trump: int, led: int, doubles_high: bool) -> int:
    """The suit in which a tile counts: the suit led if it belongs to it, else that in which it ranks highest."""
    suits = suits_of(tile, trump)
    return led if led in suits else max(suits, key=lambda suit: rank_in(tile, suit, doubles_high))


def _trump_tables(doubles_high: bool) -> dict[str, NDArray[Any]]:
    """Tables by trump and tile."""
    led_as = np.zeros((ENDS, TILES, 2), np.int8)
    tile_cell = np.zeros((ENDS, TILES), np.int8)
    aside_cell = np.zeros((ENDS, TILES), np.int16)
    neighbours = np.zeros((ENDS, TILES), np.uint32)
    high_tiles = np.zeros(ENDS, np.uint64)
    for trump, tile in product(range(ENDS), range(TILES)):
        high, low = PAIRS[tile]
        suits = suits_of(tile, trump)
        led_as[trump, tile] = suits[0], suits[-1]
        tile_cell[trump, tile] = 3 * tile + (1 if trump == high else 2 if trump == low else 0)
        if trump in (high, low):
            aside_cell[trump, tile] = 512 + 64 * _height(tile, trump, doubles_high)
        else:
            neighbours[trump, tile] = sum(
                1 << other
                for other in range(TILES)
                if other != tile and trump not in PAIRS[other] and set(PAIRS[other]) & set(PAIRS[tile])
            )
            better = max(suits, key=lambda suit, tile=tile: rank_in(tile, suit, doubles_high))  # type: ignore[misc]
            worse = rank_in(tile, better, doubles_high) if high == low else better
            aside_cell[trump, tile] = (rank_in(tile, better, doubles_high) * 8 + worse) * 8 + 4 * (high == low)
    for trump, suit in permutations(range(ENDS), 2):
        members = [tile for tile in range(TILES) if suit in suits_of(tile, trump)]
        best = max(members, key=lambda tile, suit=suit: rank_in(tile, suit, doubles_high))  # type: ignore[misc]
        high_tiles[trump] |= np.uint64(1 << best)
    return _flat(
        led_as=led_as,
        tile_cell=tile_cell,
        aside_cell=aside_cell,
        neighbours=neighbours,
        high_tiles=high_tiles,
    )


def _height(tile: int, trump: int, doubles_high: bool) -> int:
    """Of a trump among the seven, from 1."""
    return 1 + _trumps(trump, doubles_high).index(tile)


def _trumps(trump: int, doubles_high: bool) -> list[int]:
    """The seven trumps, the lowest first."""
    return sorted(
        (tile for tile in range(TILES) if trump in PAIRS[tile]), key=lambda tile: rank_in(tile, trump, doubles_high)
    )


def _set_tables(doubles_high: bool) -> dict[str, NDArray[Any]]:
    """Tables by sets of seven things."""
    height = np.zeros(TILES, np.int8)
    hand_cell = np.zeros((TILES, 128), np.int16)
    ends = np.zeros((4, 128), np.int8)
    next_in = np.zeros((16, MAX_SEATS), np.int8)
    for turn_up, (trump, _) in enumerate(PAIRS):
        height[turn_up] = _height(turn_up, trump, doubles_high)
        order = _trumps(trump, doubles_high)
        by_number = sorted(order)
        for some in range(128):
            heights = sum(1 << order.index(by_number[k]) for k in range(7) if some >> k & 1)
            # Trumps above the highest one that another may hold; the turn-up is in nobody's hand.
            others = ~(heights | 1 << (int(height[turn_up]) - 1)) & 127
            sure = (heights >> others.bit_length()).bit_count()
            hand_cell[turn_up, some] = heights.bit_count() * 64 + heights.bit_length() * 8 + sure
    for quarter, some in product(range(4), range(128)):
        numbers = {end for k in range(7) if some >> k & 1 for end in PAIRS[7 * quarter + k]}
        ends[quarter, some] = sum(1 << end for end in numbers)
    for seats, seat in product(range(1, 16), range(MAX_SEATS)):
        next_in[seats, seat] = next(s % MAX_SEATS for s in range(seat + 1, seat + 5) if seats >> s % MAX_SEATS & 1)
    high_end = np.array([high for high, _ in PAIRS], np.int8)
    return _flat(height=height, hand_cell=hand_cell, ends=ends, next_in=next_in, high_end=high_end)


def _flat(**tables: NDArray[Any]) -> dict[str, NDArray[Any]]:
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
    tables = {
        "call_hand": _table(policy, kinds, (2, 8, 8, 8), P.HAND_FEATURES, hand_features),
        "call_plain": _table(policy, kinds, (8, 7), P.PLAIN_FEATURES, plain_features),
        "call_seat": _table(policy, kinds, (4, 4, 4), P.SEAT_FEATURES, seat_features),
        "call_score": _table(policy, kinds, (32, 32), P.SCORE_FEATURES, of_scores),
        "call_turn_up": _table(policy, kinds, (8,), P.TURN_UP_FEATURES, turn_up_features),
    }
    by_situation = {}
    for name, table in tables.items():
        columns = 8 * table.reshape(len(kinds), -1).T
        by_situation[name] = np.pad(columns, ((0, 0), (0, 8 - len(kinds)))).reshape(-1)
    by_situation["call_seat"] += np.tile(7 - np.arange(8), by_situation["call_seat"].size // 8)
    return by_situation


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
    # Kind; none, left, after; trump, rank, high, wins, company.
    worth = _table(policy, kinds, (2, 8, 2, 2, 4), P.TILE_FEATURES, tile_features)
    worth = worth.reshape(len(kinds), 1, 2, 8, 2, 2, 4)
    moment = _table(policy, kinds, (2, 8, 4, 2, 2, 2), P.MOMENT_FEATURES, moment_features)
    moment = moment.reshape(len(kinds), 64, 2, 2, 2).transpose(0, 1, 4, 3, 2)[:, :, :, None, :, :, None]
    return {
        "aside": 32 * _table(policy, P.ASIDE_KINDS, (2, 8, 8, 2, 4), P.ASIDE_FEATURES, aside_features),
        "tile_order": _places((worth + moment).reshape(-1, 256)).reshape(-1),
    }


def _places(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """Along the last axis: how many different scores are lower than each."""
    order = np.argsort(scores, axis=-1)
    ascending = np.take_along_axis(scores, order, -1)
    steps = np.zeros(scores.shape, np.int64)
    steps[..., 1:] = ascending[..., 1:] > ascending[..., :-1]
    places = np.empty_like(steps)
    np.put_along_axis(places, order, steps.cumsum(-1), -1)
    return places
