#!/usr/bin/env bash
# The kernel's tests again in two other modes, each in its own process and cache folder: as plain Python (branches, debugger), and
# compiled with bounds checks.
set -euo pipefail
python=${1:-python3}
NUMBA_DISABLE_JIT=1 "$python" -m pytest -m 'modes and not slow' tests/kernels tests/games
NUMBA_BOUNDSCHECK=1 "$python" -m pytest -m 'modes and not slow' tests/kernels tests/games
