"""The command `analyzer`: a group whose commands are imported on use, and what becomes of errors.

Exit codes: 0 done, 2 bad input, 130 interrupted, 1 fault.
"""

from __future__ import annotations

import errno
import importlib
import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from analyzer.errors import AnalyzerError, Interrupted, nearest, printable

COMMANDS = {
    "run": "Play a scenario and write the report: who wins, and why.",
    "what-if": "Compare a scenario with a change of it, on the same deals.",
    "ambiguity": "Tell which unclear or disputed rules of a game matter.",
    "sweep": "Vary one or two keys of a scenario, all values on the same deals.",
    "solve": "Find the value of a key that brings a number to a target.",
    "plan": "Say how many deals a question needs, from a short pilot.",
    "merge": "Join the reports of a run that was played in parts.",
    "compare": "Set two reports side by side: what differs, and how surely.",
    "check": "Say whether a scenario is valid, and what is in force.",
    "trace": "Tell single deals move by move, in words or as JSON Lines.",
    "verify": "Compare both engines of a game on random deals under random rules.",
    "rules": "List a game's rule knobs: what a scenario may change.",
    "policies": "List a game's policies, what they weigh and how much.",
    "scenarios": "List the scenarios that ship, with their questions.",
    "schema": "Print the JSON Schema of a game's scenario files.",
}
"""Name -> summary; the command is `command` in the module of this package with its name, hyphens as underscores."""

STREAM_FAULTS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file grew too large",
    errno.EIO: "the device failed",
    errno.EBADF: "it is not open for writing",
}
"""What can be wrong with a stream that a shell has set up."""

INTERRUPTED = 130
TRACEBACK = "ANALYZER_TRACEBACK"


def command_named(name: str) -> click.Command:
    """A command, imported now."""
    command = importlib.import_module(f"analyzer.cli.{name.replace('-', '_')}").command
    assert isinstance(command, click.Command)
    return command


class Commands(click.Group):
    """A group that knows its commands by name and imports one when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now; None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        return command_named(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click, with the nearest name when there is no such command."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"no command is named {args[0]!r}{nearest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; quietly done when whoever reads the output has seen enough (`| head`)."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # What is still in the buffer goes nowhere, instead of failing once more at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except KeyboardInterrupt:
            # Told here: click would first write to a standard error that may be closed by now.
            raise Interrupted("interrupted") from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and end the process with its exit code, every error being told in one line."""
        given = list(sys.argv[1:] if args is None else args)
        extra["obj"] = shlex.join(["analyzer", *given])
        try:
            code = super().main(given, prog_name, complete_var, standalone_mode=False, **extra)
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except (click.Abort, KeyboardInterrupt):
            code = _failed("interrupted", INTERRUPTED)
        except AnalyzerError as error:
            code = _failed(str(error), error.exit_code)
        except OSError as error:
            # Whoever opens a file says which; what has no name is a stream.
            told = error.filename is None and error.errno in STREAM_FAULTS
            reason = STREAM_FAULTS.get(error.errno or 0, "")
            code = _failed(f"cannot write the output: {reason}", 1) if told else _fault(error)
        except Exception as error:
            code = _fault(error)
        _let_go()
        sys.exit(code)


def _failed(message: str, code: int) -> int:
    with suppress(OSError):
        click.echo(f"analyzer: error: {printable(' '.join(message.split()))}", err=True)
    return code


def _let_go() -> None:
    """What a stream still holds and cannot take goes nowhere, instead of failing once more at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _open_closed() -> None:
    """A stream that the caller closed leads nowhere: no file opened later may get its number, and with it
    what was meant for the terminal."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is given, which is this one.
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def _fault(error: Exception) -> int:
    if os.environ.get(TRACEBACK):
        import traceback

        traceback.print_exception(error)
    hint = "" if os.environ.get(TRACEBACK) else f" ({TRACEBACK}=1 shows the traceback)"
    return _failed(f"unexpected {type(error).__name__}: {error}{hint}", 1)


def _version(ctx: click.Context, option: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        import analyzer

        click.echo(f"analyzer {analyzer.__version__}")
        ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`analyzer COMMAND --help` tells a command's options; start with `analyzer scenarios`.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Monte Carlo strategy analyzer: which seat, which policy, which rule wins a game, and by how much.

    A SCENARIO is a TOML file or the name of one that ships; a GAME is a name.
    """


def main() -> None:
    """The program."""
    _open_closed()
    # A backend for windows, or of a name that is none, would end a run when it comes to draw.
    os.environ["MPLBACKEND"] = "agg"
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter gets a substitute instead of a fault.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    cli.main(prog_name="analyzer")
