"""A transcript as the source of every choice and chance of a match, for replaying it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.games.rounce.reference_view import Deal, Decision, IllegalPlayError

Event = dict[str, Any]


class Transcript:
    """Answers decisions of a match in the order in which its events tell them, and gives its deals.

    Raises LookupError, TypeError, AttributeError or ValueError when built from what is no transcript.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        first = events[0]
        self.rules: dict[str, Any] = dict(first["rules"])
        self.first_dealer: int = first["dealer"]
        self.about = {key: first[key] for key in ("match", "policies", "seed", "rotation")}
        self._deals: list[Deal] = []
        self._choices: list[tuple[tuple[str, int, int, int], Any]] = []
        drawn: list[str] = []
        for event in events:
            kind = event["event"]
            if kind == "deal":
                # What is drawn comes from the boneyard in this order; tiles that nobody draws stay unknown.
                drawn = []
                self._deals.append(Deal([list(hand) for hand in event["hands"]], event["turn_up"], drawn))
            elif kind == "call":
                self._read_call(event)
                if event["call"] == "dummy":
                    drawn += event["drew"]
            elif kind == "trick":
                self._read_trick(event)
            elif kind not in ("score", "result"):
                raise ValueError(f"unknown event {kind!r}")
        self._choices.reverse()

    def _read_call(self, event: Mapping[str, Any]) -> None:
        where = (event["round"], 0, event["seat"])
        self._choices.append((("call", *where), event["call"]))
        if event["call"] in ("dummy", "take", "defend_take"):
            self._choices.append((("discard", *where), tuple(event["discarded"])))

    def _read_trick(self, event: Mapping[str, Any]) -> None:
        kind = "lead"
        for play in event["plays"]:
            choice = (play["tile"], event["suit"]) if kind == "lead" else play["tile"]
            self._choices.append(((kind, event["round"], event["trick"], play["seat"]), choice))
            kind = "follow"

    def deal(self, number: int) -> Deal:
        """The deal of a round; raises when the transcript ends before the match is over."""
        if number >= len(self._deals):
            raise IllegalPlayError(f"Transcript: no deal of round {number}, though the match is not over")
        return self._deals[number]

    def answer(self, decision: Decision) -> Any:
        """The choice told next, if it is one of this decision."""
        view = decision.view
        trick = len(view.tricks) - (decision.kind == "follow")
        asked = (decision.kind, view.round, trick, view.seat)
        told, choice = self._choices.pop() if self._choices else (None, None)
        if told != asked:
            raise IllegalPlayError(f"Transcript: {_words(told)} where the rules ask for {_words(asked)}")
        return choice

    def check_end(self, rounds: int) -> None:
        """Raises when choices or deals are left over."""
        if self._choices:
            raise IllegalPlayError(f"Transcript: {_words(self._choices[-1][0])} after the last decision")
        if len(self._deals) > rounds:
            raise IllegalPlayError(f"Transcript: a deal after the match was over in {rounds} rounds")


def _words(what: tuple[str, int, int, int] | None) -> str:
    if what is None:
        return "nothing more"
    kind, number, trick, seat = what
    place = f" to trick {trick}" if kind in ("lead", "follow") else ""
    return f"{kind}{place} of seat {seat} in round {number}"
