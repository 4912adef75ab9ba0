"""The only list of games."""

from __future__ import annotations

import importlib

from analyzer.errors import ScenarioError, nearest, shown
from analyzer.games.spec import GameSpec

GAMES = ("dingo", "rounce")


def game_named(name: str) -> GameSpec:
    """The spec of a game; raises ScenarioError with the nearest known name."""
    if name not in GAMES:
        raise ScenarioError(f"no game is named {shown(name)}{nearest(name, GAMES)}; games: {', '.join(GAMES)}")
    spec = importlib.import_module(f"analyzer.games.{name}.spec").SPEC
    assert isinstance(spec, GameSpec)
    return spec
