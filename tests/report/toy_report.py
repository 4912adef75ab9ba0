"""A small run as the bundle gets it, with names that would do harm if they were not escaped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toy_tables import SEATS, column, table

from analyzer.games.spec import PictureSpec
from analyzer.report.frames import TableResult

SCRIPT = "<script>alert(1)</script>"
NAMES = ("careful", SCRIPT, "=cmd|' /C calc'!A0", "../x")


def toy_tables() -> list[TableResult]:
    win = column("win_share", "Win share", "share", 0.0, text="What a seat wins.")
    dots = PictureSpec("intervals", "wins", "Win share", ("win_share",), reference=0.25)
    hostile = PictureSpec("heat", "../wins", "Win share by policy", ("win_share",))
    return [
        table({"seat": SEATS}, [win], lambda i, r, c: (0.25, 0.01), [dots], "by_seat", "By seat"),
        table(
            {"policy": NAMES, "seat": SEATS},
            [win],
            lambda i, r, c: (0.25 + i / 99, 0.01),
            [hostile],
            "by_policy_seat",
            "By policy and seat",
        ),
        table(
            {"rank": tuple("23456789")},
            [win],
            lambda i, r, c: (0.25, 0.01),
            [],
            "hunts",
            "By rank",
            section="hunt",
        ),
    ]


def toy_results(**changes: Any) -> dict[str, Any]:
    return {
        "game": "toy",
        "study": "run",
        "title": f"Title {SCRIPT}",
        "question": f"Does {SCRIPT} pay?",
        "unit": "match",
        "first": 0,
        "count": 2000,
        "seed": 7,
        "confidence": 0.95,
        "rules": {"points": {"low": 1}, "exchange": ["discard", "left"], "may": False},
        "policies": [{"name": SCRIPT, "idea": "None <b>at all</b>.", "origin": ""}],
        "absent": {"luck": f"needs {SCRIPT}"},
        "health": [
            {"name": "mirror", "title": "Mirror exactly 0", "passed": True, "detail": "28 numbers"},
            {"name": "odds", "title": "Odds", "passed": None, "detail": "not simulated"},
        ],
        "findings": [{"name": "best", "question": "Who wins?", "sentence": f"{SCRIPT} wins 27.1% (27.0 to 27.2)."}],
        **changes,
    }


def toy_bundle(**changes: Any) -> Mapping[str, Any]:
    return {
        "results": toy_results(),
        "tables": toy_tables(),
        "provenance": {"command": f"analyzer run {SCRIPT}", "seconds": {"simulate": 1.5}},
        "scenario": f"# Does {SCRIPT} pay?\ngame = 'toy'\n",
        "tallies": "{}\n",
        **changes,
    }
