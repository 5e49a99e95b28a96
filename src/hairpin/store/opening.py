"""The one place that decides where the rows of a run directory are: in its file, or in PostgreSQL.

It must not know how either is opened; ``store.sqlite`` and ``store.postgres`` do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from hairpin.errors import StoreError
from hairpin.ports import Clock
from hairpin.store import postgres, sqlite
from hairpin.store.directory import RunDirectory
from hairpin.store.pointer import read_pointer, target_of, write_pointer
from hairpin.store.reader import RunReader, open_run
from hairpin.store.runs import SqlRunStore, create_store, open_store
from hairpin.store.target import StoreTarget
from hairpin.store.versions import OlderTablesError


def create_run_store(target: StoreTarget, directory: RunDirectory, *, run_id: str, clock: Clock) -> SqlRunStore:
    """Make the store of a new run, and let its directory point at it.

    Args:
        target: where the rows go.
        directory: the run's own, without a store.
        run_id: of the run that will be created in it.
        clock: what times are taken from.

    Raises:
        StoreError: the database cannot be made, reached or written.
    """
    if target.url is None:
        return create_store(directory.database, clock=clock)
    database = postgres.create_database(target.url, run_id=run_id)
    write_pointer(directory.pointer, target, run_id)
    return SqlRunStore(database, postgres.open_run(target.url, run_id=run_id), clock)


def open_run_store(directory: RunDirectory, *, clock: Clock, environ: Mapping[str, str] | None = None) -> SqlRunStore:
    """Open the store of a run to go on writing; tables of an older version are brought up to date.

    Args:
        directory: the run's own.
        clock: what times are taken from.
        environ: where HAIRPIN_STORE is looked up, by default the process's own.

    Raises:
        StoreError: the database cannot be opened or written, or is not of a Hairpin that this one knows.
        InvalidInputError: what names the database is no address of one.
    """
    if not directory.pointer.is_file():
        return open_store(directory.database, clock=clock)
    target, run_id = _pointed_at(directory, environ)
    assert target.url is not None
    database = postgres.open_database(target.url, run_id=run_id)
    return SqlRunStore(database, postgres.open_run(target.url, run_id=run_id), clock)


def open_run_reader(directory: RunDirectory, *, environ: Mapping[str, str] | None = None) -> RunReader:
    """Open the store of a run for reading only; tables of an older version are brought up to date before.

    Raises:
        StoreError: the database cannot be opened, its tables are of a version that is not known, or they are of an
            older one and cannot be written.
        InvalidInputError: what names the database is no address of one.
    """
    if not directory.pointer.is_file():
        return _updated(
            lambda: open_run(directory.database), lambda: sqlite.update_file(directory.database), directory.database
        )
    target, run_id = _pointed_at(directory, environ)
    url = target.url
    assert url is not None
    return _updated(
        lambda: postgres.open_run(url, run_id=run_id),
        lambda: postgres.open_database(url, run_id=run_id),
        target.address,
    )


def _updated(read: Callable[[], RunReader], update: Callable[[], object], place: object) -> RunReader:
    """Return the reader, if need be after an update."""
    try:
        return read()
    except OlderTablesError:
        try:
            update()
        except StoreError as error:
            raise StoreError(
                f"{place}: written by an older Hairpin, and its tables cannot be brought up to date ({error}); read it "
                "where it can be written, for example in a copy of its folder, or with the Hairpin that wrote it"
            ) from error
        return read()


def _pointed_at(directory: RunDirectory, environ: Mapping[str, str] | None) -> tuple[StoreTarget, str]:
    pointer = read_pointer(directory.pointer)
    known = os.environ if environ is None else environ
    return target_of(pointer, known, where=directory.pointer), pointer.run_id
