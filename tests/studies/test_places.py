"""Places of policies, as ranges, in the table by policy of a run."""

import analyzer


def test_policies_far_apart_have_places_and_twins_share_theirs() -> None:
    twin = "policies.twin.base=careful"
    seats = 'table.seats=["careful","twin","random","random"]'
    result = analyzer.run("dingo-race", count=2_000, set=[twin, seats, "rules={}", "table.seating=all"])
    rows = {row["policy"]: row["rank"] for row in result.results["by_policy"]}
    assert rows["random"] == {"place": 3, "best": 3, "worst": 3}
    assert {(rows[name]["best"], rows[name]["worst"]) for name in ("careful", "twin")} == {(1, 2)}
    frame = result.frame("by_policy").set_index("policy")
    assert frame.loc["random", "rank"] == "3rd"
    assert frame.loc["twin", "rank"] == "1st to 2nd"


def test_a_single_policy_has_no_place() -> None:
    result = analyzer.run("dingo-baseline", count=64)
    assert "rank" not in result.results["by_policy"][0]


def test_with_too_few_deals_any_place_is_possible() -> None:
    result = analyzer.run("dingo-race", count=3)
    ranks = [row["rank"] for row in result.results["by_policy"]]
    assert {(rank["best"], rank["worst"]) for rank in ranks} == {(1, len(ranks))}
