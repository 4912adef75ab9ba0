"""Locks between handles, and what can go wrong with a file in words."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from analyzer.files import held_elsewhere, lock, reason


def test_a_lock_is_seen_by_others_until_its_handle_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert not held_elsewhere(path)
    path.write_text("")
    assert not held_elsewhere(path)
    handle = os.open(path, os.O_RDONLY)
    assert lock(handle)
    assert held_elsewhere(path)
    os.close(handle)
    assert not held_elsewhere(path)


def test_a_reason_is_in_words() -> None:
    assert reason(OSError(errno.ENOSPC, "No space left on device")) == "the disk is full"
    assert reason(OSError(errno.ELOOP, "Too many levels")) == "Too many levels"
