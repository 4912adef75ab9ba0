"""What has been played of a run, in memory and on disk: tallies, with what they are tallies of.

A file of them, a report's `tallies.json` or a checkpoint, is JSON that opens with the SHA-256 of the rest, so that one
which was cut short or changed is found out. Integers only; nothing in it is ever executed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from analyzer.errors import TalliesError
from analyzer.games.spec import GROUPS, CounterSpec, Policy
from analyzer.kernels.sources import simulator_digest
from analyzer.scenario.load import Scenario
from analyzer.sim.result import Tallies
from analyzer.studies.batches import counters_of, job_of, setting_of

FORMAT = 1
MOST = 2**127
"""No counter of any run gets so large: 10^18 units of the most extreme rules stay below."""
Kind = Literal["checkpoint", "tallies", "study"]
SEAL_OPENS = b'{"sha256":"'
_SEAL = re.compile(re.escape(SEAL_OPENS) + rb'([0-9a-f]{64})",')


@dataclass(frozen=True)
class Part:
    """A stretch of a run's main batch that was played in one go."""

    first: int
    count: int
    seconds: Mapping[str, float]
    """By what was done: import, compile, simulate, main (the main batch alone)."""


@dataclass(frozen=True)
class Played:
    """Tallies of each batch by its name, the main one's first, and when they were played."""

    tallies: dict[str, Tallies]
    parts: tuple[Part, ...] = field(default=())

    @property
    def main(self) -> Tallies:
        """The main batch."""
        return next(iter(self.tallies.values()))


def identity(scenario: Scenario) -> dict[str, Any]:
    """Everything that a unit's play depends on besides its number, as JSON; which units, and confidence, are not
    among it."""
    table = scenario.table
    content = {
        "game": scenario.game.name,
        "stream": scenario.game.stream,
        "simulator": simulator_digest(),
        "seed": scenario.seed,
        "rules": dict(scenario.rules),
        "policies": {policy.name: _digest(_numbers(policy)) for policy in table.policies},
        "seating": _digest([table.seating, table.arrangements]),
        "given": scenario.given_texts(),
    }
    plain: dict[str, Any] = json.loads(json.dumps(content))
    return plain


def difference(here: Mapping[str, Any], there: Mapping[str, Any]) -> str:
    """In what two identities differ, `there` being the one spoken of; "" if they do not."""
    if here["game"] != there["game"]:
        return f"its game is {there['game']}, not {here['game']}"
    if here["stream"] != there["stream"]:
        return f"its deals were drawn by stream {there['stream']}, not stream {here['stream']}"
    if here["simulator"] != there["simulator"]:
        return f"another version of the simulator played it ({there['simulator'][:8]}, not {here['simulator'][:8]})"
    if here["seed"] != there["seed"]:
        return f"its seed is {there['seed']}, not {here['seed']}"
    for key, value in here["rules"].items():
        if there["rules"].get(key) != value:
            return f"its rules.{key} is {json.dumps(there['rules'].get(key))}, not {json.dumps(value)}"
    if here["given"] != there["given"]:
        return f"its seats are given {_held(there['given'])}, not {_held(here['given'])}"
    if list(here["policies"]) != list(there["policies"]):
        return f"its policies are {', '.join(there['policies'])}, not {', '.join(here['policies'])}"
    for name, digest in here["policies"].items():
        if there["policies"][name] != digest:
            return f"its policy {name!r} plays otherwise"
    return "" if here["seating"] == there["seating"] else "its policies sit otherwise"


def sealed(kind: Kind, content: Mapping[str, Any]) -> str:
    """The text of a file of tallies."""
    body = json.dumps({"kind": kind, "format": FORMAT, **content}, separators=(",", ":"), allow_nan=False)
    return f'{{"sha256":"{hashlib.sha256(body.encode()).hexdigest()}",{body[1:]}\n'


def unsealed(path: Path, kind: Kind) -> dict[str, Any]:
    """The content of a file that `sealed` wrote. Raises TalliesError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TalliesError(f"{path}: cannot be read: {error.strerror}") from None
    seal = _SEAL.match(data)
    if seal is None:
        raise TalliesError(f"{path}: is no file of tallies of this program")
    body = b"{" + data[seal.end() :].removesuffix(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != seal[1]:
        raise TalliesError(f"{path}: is damaged: its content is not what its checksum says")
    try:
        content: dict[str, Any] = json.loads(body)
    except (ValueError, RecursionError):
        raise TalliesError(f"{path}: is damaged: it is not JSON") from None
    if content.get("kind") != kind or content.get("format") != FORMAT:
        found = f"{content.get('kind')!r} in format {content.get('format')!r}"
        raise TalliesError(f"{path}: holds {found}; this program reads {kind!r} in format {FORMAT}")
    return content


def tallies_json(scenario: Scenario, tallies: Mapping[str, Tallies]) -> dict[str, Any]:
    """What both kinds of file hold: whose tallies they are, and the tallies of each batch."""
    return {
        "identity": identity(scenario),
        "first": scenario.first,
        **({} if scenario.precision is None else {"looked": [scenario.precision, scenario.confidence]}),
        "batches": {name: batch.to_json() for name, batch in tallies.items()},
    }


def tallies_from(content: Mapping[str, Any], scenario: Scenario, path: Path) -> dict[str, Tallies]:
    """Back from `tallies_json`, checked against the scenario: whose they are, shapes, and which units each batch has.

    A batch may be missing, or stop short of where the main one's units end. Raises TalliesError.
    """
    try:
        other = difference(identity(scenario), content["identity"])
        if not other and content["first"] != scenario.first:
            other = f"it begins with {scenario.game.unit} {content['first']}, not {scenario.first}"
        if other:
            raise TalliesError(f"{path}: is of another run: {other}")
        _check_looked(scenario, content.get("looked"), path)
        found = {name: Tallies.from_json(batch) for name, batch in content["batches"].items()}
        specs = {spec.name: spec for spec in scenario.game.batches if spec.name in found}
        if set(specs) != set(found) or scenario.game.batches[0].name not in found:
            raise TalliesError(f"{path}: is damaged: its batches are {', '.join(found) or 'none'}")
        tallies = {name: found[name] for name in specs}
        main = next(iter(tallies.values())).units
        for name, spec in specs.items():
            axes = {axis: len(labels) for axis, labels in setting_of(scenario, spec).axes.items()}
            if not _fits(tallies[name], counters_of(scenario, spec), axes):
                raise TalliesError(f"{path}: is damaged: the tallies of batch {name!r} have another shape")
            held, most = tallies[name].units, job_of(scenario, spec, main).count
            if type(held) is not int or not 0 <= held <= most or tallies[name].first != scenario.first:
                raise TalliesError(f"{path}: is damaged: batch {name!r} holds units that the run does not have")
            units = tallies[name].grouped.get("units")
            if units is not None and (units.reshape(GROUPS, -1).sum(axis=1) != tallies[name].group_units).any():
                raise TalliesError(f"{path}: is damaged: batch {name!r} has groups of another size than its units make")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TalliesError(f"{path}: is damaged: {type(error).__name__} ({error})") from None
    return tallies


@contextmanager
def fitting(source: str) -> Iterator[None]:
    """Tallies read from a file and evaluated meanwhile fit together, or TalliesError says that they do not: a file
    with a right checksum may still have been made by hand.
    """
    try:
        yield
    except (ValueError, ArithmeticError) as error:
        raise TalliesError(f"{source}: is damaged: the tallies do not fit together ({error})") from None


def run_json(folder: Path) -> dict[str, Any]:
    """A report's `run.json`; empty when it cannot be read: nothing hangs on it but names and times."""
    try:
        content = json.loads((folder / "run.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def parts_from(found: Any) -> tuple[Part, ...]:
    """The parts of a checkpoint or of `run.json`; none when it is something else."""
    try:
        return tuple(
            Part(int(part["first"]), int(part["count"]), {str(k): float(v) for k, v in part["seconds"].items()})
            for part in found
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return ()


def _check_looked(scenario: Scenario, looked: Any, path: Path) -> None:
    """Raise TalliesError if what was played may go beyond where the scenario's run by precision ends: it does not if
    one waited for as narrow intervals of no higher confidence, or for wider ones.
    """
    if scenario.precision is None:
        return
    half_width, confidence = (0.0, 1.0) if looked is None else map(float, looked)
    if half_width < scenario.precision or confidence > scenario.confidence:
        raise TalliesError(
            f"{path}: nobody looked there whether a precision of {scenario.precision:g} was reached, so it may hold "
            "more than a run that ends by it; leave --resume out"
        )


def _fits(tallies: Tallies, counters: Sequence[CounterSpec], sizes: Mapping[str, int]) -> bool:
    """Whether there are whole numbers for every counter, in its shape, and none that no run could reach."""
    wanted: dict[bool, dict[str, tuple[int, ...]]] = {True: {}, False: {}}
    for counter in counters:
        shape = tuple(sizes[axis] for axis in counter.axes)
        wanted[counter.grouped][counter.name] = (GROUPS, *shape) if counter.grouped else shape
    return all(
        {name: array.shape for name, array in found.items()} == wanted[grouped]
        and all(type(value) is int and abs(value) < MOST for array in found.values() for value in array.flat)
        for found, grouped in ((tallies.grouped, True), (tallies.plain, False))
    )


def _held(given: Mapping[str, str]) -> str:
    return "; ".join(f"{seat}: {held}" for seat, held in given.items()) or "nothing"


def _numbers(policy: Policy) -> list[Any]:
    """What a policy plays by: no name, idea or origin."""
    weights = {decision: dict(features) for decision, features in policy.weights.items()}
    return [weights, dict(policy.noise), policy.lapse, policy.memory]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
