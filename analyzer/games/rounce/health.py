"""What must hold of every run of Rounce, whatever the rules and policies."""

from __future__ import annotations

from math import comb

import numpy as np

from analyzer.games.common.formulas import conditioned, counter, numbers_of, played
from analyzer.games.common.health import MIRROR, totals, win_shares
from analyzer.games.rounce.axes import CALLS, DEALER, ROLES
from analyzer.games.rounce.formulas import hands, rounds
from analyzer.games.rounce.tiles import ENDS, PAIRS, TILES
from analyzer.games.spec import Array, Counters, Given, HealthSpec, Of, Setting

UNSEEN = TILES - 1
"""Tiles that the turn-up is not."""
TRUMPS = ENDS - 1
"""Trumps among them."""


def trump_odds(c: Counters, s: Setting) -> Array:
    """Chance that trump is k: k + 1 of the 28 tiles have k as their higher end; (1, trump)."""
    return (np.arange(ENDS) + 1)[None] / TILES


def trumps_odds(size: int, most: int) -> Array:
    """Chances of 0 ... `most` trumps in a hand of `size` tiles, hypergeometric."""
    ways = [comb(TRUMPS, k) * comb(UNSEEN - TRUMPS, size - k) if k <= size else 0 for k in range(most + 1)]
    return np.array(ways) / comb(UNSEEN, size)


def bound_hands(size: int, players: int, most: int) -> Array:
    """By how much the number of hands with k trumps varies more than if the hands of a round were independent (never
    below 1): 1 + (players - 1) times the correlation of two of its hands."""
    alone = trumps_odds(size, most)
    twice = np.zeros(most + 1)
    for k in range(min(size, most, TRUMPS) + 1):
        plain = UNSEEN - TRUMPS - (size - k)
        twice[k] = alone[k] * comb(TRUMPS - k, k) * comb(plain, size - k) / comb(UNSEEN - size, size)
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = np.where(alone > 0, (twice - alone**2) / (alone * (1 - alone)), 0.0)
    return np.asarray(np.maximum(1.0, 1 + (players - 1) * correlation))


def given_odds(given: Given, dealt: int) -> Array:
    """Chance of every tile to be in one of the hands, `dealt` tiles in all, and of every number to be trump, when
    some tiles are given; (1, tile + trump)."""
    sure = np.array([any(held >> tile & 1 for _, held in given) for tile in range(TILES)])
    left = TILES - sure.sum()
    tiles = np.where(sure, 1.0, (dealt - sure.sum()) / left)
    trumps = [sum(high == trump for (high, _), taken in zip(PAIRS, sure, strict=True) if not taken)
              for trump in range(ENDS)]  # fmt: skip
    return np.concatenate([tiles, np.array(trumps) / left])[None]


def _bound(s: Setting) -> Array:
    return bound_hands(int(s.rules["hand_size"]), len(s.seats), len(s.axes["trumps"]) - 1)


def _made_of_knobs(c: Counters, s: Setting) -> Array:
    """What the scores of all seats must have changed by, from how the rounds ended."""
    size, walkover, penalty = (int(s.rules[key]) for key in ("hand_size", "walkover", "rounce_penalty"))
    return np.asarray(
        c["defended_tricks"]
        - c["tricks"]
        - size * c["walkover_last"]
        - walkover * c["walkover_dealer"]
        + penalty * c["rounced"]
    )


def _from_start(c: Counters, s: Setting) -> Array:
    """Final scores of all seats together less what they started with."""
    return np.asarray(c["points"].sum((-1, -2)) - int(s.rules["start_score"]) * c["plays"].sum((-1, -2)))


def _stack(*parts: Of) -> Of:
    """Several numbers side by side; (leading, part)."""
    return lambda c, s: np.stack([part(c, s) for part in parts], -1)


def _times_hand(name: str) -> Of:
    """A number a hand, once for each of its tiles."""
    return lambda c, s: c[name] * int(s.rules["hand_size"])


def _of_dealers(*calls: str) -> Of:
    """How often dealers made these calls."""
    which = [CALLS.index(call) for call in calls]
    return lambda c, s: c["calls"][..., s.axes["position"].index(DEALER), which].sum(-1)


def _calls_due(c: Counters, s: Setting) -> Array:
    """Calls by place: one a round, but none of a dealer to whom all have folded."""
    silent = np.array([int(position == DEALER) for position in s.axes["position"]], dtype=object)
    return np.asarray(c["rounds"][..., None] - silent * c["walkover_dealer"][..., None])


def _rounds_by_length(c: Counters, s: Setting) -> Array:
    """Rounds as the lengths of matches tell them; as counted, when some match is longer than the lengths told apart."""
    labels = numbers_of(s.axes["rounds"]).astype(int).astype(object)
    told = (c["length"] * labels).sum(-1)
    return np.where(c["length"][..., -1] == 0, told, c["rounds"])


_ROLE = {role: index for index, role in enumerate(ROLES)}


def _as_trump(name: str) -> Of:
    return lambda c, s: c[name][..., _ROLE["trump"]].sum(-1)


def _trumps_in_hands(c: Counters, s: Setting) -> Array:
    return np.asarray((c["dealt_trumps"] * np.arange(len(s.axes["trumps"])).astype(object)).sum(-1))


def _dealer_alone(c: Counters, s: Setting) -> Array:
    """Change of scores in rounds where a seat made no call."""
    return np.asarray(-int(s.rules["walkover"]) * c["walkover_dealer"])


HEALTH: tuple[HealthSpec, ...] = (
    MIRROR,
    HealthSpec(
        "trump_odds",
        "Every number is trump as often as the exact odds say",
        "odds",
        "random",
        counter("trump"),
        trump_odds,
        rounds(1),
        text="Trump is k in k + 1 of 28 cases.",
    ),
    HealthSpec(
        "trumps_dealt_odds",
        "Hands hold as many trumps as the exact odds say",
        "odds",
        "random",
        lambda c, s: c["dealt_trumps"] / _bound(s),
        lambda c, s: trumps_odds(int(s.rules["hand_size"]), len(s.axes["trumps"]) - 1)[None],
        lambda c, s: hands(1)(c, s) / _bound(s),
        text="Hypergeometric: 27 unseen tiles, 6 of them trumps. The hands of a round hang together: counts that "
        "vary more than those of independent hands are taken as counts of so many fewer.",
    ),
    HealthSpec(
        "tiles_odds",
        "Every tile is dealt as often as every other",
        "odds",
        "random",
        counter("tile_n", -1),
        lambda c, s: np.asarray(len(s.seats) * int(s.rules["hand_size"]) / TILES),
        rounds(1),
    ),
    HealthSpec(
        "given_odds",
        "Tiles given are dealt every round, and every other one, and every trump, as often as the exact odds say",
        "odds",
        "main",
        lambda c, s: np.concatenate([c["tile_n"].sum(-1), c["trump"]], -1) / s.table.plays,
        lambda c, s: given_odds(s.given, len(s.seats) * int(s.rules["hand_size"])),
        lambda c, s: rounds(1)(c, s) / s.table.plays,
        text="Plays of a match may share their rounds, so counts are taken as those of one play.",
        applies=conditioned,
    ),
    HealthSpec(
        "tricks",
        "Every round that is played out gives out all its tricks",
        "equal",
        "main",
        counter("tricks"),
        _times_hand("played"),
    ),
    HealthSpec(
        "rounds",
        "Every round is played out or won without play",
        "equal",
        "main",
        totals("rounds", "trump", "lead_n"),
        lambda c, s: np.stack([c["played"] + c["walkover_dealer"] + c["walkover_last"], c["rounds"], c["played"]], -1),
        text="Rounds by their end, by trump and by opening lead.",
    ),
    HealthSpec(
        "change",
        "The scores change by what tricks, rounced players and rounds without play make",
        "equal",
        "main",
        counter("change_sum"),
        _made_of_knobs,
        text="Less the tricks, but not those of a defending dealer, less what is won without play, and the penalty for "
        "each player rounced.",
    ),
    HealthSpec(
        "scores",
        "Final scores are what everyone started with and all changes",
        "equal",
        "main",
        _from_start,
        counter("change_sum"),
    ),
    HealthSpec(
        "changes",
        "The changes are the same by place, by call, by trump and by tile",
        "equal",
        "main",
        _stack(
            counter("position_change", -1),
            counter("call_change", -1, -2),
            counter("call_trumps_change", -1, -2),
            counter("trump_change", -1),
            counter("tile_change", -1, -2),
        ),
        lambda c, s: np.stack(
            [
                c["change_sum"],
                c["change_sum"] - _dealer_alone(c, s),
                c["change_sum"] - _dealer_alone(c, s),
                c["change_sum"],
                _times_hand("change_sum")(c, s),
            ],
            -1,
        ),
        text="A dealer to whom all have folded makes no call; a hand is counted once for each of its tiles.",
    ),
    HealthSpec(
        "tricks_by_tile",
        "The tricks are the same by trump and by tile",
        "equal",
        "main",
        _stack(counter("trump_tricks", -1), counter("tile_tricks", -1, -2)),
        _stack(counter("tricks"), _times_hand("tricks")),
    ),
    HealthSpec(
        "tiles",
        "Every hand has all its tiles, and its trumps are the same however counted",
        "equal",
        "main",
        _stack(counter("tile_n", -1, -2), _as_trump("tile_n"), _as_trump("tile_n"), counter("dealt_trumps", -1)),
        _stack(
            lambda c, s: hands()(c, s) * int(s.rules["hand_size"]),
            _trumps_in_hands,
            counter("trump_rank_n", -1),
            hands(),
        ),
    ),
    HealthSpec(
        "trumps",
        "Tricks and changes of hands with trumps are the same by tile and by rank",
        "equal",
        "main",
        _stack(_as_trump("tile_tricks"), _as_trump("tile_change")),
        _stack(counter("trump_rank_tricks", -1), counter("trump_rank_change", -1)),
    ),
    HealthSpec(
        "calls",
        "Everyone calls once a round, but a dealer to whom all have folded",
        "equal",
        "main",
        counter("calls", -1),
        _calls_due,
    ),
    HealthSpec(
        "calls_by_trumps",
        "The calls are the same by place and by trumps",
        "equal",
        "main",
        counter("call_trumps_n", -1),
        counter("calls", -2),
    ),
    HealthSpec(
        "rounced",
        "Whoever is rounced has called",
        "equal",
        "main",
        _stack(counter("call_rounced", -1, -2), counter("call_trumps_rounced", -1, -2)),
        _stack(counter("rounced"), counter("rounced")),
    ),
    HealthSpec(
        "defended",
        "Every round defended had a dealer who said so",
        "equal",
        "main",
        counter("defended"),
        _of_dealers("defend", "defend and take"),
    ),
    HealthSpec(
        "places",
        "Every seat is at every place once a round",
        "equal",
        "main",
        counter("position_n"),
        rounds(1),
    ),
    win_shares("match"),
    HealthSpec(
        "every_match_once",
        "Every match is counted once by length, lead changes and end",
        "equal",
        "main",
        lambda c, s: np.stack(
            [*np.moveaxis(totals("length", "lead_changes")(c, s), -1, 0), c["comeback_n"] + c["unfinished"]], -1
        ),
        lambda c, s: played(1)(c, s),
    ),
    HealthSpec(
        "lengths",
        "The lengths of the matches make all rounds",
        "equal",
        "main",
        _rounds_by_length,
        counter("rounds"),
        text="Unless some match has 64 rounds or more.",
    ),
    HealthSpec(
        "unfinished",
        "A match without a winner is one that did not end",
        "equal",
        "main",
        counter("unfinished"),
        counter("no_winner"),
    ),
    HealthSpec(
        "first_dealers",
        "Wins and scores are the same by seat and by place from the first dealer",
        "equal",
        "main",
        totals("from_dealer_plays", "from_dealer_win", "from_dealer_points"),
        totals("plays", "win", "points"),
    ),
    HealthSpec(
        "last_leader",
        "Whoever leads alone when a match ends has won it",
        "equal",
        "main",
        lambda c, s: c["led"][..., -1],
        lambda c, s: c["led_won"][..., -1],
    ),
)
