"""The results of a run as one dictionary, and as the text of `results.json`.

A pure function of what was counted and of the scenario: no time, host or path, every float rounded to 12
significant digits, keys in a fixed order, so that the same run gives the same bytes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from analyzer.games.knobs import nested
from analyzer.games.spec import GameSpec, Setting
from analyzer.report.findings import findings_of
from analyzer.report.frames import Batch, TableResult
from analyzer.report.health import check_health


def opening(
    game: GameSpec, setting: Setting, *, study: str, title: str, question: str, seed: int, first: int, count: int
) -> dict[str, Any]:
    """What the results of every study begin with."""
    table = setting.table
    given = {"given": game.deal.texts(setting.given, setting.seats)} if setting.given else {}
    return {
        "game": game.name,
        "study": study,
        "title": title,
        "question": question,
        "unit": game.unit,
        "first": first,
        "count": count,
        "seed": seed,
        "stream": game.stream,
        "confidence": setting.confidence,
        "rules": nested(setting.rules),
        "seats": list(setting.seats),
        "seating": table.seating,
        "plays": table.plays,
        "policies": [{"name": policy.name, "idea": policy.idea, "origin": policy.origin} for policy in table.policies],
        **given,
    }


def assemble(
    game: GameSpec,
    batches: Mapping[str, Batch],
    tables: Mapping[str, TableResult],
    absent: Mapping[str, str],
    *,
    study: str,
    title: str,
    question: str,
    seed: int,
    more: Mapping[str, Any],
) -> dict[str, Any]:
    """The results dictionary; its main facts come from the batch "main", `more` are further ones.

    `tables` and `absent` are those of `frames.evaluate_tables`. Raises ValueError when a table's name is that
    of another key.
    """
    main = batches["main"]
    results = opening(
        game,
        main.setting,
        study=study,
        title=title,
        question=question,
        seed=seed,
        first=int(main.tallies.first),
        count=int(main.tallies.units),
    )
    results |= more
    taken = {*results, "given", "precision", "absent", "findings", "health"}
    for name, result in tables.items():
        if name in taken:
            raise ValueError(f"a table cannot be named {name!r}: that key of the results is taken")
        results[name] = result.records()
    results["absent"] = dict(absent)
    results["health"] = check_health(game.health, batches)
    results = dict(rounded(results))
    results["findings"] = findings_of(game.findings, results, main.setting)
    return results


def rounded(value: Any) -> Any:
    """Plain JSON values of `value`: floats to 12 significant digits, None for NaN and infinities, tuples as
    lists."""
    if isinstance(value, Mapping):
        return {str(key): rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    if isinstance(value, np.ndarray):
        return rounded(value.tolist())
    if isinstance(value, np.generic):
        return rounded(value.item())
    if isinstance(value, float):
        # Adding 0 turns the negative zero into the plain one.
        return float(f"{value:.12g}") + 0.0 if math.isfinite(value) else None
    return value


def dump_results(results: Mapping[str, Any]) -> str:
    """The text of `results.json`: a key, or a row of a table, a line. Raises ValueError for NaN or
    infinity."""
    parts = []
    for key, value in results.items():
        if isinstance(value, list) and value:
            rows = ",\n".join(f"  {_compact(row)}" for row in value)
            parts.append(f" {_compact(key)}: [\n{rows}\n ]")
        else:
            parts.append(f" {_compact(key)}: {_compact(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
