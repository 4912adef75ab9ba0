"""What a Rounce policy may weigh: decisions, features, and the features' values in every situation.

Each decision is a choice among few options (calls; tiles to put aside; tiles and suits to lead; tiles to
follow with). An option's score is a sum of weights times features, all small whole numbers; the option
with the highest score is taken, a tie goes to the earlier option (calls in the order below, tiles by
their number, suits the higher end first). Features depend on few small numbers at a time, so the sums are
added tables, computed once when a table is set up: see `setup.py`.

Height counts all seven trumps of a round, the turn-up among them, from 1 to 7. A tile counts in the suit led
where it belongs to that, and else, no trump, in the suit in which it ranks highest. A tile is unseen if it may
be in another's hand as far as is known and remembered: it is neither held nor laid down, put aside or played by
oneself, nor remembered to be played, nor the turn-up, unless that was taken by another.
"""

from __future__ import annotations

from analyzer.games.spec import DecisionSpec, FeatureSpec

CALLS = ("pass", "fold", "dummy", "take", "defend", "defend_take")
CALL_KINDS = tuple(f"call_{call}" for call in CALLS)
ASIDE_KINDS = ("aside_dummy", "aside_take")
PLAY_KINDS = ("lead_first", "lead_later", "follow_win", "follow_lose", "void")

DECISIONS: tuple[DecisionSpec, ...] = (
    *(DecisionSpec(kind, "call", f"How good the call {kind[5:].replace('_', ' and ')} is.") for kind in CALL_KINDS),
    DecisionSpec("aside_dummy", "aside", "How much a tile drawn as a dummy is worth keeping; the least go face down."),
    DecisionSpec(
        "aside_take", "aside", "How much a tile is worth keeping when the turn-up is taken; the least goes face down."
    ),
    DecisionSpec("lead_first", "lead", "Which tile, as which suit, to lead to the first trick."),
    DecisionSpec("lead_later", "lead", "Which tile, as which suit, to lead to a later trick."),
    DecisionSpec(
        "follow_win",
        "follow",
        "Which tile to play when the suit led can be followed and a legal tile would win so far.",
    ),
    DecisionSpec(
        "follow_lose", "follow", "Which tile to play when the suit led must be followed and no legal tile would win."
    ),
    DecisionSpec("void", "follow", "Which tile to play when the suit led cannot be followed."),
)
KINDS = tuple(decision.name for decision in DECISIONS)

MOST_SCORE = 31
"""Scores are seen from 0 to 31; what lies outside counts as the nearest."""

HAND_FEATURES = (
    ("one", 1, "1"),
    ("trumps", 7, "trumps in hand"),
    ("trumps_squared", 49, "trumps in hand, squared"),
    ("top_trump", 7, "height of the best trump in hand: 7 for the highest, 0 without a trump"),
    ("sure", 7, "trumps in hand that no unseen trump can beat"),
    ("behind_trumps", 7, "trumps in hand, if the lowest score of another is below the own"),
)
PLAIN_FEATURES = (
    (
        "high",
        7,
        "tiles in hand, no trumps, that are the best of a suit: natural doubles with a 6, under trump 6 with a 5",
    ),
    ("voids", 6, "suits without a tile in hand, the trump suit apart; a trump is in no other suit"),
)
SEAT_FEATURES = (
    ("position", 3, "calls before this one"),
    ("dealer", 1, "1 for the dealer"),
    ("to_call", 3, "players still to call after this one"),
    ("folds", 3, "folds so far"),
    ("dummies", 3, "dummies so far"),
    ("in_play", 3, "others who called and are still in"),
    ("players", 4, "players at the table"),
)
SCORE_FEATURES = (
    ("own_score", MOST_SCORE, "own score"),
    ("rival_score", MOST_SCORE, "lowest score of another"),
    ("behind", MOST_SCORE, "own score less the lowest of another, if that is lower"),
    ("own_near", 1, "1 if the own score is no more than the tricks of a round"),
    ("rival_near", 1, "1 if the lowest score of another is no more than the tricks of a round"),
)
TURN_UP_FEATURES = (("turn_up", 7, "height of the turn-up among the trumps, 7 the highest"),)

ASIDE_FEATURES = (
    ("trump", 1, "1 for a trump"),
    ("trump_height", 7, "height of a trump, 7 the highest"),
    ("rank", 7, "no trump: the better of its ranks; 7 for a double that is high"),
    ("low", 7, "no trump: the worse of its ranks"),
    ("double", 1, "no trump: 1 for a double"),
    (
        "company",
        3,
        "no trump: other tiles in hand, no trumps, with one of its numbers, up to 3; before any is put aside",
    ),
)

TILE_FEATURES = (
    ("trump", 1, "1 for a trump"),
    ("rank", 7, "rank in the suit in which it counts; 7 for a double that is high"),
    ("trump_rank", 7, "a trump's rank; 0 for others"),
    ("high", 1, "1 if no unseen tile of the suit in which it counts ranks above it there"),
    ("wins", 1, "1 if it would win the trick so far (a lead: always)"),
    ("company", 3, "other tiles in hand of the suit in which it counts, up to 3"),
)
MOMENT_FEATURES = (
    ("wins_last", 1, "wins, as the last to play"),
    ("wins_after", 3, "wins, times the players to play after this one"),
    ("high_after", 3, "high, times the players to play after this one"),
    ("no_trick_wins", 1, "wins, when no trick was won yet"),
    ("no_trick_high", 1, "high, when no trick was won yet"),
    ("no_trick_trump", 1, "a trump, when no trick was won yet"),
    ("no_trick_left_wins", 7, "wins, when no trick was won yet, times the tricks left, this one too"),
    ("left_wins", 7, "wins, times the tricks left, this one too"),
    ("left_trump", 7, "a trump, times the tricks left, this one too"),
    ("left_high", 7, "high, times the tricks left, this one too"),
)
CALL_TABLES = (HAND_FEATURES, PLAIN_FEATURES, SEAT_FEATURES, SCORE_FEATURES, TURN_UP_FEATURES)

FEATURES: tuple[FeatureSpec, ...] = (
    *(FeatureSpec(name, ("call",), 0, high, text) for table in CALL_TABLES for name, high, text in table),
    *(FeatureSpec(name, ("aside",), 0, high, text) for name, high, text in ASIDE_FEATURES),
    *(FeatureSpec(name, ("lead", "follow"), 0, high, text) for name, high, text in (*TILE_FEATURES, *MOMENT_FEATURES)),
)
