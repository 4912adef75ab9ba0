"""Pictures: what is drawn, that nothing overlaps or is cut off, and that bytes repeat."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from toy_tables import CARDS, LONG, SEATS, SHORT, column, table, wave

from analyzer.games.spec import PictureSpec
from analyzer.report import numbers, plots, sheet
from analyzer.report.axes import tick_text
from analyzer.report.frames import TableResult
from analyzer.report.panels import colour_limit, panels, visible

WIN = column("win_share", "Win share", "share", 0.0)
GAIN = column("gain", "Gain over the average hand", "share", -1.0)
LENGTHY = column("gain", "Win share of the hand that was dealt it, minus the average hand's and no more", "share", -1.0)
POINTS = column("points", "Points", "points")
STEPS = ("1 discard", "2 left", "3 discard", "4 across", "5 discard", "6 right", "7 discard", "kept")
BINS = tuple(str(point) for point in range(-45, 75))
MARKS = tuple(str(mark) for mark in np.unique(np.geomspace(1, 10**9, 200).astype(np.int64)))
PAIRS = tuple(f"{a} − {b}" for a, b in combinations(LONG, 2))


def near_quarter(index: int, *_: object) -> tuple[float, float]:
    return 0.25 + wave(index) / 10, 0.01


def small(index: int, *_: object) -> tuple[float, float]:
    return wave(index) / 50, 0.005


def eighth(*_: object) -> tuple[float, float]:
    return 1 / 8, 0.001


def bell(index: int, labels: tuple[str, ...], _: str) -> tuple[float, float]:
    return float(np.exp(-((int(labels[-1]) - 5) ** 2) / 200)) / 25, 0.0005


def picture(kind: str, *names: str, **more: Any) -> PictureSpec:
    return PictureSpec(kind, "p", "A picture of " + kind, names, **more)  # type: ignore[arg-type]


CASES: dict[str, tuple[TableResult, PictureSpec]] = {
    "seats": (
        table({"seat": SEATS}, [WIN, POINTS], near_quarter),
        picture("intervals", "win_share", "points"),
    ),
    "policy × seat": (
        table({"policy": SHORT, "seat": SEATS}, [WIN], near_quarter),
        picture("intervals", "win_share", reference=0.25),
    ),
    "long policies × seat": (
        table({"policy": LONG, "seat": SEATS}, [WIN], near_quarter),
        picture("intervals", "win_share"),
    ),
    "seat × long policies": (
        table({"seat": SEATS, "policy": LONG}, [WIN], near_quarter),
        picture("intervals", "win_share"),
    ),
    "pairs": (table({"pair": PAIRS}, [GAIN], small), picture("intervals", "gain", diverging=True)),
    "long column name": (table({"seat": SEATS}, [LENGTHY], small), picture("intervals", "gain", diverging=True)),
    "long column name, long rows": (table({"policy": LONG}, [LENGTHY], small), picture("intervals", "gain")),
    "cards": (table({"card": CARDS}, [GAIN], small), picture("intervals", "gain", diverging=True)),
    "three axes": (
        table({"arm": ("held", "laid"), "place": ("1st", "2nd"), "rank": tuple("2345")}, [WIN], near_quarter),
        picture("intervals", "win_share"),
    ),
    "no axes": (
        table({}, [WIN, column("b", "Tie rate", "share")], near_quarter),
        picture("intervals", "win_share", "b"),
    ),
    "card heat": (
        table({"card": CARDS}, [GAIN, POINTS], small),
        picture("heat", "gain", "points", diverging=True, x_label="Rank", y_label="Suit"),
    ),
    "long heat": (table({"policy": LONG, "seat": SEATS}, [WIN], near_quarter), picture("heat", "win_share")),
    "wide heat": (
        table({"card": CARDS, "step": STEPS}, [GAIN], small),
        picture("heat", "gain", diverging=True),
    ),
    "turned heat": (
        table({"pair": PAIRS, "seat": SEATS}, [GAIN], small),
        picture("heat", "gain", diverging=True),
    ),
    "long × long heat": (
        table({"policy": LONG, "other": LONG}, [GAIN], small),
        picture("heat", "gain", diverging=True),
    ),
    "card fates": (table({"card": CARDS, "step": STEPS}, [WIN], eighth), picture("stacked", "win_share")),
    "ranks": (
        table({"rank": tuple("23456789TJQK"), "step": STEPS[:5]}, [WIN], lambda *_: (0.2, 0.01)),
        picture("stacked", "win_share"),
    ),
    "25 segments": (
        table({"policy": LONG, "step": tuple(f"step {i}" for i in range(25))}, [WIN], lambda *_: (0.04, 0.001)),
        picture("stacked", "win_share"),
    ),
    "columns stacked": (
        table({"rank": tuple("2345")}, [POINTS, column("b", "Second", "points")], lambda *_: (1.5, 0.1)),
        picture("stacked", "points", "b"),
    ),
    "scores": (
        table({"point": BINS}, [WIN], bell),
        picture("histogram", "win_share", x_label="Score, points"),
    ),
    "scores × long policies": (
        table({"policy": LONG, "point": BINS}, [WIN], bell),
        picture("histogram", "win_share"),
    ),
    "scores × policy × seat": (
        table({"policy": SHORT[:3], "seat": SEATS, "point": BINS}, [WIN], bell),
        picture("histogram", "win_share"),
    ),
    "running": (
        table(
            {"mark": MARKS, "seat": SEATS},
            [WIN],
            lambda i, r, c: (0.25 + wave(i) / float(r[0]) ** 0.5, np.nan),
        ),
        picture("lines", "win_share", x_label="Deals", reference=0.25),
    ),
    "curve": (
        table({"value": ("-5", "0", "12.5", "1_000"), "seat": SEATS, "policy": ("careful",)}, [WIN], near_quarter),
        picture("curve", "win_share", x_label="rules.points", reference=0.25, joined=True),
    ),
    "curve without series": (
        table({"value": tuple("12345")}, [GAIN, POINTS], small),
        picture("curve", "gain", "points", diverging=True),
    ),
    "many joined curves": (
        table({"value": tuple("12345"), "policy": LONG, "seat": ("0", "1")}, [WIN], near_quarter),
        picture("curve", "win_share", joined=True),
    ),
    "joined heat": (
        table({"a": tuple("123"), "b": ("lead", "void"), "seat": ("0", "1"), "policy": ("x",)}, [GAIN], small),
        picture("heat", "gain", diverging=True, joined=True),
    ),
    "joined dots": (
        table({"value": ("lead", "void"), "seat": SEATS, "policy": ("x", "y")}, [WIN], near_quarter),
        picture("intervals", "win_share", joined=True),
    ),
    "running panels": (
        table({"mark": MARKS[::20], "policy": LONG, "seat": SEATS}, [WIN], near_quarter),
        picture("lines", "win_share", x_label="Deals"),
    ),
}


def visible_texts(figure: Figure) -> list[tuple[Text, Any]]:
    """Every text that shows, with its box in pixels."""
    with sheet.style():
        renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
        figure.draw(renderer)
        texts = [
            text for text in figure.findobj(Text) if isinstance(text, Text) and text.get_visible() and text.get_text()
        ]
        ticks = [label for axes in figure.axes for label in _out_of_view(axes)]
        return [(text, text.get_window_extent(renderer)) for text in texts if text not in ticks]


def _out_of_view(axes: Axes) -> list[Text]:
    """Tick labels beyond the limits exist but are not drawn."""
    gone: list[Text] = []
    for axis, (low, high) in ((axes.xaxis, sorted(axes.get_xlim())), (axes.yaxis, sorted(axes.get_ylim()))):
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
            drawn = low - 1e-9 <= tick.get_loc() <= high + 1e-9
            gone += [label for label in (tick.label1, tick.label2) if not drawn or not label.get_visible()]
    return gone


@pytest.mark.parametrize("case", CASES)
def test_no_text_is_cut_off_or_overlaps_another(case: str) -> None:
    figure = plots.draw(*CASES[case])
    width, height = figure.canvas.get_width_height()
    assert width == 800
    boxes = visible_texts(figure)
    for text, box in boxes:
        inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height
        assert inside, f"{text.get_text()!r} is cut off"
    for (one, a), (two, b) in combinations(boxes, 2):
        shared = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        # A line's box includes room for the descenders that its letters may not have.
        assert shared[0] <= 1 or shared[1] <= 3, f"{one.get_text()!r} overlaps {two.get_text()!r}"


@pytest.mark.parametrize("case", CASES)
def test_every_value_axis_names_its_unit(case: str) -> None:
    result, spec = CASES[case]
    words = " ".join(" ".join(text.get_text().split()) for text, _ in visible_texts(plots.draw(result, spec)))
    assert all(numbers.unit_name(col) in words.lower() for col in result.spec.columns)


def test_bytes_repeat_and_hold_no_date_or_software() -> None:
    for case in ("policy × seat", "card heat", "25 segments"):
        drawn = [plots.drawing(*CASES[case], "name", 0.95) for _ in range(2)]
        assert drawn[0] == drawn[1]
        assert b"Software" not in drawn[0].png
        assert b"<dc:date>" not in drawn[0].svg
        assert b"Matplotlib" not in drawn[0].svg


def test_pictures_of_a_fresh_process_with_other_settings_are_the_same(tmp_path: Any) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 30\naxes.grid: True\nsvg.fonttype: none\nlines.linewidth: 9\n")
    code = (
        "import hashlib, test_plots as t\n"
        "d = t.plots.drawing(*t.CASES['policy × seat'], 'name', 0.95)\n"
        "print(hashlib.sha256(d.png + d.svg).hexdigest())"
    )
    digests = set()
    for extra in ({}, {"MATPLOTLIBRC": str(tmp_path / "matplotlibrc"), "PYTHONHASHSEED": "7"}):
        env = {**os.environ, "PYTHONPATH": os.path.dirname(__file__), **extra}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        digests.add(done.stdout)
    assert len(digests) == 1


@pytest.mark.parametrize("kind", ["intervals", "heat", "stacked", "histogram", "lines", "curve"])
@pytest.mark.parametrize("estimate", [np.nan, 0.0, 0.3])
def test_gaps_single_values_and_zeros_draw_without_a_warning(kind: str, estimate: float) -> None:
    axes = {"policy": ("a",), "mark": ("1", "2")} if kind == "histogram" else {"mark": ("1", "2"), "policy": ("a",)}
    sparse = table(axes, [WIN], lambda i, r, c: (estimate if i else np.nan, np.nan))
    for diverging in (False, True):
        made = plots.drawing(sparse, picture(kind, "win_share", diverging=diverging), "x", 0.95)
        assert made.svg.startswith(b"<?xml")
        assert ("nothing observed" in made.alt) == np.isnan(estimate)


def test_a_single_position_on_a_logarithmic_axis_draws() -> None:
    one = table({"mark": ("1",), "seat": SEATS}, [WIN], near_quarter)
    assert plots.drawing(one, picture("lines", "win_share"), "x", 0.95).png


@pytest.mark.parametrize(
    "name", ["<script>", "=cmd", "../x", "$x^2$", "_hidden", "日本\x07", "a\nb", "x" * 200, "\\frac{1}{2}"]
)
def test_any_name_draws_as_text(name: str) -> None:
    odd = table({"seat": SEATS, "policy": (name, "other")}, [WIN], near_quarter)
    for kind in ("intervals", "heat", "stacked"):
        words = [text.get_text() for text, _ in visible_texts(plots.draw(odd, picture(kind, "win_share")))]
        shown = sheet.printable(name)
        assert any(
            word.replace("\n", "").rstrip("…") and shown.startswith(word.replace("\n", "").rstrip("…"))
            for word in words
        )


def test_shares_are_drawn_in_percent_and_a_reference_too() -> None:
    figure = plots.draw(*CASES["policy × seat"])
    low, high = figure.axes[0].get_ylim()
    assert 0 < low < 25 < high < 40
    assert any(line.get_ydata()[0] == 25 for line in figure.axes[0].lines)  # type: ignore[index]


def test_one_axis_of_a_heat_is_split_by_the_game_or_before_the_last_letter() -> None:
    result, spec = CASES["card heat"]
    (panel, _) = panels(result, spec)
    assert panel.rows == tuple("23456789TJQKA")
    assert panel.series == ("H", "S", "C", "D")
    assert np.isnan(panel.estimate).sum() == 13 * 4 - 40
    assert panel.estimate[12, 3] == result.estimates["gain"].estimate[CARDS.index("AD")] * 100
    own = PictureSpec("heat", "p", "P", ("gain",), cell=lambda label: (label[1], "rank " + label[0]))
    assert panels(result, own)[0].series[0] == "rank 2"


def test_cells_whose_interval_spans_zero_are_pale_and_grey_and_explained() -> None:
    values = {"1a": (0.3, 0.1), "2a": (0.05, 0.1), "1b": (-0.3, 0.1), "2b": (np.nan, np.nan)}
    heat = table({"card": tuple(values)}, [GAIN], lambda i, row, c: values[row[0]])
    spec = picture("heat", "gain", diverging=True)
    colours = {text.get_text(): text.get_color() for text, _ in visible_texts(plots.draw(heat, spec))}
    assert colours["5"] == sheet.MUTED
    assert colours["30"] != sheet.MUTED
    assert colours["−30"] != sheet.MUTED
    assert "grey" in " ".join(plots.caption(panels(heat, spec), spec, 0.95))
    clear = table({"card": ("1a", "1b")}, [GAIN], lambda *_: (0.3, 0.1))
    assert plots.caption(panels(clear, spec), spec, 0.95) == []


def test_one_giant_does_not_bleach_the_other_colours_and_the_caption_says_so() -> None:
    assert colour_limit(np.array([0.1, -0.2, 0.3, 9.0])) == (0.3, True)
    assert colour_limit(np.array([0.1, -0.2, 0.3, 0.5])) == (0.5, False)
    assert colour_limit(np.array([np.nan])) == (1.0, False)
    giant = table({"card": CARDS}, [GAIN], lambda i, r, c: (0.9 if r[0] == "AD" else 0.01, 0.001))
    spec = picture("heat", "gain", diverging=True)
    assert "beyond the scale" in " ".join(plots.caption(panels(giant, spec), spec, 0.95))


def test_bars_too_low_to_see_are_left_off_and_the_caption_says_so() -> None:
    result, spec = CASES["scores"]
    first, last = visible(panels(result, spec))
    assert 0 < first < last < len(BINS)
    assert "left off" in " ".join(plots.caption(panels(result, spec), spec, 0.95))


def test_the_description_tells_smallest_and_largest_with_their_places() -> None:
    result, spec = CASES["policy × seat"]
    values = dict(zip(result.rows, result.estimates["win_share"].estimate, strict=True))
    text = plots.description(panels(result, spec), spec)
    least, most = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
    assert f"smallest {values[least] * 100:.0f} at {', '.join(least)}" in text
    assert f"largest {values[most] * 100:.0f} at {', '.join(most)}" in text
    assert "7 by 4 values" in text


def test_joined_axes_are_one_labelled_by_what_varies() -> None:
    panel = panels(*CASES["curve"])
    assert [each.series for each in panel] == [SEATS]
    assert panels(*CASES["joined heat"])[1].title == "seat 1"
    assert panels(*CASES["joined dots"])[0].series[:2] == ("S, x", "S, y")


def test_joined_heat_maps_have_one_scale() -> None:
    result, spec = CASES["joined heat"]
    first, first_bar, second, second_bar = plots.draw(result, spec).axes
    assert first_bar.get_ylim() == second_bar.get_ylim()
    assert first.get_ylim() == second.get_ylim()


def test_a_curve_marks_the_values_played_at_their_places() -> None:
    figure = plots.draw(*CASES["curve without series"])
    assert list(figure.axes[0].lines[0].get_xdata()) == [1, 2, 3, 4, 5]
    assert figure.axes[0].get_xscale() == "linear"
    said = " ".join(plots.caption(panels(*CASES["curve"]), CASES["curve"][1], 0.95))
    assert "Marks are the values played" in said
    assert "25%" in said


def test_an_unknown_column_is_named() -> None:
    with pytest.raises(KeyError, match="'wrong'"):
        plots.draw(CASES["seats"][0], picture("intervals", "wrong"))


@pytest.mark.parametrize(
    ("ticks", "texts"),
    [
        ([0.0, 2.5, 5.0], ["0.0", "2.5", "5.0"]),
        ([0.0, 0.25, 0.5], ["0.00", "0.25", "0.50"]),
        ([-1000.0, 0.0, 1000.0], ["−1,000", "0", "1,000"]),
        ([1.0], ["1"]),
    ],
)
def test_ticks_show_the_digits_their_steps_need(ticks: list[float], texts: list[str]) -> None:
    assert [tick_text(tick, ticks) for tick in ticks] == texts
