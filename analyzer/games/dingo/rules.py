"""Knobs of Dingo's rules. The rules in words are in `rules.md` beside this file.

Sources: three translations of one rules text (Indonesian, Korean, Japanese), of which the last two hold
the scoring section. Deviations from them are none; where they are silent or can be read two ways a knob
decides, marked `disputed`.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.errors import RulesError
from analyzer.games.spec import KnobSpec, Rules

STEPS = ("discard", "left", "across", "right")
MAX_STEPS = 24
HAND = 10
ACES = 4


def _points(key: str, default: int, text: str, alternatives: tuple[int, ...], **more: object) -> KnobSpec:
    return KnobSpec(
        key=f"points.{key}",
        kind="int",
        default=default,
        low=-1000,
        high=1000,
        text=text,
        alternatives=alternatives,
        touches=("score",),
        reference="Cards",
        **more,  # type: ignore[arg-type]
    )


KNOBS: tuple[KnobSpec, ...] = (
    _points("low", 1, "Points of a card of rank 2 to 9 (the 8 apart).", (2,)),
    _points(
        "eight",
        1,
        "Points of an 8; the value of points.low unless given. The sources leave the 8 out of the list.",
        (0, 2),
        derive=lambda rules: rules["points.low"],
        derived_text="the value of points.low",
        disputed=True,
    ),
    _points("high", 2, "Points of a ten, jack, queen or king.", (1, 3)),
    _points("ace", 3, "Points of the ace dingo and of each ace wolf.", (2, 5)),
    _points("ace_rabbit_alive", 10, "Points of the ace rabbit when it was played.", (5, 15)),
    _points("ace_rabbit_dead", 3, "Points lost with the ace rabbit when it was not played.", (0, 10)),
    KnobSpec(
        "exchange",
        "steps",
        ("discard", "left", "discard", "across", "discard", "right", "discard"),
        "The steps before the hunt: each is a discard by everyone or a pass to the left, across or to the right.",
        choices=STEPS,
        alternatives=((), ("discard", "left", "discard", "right", "discard"), ("left", "across", "right")),
        touches=("exchange",),
        reference="Discards and exchanges",
    ),
    KnobSpec(
        "discard_aces",
        "bool",
        False,
        "Whether an ace may be discarded.",
        alternatives=(True,),
        touches=("exchange",),
        reference="Discards and exchanges",
    ),
    KnobSpec(
        "hunt_order",
        "choice",
        "ascending",
        "In which order the rabbits 2 to K are hunted.",
        choices=("ascending", "descending", "shuffled"),
        alternatives=("descending", "shuffled"),
        touches=("play",),
        reference="The hunt",
    ),
    KnobSpec(
        "wolf_order",
        "choice",
        "left_of_dingo",
        "Who acts first on wolves: the dingo player's left, the dealer's left, or an order drawn for each hunt.",
        choices=("left_of_dingo", "left_of_dealer", "random"),
        alternatives=("left_of_dealer", "random"),
        touches=("play",),
        disputed=True,
        reference="The hunt",
    ),
    KnobSpec(
        "wolf_turns",
        "choice",
        "once",
        "One turn each, or circles until a whole one adds no wolf (the second wolf ends them at once).",
        choices=("once", "until_pass"),
        alternatives=("until_pass",),
        touches=("play",),
        disputed=True,
        reference="The hunt",
    ),
    KnobSpec(
        "dingo_player_may_wolf",
        "bool",
        False,
        "Whether the dingo player may lay wolves, last in the circle.",
        alternatives=(True,),
        touches=("play",),
        reference="The hunt",
    ),
    KnobSpec(
        "first_wolf_to",
        "choice",
        "dingo_player",
        "Whose score pile the first of two wolves goes to.",
        choices=("dingo_player", "owner", "discard"),
        alternatives=("owner", "discard"),
        touches=("score",),
        reference="The hunt",
    ),
    KnobSpec(
        "ace_dingo_player_turn",
        "bool",
        True,
        "Whether the ace dingo's player has a last turn in the ace hunt.",
        alternatives=(False,),
        touches=("play",),
        disputed=True,
        reference="The ace hunt",
    ),
    KnobSpec(
        "ace_rabbit_needs",
        "int",
        2,
        "How many ace wolves must be out before the ace rabbit may be played.",
        low=0,
        high=2,
        alternatives=(0, 1),
        touches=("play",),
        reference="The ace hunt",
    ),
    KnobSpec(
        "caught",
        "choice",
        "disqualified",
        "A player caught with a red card is disqualified, or the cards count in the penalty pile.",
        choices=("disqualified", "penalty"),
        alternatives=("penalty",),
        touches=("score",),
        reference="Disqualification",
    ),
    KnobSpec(
        "tie_break",
        "choice",
        "highest_rabbit",
        "What decides equal top scores: the highest rabbit by rank, by value, or nothing (shared).",
        choices=("highest_rabbit", "highest_value", "shared"),
        alternatives=("highest_value", "shared"),
        touches=("score",),
        disputed=True,
        reference="Result",
    ),
)


def check_rules(rules: Rules) -> None:
    """Walk the exchange with the hand's size; RulesError if a step could be without a legal card."""
    steps: Sequence[str] = rules["exchange"]
    if len(steps) > MAX_STEPS:
        raise RulesError(f"rules.exchange: {len(steps)} steps; at most {MAX_STEPS} are allowed")
    needed = 1 if rules["discard_aces"] else ACES + 1
    held = HAND
    for index, step in enumerate(steps):
        if step == "discard":
            if held < needed:
                why = (
                    f"up to {ACES} aces, which may not be discarded, can sit in one hand"
                    if needed > 1
                    else "the hand is empty"
                )
                raise RulesError(
                    f"rules.exchange: step {index} (discard) comes with {held} cards in hand; a discard needs at least "
                    f"{needed} ({why}); discard less often" + ("" if needed == 1 else " or set discard_aces = true")
                )
            held -= 1
        elif held < 1:
            raise RulesError(
                f"rules.exchange: step {index} ({step}) comes with no card in hand; a pass needs at least 1"
            )
