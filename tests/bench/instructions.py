"""Instructions that the kernels take, compared with those on record: `make instructions`.

Callgrind counts what the processor is told to do, which no other process touches. It counts machine code for one fixed
processor, which Valgrind knows (it knows no AVX-512). Whatever a call costs beside playing falls out of the difference
between 2 n units and n.

python tests/bench/instructions.py           # exit code 1 where a count is off
python tests/bench/instructions.py record    # the counts of now are those to keep
"""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

RECORD = Path(__file__).with_suffix(".toml")
PINS = {
    "NUMBA_CPU_NAME": "znver3",
    "NUMBA_CPU_FEATURES": "+avx2,+bmi,+bmi2,+popcnt,+lzcnt,+fma,+sse4.2,+avx,+sse4.1,+ssse3,+sse3,+cx16",
}
"""Alike for the process that compiles and the one that is counted, else the second finds nothing in the cache."""
COMPILERS = ("numba", "llvmlite")
"""Whose versions the counts hold for."""
TOLERANCE = 0.005
"""Repeats differ by less than a thirtieth of it."""
UNITS = {"deal": 4096, "match": 512}
DUMP, ZERO, START, STOP = (0x43540000 + number for number in (0, 1, 4, 5))
"""Requests to Callgrind, from its `callgrind.h`."""
REQUEST = bytes.fromhex("4889f8 31d2 48c1c703 48c1c70d 48c1c73d 48c1c733 4887db 4889d0 c3")
"""A function of a request's address. What Valgrind takes for a request is nothing to a processor (`valgrind.h`): rax =
rdi; edx = 0; rdi turned by 3, 13, 61 and 51 bits, twice round in all; rbx exchanged with itself; return rdx.
"""

Counts = Mapping[str, int]
"""What is played -> instructions."""


def missing() -> str:
    """Why nothing can be counted here; empty when it can."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return f"the counts are those of x86-64, and this is {platform.machine()}"
    return "" if shutil.which("valgrind") else "there is no valgrind; Debian and Ubuntu have it: apt install valgrind"


def play() -> None:
    """Play n and 2 n units of each game and policy, each counted apart; print a line each: what, how many of it."""
    import numpy as np
    from speed import FIRST, job_of, plays_of

    from analyzer.games.registry import GAMES, game_named

    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(REQUEST)
    kind = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64))
    call = kind(ctypes.addressof(ctypes.c_char.from_buffer(page)))

    def request(code: int) -> None:
        call((ctypes.c_uint64 * 6)(code))

    for game in map(game_named, GAMES):
        for policy in (game.default_policy, "random"):
            prepared = job_of(game, policy, 0).work.prepared
            tallies = np.zeros(prepared.grouped_shape, np.int64), np.zeros(prepared.plain_shape, np.int64)
            prepared.play(1, 0, 0, *tallies)
            for units in (UNITS[game.unit], 2 * UNITS[game.unit]):
                tallies[0][:] = 0
                request(START)
                request(ZERO)
                prepared.play(1, FIRST, units, *tallies)
                request(DUMP)
                request(STOP)
                what, plays = plays_of(game, prepared, tallies, units)
                print(plays, f"{game.name}: a {what} of {policy}", sep="\t")


def measured() -> dict[str, int]:
    """The counts of now."""
    program = [sys.executable, __file__, "play"]
    environment = {**os.environ, **PINS}
    subprocess.run(program, env=environment, stdout=subprocess.PIPE, check=True)
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no"]
        command = [*valgrind, f"--callgrind-out-file={folder}/counts", *program]
        told = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True).stdout
        lines = [line.split("\t") for line in told.splitlines()]
        counts = [summary(Path(folder, f"counts.{part}")) for part in range(1, len(lines) + 1)]
    found = {}
    for i in range(0, len(lines), 2):
        (few, what), (many, _) = lines[i : i + 2]
        found[what] = round((counts[i + 1] - counts[i]) / (int(many) - int(few)))
    return found


def summary(dump: Path) -> int:
    """Instructions in one of Callgrind's files."""
    found = re.search(r"^summary: (\d+)$", dump.read_text(), re.MULTILINE)
    assert found
    return int(found[1])


def compilers() -> dict[str, str]:
    """Their versions here."""
    return {name: version(name) for name in COMPILERS}


def compared(recorded: Counts, found: Counts) -> tuple[list[str], bool]:
    """A line for each count, and whether all are as on record."""
    lines, same = [], recorded.keys() == found.keys()
    for name in {**recorded, **found}:
        old, new = recorded.get(name), found.get(name)
        if old is None or new is None:
            lines.append(f"{name}: {'not on record' if old is None else 'not played any more'}")
            continue
        change = new / old - 1
        far = abs(change) > TOLERANCE
        same = same and not far
        lines.append(f"{name}: {new:,} instructions, {old:,} on record, {change:+.2%}{' (too far)' if far else ''}")
    return lines, same


def record(counts: Counts) -> None:
    """Write them down."""
    lines = ["# Made by `make instructions RECORD=1`; see docs/performance.md.", ""]
    lines += ["[compilers]", *(f'{name} = "{value}"' for name, value in compilers().items()), ""]
    lines += ["[instructions]", *(f'"{name}" = {value}' for name, value in counts.items()), ""]
    RECORD.write_text("\n".join(lines), "utf-8")


def main(task: str) -> int:
    """Exit code."""
    if task == "play":
        play()
        return 0
    if reason := missing():
        print(f"instructions are not counted: {reason}")
        return 1 if task == "record" else 0
    if task == "record":
        record(measured())
        print(RECORD.read_text("utf-8"))
        return 0
    kept = tomllib.loads(RECORD.read_text("utf-8"))
    if kept["compilers"] != compilers():
        print(f"the record is of {kept['compilers']}, and here are {compilers()}; make instructions RECORD=1")
        return 1
    lines, same = compared(kept["instructions"], measured())
    print(*lines, sep="\n")
    if not same:
        print("a kernel has become slower or faster, or plays otherwise; if that is meant, make instructions RECORD=1")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
