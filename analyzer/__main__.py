"""`python -m analyzer` is the `analyzer` command."""

from analyzer.cli.main import main

main()
