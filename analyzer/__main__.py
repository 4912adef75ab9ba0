"""`python -m analyzer` and the command `analyzer`."""

import sys


def main() -> None:
    """The program; a Ctrl-C while it still loads is told as any later one."""
    try:
        from analyzer.cli.main import main as program

        program()
    except KeyboardInterrupt:
        sys.stderr.write("analyzer: error: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
