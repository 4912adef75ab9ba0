"""What-ifs: exact where they must be, split in layers that add up, the same for any number of threads."""

import json
import shlex
import threading

import numpy as np
import pytest

import analyzer
from analyzer.cli.main import cli
from analyzer.errors import Interrupted, ScenarioError
from analyzer.games.dingo.transcript import events as events_of
from analyzer.report.results import dump_results
from analyzer.scenario.load import load_scenario, load_what_if
from analyzer.scenario.variations import load_variations
from analyzer.sim.arms import ArmsWork
from analyzer.studies.changes import told
from analyzer.studies.paired import POINTS, WIN, Arms, Paired, joint, table_work
from analyzer.studies.solve import load_problem
from analyzer.studies.trace import trace
from analyzer.studies.what_if import compared, unsplit, what_if

ZERO = {"estimate": 0.0, "low": 0.0, "high": 0.0, "se": 0.0}
TWO = """
# Two questions?
game = "dingo"
count = 2_000

[table]
seats = ["careful", "greedy", "careful", "careful"]
seating = "rotate"

[[what_if]]
name = "the ace rabbit is worth 15"
rules.points.ace_rabbit_alive = 15

[[what_if]]
name = "greedy forgets"
policies.greedy.memory = "none"

[[what_if]]
name = "nothing"
"""


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    path = tmp_path_factory.mktemp("what_if") / "two.toml"
    path.write_text(TWO)
    return path


@pytest.fixture(scope="module")
def outcome(two):
    return what_if(load_what_if(two))


def test_a_rule_set_against_itself_gives_exactly_0_everywhere() -> None:
    for name in ("dingo-field", "rounce-baseline-2"):
        found = analyzer.what_if(
            name, set=["rules.max_rounds=1000" if "rounce" in name else "rules.caught=disqualified"], count=50
        )
        (entry,) = found.results["what_ifs"]
        assert entry["same"]
        for row in [*entry["change"], *entry["by_policy"], *entry["by_seat"], *entry["layers"]]:
            for column in ("win_share", "points"):
                assert {key: row[column][key] for key in ZERO} == ZERO
                assert row[column]["exact"] is True
        assert all(row["verdict"] == "practically equal" for row in entry["change"])
        assert entry["winner_changed"]["estimate"] == 0
        assert entry["winner_changed"]["high"] == 0
        assert entry["most_changed"] == []
        assert "Nothing at all" in found.results["findings"][0]["sentence"]


def test_an_arm_played_twice_agrees_with_itself_to_the_last_bit() -> None:
    """Not by digest: both arms are played."""
    scenario = load_scenario("dingo-race")
    (table,) = joint([scenario])
    arm = table_work(scenario, table)
    work = ArmsWork((arm, arm), ((0, 1),))
    _, sums, products, changed, best = work.play(0, 500)
    assert (sums[:, 0] == sums[:, 1]).all()
    assert (products[..., 0] == sums[:, :1, :, :, 1]).all()
    assert not products[..., 1].any()
    assert not changed.any()
    assert (best[..., 1] == -1).all()


def test_layers_add_up_deal_by_deal() -> None:
    scenario = load_what_if("dingo-race", ["rules.points.ace_rabbit_alive=40"], count=3_000)
    changed = scenario.what_ifs[0].scenario
    base, other = joint([scenario, changed])
    arms = (table_work(scenario, base), table_work(changed, other, scenario.rules), table_work(changed, other))
    records = []
    for arm in arms:
        rows = np.zeros((1_000, arm.plays), arm.prepared.record)
        assert arm.prepared.play(1, 0, 1_000, records=rows) == -1
        records.append(rows["points"].astype(int))
    before, rescored, after = records
    assert (rescored - before).any()
    assert (after - rescored).any(), "policies that know the rule play otherwise"
    assert ((rescored - before) + (after - rescored) == after - before).all()
    entry = what_if(scenario).results["what_ifs"][0]
    for row in entry["change"]:
        layers = [
            layer for layer in entry["layers"] if (layer["policy"], layer["seat"]) == (row["policy"], row["seat"])
        ]
        assert [layer["layer"] for layer in layers] == ["re-score", "re-play"]
        for column in ("win_share", "points"):
            total = sum(layer[column]["estimate"] for layer in layers)
            assert total == pytest.approx(row[column]["estimate"], abs=1e-9)


def test_a_rescored_play_is_the_play_of_before() -> None:
    """Believing the old rule, policies do the same things: only points move."""
    scenario = load_what_if("dingo-race", ["rules.points.ace_rabbit_alive=40"])
    changed = scenario.what_ifs[0].scenario
    base, other = joint([scenario, changed])
    rows = []
    for arm in (table_work(scenario, base), table_work(changed, other, scenario.rules)):
        rows.append(np.zeros((1_000, arm.plays), arm.prepared.record))
        arm.prepared.play(1, 0, 1_000, records=rows[-1])
    for field in ("hunted", "ace_dingo", "ace_wolves", "rabbit_seat", "rabbit_fate"):
        assert (rows[0][field] == rows[1][field]).all()


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("dingo-baseline", "rules.points.ace=5", ""),
        ("dingo-baseline", "rules.caught=penalty", ""),
        ("dingo-baseline", "rules.wolf_order=random", "rules.wolf_order touches the play"),
        ("dingo-baseline", "policies.careful.noise=0.1", "who plays, or how, changes"),
        ("dingo-baseline", "table.seats=[greedy, careful, careful, careful]", "who plays, or how, changes"),
        ("rounce-baseline-4", "rules.rounce_penalty=3", "rules.rounce_penalty can change when a match is over"),
        ("rounce-baseline-4", "rules.start_score=7", "rules.start_score can change when a match is over"),
        ("rounce-baseline-4", "rules.defend_allowed=false", "rules.defend_allowed touches the call"),
        ("rounce-baseline-4", "rules.finish_tie=shared", ""),
    ],
)
def test_the_rescored_layer_is_offered_where_only_scores_change(name: str, change: str, reason: str) -> None:
    change = change.replace("[greedy, careful, careful, careful]", '["greedy","careful","careful","careful"]')
    scenario = load_what_if(name, [change], count=64)
    found = unsplit(scenario, scenario.what_ifs[0].scenario)
    assert found.startswith(reason) if reason else found == ""
    entry = what_if(scenario).results["what_ifs"][0]
    assert bool(entry["layers"]) == (not reason)
    assert (entry["layers_absent"] or "") == found


def test_what_stands_in_results(outcome) -> None:
    results = outcome.results
    assert results["study"] == "what-if"
    assert results["count"] == 2_000
    assert [entry["name"] for entry in results["what_ifs"]] == [
        "the ace rabbit is worth 15",
        "greedy forgets",
        "nothing",
    ]
    first, second, third = results["what_ifs"]
    assert first["set"] == {"rules.points.ace_rabbit_alive": 15}
    assert first["rules"] == {"points.ace_rabbit_alive": {"before": 10, "after": 15}}
    assert second["set"] == {"policies.greedy.memory": "none"}
    assert third["same"]
    assert {(row["policy"], row["seat"]) for row in first["change"]} == {
        (policy, seat) for policy in ("careful", "greedy") for seat in "SWNE"
    }
    row = first["change"][0]
    for column in ("win_share", "points", "win_share_before", "win_share_after", "points_before", "variance_ratio"):
        assert set(row[column]) >= {"estimate", "low", "high", "se", "n"}
    assert row["win_share"]["estimate"] == pytest.approx(
        row["win_share_after"]["estimate"] - row["win_share_before"]["estimate"]
    )
    assert row["verdict"] in ("better", "worse", "practically equal", "undecided")
    assert results["health"][0]["passed"] is True
    assert results["health"][0]["tests"] > 0
    json.loads(dump_results(results))


def test_changes_of_all_seats_of_a_single_policy_cancel() -> None:
    entry = analyzer.what_if("dingo-baseline", set=["rules.caught=penalty"], count=2_000).results["what_ifs"][0]
    shares = [row["win_share"]["estimate"] for row in entry["change"]]
    # Deals that nobody won are the only ones whose shares do not add up to 1.
    before, after = (
        sum(row[f"win_share_{when}"]["estimate"] for row in entry["change"]) for when in ("before", "after")
    )
    assert sum(shares) == pytest.approx(after - before)


def test_the_same_for_any_number_of_threads(two, outcome) -> None:
    again = what_if(load_what_if(two), jobs=3)
    assert dump_results(again.results) == dump_results(outcome.results)
    assert again.sealed_tallies() == outcome.sealed_tallies()


def test_the_most_changed_deals_can_be_traced(two, outcome, monkeypatch) -> None:
    entry = outcome.results["what_ifs"][0]
    assert entry["most_changed"]
    scenario = load_what_if(two)
    for deal in entry["most_changed"]:
        before, after = (shlex.split(deal[side]) for side in ("before", "after"))
        assert before[:3] == ["analyzer", "trace", "two.toml"]
        assert after[3] == "--set=rules.points.ace_rabbit_alive=15"
        ends = [
            next(trace(each, deal["deal"], 1, deal["rotation"]))[-1]
            for each in (scenario, scenario.what_ifs[0].scenario)
        ]
        assert ends[0] != ends[1]


def test_changes_of_both_sides_stand_in_the_commands_of_the_most_changed_deals() -> None:
    scenario = load_what_if(
        "dingo-baseline",
        ["rules.caught=penalty", "rules.points.low=3"],
        ["rules.points.low=2", "policies.careful.lapse=0.1"],
        count=500,
        seed=9,
    )
    (entry,) = what_if(scenario).results["what_ifs"]
    deal = entry["most_changed"][0]
    for side, own in (
        ("before", ["--set=rules.points.low=2"]),
        ("after", ["--set=rules.points.low=3", '--set=rules.caught="penalty"']),
    ):
        words = shlex.split(deal[side])
        sets = [word for word in words if word.startswith("--set")]
        assert sorted(sets) == sorted(["--set=policies.careful.lapse=0.1", "--set=seed=9", *own])
        again = load_scenario(words[2], [word.removeprefix("--set=") for word in sets])
        due = scenario if side == "before" else scenario.what_ifs[0].scenario
        assert (again.rules, again.table, again.seed) == (due.rules, due.table, due.seed)


def test_a_stopped_what_if_is_that_of_its_deals(two, outcome) -> None:
    stop = threading.Event()

    def progress(phase: str, done: int, total: int) -> None:
        if phase == "arms" and done:
            stop.set()

    scenario = load_what_if(two, count=100_000)
    part = what_if(scenario, jobs=1, progress=progress, stop=stop)
    assert part.partial
    assert part.count < 100_000
    whole = what_if(load_what_if(two, count=part.count))
    assert dump_results(part.results) == dump_results(whole.results)
    stop.set()
    with pytest.raises(Interrupted):
        what_if(scenario, stop=stop)


def test_another_policy_in_a_seat_is_compared_in_its_place() -> None:
    seats = '["hoarder","careful","careful","careful"]'
    scenario = load_what_if(
        "dingo-race",
        [f"table.seats={seats}"],
        [f"table.seats={seats.replace('hoarder', 'random')}", "table.seating=rotate"],
        count=2_000,
    )
    entry = what_if(scenario).results["what_ifs"][0]
    by_policy = {row["policy"]: row for row in entry["by_policy"]}
    assert set(by_policy) == {"random → hoarder", "careful"}
    assert by_policy["random → hoarder"]["verdict"] == "better"
    assert by_policy["careful"]["verdict"] == "worse"
    alone = analyzer.run("dingo-race", set=[f"table.seats={seats}", "table.seating=rotate"], count=2_000)
    frame = alone.frame("by_policy").set_index("policy")
    assert frame.loc["hoarder", "win_share"] == pytest.approx(
        by_policy["random → hoarder"]["win_share_after"]["estimate"], abs=1e-12
    )


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (["count=7"], "count cannot be what changes"),
        (["seed=7"], "seed cannot be what changes"),
        (["rules.wolf_ordr=random"], "did you mean 'wolf_order'?"),
        (["table.seating=rotate"], "the table.seating changes from fixed to rotate"),
        (['table.seats=["careful"]'], "table.seats: 1 policy"),
        (['table.field=["careful","greedy","random","cautious","hoarder"]'], "number of policies changes from 4 to 5"),
        (["rules.caught=penalty", "rules.caught=penalty"], "is given twice"),
    ],
)
def test_what_cannot_change_is_refused(changes: list[str], told: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        what_if(load_what_if("dingo-baseline", changes, count=10))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_scenario_without_a_question_is_refused() -> None:
    with pytest.raises(ScenarioError, match="asks no what-if"):
        what_if(load_what_if("dingo-baseline", count=10))


@pytest.mark.parametrize("effect", [0.0, -1.0, 1.0, float("nan")])
def test_an_effect_that_is_none_is_refused(effect: float) -> None:
    with pytest.raises(ScenarioError, match="effect"):
        analyzer.what_if("dingo-baseline", set=["rules.caught=penalty"], count=10, effect=effect)


def test_the_resolved_scenario_asks_the_same(two, outcome, tmp_path) -> None:
    path = tmp_path / "again.toml"
    path.write_text(load_what_if(two).to_toml())
    assert dump_results(what_if(load_what_if(path)).results).replace("again", "two") == dump_results(
        outcome.results
    ).replace("again", "two")


def test_what_changes_is_told() -> None:
    scenario = load_what_if("dingo-baseline", ["rules.points.low=2", "policies.careful.noise=0.1"])
    assert told(scenario, scenario.what_ifs[0]).endswith(
        ": points.low 1 → 2, points.eight 1 → 2, policies.careful.noise"
    )


def test_arms_of_one_digest_are_played_once() -> None:
    scenario = load_what_if("dingo-baseline", ["rules.caught=penalty"])
    base, other = joint([scenario, scenario.what_ifs[0].scenario])
    one, two = table_work(scenario, base), table_work(scenario.what_ifs[0].scenario, other)
    arms = Arms.of([one, two, one, two])
    assert arms.index == (0, 1, 0, 1)
    work, at = arms.work([(0, 1), (0, 2), (2, 3), (1, 0)])
    assert work.pairs == ((0, 1), (1, 0))
    assert at == [0, None, 0, 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "change"), [("dingo-baseline", "rules.wolf_order=random"), ("rounce-baseline-3", "rules.rounce_penalty=3")]
)
def test_intervals_of_a_change_cover(name: str, change: str) -> None:
    """400 small what-ifs against one of their many deals."""
    units, repeats = 400, 400
    scenario = load_what_if(name, [change])
    tables = joint([scenario, scenario.what_ifs[0].scenario])
    arms = Arms.of([table_work(scenario, tables[0]), table_work(scenario.what_ifs[0].scenario, tables[1])])
    work, _ = arms.work([(0, 1)])
    rows = [row for row in work.rows if -1 not in row]

    def paired(first: int, count: int) -> Paired:
        from analyzer.sim.engine import Counted

        counted = Counted(work, first)
        counted.add(count, work.play(first, count))
        return Paired(work, counted.tallies(), 0.95)

    truth = paired(10**7, 1_000_000)
    for quantity in (WIN, POINTS):
        due = truth.change(0, rows, quantity).estimate
        inside = np.zeros(len(rows))
        for k in range(repeats):
            found = paired(k * units, units).change(0, rows, quantity)
            inside += (found.low <= due) & (due <= found.high)
        assert (inside / repeats > 0.925).all(), inside / repeats


def traced(command: str, capfd) -> list[dict]:
    """Events of a trace command."""
    with pytest.raises(SystemExit) as ended:
        cli.main([*shlex.split(command)[1:], "--format=jsonl"], prog_name="analyzer")
    told = capfd.readouterr()
    assert not ended.value.code, told.err
    return [json.loads(line) for line in told.out.splitlines()]


@pytest.mark.parametrize(
    ("seats", "others"),
    [
        (["careful", "careful", "careful", "careful"], ["careful", "greedy", "careful", "random"]),
        (["careful", "greedy", "careful", "greedy"], ["careful", "greedy", "greedy", "careful"]),
    ],
)
def test_a_most_changed_play_of_all_arrangements_is_named_as_each_side_numbers_its_own(seats, others, capfd) -> None:
    base = [f"table.seats={json.dumps(seats)}", "table.seating=all"]
    scenario = load_what_if("dingo-baseline", [f"table.seats={json.dumps(others)}"], base, count=30)
    work, (change,) = compared(scenario)
    (entry,) = what_if(scenario).results["what_ifs"]
    assert entry["most_changed"]
    for deal in entry["most_changed"]:
        for side, arm in (("before", 0), ("after", change.changed_arm)):
            table = work.arms[arm].table
            events = traced(deal[side], capfd)
            due = next(
                events_of(scenario.rules, table, scenario.seed, deal["deal"], 1, deal["rotation"], scenario.given)
            )
            assert events[-1] == due[-1]


def test_a_trace_of_one_what_if_does_not_stumble_over_another(tmp_path, monkeypatch, capfd) -> None:
    (tmp_path / "both.toml").write_text(
        TWO.replace(
            'name = "nothing"', 'name = "nobody greedy"\ntable.seats = ["careful", "random", "careful", "careful"]'
        )
    )
    monkeypatch.chdir(tmp_path)
    entry = what_if(load_what_if("both.toml", count=50)).results["what_ifs"][-1]
    assert traced(entry["most_changed"][0]["after"], capfd)
    # The same for who asks something else of the file.
    seats = 'table.seats=["careful", "random", "careful", "careful"]'
    assert load_what_if("both.toml", ["rules.points.low=2"], [seats]).what_ifs[0].scenario.rules["points.low"] == 2
    assert load_variations("both.toml", ["rules.points.low=1,2"], [seats]).base.what_ifs == ()
    assert load_problem("both.toml", "rules.points.low", "points(seat=S) = 9", [seats]).scenario.what_ifs == ()
