"""Dingo's spec fits together: counters, axes, tables, pictures, batches."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from itertools import pairwise

import pytest
from dingo_counts import DEFAULTS, blank, rotated, setting_of

from analyzer.games.dingo.axes import KINDS, handling_labels, kind_of, score_labels
from analyzer.games.dingo.cards import CARD_INDEX, CARD_NAMES
from analyzer.games.dingo.spec import COUNTERS, SPEC, axes
from analyzer.games.dingo.state import COUNTERS as KEPT
from analyzer.games.registry import game_named
from analyzer.games.spec import KnobSpec
from analyzer.report.frames import Batch, evaluate_tables
from analyzer.report.results import rounded
from analyzer.scenario.load import load_scenario
from analyzer.sim.engine import Job, simulate
from analyzer.studies.trace import trace

ONE = setting_of()
FOUR = setting_of("a", "b", "c", "d", plays=rotated((0, 1, 2, 3)))


def test_the_registry_knows_dingo() -> None:
    assert game_named("dingo") is SPEC
    assert SPEC.seats(4) == ("S", "W", "N", "E")


def test_the_counters_are_those_of_the_kernel() -> None:
    declared = {spec.name: set(spec.axes) for spec in COUNTERS if spec.grouped}
    assert declared == {name: set(axes) for name, axes in KEPT}
    assert {spec.name for spec in COUNTERS if not spec.grouped} == {
        "running_win", "running_plays", "running_win_sq", "running_policy_win_sq"
    }  # fmt: skip


def test_wins_are_shared_in_as_many_deals_as_the_transcripts_say() -> None:
    """Rabbits of equal value: a tie that the value only narrowed is shared as well."""
    changes = ["rules.tie_break=highest_value", "rules.points.high=1", "rules.points.ace_rabbit_alive=1"]
    scenario = load_scenario("dingo-random", changes, count=1500)
    top = simulate(Job(SPEC, scenario.rules, scenario.table, scenario.seed, scenario.count)).grouped["top"].sum(0)
    told: Counter[tuple[int, str | None, bool]] = Counter()
    for *_, result in trace(scenario, 0, scenario.count):
        shared = any(0 < share < 1 for share in result["win_share"].values())
        told[max(1, len(result["tied"])), result["tie_break"], shared] += 1
    ways = [
        (None, False),
        ("highest_rabbit", False),
        ("highest_value", False),
        ("shared", True),
        ("highest_value", True),
    ]
    assert top.tolist() == [[told[tied, *way] for way in ways] for tied in range(1, 5)]
    assert top[2, 4] > 0


def test_every_axis_of_counters_and_tables_has_labels() -> None:
    known = axes(DEFAULTS, ONE.table)
    for name in [axis for spec in (*COUNTERS, *SPEC.tables) for axis in spec.axes]:
        assert name in known
    for labels in known.values():
        assert len(set(labels)) == len(labels)


def test_names_are_used_once() -> None:
    for specs in (SPEC.tables, SPEC.findings, SPEC.health, SPEC.counters, SPEC.batches):
        names = Counter(spec.name for spec in specs)
        assert max(names.values()) == 1
    pictures = Counter(picture.name for table in SPEC.tables for picture in table.pictures)
    assert max(pictures.values()) == 1


def test_pictures_show_columns_of_their_table() -> None:
    for table in SPEC.tables:
        columns = {column.name for column in table.columns}
        for picture in table.pictures:
            assert set(picture.columns) <= columns, picture.name


def test_tables_and_checks_name_batches_that_exist() -> None:
    batches = {batch.name for batch in SPEC.batches}
    assert {spec.batch for spec in (*SPEC.tables, *SPEC.health)} <= batches


def test_the_pairs_are_named_in_the_order_of_the_policies() -> None:
    assert FOUR.axes["pair"] == ("a − b", "a − c", "a − d", "b − c", "b − d", "c − d")


def test_scores_by_default_are_whole_numbers_one_apart() -> None:
    labels = [int(label) for label in score_labels(DEFAULTS)]
    assert labels == list(range(labels[0], labels[-1] + 1))
    # A hand of six: both ace wolves out, AD, AH and four high cards that catch or are saved twice.
    assert labels[0] <= -14
    assert labels[-1] >= 30


def test_a_wide_range_of_scores_is_binned() -> None:
    wide = {**DEFAULTS, "points.high": 1000, "points.ace_rabbit_alive": -1000}
    labels = [float(label) for label in score_labels(wide)]
    steps = {round(b - a, 6) for a, b in pairwise(labels)}
    assert len(labels) <= 512
    assert len(steps) == 1
    assert steps.pop() > 1


@pytest.mark.parametrize(
    ("exchange", "labels"),
    [((), ("kept",)), (("discard", "left", "discard"), ("1 discard", "2 left", "3 discard", "kept"))],
)
def test_handling_has_a_label_a_step(exchange: tuple[str, ...], labels: tuple[str, ...]) -> None:
    assert handling_labels({**DEFAULTS, "exchange": exchange}) == labels


def test_every_card_is_of_one_kind() -> None:
    assert Counter(kind_of(card) for card in range(40)) == {
        "low dingo": 8, "high dingo": 4, "ace dingo": 1, "low wolf": 16, "high wolf": 8, "ace wolf": 2, "ace rabbit": 1,
    }  # fmt: skip
    assert set(KINDS) == {kind_of(card) for card in range(40)}
    assert [kind_of(CARD_INDEX[card]) for card in ("9H", "TC", "AS")] == ["low dingo", "high wolf", "ace wolf"]


@pytest.mark.parametrize("units", [1, 2, 3, 5000])
@pytest.mark.parametrize("setting", [ONE, FOUR], ids=["one policy", "four policies"])
def test_every_table_stands_when_nothing_was_counted(setting: object, units: int) -> None:
    batch = Batch(blank(setting, units), setting)  # type: ignore[arg-type]
    tables, absent = evaluate_tables(
        SPEC.tables, dict.fromkeys((spec.name for spec in SPEC.batches if not spec.twice), batch)
    )
    assert {*tables, *absent} == {table.name for table in SPEC.tables}
    for result in tables.values():
        for record in rounded(result.records()):
            for column in result.spec.columns:
                low, high = record[column.name]["low"], record[column.name]["high"]
                assert low is None or high is None or low <= high


def test_tables_that_compare_policies_need_two() -> None:
    reasons = {table.name: table.absent(ONE) for table in SPEC.tables if table.absent}
    assert {name for name, reason in reasons.items() if reason} == {
        "pairs", "score_distribution_by_policy", "disqualifications", "running_by_policy",
    }  # fmt: skip
    reasons = {table.name: table.absent(FOUR) for table in SPEC.tables if table.absent}
    assert {name for name, reason in reasons.items() if reason} == {"disqualifications", "running"}


def test_card_labels_are_those_of_the_pack() -> None:
    assert ONE.axes["card"] == CARD_NAMES


RULES_PAGE = resources.files("analyzer.games.dingo").joinpath("rules.md").read_text("utf-8")


@pytest.mark.parametrize("knob", SPEC.knobs, ids=lambda knob: knob.key)
def test_the_rules_page_names_every_knob_its_default_and_its_section(knob: KnobSpec) -> None:
    assert f"## {knob.reference}\n" in RULES_PAGE
    row = next(line for line in RULES_PAGE.splitlines()[::-1] if line.startswith(f"| `{knob.key}` |"))
    default = {"steps": "see above", "bool": f"`{str(knob.default).lower()}`"}.get(knob.kind, f"`{knob.default}`")
    assert row.split(" | ")[1] == ("as `points.low`" if knob.derive else default)
    assert all(f"`{choice}`" in row for choice in knob.choices)
    assert row.split(" | ")[-1].strip(" |") == ("yes" if knob.disputed else "")
    assert set(knob.touches) == {row.split(" | ")[3]}


def test_the_rules_page_names_no_other_knob() -> None:
    table = RULES_PAGE.split("## All knobs")[1].split("## ")[0]
    named = {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}
    assert named == {knob.key for knob in SPEC.knobs}
