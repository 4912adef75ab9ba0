"""Plain text for terminals and files: paragraphs, lists and what is in force."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from analyzer.report.numbers import PERCENT, counted, exact
from analyzer.scenario.toml import value_text

if TYPE_CHECKING:
    from analyzer.games.spec import Policy
    from analyzer.scenario.load import Scenario

WIDEST = 100


def wrapped(text: str, indent: int = 0, hanging: int = 0) -> str:
    """`text` as a paragraph of the terminal's width, at most `WIDEST`; later lines `hanging` deeper."""
    width = max(40, min(WIDEST, shutil.get_terminal_size().columns))
    return textwrap.fill(
        text,
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hanging),
        break_on_hyphens=False,
        break_long_words=False,
    )


def aligned(rows: Iterable[tuple[str, str]], indent: int = 0) -> Iterator[str]:
    """Rows of a name and a text, the texts beginning in one column."""
    rows = list(rows)
    column = max((len(name) for name, _ in rows), default=0) + 2
    for name, text in rows:
        yield wrapped(f"{name.ljust(column)}{text}", indent, column)


def units_in_words(scenario: Scenario) -> str:
    """`2,000 deals`, and which where they are not the first ones."""
    which = f" from number {scenario.first:,} on" if scenario.first else ""
    if scenario.precision is None:
        return f"{counted(scenario.count, scenario.game.unit)}{which}"
    points = exact(PERCENT * scenario.precision)
    most = counted(scenario.count, scenario.game.unit)
    return f"until every win share is known to ±{points} percentage points, {most} at most{which}"


def weights_by_decision(policy: Policy, groups: Mapping[str, str]) -> dict[str, Mapping[str, float]]:
    """A policy's weights; decisions of a group that all weigh alike stand together under the group's name.
    `groups` maps decision to group."""
    shown: dict[str, Mapping[str, float]] = {}
    for decision, group in groups.items():
        weights = [policy.weights[name] for name, other in groups.items() if other == group]
        alike = all(weight == weights[0] for weight in weights)
        shown[group if alike else decision] = policy.weights[decision]
    return {name: weights for name, weights in shown.items() if weights}


def number(value: float) -> str:
    """A weight or chance to three decimals, without trailing zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def faculties(policy: Policy) -> str:
    """Memory, lapse and noise of a policy in a line."""
    chances = {name: chance for name, chance in policy.noise.items() if chance}
    if len(set(policy.noise.values())) == 1:
        noise = number(next(iter(policy.noise.values())))
    else:
        noise = ", ".join(f"{name} {number(chance)}" for name, chance in chances.items())
    memory = policy.memory if isinstance(policy.memory, str) else number(policy.memory)
    return f"memory {memory}, lapse {number(policy.lapse)}, noise {noise}"


def rules_in_force(scenario: Scenario) -> Iterator[str]:
    """One line for each knob that differs from its default, or that none does."""
    changed = scenario.changed_rules()
    if not changed:
        yield "all at their defaults"
    for key, (value, default) in changed.items():
        yield f"{key} = {value_text(value)} (default {value_text(default)})"


def table_in_words(scenario: Scenario) -> str:
    """Who sits where."""
    table = scenario.table
    names = [policy.name for policy in table.policies]
    if len(table.arrangements) > 1:
        number = len(table.arrangements)
        who = f"a field of {len(names)}: {', '.join(names)}; {number:,} combinations in turn"
    else:
        seated = zip(scenario.seats, table.arrangements[0][0], strict=True)
        who = ", ".join(f"{seat} {names[index]}" for seat, index in seated)
    return f"{who}; seating {table.seating}, {counted(table.plays, 'play')} of each {scenario.game.unit}"


def given_in_words(scenario: Scenario) -> Iterator[str]:
    """One line for each seat that is given something."""
    for seat, held in scenario.given_texts().items():
        yield f"{seat} holds {held} whenever hands are dealt"


def as_json(scenario: Scenario) -> dict[str, Any]:
    """What is in force, for programs."""
    from analyzer.games.knobs import nested
    from analyzer.games.policy import policy_table

    table = scenario.table
    return {
        "valid": True,
        "name": scenario.name,
        "question": scenario.question,
        "title": scenario.title,
        "game": scenario.game.name,
        "stream": scenario.game.stream,
        **scenario.ending(),
        "first": scenario.first,
        "seed": scenario.seed,
        "confidence": scenario.confidence,
        "digest": scenario.digest(),
        "seats": list(scenario.seats),
        "table": {**scenario.lists(), "seating": table.seating},
        "combinations": len(table.arrangements),
        "plays": table.plays,
        "policies": {policy.name: policy_table(scenario.game, policy) for policy in table.policies},
        "idle_policies": list(scenario.idle),
        "given": scenario.given_texts(),
        "rules": nested(scenario.rules),
        "changed_rules": {
            key: {"value": value, "default": default} for key, (value, default) in scenario.changed_rules().items()
        },
    }
