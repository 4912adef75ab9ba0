"""What Dingo's counters are and what the positions of their axes are called.

The kernel fills `COUNTERS`; tables, findings and health checks read them. Win shares are counted in twelfths,
so that a win shared by two, three or four players is a whole number. Mark m of the running counters stands
for the first m units; its segment holds the units with an index below m that lie in no earlier segment.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from analyzer.games.dingo.cards import ACE_RANK, CARD_NAMES, HUNTED, SEATS, rank_of
from analyzer.games.dingo.grid import running_marks, score_bins
from analyzer.games.spec import CounterSpec, Rules, Table

TWELFTHS = 12
"""A whole win in the unit of the `win` counters."""

TIED = ("1", "2", "3", "4")
BROKEN = ("alone", "highest_rabbit", "highest_value", "shared")
OUTCOMES = ("no_dingo", "overlooked", "no_wolf", "one_wolf", "two_wolves")
PLACES = ("1st", "2nd", "3rd", "4th")
WOLVES_HELD = ("0", "1", "2")
RABBIT_PLACES = ("1st", "2nd", "3rd", "dingo player", "no dingo")
FATES = ("alive", "dead", "hidden", "absent")
ENDINGS = (
    "discarded",
    "laid only",
    "laid first",
    "laid second",
    "ace wolf",
    "left",
    "scored",
    "died",
    "overlooked",
    "alive",
    "dead",
    "hidden",
)
KEPT = "kept"
ARMS = ("held back", "laid")
MINUS = " − "
"""Between the two names of a pair of policies."""

SUITS = {"H": "dingo", "S": "wolf", "C": "wolf", "D": "rabbit"}
KINDS = ("low dingo", "high dingo", "ace dingo", "low wolf", "high wolf", "ace wolf", "ace rabbit")
"""Kinds of cards, by class and animal."""


def score_labels(rules: Rules) -> tuple[str, ...]:
    """Every score that the histogram tells apart; midpoints where its cells hold several scores."""
    low, width, cells = score_bins(rules)
    return tuple(f"{low + cell * width + (width - 1) / 2:g}" for cell in range(cells))


def kind_of(card: int) -> str:
    """The kind of a card 0..39, one of `KINDS`."""
    rank = rank_of(card)
    height = "ace" if rank == ACE_RANK else "high" if rank >= 8 else "low"
    return f"{height} {SUITS[CARD_NAMES[card][1]]}"


def handling_labels(rules: Rules) -> tuple[str, ...]:
    """What the hand that was dealt a card can do with it: one label a step of the exchange, then `kept`."""
    return (*(f"{index} {step}" for index, step in enumerate(rules["exchange"], 1)), KEPT)


def axes(rules: Rules, table: Table) -> Mapping[str, tuple[str, ...]]:
    """Axis name -> labels of its positions, under these rules and for this table."""
    names = tuple(policy.name for policy in table.policies)
    return {
        "seat": SEATS,
        "policy": names,
        "pair": tuple(MINUS.join(pair) for pair in combinations(names, 2)),
        "rank": HUNTED,
        "card": CARD_NAMES,
        "kind": KINDS,
        "point": score_labels(rules),
        "tied": TIED,
        "broken": BROKEN,
        "outcome": OUTCOMES,
        "place": PLACES,
        "wolves_held": WOLVES_HELD,
        "rabbit_place": RABBIT_PLACES,
        "fate": FATES,
        "handling": handling_labels(rules),
        "ending": ENDINGS,
        "changes": tuple(str(count) for count in range(len(HUNTED) + 1)),
        "arm": ARMS,
        "mark": tuple(str(mark) for mark in running_marks()),
    }


def _counters(*axes: str, names: tuple[str, ...], grouped: bool = True) -> tuple[CounterSpec, ...]:
    return tuple(CounterSpec(name, axes, grouped) for name in names)


COUNTERS: tuple[CounterSpec, ...] = (
    *_counters(names=("units", "no_winner")),
    *_counters(
        "policy",
        "seat",
        names=("seated", "plays", "win", "points", "win_sq", "points_sq", "play_points_sq", "disqualified"),
    ),
    *_counters("seat", names=("seat_win_sq", "seat_points_sq")),
    *_counters("policy", names=("policy_units", "policy_plays", "policy_win_sq", "policy_points_sq")),
    *_counters("pair", names=("pair_units", "pair_scale", "pair_win", "pair_win_sq", "pair_points", "pair_points_sq")),
    *_counters("policy", "seat", "point", names=("score",)),
    *_counters("tied", "broken", names=("top",)),
    *_counters("rank", "outcome", names=("outcome",)),
    *_counters("place", "rank", names=("lone_first", "overtaken")),
    *_counters("wolves_held", "rabbit_place", "fate", names=("ace",)),
    *_counters("card", "seat", names=("dealt",)),
    *_counters("card", names=("card_win", "card_points")),
    *_counters("card", "handling", names=("handling",)),
    *_counters("card", "ending", names=("ending",)),
    *_counters("changes", names=("lead_changes",)),
    *_counters("arm", "place", "rank", names=("probe_n", "probe_win", "probe_points")),
    *_counters("mark", "policy", "seat", names=("running_win", "running_plays"), grouped=False),
)
