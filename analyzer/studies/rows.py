"""The rows of a table of arms: each policy in each of its seats, each policy, each seat; and what they are called."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from analyzer.sim.arms import WHOLE, ArmsWork, Row

ALL = "all"


@dataclass(frozen=True)
class Rows:
    """Rows of a work, by what they are for."""

    work: ArmsWork
    seats: tuple[str, ...]

    @cached_property
    def cells(self) -> list[Row]:
        """A policy in a seat."""
        return [row for row in self.work.rows if -1 not in row]

    @cached_property
    def by_policy(self) -> list[Row]:
        """A policy, wherever it sits."""
        return [row for row in self.work.rows if row[1] == -1 and row != WHOLE]

    @cached_property
    def by_seat(self) -> list[Row]:
        """A seat, whoever sits there."""
        return [row for row in self.work.rows if row[0] == -1 and row != WHOLE]

    @cached_property
    def family(self) -> list[Row]:
        """All that are different: cells, and sums of them that are no cell of their own."""
        known = {self.work.rows[row] for row in self.cells}
        sums = [row for row in self.by_policy + self.by_seat if self.work.rows[row] not in known]
        return self.cells + sums

    @cached_property
    def every(self) -> list[Row]:
        """All of them."""
        return self.cells + self.by_policy + self.by_seat

    @cached_property
    def several_policies(self) -> bool:
        """Whether policies can be told apart from seats."""
        return len(self.by_policy) > 1

    def names(self, row: Row) -> dict[str, str]:
        """Names of seat and policy."""
        policy, seat = row
        return {
            "seat": ALL if seat < 0 else self.seats[seat],
            "policy": ALL if policy < 0 else self.work.arms[0].table.policies[policy].name,
        }

    def who(self, row: Row) -> str:
        """The row in a sentence."""
        names = self.names(row)
        if row[0] < 0 or not self.several_policies:
            return f"seat {names['seat']}"
        return names["policy"] if row[1] < 0 else f"{names['policy']} in seat {names['seat']}"
