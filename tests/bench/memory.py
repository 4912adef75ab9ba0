"""Memory of one long run: resident size at every hundredth of it, and its slope.

python tests/bench/memory.py 100_000_000
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from analyzer.scenario.load import load_scenario
from analyzer.studies import checkpoint
from analyzer.studies.run import run

SCENARIO = "dingo-baseline"
OFTEN = 0.25
"""Seconds between two checkpoints: the first few of them, kept 20 s apart as usual, would look like a slope."""


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main(count: int) -> None:
    """Play so many deals, checkpoints and all, and print a line a tenth, then the slope of the second half."""
    checkpoint.EVERY = OFTEN
    scenario = load_scenario(SCENARIO, count=count)
    seen: list[tuple[int, int]] = []

    def progress(phase: str, done: int, total: int) -> None:
        if phase == "main" and done * 100 // total > len(seen):
            seen.append((done, resident()))
            if len(seen) % 10 == 0:
                print(f"{done:>14,} deals: {seen[-1][1] / 2**20:.2f} MiB", flush=True)

    with tempfile.TemporaryDirectory() as home:
        run(scenario, progress=progress, keeper=checkpoint.Checkpoint(Path(home) / "r", scenario))
    deals, size = np.array(seen[len(seen) // 2 :], float).T
    slope = np.polyfit(deals, size, 1)[0]
    print(f"slope over the second half: {slope * 1e9 / 2**20:+.2f} MiB per 10^9 deals")
    print(f"from the first to the last of them: {(size[-1] - size[0]) / 2**10:+.0f} KiB")


if __name__ == "__main__":
    main(int(sys.argv[1]))
