"""Who sits where in every unit: from the `[table]` of a scenario to arrangements."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from analyzer.errors import ScenarioError
from analyzer.games.spec import GameSpec, Policy, Table
from analyzer.scenario.model import Seating, TableModel

MAX_COMBINATIONS = 10_000
MAX_POLICIES = 40

Arrangement = tuple[int, ...]
"""Seat -> index of the policy that sits there."""


def listed(game: GameSpec, table: TableModel, n_seats: int) -> tuple[str, ...]:
    """The names in `seats` or `field`, or the default policy in every seat; without `seats` there are `n_seats`.

    Raises ScenarioError when both are given, or a number that cannot sit down.
    """
    if table.seats is not None and table.field is not None:
        raise ScenarioError("table: has seats and field; exactly one of them says who plays")
    if table.seats is not None:
        if len(table.seats) not in game.seat_counts:
            raise ScenarioError(
                f"table.seats: {_policies(len(table.seats))}; {game.title} has {_or(game.seat_counts)} seats"
            )
        return tuple(table.seats)
    if table.field is None:
        return (game.default_policy,) * n_seats
    names = tuple(table.field)
    for index, name in enumerate(names):
        if name in names[:index]:
            raise ScenarioError(
                f"table.field[{index}]: {name!r} is listed twice; to seat it twice define a second policy based on it"
            )
    if len(names) < n_seats:
        raise ScenarioError(f"table.field: {_policies(len(names))}; {game.title} has {n_seats} seats")
    n_combinations = math.comb(len(names), n_seats)
    if len(names) > MAX_POLICIES or n_combinations > MAX_COMBINATIONS:
        raise ScenarioError(
            f"table.field: {len(names)} policies on {n_seats} seats make {n_combinations:,} combinations; "
            f"allowed: at most {MAX_POLICIES} policies and {MAX_COMBINATIONS:,} combinations"
        )
    return names


def build_table(names: Sequence[str], n_seats: int, seating: Seating, policies: Mapping[str, Policy]) -> Table:
    """The table where `names` play: `n_seats` of them are the seats in order, more are a field, whose
    combinations come in lexicographic order of the list. `policies` holds each of them."""
    distinct = tuple(dict.fromkeys(names))
    indices = [distinct.index(name) for name in names]
    arrangements = tuple(tuple(_seated(chosen, seating)) for chosen in combinations(indices, n_seats))
    return Table(tuple(policies[name] for name in distinct), arrangements, seating)


def joint_tables(
    listings: Sequence[Sequence[str]], policies: Sequence[Mapping[str, Policy]], n_seats: int, seating: Seating
) -> list[Table]:
    """The tables of several listings of one length, so that a place means the same in each: arrangements tell apart
    whoever is told apart in some listing.

    `policies` holds those of each listing. Where all name the same policies a table is that of `build_table`; else its
    policies are called `one → other`, by what stands in each listing.
    """
    roles: dict[tuple[str, ...], str] = {}
    for names in zip(*listings, strict=True):
        label = " → ".join(dict.fromkeys(names))
        while names not in roles and label in roles.values():
            label += "′"
        roles.setdefault(names, label)
    labels = [roles[names] for names in zip(*listings, strict=True)]
    return [
        build_table(
            labels, n_seats, seating, {label: replace(known[names[arm]], name=label) for names, label in roles.items()}
        )
        for arm, known in enumerate(policies)
    ]


def _seated(chosen: Arrangement, seating: Seating) -> Iterator[Arrangement]:
    """The plays of a unit with these policies, in order.

    fixed: as listed. rotate: in play r the policy listed for seat s sits at seat s + r, so each moves one
    seat on, in order of play. all: every distinct arrangement in lexicographic order, the policies taken in
    the order in which the list first names them.
    """
    n = len(chosen)
    if seating == "fixed":
        yield tuple(chosen)
    elif seating == "rotate":
        for shift in range(n):
            yield tuple(chosen[(seat - shift) % n] for seat in range(n))
    else:
        yield from _arrangements(sorted(chosen))


def _arrangements(rest: list[int]) -> Iterator[Arrangement]:
    if not rest:
        yield ()
    for first in sorted(set(rest)):
        left = list(rest)
        left.remove(first)
        for others in _arrangements(left):
            yield (first, *others)


def _policies(number: int) -> str:
    return f"{number} {'policy' if number == 1 else 'policies'}"


def _or(numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last
