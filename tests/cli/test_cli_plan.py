"""`analyzer plan`, and runs by precision: report, JSON, what is said, refusals."""

import json

import pytest

from analyzer.report.folder import PARTS


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_plan_is_reported_and_what_it_takes_here_is_said(invoke, tmp_path) -> None:
    change = "rules.points.ace_rabbit_alive=15"
    done = invoke("plan", "dingo-baseline", "--detect", 0.003, "--budget", "1h30m", "--change", change, "-n", 2_000)
    assert done.exit_code == 0
    assert done.stdout == "reports/dingo-baseline-plan/report.html\n"
    assert f"{change}: deals for 80% power " in done.stderr
    assert f"{change}: in 1.5 hours about " in done.stderr
    assert "memory: about " in done.stderr
    folder = tmp_path / "reports/dingo-baseline-plan"
    assert {path.name for path in folder.iterdir()} == PARTS
    results = json.loads((folder / "results.json").read_text())
    assert (results["study"], results["count"], results["detect"]) == ("plan", 2_000, 0.003)
    assert "To tell a change of 0.3 percentage points" in (folder / "report.md").read_text()


def test_json_is_all_there_is_on_standard_output(invoke, tmp_path) -> None:
    done = invoke("plan", "dingo-random", "--budget", "10s", "-n", 1_100, "--json", "--quiet", "--out", "p")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (tmp_path / "p" / "results.json").read_text()
    assert "needed" not in json.loads(done.stdout)
    assert json.loads((tmp_path / "p" / "run.json").read_text())["timed"]["budget"]["seconds"] == 10


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "say what is to be told (detect) or how long it may take (budget)"),
        (["--budget", "10"], "'10' is not a time, written like 90s, 10m, 2h or 1h30m"),
        (["--budget", "0s"], "'0s' is not a time"),
        (["--budget", "-3m"], "'-3m' is not a time"),
        (["--detect", "2"], "detect: 2 is not allowed"),
        (["--detect", "nan"], "detect: nan is not allowed"),
        (["--detect", "0.01", "-n", "0"], "count: 0 is not allowed"),
    ],
)
def test_what_cannot_be_planned_is_refused(invoke, tmp_path, options, told) -> None:
    done = invoke("plan", "dingo-baseline", *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in " ".join(done.stderr.split())
    assert not list(tmp_path.iterdir())


def test_a_run_by_precision_is_announced(invoke, study) -> None:
    done = invoke("run", "dingo-baseline", "--precision", 0.002, "-n", 5_000, "--out", "r")
    assert done.exit_code == 0
    assert (study.scenario.precision, study.scenario.count) == (0.002, 5_000)
    words = " ".join(done.stderr.split())
    assert "until every win share is known to ±0.2 percentage points, 5,000 deals at most, seed 1" in words


def test_check_knows_precision(invoke) -> None:
    told = json.loads(invoke("check", "dingo-baseline", "--precision", 0.001, "--json").stdout)
    assert (told["precision"], told["max_count"]) == (0.001, 10**8)
    assert "count" not in told
    assert "±0.1 percentage points" in invoke("check", "dingo-baseline", "--set", "precision=0.001").stdout
    refused = invoke("check", "dingo-baseline", "--precision", 2)
    assert refused.exit_code == 2
    assert "the precision option: precision: 2.0 is not allowed" in refused.stderr
