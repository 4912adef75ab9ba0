"""What a game must offer the rest of the house, as plain frozen data.

Nothing outside `games/<name>/` holds a word of a game: knobs, features, tables, pictures, findings and
health checks are declared here as data and read by generic code. Functions inside a spec are pure: they
turn named counters into numbers and never touch files, clocks or other packages than NumPy.

Shapes. A *counter* is an array of integers with named axes. *Grouped* counters are kept for 64 groups of
units (fixed by the unit's index), *plain* ones once. A function of counters always sees each array as
float64 with one leading dimension more than its axes: `c["win"][..., policy, seat]`; that leading
dimension holds the total and its leave-one-group- out variants at once, so write every formula over the
trailing axes only (`.sum(-1)`, never `.sum(0)`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

GROUPS = 64
"""Groups of units for the delete-one-group jackknife; unit i belongs to group (i // LANES) % GROUPS."""

LANES = 64
"""Units in a batch; all units of a batch belong to one group."""

Rules = Mapping[str, Any]
"""Rule knobs by dotted key (`"points.low"`), every knob present, no value None."""

Given = tuple[tuple[int, int], ...]
"""What seats are dealt for sure: (seat, cards as a set of bits), by seat; the rest of every deal is left to chance."""

Counters = Mapping[str, Array]
Unit = Literal["share", "points", "count", "ratio", "value"]
"""`value`: of a knob, in whatever it is measured."""


@dataclass(frozen=True)
class KnobSpec:
    """One rule that a scenario may change, a key of its `[rules]` table."""

    key: str
    kind: Literal["int", "bool", "choice", "steps"]
    default: Any
    text: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str | int, ...] = ()
    """Words, or of a `choice` also whole numbers."""
    derive: Callable[[Rules], Any] | None = None
    """The default as a function of the knobs listed before this one; `default` is its value when those have theirs."""
    derived_text: str = ""
    """What the default hangs on, in words."""
    seats: bool = False
    """Whether the value is the number of seats at the table, which a scenario may leave out but not contradict."""
    alternatives: tuple[Any, ...] = ()
    """Other values worth trying, for `ambiguity`."""
    touches: tuple[Literal["deal", "exchange", "call", "play", "score"], ...] = ()
    ends: bool = False
    """Whether it can change when a game is over, so that other plays follow or fall away."""
    disputed: bool = False
    """Whether the sources are silent or disagree."""
    reference: str = ""
    """Section of the rules page."""

    def default_in(self, rules: Rules) -> Any:
        """The default among these values of the knobs listed before this one."""
        return self.derive(rules) if self.derive else self.default


@dataclass(frozen=True)
class DecisionSpec:
    """One kind of decision that a policy weighs."""

    name: str
    group: str
    """A table of this name in a policy holds for all decisions of the group (`discard` for `discard_1` ...)."""
    text: str


@dataclass(frozen=True)
class FeatureSpec:
    """One number that a policy's weight multiplies."""

    name: str
    groups: tuple[str, ...]
    """Decision groups that know it."""
    low: int
    high: int
    text: str


@dataclass(frozen=True)
class Policy:
    """A resolved policy: every weight and every chance, nothing inherited any more."""

    name: str
    idea: str
    origin: str
    weights: Mapping[str, Mapping[str, float]]
    """decision name -> feature name -> weight, rounded to 2^-10; features not named weigh 0."""
    noise: Mapping[str, float]
    """decision name -> chance of a random legal move instead."""
    lapse: float
    memory: Literal["perfect", "none", "top_card"] | float


@dataclass(frozen=True)
class Table:
    """Who sits where in every unit."""

    policies: tuple[Policy, ...]
    arrangements: tuple[tuple[tuple[int, ...], ...], ...]
    """[combination][play][seat] -> index into `policies`; unit i is played with combination i % len, once a play.
    Every combination has the same number of plays.
    """
    seating: str

    @property
    def plays(self) -> int:
        """Plays (deals or matches) in a unit."""
        return len(self.arrangements[0])


@dataclass(frozen=True)
class Looks:
    """How means are estimated where one looks again and again: by confidence sequences, chosen before any unit is
    seen.
    """

    best_at: float
    """Units at which the sequences are narrowest."""
    comparisons: int = 1
    """So many of them hold together."""
    variance: float | None = None
    """Of a unit's win share, guessed."""


@dataclass(frozen=True)
class Setting:
    """What tables, findings and health checks may know about a run besides its counters."""

    rules: Rules
    table: Table
    seats: tuple[str, ...]
    axes: Mapping[str, tuple[str, ...]]
    """Axis name -> labels of its positions."""
    confidence: float = 0.95
    given: Given = ()
    looks: Looks | None = None
    """Of a run that may end at any look."""

    @property
    def policies(self) -> tuple[str, ...]:
        """Names of the table's policies, in order."""
        return tuple(policy.name for policy in self.table.policies)


Of = Callable[[Counters, Setting], Array]
"""Counters -> array over (leading, *row axes); see the head of this module."""


@dataclass(frozen=True)
class CounterSpec:
    """One array of integers that the kernel fills."""

    name: str
    axes: tuple[str, ...] = ()
    grouped: bool = True


@dataclass(frozen=True)
class Ratio:
    """Any smooth function of totals; interval by the delete-one-group jackknife."""

    value: Of
    n: Of
    """Observations behind each value, shown as `n`."""


@dataclass(frozen=True)
class Mean:
    """Mean over units of a whole number; exact squares are kept. mean = total / (n * scale)."""

    total: Of
    squares: Of
    n: Of
    scale: Of
    """What one unit's number is divided by (plays of the row in a unit, times 12 for win shares)."""


@dataclass(frozen=True)
class Running:
    """As `Mean`, of a number with bounds, over the units so far at each of several marks: its intervals are a
    confidence sequence, so that those of all marks hold together.
    """

    total: Of
    squares: Of
    n: Of
    scale: Of


@dataclass(frozen=True)
class Frequency:
    """A yes or no once a unit: Wilson interval. With several plays a unit use `Ratio`."""

    successes: Of
    n: Of


@dataclass(frozen=True)
class Spread:
    """Largest minus smallest of the last axis of `value`: simultaneous interval floored at 0, and the value
    that equal positions would show by chance (reported as `under_equal`). The row axes are those left
    after dropping the last.
    """

    value: Of
    n: Of


@dataclass(frozen=True)
class Quantile:
    """The value below which a share `level` of a histogram lies: Woodruff's interval."""

    histogram: Of
    """(leading, *row axes, cells): observations by value; those of a cell are taken as spread evenly over it."""
    n: Of
    level: float
    edges: Callable[[Setting], Array]
    """(cells + 1,) where the cells begin and, last, end; infinite at the end if the last cell is open."""


LUCK_PARTS = ("deal", "seat", "policy", "rest", "interplay", "chance")
"""Where the variance of a seat's points comes from; the first four add up to all of it, the last two to the rest."""


@dataclass(frozen=True)
class LuckPart:
    """A row for each of `LUCK_PARTS`, of a batch that plays its units `twice`: variance components with intervals."""

    of: Literal["share", "variance"]
    """share: of the whole variance. variance: in points squared."""


@dataclass(frozen=True)
class ColumnSpec:
    """One estimated number in each row of a table."""

    name: str
    label: str
    unit: Unit
    estimator: Ratio | Mean | Running | Frequency | Spread | Quantile | LuckPart | None = None
    """How it comes from counters; None: a study estimates it."""
    low: float | None = None
    """Smallest possible value; intervals are cut there."""
    high: float | None = None
    text: str = ""


@dataclass(frozen=True)
class PictureSpec:
    """A figure drawn from one table."""

    kind: Literal["intervals", "heat", "stacked", "histogram", "lines", "curve"]
    """intervals: a dot with its interval for each row (first axis along x, second as colour). heat: first
    axis along x, second along y, colour = the column, diverging round 0 for differences. stacked: one bar
    a row of the first axis, a segment for each value of the second axis, or for each column if the table
    has one axis. histogram: bars over a numeric axis, whose last label may be open ("64+"). lines:
    logarithmic x from the numeric first axis. curve: linear x from it, its values marked.
    """
    name: str
    title: str
    columns: tuple[str, ...]
    x_label: str = ""
    y_label: str = ""
    diverging: bool = False
    reference: float | None = None
    """A line to compare with."""
    reference_of: Callable[[Setting], float] | None = None
    """The same where it hangs on the table or the rules, a fair share for instance."""
    shown: Callable[[Setting], bool] | None = None
    """Whether there is anything to draw under these rules; None: always."""
    cell: Callable[[str], tuple[str, str]] | None = None
    """Of a heat over a table of one axis: row label -> (label along x, label along y). None: what stands
    before the last character, and the last character (cards: rank, suit).
    """
    joined: bool = False
    """Whether the axes after the first (of a heat: after the second) are one, labelled by those that vary."""


@dataclass(frozen=True)
class TableSpec:
    """One table of the results: a key of `results.json`, a CSV, a section of the report."""

    name: str
    title: str
    text: str
    axes: tuple[str, ...]
    """Row axes; their labels come from `Setting.axes`."""
    columns: tuple[ColumnSpec, ...]
    batch: str = "main"
    pictures: tuple[PictureSpec, ...] = ()
    section: str = "results"
    keep: Callable[[tuple[str, ...], Setting], bool] | None = None
    """Which rows exist, by their labels; None keeps all. Rows with n = 0 stay, with nulls."""
    absent: Callable[[Setting], str | None] | None = None
    """The reason why this table is left out of a run, or None."""
    folded: bool = False
    """Shown closed in the page (long tables)."""
    ranked: str = ""
    """A column of means, of a table of one axis, by which its rows get places, largest first, as ranges."""
    drop_empty: bool = False
    """Leave out the rows in which every column has n = 0."""
    headline: Callable[[tuple[str, ...], Setting], Hashable] | None = None
    """Of a table whose win shares a run by precision waits for: what the win share of a row is of, by its labels. Rows
    of the same are one comparison.
    """


@dataclass(frozen=True)
class TargetSpec:
    """A number that `solve` can bring to a target: a column of one of the game's tables of the main batch, estimated by
    a mean, a frequency or a ratio. Of a table with axes the target names the row.
    """

    name: str
    text: str
    table: str
    column: str


@dataclass(frozen=True)
class FindingSpec:
    """A sentence a player would say to another, said only when the numbers support it."""

    name: str
    question: str
    """The question in a player's words that it answers."""
    sentence: str
    """`str.format` template over what `select` returns. Estimates (mappings with estimate, low, high) take
    the format specs `percent` (27.1% (27.0 to 27.2)), `gain` (2.1 percentage points (2.0 to 2.2), sign
    dropped), `points` (3.2 points (3.1 to 3.3)), `number`.
    """
    select: Callable[[Mapping[str, Any], Setting], Mapping[str, Any] | None]
    """Results (as in `results.json`) -> values for the sentence, or None when the intervals do not support it."""


@dataclass(frozen=True)
class HealthSpec:
    """A check of the machine against what must hold."""

    name: str
    title: str
    kind: Literal["equal", "odds", "uniform"]
    """equal: `observed` and `expected` agree exactly (whole numbers). odds: `observed` counts out of `n`
    against probabilities `expected` (two-sided exact binomial test each). uniform: chi-square of counts
    `observed` against counts `expected`, times `scale`, on `dof`.
    """
    batch: str
    observed: Of
    expected: Of
    n: Of | None = None
    scale: float = 1.0
    dof: int = 0
    text: str = ""
    applies: Callable[[Setting], bool] | None = None
    """Whether there is anything to check in such a run; None: in every one."""


@dataclass(frozen=True)
class BatchSpec:
    """One simulation that a run consists of. The first is the main one; the others answer side questions."""

    name: str
    text: str
    table: Literal["main", "random", "mirror", "rotated"] = "main"
    """main: the scenario's table. random: the `random` preset in every seat, fixed. mirror: each of the
    table's policies against itself under a second name, rotated. rotated: the scenario's, rotated whatever its seating
    is.
    """
    limit: int | None = None
    """At most so many units."""
    probe: str | None = None
    """The experiment the kernel runs in it, if any."""
    twice: bool = False
    """Whether each unit is played a second time with other chances of decisions, and only what tells luck from skill is
    counted (`sim/luck.py`); the table must be rotated.
    """


@dataclass(frozen=True)
class DealSpec:
    """What chance hands out, so that a scenario may give a seat some of it."""

    word: str = "card"
    """What one of them is called."""
    names: tuple[str, ...] = ()
    """In the order of their bits in a hand."""
    hand: Callable[[Rules], int] = lambda rules: 0
    """How many a seat is dealt."""
    spelt: Callable[[str], str] = str
    """A name as players write it, as it stands in `names` if it is one."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Names of what no hand is dealt, and where it is instead."""

    def names_of(self, held: int) -> tuple[str, ...]:
        """Names of a set, in the order of `names`."""
        return tuple(name for bit, name in enumerate(self.names) if held >> bit & 1)

    def texts(self, given: Given, seats: tuple[str, ...]) -> dict[str, str]:
        """What seats are given, by their labels, as a scenario says it."""
        return {seats[seat]: " ".join(self.names_of(held)) for seat, held in given}


@dataclass(frozen=True)
class GameSpec:
    """A game. The registry is the only list of them."""

    name: str
    title: str
    unit: str
    """What is counted: "deal" or "match"."""
    summary: str
    sources: str
    seat_counts: tuple[int, ...]
    seats: Callable[[int], tuple[str, ...]]
    """Labels of n seats, in order of play."""
    knobs: tuple[KnobSpec, ...]
    check_rules: Callable[[Rules], None]
    """Raises RulesError when valid knobs cannot be played together."""
    decisions: tuple[DecisionSpec, ...]
    features: tuple[FeatureSpec, ...]
    default_policy: str
    axes: Callable[[Rules, Table], Mapping[str, tuple[str, ...]]]
    counters: tuple[CounterSpec, ...]
    batches: tuple[BatchSpec, ...]
    tables: tuple[TableSpec, ...]
    findings: tuple[FindingSpec, ...]
    health: tuple[HealthSpec, ...]
    package: str
    """Dotted name of the game's package. Its modules `play` (Prepared), `transcript` (events, words),
    `explain` (events with reasons) and `reference` are imported when needed; its folder holds `rules.md` and
    `policies/*.toml`.
    """
    stream: int
    """Version of the map from address to cards and choices."""
    play_unit: str = ""
    """Plural name of what `deals_per_second` counts."""
    rates: tuple[tuple[str, str], ...] = ()
    """Further speeds of a run's provenance: name, and the grouped counter whose sum is divided by the seconds."""
    deal: DealSpec = DealSpec()
    """What can be given to a seat."""
    records: tuple[tuple[str, str], ...] = ()
    """Fields of the record of a play (`state.RECORD`) after `win` and `points`, and what they hold."""
    seat_origin: str = ""
    """Field of the record of a play that holds the seat from which the table `by_seat` counts; "" if it goes by the
    seats of the table.
    """
    lapses: bool = True
    """Whether a player can overlook something that must be played."""
    targets: tuple[TargetSpec, ...] = ()
    """What `solve` can aim at besides win shares and points."""
    whole_noise: tuple[str, ...] = ()
    """Decision groups that are one choice between their decisions: noise can be given for the group only."""

    @property
    def decision_groups(self) -> tuple[str, ...]:
        """Names of decision groups, in order."""
        return tuple(dict.fromkeys(decision.group for decision in self.decisions))
