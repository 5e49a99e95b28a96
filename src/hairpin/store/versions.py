"""Which version of the tables a database has, and which ones this Hairpin knows.

It must not change tables that exist; ``store.migrating`` does.
"""

from __future__ import annotations

from enum import Enum

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, insert, inspect, select

from hairpin.errors import StoreError
from hairpin.store.schema import metadata

REVISIONS = ("0001", "0002", "0003")
"""The versions of the tables, oldest first, one per file in ``migrations/versions``; the last is the one in use."""

VERSION_TABLE = "hairpin_version"

version_table = Table(
    VERSION_TABLE,
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)
"""Alembic's own table, under a name of ours, so that it makes no difference who created the database."""


class OlderTablesError(StoreError):
    """The tables are of an older version, and have to be brought up to date before they can be read."""


class Age(Enum):
    """How a database's tables compare with those this Hairpin uses."""

    ABSENT = "absent"
    OLDER = "older"
    CURRENT = "current"


def create_schema(connection: Connection) -> None:
    """Create all tables in a database without any, at the version in use."""
    metadata.create_all(connection, checkfirst=False)
    version_table.create(connection, checkfirst=False)
    connection.execute(insert(version_table), {"version_num": REVISIONS[-1]})


def age_of_schema(connection: Connection, place: str) -> Age:
    """Say how old the tables are; ``place`` is what messages call the database.

    Raises:
        StoreError: they are of a version that this Hairpin does not know.
    """
    if not inspect(connection).has_table(VERSION_TABLE):
        return Age.ABSENT
    found = connection.execute(select(version_table.c.version_num)).scalars().all()
    if len(found) != 1 or found[0] not in REVISIONS:
        shown = ", ".join(found) or "none"
        raise StoreError(
            f"{place}: its tables are of version {shown}, this Hairpin knows up to {REVISIONS[-1]}; "
            "open it with the Hairpin version that wrote it, or a newer one"
        )
    return Age.CURRENT if found[0] == REVISIONS[-1] else Age.OLDER


def check_schema(connection: Connection, place: str) -> None:
    """Refuse a database that cannot be read as it is; ``place`` is what messages call it.

    Raises:
        OlderTablesError: its tables are of an older version.
        StoreError: the database is not Hairpin's, or its tables are of a version that is not known.
    """
    age = age_of_schema(connection, place)
    if age is Age.ABSENT:
        raise StoreError(f"{place}: a database, but not of a Hairpin run; give the run.sqlite of a run directory")
    if age is Age.OLDER:
        raise OlderTablesError(
            f"{place}: written by an older Hairpin, whose tables are not those of version {REVISIONS[-1]}; "
            "'hairpin report' brings them up to date, or read it with the Hairpin version that wrote it"
        )
