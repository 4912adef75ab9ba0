"""What the commands print: standard output, standard error, exit code."""

import dataclasses
import json
import tomllib

import pytest

import analyzer
from analyzer.cli.main import COMMANDS, command_named
from analyzer.games.policy import preset_names
from analyzer.games.registry import GAMES, game_named
from analyzer.scenario.load import load_scenario
from analyzer.scenario.source import shipped_names


def test_help_lists_every_command_without_importing_one(invoke):
    result = invoke("--help")
    assert (result.exit_code, result.stderr) == (0, "")
    for name, summary in COMMANDS.items():
        assert f"{name} " in result.stdout
        assert summary in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(invoke, name):
    assert command_named(name).help
    result = invoke(name, "--help")
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"Usage: analyzer {name} [OPTIONS]" in result.stdout


def test_version(invoke):
    result = invoke("--version")
    assert (result.exit_code, result.stdout) == (0, f"analyzer {analyzer.__version__}\n")


def test_scenarios_lists_those_that_ship_with_their_questions(invoke):
    result = invoke("scenarios")
    assert result.exit_code == 0
    listed = json.loads(invoke("scenarios", "--json").stdout)
    assert [entry["name"] for entry in listed] == list(shipped_names())
    flat = " ".join(result.stdout.split())
    for entry in listed:
        assert entry["question"].endswith("?")
        assert f"{entry['name']} {entry['question']}" in flat


@pytest.mark.parametrize("game", GAMES)
def test_rules_lists_every_knob(invoke, game):
    result = invoke("rules", game)
    assert result.exit_code == 0
    records = json.loads(invoke("rules", game, "--json").stdout)
    blocks = {block.split(" = ")[0]: block for block in result.stdout.split("\n\n")}
    spec = game_named(game)
    assert [record["key"] for record in records] == [knob.key for knob in spec.knobs]
    for knob in spec.knobs:
        flat = " ".join(blocks[knob.key].split())
        assert knob.text in flat
        assert f"Touches: {', '.join(knob.touches)}" in flat
        assert f"Rules page: {knob.reference}" in flat
        assert ("[disputed]" in flat) == knob.disputed
        if knob.kind == "int":
            assert f"from {knob.low} to {knob.high}" in flat
        for choice in knob.choices:
            assert json.dumps(choice) in flat


def test_rules_shows_the_rules_page_of_the_games_package(invoke, monkeypatch, tmp_path):
    (tmp_path / "paged").mkdir()
    (tmp_path / "paged" / "__init__.py").touch()
    (tmp_path / "paged" / "rules.md").write_text("# The rules\n\nA − B.\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    spec = dataclasses.replace(game_named("dingo"), package="paged")
    monkeypatch.setattr("analyzer.cli.rules.game_named", lambda name: spec)
    result = invoke("rules", "dingo", "--page")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "# The rules\n\nA − B.\n", "")


@pytest.mark.parametrize("game", GAMES)
def test_policies_lists_features_and_presets(invoke, game):
    spec = game_named(game)
    everything = json.loads(invoke("policies", game, "--json").stdout)
    assert set(everything["presets"]) == set(preset_names(spec))
    assert {entry["name"] for entry in everything["features"]} == {feature.name for feature in spec.features}
    features, presets = invoke("policies", game, "--features"), invoke("policies", game, "--presets")
    assert invoke("policies", game).stdout == features.stdout + presets.stdout
    for feature in spec.features:
        assert f"{feature.name} {feature.low}..{feature.high} " in features.stdout
    for name in preset_names(spec):
        assert invoke("policies", game, name).stdout in presets.stdout
        assert everything["presets"][name]["idea"] in " ".join(presets.stdout.split())
        assert everything["presets"][name]["origin"] in " ".join(presets.stdout.split())
    assert f"{spec.default_policy} (the default)" in presets.stdout


def test_policies_shows_one_preset(invoke):
    record = json.loads(invoke("policies", "dingo", "greedy", "--json").stdout)
    assert set(record["presets"]) == {"greedy"}
    assert "features" not in record
    wrong = invoke("policies", "dingo", "gredy")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith(
        "analyzer: error: no preset is named 'gredy' (did you mean 'greedy'?); presets: careful"
    )


def test_weights_of_decisions_that_are_alike_stand_together(invoke):
    shown = invoke("policies", "dingo", "greedy").stdout
    weights = load_scenario("dingo-baseline", ['table.seats=["greedy","greedy","greedy","greedy"]']).table
    assert weights.policies[0].weights["discard_1"] == weights.policies[0].weights["discard_4"]
    assert "\n  discard " in shown
    assert "discard_1" not in shown


@pytest.mark.parametrize("game", GAMES)
def test_schema_is_json(invoke, game):
    result = invoke("schema", game)
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["properties"]["game"] == {"const": game, "description": game_named(game).title}


@pytest.mark.parametrize("command", ["rules", "policies", "schema"])
def test_a_game_that_is_none_is_told_with_the_nearest(invoke, command):
    result = invoke(command, "dngo")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "analyzer: error: no game is named 'dngo' (did you mean 'dingo'?); games: " + (
        ", ".join(GAMES) + "\n"
    )


def test_check_shows_what_is_in_force(invoke):
    result = invoke("check", "dingo-race", "-n", "5_000", "--seed", 9, "--set", "policies.greedy.noise=0.25")
    assert (result.exit_code, result.stderr) == (0, "")
    flat = " ".join(result.stdout.split())
    for told in (
        "dingo-race: valid",
        "count 5,000 deals",
        "seed 9",
        "S careful, W greedy, N careful, E cautious; seating rotate, 4 plays of each deal",
        'wolf_order = "random" (default "left_of_dingo")',
        "dingo_player_may_wolf = true (default false)",
        "memory perfect, lapse 0, noise 0.25",
    ):
        assert told in flat
    assert load_scenario("dingo-race", ["policies.greedy.noise=0.25"], count=5000, seed=9).digest() in flat
    assert "all at their defaults" in invoke("check", "dingo-baseline").stdout


def test_check_shows_the_hands_that_are_given(invoke):
    words = ("check", "rounce-baseline-3", "--set", "given.0=6-6 6-5", "--set", "given.2=0-0")
    flat = " ".join(invoke(*words).stdout.split())
    assert "given 0 holds 6-5 6-6 whenever hands are dealt 2 holds 0-0 whenever hands are dealt rules" in flat
    assert json.loads(invoke(*words, "--json").stdout)["given"] == {"0": "6-5 6-6", "2": "0-0"}


def test_check_says_when_combinations_of_a_field_would_never_play(invoke):
    assert "32 combinations of the field would never play" in invoke("check", "dingo-field", "-n", 3).stdout


def test_check_names_the_policies_of_a_file_that_nobody_plays(invoke, tmp_path):
    path = tmp_path / "idle.toml"
    path.write_text(
        'game = "dingo"\n[policies.spare]\n[policies.careful]\nbase="ground"\n[policies.ground]\nbase="blank"\n',
        "utf-8",
    )
    assert "Note: nobody at the table plays spare, defined in the file." in invoke("check", path).stdout
    assert json.loads(invoke("check", path, "--json").stdout)["idle_policies"] == ["spare"]
    assert "Note" not in invoke("check", "dingo-field").stdout


def test_check_in_json_holds_the_whole_scenario(invoke):
    record = json.loads(invoke("check", "dingo-field", "--json", "--set", "rules.points.low=2").stdout)
    resolved = tomllib.loads(load_scenario("dingo-field", ["rules.points.low=2"]).to_toml())
    assert record["valid"] is True
    assert record["rules"] == resolved["rules"]
    assert record["table"] == resolved["table"]
    assert record["changed_rules"] == {"points.low": {"value": 2, "default": 1}}
    assert (record["combinations"], record["plays"]) == (35, 4)


@pytest.mark.parametrize("option", ["--json", "--quiet"])
def test_check_of_a_wrong_scenario_prints_nothing_on_standard_output(invoke, option):
    result = invoke("check", "dingo-baseline", "--set", "rules.points.lw=2", option)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert "did you mean 'points.low'?" in result.stderr
    assert invoke("check", "dingo-baseline", "--quiet").output == ""


def test_trace_in_json_lines_is_one_object_an_event(invoke):
    result = invoke("trace", "dingo-baseline", "--deal", 5, "--deals", 2, "--format", "jsonl")
    assert (result.exit_code, result.stderr) == (0, "")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["deal"] for event in events if event["event"] == "deal"] == [5, 6]
    assert events[0]["game"] == "dingo"
    assert events[-1]["event"] == "result"


def test_trace_in_words_tells_every_deal(invoke):
    one = invoke("trace", "dingo-baseline", "--deal", 6).stdout
    assert one.strip()
    assert invoke("trace", "dingo-baseline", "--deal", 5, "--deals", 2).stdout.endswith("\n\n" + one)


def test_trace_explains_when_it_is_told_to(invoke):
    plain = invoke("trace", "dingo-baseline", "--deal", 5, "--format", "jsonl").stdout.splitlines()
    lines = invoke("trace", "dingo-baseline", "--deal", 5, "--explain", "--format", "jsonl").stdout.splitlines()
    assert [line for line in lines if json.loads(line)["event"] != "explain"] == plain
    first = json.loads(lines[1])
    assert (first["event"], first["seat"], first["decision"]) == ("explain", "S", "discard_1")
    told = json.loads(lines[2])
    assert (first["chosen"], first["step"]) == ([told["card"]], told["step"])
    words = invoke("trace", "dingo-baseline", "--deal", 5, "--explain")
    assert words.exit_code == 0
    assert "S (careful) weighs discard_1; the lowest goes:" in words.stdout


def test_trace_takes_seed_changes_and_rotation(invoke):
    first = json.loads(
        invoke(
            "trace", "dingo-race", "--rotation", 1, "--seed", 8, "--set", "rules.points.low=4", "--format", "jsonl"
        ).stdout.splitlines()[0]
    )
    assert (first["seed"], first["rotation"], first["rules"]["points"]["low"]) == (8, 1, 4)
    assert first["policies"] == {"S": "cautious", "W": "careful", "N": "greedy", "E": "careful"}


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--rotation", "1"], "--rotation: 1 is not allowed; allowed: a whole number from 0 to 0"),
        (["--deal", "-1"], "--deal: -1 is not allowed; allowed: a whole number from 0 to 999999999999"),
        (["--deals", "0"], "--deals: 0 is not allowed; allowed: a whole number from 1 to 1000000000000"),
    ],
)
def test_trace_refuses_deals_that_there_are_not(invoke, args, told):
    result = invoke("trace", "dingo-baseline", *args)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"analyzer: error: {told}\n")
