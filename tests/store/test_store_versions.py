"""Which databases are opened as they are, which are brought up to date, and which are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from hairpin.errors import StoreError
from hairpin.store import sqlite
from hairpin.store.versions import REVISIONS
from tests.store.places import Place
from tests.store.store_values import StandingClock


def test_the_version_of_the_tables_is_stored(place: Place, clock: StandingClock) -> None:
    place.create(clock).close()
    assert place.query("SELECT version_num FROM hairpin_version") == [(REVISIONS[-1],)]


@pytest.mark.parametrize(
    ("change", "found"),
    [("UPDATE hairpin_version SET version_num = '0099'", "0099"), ("DELETE FROM hairpin_version", "none")],
)
def test_an_unknown_version_is_refused_with_both_versions_and_the_way_out(
    place: Place, clock: StandingClock, change: str, found: str
) -> None:
    place.create(clock).close()
    place.query(change)
    says = rf"its tables are of version {found}, this Hairpin knows up to {REVISIONS[-1]}; open it with"
    with pytest.raises(StoreError, match=place.called + says):
        place.reader()
    with pytest.raises(StoreError, match=place.called + says):
        place.open(clock)


def test_a_database_of_something_else_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(b"")
    with pytest.raises(StoreError, match="not of a Hairpin run"):
        sqlite.open_file(path)
    assert path.read_bytes() == b""
