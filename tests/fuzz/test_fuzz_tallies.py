"""Checkpoints and tallies of every kind: refused in one line, or read as they were written."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from fuzz_input import examples, texts, values
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cli.main import cli
from analyzer.errors import TalliesError
from analyzer.scenario.load import Scenario, load_scenario
from analyzer.studies.checkpoint import Checkpoint
from analyzer.studies.played import Played, sealed, tallies_from, tallies_json, unsealed
from analyzer.studies.run import run

LINE = 1000


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return load_scenario("dingo-baseline", count=64)


@pytest.fixture(scope="module")
def content(scenario: Scenario) -> dict[str, Any]:
    """What a checkpoint of the whole run holds."""
    played = tallies_json(scenario, run(scenario, jobs=1).tallies)
    return {**played, "asked": 64, "parts": [{"first": 0, "count": 64, "seconds": {"main": 1.0}}]}


def refused(call: Callable[[], Any]) -> bool:
    """Whether a call was refused as it should be."""
    message = ""
    try:
        call()
    except TalliesError as error:
        message = str(error)
    assert len(message) <= LINE, message[:200]
    return bool(message)


@st.composite
def spoiling(draw: Any) -> Callable[[Any], None]:
    """A change of one place in a content, however deep."""
    choices = [draw(st.integers(0, 10**6)) for _ in range(8)]
    what, value, name = draw(st.sampled_from(["value", "drop", "add"])), draw(values), draw(texts)
    depth = draw(st.integers(0, 7))

    def spoil(node: Any) -> None:
        for level in range(8):
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not keys:
                return
            key = keys[choices[level] % len(keys)]
            if level < depth and isinstance(node[key], dict | list):
                node = node[key]
                continue
            if what == "drop":
                del node[key]
            elif what == "add" and isinstance(node, dict):
                node[name] = value
            elif what == "add":
                node.append(value)
            else:
                node[key] = value
            return

    return spoil


@examples(10)
@given(st.lists(spoiling(), min_size=1, max_size=2))
def test_spoilt_content_under_a_right_checksum_is_refused_or_a_whole_run(
    tmp_path: Path, scenario: Scenario, content: dict[str, Any], spoilings: list[Callable[[Any], None]]
) -> None:
    spoilt = deepcopy(content)
    for spoil in spoilings:
        spoil(spoilt)
    place = tmp_path / "r.checkpoint"
    try:
        place.write_text(sealed("checkpoint", spoilt), "utf-8", "surrogatepass")
    except (TypeError, ValueError):
        # Dates, NaN: JSON cannot hold them.
        return
    before = place.read_bytes()
    checkpoint = Checkpoint(tmp_path / "r", scenario)
    found: list[Played | None] = []
    if not refused(lambda: found.append(checkpoint.start(True))) and spoilt != content:
        assert found[0] is not None
        assert found[0].main.units <= 64
        assert list(found[0].tallies) == [name for name in content["batches"] if name in found[0].tallies]
    checkpoint._let_go()
    assert place.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["r.checkpoint"]


@examples(12)
@given(st.integers(0, 10**7), st.integers(0, 9), st.binary(max_size=9), st.booleans())
def test_spoilt_bytes_are_refused(
    tmp_path: Path, scenario: Scenario, content: dict[str, Any], at: int, lost: int, new: bytes, cut: bool
) -> None:
    place = tmp_path / "tallies.json"
    whole = sealed("tallies", content).encode()
    at %= len(whole)
    spoilt = whole[:at] if cut else whole[:at] + new + whole[at + lost :]
    place.write_bytes(spoilt)
    if not refused(lambda: tallies_from(unsealed(place, "tallies"), scenario, place)):
        assert spoilt.removesuffix(b"\n") == whole.removesuffix(b"\n")


@examples(30)
@given(st.binary(max_size=200), st.sampled_from(["tallies.json", "scenario.toml", "run.json", "results.json"]))
def test_a_folder_that_is_no_report_is_not_joined(tmp_path: Path, data: bytes, name: str) -> None:
    (tmp_path / "a").mkdir(exist_ok=True)
    (tmp_path / "a" / name).write_bytes(data)
    result = CliRunner().invoke(cli, ["merge", str(tmp_path / "a"), str(tmp_path / "b"), "--out", str(tmp_path / "m")])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("analyzer: error: ")
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "m").exists()
