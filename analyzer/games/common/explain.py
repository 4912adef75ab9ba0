"""Why a policy chose what it did, for all games: every legal choice with its features times weights, and what decided.

A game's module `explain` puts each decision of a play as a `Question`; here it becomes an event of the transcript,
named `explain`, that stands before the event which tells the choice, and the words for it. Sums are whole numbers of
1/1024, as in the tables that the kernel reads, so they break ties as it does.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.errors import KernelFault
from analyzer.games.policy import WEIGHT_UNIT
from analyzer.games.spec import Policy

Event = dict[str, Any]
EVENT = "explain"
LAPSE = "lapse"
WIDTH = 100
"""Letters in a line of words."""
KEPT = "\N{NO-BREAK SPACE}"
MOST_LABEL = 32
"""Letters of choices that stand before their sum; more of them get a line of their own."""


@dataclass(frozen=True)
class Option:
    """One legal choice."""

    choice: Any
    """As transcripts tell it."""
    label: str
    features: Mapping[str, int]
    kind: str
    """The kind of decision whose weights count."""


@dataclass(frozen=True)
class Question:
    """A decision between several legal choices."""

    place: Mapping[str, Any]
    """Fields by which the event that tells the choice is known, `event` among them."""
    seat: Any
    decision: str
    """Its name among the game's decisions, whose noise counts; several that are one choice bear their group's name."""
    chance: float
    """Of noise."""
    options: tuple[Option, ...]
    """In the order in which the first of equals is taken."""
    tie: str
    """Which of equals is chosen, in words."""
    least: bool = False
    """Whether the lowest sum is taken, not the highest."""
    taken: int = 1
    """How many of the options are taken."""


def explained(question: Question, policy: Policy, chosen: Sequence[Any], noisy: bool) -> Event:
    """The event that explains a choice; `chosen` holds as many of the options' choices as are taken.

    `noisy`: whether noise decided. Raises KernelFault when the kernel chose neither by noise nor by the weights.
    """
    sums = [_sum(option, policy) for option in question.options]
    order = sorted(range(len(sums)), key=lambda i: (sums[i] if question.least else -sums[i], i))
    best = [question.options[i].choice for i in order[: question.taken]]
    last, next_one = order[question.taken - 1], order[question.taken]
    if not noisy and not all(choice in best for choice in chosen):
        raise KernelFault(
            f"{question.decision} of {question.seat} ({policy.name}) at {dict(question.place)}: {list(chosen)} was "
            f"chosen without noise, where the weights say {best}; `analyzer verify` tells more"
        )
    options = []
    for i in order:
        option = question.options[i]
        parts = list(_parts(option, policy))
        options.append({"choice": option.choice, "label": option.label, "sum": sums[i] / WEIGHT_UNIT, "parts": parts})
    return {
        "event": EVENT,
        **{key: value for key, value in question.place.items() if key not in ("event", "seat", "from")},
        "seat": question.seat,
        "policy": policy.name,
        "decision": question.decision,
        "takes": "lowest" if question.least else "highest",
        "options": options,
        "chosen": list(chosen),
        "best": best,
        "decided": "noise" if noisy else "tie" if sums[last] == sums[next_one] else "weights",
        "noise": question.chance,
        "tie": question.tie,
    }


def lapse(place: Mapping[str, Any], seat: Any, policy: Policy, label: str) -> Event:
    """The event that tells of something overlooked."""
    kept = {key: value for key, value in place.items() if key != "event"}
    return {
        "event": EVENT, **kept, "seat": seat, "policy": policy.name, "decision": LAPSE, "overlooked": label,
        "chance": policy.lapse,
    }  # fmt: skip


def woven(told: Sequence[Event], reasons: Sequence[tuple[Mapping[str, Any], Event]], about: Event) -> list[Event]:
    """A play's events, each with the reasons for its choices before it; `about` begins each of these.

    `reasons` are in order, each with the fields by which its event is known. Raises ValueError when one has no event.
    """
    found: list[Event] = []
    rest = list(reversed(reasons))
    for event in told:
        while rest and all(event.get(key) == value for key, value in rest[-1][0].items()):
            found.append({**about, **rest.pop()[1]})
        found.append(event)
    if rest:
        raise ValueError(f"no event tells the choice at {dict(rest[-1][0])}")
    return found


def say(event: Event) -> list[str]:
    """An explanation as lines for a reader."""
    who = f"  {_seat(event['seat'])} ({event['policy']})"
    if event["decision"] == LAPSE:
        return [f"{who} overlooks {event['overlooked']}: a lapse, of chance {_number(event['chance'])}"]
    if not any(option["parts"] for option in event["options"]):
        labels = ", ".join(_kept(option["label"]) for option in event["options"])
        equal = f"{who} has no weight that counts for {event['decision']}, so that all are worth the same: {labels}"
        return [*_wrapped(equal, 4), *_wrapped(f"    {_verdict(event)}", 6)]
    goes = "goes" if event["takes"] == "lowest" else "is chosen"
    lines = [f"{who} weighs {event['decision']}; the {event['takes']} {goes}:"]
    rows = list(_rows(event))
    wide = min(MOST_LABEL, max(len(label) for _, label, _, _ in rows))
    sums = max(len(total) for _, _, total, _ in rows)
    for mark, label, total, parts in rows:
        head = f"  {mark} {label.ljust(wide)}  {total.rjust(sums)}"
        if len(label) > wide:
            lines += _wrapped(f"  {mark} {label}", 6)
            head = f"    {' ' * wide}  {total.rjust(sums)}"
        lines += _wrapped(f"{head}  = {parts}" if parts else head, wide + sums + 10)
    return [*lines, *_wrapped(f"    {_verdict(event)}", 6)]


def _rows(event: Event) -> Iterator[tuple[str, str, str, str]]:
    """(mark, choices, sum, parts): each choice made, and the others that are alike in one row; spaces that may not be
    broken are `KEPT`."""
    rows: dict[tuple[str, str, str, bool], list[str]] = {}
    for option in event["options"]:
        taken = option["choice"] in event["chosen"]
        parts = ", ".join(
            _kept(f"{part['feature']} {part['value']} × {_number(part['weight'])}") for part in option["parts"]
        )
        key = (option["label"] if taken else "", _number(option["sum"]), parts, taken)
        rows.setdefault(key, []).append(_kept(option["label"]))
    for (_, total, parts, taken), labels in rows.items():
        yield ">" if taken else " ", ", ".join(labels), total, parts


def _verdict(event: Event) -> str:
    taken = ", ".join(option["label"] for option in event["options"] if option["choice"] in event["chosen"])
    if event["decided"] == "noise":
        return f"Decided by noise, of chance {_number(event['noise'])}: a random legal choice, {taken}."
    return f"A tie: {event['tie']}, hence {taken}." if event["decided"] == "tie" else "Decided by the weights."


def _sum(option: Option, policy: Policy) -> int:
    weights = policy.weights[option.kind]
    return sum(round(weight * WEIGHT_UNIT) * option.features.get(name, 0) for name, weight in weights.items())


def _parts(option: Option, policy: Policy) -> Iterator[dict[str, Any]]:
    """What adds to a sum, the largest part first."""
    weights = policy.weights[option.kind]
    counting = [name for name in weights if option.features.get(name, 0)]
    for name in sorted(counting, key=lambda name: -abs(weights[name] * option.features[name])):
        yield {"feature": name, "value": option.features[name], "weight": weights[name]}


def _seat(seat: Any) -> str:
    return f"seat {seat}" if isinstance(seat, int) else str(seat)


def _number(value: float) -> str:
    """To three decimals, without trailing zeros."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _kept(text: str) -> str:
    return text.replace(" ", KEPT)


def _wrapped(text: str, hanging: int) -> list[str]:
    start = len(text) - len(text.lstrip())
    lines = textwrap.wrap(
        text.strip(), WIDTH, initial_indent=" " * start, subsequent_indent=" " * hanging, break_on_hyphens=False,
        break_long_words=False,
    )  # fmt: skip
    return [line.replace(KEPT, " ") for line in lines]
