"""Domino Rounce's rules page, one test a rule: the calls."""

from __future__ import annotations

import pytest
from rounce_deals import Script, deal_with, round_of, rules_with, score_of, tricks_of

from analyzer.errors import RulesError
from analyzer.games.rounce.reference_view import Deal, IllegalPlayError

THREES = rules_with(3, hand_size=3)
FOURS = rules_with(4, hand_size=3)
TWOS = rules_with(2, hand_size=3)
HANDS = ("6-4 4-2 1-0", "3-1 4-0 2-0", "2-1 4-4 3-0", "6-3 3-2 1-1")
DRAWN = "6-6 6-5 2-2 3-3 0-0 4-1 4-3 6-2"


def deal_of(players: int, turn_up: str = "5-0") -> Deal:
    """Trump 5; nobody holds one, the second tile of the boneyard is one."""
    return deal_with(turn_up, *HANDS[:players], boneyard=DRAWN)


def calls_of(events: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(event["seat"], event["call"]) for event in events if event["event"] == "call"]


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_each_calls_once_from_the_dealers_left_and_the_dealer_last(dealer: int) -> None:
    events = round_of(deal_of(3), THREES, Script(), dealer)
    assert calls_of(events) == [((dealer + place) % 3, "pass") for place in (1, 2, 3)]


def test_the_calls_by_default() -> None:
    plain, dealers = {"pass", "dummy"}, {"pass", "dummy", "take"}
    for rules, folds in ((TWOS, set()), (THREES, {"fold"}), (FOURS, {"fold"})):
        script = Script()
        players = rules["players"]
        round_of(deal_of(players), rules, script)
        for seat in range(players - 1):
            assert script.legal("call", seat) == plain | folds
        assert script.legal("call", players - 1) == dealers | folds


def test_a_call_not_heard_of_is_refused() -> None:
    with pytest.raises(IllegalPlayError, match="'knock', which is no call"):
        round_of(deal_of(3), THREES, Script({0: "knock"}))


# Fold


def test_who_folds_plays_no_tile() -> None:
    events = round_of(deal_of(4), FOURS, Script({1: "fold"}))
    for trick in tricks_of(events):
        assert sorted(play["seat"] for play in trick["plays"]) == [0, 2, 3]


def test_fold_allowed_false_forbids_it() -> None:
    script = Script({1: "fold"})
    with pytest.raises(IllegalPlayError, match=r"nobody may fold \(fold_allowed\)"):
        round_of(deal_of(3), {**THREES, "fold_allowed": False}, script)
    assert "fold" not in script.legal("call", 0)


def test_two_players_cannot_fold() -> None:
    assert not TWOS["fold_allowed"]
    with pytest.raises(IllegalPlayError, match="nobody may fold"):
        round_of(deal_of(2), TWOS, Script({0: "fold"}))
    with pytest.raises(RulesError, match=r"rules\.fold_allowed: true with 2 players"):
        rules_with(2, fold_allowed=True)


def test_if_all_others_folded_the_dealer_makes_no_call_and_scores() -> None:
    for walkover in (5, 0, 100):
        script = Script({0: "fold", 1: "fold", 2: "fold"})
        events = round_of(deal_of(4), {**FOURS, "walkover": walkover}, script)
        assert calls_of(events) == [(0, "fold"), (1, "fold"), (2, "fold")]
        assert tricks_of(events) == []
        assert score_of(events) == {
            "match": 0, "round": 0, "event": "score", "tricks": [0, 0, 0, 0], "walkover": 3, "rounced": [],
            "change": [0, 0, 0, -walkover], "scores": [15, 15, 15, 15 - walkover],
        }  # fmt: skip
        assert len(script.asked) == 3


@pytest.mark.parametrize("call", ["pass", "dummy"])
@pytest.mark.parametrize(("size", "lone"), [(3, 0), (4, 1)])
def test_if_the_dealers_fold_leaves_one_player_alone_that_player_wins_all_tricks_unplayed(
    call: str, size: int, lone: int
) -> None:
    hands = [
        f"{hand} {more}" if size == 4 else hand for hand, more in zip(HANDS[:3], ("1-1", "6-1", "6-0"), strict=True)
    ]
    script = Script({**dict.fromkeys(range(3), "fold"), lone: call})
    events = round_of(deal_with("5-0", *hands, boneyard=DRAWN), rules_with(3, hand_size=size, walkover=99), script)
    assert tricks_of(events) == []
    score = score_of(events)
    assert (score["walkover"], score["tricks"], score["rounced"]) == (lone, [0, 0, 0], [])
    assert score["change"] == [-size if seat == lone else 0 for seat in range(3)]


def test_the_dealer_may_fold_before_two_others() -> None:
    events = round_of(deal_of(3), THREES, Script({2: "fold"}))
    assert score_of(events)["walkover"] is None
    assert [play["seat"] for play in tricks_of(events)[0]["plays"]] == [0, 1]


# Dummy


def test_a_dummy_discards_the_hand_draws_and_puts_the_excess_aside() -> None:
    script = Script({0: "dummy"}, {0: "2-2"})
    events = round_of(deal_of(3), THREES, script)
    assert events[1] == {
        "match": 0, "round": 0, "event": "call", "seat": 0, "call": "dummy",
        "drew": ["6-6", "6-5", "2-2", "3-3"], "discarded": ["2-2"],
    }  # fmt: skip
    assert script.legal("discard", 0) == {("6-6",), ("6-5",), ("2-2",), ("3-3",)}
    assert {play["tile"] for trick in tricks_of(events) for play in trick["plays"] if play["seat"] == 0} == {
        "6-6", "6-5", "3-3",
    }  # fmt: skip


@pytest.mark.parametrize(("players", "size", "draw", "most"), [
    (2, 5, 6, 2), (3, 5, 6, 2), (4, 5, 7, 1), (2, 3, 4, 2), (3, 3, 4, 2), (4, 3, 5, 1),
    (2, 7, 8, 1), (3, 7, 8, 0), (4, 6, 8, 0), (3, 6, 7, 1),
])  # fmt: skip
def test_a_dummy_draws_one_more_than_a_hand_or_two_with_four_players(
    players: int, size: int, draw: int, most: int
) -> None:
    rules = rules_with(players, hand_size=size)
    assert (rules["dummy_draw"], rules["dummies_max"]) == (draw, most)


def test_four_players_by_default_draw_the_seven_tiles_left_and_put_two_aside() -> None:
    more = (" 0-0 6-6", " 6-5 2-2", " 3-3 4-1", " 4-3 6-2")
    deal = deal_with("5-0", *(hand + extra for hand, extra in zip(HANDS, more, strict=True)))
    assert len(deal.boneyard) == 7
    script = Script({1: "dummy"})
    events = round_of(deal, rules_with(4), script)
    assert events[2]["drew"] == list(deal.boneyard)
    assert len(events[2]["discarded"]) == 2
    assert len(script.legal("discard", 1)) == 21


def test_dummies_are_drawn_from_the_boneyard_one_after_the_other_and_no_more_than_dummies_max() -> None:
    script = Script({0: "dummy", 1: "dummy"})
    events = round_of(deal_of(3), THREES, script)
    assert events[1]["drew"] == DRAWN.split()[:4]
    assert events[2]["drew"] == DRAWN.split()[4:8]
    assert script.legal("call", 2) == {"pass", "fold", "take"}
    with pytest.raises(IllegalPlayError, match=r"at most 2 dummies are taken in a round \(dummies_max\)"):
        round_of(deal_of(3), THREES, Script({0: "dummy", 1: "dummy", 2: "dummy"}))
    with pytest.raises(IllegalPlayError, match="at most 1 dummies"):
        round_of(deal_of(4), FOURS, Script({0: "dummy", 3: "dummy"}))
    with pytest.raises(IllegalPlayError, match="at most 0 dummies"):
        round_of(deal_of(3), {**THREES, "dummies_max": 0}, Script({0: "dummy"}))
    three = round_of(deal_of(3), rules_with(3, hand_size=3, dummies_max=3), Script(dict.fromkeys(range(3), "dummy")))
    assert calls_of(three) == [(0, "dummy"), (1, "dummy"), (2, "dummy")]


@pytest.mark.parametrize(("draw", "choices"), [(3, 1), (4, 4), (5, 10), (9, 84)])
def test_dummy_draw_is_how_many_are_drawn(draw: int, choices: int) -> None:
    script = Script({0: "dummy"})
    events = round_of(deal_of(3), rules_with(3, hand_size=3, dummy_draw=draw, dummies_max=1), script)
    assert len(events[1]["drew"]) == draw
    assert len(events[1]["discarded"]) == draw - 3
    assert len(script.legal("discard", 0)) == choices


def test_who_took_a_dummy_puts_aside_tiles_drawn_each_once() -> None:
    for aside, words in (("6-4", "without holding 6-4"), ("6-6 6-5", "1 are put aside"), ("", "1 are put aside")):
        with pytest.raises(IllegalPlayError, match=words):
            round_of(deal_of(3), THREES, Script({0: "dummy"}, {0: aside}))
    two = rules_with(3, hand_size=3, dummy_draw=5)
    with pytest.raises(IllegalPlayError, match="2 are put aside"):
        round_of(deal_of(3), two, Script({0: "dummy"}, {0: "6-6 6-6"}))
    events = round_of(deal_of(3), two, Script({0: "dummy"}, {0: "0-0 6-6"}))
    assert events[1]["discarded"] == ["0-0", "6-6"]


def test_the_dealer_may_take_a_dummy_too_and_then_does_not_take_the_turn_up() -> None:
    events = round_of(deal_of(3), THREES, Script({2: "dummy"}))
    assert events[3]["drew"] == DRAWN.split()[:4]


# Take


def test_the_dealer_may_take_the_turn_up_and_puts_one_other_tile_aside() -> None:
    script = Script({2: "take"}, {2: "4-4"})
    events = round_of(deal_of(3), THREES, script)
    assert events[3] == {
        "match": 0, "round": 0, "event": "call", "seat": 2, "call": "take", "drew": ["5-0"], "discarded": ["4-4"],
    }  # fmt: skip
    assert script.legal("discard", 2) == {("2-1",), ("4-4",), ("3-0",)}
    played = [play["tile"] for trick in tricks_of(events) for play in trick["plays"] if play["seat"] == 2]
    assert sorted(played) == ["2-1", "3-0", "5-0"]


def test_the_turn_up_just_taken_may_not_be_put_aside() -> None:
    with pytest.raises(IllegalPlayError, match="the turn-up just taken may not be put aside"):
        round_of(deal_of(3), THREES, Script({2: "take"}, {2: "5-0"}))


def test_only_the_dealer_takes_or_defends() -> None:
    for call in ("take", "defend", "defend_take"):
        with pytest.raises(IllegalPlayError, match="only the dealer may, seat 2"):
            round_of(deal_of(3), THREES, Script({1: call}))


def test_dealer_takes_false_forbids_it() -> None:
    script = Script()
    rules = {**FOURS, "dealer_takes": False}
    round_of(deal_of(4), rules, script)
    assert script.legal("call", 3) == {"pass", "fold", "dummy"}
    with pytest.raises(IllegalPlayError, match=r"may not take the turn-up \(dealer_takes\)"):
        round_of(deal_of(4), rules, Script({3: "take"}))


# Defend


def test_the_dealer_may_defend_against_one_player_left_who_took_a_dummy() -> None:
    script = Script({0: "fold", 1: "dummy", 2: "fold"})
    round_of(deal_of(4), FOURS, script)
    assert script.legal("call", 3) == {"pass", "fold", "take", "defend", "defend_take"}


@pytest.mark.parametrize("calls", [
    {0: "fold", 1: "pass", 2: "fold"}, {0: "pass", 1: "dummy", 2: "fold"}, {0: "pass", 1: "pass", 2: "pass"},
])  # fmt: skip
def test_not_against_two_or_against_a_hand_as_dealt(calls: dict[int, str]) -> None:
    script = Script(calls)
    round_of(deal_of(4), FOURS, script)
    assert not {"defend", "defend_take"} & script.legal("call", 3)
    for call in ("defend", "defend_take"):
        with pytest.raises(IllegalPlayError, match="only against one player left, who took a dummy"):
            round_of(deal_of(4), FOURS, Script({**calls, 3: call}))


def test_defend_allowed_is_true_with_four_players_only_unless_set() -> None:
    assert [rules_with(players)["defend_allowed"] for players in (2, 3, 4)] == [False, False, True]
    for players, calls in ((2, {0: "dummy"}), (3, {0: "fold", 1: "dummy"}), (4, {0: "fold", 1: "fold", 2: "dummy"})):
        for allowed in (False, True):
            script = Script(calls)
            round_of(deal_of(players), rules_with(players, hand_size=3, defend_allowed=allowed), script)
            assert ({"defend", "defend_take"} <= script.legal("call", players - 1)) == allowed
            assert ("defend" in script.legal("call", players - 1)) == allowed


def test_without_dealer_takes_there_is_no_take_with_it() -> None:
    script = Script({0: "fold", 1: "dummy", 2: "fold"})
    round_of(deal_of(4), {**FOURS, "dealer_takes": False}, script)
    assert script.legal("call", 3) == {"pass", "fold", "defend"}


@pytest.mark.parametrize("call", ["defend", "defend_take"])
def test_the_tricks_of_a_defender_do_not_count_and_a_defender_is_not_rounced(call: str) -> None:
    for wins in (False, True):
        # Seat 0 draws 6-6, 6-5, 2-2, 3-3 and 0-0, and leads; of the trumps it keeps 6-5 or none.
        strong = "5-5 5-4 5-3" if wins else "6-3 3-2 1-1"
        deal = deal_with("5-0", *HANDS[:3], strong, boneyard=DRAWN)
        aside = {0: "6-5 0-0" if wins else "2-2 0-0", 3: "5-3" if wins else "1-1"}
        script = Script({0: "dummy", 1: "fold", 2: "fold", 3: call}, aside)
        events = round_of(deal, FOURS, script)
        score = score_of(events)
        assert sum(score["tricks"]) == 3
        assert score["change"][3] == 0
        assert 3 not in score["rounced"]
        assert score["walkover"] is None
        if wins:
            assert score["tricks"][3] == 3
            assert (score["rounced"], score["change"]) == ([0], [5, 0, 0, 0])
        else:
            assert score["change"][0] == -score["tricks"][0] < 0


def test_a_defence_with_a_take_draws_the_turn_up_and_one_without_does_not() -> None:
    calls = {0: "dummy", 1: "fold", 2: "fold"}
    events = round_of(deal_of(4), FOURS, Script({**calls, 3: "defend"}))
    assert events[4] == {"match": 0, "round": 0, "event": "call", "seat": 3, "call": "defend"}
    events = round_of(deal_of(4), FOURS, Script({**calls, 3: "defend_take"}, {3: "3-2"}))
    assert (events[4]["drew"], events[4]["discarded"]) == (["5-0"], ["3-2"])
    with pytest.raises(IllegalPlayError, match="the turn-up just taken may not be put aside"):
        round_of(deal_of(4), FOURS, Script({**calls, 3: "defend_take"}, {3: "5-0"}))
