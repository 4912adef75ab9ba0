"""`import analyzer`: the same in three lines."""

from importlib.metadata import version

import pytest

import analyzer
from analyzer.errors import ScenarioError


def test_three_lines_give_a_frame():
    result = analyzer.run("dingo-baseline", count=300, seed=4, jobs=1, set=["rules.points.low=2"])
    frame = result.frame("by_seat")
    assert list(frame["seat"]) == ["S", "W", "N", "E"]
    assert frame["win_share"].sum() == pytest.approx(1)
    assert (result.results["count"], result.results["seed"], result.counted) == (300, 4, 300)
    assert result.results["rules"]["points"]["low"] == 2
    assert not result.partial


def test_it_has_a_version_and_no_other_surprises():
    assert analyzer.__version__ == version("strategy-analyzer")
    with pytest.raises(AttributeError, match="no attribute 'rnu'"):
        analyzer.rnu  # noqa: B018


def test_a_scenario_is_loaded_with_changes():
    scenario = analyzer.load_scenario("dingo-baseline", ["rules.points.low=2"], count=5)
    assert (scenario.rules["points.low"], scenario.count) == (2, 5)
    with pytest.raises(ScenarioError):
        analyzer.run("dingo-baselin")
