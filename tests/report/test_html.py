"""The page in HTML and in Markdown: order, escaping, no outside request, parts named for screen readers."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

import pytest
from toy_report import SCRIPT, toy_bundle, toy_results
from toy_tables import column, table

from analyzer.report import html, page
from analyzer.report.bundle import draw_all
from analyzer.report.frames import TableResult
from analyzer.report.markdown import markdown_report

VOID = {"meta", "img", "br", "hr", "link", "input"}


class Outline(HTMLParser):
    """Start tags with their attributes, and whether every tag is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attrs for name, attrs in self.found if name == tag]


def composed(**changes: Any) -> page.Page:
    parts = toy_bundle(**changes)
    drawings = draw_all(parts["tables"], 0.95)
    return page.compose(parts["results"], parts["tables"], drawings, parts["provenance"], parts["scenario"])


@pytest.fixture(scope="module")
def text() -> str:
    return html.html_report(composed())


@pytest.fixture(scope="module")
def outline(text: str) -> Outline:
    return Outline(text)


def test_the_page_is_well_formed_and_has_a_language_and_a_phone_width(outline: Outline) -> None:
    assert outline.open == []
    assert outline.all("html")[0]["lang"] == "en"
    assert any(meta.get("name") == "viewport" for meta in outline.all("meta"))


def test_no_name_becomes_markup(text: str, outline: Outline) -> None:
    assert outline.all("script") == []
    assert "<b>at all" not in text
    assert text.count("&lt;script&gt;") >= 8


def test_nothing_is_asked_of_the_outside(text: str, outline: Outline) -> None:
    addresses = [
        value for _, attrs in outline.found for name, value in attrs.items() if name in ("src", "href", "srcset")
    ]
    assert addresses
    assert all(address.startswith(("#", "data:")) for address in addresses)
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text


def test_pictures_are_inside_and_described(outline: Outline) -> None:
    images = outline.all("img")
    assert len(images) == 2
    for image in images:
        kind, data = image["src"].split(",", 1)
        assert kind == "data:image/svg+xml;charset=utf-8"
        assert not set(data) & set('"#&')
        drawn = unquote(data)
        assert drawn.startswith("<?xml")
        assert drawn.endswith("</svg>")
        assert "<script" not in drawn
        assert "smallest" in image["alt"]


def test_a_huge_svg_is_embedded_as_png() -> None:
    drawing = composed().drawings[0]
    huge = type(drawing)("n", "t", "T", "", "", b"png", b"x" * (html.SVG_BYTES + 1))
    assert html.data_uri(huge) == "data:image/png;base64," + base64.b64encode(b"png").decode()


def test_every_link_of_the_contents_has_its_place(outline: Outline) -> None:
    ids = [attrs["id"] for _, attrs in outline.found if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = [attrs["href"].removeprefix("#") for attrs in outline.all("a")]
    assert set(links) <= set(ids)
    assert len(links) == 5 + 1 + 2 + 3


def test_tables_have_captions_and_scoped_headings(outline: Outline) -> None:
    assert len(outline.all("table")) == len(outline.all("caption"))
    assert all(head.get("scope") in ("row", "col") for head in outline.all("th"))


def test_parts_come_in_their_order() -> None:
    failed = {"name": "odds", "title": "Odds", "passed": False, "detail": "p = 1e-9"}
    parts = composed(results=toy_results(health=[failed]), provenance={"partial": True})
    order = [
        "<h1>",
        "Health check failed: Odds",
        "Partial run",
        'aria-label="Contents"',
        'id="findings"',
        'id="pictures"',
    ]
    order += ['id="tables"', "Left out", 'id="rules"', 'id="health"', 'id="provenance"']
    made = html.html_report(parts)
    places = [made.index(mark) for mark in order]
    assert places == sorted(places)
    marks = [
        "# Title",
        "Health check failed: Odds",
        "Partial run",
        "## Findings",
        "## Pictures",
        "## Tables",
        "### Left out",
    ]
    marks += ["## Rules", "## Health", "## Provenance"]
    made = markdown_report(parts)
    places = [made.index(mark) for mark in marks]
    assert places == sorted(places)
    assert "first 2,000 matches alone" in made


def test_a_whole_healthy_run_shows_no_banner(text: str) -> None:
    assert "Health check failed" not in text
    assert "Partial run" not in text
    assert "not tested" in text


def test_long_tables_are_closed_and_short_ones_open(outline: Outline) -> None:
    def long(name: str, rows: int) -> TableResult:
        return table({"rank": [str(i) for i in range(rows)]}, [column("w", "W", "share")], lambda *_: (0, 1), name=name)

    parts = composed(tables=[long("short", page.FOLDED_ROWS), long("long", page.FOLDED_ROWS + 1)])
    assert html.html_report(parts).count("Show the table (25 rows)") == 1
    # The list of tables and the scenario are closed too.
    assert html.html_report(parts).count("<details>") == 1 + 2
    assert markdown_report(parts).count("<details>") == markdown_report(parts).count("</details>") == 1
    # Sixteen rows of a matrix are four lines.
    assert len(outline.all("details")) == 3


def test_a_part_of_a_longer_run_says_which_units_it_holds() -> None:
    assert "2,000 matches counted · seed 7" in markdown_report(composed())
    part = markdown_report(composed(results=toy_results(first=1000)))
    assert "2,000 matches counted, numbers 1,000 to 2,999 · seed 7" in part


def test_no_findings_is_said() -> None:
    parts = composed(results=toy_results(findings=[]), tables=[])
    assert "support no finding yet" in html.html_report(parts)
    assert "support no finding yet" in markdown_report(parts)


def test_markdown_links_are_relative_and_names_stay_text() -> None:
    made = markdown_report(composed())
    assert "](figures/by_seat-wins.png)" in made
    assert "(tables/by_seat.csv)" in made
    assert "<script" not in made
    assert SCRIPT.replace("<", "&lt;") in made
    assert re.search(r"^\| \.\./x \| ", made, re.MULTILINE)


def test_counts_are_in_words() -> None:
    assert page.counted(1, "deal") == "1 deal"
    assert page.counted(2000, "deal") == "2,000 deals"
    assert page.counted(2, "match") == "2 matches"


def test_nested_values_are_flat_and_plain() -> None:
    nested: dict[str, Any] = {"a": {"b": [1, True], "c": {}}, "d": None, "e": 0.1234567890123, "f": []}
    nested["g"] = [{"h": 1, "i": {"j": 0.5}}, {"h": 2}]
    assert list(page.flat(nested)) == [
        ("a.b", "1, true"),
        ("a.c", "none"),
        ("d", "none"),
        ("e", "0.123457"),
        ("f", "none"),
        ("g", "(h 1, i (j 0.5)), (h 2)"),
    ]
