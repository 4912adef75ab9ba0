"""Frequencies of the kernel against odds known in closed form, uniform choices and rounds enumerated exactly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from rounce_batches import begun, new_batches, next_round, random_player, setup_of, table_of
from rounce_deals import rules_with
from scipy import stats

from analyzer.games.rounce import kernel
from analyzer.games.rounce.reference import play_match, replay
from analyzer.games.rounce.reference_view import Deal, Decision
from analyzer.games.rounce.setup import build_setup
from analyzer.games.rounce.state import Setup
from analyzer.games.rounce.tiles import PAIRS, TILE_NAMES, names_of
from analyzer.games.rounce.transcript import _Round, events
from analyzer.games.spec import LANES
from analyzer.kernels import jit

pytestmark = pytest.mark.modes

TINY = 1e-7
FULL = jit.COMPILED
HANDS = 400 if FULL else 5
"""Batches of rounds that are dealt."""
DRAWS = 300 if FULL else 6
"""Batches of the same round played anew."""


@pytest.fixture(autouse=True)
def _wrapping() -> Any:
    with np.errstate(over="ignore"):
        yield


def assert_fits(observed: Mapping[Any, int], chances: Mapping[Any, Fraction]) -> None:
    """Chi-square of counts against exact chances, rare cases taken together; a count of something impossible
    fails at once.
    """
    assert set(observed) <= {case for case, chance in chances.items() if chance}
    total = sum(observed.values())
    rare = {case for case, chance in chances.items() if total * chance < 5}
    cells = [([case], chance) for case, chance in chances.items() if case not in rare]
    if rare:
        cells.append((list(rare), sum((chances[case] for case in rare), Fraction())))
    counts = [sum(observed.get(case, 0) for case in cases) for cases, _ in cells]
    expected = [float(total * chance) for _, chance in cells]
    if len(cells) > 1:
        assert stats.chisquare(counts, expected).pvalue > TINY


# The deal


@pytest.fixture(scope="module", params=[(2, 7), (3, 5), (4, 5)], ids=str)
def dealt(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Turn-ups, dealers and hands by seat of many rounds."""
    players, size = request.param
    setup = setup_of([random_player()] * players, hand_size=size, start_score=1000, max_rounds=100_000)
    found: dict[str, Any] = {"players": players, "size": size, "turn_up": [], "dealt": [], "first_dealer": []}
    with np.errstate(over="ignore"):
        batches = begun(setup, seed=players)
        for number in range(HANDS):
            if number % 8 == 0:
                # Other matches, each with its own first dealer.
                batches = begun(setup, players, number * LANES)
                found["first_dealer"].append(batches[0]["first_dealer"].copy())
            found["turn_up"].append(batches[0]["turn_up"].copy())
            found["dealt"].append(batches[0]["dealt"][:players].copy())
            kernel.advance(batches[0], setup, kernel.last_point(setup))
            next_round(batches, setup)
    for name in ("turn_up", "dealt", "first_dealer"):
        found[name] = np.concatenate(found[name], axis=-1)
    return found


def test_the_trump_is_k_with_chance_k_plus_1_in_28(dealt: dict[str, Any]) -> None:
    observed = Counter(PAIRS[tile][0] for tile in dealt["turn_up"])
    assert_fits(observed, {k: Fraction(k + 1, 28) for k in range(7)})


def test_the_first_dealer_is_uniform(dealt: dict[str, Any]) -> None:
    observed = Counter(dealt["first_dealer"].tolist())
    assert_fits(observed, {seat: Fraction(1, dealt["players"]) for seat in range(dealt["players"])})


def test_trumps_dealt_are_hypergeometric(dealt: dict[str, Any]) -> None:
    size = dealt["size"]
    of_trump = [sum(1 << tile for tile in range(28) if k in PAIRS[tile]) for k in range(7)]
    trumps = [of_trump[PAIRS[tile][0]] for tile in dealt["turn_up"]]
    chances = {
        k: Fraction(comb(6, k) * comb(21, size - k), comb(27, size)) if k <= size else Fraction() for k in range(7)
    }
    for hands in dealt["dealt"]:
        observed = Counter((int(hand) & mask).bit_count() for hand, mask in zip(hands, trumps, strict=True))
        assert_fits(observed, chances)


def test_every_tile_is_dealt_to_every_place_alike(dealt: dict[str, Any]) -> None:
    players, size = dealt["players"], dealt["size"]
    rounds = len(dealt["turn_up"])
    tiles = np.arange(28, dtype=np.uint64)
    hands = (dealt["dealt"][:, :, None] >> tiles & np.uint64(1)).astype(np.int64).sum(axis=1)
    turned = np.bincount(dealt["turn_up"], minlength=28)
    observed = np.vstack([hands, turned, rounds - hands.sum(axis=0) - turned]).astype(float)
    expected = rounds / 28 * np.array([*[size] * players, 1, 27 - players * size], float)[:, None]
    # Both margins of a round are fixed: the statistic (27/28) * sum (O - E)^2 / E has 27 * (places - 1) degrees
    # of freedom.
    statistic = 27 / 28 * ((observed - expected) ** 2 / expected).sum()
    freedom = 27 * (players + 1)
    assert stats.chi2.sf(statistic, freedom) > TINY
    assert stats.chi2.cdf(statistic, freedom) > TINY


def test_tiles_that_are_neighbours_in_number_share_a_hand_as_often_as_they_should(dealt: dict[str, Any]) -> None:
    players, size = dealt["players"], dealt["size"]
    hands = dealt["dealt"]
    pairs = hands & (hands >> np.uint64(1))
    together = sum(int(pair).bit_count() for pair in pairs.reshape(-1))
    rounds = len(dealt["turn_up"])
    mean = 27 * players * size * (size - 1) / (28 * 27)
    # At most that many of the 27 pairs in a round, so its standard deviation is below that of as many coins.
    assert abs(together / rounds - mean) < 5.5 * np.sqrt(27 * players / rounds)


# Uniform choices


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (2, {"winner_leads_trump": False, "must_trump_when": "never", "hand_size": 4}),
        (3, {"defend_allowed": True}),
        (4, {"must_trump_when": "lead_or_void"}),
    ],
)
def test_random_players_choose_uniformly_among_what_is_legal(players: int, rules: dict[str, Any]) -> None:
    """Calls by which are legal; tiles put aside; a lead first by tile, then by suit; tiles that follow."""
    knobs = rules_with(players, start_score=1000, max_rounds=60 if FULL else 3, **rules)
    counts: dict[Any, Counter[Any]] = defaultdict(Counter)

    def watch(decision: Decision, choice: Any) -> None:
        if decision.kind == "call":
            counts["call", decision.legal][choice] += 1
        elif decision.kind == "discard":
            sets = sorted(tuple(sorted(tiles, key=TILE_NAMES.index)) for tiles in decision.legal)
            counts[decision.call, len(sets)][sets.index(choice)] += 1
        elif decision.kind == "follow":
            tiles = sorted(decision.legal)
            counts["follow", len(tiles)][tiles.index(choice)] += 1
        else:
            tiles = sorted({tile for tile, _ in decision.legal})
            counts["lead", len(tiles)][tiles.index(choice[0])] += 1
            suits = [suit for tile, suit in decision.legal if tile == choice[0]]
            counts["suit", len(suits)][suits.index(choice[1])] += 1

    for match in events(knobs, table_of(*[random_player()] * players), 5, 0, LANES, 0):
        replay(match, watch)
    kinds = {key[0] for key in counts}
    assert {"call", "dummy", "take", "lead", "suit", "follow"} <= kinds
    for (kind, options), observed in counts.items():
        each = options if kind == "call" else range(options)
        assert_fits(observed, {option: Fraction(1, len(each)) for option in each})


# A whole round, enumerated


class Path:
    """Random players who choose as told, then the first option each time; with the chance of what they do."""

    def __init__(self, path: list[Any]) -> None:
        self.path, self.depth, self.chance = path, 0, Fraction(1)
        self.others: list[list[Any]] = []
        """Paths that turn off this one where nothing was told."""

    def __call__(self, decision: Decision) -> Any:
        if self.depth == len(self.path):
            self.others += [[*self.path, option] for option in decision.legal[1:]]
            self.path.append(decision.legal[0])
        choice = self.path[self.depth]
        self.depth += 1
        if decision.kind == "lead":
            tiles = [tile for tile, _ in decision.legal]
            self.chance /= len(set(tiles)) * tiles.count(choice[0])
        else:
            self.chance /= len(decision.legal)
        return choice


def enumerated(rules: dict[str, Any], deal: Deal, dealer: int) -> dict[Any, Fraction]:
    """(calls, winners of tricks, changes of score) -> chance, over everything that random players may do."""
    found: dict[Any, Fraction] = defaultdict(Fraction)
    todo: list[list[Any]] = [[]]
    while todo:
        path = Path(todo.pop())
        found[outcome(list(play_match(rules, lambda number: deal, path, dealer)))] += path.chance
        todo += path.others
    assert sum(found.values()) == 1
    return found


def outcome(match: list[dict[str, Any]]) -> Any:
    """What is compared of a match of one round: calls, tiles put aside, the first lead, winners of tricks, changes."""
    calls = [(event["call"], *event.get("discarded", ())) for event in match if event["event"] == "call"]
    tricks = [event for event in match if event["event"] == "trick"]
    lead = [(event["suit"], event["plays"][0]["tile"]) for event in tricks[:1]]
    return tuple(calls), tuple(lead), tuple(event["winner"] for event in tricks), tuple(match[-2]["change"])


def same_round(setup: Setup, unit: int, seed: int) -> np.ndarray:
    """A batch whose lanes are dealt the same round; each draws its choices elsewhere."""
    batches = new_batches()
    for lane in range(LANES):
        kernel.start_match(batches[0], setup.rules[0], setup.seating, lane, np.uint64(seed), unit, 0)
    kernel.deal_round(batches[0], setup)
    return batches


def deal_of(batches: np.ndarray, rules: dict[str, Any]) -> Deal:
    """The round of lane 0 as the plain-Python game is given it; the boneyard in the order drawn."""
    batch = batches.copy()[0]
    hands = [names_of(int(batch["dealt"][seat, 0])) for seat in range(rules["players"])]
    yard: list[str] = []
    for taken in range(rules["dummies_max"]):
        batch["dummies"][0] = taken
        yard += names_of(int(kernel.draw(batch, 0, rules["dummy_draw"])))
    return Deal(hands, TILE_NAMES[int(batch["turn_up"][0])], yard)


@pytest.mark.parametrize(
    ("players", "rules", "unit"),
    [
        (2, {"dummies_max": 0}, 5),
        (2, {"winner_leads_trump": False, "must_trump_when": "never", "doubles": "high"}, 0),
        (2, {"dummies_max": 1, "dummy_draw": 3, "must_trump_above": 0, "must_trump_when": "lead_or_void"}, 5),
        (3, {"dummies_max": 0, "must_trump_above": 1, "must_trump_when": "void"}, 2),
    ],
)
def test_a_round_of_random_players_enumerated_exactly(players: int, rules: dict[str, Any], unit: int) -> None:
    knobs = rules_with(players, hand_size=3, max_rounds=1, **rules)
    table = table_of(*[random_player()] * players)
    setup = build_setup(knobs, table)
    rng = np.random.default_rng(1)
    observed: Counter[Any] = Counter()
    for _ in range(DRAWS):
        batches = same_round(setup, unit, seed=8)
        batch = batches[0]
        batch["round_key"][:] = rng.integers(0, 2**64, LANES, np.uint64)
        dealer, deal = int(batch["dealer"][0]), deal_of(batches, knobs)
        kernel.advance(batch, setup, kernel.last_point(setup))
        observed.update(outcome(_Round(batch, lane, knobs, table, 8).events()) for lane in range(LANES))
    chances = enumerated(knobs, deal, dealer)
    assert len(chances) > 20
    assert_fits(observed, chances)
