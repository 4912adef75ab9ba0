"""What chance decided in a deal, read again from the addresses at which the kernel drew it."""

from __future__ import annotations

import numpy as np

from analyzer.games.common.seating import chance_threshold
from analyzer.games.dingo import kernel
from analyzer.games.dingo.reference_policy import kind_of
from analyzer.games.dingo.reference_view import RANKS, SEATS, Decision, View
from analyzer.games.dingo.state import TURNS
from analyzer.games.spec import Policy
from analyzer.kernels.choose import coins
from analyzer.kernels.rng import address


class Chances:
    """Of the deal whose choices have this key."""

    def __init__(self, key: np.uint64) -> None:
        self.key = key

    def noise(self, decision: Decision, policy: Policy) -> bool:
        """Whether a random legal choice takes the place of the policy's."""
        kind, seat = kind_of(decision), SEATS.index(decision.seat)
        chance = np.uint64(chance_threshold(policy.noise[kind]))
        if decision.kind in ("discard", "pass"):
            return self._happens(kernel.EXCHANGE_NOISE, decision.step, seat, chance)
        if decision.kind == "ace_hunt":
            return self._happens(kernel.ACE_NOISE, len(decision.before), seat, chance)
        turn = TURNS * decision.circle + len(decision.before)
        place = seat + (4 if kind == "both_wolves" else 0)
        # Compiled code gives a word back as a Python integer, which it would not take for a word again.
        drawn = int(coins(self.key, np.uint64(address(kernel.HUNT_NOISE, turn, place)), chance)) if chance else 0
        return bool(drawn >> 16 * seat + RANKS.index(decision.rank) & 1)

    def recalled(self, view: View, memory: float) -> set[str]:
        """Discards of others that a player who remembers each with this chance still knows."""
        chance, observer = np.uint64(chance_threshold(memory)), SEATS.index(view.seat)
        steps = [step for step, word in enumerate(view.rules["exchange"]) if word == "discard"]
        found = set()
        for number, (seat, card) in enumerate(view.discards):
            place = 4 * observer + SEATS.index(seat)
            if seat != view.seat and self._happens(kernel.MEMORY, steps[number // 4], place, chance):
                found.add(card)
        return found

    def _happens(self, phase: int, step: int, turn: int, chance: np.uint64) -> bool:
        return bool(kernel.happens(self.key, np.uint64(address(phase, step, turn)), chance))
