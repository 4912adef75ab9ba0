"""The marks at which running sums are kept, shared by kernels and tables."""

from __future__ import annotations

MARKS_PER_DECADE = 40
DECADES = 9


def running_marks() -> list[int]:
    """Unit indices, evenly spaced in the logarithm and the same for every run, at which running sums are
    kept: 1 to 10^9.
    """
    return sorted({round(10 ** (step / MARKS_PER_DECADE)) for step in range(MARKS_PER_DECADE * DECADES + 1)})
