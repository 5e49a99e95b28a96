"""Alembic's way in: the migrations run on the connection, and in the transaction, of who called."""

from __future__ import annotations

from alembic import context

from hairpin.store.schema import metadata
from hairpin.store.versions import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    transaction_per_migration=False,
)
context.run_migrations()
