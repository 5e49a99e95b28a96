"""Migrations lead to the same tables as making them at once, and nobody needs them to begin."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine

from hairpin.errors import StoreError
from hairpin.store import migrating
from hairpin.store.migrating import MIGRATIONS, migrate
from hairpin.store.schema import metadata
from hairpin.store.versions import REVISIONS, VERSION_TABLE, create_schema
from tests.store.places import FilePlace, Place
from tests.store.store_values import StandingClock, a_plan, a_run, query

IN_USE = REVISIONS[-1]
NEXT, BROKEN = f"{int(IN_USE) + 1:04d}", f"{int(IN_USE) + 2:04d}"

INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"
CONSTRAINTS = (
    "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2"
)
COLUMNS = (
    "SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns "
    "WHERE table_schema = 'public' ORDER BY 1, 2"
)


def differences(connection: Connection) -> list[object]:
    options = {"version_table": VERSION_TABLE, "compare_type": True}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), metadata))


def tables_of(path: Path) -> set[tuple[str, str, str]]:
    rows = query(path, "SELECT type, name, coalesce(sql, '') FROM sqlite_master")
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


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
def test_a_database_that_was_migrated_from_nothing_has_the_tables_of_a_new_one(place: Place) -> None:
    """The same on both, as Alembic compares them; a server's indexes and constraints to the letter too."""
    made = []
    engine = create_engine(place.address.replace("postgresql:", "postgresql+psycopg:"))
    for make in (migrate, create_schema):
        with engine.begin() as connection:
            make(connection)
            assert differences(connection) == []
        made.append([place.query(sql) for sql in (INDEXES, CONSTRAINTS, COLUMNS)])
        place.query("DROP SCHEMA public CASCADE")
        place.query("CREATE SCHEMA public")
    engine.dispose()
    assert made[0] == made[1]
    assert all(made[0])


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later Hairpin, whose tables have a column more; this one fills it while it migrates."""
    scripts = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, scripts)
    (scripts / "versions" / f"{NEXT}_mood.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n"
        f"revision, down_revision = '{NEXT}', '{IN_USE}'\n"
        "def upgrade():\n"
        "    op.add_column('runs', sa.Column('mood', sa.String(), server_default='calm', nullable=False))\n"
    )
    monkeypatch.setattr("hairpin.store.migrating.MIGRATIONS", scripts)
    for module in ("migrating", "versions", "sqlite"):
        monkeypatch.setattr(f"hairpin.store.{module}.REVISIONS", (*REVISIONS, NEXT))


@pytest.fixture
def older(place: Place, clock: StandingClock) -> None:
    """A run of this Hairpin."""
    with place.create(clock) as store:
        anyio.run(store.create_run, a_run())


@pytest.mark.usefixtures("older", "newer")
def test_an_older_database_is_brought_up_to_date_when_it_is_opened_for_writing(
    place: Place, clock: StandingClock
) -> None:
    with pytest.raises(StoreError, match=place.called + "written by an older Hairpin, .*'hairpin report' brings"):
        place.reader()
    with place.open(clock) as store:
        assert store.run_info() == a_run()
        anyio.run(store.add_plan, a_plan(1))
    assert place.query("SELECT mood FROM runs") == [("calm",)]
    assert place.query("SELECT version_num FROM hairpin_version") == [(NEXT,)]


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("older", "newer")
def test_a_copy_of_an_older_file_stays_beside_it(place: Place, clock: StandingClock) -> None:
    assert isinstance(place, FilePlace)
    place.open(clock).close()
    copy = place.path.with_name(f"run.sqlite.before-{NEXT}")
    assert query(copy, "SELECT version_num FROM hairpin_version") == [(IN_USE,)]
    assert sorted(entry.name for entry in place.path.parent.glob("run.*")) == ["run.sqlite", copy.name]


@pytest.mark.usefixtures("older", "newer")
def test_a_migration_that_fails_changes_nothing(
    place: Place, clock: StandingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first half is undone too, so that the older Hairpin still reads it."""
    broken = migrating.MIGRATIONS / "versions" / f"{BROKEN}_broken.py"
    broken.write_text(
        f"from alembic import op\nrevision, down_revision = '{BROKEN}', '{NEXT}'\n"
        "def upgrade():\n    op.execute('UPDATE nothing SET x = 1')\n"
    )
    for module in ("migrating", "versions", "sqlite"):
        monkeypatch.setattr(f"hairpin.store.{module}.REVISIONS", (*REVISIONS, NEXT, BROKEN))
    with pytest.raises(StoreError, match=place.called + r".*nothing"):
        place.open(clock)
    assert place.query("SELECT version_num FROM hairpin_version") == [(IN_USE,)]
    assert len(place.query("SELECT * FROM runs")[0]) == 5


def test_neither_alembic_nor_the_driver_is_loaded_where_a_file_is_all_there_is() -> None:
    code = "import sys, hairpin.store.opening; sys.exit('alembic' in sys.modules or 'psycopg' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
