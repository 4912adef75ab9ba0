#!/usr/bin/env bash
# The kernel's tests again in two other modes, side by side, each in its own process and cache folder: as plain Python (branches,
# debugger), and compiled with bounds checks. What the first says is shown when both have ended.
set -euo pipefail
python=${1:-python3}
tests=(-m pytest -m 'modes and not slow' tests/kernels tests/games)
said=$(mktemp)
NUMBA_DISABLE_JIT=1 "$python" "${tests[@]}" >"$said" 2>&1 &
plain=$!
trap 'kill "$plain" 2>/dev/null || true; rm -f "$said"' EXIT
# Bash lets a process in the background ignore Ctrl-C.
trap 'exit 130' INT TERM
code=0
NUMBA_BOUNDSCHECK=1 "$python" "${tests[@]}" || code=$?
wait "$plain" || code=$?
cat "$said"
exit "$code"
