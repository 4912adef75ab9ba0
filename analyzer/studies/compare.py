"""Two reports side by side: every number of both and the difference, paired where they have deals in common.

Units of the same seed and number have the same cards under all rules and policies, and lie in the same group of every
run. So the groups' sums, which a report keeps, are enough to pair two reports that were never played together. Where
seats are given other cards the deals are others, but one seed still makes them alike, and pairing allows for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.errors import TalliesError
from analyzer.games.knobs import nested
from analyzer.games.policy import policy_table
from analyzer.games.spec import Setting, TableSpec
from analyzer.report.beside import Sharing, Side, beside
from analyzer.report.frames import Batch, TableResult, Words, evaluate_tables
from analyzer.report.numbers import counted
from analyzer.report.results import rounded
from analyzer.scenario.load import Scenario
from analyzer.sim.result import Tallies
from analyzer.stats.intervals import Estimates, concatenated
from analyzer.stats.two_runs import Difference, even_groups
from analyzer.stats.verdicts import verdicts
from analyzer.studies.batches import setting_of
from analyzer.studies.paired import SHARE_CHANGES
from analyzer.studies.played import fitting, identity
from analyzer.studies.reports import Report, read_report
from analyzer.studies.said import EFFECT, check_effect, in_words

if TYPE_CHECKING:
    import pandas as pd

HEADLINES = ("by_seat", "by_policy", "by_policy_seat")
"""Tables compared in the rows that both have, though each may have others; their win shares are the family."""
JUDGED = "win_share"
FAMILY = (
    "All differences of win shares by seat, by policy, and by policy and seat are one family: with the chance "
    "`confidence` every verdict on them is right. Other intervals hold one at a time."
)


@dataclass(frozen=True)
class Compared:
    """Two reports, A and B, side by side."""

    a: Report
    b: Report
    results: dict[str, Any]
    """As `results.json` is of a run: plain values; nothing in it hangs on folders, time or machine."""
    tables: dict[str, TableResult]
    """Of each column `NAME` the numbers `NAME_a` and `NAME_b`, and the difference, B less A, under its own name."""

    def frame(self, name: str) -> pd.DataFrame:
        """One table: its row labels, then of each column `NAME` those of `NAME_a`, `NAME_b` and `NAME` (B less A), each
        with `_low`, `_high`, `_se`, `_n`; last the verdicts, where there are any.
        """
        if name not in self.tables:
            reason = self.results["absent"].get(name)
            raise KeyError(
                f"{name}: {reason}" if reason else f"no table is named {name!r}; tables: {', '.join(self.tables)}"
            )
        return self.tables[name].frame()


def compare(first: Path, second: Path, effect: float = EFFECT) -> Compared:
    """Set two report folders side by side; differences are those of the second, B, less the first, A.

    `effect` is the smallest difference of a win share that matters. Raises ScenarioError when it is none, TalliesError
    when a report cannot be read or is damaged, when they are of two games, or when they have a part of their deals in
    common that is too short to allow for.
    """
    check_effect(effect)
    a, b = read_report(first), read_report(second)
    if a.scenario.game.name != b.scenario.game.name:
        raise TalliesError(
            f"{b.folder} cannot be compared with {a.folder}: its game is {b.scenario.game.name}, not "
            f"{a.scenario.game.name}"
        )
    main = sharing(a, b, next(iter(a.tallies)))
    if main is None:
        raise TalliesError(_too_short(a, b))
    same = identity(a.scenario) == identity(b.scenario)
    with fitting(f"{a.folder} or {b.folder}"):
        tables, absent = _tables(a, b, same)
        judged = _judged(tables, effect, a.scenario)
    made = {name: judged.get(name, table) for name, (table, _) in tables.items()}
    opening = {
        "game": a.scenario.game.name,
        "study": "compare",
        "unit": a.scenario.game.unit,
        "confidence": a.scenario.confidence,
        "effect": effect,
        "family": FAMILY,
        "sharing": main,
        "same": same and main == "paired",
        "a": _about(a),
        "b": _about(b),
        "differences": list(differences(a, b)),
    }
    found = {**opening, **{name: table.records() for name, table in made.items()}, "absent": absent}
    return Compared(a, b, dict(rounded(found)), made)


def sharing(a: Report, b: Report, batch: str) -> Sharing | None:
    """What a batch of both reports has in common; None where that is a part too short to allow for."""
    one, other = a.tallies[batch], b.tallies[batch]
    if a.scenario.seed != b.scenario.seed or not _common(one, other):
        return "separate"
    if (one.first, one.units) == (other.first, other.units):
        return "paired"
    return "overlapping" if even_groups(one.group_units) and even_groups(other.group_units) else None


def differences(a: Report, b: Report) -> Iterator[dict[str, Any]]:
    """What the scenarios differ in, as {"key", "a", "b"}; a policy that only one has is one entry, and None in the
    other.
    """
    one, other = _document(a), _document(b)
    for name in dict.fromkeys((*one["policies"], *other["policies"])):
        mine, its = one["policies"].get(name), other["policies"].get(name)
        if mine is None or its is None:
            one["policies"].pop(name, None)
            other["policies"].pop(name, None)
            yield {"key": f"policies.{name}", "a": mine, "b": its}
    left, right = dict(_leaves(one, "")), dict(_leaves(other, ""))
    for key in dict.fromkeys((*left, *right)):
        if left.get(key) != right.get(key):
            yield {"key": key, "a": left.get(key), "b": right.get(key)}


def _common(one: Tallies, other: Tallies) -> int:
    """Units that both have, if their seeds are the same."""
    return max(0, min(one.first + one.units, other.first + other.units) - max(one.first, other.first))


def _too_short(a: Report, b: Report) -> str:
    unit, common = a.scenario.game.unit, _common(a.main, b.main)
    return (
        f"{a.folder} and {b.folder} have {counted(common, unit)} of one seed in common and others apart, and are too "
        f"short to tell how far that makes them alike; play both over the same range (--first, -n), or one of them "
        "under another --seed"
    )


def _tables(
    a: Report, b: Report, same: bool
) -> tuple[dict[str, tuple[TableResult, dict[str, Difference]]], dict[str, str]]:
    """Each table that both have, with its differences by column; for the others the reason why not."""
    game = a.scenario.game
    sides = [_batches(each, a.scenario.confidence) for each in (a, b)]
    (first, absent_a), (second, absent_b) = (evaluate_tables(game.tables, batches) for batches in sides)
    made: dict[str, tuple[TableResult, dict[str, Difference]]] = {}
    absent: dict[str, str] = {}
    for spec in game.tables:
        name = spec.name
        common = sharing(a, b, spec.batch)
        if name not in first or name not in second:
            reasons = {label: told[name] for label, told in (("A", absent_a), ("B", absent_b)) if name in told}
            only = "" if len(reasons) == 2 else f"in {next(iter(reasons))}: "
            absent[name] = only + next(iter(reasons.values()))
        elif reason := _unlike(spec, first[name], second[name]):
            absent[name] = reason
        elif common is None:
            absent[name] = f"its batch {spec.batch!r} has too few {game.unit}s in common, and others apart"
        else:
            one, other = (
                Side(each[name], batches[spec.batch]) for each, batches in zip((first, second), sides, strict=True)
            )
            made[name] = beside(one, other, common, same and common == "paired")
    return made, absent


def _unlike(spec: TableSpec, one: TableResult, other: TableResult) -> str:
    """Why two tables cannot be compared; "" if they can."""
    if spec.name in HEADLINES:
        return "" if set(one.rows) & set(other.rows) else "the reports have no row of it in common"
    return "" if set(one.rows) == set(other.rows) else "its rows are not the same in both reports"


def _batches(report: Report, confidence: float) -> dict[str, Batch]:
    scenario = replace(report.scenario, confidence=confidence)
    settings: dict[str, Setting] = {spec.name: setting_of(scenario, spec) for spec in scenario.game.batches}
    return {name: Batch(tallies, settings[name]) for name, tallies in report.tallies.items() if tallies.units}


def _judged(
    tables: Mapping[str, tuple[TableResult, dict[str, Difference]]], effect: float, scenario: Scenario
) -> dict[str, TableResult]:
    """The headline tables with a verdict on each row's win share, all of them one family."""
    heads = {name: tables[name] for name in HEADLINES if name in tables}
    if not heads:
        return {}
    found = concatenated([differences[JUDGED].found for _, differences in heads.values()])
    df = np.concatenate([differences[JUDGED].df for _, differences in heads.values()])
    levels = concatenated([table.estimates[f"{JUDGED}_a"] for table, _ in heads.values()])
    keys = [_key(found, levels, index) for index in range(len(df))]
    # One policy's win share in a seat is also that seat's: it is judged once.
    distinct = [keys.index(key) for key in dict.fromkeys(keys)]
    chosen = found.map(lambda part: part[distinct])
    judged = verdicts(chosen, effect, scenario.confidence, bounds=SHARE_CHANGES, df=df[distinct])
    items = {keys[place]: judged.item(index) for index, place in enumerate(distinct)}
    told = iter(items[key] for key in keys)
    made = {}
    for name, (table, _) in heads.items():
        mine = tuple(next(told) for _ in table.rows)
        words = Words("Verdict on B", tuple(in_words(item, scenario.game.unit) for item in mine), mine)
        made[name] = replace(table, words={"verdict": words})
    return made


def _key(found: Estimates, levels: Estimates, index: int) -> tuple[str, ...]:
    return tuple(repr(part[index]) for part in (found.estimate, found.se, found.n, levels.estimate, levels.se))


def _about(report: Report) -> dict[str, Any]:
    scenario, main = report.scenario, report.main
    return {
        "name": report.name,
        "title": scenario.title,
        "question": scenario.question,
        "first": main.first,
        "count": main.units,
        "seed": scenario.seed,
        "scenario_digest": scenario.digest(),
    }


def _document(report: Report) -> dict[str, Any]:
    """What numbers depend on, as nested tables; of the units those that were counted."""
    scenario = report.scenario
    policies = {}
    for policy in scenario.table.policies:
        table = policy_table(scenario.game, policy)
        policies[policy.name] = {key: value for key, value in table.items() if key not in ("base", "idea", "origin")}
    return {
        "count": report.main.units,
        "first": report.main.first,
        "seed": scenario.seed,
        "confidence": scenario.confidence,
        "rules": nested(scenario.rules),
        "given": scenario.given_texts(),
        "policies": policies,
        "table": {**scenario.lists(), "seating": scenario.table.seating},
    }


def _leaves(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", list(value) if isinstance(value, tuple) else value
