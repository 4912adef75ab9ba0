"""What a run of Dingo says of its policies: which is best, by how much, and what forgetting and overlooking cost."""

from __future__ import annotations

from analyzer.games.common.claims import Results, Values, all_known, rows, together
from analyzer.games.common.findings import cost, luck_findings, ranking_findings, remembers
from analyzer.games.dingo.axes import WORDS
from analyzer.games.spec import FindingSpec, Setting


def _caught(results: Results, setting: Setting) -> Values:
    careless = {policy.name for policy in setting.table.policies if policy.lapse}
    found = {row["policy"]: row["disqualified"] for row in rows(results, "by_policy") if row["policy"] in careless}
    if not all_known(found.values()):
        return None
    most = max(found, key=lambda name: found[name]["estimate"])
    caught = together(found[most], len(found), results, setting, share=True)
    return {"policy": most, "caught": caught} if caught["low"] > 0 else None


POLICY_FINDINGS: tuple[FindingSpec, ...] = (
    *ranking_findings(WORDS),
    FindingSpec(
        "forgetting",
        "What does forgetting cost?",
        "Forgetting discards costs {gap:gain} of win share: {less} plays like {more} in all but memory.",
        cost("memory", remembers),
    ),
    FindingSpec(
        "overlooking",
        "What does overlooking a card cost?",
        "Overlooking cards costs {gap:gain} of win share: {less} plays like {more} but for its lapses.",
        cost("lapse", lambda policy: -policy.lapse),
    ),
    FindingSpec(
        "caught",
        "How often is a player caught?",
        "Playing as {policy}, one is caught with a red card and disqualified in {caught:percent} of the deals.",
        _caught,
    ),
    *luck_findings(WORDS),
)
