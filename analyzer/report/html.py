"""The page `report.html`: one file that asks nothing of any other, readable on a phone and in print."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analyzer.report import tables
from analyzer.report.page import Page, folded
from analyzer.report.plots import Drawing

TEMPLATES = Path(__file__).parent / "templates"
UNQUOTED = " <>=:/;,'()[]{}!?*+|@$^`~"
SVG_BYTES = 400_000
"""A larger SVG (patterns of very many series) is embedded as PNG."""


def data_uri(drawing: Drawing) -> Markup:
    """The picture itself as an address; in an `img` it can neither run a script nor clash with another's
    ids. A drawing stands there as text, which is shorter than base64; what could end the attribute or the address is
    percent-encoded."""
    if len(drawing.svg) > SVG_BYTES:
        return Markup(f"data:image/png;base64,{b64encode(drawing.png).decode('ascii')}")
    text = " ".join(drawing.svg.decode("utf-8").split())
    return Markup("data:image/svg+xml;charset=utf-8,") + Markup(quote(text, safe=UNQUOTED))


def html_report(page: Page) -> str:
    """The whole page; every text in it is escaped."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html").render(
        page=page,
        view=tables.view,
        html_table=tables.html_table,
        notes=tables.notes,
        folded=folded,
        data_uri=data_uri,
    )
