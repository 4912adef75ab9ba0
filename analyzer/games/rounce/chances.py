"""What chance decided in a round, read again from the addresses at which the kernel drew it."""

from __future__ import annotations

import numpy as np

from analyzer.games.common.seating import chance_threshold
from analyzer.games.rounce import kernel
from analyzer.games.rounce.reference_policy import kind_of
from analyzer.games.rounce.reference_view import TILES, Decision, View
from analyzer.games.spec import Policy
from analyzer.kernels.rng import address


class Chances:
    """Of the round whose choices have this key."""

    def __init__(self, key: np.uint64) -> None:
        self.key = key

    def noise(self, decision: Decision, policy: Policy) -> bool:
        """Whether a random legal choice takes the place of the policy's."""
        view = decision.view
        if decision.kind in ("call", "discard"):
            phase, step = kernel.CALL_NOISE if decision.kind == "call" else kernel.ASIDE_NOISE, 0
        else:
            phase, step = kernel.TILE_NOISE, len(view.tricks) - (decision.kind == "follow")
        return self._happens(phase, step, view.seat, policy.noise[kind_of(decision)])

    def recalled(self, view: View, memory: float) -> set[str]:
        """Tiles of finished tricks that a player who remembers each with this chance still knows to be played."""
        played = [tile for trick in view.tricks if trick.winner >= 0 for _, tile in trick.plays]
        return {tile for tile in played if self._happens(kernel.MEMORY, TILES.index(tile), view.seat, memory)}

    def _happens(self, phase: int, step: int, turn: int, chance: float) -> bool:
        # Compiled code gives a word back as a Python integer, which it would not take for a word again.
        where = np.uint64(address(phase, step, turn))
        return bool(kernel.happens(self.key, where, np.uint64(chance_threshold(chance))))
