"""Domino Rounce, compiled: 64 matches side by side, a round at a time.

`advance` plays the batch's current round from wherever it stands up to a point, or up to a decision that
is made outside; runs, traces and experiments drive that one function. A point is a whole number: first 2
* position for a call and 2 * position + 1 for what is put aside after it, then players * trick + turn for
the tiles, then the score. Lanes that sit a point out (a folded player's turn, a lane whose match is over)
pass it by.
"""

from __future__ import annotations

import numpy as np

from analyzer.games.common.units import NO_WINNER, add_play, clear_unit, count_unit, record_play
from analyzer.games.rounce import state as S
from analyzer.games.rounce.tiles import MAX_SEATS
from analyzer.games.spec import GROUPS, LANES
from analyzer.kernels.bits import ONE, ZERO, U, count, full_mask, high_product, lowest, nth
from analyzer.kernels.choose import below, subset
from analyzer.kernels.jit import kernel
from analyzer.kernels.rng import GOLDEN, address, mix, unit_key, word

# What a random word is for. Part of every draw's address: a change moves numbers, and raises the game's
# `stream`.
(SHUFFLE, FIRST_DEALER, CALL_NOISE, CALL_PICK, ASIDE_NOISE, ASIDE_PICK, TILE_NOISE, TILE_PICK, MEMORY, PROBE) = range(
    10
)

ALL_TILES = U(full_mask(28))
CERTAIN = U(0xFFFFFFFFFFFFFFFF)
NEVER = -(1 << 62)
ASIDE_DUMMY, ASIDE_TAKE = 6, 7
LEAD_FIRST, LEAD_LATER, FOLLOW_WIN, FOLLOW_LOSE, VOID = range(5)
PLAY_KIND = 8
MOST_SCORE = 31


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
    for s in range(4):
        batch.score[s, j] = rules.start_score


@kernel
def shuffle(batch, j, key):
    """Put all tiles in their places: the turn-up, seven a seat, the rest; a function of unit and round alone."""
    rest = ALL_TILES
    i = 0
    for part in range(3):
        size = 28 - 10 * part
        picks = min(10, size)
        where = address(SHUFFLE, part, 0)
        while True:
            low = word(key, where)
            product = ONE
            left = rest
            for k in range(picks):
                bound = U(size - k)
                pick = nth(left, high_product(low, bound))
                batch.place[i + k, j] = lowest(pick)
                low = low * bound
                product = product * bound
                left = left ^ pick
            if low >= product or low >= (ZERO - product) % product:
                break
            where = where + U(1 << 56)
        rest = left
        i += picks


@kernel
def deal_round(batch, setup):
    """Deal the next round in every active lane."""
    rules = setup.rules[0]
    batch.cursor = 0
    batch.answered = 0
    for j in range(LANES):
        if not batch.active[j]:
            continue
        key = mix(batch.key[j] + U(batch.number[j] + 1) * GOLDEN)
        batch.round_key[j] = key
        shuffle(batch, j, key)
        turn_up = batch.place[0, j]
        batch.turn_up[j] = turn_up
        batch.trump[j] = rules.high_end[turn_up]
        for s in range(rules.players):
            hand = ZERO
            for k in range(rules.hand_size):
                hand |= ONE << U(batch.place[1 + 7 * s + k, j])
            batch.dealt[s, j] = hand
            batch.hand[s, j] = hand
            batch.own_out[s, j] = ZERO
            batch.recall[s, j] = ZERO
            batch.drew[s, j] = ZERO
            batch.aside[s, j] = ZERO
            batch.call[s, j] = -1
            batch.tricks[s, j] = 0
            batch.change[s, j] = 0
        batch.drawn[j] = 0
        batch.in_play[j] = 0
        batch.folds[j] = 0
        batch.dummies[j] = 0
        batch.taker[j] = -1
        batch.defender[j] = -1
        batch.walkover[j] = -1
        batch.played[j] = ZERO
        batch.trick_tiles[j] = ZERO
        batch.left_to_play[j] = 0
        batch.probe_seat[j] = -1
        if rules.probe:
            batch.probe_seat[j] = below(key, address(PROBE, 0, 0), rules.players)


@kernel
def draw(batch, rules, j, n):
    """Take `n` tiles from the boneyard, last place first."""
    drawn = ZERO
    for k in range(n):
        drawn |= ONE << U(batch.place[rules.yard_place[batch.drawn[j] + k], j])
    batch.drawn[j] += n
    return drawn


# Calls ----------------------------------------------------------------------------------------------------
# ---------------


@kernel
def caller(batch, rules, position, j):
    """Seat that calls at a position, the dealer last."""
    seat = batch.dealer[j] + 1 + position
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
        others = batch.in_play[j]
        if rules.defend_allowed and count(U(others)) == 1 and batch.dummies[j] == 1:
            calls |= 1 << S.DEFEND
            if rules.dealer_takes:
                calls |= 1 << S.DEFEND_TAKE
    return calls


@kernel
def trump_heights(rules, hand, trump):
    """Heights of the trumps in hand, as a set: the lowest trump is bit 0, the highest bit 6."""
    heights = ZERO
    for height in range(7):
        if hand & rules.trump_at[trump * 8 + 1 + height]:
            heights |= ONE << U(height)
    return heights


@kernel
def highest(heights):
    """Place of the highest of seven bits, from 1; 0 if there is none."""
    heights |= heights >> U(1)
    heights |= heights >> U(2)
    heights |= heights >> U(4)
    return count(heights)


@kernel
def best_call(batch, rules, policy, position, seat, calls, j):
    """The call with the highest score, the earliest of equal ones."""
    hand = batch.hand[seat, j]
    trump = batch.trump[j]
    turn_up = batch.turn_up[j]
    height = rules.height[trump * 28 + turn_up]
    heights = trump_heights(rules, hand, trump)
    trumps = count(heights)
    top = highest(heights)
    # Trumps above the highest one that another may hold; the turn-up is in nobody's hand.
    sure = count(heights >> U(highest(~(heights | (ONE << U(height - 1))) & U(127))))
    high = count(hand & rules.high_tiles[trump])
    voids = 0
    for suit in range(7):
        if suit != trump and not hand & rules.suit_tiles[trump * 7 + suit]:
            voids += 1
    own = max(0, min(MOST_SCORE, batch.score[seat, j]))
    rival = MOST_SCORE
    for s in range(rules.players):
        if s != seat:
            rival = min(rival, max(0, batch.score[s, j]))
    behind = 1 if own > rival else 0
    best, best_score = S.PASS, NEVER
    for call in range(6):
        if (calls >> call) & 1:
            total = policy.call_hand[(((call * 2 + behind) * 8 + trumps) * 8 + top) * 8 + sure]
            total += policy.call_plain[(call * 8 + high) * 7 + voids]
            total += policy.call_seat[((call * 4 + position) * 4 + batch.folds[j]) * 4 + batch.dummies[j]]
            total += policy.call_score[(call * 32 + own) * 32 + rival]
            total += policy.call_turn_up[call * 8 + height]
            if total > best_score:
                best, best_score = call, total
    return best


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
    for j in range(LANES):
        if not batch.active[j]:
            continue
        seat = caller(batch, rules, position, j)
        last = position == rules.players - 1
        if last and batch.in_play[j] == 0:
            # Everyone else folded: the dealer scores without a call.
            batch.walkover[j] = seat
            batch.change[seat, j] = -rules.walkover
            continue
        if not (batch.answered and (batch.external >> seat) & 1):
            policy = setup.policies[setup.seating[batch.arrangement[j], seat]]
            calls = legal_calls(batch, rules, position, j)
            batch.call[seat, j] = choose_call(batch, rules, policy, position, seat, calls, j)
        call = batch.call[seat, j]
        if call == S.FOLD:
            batch.folds[j] += 1
            if last and count(U(batch.in_play[j])) == 1:
                alone = lowest(U(batch.in_play[j]))
                batch.walkover[j] = alone
                batch.change[alone, j] = -rules.hand_size
            continue
        batch.in_play[j] |= 1 << seat
        if call == S.DUMMY:
            batch.dummies[j] += 1
            batch.own_out[seat, j] |= batch.hand[seat, j]
            drawn = draw(batch, rules, j, rules.dummy_draw)
            batch.drew[seat, j] = drawn
            batch.hand[seat, j] = drawn
        elif call == S.TAKE or call == S.DEFEND_TAKE:
            tile = ONE << U(batch.turn_up[j])
            batch.taker[j] = seat
            batch.drew[seat, j] = tile
            batch.hand[seat, j] |= tile
        if call >= S.DEFEND:
            batch.defender[j] = seat


@kernel
def keeping_worth(batch, rules, policy, seat, kind, tile, j):
    """How much a tile is worth keeping when some must be put aside."""
    trump = batch.trump[j]
    height = rules.height[trump * 28 + tile]
    row = kind * 2
    if height > 0:
        return policy.aside[((row + 1) * 8 + height) * 64]
    suit = rules.best_suit[trump * 28 + tile]
    better = rules.rank[(trump * 7 + suit) * 28 + tile]
    double = 1 if rules.high_end[tile] == rules.low_end[tile] else 0
    worse = better if double else suit
    near = min(3, count(batch.hand[seat, j] & rules.neighbours[trump * 28 + tile]))
    return policy.aside[((((row * 8 + better) * 8 + worse) * 2 + double) * 4) + near]


@kernel
def aside_turn(batch, setup, position):
    """What a position puts aside face down after a dummy or a take."""
    rules = setup.rules[0]
    for j in range(LANES):
        if not batch.active[j] or batch.walkover[j] >= 0:
            continue
        seat = caller(batch, rules, position, j)
        call = batch.call[seat, j]
        if call != S.DUMMY and call != S.TAKE and call != S.DEFEND_TAKE:
            continue
        kind = 0 if call == S.DUMMY else 1
        n = rules.dummy_draw - rules.hand_size if kind == 0 else 1
        choice = batch.hand[seat, j] if kind == 0 else batch.hand[seat, j] & ~batch.drew[seat, j]
        if not (batch.answered and (batch.external >> seat) & 1):
            key = batch.round_key[j]
            policy = setup.policies[setup.seating[batch.arrangement[j], seat]]
            aside = ZERO
            if happens(key, address(ASIDE_NOISE, 0, seat), policy.noise[ASIDE_DUMMY + kind]):
                aside = subset(key, address(ASIDE_PICK, 0, seat), choice, count(choice), n)
            else:
                for _ in range(n):
                    aside |= least_worth(batch, rules, policy, seat, kind, choice & ~aside, j)
            batch.aside[seat, j] = aside
        aside = batch.aside[seat, j]
        batch.hand[seat, j] &= ~aside
        batch.own_out[seat, j] |= aside


@kernel
def least_worth(batch, rules, policy, seat, kind, choice, j):
    """The tile of a set that is least worth keeping, as a set; the lowest of equal ones."""
    best, least = ZERO, -NEVER
    while choice != ZERO:
        tile = choice & (ZERO - choice)
        choice ^= tile
        worth = keeping_worth(batch, rules, policy, seat, kind, lowest(tile), j)
        if worth < least:
            best, least = tile, worth
    return best


# Tricks ---------------------------------------------------------------------------------------------------
# ---------------


@kernel
def next_seat(batch, rules, seat, j):
    """The next seat in play, clockwise."""
    seat += 1
    while seat >= rules.players or not (batch.in_play[j] >> seat) & 1:
        seat = 0 if seat >= rules.players else seat + 1
    return seat


@kernel
def unseen(batch, rules, seat, j):
    """Tiles that may be in another's hand as far as a seat knows."""
    played = batch.recall[seat, j] | batch.trick_tiles[j] if rules.forgets else batch.played[j]
    out = batch.hand[seat, j] | batch.own_out[seat, j] | played
    if batch.taker[j] < 0:
        out |= ONE << U(batch.turn_up[j])
    return ALL_TILES & ~out


@kernel
def open_trick(batch, setup, trick):
    """Set the lanes to the beginning of a trick."""
    rules = setup.rules[0]
    for j in range(LANES):
        if batch.active[j] and batch.walkover[j] < 0:
            if trick == 0:
                batch.lead_seat[j] = next_seat(batch, rules, batch.dealer[j], j)
            batch.seat[j] = batch.lead_seat[j]
            batch.left_to_play[j] = count(U(batch.in_play[j]))
            batch.trick_tiles[j] = ZERO


@kernel
def may_lead(batch, rules, seat, trick, j):
    """Tiles that may be led."""
    hand = batch.hand[seat, j]
    trumps = hand & rules.suit_tiles[batch.trump[j] * 8]
    if trumps != ZERO:
        if trick > 0 and rules.winner_leads_trump:
            return trumps
        if rules.must_trump_lead and count(trumps) > rules.must_trump_above:
            return trumps
    return hand


@kernel
def may_follow(batch, rules, seat, j):
    """Tiles that may be played to the suit led."""
    hand = batch.hand[seat, j]
    trump = batch.trump[j]
    suited = hand & rules.suit_tiles[trump * 7 + batch.led[j]]
    if suited != ZERO:
        return suited
    trumps = hand & rules.suit_tiles[trump * 8]
    if rules.must_trump_void and count(trumps) > rules.must_trump_above:
        return trumps
    return hand


@kernel
def tile_score(batch, rules, policy, seat, kind, tile, suit, wins, trick, hidden, j):
    """Score of playing a tile as a suit."""
    trump = batch.trump[j]
    at = trump * 7 + suit
    rank = rules.rank[at * 28 + tile]
    is_trump = 1 if suit == trump else 0
    high = 0 if rules.higher[at * 28 + tile] & hidden else 1
    near = min(3, count(batch.hand[seat, j] & rules.suit_tiles[at]) - 1)
    score = policy.tile_worth[((((kind * 2 + is_trump) * 8 + rank) * 2 + high) * 2 + wins) * 4 + near]
    none = 1 if batch.tricks[seat, j] == 0 else 0
    left = rules.hand_size - trick
    after = batch.left_to_play[j] - 1
    moment = (((((kind * 2 + none) * 8 + left) * 4 + after) * 2 + wins) * 2 + high) * 2 + is_trump
    return score + policy.moment_worth[moment]


@kernel
def random_tile(batch, rules, seat, legal, trick, leads, j):
    """A uniform legal tile and, for a lead, a uniform suit of it: tile * 8 + suit."""
    key = batch.round_key[j]
    tile = lowest(nth(legal, below(key, address(TILE_PICK, trick, seat), count(legal))))
    trump = batch.trump[j]
    suit = rules.best_suit[trump * 28 + tile]
    if leads and rules.height[trump * 28 + tile] == 0:
        end, low = rules.high_end[tile], rules.low_end[tile]
        if end != low:
            suit = end if below(key, address(TILE_PICK, trick, 4 + seat), 2) == 0 else low
    return tile * 8 + suit


@kernel
def best_lead(batch, rules, policy, seat, kind, legal, trick, j):
    """The tile and suit with the highest score: tile * 8 + suit."""
    trump = batch.trump[j]
    hidden = unseen(batch, rules, seat, j)
    best, best_score = -1, NEVER
    while legal != ZERO:
        one = legal & (ZERO - legal)
        legal ^= one
        tile = lowest(one)
        for step in range(7):
            suit = 6 - step
            if rules.suit_tiles[trump * 7 + suit] & one:
                score = tile_score(batch, rules, policy, seat, kind, tile, suit, 1, trick, hidden, j)
                if score > best_score:
                    best, best_score = tile * 8 + suit, score
    return best


@kernel
def best_follow(batch, rules, policy, seat, kind, legal, trick, j):
    """The tile with the highest score, with the suit it counts in: tile * 8 + suit."""
    trump = batch.trump[j]
    led = batch.led[j]
    hidden = unseen(batch, rules, seat, j)
    winning = rules.beaten[(trump * 7 + led) * 17 + batch.best[j]]
    best, best_score = -1, NEVER
    while legal != ZERO:
        one = legal & (ZERO - legal)
        legal ^= one
        tile = lowest(one)
        suit = led if rules.suit_tiles[trump * 7 + led] & one else rules.best_suit[trump * 28 + tile]
        wins = 1 if winning & one else 0
        score = tile_score(batch, rules, policy, seat, kind, tile, suit, wins, trick, hidden, j)
        if score > best_score:
            best, best_score = tile * 8 + suit, score
    return best


@kernel
def choose_tile(batch, rules, policy, seat, trick, turn, j):
    """The tile to play, by policy or at random with its policy's chance: tile * 8 + suit."""
    if turn == 0:
        legal = may_lead(batch, rules, seat, trick, j)
        kind = LEAD_FIRST if trick == 0 else LEAD_LATER
    else:
        legal = may_follow(batch, rules, seat, j)
        if legal & (legal - ONE) == ZERO:
            return lowest(legal) * 8
        at = batch.trump[j] * 7 + batch.led[j]
        if not batch.hand[seat, j] & rules.suit_tiles[at]:
            kind = VOID
        else:
            kind = FOLLOW_WIN if legal & rules.beaten[at * 17 + batch.best[j]] else FOLLOW_LOSE
    if happens(batch.round_key[j], address(TILE_NOISE, trick, seat), policy.noise[PLAY_KIND + kind]):
        return random_tile(batch, rules, seat, legal, trick, turn == 0, j)
    if turn == 0:
        return best_lead(batch, rules, policy, seat, kind, legal, trick, j)
    return best_follow(batch, rules, policy, seat, kind, legal, trick, j)


@kernel
def tile_turn(batch, setup, trick, turn):
    """One turn of a trick in every lane; the last turn gives the trick to its winner."""
    rules = setup.rules[0]
    for j in range(LANES):
        if not batch.active[j] or batch.walkover[j] >= 0 or batch.left_to_play[j] == 0:
            continue
        seat = batch.seat[j]
        point = trick * MAX_SEATS + turn
        if batch.answered and (batch.external >> seat) & 1:
            chosen = batch.tile[point, j] * 8 + batch.suit[trick, j]
        else:
            policy = setup.policies[setup.seating[batch.arrangement[j], seat]]
            chosen = choose_tile(batch, rules, policy, seat, trick, turn, j)
        tile = chosen >> 3
        one = ONE << U(tile)
        if turn == 0:
            batch.led[j] = chosen & 7
            batch.suit[trick, j] = chosen & 7
            batch.leads[trick, j] = seat
            batch.best[j] = 0
        strength = rules.strength[(batch.trump[j] * 7 + batch.led[j]) * 28 + tile]
        if strength > batch.best[j]:
            batch.best[j] = strength
            batch.best_seat[j] = seat
        batch.tile[point, j] = tile
        batch.hand[seat, j] ^= one
        batch.own_out[seat, j] |= one
        batch.played[j] |= one
        batch.trick_tiles[j] |= one
        batch.left_to_play[j] -= 1
        if batch.left_to_play[j] > 0:
            batch.seat[j] = next_seat(batch, rules, seat, j)
        else:
            winner = batch.best_seat[j]
            batch.tricks[winner, j] += 1
            batch.winner[trick, j] = winner
            batch.lead_seat[j] = winner
            if rules.forgets:
                remember(batch, setup, trick, j)


@kernel
def remember(batch, setup, trick, j):
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
    for j in range(LANES):
        if not batch.active[j]:
            continue
        lowest_score = 1 << 60
        for s in range(rules.players):
            if batch.walkover[j] < 0 and (batch.in_play[j] >> s) & 1 and batch.defender[j] != s:
                batch.change[s, j] = rules.rounce_penalty if batch.tricks[s, j] == 0 else -batch.tricks[s, j]
            batch.score[s, j] += batch.change[s, j]
            lowest_score = min(lowest_score, batch.score[s, j])
        batch.number[j] += 1
        batch.over[j] = 1 if lowest_score <= 0 else 2 if batch.number[j] >= rules.max_rounds else 0
        batch.dealer[j] = (batch.dealer[j] + 1) % rules.players
        winners = 0
        for s in range(rules.players):
            won = batch.score[s, j] <= 0 if rules.finish_shared else batch.score[s, j] == lowest_score
            batch.win[s, j] = 1 if won and batch.over[j] == 1 else 0
            winners += batch.win[s, j]
        for s in range(rules.players):
            batch.win[s, j] = batch.win[s, j] * 12 // max(1, winners)


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
                acts = (
                    batch.call[seat, j] == S.DUMMY
                    or batch.call[seat, j] == S.TAKE
                    or batch.call[seat, j] == S.DEFEND_TAKE
                )
            else:
                acts = point >> 1 < rules.players - 1 or batch.in_play[j] != 0
        else:
            seat = batch.seat[j]
            acts = batch.left_to_play[j] > 0
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
    calls = 2 * rules.players
    tiles = calls + rules.players * rules.hand_size
    while batch.cursor < until:
        at = batch.cursor
        if calls <= at < tiles and (at - calls) % rules.players == 0 and not batch.answered:
            open_trick(batch, setup, (at - calls) // rules.players)
        if at < tiles and batch.external and not batch.answered and outside_acts(batch, rules, at, calls):
            break
        if at < calls:
            if at & 1:
                aside_turn(batch, setup, at >> 1)
            else:
                call_turn(batch, setup, at >> 1)
        elif at < tiles:
            tile_turn(batch, setup, (at - calls) // rules.players, (at - calls) % rules.players)
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
        seat = (batch.dealer[j] + earlier) % rules.players
        taken += 1 if batch.call[seat, j] == S.DUMMY else 0
    return taken


@kernel
def count_calls(batch, rules, at, row, s, position, rounced, j):
    """One seat's round by position, call and trumps dealt, and the experiment's call."""
    trump = batch.trump[j]
    change = batch.change[s, j]
    dealt = batch.dealt[s, j]
    trumps = count(dealt & rules.suit_tiles[trump * 8])
    row[at[S.DEALT_TRUMPS] + trumps] += 1
    row[at[S.POSITION_N] + position] += 1
    row[at[S.POSITION_CHANGE] + position] += change
    row[at[S.POSITION_CHANGE_SQ] + position] += change * change
    row[at[S.CHANGE_SUM]] += change
    call = batch.call[s, j]
    if call >= 0:
        cell = position * 6 + call
        row[at[S.CALLS] + cell] += 1
        row[at[S.CALL_CHANGE] + cell] += change
        row[at[S.CALL_ROUNCED] + cell] += rounced
        cell = call * 8 + trumps
        row[at[S.CALL_TRUMPS_N] + cell] += 1
        row[at[S.CALL_TRUMPS_CHANGE] + cell] += change
        row[at[S.CALL_TRUMPS_ROUNCED] + cell] += rounced
        if batch.probe_seat[j] == s:
            arm = 6 if call == S.PASS and dummies_before(batch, rules, position, j) >= rules.dummies_max else call
            cell = ((arm * rules.players + position) * 8 + trumps) * 8 + highest(trump_heights(rules, dealt, trump))
            row[at[S.CHART_N] + cell] += 1
            row[at[S.CHART_CHANGE] + cell] += change
            row[at[S.CHART_ROUNCED] + cell] += rounced


@kernel
def count_tiles(batch, rules, at, row, s, j):
    """What each tile dealt to a seat came with, in tricks and score."""
    trump = batch.trump[j]
    change, tricks = batch.change[s, j], batch.tricks[s, j]
    for k in range(rules.hand_size):
        tile = batch.place[1 + 7 * s + k, j]
        role = 1 if rules.height[trump * 28 + tile] > 0 else 0
        cell = tile * 2 + role
        row[at[S.TILE_N] + cell] += 1
        row[at[S.TILE_TRICKS] + cell] += tricks
        row[at[S.TILE_CHANGE] + cell] += change
        if role:
            rank = rules.rank[trump * 8 * 28 + tile]
            row[at[S.TRUMP_RANK_N] + rank] += 1
            row[at[S.TRUMP_RANK_TRICKS] + rank] += tricks
            row[at[S.TRUMP_RANK_CHANGE] + rank] += change


@kernel
def count_round(batch, rules, at, row, j):
    """Everything that is counted once a round, in one lane."""
    n = rules.players
    dealer = (batch.dealer[j] + n - 1) % n
    played = 1 if batch.walkover[j] < 0 else 0
    row[at[S.ROUNDS]] += 1
    row[at[S.TRUMP] + batch.trump[j]] += 1
    row[at[S.PLAYED]] += played
    if not played:
        row[at[S.WALKOVER_DEALER if batch.in_play[j] == 0 else S.WALKOVER_LAST]] += 1
    if batch.defender[j] >= 0:
        row[at[S.DEFENDED]] += 1
        row[at[S.DEFENDED_TRICKS]] += batch.tricks[batch.defender[j], j]
    for s in range(n):
        in_play = (batch.in_play[j] >> s) & 1
        rounced = 1 if played and in_play and batch.tricks[s, j] == 0 and batch.defender[j] != s else 0
        row[at[S.ROUNCED]] += rounced
        row[at[S.TRICKS]] += batch.tricks[s, j]
        row[at[S.TRUMP_TRICKS] + batch.trump[j]] += batch.tricks[s, j]
        row[at[S.TRUMP_CHANGE] + batch.trump[j]] += batch.change[s, j]
        position = s - dealer - 1
        count_calls(batch, rules, at, row, s, position + n if position < 0 else position, rounced, j)
        count_tiles(batch, rules, at, row, s, j)
    if played:
        leader, suit = batch.leads[0, j], batch.suit[0, j]
        rank = rules.rank[(batch.trump[j] * 7 + suit) * 28 + batch.tile[0, j]]
        cell = (8 if suit == batch.trump[j] else 0) + rank
        row[at[S.LEAD_N] + cell] += 1
        row[at[S.LEAD_WON] + cell] += 1 if batch.winner[0, j] == leader else 0
        row[at[S.LEAD_CHANGE] + cell] += batch.change[leader, j]


@kernel
def follow_lead(batch, n, j):
    """After a round: who leads alone, whether the lead changed, and who was ever last alone."""
    least, most = batch.score[0, j], batch.score[0, j]
    for s in range(1, n):
        least = min(least, batch.score[s, j])
        most = max(most, batch.score[s, j])
    leaders, trailers, leader, trailer = 0, 0, -1, -1
    for s in range(n):
        if batch.score[s, j] == least:
            leaders += 1
            leader = s
        if batch.score[s, j] == most:
            trailers += 1
            trailer = s
    if trailers == 1:
        batch.was_last[j] |= 1 << trailer
    if leaders == 1:
        if batch.leader[j] >= 0 and batch.leader[j] != leader:
            batch.changes[j] += 1
        batch.leader[j] = leader
    else:
        leader = -1
    done = batch.number[j] - 1
    if done < S.HISTORY:
        batch.history[done, j] = leader


@kernel
def count_match(batch, setup, row, j):
    """Everything that is counted once a match, in one lane."""
    rules = setup.rules[0]
    n = rules.players
    rounds = batch.number[j]
    row[setup.at[S.LENGTH] + min(rounds, S.HISTORY) - 1] += 1
    row[setup.at[S.LEAD_CHANGES] + min(batch.changes[j], 31)] += 1
    if batch.over[j] == 2:
        row[setup.at[S.UNFINISHED]] += 1
        row[setup.at[NO_WINNER]] += 1
    came_back = 0
    for s in range(n):
        win, points = batch.win[s, j], batch.score[s, j]
        add_play(batch, setup, row, n, batch.arrangement[j], s, win, points, j)
        place = (s - batch.first_dealer[j] + n) % n
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
                leader = batch.history[(rounds * (tenth + 1) + 9) // 10 - 1, j]
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
        tricks += batch.tricks[s, j]
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
def play_block(batches, setup, seed, first, count_, grouped, plain, records):
    """Play units first ... first + count_ - 1 and add to the tallies: `grouped` (64, row), `plain`
    (segments, policies * 2 * players); `records` (count_ or 0, plays) gets a row for each play.

    A lane plays all seatings of a unit, then takes the next one. Returns -1, or the first unit found to
    break an invariant.
    """
    batch = batches[0]
    batch.external = 0
    rules = setup.rules[0]
    n = rules.players
    last = first + count_
    window = first // LANES
    batch.queue[0] = 0
    batch.queue[1] = window + (0 - window) % GROUPS
    batch.queue[2] = 0
    going = 0
    for j in range(LANES):
        batch.active[j] = 0
        for s in range(4):
            batch.unit_place_win[s, j] = 0
            batch.unit_place_points[s, j] = 0
        unit = take_unit(batch, first, last)
        if unit >= 0:
            going += 1
            clear_unit(batch, rules.slots, n, j)
            start_match(batch, rules, j, seed, unit, 0)
    while going > 0:
        deal_round(batch, setup)
        advance(batch, setup, last_point(setup))
        for j in range(LANES):
            if not batch.active[j]:
                continue
            if unsound(batch, rules, j):
                return batch.unit[j]
            row = grouped[batch.unit[j] // LANES % GROUPS]
            count_round(batch, rules, setup.at, row, j)
            follow_lead(batch, n, j)
            if batch.over[j]:
                count_match(batch, setup, row, j)
                if records.shape[0] > 0:
                    record_play(records, batch.unit[j] - first, batch.play[j], n, batch.win, batch.score, j)
                if batch.play[j] + 1 < rules.plays:
                    start_match(batch, rules, j, seed, batch.unit[j], batch.play[j] + 1)
                else:
                    segment = np.searchsorted(setup.marks, batch.unit[j], side="right") - 1
                    count_unit(batch, setup, row, plain[segment], n, j)
                    count_places(batch, setup, row, j)
                    unit = take_unit(batch, first, last)
                    if unit >= 0:
                        clear_unit(batch, rules.slots, n, j)
                        start_match(batch, rules, j, seed, unit, 0)
                    else:
                        batch.active[j] = 0
                        going -= 1
    return -1
