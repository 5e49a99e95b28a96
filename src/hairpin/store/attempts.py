"""Attempts in SQL: opening one with a lease, ending it with an outcome, or giving it up.

Functions of a connection only, run by the writer inside its transaction; they may run twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from hairpin.errors import StoreError, UnknownReferenceError
from hairpin.store.schema import aborts, attempts, leases, outcomes, plan
from hairpin.store.writer import Row


class LeaseHeldError(StoreError):
    """Another worker is busy with the conversation."""


@dataclass(frozen=True, slots=True)
class NewAttempt:
    """An attempt to be opened, with times on the same clock: ISO 8601 and seconds since 1970, UTC."""

    run_id: str
    conversation_id: str
    attempt_id: str
    worker: str
    started_at: str
    now_s: float
    lease_s: float


def start(connection: Connection, new: NewAttempt, *, place: str) -> None:
    """Lease the conversation and open the attempt, numbered from 1.

    Raises:
        UnknownReferenceError: the conversation is not planned.
        LeaseHeldError: another worker holds a lease that has not expired.
    """
    _refuse_unknown(connection, new, place)
    _refuse_leased(connection, new, place)
    of_conversation = (attempts.c.run_id == new.run_id) & (attempts.c.conversation_id == new.conversation_id)
    last = connection.execute(select(func.max(attempts.c.number)).where(of_conversation)).scalar()
    key = {"run_id": new.run_id, "conversation_id": new.conversation_id}
    opened = {"attempt_id": new.attempt_id, "worker": new.worker, "started_at": new.started_at}
    connection.execute(insert(attempts), {**key, **opened, "number": (last or 0) + 1})
    connection.execute(delete(leases).where(_lease_of(new)))
    lease = {"attempt_id": new.attempt_id, "worker": new.worker, "expires_at_s": new.now_s + new.lease_s}
    connection.execute(insert(leases), {**key, **lease})


def finish(connection: Connection, attempt_id: str, columns: Row, *, recorded_at: str, place: str) -> bool:
    """Store the outcome of an attempt and give its lease back; return whether it is the conversation's accepted one.

    Raises:
        StoreError: no such attempt, or it was given up.
    """
    key = _key_of(connection, attempt_id, place)
    if _exists(connection, select(aborts.c.attempt_id).where(aborts.c.attempt_id == attempt_id)):
        raise StoreError(f"{place}: attempt {attempt_id!r} was given up and can have no outcome; start a new attempt")
    row = {**columns, **key, "attempt_id": attempt_id, "recorded_at": recorded_at}
    accepted = _insert_accepted(connection, row)
    if not accepted:
        connection.execute(insert(outcomes), {**row, "accepted": False})
    connection.execute(delete(leases).where(leases.c.attempt_id == attempt_id))
    return accepted


def abort(connection: Connection, attempt_id: str, detail: str, *, recorded_at: str, place: str) -> None:
    """Give an attempt up, with its lease. One that has an outcome keeps it, one given up already keeps its detail.

    Raises:
        StoreError: no such attempt.
    """
    _key_of(connection, attempt_id, place)
    ended = (table.c.attempt_id for table in (outcomes, aborts))
    if not any(_exists(connection, select(column).where(column == attempt_id)) for column in ended):
        row = {"attempt_id": attempt_id, "detail": detail, "recorded_at": recorded_at}
        connection.execute(insert(aborts), row)
    connection.execute(delete(leases).where(leases.c.attempt_id == attempt_id))


def _refuse_unknown(connection: Connection, new: NewAttempt, place: str) -> None:
    in_run = select(plan.c.conversation_id).where(plan.c.run_id == new.run_id)
    if not _exists(connection, in_run.where(plan.c.conversation_id == new.conversation_id)):
        known = connection.execute(in_run).scalars().all()
        raise UnknownReferenceError("conversation", new.conversation_id, where=place, known=known)


def _refuse_leased(connection: Connection, new: NewAttempt, place: str) -> None:
    lease = connection.execute(select(leases.c.worker, leases.c.expires_at_s).where(_lease_of(new))).one_or_none()
    if lease is None or lease.worker == new.worker or lease.expires_at_s <= new.now_s:
        return
    raise LeaseHeldError(
        f"{place}: worker {lease.worker!r} is busy with conversation {new.conversation_id!r} for another "
        f"{lease.expires_at_s - new.now_s:.0f} s at most; wait until it ends, or until its lease has expired"
    )


def _insert_accepted(connection: Connection, row: dict[str, object]) -> bool:
    """Whether the unique index let this outcome be the accepted one of its conversation."""
    try:
        with connection.begin_nested():
            connection.execute(insert(outcomes), {**row, "accepted": True})
    except IntegrityError:
        return False
    return True


def _key_of(connection: Connection, attempt_id: str, place: str) -> dict[str, object]:
    columns = select(attempts.c.run_id, attempts.c.conversation_id).where(attempts.c.attempt_id == attempt_id)
    found = connection.execute(columns).one_or_none()
    if found is None:
        raise StoreError(f"{place}: no attempt {attempt_id!r} was ever started; start it first")
    return {"run_id": found.run_id, "conversation_id": found.conversation_id}


def _lease_of(new: NewAttempt) -> ColumnElement[bool]:
    return (leases.c.run_id == new.run_id) & (leases.c.conversation_id == new.conversation_id)


def _exists(connection: Connection, query: Select[tuple[str]]) -> bool:
    return connection.execute(query.limit(1)).first() is not None
