"""What a run says of its policies: which is best, by how much, and what forgetting and overlooking cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from analyzer.games.dingo.axes import MINUS
from analyzer.games.dingo.claims import (
    Estimate,
    Results,
    Select,
    Values,
    all_known,
    flipped,
    known,
    listed,
    only,
    rows,
    together,
)
from analyzer.games.dingo.formulas import balanced
from analyzer.games.spec import FindingSpec, Policy, Setting

Gaps = dict[tuple[str, str], Estimate]


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


def _remembers(policy: Policy) -> float:
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


def _cost(faculty: str, extent: Callable[[Policy], float]) -> Select:
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


def _caught(results: Results, setting: Setting) -> Values:
    careless = {policy.name for policy in setting.table.policies if policy.lapse}
    found = {row["policy"]: row["disqualified"] for row in rows(results, "by_policy") if row["policy"] in careless}
    if not all_known(found.values()):
        return None
    most = max(found, key=lambda name: found[name]["estimate"])
    caught = together(found[most], len(found), results, setting, share=True)
    return {"policy": most, "caught": caught} if caught["low"] > 0 else None


def _policy_share(results: Results, setting: Setting) -> Values:
    share = only(results, "skill").get("policy_share")
    return {"share": share} if known(share) and share["low"] > 0 else None


POLICY_FINDINGS: tuple[FindingSpec, ...] = (
    FindingSpec(
        "best_policy",
        "Which way of playing is best?",
        "The best way of playing here is {best}: it wins {share:percent} of its deals, and {gap:gain} more "
        "than {next} on the same cards.",
        _best,
    ),
    FindingSpec(
        "best_policies",
        "Which way of playing is best?",
        "No one way of playing is shown to be best, but {top} each beat {rest}: between {one} and {other} "
        "lie {gap:gain} on the same cards.",
        _best_group,
    ),
    FindingSpec(
        "worst_policy",
        "Which way of playing is worst?",
        "Every other way of playing beats {worst}, which wins {share:percent} of its deals.",
        _worst,
    ),
    FindingSpec(
        "forgetting",
        "What does forgetting cost?",
        "Forgetting discards costs {gap:gain} of win share: {less} plays like {more} in all but memory.",
        _cost("memory", _remembers),
    ),
    FindingSpec(
        "overlooking",
        "What does overlooking a card cost?",
        "Overlooking cards costs {gap:gain} of win share: {less} plays like {more} but for its lapses.",
        _cost("lapse", lambda policy: -policy.lapse),
    ),
    FindingSpec(
        "caught",
        "How often is a player caught?",
        "Playing as {policy}, one is caught with a red card and disqualified in {caught:percent} of the deals.",
        _caught,
    ),
    FindingSpec(
        "policy_share",
        "How much of this game is luck?",
        "Which policy is played explains {share:percent} of the variance of a hand's points; the cards and "
        "the others' play make the rest.",
        _policy_share,
    ),
)
