"""`analyzer ambiguity`: what it says, what it writes, what it refuses."""

from __future__ import annotations

import json

import pytest


def test_a_report_is_written_and_what_is_compared_is_told(invoke, tmp_path):
    folder = tmp_path / "r"
    result = invoke(
        "ambiguity", "dingo", "-n", 40, "--seed", 3, "--jobs", 1, "--set", "rules.points.high=3", "--out", folder
    )
    assert result.exit_code == 0
    assert result.stdout == f"{folder}/report.html\n"
    assert "40 deals, seed 3" in result.stderr
    assert "points.high = 3 (default 2)" in result.stderr
    assert "a field of 7: " in result.stderr
    assert "29 other values of rules, 1 left out" in result.stderr
    results = json.loads((folder / "results.json").read_text("utf-8"))
    assert (results["study"], results["count"], results["effect"]) == ("ambiguity", 40, 0.005)
    assert [(each["knob"], each["value"]) for each in results["left_out"]] == [("points.high", 3)]
    assert [each["value"] for each in results["ambiguity"] if each["knob"] == "points.high"] in ([1, 2], [2, 1])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["dino"], "no game is named 'dino' (did you mean 'dingo'?)"),
        (["dingo", "--effect", 2], "effect: 2 is not allowed"),
        (["dingo", "-n", 0], "the count option: count: 0 is not allowed"),
        (["dingo", "--set", "rules.caught=fine"], "rules.caught: 'fine' is not allowed"),
        (["dingo", "--jobs", 1, "--cluster", "local:1"], "--jobs and --cluster do not go together"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(invoke, tmp_path, words, told):
    result = invoke("ambiguity", *words, "--quiet", "--out", tmp_path / "r")
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr
    assert not (tmp_path / "r").exists()
