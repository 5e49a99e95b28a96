"""What each version of the tables changed; Alembic runs these, ``store.migrating`` calls it."""
