"""Tiles of Domino Rounce and how they become numbers.

The double-six set: tile (high, low) with 6 >= high >= low >= 0 is number high * (high + 1) / 2 + low, 0
(`0-0`) to 27 (`6-6`), so a hand is the low 28 bits of one word. Under trump t a tile bearing t belongs to
suit t alone, with its other end (a double: t) as rank; any other tile belongs to both of its ends' suits,
the other end being its rank there.
"""

from __future__ import annotations

ENDS = 7
TILES = 28
MAX_SEATS = 4
MAX_HAND = 7

PAIRS = tuple((high, low) for high in range(ENDS) for low in range(high + 1))
TILE_NAMES = tuple(f"{high}-{low}" for high, low in PAIRS)
TILE_INDEX = {name: index for index, name in enumerate(TILE_NAMES)}


def suits_of(tile: int, trump: int) -> tuple[int, ...]:
    """Suits a tile belongs to, the higher end first."""
    high, low = PAIRS[tile]
    if trump in (high, low):
        return (trump,)
    return (high,) if high == low else (high, low)


def rank_in(tile: int, suit: int, doubles_high: bool) -> int:
    """Rank 0 to 6 of a tile in a suit it bears; 7 for a double that ranks above all."""
    high, low = PAIRS[tile]
    if high == low:
        return ENDS if doubles_high else high
    return low if suit == high else high


def names_of(tiles: int) -> list[str]:
    """Names of the tiles of a bitset, lowest number first."""
    return [name for index, name in enumerate(TILE_NAMES) if tiles >> index & 1]
