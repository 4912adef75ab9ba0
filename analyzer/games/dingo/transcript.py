"""A played deal as events (the transcript contract in `rules.md`) and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from analyzer.games.common import explain
from analyzer.games.dingo import state as S
from analyzer.games.dingo.cards import CARD_NAMES, HUNTED, SEATS, names_of
from analyzer.games.dingo.play import played
from analyzer.games.knobs import nested
from analyzer.games.spec import LANES, Given, Rules, Table

Event = dict[str, Any]
_FATES = ("alive", "dead", "hidden", "absent")
_BROKEN = (None, "highest_rabbit", "highest_value", "shared", "highest_value")


def events(
    rules: Rules, table: Table, seed: int, first: int, count: int, play: int, given: Given = ()
) -> Iterator[list[Event]]:
    """The events of play number `play` (seating) of each of the deals first ... first + count - 1."""
    for deal in deals(rules, table, seed, first, count, play, given):
        yield deal.events()


def deals(
    rules: Rules, table: Table, seed: int, first: int, count: int, play: int, given: Given = ()
) -> Iterator[Deal]:
    """The same deals, not yet told."""
    for start in range(first, first + count, LANES):
        batch = played(rules, table, seed, start, play, given=given)
        for lane in range(min(LANES, first + count - start)):
            yield Deal(batch, lane, rules, table, seed, play)


class Deal:
    """One lane of a played batch, read as events."""

    def __init__(self, batch: np.void, lane: int, rules: Rules, table: Table, seed: int, play: int) -> None:
        self.batch, self.lane, self.rules = batch, lane, rules
        self.seed, self.play = seed, play
        self.unit = int(batch["unit"][lane])
        combination = table.arrangements[self.unit % len(table.arrangements)]
        self.policies = [table.policies[index].name for index in combination[play]]
        self.key = np.uint64(batch["key"][lane])
        """Of the choices' random words."""
        self.swapped = bool(batch["coin"][lane])
        """Whether it was played with spades and clubs exchanged, which only turns ties between equal choices."""
        self.wolves = "CS" if self.swapped else "SC"

    def events(self) -> list[Event]:
        """All events, in order."""
        order = self._lane("order")
        return [
            self._deal(),
            *self._exchange(),
            *(self._hunt(rank) for rank in order),
            self._ace_hunt(),
            self._result(),
        ]

    def _lane(self, name: str) -> Any:
        value = self.batch[name][..., self.lane]
        return int(value) if value.ndim == 0 else [int(item) for item in value]

    def _shown(self, cards: int) -> list[str]:
        """Names of a set of cards, with the suits as dealt."""
        names = names_of(cards)
        if self.wolves == "CS":
            names = [name.translate(str.maketrans("SC", "CS")) for name in names]
        return sorted(names, key=CARD_NAMES.index)

    def _deal(self) -> Event:
        hands = {seat: self._shown(cards) for seat, cards in zip(SEATS, self._lane("dealt"), strict=True)}
        return {
            "game": "dingo", "deal": self.unit, "event": "deal", "seed": self.seed, "rotation": self.play,
            "hands": hands, "policies": dict(zip(SEATS, self.policies, strict=True)), "rules": nested(self.rules),
        }  # fmt: skip

    def _exchange(self) -> list[Event]:
        found = []
        for step, word in enumerate(self.rules["exchange"]):
            for s, seat in enumerate(SEATS):
                card = self._shown(1 << int(self.batch["choice"][4 * step + s, self.lane]))[0]
                if word == "discard":
                    found.append({"deal": self.unit, "event": "discard", "step": step, "seat": seat, "card": card})
                else:
                    to = SEATS[(s + 1 + ("left", "across", "right").index(word)) % 4]
                    found.append(
                        {
                            "deal": self.unit,
                            "event": "pass",
                            "step": step,
                            "from": seat,
                            "to": to,
                            "card": card,
                        }
                    )
        return found

    def _seat_with(self, fields: int, rank: int) -> int | None:
        """Seat whose field has the rank."""
        return next((s for s in range(4) if fields >> (16 * s + rank) & 1), None)

    def _turns(self, rank: int) -> list[tuple[int, list[str]]]:
        """(seat, cards laid) of every turn of a hunt."""
        n = 4 if self.rules["dingo_player_may_wolf"] else 3
        seats = [self._seat_with(fields, rank) for fields in self._lane("actors")[:n]]
        laid = self._lane("laid")
        turns: list[tuple[int, list[str]]] = []
        for circle in range(2 if self.rules["wolf_turns"] == "until_pass" else 1):
            before = sum(len(cards) for _, cards in turns)
            if circle and before != 1:
                break
            for place, seat in enumerate(seats):
                if self.rules["wolf_turns"] == "until_pass" and sum(len(c) for _, c in turns) == 2:
                    break
                assert seat is not None
                word = laid[circle * S.TURNS + place] >> rank
                cards = [
                    HUNTED[rank] + suit for bit, suit in ((0, self.wolves[0]), (16, self.wolves[1])) if word >> bit & 1
                ]
                turns.append((seat, cards[::-1] if word >> 32 & 1 else cards))
        return turns

    def _hunt(self, rank: int) -> Event:
        name = HUNTED[rank]
        event: Event = {
            "deal": self.unit,
            "event": "hunt",
            "rank": name,
            "dingo": None,
            "lapse": None,
            "turns": [],
        }
        dingo = self._seat_with(self._lane("dingo"), rank)
        overlooked = self._seat_with(self._lane("overlooked"), rank)
        to_score: dict[str, list[str]] = {}
        to_penalty: dict[str, list[str]] = {}
        to_discard: list[str] = []
        rabbit = name + "D"
        if dingo is None:
            event["lapse"] = None if overlooked is None else SEATS[overlooked]
            event["outcome"] = "no_dingo"
            to_discard.append(rabbit)
        else:
            turns = self._turns(rank)
            event["dingo"] = SEATS[dingo]
            event["turns"] = [{"seat": SEATS[seat], "cards": cards} for seat, cards in turns]
            laid = [(seat, card) for seat, cards in turns for card in cards]
            event["outcome"] = ("no_wolf", "one_wolf", "two_wolves")[len(laid)]
            if not laid:
                to_penalty[SEATS[dingo]] = [name + "H"]
                to_discard.append(rabbit)
            else:
                to_score[SEATS[dingo]] = [name + "H"]
                if len(laid) == 2:
                    owner, first = laid[0]
                    where = self.rules["first_wolf_to"]
                    if where == "discard":
                        to_discard.append(first)
                    else:
                        to_score.setdefault(SEATS[owner if where == "owner" else dingo], []).append(first)
                catcher, last = laid[-1]
                to_score.setdefault(SEATS[catcher], []).extend([rabbit, last])
        return {**event, "to_score": to_score, "to_penalty": to_penalty, "to_discard": to_discard}

    def _ace_hunt(self) -> Event:
        dingo, overlooked, rabbit = (
            self._lane("ace_dingo"),
            self._lane("ace_overlooked"),
            self._lane("rabbit_seat"),
        )
        fate = _FATES[self._lane("rabbit_fate")]
        event: Event = {
            "deal": self.unit, "event": "ace_hunt", "dingo": SEATS[dingo] if dingo >= 0 else None,
            "lapse": SEATS[overlooked] if overlooked >= 0 else None,
        }  # fmt: skip
        turns = []
        to_score: dict[str, list[str]] = {}
        to_penalty: dict[str, list[str]] = {}
        if dingo >= 0:
            for turn in range(4 if self.rules["ace_dingo_player_turn"] else 3):
                code = self._lane("ace_laid")[turn]
                cards = ["A" + suit for bit, suit in ((1, self.wolves[0]), (2, self.wolves[1])) if code & bit]
                cards = (cards[::-1] if code & 4 else cards) + (["AD"] if code & 8 else [])
                turns.append({"seat": SEATS[(dingo + 1 + turn) % 4], "cards": cards})
            saved = self._lane("ace_out") > 0
            (to_score if saved else to_penalty)[SEATS[dingo]] = ["AH"]
            for entry in turns:
                if entry["cards"]:
                    to_score.setdefault(str(entry["seat"]), []).extend(entry["cards"])
            outcome = "wolves" if saved else "no_wolf"
        else:
            outcome = "no_dingo"
        if fate == "dead":
            to_penalty.setdefault(SEATS[rabbit], []).append("AD")
        return {
            **event,
            "turns": turns,
            "outcome": outcome,
            "to_score": to_score,
            "to_penalty": to_penalty,
            "rabbit": fate,
        }

    def _left(self) -> list[int]:
        """Cards left in each hand after the last hunt."""
        played = 0
        for rank in range(12):
            if self._seat_with(self._lane("dingo"), rank) is not None:
                played |= 1 << 3 * rank
            for word in self._lane("laid"):
                played |= (word >> rank & 1) << 3 * rank + 1 | (word >> 16 + rank & 1) << 3 * rank + 2
        if self._lane("ace_dingo") >= 0:
            played |= 1 << 36
            for code in self._lane("ace_laid"):
                played |= (code & 3) << 37
        if _FATES[self._lane("rabbit_fate")] in ("alive", "dead"):
            played |= 1 << 39
        return [cards & ~played for cards in self._lane("hand")]

    def _result(self) -> Event:
        scores, barred = self._lane("score"), self._lane("out_of_play")
        eligible = [s for s in range(4) if not barred >> s & 1]
        top = [s for s in eligible if scores[s] == max(scores[e] for e in eligible)]
        return {
            "deal": self.unit, "event": "result", "score": dict(zip(SEATS, scores, strict=True)),
            "left": {seat: self._shown(cards) for seat, cards in zip(SEATS, self._left(), strict=True)},
            "disqualified": [seat for s, seat in enumerate(SEATS) if barred >> s & 1],
            "tied": [SEATS[s] for s in top] if len(top) > 1 else [],
            "tie_break": _BROKEN[self._lane("broken")],
            "win_share": {seat: twelfths / 12 for seat, twelfths in zip(SEATS, self._lane("win"), strict=True)},
        }  # fmt: skip


def words(found: list[Event]) -> str:
    """A deal's events as text for a reader."""
    lines: list[str] = []
    for event in found:
        lines.extend(_SAY[event["event"]](event))
    return "\n".join(lines)


def _cards(cards: list[str]) -> str:
    return " ".join(cards) if cards else "nothing"


def _say_deal(event: Event) -> list[str]:
    head = f"Deal {event['deal']}, seating {event['rotation']}, seed {event['seed']}"
    return [
        head,
        *(f"  {seat} ({event['policies'][seat]}): {_cards(hand)}" for seat, hand in event["hands"].items()),
        "Exchange",
    ]


def _say_discard(event: Event) -> list[str]:
    return [f"  step {event['step']}: {event['seat']} discards {event['card']}"]


def _say_pass(event: Event) -> list[str]:
    return [f"  step {event['step']}: {event['from']} passes {event['card']} to {event['to']}"]


def _piles(event: Event) -> str:
    parts = [f"{seat} scores {_cards(cards)}" for seat, cards in event["to_score"].items()]
    parts += [f"{seat} is fined {_cards(cards)}" for seat, cards in event["to_penalty"].items()]
    return "; ".join(parts) or "nobody scores"


def _laid(turns: list[Mapping[str, Any]]) -> str:
    return ", ".join(f"{turn['seat']} lays {_cards(turn['cards'])}" for turn in turns)


def _say_hunt(event: Event) -> list[str]:
    head = f"Hunt of the {event['rank']}: "
    if event["dingo"] is None:
        why = "no dingo" if event["lapse"] is None else f"{event['lapse']} overlooks the dingo"
        return [f"{head}{why}; nobody scores"]
    return [f"{head}{event['dingo']} plays the dingo; {_laid(event['turns'])}", f"  {_piles(event)}"]


def _say_ace_hunt(event: Event) -> list[str]:
    if event["dingo"] is None:
        why = "no ace dingo" if event["lapse"] is None else f"{event['lapse']} overlooks the ace dingo"
        head = f"Ace hunt: {why}"
    else:
        head = f"Ace hunt: {event['dingo']} plays the ace dingo; {_laid(event['turns'])}"
    return [head, f"  {_piles(event)}; the ace rabbit is {event['rabbit']}"]


def _say_result(event: Event) -> list[str]:
    lines = [
        "Result",
        "  scores: " + ", ".join(f"{seat} {points}" for seat, points in event["score"].items()),
    ]
    lines.append("  left in hand: " + "; ".join(f"{seat} {_cards(cards)}" for seat, cards in event["left"].items()))
    if event["disqualified"]:
        lines.append("  disqualified: " + ", ".join(event["disqualified"]))
    if event["tied"]:
        how = "shared" if event["tie_break"] == "shared" else f"by the {event['tie_break'].replace('_', ' ')}"
        lines.append(
            f"  tied: {', '.join(event['tied'])}; decided {how}"
            if how != "shared"
            else f"  tied and shared: {', '.join(event['tied'])}"
        )
    winners = [f"{seat} ({share:.3g})" if share < 1 else seat for seat, share in event["win_share"].items() if share]
    lines.append("  wins: " + (", ".join(winners) or "nobody"))
    return lines


_SAY = {
    "deal": _say_deal, "discard": _say_discard, "pass": _say_pass, "hunt": _say_hunt, "ace_hunt": _say_ace_hunt,
    "result": _say_result, explain.EVENT: explain.say,
}  # fmt: skip
