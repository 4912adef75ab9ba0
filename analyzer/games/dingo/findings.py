"""What a player would say to another about a run of Dingo, each sentence only when its interval supports it.

First the answers to the four questions that everybody asks: which seat, which cards, when to lay a lone wolf,
how often the ace rabbit lives.
"""

from __future__ import annotations

from analyzer.games.common.claims import Results, Values, known, number, only
from analyzer.games.common.findings import seat_spread
from analyzer.games.dingo import card_findings, hunt_findings
from analyzer.games.dingo.policy_findings import POLICY_FINDINGS
from analyzer.games.spec import FindingSpec, Setting


def _ties(results: Results, setting: Setting) -> Values:
    tied = only(results, "luck").get("tied")
    return {"tied": tied} if known(tied) and tied["low"] > 0 else None


LUCK_FINDINGS: tuple[FindingSpec, ...] = (
    FindingSpec(
        "points_swing",
        "How much of this game is luck?",
        "A hand's points swing by {value:points} either way from deal to deal (standard deviation).",
        number("luck", "points_sd"),
    ),
    FindingSpec(
        "seat_spread",
        "How unequal are the seats?",
        "Between the best and the worst seat lie {spread:gain} of win share.",
        seat_spread,
    ),
    FindingSpec(
        "ties",
        "How often is the top score tied?",
        "The top score is tied in {tied:percent} of the deals.",
        _ties,
    ),
    FindingSpec(
        "lead_changes",
        "How often does the lead change?",
        "The sole lead passes to another seat {value:number} times a deal.",
        number("luck", "lead_changes"),
    ),
)

FINDINGS: tuple[FindingSpec, ...] = (
    *card_findings.FIRST,
    *hunt_findings.FIRST,
    *card_findings.MORE,
    *hunt_findings.MORE,
    *POLICY_FINDINGS,
    *LUCK_FINDINGS,
)
