"""PostgreSQL databases: connecting, making the tables, and the lock of who drives a run.

It must not know any row. Several runs share one database; its constraints keep what two writers do apart.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from hairpin.errors import StoreError
from hairpin.store.backend import NOT_OPENED, NOT_READ, NOT_STORED, Fault, busy
from hairpin.store.codec import column_text
from hairpin.store.file_lock import holder_name
from hairpin.store.migrating import migrate
from hairpin.store.postgres_errors import LOCK_NOT_AVAILABLE, explain, sqlstate
from hairpin.store.reader import RunReader
from hairpin.store.target import StoreTarget
from hairpin.store.versions import Age, age_of_schema, check_schema, create_schema

LOCK_TIMEOUT_S = 10
"""How long a statement waits for what another session holds locked."""

CONNECT_TIMEOUT_S = 10

NOTICING_S = 2.0
"""How long the lock of a run is waited for, whose driver may have died just now."""

_NAME = "hairpin "

# A server that is gone without a word is noticed within a minute.
_LIVENESS = {"keepalives_idle": 20, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 60_000}

_HOLDER = text(
    "SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid "
    "WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 "
    "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND ((l.classid::bigint << 32) | l.objid::bigint) = :key"
)


@dataclass(frozen=True, slots=True)
class PostgresDatabase:
    """One run in a database, opened for writing by :func:`create_database` or :func:`open_database`."""

    place: str
    run_id: str
    engine: Engine

    @property
    def key(self) -> str:
        """The address, with the user."""
        return self.place

    def verify(self) -> None:
        """Do nothing: a connection stays with its database, and nobody can move it away unnoticed."""

    def explain(self, error: BaseException) -> Fault:
        """Say what ``error`` means."""
        return explain(error, NOT_STORED, LOCK_TIMEOUT_S)

    @contextlib.contextmanager
    def drive(self) -> Iterator[None]:
        """Hold a lock of the server on a connection of its own: when this process dies, so does the connection."""
        key = {"key": _lock_key(f"run {self.run_id}")}
        with contextlib.ExitStack() as held:
            with _explained(self.place):
                connection = held.enter_context(self.engine.connect().execution_options(isolation_level="AUTOCOMMIT"))
                if not _lock(connection, key):
                    holder = connection.execute(_HOLDER, key).scalar() or ""
                    raise busy(f"{self.place}, run {self.run_id}", holder.removeprefix(_NAME))
            held.callback(_let_go, connection)
            yield

    def tidy(self, connection: Connection) -> None:
        """Do nothing: the server keeps its house itself."""


def create_database(url: URL, *, run_id: str) -> PostgresDatabase:
    """Open the database for a new run; make its tables if it has none, and bring older ones up to date.

    Raises:
        StoreError: it cannot be reached or written, has tables of somebody else's with these names, or does not hold
            Unicode.
    """
    database = _database(url, run_id)
    with _explained(database.place), database.engine.begin() as connection:
        _refuse_other_encodings(connection, database.place)
        if age_of_schema(connection, database.place) is not Age.CURRENT:
            _bring_up_to_date(connection, database.place)
    return database


def open_database(url: URL, *, run_id: str) -> PostgresDatabase:
    """Open a database in which a run is, and bring tables of an older version up to date.

    Raises:
        StoreError: it cannot be reached, has no tables of Hairpin's, or tables of a version that is not known.
    """
    database = _database(url, run_id)
    with _explained(database.place), database.engine.begin() as connection:
        if age_of_schema(connection, database.place) is Age.OLDER:
            _bring_up_to_date(connection, database.place)
        check_schema(connection, database.place)
    return database


def open_run(url: URL, *, run_id: str) -> RunReader:
    """Open a run for reading only; every transaction of the reader, on a connection of its own, sees one moment.

    Raises:
        StoreError: the database cannot be reached, or its tables are not those of this version.
    """
    place = StoreTarget(url).address
    engine = create_engine(
        url,
        poolclass=NullPool,
        isolation_level="REPEATABLE READ",
        connect_args=_settings(url, f"-c default_transaction_read_only=on -c lock_timeout={LOCK_TIMEOUT_S * 1000}"),
    )
    with _explained(place), engine.begin() as connection:
        check_schema(connection, place)
    says = partial(explain, undone=NOT_READ, lock_timeout_s=LOCK_TIMEOUT_S)
    return RunReader(engine, place=place, explain=says, run_id=column_text(run_id))


def _database(url: URL, run_id: str) -> PostgresDatabase:
    options = f"-c lock_timeout={LOCK_TIMEOUT_S * 1000}"
    engine = create_engine(url, poolclass=NullPool, connect_args=_settings(url, options))
    return PostgresDatabase(StoreTarget(url).address, column_text(run_id), engine)


def _settings(url: URL, options: str) -> dict[str, object]:
    """Return what is set for each connection, beside what the URL says."""
    wanted = url.query.get("options", "")
    said = wanted if isinstance(wanted, str) else " ".join(wanted)
    ours = {"connect_timeout": CONNECT_TIMEOUT_S, "application_name": f"{_NAME}{holder_name()}", **_LIVENESS}
    mine = {name: value for name, value in ours.items() if name not in url.query}
    return {**mine, "client_encoding": "utf8", "options": f"{said} {options}".strip()}


def _bring_up_to_date(connection: Connection, place: str) -> None:
    """Make or migrate the tables, one process at a time; the second finds them made."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _lock_key("schema")})
    age = age_of_schema(connection, place)
    if age is Age.ABSENT:
        create_schema(connection)
    elif age is Age.OLDER:
        migrate(connection)


def _refuse_other_encodings(connection: Connection, place: str) -> None:
    encoding = connection.execute(text("SHOW server_encoding")).scalar()
    if encoding != "UTF8":
        raise StoreError(f"{place}: its encoding is {encoding}, which cannot hold every text; create it with UTF8")


def _lock_key(name: str) -> int:
    digest = hashlib.blake2b(f"hairpin {name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _lock(connection: Connection, key: Mapping[str, int]) -> bool:
    """Take the lock, unless somebody else keeps it; a server needs a moment to notice that a process was killed."""
    connection.execute(text(f"SET lock_timeout = {NOTICING_S * 1000:.0f}"))
    try:
        connection.execute(text("SELECT pg_advisory_lock(:key)"), key)
    except OperationalError as error:
        if sqlstate(error) == LOCK_NOT_AVAILABLE:
            return False
        raise
    return True


def _let_go(connection: Connection) -> None:
    # The lock goes with the connection; if that is gone already, so is the lock.
    with contextlib.suppress(SQLAlchemyError):
        connection.execute(text("SELECT pg_advisory_unlock_all()"))


@contextlib.contextmanager
def _explained(place: str) -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError(f"{place}: {explain(error, NOT_OPENED, LOCK_TIMEOUT_S).says}") from error
