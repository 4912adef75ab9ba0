"""Single plays of a scenario, by the kernel that runs use, as events and in words."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from analyzer.scenario.load import Scenario


def trace(
    scenario: Scenario, deal: int, deals: int = 1, rotation: int = 0, explain: bool = False
) -> Iterator[list[dict[str, Any]]]:
    """Events of units `deal` ... `deal + deals - 1`, each in play `rotation` of its seating; to `explain` them, with
    events between them that say why each choice was made. Raises KernelFault when a policy's weights do not say so.
    """
    told = importlib.import_module(f"{scenario.game.package}.{'explain' if explain else 'transcript'}")
    yield from told.events(scenario.rules, scenario.table, scenario.seed, deal, deals, rotation, scenario.given)


def words(scenario: Scenario, events: list[dict[str, Any]]) -> str:
    """A play's events as text for a reader."""
    transcript = importlib.import_module(f"{scenario.game.package}.transcript")
    text: str = transcript.words(events)
    return text
