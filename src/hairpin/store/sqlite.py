"""SQLite files: opening, settings, and what their errors mean.

It must not know any row. A file survives the death of a process, not of the machine: ``synchronous=NORMAL`` keeps every
committed row through ``kill -9``, but the last ones may be lost with the power.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from hairpin.errors import StoreError
from hairpin.store.backend import NOT_OPENED, NOT_STORED, Fault, busy
from hairpin.store.file_lock import FileLockedError, holder_name, holder_of, locked_file
from hairpin.store.migrating import migrate
from hairpin.store.versions import REVISIONS, Age, age_of_schema, check_schema, create_schema

BUSY_TIMEOUT_S = 10.0
"""How long a write waits while another process holds the file locked."""

_NOTICED_S = 0.3
"""A lock that is held for so long is waited for with a word about it; those of runs are held for less."""

_logger = logging.getLogger(__name__)

_PRIMARY_CODE = 0xFF  # extended result codes carry the primary one in their low byte

_WHOLE = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space and run again",
    sqlite3.SQLITE_READONLY: "cannot be written; the file or its folder is read-only",
    sqlite3.SQLITE_PERM: "cannot be written; permission denied",
    sqlite3.SQLITE_IOERR: "the disk failed to read or write",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; restore a copy or run the scenario again",
    sqlite3.SQLITE_NOTADB: "not a database, or damaged; give the run.sqlite of a run directory",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; is the folder there, and may this user write into it?",
    sqlite3.SQLITE_PROTOCOL: "its locks do not work here; put the run directory on a local disk",
}


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """An SQLite database, opened for writing by :func:`create_file` or :func:`open_file`."""

    path: Path
    absolute: Path
    key: tuple[int, int]
    engine: Engine
    busy_timeout_s: float

    @property
    def run_id(self) -> None:
        """A file holds one run, whichever."""
        return

    @property
    def place(self) -> str:
        """The path as it was given."""
        return str(self.path)

    def verify(self) -> None:
        """Raise StoreError if the file is no longer the one that was opened: rows would go to a file nobody finds."""
        if _identity(self.absolute) != self.key:
            raise StoreError(
                f"{self.path}: moved, deleted or replaced while the run was writing to it; the rows up to here are in "
                "the moved file if there is one; run the scenario again"
            )

    def explain(self, error: BaseException) -> Fault:
        """Say what ``error`` means."""
        return explain(error, self.absolute, NOT_STORED, self.busy_timeout_s)

    @contextlib.contextmanager
    def drive(self) -> Iterator[None]:
        """Hold the lock of a file beside the database."""
        lock = _lock_of(self.absolute)
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(locked_file(lock))
            except FileLockedError as error:
                raise busy(self.place, error.holder) from error
            except OSError as error:
                raise StoreError(
                    f"{lock}: cannot be made: {error.strerror or error}; let the run's folder be written"
                ) from error
            yield

    def tidy(self, connection: Connection) -> None:
        """Fold the write-ahead log into the file, so that a closed run is one file which needs no lock to be read.

        While another process has the file open this cannot be done, and the last one to close it does it.
        """
        file = connection.connection.driver_connection  # beneath SQLAlchemy, which would begin a transaction
        assert isinstance(file, sqlite3.Connection)
        with contextlib.suppress(sqlite3.Error):
            file.execute("PRAGMA busy_timeout=0")
            file.execute("PRAGMA journal_mode=DELETE")


def create_file(path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> SqliteFile:
    """Create a database with all tables; nothing may be at ``path``.

    Raises:
        StoreError: something is there, or the file cannot be made or written.
    """
    try:
        path.touch(exist_ok=False)
    except FileExistsError as error:
        raise StoreError(f"{path}: exists already; a run gets a new database, choose another folder") from error
    except OSError as error:
        raise StoreError(f"{path}: cannot be created: {error.strerror}; choose a folder that can be written") from error
    database = _file(path, busy_timeout_s)
    try:
        with _explained(path, busy_timeout_s), database.engine.begin() as connection:
            create_schema(connection)
    except StoreError:
        path.unlink(missing_ok=True)
        raise
    return database


def open_file(path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> SqliteFile:
    """Open an existing database for writing, once it is known to be a Hairpin run that can be written.

    An older one is brought up to date, after a copy of it was put beside it.

    Raises:
        StoreError: no such file, not Hairpin's, a version that is not known, damaged, locked or read-only.
    """
    # Looked at through a read-only connection first: a foreign file must not be changed, not even its journal mode.
    engine = _reader(path, busy_timeout_s)
    with _explained(path, busy_timeout_s), engine.begin() as connection:
        older = age_of_schema(connection, str(path)) is Age.OLDER
        if not older:
            check_schema(connection, str(path))
    _tell_of_lock(path, "rw", busy_timeout_s, begin="BEGIN EXCLUSIVE")
    database = _file(path, busy_timeout_s)
    if older:
        _keep_copy(path)
    with _explained(path, busy_timeout_s), database.engine.begin() as connection:
        if older:
            migrate(connection)
        return database


def update_file(path: Path) -> None:
    """Bring the tables of an older file up to date, after a copy of it was put beside it, and close it again.

    Raises:
        StoreError: as ``open_file``.
    """
    database = open_file(path)
    with _explained(path, BUSY_TIMEOUT_S), database.engine.connect() as connection:
        database.tidy(connection)


def open_reader(path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> Engine:
    """Return an engine that only reads ``path``; each of its connections is new and sees the file as it is then.

    Raises:
        OlderTablesError: its tables are of an older version.
        StoreError: no such file, not Hairpin's, a version that is not known, or damaged.
    """
    engine = _reader(path, busy_timeout_s)
    with _explained(path, busy_timeout_s), engine.begin() as connection:
        check_schema(connection, str(path))
    return engine


def explain(error: BaseException, path: Path, undone: str, busy_timeout_s: float = BUSY_TIMEOUT_S) -> Fault:
    """Say what an error of SQLite, or one wrapped by SQLAlchemy, means.

    Args:
        error: raised while the database was read or written.
        path: the database.
        undone: what a lock of another process has prevented, as a sentence.
        busy_timeout_s: how long was waited for that.
    """
    original = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(original, "sqlite_errorcode", 0) & _PRIMARY_CODE
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Fault(
            f"another process holds the database locked, for more than {busy_timeout_s:g} s{_driver_of(path)}; "
            f"{undone}; let it finish, or end it, and run this again",
            whole=True,
        )
    if code in _WHOLE:
        return Fault(f"{_WHOLE[code]} (SQLite says: {original})", whole=True, fatal=True)
    return Fault(str(original))


def set_write_ahead(connection: sqlite3.Connection, _record: object) -> None:
    """Turn the write-ahead log on, which lets others read while a run is written.

    Raises:
        sqlite3.OperationalError: it cannot be had where the file is.
    """
    (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
    if mode != "wal":
        raise sqlite3.OperationalError(
            f"no write-ahead log on this file system (journal mode {mode}); put the run directory on a local disk"
        )


def _lock_of(path: Path) -> Path:
    """Return the file whose lock is held by who drives the run."""
    return path.with_name(f"{path.name}.lock")


def _driver_of(path: Path) -> str:
    """Return which other process drives the run, in brackets; ``""``: none does, and whose lock it is nobody knows."""
    driver = holder_of(_lock_of(path.resolve()))
    return f" (the run is driven by {driver})" if driver not in ("", holder_name()) else ""


@contextlib.contextmanager
def _explained(path: Path, busy_timeout_s: float) -> Iterator[None]:
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise StoreError(f"{path}: {explain(error, path, NOT_OPENED, busy_timeout_s).says}") from error


def _reader(path: Path, busy_timeout_s: float) -> Engine:
    if not path.is_file():
        found = "a folder" if path.is_dir() else "not a file" if path.exists() else "no such file"
        raise StoreError(f"{path}: {found}; give the run.sqlite of a run directory")
    _tell_of_lock(path, "ro", busy_timeout_s, begin="BEGIN")
    return _engine(path, "ro", busy_timeout_s, begin="BEGIN")


def _tell_of_lock(path: Path, mode: str, busy_timeout_s: float, *, begin: str) -> None:
    """Say, before it is waited for, that another process holds the file locked; other trouble is told by who opens."""
    with contextlib.suppress(sqlite3.Error):
        connection = sqlite3.connect(
            _uri(path, mode), uri=True, timeout=min(_NOTICED_S, busy_timeout_s), isolation_level=None
        )
        with contextlib.closing(connection):
            try:
                connection.execute(begin)
                connection.execute("SELECT 1 FROM sqlite_master").fetchone()
                connection.execute("ROLLBACK")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & _PRIMARY_CODE == sqlite3.SQLITE_BUSY:
                    _logger.warning(
                        "hairpin: %s: another process holds it locked%s; waiting up to %g s for it",
                        path,
                        _driver_of(path),
                        busy_timeout_s,
                    )


def _keep_copy(path: Path) -> None:
    """Put a copy beside a file that is about to be migrated; the copy of an earlier try is kept instead."""
    copy = path.with_name(f"{path.name}.before-{REVISIONS[-1]}")
    if copy.exists():
        return
    half = copy.with_name(f"{copy.name}.tmp")
    try:
        with (
            _explained(copy, BUSY_TIMEOUT_S),
            contextlib.closing(sqlite3.connect(path)) as source,
            contextlib.closing(sqlite3.connect(half)) as target,
        ):
            source.backup(target)
        half.replace(copy)
    finally:
        # Gone already when all went well; else it would keep a full disk full.
        with contextlib.suppress(OSError):
            half.unlink()


def _file(path: Path, busy_timeout_s: float) -> SqliteFile:
    engine = _engine(path, "rw", busy_timeout_s, begin="BEGIN IMMEDIATE")
    event.listen(engine, "connect", set_write_ahead)
    absolute = path.resolve()  # the process may change its folder later
    return SqliteFile(path, absolute, _identity(absolute), engine, busy_timeout_s)


def _engine(path: Path, mode: str, busy_timeout_s: float, *, begin: str) -> Engine:
    uri = _uri(path, mode)

    def connect() -> sqlite3.Connection:
        # isolation_level=None: the driver's own, late BEGIN would neither lock for writing nor know savepoints.
        connection = sqlite3.connect(
            uri, uri=True, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA synchronous=NORMAL")
        return connection

    engine = create_engine("sqlite+pysqlite://", creator=connect, poolclass=NullPool)

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    @event.listens_for(engine, "commit")
    def commit_transaction(connection: Connection) -> None:
        # The driver's own commit() says nothing when SQLite has already rolled the transaction back by itself.
        connection.exec_driver_sql("COMMIT")

    return engine


def _uri(path: Path, mode: str) -> str:
    return f"{path.resolve().as_uri()}?mode={mode}"


def _identity(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return (0, 0)
    return (stat.st_dev, stat.st_ino)
