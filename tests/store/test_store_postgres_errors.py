"""What PostgreSQL's errors mean: which are of one row, which of the database, and which pass by themselves."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import errors
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError

from hairpin.store.backend import NOT_READ, NOT_STORED, Fault
from hairpin.store.postgres_errors import explain


def wrapped(original: psycopg.Error, kind: type[DBAPIError] = OperationalError, *, lost: bool = False) -> DBAPIError:
    return kind("INSERT", {}, original, connection_invalidated=lost)


@pytest.mark.parametrize(
    ("original", "says"),
    [
        (errors.DiskFull("no space"), "the server's disk is full"),
        (errors.OutOfMemory(""), "out of memory"),
        (errors.TooManyConnections(""), "takes no more connections"),
        (errors.ReadOnlySqlTransaction(""), "read-only; give the address of the primary server"),
        (errors.InsufficientPrivilege(""), "this user may not do that"),
        (errors.UndefinedTable(""), "a table is missing"),
        (errors.DuplicateTable(""), "not Hairpin's; give Hairpin a database of its own"),
        (errors.AdminShutdown(""), "the connection to the server is lost"),
        (errors.CrashShutdown(""), "the connection to the server is lost"),
        (errors.CannotConnectNow(""), "starting up or shutting down"),
        (errors.ConnectionFailure(""), "the connection to the server is lost"),
        (errors.IoError(""), "failed to read or write its disk"),
        (errors.DataCorrupted(""), "the server is broken, or its data damaged"),
    ],
)
def test_what_ails_the_server_ends_the_run(original: psycopg.Error, says: str) -> None:
    fault = explain(wrapped(original), NOT_STORED, 10)
    assert says in fault.says
    assert (fault.whole, fault.fatal) == (True, True)


@pytest.mark.parametrize(
    "original", [errors.LockNotAvailable(""), errors.SerializationFailure(""), errors.DeadlockDetected("")]
)
def test_what_passes_fails_only_what_waited(original: psycopg.Error) -> None:
    fault = explain(wrapped(original), NOT_STORED, 10)
    assert "nothing was stored; " in fault.says
    assert fault.says.endswith("resume")
    assert (fault.whole, fault.fatal) == (True, False)


@pytest.mark.parametrize(
    "original", [errors.LockNotAvailable(""), errors.DeadlockDetected(""), errors.AdminShutdown("")]
)
def test_who_only_reads_is_told_nothing_of_storing(original: psycopg.Error) -> None:
    says = explain(wrapped(original), NOT_READ, 10).says
    assert "; nothing could be read; " in says
    assert "run this again" in says
    assert "stored" not in says
    assert "resume" not in says


def test_a_row_that_is_refused_is_of_nobody_elses_concern() -> None:
    original = errors.UniqueViolation("duplicate key value\nDETAIL: Key (t)=(0) already exists.")
    assert explain(wrapped(original, IntegrityError), NOT_STORED, 10) == Fault("duplicate key value")


@pytest.mark.parametrize(
    "error",
    [
        wrapped(psycopg.OperationalError("consuming input failed: server closed the connection"), lost=True),
        wrapped(psycopg.InterfaceError("the connection is closed"), InterfaceError),
    ],
)
def test_a_lost_connection_is_told_from_one_that_was_never_made(error: DBAPIError) -> None:
    fault = explain(error, NOT_STORED, 10)
    assert fault.says.startswith("the connection to the server is lost; nothing that was waiting is known to be stored")
    assert fault.fatal


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ('FATAL:  password authentication failed for user "me"', "give the password in HAIRPIN_STORE"),
        ("fe_sendauth: no password supplied", "give the password in HAIRPIN_STORE"),
        ("FATAL:  no pg_hba.conf entry for host", "pg_hba.conf admit this user"),
        ("FATAL:  sorry, too many clients already", "max_connections"),
        ('FATAL:  role "me" does not exist', "create the user"),
        ('FATAL:  database "d" does not exist', "create it, or name another one"),
        ("Connection refused", "is the server running"),
    ],
)
def test_a_connection_that_cannot_be_made_comes_with_the_way_out(words: str, hint: str) -> None:
    fault = explain(wrapped(psycopg.OperationalError(f"connection failed: {words}\nsecond line")), NOT_STORED, 10)
    assert fault.says.startswith(f"no connection: {words}; ")
    assert hint in fault.says.removeprefix(f"no connection: {words}; ")
    assert fault.fatal


def test_an_error_without_words_still_has_a_name() -> None:
    assert explain(wrapped(errors.CheckViolation(""), IntegrityError), NOT_STORED, 10).says == "CheckViolation"
