"""`analyzer what-if`: report, JSON, warnings and refusals."""

import json

import pytest

from analyzer.report.folder import PARTS


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_change_is_compared_and_reported(invoke, tmp_path) -> None:
    done = invoke("what-if", "dingo-baseline", "--set", "rules.points.ace_rabbit_alive=15", "-n", "500", "--out", "wi")
    assert done.exit_code == 0
    assert done.stdout == "wi/report.html\n"
    assert "what if" in done.stderr
    assert "points.ace_rabbit_alive 10 → 15" in " ".join(done.stderr.split())
    folder = tmp_path / "wi"
    assert {path.name for path in folder.iterdir()} == PARTS
    results = json.loads((folder / "results.json").read_text())
    (entry,) = results["what_ifs"]
    assert entry["name"] == "rules.points.ace_rabbit_alive=15"
    assert (folder / "tables" / "change.csv").read_text().startswith("seat,policy,win_share_before,")
    assert "What if? Four careful players" in (folder / "report.html").read_text()
    provenance = json.loads((folder / "run.json").read_text())
    assert provenance["count"] == 500
    assert set(provenance["seconds"]) == {"import", "compile", "simulate", "report"}


def test_json_is_all_there_is_on_standard_output(invoke, tmp_path) -> None:
    done = invoke("what-if", "dingo-who-acts-first", "-n", "64", "--json", "--quiet", "--out", "wi")
    assert done.exit_code == 0
    assert done.stderr == ""
    assert [entry["name"] for entry in json.loads(done.stdout)["what_ifs"]] == [
        "the dealer's left first",
        "an order drawn for each hunt",
    ]
    assert done.stdout == (tmp_path / "wi" / "results.json").read_text()


def test_base_alters_both_sides_and_sets_are_one_change(invoke) -> None:
    done = invoke(
        *("what-if", "dingo-baseline", "-n", "64", "--json", "--out", "wi"),
        *("--base", "rules.points.ace=4", "--base", "confidence=0.9"),
        *("--set", "rules.points.low=2", "--set", "rules.caught=penalty"),
    )
    results = json.loads(done.stdout)
    assert results["rules"]["points"]["ace"] == 4
    assert results["confidence"] == 0.9
    (entry,) = results["what_ifs"]
    assert set(entry["rules"]) == {"points.low", "points.eight", "caught"}


def test_a_change_of_nothing_is_allowed_with_a_warning(invoke) -> None:
    done = invoke("what-if", "dingo-baseline", "-n", "64", "--set", "rules.caught=disqualified", "--out", "wi")
    assert done.exit_code == 0
    assert "warning: 'rules.caught=disqualified' changes nothing" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--set", "rules.caught=penalty", "--adapt"), "--adapt: policies cannot be tuned"),
        ((), "asks no what-if"),
        (("--set", "count=5"), "count cannot be what changes"),
        (("--set", "rules.caugth=penalty"), "did you mean 'caught'?"),
        (("--set", "rules.caught=penalty", "--base", "rules.caugth=penalty"), "did you mean 'caught'?"),
        (("--set", "rules.caught=penalty", "--effect", "0"), "effect"),
        (("--set", "rules.caught=penalty", "--effect", "nan"), "effect"),
        (("--set", "rules.caught=penalty", "-n", "0"), "count"),
        (("--set", "table.seating=all"), "table.seating changes"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(invoke, tmp_path, arguments, told) -> None:
    done = invoke("what-if", "dingo-baseline", *arguments, "--out", "wi")
    assert done.exit_code == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "wi").exists()
