"""Tables of the ace hunt: how often the ace rabbit lives, by what its holder has and when that player
acts."""

from __future__ import annotations

from analyzer.games.common.formulas import played, share
from analyzer.games.dingo.formulas import held_rabbit, rabbit_fate
from analyzer.games.spec import PictureSpec, Setting, TableSpec

ACE = "The ace rabbit"


def _holder_acts(place: str, setting: Setting) -> bool:
    """Whether the ace rabbit's holder can be found there; without an ace hunt only when the ace dingo may be
    gone."""
    gone = setting.rules["discard_aces"] or any(policy.lapse for policy in setting.table.policies)
    return place != "no dingo" or bool(gone)


def _ace_table(
    name: str,
    title: str,
    axes: tuple[str, ...],
    sum_over: tuple[int, ...],
    pictures: tuple[PictureSpec, ...] = (),
) -> TableSpec:
    held = held_rabbit(*sum_over)
    at = axes.index("rabbit_place") if "rabbit_place" in axes else None
    return TableSpec(
        name,
        title,
        "Ace wolves held by the ace rabbit's holder when the ace hunt opens, and when that player acts in "
        "it; an ace rabbit that was discarded is left out.",
        axes,
        (
            share("happens", "Share of deals", held, played(len(axes))),
            share("lives", "The ace rabbit lives", rabbit_fate("alive", *sum_over), held),
        ),
        pictures=pictures,
        section=ACE,
        keep=None if at is None else lambda labels, setting: _holder_acts(labels[at], setting),
    )


ACE_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "ace_rabbit_overall",
        "What becomes of the ace rabbit",
        "Alive: it was played. Absent: it was discarded.",
        (),
        (
            *(
                share(fate, fate.capitalize(), rabbit_fate(fate, -1, -2), played())
                for fate in ("alive", "dead", "hidden", "absent")
            ),
            share(
                "lives",
                "Alive, of those held to the ace hunt",
                rabbit_fate("alive", -1, -2),
                held_rabbit(-1, -2),
            ),
        ),
        section=ACE,
    ),
    _ace_table(
        "ace_rabbit_by_wolves",
        "The ace rabbit by ace wolves held",
        ("wolves_held",),
        (-1,),
        (
            PictureSpec(
                "intervals",
                "ace_rabbit_by_wolves",
                "How often the ace rabbit lives",
                ("lives",),
                "Ace wolves held with it",
            ),
        ),
    ),
    _ace_table("ace_rabbit_by_place", "The ace rabbit by its holder's turn", ("rabbit_place",), (-2,)),
    _ace_table("ace_rabbit", "The ace rabbit by ace wolves held and turn", ("wolves_held", "rabbit_place"), ()),
)
