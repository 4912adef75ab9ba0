"""Dingo's rules page, one test a rule: cards, seats, discards and exchanges, what a player knows."""

from __future__ import annotations

from collections import Counter

import pytest
from dingo_deals import DEFAULTS, Luck, Script, deal_with, events_of, rules_with

from analyzer.errors import RulesError
from analyzer.games.dingo.reference import play
from analyzer.games.dingo.reference_view import DECK, IllegalPlayError, card_points
from analyzer.games.dingo.rules import check_rules

DEFAULT_EXCHANGE = ("discard", "left", "discard", "across", "discard", "right", "discard")


def exchange_of(events: list[dict[str, object]]) -> list[dict[str, object]]:
    return [event for event in events if event["event"] in ("discard", "pass")]


# Cards


def test_the_main_deck_is_13_hearts_13_spades_13_clubs_and_the_ace_of_diamonds() -> None:
    assert len(DECK) == 40
    assert Counter(card[1] for card in DECK) == {"H": 13, "S": 13, "C": 13, "D": 1}


@pytest.mark.parametrize("wrong", ["3S", "2D"])
def test_a_deal_of_another_deck_is_refused(wrong: str) -> None:
    hands = deal_with(S="2S")
    hands["S"][0] = wrong
    with pytest.raises(IllegalPlayError, match="main deck"):
        events_of(hands)


def test_ten_cards_are_dealt_to_each_player() -> None:
    hands = deal_with()
    hands["S"].append(hands["W"].pop())
    with pytest.raises(IllegalPlayError, match="10 cards"):
        events_of(hands)
    with pytest.raises(IllegalPlayError, match="10 cards"):
        events_of({seat: cards for seat, cards in deal_with().items() if seat != "E"})


@pytest.mark.parametrize(
    ("knob", "cards"),
    [
        ("low", ("2H", "7S", "9C", "5D")),
        ("eight", ("8H", "8S", "8C", "8D")),
        ("high", ("TH", "JS", "QC", "KD")),
        ("ace", ("AH", "AS", "AC")),
        ("ace_rabbit_alive", ("AD",)),
    ],
)
def test_each_class_of_cards_has_its_points(knob: str, cards: tuple[str, ...]) -> None:
    default = {"low": 1, "eight": 1, "high": 2, "ace": 3, "ace_rabbit_alive": 10}[knob]
    for card in cards:
        assert card_points(card, DEFAULTS) == default
        for value in (-1000, 0, 1000):
            assert card_points(card, {**DEFAULTS, f"points.{knob}": value}) == value
        for other in ("low", "eight", "high", "ace", "ace_rabbit_alive"):
            if other != knob:
                assert card_points(card, {**DEFAULTS, f"points.{other}": 77}) == default


# Discards and exchanges


def test_by_default_four_discards_and_three_passes_leave_six_cards() -> None:
    script = Script()
    events = events_of(deal_with(), DEFAULTS, script)
    assert [event["step"] for event in exchange_of(events)] == [step for step in range(7) for _ in range(4)]
    kinds = [event["event"] for event in exchange_of(events)][::4]
    assert kinds == ["pass" if word != "discard" else word for word in DEFAULT_EXCHANGE]
    last = [len(hand) for asked, hand in zip(script.asked, script.hands, strict=True) if asked.discard == 4]
    assert last == [7, 7, 7, 7]


@pytest.mark.parametrize(
    "steps",
    [
        (),
        ("discard",),
        ("left", "across", "right"),
        ("right",) * 24,
        ("discard",) * 6,
        ("across", "discard", "across"),
    ],
)
def test_exchange_is_any_list_of_the_four_words(steps: tuple[str, ...]) -> None:
    check_rules(rules_with(exchange=steps))
    events = exchange_of(events_of(deal_with(), rules_with(exchange=steps)))
    assert [event["event"] for event in events[::4]] == ["discard" if word == "discard" else "pass" for word in steps]


def test_every_step_must_always_have_a_legal_card() -> None:
    check_rules(rules_with(exchange=("discard",) * 6 + ("left",) * 18))
    with pytest.raises(RulesError, match=r"step 6 \(discard\) comes with 4 cards in hand; a discard needs at least 5"):
        check_rules(rules_with(exchange=("discard",) * 7))
    check_rules(rules_with(exchange=("discard",) * 10, discard_aces=True))
    with pytest.raises(RulesError, match=r"step 10 \(discard\) comes with 0 cards"):
        check_rules(rules_with(exchange=("discard",) * 11, discard_aces=True))
    with pytest.raises(RulesError, match=r"step 10 \(left\) comes with no card in hand"):
        check_rules(rules_with(exchange=(*("discard",) * 10, "left"), discard_aces=True))


def test_south_discards_first_then_clockwise_one_card_each() -> None:
    events = exchange_of(events_of(deal_with(), rules_with(exchange=("discard",))))
    assert [event["seat"] for event in events] == ["S", "W", "N", "E"]


def test_any_card_but_an_ace_may_be_discarded() -> None:
    hands = deal_with(S="AH AS AC AD 2H 2S 2C KH KS KC")
    script = Script()
    events_of(hands, rules_with(exchange=("discard",)), script)
    assert script.asked[0].legal == ("2H", "2S", "2C", "KH", "KS", "KC")
    for ace in ("AH", "AS", "AC", "AD"):
        with pytest.raises(IllegalPlayError, match="any card but an ace may be discarded"):
            events_of(hands, rules_with(exchange=("discard",)), Script({"S": ace}))


@pytest.mark.parametrize("ace", ["AH", "AS", "AC", "AD"])
def test_with_discard_aces_an_ace_may_be_discarded(ace: str) -> None:
    rules = rules_with(exchange=("discard",), discard_aces=True)
    events = events_of(deal_with(S="AH AS AC AD"), rules, Script({"S": ace}))
    assert events[1] == {"deal": 0, "event": "discard", "step": 0, "seat": "S", "card": ace}


def test_only_a_card_in_hand_can_be_given_away() -> None:
    for word in ("discard", "left"):
        with pytest.raises(IllegalPlayError, match="W does not hold 2H"):
            events_of(deal_with(E="2H"), rules_with(exchange=(word,)), Script({"W": "2H"}))


def test_every_player_sees_each_discard_as_it_is_made() -> None:
    seen = []

    def decide(decision: object) -> object:
        seen.append(list(decision.view.discards))  # type: ignore[attr-defined]
        return script(decision)  # type: ignore[arg-type]

    script = Script({"S": "2H", "W": "3H", "N": "4H", "E": "5H"})
    list(
        play(
            deal_with(S="2H", W="3H", N="4H", E="5H"),
            rules_with(exchange=("discard", "left")),
            decide,
            Luck(),
        )
    )
    made = [("S", "2H"), ("W", "3H"), ("N", "4H"), ("E", "5H")]
    assert seen[:5] == [made[:n] for n in range(5)]


def test_a_pass_to_the_left_goes_round_and_all_but_south_choose_after_receiving() -> None:
    hands = deal_with(S="2S", W="3S", N="4S", E="5S")
    script = Script({"S": "2S", "W": "2S", "N": "2S", "E": "2S"})
    events = exchange_of(events_of(hands, rules_with(exchange=("left",)), script))
    # The card just received may be passed on: it comes back to South.
    assert [(event["from"], event["to"], event["card"]) for event in events] == [
        ("S", "W", "2S"), ("W", "N", "2S"), ("N", "E", "2S"), ("E", "S", "2S"),
    ]  # fmt: skip
    assert [len(hand) for hand in script.hands[:4]] == [10, 11, 11, 11]


def test_a_pass_across_goes_in_the_order_south_west_north_east() -> None:
    script = Script({"S": "2S", "W": "3S", "N": "2S", "E": "3S"})
    events = exchange_of(events_of(deal_with(S="2S", W="3S"), rules_with(exchange=("across",)), script))
    # North and East have already received when they choose.
    assert [(event["from"], event["to"], event["card"]) for event in events] == [
        ("S", "N", "2S"), ("W", "E", "3S"), ("N", "S", "2S"), ("E", "W", "3S"),
    ]  # fmt: skip
    assert [len(hand) for hand in script.hands[:4]] == [10, 10, 11, 11]


def test_of_a_pass_to_the_right_only_east_has_received_when_choosing() -> None:
    script = Script({"S": "2S", "W": "3S", "N": "4S", "E": "2S"})
    events = exchange_of(events_of(deal_with(S="2S", W="3S", N="4S"), rules_with(exchange=("right",)), script))
    assert [(event["from"], event["to"], event["card"]) for event in events] == [
        ("S", "E", "2S"), ("W", "S", "3S"), ("N", "W", "4S"), ("E", "N", "2S"),
    ]  # fmt: skip
    # South and West have received before North and East pass, but after passing themselves.
    assert [len(hand) for hand in script.hands[:4]] == [10, 10, 10, 11]


@pytest.mark.parametrize("ace", ["AH", "AS", "AC", "AD"])
def test_any_card_may_be_passed_aces_included(ace: str) -> None:
    events = events_of(deal_with(N=ace), rules_with(exchange=("left",)), Script({"N": ace}))
    assert events[3] == {"deal": 0, "event": "pass", "step": 0, "from": "N", "to": "E", "card": ace}


# What a player knows


def test_a_player_knows_the_own_hand_passes_and_receipts_and_what_lies_open() -> None:
    script = Script({"S": "9S 2S", "W": "9C 3S", "N": "TS 4S", "E": "TC 5S"}, {"W7": "7C"})
    hands = deal_with(S="2S 9S 7H", W="3S 9C 7C", N="4S TS", E="5S TC")
    events_of(hands, rules_with(exchange=("discard", "left")), script)
    view = next(asked.view for asked in script.asked if asked.seat == "W")
    assert view.received == [("2S", "S")]
    assert view.passed == [("3S", "N")]
    assert view.discards == [("S", "9S"), ("W", "9C"), ("N", "TS"), ("E", "TC")]
    assert ("S", "7H") in view.played
    assert ("W", "7C") in view.played
    assert view.seat == "W"
    assert view.rules["exchange"] == ("discard", "left")
    assert set(vars(view)) == {"seat", "rules", "hand", "discards", "played", "passed", "received"}


def test_views_of_two_players_share_only_what_lies_open() -> None:
    script = Script()
    events_of(deal_with(), DEFAULTS, script)
    views = {asked.seat: asked.view for asked in script.asked}
    for one in "SWNE":
        for other in "SWNE":
            if one != other:
                assert not set(views[one].hand) & set(views[other].hand)
                assert views[one].passed is not views[other].passed
                assert views[one].received is not views[other].received
                assert views[one].discards is views[other].discards
                assert views[one].played is views[other].played
