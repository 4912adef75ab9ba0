"""Results of made-up runs of Dingo, for the tests of its findings."""

from __future__ import annotations

from typing import Any

from dingo_counts import setting_of

from analyzer.games.dingo.axes import KINDS
from analyzer.games.dingo.cards import CARD_NAMES, HUNTED
from analyzer.games.dingo.spec import SPEC
from analyzer.games.spec import Setting
from analyzer.report.findings import findings_of

ONE = setting_of()
NOTHING = {"estimate": None, "low": None, "high": None, "se": None, "n": 0}


def est(value: float, half: float = 0.001, n: int = 1_000_000) -> dict[str, Any]:
    """An estimate with a 95% interval of this half-width."""
    return {"estimate": value, "low": value - half, "high": value + half, "se": half / 1.998, "n": n}


def seats(*shares: float, half: float = 0.001) -> list[dict[str, Any]]:
    return [{"seat": seat, "win_share": est(share, half)} for seat, share in zip("SWNE", shares, strict=True)]


def gains_by(axis: str, values: dict[str, float], half: float = 0.002) -> list[dict[str, Any]]:
    return [
        {axis: label, "win_share": est(value, half), "points": est(10 * value, half)} for label, value in values.items()
    ]


def cards(**worth: float) -> list[dict[str, Any]]:
    return gains_by("card", {card: worth.get(card, 0.0) for card in CARD_NAMES}, 0.0005)


def kinds(values: dict[str, float]) -> list[dict[str, Any]]:
    rows = gains_by("kind", {kind: values.get(kind, 0.0) for kind in KINDS})
    return [row | {"kept": est(0.7), "first_discard": est(0.2)} for row in rows]


def baseline() -> dict[str, Any]:
    """Results like those of four good players at a million deals."""
    return {
        "count": 1_000_000,
        "by_seat": seats(0.237, 0.243, 0.238, 0.282),
        "card_kinds": kinds({"ace rabbit": 0.145, "ace wolf": 0.035, "low wolf": -0.025, "low dingo": -0.01}),
        "cards": cards(AD=0.145, AS=0.035, AC=0.035, **{"9C": -0.028}),
        "lone_wolf_value": [{"win_share": est(0.03), "points": est(0.97, 0.03)}],
        "lone_wolf_value_by_place": gains_by("place", {"1st": 0.008, "2nd": 0.03, "3rd": 0.09}),
        "lone_wolf_value_by_rank": gains_by("rank", {rank: 0.0 if rank == "K" else 0.03 for rank in HUNTED}),
        "lone_wolf_overall": [{"laid": est(0.3), "overtaken": est(0.43)}],
        "lone_wolf_by_place": [
            {"place": place, "overtaken": est(share)} for place, share in (("1st", 0.6), ("2nd", 0.4), ("3rd", 0.1))
        ],
        "ace_rabbit_overall": [{"alive": est(0.356), "lives": est(0.356)}],
        "ace_rabbit_by_wolves": [
            {"wolves_held": held, "lives": est(share)} for held, share in (("0", 0.32), ("1", 0.41), ("2", 0.99))
        ],
        "hunts_overall": [{"dingo_dies": est(0.008), "nothing_scored": est(0.454)}],
        "luck": [
            {"seat_spread": est(0.045), "points_sd": est(4.66), "tied": est(0.093), "lead_changes": est(2.14)}
        ],
    }  # fmt: skip


def said(results: dict[str, Any], setting: Setting = ONE) -> dict[str, str]:
    return {finding["name"]: finding["sentence"] for finding in findings_of(SPEC.findings, results, setting)}
