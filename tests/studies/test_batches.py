"""Which units each batch of a run has."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from analyzer.scenario.load import load_scenario
from analyzer.studies.batches import job_of

MILLION = 1_000_000


@pytest.mark.parametrize("name", ["dingo-baseline", "dingo-field", "rounce-baseline-3"])
@pytest.mark.parametrize("cuts", [(0, MILLION), (0, 1, MILLION), (0, 9_000, 20_000, 60_000, 399_999, 500_000, MILLION)])
def test_the_side_batches_of_parts_add_up_to_those_of_the_whole(name: str, cuts: tuple[int, ...]) -> None:
    scenario = load_scenario(name)
    for spec in scenario.game.batches:
        whole = job_of(scenario, spec, MILLION)
        end = 0
        for first, stop in pairwise(cuts):
            part = job_of(replace(scenario, first=first), spec, stop - first)
            if part.count:
                assert (part.first, end) == (first, first)
                end = first + part.count
        assert end == whole.count
        assert 0 < whole.count <= (spec.limit or MILLION)
