"""Tables of what the 28 tiles and the ranks of trumps are worth to the hand that is dealt them."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.games.common.formulas import counter, needs_free_deals
from analyzer.games.rounce.axes import ROLES
from analyzer.games.rounce.formulas import average_hand, of_tiles, of_trump_ranks, rank_exists
from analyzer.games.rounce.tiles import TILE_NAMES
from analyzer.games.spec import Array, ColumnSpec, Of, PictureSpec, Ratio, Setting, TableSpec

TILES = "Tiles"

NEVER_A_TRUMP = TILE_NAMES[0]
"""The one tile that is never dealt as a trump: blanks are trumps only when it is turned up itself."""

_DUE_TO_CHANCE = (
    "Who is dealt what is chance, so the difference from the average hand of rounds with such a trump is due to the "
    "tile. Tiles turned up or in the boneyard count for nobody. Scores go down to 0, so a negative change is good."
)


def high_and_low(tile: str) -> tuple[str, str]:
    """Where a tile stands in a triangular heat map: its high end along x, its low end along y."""
    high, low = tile.split("-")
    return high, low


def _role(name: str, role: str | None) -> Of:
    """A counter by tile and role, of one role or of both."""
    if role is None:
        return counter(name, -1)
    at = ROLES.index(role)
    return lambda c, s: c[name][..., at]


def _columns(of: Callable[[str], Of], weights: Callable[[Setting], Array]) -> tuple[ColumnSpec, ...]:
    """Tricks and change of the hands that were dealt a tile, less those of the average hand. `of`: `n`, `tricks` or
    `change` -> counter by row."""
    n = of("n")

    def more(what: str) -> Of:
        total, average = of(what), average_hand(what, weights)
        return lambda c, s: total(c, s) / n(c, s) - average(c, s)

    return (
        ColumnSpec("tricks", "Tricks minus the average hand's", "count", Ratio(more("tricks"), n)),
        ColumnSpec("change", "Change of the score minus the average hand's", "points", Ratio(more("change"), n)),
    )


def _tile_table(name: str, title: str, role: str | None, as_what: str) -> TableSpec:
    pictures = tuple(
        PictureSpec(
            "heat",
            f"{name}_{column}",
            f"What a tile dealt {as_what}brings in {unit}",
            (column,),
            "High end",
            "Low end",
            diverging=True,
            cell=high_and_low,
        )
        for column, unit in (("change", "points (less is better)"), ("tricks", "tricks"))
    )
    return TableSpec(
        name,
        title,
        f"What a hand that was dealt the tile {as_what}gets more than the average hand. {_DUE_TO_CHANCE}",
        ("tile",),
        _columns(lambda what: _role(f"tile_{what}", role), of_tiles(role)),
        pictures=pictures if role else pictures[:1],
        section=TILES,
        keep=(lambda labels, setting: labels[0] != NEVER_A_TRUMP) if role == "trump" else None,
        absent=needs_free_deals("tile"),
        folded=True,
    )


TILE_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "trump_ranks",
        "What each rank of trump is worth",
        "What a hand that was dealt the trump of this rank gets more than the average hand; 7 is a double that ranks "
        f"above all. {_DUE_TO_CHANCE}",
        ("trump_rank",),
        _columns(lambda what: counter(f"trump_rank_{what}"), of_trump_ranks),
        pictures=tuple(
            PictureSpec(
                "intervals",
                f"trump_ranks_{column}",
                f"What a trump brings in {unit}, by rank",
                (column,),
                "Rank of the trump",
                diverging=True,
            )
            for column, unit in (("change", "points (less is better)"), ("tricks", "tricks"))
        ),
        section=TILES,
        keep=lambda labels, setting: rank_exists(labels[0], setting),
        absent=needs_free_deals("tile"),
    ),
    _tile_table("tiles", "What each tile is worth", None, ""),
    _tile_table("tiles_as_trump", "What each tile is worth as a trump", "trump", "as a trump "),
    _tile_table("tiles_as_plain", "What each tile is worth when it is no trump", "plain", "as a plain tile "),
)
