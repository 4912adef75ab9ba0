#!/usr/bin/env bash
# Makes the reports under reports/published/ again: `make reports`, or `bash reports/make.sh PATH/OF/analyzer`.
set -euo pipefail
analyzer=$(realpath "$(command -v "${1:-analyzer}")")
# From the root and with a relative folder, so that no path of this machine gets into run.json.
cd "$(dirname "$0")/.."
for scenario in dingo-baseline rounce-baseline-3; do
    folder=reports/published/$scenario
    "$analyzer" run "$scenario" --out "$folder"
    # Left out of the repository: what a run makes again, and drawings that report.html holds as well.
    rm "$folder/tallies.json" "$folder"/figures/*.svg
done
