#!/usr/bin/env bash
# Makes the reports under reports/published/ again: `make reports`, or `bash reports/make.sh PATH/OF/analyzer`.
set -euo pipefail
analyzer=$(realpath "$(command -v "${1:-analyzer}")")
# From the root and with a relative folder, so that no path of this machine gets into run.json.
cd "$(dirname "$0")/.."
for scenario in dingo-baseline; do
    "$analyzer" run "$scenario" --out "reports/published/$scenario"
    "$(dirname "$analyzer")/python" reports/slim.py "reports/published/$scenario"
done
