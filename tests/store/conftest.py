"""A store on a real file, and what it needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hairpin.store.runs import SqlRunStore, create_store
from tests.store.store_values import StandingClock


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.sqlite"


@pytest.fixture
def store(path: Path, clock: StandingClock) -> Iterator[SqlRunStore]:
    with create_store(path, clock=clock) as opened:
        yield opened
