"""Migrations lead to the same tables as making them at once, and nobody needs them to begin."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine

from hairpin.store.migrating import MIGRATIONS, migrate
from hairpin.store.schema import metadata
from hairpin.store.versions import REVISIONS, VERSION_TABLE, create_schema


def differences(connection: Connection) -> list[object]:
    options = {"version_table": VERSION_TABLE, "compare_type": True}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), metadata))


def tables_of(path: Path) -> set[tuple[str, str, str]]:
    with closing(sqlite3.connect(path)) as file:
        rows = file.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master").fetchall()
    return {(kind, name, "\n".join(sorted(line.strip(" \t,") for line in sql.split("\n")))) for kind, name, sql in rows}


def test_the_versions_known_are_those_with_a_migration() -> None:
    scripts = ScriptDirectory.from_config(_config())
    assert [script.revision for script in scripts.walk_revisions()][::-1] == list(REVISIONS)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def test_a_file_that_was_migrated_from_nothing_has_the_tables_of_a_new_one(tmp_path: Path) -> None:
    for name, make in (("migrated", migrate), ("made", create_schema)):
        with create_engine(f"sqlite:///{tmp_path / name}").begin() as connection:
            make(connection)
            assert differences(connection) == []
    assert tables_of(tmp_path / "migrated") == tables_of(tmp_path / "made")


def test_alembic_is_not_loaded_where_nothing_has_to_be_migrated() -> None:
    code = "import sys, hairpin.store.runs; sys.exit('alembic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
