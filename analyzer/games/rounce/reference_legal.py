"""What the plain-Python game allows: calls, tiles to put aside, leads and the tiles that follow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from analyzer.games.rounce.reference_view import TILES, Deal, Decision, IllegalPlayError, View, is_trump, suits_of
from analyzer.games.spec import Rules

CALLS = ("pass", "fold", "dummy", "take", "defend", "defend_take")


def check_deal(deal: Deal, rules: Rules) -> None:
    """IllegalPlayError unless it is a deal of these rules, each tile in one place at most."""
    if len(deal.hands) != rules["players"] or any(len(hand) != rules["hand_size"] for hand in deal.hands):
        raise IllegalPlayError(f"The deal: {rules['players']} players are dealt {rules['hand_size']} tiles each")
    seen: list[str] = []
    for tile in (*(tile for hand in deal.hands for tile in hand), deal.turn_up, *deal.boneyard):
        if tile not in TILES:
            raise IllegalPlayError(f"Tiles: {tile!r} is no tile of the double-six set")
        if tile in seen:
            raise IllegalPlayError(f"The deal: {tile} is in two places among hands, turn-up and boneyard")
        seen.append(tile)


def legal_calls(view: View) -> tuple[str, ...]:
    """The calls of the player whose turn it is."""
    rules, calls = view.rules, view.calls
    allowed = {"pass"}
    if rules["fold_allowed"]:
        allowed.add("fold")
    if sum(call == "dummy" for _, call in calls) < rules["dummies_max"]:
        allowed.add("dummy")
    if view.seat == view.dealer:
        others = [call for _, call in calls if call != "fold"]
        may_defend = rules["defend_allowed"] and others == ["dummy"]
        if rules["dealer_takes"]:
            allowed.add("take")
        if may_defend:
            allowed.add("defend")
        if may_defend and rules["dealer_takes"]:
            allowed.add("defend_take")
    return tuple(call for call in CALLS if call in allowed)


def legal_discards(view: View, call: str) -> tuple[tuple[str, ...], ...]:
    """What may be put aside so that a hand is left: of a dummy any tiles, after a take not the turn-up."""
    held = [tile for tile in view.hand if call == "dummy" or tile != view.turn_up]
    return tuple(combinations(held, len(view.hand) - view.rules["hand_size"]))


def legal_leads(view: View) -> tuple[tuple[str, int], ...]:
    """(tile, suit) that may be led to the next trick."""
    tiles = view.hand
    trumps = [tile for tile in view.hand if is_trump(tile, view.trump)]
    has_won = bool(view.tricks)
    if trumps and ((has_won and view.rules["winner_leads_trump"]) or _must_trump(trumps, view.rules, "lead")):
        tiles = trumps
    return tuple((tile, suit) for tile in tiles for suit in suits_of(tile, view.trump))


def legal_follows(view: View) -> tuple[str, ...]:
    """Tiles that may be played to the trick that is being played."""
    able = [tile for tile in view.hand if view.tricks[-1].suit in suits_of(tile, view.trump)]
    if able:
        return tuple(able)
    trumps = [tile for tile in view.hand if is_trump(tile, view.trump)]
    return tuple(trumps if _must_trump(trumps, view.rules, "void") else view.hand)


def _must_trump(trumps: Sequence[str], rules: Rules, situation: str) -> bool:
    return len(trumps) > rules["must_trump_above"] and rules["must_trump_when"] in (situation, "lead_or_void")


def why_illegal(decision: Decision, choice: Any) -> str:
    """The rule that a choice breaks."""
    if decision.kind == "call":
        return _why_no_call(decision, choice)
    if decision.kind == "discard":
        return _why_no_discard(decision, choice)
    return _why_no_play(decision, choice)


def _why_no_call(decision: Decision, call: Any) -> str:
    view, rules = decision.view, decision.view.rules
    who = f"seat {view.seat} called {call!r}"
    if call not in CALLS:
        return f"The calls: {who}, which is no call"
    if call == "fold":
        return f"The calls: {who}, but nobody may fold (fold_allowed)"
    if call == "dummy":
        return f"The calls: {who}, but at most {rules['dummies_max']} dummies are taken in a round (dummies_max)"
    if view.seat != view.dealer:
        return f"The calls: {who}, which only the dealer may, seat {view.dealer}"
    if "take" in call and not rules["dealer_takes"]:
        return f"The calls: {who}, but the dealer may not take the turn-up (dealer_takes)"
    return f"The calls: {who}, but one defends only against one player left, who took a dummy (defend_allowed)"


def _why_no_discard(decision: Decision, tiles: Sequence[Any]) -> str:
    view = decision.view
    who = f"seat {view.seat} put {list(tiles)} aside"
    count = len(view.hand) - view.rules["hand_size"]
    if len(tiles) != count or any(tiles.count(tile) > 1 for tile in tiles):
        return f"The calls: {who}; {count} are put aside after {decision.call}"
    for tile in tiles:
        if tile not in view.hand:
            return f"The calls: {who} without holding {tile}"
    return f"The calls: {who}; the turn-up just taken may not be put aside"


def _why_no_play(decision: Decision, choice: Any) -> str:
    view, rules = decision.view, decision.view.rules
    tile, suit = choice if decision.kind == "lead" else (choice, None)
    who = f"seat {view.seat} {'led' if decision.kind == 'lead' else 'played'} {tile}"
    if tile not in view.hand:
        return f"The play: {who} without holding it"
    trumps = [held for held in view.hand if is_trump(held, view.trump)]
    many = f"{who} with {len(trumps)} trumps in hand; above {rules['must_trump_above']} a trump must be"
    if decision.kind == "follow":
        led = view.tricks[-1].suit
        if led == view.trump and trumps:
            return f"The play: {who} to a trump with {', '.join(trumps)} in hand; who is able must follow suit"
        able = [held for held in view.hand if led in suits_of(held, view.trump)]
        if able:
            return f"The play: {who} to suit {led} with {', '.join(able)} in hand; who is able must follow suit"
        return f"The play: {many} played by who cannot follow suit (must_trump_when)"
    if is_trump(tile, view.trump) or not trumps:
        return f"The play: {who} as suit {suit!r}, to which it does not belong"
    if _must_trump(trumps, rules, "lead"):
        return f"The play: {many} led (must_trump_when)"
    if view.tricks and rules["winner_leads_trump"]:
        return f"The play: {who} with a trump in hand; the winner of a trick leads a trump (winner_leads_trump)"
    return f"The play: {who} as suit {suit!r}, to which it does not belong"
