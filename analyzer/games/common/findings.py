"""What a run of any game says of its seats and policies: which is best, by how much, and what a faculty is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from analyzer.games.common.claims import (
    Estimate,
    Results,
    Select,
    Values,
    all_known,
    flipped,
    known,
    leaders,
    listed,
    minus,
    only,
    rows,
    together,
)
from analyzer.games.common.formulas import MINUS, balanced, conditioned, fair_share
from analyzer.games.common.tables import Words
from analyzer.games.spec import FindingSpec, Policy, Setting

Gaps = dict[tuple[str, str], Estimate]


def extreme_seat(best: bool, axis: str, names: Mapping[str, tuple[str, ...]]) -> Select:
    """The best or the worst seat, with those not told apart from it. Not said when no seat stands apart from
    another, when some policy sits more often in one seat than in another, or when a seat is given something.

    `axis`: that of the table `by_seat`; `names`: what a seat is called, and what more is said of it.
    """

    def select(results: Results, setting: Setting) -> Values:
        found = {row[axis]: row["win_share"] for row in rows(results, "by_seat")}
        if not all_known(found.values()) or not balanced(setting) or conditioned(setting):
            return None
        fair = fair_share(setting)
        seats = {seat: together(value, len(found), results, setting, share=True) for seat, value in found.items()}
        group = leaders(seats if best else {seat: flipped(value) for seat, value in seats.items()})
        share = seats[group[0]]
        apart = share["low"] > fair if best else share["high"] < fair
        if len(group) == len(seats) or not apart:
            return None
        others = f" (or {listed([names[seat][0] for seat in group[1:]], 'or')}: the run does not tell)"
        return {
            "seat": ", ".join(names[group[0]]) + (others if group[1:] else ""),
            "share": share,
            "gain": minus(share, fair),
        }

    return select


def seat_spread(results: Results, setting: Setting) -> Values:
    """How far the seats lie apart, if they do."""
    spread = only(results, "luck").get("seat_spread")
    if not known(spread) or not balanced(setting) or conditioned(setting) or spread["low"] <= 0:
        return None
    return {"spread": spread}


def _gaps(results: Results, setting: Setting) -> Gaps:
    """(a, b) -> how much more a wins than b, paired, for every ordered pair; intervals hold for all pairs at
    once. None when seats could be behind the differences, or when one is not known."""
    found = {row["pair"]: row["win_share"] for row in rows(results, "pairs")}
    if not all_known(found.values()) or not balanced(setting):
        return {}
    gaps: Gaps = {}
    for a, b in combinations(setting.policies, 2):
        gaps[a, b] = together(found[MINUS.join((a, b))], len(found), results, setting)
        gaps[b, a] = flipped(gaps[a, b])
    return gaps


def _ranking(results: Results, setting: Setting) -> tuple[list[str], dict[str, Estimate], Gaps]:
    """Policies by win share, largest first, their win shares and the gaps between them; nothing when the gaps
    are not known."""
    gaps = _gaps(results, setting)
    if not gaps:
        return [], {}, {}
    found = {row["policy"]: row["win_share"] for row in rows(results, "by_policy")}
    shares = {policy: together(value, len(found), results, setting, share=True) for policy, value in found.items()}
    return sorted(shares, key=lambda policy: -shares[policy]["estimate"]), shares, gaps


def _best(results: Results, setting: Setting) -> Values:
    order, shares, gaps = _ranking(results, setting)
    if not order or any(gaps[order[0], other]["low"] <= 0 for other in order[1:]):
        return None
    rival = min(order[1:], key=lambda other: gaps[order[0], other]["estimate"])
    return {"best": order[0], "share": shares[order[0]], "next": rival, "gap": gaps[order[0], rival]}


def _best_group(results: Results, setting: Setting) -> Values:
    """Said when no policy beats all others, but some at the top beat all the rest."""
    order, _, gaps = _ranking(results, setting)
    for size in range(1, len(order)):
        top, rest = order[:size], order[size:]
        across = [(a, b) for a in top for b in rest]
        if all(gaps[pair]["low"] > 0 for pair in across):
            if size == 1:
                return None
            least = min(across, key=lambda pair: gaps[pair]["estimate"])
            return {
                "top": listed(top),
                "rest": listed(rest),
                "one": least[0],
                "other": least[1],
                "gap": gaps[least],
            }
    return None


def _worst(results: Results, setting: Setting) -> Values:
    order, shares, gaps = _ranking(results, setting)
    if len(order) < 3 or any(gaps[other, order[-1]]["low"] <= 0 for other in order[:-1]):
        return None
    return {"worst": order[-1], "share": shares[order[-1]]}


def remembers(policy: Policy) -> float:
    """How much of others' discards a policy remembers; the top card alone is a little more than nothing."""
    if isinstance(policy.memory, str):
        return {"perfect": 1.0, "top_card": 1e-6, "none": 0.0}[policy.memory]
    return policy.memory


def _alike_but(setting: Setting, faculty: str) -> Iterator[tuple[Policy, Policy]]:
    """Pairs of policies that differ in this faculty at most."""
    shared = [name for name in ("weights", "noise", "lapse", "memory") if name != faculty]
    for a, b in combinations(setting.table.policies, 2):
        if all(getattr(a, name) == getattr(b, name) for name in shared):
            yield a, b


def cost(faculty: str, extent: Callable[[Policy], float]) -> Select:
    """What lacking a faculty costs, between two policies alike in all else: of several such pairs the two
    furthest apart in it."""

    def select(results: Results, setting: Setting) -> Values:
        gaps = _gaps(results, setting)
        pairs = [sorted(pair, key=extent, reverse=True) for pair in _alike_but(setting, faculty)]
        apart = [(more, less) for more, less in pairs if extent(more) > extent(less)]
        if not gaps or not apart:
            return None
        more, less = max(apart, key=lambda pair: extent(pair[0]) - extent(pair[1]))
        gap = gaps[more.name, less.name]
        return {"more": more.name, "less": less.name, "gap": gap} if gap["low"] > 0 else None

    return select


def _parts(*names: str, alike: bool | None = None, without: str = "") -> Select:
    """Shares of the variance of points that are surely above 0, all of them, and the one of `without` not; `alike`: at
    a table of one policy only, or of several only."""

    def select(results: Results, setting: Setting) -> Values:
        found = {row["part"]: row["share"] for row in rows(results, "luck_and_skill")}
        if not all_known(found.values()) or alike not in (None, len(setting.policies) == 1):
            return None
        sure = {name for name, share in found.items() if share["low"] > 0}
        return {name: found[name] for name in names} if sure >= set(names) and without not in sure else None

    return select


def _all_dealt(results: Results, setting: Setting) -> Values:
    """At a table of one policy nothing came out differently when deals were played again."""
    chance = next((row["share"] for row in rows(results, "luck_and_skill") if row["part"] == "chance"), None)
    if len(setting.policies) > 1 or not known(chance) or chance["estimate"] != 0 or chance["se"] != 0:
        return None
    return {"n": chance["n"]}


def ranking_findings(words: Words) -> tuple[FindingSpec, ...]:
    """Which policies are best and worst."""
    return (
        FindingSpec(
            "best_policy",
            "Which way of playing is best?",
            f"The best way of playing here is {{best}}: it wins {{share:percent}} of its {words.plays}, and "
            f"{{gap:gain}} more than {{next}} on the same {words.dealt}.",
            _best,
        ),
        FindingSpec(
            "best_policies",
            "Which way of playing is best?",
            "No one way of playing is shown to be best, but {top} each beat {rest}: between {one} and {other} "
            f"lie {{gap:gain}} on the same {words.dealt}.",
            _best_group,
        ),
        FindingSpec(
            "worst_policy",
            "Which way of playing is worst?",
            f"Every other way of playing beats {{worst}}, which wins {{share:percent}} of its {words.plays}.",
            _worst,
        ),
    )


def luck_findings(words: Words) -> tuple[FindingSpec, ...]:
    """How much of the difference between results is luck; one or two of them are said."""
    question = "How much of this game is luck?"
    rest = f"how ways of playing, {words.dealt}, seats and neighbours happen to meet, with what is left to chance"
    deal = "About {deal:percent} of the difference between results is the deal"
    return (
        FindingSpec(
            "luck_and_skill",
            question,
            f"{deal}, {{policy:percent}} is the way of playing, and {{rest:percent}} is {rest}.",
            _parts("deal", "policy", "rest", alike=False),
        ),
        FindingSpec(
            "luck_without_skill",
            question,
            f"{deal}, and {{rest:percent}} is {rest}; the ways of playing here are too much alike to show.",
            _parts("deal", "rest", alike=False, without="policy"),
        ),
        FindingSpec(
            "luck_among_equals",
            question,
            f"{deal}: all play alike here, so that skill makes none of it.",
            _parts("deal", "chance", alike=True),
        ),
        FindingSpec(
            "chance_in_decisions",
            question,
            "Chance in what players do makes {chance:percent} of the difference between results: with the same "
            f"{words.dealt} in the same seats the same players do not always end alike.",
            _parts("chance"),
        ),
        FindingSpec(
            "all_dealt",
            question,
            f"All play alike here and leave nothing to chance, so that {words.dealt} and seat decide everything: "
            f"{{n:,}} {words.plays} played again came out the same.",
            _all_dealt,
        ),
    )
