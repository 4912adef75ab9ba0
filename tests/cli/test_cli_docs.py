"""The two pages about commands and scenarios say what the program does."""

import re
from pathlib import Path

import click
import pytest

from analyzer.cli.main import COMMANDS, command_named
from analyzer.scenario.load import load_scenario
from analyzer.scenario.model import SEATINGS, ScenarioModel

DOCS = Path(__file__).parents[2] / "docs"
CLI = (DOCS / "cli.md").read_text("utf-8")
FORMAT = (DOCS / "scenario-format.md").read_text("utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_section_and_every_option_is_told(name):
    command = command_named(name)
    assert f"\n## `analyzer {name}" in CLI
    section = CLI.split(f"\n## `analyzer {name}", 1)[1].split("\n## ", 1)[0]
    shared = CLI.split("## Options that several commands share", 1)[1].split("\n## ", 1)[0]
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            long = parameter.opts[-1]
            assert f"`{long}" in shared or f"`{long}" in section
            assert f"`{long}" in section or f"`{parameter.opts[0]}`" in section


def test_every_exit_code_is_told():
    assert re.findall(r"^\| (\d+) \|", CLI, re.MULTILINE) == ["0", "2", "130", "1"]


def test_the_example_scenario_loads(tmp_path):
    example = re.search(r"```toml\n(.*?)```", FORMAT, re.DOTALL)
    path = tmp_path / "example.toml"
    path.write_text(example[1], "utf-8")
    scenario = load_scenario(path)
    assert scenario.question == "Does hoarding wolf pairs pay in Dingo?"
    assert scenario.table.plays == 4


def test_every_key_and_seating_is_told():
    for key in ScenarioModel.model_fields:
        assert f"`{key}`" in FORMAT or f"[{key}" in FORMAT
    for seating in SEATINGS:
        assert f'| `"{seating}"`' in FORMAT


def test_every_change_shown_can_be_made():
    shown = re.findall(r"^--set (\S+|'[^']*')(?: +#.*)?$", FORMAT, re.MULTILINE)
    changes = [change.strip("'") for change in shown]
    assert len(changes) == 6
    for change in changes[:4]:
        load_scenario("dingo-baseline", [change])
    seats = 'table.seats=["a name", "careful", "careful", "careful"]'
    assert load_scenario("dingo-baseline", [changes[4], seats]).table.policies[0].memory == "none"
    assert load_scenario("dingo-race", [changes[5]]).changed_rules() == {}
