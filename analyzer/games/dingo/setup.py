"""From rules and policies to the arrays that the kernel reads: weighted sums become tables, once, in exact
whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from analyzer.games.common.grid import running_marks
from analyzer.games.common.prepared import row_starts
from analyzer.games.common.seating import chance_threshold, seating_arrays
from analyzer.games.dingo import policies as P
from analyzer.games.dingo import state as S
from analyzer.games.dingo.axes import axes
from analyzer.games.dingo.cards import ACE_RABBIT, ACE_RANK, DECK
from analyzer.games.dingo.draws import draws, subsets
from analyzer.games.dingo.grid import score_bins
from analyzer.games.dingo.rules import STEPS
from analyzer.games.policy import WEIGHT_UNIT
from analyzer.games.spec import Policy, Rules, Table
from analyzer.kernels.jit import records

STATES = 1024
"""Situations of the exchange's tables: 64 for each of twelve ranks, then 256 for the aces."""
ACE_STATES = 1080


def axis_sizes(rules: Rules, table: Table) -> dict[str, int]:
    """Length of every counter axis."""
    return {axis: len(labels) for axis, labels in axes(rules, table).items()} | {"place": S.TURNS}


def build_setup(
    rules: Rules,
    table: Table,
    *,
    probe: bool = False,
    rank_by_rank: bool = False,
    seen: Rules | None = None,
    given: Mapping[int, int] | None = None,
    repeat: int = 0,
) -> S.Setup:
    """Arrays for one table under one set of rules.

    `probe`: the seat drawn for each deal lays a lone first wolf or not by a coin. `rank_by_rank`: hunts
    are played one after the other instead of all at once (the same choices; needed when someone outside
    chooses). `seen`: the rules that policies believe in, if others. `given`: cards dealt to a seat for sure, as a set
    by seat. `repeat`: the same cards with choices drawn anew. Raises RulesError.
    """
    features = _Features(rules, seen or rules)
    policies = table.policies
    lays = [np.concatenate([features.lone_masks(each), features.both_masks(each)], axis=1) for each in policies]
    seating = seating_arrays(table)
    record = _rules_record(rules, policies)
    record["probe"], record["rank_by_rank"] = probe, rank_by_rank
    record["plays"], record["combinations"], record["policies"] = table.plays, len(table.arrangements), len(policies)
    record["slots"] = seating.slots
    record["again"] = repeat
    for name, value in draws(given or {}).items():
        record[name] = value
    return S.Setup(
        rules=records(record),
        subsets=subsets(),
        exchange=np.concatenate([features.exchange_table(policy) for policy in policies]),
        seating=seating.seating,
        slot=seating.slot,
        who=seating.who,
        held=seating.held,
        lays=_by_seat(lays, seating.seating),
        ace=np.concatenate([features.ace_table(policy) for policy in policies]),
        noise=np.array([[chance_threshold(policy.noise[kind]) for kind in P.KINDS] for policy in policies], np.uint64),
        lapse=np.array([chance_threshold(policy.lapse) for policy in policies], np.uint64),
        memory=np.array([_memory_code(policy) for policy in policies], np.int64),
        remember=np.array(
            [chance_threshold(policy.memory) if isinstance(policy.memory, float) else 0 for policy in policies],
            np.uint64,
        ),
        at=row_starts(S.COUNTERS, axis_sizes(rules, table)),
        marks=np.array([0, *running_marks(len(table.arrangements))], np.int64),
    )


def _memory_code(policy: Policy) -> int:
    names = {"perfect": S.PERFECT, "none": S.NONE, "top_card": S.TOP_CARD}
    return S.CHANCE if isinstance(policy.memory, float) else names[policy.memory]


def _rules_record(rules: Rules, policies: tuple[Policy, ...]) -> NDArray[np.void]:
    record = np.zeros(1, S.RULES)
    r = record[0]
    steps = rules["exchange"]
    r["n_steps"] = len(steps)
    discards = 0
    for index, step in enumerate(steps):
        r["offset"][index] = STEPS.index(step)
        if step == "discard":
            r["kind"][index] = min(discards, P.NUMBERED_DISCARDS - 1)
            discards += 1
        else:
            r["kind"][index] = P.NUMBERED_DISCARDS + P.DIRECTIONS.index(step)
    aces = 0 if rules["discard_aces"] else 0b1111 << 3 * ACE_RANK
    r["discardable"] = (1 << DECK) - 1 - aces
    r["hunt_order"] = ("ascending", "descending", "shuffled").index(rules["hunt_order"])
    r["wolf_order"] = ("left_of_dingo", "left_of_dealer", "random").index(rules["wolf_order"])
    r["circles"] = 2 if rules["wolf_turns"] == "until_pass" else 1
    r["turns"] = 4 if rules["dingo_player_may_wolf"] else 3
    r["first_wolf_to"] = ("dingo_player", "owner", "discard").index(rules["first_wolf_to"])
    r["ace_turns"] = 4 if rules["ace_dingo_player_turn"] else 3
    r["ace_needs"] = rules["ace_rabbit_needs"]
    r["caught_penalty"] = rules["caught"] == "penalty"
    r["tie_break"] = ("highest_rabbit", "highest_value", "shared").index(rules["tie_break"])
    r["points"][:] = [P.rank_points(rank, rules) for rank in range(13)]
    r["alive"], r["dead"] = rules["points.ace_rabbit_alive"], rules["points.ace_rabbit_dead"]
    r["noise"] = any(chance > 0 for policy in policies for chance in policy.noise.values())
    chances = [policy.noise[kind] for policy in policies for kind in P.KINDS[: P.EXCHANGE_KINDS]]
    r["all_noise"] = all(chance == 1 for chance in chances)
    r["lapses"] = any(policy.lapse > 0 for policy in policies)
    r["forgets"] = any(policy.memory != "perfect" for policy in policies)
    r["score_low"], r["score_step"], r["score_bins"] = score_bins(rules)
    return record


def _by_seat(masks: list[NDArray[np.uint64]], seatings: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Rank masks of policies -> seat fields of seatings, flat."""
    table = np.stack(masks)[seatings]
    return np.ascontiguousarray(
        np.bitwise_or.reduce(
            table << np.arange(0, 64, 16, dtype=np.uint64).reshape(1, 4, *[1] * (table.ndim - 2)), axis=1
        ).reshape(-1)
    )


class _Features:
    """Features of every situation under the rules that policies see, and the policies' tables made from them; what is
    legal is up to `rules`.
    """

    def __init__(self, rules: Rules, seen: Rules) -> None:
        self.rules = rules
        self.cards, self.card_index = _card_matrix(_key(seen))
        self.turns, self.lone = _lone_matrix(_key(seen))
        self.both = _both_matrix(_key(seen))
        self.ace_options, self.ace = _ace_matrix(_key(seen), rules["ace_rabbit_needs"])

    def exchange_table(self, policy: Policy) -> NDArray[np.uint16]:
        """(7 * 1024,), see Setup.exchange. There are 832 held cards in a situation, so an entry has at most 16 bits."""
        tables = []
        for kind in P.KINDS[: P.EXCHANGE_KINDS]:
            worth = self.cards @ _weights(policy, kind, P.CARD_FEATURES)
            # Equal worths share a place in the order; the lowest worth has the largest.
            order = np.unique(-worth, return_inverse=True)[1]
            table = np.zeros(STATES, np.int64)
            discardable = self.rules["discard_aces"] or not kind.startswith("discard")
            value = (1 + order.astype(np.int64)) << 6 | (63 - self.card_index[:, 1])
            legal = discardable | (self.card_index[:, 1] < 3 * ACE_RANK)
            np.maximum.at(table, self.card_index[legal, 0], value[legal])
            tables.append(table)
        return np.concatenate(tables).astype(np.uint16)

    def lone_masks(self, policy: Policy) -> NDArray[np.uint64]:
        """(8, 7) sets of ranks at which the one wolf is laid."""
        lays = self.lone @ _weights(policy, "lone_wolf", P.LONE_FEATURES) > 0
        return _rank_masks(lays.reshape(12, S.CIRCLES * S.TURNS, len(P.WHEREABOUTS)))

    def both_masks(self, policy: Policy) -> NDArray[np.uint64]:
        """(8, 2) sets of ranks at which one, two wolves are laid."""
        scores = (self.both @ _weights(policy, "both_wolves", P.BOTH_FEATURES)).reshape(12, S.CIRCLES * S.TURNS, 2)
        one = (scores[..., 0] > 0) & (scores[..., 0] >= scores[..., 1])
        two = (scores[..., 1] > 0) & (scores[..., 1] > scores[..., 0])
        return _rank_masks(np.stack([one, two], axis=-1))

    def ace_table(self, policy: Policy) -> NDArray[np.uint8]:
        """(1080,) choices, see Setup.ace."""
        scores = self.ace @ _weights(policy, "ace", P.ACE_FEATURES)
        table = np.zeros(ACE_STATES, np.uint8)
        best = np.zeros(ACE_STATES, np.int64)
        # Options come from least to most laid, so a tie stays with less.
        for (index, laid, rabbit), score in zip(self.ace_options, scores.tolist(), strict=True):
            if score > best[index]:
                best[index], table[index] = score, laid | rabbit << 2
        return table


def _weights(policy: Policy, kind: str, names: tuple[str, ...]) -> NDArray[np.int64]:
    given = policy.weights[kind]
    return np.array([round(given.get(name, 0.0) * WEIGHT_UNIT) for name in names], np.int64)


def _rank_masks(chosen: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """(12, ...) yes or no -> (...) sets of ranks."""
    powers = (np.uint64(1) << np.arange(12, dtype=np.uint64)).reshape(12, *[1] * (chosen.ndim - 1))
    return np.asarray((chosen * powers).sum(axis=0), np.uint64)


RuleKey = tuple[tuple[str, object], ...]


def _key(rules: Rules) -> RuleKey:
    return tuple(rules.items())


def _row(features: Mapping[str, int], names: tuple[str, ...]) -> list[int]:
    return [features.get(name, 0) for name in names]


@lru_cache(maxsize=4)
def _card_matrix(key: RuleKey) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Features of every card that can be held in every situation of its rank, and (situation, card) of each row."""
    rules = dict(key)
    rows, index = [], []
    for rank in range(13):
        n = 4 if rank == ACE_RANK else 3
        for states in product(range(4), repeat=n):
            # The low bit of a state is "held or passed", the high bit "discarded or passed": see
            # exchange_turn.
            low = sum((state in (P.HELD, P.PASSED)) << i for i, state in enumerate(states))
            high = sum((state in (P.DISCARDED, P.PASSED)) << i for i, state in enumerate(states))
            situation = 64 * rank + (low | high << n)
            padded = (*states, P.UNKNOWN) if n == 3 else states
            for suit, state in enumerate(states):
                if state == P.HELD:
                    rows.append(_row(P.card_features(rank, suit, padded, rules), P.CARD_FEATURES))  # type: ignore[arg-type]
                    index.append((situation, ACE_RABBIT if suit == 3 else 3 * rank + suit))
    return np.array(rows, np.int64), np.array(index, np.int64)


def _turns(rules: Rules) -> list[P.Turn]:
    """All turns, by rank, circle and place; turns that do not exist under the rules stand in as the circle's last."""
    n = 4 if rules["dingo_player_may_wolf"] else 3
    return [
        P.Turn(rank, circle, min(place, n - 1), max(n - 1 - place, 0), place == 3)
        for rank, circle, place in product(range(12), range(S.CIRCLES), range(S.TURNS))
    ]


@lru_cache(maxsize=4)
def _lone_matrix(key: RuleKey) -> tuple[list[P.Turn], NDArray[np.int64]]:
    rules = dict(key)
    turns = _turns(rules)
    rows = [_row(P.lone_features(turn, where, rules), P.LONE_FEATURES) for turn in turns for where in P.WHEREABOUTS]
    return turns, np.array(rows, np.int64)


@lru_cache(maxsize=4)
def _both_matrix(key: RuleKey) -> NDArray[np.int64]:
    rules = dict(key)
    rows = [_row(P.both_features(turn, n, rules), P.BOTH_FEATURES) for turn in _turns(rules) for n in (1, 2)]
    return np.array(rows, np.int64)


@lru_cache(maxsize=4)
def _ace_matrix(key: RuleKey, needs: int) -> tuple[list[tuple[int, int, int]], NDArray[np.int64]]:
    """(situation, wolves laid, rabbit laid) of every option that lays something and is legal where the ace rabbit needs
    `needs` wolves, least first, and its features.
    """
    rules = dict(key)
    options, rows = [], []
    spaces = (range(4), range(2), range(3), range(5), range(3), range(3))
    for index, (to_act, is_dingo, held, rabbit, out, partner) in enumerate(product(*spaces)):
        turn = P.AceTurn(to_act, bool(is_dingo), held, rabbit, out, partner)
        for laid in range(min(held, 2 - out) + 1):
            may = rabbit == P.RABBIT_HELD and out + laid >= needs
            for with_rabbit in range(may + 1):
                if laid or with_rabbit:
                    options.append((index, laid, with_rabbit))
                    rows.append(_row(P.ace_features(turn, laid, bool(with_rabbit), rules), P.ACE_FEATURES))
    return options, np.array(rows, np.int64)
