"""The checkpoint of a run, `DIR.checkpoint` beside its report folder `DIR`: one file, replaced as a whole.

It is written every 20 s between two blocks, and when the run is interrupted; it is removed when the report is complete.
Its process holds a lock on it as long as it lives, so that two runs into one folder do not overwrite each other's.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from analyzer.errors import TalliesError
from analyzer.files import beside, held_elsewhere, lock, locked, reason, sweep
from analyzer.report.numbers import counted
from analyzer.scenario.load import Scenario
from analyzer.studies.played import (
    SEAL_OPENS,
    Played,
    parts_from,
    run_json,
    sealed,
    tallies_from,
    tallies_json,
    unsealed,
)

EVERY = 20.0
"""Seconds from the end of one writing to the next."""


class Checkpoint:
    """What a run keeps of itself on disk. `say` gets a line for the user."""

    def __init__(
        self,
        folder: Path,
        scenario: Scenario,
        say: Callable[[str], None] = lambda line: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        place = Path(os.path.realpath(folder))
        self.path = place.with_name(f"{place.name}.checkpoint")
        self._folder, self._scenario, self._say, self._clock = place, scenario, say, clock
        self._last = clock()
        self._handle: int | None = None
        """The file at `path`, open and locked, if this run wrote or took it over."""
        self._told = False
        self._mine = True

    def start(self, resume: bool) -> Played | None:
        """What was played already, if the run is to `resume`: what the checkpoint holds or else the report in the
        folder; None where there is neither. Else it starts anew, and a checkpoint that is there is put aside as
        `DIR.checkpoint.old`. The user is told which.

        Raises TalliesError when there is something else of that name, or what is to be resumed is damaged, of another
        run, still being written, or beyond what is asked.
        """
        sweep(self.path)
        if resume:
            return self._resume()
        self._put_aside()
        return None

    def _put_aside(self) -> None:
        if not os.path.lexists(self.path):
            return
        if held_elsewhere(self.path):
            self._leave_to_other()
            return
        try:
            played = self._describe(unsealed(self.path, "checkpoint"))
        except TalliesError as error:
            if not _ours(self.path):
                raise TalliesError(
                    f"{self.path} is no checkpoint of this program and was left alone; choose another --out"
                ) from None
            played = str(error)
        aside = self.path.with_name(f"{self.path.name}.old")
        self.path.replace(aside)
        self._say(
            f"starting anew; the checkpoint of an unfinished run that was here ({played}) is now {aside}: to go on "
            f"with it, name it {self.path.name} again and add --resume"
        )

    def _resume(self) -> Played | None:
        if os.path.lexists(self.path):
            return self._from_checkpoint()
        report = self._folder / "tallies.json"
        if report.exists():
            return self._from_report(report)
        self._say(f"nothing to resume: there is no {self.path} and no {report}; starting anew")
        return None

    def due(self) -> bool:
        """Whether it is time to write."""
        return self._mine and self._clock() - self._last >= EVERY

    @property
    def written(self) -> bool:
        """Whether there is a checkpoint of this run."""
        return self._handle is not None

    def write(self, played: Played) -> None:
        """Replace the checkpoint. A disk that does not take it is told once and ends no run."""
        if not self._mine:
            return
        content = {
            **tallies_json(self._scenario, played.tallies),
            "asked": self._scenario.count,
            "parts": [asdict(part) for part in played.parts],
        }
        try:
            self._put(sealed("checkpoint", content).encode())
        except OSError as error:
            if not self._told:
                self._say(f"cannot write the checkpoint {self.path}: {reason(error)}; the run goes on without")
                self._told = True
        self._last = self._clock()

    def remove(self) -> None:
        """The report is complete: the checkpoint has served."""
        if self._handle is not None:
            with suppress(OSError), locked(self.path.parent):
                if os.path.samestat(os.fstat(self._handle), os.stat(self.path)):
                    self.path.unlink()
            self._let_go()

    def _put(self, data: bytes) -> None:
        new, handle = beside(self.path)
        try:
            with open(handle, "wb", closefd=False) as file:
                file.write(data)
            os.fsync(handle)
            with locked(self.path.parent):
                if self._handle is None and held_elsewhere(self.path):
                    self._leave_to_other()
                else:
                    new.replace(self.path)
                    self._let_go()
                    self._handle, handle = handle, -1
        finally:
            if handle >= 0:
                os.close(handle)
            new.unlink(missing_ok=True)

    def _let_go(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _leave_to_other(self) -> None:
        self._mine = False
        self._say(f"another run keeps its checkpoint in {self.path}; this one keeps none")

    def _from_checkpoint(self) -> Played:
        content = unsealed(self.path, "checkpoint")
        played = self._played(content, self.path)
        self._handle = os.open(self.path, os.O_RDONLY)
        # A disk that knows no locks cannot tell, and does not refuse.
        if not lock(self._handle) and held_elsewhere(self.path):
            self._let_go()
            raise TalliesError(f"{self.path}: another run is writing it; wait for its end, or choose another --out")
        self._say(f"going on after {self._describe(content)}, from {self.path}")
        return played

    def _from_report(self, path: Path) -> Played:
        content = unsealed(path, "tallies")
        played = self._played({**content, "parts": run_json(self._folder).get("parts")}, path)
        self._say(f"going on after {self._units(played.main.units)}, from the report {self._folder}")
        return played

    def _played(self, content: dict[str, Any], path: Path) -> Played:
        tallies = tallies_from(content, self._scenario, path)
        played = Played(tallies, parts_from(content.get("parts")))
        if played.main.units > self._scenario.count:
            raise TalliesError(
                f"{path}: holds {self._units(played.main.units)} and {self._scenario.count:,} are asked; ask for as "
                "many or more with -n, or leave --resume out"
            )
        return played

    def _describe(self, content: dict[str, Any]) -> str:
        try:
            done, asked = next(iter(content["batches"].values()))["units"], content["asked"]
            return f"{self._units(done)} of {asked:,}"
        except (AttributeError, KeyError, StopIteration, TypeError, ValueError):
            return "damaged"

    def _units(self, number: int) -> str:
        return counted(number, self._scenario.game.unit)


def _ours(path: Path) -> bool:
    """Whether a file opens as every file of tallies does."""
    try:
        with path.open("rb") as file:
            return file.read(len(SEAL_OPENS)) == SEAL_OPENS
    except OSError:
        return False
