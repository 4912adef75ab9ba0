"""What must hold of every run of Dingo, whatever the rules and policies."""

from __future__ import annotations

import numpy as np

from analyzer.games.common.formulas import conditioned, counter, played, wide
from analyzer.games.common.health import MIRROR, decided, totals, win_shares
from analyzer.games.dingo.axes import ENDINGS, OUTCOMES
from analyzer.games.dingo.cards import ACE_RABBIT, DECK, HUNTED, SEATS, rank_of
from analyzer.games.dingo.policies import rank_points
from analyzer.games.dingo.rules import ACES, HAND
from analyzer.games.spec import Array, Counters, Given, HealthSpec, Of, Rules, Setting

HANDS = len(SEATS)


def card_value(card: int, ending: str, rules: Rules) -> int:
    """Points that a card's end brings to all players together, the rabbit that a wolf catches included."""
    caught = rules["caught"] == "penalty"
    if card == ACE_RABBIT:
        dead = -int(rules["points.ace_rabbit_dead"])
        return {
            "alive": int(rules["points.ace_rabbit_alive"]),
            "dead": dead,
            "hidden": dead if caught else 0,
        }.get(ending, 0)
    times = {
        "laid only": 2,
        "laid second": 2,
        "laid first": 0 if rules["first_wolf_to"] == "discard" else 1,
        "ace wolf": 1,
        "scored": 1,
        "died": -1,
        "overlooked": -1 if caught else 0,
    }
    return times.get(ending, 0) * rank_points(rank_of(card), rules)


def _points_of_endings(c: Counters, s: Setting) -> Array:
    values = np.array([[card_value(card, ending, s.rules) for ending in ENDINGS] for card in range(DECK)])
    return np.asarray((c["ending"] * values).sum((-1, -2)))


def _ends(ending: str, *suits: int) -> Of:
    """How often the hunted ranks' cards of these suits (0 dingo, 1 and 2 wolves) ended so, by rank."""
    at = ENDINGS.index(ending)

    def count(c: Counters, s: Setting) -> Array:
        by_rank = c["ending"][..., : 3 * len(HUNTED), at].reshape(-1, len(HUNTED), 3)
        return np.asarray(by_rank[..., list(suits)].sum(-1))

    return count


def _hunts_by_cards(c: Counters, s: Setting) -> Array:
    """Hunts as the ends of cards tell them: no dingo, overlooked, no wolf, one wolf, two by the first wolf,
    two by the second, dingo scored; (leading, 7, rank)."""
    ends = (
        _ends("discarded", 0),
        _ends("overlooked", 0),
        _ends("died", 0),
        _ends("laid only", 1, 2),
        _ends("laid first", 1, 2),
        _ends("laid second", 1, 2),
        _ends("scored", 0),
    )
    return np.stack([end(c, s) for end in ends], -2)


def _hunts_by_outcome(c: Counters, s: Setting) -> Array:
    """The same seven from the outcomes."""
    by_outcome = [c["outcome"][..., index] for index in range(len(OUTCOMES))]
    *_, one, two = by_outcome
    return np.stack([*by_outcome, two, one + two], -2)


def _no_dingo_odds(c: Counters, s: Setting) -> Array:
    """Chance that random players discard a given dingo below the ace.

    The number of discards is fixed, and to random players all cards that may be discarded are alike.
    """
    discards = HANDS * sum(step == "discard" for step in s.rules["exchange"])
    return np.asarray(discards / (DECK if s.rules["discard_aces"] else DECK - ACES))


def dealt_odds(given: Given) -> Array:
    """Chance of every card to be dealt to every seat when some are given; (1, card, seat)."""
    sure = np.array([[held >> card & 1 for card in range(DECK)] for held in _held(given)], dtype=np.float64)
    left = DECK - sure.sum()
    wanted = HAND - sure.sum(axis=1, keepdims=True)
    chances = np.where(sure.any(axis=0), sure, wanted / max(left, 1))
    return chances.T[None]


def _held(given: Given) -> list[int]:
    """Cards given to each seat, as sets."""
    return [dict(given).get(seat, 0) for seat in range(HANDS)]


_DEALT = counter("dealt", -1)

HEALTH: tuple[HealthSpec, ...] = (
    MIRROR,
    HealthSpec(
        "no_dingo_odds",
        "Hunts without a dingo come as often as the exact odds say",
        "odds",
        "random",
        lambda c, s: c["outcome"][..., OUTCOMES.index("no_dingo")],
        _no_dingo_odds,
        played(1),
        text="Four random players; the odds are the discards of all, over the cards that may be discarded.",
    ),
    HealthSpec(
        "cards_over_seats",
        "Every card is dealt to every seat equally often",
        "uniform",
        "random",
        counter("dealt"),
        lambda c, s: played(2)(c, s) / HANDS,
        scale=(DECK - 1) / DECK,
        dof=(DECK - 1) * (HANDS - 1),
        text="A hand has exactly 10 cards, which makes the plain statistic too large by 40/39.",
    ),
    HealthSpec(
        "given_odds",
        "Cards given are dealt to their seats, and every other one as often as the exact odds say",
        "odds",
        "main",
        # All plays of a unit have the same cards.
        lambda c, s: c["dealt"] / s.table.plays,
        lambda c, s: dealt_odds(s.given),
        lambda c, s: wide(c["units"], 2),
        text="Each of the other cards is as likely in every place that is left in a hand.",
        applies=conditioned,
    ),
    HealthSpec(
        "cards_dealt",
        "Every card is dealt once a deal",
        "equal",
        "main",
        _DEALT,
        lambda c, s: np.repeat(played(1)(c, s), DECK, -1),
    ),
    HealthSpec(
        "cards_handled",
        "Every card dealt is discarded, passed or kept by its hand",
        "equal",
        "main",
        counter("handling", -1),
        _DEALT,
    ),
    HealthSpec("cards_ended", "Every card dealt comes to one end", "equal", "main", counter("ending", -1), _DEALT),
    HealthSpec(
        "hunts",
        "The outcomes of the hunts agree with the ends of dingoes and wolves",
        "equal",
        "main",
        _hunts_by_cards,
        _hunts_by_outcome,
    ),
    HealthSpec(
        "points",
        "The points of all hands are those of the piles",
        "equal",
        "main",
        counter("points", -1, -2),
        _points_of_endings,
        text="The points of each card by the end it came to, with those of the rabbits caught.",
    ),
    win_shares("deal"),
    HealthSpec(
        "every_deal_once",
        "Every deal is counted once in ties, ace hunts and lead changes",
        "equal",
        "main",
        totals("top", "ace", "lead_changes"),
        lambda c, s: np.stack([decided(c, s), played()(c, s), played()(c, s)], -1),
    ),
    HealthSpec(
        "scores",
        "The histogram of scores holds every hand",
        "equal",
        "main",
        counter("score", -1),
        counter("plays"),
        text="By policy and seat.",
    ),
)
