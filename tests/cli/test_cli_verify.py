"""`analyzer verify`: what it says when the engines agree and when they part, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.games.dingo import reference_score


def break_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards in the penalty pile cost nothing."""
    monkeypatch.setattr(reference_score, "_points_lost", lambda card, rules: 0)


def test_engines_that_agree(invoke: Any) -> None:
    told = invoke("verify", "dingo", "--rules", 2, "-n", 3)
    assert told.exit_code == 0
    assert told.stdout.startswith("Both engines agree: 2 rule sets, 6 deals, ")
    for knob in ("points.low", "exchange", "tie_break"):
        assert f"\n  {knob} " in told.stdout
    assert told.stderr.startswith("comparing both engines over 2 rule sets")


def test_the_record(invoke: Any) -> None:
    told = invoke("verify", "rounce", "--rules", 2, "-n", 1, "--json", "--quiet")
    record = json.loads(told.stdout)
    assert told.stderr == ""
    assert (record["game"], record["agree"], record["rule_sets"], record["deals"]) == ("rounce", True, 2, 2)
    assert record["divergence"] is None
    assert sum(record["covered"]["players"].values()) == 2


def test_a_divergence_is_shown_small_and_can_be_compared_again(
    invoke: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    break_reference(monkeypatch)
    told = invoke("verify", "dingo")
    assert told.exit_code == 1
    assert "the engines part; looking for the smallest" in told.stderr
    head, _, scenario = told.stdout.partition("\n# Where do both engines part?\n")
    assert "(result) differs" in head
    text, _, how = scenario.partition("\nSaved as divergence.toml")
    assert text == (
        'game = "dingo"\nseed = 1\n\n[table]\nseats = ["careful", "careful", "careful", "careful"]\nseating = "fixed"\n'
    )
    (deal,) = {line.split("--deal ")[1].split()[0] for line in how.splitlines() if "--deal" in line}
    path = tmp_path / "divergence.toml"
    path.write_text(text)
    again = invoke("verify", "dingo", "--scenario", path, "--deal", deal, "-n", 1, "--json")
    assert again.exit_code == 1
    found = json.loads(again.stdout)["divergence"]
    assert found["differences"] == [line[2:] for line in head.splitlines() if line.startswith("  ")]
    assert found["scenario"] == f"# Where do both engines part?\n{text}" or found["scenario"].endswith(text)
    assert invoke("trace", path, "--deal", deal).exit_code == 0


def test_a_scenario_that_agrees(invoke: Any) -> None:
    told = invoke("verify", "dingo", "--scenario", "dingo-baseline", "-n", 2, "--deal", 5)
    assert told.exit_code == 0
    assert "1 rule set, 2 deals" in told.stdout


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("dngo",), "no game is named 'dngo' (did you mean 'dingo'?)"),
        (("dingo", "--rules", 0), "--rules: 0 is not allowed; allowed: a whole number from 1"),
        (("dingo", "-n", 0), "--count: 0 is not allowed"),
        (("dingo", "--seed", -1), "--seed: -1 is not allowed"),
        (("dingo", "--deal", 3), "--deal: random deals have random numbers"),
        (("dingo", "--scenario", "dingo-baseline", "--rules", 3), "--rules: a scenario has rules of its own"),
        (("dingo", "--scenario", "dingo-baseline", "--deal", -1), "--deal: -1 is not allowed"),
        (("dingo", "--scenario", "rounce-baseline-3"), "--scenario: rounce-baseline-3 is one of rounce, not of dingo"),
    ],
)
def test_what_is_refused(invoke: Any, options: tuple[Any, ...], reason: str) -> None:
    told = invoke("verify", *options, "--quiet")
    assert told.exit_code == 2
    assert reason in " ".join(told.stderr.split())
    assert told.stdout == ""
