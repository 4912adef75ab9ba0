"""The shape of a scenario file. What is particular to a game (rules, policies) is checked by `games`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from analyzer.errors import ScenarioError, key_of, nearest, shown
from analyzer.games.registry import GAMES

Seating = Literal["fixed", "rotate", "all"]
SEATINGS: tuple[Seating, ...] = ("fixed", "rotate", "all")
MAX_COUNT = 10**12
MAX_PRECISE_COUNT = 10**8
"""Units after which a run by precision ends, unless told otherwise."""
MIN_PRECISION, MAX_PRECISION = 1e-6, 0.25
MAX_SEED = 2**64 - 1
MAX_TITLE = 300
MAX_NAME = 100
MAX_WHAT_IFS = 64


class TableModel(BaseModel):
    """The table of the scenario: who sits where."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, title="table")

    seats: Annotated[list[str] | None, Field(description="A policy for every seat, in order of play.")] = None
    field: Annotated[
        list[str] | None,
        Field(description="Policies, at least as many as seats; every combination of them plays in turn."),
    ] = None
    seating: Annotated[
        Seating,
        Field(
            description="fixed: as listed. rotate: every cyclic shift, over the same deals. "
            "all: every distinct arrangement."
        ),
    ] = "fixed"


class WhatIfModel(BaseModel):
    """A change of the scenario to be compared with it, on the same deals."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, title="what_if")

    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME, description="What the change is called.")]
    rules: Annotated[dict[str, Any], Field(description="Rule knobs that change.")] = {}
    policies: Annotated[dict[str, dict[str, Any]], Field(description="What changes in policies, by name.")] = {}
    table: Annotated[dict[str, Any], Field(description="What changes in who sits where.")] = {}


class ScenarioModel(BaseModel):
    """A scenario file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, title="scenario")

    game: Annotated[str, Field(description="The game's name.")]
    title: Annotated[
        str | None,
        Field(max_length=MAX_TITLE, description="Title of the report; the file's name unless given."),
    ] = None
    count: Annotated[
        int, Field(ge=1, le=MAX_COUNT, description="How many deals or matches, each with all its seatings.")
    ] = 1_000_000
    precision: Annotated[
        float | None,
        Field(
            ge=MIN_PRECISION,
            le=MAX_PRECISION,
            description="In place of count: play until the interval of every win share reaches at most so far to "
            "either side.",
        ),
    ] = None
    max_count: Annotated[
        int, Field(ge=1, le=MAX_COUNT, description="How many deals or matches at most, with precision.")
    ] = MAX_PRECISE_COUNT
    first: Annotated[
        int, Field(ge=0, le=MAX_COUNT, description="Number of the first deal or match: a part of a longer run.")
    ] = 0
    seed: Annotated[int, Field(ge=0, le=MAX_SEED, description="What is dealt: the same seed, the same deals.")] = 1
    confidence: Annotated[float, Field(gt=0.5, lt=0.9999, description="Confidence of every interval.")] = 0.95
    rules: Annotated[dict[str, Any], Field(description="Rule knobs; whatever is not named keeps its default.")] = {}
    given: Annotated[
        dict[str, Any],
        Field(description="What a seat is dealt every time, by the seat's label; the rest is chance."),
    ] = {}
    policies: Annotated[dict[str, dict[str, Any]], Field(description="Policies of this scenario, by name.")] = {}
    table: Annotated[TableModel, Field(description="Who sits where.")] = TableModel()
    what_if: Annotated[
        list[WhatIfModel],
        Field(max_length=MAX_WHAT_IFS, description="Changes that `what-if` compares with the scenario."),
    ] = []


_ALLOWED = {
    "game": f"the name of a game in quotes ({', '.join(GAMES)})",
    "title": f"a text of at most {MAX_TITLE} characters",
    "count": f"a whole number from 1 to {MAX_COUNT:_}, written like 1_000_000",
    "precision": f"a number from {MIN_PRECISION:f} to {MAX_PRECISION:g}, 0.001 for a tenth of a percentage point",
    "max_count": f"a whole number from 1 to {MAX_COUNT:_}",
    "first": f"a whole number from 0 to {MAX_COUNT:_}",
    "seed": f"a whole number from 0 to {MAX_SEED}",
    "confidence": "a number between 0.5 and 0.9999, 0.95 for instance",
    "rules": "a table of rule knobs",
    "given": "a table of seats, each with a text of what it is dealt",
    "policies": "a table of policies",
    "table": "a table with seats or field, and seating",
    "table.seats": "a list of names of policies",
    "table.field": "a list of names of policies",
    "table.seating": f"one of {', '.join(map(repr, SEATINGS))}",
    "what_if": f"at most {MAX_WHAT_IFS} tables [[what_if]], each with a name and what it changes",
    "what_if.name": f"a text of 1 to {MAX_NAME} characters",
    "what_if.rules": "a table of rule knobs",
    "what_if.policies": "a table of policies",
    "what_if.table": "a table with seats or field, and seating",
}


def checked(document: Mapping[str, Any]) -> ScenarioModel:
    """The document as a scenario. Raises ScenarioError with key, what was found, what is allowed and the
    nearest known name."""
    try:
        return ScenarioModel.model_validate(document)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        # A misspelt key explains a missing one, so it is told first.
        unknown = [problem for problem in problems if problem["type"] == "extra_forbidden"]
        raise ScenarioError(_sentence((unknown or problems)[0])) from None


def how_long(model: ScenarioModel) -> tuple[int, float | None]:
    """Units, at most, and the precision at which to end, if any. Raises ScenarioError for a mixture of both."""
    given = model.model_fields_set
    if model.precision is None:
        if "max_count" in given:
            raise ScenarioError("max_count: goes with precision alone; without it write count")
        return model.count, None
    if "count" in given:
        raise ScenarioError(
            "count: does not go with precision, which says by itself when to end; the most that may be played is "
            "max_count"
        )
    return model.max_count, float(model.precision)


def _sentence(problem: Any) -> str:
    path = tuple(problem["loc"])
    key = key_of(path)
    if problem["type"] == "extra_forbidden":
        models: dict[Any, type[BaseModel]] = {"table": TableModel, "what_if": WhatIfModel}
        model = ScenarioModel if len(path) == 1 else models[path[0]]
        known = tuple(model.model_fields)
        return f"{key}: no such key{nearest(str(path[-1]), known)}; keys: {', '.join(known)}"
    named = tuple(part for part in path if isinstance(part, str))
    if len(named) < len(path) and named[0] == "table":
        allowed = "the name of a policy in quotes"
    elif named[-2:-1] == ("policies",):
        allowed = "a table of a policy"
    else:
        allowed = _ALLOWED[".".join(named)]
    if problem["type"] == "missing":
        return f"{key}: is missing; allowed: {allowed}"
    found = problem["input"]
    hint = nearest(found, SEATINGS) if key == "table.seating" and isinstance(found, str) else ""
    return f"{key}: {shown(found)} is not allowed{hint}; allowed: {allowed}"
