"""What a player would say to another about a run of Rounce, each sentence only when its interval supports it.

First a warning if there is cause for one, then the answers to the questions that everybody asks: which seat, when to
fold or take a dummy, which tiles, how long a match lasts.
"""

from __future__ import annotations

from analyzer.games.common.claims import Results, Select, Values, all_known, known, number, only, rows, together
from analyzer.games.common.findings import (
    cost,
    extreme_seat,
    luck_findings,
    ranking_findings,
    remembers,
    seat_spread,
)
from analyzer.games.common.formulas import conditioned
from analyzer.games.rounce import call_findings, tile_findings
from analyzer.games.rounce.axes import FROM_DEALER, WORDS
from analyzer.games.spec import FindingSpec, Setting

_SEATS = dict(
    zip(
        FROM_DEALER,
        (
            ("the first dealer",),
            ("the seat to the first dealer's left", "which calls and leads first"),
            ("the second seat to the first dealer's left",),
            ("the third seat to the first dealer's left",),
        ),
        strict=True,
    )
)


def _unfinished(results: Results, setting: Setting) -> Values:
    share = only(results, "matches").get("unfinished")
    if not known(share) or share["estimate"] <= 0:
        return None
    return {"share": share, "rounds": setting.rules["max_rounds"]}


def _length(results: Results, setting: Setting) -> Values:
    found = only(results, "matches")
    parts = [found.get(name) for name in ("rounds", "q25", "q75")]
    if not all_known(parts):
        return None
    return dict(zip(("rounds", "low", "high"), parts, strict=True))


def _known_early(results: Results, setting: Setting) -> Values:
    """The win of whoever leads alone, at half of the match and near its end."""
    won = {row["tenth"]: row["won"] for row in rows(results, "winner_known")}
    half, late = won.get("50%"), won.get("90%")
    if not known(half) or not known(late):
        return None
    half, late = (together(value, 2, results, setting, share=True) for value in (half, late))
    return {"half": half, "late": late}


def _place(best: bool) -> Select:
    """The place in the round with the best or worst change, if it stands apart from all others."""

    def select(results: Results, setting: Setting) -> Values:
        found = {row["position"]: row["change"] for row in rows(results, "round_change")}
        if not all_known(found.values()) or conditioned(setting):
            return None
        wide = {place: together(value, len(found), results, setting) for place, value in found.items()}
        order = sorted(wide, key=lambda place: wide[place]["estimate"], reverse=not best)
        first, second = order[:2]
        apart = wide[first]["high"] < wide[second]["low"] if best else wide[first]["low"] > wide[second]["high"]
        return {"place": _PLACES[first], "change": wide[first]} if apart else None

    return select


_PLACES = {"1st": "first", "2nd": "second", "3rd": "third", "dealer": "last, as dealer"}

_SEAT_FINDINGS = (
    FindingSpec(
        "best_seat",
        "Which seat is best?",
        "The best seat is {seat}: it wins {share:percent} of the matches, {gain:gain} more than its fair share.",
        extreme_seat(True, "from_dealer", _SEATS),
    ),
    FindingSpec(
        "worst_seat",
        "Which seat is worst?",
        "The worst seat is {seat}: it wins {share:percent} of the matches, {gain:gain} less than its fair share.",
        extreme_seat(False, "from_dealer", _SEATS),
    ),
    FindingSpec(
        "best_place",
        "When is it best to call?",
        "In a round it is best to call {place}: the score changes by {change:points} on average.",
        _place(True),
    ),
    FindingSpec(
        "worst_place",
        "When is it worst to call?",
        "In a round it is worst to call {place}: the score changes by {change:points} on average.",
        _place(False),
    ),
)

_MATCH_FINDINGS = (
    FindingSpec(
        "match_length",
        "How long does a match last?",
        "A match lasts {rounds:number} rounds on average; half of them have between {low:number} and {high:number}.",
        _length,
    ),
    FindingSpec(
        "winner_known",
        "How early is the winner known?",
        "Whoever leads alone when half of the match is played wins {half:percent} of the time; at nine tenths of it, "
        "{late:percent}.",
        _known_early,
    ),
    FindingSpec(
        "comebacks",
        "Can one come back from the last place?",
        "In {value:percent} of the matches the winner was at some time last alone.",
        number("luck", "comeback"),
    ),
    FindingSpec(
        "lead_changes",
        "How often does the lead change?",
        "The sole lead passes to another seat {value:number} times a match.",
        number("luck", "lead_changes"),
    ),
)

_LUCK_FINDINGS = (
    FindingSpec(
        "points_swing",
        "How much of this game is luck?",
        "A final score swings by {value:points} either way from match to match (standard deviation).",
        number("luck", "points_sd"),
    ),
    FindingSpec(
        "seat_spread",
        "How unequal are the seats?",
        "Between the best and the worst seat lie {spread:gain} of win share.",
        seat_spread,
    ),
)

FINDINGS: tuple[FindingSpec, ...] = (
    FindingSpec(
        "unfinished",
        "Are all matches played to the end?",
        "Warning: {share:percent} of the matches were not over after {rounds} rounds; they have no winner.",
        _unfinished,
    ),
    *_SEAT_FINDINGS[:1],
    *call_findings.FIRST,
    *tile_findings.FIRST,
    *_MATCH_FINDINGS,
    *_SEAT_FINDINGS[1:],
    *call_findings.MORE,
    *tile_findings.MORE,
    *ranking_findings(WORDS),
    FindingSpec(
        "forgetting",
        "What does forgetting cost?",
        "Forgetting what was played costs {gap:gain} of win share: {less} plays like {more} in all but memory.",
        cost("memory", remembers),
    ),
    *luck_findings(WORDS),
    *_LUCK_FINDINGS,
)
