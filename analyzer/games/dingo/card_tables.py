"""Tables of what the 40 cards are worth and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analyzer.games.common.formulas import TWELFTHS, counter, needs_free_deals, points_mean, share
from analyzer.games.dingo.axes import KINDS, SUITS, kind_of
from analyzer.games.dingo.cards import CARD_INDEX, DECK
from analyzer.games.dingo.formulas import win_mean
from analyzer.games.spec import Array, ColumnSpec, Counters, Of, PictureSpec, Ratio, Setting, TableSpec

CARDS = "Cards"

_IN_KIND = np.array([[kind_of(card) == kind for card in range(DECK)] for kind in KINDS], dtype=np.float64)
"""(kind, card): 1 where the card is of the kind."""

_ENDINGS_OF = {
    "dingo": ("discarded", "scored", "died", "overlooked"),
    "wolf": ("discarded", "laid only", "laid first", "laid second", "left"),
    "ace wolf": ("discarded", "ace wolf", "left"),
    "ace rabbit": ("discarded", "alive", "dead", "hidden"),
}
_SUIT_NAMES = {"H": "dingo ♥", "S": "wolf ♠", "C": "wolf ♣", "D": "rabbit ♦"}


def endings_of(card: str) -> tuple[str, ...]:
    """The ends that a card can come to."""
    kind = kind_of(CARD_INDEX[card])
    return _ENDINGS_OF.get(kind) or _ENDINGS_OF[SUITS[card[1]]]


def rank_and_suit(card: str) -> tuple[str, str]:
    """Where a card stands in a heat map: its rank along x, its suit in words along y."""
    return card[0], _SUIT_NAMES[card[1]]


_DEALT = counter("dealt", -1)


def _kinds(values: Of) -> Of:
    """Numbers of cards summed by kind; (leading, kind)."""
    return lambda c, s: values(c, s) @ _IN_KIND.T


def _more_than_average(total: Of, dealt: Of, mean: Callable[[Counters, Setting], Array], scale: float) -> Of:
    """What the hands that were dealt a card got, minus the mean of all hands."""
    return lambda c, s: total(c, s) / (scale * dealt(c, s)) - mean(c, s)[..., None]


def _values(total_win: Of, total_points: Of, dealt: Of) -> tuple[ColumnSpec, ColumnSpec]:
    win = Ratio(_more_than_average(total_win, dealt, win_mean, TWELFTHS), dealt)
    points = Ratio(_more_than_average(total_points, dealt, points_mean, 1.0), dealt)
    return (
        ColumnSpec("win_share", "Win share minus the average hand's", "share", win, -1.0, 1.0),
        ColumnSpec("points", "Points minus the average hand's", "points", points),
    )


def _first_discard(c: Counters, s: Setting) -> Array:
    """Cards put away at the first discard, (leading, card); not a number when the exchange has no discard."""
    for index, label in enumerate(s.axes["handling"]):
        if label.endswith("discard"):
            return c["handling"][..., index]
    return np.full(c["handling"].shape[:-1], np.nan)


_HEATS = tuple(
    PictureSpec("heat", f"cards_{column}", title, (column,), "Rank", "Suit", diverging=True, cell=rank_and_suit)
    for column, title in (
        ("win_share", "What a dealt card is worth in win share"),
        ("points", "What a dealt card is worth in points"),
    )
)

CARD_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "card_kinds",
        "What kinds of cards are worth",
        "What a hand that was dealt a card of this kind gets more than the average hand. Who is dealt what "
        "is chance, so the difference is due to the card. Low ranks are 2 to 9, high ones T to K.",
        ("kind",),
        (
            *_values(_kinds(counter("card_win")), _kinds(counter("card_points")), _kinds(_DEALT)),
            share(
                "kept",
                "Kept to the hunt by the hand dealt it",
                _kinds(lambda c, s: c["handling"][..., -1]),
                _kinds(_DEALT),
            ),
            share(
                "first_discard",
                "Put away at the first discard by the hand dealt it",
                _kinds(_first_discard),
                _kinds(_DEALT),
            ),
        ),
        pictures=(
            PictureSpec(
                "intervals",
                "card_kinds",
                "What kinds of cards are worth",
                ("win_share",),
                "Kind",
                diverging=True,
            ),
        ),
        section=CARDS,
        absent=needs_free_deals("card"),
    ),
    TableSpec(
        "cards",
        "What each card is worth",
        "What a hand that was dealt the card gets more than the average hand.",
        ("card",),
        _values(counter("card_win"), counter("card_points"), _DEALT),
        pictures=_HEATS,
        section=CARDS,
        absent=needs_free_deals("card"),
        folded=True,
    ),
    TableSpec(
        "card_handling",
        "What the hand dealt a card did with it",
        "Discarded or passed at which step of the exchange, or kept to the hunt; sums to 1 for each card. "
        "What happened to it in other hands afterwards is in its end.",
        ("card", "handling"),
        (share("share", "Share of deals", counter("handling"), lambda c, s: _DEALT(c, s)[..., None]),),
        pictures=(
            PictureSpec("stacked", "card_handling", "What the hand dealt a card did with it", ("share",), "Card"),
        ),
        section=CARDS,
        folded=True,
    ),
    TableSpec(
        "card_ending",
        "How each card ended",
        "Sums to 1 for each card. Wolves: laid as the only one, first or second of two, or left in hand. "
        "Dingoes: scored, died (no wolf came) or overlooked.",
        ("card", "ending"),
        (share("share", "Share of deals", counter("ending"), lambda c, s: _DEALT(c, s)[..., None]),),
        pictures=(PictureSpec("stacked", "card_ending", "How each card ended", ("share",), "Card"),),
        section=CARDS,
        keep=lambda labels, setting: labels[1] in endings_of(labels[0]),
        folded=True,
    ),
)
