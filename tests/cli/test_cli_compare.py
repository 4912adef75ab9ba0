"""`analyzer compare` on reports of a few deals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import analyzer


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two runs of the same deals under other rules."""
    home = tmp_path_factory.mktemp("reports")
    for name, changes in (("one", []), ("two", ["rules.points.low=3", "rules.tie_break=shared"])):
        result = analyzer.run("dingo-random", count=1200, set=changes)
        (home / name).mkdir()
        (home / name / "scenario.toml").write_text(result.scenario.to_toml())
        (home / name / "tallies.json").write_text(result.sealed_tallies())
    return home / "one", home / "two"


def test_headlines_and_what_differs(invoke, reports):
    result = invoke("compare", *reports)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == f"A  {reports[0]}: {lines[0].split(': ')[1]}"
    assert lines[0].endswith("; 1,200 deals, seed 1")
    assert lines[2:4] == ["The same deals: every difference is paired.", "What differs:"]
    # The eight counts as low where it is not given.
    assert [line.split(maxsplit=1) for line in lines[4:7]] == [
        ["rules.points.low", "1 → 3"],
        ["rules.points.eight", "1 → 3"],
        ["rules.tie_break", '"highest_rabbit" → "shared"'],
    ]
    heads = [line for line in lines if line.startswith(" Seat ")]
    assert heads[0].split() == ["Seat", "A", "B", "B", "less", "A", "Verdict", "on", "B"]
    row = next(line for line in lines if line.startswith(" S  "))
    assert row.split()[1:4] == ["Win", "share", "(%)"]
    assert row.count(" to ") == 3
    assert any(word in row for word in ("better", "worse", "practically equal", "undecided (about "))
    assert all(line == line.rstrip() for line in lines)
    assert "Further tables (--table NAME): card_kinds, cards," in result.stdout
    assert "\x1b" not in result.stdout


def test_deals_that_differ_in_what_is_given_are_not_called_the_same(invoke, reports, tmp_path):
    result = analyzer.run("dingo-random", count=1200, set=["given.S=AD"])
    (tmp_path / "scenario.toml").write_text(result.scenario.to_toml())
    (tmp_path / "tallies.json").write_text(result.sealed_tallies())
    lines = invoke("compare", reports[0], tmp_path).stdout.splitlines()
    assert lines[2].startswith("Seats are given other cards in B than in A, so that no deal is in both; ")
    assert lines[3:5] == ["What differs:", '  given.S  – → "AD"']


def test_a_table_by_name_or_all(invoke, reports):
    one = invoke("compare", *reports, "--table", "luck")
    assert one.exit_code == 0
    assert "Luck and drama" in one.stdout
    assert "Win share and points by seat" not in one.stdout
    every = invoke("compare", *reports, "--table", "all").stdout
    assert {"Luck and drama", "Win share and points by seat"} <= {line.strip() for line in every.splitlines()}


def test_json_is_all_of_it(invoke, reports):
    result = invoke("compare", *reports, "--json", "--effect", "0.01")
    found = json.loads(result.stdout)
    assert (found["study"], found["effect"], found["sharing"]) == ("compare", 0.01, "paired")
    assert found == analyzer.compare(*reports, effect=0.01).results


def test_a_report_against_itself(invoke, reports):
    result = invoke("compare", reports[0], reports[0])
    assert "Both are one and the same run: every difference is exactly 0." in result.stdout
    assert result.stdout.count("0 (exact)") == 9 * 3 - 4


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--table", "lukc"], "--table: no table is named 'lukc' (did you mean 'luck'?)"),
        (["--table", "pairs"], "--table pairs: one policy"),
        (["--effect", "2"], "effect: 2 is not allowed"),
    ],
)
def test_what_there_is_not_is_one_line_and_exit_code_2(invoke, reports, args, told):
    result = invoke("compare", *reports, *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"analyzer: error: {told}")
    assert result.stderr.count("\n") == 1


def test_a_folder_without_a_report(invoke, reports, tmp_path):
    result = invoke("compare", reports[0], tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert str(tmp_path / "tallies.json") in result.stderr
    assert invoke("compare", reports[0]).exit_code == 2
