"""Monte Carlo strategy analyzer for card and tile games: the Python interface.

    import analyzer

    result = analyzer.run("dingo-baseline", count=100_000)
    result.frame("by_seat")                       # a pandas DataFrame: estimates with their intervals
    result.write("reports/mine", "a notebook")    # the same report folder as the command writes

Importing this package imports nothing heavy; the functions import what they need.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.scenario.load import Scenario
    from analyzer.studies.compare import Compared
    from analyzer.studies.outcome import Outcome
    from analyzer.studies.run import RunResult

    __version__: str

__all__ = ["__version__", "ambiguity", "compare", "load_scenario", "merge", "plan", "run", "solve", "sweep", "what_if"]


def load_scenario(
    source: str | Path,
    overrides: Sequence[str] = (),
    *,
    count: int | None = None,
    first: int | None = None,
    seed: int | None = None,
    precision: float | None = None,
) -> Scenario:
    """A scenario from a file or from those that ship, checked and fully resolved.

    `overrides` are texts such as `"rules.points.ace=5"`. Raises ScenarioError, whose one line names file,
    key, what was found and what is allowed.
    """
    from analyzer.scenario.load import load_scenario

    return load_scenario(source, overrides, count=count, first=first, seed=seed, precision=precision)


def run(
    source: str | Path,
    *,
    count: int | None = None,
    first: int | None = None,
    seed: int | None = None,
    precision: float | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    set: Sequence[str] = (),
    records: str | Path | None = None,
) -> RunResult:
    """Play a scenario and return its results: `.results` (the content of `results.json`), `.frame(table)`
    (a pandas DataFrame), `.write(folder, command)`.

    `count`, `first` (number of the first deal or match) and `seed` replace those of the scenario, `precision` ends the
    run when every win share is known so well (`count` is then the most to play), `set` takes overrides such as
    `"rules.points.ace=5"`, `jobs` is the number of threads (all processors unless given), `cluster` the address of a
    Dask cluster to play on instead, `records` a file (.csv, .csv.gz, .parquet) for a row a play. Raises ScenarioError
    as `load_scenario`, ClusterError, ReportError where the file cannot be written.
    """
    from analyzer.sim.cluster import workers
    from analyzer.studies import run as study
    from analyzer.studies.records import records_of

    scenario = load_scenario(source, set, count=count, first=first, seed=seed, precision=precision)
    recording = records_of(None if records is None else Path(records), scenario, cluster=cluster)
    with workers(cluster) as crew, recording as recorder:
        return study.run(scenario, jobs=jobs, workers=crew, records=recorder)


def what_if(
    source: str | Path,
    *,
    set: Sequence[str] = (),
    base: Sequence[str] = (),
    count: int | None = None,
    first: int | None = None,
    seed: int | None = None,
    effect: float = 0.005,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Outcome:
    """Compare a scenario with a change of it on the same deals: with what `set` says, such as `"rules.points.ace=5"`,
    or with each of its `[[what_if]]` tables. `base` changes both sides; `effect` is the smallest difference of a win
    share that matters. `.results["what_ifs"]` has the numbers, `.frame("change")` a table of them, `.write(folder)`
    the report. Raises ScenarioError as `load_scenario`, ClusterError.
    """
    from analyzer.scenario.load import load_what_if
    from analyzer.sim.cluster import workers
    from analyzer.studies import what_if as study

    scenario = load_what_if(source, set, base, count=count, first=first, seed=seed)
    with workers(cluster) as crew:
        return study.what_if(scenario, effect=effect, jobs=jobs, workers=crew)


def ambiguity(
    game: str,
    *,
    set: Sequence[str] = (),
    count: int | None = None,
    seed: int | None = None,
    effect: float = 0.005,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Outcome:
    """Compare every other reading of a game's rules with those in force on the same deals, at a baseline table and in a
    field of all presets, and sort the readings by whether they matter. `set` changes what they are compared with;
    `effect` is the smallest difference of a win share that matters. `.results["ambiguity"]` has a row a reading,
    `.frame("gaps")` and `.frame("settled")` are tables of them, `.write(folder)` writes the report. Raises
    ScenarioError, ClusterError.
    """
    from analyzer.sim.cluster import workers
    from analyzer.studies import ambiguity as study
    from analyzer.studies.readings import readings_of

    readings = readings_of(game, set, count=count, seed=seed)
    with workers(cluster) as crew:
        return study.ambiguity(readings, effect=effect, jobs=jobs, workers=crew)


def sweep(
    source: str | Path,
    *keys: str,
    set: Sequence[str] = (),
    count: int | None = None,
    first: int | None = None,
    seed: int | None = None,
    effect: float = 0.005,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Outcome:
    """Play a scenario at every value of one or two `keys`, such as `"rules.points.ace=1..5"`, on the same deals, and
    compare each with the scenario as it is; the other arguments are those of `what_if` and `run`.
    `.results["sweep"]` has the numbers. Raises ScenarioError as `load_scenario`, ClusterError.
    """
    from analyzer.scenario.variations import load_variations
    from analyzer.sim.cluster import workers
    from analyzer.studies import sweep as study

    variations = load_variations(source, keys, set, count=count, first=first, seed=seed)
    with workers(cluster) as crew:
        return study.sweep(variations, effect=effect, jobs=jobs, workers=crew)


def solve(
    source: str | Path,
    key: str,
    target: str,
    *,
    low: float | None = None,
    high: float | None = None,
    tolerance: float | None = None,
    set: Sequence[str] = (),
    count: int | None = None,
    first: int | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Outcome:
    """Find the values of a key, from `low` to `high`, at which a number takes a target, such as
    `"win_share(seat=S) = 0.25"`; the other arguments are those of `run`. `.results["crossings"]` has the answers.
    Raises ScenarioError as `load_scenario`, ClusterError.
    """
    from analyzer.sim.cluster import workers
    from analyzer.studies import solve as study

    problem = study.load_problem(
        source, key, target, set, low=low, high=high, tolerance=tolerance, count=count, first=first, seed=seed
    )
    with workers(cluster) as crew:
        return study.solve(problem, jobs=jobs, workers=crew)


def plan(
    source: str | Path,
    *,
    detect: float | None = None,
    budget: float | None = None,
    change: Sequence[str] = (),
    set: Sequence[str] = (),
    count: int = 20_000,
    first: int | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Outcome:
    """How many deals it takes to tell a difference of win shares of `detect`, and what can be told within `budget`
    seconds, from a pilot of `count` deals: of the change that `change` makes, or of each of the scenario's [[what_if]]
    tables, or else of seats and policies of one run. `set` changes the scenario. `.frame("needed")` has the numbers,
    `.timed["timed"]` what hangs on this machine. Raises ScenarioError as `load_scenario`, ClusterError.
    """
    from analyzer.scenario.load import load_what_if
    from analyzer.sim.cluster import workers
    from analyzer.studies import plan as study

    scenario = load_what_if(source, change, set, count=count, first=first, seed=seed)
    with workers(cluster) as crew:
        return study.plan(scenario, detect=detect, budget=budget, jobs=jobs, workers=crew)


def merge(reports: Sequence[str | Path]) -> RunResult:
    """Join the report folders of runs of one scenario over ranges of deals that follow each other: the results of one
    run over all of them, to the last bit. Raises TalliesError.
    """
    from analyzer.studies import merge as study

    return study.merge([Path(report) for report in reports])


def compare(a: str | Path, b: str | Path, *, effect: float = 0.005) -> Compared:
    """Set two report folders of runs side by side: `.results` has every number of both and the difference, B less A,
    paired where they have deals in common; `.frame(table)` a table of them. `effect` is the smallest difference of a
    win share that matters. Raises TalliesError, ScenarioError.
    """
    from analyzer.studies import compare as study

    return study.compare(Path(a), Path(b), effect)


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import version

        return version("strategy-analyzer")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
