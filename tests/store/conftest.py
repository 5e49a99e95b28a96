"""A store, in a file and in PostgreSQL, and what it needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hairpin.store.runs import SqlRunStore, create_store
from tests.postgres import database, drop
from tests.store.places import FilePlace, Place, PostgresPlace
from tests.store.store_values import StandingClock


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.sqlite"


@pytest.fixture
def file_store(path: Path, clock: StandingClock) -> Iterator[SqlRunStore]:
    with create_store(path, clock=clock) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, path: Path) -> Iterator[Place]:
    """Where a run's rows go, once in a file and once in a server's database."""
    if request.param == "sqlite":
        yield FilePlace(path)
        return
    url = database()
    yield PostgresPlace(url)
    drop(url)


@pytest.fixture
def store(place: Place, clock: StandingClock) -> Iterator[SqlRunStore]:
    with place.create(clock) as opened:
        yield opened
