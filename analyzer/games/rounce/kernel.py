"""Domino Rounce, compiled: 64 matches side by side, a round at a time.

`advance` plays the batch's current round from wherever it stands up to a point, or up to a decision that
is made outside; runs, traces and experiments drive that one function. A point is a whole number: first 2
* position for a call and 2 * position + 1 for what is put aside after it, then players * trick + turn for
the tiles, then the score. Lanes that sit a point out (a folded player's turn, a lane whose match is over)
pass it by.
"""

from __future__ import annotations

import numpy as np

from analyzer.games.common.units import NO_WINNER, add_plays, clear_unit, count_units, record_play
from analyzer.games.rounce import state as S
from analyzer.games.rounce.tiles import MAX_SEATS
from analyzer.games.spec import GROUPS, LANES
from analyzer.kernels.bits import ONE, ZERO, U, count, full_mask, gather, high_product, lowest, nth, scatter
from analyzer.kernels.choose import below, subset
from analyzer.kernels.jit import kernel
from analyzer.kernels.rng import GOLDEN, address, mix, repeat_key, unit_key, word

# What a random word is for. Part of every draw's address: a change moves numbers, and raises the game's
# `stream`.
(SHUFFLE, FIRST_DEALER, CALL_NOISE, CALL_PICK, ASIDE_NOISE, ASIDE_PICK, TILE_NOISE, TILE_PICK, MEMORY, PROBE) = range(
    10
)
# Steps of the shuffle: turn-up and five tiles a seat; which of the five, in a smaller hand; the rest in order, for
# larger hands; the boneyard; deals with tiles given.
FIVES, FEWER, MORE, YARD, GIVEN = range(5)

Z = np.int64
ALL_TILES = U(full_mask(28))
CERTAIN = U(0xFFFFFFFFFFFFFFFF)
NEVER = -(1 << 62)
NO_SCORE = (1 << 31) - 1
ASIDE_DUMMY, ASIDE_TAKE = 6, 7
LEAD_FIRST, LEAD_LATER, FOLLOW_WIN, FOLLOW_LOSE, VOID = range(5)
PLAY_KIND = 8
MOST_SCORE = 31
CALLS = 6


@kernel
def happens(key, where, chance):
    """Whether an event of the given chance (of 2^64; the largest is certain) happens."""
    return chance != ZERO and (chance == CERTAIN or word(key, where) < chance)


# The deal -------------------------------------------------------------------------------------------------
# ---------------


@kernel
def start_match(batch, rules, seating, j, seed, unit, play):
    """Seat a lane at the beginning of a match: play number `play` (seating) of a unit; `seating` as in the setup."""
    key = unit_key(seed, U(unit))
    batch.active[j] = 1
    batch.unit[j] = unit
    batch.group[j] = unit // LANES % GROUPS
    batch.play[j] = play
    batch.key[j] = key
    arrangement = unit % rules.combinations * rules.plays + play
    batch.arrangement[j] = arrangement
    drawn = below(key, address(FIRST_DEALER, rules.players, 0), rules.players)
    batch.first_dealer[j] = drawn if rules.first_dealer < 0 else rules.first_dealer
    batch.dealer[j] = batch.first_dealer[j]
    batch.number[j] = 0
    batch.over[j] = 0
    batch.leader[j] = -1
    batch.changes[j] = 0
    batch.was_last[j] = 0
    for s in range(MAX_SEATS):
        batch.policy[s, j] = seating[arrangement, s]
        batch.score[s, j] = rules.start_score


# Ways to choose five tiles out of 27, 22, 17 and 12, and with the turn-up: below 2^59, so that one random word gives
# a round's tiles.
_FIRST, _SECOND, _THIRD, _FOURTH = U(80730), U(26334), U(6188), U(792)
_DEALS = U(28 * 80730 * 26334 * 6188 * 792)
_UNFAIR = U((1 << 64) % (28 * 80730 * 26334 * 6188 * 792))


@kernel
def draw_fives(batch):
    """The turn-up, and which sets of five tiles four seats get, whoever sits there, as rows of Setup.fives.

    All choices come out of one word (see `choose.subset`).
    """
    lanes = batch.lanes
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        where = address(SHUFFLE, FIVES, 0)
        while True:
            low = word(batch.deal_key[j], where)
            turn_up = high_product(low, U(28))
            low = low * U(28)
            first = high_product(low, _FIRST)
            low = low * _FIRST
            second = high_product(low, _SECOND)
            low = low * _SECOND
            third = high_product(low, _THIRD)
            low = low * _THIRD
            fourth = high_product(low, _FOURTH)
            low = low * _FOURTH
            if low >= _DEALS or low >= _UNFAIR:
                break
            where = where + U(1 << 56)
        batch.turn_up[j] = Z(turn_up)
        batch.five[0, j] = first
        batch.five[1, j] = second
        batch.five[2, j] = third
        batch.five[3, j] = fourth


@kernel
def deal_fives(batch, fives):
    """The tiles of the sets drawn; `yard` is the seven others.

    Apart from the drawing, so that the processor fetches from the large table for several lanes at once.
    """
    lanes = batch.lanes
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        rest = ALL_TILES ^ (ONE << U(batch.turn_up[j]))
        for s in range(MAX_SEATS):
            hand = scatter(U(fives[U(batch.five[s, j])]), rest)
            batch.dealt[s, j] = hand
            rest = rest ^ hand
        batch.yard[j] = rest


@kernel
def resize_hands(batch, rules):
    """Hands of another size than five: some of the five, or the five and some of the rest, so that a larger hand
    holds the smaller.
    """
    size = rules.hand_size
    lanes = batch.lanes
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        key, rest = batch.deal_key[j], batch.yard[j]
        for s in range(MAX_SEATS):
            if size < 5:
                batch.dealt[s, j] = subset(key, address(SHUFFLE, FEWER, s), batch.dealt[s, j], 5, size)
        for turn in range(7):
            one = subset(key, address(SHUFFLE, MORE, turn), rest, 7 - turn, 1)
            rest = rest ^ one
            if turn < MAX_SEATS * (size - 5):
                batch.dealt[turn % MAX_SEATS, j] |= one


@kernel
def deal_given(batch, rules):
    """The turn-up and the hands when some tiles are in a hand for sure: uniform over all others."""
    lanes = batch.lanes
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        key, pool = batch.deal_key[j], ALL_TILES
        for s in range(rules.players):
            pool = pool & ~rules.given[s]
        size = count(pool)
        turn_up = subset(key, address(SHUFFLE, GIVEN, MAX_SEATS), pool, size, 1)
        batch.turn_up[j] = lowest(turn_up)
        pool, size = pool ^ turn_up, size - 1
        for s in range(rules.players):
            given = rules.given[s]
            wanted = rules.hand_size - count(given)
            drawn = subset(key, address(SHUFFLE, GIVEN, s), pool, size, wanted)
            batch.dealt[s, j] = given | drawn
            pool, size = pool ^ drawn, size - wanted


@kernel
def clear_round(batch):
    """What no round has yet when it is dealt."""
    for j in range(LANES):
        batch.in_play[j] = 0
        batch.folds[j] = 0
        batch.dummies[j] = 0
        batch.taker[j] = -1
        batch.defender[j] = -1
        batch.walkover[j] = -1
        batch.probe_seat[j] = -1
        batch.seats_in[j] = 0
        batch.played[j] = ZERO
        batch.trick_tiles[j] = ZERO
    for s in range(MAX_SEATS):
        for j in range(LANES):
            batch.call[s, j] = -1
            batch.tricks[s, j] = 0
            batch.change[s, j] = 0
            batch.own_out[s, j] = ZERO
            batch.recall[s, j] = ZERO


@kernel
def deal_round(batch, setup):
    """Deal the next round in every active lane."""
    rules = setup.rules[0]
    batch.cursor = 0
    batch.answered = 0
    clear_round(batch)
    lanes = ZERO
    for j in range(LANES):
        lanes |= U(batch.active[j]) << U(j)
        key = mix(batch.key[j] + U(batch.number[j] + 1) * GOLDEN)
        batch.deal_key[j] = key
        batch.round_key[j] = repeat_key(key, U(rules.again))
    batch.lanes = lanes
    if rules.conditioned:
        deal_given(batch, rules)
    else:
        draw_fives(batch)
        deal_fives(batch, setup.fives)
        if rules.hand_size != 5:
            resize_hands(batch, rules)
    hand_out(batch, rules)
    compare_scores(batch, rules.players)
    if rules.probe:
        for j in range(LANES):
            batch.probe_seat[j] = below(batch.round_key[j], address(PROBE, 0, 0), rules.players)


@kernel
def hand_out(batch, rules):
    """Hands, turn-up and boneyard as they are before the calls."""
    lanes = batch.lanes
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        trump = Z(rules.high_end[U(batch.turn_up[j])])
        batch.trump[j] = trump
        batch.trump_tiles[j] = rules.suit_tiles[U(trump * 8)]
    for j in range(LANES):
        turn_up = ONE << U(batch.turn_up[j])
        batch.face_up[j] = turn_up
        batch.yard[j] = ALL_TILES ^ turn_up
    for s in range(rules.players):
        for j in range(LANES):
            hand = batch.dealt[s, j]
            batch.hand[s, j] = hand
            batch.yard[j] ^= hand


@kernel
def compare_scores(batch, n):
    """The two lowest scores, as policies see them."""
    for j in range(LANES):
        batch.lowest_score[j] = MOST_SCORE
        batch.second_score[j] = MOST_SCORE
    for s in range(n):
        for j in range(LANES):
            score, least = max(0, min(MOST_SCORE, Z(batch.score[s, j]))), Z(batch.lowest_score[j])
            batch.second_score[j] = min(Z(batch.second_score[j]), max(score, least))
            batch.lowest_score[j] = min(least, score)


@kernel
def draw(batch, j, n):
    """Take `n` tiles from the boneyard: some of those that `n` + 1 would be."""
    yard = batch.yard[j]
    if n == count(yard):
        batch.yard[j] = ZERO
        return yard
    left, step = n, 0
    while left > 0:
        part = min(left, 10)
        yard = yard ^ subset(
            batch.deal_key[j], address(SHUFFLE, YARD + 8 * step, batch.dummies[j]), yard, count(yard), part
        )
        left -= part
        step += 1
    drawn = batch.yard[j] ^ yard
    batch.yard[j] = yard
    return drawn


# Calls ----------------------------------------------------------------------------------------------------
# ---------------


@kernel
def caller(batch, rules, position, j):
    """Seat that calls at a position, the dealer last."""
    seat = Z(batch.dealer[j]) + 1 + position
    return seat - rules.players if seat >= rules.players else seat


@kernel
def legal_calls(batch, rules, position, j):
    """A bit for every call that may be made."""
    calls = 1 << S.PASS
    if rules.fold_allowed:
        calls |= 1 << S.FOLD
    if batch.dummies[j] < rules.dummies_max:
        calls |= 1 << S.DUMMY
    if position == rules.players - 1:
        if rules.dealer_takes:
            calls |= 1 << S.TAKE
        if rules.defend_allowed and count(U(batch.in_play[j])) == 1 and batch.dummies[j] == 1:
            calls |= 1 << S.DEFEND
            if rules.dealer_takes:
                calls |= 1 << S.DEFEND_TAKE
    return calls


@kernel
def ends_in(rules, tiles):
    """The numbers that tiles bear, as a set."""
    found = 0
    for quarter in range(4):
        found |= Z(rules.ends[U(128 * quarter) + ((tiles >> U(7 * quarter)) & U(127))])
    return found


@kernel
def best_calls(batch, rules, policies, position, lanes):
    """The call with the highest score, the earliest of equal ones, in each of the lanes."""
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        seat = U(batch.seat[j])
        policy = policies[U(batch.policy[seat, j])]
        calls = legal_calls(batch, rules, position, j)
        hand, trumps = batch.hand[seat, j], batch.trump_tiles[j]
        turn_up = Z(batch.turn_up[j])
        held = Z(rules.hand_cell[U(turn_up * 128) + gather(hand, trumps)])
        plain = hand & ~trumps
        high = count(plain & rules.high_tiles[U(batch.trump[j])])
        voids = 6 - count(U(ends_in(rules, plain)))
        score, rival = Z(batch.score[seat, j]), Z(batch.lowest_score[j])
        own = max(0, min(MOST_SCORE, score))
        # Both read, so that there is a choice of numbers and no jump.
        second_score = Z(batch.second_score[j])
        if own == rival:
            rival = second_score
        behind = 1 if own > rival else 0
        at_hand = (behind * 512 + held) * 8
        at_plain = (high * 7 + voids) * 8
        at_seat = ((position * 4 + Z(batch.folds[j])) * 4 + Z(batch.dummies[j])) * 8
        at_score = (own * 32 + rival) * 8
        at_turn_up = Z(rules.height[U(turn_up)]) * 8
        best = NEVER
        for call in range(CALLS if position == rules.players - 1 else S.TAKE):
            total = policy.call_hand[U(at_hand + call)] + policy.call_plain[U(at_plain + call)]
            total += policy.call_seat[U(at_seat + call)] + policy.call_score[U(at_score + call)]
            total += policy.call_turn_up[U(at_turn_up + call)]
            best = max(best, total if (calls >> call) & 1 else NEVER)
        batch.call[seat, j] = 7 - (best & 7)


@kernel
def other_calls(batch, setup, position, lanes):
    """Calls that are not chosen by policy: those answered from outside, which are written down already, and random ones
    with the policies' chances or for the experiment. The lanes that are left.
    """
    rules = setup.rules[0]
    rest = lanes
    while lanes != ZERO:
        lane = lanes & (ZERO - lanes)
        j = U(lowest(lanes))
        lanes ^= lane
        seat, key = Z(batch.seat[j]), batch.round_key[j]
        if batch.answered and (batch.external >> seat) & 1:
            rest ^= lane
            continue
        policy = setup.policies[U(batch.policy[U(seat), j])]
        if batch.probe_seat[j] == seat or happens(key, address(CALL_NOISE, 0, seat), policy.noise[0]):
            calls = U(legal_calls(batch, rules, position, j))
            batch.call[U(seat), j] = lowest(nth(calls, below(key, address(CALL_PICK, 0, seat), count(calls))))
            rest ^= lane
    return rest


@kernel
def call_turn(batch, setup, position):
    """One position's call in every lane, with the tiles drawn for it."""
    rules = setup.rules[0]
    last = position == rules.players - 1
    lanes = batch.lanes
    for j in range(LANES):
        seat = caller(batch, rules, position, j)
        batch.seat[j] = seat
        if last and batch.active[j] and batch.in_play[j] == 0:
            # Everyone else folded: the dealer scores without a call.
            batch.walkover[j] = seat
            batch.change[U(seat), j] = -rules.walkover
            lanes ^= ONE << U(j)
    policy_lanes = lanes
    if rules.noisy or rules.probe or batch.answered:
        policy_lanes = other_calls(batch, setup, position, lanes)
    best_calls(batch, rules, setup.policies, position, policy_lanes)
    settle_calls(batch, rules, last, lanes)
    draw_tiles(batch, rules)


@kernel
def settle_calls(batch, rules, last, lanes):
    """Who folds, draws or defends by the calls just made; whether one player is left alone."""
    with_dummy, with_take = ZERO, ZERO
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        seat = Z(batch.seat[j])
        call, defender = Z(batch.call[U(seat), j]), Z(batch.defender[j])
        # Bits instead of questions, which the processor would guess wrong.
        folds = (1 << S.FOLD) >> call & 1
        batch.folds[j] += folds
        batch.in_play[j] |= (1 - folds) << seat
        batch.defender[j] = seat if call >= S.DEFEND else defender
        with_dummy |= U((1 << S.DUMMY) >> call & 1) << j
        with_take |= U((1 << S.TAKE | 1 << S.DEFEND_TAKE) >> call & 1) << j
        if last and folds and count(U(batch.in_play[j])) == 1:
            alone = lowest(U(batch.in_play[j]))
            batch.walkover[j] = alone
            batch.change[U(alone), j] = -rules.hand_size
    batch.with_dummy = with_dummy
    batch.with_take = with_take


@kernel
def draw_tiles(batch, rules):
    """New hands for those who took a dummy, the turn-up for a dealer who took it."""
    lanes = batch.with_dummy
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        seat = U(batch.seat[j])
        batch.own_out[seat, j] |= batch.hand[seat, j]
        drawn = draw(batch, j, rules.dummy_draw)
        batch.dummies[j] += 1
        batch.drew[seat, j] = drawn
        batch.hand[seat, j] = drawn
    lanes = batch.with_take
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        seat = Z(batch.seat[j])
        batch.taker[j] = seat
        batch.drew[U(seat), j] = batch.face_up[j]
        batch.hand[U(seat), j] |= batch.face_up[j]
        batch.face_up[j] = ZERO


@kernel
def least_worth(rules, policy, kind, trump, hand, choice, n):
    """The `n` tiles of a set that are least worth keeping, as a set; the lower of equal ones."""
    size, found = count(choice), ZERO
    for taken in range(0, n, 2):
        # Two at a time.
        rest = choice ^ found
        first, second = -NEVER, -NEVER
        for _ in range(size - taken):
            tile = lowest(rest)
            rest = rest & (rest - ONE)
            at = U(trump * 28 + tile)
            near = min(count(hand & U(rules.neighbours[at])), 3)
            worth = policy.aside[U(kind * 1024 + Z(rules.aside_cell[at]) + near)] + tile
            second = min(second, max(first, worth))
            first = min(first, worth)
        found |= ONE << U(first & 31)
        if taken + 1 < n:
            found |= ONE << U(second & 31)
    return found


@kernel
def put_aside(batch, rules, policies, kind, lanes):
    """What seats put aside face down after a dummy (0) or a take (1)."""
    n = 1 if kind else rules.dummy_draw - rules.hand_size
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        seat, key = U(batch.seat[j]), batch.round_key[j]
        policy = policies[U(batch.policy[seat, j])]
        hand = batch.hand[seat, j]
        if not (batch.answered and (U(batch.external) >> seat) & ONE):
            choice = hand & ~batch.drew[seat, j] if kind else hand
            if happens(key, address(ASIDE_NOISE, 0, seat), policy.noise[ASIDE_DUMMY + kind]):
                aside = subset(key, address(ASIDE_PICK, 0, seat), choice, count(choice), n)
            else:
                aside = least_worth(rules, policy, kind, Z(batch.trump[j]), hand, choice, n)
            batch.aside[seat, j] = aside
        aside = batch.aside[seat, j]
        batch.hand[seat, j] = hand & ~aside
        batch.own_out[seat, j] |= aside


# Tricks ---------------------------------------------------------------------------------------------------
# ---------------


@kernel
def order_lanes(batch, rules):
    """Which lanes play tricks and have a player for each turn, as sets, and who leads first."""
    for turn in range(MAX_SEATS):
        batch.turns[turn] = ZERO
    for j in range(LANES):
        plays = batch.active[j] != 0 and batch.walkover[j] < 0
        in_play = Z(batch.in_play[j])
        size = count(U(in_play)) if plays else 0
        batch.seats_in[j] = size
        batch.lead_seat[j] = rules.next_in[U(in_play * MAX_SEATS + Z(batch.dealer[j]))]
        for turn in range(MAX_SEATS):
            batch.turns[turn] |= U(1 if turn < size else 0) << U(j)


@kernel
def open_trick(batch, setup, trick):
    """Set the lanes to the beginning of a trick."""
    if trick == 0:
        order_lanes(batch, setup.rules[0])
    for j in range(LANES):
        batch.seat[j] = batch.lead_seat[j]
        batch.trick_tiles[j] = ZERO


@kernel
def unseen(batch, rules, seat, j):
    """Tiles that may be in another's hand as far as a seat knows."""
    played = batch.recall[seat, j] | batch.trick_tiles[j] if rules.forgets else batch.played[j]
    return ALL_TILES & ~(batch.hand[seat, j] | batch.own_out[seat, j] | played | batch.face_up[j])


@kernel
def may_lead(batch, rules, trick):
    """Tiles that may be led, in every lane; the lanes by how many those are, and apart where all are trumps."""
    least = 1 if trick > 0 and rules.winner_leads_trump else rules.must_trump_above + 1 if rules.must_trump_lead else 8
    kind = LEAD_FIRST if trick == 0 else LEAD_LATER
    lanes = batch.turns[0]
    while lanes != ZERO:
        lane = lanes & (ZERO - lanes)
        j = U(lowest(lanes))
        lanes ^= lane
        hand = batch.hand[U(batch.seat[j]), j]
        trumps = hand & batch.trump_tiles[j]
        legal = trumps if count(trumps) >= least else hand
        batch.legal[j] = legal
        batch.kind[j] = kind
        batch.led[j] = Z(batch.trump[j]) * 8
        batch.winning[j] = ALL_TILES
        batch.options[U(0 if legal == trumps else 1), U(count(legal))] |= lane


@kernel
def may_follow(batch, rules, turn):
    """Tiles that may be played to a lead, in every lane, and which kind of choice it is; the lanes by how many those
    are.
    """
    must_trump = rules.must_trump_above + 1 if rules.must_trump_void else 8
    lanes = batch.turns[turn]
    while lanes != ZERO:
        lane = lanes & (ZERO - lanes)
        j = U(lowest(lanes))
        lanes ^= lane
        hand = batch.hand[U(batch.seat[j]), j]
        suited = hand & rules.suit_tiles[U(batch.led[j])]
        trumps = hand & batch.trump_tiles[j]
        others = trumps if count(trumps) >= must_trump else hand
        legal = suited if suited != ZERO else others
        batch.legal[j] = legal
        batch.kind[j] = max(VOID if suited == ZERO else 0, FOLLOW_WIN if legal & batch.winning[j] else FOLLOW_LOSE)
        batch.options[0, U(count(legal))] |= lane


@kernel
def tile_value(policy, row, told, hand, hidden, wins):
    """A tile's place in the policy's order. `row`: where the order of this decision begins; `told`: the tiles of its
    suit above it, all tiles of that suit, and what it is there (see `told` in state.RULES).
    """
    high = 0 if told & hidden else 1
    near = min(count((told >> U(28)) & hand) - 1, 3)
    return Z(policy.tile_order[U(row + Z(told >> U(56)) + high * 8 + wins * 4 + near)])


@kernel
def order_row(batch, rules, seat, trick, turn, j):
    """Where the policy's order of tiles begins: by decision, whether no trick was won, tricks left, players to come."""
    none = 1 if batch.tricks[seat, j] == 0 else 0
    after = Z(batch.seats_in[j]) - 1 - turn
    return (((Z(batch.kind[j]) * 2 + none) * 8 + rules.hand_size - trick) * 4 + after) * 256


@kernel
def only_tile(batch, trick, turn):
    """The tile played where no other may be and it is of one suit."""
    lanes = batch.options[0, 1]
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        put_tile(batch, trick, turn, lowest(batch.legal[j]), Z(batch.trump[j]), j)


@kernel
def best_lead(batch, rules, policies, trick, n):
    """The first of the best of `n` legal tiles, each in one of its suits, in every lane where that many may be led."""
    lanes = batch.options[1, U(n)]
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        seat, at = U(batch.seat[j]), Z(batch.trump[j]) * 56
        policy = policies[U(batch.policy[seat, j])]
        hand, rest = batch.hand[seat, j], batch.legal[j]
        hidden = unseen(batch, rules, seat, j)
        row = order_row(batch, rules, seat, trick, 0, j)
        best = 0
        for _ in range(n):
            tile = lowest(rest)
            rest = rest & (rest - ONE)
            for way in range(2):
                value = tile_value(policy, row, rules.lead_told[U(at + tile * 2 + way)], hand, hidden, 1)
                best = max(best, value * 64 + 63 - (tile * 2 + way))
        found = 63 - (best & 63)
        put_tile(batch, trick, 0, found >> 1, Z(rules.led_as[U(at + found)]), j)


@kernel
def best_tile(batch, rules, policies, trick, turn, n):
    """The first of the best of `n` legal tiles, in every lane where that many may follow, or be led as trumps."""
    lanes = batch.options[0, U(n)]
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        seat, at = U(batch.seat[j]), Z(batch.led[j]) * 28
        policy = policies[U(batch.policy[seat, j])]
        hand, rest, winning = batch.hand[seat, j], batch.legal[j], batch.winning[j]
        hidden = unseen(batch, rules, seat, j)
        row = order_row(batch, rules, seat, trick, turn, j)
        best = 0
        for _ in range(n):
            tile = lowest(rest)
            rest = rest & (rest - ONE)
            wins = Z((winning >> U(tile)) & ONE)
            value = tile_value(policy, row, rules.told[U(at + tile)], hand, hidden, wins)
            best = max(best, value * 32 + 31 - tile)
        put_tile(batch, trick, turn, 31 - (best & 31), Z(batch.trump[j]), j)


@kernel
def put_tile(batch, trick, turn, tile, suit, j):
    """Write down a tile chosen and, for a lead, the suit."""
    batch.tile[trick * MAX_SEATS + turn, j] = tile
    if turn == 0:
        batch.suit[trick, j] = suit


@kernel
def random_tile(batch, rules, seat, trick, turn, j):
    """A uniform legal tile and, for a lead, a uniform suit of it."""
    key, legal = batch.round_key[j], batch.legal[j]
    tile = lowest(nth(legal, below(key, address(TILE_PICK, trick, seat), count(legal))))
    at = (Z(batch.trump[j]) * 28 + tile) * 2
    first, second = Z(rules.led_as[U(at)]), Z(rules.led_as[U(at + 1)])
    suit = first
    if turn == 0 and first != second and below(key, address(TILE_PICK, trick, Z(seat) + 4), 2):
        suit = second
    put_tile(batch, trick, turn, tile, suit, j)


@kernel
def other_choices(batch, setup, trick, turn):
    """Tiles that are not chosen by policy: those answered from outside, which are written down already, and random
    ones with the policies' chances. Their lanes leave `options`.
    """
    rules = setup.rules[0]
    # Who follows with the only tile has no choice.
    lanes = batch.turns[turn] if turn == 0 else batch.turns[turn] & ~batch.options[0, 1]
    chosen = ZERO
    while lanes != ZERO:
        lane = lanes & (ZERO - lanes)
        j = U(lowest(lanes))
        lanes ^= lane
        seat = U(batch.seat[j])
        if batch.answered and (U(batch.external) >> seat) & ONE:
            chosen |= lane
            continue
        policy = setup.policies[U(batch.policy[seat, j])]
        chance = policy.noise[U(PLAY_KIND + Z(batch.kind[j]))]
        if happens(batch.round_key[j], address(TILE_NOISE, trick, seat), chance):
            random_tile(batch, rules, seat, trick, turn, j)
            chosen |= lane
    for n in range(rules.hand_size + 1):
        batch.options[0, n] &= ~chosen
        batch.options[1, n] &= ~chosen


@kernel
def tile_turn(batch, setup, trick, turn):
    """One turn of a trick in every lane that has a player for it.

    Lanes are served by how many tiles are legal, so that the choice among them takes no turn the processor cannot
    foresee.
    """
    rules = setup.rules[0]
    size = rules.hand_size - trick
    for n in range(rules.hand_size + 1):
        batch.options[0, n] = ZERO
        batch.options[1, n] = ZERO
    if turn == 0:
        may_lead(batch, rules, trick)
    else:
        may_follow(batch, rules, turn)
    if rules.noisy or batch.answered:
        other_choices(batch, setup, trick, turn)
    only_tile(batch, trick, turn)
    for n in range(1, size + 1):
        if n > 1 and batch.options[0, n]:
            best_tile(batch, rules, setup.policies, trick, turn, n)
        if batch.options[1, n]:
            best_lead(batch, rules, setup.policies, trick, n)
    lay_tiles(batch, rules, trick, turn)


@kernel
def lay_tiles(batch, rules, trick, turn):
    """Put the tiles chosen on the table."""
    lanes = batch.turns[turn]
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        seat, tile = Z(batch.seat[j]), Z(batch.tile[trick * MAX_SEATS + turn, j])
        one = ONE << U(tile)
        if turn == 0:
            batch.led[j] = Z(batch.trump[j]) * 7 + Z(batch.suit[trick, j])
            batch.leads[trick, j] = seat
        # If it wins, those above it in its suit would still win and, if that is not trump, all trumps. Masks instead of
        # questions, which the processor would guess wrong.
        told, winning, best_seat = rules.told[U(Z(batch.led[j]) * 28 + tile)], batch.winning[j], Z(batch.best_seat[j])
        above = told | (batch.trump_tiles[j] & ((told >> U(63)) - ONE))
        wins = (winning >> U(tile)) & ONE
        batch.best_seat[j] = best_seat ^ ((best_seat ^ seat) & -Z(wins))
        batch.winning[j] = winning & (above | (wins - ONE))
        batch.hand[U(seat), j] ^= one
        batch.played[j] |= one
        if rules.forgets:
            batch.own_out[U(seat), j] |= one
            batch.trick_tiles[j] |= one
        batch.seat[j] = rules.next_in[U(Z(batch.in_play[j]) * MAX_SEATS + seat)]


@kernel
def close_trick(batch, setup, trick):
    """Give the trick to its winner."""
    rules = setup.rules[0]
    lanes = batch.turns[0]
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        winner = Z(batch.best_seat[j])
        batch.tricks[U(winner), j] += 1
        batch.winner[trick, j] = winner
        batch.lead_seat[j] = winner
        if rules.forgets:
            remember(batch, setup, j)


@kernel
def remember(batch, setup, j):
    """What each seat remembers of the trick just played, by its policy's memory."""
    for s in range(setup.rules[0].players):
        policy = setup.policies[U(batch.policy[s, j])]
        memory = policy.memory
        if memory == S.PERFECT:
            batch.recall[s, j] |= batch.trick_tiles[j]
        elif memory == S.TOP_CARD:
            batch.recall[s, j] = batch.trick_tiles[j]
        elif memory == S.CHANCE:
            tiles = batch.trick_tiles[j]
            while tiles != ZERO:
                one = tiles & (ZERO - tiles)
                tiles ^= one
                if happens(batch.round_key[j], address(MEMORY, lowest(one), s), policy.remember):
                    batch.recall[s, j] |= one


# The score ------------------------------------------------------------------------------------------------
# ---------------


@kernel
def score_round(batch, setup):
    """Score changes of the round, the next dealer, and whether the match is over."""
    rules = setup.rules[0]
    n = rules.players
    for j in range(LANES):
        batch.rounced[j] = 0
        batch.least[j] = NO_SCORE
        batch.tricks_won[j] = 0
        batch.total_change[j] = 0
    for s in range(n):
        score_seat(batch, rules, s)
    for j in range(LANES):
        active, least = batch.active[j] != 0, Z(batch.least[j])
        number, dealer, over = Z(batch.number[j]), Z(batch.dealer[j]) + 1, Z(batch.over[j])
        dealer = 0 if dealer == n else dealer
        number += 1 if active else 0
        ends = 1 if least <= 0 else 2 if number >= rules.max_rounds else 0
        batch.number[j] = number
        batch.over[j] = ends if active else over
        batch.dealer[j] = dealer
    for j in range(LANES):
        if batch.active[j] and batch.over[j]:
            share_win(batch, rules, Z(batch.least[j]), j)


@kernel
def score_seat(batch, rules, s):
    """Score changes of one seat in every lane."""
    penalty = rules.rounce_penalty
    for j in range(LANES):
        in_play = (Z(batch.in_play[j]) >> s) & 1 if batch.walkover[j] < 0 else 0
        counts = in_play != 0 and batch.defender[j] != s
        tricks, fixed = Z(batch.tricks[s, j]), Z(batch.change[s, j])
        earned = penalty if tricks == 0 else -tricks
        change = earned if counts else fixed
        score = Z(batch.score[s, j]) + change
        batch.change[s, j] = change
        batch.score[s, j] = score
        batch.least[j] = min(Z(batch.least[j]), score)
        batch.rounced[j] |= 1 << s if counts and tricks == 0 else 0
        batch.tricks_won[j] += tricks
        batch.total_change[j] += change


@kernel
def lowest_score(batch, n, j):
    """Lowest score of n seats in one lane."""
    least = Z(batch.score[0, j])
    for s in range(1, n):
        least = min(least, Z(batch.score[s, j]))
    return least


@kernel
def share_win(batch, rules, least, j):
    """Shares of the win in twelfths, when a match is over; none if it is unfinished."""
    winners = 0
    for s in range(rules.players):
        score = Z(batch.score[s, j])
        won = score <= 0 if rules.finish_shared else score == least
        batch.win[s, j] = 1 if won and batch.over[j] == 1 else 0
        winners += Z(batch.win[s, j])
    for s in range(rules.players):
        batch.win[s, j] = Z(batch.win[s, j]) * 12 // max(1, winners)


@kernel
def last_point(setup):
    """The point at which the round is scored."""
    rules = setup.rules[0]
    return 2 * rules.players + rules.players * rules.hand_size + 1


@kernel
def outside_acts(batch, rules, point, calls):
    """Whether anyone outside is to choose at a point."""
    for j in range(LANES):
        if not batch.active[j] or batch.walkover[j] >= 0:
            continue
        if point < calls:
            seat = caller(batch, rules, point >> 1, j)
            if point & 1:
                call = batch.call[seat, j]
                acts = call == S.DUMMY or call == S.TAKE or call == S.DEFEND_TAKE
            else:
                acts = point >> 1 < rules.players - 1 or batch.in_play[j] != 0
        else:
            seat = Z(batch.seat[j])
            acts = (point - calls) % rules.players < batch.seats_in[j]
        if acts and (batch.external >> seat) & 1:
            return True
    return False


@kernel
def advance(batch, setup, until):
    """Play the round on from the batch's cursor up to point `until`, or to a decision of an outside seat not
    answered yet.

    Outside seats are the bits of `batch.external`. An answer is put into `call`, `aside`, or `tile` and
    (a lead) `suit`, and `answered` set to 1; then `advance` is called again. Returns the cursor.
    """
    rules = setup.rules[0]
    n = rules.players
    calls = 2 * n
    tiles = calls + n * rules.hand_size
    while batch.cursor < until:
        at = batch.cursor
        trick, turn = (at - calls) // n, (at - calls) % n
        if calls <= at < tiles and turn == 0 and not batch.answered:
            open_trick(batch, setup, trick)
        if at < tiles and batch.external and not batch.answered and outside_acts(batch, rules, at, calls):
            break
        if at < calls:
            if at & 1:
                put_aside(batch, rules, setup.policies, 0, batch.with_dummy)
                put_aside(batch, rules, setup.policies, 1, batch.with_take)
            else:
                call_turn(batch, setup, at >> 1)
        elif at < tiles:
            tile_turn(batch, setup, trick, turn)
            if turn == n - 1:
                close_trick(batch, setup, trick)
        else:
            score_round(batch, setup)
        batch.answered = 0
        batch.cursor = at + 1
    return batch.cursor


@kernel
def begin_through(batches, setup, seed, unit, play):
    """Seat one play of the units `unit` ... `unit` + 63, one a lane."""
    batch = batches[0]
    batch.external = 0
    rules = setup.rules[0]
    for j in range(LANES):
        start_match(batch, rules, setup.seating, j, seed, unit + j, play)


@kernel
def round_through(batches, setup):
    """Deal and play one round in every lane whose match goes on; the number of such lanes."""
    batch = batches[0]
    going = 0
    for j in range(LANES):
        if batch.over[j]:
            batch.active[j] = 0
        going += batch.active[j]
    if going:
        deal_round(batch, setup)
        advance(batch, setup, last_point(setup))
    return going


# The tallies ----------------------------------------------------------------------------------------------
# ---------------


@kernel
def dummies_before(batch, rules, position, j):
    """Dummies taken in this round before a position's call; the dealer has already passed to the next seat."""
    taken = 0
    for earlier in range(position):
        seat = (Z(batch.dealer[j]) + earlier) % rules.players
        taken += 1 if batch.call[seat, j] == S.DUMMY else 0
    return taken


# A packed counter: how often, in the lowest 16 bits; a sum below 2^20; above, in 27 bits, a sum of score changes, each
# raised by BIAS so that none is negative. Emptied after some 60,000 rounds: one round adds at most 1, 7 and 8 * BIAS.
BIAS = 100
PENDING_MOST = 60_000


@kernel
def packed(extra, change):
    """What one case adds to a packed counter; the change of as many seats as the bias was added for is in `change`."""
    return 1 + (extra << 16) + (change << 36)


@kernel
def empty_into(counter, lift, row, n_at, extra_at, change_at, cell):
    """Add a packed counter to the counters it stands for."""
    n = counter & 0xFFFF
    row[n_at + cell] += n
    row[extra_at + cell] += (counter >> 16) & 0xFFFFF
    row[change_at + cell] += (counter >> 36) - lift * n


@kernel
def empty_sums(batch, setup, grouped):
    """Add all packed counters to the tallies and set them to 0."""
    rules, at = setup.rules[0], setup.at
    for g in range(GROUPS):
        row = grouped[g]
        for cell in range(28 * 3):
            counter = batch.tile_sums[g, cell]
            if counter:
                empty_tile(rules, at, row, cell // 3, cell % 3, counter)
            batch.tile_sums[g, cell] = 0
        for cell in range(MAX_SEATS * 64):
            counter = batch.call_sums[g, cell]
            if counter:
                empty_call(at, row, cell // 64, cell // 8 % 8, cell % 8, counter)
            batch.call_sums[g, cell] = 0
        for trump in range(7):
            counter = batch.trump_sums[g, trump]
            n = counter & 0xFFFF
            row[at[S.ROUNDS]] += n
            row[at[S.TRICKS]] += (counter >> 16) & 0xFFFFF
            empty_into(counter, 4 * BIAS, row, at[S.TRUMP], at[S.TRUMP_TRICKS], at[S.TRUMP_CHANGE], trump)
            batch.trump_sums[g, trump] = 0
        for cell in range(16):
            # A round is played if there is a first lead.
            row[at[S.PLAYED]] += batch.lead_sums[g, cell] & 0xFFFF
            empty_into(batch.lead_sums[g, cell], BIAS, row, at[S.LEAD_N], at[S.LEAD_WON], at[S.LEAD_CHANGE], cell)
            batch.lead_sums[g, cell] = 0
        for position in range(rules.players):
            row[at[S.POSITION_CHANGE_SQ] + position] += batch.square_sums[g, position]
            batch.square_sums[g, position] = 0
    batch.pending = 0


@kernel
def empty_tile(rules, at, row, tile, end, counter):
    """One tile's counter: `end` 0 as a plain tile, 1 or 2 with its higher or lower end as trump."""
    cell = tile * 2 + (1 if end > 0 else 0)
    empty_into(counter, BIAS, row, at[S.TILE_N], at[S.TILE_TRICKS], at[S.TILE_CHANGE], cell)
    if end > 0:
        high = Z(rules.high_end[tile])
        trump = high if end == 1 else tile - high * (high + 1) // 2
        rank = Z(rules.told[trump * 8 * 28 + tile] >> U(60)) & 7
        empty_into(counter, BIAS, row, at[S.TRUMP_RANK_N], at[S.TRUMP_RANK_TRICKS], at[S.TRUMP_RANK_CHANGE], rank)


@kernel
def empty_call(at, row, position, call, trumps, counter):
    """One counter of a position's call with so many trumps; 7 is no call."""
    n = counter & 0xFFFF
    change = (counter >> 36) - BIAS * n
    row[at[S.DEALT_TRUMPS] + trumps] += n
    row[at[S.POSITION_N] + position] += n
    row[at[S.POSITION_CHANGE] + position] += change
    row[at[S.CHANGE_SUM]] += change
    row[at[S.ROUNCED]] += (counter >> 16) & 0xFFFFF
    if call < CALLS:
        empty_into(counter, BIAS, row, at[S.CALLS], at[S.CALL_ROUNCED], at[S.CALL_CHANGE], position * CALLS + call)
        empty_into(
            counter,
            BIAS,
            row,
            at[S.CALL_TRUMPS_N],
            at[S.CALL_TRUMPS_ROUNCED],
            at[S.CALL_TRUMPS_CHANGE],
            call * 8 + trumps,
        )


@kernel
def count_probes(batch, rules, at, grouped):
    """The experiment's calls, by what may stand for them, position, trumps and the highest of them."""
    lanes = batch.lanes
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        s = Z(batch.probe_seat[j])
        call, dealt = Z(batch.call[s, j]), batch.dealt[s, j]
        if call < 0:
            continue
        position = position_of(batch, rules, s, j)
        arm = CALLS if call == S.PASS and dummies_before(batch, rules, position, j) >= rules.dummies_max else call
        # Trumps and the highest of them, as `hand_cell` has them.
        held = Z(rules.hand_cell[U(Z(batch.turn_up[j]) * 128) + gather(dealt, batch.trump_tiles[j])]) >> 3
        cell = (arm * rules.players + position) * 64 + held
        row = grouped[Z(batch.group[j])]
        row[at[S.CHART_N] + cell] += 1
        row[at[S.CHART_CHANGE] + cell] += Z(batch.change[s, j])
        row[at[S.CHART_ROUNCED] + cell] += (Z(batch.rounced[j]) >> s) & 1


@kernel
def position_of(batch, rules, s, j):
    """When a seat called, from 0; the dealer has already passed to the next seat."""
    position = s - Z(batch.dealer[j])
    return position + rules.players if position < 0 else position


@kernel
def count_seat(batch, rules, s):
    """One seat's round in every lane: its call, its trumps and what each of its tiles came with."""
    lanes = batch.lanes
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        group, dealt = U(batch.group[j]), batch.dealt[s, j]
        change, call, position = Z(batch.change[s, j]), Z(batch.call[s, j]), position_of(batch, rules, s, j)
        trumps = count(dealt & batch.trump_tiles[j])
        rounced = (Z(batch.rounced[j]) >> s) & 1
        batch.call_sums[group, U((position * 8 + (call & 7)) * 8 + trumps)] += packed(rounced, change + BIAS)
        batch.square_sums[group, U(position)] += change * change
        each, at_trump = packed(Z(batch.tricks[s, j]), change + BIAS), Z(batch.trump[j]) * 28
        for _ in range(rules.hand_size):
            tile = lowest(dealt)
            dealt = dealt & (dealt - ONE)
            batch.tile_sums[group, U(rules.tile_cell[U(at_trump + tile)])] += each


@kernel
def count_rounds(batch, rules, at, grouped):
    """Everything that is counted once a round, in every lane that took part."""
    n = rules.players
    for s in range(n):
        count_seat(batch, rules, s)
    lanes = batch.lanes
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        group, trump = U(batch.group[j]), Z(batch.trump[j])
        change = Z(batch.total_change[j]) + MAX_SEATS * BIAS
        batch.trump_sums[group, U(trump)] += packed(Z(batch.tricks_won[j]), change)
        defender = Z(batch.defender[j])
        if defender >= 0:
            grouped[group, at[S.DEFENDED]] += 1
            grouped[group, at[S.DEFENDED_TRICKS]] += Z(batch.tricks[defender, j])
        if batch.walkover[j] >= 0:
            grouped[group, at[S.WALKOVER_DEALER if batch.in_play[j] == 0 else S.WALKOVER_LAST]] += 1
            continue
        leader, suit, tile = Z(batch.leads[0, j]), Z(batch.suit[0, j]), Z(batch.tile[0, j])
        rank = Z(rules.told[U((trump * 7 + suit) * 28 + tile)] >> U(60)) & 7
        won = 1 if batch.winner[0, j] == leader else 0
        cell = U((8 if suit == trump else 0) + rank)
        batch.lead_sums[group, cell] += packed(won, Z(batch.change[U(leader), j]) + BIAS)
    if rules.probe:
        count_probes(batch, rules, at, grouped)


@kernel
def follow_lead(batch, n):
    """After a round: who leads alone, whether the lead changed, and who was ever last alone."""
    for j in range(LANES):
        batch.least[j] = batch.score[0, j]
        batch.most[j] = batch.score[0, j]
        # Seats with the lowest and the highest score, as sets.
        batch.first[j] = 0
        batch.last[j] = 0
    for s in range(1, n):
        for j in range(LANES):
            score = Z(batch.score[s, j])
            batch.least[j] = min(Z(batch.least[j]), score)
            batch.most[j] = max(Z(batch.most[j]), score)
    for s in range(n):
        for j in range(LANES):
            batch.first[j] |= 1 << s if batch.score[s, j] == batch.least[j] else 0
            batch.last[j] |= 1 << s if batch.score[s, j] == batch.most[j] else 0
    for j in range(LANES):
        first, last, before = Z(batch.first[j]), Z(batch.last[j]), Z(batch.leader[j])
        batch.was_last[j] |= last if last & (last - 1) == 0 else 0
        # The seat of a set of one: 1, 2, 4 or 8.
        leader = (first >> 1) - (first >> 3) if first & (first - 1) == 0 else -1
        batch.changes[j] += 1 if leader >= 0 and before >= 0 and leader != before else 0
        batch.leader[j] = leader if leader >= 0 else before
        batch.first[j] = leader
    lanes = batch.lanes
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        done = Z(batch.number[j]) - 1
        if done < S.HISTORY:
            batch.history[U(done), j] = batch.first[j]


@kernel
def count_match(batch, setup, row, j):
    """Everything that is counted once a match, in one lane."""
    rules = setup.rules[0]
    n = rules.players
    rounds, changes = Z(batch.number[j]), Z(batch.changes[j])
    row[setup.at[S.LENGTH] + min(rounds, S.HISTORY) - 1] += 1
    row[setup.at[S.LEAD_CHANGES] + min(changes, 31)] += 1
    if batch.over[j] == 2:
        row[setup.at[S.UNFINISHED]] += 1
        row[setup.at[NO_WINNER]] += 1
    add_plays(batch, setup, row, n, batch.win, batch.score, batch.arrangement[j], j, 1, 1)
    came_back = 0
    for s in range(n):
        win, points = Z(batch.win[s, j]), Z(batch.score[s, j])
        place = (s - Z(batch.first_dealer[j]) + n) % n
        row[setup.at[S.FROM_DEALER_PLAYS] + place] += 1
        batch.unit_place_win[place, j] += win
        batch.unit_place_points[place, j] += points
        if win > 0 and (batch.was_last[j] >> s) & 1:
            came_back = 1
    if batch.over[j] == 1:
        row[setup.at[S.COMEBACK_N]] += 1
        row[setup.at[S.COMEBACK]] += came_back
        if rounds <= S.HISTORY:
            row[setup.at[S.LED_N]] += 1
            for tenth in range(10):
                leader = Z(batch.history[(rounds * (tenth + 1) + 9) // 10 - 1, j])
                if leader >= 0:
                    row[setup.at[S.LED] + tenth] += 1
                    row[setup.at[S.LED_WON] + tenth] += 1 if batch.win[leader, j] > 0 else 0


@kernel
def count_places(batch, setup, row, j):
    """A unit's sums by place from the first dealer, and their squares."""
    for place in range(setup.rules[0].players):
        win, points = batch.unit_place_win[place, j], batch.unit_place_points[place, j]
        row[setup.at[S.FROM_DEALER_WIN] + place] += win
        row[setup.at[S.FROM_DEALER_WIN_SQ] + place] += win * win
        row[setup.at[S.FROM_DEALER_POINTS] + place] += points
        row[setup.at[S.FROM_DEALER_POINTS_SQ] + place] += points * points
        batch.unit_place_win[place, j] = 0
        batch.unit_place_points[place, j] = 0


@kernel
def unsound(batch, rules):
    """The first lane whose round lost a tile or a trick, or -1."""
    wanted = rules.players * rules.hand_size + 1
    for j in range(LANES):
        batch.seen[j] = ONE << U(batch.turn_up[j])
        batch.twice[j] = ZERO
    for s in range(rules.players):
        for j in range(LANES):
            dealt = batch.dealt[s, j]
            batch.twice[j] |= batch.seen[j] & dealt
            batch.seen[j] |= dealt
    lanes = batch.lanes
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        tricks = rules.hand_size if batch.walkover[j] < 0 else 0
        if batch.twice[j] or count(batch.seen[j]) != wanted or batch.tricks_won[j] != tricks:
            return Z(j)
    return -1


@kernel
def take_unit(batch, first, last):
    """The next unit of a block, group after group, or -1 when all are taken; `queue` holds group, window and
    unit to come.

    Units of one group share a row of tallies, which stays near while they are played.
    """
    while batch.queue[0] < GROUPS:
        window = batch.queue[1]
        begin, end = max(window * LANES, first), min(window * LANES + LANES, last)
        unit = max(batch.queue[2], begin)
        if unit < end:
            batch.queue[2] = unit + 1
            return unit
        if begin >= last:
            batch.queue[0] += 1
            window = first // LANES
            batch.queue[1] = window + (batch.queue[0] - window) % GROUPS
            batch.queue[2] = 0
        else:
            batch.queue[1] = window + GROUPS
    return -1


@kernel
def record_match(batch, rules, records, first, j):
    """Write a finished match into its row of the records."""
    unit, play = batch.unit[j] - first, batch.play[j]
    record_play(records, unit, play, rules.players, batch.win, batch.score, j)
    record = records[unit, play]
    record.rounds = batch.number[j]
    record.first_dealer = batch.first_dealer[j]
    record.lead_changes = batch.changes[j]
    record.unfinished = 1 if batch.over[j] == 2 else 0


@kernel
def end_match(batch, setup, row, plain, records, rescored, again, counting, first, last, seed, j):
    """Record and count a finished match, and its unit if that was its last; seat the lane at the next match, if there
    is one. Returns the number of lanes that are done with the block, 0 or 1.
    """
    rules = setup.rules[0]
    if records.shape[0] > 0:
        record_match(batch, rules, records, first, j)
    if counting:
        count_match(batch, setup, row, j)
    for k in range(rescored.size):
        share_win(batch, rescored[k], lowest_score(batch, rules.players, j), j)
        record_match(batch, rules, again[k], first, j)
    if batch.play[j] + 1 < rules.plays:
        start_match(batch, rules, setup.seating, j, seed, batch.unit[j], batch.play[j] + 1)
        return 0
    if counting:
        segment = np.searchsorted(setup.marks, batch.unit[j], side="right") - 1
        combination = batch.unit[j] % rules.combinations
        count_units(batch, setup, row, plain[segment], rules.players, combination, j, 1, 1)
        count_places(batch, setup, row, j)
    return next_unit(batch, rules, setup.seating, first, last, seed, j)


@kernel
def next_unit(batch, rules, seating, first, last, seed, j):
    """Seat a lane at the first play of the next unit of the block; 1 if there is none, else 0."""
    unit = take_unit(batch, first, last)
    batch.active[j] = 0
    if unit < 0:
        return 1
    clear_unit(batch, rules.slots, rules.players, j)
    start_match(batch, rules, seating, j, seed, unit, 0)
    return 0


@kernel
def play_block(batches, setup, seed, first, count_, grouped, plain, records, rescored, again):
    """Play units first ... first + count_ - 1 and add to the tallies: `grouped` (64, row), `plain`
    (segments, running sums); `records` (count_ or 0, plays) gets a row for each play. With a single row in
    `grouped` nothing is counted. The same plays are scored by each of `rescored` too, rules that differ in nothing but
    who wins, into `again` (len(rescored), count_, plays).

    A lane plays all seatings of a unit, then takes the next one. Returns -1, or the first unit found to
    break an invariant.
    """
    batch = batches[0]
    batch.external = 0
    batch.pending = 0
    rules = setup.rules[0]
    last = first + count_
    window = first // LANES
    batch.queue[0] = 0
    batch.queue[1] = window + (0 - window) % GROUPS
    batch.queue[2] = 0
    going = LANES
    counting = grouped.shape[0] == GROUPS
    for j in range(LANES):
        for s in range(MAX_SEATS):
            batch.unit_place_win[s, j] = 0
            batch.unit_place_points[s, j] = 0
        going -= next_unit(batch, rules, setup.seating, first, last, seed, j)
    while going > 0:
        deal_round(batch, setup)
        advance(batch, setup, last_point(setup))
        fault = unsound(batch, rules)
        if fault >= 0:
            return batch.unit[fault]
        if counting:
            count_rounds(batch, rules, setup.at, grouped)
        follow_lead(batch, rules.players)
        for j in range(LANES):
            if batch.active[j] and batch.over[j]:
                row = grouped[Z(batch.group[j]) if counting else 0]
                going -= end_match(batch, setup, row, plain, records, rescored, again, counting, first, last, seed, j)
        batch.pending += LANES
        if counting and batch.pending > PENDING_MOST:
            empty_sums(batch, setup, grouped)
    if counting:
        empty_sums(batch, setup, grouped)
    return -1
