"""Knobs of Domino Rounce's rules. The rules in words are in `rules.md` beside this file.

Source: one Indonesian rules text. Where it is silent or can be read two ways a knob decides, marked
`disputed`. Deviations from it are none.
"""

from __future__ import annotations

from analyzer.errors import RulesError
from analyzer.games.rounce.tiles import TILES
from analyzer.games.spec import KnobSpec, Rules

FIRST_DEALERS = ("random", 0, 1, 2, 3)


def boneyard_of(rules: Rules) -> int:
    """Tiles left once everyone is dealt a hand and one is turned up; below 0 when there are too few."""
    return int(TILES - rules["players"] * rules["hand_size"] - 1)


def _dummy_draw(rules: Rules) -> int:
    return int(rules["hand_size"] + (2 if rules["players"] == 4 else 1))


def _dummies_max(rules: Rules) -> int:
    usual = 1 if rules["players"] == 4 else 2
    return min(usual, boneyard_of(rules) // int(rules["dummy_draw"]))


KNOBS: tuple[KnobSpec, ...] = (
    KnobSpec(
        "players",
        "int",
        4,
        "Players at the table.",
        low=2,
        high=4,
        derived_text="as many as the table has seats",
        seats=True,
        alternatives=(2, 3),
        touches=("deal",),
        reference="The match",
    ),
    KnobSpec(
        "start_score",
        "int",
        15,
        "Score that everyone starts with; whoever first comes to 0 or below wins.",
        low=1,
        high=1000,
        alternatives=(7, 21),
        touches=("score",),
        ends=True,
        reference="The match",
    ),
    KnobSpec(
        "first_dealer",
        "choice",
        "random",
        "Who deals the first round: drawn, or always the seat of this number.",
        choices=FIRST_DEALERS,
        alternatives=(0,),
        touches=("deal",),
        reference="The match",
    ),
    KnobSpec(
        "finish_tie",
        "choice",
        "lowest",
        "Who wins when several are at 0 or below after the same round: the lowest score, or all of them.",
        choices=("lowest", "shared"),
        alternatives=("shared",),
        touches=("score",),
        disputed=True,
        reference="The match",
    ),
    KnobSpec(
        "max_rounds",
        "int",
        1000,
        "Rounds after which a match that is not over counts as unfinished, without a winner.",
        low=1,
        high=100_000,
        alternatives=(100, 10_000),
        touches=("play",),
        reference="The match",
    ),
    KnobSpec(
        "hand_size",
        "int",
        5,
        "Tiles dealt to each player, and tricks in a round.",
        low=3,
        high=7,
        alternatives=(4, 6),
        touches=("deal",),
        reference="The deal",
    ),
    KnobSpec(
        "doubles",
        "choice",
        "natural",
        "How a double ranks: as its own number, or as the best tile of its suit, the trump double too.",
        choices=("natural", "high"),
        alternatives=("high",),
        touches=("play",),
        disputed=True,
        reference="Tiles",
    ),
    KnobSpec(
        "fold_allowed",
        "bool",
        True,
        "Whether a player may fold.",
        derive=lambda rules: bool(rules["players"] > 2),
        derived_text="true with 3 or 4 players; with 2 it is false and stays so",
        alternatives=(False,),
        touches=("call",),
        reference="The calls",
    ),
    KnobSpec(
        "dummy_draw",
        "int",
        7,
        "Tiles drawn for a dummy; all above hand_size are put aside.",
        low=1,
        high=27,
        derive=_dummy_draw,
        derived_text="hand_size + 1 with 2 or 3 players, hand_size + 2 with 4",
        alternatives=(5, 6),
        touches=("call",),
        reference="The calls",
    ),
    KnobSpec(
        "dummies_max",
        "int",
        1,
        "Dummies that may be taken in a round, all players together.",
        low=0,
        high=4,
        derive=_dummies_max,
        derived_text="2 with 2 or 3 players, 1 with 4, or as many as the boneyard holds if that is fewer",
        alternatives=(0,),
        touches=("call",),
        reference="The calls",
    ),
    KnobSpec(
        "dealer_takes",
        "bool",
        True,
        "Whether the dealer may take the turn-up for a tile of the hand.",
        alternatives=(False,),
        touches=("call",),
        reference="The calls",
    ),
    KnobSpec(
        "defend_allowed",
        "bool",
        True,
        "Whether the dealer may play without score against one player who took a dummy.",
        derive=lambda rules: bool(rules["players"] == 4),
        derived_text="true with 4 players, false with fewer",
        alternatives=(False,),
        touches=("call", "score"),
        reference="The calls",
    ),
    KnobSpec(
        "winner_leads_trump",
        "bool",
        True,
        "Whether the winner of a trick must lead a trump to the next, if there is one in hand.",
        alternatives=(False,),
        touches=("play",),
        reference="The play",
    ),
    KnobSpec(
        "must_trump_above",
        "int",
        2,
        "Whoever holds more trumps than this must play one, when must_trump_when says.",
        low=0,
        high=7,
        alternatives=(1, 3),
        touches=("play",),
        reference="The play",
    ),
    KnobSpec(
        "must_trump_when",
        "choice",
        "lead",
        "When holding many trumps obliges to play one: on the lead, when void of the suit led, both, or never.",
        choices=("lead", "void", "lead_or_void", "never"),
        alternatives=("void", "lead_or_void", "never"),
        touches=("play",),
        disputed=True,
        reference="The play",
    ),
    KnobSpec(
        "walkover",
        "int",
        5,
        "What the dealer's score falls by when all others fold.",
        low=0,
        high=100,
        alternatives=(0, 3),
        touches=("score",),
        ends=True,
        reference="The score",
    ),
    KnobSpec(
        "rounce_penalty",
        "int",
        5,
        "What the score of a player rises by who played and won no trick.",
        low=0,
        high=100,
        alternatives=(3, 10),
        touches=("score",),
        ends=True,
        reference="The score",
    ),
)


def check_rules(rules: Rules) -> None:
    """RulesError with the arithmetic when the tiles do not suffice, or a knob does not fit the number of players."""
    players, size, draw, dummies = (rules[key] for key in ("players", "hand_size", "dummy_draw", "dummies_max"))
    boneyard = boneyard_of(rules)
    dealt = f"{players} players x {size} tiles + 1 turn-up = {players * size + 1}"
    if boneyard < 0:
        raise RulesError(
            f"rules.hand_size: {size} with {players} players cannot be dealt: {dealt}, but there are {TILES} tiles; "
            f"at most {(TILES - 1) // players} each"
        )
    if rules["first_dealer"] not in ("random", *range(players)):
        raise RulesError(
            f'rules.first_dealer: {rules["first_dealer"]} is no seat; with {players} players: "random" or a seat '
            f"from 0 to {players - 1}"
        )
    if rules["fold_allowed"] and players == 2:
        raise RulesError("rules.fold_allowed: true with 2 players; only 3 or 4 players may fold, so leave it out")
    if dummies > players:
        raise RulesError(
            f"rules.dummies_max: {dummies} with {players} players; each can take one, so at most {players}"
        )
    if dummies and draw < size:
        raise RulesError(
            f"rules.dummy_draw: {draw} tiles are fewer than a hand of {size} (hand_size); draw at least {size}, or set "
            "dummies_max = 0"
        )
    if dummies * draw > boneyard:
        raise RulesError(
            f"rules.dummies_max: {dummies} dummies x {draw} tiles (dummy_draw) = {dummies * draw}, but the boneyard "
            f"holds {boneyard}: {TILES} tiles - ({dealt}); at most {boneyard // draw} dummies of {draw} tiles"
        )
