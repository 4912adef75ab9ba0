"""Domino Rounce as the rest of the house sees it.

The rules in words are in `rules.md` beside this file. What each counter holds is in `axes.py`.
"""

from __future__ import annotations

from analyzer.games.rounce.axes import COUNTERS, RECORDS, axes, seats
from analyzer.games.rounce.findings import FINDINGS
from analyzer.games.rounce.health import HEALTH
from analyzer.games.rounce.policies import DECISIONS, FEATURES
from analyzer.games.rounce.rules import KNOBS, check_rules
from analyzer.games.rounce.tables import TABLES
from analyzer.games.rounce.tiles import TILE_NAMES
from analyzer.games.spec import BatchSpec, DealSpec, GameSpec, TargetSpec

__all__ = ["COUNTERS", "SPEC", "axes"]


def _spelt(name: str) -> str:
    """The higher end first."""
    return "-".join(sorted(name.split("-"), reverse=True))


DEAL = DealSpec("tile", TILE_NAMES, lambda rules: int(rules["hand_size"]), _spelt)

BATCHES = (
    BatchSpec("main", "The scenario's table."),
    BatchSpec(
        "probe",
        "The scenario's table, but one seat a round calls at random, each of its legal calls being as likely.",
        limit=400_000,
        probe="call",
    ),
    BatchSpec(
        "luck",
        "The scenario's table, rotated, and every match played a second time with other chances of decisions.",
        table="rotated",
        limit=8_192,
        twice=True,
    ),
    BatchSpec("random", "Random players, against exact odds.", table="random", limit=50_000),
    BatchSpec("mirror", "Each policy against itself under a second name, rotated.", table="mirror", limit=10_000),
)

TARGETS = (
    TargetSpec("match_length", "rounds a match", "matches", "rounds"),
    TargetSpec("unfinished_rate", "share of matches not over after the most rounds allowed", "matches", "unfinished"),
    TargetSpec("rounced_rate", "players rounced in a round that is played out", "rounds_overall", "rounced"),
    TargetSpec("walkover_rate", "share of rounds in which all fold to the dealer", "rounds_overall", "walkover_dealer"),
    TargetSpec("comeback_rate", "share of matches won by someone who was last alone", "luck", "comeback"),
    TargetSpec("lead_changes", "lead changes a match", "luck", "lead_changes"),
    TargetSpec("call_rate", "share of calls that are this one", "calls", "share"),
    TargetSpec("win_share_from_dealer", "win share of a place from the first dealer", "by_seat", "win_share"),
)

SPEC = GameSpec(
    name="rounce",
    title="Domino Rounce",
    unit="match",
    summary="Two to four players call and play dominoes in tricks, from 15 points down to 0.",
    sources=(
        "One Indonesian rules text, which is silent on doubles, ties and when trumps must be played. Where it can be "
        "read two ways a knob decides."
    ),
    seat_counts=(2, 3, 4),
    seats=seats,
    knobs=KNOBS,
    check_rules=check_rules,
    decisions=DECISIONS,
    features=FEATURES,
    default_policy="steady",
    axes=axes,
    counters=COUNTERS,
    batches=BATCHES,
    tables=TABLES,
    findings=FINDINGS,
    health=HEALTH,
    package="analyzer.games.rounce",
    stream=2,
    play_unit="matches",
    deal=DEAL,
    rates=(("matches_per_second", "length"), ("rounds_per_second", "rounds")),
    records=RECORDS,
    seat_origin="first_dealer",
    targets=TARGETS,
    lapses=False,
    whole_noise=("call",),
)
