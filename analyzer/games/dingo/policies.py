"""What a Dingo policy may weigh: decisions, features, and the features' values in every situation.

Everything a player can know about a rank is small: each of its cards is unknown, held, known to be
discarded, or passed away by this player. So all weighted sums are computed once, when a table is set up,
for every situation that exists, and the kernel only looks them up. This module computes those situations'
features, in whole numbers and points of the rules in force.

Exchange: the worth of keeping a card; the card with the lowest worth is discarded or passed. Hunt: the
worth of laying; more than 0 lays. Ties go to the lower card, or to laying less. A feature that ends in
`_points` is the feature without it times the points of the card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.games.dingo.cards import ACE_RANK, RANKS
from analyzer.games.spec import DecisionSpec, FeatureSpec, Rules

NUMBERED_DISCARDS = 4
DIRECTIONS = ("left", "across", "right")

DECISIONS: tuple[DecisionSpec, ...] = (
    *(
        DecisionSpec(
            f"discard_{n}",
            "discard",
            f"Which card to discard at the {n}. discard" + (" and all later ones." if n == NUMBERED_DISCARDS else "."),
        )
        for n in range(1, NUMBERED_DISCARDS + 1)
    ),
    *(
        DecisionSpec(f"pass_{way}", "pass", f"Which card to pass {way if way == 'across' else 'to the ' + way}.")
        for way in DIRECTIONS
    ),
    DecisionSpec("lone_wolf", "lone_wolf", "Whether to lay the one wolf of the hunted rank that is held."),
    DecisionSpec(
        "both_wolves",
        "both_wolves",
        "How many to lay of the two wolves of the hunted rank that are held: none, one or two.",
    ),
    DecisionSpec(
        "ace",
        "ace",
        "How many ace wolves to lay in one's turn of the ace hunt, and whether the ace rabbit with them.",
    ),
)
KINDS = tuple(decision.name for decision in DECISIONS)
EXCHANGE_KINDS = NUMBERED_DISCARDS + len(DIRECTIONS)

UNKNOWN, HELD, DISCARDED, PASSED = range(4)
"""State of a card to its player."""

_EX = ("discard", "pass")
_CARD_FLAGS = (
    ("low_dingo", "1 for a dingo of rank 2 to 9"),
    ("high_dingo", "1 for a dingo of rank T to K"),
    ("ace_dingo", "1 for the ace dingo"),
    ("low_wolf", "1 for a wolf of rank 2 to 9"),
    ("high_wolf", "1 for a wolf of rank T to K"),
    ("ace_wolf", "1 for an ace wolf"),
    ("ace_rabbit", "1 for the ace rabbit"),
)
_STATE_FLAGS = (
    ("partner_held", 1, "wolf: the other wolf of its rank is in hand"),
    ("partner_discarded", 1, "wolf: the other wolf of its rank is known to be discarded"),
    (
        "partner_passed",
        1,
        "wolf: the other wolf of its rank was passed away by this player (and not seen since)",
    ),
    ("dingo_held", 1, "wolf or ace rabbit: the dingo of its rank is in hand"),
    ("dingo_discarded", 1, "wolf or ace rabbit: the dingo of its rank is known to be discarded"),
    ("dingo_passed", 1, "wolf or ace rabbit: the dingo of its rank was passed away by this player"),
    ("wolves_held", 2, "dingo or ace rabbit: wolves of its rank in hand"),
    ("wolves_discarded", 2, "dingo or ace rabbit: wolves of its rank known to be discarded"),
    ("wolves_passed", 2, "dingo or ace rabbit: wolves of its rank passed away by this player"),
    (
        "doomed",
        1,
        "dingo: both wolves of its rank are in hand or known to be discarded, so nobody else can lay one",
    ),
    ("rabbit_held", 1, "ace dingo or ace wolf: the ace rabbit is in hand"),
    ("rabbit_discarded", 1, "ace dingo or ace wolf: the ace rabbit is known to be discarded"),
    ("rabbit_passed", 1, "ace dingo or ace wolf: the ace rabbit was passed away by this player"),
)
CARD_FEATURES = (
    *(name for name, _ in _CARD_FLAGS),
    "rank_dingo",
    "rank_wolf",
    "points",
    *(name for name, _, _ in _STATE_FLAGS),
    *(f"{name}_points" for name, _, _ in _STATE_FLAGS),
)

_LONE = (
    ("lay", 1, "1"),
    ("first", 1, "no wolf of this rank is out"),
    ("second", 1, "another player's wolf of this rank is out, so this one captures the rabbit"),
    ("own_first", 1, "this player's own wolf of this rank is out (circles until a pass)"),
    ("partner_discarded", 1, "first, and the other wolf is known to be discarded"),
    (
        "partner_with_dingo_player",
        1,
        "first, and the other wolf was passed by this player to the dingo player, who has no turn",
    ),
    (
        "partner_passed_later",
        1,
        "first, and the other wolf was passed by this player to someone still to act in this circle",
    ),
    (
        "partner_passed_earlier",
        1,
        "first, and the other wolf was passed by this player to someone whose turn in this circle is over",
    ),
    ("partner_unknown", 1, "first, and nothing is known of the other wolf"),
    ("to_act", 3, "players still to act after this turn in this circle"),
    ("unknown_to_act", 3, "to_act if partner_unknown, else 0"),
    ("passed_to_act", 3, "to_act if the other wolf was passed by this player to anyone (first), else 0"),
    ("place", 3, "turns of this circle before this one"),
    ("circle", 1, "1 in the second circle (circles until a pass)"),
)
LONE_POINTS = ("own_points", "dingo_points", "first_player_points")
LONE_FEATURES = (*(name for name, _, _ in _LONE), *(f"{name}_points" for name, _, _ in _LONE), *LONE_POINTS)

_BOTH = (
    ("one", 1, "1 when one is laid"),
    ("two", 1, "1 when both are laid"),
    ("one_to_act", 3, "players still to act in this circle, when one is laid"),
    ("two_to_act", 3, "players still to act in this circle, when both are laid"),
    ("one_place", 3, "turns of this circle before this one, when one is laid"),
    ("two_place", 3, "turns of this circle before this one, when both are laid"),
)
BOTH_FEATURES = (
    *(name for name, _, _ in _BOTH),
    *(f"{name}_points" for name, _, _ in _BOTH),
    "own_points",
    "dingo_points",
)

_ACE = (
    ("wolf", 1, "1 for each wolf laid"),
    ("holding_rabbit", 1, "wolf laid while holding the ace rabbit"),
    ("holding_dingo", 1, "wolf laid by the ace dingo's player"),
    (
        "wolf_out",
        1,
        "wolf laid when the other ace wolf is already out (also one laid just before in this turn)",
    ),
    ("partner_discarded", 1, "wolf laid when the other ace wolf is known to be discarded"),
    ("partner_passed", 1, "wolf laid when the other ace wolf was passed away by this player and is not out"),
    ("to_act", 3, "wolf laid: players still to act after this turn"),
    ("completes", 1, "wolf laid that makes the number of ace wolves the ace rabbit needs"),
    ("completes_to_act", 3, "completes times the players still to act"),
    (
        "completes_unknown",
        3,
        "completes times the players still to act, when nothing is known of the ace rabbit",
    ),
    (
        "completes_passed_later",
        1,
        "completes, when this player passed the ace rabbit to someone still to act",
    ),
    (
        "completes_passed_earlier",
        1,
        "completes, when this player passed the ace rabbit to someone whose turn is over",
    ),
    ("rabbit_discarded", 1, "wolf laid when the ace rabbit is known to be discarded"),
    ("rabbit", 1, "the ace rabbit is laid"),
)
ACE_POINTS = ("own_points", "dingo_points", "unknown_swing", "later_swing")
ACE_FEATURES = (*(name for name, _, _ in _ACE), *ACE_POINTS)

_MOST = 6000


def _features() -> Iterator[FeatureSpec]:
    for name, text in _CARD_FLAGS:
        yield FeatureSpec(name, _EX, 0, 1, text)
    yield FeatureSpec("rank_dingo", _EX, 0, 12, "dingo: its rank, 2 = 0 to A = 12")
    yield FeatureSpec("rank_wolf", _EX, 0, 12, "wolf: its rank, 2 = 0 to A = 12")
    yield FeatureSpec("points", _EX, -1000, 1000, "points of the card (the ace rabbit: alive)")
    for name, high, text in _STATE_FLAGS:
        yield FeatureSpec(name, _EX, 0, high, text)
    for name, high, _ in _STATE_FLAGS:
        yield FeatureSpec(f"{name}_points", _EX, -1000 * high, 1000 * high, f"{name} times the points of the card")
    for group, table in (("lone_wolf", _LONE), ("both_wolves", _BOTH)):
        for name, high, text in table:
            yield FeatureSpec(name, (group,), 0, high, text)
        for name, high, _ in table:
            yield FeatureSpec(
                f"{name}_points",
                (group,),
                -1000 * high,
                1000 * high,
                f"{name} times the points of a card of this rank",
            )
    for name, high, text in _ACE:
        yield FeatureSpec(name, ("ace",), 0, 2 * high, text)
    swing = (
        "points the laying earns this player at once, if nothing more is laid (a saved dingo counts from its penalty)"
    )
    given = "points the laying gives the dingo player, if that is another (a saved dingo counts from its penalty)"
    yield FeatureSpec("own_points", ("lone_wolf", "both_wolves", "ace"), -_MOST, _MOST, swing)
    yield FeatureSpec("dingo_points", ("lone_wolf", "both_wolves", "ace"), -_MOST, _MOST, given)
    yield FeatureSpec(
        "first_player_points",
        ("lone_wolf",),
        -_MOST,
        _MOST,
        "points the laying gives the first wolf's player, if that is another (a loss is negative)",
    )
    yield FeatureSpec(
        "unknown_swing",
        ("ace",),
        -3 * _MOST,
        3 * _MOST,
        "completes_unknown times what the ace rabbit is worth alive rather than dead",
    )
    yield FeatureSpec(
        "later_swing",
        ("ace",),
        -_MOST,
        _MOST,
        "completes_passed_later times what the ace rabbit is worth alive rather than dead",
    )


FEATURES = tuple(_features())


def rank_points(rank: int, rules: Rules) -> int:
    """Points of a dingo or wolf of a rank 0..12, and of the rabbit hunted with it (2 to K)."""
    if rank == ACE_RANK:
        return int(rules["points.ace"])
    name = RANKS[rank]
    key = "eight" if name == "8" else "low" if rank < 8 else "high"
    return int(rules[f"points.{key}"])


def card_features(rank: int, suit: int, states: tuple[int, int, int, int], rules: Rules) -> dict[str, int]:
    """Features of a held card in the exchange.

    `suit` 0 dingo, 1 and 2 wolves, 3 the ace rabbit; `states` the four cards of the rank as their player
    sees them (the fourth is UNKNOWN below the ace).
    """
    dingo, wolves, rabbit = states[0], (states[1], states[2]), states[3]
    place = 2 if rank == ACE_RANK else 1 if rank >= 8 else 0
    f: dict[str, int] = {}
    f["points"] = points = int(rules["points.ace_rabbit_alive"]) if suit == 3 else rank_points(rank, rules)
    if suit == 0:
        f[("low_dingo", "high_dingo", "ace_dingo")[place]] = 1
        f["rank_dingo"] = rank
        f["doomed"] = int(all(state in (HELD, DISCARDED) for state in wolves))
    elif suit < 3:
        f[("low_wolf", "high_wolf", "ace_wolf")[place]] = 1
        f["rank_wolf"] = rank
        partner = wolves[2 - suit]
        f.update(
            partner_held=int(partner == HELD),
            partner_discarded=int(partner == DISCARDED),
            partner_passed=int(partner == PASSED),
        )
    else:
        f["ace_rabbit"] = 1
    if suit != 0:
        f.update(
            dingo_held=int(dingo == HELD),
            dingo_discarded=int(dingo == DISCARDED),
            dingo_passed=int(dingo == PASSED),
        )
    if suit in (0, 3):
        f.update(
            wolves_held=wolves.count(HELD),
            wolves_discarded=wolves.count(DISCARDED),
            wolves_passed=wolves.count(PASSED),
        )
    if suit != 3 and rank == ACE_RANK:
        f.update(
            rabbit_held=int(rabbit == HELD),
            rabbit_discarded=int(rabbit == DISCARDED),
            rabbit_passed=int(rabbit == PASSED),
        )
    for name, _, _ in _STATE_FLAGS:
        f[f"{name}_points"] = f.get(name, 0) * points
    return f


WHEREABOUTS = (
    "second",
    "own_first",
    "partner_discarded",
    "partner_with_dingo_player",
    "partner_passed_later",
    "partner_passed_earlier",
    "partner_unknown",
)
"""What a player with one wolf of the hunted rank knows of the other; the earliest that applies."""
PASSED_ON = ("partner_with_dingo_player", "partner_passed_later", "partner_passed_earlier")


@dataclass(frozen=True)
class Turn:
    """A turn in a hunt."""

    rank: int
    circle: int
    place: int
    to_act: int
    is_dingo_player: bool


def lone_features(turn: Turn, whereabouts: str, rules: Rules) -> dict[str, int]:
    """Features of laying the one wolf held."""
    p = rank_points(turn.rank, rules)
    first = whereabouts not in ("second", "own_first")
    f = {
        "lay": 1,
        "first": int(first),
        whereabouts: 1,
        "to_act": turn.to_act,
        "place": turn.place,
        "circle": turn.circle,
        "unknown_to_act": turn.to_act if whereabouts == "partner_unknown" else 0,
        "passed_to_act": turn.to_act if whereabouts in PASSED_ON else 0,
    }
    for name, _, _ in _LONE:
        f[f"{name}_points"] = f.get(name, 0) * p
    saved = 2 * p if first else p if rules["first_wolf_to"] == "dingo_player" else 0
    owner_keeps = rules["first_wolf_to"] == "owner"
    own = 2 * p
    if whereabouts == "own_first":
        # The own first wolf had captured the rabbit; now the second does.
        own = p if owner_keeps else 0
    f["first_player_points"] = (-p if owner_keeps else -2 * p) if whereabouts == "second" else 0
    f["own_points"] = own + (saved if turn.is_dingo_player else 0)
    f["dingo_points"] = 0 if turn.is_dingo_player else saved
    return f


def both_features(turn: Turn, laid: int, rules: Rules) -> dict[str, int]:
    """Features of laying `laid` (1 or 2) of the two wolves held."""
    p = rank_points(turn.rank, rules)
    name = ("one", "two")[laid - 1]
    f = {name: 1, f"{name}_to_act": turn.to_act, f"{name}_place": turn.place}
    for other, _, _ in _BOTH:
        f[f"{other}_points"] = f.get(other, 0) * p
    first_to = rules["first_wolf_to"]
    saved = 2 * p + (p if laid == 2 and first_to == "dingo_player" else 0)
    f["own_points"] = 2 * p + (p if laid == 2 and first_to == "owner" else 0) + (saved if turn.is_dingo_player else 0)
    f["dingo_points"] = 0 if turn.is_dingo_player else saved
    return f


RABBIT_HELD, RABBIT_DISCARDED, RABBIT_LATER, RABBIT_EARLIER, RABBIT_UNKNOWN = range(5)
PARTNER_UNKNOWN, PARTNER_DISCARDED, PARTNER_PASSED = range(3)


@dataclass(frozen=True)
class AceTurn:
    """A turn in the ace hunt, as its player sees it."""

    to_act: int
    is_dingo_player: bool
    held: int
    """Ace wolves in hand, 0 to 2."""
    rabbit: int
    """RABBIT_HELD ... RABBIT_UNKNOWN."""
    out: int
    """Ace wolves out before this turn."""
    partner: int
    """PARTNER_...: the ace wolf that is neither held nor out, when there is just one such."""


def ace_features(turn: AceTurn, laid: int, rabbit: bool, rules: Rules) -> dict[str, int]:
    """Features of laying `laid` ace wolves, and the ace rabbit if `rabbit`: the sum over the cards laid, one
    after the other.
    """
    f = dict.fromkeys(ACE_FEATURES, 0)
    ace, needs = int(rules["points.ace"]), int(rules["ace_rabbit_needs"])
    swing = int(rules["points.ace_rabbit_alive"]) + int(rules["points.ace_rabbit_dead"])
    for out in range(turn.out, turn.out + laid):
        f["wolf"] += 1
        f["holding_rabbit"] += turn.rabbit == RABBIT_HELD
        f["holding_dingo"] += turn.is_dingo_player
        f["wolf_out"] += out == 1
        f["partner_discarded"] += turn.partner == PARTNER_DISCARDED
        f["partner_passed"] += turn.partner == PARTNER_PASSED
        f["to_act"] += turn.to_act
        f["rabbit_discarded"] += turn.rabbit == RABBIT_DISCARDED
        f["own_points"] += ace
        if out == 0:
            f["own_points" if turn.is_dingo_player else "dingo_points"] += 2 * ace
        if out + 1 == needs:
            f["completes"] += 1
            f["completes_to_act"] += turn.to_act
            f["completes_unknown"] += turn.to_act if turn.rabbit == RABBIT_UNKNOWN else 0
            f["completes_passed_later"] += turn.rabbit == RABBIT_LATER
            f["completes_passed_earlier"] += turn.rabbit == RABBIT_EARLIER
    f["unknown_swing"] = f["completes_unknown"] * swing
    f["later_swing"] = f["completes_passed_later"] * swing
    if rabbit:
        f["rabbit"] = 1
        f["own_points"] += swing
    return f
