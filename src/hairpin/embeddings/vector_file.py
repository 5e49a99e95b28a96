"""Vectors in an SQLite file, which several processes may share.

Must not know models or texts, only keys. Never raises: a file that cannot be used is warned of once and done without.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

APPLICATION_ID: Final = 0x48504531
"""Marks the file as Hairpin's vectors, version 1 (SQLite's ``application_id``)."""

BUSY_TIMEOUT_S: Final = 10.0
_KEYS_PER_QUERY: Final = 500
_LITTLE: Final = np.dtype("<f4")
R = TypeVar("R")


class VectorFile:
    """Vectors by key. Opened at first use; may be used from several threads."""

    def __init__(self, path: Path, *, warn: Callable[[str], None], busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        """``warn`` hears, once, of trouble with the file."""
        self._path = path
        self._warn = warn
        self._busy_timeout_s = busy_timeout_s
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._off = False
        self._warned = False

    @property
    def usable(self) -> bool:
        """Whether it has been of use so far."""
        return not self._off

    def lookup(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Return the vectors that are there and undamaged, by key."""
        return self._safely(lambda connection: self._read(connection, keys), {})

    def store(self, vectors: Iterable[tuple[bytes, NDArray[np.float32]]]) -> None:
        """Keep the vectors, in one transaction; the last one stored under a key counts."""
        rows = [(key, data, zlib.crc32(key + data)) for key, vector in vectors for data in [_to_bytes(vector)]]
        self._safely(lambda connection: _write(connection, rows), None)

    def close(self) -> None:
        """Close the file; later calls find and keep nothing."""
        with self._lock:
            self._switch_off()

    def _safely(self, work: Callable[[sqlite3.Connection], R], otherwise: R) -> R:
        with self._lock:
            if self._off:
                return otherwise
            try:
                if self._connection is None:
                    self._connection = _opened(self._path, self._busy_timeout_s)
                return work(self._connection)
            except (sqlite3.Error, OSError) as error:
                self._tell(f"cannot be used: {error}; vectors are computed anew each time")
                self._switch_off()
                return otherwise

    def _read(self, connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        found: dict[bytes, NDArray[np.float32]] = {}
        for key, data, checksum in _rows(connection, keys):
            if not isinstance(data, bytes) or len(data) % _LITTLE.itemsize or zlib.crc32(key + data) != checksum:
                self._tell("holds damaged vectors; they are computed anew")
                continue
            found[key] = np.frombuffer(data, _LITTLE).astype(np.float32)
        return found

    def _tell(self, what: str) -> None:
        if not self._warned:
            self._warned = True
            self._warn(f"{self._path}: the cache of vectors {what}; delete the file, or choose another cache folder")

    def _switch_off(self) -> None:
        self._off = True
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def _rows(connection: sqlite3.Connection, keys: Sequence[bytes]) -> Iterator[tuple[bytes, object, object]]:
    for start in range(0, len(keys), _KEYS_PER_QUERY):
        some = keys[start : start + _KEYS_PER_QUERY]
        marks = ",".join("?" * len(some))
        yield from connection.execute(f"SELECT key, vector, checksum FROM vectors WHERE key IN ({marks})", some)


def _write(connection: sqlite3.Connection, rows: Sequence[tuple[bytes, bytes, int]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany("INSERT OR REPLACE INTO vectors (key, vector, checksum) VALUES (?, ?, ?)", rows)
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _to_bytes(vector: NDArray[np.float32]) -> bytes:
    return vector.astype(_LITTLE).tobytes()


def _opened(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    """Return a connection to a file that holds vectors, or was nothing before. Raises sqlite3.Error or OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("BEGIN IMMEDIATE")  # two processes may make the same file at once; and it must be writable
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (n_tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != APPLICATION_ID and (application or n_tables):
            raise sqlite3.DatabaseError("it is a database of something else, or of another version")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL, checksum INTEGER NOT NULL)"
        )
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection
