"""Findings: sentences that the numbers support, each number with its interval or the sentence is not said.

The interval says how many digits make sense (`numbers.py`, as in the tables). Rates are fractions in
`results.json` and percent in sentences.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.games.spec import FindingSpec, Setting
from analyzer.report import numbers


class _UnsaidError(Exception):
    """A number of the sentence has no interval, so the sentence is not said."""


def written(estimate: Mapping[str, Any], style: str) -> str | None:
    """An estimate in words, `style` being a format spec of `FindingSpec`; None when it has no usable
    interval.

    percent: 27.1% (27.0 to 27.2). gain: 2.1 percentage points (2.0 to 2.2), the sign dropped unless the
    interval holds 0. points: 3.2 points (3.1 to 3.3). number: 3.2 (3.1 to 3.3). Raises ValueError for another
    style.
    """
    if style not in ("percent", "gain", "points", "number"):
        raise ValueError(f"{style!r} is no way to write an estimate: percent, gain, points, number")
    scale = numbers.PERCENT if style in ("percent", "gain") else 1.0
    ends = [_finite(estimate.get(part)) for part in ("estimate", "low", "high")]
    value, low, high = (scale * end for end in ends)
    if not high > low:
        return None
    if style == "gain" and high <= 0:
        value, low, high = -value, -high, -low
    digits = numbers.decimals(low, high)
    shown, least, most = (numbers.number(end, digits) for end in (value, low, high))
    if math.isnan(value) or least == most:
        return None
    interval = f"({least} to {most})"
    if style == "percent":
        return f"{shown}% {interval}"
    if style == "number":
        return f"{shown} {interval}"
    unit = "point" if shown in ("1", "\N{MINUS SIGN}1") else "points"
    return f"{shown} {'percentage ' if style == 'gain' else ''}{unit} {interval}"


def sentence_of(spec: FindingSpec, results: Mapping[str, Any], setting: Setting) -> str | None:
    """The finding's sentence, or None when the numbers do not support it or one of its numbers is not
    known."""
    values = spec.select(results, setting)
    if values is None:
        return None
    try:
        return spec.sentence.format(**{name: _ready(value) for name, value in values.items()})
    except _UnsaidError:
        return None


def findings_of(specs: Sequence[FindingSpec], results: Mapping[str, Any], setting: Setting) -> list[dict[str, str]]:
    """What the results allow to be said, in the game's order, as it stands in `results.json`."""
    said = []
    for spec in specs:
        sentence = sentence_of(spec, results, setting)
        if sentence is not None:
            said.append({"name": spec.name, "question": spec.question, "sentence": sentence})
    return said


class _Estimate:
    def __init__(self, estimate: Mapping[str, Any]) -> None:
        self._estimate = estimate

    def __format__(self, style: str) -> str:
        text = written(self._estimate, style)
        if text is None:
            raise _UnsaidError
        return text


class _Unknown:
    def __format__(self, style: str) -> str:
        raise _UnsaidError


def _finite(value: Any) -> float:
    """A number as float, anything else (None, text, infinity) as NaN."""
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else math.nan


def _ready(value: Any) -> Any:
    """A value for `str.format`: estimates, also inside mappings and sequences, know how to write
    themselves."""
    if isinstance(value, Mapping):
        if "estimate" in value:
            return _Estimate(value)
        return {key: _ready(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_ready(inner) for inner in value]
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return _Unknown()
    return value
