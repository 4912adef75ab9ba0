"""The table of luck and skill of made-up runs, for the tests of findings of any game."""

from __future__ import annotations

from typing import Any

from analyzer.games.spec import LUCK_PARTS


def luck_parts(**share: float) -> list[dict[str, Any]]:
    """Shares of the parts, those not named exactly 0, the others with an interval of ± 0.1 percentage points."""
    rows = []
    for part in LUCK_PARTS:
        value, half = share.get(part, 0.0), 0.001 if part in share else 0.0
        estimate = {"estimate": value, "low": value - half, "high": value + half, "se": half / 1.998, "n": 30_000}
        rows.append({"part": part, "share": estimate})
    return rows
