"""What a run of Rounce says of calls: when to fold, take a dummy, take the turn-up or pass, and what becomes of it.

When to make a call comes from the experiment that draws calls at random, never from what a policy chose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.games.common.claims import (
    Estimate,
    Results,
    Select,
    Values,
    all_known,
    flipped,
    known,
    listed,
    only,
    rows,
    together,
)
from analyzer.games.spec import FindingSpec, Setting

PROBE_LIMIT = 400_000
"""Units at most of the batch in which calls are drawn at random."""

Gains = dict[str, dict[str, Estimate]]
"""Trumps dealt -> name of a column -> points gained by a call over another."""

_COMPARED = ("fold", "dummy", "take", "dummy_over_fold")


def _gains(results: Results, setting: Setting) -> Gains:
    """What each call gains by trumps dealt, where known, with intervals that hold for all of them at once."""
    found = {
        row["trumps"]: {name: row[name] for name in _COMPARED if known(row[name])}
        for row in rows(results, "calling_by_trumps")
    }
    family = sum(len(gains) for gains in found.values())
    return {
        trumps: {name: together(gain, family, results, setting, limit=PROBE_LIMIT) for name, gain in gains.items()}
        for trumps, gains in found.items()
    }


def _above(gains: dict[str, Estimate], name: str, otherwise: bool) -> bool:
    """Whether a call is known to gain; `otherwise` where the two cannot be compared."""
    return gains[name]["low"] > 0 if name in gains else otherwise


def _below(gains: dict[str, Estimate], name: str, otherwise: bool) -> bool:
    """Whether a call is known to cost; `otherwise` where the two cannot be compared."""
    return gains[name]["high"] < 0 if name in gains else otherwise


_BEST: dict[str, Callable[[dict[str, Estimate]], bool]] = {
    "fold": lambda gains: _above(gains, "fold", False),
    "dummy": lambda gains: _above(gains, "dummy", False) and _above(gains, "dummy_over_fold", True),
    "pass": lambda gains: bool(gains) and _below(gains, "fold", True) and _below(gains, "dummy", True),
    "take": lambda gains: _above(gains, "take", False),
    "leave": lambda gains: _below(gains, "take", False),
}
"""A call -> whether it is shown to be best: a dummy and a pass of all three, the others than passing."""


def _with(trumps: Sequence[str]) -> str:
    """`no trump`, `1 trump`, `2 or 3 trumps`."""
    words = ["no" if count == "0" else count for count in trumps]
    return f"{listed(words, 'or')} trump{'' if trumps[-1] in ('0', '1') else 's'}"


def _when(call: str, column: str, sign: int = 1) -> Select:
    """The numbers of trumps with which a call is best, and what it gains where that is surest."""

    def select(results: Results, setting: Setting) -> Values:
        gains = _gains(results, setting)
        here = [trumps for trumps, found in gains.items() if column in found and _BEST[call](found)]
        if not here:
            return None
        signed = {trumps: gains[trumps][column] if sign > 0 else flipped(gains[trumps][column]) for trumps in here}
        most = max(here, key=lambda trumps: signed[trumps]["low"])
        where = f"with {_with([most])}, " if here[1:] else ""
        return {"hands": _with(here), "where": where, "gain": signed[most]}

    return select


def _fold(results: Results, setting: Setting) -> Values:
    """Folding is compared with passing; where a dummy is better still, that is said."""
    found = _when("fold", "fold")(results, setting)
    better = any(
        _BEST["fold"](gains) and _above(gains, "dummy_over_fold", False) for gains in _gains(results, setting).values()
    )
    return found and {**found, "unless": ", unless there is a dummy to take" if better else ""}


def _pass(results: Results, setting: Setting) -> Values:
    """Passing is compared with a fold, or where nobody may fold with a dummy."""
    column, other = ("fold", "folding") if setting.rules["fold_allowed"] else ("dummy", "a dummy")
    found = _when("pass", column, -1)(results, setting)
    return found and {**found, "other": other}


def _rounced(results: Results, setting: Setting) -> Values:
    """How often one is rounced after each call with which that happens."""
    found = {row["call"]: row["rounced"] for row in rows(results, "calls") if row["call"] in _DEEDS}
    found = {call: value for call, value in found.items() if known(value) and value["n"]}
    if len(found) < 2:
        return None
    wide = {call: together(value, len(found), results, setting, share=True) for call, value in found.items()}
    order = sorted(wide, key=lambda call: -wide[call]["estimate"])
    if wide[order[0]]["low"] <= wide[order[-1]]["high"]:
        return None
    return {
        "often": _DEEDS[order[0]],
        "most": wide[order[0]],
        "seldom": _DEEDS[order[-1]],
        "least": wide[order[-1]],
    }


def _some(column: str) -> Select:
    """How often a kind of round comes up, if it ever does."""

    def select(results: Results, setting: Setting) -> Values:
        share = only(results, "rounds_overall").get(column)
        return {"value": share} if known(share) and share["low"] > 0 else None

    return select


_DEEDS = {
    "pass": "passing",
    "dummy": "taking a dummy",
    "take": "taking the turn-up",
}


def _favourite(results: Results, setting: Setting) -> Values:
    shares = {row["call"]: row["share"] for row in rows(results, "calls")}
    if not all_known(shares.values()):
        return None
    wide = {call: together(value, len(shares), results, setting, share=True) for call, value in shares.items()}
    order = sorted(wide, key=lambda call: -wide[call]["estimate"])
    if len(order) < 2 or wide[order[0]]["low"] <= wide[order[1]]["high"]:
        return None
    return {"call": order[0], "share": wide[order[0]]}


FIRST: tuple[FindingSpec, ...] = (
    FindingSpec(
        "call_fold",
        "When should I fold?",
        "Fold with {hands}{unless}: {where}folding gains {gain:points} a round over passing.",
        _fold,
    ),
    FindingSpec(
        "call_dummy",
        "When should I take a dummy?",
        "Take a dummy with {hands} while there is one: {where}it gains {gain:points} a round over passing.",
        _when("dummy", "dummy"),
    ),
    FindingSpec(
        "call_pass",
        "When should I play the hand I have?",
        "Pass and play with {hands}: {where}that gains {gain:points} a round over {other}.",
        _pass,
    ),
    FindingSpec(
        "call_take",
        "When should the dealer take the turn-up?",
        "As dealer take the turn-up rather than pass with {hands}: {where}it gains {gain:points} a round.",
        _when("take", "take"),
    ),
    FindingSpec(
        "call_leave",
        "When should the dealer leave the turn-up?",
        "As dealer pass rather than take the turn-up with {hands}: {where}taking it costs {gain:points} a round.",
        _when("leave", "take", -1),
    ),
)

MORE: tuple[FindingSpec, ...] = (
    FindingSpec(
        "rounced",
        "How often is one rounced?",
        "One is rounced most often after {often}: in {most:percent} of the rounds; least often after {seldom}: in "
        "{least:percent}.",
        _rounced,
    ),
    FindingSpec(
        "favourite_call",
        "Which call is made most?",
        "The call made most is {call}: {share:percent} of all calls.",
        _favourite,
    ),
    FindingSpec(
        "walkovers",
        "How often does the dealer score without play?",
        "In {value:percent} of the rounds all fold to the dealer, who scores without play.",
        _some("walkover_dealer"),
    ),
    FindingSpec(
        "defended",
        "How often does the dealer defend?",
        "In {value:percent} of the rounds the dealer plays without score to stop a dummy.",
        _some("defended"),
    ),
)
