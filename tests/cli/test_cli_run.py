"""`analyzer run` round a run that plays nothing: options, output, faults."""

import json
import sys

import pytest

from analyzer.errors import KernelFault
from analyzer.scenario.load import load_scenario


def test_the_last_line_on_standard_output_is_the_report(invoke, study, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = invoke("run", "dingo-baseline", "-n", "1_000", "--seed", 5, "--jobs", 2, "--set", "rules.points.low=4")
    assert result.exit_code == 0
    assert result.stdout == "reports/dingo-baseline/report.html\n"
    assert (study.scenario.count, study.scenario.seed, study.jobs) == (1000, 5, 2)
    assert study.scenario.rules["points.low"] == 4
    assert study.command == "analyzer run dingo-baseline -n 1_000 --seed 5 --jobs 2 --set rules.points.low=4"
    assert "points.low = 4 (default 1)" in result.stderr
    assert "1,000 deals, seed 5" in result.stderr
    assert "writing the report" in result.stderr


def test_hands_that_are_given_are_announced(invoke, study, tmp_path):
    result = invoke("run", "dingo-baseline", "-n", 10, "--set", "given.S=AD AS", "--out", tmp_path / "r")
    assert result.exit_code == 0
    assert study.scenario.given_texts() == {"S": "AS AD"}
    assert "S holds AS AD whenever hands are dealt" in " ".join(result.stderr.split())
    assert "given" not in invoke("run", "dingo-baseline", "-n", 10, "--out", tmp_path / "r").stderr


def test_a_part_of_a_longer_run_is_asked_and_announced(invoke, study, tmp_path):
    result = invoke("run", "dingo-baseline", "-n", 1000, "--first", "2_000", "--out", tmp_path / "r")
    assert (result.exit_code, study.scenario.first) == (0, 2000)
    assert "1,000 deals from number 2,000 on, seed 1" in result.stderr
    refused = invoke("run", "dingo-baseline", "--first", -1, "--out", tmp_path / "r")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("analyzer: error: the first option: first: -1 is not allowed; allowed: ")


def test_records_are_handed_to_the_run_and_their_rows_told(invoke, study, tmp_path):
    path, out = tmp_path / "plays.csv", ("--out", tmp_path / "r")
    assert study.records is None
    result = invoke("run", "dingo-baseline", "-n", 3, "--records", path, *out)
    assert result.exit_code == 0
    assert study.records is not None
    assert f"records: 0 rows in {path}" in result.stderr
    assert path.exists()
    assert "records" not in invoke("run", "dingo-baseline", "-n", 3, "--records", path, "--quiet", *out).stderr
    for options, told in (
        (("--resume",), "records: the rows of what was played before were not kept"),
        (("--cluster", "local:2"), "records: workers of a cluster send back sums"),
        (("-n", 10**8 + 1), "records: 100,000,001 rows (100,000,001 deals); allowed: at most 100,000,000; ask for"),
    ):
        refused = invoke("run", "dingo-baseline", "--records", path, *out, *options)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert refused.stderr.startswith(f"analyzer: error: {told}")
    refused = invoke("run", "dingo-baseline", "--records", tmp_path / "r" / "plays.csv", *out)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "lies in the report folder" in refused.stderr


def test_what_there_is_to_resume_is_told_and_handed_to_the_run(invoke, study, tmp_path):
    out = ("run", "dingo-baseline", "-n", 1000, "--out", tmp_path / "r")
    result = invoke(*out, "--resume")
    assert (result.exit_code, study.before) == (0, None)
    assert "nothing to resume: there is no " in result.stderr
    played = real_run(load_scenario("dingo-baseline", count=300))
    study.keeper.write(played)
    study.keeper._let_go()
    assert "going on after 300 deals of 1,000, from " in invoke(*out, "--resume").stderr
    assert study.before.main.units == 300
    # The run that came to its end has taken it away.
    assert not study.keeper.path.exists()
    study.keeper.write(played)
    study.keeper._let_go()
    result = invoke(*out, "--resume", "--seed", 7)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1] == (
        f"analyzer: error: {study.keeper.path}: is of another run: its seed is 1, not 7"
    )
    result = invoke(*out, "--quiet")
    assert (result.exit_code, result.stderr, study.before) == (0, "", None)
    assert (tmp_path / "r.checkpoint.old").exists()


def real_run(scenario):
    """What has been played after the scenario's units."""
    from analyzer.sim.engine import simulate
    from analyzer.studies.batches import job_of
    from analyzer.studies.played import Played

    main = scenario.game.batches[0]
    return Played({main.name: simulate(job_of(scenario, main, scenario.count))})


def test_an_interrupted_run_leaves_its_checkpoint(invoke, study, tmp_path):
    def during(progress, stop):
        study.keeper.write(real_run(load_scenario("dingo-baseline", count=10)))
        stop.set()

    study.during = during
    result = invoke("run", "dingo-baseline", "-n", 1000, "--out", tmp_path / "r")
    assert result.exit_code == 130
    assert "500 deals played until then; --resume goes on from there" in result.stderr
    assert (tmp_path / "r.checkpoint").exists()


def test_a_refused_place_for_records_leaves_the_checkpoint_where_it_is(invoke, study, tmp_path):
    def during(progress, stop):
        study.keeper.write(real_run(load_scenario("dingo-baseline", count=10)))
        stop.set()

    study.during = during
    out = ("run", "dingo-baseline", "-n", 1000, "--out", tmp_path / "r")
    assert invoke(*out).exit_code == 130
    study.keeper._let_go()
    (tmp_path / "file").write_text("")
    result = invoke(*out, "--records", tmp_path / "file" / "plays.csv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].endswith("plays.csv: a part of its path is not a folder")
    assert (tmp_path / "r.checkpoint").exists()
    assert not (tmp_path / "r.checkpoint.old").exists()


def test_out_is_the_report_folder_itself(invoke, study, tmp_path):
    result = invoke("run", "dingo-baseline", "--out", tmp_path / "a b" / "c")
    assert result.stdout == f"{tmp_path}/a b/c/report.html\n"
    assert (tmp_path / "a b" / "c" / "results.json").exists()


def test_json_is_the_content_of_results_and_nothing_else(invoke, study, tmp_path):
    study.results["title"] = "Größe"
    result = invoke("run", "dingo-baseline", "--out", tmp_path / "r", "--json")
    assert result.stdout == (tmp_path / "r" / "results.json").read_text()
    assert json.loads(result.stdout) == study.results


def test_quiet_leaves_standard_error_empty(invoke, study, tmp_path):
    result = invoke("run", "dingo-baseline", "--out", tmp_path / "r", "--quiet")
    assert (result.stdout, result.stderr) == (f"{tmp_path}/r/report.html\n", "")


def test_findings_are_shown_on_a_terminal_only(invoke, study, tmp_path, monkeypatch):
    assert "Finding" not in invoke("run", "dingo-baseline", "--out", tmp_path / "a").stderr
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda stream: True, raising=False)
    result = invoke("run", "dingo-baseline", "--out", tmp_path / "b")
    assert [f"- Finding {number}." in result.stderr for number in range(7)] == [True] * 5 + [False] * 2
    assert result.stdout == f"{tmp_path}/b/report.html\n"


def test_a_run_that_was_stopped_ends_with_130_and_the_report_of_what_was_counted(invoke, study, tmp_path):
    study.during = lambda progress, stop: stop.set()
    result = invoke("run", "dingo-baseline", "-n", 1000, "--out", tmp_path / "r")
    assert (result.exit_code, result.stdout) == (130, f"{tmp_path}/r/report.html\n")
    assert "interrupted: the report holds the 500 deals played until then" in result.stderr


def test_a_run_that_was_stopped_before_it_counted_writes_nothing(invoke, study, tmp_path):
    study.during = lambda progress, stop: stop.set()
    result = invoke("run", "dingo-baseline", "-n", 1, "--out", tmp_path / "r", "--quiet")
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr == "analyzer: error: stopped before any deal was counted; no report was written\n"
    assert not (tmp_path / "r").exists()


def raising(error):
    def during(progress, stop):
        raise error

    return during


def test_a_fault_of_the_simulator_is_one_line_and_exit_code_1(invoke, study, tmp_path):
    study.during = raising(KernelFault("dingo, seed 1, deal 7:\nbroke an invariant"))
    result = invoke("run", "dingo-baseline", "--out", tmp_path / "r", "--quiet")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "analyzer: error: dingo, seed 1, deal 7: broke an invariant\n"


def test_an_unexpected_fault_is_one_line_with_a_hint(invoke, study, tmp_path, monkeypatch):
    monkeypatch.delenv("ANALYZER_TRACEBACK", raising=False)
    study.during = raising(ZeroDivisionError("by nothing"))
    args = ("run", "dingo-baseline", "--out", tmp_path / "r", "--quiet")
    result = invoke(*args)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "analyzer: error: unexpected ZeroDivisionError: by nothing (ANALYZER_TRACEBACK=1 shows the traceback)\n"
    )
    monkeypatch.setenv("ANALYZER_TRACEBACK", "1")
    result = invoke(*args)
    assert "Traceback (most recent call last)" in result.stderr
    assert result.stderr.endswith("\nanalyzer: error: unexpected ZeroDivisionError: by nothing\n")


def test_a_second_interrupt_ends_at_once(invoke, study, tmp_path):
    study.during = raising(KeyboardInterrupt())
    result = invoke("run", "dingo-baseline", "--out", tmp_path / "r", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr.strip()) == (130, "", "analyzer: error: interrupted")
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("count", ["1e6", "1_", "1.5", "many", "9" * 50, "٣"])
def test_a_count_that_is_no_whole_number_is_a_usage_error(invoke, study, count):
    result = invoke("run", "dingo-baseline", "-n", count)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is not a whole number, written like 1000000 or 1_000_000" in result.stderr
    assert study.scenario is None


@pytest.mark.parametrize("count", ["0", "-5", "1000000000001"])
def test_a_count_out_of_range_is_refused(invoke, study, count):
    result = invoke("run", "dingo-baseline", "-n", count)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"analyzer: error: the count option: count: {count} is not allowed; allowed: ")
    assert study.scenario is None


def test_a_place_where_no_report_may_be_written_is_told_before_anything_is_played(invoke, study, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary")
    result = invoke("run", "dingo-baseline", "--out", tmp_path / "mine")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is not a report and was left alone" in result.stderr
    file = invoke("run", "dingo-baseline", "--out", tmp_path / "mine" / "diary.txt")
    assert (file.exit_code, file.stdout) == (2, "")
    assert study.scenario is None
    assert (tmp_path / "mine" / "diary.txt").read_text() == "dear diary"


def test_a_command_that_is_none_is_told_with_the_nearest(invoke):
    result = invoke("rum")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: no command is named 'rum' (did you mean 'run'?)" in result.stderr


def test_a_fault_while_a_command_is_imported_is_one_line(invoke, monkeypatch):
    monkeypatch.setitem(sys.modules, "analyzer.cli.check", None)
    result = invoke("check", "dingo-baseline")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("analyzer: error: unexpected ModuleNotFoundError: ")
    assert result.stderr.count("\n") == 1
