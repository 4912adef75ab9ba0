"""Results of made-up runs of Rounce, for the tests of its findings."""

from __future__ import annotations

from typing import Any

from rounce_counts import setting_of

from analyzer.games.rounce.spec import SPEC
from analyzer.games.rounce.tiles import TILE_NAMES
from analyzer.games.spec import Setting
from analyzer.report.findings import findings_of

THREE = setting_of()
NOTHING = {"estimate": None, "low": None, "high": None, "se": None, "n": 0}
COMPARED = ("fold", "dummy", "take", "dummy_over_fold")


def est(value: float, half: float = 0.001, n: int = 1_000_000) -> dict[str, Any]:
    """An estimate with a 95% interval of this half-width."""
    return {"estimate": value, "low": value - half, "high": value + half, "se": half / 1.998, "n": n}


def seats(*shares: float, half: float = 0.001) -> list[dict[str, Any]]:
    labels = ("first dealer", "1 to its left", "2 to its left")
    return [{"from_dealer": seat, "win_share": est(share, half)} for seat, share in zip(labels, shares, strict=True)]


def chart(*rows: tuple[float | None, ...]) -> list[dict[str, Any]]:
    """Gains of fold, dummy and take over a pass, and of a dummy over a fold, by 0, 1, 2 ... trumps."""
    return [
        {"trumps": str(count)}
        | {name: NOTHING if gain is None else est(gain, 0.02) for name, gain in zip(COMPARED, row, strict=True)}
        for count, row in enumerate(rows)
    ]


def worth(axis: str, labels: Any, **changes: float) -> list[dict[str, Any]]:
    """Change of the score less the average hand's, by tile or rank; `t65` stands for 6-5, `r6` for rank 6."""
    given = {"-".join(name[1:]): change for name, change in changes.items()}
    return [{axis: label, "change": est(given.get(label, 0.0), 0.01)} for label in labels]


def calls(axis: str = "call", **rounced: float) -> list[dict[str, Any]]:
    shares = {"pass": 0.5, "fold": 0.3, "dummy": 0.15, "take": 0.05}
    return [{axis: call, "share": est(share), "rounced": est(rounced.get(call, 0.0))} for call, share in shares.items()]


def baseline() -> dict[str, Any]:
    """Results like those of three good players."""
    return {
        "count": 300_000,
        "by_seat": seats(0.35, 0.33, 0.32),
        "calling_by_trumps": chart(
            (0.9, 1.2, 0.8, 0.3),
            (0.2, 0.1, 0.5, -0.1),
            (-2.0, -1.0, 0.3, 1.0),
            (-3.5, -2.0, -0.2, 1.5),
            (-4.2, -3.0, None, 2.0),
        ),
        "tiles": worth("tile", TILE_NAMES, t65=-0.34, t64=-0.30, t00=0.31),
        "tiles_as_plain": worth("tile", TILE_NAMES, t66=-0.2),
        "trump_ranks": worth("trump_rank", map(str, range(7)), r0=-0.05, r6=-0.7, r5=-0.5),
        "matches": [
            {"rounds": est(13.2, 0.02), "q25": est(9.0, 0.02), "q75": est(16.1, 0.02), "unfinished": est(0.0, 0.0)}
        ],
        "winner_known": [{"tenth": f"{t}0%", "won": est(0.35 + 0.06 * t)} for t in range(1, 11)],
        "luck": [
            {"comeback": est(0.3), "lead_changes": est(1.5), "points_sd": est(7.8, 0.01), "seat_spread": est(0.03)}
        ],
        "round_change": [
            {"position": place, "change": est(change, 0.01)}
            for place, change in (("1st", -0.5), ("2nd", -0.4), ("dealer", -0.9))
        ],
        "calls": calls(**{"pass": 0.18, "dummy": 0.22, "take": 0.11}),
        "rounds_overall": [{"walkover_dealer": est(0.11), "defended": est(0.0, 0.001)}],
        "leads_by_kind": [{"lead_kind": "plain", "won": est(0.45)}, {"lead_kind": "trump", "won": est(0.7)}],
    }


def said(results: dict[str, Any], setting: Setting = THREE) -> dict[str, str]:
    return {finding["name"]: finding["sentence"] for finding in findings_of(SPEC.findings, results, setting)}
