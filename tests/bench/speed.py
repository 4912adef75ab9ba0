"""Speed and memory, as ratios measured in one run on one machine: `make bench`.

Times are the best of several repeats. The yardstick is one 64-bit random word of the kernel's own
generator, measured in turn with the kernels, so that a slow or busy machine moves both.
"""

from __future__ import annotations

import importlib
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analyzer.games.common.prepared import PreparedTable
from analyzer.games.policy import resolve_policies
from analyzer.games.registry import GAMES, game_named
from analyzer.games.spec import GameSpec
from analyzer.kernels.bits import U
from analyzer.kernels.jit import kernel
from analyzer.kernels.rng import word
from analyzer.scenario.load import load_scenario
from analyzer.scenario.seating import build_table
from analyzer.sim.engine import Job, simulate
from analyzer.studies.what_if import compared

IntArray = NDArray[np.int64]
ROOT = Path(__file__).parents[2]
REPEATS = 7
UNITS = 1 << 17
FIRST = 1 << 20
"""Where timed blocks begin: past the first units, where the marks of the running sums lie dense."""
WORDS = 20_000_000


@kernel
def chained_words(n):
    """n random words, each made from the one before, so that none is skipped or made beside another."""
    w = U(1)
    for _ in range(n):
        w = word(w, U(3))
    return w


def best(run: Callable[[], object], repeats: int = REPEATS) -> float:
    """Shortest time of a call, in seconds."""
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        run()
        times.append(time.perf_counter() - begun)
    return min(times)


def baseline(game: GameSpec) -> Path:
    """The game's baseline scenario, that of its largest table."""
    return sorted((ROOT / "scenarios").glob(f"{game.name}-baseline*.toml"))[-1]


def job_of(game: GameSpec, name: str, count: int) -> Job:
    policies = resolve_policies(game, {}, [name])
    scenario = load_scenario(baseline(game))
    n = len(scenario.seats)
    return Job(game, scenario.rules, build_table([name] * n, n, "fixed", policies), 1, count)


def kernel_times(game: GameSpec) -> None:
    """One thread, every tally of a normal run."""
    chain_ns = best(lambda: chained_words(WORDS)) / WORDS * 1e9
    print(f"  one random word, each made from the one before: {chain_ns:.2f} ns")
    for name in (game.default_policy, "random"):
        prepared = job_of(game, name, 0).work.prepared
        tallies = np.zeros(prepared.grouped_shape, np.int64), np.zeros(prepared.plain_shape, np.int64)
        prepared.play(1, 0, 64, *tallies)
        units = UNITS // work(game)
        ns = best(lambda p=prepared, t=tallies, n=units: p.play(1, FIRST, n, *t)) / units * 1e9  # type: ignore[misc]
        tallies[0][:] = 0
        prepared.play(1, FIRST, units, *tallies)
        what, plays = plays_of(game, prepared, tallies, units)
        per = ns * units / plays
        print(f"  {name}: {per:.0f} ns a {what}, {1e3 / per:.2f} million a second, {per / chain_ns:.0f} words")


def plays_of(
    game: GameSpec, prepared: PreparedTable, tallies: tuple[IntArray, IntArray], units: int
) -> tuple[str, int]:
    """What the kernel's cost is told for, and how many of them these tallies count: rounds, if units have them."""
    rounds = prepared.named(*tallies)[0].get("rounds")
    return (game.unit, units) if rounds is None else ("round", int(rounds.sum()))


def kernel_parts(game: GameSpec) -> None:
    """Where the kernel's time goes, by the game's own file beside this one."""
    parts = importlib.import_module(f"parts_{game.name}").parts(game.default_policy, best)
    print(f"  by part, {game.default_policy}: " + ", ".join(f"{name} {ns:.0f} ns" for name, ns in parts.items()))


def work(game: GameSpec) -> int:
    """How much longer a unit of the game takes than a single deal, roughly."""
    return 1 if game.unit == "deal" else 10


def thread_scaling(game: GameSpec) -> None:
    """Two threads against one, in turn."""
    job = job_of(game, game.default_policy, 16 * UNITS // work(game))
    simulate(job, jobs=1)
    pairs = [(best(lambda: simulate(job, jobs=1), 1), best(lambda: simulate(job, jobs=2), 1)) for _ in range(5)]
    ratios = sorted(one / two for one, two in pairs)
    print(f"  two threads are {ratios[len(ratios) // 2]:.2f} times as fast as one (median of 5 pairs)")


def what_if_costs(game: GameSpec) -> None:
    """Every shipped what-if against a run of its baseline with all tallies, one thread, in turn."""
    for path in sorted((ROOT / "scenarios").glob(f"{game.name}-*.toml")):
        scenario = load_scenario(path)
        if scenario.what_ifs:
            arms, _ = compared(scenario)
            units = UNITS // (8 * work(game) * scenario.table.plays)
            alone, many = (partial(each.play, FIRST, units) for each in (arms.arms[0], arms))
            ratios = sorted(best(many, 1) / best(alone, 1) for _ in range(6))
            k = len(scenario.what_ifs)
            aim = f"{1.3 * (k + 1):.1f} at most wanted"
            print(f"  what-if {path.stem}, {k} changed: {ratios[2]:.2f} times its baseline alone ({aim})")


def memory(game: GameSpec) -> None:
    """Largest resident memory of a whole process that plays 10^5 and 10^7 units."""
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from analyzer.scenario.load import load_scenario\n"
        "from analyzer.sim.engine import Job, simulate\n"
        "s = load_scenario(sys.argv[1])\n"
        "simulate(Job(s.game, s.rules, s.table, 1, int(sys.argv[2])), jobs=2)\n"
        # Not `ru_maxrss`, which a process takes over from the one that started it.
        "print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])\n"
    )
    for count in (10**5 // work(game), 10**7 // work(game)):
        done = subprocess.run(
            [sys.executable, "-c", program, str(baseline(game)), str(count)],
            capture_output=True,
            text=True,
            check=True,
        )
        print(f"  {count:,} {game.play_unit}: {int(done.stdout) / 1024:.0f} MB at most")


def commands(game: GameSpec) -> None:
    """Whole commands, as a user waits for them."""
    exe = [sys.executable, "-m", "analyzer"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True}
    help_s = best(lambda: subprocess.run([*exe, "--help"], **quiet), 5)  # type: ignore[call-overload]
    print(f"  analyzer --help: {help_s:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        run = [*exe, "run", str(baseline(game)), "--quiet", "--out", str(Path(folder, "report"))]
        few = best(lambda: subprocess.run([*run, "-n", "1"], **quiet), 3)  # type: ignore[call-overload]
        many = 10**6 // work(game)
        million = best(lambda: subprocess.run([*run, "-n", str(many)], **quiet), 3)  # type: ignore[call-overload]
        cold_env = {**os.environ, "NUMBA_CACHE_DIR": folder}
        cold = best(lambda: subprocess.run([*run, "-n", "1"], env=cold_env, **quiet), 1)  # type: ignore[call-overload]
    print(f"  1 {game.unit} to the finished report: {few:.1f} s; with nothing compiled yet: {cold:.1f} s")
    print(f"  {many:,} {game.play_unit} to the finished report: {million:.1f} s")


def main() -> None:
    print(f"{os.cpu_count()} processors, {threading.active_count()} thread at the start")
    for name in GAMES:
        game = game_named(name)
        print(game.title)
        kernel_times(game)
        kernel_parts(game)
        thread_scaling(game)
        what_if_costs(game)
        memory(game)
        commands(game)
    print(f"this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


if __name__ == "__main__":
    main()
