"""What a policy without noise chooses, worked out in plain Python from what its player saw.

The second opinion on the policy tables: every feature is computed by name from the words in
`policies.FEATURES`, from a `View` and a `Decision` alone. Weights are whole numbers of 1/1024, so scores are
exact.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from analyzer.games.rounce.reference_legal import CALLS
from analyzer.games.rounce.reference_score import winner_of
from analyzer.games.rounce.reference_view import TILES, Decision, Trick, View, ends, is_trump, rank_of, suits_of
from analyzer.games.spec import Policy

WEIGHT_UNIT = 1024
MOST_SCORE = 31
MOST_COMPANY = 3

Features = dict[str, int]


def policy_choice(decision: Decision, policy: Policy) -> Any:
    """The policy's answer to a decision; tiles put aside in order of their numbers.

    Raises ValueError where a memory that forgets by chance would be asked.
    """
    view = decision.view
    if decision.kind == "call":
        found = call_features(view)
        # max and min take the first of equals.
        calls = [call for call in CALLS if call in decision.legal]
        return max(calls, key=lambda call: worth(policy, f"call_{call}", found))
    if decision.kind == "discard":
        return put_aside(decision, policy)
    kind = kind_of(decision)
    hidden = unseen(view, policy.memory)
    if decision.kind == "lead":
        leads = sorted(decision.legal, key=lambda lead: (TILES.index(lead[0]), -lead[1]))
        return max(leads, key=lambda lead: worth(policy, kind, tile_features(view, lead[0], lead[1], hidden)))
    tiles = sorted(decision.legal, key=TILES.index)
    return max(tiles, key=lambda tile: worth(policy, kind, tile_features(view, tile, suit_in(view, tile), hidden)))


def put_aside(decision: Decision, policy: Policy) -> tuple[str, ...]:
    """The tiles least worth keeping, each looked at in the whole hand."""
    kind = kind_of(decision)
    least: list[str] = []
    may = sorted({tile for tiles in decision.legal for tile in tiles}, key=TILES.index)
    for _ in decision.legal[0]:
        rest = [tile for tile in may if tile not in least]
        least.append(min(rest, key=lambda tile: worth(policy, kind, aside_features(decision.view, tile))))
    return tuple(sorted(least, key=TILES.index))


def worth(policy: Policy, kind: str, features: Features) -> int:
    """Sum of weights times features, in 1/1024."""
    return sum(round(weight * WEIGHT_UNIT) * features[name] for name, weight in policy.weights[kind].items())


def kind_of(decision: Decision) -> str:
    """Name of the decision in `policies.DECISIONS`; of a call, that of a pass, whose noise all calls share."""
    view = decision.view
    if decision.kind == "call":
        return "call_pass"
    if decision.kind == "discard":
        return "aside_dummy" if decision.call == "dummy" else "aside_take"
    if decision.kind == "lead":
        return "lead_later" if view.tricks else "lead_first"
    if not any(view.tricks[-1].suit in suits_of(tile, view.trump) for tile in view.hand):
        return "void"
    return "follow_win" if any(wins_now(view, tile) for tile in decision.legal) else "follow_lose"


def height(tile: str, view: View) -> int:
    """Place of a trump among all seven, 7 the best; 0 for others."""
    if not is_trump(tile, view.trump):
        return 0
    doubles = view.rules["doubles"]
    trumps = [other for other in TILES if is_trump(other, view.trump)]
    own = rank_of(tile, view.trump, doubles)
    return sum(rank_of(other, view.trump, doubles) <= own for other in trumps)


def call_features(view: View) -> Features:
    """Features of every call in this situation."""
    trump, doubles = view.trump, view.rules["doubles"]
    trumps = [tile for tile in view.hand if is_trump(tile, trump)]
    others = [tile for tile in TILES if tile not in view.hand and tile != view.turn_up and is_trump(tile, trump)]
    best_unseen = max((height(tile, view) for tile in others), default=0)
    suits = [suit for suit in range(7) if suit != trump]
    best = set()
    for suit in suits:
        members = [tile for tile in TILES if suit in suits_of(tile, trump)]
        best.add(max(members, key=lambda tile: rank_of(tile, suit, doubles)))
    held = {suit for tile in view.hand for suit in suits_of(tile, trump)}
    players, size = len(view.scores), view.rules["hand_size"]
    seen = [max(0, min(MOST_SCORE, score)) for score in view.scores]
    own, rival = seen[view.seat], min(score for seat, score in enumerate(seen) if seat != view.seat)
    made = [call for _, call in view.calls]
    return {
        "one": 1,
        "trumps": len(trumps),
        "trumps_squared": len(trumps) ** 2,
        "top_trump": max((height(tile, view) for tile in trumps), default=0),
        "sure": sum(height(tile, view) > best_unseen for tile in trumps),
        "behind_trumps": len(trumps) if rival < own else 0,
        "high": len(best.intersection(view.hand)),
        "voids": sum(suit not in held for suit in suits),
        "position": len(made),
        "dealer": int(view.seat == view.dealer),
        "to_call": players - 1 - len(made),
        "folds": made.count("fold"),
        "dummies": made.count("dummy"),
        "in_play": len(made) - made.count("fold"),
        "players": players,
        "own_score": own,
        "rival_score": rival,
        "behind": max(0, own - rival),
        "own_near": int(own <= size),
        "rival_near": int(rival <= size),
        "turn_up": height(view.turn_up, view),
    }


def aside_features(view: View, tile: str) -> Features:
    """Features of a tile that may be put aside."""
    if is_trump(tile, view.trump):
        plain = dict.fromkeys(("rank", "low", "double", "company"), 0)
        return {"trump": 1, "trump_height": height(tile, view), **plain}
    ranks = [rank_of(tile, suit, view.rules["doubles"]) for suit in suits_of(tile, view.trump)]
    near = [
        other
        for other in view.hand
        if other != tile and not is_trump(other, view.trump) and set(ends(other)) & set(ends(tile))
    ]
    return {
        "trump": 0,
        "trump_height": 0,
        "rank": max(ranks),
        "low": min(ranks),
        "double": int(len(set(ends(tile))) == 1),
        "company": min(MOST_COMPANY, len(near)),
    }


def suit_in(view: View, tile: str) -> int:
    """The suit in which a tile counts that follows: the one led, else that in which it ranks highest."""
    suits = suits_of(tile, view.trump)
    led = view.tricks[-1].suit
    return led if led in suits else max(suits, key=lambda suit: rank_of(tile, suit, view.rules["doubles"]))


def wins_now(view: View, tile: str) -> bool:
    """Whether a tile that follows would win the trick so far."""
    trick = view.tricks[-1]
    so_far = Trick(trick.leader, trick.suit, [*trick.plays, (view.seat, tile)])
    return winner_of(so_far, view.trump, view.rules["doubles"]) == view.seat


def unseen(view: View, memory: str | float) -> set[str]:
    """Tiles that may be in another's hand as far as the player knows and remembers."""
    if not isinstance(memory, str):
        raise ValueError(f"a memory of {memory} cannot be predicted")
    gone = {*view.hand, *view.aside}
    over = [trick for trick in view.tricks if trick.winner >= 0]
    remembered = {"perfect": over, "top_card": over[-1:], "none": []}[memory]
    for trick in view.tricks:
        in_mind = trick.winner < 0 or trick in remembered
        gone |= {tile for seat, tile in trick.plays if seat == view.seat or in_mind}
    if not any(call in ("take", "defend_take") for _, call in view.calls):
        gone.add(view.turn_up)
    return set(TILES) - gone


def tile_features(view: View, tile: str, suit: int, hidden: Collection[str]) -> Features:
    """Features of playing a tile that counts in a suit: of a lead, or of a tile that follows."""
    trump, doubles = view.trump, view.rules["doubles"]
    leads = not view.tricks or view.tricks[-1].winner >= 0
    played = [] if leads else view.tricks[-1].plays
    after = len(view.playing) - len(played) - 1
    left = view.rules["hand_size"] - sum(trick.winner >= 0 for trick in view.tricks)
    none = int(not any(trick.winner == view.seat for trick in view.tricks))
    rank = rank_of(tile, suit, doubles)
    above = [other for other in hidden if suit in suits_of(other, trump) and rank_of(other, suit, doubles) > rank]
    wins, high, is_one = int(leads or wins_now(view, tile)), int(not above), int(suit == trump)
    return {
        "trump": is_one,
        "rank": rank,
        "trump_rank": rank * is_one,
        "high": high,
        "wins": wins,
        "company": min(MOST_COMPANY, sum(suit in suits_of(other, trump) for other in view.hand if other != tile)),
        "wins_last": wins * (after == 0),
        "wins_after": wins * after,
        "high_after": high * after,
        "no_trick_wins": none * wins,
        "no_trick_high": none * high,
        "no_trick_trump": none * is_one,
        "no_trick_left_wins": none * left * wins,
        "left_wins": left * wins,
        "left_trump": left * is_one,
        "left_high": left * high,
    }
