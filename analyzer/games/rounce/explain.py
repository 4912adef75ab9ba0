"""Why each player of a match chose as they did: the transcript's events with explanations between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.games.common.explain import Event, Option, Question, explained, woven
from analyzer.games.rounce.chances import Chances
from analyzer.games.rounce.reference import replay
from analyzer.games.rounce.reference_legal import CALLS
from analyzer.games.rounce.reference_policy import (
    aside_features,
    call_features,
    kind_of,
    suit_in,
    tile_features,
    unseen,
)
from analyzer.games.rounce.reference_view import TILES, Decision, View
from analyzer.games.rounce.transcript import Match, matches
from analyzer.games.spec import Given, Policy, Rules, Table

TILE_TIE = "the lower tile {} (by its higher, then its lower number)"


def events(
    rules: Rules, table: Table, seed: int, first: int, count: int, play: int, given: Given = ()
) -> Iterator[list[Event]]:
    """As `transcript.events`, each choice between several legal ones explained before the event that tells it."""
    policies = {policy.name: policy for policy in table.policies}
    for match in matches(rules, table, seed, first, count, play, given):
        yield _explained(match, policies)


def _explained(match: Match, policies: Mapping[str, Policy]) -> list[Event]:
    reasons: list[tuple[Mapping[str, Any], Event]] = []
    seated = [policies[name] for name in match.events[0]["policies"]]

    def watch(decision: Decision, choice: Any) -> None:
        if len(decision.legal) > 1:
            policy, chances = seated[decision.seat], Chances(match.keys[decision.view.round])
            question = _question(decision, policy, chances)
            reason = explained(question, policy, _chosen(decision, choice), chances.noise(decision, policy))
            reasons.append((question.place, reason))

    replay(match.events, watch)
    return woven(match.events, reasons, {"match": match.events[0]["match"]})


def _chosen(decision: Decision, choice: Any) -> list[Any]:
    if decision.kind == "discard":
        return sorted(choice, key=TILES.index)
    return [{"tile": choice[0], "suit": choice[1]} if decision.kind == "lead" else choice]


def _question(decision: Decision, policy: Policy, chances: Chances) -> Question:
    view, kind = decision.view, kind_of(decision)
    calls = decision.kind in ("call", "discard")
    trick = len(view.tricks) - (decision.kind == "follow")
    here = {"event": "call", "seat": view.seat} if calls else {"event": "trick", "trick": trick}
    options, tie = _options(decision, kind, _unseen(view, policy, chances))
    return Question(
        place={**here, "round": view.round},
        seat=view.seat,
        decision="call" if decision.kind == "call" else kind,
        chance=policy.noise[kind],
        options=options,
        tie=tie,
        least=decision.kind == "discard",
        taken=len(decision.legal[0]) if decision.kind == "discard" else 1,
    )


def _options(decision: Decision, kind: str, hidden: set[str]) -> tuple[tuple[Option, ...], str]:
    """The legal choices in the order in which the first of equals is taken, and that order in words."""
    view = decision.view
    if decision.kind == "call":
        features = call_features(view)
        calls = [call for call in CALLS if call in decision.legal]
        told = tuple(Option(call, call.replace("_", " and "), features, f"call_{call}") for call in calls)
        return told, f"the first is chosen, in the order {', '.join(option.label for option in told)}"
    if decision.kind == "discard":
        tiles = sorted({tile for tiles in decision.legal for tile in tiles}, key=TILES.index)
        return tuple(Option(tile, tile, aside_features(view, tile), kind) for tile in tiles), TILE_TIE.format("goes")
    if decision.kind == "lead":
        leads = sorted(decision.legal, key=lambda lead: (TILES.index(lead[0]), -lead[1]))
        return tuple(
            Option({"tile": tile, "suit": suit}, f"{tile} as {suit}", tile_features(view, tile, suit, hidden), kind)
            for tile, suit in leads
        ), f"{TILE_TIE.format('is chosen')}, as its higher number"
    tiles = sorted(decision.legal, key=TILES.index)
    return tuple(
        Option(tile, tile, tile_features(view, tile, suit_in(view, tile), hidden), kind) for tile in tiles
    ), TILE_TIE.format("is chosen")


def _unseen(view: View, policy: Policy, chances: Chances) -> set[str]:
    """Tiles that a player believes may be in another's hand."""
    if isinstance(policy.memory, str):
        return unseen(view, policy.memory)
    return unseen(view, "none") - chances.recalled(view, policy.memory)
