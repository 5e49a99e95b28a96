"""What errors of PostgreSQL mean, and the way out.

It must not connect.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from hairpin.store.backend import NOT_STORED, Fault

_GONE: Final = "the connection to the server is lost"

_MAYBE_STORED: Final = "nothing that was waiting is known to be stored; 'hairpin resume' goes on"

_BY_STATE: Mapping[str, str] = {
    "53100": "the server's disk is full; free some space there and resume",
    "53200": "the server is out of memory; see its log, then resume",
    "53300": "the server takes no more connections; close others or raise max_connections, then resume",
    "25006": "cannot be written, the server or its transactions are read-only; give the address of the primary server",
    "42501": "this user may not do that; let it create and write tables in the schema",
    "42P01": "a table is missing; the database was changed by something else than Hairpin: restore a copy",
    "42P07": "has tables of these names that are not Hairpin's; give Hairpin a database of its own",
    "57P01": _GONE,
    "57P02": _GONE,
    "57P03": "the server is starting up or shutting down; try again in a moment",
    "57P05": _GONE,
    "08": _GONE,
    "58": "the server failed to read or write its disk; see its log",
    "XX": "the server is broken, or its data damaged; see its log",
}
"""By SQLSTATE, or its first two characters. All of these are of the whole database, and do not pass by themselves."""

LOCK_NOT_AVAILABLE = "55P03"

_PASSING: Mapping[str, str] = {
    LOCK_NOT_AVAILABLE: "another session holds the tables locked, for more than {lock_timeout_s:g} s; "
    "{undone}; let it finish and {again}",
    "40001": "another session changed the same at the same time; {undone}; {again}",
    "40P01": "another session and this one waited for each other; {undone}; {again}",
}

# While there is no connection, libpq gives words and no code.
_BY_WORDS: Mapping[str, str] = {
    "password authentication failed": "give the password in HAIRPIN_STORE, in PGPASSWORD or in .pgpass",
    "no password supplied": "give the password in HAIRPIN_STORE, in PGPASSWORD or in .pgpass",
    "pg_hba.conf": "let the server's pg_hba.conf admit this user and host",
    "too many": "close other connections or raise the server's max_connections",
    "remaining connection slots": "close other connections or raise the server's max_connections",
    "role": "create the user, or name another one",
    "database": "create it, or name another one",
}
_ELSEWHERE = "is the server running, and is the address right?"


def explain(error: BaseException, undone: str, lock_timeout_s: float) -> Fault:
    """Say what an error of the driver, wrapped by SQLAlchemy, means. No message of the server has a password.

    Args:
        error: raised while the database was read or written.
        undone: what came of it, as a sentence.
        lock_timeout_s: how long a lock was waited for.
    """
    state = sqlstate(error)
    storing = undone == NOT_STORED
    if state in _PASSING:
        again = "resume" if storing else "run this again"
        return Fault(_PASSING[state].format(lock_timeout_s=lock_timeout_s, undone=undone, again=again), whole=True)
    server_says = _first_line(error.orig if isinstance(error, DBAPIError) else error)
    known = _BY_STATE.get(state) or _BY_STATE.get(state[:2])
    if known is None and _is_lost(error):
        known = _GONE
    if known == _GONE:
        known += f"; {_MAYBE_STORED}" if storing else f"; {undone}; run this again"
    if known is not None:
        return Fault(f"{known} (PostgreSQL says: {server_says})", whole=True, fatal=True)
    if isinstance(error, OperationalError) and not state:
        return Fault(f"no connection: {server_says}; {_way_in(server_says)}", whole=True, fatal=True)
    return Fault(server_says)


def sqlstate(error: BaseException) -> str:
    """Return the server's code of an error, ``""`` where there is none: it did not come from the server."""
    original = error.orig if isinstance(error, DBAPIError) else error
    return getattr(original, "sqlstate", None) or ""


def _is_lost(error: BaseException) -> bool:
    return isinstance(error, DBAPIError) and (error.connection_invalidated or isinstance(error, InterfaceError))


def _way_in(server_says: str) -> str:
    return next((hint for words, hint in _BY_WORDS.items() if words in server_says), _ELSEWHERE)


def _first_line(original: BaseException | None) -> str:
    """Return what the server says, without how it was tried and without details in further lines."""
    lines = str(original).strip().splitlines() or [type(original).__name__]
    return lines[0].removeprefix("connection failed: ").strip()
