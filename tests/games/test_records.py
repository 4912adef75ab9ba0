"""Records of single plays: they add up to the tallies, and asking for them changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.games.knobs import resolve_rules
from analyzer.games.policy import resolve_policies
from analyzer.games.registry import GAMES, game_named
from analyzer.scenario.seating import build_table
from analyzer.sim.engine import Job

FIRST, COUNT = 1000, 300


def job_of(name: str) -> Job:
    game = game_named(name)
    seats = game.seat_counts[-1]
    policies = resolve_policies(game, {}, ["random", game.default_policy])
    names = (["random", game.default_policy] * seats)[:seats]
    return Job(game, resolve_rules(game, {}), build_table(names, seats, "rotate", policies), 3, COUNT)


@pytest.mark.parametrize("name", GAMES)
def test_records_add_up_to_the_tallies_and_change_none(name: str) -> None:
    prepared = job_of(name).work.prepared
    tallies = [np.zeros(shape, np.int64) for shape in (prepared.grouped_shape, prepared.plain_shape)]
    again = [np.zeros_like(each) for each in tallies]
    records = np.zeros((COUNT, prepared.plays), prepared.record)
    assert prepared.play(3, FIRST, COUNT, *tallies) == -1
    assert prepared.play(3, FIRST, COUNT, *again, records) == -1
    for one, other in zip(tallies, again, strict=True):
        assert np.array_equal(one, other)
    grouped = prepared.named(*tallies)[0]
    seats = grouped["win"].shape[-1]
    assert np.array_equal(records["win"].sum((0, 1))[:seats], grouped["win"].sum((0, 1)))
    assert np.array_equal(records["points"].sum((0, 1))[:seats], grouped["points"].sum((0, 1)))
    assert np.array_equal((records["points"].astype(int) ** 2).sum(), grouped["play_points_sq"].sum())


@pytest.mark.parametrize("name", GAMES)
def test_a_record_is_that_of_its_unit_and_play(name: str) -> None:
    prepared = job_of(name).work.prepared
    tallies = [np.zeros(shape, np.int64) for shape in (prepared.grouped_shape, prepared.plain_shape)]
    whole = np.zeros((COUNT, prepared.plays), prepared.record)
    part = np.zeros((7, prepared.plays), prepared.record)
    assert prepared.play(3, FIRST, COUNT, *tallies, whole) == -1
    assert prepared.play(3, FIRST + 130, 7, *tallies, part) == -1
    assert np.array_equal(whole[130:137], part)


@pytest.mark.parametrize("name", GAMES)
def test_the_game_says_what_its_records_hold(name: str) -> None:
    fields = job_of(name).work.prepared.record.names
    assert fields is not None
    assert fields == ("win", "points", *(field for field, _ in game_named(name).records))
