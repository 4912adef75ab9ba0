"""Replacing a report folder as a whole: a new one appears complete or not at all, and the old one is never
lost.

The new folder is filled beside the old one, `.NAME.new-XXXXXXXX`. Then the old one is put aside as
`.NAME.old`, the new one takes its name, and the old one is removed. A process that dies between these steps
leaves an aside, which the next start puts back. These moves are made under a lock on the parent folder, so
that two processes writing the same report take turns and the later one's is whole; a folder being filled is
locked too, so that a start knows the dead ones.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from analyzer.errors import PlaceError, ReportError
from analyzer.files import lock, locked, reason

FILES = (
    "report.html",
    "report.md",
    "results.json",
    "run.json",
    "scenario.toml",
    "tallies.json",
    "columns.csv",
)
PARTS = frozenset((*FILES, "tables", "figures"))
"""Everything that a report folder holds at its top."""
LITTER = frozenset([".DS_Store", "Thumbs.db", "desktop.ini"])
"""What file managers leave behind; it does not count."""
NAME_BYTES = 80


def safe_name(name: str) -> str:
    """A name that is one plain file name everywhere: letters, digits, `-`, `_` and `.` inside; never empty,
    hidden, a device of Windows, or longer than 80 bytes."""
    kept = "".join(char if char.isalnum() or char in "-_." else "-" for char in name)
    parts = [part for part in kept.split("-") if part.strip("._")]
    short = "-".join(parts).strip("-_.").encode("utf-8", "ignore")[:NAME_BYTES]
    plain = short.decode("utf-8", "ignore").strip("-_.") or "report"
    device = plain.split(".")[0].upper()
    reserved = device in ("CON", "PRN", "AUX", "NUL") or (device[:3] in ("COM", "LPT") and device[3:].isdigit())
    return f"{plain}-report" if reserved else plain


def prepare(folder: Path) -> None:
    """Make sure, before any work is done, that a report can be written to `folder`.

    Puts back what an earlier run left aside. Raises PlaceError when the folder holds something that is not
    a report, cannot be replaced as a whole, or cannot be written.
    """
    try:
        place = _resolved(folder)
    except ReportError as error:
        raise PlaceError(str(error)) from None
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with locked(place.parent):
            _recover(place)
            _refuse_foreign(place)
            trial = place.parent / f".{place.name}.new-{secrets.token_hex(4)}"
            trial.mkdir()
            trial.rmdir()
            if place.exists():
                # A mount point, or another's report in a shared folder, cannot be moved. An aside left by a
                # kill between these two moves is put back by the next start.
                place.rename(_aside(place))
                _aside(place).rename(place)
    except OSError as error:
        raise PlaceError(_in_words(place, error)) from error
    except ReportError as error:
        raise PlaceError(str(error)) from None


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """Yield an empty folder; it takes the place of `folder` when the block ends, and is removed if the
    block fails.

    Raises ReportError for every OSError, also of the block, and when `folder` holds something that is not a
    report.
    """
    place = _resolved(folder)
    try:
        new = place.parent / f".{place.name}.new-{secrets.token_hex(4)}"
        place.parent.mkdir(parents=True, exist_ok=True)
        with locked(place.parent):
            _recover(place)
            _refuse_foreign(place)
            new.mkdir()
            held = os.open(new, os.O_RDONLY)
            lock(held)
        try:
            yield new
            with locked(place.parent):
                _recover(place)
                _refuse_foreign(place)
                _exchange(new, place)
        finally:
            shutil.rmtree(new, ignore_errors=True)
            os.close(held)
    except OSError as error:
        raise ReportError(_in_words(place, error)) from error


def _resolved(folder: Path) -> Path:
    """The path without links; raises ReportError where they go round in a circle, or the folder that the path is
    seen from is gone."""
    try:
        place = Path(os.path.realpath(folder))
    except OSError as error:
        raise ReportError(_in_words(folder, error)) from error
    if os.path.islink(place):
        raise ReportError(f"cannot write the report {place}: it is a link that leads back to itself")
    return place


def _exchange(new: Path, place: Path) -> None:
    """Old aside, new in, old gone; on any failure the old one is back."""
    aside = _aside(place)
    try:
        if place.exists():
            place.rename(aside)
        new.rename(place)
    except BaseException:
        if aside.exists() and not place.exists():
            aside.rename(place)
        raise
    # The new report is in place; an aside that cannot be removed now is removed by the next start.
    shutil.rmtree(aside, ignore_errors=True)


def _recover(place: Path) -> None:
    """Put an aside back where its report is missing, remove it where a newer one stands; remove folders
    that processes no longer alive were filling. Needs the parent's lock."""
    aside = _aside(place)
    if aside.exists():
        if (place / "results.json").exists():
            shutil.rmtree(aside)
        else:
            with suppress(FileNotFoundError):
                place.rmdir()
            aside.rename(place)
    for name in os.listdir(place.parent):
        if name.startswith(f".{place.name}.new-"):
            _remove_dead(place.parent / name)


def _remove_dead(left: Path) -> None:
    """Remove a folder unless a process still holds it (or the disk knows no locks and cannot tell)."""
    with suppress(OSError):
        handle = os.open(left, os.O_RDONLY)
        try:
            if lock(handle):
                shutil.rmtree(left, ignore_errors=True)
        finally:
            os.close(handle)


def _refuse_foreign(place: Path) -> None:
    """Raise ReportError unless `place` is missing, empty, or a report and nothing else."""
    if not place.exists():
        return
    here = Path(os.path.realpath(os.curdir))
    if place == here or place in here.parents:
        raise ReportError(
            f"{place} is where this command is run, and a report folder is replaced as a whole; "
            "run it elsewhere, or choose another place with --out"
        )
    if not place.is_dir():
        raise ReportError(f"{place} is a file, and a report is a folder; choose another place with --out")
    found = set(os.listdir(place)) - LITTER
    if not found:
        return
    if "results.json" not in found:
        raise ReportError(
            f"{place} is not empty and holds no results.json, so it is not a report and was left alone; "
            "choose another place with --out"
        )
    foreign = sorted(found - PARTS)
    if foreign:
        raise ReportError(
            f"{place} holds {foreign[0]!r}, which is no part of a report and would be lost; "
            "move it away or choose another place with --out"
        )


def _aside(place: Path) -> Path:
    return place.parent / f".{place.name}.old"


def _in_words(place: Path, error: OSError) -> str:
    # Asked of os.path, which takes a place that cannot be looked at for one without a report.
    whole = "; the report that was there is whole" if os.path.exists(place / "results.json") else ""
    return f"cannot write the report {place}: {reason(error)}{whole}"
