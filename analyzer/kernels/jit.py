"""The one decorator of all compiled code, its disk cache, and the few processor instructions that plain
Python lacks.

The only file that imports Numba. The cache folder's name is a digest of every source under `kernels/` and
`games/`, of Numba's version and of its mode flags: Numba's own key is the function's own file only, and
would keep running old machine code of a helper elsewhere.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config as _config
from numba.core.caching import FunctionCache
from numba.extending import intrinsic
from numpy.typing import NDArray

from analyzer.kernels.sources import simulator_digest

# Its settings are made when Numba is imported, so their names are unknown to a type checker.
config: Any = _config
COMPILED = not config.DISABLE_JIT


def _host_has(feature: str) -> bool:
    if config.CPU_FEATURES is not None:
        return f"+{feature}" in config.CPU_FEATURES.split(",")
    return bool(llvm.get_host_cpu_features().get(feature, False))


HAS_PDEP = COMPILED and _host_has("bmi2")
"""Whether the n-th bit of a set is one instruction here. The cards picked are the same either way."""
HAS_PERMUTE = COMPILED and not config.BOUNDSCHECK and _host_has("avx512bw")
"""Whether 32 look-ups in a table of 64 are one instruction here. What is found is the same either way; it is not
used where bounds are checked, since it cannot be.
"""


def source_digest() -> str:
    """Digest of everything that machine code in the cache depends on besides the processor (Numba checks
    that itself).
    """
    mode = (
        numba.__version__,
        COMPILED,
        config.BOUNDSCHECK,
        config.CPU_NAME,
        config.CPU_FEATURES,
        HAS_PDEP,
        HAS_PERMUTE,
    )
    return hashlib.sha256(f"{simulator_digest()}{mode!r}".encode()).hexdigest()[:20]


def _cache_folder() -> Path | None:
    """A writable folder for machine code, or None: then every process compiles anew, which costs only time."""
    homes = [os.environ.get("XDG_CACHE_HOME", ""), os.path.expanduser("~/.cache")]
    # A home that is not known stays "~", and would become a folder of that name wherever a run is started.
    bases = [os.environ.get("NUMBA_CACHE_DIR", ""), *filter(os.path.isabs, homes)]
    base = next(filter(None, bases), None)
    if base is None:
        return None
    folder = Path(base).absolute() / "strategy-analyzer" / source_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


# Choices between two numbers stay what they are. LLVM would turn some into jumps, which it takes to be foreseeable; on
# cards they are not, and a jump guessed wrong costs more than ten instructions.
llvm.set_option("", "--x86-cmov-converter=false")
# A first start waits for the compiler, and level 3 takes a tenth longer for code 1 to 2 % faster.
config.OPT = type(config.OPT)(2)

CACHE = _cache_folder() if COMPILED else None
if CACHE is not None:
    config.CACHE_DIR = str(CACHE)

_options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}


class _Cache(FunctionCache):
    """Numba's cache, of which a full disk or a damaged file costs only the time to compile."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            # Whatever pickle made of it: an empty index takes its place, so that the next process finds code.
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):
            super().save_overload(sig, data)


def kernel(function: Any) -> Any:
    """Compile a function: no Python objects, other threads go on, machine code kept, no checks for division by 0, and
    no array made or counted inside (counting its users cost more than some kernels do, and threads waited for each
    other)."""
    compiled = numba.njit(**_options)(function)
    if CACHE is not None:
        compiled._cache = _Cache(function)
    return compiled


def records(array: NDArray[np.void]) -> NDArray[np.void]:
    """A record array for kernels, whose records' fields are attributes also where nothing is compiled."""
    return array if COMPILED else array.view(np.recarray)


@intrinsic
def high_product(typingctx: Any, a: Any, b: Any) -> Any:
    """High 64 bits of the 128-bit product of two uint64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


def _bmi2(name: str) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        function = builder.module.declare_intrinsic(f"llvm.x86.bmi.{name}.64", (), ir.FunctionType(word, (word, word)))
        return builder.call(function, args)

    return codegen


@intrinsic
def deposit(typingctx: Any, source: Any, mask: Any) -> Any:
    """Parallel bit deposit (BMI2 `pdep`): the low bits of `source` spread over the set bits of `mask`."""
    return types.uint64(types.uint64, types.uint64), _bmi2("pdep")


@intrinsic
def extract(typingctx: Any, source: Any, mask: Any) -> Any:
    """Parallel bit extract (BMI2 `pext`): the bits of `source` at the set bits of `mask`, side by side."""
    return types.uint64(types.uint64, types.uint64), _bmi2("pext")


@intrinsic
def raise_block(typingctx: Any, best: Any, table: Any, at: Any, index: Any, block: Any) -> Any:
    """best[j] = max(best[j], table[at + index[j]]) for those of 64 lanes with index[j] // 64 == block.

    `best` (64,) and `table` uint16, `index` (64,) uint8. The 64 entries of the block are two registers, from which
    AVX-512 `vpermi2w` takes 32 at a time.
    """
    byte, half, whole = ir.IntType(8), ir.IntType(16), ir.IntType(64)
    bytes_, halves = ir.VectorType(byte, 32), ir.VectorType(half, 32)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def place(which: int, offset: Any, kind: Any) -> Any:
            data = context.make_array(signature.args[which])(context, builder, args[which]).data
            return builder.bitcast(builder.gep(data, [offset]), kind.as_pointer())

        def load(which: int, offset: Any, kind: Any) -> Any:
            return builder.load(place(which, offset, kind), align=kind.element.width // 8)

        def fixed(value: int) -> Any:
            return ir.Constant(whole, value)

        start = builder.add(args[2], builder.shl(args[4], fixed(6)))
        low, high = load(1, start, halves), load(1, builder.add(start, fixed(32)), halves)
        kind = ir.FunctionType(halves, (halves, halves, halves))
        permute = builder.module.declare_intrinsic("llvm.x86.avx512.vpermi2var.hi.512", (), kind)
        lane0 = builder.insert_element(ir.Constant(halves, ir.Undefined), builder.trunc(args[4], half), fixed(0))
        ours = builder.shuffle_vector(lane0, lane0, ir.Constant(ir.VectorType(ir.IntType(32), 32), [0] * 32))
        for lane in (0, 32):
            where = builder.zext(load(3, fixed(lane), bytes_), halves)
            found = builder.call(permute, (low, where, high))
            before = load(0, fixed(lane), halves)
            here = builder.icmp_unsigned("==", builder.lshr(where, ir.Constant(halves, [6] * 32)), ours)
            better = builder.and_(here, builder.icmp_unsigned(">", found, before))
            builder.store(builder.select(better, found, before), place(0, fixed(lane), halves), align=2)
        return context.get_dummy_value()

    return types.void(best, table, types.uint64, index, types.uint64), codegen
