"""Single plays as rows of a file, CSV or Parquet, that appears whole or not at all.

Blocks of plays come in any order and are written in the order of their units, a fixed number of rows at a time: neither
the memory nor the bytes of the file hang on how a run was cut into blocks.
"""

from __future__ import annotations

import gzip
import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyzer.errors import PlaceError, ReportError
from analyzer.files import appearing, reason
from analyzer.games.spec import GameSpec, Setting
from analyzer.report.tables import csv_cell

PIECE = 1 << 16
"""Rows that are written together."""
TWELFTHS = 12


def columns_of(game: GameSpec, seats: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Name of each column, and what it holds."""
    return (
        ("unit", f"number of the {game.unit}"),
        ("play", "which play of it, where the seating gives it several; as --rotation of `trace`"),
        *((f"policy_{seat}", f"name of the policy in seat {seat}") for seat in seats),
        *((f"points_{seat}", f"points of seat {seat} at the end") for seat in seats),
        *((f"win_share_{seat}", f"share of the win of seat {seat}: 1 alone, 0.5 of two, 0 lost") for seat in seats),
        *game.records,
    )


class Records:
    """Plays of the units from `first` on, on their way to a file. Raises ReportError when it cannot be written."""

    def __init__(self, path: Path, writer: Writer, game: GameSpec, setting: Setting, first: int) -> None:
        self.path, self._writer, self._game, self._setting = path, writer, game, setting
        self._first = self._next = first
        self._waiting: dict[int, NDArray[np.void]] = {}
        self._buffer: list[NDArray[np.void]] = []
        self._rows = self.written = 0
        self._names = pd.CategoricalDtype([policy.name for policy in setting.table.policies])
        self._seated = np.array(setting.table.arrangements, np.int64)

    def keep(self, first: int, rows: NDArray[np.void]) -> None:
        """Take the records (units, plays) of the units from `first` on; from any thread."""
        self._waiting[first] = rows

    def upto(self, end: int) -> None:
        """Write the rows of all units below `end` that were kept."""
        while self._next < end:
            rows = self._waiting.pop(self._next)
            self._next += len(rows)
            self._buffer.append(rows.reshape(-1))
            self._rows += rows.size
        self._write(PIECE)

    def finish(self) -> None:
        """Write what is left; the file is whole then."""
        self._write(1)
        with _told(self.path, ReportError):
            self._writer.close()

    def _write(self, least: int) -> None:
        """Write what is there in pieces, as long as there are so many rows."""
        while self._rows >= least:
            rows = np.concatenate(self._buffer)
            with _told(self.path, ReportError):
                self._writer.write(self._frame(rows[:PIECE]))
            self.written += min(PIECE, rows.size)
            self._buffer, self._rows = [rows[PIECE:]], max(0, rows.size - PIECE)

    def _frame(self, rows: NDArray[np.void]) -> pd.DataFrame:
        """The next rows of the file."""
        setting, plays = self._setting, self._setting.table.plays
        places = np.arange(self.written, self.written + rows.size)
        unit, play = self._first + places // plays, places % plays
        seated = self._seated[unit % len(self._seated), play]
        seats = range(len(setting.seats))
        columns: list[Any] = [
            unit,
            play.astype(np.int32),
            *(pd.Categorical.from_codes(seated[:, seat], dtype=self._names) for seat in seats),
            *(rows["points"][:, seat] for seat in seats),
            *(rows["win"][:, seat] / TWELFTHS for seat in seats),
            *(rows[name] for name, _ in self._game.records),
        ]
        names = [name for name, _ in columns_of(self._game, setting.seats)]
        return pd.DataFrame(dict(zip(names, columns, strict=True)))


@contextmanager
def recording(path: Path, game: GameSpec, setting: Setting, first: int) -> Iterator[Records]:
    """Records that become the file `path` when the block ends, and leave no trace if it fails.

    Raises PlaceError when it cannot be written there, ReportError when later it cannot be.
    """
    with ExitStack() as opened:
        with _told(path, PlaceError):
            path.parent.mkdir(parents=True, exist_ok=True)
            writer = FORMATS[str(suffix_of(path))](opened.enter_context(appearing(path)))
        records = Records(path, writer, game, setting, first)
        try:
            yield records
            records.finish()
        except BaseException:
            # What is half written is of no use, and a disk that is full may refuse its end too.
            with suppress(OSError, ValueError):
                writer.close()
            raise
        with _told(path, ReportError):
            opened.close()


@contextmanager
def _told(path: Path, kind: type[ReportError]) -> Iterator[None]:
    """An OSError meanwhile is one of this kind, in words."""
    try:
        yield
    except OSError as error:
        raise kind(f"cannot write the records {path}: {reason(error)}") from None


class Writer(ABC):
    """Writes frames of the same columns."""

    @abstractmethod
    def write(self, frame: pd.DataFrame) -> None:
        """Add rows."""

    @abstractmethod
    def close(self) -> None:
        """Write what belongs at the end."""


class _Csv(Writer):
    def __init__(self, file: BinaryIO) -> None:
        self._file, self._head = file, True

    def write(self, frame: pd.DataFrame) -> None:
        # A name that a spreadsheet would take for a formula.
        safe = {str(name): frame[name].map(csv_cell) for name in frame.select_dtypes("category")}
        frame.assign(**safe).to_csv(self._file, index=False, header=self._head, lineterminator="\n")
        self._head = False

    def close(self) -> None:
        """Rows end each in a line's end; nothing follows."""


class _Gzip(_Csv):
    def __init__(self, file: BinaryIO) -> None:
        # Neither a name nor a time in it, so that the same rows are the same bytes.
        super().__init__(cast(BinaryIO, gzip.GzipFile("", "wb", fileobj=file, mtime=0)))

    def close(self) -> None:
        self._file.close()


class _Parquet(Writer):
    def __init__(self, file: BinaryIO) -> None:
        self._arrow, self._parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
        self._file = file
        self._writer: Any = None

    def write(self, frame: pd.DataFrame) -> None:
        table = self._arrow.Table.from_pandas(frame, preserve_index=False)
        if self._writer is None:
            self._writer = self._parquet.ParquetWriter(self._file, table.schema)
        self._writer.write_table(table, PIECE)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


FORMATS: dict[str, Callable[[BinaryIO], Writer]] = {".csv": _Csv, ".csv.gz": _Gzip, ".parquet": _Parquet}
"""By how a file's name ends."""


def suffix_of(path: Path) -> str | None:
    """Which of `FORMATS` a file is in, by its name; None for another."""
    return next((suffix for suffix in FORMATS if path.name.endswith(suffix) and path.name != suffix), None)
