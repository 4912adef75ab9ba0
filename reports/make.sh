#!/usr/bin/env bash
# Makes the reports under reports/published/ again: `make reports`, or `bash reports/make.sh PATH/OF/analyzer`.
set -euo pipefail
analyzer=$(realpath "$(command -v "${1:-analyzer}")")
# From the root and with a relative folder, so that no path of this machine gets into run.json.
cd "$(dirname "$0")/.."

# publish NAME COMMAND...: the report of a command.
publish() {
    local folder=reports/published/$1
    "$analyzer" "${@:2}" --out "$folder"
    # Left out of the repository: what a run makes again, and drawings that report.html holds as well.
    rm "$folder/tallies.json" "$folder"/figures/*.svg
}

publish dingo-baseline run dingo-baseline
publish rounce-baseline-3 run rounce-baseline-3
# More deals than by default: enough to place the rules whose effect is near the line.
publish dingo-ambiguity ambiguity dingo -n 1_000_000
publish rounce-ambiguity ambiguity rounce
