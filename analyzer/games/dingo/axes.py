"""What Dingo's counters are and what the positions of their axes are called.

The kernel fills `COUNTERS`; tables, findings and health checks read them.
"""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.games.common.counters import UNIT_COUNTERS, counters, unit_axes
from analyzer.games.common.tables import Words
from analyzer.games.dingo.cards import ACE_RANK, CARD_NAMES, HUNTED, SEATS, rank_of
from analyzer.games.dingo.grid import score_bins
from analyzer.games.spec import CounterSpec, Rules, Table

WORDS = Words(plays="deals", unit="deal", dealt="cards", points="Points", fair="a quarter", whose="a hand's points")

TIED = ("1", "2", "3", "4")
BROKEN = ("alone", "highest_rabbit", "highest_value", "shared", "highest_value, shared")
"""What decided between equal top scores; last, when the value only narrowed the tie and those left share."""
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
    return {
        **unit_axes(SEATS, table),
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
    }


RECORDS = (
    ("tied", "seats that had the top score; 0 if all were disqualified"),
    ("broken", f"what decided between them: index into {', '.join(BROKEN)}"),
    ("lead_changes", "how often the sole lead went to another seat"),
    ("hunted", "rabbits of 2 to K that were caught"),
    ("ace_dingo", "seat of the ace dingo that was played (0 to 3), or -1"),
    ("ace_wolves", "ace wolves laid"),
    ("rabbit_seat", "seat that held the ace rabbit after the exchange, or -1"),
    ("rabbit_fate", f"index into {', '.join(FATES)}"),
)
"""Fields of the record of a deal, after win shares and points."""

COUNTERS: tuple[CounterSpec, ...] = (
    *UNIT_COUNTERS,
    *counters("policy", "seat", names=("disqualified",)),
    *counters("seat", names=("seat_win_sq", "seat_points_sq")),
    *counters("policy", "seat", "point", names=("score",)),
    *counters("tied", "broken", names=("top",)),
    *counters("rank", "outcome", names=("outcome",)),
    *counters("place", "rank", names=("lone_first", "overtaken")),
    *counters("wolves_held", "rabbit_place", "fate", names=("ace",)),
    *counters("card", "seat", names=("dealt",)),
    *counters("card", names=("card_win", "card_points")),
    *counters("card", "handling", names=("handling",)),
    *counters("card", "ending", names=("ending",)),
    *counters("changes", names=("lead_changes",)),
    *counters("arm", "place", "rank", names=("probe_n", "probe_win", "probe_points")),
)
