"""What studies say alike: columns of win shares, findings, verdicts in words."""

from __future__ import annotations

from typing import Any

from analyzer.errors import ScenarioError
from analyzer.games.spec import ColumnSpec
from analyzer.report.numbers import plural
from analyzer.studies.outcome import Said

EFFECT = 0.005
"""The smallest difference of win shares that matters, unless another is asked for."""


def check_effect(effect: float) -> None:
    """Raises ScenarioError when that is no difference of win shares."""
    if not 0 < effect < 1:
        raise ScenarioError(
            f"effect: {effect:g} is not allowed; allowed: a win share between 0 and 1, such as {EFFECT}"
        )


def shares(name: str, label: str, text: str = "") -> ColumnSpec:
    """A column of win shares."""
    return ColumnSpec(name, label, "share", low=0.0, high=1.0, text=text)


def share_changes(name: str, label: str, text: str = "") -> ColumnSpec:
    """A column of differences of win shares."""
    return ColumnSpec(name, label, "share", low=-1.0, high=1.0, text=text)


def said(name: str, question: str, sentence: str) -> Said:
    """A finding; its sentence begins with a capital."""
    return {"name": name, "question": question, "sentence": sentence[:1].upper() + sentence[1:]}


def in_words(item: dict[str, Any], unit: str) -> str:
    """A verdict, and how much is missing where there is none."""
    more = item.get("more")
    return f"{item['verdict']} (about {roughly(more)} {plural(unit)} more)" if more else str(item["verdict"])


def roughly(number: float, digits: int = 2) -> str:
    """Some digits of a number of units: `41,000`, `2.6 million`."""
    if number < 10**digits:
        return f"{number:.0f}"
    rounded = float(f"{number:.{digits}g}")
    for size, name in ((1e12, "million million"), (1e9, "thousand million"), (1e6, "million")):
        if rounded >= size:
            scaled = rounded / size
            return f"{scaled:.{digits}g} {name}" if scaled < 10**digits else f"{scaled:,.0f} {name}"
    return f"{rounded:,.0f}"


def span(seconds: float) -> str:
    """A duration in words, with two digits: `2.6 seconds`."""
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= 1.5 * size or (name == "second" and seconds >= 1):
            number = f"{seconds / size:.2g}" if seconds < 100 * size else f"{seconds / size:,.0f}"
            return f"{number} {name}{'' if number == '1' else 's'}"
    return "less than a second"
