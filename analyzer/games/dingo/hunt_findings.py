"""What a run says of hunts, lone wolves and the ace rabbit.

When to lay a lone first wolf comes from the experiment that tosses a coin for it, never from what a policy
chose.
"""

from __future__ import annotations

from analyzer.games.common.claims import (
    Estimate,
    Results,
    Select,
    Values,
    all_known,
    flipped,
    gains,
    known,
    leaders,
    listed,
    number,
    only,
    rows,
    together,
)
from analyzer.games.dingo.cards import HUNTED
from analyzer.games.spec import FindingSpec, Setting

PROBE_LIMIT = 400_000
"""Units at most of the batch in which a lone wolf is laid or not by a coin."""


def _sides(values: dict[str, Estimate], pays: bool) -> list[str]:
    """Labels at which laying is known to pay, or to cost."""
    return [label for label, value in values.items() if (value["low"] > 0 if pays else value["high"] < 0)]


def _surest(values: dict[str, Estimate], labels: list[str]) -> str:
    """The label whose interval stays furthest from 0."""
    return max(labels, key=lambda label: max(values[label]["low"], -values[label]["high"]))


def _places(results: Results, setting: Setting) -> dict[str, Estimate]:
    return gains(results, setting, "lone_wolf_value_by_place", "place", PROBE_LIMIT)


def _everywhere(pays: bool) -> Select:
    def select(results: Results, setting: Setting) -> Values:
        places = _places(results, setting)
        if not places or len(_sides(places, pays)) < len(places):
            return None
        (first, at_first), *_, (last, at_last) = places.items()
        return {"first": first, "last": last, "at_first": at_first, "at_last": at_last}

    return select


def _somewhere(pays: bool) -> Select:
    def select(results: Results, setting: Setting) -> Values:
        places = _places(results, setting)
        here = _sides(places, pays)
        if not here or len(here) == len(places):
            return None
        most = _surest(places, here)
        return {"places": listed(here, "or"), "most": most, "gain": places[most]}

    return select


def _ranks(pays: bool) -> Select:
    def select(results: Results, setting: Setting) -> Values:
        ranks = gains(results, setting, "lone_wolf_value_by_rank", "rank", PROBE_LIMIT)
        here = _sides(ranks, pays)
        if not here:
            return None
        most = _surest(ranks, here)
        names = "every rank" if len(here) == len(HUNTED) else listed(here)
        return {"ranks": names, "most": most, "gain": ranks[most]}

    return select


def _earned(results: Results, setting: Setting) -> Values:
    points = only(results, "lone_wolf_value").get("points")
    if not known(points) or points["low"] <= 0 <= points["high"]:
        return None
    pays = points["low"] > 0
    return {"verb": "earns" if pays else "costs", "points": points if pays else flipped(points)}


def _overtaken(results: Results, setting: Setting) -> Values:
    overall = only(results, "lone_wolf_overall").get("overtaken")
    if not known(overall):
        return None
    places = {row["place"]: row["overtaken"] for row in rows(results, "lone_wolf_by_place")}
    detail = ""
    if all_known(places.values()):
        most = leaders({place: together(each, len(places), results, setting) for place, each in places.items()})
        detail = f", most often when it is laid {most[0]} in the circle" if len(most) == 1 else ""
    return {"overtaken": overall, "detail": detail}


def _ace_wolves(results: Results, setting: Setting) -> Values:
    lives = {row["wolves_held"]: row["lives"] for row in rows(results, "ace_rabbit_by_wolves")}
    if not all_known(lives.values()):
        return None
    wide = {held: together(each, len(lives), results, setting, share=True) for held, each in lives.items()}
    if wide["2"]["low"] <= wide["0"]["high"]:
        return None
    return {"none": wide["0"], "one": wide["1"], "two": wide["2"]}


_WHEN = "When should I lay a lone wolf?"

FIRST: tuple[FindingSpec, ...] = (
    FindingSpec(
        "lone_wolf_always",
        _WHEN,
        "Lay a lone first wolf whatever your turn: against holding it back it gains {at_first:gain} of win "
        "share when laid {first} in the circle, {at_last:gain} when laid {last}.",
        _everywhere(True),
    ),
    FindingSpec(
        "lone_wolf_never",
        _WHEN,
        "Hold a lone first wolf back whatever your turn: it costs {at_first:gain} of win share when laid "
        "{first} in the circle, {at_last:gain} when laid {last}.",
        _everywhere(False),
    ),
    FindingSpec(
        "lone_wolf_lay",
        _WHEN,
        "Lay a lone first wolf when you act {places} in the circle: laid {most} it gains {gain:gain} of win "
        "share against holding it back.",
        _somewhere(True),
    ),
    FindingSpec(
        "lone_wolf_hold",
        _WHEN,
        "Hold a lone first wolf back when you act {places} in the circle: laid {most} it costs {gain:gain} "
        "of win share.",
        _somewhere(False),
    ),
    FindingSpec(
        "ace_rabbit_lives",
        "How often does the ace rabbit live?",
        "The ace rabbit lives in {value:percent} of the deals.",
        number("ace_rabbit_overall", "alive"),
    ),
)

MORE: tuple[FindingSpec, ...] = (
    FindingSpec(
        "lone_wolf_ranks",
        "With which ranks does a lone wolf pay?",
        "A lone first wolf pays with {ranks}: with {most}, laying it gains {gain:gain} of win share.",
        _ranks(True),
    ),
    FindingSpec(
        "lone_wolf_ranks_against",
        "With which ranks does a lone wolf cost?",
        "A lone first wolf costs with {ranks}: with {most}, laying it loses {gain:gain} of win share.",
        _ranks(False),
    ),
    FindingSpec(
        "lone_wolf_points",
        "What does a lone wolf earn?",
        "By the end of the deal, laying a lone first wolf {verb} its player {points:points} against holding it back.",
        _earned,
    ),
    FindingSpec(
        "lone_wolf_overtaken",
        "How often is a lone first wolf overtaken?",
        "A lone first wolf is overtaken by a second one in {overtaken:percent} of cases{detail}.",
        _overtaken,
    ),
    FindingSpec(
        "ace_rabbit_wolves",
        "How do ace wolves help the ace rabbit?",
        "The ace rabbit lives in {two:percent} of cases when its holder has both ace wolves at the ace hunt, "
        "{one:percent} with one, {none:percent} with none.",
        _ace_wolves,
    ),
    FindingSpec(
        "dingo_dies",
        "How often does a dingo die?",
        "A dingo played in a hunt dies in {value:percent} of cases: nobody lays a wolf.",
        number("hunts_overall", "dingo_dies"),
    ),
    FindingSpec(
        "nothing_scored",
        "How often is nothing scored in a hunt?",
        "In {value:percent} of the hunts nobody scores anything.",
        number("hunts_overall", "nothing_scored"),
    ),
)
