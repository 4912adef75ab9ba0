"""A transcript as the source of every choice and chance of a deal, for replaying it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.games.dingo.reference_view import Decision, IllegalPlayError

Event = dict[str, Any]


def flat(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Nested rules of a deal event by dotted key."""
    knobs: dict[str, Any] = {}
    for key, value in rules.items():
        if isinstance(value, Mapping):
            knobs.update({f"{key}.{inner}": inside for inner, inside in flat(value).items()})
        else:
            knobs[key] = tuple(value) if isinstance(value, list) else value
    return knobs


class Transcript:
    """Answers decisions and chances of a deal in the order in which its events tell them; a `Chance`.

    Raises LookupError, TypeError, AttributeError or ValueError when built from what is no transcript.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self._choices: list[tuple[tuple[str, Any, str], Any]] = []
        self._hunts: dict[str, Event] = {}
        self._rabbit = ""
        for event in events:
            kind = event["event"]
            if kind == "discard":
                self._choices.append(((kind, event["step"], event["seat"]), event["card"]))
            elif kind == "pass":
                self._choices.append(((kind, event["step"], event["from"]), event["card"]))
            elif kind in ("hunt", "ace_hunt"):
                rank = "A" if kind == "ace_hunt" else event["rank"]
                self._hunts[rank] = event
                for turn in event["turns"]:
                    self._choices.append(((kind, rank, turn["seat"]), tuple(turn["cards"])))
                if kind == "ace_hunt":
                    self._rabbit = event["rabbit"]
            elif kind != "result":
                raise ValueError(f"unknown event {kind!r}")
        self._choices.reverse()

    def answer(self, decision: Decision) -> Any:
        """The choice told next, if it is one of this decision."""
        asked = (decision.kind, decision.rank or decision.step, decision.seat)
        told, choice = self._choices.pop() if self._choices else (("nothing", "", ""), None)
        if told != asked:
            raise IllegalPlayError(f"Transcript: {_words(told)} where the rules ask for {_words(asked)}")
        return choice

    def check_end(self) -> None:
        """Raises when choices are left over."""
        if self._choices:
            raise IllegalPlayError(f"Transcript: {_words(self._choices[-1][0])} after the last decision")

    def hunt_order(self) -> Sequence[str]:
        """Ranks in the order of the hunt events."""
        return [rank for rank in self._hunts if rank != "A"]

    def wolf_order(self, rank: str, seats: tuple[str, ...]) -> Sequence[str]:
        """Order of the first turns; seats whose turn never came, the second wolf being out, follow anyhow."""
        turns = self._hunts[rank]["turns"] if rank in self._hunts else []
        seen = [turn["seat"] for turn in turns if turn["seat"] in seats]
        return list(dict.fromkeys((*seen, *seats)))

    def lapse(self, seat: str, card: str) -> bool:
        """Whether the transcript says so."""
        if card == "AD":
            return self._rabbit == "hidden"
        return card[0] in self._hunts and self._hunts[card[0]]["lapse"] == seat


def _words(what: tuple[str, Any, str]) -> str:
    kind, where, seat = what
    return f"{kind} {where} of {seat}".rstrip() if seat else kind
