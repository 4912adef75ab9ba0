"""Tables of the hunts of the rabbits 2 to K: outcomes and lone first wolves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analyzer.games.common.formulas import TWELFTHS, counter, played, points_each, share
from analyzer.games.dingo.axes import ARMS
from analyzer.games.dingo.cards import HUNTED
from analyzer.games.dingo.formulas import ESCAPED, PLAYED, hunts, outcome, over_ranks
from analyzer.games.dingo.policies import rank_points
from analyzer.games.spec import Array, ColumnSpec, Counters, Of, PictureSpec, Ratio, Rules, Setting, TableSpec

HUNTS, LONE = "Hunts", "Lone wolves"
_X_LABELS = {"rank": "Rank", "place": "Turn in the circle"}

_OUTCOME_LABELS = ("No dingo", "Dingo overlooked", "No wolf", "One wolf", "Two wolves")
NO_DINGO, OVERLOOKED, NO_WOLF, ONE_WOLF, TWO_WOLVES = range(5)


def dingo_player_values(rules: Rules) -> tuple[int, ...]:
    """Multiples of the rank's points that each outcome brings the dingo's holder for dingo and first wolf."""
    return (
        0,
        -1 if rules["caught"] == "penalty" else 0,
        -1,
        1,
        2 if rules["first_wolf_to"] == "dingo_player" else 1,
    )


def wolf_player_values(rules: Rules) -> tuple[int, ...]:
    """Multiples of the rank's points that each outcome brings the wolf players together, for the rabbit and
    their wolves."""
    return (0, 0, 0, 2, 3 if rules["first_wolf_to"] == "owner" else 2)


def _brought(values: Callable[[Rules], tuple[int, ...]]) -> Of:
    """Points by rank that the hunts brought."""

    def total(c: Counters, s: Setting) -> Array:
        points = np.array([rank_points(rank, s.rules) for rank in range(len(HUNTED))])
        return np.asarray((c["outcome"] * np.array(values(s.rules))).sum(-1) * points)

    return total


def _outcome_shares(rows: int) -> tuple[ColumnSpec, ...]:
    """Shares of the five outcomes and what follows from them, by rank (`rows` = 1) or over all ranks (0)."""

    def counted(*which: int) -> Of:
        return outcome(*which) if rows else over_ranks(outcome(*which))

    of = played(1) if rows else hunts()
    names = ("no_dingo", "overlooked", "no_wolf", "one_wolf", "two_wolves")
    return (
        *(
            share(name, label, counted(index), of)
            for index, (name, label) in enumerate(zip(names, _OUTCOME_LABELS, strict=True))
        ),
        share("nothing_scored", "Nobody scored", counted(*ESCAPED), of, "No dingo on the table, or no wolf."),
        share("dingo_dies", "A played dingo dies", counted(NO_WOLF), counted(*PLAYED)),
    )


HUNT_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "hunts",
        "Hunts by rank",
        "How the hunts of the rabbits 2 to K end, and the points a hunt brings on average: to the dingo's "
        "holder for dingo and first wolf, to "
        'the wolf players for the rabbit and their wolves. When caught = "penalty" an overlooked dingo '
        "costs its holder its points here.",
        ("rank",),
        (
            *_outcome_shares(1),
            points_each("dingo_points", "Points to the dingo player", _brought(dingo_player_values), played(1)),
            points_each("wolf_points", "Points to the wolf players", _brought(wolf_player_values), played(1)),
        ),
        pictures=(
            PictureSpec(
                "stacked",
                "hunts",
                "Hunt outcomes by rank",
                ("no_dingo", "overlooked", "no_wolf", "one_wolf", "two_wolves"),
                "Rank",
                "Share of deals",
            ),
        ),
        section=HUNTS,
    ),
    TableSpec(
        "hunts_overall",
        "Hunts together",
        "All hunts of the rabbits 2 to K.",
        (),
        _outcome_shares(0),
        section=HUNTS,
    ),
)


def _place_exists(place: str, setting: Setting) -> bool:
    return place != "4th" or bool(setting.rules["dingo_player_may_wolf"])


def _lone_table(
    name: str, title: str, axes: tuple[str, ...], sum_over: tuple[int, ...], of: Of, pictured: bool = False
) -> TableSpec:
    first = counter("lone_first", *sum_over)
    columns = (
        share("laid", "Hunts with a lone first wolf", first, of),
        share("overtaken", "Overtaken by a second wolf", counter("overtaken", *sum_over), first),
    )
    pictures = (PictureSpec("intervals", name, title, ("overtaken",), _X_LABELS[axes[0]]),) if pictured else ()
    return TableSpec(
        name,
        title,
        "How often a player lays one wolf as the first of a hunt, and how often another wolf then takes the "
        "rabbit, laid by another player or in a later turn.",
        axes,
        columns,
        pictures=pictures,
        section=LONE,
        keep=_keep_places(axes),
        folded=len(axes) > 1,
    )


def _keep_places(axes: tuple[str, ...]) -> Callable[[tuple[str, ...], Setting], bool] | None:
    """Whether a row's place in the circle exists under the rules."""
    if "place" not in axes:
        return None
    at = axes.index("place")
    return lambda labels, setting: _place_exists(labels[at], setting)


def _effect(counted: str, scale: float, sum_over: tuple[int, ...]) -> Of:
    """Mean of the deals in which the wolf was laid, minus that of the deals in which it was held back."""

    def value(c: Counters, s: Setting) -> Array:
        total, n = (counter(name, *sum_over)(c, s) for name in (counted, "probe_n"))
        held, laid = (total[:, arm] / (scale * n[:, arm]) for arm in range(len(ARMS)))
        return laid - held

    return value


def _value_table(
    name: str, title: str, axes: tuple[str, ...], sum_over: tuple[int, ...], pictured: bool = False
) -> TableSpec:
    n: Of = lambda c, s: counter("probe_n", *sum_over)(c, s).sum(1)  # noqa: E731
    columns = (
        ColumnSpec(
            "win_share",
            "Win share, laid minus held back",
            "share",
            Ratio(_effect("probe_win", TWELFTHS, sum_over), n),
            -1.0,
            1.0,
        ),
        ColumnSpec(
            "points",
            "Points, laid minus held back",
            "points",
            Ratio(_effect("probe_points", 1.0, sum_over), n),
        ),
    )
    pictures = tuple(
        PictureSpec(
            "intervals",
            f"{name}_{column}",
            f"{title}, in {unit}",
            (column,),
            _X_LABELS[axes[0]],
            "Laid minus held back",
            diverging=True,
        )
        for column, unit in (("win_share", "win share"), ("points", "points"))
        if pictured
    )
    return TableSpec(
        name,
        title,
        "An experiment: in a side batch one seat lays a lone first wolf or holds it back by the toss of a "
        "coin, whatever its policy would do, and all else is played by policy. The difference is what "
        "laying is worth to that seat by the end of the deal.",
        axes,
        columns,
        batch="probe",
        pictures=pictures,
        section=LONE,
        keep=_keep_places(axes),
        folded=len(axes) > 1,
    )


LONE_TABLES: tuple[TableSpec, ...] = (
    _value_table("lone_wolf_value", "What laying a lone first wolf is worth", (), (-1, -2)),
    _value_table(
        "lone_wolf_value_by_place", "What laying a lone first wolf is worth, by turn", ("place",), (-1,), True
    ),
    _value_table("lone_wolf_value_by_rank", "What laying a lone first wolf is worth, by rank", ("rank",), (-2,), True),
    _value_table(
        "lone_wolf_value_by_place_and_rank",
        "What laying a lone first wolf is worth, by turn and rank",
        ("place", "rank"),
        (),
    ),
    _lone_table("lone_wolf_overall", "Lone first wolves", (), (-1, -2), hunts()),
    _lone_table("lone_wolf_by_place", "Lone first wolves by turn", ("place",), (-1,), hunts(1), True),
    _lone_table("lone_wolf", "Lone first wolves by rank", ("rank",), (-2,), played(1), True),
    _lone_table("lone_wolf_by_place_and_rank", "Lone first wolves by turn and rank", ("place", "rank"), (), played(2)),
)
