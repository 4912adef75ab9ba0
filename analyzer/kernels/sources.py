"""A digest of everything that is played with: of what machine code in the cache depends on, and of which simulator
made a run's numbers.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


@cache
def simulator_digest() -> str:
    """Digest of this simulator; the same on every machine."""
    return digest_of(PACKAGE)


def digest_of(package: Path) -> str:
    """SHA-256 over every source under `kernels/` and `games/` of a package."""
    seen = hashlib.sha256()
    for folder in ("kernels", "games"):
        for path in sorted((package / folder).rglob("*.py")):
            seen.update(path.relative_to(package).as_posix().encode())
            seen.update(path.read_bytes())
    return seen.hexdigest()
