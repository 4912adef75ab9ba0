"""Two reports side by side: exact where they are one, paired where they can be, refused where nothing is valid."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.errors import ScenarioError, TalliesError
from analyzer.studies.compare import Compared
from analyzer.studies.played import sealed, unsealed

NAME = "dingo-baseline"
CHANGE = "rules.points.ace_rabbit_alive=15"
UNITS = 20_480


@pytest.fixture(autouse=True, scope="module")
def _short() -> Iterator[None]:
    """Side batches shorter than the runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.studies.batches.SIDE_PLAYS", 4_000)
        yield


def bare(folder: Path, count: int = UNITS, name: str = NAME, **options: Any) -> Path:
    """What a comparison reads of a report."""
    result = analyzer.run(name, count=count, jobs=1, **options)
    folder.mkdir()
    (folder / "scenario.toml").write_text(result.scenario.to_toml())
    (folder / "tallies.json").write_text(result.sealed_tallies())
    return folder


@pytest.fixture(scope="module")
def home(_short: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reports `base`, `changed` (another rule), `seed` (other deals), `part` (half of the deals) and `short`."""
    home = tmp_path_factory.mktemp("reports")
    bare(home / "base")
    bare(home / "changed", set=[CHANGE])
    bare(home / "seed", seed=2, set=[CHANGE])
    bare(home / "part", first=UNITS // 2, set=[CHANGE])
    bare(home / "short", first=100, count=2_000)
    return home


@cache
def compared(first: Path, second: Path) -> Compared:
    return analyzer.compare(first, second)


def estimates(results: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(table.column, estimate) of every estimate in a comparison."""
    for table, rows in results.items():
        for row in rows if isinstance(rows, list) and table != "differences" else ():
            for key, value in row.items():
                if isinstance(value, dict) and "se" in value:
                    yield f"{table}.{key}", value


def test_a_report_against_itself_differs_by_exactly_nothing(home: Path) -> None:
    found = compared(home / "changed", home / "changed")
    assert (found.results["same"], found.results["sharing"], found.results["differences"]) == (True, "paired", [])
    seen = 0
    for where, each in estimates(found.results):
        if where.endswith(("_a", "_b")):
            assert "exact" not in each
        elif each["n"] and each["estimate"] is not None:
            seen += 1
            assert each == {"estimate": 0, "low": 0, "high": 0, "se": 0, "n": each["n"], "exact": True}, where
    assert seen > 500
    assert {row["verdict"]["verdict"] for row in found.results["by_seat"]} == {"practically equal"}


def test_both_numbers_are_those_of_the_reports(home: Path) -> None:
    found = compared(home / "base", home / "changed").results
    for side, change in (("a", ()), ("b", (CHANGE,))):
        run = analyzer.run(NAME, count=UNITS, jobs=1, set=change).results
        for table in ("by_seat", "cards", "score_quantiles", "luck", "hunts"):
            for row, known in zip(found[table], run[table], strict=True):
                for column, each in known.items():
                    assert row[f"{column}_{side}" if isinstance(each, dict) else column] == each
    assert found["differences"] == [{"key": "rules.points.ace_rabbit_alive", "a": 10, "b": 15}]


def test_paired_differences_are_those_of_the_what_if_on_the_same_deals(home: Path) -> None:
    found = compared(home / "base", home / "changed").frame("by_policy_seat")
    known = analyzer.what_if(NAME, set=[CHANGE], count=UNITS, jobs=1).frame("change")
    for column in ("win_share", "points"):
        assert found[column].to_numpy() == pytest.approx(known[column].to_numpy(), abs=1e-9)
        # The what-if knows every deal's difference, the comparison those of 64 groups.
        assert found[f"{column}_se"].to_numpy() == pytest.approx(known[f"{column}_se"].to_numpy(), rel=0.35)
    apart = compared(home / "base", home / "seed")
    assert apart.results["sharing"] == "separate"
    assert (apart.frame("by_seat")["win_share_se"] > 5 * found["win_share_se"]).all()


def test_deals_in_common_are_allowed_for(home: Path) -> None:
    whole, part = (compared(home / "base", home / name) for name in ("changed", "part"))
    assert part.results["sharing"] == "overlapping"
    apart = compared(home / "seed", home / "part")
    errors = [each.frame("by_seat")["points_se"].mean() for each in (whole, part, apart)]
    assert errors[0] < 0.6 * errors[1] < 0.6 * errors[2]
    # The part's side batches hold no deal: it begins where they end.
    assert "was not simulated" in part.results["absent"]["lone_wolf_value"]


def test_what_seats_are_given_is_told_and_paired_by_seed(tmp_path: Path) -> None:
    given = bare(tmp_path / "given", 1_000, set=["given={S='AD AS'}"])
    other = bare(tmp_path / "other", 1_000, set=["given={S='AD', W='AS'}"])
    found = analyzer.compare(given, other).results
    assert (found["same"], found["sharing"]) == (False, "paired")
    assert found["differences"] == [
        {"key": "given.S", "a": "AS AD", "b": "AD"},
        {"key": "given.W", "a": None, "b": "AS"},
    ]


def test_independent_runs_have_the_errors_of_both(home: Path) -> None:
    frame = compared(home / "base", home / "seed").frame("by_seat")
    known = np.hypot(frame["win_share_a_se"], frame["win_share_b_se"])
    assert frame["win_share_se"].to_numpy() == pytest.approx(known.to_numpy())
    assert frame["win_share"].to_numpy() == pytest.approx((frame["win_share_b"] - frame["win_share_a"]).to_numpy())


def test_one_policy_of_a_seat_is_judged_once(home: Path) -> None:
    """Nine rows of three tables are five comparisons: four seats and a policy."""
    found = analyzer.compare(home / "base", home / "seed", effect=0.2).results
    rows = found["by_seat"] + found["by_policy"] + found["by_policy_seat"]
    assert {row["verdict"]["verdict"] for row in rows} == {"practically equal"}
    assert [row["verdict"] for row in found["by_seat"]] == [row["verdict"] for row in found["by_policy_seat"]]
    strict = analyzer.compare(home / "base", home / "seed", effect=1e-6).results["by_seat"]
    assert strict[0]["verdict"]["verdict"] == "undecided"
    assert strict[0]["verdict"]["more"] > UNITS


def test_headlines_show_the_rows_that_both_have(home: Path, tmp_path: Path) -> None:
    seats = 'table.seats=["greedy", "careful", "careful", "careful"]'
    other = bare(tmp_path / "other", set=[seats, "table.seating=rotate"])
    found = analyzer.compare(home / "base", other)
    assert [row["policy"] for row in found.results["by_policy"]] == ["careful"]
    assert len(found.results["by_policy_seat"]) == 4
    assert found.results["absent"]["pairs"].startswith("in A: one policy")
    keys = {each["key"]: each for each in found.results["differences"]}
    assert set(keys) == {"policies.greedy", "table.seats", "table.seating"}
    assert keys["policies.greedy"]["a"] is None
    assert keys["policies.greedy"]["b"]["discard_1"]
    with pytest.raises(KeyError, match="in A: one policy"):
        found.frame("pairs")
    with pytest.raises(KeyError, match="no table is named 'nothing'"):
        found.frame("nothing")


def test_tables_of_other_rows_are_left_out(tmp_path: Path) -> None:
    three = bare(tmp_path / "three", 200, "rounce-baseline-3")
    four = bare(tmp_path / "four", 200, "rounce-baseline-4")
    found = analyzer.compare(three, four)
    rows = [row["from_dealer"] for row in found.results["by_seat"]]
    assert rows == ["first dealer", "1 to its left", "2 to its left"]
    assert found.results["absent"]["calls_by_position"] == "its rows are not the same in both reports"
    assert {"key": "rules.players", "a": 3, "b": 4} in found.results["differences"]


def test_results_are_plain_and_tell_no_place(home: Path) -> None:
    found = compared(home / "base", home / "changed").results
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert str(home) not in json.dumps(found)
    assert set(found) >= {"game", "study", "unit", "confidence", "effect", "family", "a", "b", "absent"}


# What is refused


def refusal(first: Path, second: Path) -> str:
    with pytest.raises(TalliesError) as caught:
        analyzer.compare(first, second)
    return str(caught.value)


def test_a_part_in_common_that_is_too_short_is_refused(home: Path) -> None:
    told = refusal(home / "base", home / "short")
    assert "have 2,000 deals of one seed in common" in told
    assert "--first, -n" in told


def test_short_runs_of_the_same_deals_and_of_none_are_compared(home: Path) -> None:
    assert analyzer.compare(home / "short", home / "short").results["same"]
    assert analyzer.compare(home / "short", home / "seed").results["sharing"] == "separate"


def test_other_games_are_refused(home: Path, tmp_path: Path) -> None:
    other = bare(tmp_path / "other", 50, "rounce-baseline-3")
    assert refusal(home / "base", other) == (
        f"{other} cannot be compared with {home / 'base'}: its game is rounce, not dingo"
    )


def test_folders_without_a_report_or_with_a_damaged_one_are_refused(home: Path, tmp_path: Path) -> None:
    assert "cannot be read: No such file" in refusal(home / "base", tmp_path)
    (tmp_path / "scenario.toml").write_text((home / "base" / "scenario.toml").read_text())
    text = (home / "base" / "tallies.json").read_text()
    (tmp_path / "tallies.json").write_text(text[:-100])
    assert "damaged" in refusal(tmp_path, home / "base")
    content = counted(home / "short")
    content["identity"]["simulator"] = "0" * 40
    (tmp_path / "scenario.toml").write_text((home / "short" / "scenario.toml").read_text())
    (tmp_path / "tallies.json").write_text(sealed("tallies", content))
    assert "another version of the simulator" in refusal(tmp_path, home / "base")


def counted(folder: Path) -> dict[str, Any]:
    content = unsealed(folder / "tallies.json", "tallies")
    return {key: value for key, value in content.items() if key not in ("kind", "format")}


def test_groups_of_more_units_than_were_played_are_refused(tmp_path: Path) -> None:
    for name in ("dingo-field", "rounce-field"):
        folder = bare(tmp_path / name, 300, name)
        assert analyzer.compare(folder, folder).results["same"]
        content = unsealed(folder / "tallies.json", "tallies")
        content["batches"]["main"]["grouped"]["units"][0] = 10**17
        told = {key: value for key, value in content.items() if key not in ("kind", "format")}
        (folder / "tallies.json").write_text(sealed("tallies", told))
        with pytest.raises(TalliesError, match="batch 'main' has groups of another size"):
            analyzer.compare(folder, folder)


def test_a_report_that_only_claims_to_be_the_same_is_found_out(home: Path, tmp_path: Path) -> None:
    """Other deals under the scenario and the name of the first."""
    other = bare(tmp_path / "other", first=100, count=2_000, seed=3)
    (other / "scenario.toml").write_text((home / "short" / "scenario.toml").read_text())
    content = {**counted(other), "identity": counted(home / "short")["identity"]}
    (other / "tallies.json").write_text(sealed("tallies", content))
    assert "arms that are the same differ" in refusal(home / "short", other)


@pytest.mark.parametrize("effect", [0.0, 1.0, -0.1, float("nan")])
def test_an_effect_that_is_none_is_refused(home: Path, effect: float) -> None:
    with pytest.raises(ScenarioError, match="is not allowed; allowed: a win share between 0 and 1"):
        analyzer.compare(home / "base", home / "base", effect=effect)
