"""Progress: plain lines, a bar, or nothing."""

import re

import pytest

from analyzer.cli.progress import Bar, Lines, Reporter, phases_of_run, reporter
from analyzer.scenario.load import load_scenario


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def scenario():
    return load_scenario("dingo-race", count=1000)


def last_batch(scenario):
    return scenario.game.batches[-1].name


def test_lines_tell_deals_per_second_and_time_left(scenario, capsys):
    clock = Clock()
    with Lines(phases_of_run(scenario), clock) as progress:
        progress("compiling", 0, 1)
        progress("main", 0, 1000)
        clock.now += 1
        progress("main", 100, 1000)
        clock.now += 9
        progress("main", 250, 1000)
        clock.now += 1
        progress("main", 260, 1000)
        clock.now += 29
        progress("main", 1000, 1000)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        "preparing (on first use: compiling, once)",
        "playing: 4,000 deals",
        "playing: 25%, 100 deals per second, 0:00:30 left",
        "playing: done in 40.0 s, 100 deals per second",
    ]


def test_the_report_is_a_phase_of_its_own_after_the_last_batch(scenario, capsys):
    with Lines(phases_of_run(scenario), Clock()) as progress:
        for _ in range(2):
            progress(last_batch(scenario), 50, 50)
    assert capsys.readouterr().err.splitlines()[-1] == "writing the report"


def test_a_phase_that_ends_at_once_needs_no_clock(scenario, capsys):
    with Lines(phases_of_run(scenario), Clock()) as progress:
        progress("main", 0, 1000)
        progress("main", 1000, 1000)
    assert capsys.readouterr().err.splitlines()[-1] == "playing: done in 0.0 s, 0 deals per second"


def test_what_was_played_before_is_no_speed_of_this_run(scenario, capsys):
    clock = Clock()
    with Lines(phases_of_run(scenario), clock) as progress:
        progress("main", 600, 1000)
        clock.now += 10
        progress("main", 700, 1000)
        clock.now += 30
        progress("main", 1000, 1000)
        progress("probe", 50, 50)
        progress("probe", 50, 50)
    assert capsys.readouterr().err.splitlines() == [
        "playing: 4,000 deals, 2,400 of them already played",
        "playing: 70%, 40 deals per second, 0:00:30 left",
        "playing: done in 40.0 s, 40 deals per second",
        "side batch 'probe': 200 deals, 200 of them already played",
    ]


def test_a_bar_that_goes_on_begins_where_the_run_stood(scenario, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    clock = Clock()
    with Bar(phases_of_run(scenario), clock) as progress:
        progress("main", 600, 1000)
        (task,) = progress._bar.tasks
        assert (task.completed, task.total, task.speed) == (600, 1000, None)
        clock.now += 10
        progress("main", 700, 1000)
        assert task.fields["rate"] == "40 deals per second"


def test_a_batch_without_units_is_not_shown(scenario, capsys):
    with Lines(phases_of_run(scenario), Clock()) as progress:
        progress("main", 0, 1000)
        progress("probe", 0, 0)
        progress(last_batch(scenario), 0, 0)
    assert capsys.readouterr().err.splitlines() == ["playing: 4,000 deals", "writing the report"]


def test_a_billion_deals_are_counted_right_to_the_last(capsys):
    """Ten hours of blocks: the rate and the time left stay those of all that was played."""
    clock, total = Clock(), 10**9
    with Lines(phases_of_run(load_scenario("dingo-baseline", count=total)), clock) as progress:
        progress("main", 0, total)
        for done in range(10**6, total + 1, 10**6):
            clock.now += 36.3
            progress("main", done, total)
    lines = capsys.readouterr().err.splitlines()
    assert lines[1] == "playing: 0%, 27,548 deals per second, 10:04:24 left"
    assert lines[500] == "playing: 50%, 27,548 deals per second, 5:02:30 left"
    assert lines[-2] == "playing: 99%, 27,548 deals per second, 0:00:36 left"
    assert lines[-1] == "playing: done in 36300.0 s, 27,548 deals per second"


def test_side_batches_count_their_own_plays(scenario, capsys):
    with Lines(phases_of_run(scenario), Clock()) as progress:
        for batch in scenario.game.batches[1:]:
            progress(batch.name, 0, 100)
    assert re.findall(r"side batch '(\w+)': (\d+) deals", capsys.readouterr().err) == [
        ("probe", "400"),
        ("luck", "800"),
        ("random", "100"),
        ("mirror", "400"),
    ]


@pytest.mark.parametrize("kind", [Lines, Bar, lambda scenario: Reporter()])
def test_counting_begins_after_compiling(scenario, kind):
    with kind(phases_of_run(scenario)) as progress:
        assert not progress.counting
        progress("compiling", 0, 1)
        assert not progress.counting
        progress("main", 0, 1000)
        assert progress.counting


def test_a_bar_names_every_phase_and_moves_while_the_report_is_written(scenario, monkeypatch, capsys):
    monkeypatch.setenv("TERM", "xterm")
    clock = Clock()
    with Bar(phases_of_run(scenario), clock) as progress:
        progress("compiling", 0, 1)
        progress("main", 0, 1000)
        clock.now += 2
        progress("main", 1000, 1000)
        progress(last_batch(scenario), 100, 100)
        tasks = {task.description: task for task in progress._bar.tasks}
        assert tasks["playing"].fields["rate"] == "2,000 deals per second"
        assert tasks["preparing (on first use: compiling, once)"].finished
        assert not tasks["writing the report"].finished
    assert tasks["writing the report"].finished
    assert "writing the report" in capsys.readouterr().err


def test_quiet_and_no_terminal_decide_what_is_shown(scenario, monkeypatch):
    assert type(reporter(phases_of_run(scenario), quiet=True)) is Reporter
    assert type(reporter(phases_of_run(scenario), quiet=False)) is Lines
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert type(reporter(phases_of_run(scenario), quiet=False)) is Bar
    monkeypatch.setenv("TERM", "dumb")
    assert type(reporter(phases_of_run(scenario), quiet=False)) is Lines
