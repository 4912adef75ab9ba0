"""Tables in HTML, Markdown and CSV: units, digits, escaping."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_tables import CARDS, SEATS, column, estimates, table

from analyzer.report import numbers, tables
from analyzer.report.frames import TableResult

EVIL = ("<script>alert(1)</script>", "=cmd|' /C calc'!A0", "../x", "a|b*c_`d`", '"quoted" & co')


def shares(rows: int = 4) -> TableResult:
    values = [(0.2511, 0.0004), (0.2487, 0.0011), (0.25, 0.0), (np.nan, np.nan)]
    return table({"seat": SEATS}, [column("win_share", "Win share", "share", 0.0)], lambda i, r, c: values[i])


@pytest.mark.parametrize(
    ("low", "high", "digits"),
    [
        (27.0, 27.2, 1),
        (0.0, 0.1, 2),
        (0, 1, 1),
        (10, 15, 0),
        (-400, 400, 0),
        (0, 2e-9, 6),
        (5, 5, 6),
        (np.nan, 1, 6),
    ],
)
def test_the_half_width_decides_the_digits(low: float, high: float, digits: int) -> None:
    assert numbers.decimals(low, high) == digits


def test_numbers_have_separators_a_minus_sign_and_no_negative_zero() -> None:
    assert numbers.number(1234567.891, 1) == "1,234,567.9"
    assert numbers.number(-0.04, 1) == "0.0"
    assert numbers.number(-0.06, 1) == "−0.1"
    assert numbers.number(float("nan"), 3) == numbers.number(float("inf"), 3) == "–"
    assert numbers.exact(0.25) == "0.25"
    assert numbers.exact(-3.0) == "−3"


@given(st.floats(-1e6, 1e6), st.floats(1e-5, 1e5))
def test_no_interval_collapses_to_one_number(centre: float, half: float) -> None:
    low, high = centre - half, centre + half
    (digits,) = numbers.column_digits([(low, high)])
    assert numbers.number(low, digits) != numbers.number(high, digits)


def test_a_column_shares_its_digits_where_intervals_are_alike() -> None:
    assert numbers.column_digits([(0, 0.19), (0, 0.21), (0, 0.22)]) == [1, 1, 1]
    assert numbers.column_digits([(0, 0.2), (0, 0.2), (0, 0.0002)]) == [1, 1, 4]


def test_shares_are_percent_exact_values_say_so_and_nothing_is_a_dash() -> None:
    shown = tables.view(shares())
    assert shown.columns == ("Win share (%)",)
    assert [cell.text for (cell,) in shown.cells] == ["25.11", "24.87", "25", "–"]
    assert [cell.interval for (cell,) in shown.cells] == ["25.07 to 25.15", "24.76 to 24.98", "exact", ""]
    assert tables.notes(shown, "x.csv") == ["– stands where nothing, or too little, was observed."]


def test_a_difference_of_shares_is_in_percentage_points() -> None:
    assert tables.column_heading(column("d", "Gain", "share", -1.0)) == "Gain (percentage points)"
    assert tables.column_heading(column("p", "Points", "points")) == "Points"
    assert tables.column_heading(column("r", "Variance ratio", "ratio")) == "Variance ratio"


def test_an_estimate_without_interval_keeps_three_digits_and_a_note() -> None:
    lone = table({"seat": SEATS}, [column("w", "Win share", "share")], lambda i, r, c: (1 / 3, np.nan))
    shown = tables.view(lone)
    assert shown.cells[0][0] == tables.Cell("33.3", "", alone=True)
    assert tables.notes(shown, "x.csv") == ["Where no interval stands beside a number, none can be given."]


def test_two_axes_and_one_column_become_a_matrix_when_long() -> None:
    long = table({"card": CARDS, "seat": SEATS}, [column("w", "Share", "share")], lambda i, r, c: (i / 999, 0.01))
    shown = tables.view(long)
    assert shown.axes == ("Card",)
    assert shown.columns == ("S (%)", "W (%)", "N (%)", "E (%)")
    assert (len(shown.labels), shown.total) == (40, 40)
    assert shown.cells[1][2].text == str(round(6 / 9.99))
    short = table({"card": CARDS[:2], "seat": SEATS}, [column("w", "Share", "share")], lambda i, r, c: (0, 1))
    assert tables.view(short).axes == ("Card", "Seat")


def test_a_cut_table_says_where_the_rest_is() -> None:
    cut = tables.view(table({"card": CARDS}, [column("w", "W", "points")], lambda i, r, c: (i, 1)), 10)
    assert len(cut.labels) == len(cut.cells) == 10
    assert tables.notes(cut, "tables/x.csv") == ["The first 10 of 40 rows; all of them are in tables/x.csv."]


def test_a_spread_shows_what_chance_alone_would() -> None:
    spread = table({}, [column("spread", "Spread", "share", 0.0)], lambda i, r, c: (0.02, 0.004))
    spread.estimates["spread"] = replace(spread.estimates["spread"], under_equal=np.array([0.0011]))  # type: ignore[index]
    shown = tables.view(spread)
    assert shown.columns == ("Spread (%)", "Spread (%) by chance alone, were all equal")
    assert [cell.text for cell in shown.cells[0]] == ["2.0", "0.110"]
    assert tables.notes(shown, "") == []


def test_html_escapes_every_name_and_names_its_parts() -> None:
    evil = table({"policy": EVIL}, [column("w", "<b>W</b>", "share")], lambda i, r, c: (0.5, 0.1), title="<i>T</i>")
    page = str(tables.html_table(tables.view(evil)))
    assert "<script>" not in page
    assert "<b>W" not in page
    assert "<caption>&lt;i&gt;T&lt;/i&gt;</caption>" in page
    assert '<th scope="row">&lt;script&gt;alert(1)&lt;/script&gt;</th>' in page
    assert '<th scope="col" class="num">&lt;b&gt;W&lt;/b&gt; (%)</th>' in page
    assert '<th scope="row" class="short">../x</th>' in page
    assert '<td class="num">50 <span class="ci" style="min-width:8ch">40 to 60</span></td>' in page


def test_markdown_names_stay_text_and_rows_stay_rows() -> None:
    evil = table({"policy": (*EVIL, "two\nlines")}, [column("w", "W", "share")], lambda i, r, c: (0.5, 0.1))
    lines = tables.markdown_table(tables.view(evil)).splitlines()
    assert len(lines) == 2 + 6
    assert all(line.replace("\\|", "").count("|") == 3 for line in lines)
    assert "&lt;script>" in lines[2]
    assert "a\\|b\\*c\\_\\`d\\`" in lines[5]
    assert lines[-1] == "| two lines | 50 (40 to 60) |"


@pytest.mark.parametrize("text", ["# x", "- x", "> x", "+ x", "1. x", "12) x", "_x_", "[x](y)", "$x$"])
def test_markdown_text_starts_no_markup(text: str) -> None:
    shown = tables.markdown_text(text)
    assert shown != text
    assert shown.replace("\\", "") == text


@pytest.mark.parametrize("text", ["1.5", "win_share", "a-b", "x = 3.", "(c)"])
def test_harmless_text_is_left_readable(text: str) -> None:
    assert tables.markdown_text(text) == text


@pytest.mark.parametrize("text", ["=cmd", "+1+2", "-2+3", "@x", "\t=x", "\rx", " =x", "\n=x", "-x", "＝1", "=", "-"])
def test_no_text_cell_starts_a_formula(text: str) -> None:
    assert tables.csv_cell(text) == "'" + text


@pytest.mark.parametrize("text", ["-3", "12", "-1.5e-7", "2H", "careful", "a − b", ""])
def test_numbers_and_plain_texts_stay(text: str) -> None:
    assert tables.csv_cell(text) == text


def test_csv_holds_fractions_and_leaves_nothing_empty() -> None:
    rows = list(csv.reader(io.StringIO(tables.csv_table(shares().frame()))))
    assert rows[0] == ["seat", "win_share", "win_share_low", "win_share_high", "win_share_se", "win_share_n"]
    assert rows[1] == ["S", "0.2511", "0.2507", "0.2515", "0.0002", "1000"]
    assert rows[4] == ["E", "", "", "", "", "1000"]


def test_csv_survives_names_with_commas_quotes_and_lines() -> None:
    names = ('a,"b"', "c\nd", "=HYPERLINK(1)")
    odd = table({"policy": names}, [column("w", "W", "share")], lambda i, r, c: (0.5, 0.1))
    rows = list(csv.reader(io.StringIO(tables.csv_table(odd.frame()))))
    assert [row[0] for row in rows[1:]] == ['a,"b"', "c\nd", "'=HYPERLINK(1)"]


def test_the_list_of_columns_names_every_unit() -> None:
    both = table(
        {"seat": SEATS},
        [column("w", "W", "share", text="Why."), column("p", "P", "points")],
        lambda *_: (0, 1),
    )
    assert tables.csv_columns([both]).splitlines()[1:] == ["toy.csv,w,fraction,W,Why.", "toy.csv,p,points,P,"]


def test_a_table_without_rows_is_only_its_heading() -> None:
    empty = replace(shares(), rows=(), estimates={"win_share": estimates([], 0.1)})
    assert tables.view(empty).labels == ()
    assert tables.csv_table(empty.frame()).count("\n") == 1
    assert "<tbody></tbody>" in str(tables.html_table(tables.view(empty)))


def test_places_are_ranges_in_words() -> None:
    assert [numbers.place_range(*ends) for ends in ((1, 1), (2, 4), (3, 11), (12, 21), (13, 22))] == [
        "1st",
        "2nd to 4th",
        "3rd to 11th",
        "12th to 21st",
        "13th to 22nd",
    ]
