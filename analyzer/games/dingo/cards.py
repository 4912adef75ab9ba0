"""Cards of Dingo and how they become numbers.

Ranks 2 3 4 5 6 7 8 9 T J Q K A are 0..12. Card = 3 * rank + suit with suit H (dingo) 0, S (wolf) 1, C
(wolf) 2, so a rank's three cards are neighbours and a hand of the 40-card main deck is the low 40 bits of
one word. The ace rabbit AD is card 39, so that the ace rank has four bits. The rabbits 2..K (diamonds,
the table pile) are never in a hand and have no number.
"""

from __future__ import annotations

RANKS = "23456789TJQKA"
SEATS = ("S", "W", "N", "E")
HUNTED = tuple(RANKS[:12])

DECK = 40
ACE_RABBIT = 39
ACE_RANK = 12

CARD_NAMES = (*(rank + suit for rank in RANKS for suit in "HSC"), "AD")
CARD_INDEX = {name: index for index, name in enumerate(CARD_NAMES)}


def rank_of(card: int) -> int:
    """Rank 0..12 of a card 0..39."""
    return ACE_RANK if card == ACE_RABBIT else card // 3


def names_of(cards: int) -> list[str]:
    """Names of the cards of a bitset, lowest card first."""
    return [name for index, name in enumerate(CARD_NAMES) if cards >> index & 1]
