"""Dingo as the rest of the house sees it.

The rules in words are in `rules.md` beside this file. What each counter holds is in `axes.py`.
"""

from __future__ import annotations

from analyzer.games.dingo.axes import COUNTERS, RECORDS, axes
from analyzer.games.dingo.cards import CARD_NAMES, HUNTED, SEATS
from analyzer.games.dingo.findings import FINDINGS
from analyzer.games.dingo.health import HEALTH
from analyzer.games.dingo.policies import DECISIONS, FEATURES
from analyzer.games.dingo.rules import HAND, KNOBS, check_rules
from analyzer.games.dingo.tables import TABLES
from analyzer.games.spec import BatchSpec, DealSpec, GameSpec, TargetSpec

__all__ = ["COUNTERS", "SPEC", "axes"]


def _seats(count: int) -> tuple[str, ...]:
    return SEATS[:count]


def _spelt(name: str) -> str:
    return name.upper().replace("10", "T")


DEAL = DealSpec(
    names=CARD_NAMES,
    hand=lambda rules: HAND,
    spelt=_spelt,
    elsewhere={f"{rank}D": "a rabbit of the pile, which is in nobody's hand" for rank in HUNTED},
)

BATCHES = (
    BatchSpec("main", "The scenario's table."),
    BatchSpec(
        "probe",
        "The scenario's table, but one seat a deal lays a lone first wolf or holds it back by the toss of a coin.",
        limit=400_000,
        probe="lone_wolf",
    ),
    BatchSpec(
        "luck",
        "The scenario's table, rotated, and every deal played a second time with other chances of decisions.",
        table="rotated",
        limit=65_536,
        twice=True,
    ),
    BatchSpec("random", "Four random players, against exact odds.", table="random", limit=100_000),
    BatchSpec("mirror", "Each policy against itself under a second name, rotated.", table="mirror", limit=25_000),
)

TARGETS = (
    TargetSpec("tie_rate", "share of deals with a tied top score", "luck", "tied"),
    TargetSpec("shared_rate", "share of deals whose win is shared", "luck", "shared"),
    TargetSpec("rabbit_alive_rate", "share of deals in which the ace rabbit lives", "ace_rabbit_overall", "alive"),
    TargetSpec("empty_hunt_rate", "share of hunts in which nobody scores", "luck", "nothing_scored"),
    TargetSpec("lead_changes", "lead changes a deal", "luck", "lead_changes"),
    TargetSpec("points_sd", "standard deviation of a hand's points", "luck", "points_sd"),
    TargetSpec("disqualified_rate", "share of a seat's hands that are disqualified", "by_seat", "disqualified"),
)

SPEC = GameSpec(
    name="dingo",
    title="Dingo",
    unit="deal",
    summary="Four players exchange cards, then hunt thirteen rabbits with dingoes and wolves.",
    sources=(
        "An Indonesian, a Korean and a Japanese text of one rules page; only the last two hold the scoring. "
        "Where they are silent or can be read two ways a knob decides."
    ),
    seat_counts=(4,),
    seats=_seats,
    knobs=KNOBS,
    check_rules=check_rules,
    decisions=DECISIONS,
    features=FEATURES,
    default_policy="careful",
    axes=axes,
    counters=COUNTERS,
    batches=BATCHES,
    tables=TABLES,
    findings=FINDINGS,
    health=HEALTH,
    package="analyzer.games.dingo",
    stream=2,
    play_unit="deals",
    deal=DEAL,
    records=RECORDS,
    targets=TARGETS,
)
