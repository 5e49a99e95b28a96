"""Where a run's rows can be, and what a test does there past Hairpin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import psycopg
from sqlalchemy import URL, Engine

from hairpin.ports import Clock
from hairpin.store import postgres, sqlite
from hairpin.store.backend import NOT_READ
from hairpin.store.reader import RunReader, open_run
from hairpin.store.runs import SqlRunStore, create_store, open_store
from hairpin.store.target import StoreTarget
from tests.store.store_values import query


def place_at(address: str) -> Place:
    """The place at a path or URL, for another process."""
    return PostgresPlace(address) if address.startswith("postgresql://") else FilePlace(Path(address))


def reader_over(engine: Engine, path: Path) -> RunReader:
    """Return what reads a run's file through a connection that the test listens to."""
    return RunReader(engine, place=str(path), explain=partial(sqlite.explain, path=path, undone=NOT_READ))


class Place(Protocol):
    """A database for one run, called r1."""

    @property
    def address(self) -> str:
        """Where another process finds it."""
        ...

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def called(self) -> str:
        """How messages begin that are about it, as a pattern."""
        ...

    @property
    def cascade(self) -> str:
        """What must be said to drop a table to which others refer."""
        ...

    def json(self, column: str, key: str) -> str:
        """An SQL expression: what stands under a key of a JSON text."""
        ...

    def create(self, clock: Clock, run_id: str = "r1") -> SqlRunStore: ...

    def open(self, clock: Clock, run_id: str = "r1") -> SqlRunStore: ...

    def reader(self, run_id: str = "r1") -> RunReader: ...

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Ask, or change, the database itself."""
        ...


@dataclass(frozen=True)
class FilePlace:
    path: Path

    cascade = ""

    @property
    def address(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def called(self) -> str:
        return re.escape(f"{self.name}: ")

    def json(self, column: str, key: str) -> str:
        return f"json_extract({column}, '$.{key}')"

    def create(self, clock: Clock, run_id: str = "r1") -> SqlRunStore:
        assert run_id
        return create_store(self.path, clock=clock)

    def open(self, clock: Clock, run_id: str = "r1") -> SqlRunStore:
        assert run_id
        return open_store(self.path, clock=clock)

    def reader(self, run_id: str = "r1") -> RunReader:
        assert run_id
        return open_run(self.path)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        return query(self.path, sql)


@dataclass(frozen=True)
class PostgresPlace:
    url: str

    cascade = " CASCADE"

    @property
    def address(self) -> str:
        return self.url

    @property
    def name(self) -> str:
        return StoreTarget.parse(self.url).address

    @property
    def called(self) -> str:
        return re.escape(f"{self.name}: ")

    def json(self, column: str, key: str) -> str:
        return f"{column}::json->>'{key}'"

    @property
    def _url(self) -> URL:
        url = StoreTarget.parse(self.url).url
        assert url is not None
        return url

    def create(self, clock: Clock, run_id: str = "r1") -> SqlRunStore:
        database = postgres.create_database(self._url, run_id=run_id)
        return SqlRunStore(database, self.reader(run_id), clock)

    def open(self, clock: Clock, run_id: str = "r1") -> SqlRunStore:
        database = postgres.open_database(self._url, run_id=run_id)
        return SqlRunStore(database, self.reader(run_id), clock)

    def reader(self, run_id: str = "r1") -> RunReader:
        return postgres.open_run(self._url, run_id=run_id)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []
