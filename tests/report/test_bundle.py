"""The report folder: complete or not at all, whatever fails and whenever."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy_report import toy_bundle, toy_results, toy_tables

from analyzer.errors import ReportError
from analyzer.report import bundle, folder

FILES = {
    "columns.csv",
    "figures/by_policy_seat-wins.png",
    "figures/by_policy_seat-wins.svg",
    "figures/by_seat-wins.png",
    "figures/by_seat-wins.svg",
    "report.html",
    "report.md",
    "results.json",
    "run.json",
    "scenario.toml",
    "tables/by_policy_seat.csv",
    "tables/by_seat.csv",
    "tables/hunts.csv",
    "tallies.json",
}


def contents(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def litter(parent: Path) -> set[str]:
    return {name for name in os.listdir(parent) if name.startswith(".")}


def fill(place: Path, text: str) -> None:
    """A report of one file, by way of the real replacement."""
    with folder.replacing(place) as new:
        (new / "results.json").write_text(text)


def test_the_folder_holds_everything_the_design_names(tmp_path: Path) -> None:
    made = bundle.write_report(tmp_path / "deep" / "toy", **toy_bundle())
    assert set(contents(made)) == FILES
    run = json.loads((made / "run.json").read_text())
    assert run["seconds"]["simulate"] == 1.5
    assert run["seconds"]["report"] > 0
    assert json.loads((made / "results.json").read_text()) == toy_results()
    assert litter(made.parent) == set()


def test_the_same_run_writes_the_same_bytes_save_for_the_clock(tmp_path: Path) -> None:
    first, second = (contents(bundle.write_report(tmp_path / name, **toy_bundle())) for name in ("a", "b"))
    differing = {name for name in first if first[name] != second[name]}
    assert differing <= {"run.json", "report.html", "report.md"}


def test_a_report_replaces_a_report(tmp_path: Path) -> None:
    place = tmp_path / "toy"
    bundle.write_report(place, **toy_bundle())
    (place / "tables" / "stale.csv").write_text("old")
    bundle.write_report(place, **toy_bundle(results=toy_results(seed=8), tables=toy_tables()[:1]))
    assert "tables/stale.csv" not in contents(place)
    assert "tables/hunts.csv" not in contents(place)
    assert json.loads((place / "results.json").read_text())["seed"] == 8


def test_figures_of_one_name_are_kept_apart_and_inside(tmp_path: Path) -> None:
    names = [drawing.name for drawing in bundle.draw_all(toy_tables(), 0.95)]
    assert names == ["by_seat-wins", "by_policy_seat-wins"]
    assert [drawing.name for drawing in bundle.draw_all(toy_tables()[:1], 0.95)] == ["wins"]


def test_a_table_without_rows_has_no_picture() -> None:
    seats = toy_tables()[0]
    assert bundle.draw_all([type(seats)(seats.spec, (), {})], 0.95) == []


WRITERS = ("mkdir", "write_bytes", "rename")


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize(
    ("method", "at"),
    [("mkdir", k) for k in range(3)] + [("write_bytes", k) for k in (0, 1, 5, 13)] + [("rename", k) for k in (0, 1)],
)
def test_whenever_the_disk_fails_the_old_report_is_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, method: str, at: int, old: bool
) -> None:
    place = tmp_path / "toy"
    if old:
        bundle.write_report(place, **toy_bundle())
    before = contents(place)
    # Without an old report only one move is made.
    at = min(at, 0) if method == "rename" and not old else at
    fail_at(monkeypatch, method, at, OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(ReportError, match="the disk is full") as caught:
        bundle.write_report(place, **toy_bundle(results=toy_results(seed=8)))
    monkeypatch.undo()
    assert ("is whole" in str(caught.value)) == old
    assert contents(place) == before
    assert place.exists() == old
    assert litter(tmp_path) == set()


def fail_at(monkeypatch: pytest.MonkeyPatch, method: str, at: int, error: BaseException) -> None:
    """Let the call number `at` of a method of Path fail; `mkdir` of a folder that exists does not count."""
    real: Callable[..., Any] = getattr(Path, method)
    calls = iter(range(10**6))

    def failing(self: Path, *args: Any, **kwargs: Any) -> Any:
        if not kwargs.get("exist_ok") and next(calls) == at:
            raise error
        return real(self, *args, **kwargs)

    monkeypatch.setattr(Path, method, failing)


@pytest.mark.parametrize(("method", "at"), [("write_bytes", 3), ("rename", 0), ("rename", 1)])
def test_an_interrupt_leaves_the_old_report_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, method: str, at: int
) -> None:
    place = tmp_path / "toy"
    bundle.write_report(place, **toy_bundle())
    before = contents(place)
    fail_at(monkeypatch, method, at, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        bundle.write_report(place, **toy_bundle(results=toy_results(seed=8)))
    monkeypatch.undo()
    assert contents(place) == before
    assert litter(tmp_path) == set()


def test_a_failure_of_the_drawing_leaves_the_old_report_whole(tmp_path: Path) -> None:
    place = tmp_path / "toy"
    bundle.write_report(place, **toy_bundle())
    before = contents(place)
    with pytest.raises(ValueError, match="JSON"):
        bundle.write_report(place, **toy_bundle(results=toy_results(seed=float("nan"))))
    assert contents(place) == before
    assert litter(tmp_path) == set()


KILLED = """
import os, sys
from pathlib import Path
from analyzer.report import folder
place, survive = Path(sys.argv[1]), int(sys.argv[2])
real, done = Path.rename, []
def rename(self, target):
    if len(done) == survive:
        os._exit(9)
    done.append(1)
    return real(self, target)
Path.rename = rename
real_rmtree = folder.shutil.rmtree
def rmtree(path, **how):
    if str(path).endswith(".old"):
        os._exit(9)
    real_rmtree(path, **how)
folder.shutil.rmtree = rmtree
with folder.replacing(place) as new:
    (new / "results.json").write_text("new")
"""


@pytest.mark.parametrize(("survive", "left"), [(0, "old"), (1, "old"), (2, "new")])
def test_a_start_after_a_kill_finds_one_whole_report(tmp_path: Path, survive: int, left: str) -> None:
    place = tmp_path / "toy"
    fill(place, "old")
    killed = subprocess.run([sys.executable, "-c", KILLED, str(place), str(survive)], check=False)
    assert killed.returncode == 9
    assert litter(tmp_path)
    folder.prepare(place)
    assert (place / "results.json").read_text() == left
    assert litter(tmp_path) == set()


def test_an_aside_is_put_back_over_an_empty_folder(tmp_path: Path) -> None:
    place = tmp_path / "toy"
    fill(place, "old")
    place.rename(tmp_path / ".toy.old")
    place.mkdir()
    folder.prepare(place)
    assert (place / "results.json").read_text() == "old"


def test_an_aside_stays_when_something_else_took_its_place(tmp_path: Path) -> None:
    place = tmp_path / "toy"
    fill(place, "old")
    place.rename(tmp_path / ".toy.old")
    place.mkdir()
    (place / "mine.txt").write_text("mine")
    with pytest.raises(ReportError):
        folder.prepare(place)
    assert (tmp_path / ".toy.old" / "results.json").read_text() == "old"
    assert (place / "mine.txt").read_text() == "mine"


def test_a_folder_that_another_process_fills_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "toy"
    with folder.replacing(place) as new:
        folder.prepare(place)
        assert new.exists()
        (new / "results.json").write_text("mine")
    assert (place / "results.json").read_text() == "mine"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("notes.txt",), "holds no results.json"),
        ((".git/config",), "holds no results.json"),
        (("results.json", "notes.txt"), "'notes.txt', which is no part of a report"),
        (("results.json", ".git/config"), "'.git', which is no part of a report"),
    ],
)
def test_what_is_not_a_report_is_not_replaced(tmp_path: Path, names: tuple[str, ...], said: str) -> None:
    place = tmp_path / "home"
    for name in names:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("mine")
    before = contents(place)
    for attempt in (lambda: folder.prepare(place), lambda: bundle.write_report(place, **toy_bundle())):
        with pytest.raises(ReportError, match=said):
            attempt()
    assert contents(place) == before
    assert litter(tmp_path) == set()


def test_an_empty_folder_and_one_with_litter_are_taken(tmp_path: Path) -> None:
    for name, inside in (("empty", ()), ("mac", (".DS_Store",))):
        place = tmp_path / name
        place.mkdir()
        for file in inside:
            (place / file).touch()
        fill(place, "new")
        assert contents(place) == {"results.json": b"new"}


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "toy").write_text("mine")
    with pytest.raises(ReportError, match="is a file, and a report is a folder"):
        folder.prepare(tmp_path / "toy")
    with pytest.raises(ReportError, match=r"not a folder|is a file|File exists"):
        folder.prepare(tmp_path / "toy" / "inner")
    assert (tmp_path / "toy").read_text() == "mine"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (errno.EACCES, "no permission"),
        (errno.EROFS, "read-only"),
        (errno.EDQUOT, "quota"),
        (errno.EIO, "output error"),
    ],
)
def test_an_unwritable_place_is_found_before_the_work_begins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: int, said: str
) -> None:
    fail_at(monkeypatch, "mkdir", 0, OSError(code, os.strerror(code)))
    with pytest.raises(ReportError, match=said):
        folder.prepare(tmp_path / "toy")


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    fill(tmp_path / "real", "old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    fill(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "results.json").read_text() == "new"


def test_a_report_is_readable_by_whoever_may_read_new_folders(tmp_path: Path) -> None:
    fill(tmp_path / "toy", "x")
    (tmp_path / "plain").mkdir()
    assert (tmp_path / "toy").stat().st_mode == (tmp_path / "plain").stat().st_mode


RACING = """
import sys
from pathlib import Path
from analyzer.report import folder
place, me = Path(sys.argv[1]), sys.argv[2]
for turn in range(40):
    with folder.replacing(place) as new:
        (new / "tables").mkdir()
        for name in ("results.json", "report.md", "tables/a.csv", "tables/b.csv"):
            (new / name).write_text(f"{me} {turn}")
"""


def test_processes_writing_one_folder_do_not_mix_their_files(tmp_path: Path) -> None:
    place = tmp_path / "toy"
    both = [subprocess.Popen([sys.executable, "-c", RACING, str(place), me]) for me in "ab"]
    assert [process.wait(timeout=60) for process in both] == [0, 0]
    assert len(contents(place)) == 4
    assert len(set(contents(place).values())) == 1
    assert litter(tmp_path) == set()


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("dingo-baseline", "dingo-baseline"),
        ("../x", "x"),
        ("/etc/passwd", "etc-passwd"),
        ("=cmd", "cmd"),
        ("<script>alert(1)</script>", "script-alert-1-script"),
        ("..", "report"),
        ("", "report"),
        (".hidden", "hidden"),
        ("a\x00b\nc", "a-b-c"),
        ("Hoarding wolf pairs", "Hoarding-wolf-pairs"),
        ("カード", "カード"),
        ("CON", "CON-report"),
        ("com1.txt", "com1.txt-report"),
        ("x" * 300, "x" * 80),
        ("カ" * 300, "カ" * 26),
    ],
)
def test_any_name_becomes_one_plain_file_name(name: str, safe: str) -> None:
    assert folder.safe_name(name) == safe


def test_report_modules_load_only_when_used() -> None:
    code = (
        "import sys, analyzer.cli, analyzer.report\n"
        "print([name for name in ('matplotlib', 'pandas', 'jinja2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["file/toy", "n" * 300, "n" * 300 + "/toy"])
def test_a_path_that_cannot_be_is_told_in_words(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ReportError, match=r"a part of its path is not a folder|the name is too long") as caught:
        folder.prepare(tmp_path / name)
    assert "whole" not in str(caught.value)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_place_that_may_not_be_looked_at_is_told_in_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def forbidden(path: Path, **options: object) -> os.stat_result:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "stat", forbidden)
    with pytest.raises(ReportError, match="no permission"):
        folder.prepare(tmp_path / "toy")


@pytest.mark.parametrize(
    ("code", "said"), [(errno.EBUSY, "mount point"), (errno.EPERM, "no permission"), (errno.EACCES, "no permission")]
)
def test_a_folder_that_cannot_be_moved_is_found_before_the_work_begins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: int, said: str
) -> None:
    fill(tmp_path / "toy", "old")
    fail_at(monkeypatch, "rename", 0, OSError(code, os.strerror(code)))
    with pytest.raises(ReportError, match=said):
        folder.prepare(tmp_path / "toy")
    monkeypatch.undo()
    assert (tmp_path / "toy" / "results.json").read_text() == "old"
    folder.prepare(tmp_path / "toy")
    assert [path.name for path in tmp_path.iterdir()] == ["toy"]


def test_matplotlib_says_nothing_when_it_may_not_write_home(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("no folder")
    environment = {**os.environ, "HOME": str(tmp_path / "home"), "MPLCONFIGDIR": str(tmp_path / "home" / "x")}
    code = "import analyzer.report.plots"
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")
