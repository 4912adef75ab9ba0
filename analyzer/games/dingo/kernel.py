"""Dingo, compiled: 64 deals side by side, a phase at a time.

`advance` plays a batch from wherever it stands up to a point, or up to a decision that is made outside;
everything that plays (runs, traces, experiments, later look-ahead) drives that one function. A point of
play is a whole number: 4 * step + seat in the exchange, then the turns of the hunt, then those of the ace
hunt. Rules are numbers in `setup.rules`, policies are tables; see `state.py`.

The hunts of different ranks do not touch each other: no card of one can be played in another, and
policies look only at the rank's cards, the seats and the rules. So all twelve are played at once, turn by
turn, on words of four 16-bit fields (bit 16 * seat + rank); `todo` says which ranks take part, so that
they can as well be played one by one (`rank_by_rank`).
"""

from __future__ import annotations

import numpy as np

from analyzer.games.common.units import NO_WINNER, add_plays, count_units, record_play
from analyzer.games.dingo import state as S
from analyzer.games.spec import GROUPS, LANES
from analyzer.kernels.bits import (
    ONE,
    ZERO,
    U,
    count,
    full_mask,
    gather3,
    high_product,
    lowest,
    nth,
    rotate_right,
    scatter,
    spread3,
)
from analyzer.kernels.choose import below, coins
from analyzer.kernels.jit import kernel
from analyzer.kernels.lookup import raise_to
from analyzer.kernels.rng import address, repeat_key, unit_key, word
from analyzer.kernels.tally import count_bits, sum_where

# What a random word is for. Part of every draw's address: a change moves numbers, and raises the game's
# `stream`.
(DEAL, COIN, EXCHANGE_NOISE, EXCHANGE_PICK, MEMORY, HUNT_ORDER, WOLF_ORDER, LAPSE, HUNT_NOISE, HUNT_COIN,
 HUNT_PICK, ACE_NOISE, ACE_PICK, PROBE) = range(14)  # fmt: skip

DECK = U(full_mask(40))
SPADES = U(0x0000002492492492)
EVEN_RANKS = U(0o070707070707)
EVERY_SEAT = U(0x0001000100010001)
FIELD = U(0xFFFF)
HUNTED = U(0x0FFF0FFF0FFF0FFF)
ALL = U(0xFFFFFFFFFFFFFFFF)
LONE_WOLF, BOTH_WOLVES, ACE = 7, 8, 9
FACES = 1 << 20


@kernel
def swapped(cards, coin):
    """A set of cards with spades and clubs of every rank exchanged, if the coin (SPADES or 0) says so."""
    change = (cards ^ (cards >> ONE)) & coin
    return cards ^ change ^ (change << ONE)


@kernel
def ranks_of(fields):
    """Ranks that are in any seat's field."""
    return (fields | (fields >> U(16)) | (fields >> U(32)) | (fields >> U(48))) & FIELD


@kernel
def for_all(ranks):
    """A set of ranks in every seat's field."""
    return ranks * EVERY_SEAT


@kernel
def happens(key, where, chance):
    """Whether an event of the given chance (of 2^64; the largest is certain) happens."""
    return chance != ZERO and (chance == ALL or word(key, where) < chance)


# The deal --------------------------------------------------------------------------------------------


@kernel
def draw(key, rules, subsets, seat, pool):
    """The cards that a seat is dealt out of those left, by one random word: a few sets of up to three, each a row of
    Setup.subsets.

    Batched picks without bias as in `choose.subset`, which draws card by card.
    """
    where = address(DEAL, seat, 0)
    while True:
        low = word(key, where)
        left = pool
        for i in range(S.DRAWS):
            bound = rules.draw_bound[seat, i]
            row = rules.draw_from[seat, i] + high_product(low, bound)
            low = low * bound
            left ^= scatter(subsets[row], left)
        if low >= rules.draw_unfair[seat]:
            return pool ^ left
        where = where + U(1 << 56)


@kernel
def deal(batch, setup, seed, first):
    """Deal the units first ... first + 63. Cards are a function of seed and unit alone, beside those given.

    Play happens with spades and clubs exchanged in half of the deals (`coin`), so that ties broken by the
    lower card favour neither.
    """
    rules, subsets = setup.rules[0], setup.subsets
    for j in range(LANES):
        key = unit_key(seed, U(first + j))
        coin = SPADES if word(key, address(COIN, 0, 0)) & ONE else ZERO
        batch.unit[j] = first + j
        batch.key[j] = repeat_key(key, rules.again)
        batch.coin[j] = coin
        pool = rules.pool
        for s in range(3):
            hand = draw(key, rules, subsets, s, pool)
            pool ^= hand
            batch.dealt[s, j] = swapped(hand | rules.given[s], coin)
        batch.dealt[3, j] = swapped(pool | rules.given[3], coin)


@kernel
def start(batch, setup, play):
    """Set a dealt batch to the beginning of the given play (seating) of its units."""
    rules = setup.rules[0]
    batch.cursor = 0
    batch.answered = 0
    plays, combinations = rules.plays, rules.combinations
    combination = batch.unit[0] % combinations
    for j in range(LANES):
        batch.arrangement[j] = combination * plays + play
        combination = combination + 1 if combination + 1 < combinations else 0
        batch.pile[j] = ZERO
    for s in range(4):
        seat_policies(batch, setup, s)
        for j in range(LANES):
            batch.hand[s, j] = batch.dealt[s, j]
            batch.known[s, j] = ZERO
            batch.own[s, j] = ZERO
            batch.gone[s, j] = ZERO


@kernel
def seat_policies(batch, setup, s):
    """Who sits at a seat, and the lanes where a policy comes first there. Lane j has the arrangement of lane
    j - combinations.
    """
    batch.leaders[s] = ZERO
    period = min(setup.rules[0].combinations, LANES)
    for j in range(LANES):
        batch.policy[s, j] = setup.seating[batch.arrangement[j], s]
    for j in range(period):
        fresh = True
        for before in range(j):
            fresh = fresh and batch.policy[s, before] != batch.policy[s, j]
        if fresh:
            batch.leaders[s] |= ONE << U(j)


@kernel
def last_point(setup):
    """The point at which everything is played."""
    rules = setup.rules[0]
    groups = 12 if rules.rank_by_rank else 1
    return 4 * rules.n_steps + groups * S.CIRCLES * S.TURNS + S.TURNS


@kernel
def advance(batch, setup, until):
    """Play on from the batch's cursor up to point `until`, or to a decision of an outside seat that is not
    answered yet.

    Outside seats are the bits of `batch.external`. An answer is put into `choice[cursor]` (exchange: a
    card a lane), `answer` (hunt: see `laid` in state.py) or `ace_laid[turn]`, and `answered` set to 1;
    then `advance` is called again. Returns the cursor.
    """
    rules = setup.rules[0]
    hunt = 4 * rules.n_steps
    turns = S.CIRCLES * S.TURNS
    aces = last_point(setup) - S.TURNS
    while batch.cursor < until:
        at = batch.cursor
        if at < hunt:
            step, seat = at >> 2, at & 3
            if not batch.answered:
                if (batch.external >> seat) & 1:
                    break
                choose_card(batch, rules, setup.exchange, step, seat)
                if rules.noise:
                    exchange_noise(batch, rules, setup.noise, step, seat)
            part_with(batch, rules, step, seat)
            if rules.forgets and rules.offset[step] == 0:
                remember(batch, setup.memory, setup.remember, step, seat)
        elif at < aces:
            if at == hunt and not batch.answered:
                open_hunts(batch, setup)
            group, turn = (at - hunt) // turns, (at - hunt) % turns
            circle, place = turn // S.TURNS, turn % S.TURNS
            if circle < rules.circles and place < rules.turns:
                if not batch.answered:
                    take_turn(batch, rules, group, circle, place)
                    choose_hunt(batch, rules, setup.lays, turn)
                    if rules.noise:
                        hunt_noise(batch, setup.noise, turn)
                    if rules.probe and circle == 0:
                        probe_lone_wolf(batch, place)
                    if batch.external and awaits(batch):
                        break
                settle_turn(batch, turn)
        else:
            if at == aces and not batch.answered:
                open_ace_hunt(batch)
            turn = at - aces
            if turn < rules.ace_turns:
                if batch.external and not batch.answered and ace_awaits(batch, turn):
                    break
                choose_aces(batch, rules, setup.ace, turn)
                if rules.noise:
                    ace_noise(batch, rules, setup.noise, turn)
                settle_aces(batch, rules, turn)
        batch.answered = 0
        batch.cursor = at + 1
    return batch.cursor


# The exchange ----------------------------------------------------------------------------------------


@kernel
def see_ranks(batch, seat, forgets):
    """`situation`: what a seat knows of each rank's cards.

    A card's state has a low bit, "held or passed", and a high one, "discarded or passed". The three low and the
    three high bits of a rank are brought side by side, in words for every other rank.
    """
    for j in range(LANES):
        known = batch.known[seat, j] if forgets else batch.pile[j]
        gone = batch.gone[seat, j] & ~known
        low = batch.hand[seat, j] | gone
        high = known | gone
        batch.even[j] = (low & EVEN_RANKS) | ((high & EVEN_RANKS) << U(3))
        batch.odd[j] = ((low >> U(3)) & EVEN_RANKS) | (high & (EVEN_RANKS << U(3)))
        batch.situation[12, j] = ((low >> U(36)) & U(15)) | (((high >> U(36)) & U(15)) << U(4))
    for pair in range(6):
        shift = U(6 * pair)
        for j in range(LANES):
            batch.situation[2 * pair, j] = (batch.even[j] >> shift) & U(63)
            batch.situation[2 * pair + 1, j] = (batch.odd[j] >> shift) & U(63)


@kernel
def choose_card(batch, rules, table, step, seat):
    """The card to part with: the best entry over all ranks, for the lanes of each policy at the seat in turn."""
    if rules.all_noise:
        return
    see_ranks(batch, seat, rules.forgets)
    point = 4 * step + seat
    leaders = batch.leaders[seat]
    while leaders != ZERO:
        policy = batch.policy[seat, lowest(leaders)]
        leaders &= leaders - ONE
        at = U(policy) * U(7 * 1024) + U(1024 * rules.kind[step])
        for j in range(LANES):
            batch.best[j] = 0
        for rank in range(12):
            raise_to(batch.best, table, at + U(64 * rank), batch.situation[rank], 64)
        raise_to(batch.best, table, at + U(768), batch.situation[12], 256)
        for j in range(LANES):
            if batch.policy[seat, j] == policy:
                batch.choice[point, j] = 63 - (batch.best[j] & 63)


@kernel
def exchange_noise(batch, rules, noise, step, seat):
    """Replace the choice by a uniform legal card, with the policy's chance."""
    kind = rules.kind[step]
    legal = rules.discardable if rules.offset[step] == 0 else DECK
    for j in range(LANES):
        key = batch.key[j]
        if happens(key, address(EXCHANGE_NOISE, step, seat), noise[batch.policy[seat, j], kind]):
            cards = batch.hand[seat, j] & legal
            pick = below(key, address(EXCHANGE_PICK, step, seat), count(cards))
            batch.choice[4 * step + seat, j] = lowest(nth(cards, pick))


@kernel
def part_with(batch, rules, step, seat):
    """Discard or pass what was chosen."""
    point = 4 * step + seat
    offset = rules.offset[step]
    receiver = (seat + offset) & 3
    for j in range(LANES):
        card = ONE << U(batch.choice[point, j])
        batch.hand[seat, j] ^= card
        if offset == 0:
            batch.pile[j] |= card
        else:
            batch.hand[receiver, j] |= card
            batch.gone[seat, j] |= card
            batch.gone[receiver, j] &= ~card


@kernel
def remember(batch, memories, chances, step, seat):
    """What each seat knows to be discarded after `seat`'s discard, by its policy's memory. Own discards are
    never forgotten.
    """
    for j in range(LANES):
        card = ONE << U(batch.choice[4 * step + seat, j])
        batch.own[seat, j] |= card
        batch.known[seat, j] |= card
        for observer in range(4):
            policy = batch.policy[observer, j]
            memory = memories[policy]
            if memory == S.PERFECT:
                batch.known[observer, j] |= card
            elif memory == S.TOP_CARD:
                batch.known[observer, j] = batch.own[observer, j] | card
            elif memory == S.CHANCE and observer != seat:
                where = address(MEMORY, step, 4 * observer + seat)
                if happens(batch.key[j], where, chances[policy]):
                    batch.known[observer, j] |= card


# The hunt --------------------------------------------------------------------------------------------


@kernel
def recall_passes(batch, rules):
    """To whom each seat passed what it passed last, unless it came back."""
    for s in range(4):
        for o in range(3):
            for j in range(LANES):
                batch.past[s, o, j] = ZERO
    for step in range(rules.n_steps):
        offset = rules.offset[step]
        if offset > 0:
            for s in range(4):
                for j in range(LANES):
                    card = ONE << U(batch.choice[4 * step + s, j])
                    for o in range(3):
                        batch.past[s, o, j] &= ~card
                    batch.past[s, offset - 1, j] |= card
    for s in range(4):
        for o in range(3):
            for j in range(LANES):
                batch.past[s, o, j] &= batch.gone[s, j]


@kernel
def open_hunts(batch, setup):
    """From sets of cards to seat fields; who overlooks a dingo; orders of hunts and turns."""
    rules = setup.rules[0]
    recall_passes(batch, rules)
    if not rules.forgets:
        for s in range(4):
            for j in range(LANES):
                batch.known[s, j] = batch.pile[j]
    for j in range(LANES):
        dingo, spade, club = ZERO, ZERO, ZERO
        known_spade, known_club = ZERO, ZERO
        for s in range(4):
            shift = U(16 * s)
            hand = batch.hand[s, j]
            known = batch.known[s, j]
            dingo |= gather3(hand) << shift
            spade |= gather3(hand >> U(1)) << shift
            club |= gather3(hand >> U(2)) << shift
            known_spade |= gather3(known >> U(1)) << shift
            known_club |= gather3(known >> U(2)) << shift
        batch.dingo[j] = dingo & HUNTED
        batch.spade[j] = spade & HUNTED
        batch.club[j] = club & HUNTED
        batch.known_spade[j] = known_spade
        batch.known_club[j] = known_club
    for o in range(3):
        for j in range(LANES):
            spade, club = ZERO, ZERO
            for s in range(4):
                past = batch.past[s, o, j]
                spade |= gather3(past >> U(1)) << U(16 * s)
                club |= gather3(past >> U(2)) << U(16 * s)
            batch.past_spade[o, j] = spade
            batch.past_club[o, j] = club
    for j in range(LANES):
        batch.lapse[j] = ZERO
    if rules.lapses:
        for s in range(4):
            for j in range(LANES):
                chance = setup.lapse[batch.policy[s, j]]
                if chance != ZERO:
                    batch.lapse[j] |= coins(batch.key[j], address(LAPSE, 0, s), chance) & (FIELD << U(16 * s))
    for j in range(LANES):
        batch.overlooked[j] = batch.dingo[j] & batch.lapse[j]
        batch.dingo[j] &= ~batch.lapse[j]
        batch.out[j] = ZERO
        batch.out_twice[j] = ZERO
        batch.laid_by[j] = ZERO
        batch.first_spade[j] = ZERO
        batch.first_club[j] = ZERO
        batch.second_spade[j] = ZERO
        batch.second_club[j] = ZERO
        batch.alone_first[j] = ZERO
        batch.probed[0, j] = ZERO
        batch.probed[1, j] = ZERO
    for turn in range(S.CIRCLES * S.TURNS):
        for j in range(LANES):
            batch.laid[turn, j] = ZERO
    order_hunts(batch, rules)
    order_turns(batch, rules)


@kernel
def order_hunts(batch, rules):
    """Ranks in the order in which their rabbits are hunted, and their points."""
    last = 11 if rules.hunt_order == S.DESCENDING else 0
    for j in range(LANES):
        for k in range(12):
            rank = abs(last - k)
            batch.order[k, j] = rank
            batch.worth[k, j] = rules.points[rank]
    if rules.hunt_order == S.SHUFFLED:
        for j in range(LANES):
            rest = U(0xFFF)
            for k in range(12):
                pick = nth(rest, below(batch.key[j], address(HUNT_ORDER, k, 0), 12 - k))
                batch.order[k, j] = lowest(pick)
                batch.worth[k, j] = rules.points[batch.order[k, j]]
                rest ^= pick


@kernel
def order_turns(batch, rules):
    """Seat fields of those who act at each place of a circle; the dingo player, if at all, last."""
    if rules.wolf_order == S.LEFT_OF_DINGO:
        for j in range(LANES):
            dingo = batch.dingo[j]
            for place in range(3):
                batch.actors[place, j] = rotate_right(dingo, 48 - 16 * place)
    else:
        for place in range(3):
            for j in range(LANES):
                batch.actors[place, j] = ZERO
        for j in range(LANES):
            for s in range(4):
                ranks = (batch.dingo[j] >> U(16 * s)) & FIELD
                if rules.wolf_order == S.LEFT_OF_DEALER:
                    place = 0
                    for k in range(4):
                        seat = (k + 1) & 3
                        if seat != s:
                            batch.actors[place, j] |= ranks << U(16 * seat)
                            place += 1
                else:
                    while ranks != ZERO:
                        rank = lowest(ranks)
                        one = ONE << U(rank)
                        ranks ^= one
                        others = U(15) ^ (ONE << U(s))
                        drawn = below(batch.key[j], address(WOLF_ORDER, rank, 0), 6)
                        for place in range(3):
                            choices = 3 - place
                            pick = nth(others, drawn % choices)
                            drawn //= choices
                            others ^= pick
                            batch.actors[place, j] |= one << U(16 * lowest(pick))
    for j in range(LANES):
        batch.actors[3, j] = batch.dingo[j]


@kernel
def take_turn(batch, rules, group, circle, place):
    """`acting`, the seat fields of those whose turn it is, and `later`, those whose turn in the circle comes after."""
    one_rank = rules.rank_by_rank
    for j in range(LANES):
        ranks = for_all(ONE << U(batch.order[group, j])) if one_rank else HUNTED
        batch.acting[j] = batch.actors[place, j] & ranks
        batch.later[j] = ZERO
    if rules.circles > 1:
        for j in range(LANES):
            batch.acting[j] &= ~batch.out_twice[j]
    if circle > 0:
        for j in range(LANES):
            batch.acting[j] &= batch.out[j]
    # The dingo player who has no turn is neither later nor earlier.
    for after in range(place + 1, rules.turns):
        for j in range(LANES):
            batch.later[j] |= batch.actors[after, j]


@kernel
def load_masks(batch, lays, turn, alike):
    """`mask`: where each lane's seats lay in this turn. `alike`: all lanes have the same seating."""
    same = U(batch.arrangement[0]) * U(72) + U(9 * turn)
    if alike:
        for j in range(LANES):
            for m in range(9):
                batch.mask[m, j] = lays[same + U(m)]
    else:
        for j in range(LANES):
            for m in range(9):
                batch.mask[m, j] = lays[U(batch.arrangement[j]) * U(72) + U(9 * turn + m)]


@kernel
def lays_lone(masks, lone, other_out, own_out, none_out, known, past1, past2, past3, later, blocked):
    """Where the holder of one wolf lays it: rank masks by what its player knows of the other wolf."""
    past_later = (past1 & later[0]) | (past2 & later[1]) | (past3 & later[2])
    past_blocked = (past1 & blocked[0]) | (past2 & blocked[1]) | (past3 & blocked[2])
    past = past1 | past2 | past3
    unseen = none_out & ~known
    lays = other_out & masks[0]
    lays |= own_out & masks[1]
    lays |= none_out & known & masks[2]
    lays |= unseen & past_blocked & ~past_later & masks[3]
    lays |= unseen & past_later & masks[4]
    lays |= unseen & past & ~past_later & ~past_blocked & masks[5]
    lays |= unseen & ~past & masks[6]
    return lays & lone


@kernel
def choose_hunt(batch, rules, lays, turn):
    """What those whose turn it is want to lay: `want_spade`, `want_club`, and where a club comes before the spade."""
    load_masks(batch, lays, turn, rules.combinations == 1)
    may_last = rules.turns == 4
    for j in range(LANES):
        spade = batch.spade[j] & batch.acting[j]
        club = batch.club[j] & batch.acting[j]
        both = spade & club
        out = batch.out[j]
        own_out = out & batch.laid_by[j]
        later = batch.later[j]
        blocked = ZERO if may_last else batch.dingo[j]
        later_at = (rotate_right(later, 16), rotate_right(later, 32), rotate_right(later, 48))
        blocked_at = (rotate_right(blocked, 16), rotate_right(blocked, 32), rotate_right(blocked, 48))
        masks = (
            batch.mask[0, j], batch.mask[1, j], batch.mask[2, j], batch.mask[3, j], batch.mask[4, j],
            batch.mask[5, j], batch.mask[6, j],
        )  # fmt: skip
        lays_spade = lays_lone(
            masks, spade ^ both, out & ~own_out, own_out, ~out, batch.known_club[j],
            batch.past_club[0, j], batch.past_club[1, j], batch.past_club[2, j], later_at, blocked_at,
        )  # fmt: skip
        lays_club = lays_lone(
            masks, club ^ both, out & ~own_out, own_out, ~out, batch.known_spade[j],
            batch.past_spade[0, j], batch.past_spade[1, j], batch.past_spade[2, j], later_at, blocked_at,
        )  # fmt: skip
        two = both & batch.mask[8, j]
        batch.want_spade[j] = lays_spade | two | (both & batch.mask[7, j])
        batch.want_club[j] = lays_club | two
        batch.club_first[j] = ZERO


@kernel
def hunt_noise(batch, noise, turn):
    """Replace wishes by random ones, with the policies' chances: the number laid uniform, then which, then
    in what order.
    """
    for j in range(LANES):
        spade, club = batch.spade[j] & batch.acting[j], batch.club[j] & batch.acting[j]
        both = spade & club
        lone = (spade | club) ^ both
        if lone | both == ZERO:
            continue
        key = batch.key[j]
        at_lone, at_both = ZERO, ZERO
        for s in range(4):
            policy = batch.policy[s, j]
            field = FIELD << U(16 * s)
            chance = noise[policy, LONE_WOLF]
            if chance != ZERO and lone & field:
                at_lone |= coins(key, address(HUNT_NOISE, turn, s), chance) & field
            chance = noise[policy, BOTH_WOLVES]
            if chance != ZERO and both & field:
                at_both |= coins(key, address(HUNT_NOISE, turn, 4 + s), chance) & field
        at_lone &= lone
        at_both &= both
        toss = word(key, address(HUNT_COIN, turn, 0))
        want_spade = (batch.want_spade[j] & ~(at_lone | at_both)) | (spade & at_lone & toss)
        want_club = (batch.want_club[j] & ~(at_lone | at_both)) | (club & at_lone & toss)
        while at_both != ZERO:
            one = at_both & (ZERO - at_both)
            at_both ^= one
            place_of = lowest(one)
            where = address(HUNT_PICK, place_of & 15, turn * 4 + (place_of >> 4))
            n = below(key, where, 3)
            if n == 2:
                want_spade |= one
                want_club |= one
                batch.club_first[j] |= toss & one
            elif n == 1:
                want_club |= toss & one
                want_spade |= ~toss & one
        batch.want_spade[j] = want_spade
        batch.want_club[j] = want_club


@kernel
def probe_lone_wolf(batch, turn):
    """The experiment: one seat, drawn for the deal, lays a lone first wolf or not by a coin."""
    for j in range(LANES):
        draw = word(batch.key[j], address(PROBE, 0, 0))
        field = FIELD << (U(16) * (draw & U(3)))
        actors = batch.acting[j] & field
        spade, club = batch.spade[j] & actors, batch.club[j] & actors
        lone = (spade ^ club) & ~batch.out[j]
        toss = word(batch.key[j], address(PROBE, 1, turn))
        batch.want_spade[j] = (batch.want_spade[j] & ~lone) | (spade & lone & toss)
        batch.want_club[j] = (batch.want_club[j] & ~lone) | (club & lone & toss)
        batch.probed[0, j] |= ranks_of(lone & ~toss) << U(12 * turn)
        batch.probed[1, j] |= ranks_of(lone & toss) << U(12 * turn)


@kernel
def outside(batch):
    """Seat fields of the seats that choose outside."""
    fields = ZERO
    for s in range(4):
        if (batch.external >> s) & 1:
            fields |= FIELD << U(16 * s)
    return fields


@kernel
def awaits(batch):
    """Whether anyone outside has wolves to lay or hold back in this turn."""
    waiting = ZERO
    for j in range(LANES):
        waiting |= batch.acting[j] & (batch.spade[j] | batch.club[j])
    return waiting & outside(batch) != ZERO


@kernel
def settle_turn(batch, turn):
    """Lay what is wanted, by policy or by the answer from outside."""
    if batch.answered:
        fields = outside(batch)
        for j in range(LANES):
            actors = batch.acting[j] & fields
            answer = batch.answer[j]
            spade = batch.spade[j] & actors & for_all(answer & FIELD)
            club = batch.club[j] & actors & for_all((answer >> U(16)) & FIELD)
            batch.want_spade[j] = (batch.want_spade[j] & ~actors) | spade
            batch.want_club[j] = (batch.want_club[j] & ~actors) | club
            batch.club_first[j] = (batch.club_first[j] & ~actors) | (spade & club & for_all((answer >> U(32)) & FIELD))
    first_circle = turn < S.TURNS
    for j in range(LANES):
        spade, club = batch.want_spade[j], batch.want_club[j]
        out = batch.out[j]
        two = spade & club
        club_first = batch.club_first[j] & two
        spade_first = two ^ club_first
        second_spade = spade & (out | club_first)
        second_club = club & (out | spade_first)
        batch.first_spade[j] |= spade & ~second_spade
        batch.first_club[j] |= club & ~second_club
        batch.second_spade[j] |= second_spade
        batch.second_club[j] |= second_club
        batch.out[j] = out | for_all(ranks_of(spade | club))
        batch.out_twice[j] |= for_all(ranks_of(second_spade | second_club))
        batch.laid_by[j] |= spade | club
        batch.spade[j] ^= spade
        batch.club[j] ^= club
        if first_circle:
            batch.alone_first[j] |= ranks_of((spade ^ club) & ~out) << U(12 * turn)
        batch.laid[turn, j] |= ranks_of(spade) | (ranks_of(club) << U(16)) | (ranks_of(club_first) << U(32))


# The ace hunt ----------------------------------------------------------------------------------------


@kernel
def open_ace_hunt(batch):
    """Who holds which ace, and whether the ace dingo is overlooked; what each knows, in the order of the turns."""
    for turn in range(S.TURNS):
        for j in range(LANES):
            batch.ace_laid[turn, j] = 0
    for j in range(LANES):
        dingo, rabbit, wolves = -1, -1, 0
        aces, policies = ZERO, ZERO
        for s in range(4):
            held = batch.hand[s, j] >> U(36)
            dingo = s if held & ONE else dingo
            rabbit = s if held & U(8) else rabbit
            wolves = count(held & U(6)) if held & U(8) else wolves
            seen = (held >> ONE) & U(7)
            seen |= ((batch.known[s, j] >> U(37)) & U(7)) << U(3)
            for o in range(3):
                seen |= ((batch.past[s, o, j] >> U(37)) & U(7)) << U(6 + 3 * o)
            aces |= seen << U(16 * s)
            policies |= U(batch.policy[s, j]) << U(16 * s)
        overlooked = dingo >= 0 and (batch.lapse[j] >> U(16 * (dingo & 3) + 12)) & ONE != ZERO
        batch.ace_overlooked[j] = dingo if overlooked else -1
        dingo = -1 if overlooked else dingo
        batch.ace_dingo[j] = dingo
        batch.rabbit_seat[j] = rabbit
        batch.rabbit_wolves[j] = wolves
        batch.rabbit_place[j] = (rabbit - dingo + 3) & 3 if rabbit >= 0 and dingo >= 0 else 4
        batch.ace_out[j] = 0
        first = U(16 * ((dingo + 1) & 3))
        back = (U(64) - first) & U(63)
        batch.aces[j] = (aces >> first) | (aces << back)
        batch.ace_policy[j] = (policies >> first) | (policies << back)


@kernel
def ace_awaits(batch, turn):
    """Whether anyone outside has an ace wolf or the ace rabbit in this turn."""
    for j in range(LANES):
        if batch.ace_dingo[j] >= 0:
            seat = (batch.ace_dingo[j] + 1 + turn) & 3
            if (batch.external >> seat) & 1 and (batch.aces[j] >> U(16 * turn)) & U(7):
                return True
    return False


@kernel
def pair(bits):
    """How many of the two lowest bits are set."""
    return (bits & ONE) + ((bits >> ONE) & ONE)


@kernel
def ace_situation(aces, out, turn, turns):
    """Index into Setup.ace: what the player of this turn knows, from its field of `aces`; `turns` turns in all."""
    held, known = aces & U(7), (aces >> U(3)) & U(7)
    past = ZERO
    rabbit = U(4)
    for o in range(3):
        given = (aces >> U(6 + 3 * o)) & U(7) & ~known
        past |= given
        receiver_turn = (turn + o + 1) & 3
        place = U(2) if turn < receiver_turn < turns else U(3)
        rabbit = place if given & U(4) else rabbit
    rabbit = ONE if known & U(4) else rabbit
    rabbit = ZERO if held & U(4) else rabbit
    wolves = pair(held)
    other = ~held & U(3)
    partner = U(2) if past & other else ZERO
    partner = ONE if known & other else partner
    partner = partner if wolves == ONE and out == ZERO else ZERO
    # The dingo player's turn is the last of four.
    place = U((turns - 1 - turn) * 2 + (1 if turn == 3 else 0))
    return (((place * U(3) + wolves) * U(5) + rabbit) * U(3) + out) * U(3) + partner


@kernel
def choose_aces(batch, rules, table, turn):
    """`ace_wish`: what those whose turn it is want to lay, as in `ace_laid`."""
    shift, turns = U(16 * turn), rules.ace_turns
    for j in range(LANES):
        index = ace_situation((batch.aces[j] >> shift) & U(0x7FFF), U(batch.ace_out[j]), turn, turns)
        batch.ace_index[j] = ((batch.ace_policy[j] >> shift) & FIELD) * U(1080) + index
    for j in range(LANES):
        batch.ace_wish[j] = table[batch.ace_index[j]]
    for j in range(LANES):
        wish = U(batch.ace_wish[j])
        n, rabbit = wish & U(3), wish >> U(2)
        only = U(2) if (batch.aces[j] >> shift) & U(3) == U(2) else ONE
        batch.ace_wish[j] = U(8) * rabbit + (only if n == ONE else n + (n >> ONE))


@kernel
def ace_noise(batch, rules, noise, turn):
    """Replace wishes by random ones, with the policies' chances: the number of wolves uniform, then which, then the
    rabbit by a coin where it may be laid.
    """
    shift = U(16 * turn)
    for j in range(LANES):
        held = (batch.aces[j] >> shift) & U(7)
        key, seat = batch.key[j], (batch.ace_dingo[j] + 1 + turn) & 3
        chance = noise[(batch.ace_policy[j] >> shift) & FIELD, ACE]
        if batch.ace_dingo[j] < 0 or held == ZERO or not happens(key, address(ACE_NOISE, turn, seat), chance):
            continue
        wolves = np.int64(pair(held))
        n = below(key, address(ACE_PICK, turn, seat), wolves + 1)
        toss = word(key, address(ACE_PICK, turn, 4 + seat))
        club = toss & ONE != ZERO if wolves == 2 else held & U(3) == U(2)
        may = held & U(4) != ZERO and batch.ace_out[j] + n >= rules.ace_needs
        laid = 8 if may and toss & U(2) else 0
        if n == 2:
            laid += 7 if club else 3
        elif n == 1:
            laid += 2 if club else 1
        batch.ace_wish[j] = laid


@kernel
def settle_aces(batch, rules, turn):
    """Lay what is wanted, by policy or by the answer from outside; nothing where nothing can be laid."""
    shift, needs = U(16 * turn), rules.ace_needs
    if batch.answered:
        for j in range(LANES):
            if (batch.external >> ((batch.ace_dingo[j] + 1 + turn) & 3)) & 1:
                batch.ace_wish[j] = batch.ace_laid[turn, j]
    for j in range(LANES):
        held = (batch.aces[j] >> shift) & U(7)
        can = held & U(3) != ZERO or (held != ZERO and batch.ace_out[j] >= needs)
        laid = U(batch.ace_wish[j]) if can and batch.ace_dingo[j] >= 0 else ZERO
        batch.ace_wish[j] = laid
        batch.ace_out[j] += pair(laid)
    for j in range(LANES):
        batch.ace_laid[turn, j] = batch.ace_wish[j]


# The result ------------------------------------------------------------------------------------------


@kernel
def share_out(batch, first_wolf_to):
    """Seat fields of what scores in the hunts of 2 to K: dingoes saved and dead, rabbits caught (each with a wolf), and
    first of two wolves by the seat that scores for them.
    """
    for j in range(LANES):
        out, twice = batch.out[j], batch.out_twice[j]
        dingo = batch.dingo[j]
        first = batch.first_spade[j] | batch.first_club[j]
        batch.saved[j] = dingo & out
        batch.died[j] = dingo & ~out
        batch.caught[j] = batch.second_spade[j] | batch.second_club[j] | (first & ~twice)
        given = first & twice
        if first_wolf_to == S.TO_DINGO_PLAYER:
            given = dingo & twice
        elif first_wolf_to == S.TO_DISCARD:
            given = ZERO
        batch.given[j] = given


@kernel
def score(batch, rules):
    """Piles into scores, disqualifications and the ace rabbit's fate; `out_of_play` has a bit for a caught seat."""
    share_out(batch, rules.first_wolf_to)
    score_hunts(batch)
    penalty = rules.caught_penalty
    for j in range(LANES):
        batch.out_of_play[j] = 0 if penalty else caught_seats(batch.overlooked[j])
    if rules.lapses and penalty:
        for rank in range(12):
            for s in range(4):
                for j in range(LANES):
                    caught = np.int64((batch.overlooked[j] >> U(16 * s + rank)) & ONE)
                    batch.score[s, j] -= rules.points[rank] * caught
    for s in range(4):
        for j in range(LANES):
            batch.rabbits[s, j] = (batch.caught[j] >> U(16 * s)) & FIELD
    score_aces(batch, rules)
    follow_lead(batch)


@kernel
def caught_seats(overlooked):
    """A bit for every seat whose field is not empty."""
    seats = 0
    for s in range(4):
        seats |= 1 << s if (overlooked >> U(16 * s)) & FIELD else 0
    return seats


@kernel
def rabbit_fates(batch, rules):
    """The ace rabbit's fate, what its holder gets for it (`rabbit_points`), and who hid it and is out of play."""
    alive, dead, penalty = rules.alive, rules.dead, rules.caught_penalty
    for j in range(LANES):
        laid = ZERO
        for turn in range(S.TURNS):
            laid |= U(batch.ace_laid[turn, j]) << U(4 * turn)
        batch.ace_all[j] = laid
        rabbit = batch.rabbit_seat[j]
        lives = laid & U(0x8888) != ZERO
        hidden = not lives and (batch.lapse[j] >> U(16 * (rabbit & 3) + 13)) & ONE != ZERO
        fate = S.HIDDEN if hidden else S.DEAD
        batch.rabbit_fate[j] = S.ABSENT if rabbit < 0 else S.ALIVE if lives else fate
        lost = 0 if hidden and not penalty else -dead
        batch.rabbit_points[j] = alive if lives else lost
        batch.out_of_play[j] |= 1 << (rabbit & 3) if hidden and rabbit >= 0 and not penalty else 0


@kernel
def score_aces(batch, rules):
    """Add the ace hunt to the scores."""
    rabbit_fates(batch, rules)
    ace, penalty = rules.points[12], rules.caught_penalty
    for s in range(4):
        for j in range(LANES):
            dingo = batch.ace_dingo[j]
            laid = (batch.ace_all[j] >> U(4 * ((s - dingo + 3) & 3))) & U(15)
            cards = np.int64(pair(laid))
            own = 1 if batch.ace_out[j] > 0 else -1
            cards += own if dingo == s else 0
            caught = batch.ace_overlooked[j] == s
            cards -= 1 if caught and penalty else 0
            points = batch.rabbit_points[j] if batch.rabbit_seat[j] == s else 0
            batch.score[s, j] += ace * cards + points
            batch.rabbits[s, j] |= (laid << U(9)) & U(1 << 12)
            batch.out_of_play[j] |= 1 << s if caught and not penalty else 0


@kernel
def follow_lead(batch):
    """Count a change where another seat than the last sole leader has the only highest score."""
    for j in range(LANES):
        a, b, c, d = batch.score[0, j], batch.score[1, j], batch.score[2, j], batch.score[3, j]
        best = max(max(a, b), max(c, d))
        top = (1 if a == best else 0) | (2 if b == best else 0) | (4 if c == best else 0) | (8 if d == best else 0)
        last = batch.leader[j]
        sole = top & (top - 1) == 0
        batch.changes[j] += 1 if sole and last != 0 and top != last else 0
        batch.leader[j] = top if sole else last


@kernel
def score_hunts(batch):
    """Running scores through the hunts of 2 to K, in their order, and how often the lead changes meanwhile.

    Penalties of those caught are known only at the end and count with the last lead.
    """
    for j in range(LANES):
        batch.changes[j] = 0
        batch.leader[j] = 0
    for s in range(4):
        for j in range(LANES):
            batch.score[s, j] = 0
    for k in range(12):
        for j in range(LANES):
            rank = U(batch.order[k, j])
            # From -1 to 4 cards a seat, plus one: they fit into the seats' fields.
            gain = ((batch.saved[j] >> rank) & EVERY_SEAT) + ((batch.given[j] >> rank) & EVERY_SEAT)
            gain += ((batch.caught[j] >> rank) & EVERY_SEAT) << ONE
            batch.gain[j] = gain + ((~batch.died[j] >> rank) & EVERY_SEAT)
        for s in range(4):
            for j in range(LANES):
                cards = np.int64((batch.gain[j] >> U(16 * s)) & FIELD) - 1
                batch.score[s, j] += batch.worth[k, j] * cards
        follow_lead(batch)


@kernel
def stand_by_rabbits(batch, rules):
    """`standing`: what decides between equal scores, the best rabbit by rank or by points; 0 where nothing does."""
    tie_break = rules.tie_break
    for s in range(4):
        for j in range(LANES):
            batch.standing[s, j] = batch.rabbits[s, j] if tie_break == S.HIGHEST_RABBIT else 0
    if tie_break == S.HIGHEST_VALUE:
        for s in range(4):
            for j in range(LANES):
                best = -FACES
                for rank in range(13):
                    if (U(batch.rabbits[s, j]) >> U(rank)) & ONE:
                        best = max(best, rules.alive if rank == 12 else rules.points[rank])
                batch.standing[s, j] = best


@kernel
def decide_winner(batch, rules):
    """Win shares in twelfths, how many had the top score, and what decided between them.

    No two hold the same rabbit, but rabbits may be worth the same, and seats may hold none.
    """
    stand_by_rabbits(batch, rules)
    by_rank = rules.tie_break == S.HIGHEST_RABBIT
    for j in range(LANES):
        barred = batch.out_of_play[j]
        best = -FACES
        for s in range(4):
            best = max(best, batch.score[s, j] if not (barred >> s) & 1 else -FACES)
        tied, highest = 0, -FACES
        for s in range(4):
            top = batch.score[s, j] == best and not (barred >> s) & 1
            tied += 1 if top else 0
            highest = max(highest, batch.standing[s, j] if top else -FACES)
        sharing, winners = 0, 0
        for s in range(4):
            top = batch.score[s, j] == best and not (barred >> s) & 1
            wins = top and batch.standing[s, j] == highest
            sharing += 1 if wins else 0
            winners |= 1 << s if wins else 0
        by_value = 2 if sharing == 1 else 4
        decided = 1 if by_rank else by_value
        batch.tied[j] = tied
        batch.broken[j] = 0 if tied < 2 else 3 if sharing == tied else decided
        # Twelve over 1, 2, 3, 4, a hexadecimal digit each.
        share = (0x346C0 >> (4 * sharing)) & 15
        for s in range(4):
            batch.win[s, j] = share if (winners >> s) & 1 else 0


@kernel
def finish(batch, setup):
    """Result of a batch that is played to its last point."""
    rules = setup.rules[0]
    score(batch, rules)
    decide_winner(batch, rules)


@kernel
def finish_again(batch, rules):
    """Result of the same plays under rules of other scores."""
    for k in range(12):
        for j in range(LANES):
            batch.worth[k, j] = rules.points[batch.order[k, j]]
    score(batch, rules)
    decide_winner(batch, rules)


# The tallies -----------------------------------------------------------------------------------------


@kernel
def shown(batch, j, ranks, suit):
    """Ranks as a set of cards of one suit, with the suits as dealt."""
    return swapped(spread3(ranks) << U(suit), batch.coin[j])


@kernel
def count_cards(batch, row, at, n):
    """Add `batch.column`, sets of cards, to 40 counters."""
    for b in range(64):
        batch.count[b] = 0
    count_bits(batch.column, n, batch.count, 40)
    for c in range(40):
        row[at + c] += batch.count[c]


@kernel
def count_endings(batch, setup, row, n):
    """What became of each card, in the order of the `ending` axis."""
    at = setup.at[S.ENDING]
    for j in range(n):
        batch.column[j] = swapped(batch.pile[j], batch.coin[j])
    count_cards(batch, row, at, n)
    for which in range(3):
        for j in range(n):
            twice = batch.out_twice[j]
            if which == 0:
                spade, club = batch.first_spade[j] & ~twice, batch.first_club[j] & ~twice
            elif which == 1:
                spade, club = batch.first_spade[j] & twice, batch.first_club[j] & twice
            else:
                spade, club = batch.second_spade[j], batch.second_club[j]
            batch.column[j] = shown(batch, j, ranks_of(spade), 1) | shown(batch, j, ranks_of(club), 2)
        count_cards(batch, row, at + 40 * (1 + which), n)
    for j in range(n):
        aces = 0
        for turn in range(S.TURNS):
            aces |= batch.ace_laid[turn, j]
        aces = aces & 3 if batch.ace_dingo[j] >= 0 else 0
        batch.moved[j] = U(aces) << U(37)
        batch.column[j] = swapped(batch.moved[j], batch.coin[j])
    count_cards(batch, row, at + 40 * 4, n)
    for j in range(n):
        played = (spread3(ranks_of(batch.first_spade[j] | batch.second_spade[j])) << U(1)) | batch.moved[j]
        played |= spread3(ranks_of(batch.first_club[j] | batch.second_club[j])) << U(2)
        wolves = SPADES | (SPADES << ONE)
        batch.column[j] = swapped(wolves & ~played & ~batch.pile[j], batch.coin[j])
    count_cards(batch, row, at + 40 * 5, n)
    for j in range(n):
        saved = ranks_of(batch.saved[j])
        saved |= U(1 << 12) if batch.ace_dingo[j] >= 0 and batch.ace_out[j] > 0 else ZERO
        batch.column[j] = spread3(saved)
    count_cards(batch, row, at + 40 * 6, n)
    for j in range(n):
        died = ranks_of(batch.died[j])
        died |= U(1 << 12) if batch.ace_dingo[j] >= 0 and batch.ace_out[j] == 0 else ZERO
        batch.column[j] = spread3(died)
    count_cards(batch, row, at + 40 * 7, n)
    for j in range(n):
        overlooked = ranks_of(batch.overlooked[j]) | (U(1 << 12) if batch.ace_overlooked[j] >= 0 else ZERO)
        batch.column[j] = spread3(overlooked)
    count_cards(batch, row, at + 40 * 8, n)
    for j in range(n):
        if batch.rabbit_fate[j] != S.ABSENT:
            row[at + 40 * (9 + batch.rabbit_fate[j]) + 39] += 1


@kernel
def count_handling(batch, setup, row, n):
    """What the hand that was dealt a card did with it first: parted with it at a step, or kept it to the hunt."""
    at = setup.at[S.HANDLING]
    for j in range(n):
        batch.moved[j] = ZERO
    for step in range(setup.rules[0].n_steps):
        for j in range(n):
            cards = ZERO
            for s in range(4):
                cards |= ONE << U(batch.choice[4 * step + s, j])
            fresh = cards & ~batch.moved[j]
            batch.moved[j] |= cards
            batch.column[j] = swapped(fresh, batch.coin[j])
        count_cards(batch, row, at + 40 * step, n)
    for j in range(n):
        batch.column[j] = swapped(DECK & ~batch.moved[j], batch.coin[j])
    count_cards(batch, row, at + 40 * setup.rules[0].n_steps, n)


@kernel
def count_dealt(batch, setup, row, n):
    """Which seat was dealt a card, and what its hand won: points in the upper half of a word, win share in
    the lower.
    """
    for b in range(64):
        batch.count[b] = 0
    for s in range(4):
        for j in range(LANES):
            batch.shown[s, j] = swapped(batch.dealt[s, j], batch.coin[j])
            batch.value[s, j] = np.int64(batch.score[s, j]) * (1 << 32) + np.int64(batch.win[s, j])
        count_bits(batch.shown[s], n, row[setup.at[S.DEALT] + 40 * s :], 40)
    sum_where(batch.shown, batch.value, n, batch.count, 40)
    for c in range(40):
        win = batch.count[c] & 0xFFFFFFFF
        row[setup.at[S.CARD_WIN] + c] += win
        row[setup.at[S.CARD_POINTS] + c] += (batch.count[c] - win) >> 32


@kernel
def count_hunts(batch, setup, row, n):
    """Outcomes by rank; lone first wolves laid, and overtaken, by place and rank."""
    for b in range(64):
        batch.count[b] = 0
    for j in range(n):
        played, overlooked = ranks_of(batch.dingo[j]), ranks_of(batch.overlooked[j])
        out, twice = batch.out[j] & U(0xFFF), batch.out_twice[j] & U(0xFFF)
        packed = (U(0xFFF) & ~(played | overlooked)) | (overlooked << U(12)) | ((played & ~out) << U(24))
        batch.column[j] = packed | ((out & ~twice) << U(36)) | (twice << U(48))
    count_bits(batch.column, n, batch.count, 60)
    for b in range(60):
        row[setup.at[S.OUTCOME] + b] += batch.count[b]
        batch.count[b] = 0
    count_bits(batch.alone_first, n, batch.count, 48)
    for b in range(48):
        row[setup.at[S.LONE_FIRST] + b] += batch.count[b]
        batch.count[b] = 0
    for j in range(n):
        twice = batch.out_twice[j] & U(0xFFF)
        batch.column[j] = batch.alone_first[j] & (twice | (twice << U(12)) | (twice << U(24)) | (twice << U(36)))
    count_bits(batch.column, n, batch.count, 48)
    for b in range(48):
        row[setup.at[S.OVERTAKEN] + b] += batch.count[b]


@kernel
def count_sets(batch, setup, row, n):
    """Everything that is counted by card and by rank."""
    count_dealt(batch, setup, row, n)
    count_handling(batch, setup, row, n)
    count_hunts(batch, setup, row, n)
    count_endings(batch, setup, row, n)


@kernel
def count_probes(batch, setup, row, n):
    """The experiment's two arms, with the probe seat's win share and points."""
    for j in range(n):
        seat = np.int64(word(batch.key[j], address(PROBE, 0, 0)) & U(3))
        for arm in range(2):
            cells = batch.probed[arm, j]
            while cells != ZERO:
                cell = 48 * arm + lowest(cells)
                cells &= cells - ONE
                row[setup.at[S.PROBE_N] + cell] += 1
                row[setup.at[S.PROBE_WIN] + cell] += batch.win[seat, j]
                row[setup.at[S.PROBE_POINTS] + cell] += batch.score[seat, j]


@kernel
def count_scores(batch, setup, row, n):
    """Results by policy and seat, for the lanes of each arrangement in turn (every `combinations`-th)."""
    rules = setup.rules[0]
    low, step, bins = rules.score_low, rules.score_step, rules.score_bins
    period = rules.combinations
    for first in range(min(period, n)):
        arrangement = batch.arrangement[first]
        lanes = (n - first + period - 1) // period
        add_plays(batch, setup, row, 4, batch.win, batch.score, arrangement, first, lanes, period)
        for s in range(4):
            at = setup.at[S.SCORE] + (setup.seating[arrangement, s] * 4 + s) * bins
            for j in range(first, n, period):
                points = batch.score[s, j] - low
                if step > 1:
                    points //= step
                row[at + points] += 1


@kernel
def count_play(batch, setup, row, n):
    """Scores, ties, leads and the ace rabbit of a play."""
    count_scores(batch, setup, row, n)
    at = setup.at
    top, changes, ace, barred = at[S.TOP], at[S.LEAD_CHANGES], at[S.ACE], at[S.DISQUALIFIED]
    for j in range(n):
        if batch.tied[j] == 0:
            row[at[NO_WINNER]] += 1
        else:
            row[top + (batch.tied[j] - 1) * 5 + batch.broken[j]] += 1
        row[changes + batch.changes[j]] += 1
        row[ace + (batch.rabbit_wolves[j] * 5 + batch.rabbit_place[j]) * 4 + batch.rabbit_fate[j]] += 1
    if setup.rules[0].lapses:
        for j in range(n):
            for s in range(4):
                row[barred + batch.policy[s, j] * 4 + s] += (batch.out_of_play[j] >> s) & 1


@kernel
def write_records(batch, records, unit, play, n):
    """A row of `records`, from row `unit` on, for each of the first n lanes."""
    for j in range(n):
        record_play(records, unit + j, play, 4, batch.win, batch.score, j)
        record = records[unit + j, play]
        record.tied = batch.tied[j]
        record.broken = batch.broken[j]
        record.lead_changes = batch.changes[j]
        record.hunted = count(ranks_of(batch.caught[j]))
        record.ace_dingo = batch.ace_dingo[j]
        record.ace_wolves = batch.ace_out[j]
        record.rabbit_seat = batch.rabbit_seat[j]
        record.rabbit_fate = batch.rabbit_fate[j]


@kernel
def clear_units(batch, slots):
    """Set the sums over a unit's plays to 0."""
    for q in range(slots):
        for s in range(4):
            for j in range(LANES):
                batch.unit_win[q, s, j] = 0
                batch.unit_points[q, s, j] = 0


@kernel
def count_seats(batch, setup, row, n):
    """Squares of each seat's sums over the plays of a unit."""
    slots = setup.rules[0].slots
    for s in range(4):
        for j in range(LANES):
            batch.seat_win[j] = 0
            batch.seat_points[j] = 0
        for q in range(slots):
            for j in range(LANES):
                batch.seat_win[j] += batch.unit_win[q, s, j]
                batch.seat_points[j] += batch.unit_points[q, s, j]
        win_sq, points_sq = 0, 0
        for j in range(n):
            win, points = np.int64(batch.seat_win[j]), np.int64(batch.seat_points[j])
            win_sq += win * win
            points_sq += points * points
        row[setup.at[S.SEAT_WIN_SQ] + s] += win_sq
        row[setup.at[S.SEAT_POINTS_SQ] + s] += points_sq


@kernel
def count_block(batch, setup, row, running, n):
    """Count the units of the first n lanes, once all their plays are over."""
    count_seats(batch, setup, row, n)
    period = setup.rules[0].combinations
    for first in range(min(period, n)):
        combination = batch.unit[first] % period
        lanes = (n - first + period - 1) // period
        count_units(batch, setup, row, running, 4, combination, first, lanes, period)


@kernel
def unsound(batch, rules, n):
    """First unit of a played batch that lost a card or left the range of scores, or -1."""
    low = rules.score_low
    high = low + rules.score_step * rules.score_bins
    for j in range(LANES):
        cards = batch.pile[j]
        held = count(cards)
        wrong = 0
        for s in range(4):
            hand = batch.hand[s, j]
            cards |= hand
            held += count(hand)
            wrong |= 1 if batch.score[s, j] < low or batch.score[s, j] >= high else 0
        batch.column[j] = wrong | (1 if cards != DECK or held != 40 else 0)
    for j in range(n):
        if batch.column[j] != ZERO:
            return batch.unit[j]
    return -1


@kernel
def play_through(batches, setup, seed, unit, play):
    """One play of the units `unit` ... `unit` + 63, from deal to result."""
    batch = batches[0]
    batch.external = 0
    deal(batch, setup, seed, unit)
    start(batch, setup, play)
    advance(batch, setup, last_point(setup))
    finish(batch, setup)


@kernel
def play_block(batches, setup, seed, first, count_, grouped, plain, records, rescored, again):
    """Play units first ... first + count_ - 1 and add to the tallies: `grouped` (64, row), `plain`
    (segments, running sums), int64; `records` (count_ or 0, plays) gets a row for each play. With a single row in
    `grouped` nothing is counted. The same plays are scored by each of `rescored` too, rules that differ in nothing but
    scores, into `again` (len(rescored), count_, plays).

    Windows of 64 units of one group are played together, group after group, and cut where a segment of
    the running sums begins. Returns -1, or the first unit found to break an invariant.
    """
    batch = batches[0]
    batch.external = 0
    rules = setup.rules[0]
    last = first + count_
    segments = setup.marks.size
    counting = grouped.shape[0] == GROUPS
    for group in range(GROUPS):
        row = grouped[group if counting else 0]
        window = first // LANES
        window += (group - window) % GROUPS
        while window * LANES < last:
            begin = max(window * LANES, first)
            end = min(window * LANES + LANES, last)
            while begin < end:
                segment = np.searchsorted(setup.marks, begin, side="right") - 1
                stop = min(end, setup.marks[segment + 1]) if segment + 1 < segments else end
                n = stop - begin
                deal(batch, setup, seed, begin)
                clear_units(batch, rules.slots)
                for play in range(rules.plays):
                    start(batch, setup, play)
                    advance(batch, setup, last_point(setup))
                    finish(batch, setup)
                    wrong = unsound(batch, rules, n)
                    if wrong >= 0:
                        return wrong
                    if records.shape[0] > 0:
                        write_records(batch, records, begin - first, play, n)
                    if counting:
                        count_play(batch, setup, row, n)
                        if rules.probe:
                            count_probes(batch, setup, row, n)
                        count_sets(batch, setup, row, n)
                    for k in range(rescored.size):
                        finish_again(batch, rescored[k])
                        write_records(batch, again[k], begin - first, play, n)
                if counting:
                    count_block(batch, setup, row, plain[segment], n)
                begin = stop
            window += GROUPS
    return -1
