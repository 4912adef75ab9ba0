"""What every game counts of its plays by policy and seat, and of pairs of policies.

Win shares are counted in twelfths, so that a win shared by two, three or four players is a whole number. `_sq`
holds squares of a unit's sum over its plays, `play_points_sq` those of single plays. A pair (a, b) counts the
units in which both sit: d = k_b * A_a - k_a * A_b, where A is a policy's sum over the unit and k its plays, both
k's over their common divisor; `pair_scale` is the sum of what d is to be divided by. Mark m of the running
counters stands for the first m units; its segment holds the units with an index below m that lie in no earlier
segment.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from analyzer.games.common.formulas import MINUS
from analyzer.games.common.grid import running_marks
from analyzer.games.spec import LUCK_PARTS, CounterSpec, Table


def counters(*axes: str, names: tuple[str, ...], grouped: bool = True) -> tuple[CounterSpec, ...]:
    """Counters of the same shape."""
    return tuple(CounterSpec(name, axes, grouped) for name in names)


UNIT_COUNTERS: tuple[CounterSpec, ...] = (
    *counters(names=("units", "no_winner")),
    *counters(
        "policy",
        "seat",
        names=("seated", "plays", "win", "points", "win_sq", "points_sq", "play_points_sq"),
    ),
    *counters("policy", names=("policy_units", "policy_plays", "policy_win_sq", "policy_points_sq")),
    *counters("pair", names=("pair_units", "pair_scale", "pair_win", "pair_win_sq", "pair_points", "pair_points_sq")),
    *counters("mark", "policy", "seat", names=("running_win", "running_plays", "running_win_sq"), grouped=False),
    *counters("mark", "policy", names=("running_policy_win_sq",), grouped=False),
)


def unit_axes(seats: tuple[str, ...], table: Table) -> Mapping[str, tuple[str, ...]]:
    """Labels of the axes of `UNIT_COUNTERS`, and of the tables of luck and skill."""
    names = tuple(policy.name for policy in table.policies)
    return {
        "seat": seats,
        "policy": names,
        "pair": tuple(MINUS.join(pair) for pair in combinations(names, 2)),
        "part": LUCK_PARTS,
        "mark": tuple(str(mark) for mark in running_marks(len(table.arrangements))),
    }
