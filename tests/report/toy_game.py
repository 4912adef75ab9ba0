"""A small game for tests of the report: three seats, one winner a unit, whole points, a coin."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analyzer.games.spec import (
    GROUPS,
    LANES,
    BatchSpec,
    ColumnSpec,
    CounterSpec,
    FindingSpec,
    Frequency,
    GameSpec,
    HealthSpec,
    KnobSpec,
    Mean,
    Policy,
    Ratio,
    Setting,
    Spread,
    Table,
    TableSpec,
)

SEATS = ("first", "second", "third")


@dataclass
class ToyTallies:
    """What `sim` hands over: Python integers by group of units."""

    units: int
    group_units: np.ndarray
    grouped: dict[str, np.ndarray] = field(default_factory=dict)
    plain: dict[str, np.ndarray] = field(default_factory=dict)
    first: int = 0


def setting(confidence: float = 0.95) -> Setting:
    plain = Policy("plain", "plays on", "the tests", {}, {}, 0.0, "perfect")
    table = Table((plain,), (((0, 0, 0),),), "fixed")
    rules = {"points.win": 3, "points.loss": 0, "steps": ("left", "right")}
    axes = {"seat": SEATS, "policy": ("plain",), "mark": ("64", "640")}
    return Setting(rules, table, SEATS, axes, confidence)


def played(units: int, chances: tuple[float, float, float] = (0.5, 0.3, 0.2), seed: int = 11) -> ToyTallies:
    """Tallies of so many units; everything but the winner's law is fixed."""
    rng = np.random.default_rng(seed)
    group = (np.arange(units) // LANES) % GROUPS
    won = np.eye(3, dtype=np.int64)[rng.choice(3, size=units, p=chances)]
    points = 3 * won + rng.integers(0, 2, size=(units, 3))
    heads = rng.integers(0, 2, size=units)
    seen = {
        "units": np.ones(units, np.int64),
        "win": 12 * won,
        "win_sq": 144 * won,
        "points": points,
        "points_sq": points**2,
        "heads": heads,
        "plays": np.ones((units, 3), np.int64),
    }
    return ToyTallies(
        units,
        np.bincount(group, minlength=GROUPS),
        {name: by_group(values, group) for name, values in seen.items()},
        {"running": np.array([int(heads[:64].sum()), int(heads[64:].sum())], dtype=object)},
    )


def by_group(values: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Sums over the units of each group as Python integers."""
    total = np.zeros((GROUPS, *values.shape[1:]), dtype=object)
    for index in range(GROUPS):
        sums: Any = values[group == index].sum(0)
        total[index] = sums.tolist() if values.ndim > 1 else int(sums)
    return total


def column(name: str, estimator: Any, **named: Any) -> ColumnSpec:
    return ColumnSpec(name, name.replace("_", " "), named.pop("unit", "share"), estimator, **named)


WIN_SHARE = column(
    "win_share",
    Mean(lambda c, s: c["win"], lambda c, s: c["win_sq"], lambda c, s: c["units"], lambda c, s: np.float64(12)),
    low=0.0,
    high=1.0,
)
POINTS = column(
    "points",
    Mean(
        lambda c, s: c["points"],
        lambda c, s: c["points_sq"],
        lambda c, s: c["units"],
        lambda c, s: np.float64(1),
    ),
    unit="points",
)
BY_SEAT = TableSpec("by_seat", "By seat", "", ("seat",), (WIN_SHARE, POINTS))
COIN = TableSpec(
    "coin",
    "The coin",
    "",
    (),
    (
        column("heads", Frequency(lambda c, s: c["heads"], lambda c, s: c["units"])),
        column(
            "heads_again",
            Ratio(lambda c, s: c["heads"] / c["units"], lambda c, s: c["units"]),
            low=0.0,
            high=1.0,
        ),
        column(
            "spread",
            Spread(lambda c, s: c["win"] / c["units"][..., None] / 12, lambda c, s: c["units"]),
            low=0.0,
            high=1.0,
        ),
    ),
)
SIDE = TableSpec("side", "Aside", "", ("seat",), (WIN_SHARE,), batch="side")
ALONE = TableSpec("alone", "Alone", "", (), (), absent=lambda s: "one policy only" if len(s.policies) < 2 else None)


def best_seat(results: Any, setting: Setting) -> Any:
    rows = sorted(results["by_seat"], key=lambda row: -row["win_share"]["estimate"])
    share = rows[0]["win_share"]
    if share["low"] is None or share["low"] <= 1 / 3:
        return None
    gain = {part: share[part] - 1 / 3 for part in ("estimate", "low", "high")}
    return {"seat": rows[0]["seat"], "share": share, "gain": gain}


BEST_SEAT = FindingSpec(
    "best_seat",
    "Which seat is best?",
    "The {seat} seat wins {share:percent}, {gain:gain} more than fair.",
    best_seat,
)

HEALTH = (
    HealthSpec(
        "winners",
        "One winner",
        "equal",
        "main",
        observed=lambda c, s: c["win"].sum(-1),
        expected=lambda c, s: 12 * c["units"],
        text="Every unit has one winner.",
    ),
    HealthSpec(
        "coin",
        "Fair coin",
        "odds",
        "main",
        observed=lambda c, s: c["heads"],
        expected=lambda c, s: np.float64(0.5),
        n=lambda c, s: c["units"],
    ),
    HealthSpec(
        "even",
        "Seats even",
        "uniform",
        "side",
        observed=lambda c, s: c["win"] / 12,
        expected=lambda c, s: c["units"][..., None] / 3,
        dof=2,
    ),
)

GAME = GameSpec(
    name="toy",
    title="Toy",
    unit="deal",
    summary="",
    sources="",
    seat_counts=(3,),
    seats=lambda n: SEATS,
    knobs=(KnobSpec("points.win", "int", 3, "points of a win", 0, 9),),
    check_rules=lambda rules: None,
    decisions=(),
    features=(),
    default_policy="plain",
    axes=lambda rules, table: setting().axes,
    counters=(CounterSpec("units"), CounterSpec("win", ("seat",))),
    batches=(BatchSpec("main", ""), BatchSpec("side", "")),
    tables=(BY_SEAT, COIN, SIDE, ALONE),
    findings=(BEST_SEAT,),
    health=HEALTH,
    package="toy",
    stream=1,
)
