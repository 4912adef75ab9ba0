"""A played match as events (the transcript contract in `rules.md`) and in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from analyzer.games.common import explain
from analyzer.games.knobs import nested
from analyzer.games.rounce import state as S
from analyzer.games.rounce.play import rounds
from analyzer.games.rounce.policies import CALLS
from analyzer.games.rounce.tiles import MAX_SEATS, TILE_NAMES, names_of
from analyzer.games.spec import LANES, Given, Rules, Table

Event = dict[str, Any]


def events(
    rules: Rules, table: Table, seed: int, first: int, count: int, play: int, given: Given = ()
) -> Iterator[list[Event]]:
    """The events of play number `play` (seating) of each of the matches first ... first + count - 1."""
    for match in matches(rules, table, seed, first, count, play, given):
        yield match.events


class Match(NamedTuple):
    """A match as told, and the keys of its rounds' random words."""

    events: list[Event]
    keys: list[np.uint64]


def matches(
    rules: Rules, table: Table, seed: int, first: int, count: int, play: int, given: Given = ()
) -> Iterator[Match]:
    """The same matches with their keys."""
    for start in range(first, first + count, LANES):
        lanes = min(LANES, first + count - start)
        found = [Match([], []) for _ in range(lanes)]
        for batch in rounds(rules, table, seed, start, play, given):
            for lane in range(lanes):
                if batch["active"][lane]:
                    found[lane].events.extend(_Round(batch, lane, rules, table, seed).events())
                    found[lane].keys.append(np.uint64(batch["round_key"][lane]))
        yield from found


class _Round:
    """One lane's round of a batch, read as events."""

    def __init__(self, batch: np.void, lane: int, rules: Rules, table: Table, seed: int) -> None:
        self.batch, self.lane, self.rules, self.table, self.seed = batch, lane, rules, table, seed
        self.n = int(rules["players"])
        self.match, self.play = self._lane("unit"), self._lane("play")
        self.number = self._lane("number") - 1
        self.dealer = (self._lane("dealer") - 1) % self.n
        self.order = [(self.dealer + 1 + k) % self.n for k in range(self.n)]

    def _lane(self, name: str) -> Any:
        value = self.batch[name][..., self.lane]
        return int(value) if value.ndim == 0 else [int(item) for item in value]

    def _seats(self, name: str) -> list[int]:
        return [int(item) for item in self.batch[name][: self.n, self.lane]]

    def events(self) -> list[Event]:
        """All events of the round, and the match's result after its last."""
        found = [self._deal(), *self._calls()]
        if self._lane("walkover") < 0:
            found.extend(self._trick(trick) for trick in range(self.rules["hand_size"]))
        found.append(self._score())
        if self._lane("over"):
            found.append(self._result())
        return found

    def _deal(self) -> Event:
        combination = self.table.arrangements[self.match % len(self.table.arrangements)]
        before = [score - change for score, change in zip(self._seats("score"), self._seats("change"), strict=True)]
        return {
            "game": "rounce",
            "match": self.match,
            "round": self.number,
            "event": "deal",
            "seed": self.seed,
            "rotation": self.play,
            "dealer": self.dealer,
            "scores": before,
            "hands": [names_of(hand) for hand in self._seats("dealt")],
            "turn_up": TILE_NAMES[self._lane("turn_up")],
            "trump": self._lane("trump"),
            "policies": [self.table.policies[index].name for index in combination[self.play]],
            "rules": nested(self.rules),
        }

    def _calls(self) -> list[Event]:
        found = []
        calls, drew, aside = self._seats("call"), self._seats("drew"), self._seats("aside")
        for seat in self.order:
            if calls[seat] < 0:
                continue
            event = {
                "match": self.match,
                "round": self.number,
                "event": "call",
                "seat": seat,
                "call": CALLS[calls[seat]],
            }
            if calls[seat] in (S.DUMMY, S.TAKE, S.DEFEND_TAKE):
                event |= {"drew": names_of(drew[seat]), "discarded": names_of(aside[seat])}
            found.append(event)
        return found

    def _trick(self, trick: int) -> Event:
        in_play = self._lane("in_play")
        leader = int(self.batch["leads"][trick, self.lane])
        seats = [(leader + k) % self.n for k in range(self.n) if in_play >> (leader + k) % self.n & 1]
        tiles = [int(self.batch["tile"][trick * MAX_SEATS + turn, self.lane]) for turn in range(len(seats))]
        return {
            "match": self.match,
            "round": self.number,
            "event": "trick",
            "trick": trick,
            "leader": leader,
            "suit": int(self.batch["suit"][trick, self.lane]),
            "plays": [{"seat": seat, "tile": TILE_NAMES[tile]} for seat, tile in zip(seats, tiles, strict=True)],
            "winner": int(self.batch["winner"][trick, self.lane]),
        }

    def _score(self) -> Event:
        walkover, tricks, in_play = self._lane("walkover"), self._seats("tricks"), self._lane("in_play")
        rounced = [
            seat
            for seat in range(self.n)
            if walkover < 0 and in_play >> seat & 1 and tricks[seat] == 0 and seat != self._lane("defender")
        ]
        return {
            "match": self.match,
            "round": self.number,
            "event": "score",
            "tricks": tricks,
            "walkover": walkover if walkover >= 0 else None,
            "rounced": rounced,
            "change": self._seats("change"),
            "scores": self._seats("score"),
        }

    def _result(self) -> Event:
        return {
            "match": self.match,
            "event": "result",
            "rounds": self._lane("number"),
            "scores": self._seats("score"),
            "unfinished": self._lane("over") == 2,
            "win_share": [twelfths / 12 for twelfths in self._seats("win")],
        }


def words(found: list[Event]) -> str:
    """A match's events as text for a reader."""
    return "\n".join(line for event in found for line in _SAY[event["event"]](event))


def _say_deal(event: Event) -> list[str]:
    lines = []
    if event["round"] == 0:
        lines.append(f"Match {event['match']}, seating {event['rotation']}, seed {event['seed']}")
    lines.append(
        f"Round {event['round']}: seat {event['dealer']} deals, turn-up {event['turn_up']}, trump {event['trump']}"
    )
    for seat, (policy, hand, score) in enumerate(zip(event["policies"], event["hands"], event["scores"], strict=True)):
        lines.append(f"  seat {seat} ({policy}, {score}): {' '.join(hand)}")
    return lines


def _say_call(event: Event) -> list[str]:
    more = (
        f", draws {' '.join(event['drew'])}, puts aside {' '.join(event['discarded']) or 'nothing'}"
        if "drew" in event
        else ""
    )
    return [f"  seat {event['seat']}: {event['call'].replace('_', ' and ')}{more}"]


def _say_trick(event: Event) -> list[str]:
    plays = ", ".join(f"{play['seat']} plays {play['tile']}" for play in event["plays"])
    return [f"  trick {event['trick']}: {event['leader']} leads suit {event['suit']}; {plays}; {event['winner']} wins"]


def _say_score(event: Event) -> list[str]:
    lines = []
    if event["walkover"] is not None:
        lines.append(f"  seat {event['walkover']} scores without play")
    if event["rounced"]:
        lines.append(f"  rounced: {' '.join(map(str, event['rounced']))}")
    return [*lines, f"  change {event['change']}, scores {event['scores']}"]


def _say_result(event: Event) -> list[str]:
    if event["unfinished"]:
        return [f"Unfinished after {event['rounds']} rounds"]
    winners = [f"{seat}" for seat, share in enumerate(event["win_share"]) if share]
    return [f"Won after {event['rounds']} rounds by seat {' and '.join(winners)}"]


_SAY = {
    "deal": _say_deal, "call": _say_call, "trick": _say_trick, "score": _say_score, "result": _say_result,
    explain.EVENT: explain.say,
}  # fmt: skip
