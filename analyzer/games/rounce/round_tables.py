"""Tables of rounds: what each place, call and opening lead brings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analyzer.games.common.formulas import counter, points_each, quotient, share
from analyzer.games.rounce.axes import DEALER
from analyzer.games.rounce.formulas import call_exists, hands, over_positions, rank_exists, rounds, trumps_fit
from analyzer.games.spec import Array, ColumnSpec, Counters, Of, PictureSpec, Ratio, Setting, TableSpec

ROUNDS, CALLING = "Rounds", "Calls"

CHANGE = "Change of the score"
LESS_IS_BETTER = "Scores go down to 0, so a negative change is good."


def _change_sd(c: Counters, s: Setting) -> Array:
    n = c["position_n"]
    return np.sqrt(np.maximum(0.0, c["position_change_sq"] / n - (c["position_change"] / n) ** 2))


ROUND_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "rounds_overall",
        "Rounds together",
        "A round is played out unless all others fold and the dealer scores alone, or the dealer folds too and the "
        "last player in wins all tricks unplayed. Rounced: played and won no trick.",
        (),
        (
            share("played", "Rounds played out", counter("played"), rounds()),
            share("walkover_dealer", "All fold to the dealer", counter("walkover_dealer"), rounds()),
            share("walkover_last", "The last one in wins all unplayed", counter("walkover_last"), rounds()),
            share("defended", "The dealer defends", counter("defended"), rounds()),
            ColumnSpec(
                "rounced",
                "Players rounced in a round played out",
                "count",
                Ratio(quotient(counter("rounced"), counter("played")), counter("played")),
                0.0,
            ),
            points_each("change", f"{CHANGE}, a hand", counter("change_sum"), hands(), LESS_IS_BETTER),
        ),
        section=ROUNDS,
    ),
    TableSpec(
        "round_change",
        "Change of the score by place in the round",
        f"Places in the order of the calls, from the dealer's left on; the dealer calls last. {LESS_IS_BETTER}",
        ("position",),
        (
            points_each("change", f"{CHANGE}, a round", counter("position_change"), counter("position_n")),
            ColumnSpec(
                "change_sd",
                "Spread of the change (standard deviation)",
                "points",
                Ratio(_change_sd, counter("position_n")),
                0.0,
            ),
        ),
        pictures=(
            PictureSpec(
                "intervals",
                "round_change",
                "Change of the score a round, by place in the round",
                ("change",),
                "Place in the order of calls",
                diverging=True,
            ),
        ),
        section=ROUNDS,
    ),
    TableSpec(
        "leads",
        "Opening leads",
        "The lead to the first trick of a round that is played out: as a trump or as a plain suit, and its rank there. "
        "What a policy chose to lead hangs on its hand too, so this tells what goes with a lead, not what it is worth.",
        ("rank", "lead_kind"),
        (
            share(
                "share",
                "Share of opening leads",
                lambda c, s: c["lead_n"].swapaxes(-1, -2),
                lambda c, s: c["played"][..., None, None],
            ),
            share(
                "won",
                "The lead wins the trick",
                lambda c, s: c["lead_won"].swapaxes(-1, -2),
                lambda c, s: c["lead_n"].swapaxes(-1, -2),
            ),
            points_each(
                "change",
                f"{CHANGE} of the leader",
                lambda c, s: c["lead_change"].swapaxes(-1, -2),
                lambda c, s: c["lead_n"].swapaxes(-1, -2),
            ),
        ),
        pictures=(PictureSpec("intervals", "leads_won", "How often an opening lead wins its trick", ("won",), "Rank"),),
        section=ROUNDS,
        keep=lambda labels, setting: rank_exists(labels[0], setting),
    ),
    TableSpec(
        "leads_by_kind",
        "Opening leads of trumps and of plain suits",
        "All ranks together.",
        ("lead_kind",),
        (
            share("share", "Share of opening leads", counter("lead_n", -1), lambda c, s: c["played"][..., None]),
            share("won", "The lead wins the trick", counter("lead_won", -1), counter("lead_n", -1)),
            points_each("change", f"{CHANGE} of the leader", counter("lead_change", -1), counter("lead_n", -1)),
        ),
        section=ROUNDS,
    ),
)


def _by_trumps(name: str) -> Of:
    """A counter by call and trumps, by trumps and call."""
    return lambda c, s: c[name].swapaxes(-1, -2)


def _outcome(change: Of, rounced: Of, n: Of) -> tuple[ColumnSpec, ColumnSpec]:
    return (
        points_each("change", CHANGE, change, n),
        share("rounced", "Rounced", rounced, n),
    )


def _all_calls(sum_over: int) -> Of:
    return lambda c, s: c["calls"].sum(sum_over, keepdims=True)


def _keep_calls(at: int) -> Callable[[tuple[str, ...], Setting], bool]:
    return lambda labels, setting: call_exists(labels[at], setting)


def _call_at(labels: tuple[str, ...], setting: Setting) -> bool:
    position, call = labels
    return call_exists(call, setting) and (position == DEALER or call in ("pass", "fold", "dummy"))


_CHOSEN = "What a policy chose hangs on its hand, so these figures do not compare calls; the calling chart does."

CALL_TABLES: tuple[TableSpec, ...] = (
    TableSpec(
        "calls",
        "Calls",
        f"How often each call is made, and how it ends. {LESS_IS_BETTER} {_CHOSEN}",
        ("call",),
        (
            share(
                "share",
                "Share of calls",
                over_positions("calls"),
                lambda c, s: c["calls"].sum((-1, -2))[..., None],
            ),
            *_outcome(over_positions("call_change"), over_positions("call_rounced"), over_positions("calls")),
        ),
        pictures=(
            PictureSpec("intervals", "calls_rounced", "How often one is rounced, by call", ("rounced",), "Call"),
        ),
        section=CALLING,
        keep=_keep_calls(0),
    ),
    TableSpec(
        "calls_by_position",
        "Calls by place in the round",
        "The shares of a place sum to 1. A dealer to whom all have folded makes no call.",
        ("position", "call"),
        (
            share("share", "Share of calls there", counter("calls"), _all_calls(-1)),
            *_outcome(counter("call_change"), counter("call_rounced"), counter("calls")),
        ),
        pictures=(
            PictureSpec(
                "stacked",
                "calls_by_position",
                "Calls by place in the round",
                ("share",),
                "Place in the order of calls",
                "Share of calls",
            ),
        ),
        section=CALLING,
        keep=_call_at,
        folded=True,
    ),
    TableSpec(
        "calls_by_trumps",
        "Calls by number of trumps dealt",
        f"The shares of a number of trumps sum to 1. {LESS_IS_BETTER} {_CHOSEN}",
        ("trumps", "call"),
        (
            share(
                "share",
                "Share of calls with so many trumps",
                _by_trumps("call_trumps_n"),
                lambda c, s: c["call_trumps_n"].sum(-2)[..., None],
            ),
            *_outcome(_by_trumps("call_trumps_change"), _by_trumps("call_trumps_rounced"), _by_trumps("call_trumps_n")),
        ),
        pictures=(
            PictureSpec(
                "stacked",
                "calls_by_trumps",
                "Calls by number of trumps dealt",
                ("share",),
                "Trumps dealt",
                "Share of calls",
            ),
        ),
        section=CALLING,
        keep=lambda labels, setting: trumps_fit(labels[0], setting) and call_exists(labels[1], setting),
        folded=True,
    ),
    TableSpec(
        "trumps_dealt",
        "Trumps dealt",
        "How many trumps a hand is dealt.",
        ("trumps",),
        (share("share", "Share of hands", counter("dealt_trumps"), hands(1)),),
        section=CALLING,
        keep=lambda labels, setting: trumps_fit(labels[0], setting),
        folded=True,
    ),
)
