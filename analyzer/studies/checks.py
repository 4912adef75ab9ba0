"""What must hold of any study of arms: the numbers of an arm are those of a run of its scenario."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.report.numbers import counted
from analyzer.sim.arms import ArmsWork

PLAYS = 4_096
"""So many plays of each arm are played by both ways of counting."""


def same_as_run(work: ArmsWork, first: int, units: int, unit: str) -> dict[str, Any]:
    """A line of the health panel: whether sums of every arm are those that `run` tallies, over the study's first
    units.
    """
    number = max(1, min(units, PLAYS // work.arms[0].plays))
    sums = work.named(work.play(first, number))[0]["sums"].sum(0)
    cells = [row for row in work.rows if -1 not in row]
    places = [work.rows[row] for row in cells]
    wrong = compared = 0
    for index, arm in enumerate(work.arms):
        tallies, _ = arm.named(arm.play(first, number))
        for quantity, name in enumerate(("win", "points")):
            due = tallies[name].sum(0)[tuple(np.transpose(cells))]
            found = sums[index, quantity, places, 0]
            wrong += int((found != due).sum())
            compared += found.size
    return {
        "name": "same_as_run",
        "title": "Every side of the comparison gives the numbers of a run of its own",
        "passed": wrong == 0,
        "detail": f"exact: {compared:,} numbers agree over {counted(number, unit)}"
        if not wrong
        else f"{wrong:,} of {compared:,} numbers differ over {counted(number, unit)}",
        "text": "",
        "kind": "equal",
        "batch": "arms",
        "units": number,
        "tests": compared,
        "p": None,
    }
