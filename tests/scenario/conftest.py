"""A scenario file of one's own for every test."""

from collections.abc import Callable
from pathlib import Path

import pytest

TEXT = """
# Who wins?
game  = "dingo"
title = "A question"
count = 1_000
seed  = 3

[policies.mine]
base = "careful"
noise = 0.25

[table]
seats = ["mine", "careful", "greedy", "careful"]
seating = "rotate"
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a scenario file: the text above with replacements, or another text or bytes."""

    def write(*replacements: tuple[str, str], content: str | bytes = TEXT, name: str = "question.toml") -> Path:
        path = tmp_path / name
        if isinstance(content, str):
            for old, new in replacements:
                assert old in content
                content = content.replace(old, new)
            content = content.encode()
        path.write_bytes(content)
        return path

    return write
