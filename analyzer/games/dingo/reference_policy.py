"""What a policy without noise chooses, worked out in plain Python from what its player saw.

The second opinion on the policy tables: every feature is computed by name from the words in
`policies.FEATURES`, from a `View` and a `Decision` alone. Weights are whole numbers of 1/1024, so scores are
exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.games.dingo.reference_view import RANKS, Decision, View, card_points
from analyzer.games.spec import Policy

WEIGHT_UNIT = 1024
STATES = ("held", "discarded", "passed")
CARD_TRAITS = {
    name: f"{name}_points"
    for name in (
        *(f"{what}_{state}" for what in ("partner", "dingo", "wolves", "rabbit") for state in STATES),
        "doomed",
    )
}
LONE_TRAITS = (
    "lay", "first", "second", "own_first", "partner_discarded", "partner_with_dingo_player",
    "partner_passed_later", "partner_passed_earlier", "partner_unknown", "to_act", "unknown_to_act",
    "passed_to_act", "place", "circle",
)  # fmt: skip

ACE_TRAITS = (
    "wolf", "holding_rabbit", "holding_dingo", "wolf_out", "partner_discarded", "partner_passed", "to_act",
    "completes", "completes_to_act", "completes_unknown", "completes_passed_later",
    "completes_passed_earlier", "rabbit_discarded", "rabbit", "own_points", "dingo_points", "unknown_swing",
    "later_swing",
)  # fmt: skip

Features = dict[str, int]


def policy_choice(decision: Decision, policy: Policy, *, swapped: bool) -> Any:
    """The policy's answer to a decision. `swapped`: the deal's coin has swapped spades and clubs for ties.

    Raises ValueError for a memory that forgets by chance.
    """
    if not isinstance(policy.memory, str):
        raise ValueError(f"a memory of {policy.memory} cannot be predicted")
    weights = policy.weights[kind_of(decision)]

    def worth(features: Features) -> int:
        return sum(round(weight * WEIGHT_UNIT) * features[name] for name, weight in weights.items())

    known = known_discards(decision.view, policy.memory)
    if decision.kind in ("discard", "pass"):
        cards = sorted(decision.legal, key=lambda card: tie_order(card, swapped))
        return min(cards, key=lambda card: worth(exchange_features(decision.view, card, known)))
    best: tuple[str, ...] = ()
    best_worth = 0
    for option in hunt_options(decision, swapped):
        now = worth(hunt_features(decision, option, known))
        if now > best_worth:
            best, best_worth = option, now
    return best


def kind_of(decision: Decision) -> str:
    """Name of the decision in `policies.DECISIONS` (lone_wolf for a turn without a wolf)."""
    if decision.kind == "discard":
        return f"discard_{min(decision.discard, 4)}"
    if decision.kind == "pass":
        return f"pass_{decision.way}"
    if decision.kind == "ace_hunt":
        return "ace"
    return "both_wolves" if len(held_wolves(decision)) == 2 else "lone_wolf"


def tie_order(card: str, swapped: bool) -> tuple[int, int]:
    """Where a card stands among equals: by rank, then dingo, spade, club; swapped: club, spade."""
    return RANKS.index(card[0]), ("HCSD" if swapped else "HSCD").index(card[1])


def known_discards(view: View, memory: str) -> set[str]:
    """Cards that the player knows to be discarded: all own ones, and of others' what the memory keeps."""
    known = {card for seat, card in view.discards if seat == view.seat or memory == "perfect"}
    if memory == "top_card" and view.discards:
        known.add(view.discards[-1][1])
    return known


def state_of(card: str, view: View, known: set[str]) -> str:
    """Held, discarded, passed (away, and not seen since) or unknown."""
    if card in view.hand:
        return "held"
    if card in known:
        return "discarded"
    return "passed" if receiver(card, view) else "unknown"


def receiver(card: str, view: View) -> str | None:
    """To whom the player passed a card away, the last time if it came back."""
    return next((to for passed, to in reversed(view.passed) if passed == card), None)


def exchange_features(view: View, card: str, known: set[str]) -> Features:
    """Features of a card in hand that might be discarded or passed."""
    rank, suit = card[0], card[1]
    dingo, wolf, rabbit = suit == "H", suit in "SC", suit == "D"
    ace, high = rank == "A", rank in "TJQK"
    states = {other: state_of(rank + other, view, known) for other in ("HSCD" if ace else "HSC")}
    points = card_points(card, view.rules)
    f = {
        "low_dingo": int(dingo and not ace and not high),
        "high_dingo": int(dingo and high),
        "ace_dingo": int(dingo and ace),
        "low_wolf": int(wolf and not ace and not high),
        "high_wolf": int(wolf and high),
        "ace_wolf": int(wolf and ace),
        "ace_rabbit": int(rabbit),
        "rank_dingo": RANKS.index(rank) if dingo else 0,
        "rank_wolf": RANKS.index(rank) if wolf else 0,
        "points": points,
    }
    wolves = [states["S"], states["C"]]
    f["doomed"] = int(dingo and "unknown" not in wolves and "passed" not in wolves)
    for state in STATES:
        partner = states["C" if suit == "S" else "S"]
        f[f"partner_{state}"] = int(wolf and partner == state)
        f[f"dingo_{state}"] = int(not dingo and states["H"] == state)
        f[f"wolves_{state}"] = 0 if wolf else wolves.count(state)
        f[f"rabbit_{state}"] = int(ace and not rabbit and states["D"] == state)
    for name, times_points in CARD_TRAITS.items():
        f[times_points] = f[name] * points
    return f


def held_wolves(decision: Decision) -> list[str]:
    """Wolves of the hunted rank in hand."""
    return [card for card in decision.view.hand if card[0] == decision.rank and card[1] in "SC"]


def hunt_options(decision: Decision, swapped: bool) -> list[tuple[str, ...]]:
    """What a policy may lay rather than nothing, least first: of two wolves the lower alone, or first."""
    wolves = sorted(held_wolves(decision), key=lambda card: tie_order(card, swapped))
    options = []
    for n in range(len(wolves) + 1):
        for rabbit in ((), ("AD",)):
            option = (*wolves[:n], *rabbit)
            if option and option in decision.legal:
                options.append(option)
    return options


def hunt_features(decision: Decision, option: Sequence[str], known: set[str]) -> Features:
    """Features of laying `option` in a turn of any hunt, for the kind of decision that the turn is."""
    if decision.kind == "ace_hunt":
        return ace_features(decision, option, known)
    if len(held_wolves(decision)) == 2:
        return both_features(decision, option)
    return lone_features(decision, option, known)


def ledger(decision: Decision, laid: Sequence[tuple[str, str]]) -> Features:
    """Points of a hunt of 2 to K by what they are for, were it over with `laid`.

    dingo: of the dingo player as such; first and second: of the players who laid these wolves.
    """
    rules = decision.view.rules
    p = card_points(decision.rank + "H", rules)
    if not laid:
        return {"dingo": -p, "first": 0, "second": 0}
    if len(laid) == 1:
        return {"dingo": p, "first": 2 * p, "second": 0}
    first_to = rules["first_wolf_to"]
    return {
        "dingo": p + (p if first_to == "dingo_player" else 0),
        "first": p if first_to == "owner" else 0,
        "second": 2 * p,
    }


def points_gained(decision: Decision, option: Sequence[str]) -> Features:
    """The features own_points, dingo_points and first_player_points of laying `option` in a hunt of 2 to K."""
    me = decision.seat
    laid = [*decision.laid, *((me, card) for card in option)]
    before, after = ledger(decision, decision.laid), ledger(decision, laid)
    whose = {"dingo": decision.dingo, "first": laid[0][0]}
    if len(laid) == 2:
        whose["second"] = laid[1][0]
    gain = {part: after[part] - before[part] for part in whose}
    return {
        "own_points": sum(gain[part] for part in whose if whose[part] == me),
        "dingo_points": gain["dingo"] if decision.dingo != me else 0,
        "first_player_points": gain["first"] if whose["first"] != me else 0,
    }


def lone_features(decision: Decision, option: Sequence[str], known: set[str]) -> Features:
    """Features of laying the one wolf that is held."""
    other = decision.rank + ("C" if option[0][1] == "S" else "S")
    to = receiver(other, decision.view)
    if decision.laid:
        where = "own_first" if decision.laid[0][0] == decision.seat else "second"
    elif other in known:
        where = "partner_discarded"
    elif to is None:
        where = "partner_unknown"
    elif to in decision.after:
        where = "partner_passed_later"
    else:
        where = "partner_passed_earlier" if to in decision.before else "partner_with_dingo_player"
    f = dict.fromkeys(LONE_TRAITS, 0)
    f["lay"] = f[where] = 1
    f["first"] = int(not decision.laid)
    f["to_act"] = len(decision.after)
    f["unknown_to_act"] = len(decision.after) * f["partner_unknown"]
    f["passed_to_act"] = len(decision.after) * int(
        where.startswith("partner_") and to is not None and other not in known
    )
    f["place"] = len(decision.before)
    f["circle"] = decision.circle
    p = card_points(option[0], decision.view.rules)
    f.update({f"{name}_points": f[name] * p for name in LONE_TRAITS})
    return f | points_gained(decision, option)


def both_features(decision: Decision, option: Sequence[str]) -> Features:
    """Features of laying one or both of the two wolves that are held."""
    f: Features = {}
    for name, n in (("one", 1), ("two", 2)):
        f[name] = int(len(option) == n)
        f[f"{name}_to_act"] = f[name] * len(decision.after)
        f[f"{name}_place"] = f[name] * len(decision.before)
    p = card_points(option[0], decision.view.rules)
    f.update({f"{name}_points": value * p for name, value in f.items()})
    return f | points_gained(decision, option)


def ace_features(decision: Decision, option: Sequence[str], known: set[str]) -> Features:
    """Features of what is laid in a turn of the ace hunt, summed over its cards, one after the other."""
    view, rules = decision.view, decision.view.rules
    to_act, mine = len(decision.after), decision.dingo == decision.seat
    ace = int(rules["points.ace"])
    swing = int(rules["points.ace_rabbit_alive"]) + int(rules["points.ace_rabbit_dead"])
    rabbit, rabbit_to = state_of("AD", view, known), receiver("AD", view)
    f = dict.fromkeys(ACE_TRAITS, 0)
    out = [card for _, card in decision.laid if card != "AD"]
    for card in option:
        if card == "AD":
            f["rabbit"] += 1
            f["own_points"] += swing
            continue
        other = "AC" if card == "AS" else "AS"
        f["wolf"] += 1
        f["holding_rabbit"] += rabbit == "held"
        f["holding_dingo"] += mine
        f["wolf_out"] += other in out
        f["partner_discarded"] += state_of(other, view, known) == "discarded"
        f["partner_passed"] += other not in out and state_of(other, view, known) == "passed"
        f["to_act"] += to_act
        f["rabbit_discarded"] += rabbit == "discarded"
        f["own_points"] += ace
        if not out:
            f["own_points" if mine else "dingo_points"] += 2 * ace
        out.append(card)
        if len(out) == rules["ace_rabbit_needs"]:
            f["completes"] += 1
            f["completes_to_act"] += to_act
            f["completes_unknown"] += to_act if rabbit == "unknown" else 0
            f["completes_passed_later"] += rabbit == "passed" and rabbit_to in decision.after
            f["completes_passed_earlier"] += rabbit == "passed" and rabbit_to not in decision.after
    f["unknown_swing"] = f["completes_unknown"] * swing
    f["later_swing"] = f["completes_passed_later"] * swing
    return f
