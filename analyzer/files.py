"""Locks between processes, files that appear whole or not at all, and what can go wrong with either in words."""

from __future__ import annotations

import errno
import fcntl
import glob
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EACCES: "there is no permission to write there",
    errno.EPERM: "there is no permission to write there",
    errno.EROFS: "the disk is read-only",
    errno.EFBIG: "the file grew too large",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ENOTDIR: "a part of its path is not a folder",
    errno.EEXIST: "a part of its path is not a folder",
    errno.EBUSY: "it is in use (a mount point?)",
}


def reason(error: OSError) -> str:
    """Why a file could not be written."""
    return REASONS.get(error.errno or 0, error.strerror or str(error))


@contextmanager
def locked(parent: Path) -> Iterator[None]:
    """Hold the lock on a folder; it ends with the process at the latest. On a disk without locks two
    processes may meet in the moves, and one of them then gets an error."""
    handle = os.open(parent, os.O_RDONLY)
    try:
        lock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def lock(handle: int, how: int = fcntl.LOCK_EX | fcntl.LOCK_NB) -> bool:
    """Whether the lock was got; false when another holds it or the disk knows no locks."""
    try:
        fcntl.flock(handle, how)
    except OSError:
        return False
    return True


def held_elsewhere(path: Path) -> bool:
    """Whether another process, or another handle of this one, holds the lock of a file."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(handle)
    return False


def sweep(path: Path) -> None:
    """Remove what processes no longer alive were writing to take the place of a file."""
    with suppress(OSError), locked(path.parent):
        for left in path.parent.glob(f".{glob.escape(path.name)}.new-*"):
            if not held_elsewhere(left):
                left.unlink()


def beside(path: Path) -> tuple[Path, int]:
    """A new file that is to take the place of `path`, open for writing and locked against `sweep`. Raises OSError."""
    new = path.with_name(f".{path.name}.new-{secrets.token_hex(4)}")
    with locked(path.parent):
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        lock(handle)
    return new, handle


@contextmanager
def appearing(path: Path) -> Iterator[BinaryIO]:
    """A file to write beside `path`, whose place it takes when the block ends; it is removed if the block fails.

    Raises OSError.
    """
    sweep(path)
    new, handle = beside(path)
    try:
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(handle)
            new.replace(path)
    finally:
        new.unlink(missing_ok=True)
