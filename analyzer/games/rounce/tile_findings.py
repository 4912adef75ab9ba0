"""What a run of Rounce says of tiles: the best and the worst to be dealt, what a trump is worth, and opening leads.

Who is dealt which tile is chance, so what a dealt tile brings is due to the tile, whatever the players then did
with it.
"""

from __future__ import annotations

from analyzer.games.common.claims import (
    Estimate,
    Results,
    Select,
    Values,
    all_known,
    flipped,
    leaders,
    listed,
    rows,
    together,
)
from analyzer.games.spec import FindingSpec, Setting

MANY_TILES = 5
"""More tiles than these that cannot be told apart are no answer."""


def _gains(results: Results, setting: Setting, table: str, axis: str) -> dict[str, Estimate]:
    """By how much more the score falls (or less it rises) than the average hand's, by row, with intervals that hold for
    all rows at once; none when one is not known."""
    found = {row[axis]: row["change"] for row in rows(results, table)}
    if not all_known(found.values()):
        return {}
    return {label: flipped(together(value, len(found), results, setting)) for label, value in found.items()}


def _tile(table: str, sign: int) -> Select:
    """The best (+1) or worst (-1) tile to be dealt, with those that the run does not tell from it."""

    def select(results: Results, setting: Setting) -> Values:
        gains = _gains(results, setting, table, "tile")
        signed = gains if sign > 0 else {tile: flipped(gain) for tile, gain in gains.items()}
        group = leaders(signed)
        if not group or len(group) > MANY_TILES or signed[group[0]]["low"] <= 0:
            return None
        # No order is known among tiles that are not told apart, so they stand in the order of the set.
        names = listed(sorted(group, key=list(gains).index))
        return {
            "tiles": f"tiles to be dealt are {names}" if group[1:] else f"tile to be dealt is {names}",
            "top": group[0],
            "points": signed[group[0]],
        }

    return select


def _trumps(results: Results, setting: Setting) -> Values:
    gains = _gains(results, setting, "trump_ranks", "trump_rank")
    if not gains:
        return None
    order = sorted(gains, key=lambda rank: -gains[rank]["estimate"])
    best, worst = order[0], order[-1]
    if gains[best]["low"] <= max(0.0, gains[worst]["high"]):
        return None
    return {"best": _ranked(best), "most": gains[best], "worst": _ranked(worst), "least": gains[worst]}


def _ranked(rank: str) -> str:
    return {"7": "the trump double", "0": "the trump with a blank"}.get(rank, f"the trump of rank {rank}")


def _leads(results: Results, setting: Setting) -> Values:
    won = {row["lead_kind"]: row["won"] for row in rows(results, "leads_by_kind")}
    if not all_known(won.values()):
        return None
    wide = {kind: together(value, len(won), results, setting, share=True) for kind, value in won.items()}
    return {"trump": wide["trump"], "plain": wide["plain"]}


FIRST: tuple[FindingSpec, ...] = (
    FindingSpec(
        "best_tile",
        "What is the best tile to be dealt?",
        "The best {tiles}: a hand dealt {top} scores {points:points} a round better than the average hand.",
        _tile("tiles", 1),
    ),
    FindingSpec(
        "trump_worth",
        "What is a trump worth?",
        "A hand dealt {best} scores {most:points} a round better than the average hand, one dealt {worst} "
        "{least:points} better.",
        _trumps,
    ),
)

MORE: tuple[FindingSpec, ...] = (
    FindingSpec(
        "worst_tile",
        "What is the worst tile to be dealt?",
        "The worst {tiles}: a hand dealt {top} scores {points:points} a round worse than the average hand.",
        _tile("tiles", -1),
    ),
    FindingSpec(
        "best_plain_tile",
        "Which tile is best when it is no trump?",
        "When it is no trump the best {tiles}: a hand dealt {top} scores {points:points} a round better than the "
        "average hand.",
        _tile("tiles_as_plain", 1),
    ),
    FindingSpec(
        "opening_leads",
        "What becomes of the opening lead?",
        "An opening lead of a trump wins its trick in {trump:percent} of cases, one of a plain suit in "
        "{plain:percent}.",
        _leads,
    ),
)
