"""What findings rest on: rows of the results, and intervals that hold for several comparisons at once.

A finding that picks something out of several (the best seat, the worst card) must allow for having looked at
all of them, so its intervals are simultaneous (Bonferroni) and a little wider than those of the tables.
Estimates are mappings as in `results.json`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import Any, TypeGuard

from analyzer.games.spec import GROUPS, LANES, Setting

Results = Mapping[str, Any]
Estimate = Mapping[str, Any]
Row = Mapping[str, Any]
Values = Mapping[str, Any] | None
Select = Callable[[Results, Setting], Values]

LEAST = 16
"""Observations below which nothing is picked out of several."""


def rows(results: Results, table: str) -> Sequence[Row]:
    """Rows of a table; none when the run does not have it."""
    found: Sequence[Row] = results.get(table, ())
    return found


def only(results: Results, table: str) -> Row:
    """The row of a table without axes; empty when the run does not have it."""
    found = rows(results, table)
    return found[0] if found else {}


def known(estimate: Estimate | None) -> TypeGuard[Estimate]:
    """Whether there is an estimate with an interval."""
    return estimate is not None and all(estimate[part] is not None for part in ("estimate", "low", "high", "se"))


def all_known(estimates: Iterable[Estimate | None]) -> bool:
    """Whether there is at least one estimate and all have intervals."""
    found = list(estimates)
    return bool(found) and all(known(estimate) for estimate in found)


def together(
    estimate: Estimate,
    family: int,
    results: Results,
    setting: Setting,
    *,
    limit: int | None = None,
    share: bool = False,
) -> Estimate:
    """The estimate with an interval that holds for all of `family` comparisons at once, never narrower than
    its own; endless with fewer than 16 observations.

    `limit`: units of the batch at most; `share`: the value lies between 0 and 1. Student's quantile comes
    from the normal one (Abramowitz and Stegun 26.7.5), within 1% from 15 degrees of freedom on; groups of the
    jackknife count, so that with fewer than 1,024 units the interval is wider than need be.
    """
    units = min(results["count"], limit or results["count"], estimate["n"])
    if units < LEAST:
        return {**estimate, "low": -math.inf, "high": math.inf}
    df = max(1, min(GROUPS, -(-units // LANES)) - 1)
    z = NormalDist().inv_cdf(1 - (1 - setting.confidence) / (2 * family))
    t = z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2)
    value, margin = estimate["estimate"], t * estimate["se"]
    low, high = min(estimate["low"], value - margin), max(estimate["high"], value + margin)
    return {**estimate, "low": max(0.0, low) if share else low, "high": min(1.0, high) if share else high}


def gains(results: Results, setting: Setting, table: str, axis: str, limit: int | None = None) -> dict[str, Estimate]:
    """Differences of win share of a table's rows by label, with intervals that hold for all rows at once;
    none when one of them is not known."""
    found = {row[axis]: row["win_share"] for row in rows(results, table)}
    if not all_known(found.values()):
        return {}
    return {label: together(value, len(found), results, setting, limit=limit) for label, value in found.items()}


def number(table: str, column: str) -> Select:
    """A finding's `value`: one number of a table without axes, when it has an interval."""

    def select(results: Results, setting: Setting) -> Values:
        value = only(results, table).get(column)
        return {"value": value} if known(value) else None

    return select


def minus(estimate: Estimate, constant: float) -> Estimate:
    """The estimate less a number that is known."""
    return {**estimate, **{end: estimate[end] - constant for end in ("estimate", "low", "high")}}


def flipped(estimate: Estimate) -> Estimate:
    """The estimate with its sign turned."""
    return {
        **estimate,
        "estimate": -estimate["estimate"],
        "low": -estimate["high"],
        "high": -estimate["low"],
    }


def leaders(values: Mapping[str, Estimate]) -> list[str]:
    """The one with the largest estimate, then those that it does not leave behind, largest first."""
    order = sorted(values, key=lambda name: values[name]["estimate"], reverse=True)
    return [name for name in order if values[name]["high"] >= values[order[0]]["low"]]


def listed(names: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    return " ".join((", ".join(names[:-1]), last, names[-1])) if names[1:] else "".join(names)
