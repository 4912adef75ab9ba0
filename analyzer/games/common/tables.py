"""Tables that every game has: who wins by policy and seat, policies against each other, luck and skill, and the
win share as it settles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from analyzer.games.common.formulas import (
    TWELFTHS,
    counter,
    edges_of,
    fair_share,
    needs_policies,
    seated,
)
from analyzer.games.common.seating import places
from analyzer.games.spec import (
    Array,
    ColumnSpec,
    Counters,
    LuckPart,
    Mean,
    Of,
    PictureSpec,
    Quantile,
    Running,
    Setting,
    Spread,
    TableSpec,
    Unit,
)

WINS, LUCK = "Who wins", "Luck"


@dataclass(frozen=True)
class Words:
    """What a game calls the things that all games have."""

    plays: str
    """What is played and counted: `deals`."""
    unit: str
    """One of them."""
    dealt: str
    """What chance hands out: `cards`."""
    points: str
    """What the points of a seat are, as the head of a column: `Points`."""
    fair: str
    """How large a fair share is, in words."""
    whose: str
    """Whose points vary: `the points of a seat`."""


def win_share(total: Of, squares: Of, units: Of, plays: Of, *, difference: bool = False) -> ColumnSpec:
    """Mean win share over units; `plays` are those of the row in a unit."""

    def twelfths(c: Counters, s: Setting) -> Array:
        return TWELFTHS * plays(c, s)

    label = "Win share, first minus second" if difference else "Win share"
    low = -1.0 if difference else 0.0
    return ColumnSpec("win_share", label, "share", Mean(total, squares, units, twelfths), low, 1.0)


def points(words: Words, total: Of, squares: Of, units: Of, plays: Of, *, difference: bool = False) -> ColumnSpec:
    """Mean points over units; `plays` are those of the row in a unit."""
    label = f"{words.points}, first minus second" if difference else words.points
    return ColumnSpec("points", label, "points", Mean(total, squares, units, plays))


def in_unit(top: str, bottom: str) -> Of:
    """Plays in a unit: all plays over the units they are in, both counted."""
    return lambda c, s: c[top] / c[bottom]


def seat_plays(c: Counters, s: Setting) -> Array:
    """Plays of a seat in a unit."""
    return np.asarray(float(s.table.plays))


def win_intervals(name: str, title: str, x_label: str) -> tuple[PictureSpec, ...]:
    """The win shares of a table beside the fair share."""
    return (PictureSpec("intervals", name, title, ("win_share",), x_label, reference_of=fair_share),)


def seat_places(labels: tuple[str, ...], setting: Setting) -> object:
    """What a row by seat is of."""
    return places(setting.table, -1, setting.seats.index(labels[0]))


def policy_places(labels: tuple[str, ...], setting: Setting) -> object:
    """What a row by policy, or by policy and seat, is of."""
    return places(
        setting.table, setting.policies.index(labels[0]), setting.seats.index(labels[1]) if labels[1:] else -1
    )


def policy_tables(words: Words, *more: ColumnSpec) -> tuple[TableSpec, ...]:
    """Who wins by policy (`more` are further columns of that table), by policy and seat, and in pairs."""
    policy_plays, seated_plays, pair_plays = (
        in_unit("policy_plays", "policy_units"),
        in_unit("plays", "seated"),
        in_unit("pair_scale", "pair_units"),
    )
    units, pairs = counter("policy_units"), counter("pair_units")
    return (
        TableSpec(
            "by_policy",
            f"Win share and {words.points.lower()} by policy",
            f"The mean over the seats that the policy held; a fair share is {words.fair}. All plays of the same "
            f"{words.dealt} count as one observation.",
            ("policy",),
            (
                win_share(counter("win", -1), counter("policy_win_sq"), units, policy_plays),
                points(words, counter("points", -1), counter("policy_points_sq"), units, policy_plays),
                *more,
            ),
            pictures=win_intervals("win_share_by_policy", "Win share by policy", "Policy"),
            section=WINS,
            headline=policy_places,
            ranked="win_share",
        ),
        TableSpec(
            "by_policy_seat",
            f"Win share and {words.points.lower()} by policy and seat",
            "Where the table seats the policy at all.",
            ("policy", "seat"),
            (
                win_share(counter("win"), counter("win_sq"), counter("seated"), seated_plays),
                points(words, counter("points"), counter("points_sq"), counter("seated"), seated_plays),
            ),
            pictures=win_intervals("win_share_by_policy_seat", "Win share by policy and seat", "Policy"),
            section=WINS,
            keep=seated,
            headline=policy_places,
        ),
        TableSpec(
            "pairs",
            "Policies against each other",
            f"What the first policy of a pair gets more than the second on the {words.plays} that both play: the same "
            f"{words.dealt}, so the comparison is paired. Unless the seating is rotated, seats have a part in the "
            "difference.",
            ("pair",),
            (
                win_share(counter("pair_win"), counter("pair_win_sq"), pairs, pair_plays, difference=True),
                points(words, counter("pair_points"), counter("pair_points_sq"), pairs, pair_plays, difference=True),
            ),
            section=WINS,
            absent=needs_policies,
        ),
    )


LEVELS = (
    (0.05, "q05", "5%"),
    (0.25, "q25", "25%"),
    (0.5, "q50", "Median"),
    (0.75, "q75", "75%"),
    (0.95, "q95", "95%"),
)


def quantile_columns(histogram: Of, axis: str, n: Of, unit: Unit = "points") -> tuple[ColumnSpec, ...]:
    """Quantiles of a histogram over a numeric axis (its last), observed `n` times."""

    def edges(s: Setting) -> Array:
        return edges_of(s.axes[axis])

    return tuple(ColumnSpec(name, label, unit, Quantile(histogram, n, level, edges)) for level, name, label in LEVELS)


def spread_of(name: str, label: str, unit: Unit, by_seat: Of, high: float | None) -> ColumnSpec:
    """The best seat minus the worst."""
    text = (
        "`under_equal` is what equal seats would show by chance; the standard error is that of the difference between "
        "the two extreme seats."
    )
    return ColumnSpec(name, label, unit, Spread(by_seat, counter("units")), 0.0, high, text)


def luck_and_skill_table(words: Words) -> TableSpec:
    """Where the variance of a seat's points comes from."""
    return TableSpec(
        "luck_and_skill",
        "Luck and skill",
        f"Where the variance of {words.whose} comes from. Each {words.unit} is played in every rotation of the "
        f"policies, and all of that again with the same {words.dealt} but other chances of decisions. `deal`: what the "
        f"{words.dealt} of a seat are worth whoever of the table plays them. `seat`, `policy`: how far their averages "
        "lie apart. `rest`: all else, so that these four add up to 100%. It consists of `interplay`, policies that "
        f"suit some {words.dealt}, seats or neighbours better, and `chance`, what still differs when the same policies "
        f"sit in the same seats with the same {words.dealt}. Where one policy has all seats, nobody plays otherwise, "
        "and all but seat and chance is the deal. A part that is truly 0 may come out a little below 0.",
        ("part",),
        (
            ColumnSpec("share", "Share of the variance", "share", LuckPart("share")),
            ColumnSpec("variance", "Variance, in points squared", "points", LuckPart("variance")),
        ),
        batch="luck",
        pictures=(
            PictureSpec(
                "intervals", "luck_and_skill", f"Where differences of {words.points.lower()} come from", ("share",)
            ),
        ),
        section=LUCK,
    )


def _reached(c: Counters, s: Setting) -> Array:
    """(leading, marks) units up to each mark; 0 where the run did not count all of them."""
    marks = np.array([int(mark) for mark in s.axes["mark"]])
    plays = c["running_plays"].sum((-1, -2)).cumsum(-1)
    return np.where(plays == marks * (s.table.plays * len(s.seats)), marks, 0)


def _so_far(name: str, sum_over: int) -> Of:
    """A running counter by policy and seat up to each mark, summed over policies (-2) or seats (-1)."""
    return lambda c, s: c[name].sum(sum_over).cumsum(-2)


def _running_by_seat() -> Running:
    """Win share of the first m units for each mark m, by seat, where one policy has all seats."""
    return Running(
        _so_far("running_win", -2),
        _so_far("running_win_sq", -2),
        lambda c, s: _reached(c, s)[..., None],
        lambda c, s: np.asarray(float(TWELFTHS * s.table.plays)),
    )


def _running_by_policy() -> Running:
    """The same by policy. In whole cycles of line-ups a policy sits in as many units as in any other cycle."""

    def held(s: Setting) -> Array:
        """(line-ups, policies) plays in a unit."""
        policies = range(len(s.policies))
        return np.array(
            [[sum(play.count(policy) for play in each) for policy in policies] for each in s.table.arrangements]
        )

    def units(c: Counters, s: Setting) -> Array:
        seated = held(s) > 0
        return np.asarray(_reached(c, s)[..., None] * seated.sum(0) // len(seated))

    return Running(
        _so_far("running_win", -1),
        lambda c, s: c["running_policy_win_sq"].cumsum(-2),
        units,
        lambda c, s: np.asarray(TWELFTHS * held(s).max(0), np.float64)[None, None],
    )


def _shown_by_policy(setting: Setting) -> str | None:
    return "shown by policy instead (running_by_policy)" if len(setting.policies) > 1 else None


def running_tables(words: Words) -> tuple[TableSpec, ...]:
    """The win share as it settles: by seat when one policy plays, else by policy."""

    def table(name: str, axis: str, how: Running, absent: Callable[[Setting], str | None]) -> TableSpec:
        title = f"Running win share by {axis}"
        picture = PictureSpec(
            "lines", name, title, ("win_share",), words.plays.capitalize(), reference_of=fair_share
        )  # fmt: skip
        return TableSpec(
            name,
            title,
            f"The win share after so many {words.plays}. Its band is a confidence sequence: the intervals at all marks "
            "of a line hold together, however often one looks, and so they are wider than one for a single look. The "
            f"last mark lies at or before the number of {words.plays}, so the curve can end a little beside the win "
            "share of the whole run.",
            ("mark", axis),
            (ColumnSpec("win_share", "Win share so far", "share", how, 0.0, 1.0),),
            pictures=(picture,),
            section=LUCK,
            absent=absent,
            folded=True,
            drop_empty=True,
        )

    return (
        table("running", "seat", _running_by_seat(), _shown_by_policy),
        table("running_by_policy", "policy", _running_by_policy(), needs_policies),
    )
