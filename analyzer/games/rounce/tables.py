"""The tables of Rounce, in the order of the report."""

from __future__ import annotations

from analyzer.games.rounce.chart_tables import CHART_TABLES
from analyzer.games.rounce.match_tables import LUCK_TABLES, MATCH_TABLES, WHO_WINS
from analyzer.games.rounce.round_tables import CALL_TABLES, ROUND_TABLES
from analyzer.games.rounce.tile_tables import TILE_TABLES
from analyzer.games.spec import TableSpec

TABLES: tuple[TableSpec, ...] = (
    *WHO_WINS,
    *CHART_TABLES,
    *CALL_TABLES,
    *TILE_TABLES,
    *ROUND_TABLES,
    *MATCH_TABLES,
    *LUCK_TABLES,
)
