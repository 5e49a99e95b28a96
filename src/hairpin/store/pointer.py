"""``store.json`` in a run directory: which run of which PostgreSQL database its rows are.

It must not connect, and it never holds a password.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hairpin.domain.base import Value
from hairpin.errors import InvalidInputError, StoreError
from hairpin.store.codec import from_json
from hairpin.store.directory import write_text
from hairpin.store.target import StoreTarget


class StorePointer(Value):
    """``url`` is without its password."""

    version: int = 1
    url: str
    run_id: str


def write_pointer(path: Path, target: StoreTarget, run_id: str) -> None:
    """Write the file. Raises StoreError when it cannot be written."""
    write_text(path, StorePointer(url=target.address, run_id=run_id).model_dump_json(indent=2) + "\n")


def read_pointer(path: Path) -> StorePointer:
    """Read the file.

    Raises:
        StoreError: it cannot be read, or says something else.
    """
    try:
        pointer = from_json(StorePointer, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror or error}; change its rights") from error
    except ValueError as error:
        raise StoreError(
            f'{path}: does not say where the run is stored; write {{"url": "postgresql://user@host/database", '
            '"run_id": …} into it'
        ) from error
    if pointer.version != 1:
        raise StoreError(f"{path}: of version {pointer.version}, this Hairpin reads version 1; use a newer one")
    return pointer


def target_of(pointer: StorePointer, environ: Mapping[str, str], *, where: Path) -> StoreTarget:
    """Return the database that ``pointer`` means, as HAIRPIN_STORE names it if it does: with a password.

    Without, the driver looks for one itself, in PGPASSWORD and ``.pgpass``.

    Raises:
        InvalidInputError: the URL in the file, or the one in the environment, is none.
    """
    target = StoreTarget.parse(pointer.url, where=str(where))
    if target.url is None:
        raise InvalidInputError("names no database", where=str(where), hint="write its URL, without the password")
    named = StoreTarget.of_environment(environ)
    return named if named.same_database(target) else target
