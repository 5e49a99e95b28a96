"""Brings the tables of an older database to the version in use, with Alembic.

It must not open databases. Alembic is loaded only when there is something to migrate, which is hardly ever.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from hairpin.store.versions import REVISIONS

MIGRATIONS = Path(__file__).parent / "migrations"


def migrate(connection: Connection) -> None:
    """Run the migrations that are missing up to the version in use, inside the transaction that is open.

    On an empty database all of them run.
    """
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    command.upgrade(config, REVISIONS[-1])
