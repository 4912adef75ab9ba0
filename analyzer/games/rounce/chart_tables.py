"""The calling chart: what folding, a dummy and taking the turn-up gain over passing, from an experiment.

A policy passes with good hands and folds with bad ones, so what follows its calls does not tell what they are worth.
In the batch `probe` one seat a round calls at random, each of its legal calls being as likely. Between two calls that
are both legal chance decides, so their hands and situations are alike. A dummy is not always legal: it is compared with
the passes made when it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from analyzer.games.common.formulas import quotient, share
from analyzer.games.rounce.axes import ARMS, DEALER, NO_TRUMP
from analyzer.games.rounce.formulas import call_exists, trumps_fit
from analyzer.games.spec import Array, ColumnSpec, Counters, Of, PictureSpec, Ratio, Setting, TableSpec

CHART = "The calling chart"

_AXES = ("position", "trumps", "height")
_PASSES = ("pass", "pass without a dummy")


def drawn(name: str, arms: Sequence[str], axes: tuple[str, ...], *, dealer: bool = False) -> Of:
    """A counter of the experiment, summed over some arms (of the dealer alone if so), by the axes of a table."""
    which = [ARMS.index(arm) for arm in arms]
    gone = tuple(place - len(_AXES) for place, axis in enumerate(_AXES) if axis not in axes)
    left = [axis for axis in _AXES if axis in axes]

    def total(c: Counters, s: Setting) -> Array:
        part = c[name][..., which, :, :, :].sum(-4)
        if dealer:
            here = np.array([position == DEALER for position in s.axes["position"]])
            part = part * here[:, None, None]
        summed = part.sum(gone) if gone else part
        order = [1 + left.index(axis) for axis in axes]
        return np.asarray(summed.transpose(0, *order))

    return total


def gain(call: str, other: Sequence[str], axes: tuple[str, ...], *, dealer: bool = False) -> Ratio:
    """How much less the score rises, or more it falls, by one call than by another."""

    def of(name: str, arms: Sequence[str]) -> Of:
        return drawn(name, arms, axes, dealer=dealer)

    own = quotient(of("chart_change", (call,)), of("chart_n", (call,)))
    instead = quotient(of("chart_change", other), of("chart_n", other))
    return Ratio(lambda c, s: instead(c, s) - own(c, s), of("chart_n", (call, *other)))


def _columns(axes: tuple[str, ...]) -> tuple[ColumnSpec, ...]:
    passes = drawn("chart_change", _PASSES, axes), drawn("chart_n", _PASSES, axes)
    return (
        ColumnSpec("pass", "Change of the score by passing", "points", Ratio(quotient(*passes), passes[1])),
        ColumnSpec("fold", "Fold instead of pass, points gained", "points", gain("fold", _PASSES, axes)),
        ColumnSpec("dummy", "Dummy instead of pass, points gained", "points", gain("dummy", ("pass",), axes)),
        ColumnSpec("take", "Take instead of pass, points gained", "points", gain("take", _PASSES, axes, dealer=True)),
        ColumnSpec("dummy_over_fold", "Dummy instead of fold, points gained", "points", gain("dummy", ("fold",), axes)),
    )


def _risk(call: str, arms: Sequence[str], axes: tuple[str, ...]) -> ColumnSpec:
    top, of = drawn("chart_rounced", arms, axes), drawn("chart_n", arms, axes)
    return share(f"{call}_rounced", f"Rounced after a {call}", top, of)


def _hand_exists(labels: tuple[str, ...], setting: Setting) -> bool:
    """Whether there are hands with so many trumps (first label) of which the best has this height (second): as many
    trumps need as many heights."""
    trumps, height = labels[:2]
    top = 0 if height == NO_TRUMP else int(height)
    return trumps_fit(trumps, setting) and top >= int(trumps) and (top == 0) == (trumps == "0")


def _if_called(call: str) -> Callable[[Setting], bool]:
    return lambda setting: call_exists(call, setting)


_TITLES = {"fold": "folding", "dummy": "a dummy", "take": "taking the turn-up"}


def _pictures(
    kind: Literal["intervals", "heat"], name: str, x_label: str, y_label: str, suffix: str, *calls: str
) -> tuple[PictureSpec, ...]:
    return tuple(
        PictureSpec(
            kind,
            f"{name}_{call}",
            f"What {_TITLES[call]} gains over passing{suffix}",
            (call,),
            x_label,
            y_label,
            diverging=True,
            shown=_if_called(call),
        )
        for call in calls
    )


_TEXT = (
    "An experiment: in a side batch one seat a round calls at random, whatever its policy would do, and all else is "
    "played by policy. A gain is how many points the seat's score ends lower by that call than by the other. Folding "
    "leaves the score as it is. A dummy is compared with passes made when one could be taken; only the dealer may "
    "take the turn-up."
)
_TRUMPS, _BEST = "Trumps dealt", "Best trump dealt (7: the highest)"

CHART_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "calling_by_trumps",
        "What a call gains, by number of trumps",
        _TEXT,
        ("trumps",),
        (
            *_columns(("trumps",)),
            _risk("pass", _PASSES, ("trumps",)),
            _risk("dummy", ("dummy",), ("trumps",)),
        ),
        batch="probe",
        section=CHART,
        keep=lambda labels, setting: trumps_fit(labels[0], setting),
    ),
    TableSpec(
        "calling_by_hand",
        "What a call gains, by trumps and the best of them",
        _TEXT,
        ("trumps", "height"),
        _columns(("trumps", "height")),
        batch="probe",
        pictures=_pictures("heat", "calling_by_hand", _TRUMPS, _BEST, "", "fold", "dummy", "take"),
        section=CHART,
        keep=_hand_exists,
        folded=True,
        drop_empty=True,
    ),
    TableSpec(
        "calling_by_place",
        "What a call gains, by trumps and place in the round",
        _TEXT,
        ("trumps", "position"),
        _columns(("trumps", "position")),
        batch="probe",
        pictures=_pictures("intervals", "calling_by_place", _TRUMPS, "Gain", ", by place", "fold", "dummy"),
        section=CHART,
        keep=lambda labels, setting: trumps_fit(labels[0], setting),
        folded=True,
        drop_empty=True,
    ),
    TableSpec(
        "calling_chart",
        "The calling chart",
        _TEXT,
        ("trumps", "height", "position"),
        _columns(("trumps", "height", "position")),
        batch="probe",
        pictures=_pictures("heat", "calling_chart", _TRUMPS, _BEST, ", by hand and place", "fold", "dummy"),
        section=CHART,
        keep=_hand_exists,
        folded=True,
        drop_empty=True,
    ),
)
