"""Domino Rounce's rules page, one test a rule: leading, trumping, following, winning a trick."""

from __future__ import annotations

import pytest
from rounce_deals import Script, deal_with, round_of, rules_with, tricks_of

from analyzer.games.rounce.reference_view import TILES, IllegalPlayError

TWOS = rules_with(2, hand_size=3)
THREES = rules_with(3, hand_size=3)
FOURS = rules_with(2, hand_size=4)


# The lead


@pytest.mark.parametrize(
    ("calls", "leader"),
    [({}, 0), ({0: "fold"}, 1), ({0: "fold", 1: "fold"}, 2), ({1: "fold"}, 0), ({0: "fold", 3: "fold"}, 1)],
)
def test_the_first_player_still_in_from_the_dealers_left_leads_first(calls: dict[int, str], leader: int) -> None:
    deal = deal_with("5-0", "6-4 4-2 1-0", "3-1 4-0 2-0", "2-1 4-4 3-0", "6-3 3-2 1-1")
    events = round_of(deal, rules_with(4, hand_size=3), Script(calls))
    assert tricks_of(events)[0]["leader"] == leader


def test_the_others_follow_clockwise_and_the_winner_leads_the_next_trick() -> None:
    deal = deal_with("5-0", "4-1 6-3 2-0", "4-0 1-1 6-2", "6-4 3-0 1-0")
    plays = {0: "4-1 6-3 2-0/2", 1: "4-0/4 1-1 6-2", 2: "6-4 3-0/3 1-0"}
    events = round_of(deal, THREES, Script(plays=plays), dealer=0)
    assert [[play["seat"] for play in trick["plays"]] for trick in tricks_of(events)] == [
        [1, 2, 0], [2, 0, 1], [0, 1, 2],
    ]  # fmt: skip
    assert [(trick["leader"], trick["suit"], trick["winner"]) for trick in tricks_of(events)] == [
        (1, 4, 2), (2, 3, 0), (0, 2, 1),
    ]  # fmt: skip


def test_any_tile_may_be_led_first_as_a_tile_of_either_suit() -> None:
    script = Script()
    round_of(deal_with("5-0", "6-3 4-4 5-2", "1-0 2-0 2-1"), TWOS, script)
    assert script.legal("lead", 0) == {"6-3/6", "6-3/3", "4-4/4", "5-2/5"}


@pytest.mark.parametrize("wrong", ["6-3/4", "5-2/2", "4-4/0"])
def test_a_tile_is_led_only_as_a_suit_it_belongs_to(wrong: str) -> None:
    with pytest.raises(IllegalPlayError, match="to which it does not belong"):
        round_of(deal_with("5-0", "6-3 4-4 5-2", "1-0 2-0 2-1"), TWOS, Script(plays={0: wrong}))


def test_only_a_tile_in_hand_is_led_or_played() -> None:
    deal = deal_with("5-0", "6-3 4-4 5-2", "1-0 2-0 2-1")
    for plays in ({0: "1-0/1"}, {1: "6-3"}, {1: "5-0"}):
        with pytest.raises(IllegalPlayError, match="without holding it"):
            round_of(deal, TWOS, Script(plays=plays))


WINNER = deal_with("5-0", "6-5 5-4 4-2", "1-0 2-0 2-1")


def test_the_winner_of_a_trick_must_lead_a_trump_to_the_next_if_holding_one() -> None:
    script = Script(plays={0: "6-5"})
    round_of(WINNER, TWOS, script)
    assert script.legal("lead", 0, 1) == {"5-4/5"}
    # Without a trump left any tile does.
    assert script.legal("lead", 0, 2) == {"4-2/4", "4-2/2"}
    with pytest.raises(IllegalPlayError, match=r"the winner of a trick leads a trump \(winner_leads_trump\)"):
        round_of(WINNER, TWOS, Script(plays={0: "6-5 4-2/4"}))


def test_it_does_not_bind_the_first_lead() -> None:
    script = Script()
    round_of(WINNER, TWOS, script)
    assert script.legal("lead", 0) == {"6-5/5", "5-4/5", "4-2/4", "4-2/2"}


def test_winner_leads_trump_false_lifts_that() -> None:
    script = Script(plays={0: "6-5 4-2/4"})
    round_of(WINNER, {**TWOS, "winner_leads_trump": False}, script)
    assert script.legal("lead", 0, 1) == {"5-4/5", "4-2/4", "4-2/2"}


def test_it_binds_whoever_has_won_the_trick_by_following() -> None:
    script = Script(plays={0: "2-0/2", 1: "6-2"})
    round_of(deal_with("5-0", "2-0 1-0 1-1", "6-2 4-3 5-4"), TWOS, script)
    assert script.legal("lead", 1, 1) == {"5-4/5"}


# Must trump

MANY = "5-4 5-3 5-2 6-1"
TRUMPS = {"5-4", "5-3", "5-2"}


@pytest.mark.parametrize(("when", "binds"), [("lead", True), ("void", False), ("lead_or_void", True), ("never", False)])
def test_whoever_holds_more_than_two_trumps_must_lead_one(when: str, binds: bool) -> None:
    rules = {**FOURS, "must_trump_when": when}
    deal = deal_with("5-0", MANY, "1-0 2-0 2-1 6-0")
    script = Script()
    round_of(deal, rules, script)
    assert script.legal("lead", 0) == {"5-4/5", "5-3/5", "5-2/5"} | (set() if binds else {"6-1/6", "6-1/1"})
    if binds:
        words = r"led 6-1 with 3 trumps in hand; above 2 a trump must be led \(must_trump_when\)"
        with pytest.raises(IllegalPlayError, match=words):
            round_of(deal, rules, Script(plays={0: "6-1/6"}))
    else:
        round_of(deal, rules, Script(plays={0: "6-1/6"}))


@pytest.mark.parametrize(("when", "binds"), [("lead", False), ("void", True), ("lead_or_void", True), ("never", False)])
def test_whoever_holds_more_than_two_trumps_and_cannot_follow_must_trump(when: str, binds: bool) -> None:
    rules = {**FOURS, "must_trump_when": when}
    deal = deal_with("5-0", "4-4 2-0 2-1 6-0", MANY)
    script = Script(plays={0: "2-0/2"})
    round_of(deal, rules, script)
    assert script.legal("follow", 1) == TRUMPS | (set() if binds else {"6-1"})
    words = "played 6-1 with 3 trumps in hand; above 2 a trump must be played by who cannot follow suit"
    plays = {0: "2-0/2", 1: "6-1"}
    if binds:
        with pytest.raises(IllegalPlayError, match=words):
            round_of(deal, rules, Script(plays=plays))
    else:
        round_of(deal, rules, Script(plays=plays))


@pytest.mark.parametrize("when", ["lead", "void", "lead_or_void", "never"])
def test_following_suit_goes_before_trumping(when: str) -> None:
    script = Script(plays={0: "6-0/6"})
    round_of(deal_with("5-0", "4-4 2-0 2-1 6-0", MANY), {**FOURS, "must_trump_when": when}, script)
    assert script.legal("follow", 1) == {"6-1"}


@pytest.mark.parametrize("above", range(8))
def test_must_trump_above_is_the_number_that_may_be_held_freely(above: int) -> None:
    rules = {**FOURS, "must_trump_above": above, "must_trump_when": "lead_or_void"}
    for trumps, hand in ((0, "6-1 4-3 4-2 3-3"), (1, "5-4 6-1 4-3 3-3"), (3, MANY), (4, "5-4 5-3 5-2 6-5")):
        script = Script()
        round_of(deal_with("5-0", hand, "1-0 2-0 2-1 6-0"), rules, script)
        led = {choice.split("/")[0] for choice in script.legal("lead", 0)}
        assert led == ({tile for tile in hand.split() if "5" in tile} if trumps > above else set(hand.split()))


def test_it_looks_at_the_trumps_held_at_that_moment() -> None:
    rules = {**FOURS, "winner_leads_trump": False}
    script = Script(plays={0: "5-4"})
    round_of(deal_with("5-0", MANY, "1-0 2-0 2-1 6-0"), rules, script)
    # Two trumps are left after the first.
    assert script.legal("lead", 0, 1) == {"5-3/5", "5-2/5", "6-1/6", "6-1/1"}


def test_it_binds_every_lead_and_not_the_first_alone() -> None:
    rules = {**FOURS, "winner_leads_trump": False, "must_trump_above": 1}
    script = Script(plays={0: "5-4 5-3"})
    round_of(deal_with("5-0", MANY, "1-0 2-0 2-1 6-0"), rules, script)
    assert script.legal("lead", 0, 1) == {"5-3/5", "5-2/5"}
    assert script.legal("lead", 0, 2) == {"5-2/5", "6-1/6", "6-1/1"}


def test_a_turn_up_taken_counts_among_the_trumps() -> None:
    rules = {**FOURS, "must_trump_when": "void"}
    for call, legal in (("take", {"5-3", "5-2", "5-5"}), ("pass", {"5-3", "5-2", "6-0", "4-0"})):
        script = Script({1: call}, {1: "4-0"}, {0: "1-1"})
        round_of(deal_with("5-5", "1-1 2-0 2-1 4-2", "5-3 5-2 6-0 4-0"), rules, script)
        assert script.legal("follow", 1) == legal


# Following


def test_a_trump_led_is_followed_with_a_trump() -> None:
    deal = deal_with("5-0", "5-1 4-4 2-0", "5-3 6-5 1-0")
    script = Script(plays={0: "5-1"})
    round_of(deal, TWOS, script)
    assert script.legal("follow", 1) == {"5-3", "6-5"}
    with pytest.raises(IllegalPlayError, match="to a trump with 5-3, 6-5 in hand; who is able must follow suit"):
        round_of(deal, TWOS, Script(plays={0: "5-1", 1: "1-0"}))


def test_a_plain_suit_is_followed_with_a_tile_of_it_that_is_no_trump() -> None:
    deal = deal_with("5-0", "6-3 4-2 1-0", "3-1 6-5 4-0")
    script = Script(plays={0: "6-3/3"})
    round_of(deal, TWOS, script)
    assert script.legal("follow", 1) == {"3-1"}
    with pytest.raises(IllegalPlayError, match="to suit 3 with 3-1 in hand; who is able must follow suit"):
        round_of(deal, TWOS, Script(plays={0: "6-3/3", 1: "6-5"}))


def test_a_trump_does_not_follow_its_other_end() -> None:
    script = Script(plays={0: "6-3/6"})
    round_of(deal_with("5-0", "6-3 4-2 1-0", "3-1 6-5 4-0"), TWOS, script)
    assert script.legal("follow", 1) == {"3-1", "6-5", "4-0"}


def test_a_double_follows_its_suit() -> None:
    script = Script(plays={0: "6-3/6"})
    round_of(deal_with("5-0", "6-3 4-2 1-0", "6-6 3-1 4-0"), TWOS, script)
    assert script.legal("follow", 1) == {"6-6"}


def test_who_cannot_follow_may_play_anything() -> None:
    for led in ("6-3/6", "5-1"):
        script = Script(plays={0: led})
        round_of(deal_with("5-0", "6-3 5-1 1-0", "4-3 4-1 4-0"), TWOS, script)
        assert script.legal("follow", 1) == {"4-3", "4-1", "4-0"}


# Who wins


@pytest.mark.parametrize(
    ("led", "second", "third", "natural", "high"),
    [
        # The highest rank of the suit led; the other end is the rank.
        ("6-3/3", "4-3", "3-0", 0, 0),
        ("6-3/6", "6-4", "6-0", 1, 1),
        ("1-0/0", "4-0", "6-0", 2, 2),
        # Tiles of another suit do not win, however high.
        ("1-0/1", "6-6", "6-4", 0, 0),
        # Trumps beat all, the highest of them wins.
        ("6-3/6", "5-1", "6-4", 1, 1),
        ("6-3/6", "5-1", "5-2", 2, 2),
        ("5-1/5", "5-2", "6-4", 1, 1),
        ("5-2/5", "5-1", "6-5", 2, 2),
        # A double ranks as its own number, or best.
        ("4-3/3", "3-3", "3-1", 0, 1),
        ("3-1/3", "3-3", "3-2", 1, 1),
        ("6-4/4", "4-4", "4-1", 0, 1),
        ("6-6/6", "6-4", "6-3", 0, 0),
        ("1-0/0", "0-0", "2-0", 2, 1),
        ("0-0/0", "1-0", "2-0", 2, 0),
        # The trump double too.
        ("6-5/5", "5-5", "5-4", 0, 1),
        ("5-5/5", "5-4", "5-3", 0, 0),
        ("6-3/3", "5-5", "6-5", 2, 1),
        # A double of another suit is no better for that.
        ("6-3/3", "4-4", "0-0", 0, 0),
    ],
)
def test_the_highest_trump_wins_else_the_highest_rank_of_the_suit_led(
    led: str, second: str, third: str, natural: int, high: int
) -> None:
    tiles, suit = [led.split("/")[0], second, third], led[-1]
    others = [tile for tile in TILES if "5" not in tile and suit not in tile and tile not in tiles]
    hands = [f"{tile} {others.pop()} {others.pop()}" for tile in tiles]
    for doubles, winner in (("natural", natural), ("high", high)):
        script = Script(plays=dict(enumerate((led, second, third))))
        trick = tricks_of(round_of(deal_with("5-0", *hands), {**THREES, "doubles": doubles}, script))[0]
        assert trick["suit"] == int(suit)
        assert trick["winner"] == winner, doubles


def test_doubles_high_counts_in_any_position() -> None:
    deal = deal_with("5-0", "6-4 1-0 2-0", "4-4 1-1 3-0")
    for doubles, winner in (("natural", 0), ("high", 1)):
        events = round_of(deal, {**TWOS, "doubles": doubles}, Script(plays={0: "6-4/4", 1: "4-4"}))
        assert tricks_of(events)[0]["winner"] == winner
