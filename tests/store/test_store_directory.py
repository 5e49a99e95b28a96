"""Run directories: made once, found again, and files in them that are never half written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.errors import InvalidInputError, StoreError, UnknownReferenceError
from hairpin.store.directory import (
    RunDirectory,
    create_run_directory,
    discarded_on_error,
    find_run,
    slug,
    write_parts,
    write_text,
)

CREATED = datetime(2026, 11, 29, 17, 40, 5, tzinfo=UTC)


def make(root: Path, name: str = "commute", run_id: str = "ab12", created: datetime = CREATED) -> RunDirectory:
    run = create_run_directory(root, name, created=created, run_id=run_id)
    run.database.touch()
    return run


def test_the_name_says_what_when_and_which(tmp_path: Path) -> None:
    run = create_run_directory(tmp_path / "runs", "munich_commute", created=CREATED, run_id="ab12")
    assert run.path == tmp_path / "runs" / "munich_commute-20261129T174005Z-ab12"
    assert list(run.path.iterdir()) == []


def test_the_time_is_utc_whatever_zone_it_is_given_in(tmp_path: Path) -> None:
    in_berlin = CREATED.astimezone(timezone(timedelta(hours=1)))
    assert make(tmp_path, created=in_berlin).name == make(tmp_path / "other").name


def test_two_runs_never_share_a_folder(tmp_path: Path) -> None:
    names = [make(tmp_path).name for _ in range(3)]
    assert names == [f"commute-20261129T174005Z-ab12{end}" for end in ("", "-2", "-3")]


def test_the_files_are_those_of_the_design(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    files = (run.scenario, run.database, run.log, run.summary, run.report, run.junit)
    names = ["scenario.yaml", "run.sqlite", "log.jsonl", "summary.json", "report.html", "junit.xml"]
    assert [path.name for path in files] == names
    assert {path.parent for path in files} == {tmp_path}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("munich_commute", "munich_commute"),
        ("Zoë's Drive / v2.1", "zoe-s-drive-v2.1"),
        ("../../etc/passwd", "etc-passwd"),
        ("客户", "run"),
        ("", "run"),
        ("..", "run"),
        ("x" * 500, "x" * 60),
    ],
)
def test_names_become_file_names(name: str, expected: str) -> None:
    assert slug(name) == expected


@given(st.text())
def test_every_name_stays_inside_the_folder(name: str) -> None:
    assert Path("/runs", slug(name)).parent == Path("/runs")
    assert slug(name).isascii()
    assert slug(slug(name)) == slug(name)


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/nowhere"])
def test_a_folder_that_cannot_be_written_is_refused_with_the_way_out(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    root = tmp_path / place
    with pytest.raises(InvalidInputError, match=r"no run directory can be made here: .*--out") as caught:
        make(root)
    assert str(caught.value).startswith(str(root))


def test_a_disk_without_room_is_refused_before_anything_runs_and_nothing_is_left(tmp_path: Path) -> None:
    """A limit on the size of files stands for it: the system refuses the same write."""
    code = (
        "import resource, sys; from pathlib import Path; from datetime import UTC, datetime\n"
        "from hairpin.store.directory import create_run_directory\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))\n"
        "create_run_directory(Path(sys.argv[1]), 'x', created=datetime.now(UTC), run_id='r')"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    child = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (
        "no run directory can be made here: File too large; choose a folder that can be written and has 4 MB left"
        in (child.stderr)
    )
    assert list(tmp_path.iterdir()) == []


def test_a_run_whose_rows_are_in_a_server_is_found_by_what_points_at_it(tmp_path: Path) -> None:
    run = create_run_directory(tmp_path, "commute", created=CREATED, run_id="ab12")
    run.pointer.touch()
    assert [find_run(reference, root=tmp_path) for reference in (run.path, run.pointer, "com", "ab12")] == [run] * 4


def test_a_run_is_found_by_its_folder_and_by_its_database(tmp_path: Path) -> None:
    run = make(tmp_path)
    assert find_run(run.path) == run
    assert find_run(run.database) == run
    assert find_run(str(run.path) + os.sep) == run


@pytest.mark.parametrize("beginning", ["commute", "commute-20261129T174005Z-ab12", "com", "ab", "ab12"])
def test_a_run_is_found_by_the_beginning_of_its_name_or_id(tmp_path: Path, beginning: str) -> None:
    run = make(tmp_path)
    make(tmp_path, "poi", "cd34")
    (tmp_path / "commute-not-a-run").mkdir()
    assert find_run(beginning, root=tmp_path) == run


def test_a_folder_that_only_has_the_name_by_chance_does_not_hide_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make(tmp_path / "runs")
    (tmp_path / "commute").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_run("commute", root=tmp_path / "runs") == run


def test_a_whole_name_is_enough_even_if_another_begins_with_it(tmp_path: Path) -> None:
    run, _ = make(tmp_path), make(tmp_path)
    assert find_run(run.name, root=tmp_path) == run


def test_several_runs_that_fit_are_listed(tmp_path: Path) -> None:
    runs = [make(tmp_path, run_id=run_id) for run_id in ("ab12", "cd34")]
    with pytest.raises(InvalidInputError, match="2 runs begin with 'commute'") as caught:
        find_run("commute", root=tmp_path)
    assert all(run.name in str(caught.value) for run in runs)


@pytest.mark.parametrize("reference", ["comute-20261129T174005Z-ab12", "", "x" * 5000, "a\0b", "\udcff"])
def test_an_unknown_run_is_refused_with_what_there_is(tmp_path: Path, reference: str) -> None:
    run = make(tmp_path)
    with pytest.raises(UnknownReferenceError, match="unknown run") as caught:
        find_run(reference, root=tmp_path)
    assert run.name in str(caught.value)


def test_where_there_are_no_runs_the_message_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UnknownReferenceError, match="there are no runs yet; 'hairpin run SCENARIO' makes one"):
        find_run("commute", root=tmp_path / "runs")


def test_a_path_that_is_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InvalidInputError, match=r"not a run directory: it has neither run\.sqlite nor store\.json"):
        find_run(tmp_path)
    with pytest.raises(InvalidInputError, match=r"notes\.txt: not a run;"):
        find_run(tmp_path / "notes.txt")
    run = make(tmp_path)
    run.summary.touch()
    with pytest.raises(InvalidInputError, match=r"summary\.json: not a run;"):
        find_run(run.summary)


def test_text_is_written_as_utf_8_with_plain_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_text(path, "Zoë, 客户, 👩‍🔧 ﬂ →\n\ud800\r\n")
    assert path.read_bytes() == "Zoë, 客户, 👩‍🔧 ﬂ →\n\\ud800\r\n".encode()


def test_a_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "summary.json"
    write_text(path, "old")
    with path.open() as reading:
        write_text(path, "new and longer")
        assert reading.read() == "old"
    assert path.read_text() == "new and longer"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_said_and_what_was_there_stays(tmp_path: Path) -> None:
    (tmp_path / "report.html").mkdir()
    with pytest.raises(StoreError, match=r"report\.html: cannot be written: .*directory"):
        write_text(tmp_path / "report.html", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    with pytest.raises(StoreError, match="cannot be written: No such file or directory"):
        write_text(tmp_path / "missing" / "report.html", "text")


def test_parts_are_written_one_after_the_other_and_never_half(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_parts(path, (part for part in ("a\n", "客", "\ud800")))
    assert path.read_bytes() == "a\n客\\ud800".encode()

    def broken() -> Iterator[str]:
        yield "new"
        raise OSError(28, "No space left on device")

    with pytest.raises(StoreError, match="No space left on device"):
        write_parts(path, broken())
    assert path.read_bytes() == "a\n客\\ud800".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_that_could_not_begin_leaves_no_directory(tmp_path: Path) -> None:
    run = create_run_directory(tmp_path, "demo", created=CREATED, run_id="1")
    write_text(run.scenario, "x")
    with pytest.raises(StoreError), discarded_on_error(run):
        raise StoreError("no connection")
    assert list(tmp_path.iterdir()) == []
