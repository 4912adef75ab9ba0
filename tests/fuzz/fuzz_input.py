"""What people, editors and programs write into scenario files and command lines, and worse."""

from __future__ import annotations

import datetime
import json
import math
import os
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from analyzer.games.knobs import nested
from analyzer.games.policy import preset_names
from analyzer.games.registry import GAMES, game_named
from analyzer.games.spec import GameSpec, KnobSpec

TIMES = int(os.environ.get("ANALYZER_FUZZ", "1"))
"""How many times as many examples as the tests make by themselves."""


def examples(number: int) -> settings:
    """Settings for so many examples, times `ANALYZER_FUZZ`."""
    checks = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=number * TIMES, deadline=None, suppress_health_check=checks, print_blob=True)


TEXTS = (
    "", " ", "\t", "\n", "\r\n", "\x00", "\x1b[31m", "\x7f", "\x9b", "\ufeff", "\ud800", "\udcff", "\u202eevil",
    "\u2028", "e\u0301", "Z\u0351\u0343\u036a", "שלום", "カード", "🂡", "ﬀ", "İ", "x" * 41, "x" * 301, "x" * 5000,
    "'", '"', "\\", '"""', "'''", "a.b", "a=b", "../x", "/etc/passwd", "~", "-", "--help", "=cmd|' /C calc'!A0",
    "+1", "@SUM(1)", "-1+1", "<script>", "</style>", "&amp;",
    "{{7*7}}", "{% x %}", "{0}", "%s", "%n", "$x$", "$\\frac{1}{0}$", "|a|b|",
    "[bold]", "`x`", "# no", "CON", "nul.txt", "blank", "random", "careful", "steady", "true", "nan", "inf", "1e400",
    "0x10", "١", "1979-05-27", "__class__", "policies", "rules", "base", "′", "careful′",
)  # fmt: skip

WHOLE = (
    0, 1, -1, 2, 3, 4, 7, 63, 64, 65, 1000, 1001, -1000, 10**6, 10**12, 10**12 + 1, 2**31, 2**53 + 1, 2**63, -(2**63),
    2**64 - 1, 2**64, 10**30, 10**4000,
)  # fmt: skip
REAL = (
    0.0, -0.0, 0.5, 1.0, 1.0000000001, 1e-300, 5e-324, 1e-4, 1 / 3, 1e6, 1.1e6, 1e308, math.nan, math.inf, -math.inf,
)  # fmt: skip

texts = st.one_of(st.sampled_from(TEXTS), st.text(st.characters(), max_size=20))
scalars = st.one_of(
    st.sampled_from(WHOLE),
    st.integers(),
    st.sampled_from(REAL),
    st.floats(),
    st.booleans(),
    texts,
    st.sampled_from([datetime.date(1979, 5, 27), datetime.datetime(1979, 5, 27, 7, 32), datetime.time(7, 32)]),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)


def toml(document: Mapping[str, Any]) -> str:
    """Any document of values as TOML, the odd ones included; tables are inline but for the document itself."""
    return "".join(f"{_key(key)} = {toml_value(value)}\n" for key, value in document.items())


def toml_value(value: Any) -> str:
    """A value as TOML, whatever it is."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {toml_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > 1000:
        return hex(value)
    if isinstance(value, float):
        return repr(value)
    return str(value)


def _key(name: str) -> str:
    return name if name and name.isascii() and name.replace("_", "").isalnum() else toml_value(name)


def _knob_values(knob: KnobSpec) -> st.SearchStrategy[Any]:
    if knob.kind == "int":
        assert knob.low is not None
        assert knob.high is not None
        return st.one_of(st.integers(knob.low, knob.high), st.sampled_from([knob.low, knob.high]))
    if knob.kind == "bool":
        return st.booleans()
    if knob.kind == "choice":
        return st.sampled_from(knob.choices)
    return st.lists(st.sampled_from(knob.choices), max_size=6)


chances = st.one_of(st.sampled_from([0, 1, 0.5, 0.0, -0.0, 1e-300, 1e-12]), st.floats(0, 1))
weights = st.one_of(
    st.sampled_from([0, 1, -3, 0.5, -0.0, 1e6, 1e-4, 1e-300, 5e-324]), st.floats(-1e6, 1e6), st.floats(-8, 8)
)
NAMES = (
    "mine",
    "b",
    "İx",
    "e\u0301",
    "=cmd",
    "<b>",
    "../x",
    "a b",
    "a.b",
    'say "x"',
    "$x$",
    "careful",
    "steady",
    "x" * 40,
)


@st.composite
def policies(draw: Any, game: GameSpec, bases: tuple[str, ...]) -> dict[str, Any]:
    """A `[policies.NAME]` table that may be played."""
    table: dict[str, Any] = {}
    if draw(st.booleans()):
        table["base"] = draw(st.sampled_from(bases))
    kinds = tuple(dict.fromkeys([*game.decision_groups, *(decision.name for decision in game.decisions)]))
    groups = {decision.name: decision.group for decision in game.decisions}
    for kind in draw(st.lists(st.sampled_from(kinds), max_size=3, unique=True)):
        known = [feature.name for feature in game.features if groups.get(kind, kind) in feature.groups]
        table[kind] = draw(st.dictionaries(st.sampled_from(known), weights, max_size=3))
    if draw(st.booleans()):
        table["noise"] = draw(
            st.one_of(chances, st.dictionaries(st.sampled_from(game.decision_groups), chances, max_size=3))
        )
    if draw(st.booleans()):
        table["lapse"] = draw(chances if game.lapses else st.sampled_from([0, 0.0, -0.0]))
    if draw(st.booleans()):
        table["memory"] = draw(st.one_of(chances, st.sampled_from(["perfect", "none", "top_card"])))
    if draw(st.booleans()):
        table["idea"] = draw(st.sampled_from(["", "An idea.", "  two\n lines ", "=1+1", "e\u0301 שלום"]))
    return table


@st.composite
def documents(draw: Any) -> dict[str, Any]:
    """A scenario that is valid, or nearly: combinations of knobs may be refused."""
    game = game_named(draw(st.sampled_from(GAMES)))
    document: dict[str, Any] = {"game": game.name}
    for key, strategy in (
        ("title", st.sampled_from(["A title", "=1+1", "<script>", "e\u0301", "שלום", "x" * 300])),
        ("count", st.one_of(st.integers(1, 10**12), st.sampled_from([1, 63, 64, 10**12]))),
        ("seed", st.one_of(st.integers(0, 2**64 - 1), st.sampled_from([0, 2**63, 2**64 - 1]))),
        ("confidence", st.floats(0.5, 0.9999, exclude_min=True, exclude_max=True)),
    ):
        if draw(st.booleans()):
            document[key] = draw(strategy)
    knobs = draw(st.lists(st.sampled_from(game.knobs), max_size=4, unique_by=lambda knob: knob.key))
    flat = {knob.key: draw(_knob_values(knob)) for knob in knobs}
    if flat:
        document["rules"] = nested(flat)
    presets = preset_names(game)
    own = draw(st.lists(st.sampled_from(NAMES), max_size=4, unique=True))
    if own:
        document["policies"] = {}
        for name in own:
            known = (*presets, "blank", *document["policies"])
            document["policies"][name] = draw(policies(game, known))
    seating = draw(st.sampled_from(["", "fixed", "rotate", "all"]))
    table: dict[str, Any] = {"seating": seating} if seating else {}
    pool = st.sampled_from((*own, *own, *presets))
    kind = draw(st.sampled_from(["", "seats", "seats", "field"]))
    least, most = min(game.seat_counts), max(game.seat_counts)
    if kind == "seats":
        table["seats"] = draw(st.lists(pool, min_size=least, max_size=most))
    elif kind == "field":
        table["field"] = draw(st.lists(pool, min_size=most, max_size=7, unique=True))
    if table:
        document["table"] = table
    return document


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) of a document."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, inner in items:
        yield value, key
        yield from places(inner)


@st.composite
def damaged(draw: Any) -> dict[str, Any]:
    """A scenario in which something is odd: a value, a key, a kind of value."""
    document: dict[str, Any] = deepcopy(draw(documents()))
    for _ in range(draw(st.integers(1, 3))):
        container, key = draw(st.sampled_from(list(places(document))))
        what = draw(st.sampled_from(["value", "value", "key", "move", "drop", "nest"]))
        if what == "value" or isinstance(container, list):
            container[key] = draw(values)
        elif what == "key":
            container[draw(texts)] = draw(values)
        elif what == "move":
            container[draw(texts)] = container.pop(key)
        elif what == "drop":
            del container[key]
        else:
            container[key] = {key: container[key]}
        if not document:
            break
    return document


@st.composite
def files(draw: Any) -> bytes:
    """The bytes of a scenario's file: whole, or with bytes lost, doubled or put in."""
    text = "# " + draw(texts).replace("\n", " ") + "\n" + toml(draw(st.one_of(documents(), damaged())))
    data = text.encode("utf-8", "surrogatepass")
    kind = draw(st.sampled_from(["whole", "crlf", "bom", "cut", "put", "twice", "utf-16", "latin-1"]))
    at = draw(st.integers(0, len(data)))
    if kind == "crlf":
        return data.replace(b"\n", b"\r\n")
    if kind == "bom":
        return b"\xef\xbb\xbf" + data
    if kind == "cut":
        return data[:at] + data[at + draw(st.integers(0, 9)) :]
    if kind == "put":
        return data[:at] + draw(st.binary(max_size=6)) + data[at:]
    if kind == "twice":
        lines = data.splitlines(keepends=True)
        return data + lines[draw(st.integers(0, len(lines) - 1))]
    if kind in ("utf-16", "latin-1"):
        return text.encode(kind, "replace")
    return data
