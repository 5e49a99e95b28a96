"""SQLite files: settings, and refusals that say what to do."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import pytest

from hairpin.errors import StoreError
from hairpin.store import sqlite
from hairpin.store.backend import NOT_READ, NOT_STORED
from hairpin.store.file_lock import locked_file
from hairpin.store.reader import open_run
from hairpin.store.runs import SqlRunStore, open_store
from tests.store.store_values import StandingClock, a_plan, a_run

NOBODY = 65534


@contextmanager
def rights_of_a_plain_user() -> Iterator[None]:
    """Root may write everywhere; act as somebody who may not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def public_folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)
        Path(name).chmod(0o755)


def pragma(path: Path, name: str) -> object:
    with sqlite.open_file(path).engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def test_write_ahead_log_normal_syncing_foreign_keys_and_bounded_waiting_are_on(path: Path) -> None:
    sqlite.create_file(path)
    names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    assert [pragma(path, name) for name in names] == ["wal", 1, 1, 10_000]


def test_a_path_with_signs_that_mean_something_in_a_uri_works(tmp_path: Path) -> None:
    path = tmp_path / "100% ü #1?mode=memory&x.sqlite"
    sqlite.create_file(path)
    assert path.stat().st_size > 0
    sqlite.open_reader(path)


def test_an_existing_file_is_never_overwritten(path: Path) -> None:
    path.write_bytes(b"precious")
    with pytest.raises(StoreError, match=r"run\.sqlite: exists already"):
        sqlite.create_file(path)
    assert path.read_bytes() == b"precious"


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"file/run\.sqlite: cannot be created: Not a directory; choose"):
        sqlite.create_file(tmp_path / "file" / "run.sqlite")


def test_a_folder_without_write_permission_is_refused_before_anything_is_spent(public_folder: Path) -> None:
    public_folder.chmod(0o555)
    with rights_of_a_plain_user(), pytest.raises(StoreError, match="cannot be created: Permission denied"):
        sqlite.create_file(public_folder / "run.sqlite")


def test_a_read_only_file_can_be_read_and_not_written(public_folder: Path, clock: StandingClock) -> None:
    path = public_folder / "run.sqlite"
    sqlite.create_file(path)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA journal_mode=DELETE")
    file.close()
    path.chmod(0o444)
    public_folder.chmod(0o555)
    with rights_of_a_plain_user():
        open_run(path)
        with pytest.raises(StoreError, match="read-only"):
            open_store(path, clock=clock)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not of a Hairpin run"),
        (b"just some text, long enough not to be taken for an empty database" * 20, "not a database, or damaged"),
    ],
)
def test_what_is_no_database_is_refused(path: Path, content: bytes, message: str) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError, match=message) as caught:
        sqlite.open_file(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


def test_a_damaged_file_is_refused(path: Path, clock: StandingClock) -> None:
    sqlite.create_file(path)
    with open_store(path, clock=clock):
        pass
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * 8000)
    with pytest.raises(StoreError, match=r"run\.sqlite: .*damaged"):
        open_run(path)


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"a folder; give the run\.sqlite"):
        sqlite.open_reader(tmp_path)
    with pytest.raises(StoreError, match=r"nothing: no such file; give the run\.sqlite"):
        sqlite.open_reader(tmp_path / "nothing")
    with pytest.raises(StoreError, match="no such file"):
        sqlite.open_file(tmp_path / "nothing")
    assert list(tmp_path.iterdir()) == []


def test_a_device_is_refused_without_reading_it() -> None:
    with pytest.raises(StoreError, match="not a file"):
        sqlite.open_reader(Path("/dev/zero"))


def test_a_file_that_somebody_else_keeps_locked_is_refused_after_a_bounded_wait(path: Path) -> None:
    sqlite.create_file(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"run\.sqlite: another process holds the database locked"):
            sqlite.open_file(path, busy_timeout_s=0.05)


def busy_error(path: Path) -> sqlite3.Error:
    """What SQLite raises where another connection keeps the file at ``path`` locked."""
    with closing(sqlite3.connect(path, isolation_level=None)) as one, closing(sqlite3.connect(path, timeout=0)) as two:
        one.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError) as caught:
            two.execute("BEGIN EXCLUSIVE")
    return caught.value


def test_what_a_lock_prevented_and_who_drives_the_run_is_told(path: Path) -> None:
    """A reader stores nothing, so it says that it could not read; a foreign lock is nobody's that is known."""
    fault = busy_error(path)
    lock = path.with_name("run.sqlite.lock")
    read = sqlite.explain(fault, path, NOT_READ, 0.05).says
    assert read == (
        "another process holds the database locked, for more than 0.05 s; nothing could be read; "
        "let it finish, or end it, and run this again"
    )
    with locked_file(lock):
        assert "driven" not in sqlite.explain(fault, path, NOT_READ).says, "by this process itself"
        lock.write_text("process 7 on box")
        told = sqlite.explain(fault, path, NOT_STORED).says
    assert "for more than 10 s (the run is driven by process 7 on box); nothing was stored; let it finish" in told
    lock.write_text("process 7 on box")
    assert "driven" not in sqlite.explain(fault, path, NOT_READ).says, "it died and left its file behind"


def test_a_run_that_cannot_be_read_for_a_lock_says_so(path: Path) -> None:
    sqlite.create_file(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match=r"; it could not be opened; let it finish, or end it") as caught:
            sqlite.open_reader(path, busy_timeout_s=0.05)
    assert "stored" not in str(caught.value)


@pytest.mark.parametrize("opened", [sqlite.open_file, sqlite.open_reader])
def test_a_lock_that_must_be_waited_for_is_told_at_once(
    path: Path, caplog: pytest.LogCaptureFixture, opened: Callable[..., object]
) -> None:
    """A closed run is one file without a write-ahead log, which its reader too must wait for."""
    sqlite.create_file(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="another process holds the database locked"):
            opened(path, busy_timeout_s=0.05)
    told = f"hairpin: {path}: another process holds it locked; waiting up to 0.05 s for it"
    assert caplog.messages == [told]


def test_a_file_that_nobody_holds_is_opened_without_a_word(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    sqlite.create_file(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("BEGIN")  # a reader of a run that is being written
        other.execute("SELECT * FROM runs").fetchall()
        sqlite.open_file(path)
    sqlite.open_reader(path)
    assert caplog.messages == []


def test_a_lock_that_another_process_holds_for_four_seconds_costs_nothing(file_store: SqlRunStore, path: Path) -> None:
    anyio.run(file_store.create_run, a_run())
    code = (
        "import sqlite3, sys, time; file = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "file.execute('BEGIN IMMEDIATE'); print('locked', flush=True); time.sleep(4); file.execute('COMMIT')"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"locked\n"
        anyio.run(file_store.add_plan, a_plan(3))
        assert child.wait() == 0
    assert [record.planned for record in file_store.conversations()] == a_plan(3)


def test_a_failed_creation_leaves_no_file_behind(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(sqlite, "create_schema", fail)
    with pytest.raises(StoreError, match="disk I/O error"):
        sqlite.create_file(path)
    assert not path.exists()


def test_a_file_system_without_a_write_ahead_log_is_refused() -> None:
    """A database in memory stands for one: it cannot have that log either."""
    with (
        closing(sqlite3.connect(":memory:")) as connection,
        pytest.raises(sqlite3.OperationalError, match=r"no write-ahead log .* put the run directory on a local disk"),
    ):
        sqlite.set_write_ahead(connection, None)
