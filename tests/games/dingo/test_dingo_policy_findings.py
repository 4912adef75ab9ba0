"""What a run of several policies lets one say of them."""

from __future__ import annotations

from typing import Any

from dingo_counts import policy, rotated, setting_of
from dingo_results import baseline, est, said
from luck_results import luck_parts

TRIO = (policy("careful"), policy("absent", memory="none"), policy("bold", weight=2.0))
FIELD = setting_of(*TRIO, plays=rotated((0, 1, 2, 2)))


def versus(ab: float, ac: float, bc: float, half: float = 0.002) -> dict[str, Any]:
    names = ("careful − absent", "careful − bold", "absent − bold")
    rows = [{"pair": pair, "win_share": est(gap, half)} for pair, gap in zip(names, (ab, ac, bc), strict=True)]
    shares = {"careful": 0.3, "absent": 0.3 - ab, "bold": 0.3 - ac}
    return baseline() | {
        "pairs": rows,
        "by_policy": [
            {"policy": name, "win_share": est(share), "disqualified": est(0.02)} for name, share in shares.items()
        ],
        "luck_and_skill": luck_parts(deal=0.6, policy=0.05, rest=0.35, interplay=0.35),
    }


def test_the_best_policy_and_its_lead() -> None:
    found = said(versus(0.05, 0.10, 0.05), FIELD)
    assert found["best_policy"].startswith("The best way of playing here is careful: it wins 30.0%")
    assert "5.0 percentage points" in found["best_policy"]
    assert "more than absent on the same cards" in found["best_policy"]
    assert found["worst_policy"].startswith("Every other way of playing beats bold")
    assert "absent plays like careful in all but memory" in found["forgetting"]
    assert "60.0% (59.9 to 60.1)" in found["luck_and_skill"]
    assert "5.0% (4.9 to 5.1) is the way of playing" in found["luck_and_skill"]
    assert "chance_in_decisions" not in found
    assert "best_policies" not in found


def test_no_policy_is_called_best_unless_it_beats_each_other_one() -> None:
    found = said(versus(0.0, 0.10, 0.10), FIELD)
    assert "best_policy" not in found
    assert "forgetting" not in found
    assert "careful and absent each beat bold" in found["best_policies"]


def test_pairs_are_compared_all_at_once() -> None:
    # 95% intervals just clear of 0 are not enough for three pairs.
    found = said(versus(0.0022, 0.0023, 0.0001), FIELD)
    assert not {"best_policy", "best_policies", "worst_policy", "forgetting"} & set(found)


def test_policies_are_not_compared_when_seats_could_be_behind_it() -> None:
    fixed = setting_of(*TRIO, plays=[(0, 1, 2, 2)])
    assert not {"best_policy", "best_policies", "worst_policy", "forgetting"} & set(
        said(versus(0.05, 0.10, 0.05), fixed)
    )


def test_what_overlooking_costs_and_how_often_one_is_caught() -> None:
    setting = setting_of(
        policy("careful"), policy("absent", lapse=0.02), policy("bold", weight=2.0), plays=rotated((0, 1, 2, 2))
    )
    found = said(versus(0.01, 0.10, 0.09), setting)
    assert "absent plays like careful but for its lapses" in found["overlooking"]
    assert found["caught"].startswith("Playing as absent, one is caught")
    assert "forgetting" not in found


def test_a_policy_that_differs_in_more_than_memory_proves_nothing_of_memory() -> None:
    setting = setting_of(
        policy("careful"), policy("absent", memory="none", weight=3.0), policy("bold", weight=2.0),
        plays=rotated((0, 1, 2, 2)),
    )  # fmt: skip
    assert "forgetting" not in said(versus(0.05, 0.10, 0.05), setting)
