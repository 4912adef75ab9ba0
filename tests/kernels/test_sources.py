"""The digest of the simulator: every source that is played with, and nothing of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.kernels.sources import digest_of


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name in ("kernels/rng.py", "games/one/kernel.py", "games/spec.py", "report/page.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")
    return tmp_path


@pytest.mark.parametrize("name", ["kernels/rng.py", "games/one/kernel.py", "games/spec.py", "games/two.py"])
def test_the_digest_changes_with_every_kernel_and_game_source(package: Path, name: str) -> None:
    before = digest_of(package)
    (package / name).write_text("changed = True\n")
    assert digest_of(package) != before


def test_the_digest_does_not_hang_on_the_rest(package: Path) -> None:
    before = digest_of(package)
    (package / "report/page.py").write_text("changed = True\n")
    (package / "games/rules.md").write_text("words")
    assert digest_of(package) == before
