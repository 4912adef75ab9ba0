"""Random words as a pure function of an address.

SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators", with Stafford's mix
13) used as a hash: a unit's key is a mixed (seed, index), a draw's word is the mixed sum of key and
address times an odd constant. No state, so nothing is ever "the next number of a stream", and a draw that
is not taken moves no other.
"""

from __future__ import annotations

from analyzer.kernels.bits import U
from analyzer.kernels.jit import kernel

GOLDEN = U(0x9E3779B97F4A7C15)
_MIX_1 = U(0xBF58476D1CE4E5B9)
_MIX_2 = U(0x94D049BB133111EB)
_STRIDE = U(0xD1342543DE82EF95)
_REPEAT = U(0xA0761D6478BD642F)


@kernel
def mix(z):
    """Stafford's mix 13: a bijection of 64-bit words without visible structure."""
    z = (z ^ (z >> U(30))) * _MIX_1
    z = (z ^ (z >> U(27))) * _MIX_2
    return z ^ (z >> U(31))


@kernel
def unit_key(seed, index):
    """Key of unit `index` (uint64) under `seed` (uint64)."""
    return mix(mix(seed + GOLDEN) + (index + U(1)) * GOLDEN)


@kernel
def repeat_key(key, repeat):
    """Key for the choices of repeat `repeat` (uint64) of what was dealt under a key; repeat 0 keeps the key."""
    return mix(key + repeat * _REPEAT) if repeat else key


@kernel
def address(phase, step, turn):
    """Address of a draw inside a unit, from small whole numbers below 256: what for, at which step or rank,
    whose turn.

    The topmost byte is left for further words at the same address (`choose`).
    """
    return (U(phase) << U(16)) | (U(step) << U(8)) | U(turn)


@kernel
def word(key, where):
    """The 64 random bits at an address."""
    return mix(key + (where + U(1)) * _STRIDE)
