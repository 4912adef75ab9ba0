"""Loading: what a scenario becomes, and one line for everything that can be wrong with it."""

import dataclasses
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analyzer.errors import RulesError, ScenarioError
from analyzer.scenario.load import load_scenario


def failure(source, overrides=(), **options):
    with pytest.raises(ScenarioError) as caught:
        load_scenario(source, overrides, **options)
    assert caught.value.exit_code == 2
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_file_becomes_a_scenario_with_everything_resolved(write):
    scenario = load_scenario(write())
    assert (scenario.name, scenario.title, scenario.question) == ("question", "A question", "Who wins?")
    assert (scenario.count, scenario.seed, scenario.confidence) == (1000, 3, 0.95)
    assert set(scenario.rules) == {knob.key for knob in scenario.game.knobs}
    assert [policy.name for policy in scenario.table.policies] == ["mine", "careful", "greedy"]
    assert set(scenario.table.policies[0].noise.values()) == {0.25}
    assert scenario.table.plays == 4
    assert scenario.seats == ("S", "W", "N", "E")


def test_what_is_left_out_has_a_default(write):
    scenario = load_scenario(write(content='game = "dingo"\n', name="short one.toml"))
    assert (scenario.title, scenario.question, scenario.count, scenario.seed) == (
        "short one",
        "",
        1_000_000,
        1,
    )
    assert scenario.confidence == 0.95
    assert scenario.table.arrangements == (((0, 0, 0, 0),),)
    assert scenario.table.policies[0].name == scenario.game.default_policy
    assert scenario.table.seating == "fixed"
    assert scenario.changed_rules() == {}


def test_count_and_seed_take_the_place_of_the_files(write):
    scenario = load_scenario(write(), count=7, seed=2**64 - 1)
    assert (scenario.count, scenario.seed) == (7, 2**64 - 1)


def test_a_knob_whose_default_is_another_knob_counts_as_changed_only_when_it_differs(write):
    scenario = load_scenario(write(), ["rules.points.low=4"])
    assert scenario.changed_rules() == {"points.low": (4, 1)}


def test_a_shipped_scenario_is_found_by_name_and_a_file_of_that_name_by_its_path(write, monkeypatch):
    assert load_scenario("dingo-baseline").title == "Four careful players"
    path = write(name="dingo-baseline")
    monkeypatch.chdir(path.parent)
    assert load_scenario("dingo-baseline").title == "Four careful players"
    assert load_scenario("./dingo-baseline").title == "A question"
    assert load_scenario(Path("dingo-baseline")).title == "A question"


@pytest.mark.parametrize("name", ["...toml", "..toml", ".toml"])
def test_the_name_never_leads_out_of_the_reports_folder(write, name):
    assert load_scenario(write(name=name)).name not in ("", ".", "..")


def test_the_digest_tells_what_the_numbers_depend_on(write):
    scenario = load_scenario(write())
    assert scenario.digest() == load_scenario(write(('"A question"', '"Another title"'))).digest()
    later = dataclasses.replace(scenario, game=dataclasses.replace(scenario.game, stream=99))
    changed = [
        load_scenario(write(), [override]).digest()
        for override in (
            "count=1001",
            "seed=4",
            "confidence=0.9",
            "rules.points.low=2",
            "policies.mine.noise=0.3",
            "policies.mine.lapse=0.1",
            "policies.mine.memory=none",
            "policies.mine.discard.low_wolf=0.125",
            "table.seating=all",
            "given.S=AD",
            "given.W=AD",
            "table.seats=['careful', 'mine', 'greedy', 'careful']",
        )
    ]
    assert len({scenario.digest(), later.digest(), *changed}) == len(changed) + 2


def test_a_mark_of_byte_order_and_windows_line_ends_are_taken(write):
    text = '\ufeff# Who?\r\n# And why?\r\ngame = "dingo"\r\n'
    assert load_scenario(write(content=text)).question == "Who? And why?"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            'game  = "dingo"',
            'gme = "dingo"',
            ["gme: no such key (did you mean 'game'?)", "keys: game, title"],
        ),
        ('game  = "dingo"', "", ["game: is missing", "dingo"]),
        ('game  = "dingo"', 'game = "dngo"', ["game: ", "'dngo'", "did you mean 'dingo'?"]),
        ('game  = "dingo"', "game = 7", ["game: 7 is not allowed", "dingo"]),
        ("count = 1_000", "count = 1e6", ["count: 1000000.0 is not allowed", "whole number", "1_000_000"]),
        ("count = 1_000", "count = true", ["count: true is not allowed", "whole number"]),
        ("count = 1_000", "count = 0", ["count: 0 is not allowed", "from 1 to"]),
        ("count = 1_000", "count = 1_000_000_000_001", ["count: 1000000000001 is not allowed"]),
        ("count = 1_000", 'count = "many"', ["count: 'many' is not allowed"]),
        ("count = 1_000", "count = 2024-01-01", ["count: ", "is not allowed"]),
        ("count = 1_000", "count = nan", ["count: nan is not allowed", "finite"]),
        ("count = 1_000", "confidence = 0.5", ["confidence: 0.5 is not allowed", "between 0.5 and 0.9999"]),
        ("count = 1_000", "confidence = 0.9999", ["confidence: 0.9999 is not allowed"]),
        ("count = 1_000", "confidence = true", ["confidence: true is not allowed"]),
        ("count = 1_000", "confidence = 95", ["confidence: 95 is not allowed"]),
        ("seed  = 3", "seed = -1", ["seed: -1 is not allowed", "18446744073709551615"]),
        ("seed  = 3", "seed = 18446744073709551616", ["seed: ", "65 bits"]),
        ("seed  = 3", f"seed = {'9' * 5000}", ["too many digits"]),
        ("seed  = 3", f"seed = 0x{'f' * 5000}", ["seed: a whole number of 20000 bits"]),
        ('"A question"', '""', ["title: '' is not allowed"]),
        ('"A question"', '"two\\nlines"', ["title: ", "a line of printable text"]),
        ('"A question"', f'"{"x" * 301}"', ["title: ", "at most 300 characters"]),
        ("noise = 0.25", "noise = 1.5", ["policies.mine.noise: 1.5 is not allowed", "from 0 to 1"]),
        ("noise = 0.25", "noise = inf", ["policies.mine.noise: inf is not allowed"]),
        (
            "noise = 0.25",
            "discard.low_wolv = 1",
            ["policies.mine.discard.low_wolv", "did you mean 'low_wolf'?"],
        ),
        ("noise = 0.25", "discrd.low_wolf = 1", ["policies.mine.discrd", "did you mean 'discard'?"]),
        (
            'base = "careful"',
            'base = "carful"',
            ["policies.mine.base: no policy is named 'carful'", "'careful'"],
        ),
        ('base = "careful"', "base = 3", ["policies.mine.base: 3"]),
        ('base = "careful"', 'base = "mine"', ["policies.mine: base goes round in a circle"]),
        (
            "[policies.mine]",
            '[policies."tab\\tname"]',
            ["policies: 'tab\\tname' is no name for a policy", "40 printable"],
        ),
        ("[policies.mine]", f"[policies.{'x' * 41}]", ["is no name for a policy"]),
        ("[policies.mine]", '[policies." mine"]', ["policies: ' mine' is no name", "no space at either end"]),
        ("[policies.mine]", '[policies.""]', ["policies: '' is no name"]),
        ("[table]", "[policies.blank]\n[table]", ["policies.blank: "]),
        ("[table]", "[[what_ifs]]\nname = 'x'\n[table]", ["what_ifs: no such key (did you mean 'what_if'?)"]),
        ("[table]", "[[what_if]]\nnam = 'x'\n[table]", ["what_if[0].nam: no such key (did you mean 'name'?)"]),
        ("[table]", "[[what_if]]\n[table]", ["what_if[0].name: is missing"]),
        ("[table]", "[[what_if]]\nname = ''\n[table]", ["what_if[0].name: '' is not allowed"]),
        ("[table]", "[[what_if]]\nname = 'x'\ncount = 3\n[table]", ["what_if[0].count: no such key"]),
        ("[table]", "[[what_if]]\nname = 'x'\nrules = 3\n[table]", ["what_if[0].rules: 3", "a table of rule knobs"]),
        ("[table]", "[what_if]\nname = 'x'\n[table]", ["what_if: ", "at most 64 tables [[what_if]]"]),
        (
            "[table]",
            "[[what_if]]\nname = 'x'\n[[what_if]]\nname = 'x'\n[table]",
            ["what_if[1].name: 'x' is not allowed", "that no other what_if has"],
        ),
        (
            "[table]",
            "[[what_if]]\nname = 'x'\nrules.wolf_ordr = 'random'\n[table]",
            ["what_if[0]: rules.wolf_ordr", "did you mean 'wolf_order'?"],
        ),
        (
            "[table]",
            "[[what_if]]\nname = 'x'\npolicies.nobody.noise = 0.5\n[table]",
            ["what_if[0]: policies.nobody.noise: ", "nobody at the table plays 'nobody'"],
        ),
        (
            "[table]",
            "[rules]\nwolf_ordr = 'random'\n[table]",
            ["rules.wolf_ordr", "did you mean 'wolf_order'?"],
        ),
        ("[table]", "[rules]\npoints.low = 1001\n[table]", ["rules.points.low: 1001", "from -1000 to 1000"]),
        ("[table]", "[rules]\npoints.low = true\n[table]", ["rules.points.low: true is not allowed"]),
        ("[table]", "[rules]\nexchange = ['discard', 'lft']\n[table]", ["rules.exchange: 'lft'", "'left'"]),
        ("[table]", "[tble]", ["tble: no such key (did you mean 'table'?)"]),
        (
            "seating",
            "seting",
            ["table.seting: no such key (did you mean 'seating'?)", "keys: seats, field, seating"],
        ),
        (
            '"rotate"',
            '"rotated"',
            ["table.seating: 'rotated' is not allowed (did you mean 'rotate'?)", "'fixed'"],
        ),
        (
            '"greedy"',
            '"gredy"',
            ["table.seats[2]: no policy is named 'gredy' (did you mean 'greedy'?)", "mine"],
        ),
        ('"greedy"', "7", ["table.seats[2]: 7 is not allowed", "name of a policy"]),
        ('"greedy", ', "", ["table.seats: 3 policies; Dingo has 4 seats"]),
        ("seating", 'field = ["mine"]\nseating', ["table: has seats and field"]),
    ],
)
def test_what_is_wrong_with_a_key_is_told_in_one_line(write, old, new, told):
    path = write((old, new))
    message = failure(path)
    assert message.startswith(f"{path}: ")
    for part in told:
        assert part in message


def test_a_knob_that_cannot_be_is_a_rules_error(write):
    with pytest.raises(RulesError):
        load_scenario(write(), ["rules.points.low=1001"])


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('game = "dingo"\ncount == 3\n', "line 2"),
        ('game = "dingo"\ngame = "dingo"\n', "line 2"),
        ('game = "dingo"\ntitle = "open\n', "line 2"),
        ('game = "dingo"\ntitle = """open\n\n', "line 2, where the file ends"),
        ("game = " + "[" * 100_000, "nested too deeply"),
        ("a." * 50 + "a = 1", "nested too deeply"),
        ('game = "dingo"\x00', "not TOML"),
        (b"game = 'dingo'\n# caf\xe9\n", "byte 20 (0xe9) is not UTF-8"),
        (b"#" * 1_000_001, "1,000,000 bytes"),
        ("", "game: is missing"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_one_line(write, content, told):
    path = write(content=content)
    message = failure(path)
    assert message.startswith(f"{path}: ")
    assert told in message


def test_a_file_that_is_not_there_is_told_with_the_nearest_name(tmp_path):
    assert "no scenario is named 'dingo-baselin' (did you mean 'dingo-baseline'?)" in failure("dingo-baselin")
    assert "the scenario that ships is named 'dingo-baseline'" in failure("dingo-baseline.toml")
    assert failure(tmp_path / "x.toml") == f"{tmp_path / 'x.toml'}: no such file"
    assert "no such file (did you mean 'dingo-random'?)" in failure("some/dingo-randm.toml")
    assert "no scenario is named ''" in failure("")
    assert failure("a\0b.toml") == "'a\\x00b.toml': no such file"
    assert "name too long" in failure("x" * 5000 + ".toml").lower()


def test_a_directory_and_an_unreadable_file_are_told(tmp_path, write):
    assert failure(tmp_path) == f"{tmp_path}: is a directory; a scenario is a file, one question each"
    if sys.platform != "win32" and os.geteuid() != 0:
        path = write()
        path.chmod(0)
        assert "cannot be read: Permission denied" in failure(path)


def test_a_file_without_end_is_not_read_to_its_end():
    if Path("/dev/zero").exists():
        assert "more than 1,000,000 bytes" in failure("/dev/zero")


def test_a_pipe_is_read_to_its_end_and_one_without_a_writer_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("analyzer.scenario.source.PATIENCE", 0.1)
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    assert failure(pipe) == f"{pipe}: cannot be read: it is a pipe, and nobody wrote to it for 0.1 seconds"
    code = f"import time; pipe = open({str(pipe)!r}, 'w'); time.sleep(0.5); pipe.write('game = \"dingo\"')"
    monkeypatch.setattr("analyzer.scenario.source.PATIENCE", 20)
    writer = subprocess.Popen([sys.executable, "-c", code])
    assert load_scenario(pipe).title == "pipe"
    assert writer.wait(timeout=20) == 0


@pytest.mark.parametrize("content", ["a." * 490_000 + "a = 1", '"a".' * 200_000 + "a = 1", "[" + "a." * 400_000 + "a]"])
def test_a_key_of_very_many_parts_is_refused_at_once(write, content):
    began = time.monotonic()
    assert "nested too deeply" in failure(write(content=content))
    assert "is not a key" in failure(write(), [content.split(" ")[0][:100_000] + "=1"])
    assert time.monotonic() - began < 5


def test_a_comment_may_hold_any_number_of_dots(write):
    assert load_scenario(write(content=f"# {'.' * 500_000}\ngame = 'dingo'\n")).title == "question"


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ('rules."\\u001b[31m"', "rules.'\\x1b[31m'"),
        ('"a b"', "'a b'"),
        ("policies.mine." + "x" * 900, "policies.mine." + "x" * 37 + "..."),
        ("policies.mine.discard." + "x" * 900, "policies.mine.discard." + "x" * 37 + "..."),
        ("policies.mine.noise." + "x" * 900, "policies.mine.noise." + "x" * 37 + "..."),
        ('policies.mine."\\u009b"', "policies.mine.'\\x9b'"),
    ],
)
def test_a_key_is_shown_without_control_codes_and_not_at_any_length(write, key, shown):
    message = failure(write(content=f'game = "dingo"\n{key} = 1\n'))
    assert shown in message
    assert message.isprintable()


def test_of_hundreds_of_names_the_first_are_told(write):
    tables = "".join(f'[policies."{number:03} {"x" * 30}"]\n' for number in range(500))
    message = failure(write(content=f'game = "dingo"\ntable.seats = ["a","b","c","d"]\n{tables}'))
    assert "and 46" in message
    assert len(message) < 2000
    chain = "".join(f'[policies.p{n}]\nbase = "p{(n + 1) % 150}"\n' for n in range(150))
    assert len(failure(write(content=f'game = "dingo"\n{chain}'))) < 300


@pytest.mark.parametrize("count", [0, -3, 10**12 + 1, True, 1.0])
def test_a_count_from_outside_is_held_to_the_same_range(write, count):
    assert failure(write(), count=count).startswith("the count option: count: ")


def test_a_date_is_shown_as_in_the_file(write):
    for text in ("1979-05-27", "07:32:00", "1979-05-27T07:32:00+00:00"):
        with pytest.raises(ScenarioError, match=f"seed: {re.escape(text)} is not allowed"):
            load_scenario(write(content=f'game = "dingo"\nseed = {text}\n'))
