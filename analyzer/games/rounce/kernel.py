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
def start_match(batch, rules, j, seed, unit, play):
    """Seat a lane at the beginning of a match: play number `play` (seating) of a unit."""
    key = unit_key(seed, U(unit))
    batch.active[j] = 1
    batch.unit[j] = unit
    batch.play[j] = play
    batch.key[j] = key
    batch.arrangement[j] = unit % rules.combinations * rules.plays + play
    drawn = below(key, address(FIRST_DEALER, rules.players, 0), rules.players)
    batch.first_dealer[j] = drawn if rules.first_dealer < 0 else rules.first_dealer
    batch.dealer[j] = batch.first_dealer[j]
    batch.number[j] = 0
    batch.over[j] = 0
    batch.leader[j] = -1
    batch.changes[j] = 0
    batch.was_last[j] = 0
    for s in range(MAX_SEATS):
        batch.score[s, j] = rules.start_score


# Ways to choose five tiles out of 27, 22, 17 and 12, and with the turn-up: below 2^59, so that one random word gives
# a round's tiles.
_FIRST, _SECOND, _THIRD, _FOURTH = U(80730), U(26334), U(6188), U(792)
_DEALS = U(28 * 80730 * 26334 * 6188 * 792)
_UNFAIR = U((1 << 64) % (28 * 80730 * 26334 * 6188 * 792))


@kernel
def deal_fives(batch, fives, key, j):
    """The turn-up and five tiles for each of four seats, whoever sits there; the set of the seven others.

    All choices come out of one word (see `choose.subset`).
    """
    where = address(SHUFFLE, FIVES, 0)
    while True:
        low = word(key, where)
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
    rest = ALL_TILES ^ (ONE << turn_up)
    hand = scatter(U(fives[first]), rest)
    batch.dealt[0, j] = hand
    rest = rest ^ hand
    hand = scatter(U(fives[second]), rest)
    batch.dealt[1, j] = hand
    rest = rest ^ hand
    hand = scatter(U(fives[third]), rest)
    batch.dealt[2, j] = hand
    rest = rest ^ hand
    hand = scatter(U(fives[fourth]), rest)
    batch.dealt[3, j] = hand
    return rest ^ hand


@kernel
def resize_hands(batch, rules, key, rest, j):
    """Hands of another size than five: some of the five, or the five and some of the rest, so that a larger hand
    holds the smaller.
    """
    size = rules.hand_size
    for s in range(MAX_SEATS):
        if size < 5:
            batch.dealt[s, j] = subset(key, address(SHUFFLE, FEWER, s), batch.dealt[s, j], 5, size)
    for turn in range(7):
        one = subset(key, address(SHUFFLE, MORE, turn), rest, 7 - turn, 1)
        rest = rest ^ one
        if turn < MAX_SEATS * (size - 5):
            batch.dealt[turn % MAX_SEATS, j] |= one


@kernel
def deal_given(batch, rules, key, j):
    """The turn-up and the hands when some tiles are in a hand for sure: uniform over all others."""
    pool = ALL_TILES
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
    for j in range(LANES):
        if not batch.active[j]:
            continue
        key = mix(batch.key[j] + U(batch.number[j] + 1) * GOLDEN)
        batch.deal_key[j] = key
        batch.round_key[j] = repeat_key(key, U(rules.again))
        if rules.conditioned:
            deal_given(batch, rules, key, j)
        else:
            rest = deal_fives(batch, setup.fives, key, j)
            if rules.hand_size != 5:
                resize_hands(batch, rules, key, rest, j)
        turn_up = ONE << U(batch.turn_up[j])
        batch.face_up[j] = turn_up
        batch.trump[j] = rules.high_end[U(batch.turn_up[j])]
        yard = ALL_TILES ^ turn_up
        lowest_score, second = MOST_SCORE, MOST_SCORE
        for s in range(rules.players):
            hand = batch.dealt[s, j]
            batch.hand[s, j] = hand
            yard = yard ^ hand
            score = max(0, Z(batch.score[s, j]))
            second = min(second, max(score, lowest_score))
            lowest_score = min(lowest_score, score)
        batch.yard[j] = yard
        batch.lowest_score[j] = lowest_score
        batch.second_score[j] = second
        if rules.probe:
            batch.probe_seat[j] = below(batch.round_key[j], address(PROBE, 0, 0), rules.players)


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
def trump_heights(rules, hand, trump):
    """Heights of the trumps in hand, as a set: the lowest trump is bit 0, the highest bit 6."""
    return Z(rules.heights[U(trump * 128) + gather(hand, rules.suit_tiles[U(trump * 8)])])


@kernel
def ends_in(rules, tiles):
    """The numbers that tiles bear, as a set."""
    found = 0
    for quarter in range(4):
        found |= Z(rules.ends[U(128 * quarter) + ((tiles >> U(7 * quarter)) & U(127))])
    return found


@kernel
def best_call(batch, rules, policy, position, seat, calls, j):
    """The call with the highest score, the earliest of equal ones."""
    hand = batch.hand[U(seat), j]
    trump = Z(batch.trump[j])
    height = Z(rules.height[U(trump * 28 + Z(batch.turn_up[j]))])
    held = Z(rules.hand_cell[U(height * 128 + trump_heights(rules, hand, trump))])
    plain = hand & ~rules.suit_tiles[U(trump * 8)]
    high = count(plain & rules.high_tiles[U(trump)])
    voids = 6 - count(U(ends_in(rules, plain)))
    score, rival = Z(batch.score[U(seat), j]), Z(batch.lowest_score[j])
    own = max(0, min(MOST_SCORE, score))
    if own == rival:
        rival = Z(batch.second_score[j])
    behind = 1 if own > rival else 0
    at_hand = (behind * 512 + held) * 8
    at_plain = (high * 7 + voids) * 8
    at_seat = ((position * 4 + Z(batch.folds[j])) * 4 + Z(batch.dummies[j])) * 8
    at_score = (own * 32 + rival) * 8
    best = NEVER
    for call in range(CALLS):
        total = policy.call_hand[U(at_hand + call)] + policy.call_plain[U(at_plain + call)]
        total += policy.call_seat[U(at_seat + call)] + policy.call_score[U(at_score + call)]
        total += policy.call_turn_up[U(height * 8 + call)]
        best = max(best, total if (calls >> call) & 1 else NEVER)
    return 7 - (best & 7)


@kernel
def choose_call(batch, rules, policy, position, seat, calls, j):
    """The call by policy, at random with its policy's chance, or by the experiment."""
    key = batch.round_key[j]
    if batch.probe_seat[j] == seat or happens(key, address(CALL_NOISE, 0, seat), policy.noise[0]):
        return lowest(nth(U(calls), below(key, address(CALL_PICK, 0, seat), count(U(calls)))))
    return best_call(batch, rules, policy, position, seat, calls, j)


@kernel
def call_turn(batch, setup, position):
    """One position's call in every lane, with the tiles drawn for it."""
    rules = setup.rules[0]
    last = position == rules.players - 1
    with_dummy, with_take = ZERO, ZERO
    for j in range(LANES):
        if not batch.active[j]:
            continue
        seat = caller(batch, rules, position, j)
        if last and batch.in_play[j] == 0:
            # Everyone else folded: the dealer scores without a call.
            batch.walkover[j] = seat
            batch.change[U(seat), j] = -rules.walkover
            continue
        if not (batch.answered and (batch.external >> seat) & 1):
            policy = setup.policies[U(setup.seating[U(batch.arrangement[j]), U(seat)])]
            calls = legal_calls(batch, rules, position, j)
            batch.call[U(seat), j] = choose_call(batch, rules, policy, position, seat, calls, j)
        call = Z(batch.call[U(seat), j])
        # Bits instead of questions, which the processor would guess wrong.
        folds = (1 << S.FOLD) >> call & 1
        batch.folds[j] += folds
        batch.in_play[j] |= (1 - folds) << seat
        batch.defender[j] = seat if call >= S.DEFEND else Z(batch.defender[j])
        with_dummy |= U((1 << S.DUMMY) >> call & 1) << U(j)
        with_take |= U((1 << S.TAKE | 1 << S.DEFEND_TAKE) >> call & 1) << U(j)
        if last and folds and count(U(batch.in_play[j])) == 1:
            alone = lowest(U(batch.in_play[j]))
            batch.walkover[j] = alone
            batch.change[U(alone), j] = -rules.hand_size
    batch.with_dummy = with_dummy
    batch.with_take = with_take
    draw_tiles(batch, rules, position)


@kernel
def draw_tiles(batch, rules, position):
    """New hands for those who took a dummy, the turn-up for a dealer who took it."""
    lanes = batch.with_dummy
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        seat = U(caller(batch, rules, position, j))
        batch.own_out[seat, j] |= batch.hand[seat, j]
        drawn = draw(batch, j, rules.dummy_draw)
        batch.dummies[j] += 1
        batch.drew[seat, j] = drawn
        batch.hand[seat, j] = drawn
    lanes = batch.with_take
    while lanes != ZERO:
        j = U(lowest(lanes))
        lanes = lanes & (lanes - ONE)
        seat = caller(batch, rules, position, j)
        batch.taker[j] = seat
        batch.drew[U(seat), j] = batch.face_up[j]
        batch.hand[U(seat), j] |= batch.face_up[j]
        batch.face_up[j] = ZERO


@kernel
def least_worth(batch, rules, policy, seat, kind, choice, n, j):
    """The `n` tiles of a set that are least worth keeping, as a set; the lower of equal ones."""
    trump = Z(batch.trump[j])
    hand = batch.hand[seat, j]
    size = count(choice)
    found, second = ZERO, NEVER
    for taken in range(0, n, 2):
        # Two at a time: the two least worth of those worth more than all found so far.
        before, rest = second, choice
        first, second = -NEVER, -NEVER
        for _ in range(size):
            tile = lowest(rest)
            rest = rest & (rest - ONE)
            at = U(trump * 28 + tile)
            near = min(count(hand & U(rules.neighbours[at])), 3)
            worth = policy.aside[U(kind * 1024 + Z(rules.aside_cell[at]) + near)] + tile
            worth = worth if worth > before else -NEVER
            second = min(second, max(first, worth))
            first = min(first, worth)
        found |= ONE << U(first & 31)
        if taken + 1 < n:
            found |= ONE << U(second & 31)
    return found


@kernel
def aside_turn(batch, setup, position):
    """What a position puts aside face down after a dummy or a take."""
    rules = setup.rules[0]
    for kind in range(2):
        lanes = batch.with_take if kind else batch.with_dummy
        while lanes != ZERO:
            j = U(lowest(lanes))
            lanes = lanes & (lanes - ONE)
            seat = U(caller(batch, rules, position, j))
            policy = setup.policies[U(setup.seating[U(batch.arrangement[j]), seat])]
            put_aside(batch, rules, policy, seat, kind, j)


@kernel
def put_aside(batch, rules, policy, seat, kind, j):
    """What one seat puts aside after a dummy (0) or a take (1)."""
    if not (batch.answered and (U(batch.external) >> seat) & ONE):
        n = 1 if kind else rules.dummy_draw - rules.hand_size
        choice = batch.hand[seat, j] & ~batch.drew[seat, j] if kind else batch.hand[seat, j]
        key = batch.round_key[j]
        if happens(key, address(ASIDE_NOISE, 0, seat), policy.noise[ASIDE_DUMMY + kind]):
            batch.aside[seat, j] = subset(key, address(ASIDE_PICK, 0, seat), choice, count(choice), n)
        else:
            batch.aside[seat, j] = least_worth(batch, rules, policy, seat, kind, choice, n, j)
    aside = batch.aside[seat, j]
    batch.hand[seat, j] &= ~aside
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
    """Tiles that may be led, in every lane; the lanes by how many those are."""
    least = 1 if trick > 0 and rules.winner_leads_trump else rules.must_trump_above + 1 if rules.must_trump_lead else 8
    kind = LEAD_FIRST if trick == 0 else LEAD_LATER
    lanes = batch.turns[0]
    while lanes != ZERO:
        lane = lanes & (ZERO - lanes)
        j = U(lowest(lanes))
        lanes ^= lane
        hand = batch.hand[U(batch.seat[j]), j]
        trumps = hand & rules.suit_tiles[U(Z(batch.trump[j]) * 8)]
        legal = trumps if count(trumps) >= least else hand
        batch.legal[j] = legal
        batch.kind[j] = kind
        batch.options[U(count(legal))] |= lane


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
        trump = Z(batch.trump[j])
        led = trump * 7 + Z(batch.led[j])
        suited = hand & rules.suit_tiles[U(led)]
        trumps = hand & rules.suit_tiles[U(trump * 8)]
        others = trumps if count(trumps) >= must_trump else hand
        legal = suited if suited != ZERO else others
        wins = legal & U(rules.beaten[U(led * 17 + Z(batch.best[j]))])
        batch.legal[j] = legal
        batch.kind[j] = VOID if suited == ZERO else FOLLOW_WIN if wins != ZERO else FOLLOW_LOSE
        batch.options[U(count(legal))] |= lane


@kernel
def tile_score(policy, told, hand, hidden, wins, worth, moment):
    """Score of playing a tile, times 64. `told`: the tiles of its suit above it, all tiles of that suit, and what it
    is there (see `told` in state.RULES); `worth` and `moment`: where the policy's tables begin for this decision.
    """
    standing = Z(told >> U(56))
    high = 0 if told & hidden else 1
    near = min(count((told >> U(28)) & hand) - 1, 3)
    score = policy.tile_worth[U(worth + standing * 16 + high * 8 + wins * 4 + near)]
    return score + policy.moment_worth[U(moment + wins * 4 + high * 2 + (standing >> 3))]


@kernel
def moment_row(batch, rules, kind, seat, trick, turn, j):
    """Where the policy's table of moments begins: by decision, whether no trick was won, tricks left, players to
    come.
    """
    none = 1 if batch.tricks[seat, j] == 0 else 0
    after = Z(batch.seats_in[j]) - 1 - turn
    return (((kind * 2 + none) * 8 + rules.hand_size - trick) * 4 + after) * 8


@kernel
def random_tile(batch, rules, seat, legal, trick, turn, j):
    """A uniform legal tile and, for a lead, a uniform suit of it: tile * 8 + suit."""
    key = batch.round_key[j]
    tile = lowest(nth(legal, below(key, address(TILE_PICK, trick, seat), count(legal))))
    at = (Z(batch.trump[j]) * 28 + tile) * 2
    first, second = Z(rules.led_as[U(at)]), Z(rules.led_as[U(at + 1)])
    suit = first
    if turn == 0 and first != second and below(key, address(TILE_PICK, trick, Z(seat) + 4), 2):
        suit = second
    return tile * 8 + suit


@kernel
def best_lead(batch, rules, policy, seat, trick, n, j):
    """The one of `n` legal tiles with the highest score, in one of its suits: tile * 8 + suit."""
    trump, kind = Z(batch.trump[j]), Z(batch.kind[j])
    hand, rest = batch.hand[seat, j], batch.legal[j]
    hidden = unseen(batch, rules, seat, j)
    worth, moment = kind * 256, moment_row(batch, rules, kind, seat, trick, 0, j)
    best = NEVER
    for _ in range(n):
        tile = lowest(rest)
        rest = rest & (rest - ONE)
        for way in range(2):
            told = rules.lead_told[U((trump * 28 + tile) * 2 + way)]
            score = tile_score(policy, told, hand, hidden, 1, worth, moment)
            best = max(best, score + 63 - (tile * 2 + way))
    found = 63 - (best & 63)
    return (found >> 1) * 8 + Z(rules.led_as[U(trump * 56 + found)])


@kernel
def best_follow(batch, rules, policy, seat, trick, turn, n, j):
    """The one of `n` legal tiles with the highest score: tile * 8."""
    led = Z(batch.trump[j]) * 7 + Z(batch.led[j])
    kind = Z(batch.kind[j])
    winning = U(rules.beaten[U(led * 17 + Z(batch.best[j]))])
    hand, rest = batch.hand[seat, j], batch.legal[j]
    hidden = unseen(batch, rules, seat, j)
    worth, moment = kind * 256, moment_row(batch, rules, kind, seat, trick, turn, j)
    best = NEVER
    for _ in range(n):
        tile = lowest(rest)
        wins = 1 if winning & rest & (ZERO - rest) else 0
        rest = rest & (rest - ONE)
        score = tile_score(policy, rules.told[U(led * 28 + tile)], hand, hidden, wins, worth, moment)
        best = max(best, score + 63 - tile)
    return (63 - (best & 63)) * 8


@kernel
def choose_tile(batch, rules, policy, seat, trick, turn, n, j):
    """The tile that a seat plays, and as which suit it leads, by policy or at random with its policy's chance; or as
    told from outside: tile * 8 + suit.
    """
    if batch.answered and (U(batch.external) >> seat) & ONE:
        return Z(batch.tile[trick * MAX_SEATS + turn, j]) * 8 + Z(batch.suit[trick, j])
    chance = policy.noise[U(PLAY_KIND + Z(batch.kind[j]))]
    if happens(batch.round_key[j], address(TILE_NOISE, trick, seat), chance):
        return random_tile(batch, rules, seat, batch.legal[j], trick, turn, j)
    if turn == 0:
        return best_lead(batch, rules, policy, seat, trick, n, j)
    return best_follow(batch, rules, policy, seat, trick, turn, n, j)


@kernel
def tile_turn(batch, setup, trick, turn):
    """One turn of a trick in every lane that has a player for it.

    Lanes are served by how many tiles are legal, so that the choice among them takes no turn the processor cannot
    foresee.
    """
    rules = setup.rules[0]
    size = rules.hand_size - trick
    for n in range(size + 1):
        batch.options[n] = ZERO
    if turn == 0:
        may_lead(batch, rules, trick)
    else:
        may_follow(batch, rules, turn)
    first = 1
    if turn > 0:
        # The only tile that may be played.
        lanes = batch.options[1]
        while lanes != ZERO:
            j = U(lowest(lanes))
            lanes = lanes & (lanes - ONE)
            lay_tile(batch, rules, U(batch.seat[j]), trick, turn, lowest(batch.legal[j]) * 8, j)
        first = 2
    for n in range(first, size + 1):
        lanes = batch.options[n]
        while lanes != ZERO:
            j = U(lowest(lanes))
            lanes = lanes & (lanes - ONE)
            seat = U(batch.seat[j])
            policy = setup.policies[U(setup.seating[U(batch.arrangement[j]), seat])]
            chosen = choose_tile(batch, rules, policy, seat, trick, turn, n, j)
            lay_tile(batch, rules, seat, trick, turn, chosen, j)


@kernel
def lay_tile(batch, rules, seat, trick, turn, chosen, j):
    """Put a tile on the table."""
    point = trick * MAX_SEATS + turn
    tile = chosen >> 3
    one = ONE << U(tile)
    if turn == 0:
        batch.led[j] = chosen & 7
        batch.suit[trick, j] = chosen & 7
        batch.leads[trick, j] = Z(seat)
        batch.best[j] = 0
    strength = Z(rules.strength[U((Z(batch.trump[j]) * 7 + Z(batch.led[j])) * 28 + tile)])
    wins = strength > Z(batch.best[j])
    batch.best_seat[j] = Z(seat) if wins else Z(batch.best_seat[j])
    batch.best[j] = max(strength, Z(batch.best[j]))
    batch.tile[point, j] = tile
    batch.hand[seat, j] ^= one
    batch.played[j] |= one
    if rules.forgets:
        batch.own_out[seat, j] |= one
        batch.trick_tiles[j] |= one
    batch.seat[j] = rules.next_in[U(Z(batch.in_play[j]) * MAX_SEATS) + seat]


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
        policy = setup.policies[setup.seating[batch.arrangement[j], s]]
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
        if not batch.active[j]:
            continue
        played = batch.walkover[j] < 0
        in_play, defender = Z(batch.in_play[j]), Z(batch.defender[j])
        least = 1 << 60
        for s in range(n):
            tricks = Z(batch.tricks[s, j])
            counts = played and (in_play >> s) & 1 and defender != s
            earned = rules.rounce_penalty if tricks == 0 else -tricks
            change = earned if counts else Z(batch.change[s, j])
            score = Z(batch.score[s, j]) + change
            batch.change[s, j] = change
            batch.score[s, j] = score
            least = min(least, score)
        number = Z(batch.number[j]) + 1
        batch.number[j] = number
        batch.over[j] = 1 if least <= 0 else 2 if number >= rules.max_rounds else 0
        dealer = Z(batch.dealer[j]) + 1
        batch.dealer[j] = 0 if dealer == n else dealer
        if batch.over[j]:
            share_win(batch, rules, least, j)


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
                aside_turn(batch, setup, at >> 1)
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
        start_match(batch, rules, j, seed, unit + j, play)


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
        rank = Z(rules.told[trump * 8 * 28 + tile] >> U(56)) & 7
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
def count_probe(batch, rules, at, row, s, position, rounced, j):
    """The experiment's call, by what may stand for it, position, trumps and the highest of them."""
    call, trump, dealt, change = Z(batch.call[s, j]), Z(batch.trump[j]), batch.dealt[s, j], Z(batch.change[s, j])
    if call < 0:
        return
    arm = CALLS if call == S.PASS and dummies_before(batch, rules, position, j) >= rules.dummies_max else call
    heights = U(trump_heights(rules, dealt, trump))
    top = 0
    while heights >> U(top):
        top += 1
    cell = ((arm * rules.players + position) * 8 + count(heights)) * 8 + top
    row[at[S.CHART_N] + cell] += 1
    row[at[S.CHART_CHANGE] + cell] += change
    row[at[S.CHART_ROUNCED] + cell] += rounced


@kernel
def count_seat(batch, rules, group, s, position, rounced, j):
    """One seat's round: its call, its trumps and what each of its tiles came with."""
    trump, dealt = Z(batch.trump[j]), batch.dealt[s, j]
    change, call = Z(batch.change[s, j]), Z(batch.call[s, j])
    trumps = count(dealt & rules.suit_tiles[U(trump * 8)])
    batch.call_sums[group, U((position * 8 + (call & 7)) * 8 + trumps)] += packed(rounced, change + BIAS)
    batch.square_sums[group, U(position)] += change * change
    each = packed(Z(batch.tricks[s, j]), change + BIAS)
    for _ in range(rules.hand_size):
        tile = lowest(dealt)
        dealt = dealt & (dealt - ONE)
        batch.tile_sums[group, U(rules.tile_cell[U(trump * 28 + tile)])] += each


@kernel
def count_round(batch, rules, at, row, group, j):
    """Everything that is counted once a round, in one lane."""
    n = rules.players
    dealer = Z(batch.dealer[j]) - 1
    dealer = n - 1 if dealer < 0 else dealer
    played = batch.walkover[j] < 0
    in_play, defender, trump = Z(batch.in_play[j]), Z(batch.defender[j]), Z(batch.trump[j])
    row[at[S.PLAYED]] += 1 if played else 0
    if not played:
        row[at[S.WALKOVER_DEALER if in_play == 0 else S.WALKOVER_LAST]] += 1
    if defender >= 0:
        row[at[S.DEFENDED]] += 1
        row[at[S.DEFENDED_TRICKS]] += Z(batch.tricks[defender, j])
    tricks, change = 0, (4 - n) * BIAS
    for s in range(n):
        won = Z(batch.tricks[s, j])
        rounced = 1 if played and (in_play >> s) & 1 and won == 0 and defender != s else 0
        position = s - dealer - 1
        position = position + n if position < 0 else position
        count_seat(batch, rules, group, s, position, rounced, j)
        if batch.probe_seat[j] == s:
            count_probe(batch, rules, at, row, s, position, rounced, j)
        tricks += won
        change += Z(batch.change[s, j]) + BIAS
    batch.trump_sums[group, U(trump)] += packed(tricks, change)
    if played:
        leader, suit, tile = Z(batch.leads[0, j]), Z(batch.suit[0, j]), Z(batch.tile[0, j])
        rank = Z(rules.told[U((trump * 7 + suit) * 28 + tile)] >> U(56)) & 7
        won = 1 if batch.winner[0, j] == leader else 0
        cell = U((8 if suit == trump else 0) + rank)
        batch.lead_sums[group, cell] += packed(won, Z(batch.change[U(leader), j]) + BIAS)


@kernel
def follow_lead(batch, n, j):
    """After a round: who leads alone, whether the lead changed, and who was ever last alone."""
    least, most = Z(batch.score[0, j]), Z(batch.score[0, j])
    for s in range(1, n):
        score = Z(batch.score[s, j])
        least, most = min(least, score), max(most, score)
    # Seats with the lowest and the highest score, as sets.
    first, last = 0, 0
    for s in range(n):
        score = Z(batch.score[s, j])
        first |= 1 << s if score == least else 0
        last |= 1 << s if score == most else 0
    batch.was_last[j] |= last if last & (last - 1) == 0 else 0
    leader = lowest(U(first)) if first & (first - 1) == 0 else -1
    before = Z(batch.leader[j])
    batch.changes[j] += 1 if leader >= 0 and before >= 0 and leader != before else 0
    batch.leader[j] = leader if leader >= 0 else before
    done = Z(batch.number[j]) - 1
    if done < S.HISTORY:
        batch.history[done, j] = leader


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
def unsound(batch, rules, j):
    """Whether a lane's round lost a tile or a trick."""
    seen = ONE << U(batch.turn_up[j])
    total = 0
    tricks = 0
    for s in range(rules.players):
        total += count(batch.dealt[s, j])
        seen |= batch.dealt[s, j]
        tricks += Z(batch.tricks[s, j])
    wanted = rules.players * rules.hand_size
    full = rules.hand_size if batch.walkover[j] < 0 else 0
    return total != wanted or count(seen) != wanted + 1 or tricks != full


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
        start_match(batch, rules, j, seed, batch.unit[j], batch.play[j] + 1)
        return 0
    if counting:
        segment = np.searchsorted(setup.marks, batch.unit[j], side="right") - 1
        combination = batch.unit[j] % rules.combinations
        count_units(batch, setup, row, plain[segment], rules.players, combination, j, 1, 1)
        count_places(batch, setup, row, j)
    return next_unit(batch, rules, first, last, seed, j)


@kernel
def next_unit(batch, rules, first, last, seed, j):
    """Seat a lane at the first play of the next unit of the block; 1 if there is none, else 0."""
    unit = take_unit(batch, first, last)
    batch.active[j] = 0
    if unit < 0:
        return 1
    clear_unit(batch, rules.slots, rules.players, j)
    start_match(batch, rules, j, seed, unit, 0)
    return 0


@kernel
def play_block(batches, setup, seed, first, count_, grouped, plain, records, rescored, again):
    """Play units first ... first + count_ - 1 and add to the tallies: `grouped` (64, row), `plain`
    (segments, policies * 2 * players); `records` (count_ or 0, plays) gets a row for each play. With a single row in
    `grouped` nothing is counted. The same plays are scored by each of `rescored` too, rules that differ in nothing but
    who wins, into `again` (len(rescored), count_, plays).

    A lane plays all seatings of a unit, then takes the next one. Returns -1, or the first unit found to
    break an invariant.
    """
    batch = batches[0]
    batch.external = 0
    batch.pending = 0
    rules = setup.rules[0]
    n = rules.players
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
        going -= next_unit(batch, rules, first, last, seed, j)
    while going > 0:
        deal_round(batch, setup)
        advance(batch, setup, last_point(setup))
        for j in range(LANES):
            if not batch.active[j]:
                continue
            if unsound(batch, rules, j):
                return batch.unit[j]
            group = batch.unit[j] // LANES % GROUPS if counting else 0
            row = grouped[group]
            if counting:
                count_round(batch, rules, setup.at, row, U(group), j)
            follow_lead(batch, n, j)
            if batch.over[j]:
                going -= end_match(batch, setup, row, plain, records, rescored, again, counting, first, last, seed, j)
        batch.pending += LANES
        if counting and batch.pending > PENDING_MOST:
            empty_sums(batch, setup, grouped)
    if counting:
        empty_sums(batch, setup, grouped)
    return -1
