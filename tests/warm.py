"""Compile the kernels into the cache, a process a game, before tests run in several processes that would each do it."""

from __future__ import annotations

import subprocess
import sys

from analyzer.games.registry import GAMES

PROGRAM = """
import sys
import analyzer
from analyzer.games.registry import game_named
from analyzer.scenario.source import shipped_names
from analyzer.studies.verify import verify

game = game_named(sys.argv[1])
analyzer.run(next(name for name in shipped_names() if name.startswith(f"{game.name}-baseline")), count=64)
verify(game, 1, 1, 1, lambda done, total: None)
"""

if __name__ == "__main__":
    running = [subprocess.Popen([sys.executable, "-c", PROGRAM, game]) for game in GAMES]
    sys.exit(max(process.wait() for process in running))
