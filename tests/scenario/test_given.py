"""`[given]`: what seats are dealt for sure, and one line for everything that can be wrong with it."""

import pytest

from analyzer.cli import text
from analyzer.errors import ScenarioError
from analyzer.games.registry import GAMES, game_named
from analyzer.scenario.load import load_scenario
from analyzer.scenario.schema import scenario_schema

DINGO = """
game = "dingo"
[given]
N = "8H AS  AD"
S = "TH"
"""
ROUNCE = """
game = "rounce"
[given]
2 = "6-6 6-5"
[table]
seats = ["steady", "steady", "bold"]
"""


def refusal(source, *overrides):
    with pytest.raises(ScenarioError) as caught:
        load_scenario(source, overrides)
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [(DINGO, {"S": ["TH"], "N": ["8H", "AS", "AD"]}), (ROUNCE, {"2": ["6-5", "6-6"]})],
)
def test_names_become_sets_by_seat_and_stay_what_they_were(write, content, told):
    scenario = load_scenario(write(content=content))
    names = scenario.game.deal.names
    assert [(scenario.seats[seat], [name for bit, name in enumerate(names) if held >> bit & 1])
            for seat, held in scenario.given] == list(told.items())  # fmt: skip
    again = load_scenario(write(content=scenario.to_toml(), name="again.toml"))
    assert (again, again.digest()) == (scenario, scenario.digest())
    texts = {seat: " ".join(held) for seat, held in told.items()}
    assert text.as_json(scenario)["given"] == texts
    assert list(text.given_in_words(scenario)) == [f"{seat} holds {held} whenever hands are dealt"
                                                   for seat, held in texts.items()]  # fmt: skip


@pytest.mark.parametrize(("content", "key"), [(DINGO, "S"), (ROUNCE, "2")])
def test_from_outside_it_is_changed_and_taken_back(write, content, key):
    path = write(content=content)
    free = load_scenario(path, ["given={}"])
    assert free.given == ()
    assert "given" not in free.to_toml()
    assert free.digest() == load_scenario(path, [f'given.{key}=""', *(['given.N=""'] if key == "S" else [])]).digest()
    assert free.digest() != load_scenario(path).digest()


def test_players_may_write_it_their_way():
    one, other = (load_scenario("dingo-baseline", [f"given.S={names}"]) for names in ("ad 10h", "TH AD"))
    assert one.digest() == other.digest()
    assert load_scenario("rounce-baseline-3", ["given.0=5-6"]).given_texts() == {"0": "6-5"}


@pytest.mark.parametrize(
    ("name", "override", "told"),
    [
        ("dingo-baseline", "given.X=AD", "given.X: no such seat; seats: S, W, N, E"),
        ("rounce-baseline-3", "given.3=6-6", "given.3: no such seat; seats: 0, 1, 2"),
        ("dingo-baseline", "given.S=3H AX", "given.S: no card is named 'AX' (did you mean 'AS'?); cards: 2H, 2S, 2C,"),
        ("rounce-baseline-3", "given.0=6-7", "given.0: no tile is named '6-7' (did you mean '6-6'?); tiles: 0-0,"),
        ("dingo-baseline", "given.S=7D", "given.S: '7D' cannot be given: it is a rabbit of the pile, which is in"),
        ("dingo-baseline", "given.S=AD AD", "given.S: the card AD is given twice to S"),
        ("dingo-baseline", "given={S='AD', W='2H AD'}", "given.W: the card AD is given twice, to S and to W"),
        ("rounce-baseline-3", "given.1=6-5 5-6", "given.1: the tile 6-5 is given twice to 1"),
        (
            "dingo-baseline",
            "given.E=2H 3H 4H 5H 6H 7H 8H 9H TH JH QH",
            "given.E: 11 cards; allowed: at most 10, a whole hand",
        ),
        (
            "rounce-baseline-3",
            "given.1=6-6 6-5 6-4 6-3 6-2 6-1",
            "given.1: 6 tiles; allowed: at most 5, a whole hand",
        ),
        ("dingo-baseline", "given.S=7", "given.S: 7 is not allowed; allowed: a text of cards, separated by spaces"),
        (
            "rounce-baseline-3",
            "given.0=['6-6']",
            "given.0: ['6-6'] is not allowed; allowed: a text of tiles, separated",
        ),
        ("dingo-baseline", "given=AD", "given: 'AD' is not allowed; allowed: a table of seats, each with a text of"),
    ],
)
def test_what_cannot_be_given_is_refused_in_a_line(name, override, told):
    message = refusal(name, override)
    assert message.startswith("override ")
    assert told in message


def test_the_file_is_named_where_it_is_to_blame(write):
    path = write(content=DINGO.replace("TH", "AD"))
    assert refusal(path).startswith(f"{path}: given.S: the card AD is given twice, to N and to S")


def test_how_many_fit_hangs_on_the_rules():
    seven = "given.0=6-6 6-5 6-4 6-3 6-2 6-1 6-0"
    assert load_scenario("rounce-baseline-2", [seven, "rules.hand_size=7", "rules.dummies_max=0"]).given
    assert "allowed: at most 5" in refusal("rounce-baseline-2", seven)


@pytest.mark.parametrize("name", GAMES)
def test_the_schema_knows_every_seat(name):
    game = game_named(name)
    schema = scenario_schema(game)["properties"]["given"]
    assert schema["additionalProperties"] is False
    assert tuple(schema["properties"]) == game.seats(game.seat_counts[-1])
    for seat in schema["properties"].values():
        assert seat["type"] == "string"
        assert all(piece in seat["description"] for piece in game.deal.names)
        assert load_scenario(f"{name}-field", [f"given.{game.seats(2)[1]}={seat['examples'][0]}"]).given
