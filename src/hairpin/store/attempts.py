"""Attempts in SQL: opening one with a lease, ending it with an outcome, or giving it up.

Functions of a connection only, run by the writer inside its transaction; they may run twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from hairpin.domain.plan import PlannedConversation
from hairpin.errors import StoreError
from hairpin.store.codec import stored
from hairpin.store.replays import planned_rows
from hairpin.store.schema import aborts, attempts, leases, outcomes, plan
from hairpin.store.writer import Row

LEASE_EXPIRED = "lease expired"
"""Why an attempt was given up whose worker was silent for too long."""

STARTED_AGAIN = "started again by its worker"
"""Why an attempt was given up that its own worker began anew."""

TAKEN_OVER = frozenset({LEASE_EXPIRED, STARTED_AGAIN})


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


def lease(connection: Connection, planned: PlannedConversation, new: NewAttempt, *, place: str) -> None:
    """Plan the conversation unless it is planned already, lease it and open the attempt, numbered from 1.

    The attempt whose lease it takes over is given up.

    Raises:
        StoreError: the conversation has its accepted outcome, or another one has its id or its place in the plan.
        LeaseHeldError: another worker holds a lease that has not expired.
    """
    _plan(connection, planned, new, place)
    _refuse_done(connection, new, place)
    _take_over(connection, new, place)
    of_conversation = (attempts.c.run_id == new.run_id) & (attempts.c.conversation_id == new.conversation_id)
    last = connection.execute(select(func.max(attempts.c.number)).where(of_conversation)).scalar()
    key = {"run_id": new.run_id, "conversation_id": new.conversation_id}
    opened = {"attempt_id": new.attempt_id, "worker": new.worker, "started_at": new.started_at}
    connection.execute(insert(attempts), {**key, **opened, "number": (last or 0) + 1})
    held = {"attempt_id": new.attempt_id, "worker": new.worker, "expires_at_s": new.now_s + new.lease_s}
    connection.execute(insert(leases), {**key, **held})


def renew(connection: Connection, attempt_ids: Sequence[str], *, expires_at_s: float) -> None:
    """Let the leases that these attempts still hold end at ``expires_at_s``."""
    renewed = update(leases).where(leases.c.attempt_id.in_(attempt_ids))
    connection.execute(renewed.values(expires_at_s=expires_at_s))


def finish(connection: Connection, attempt_id: str, columns: Row, *, recorded_at: str, place: str) -> bool:
    """Store the outcome of an attempt and give its lease back; return whether it is the conversation's accepted one.

    That of an attempt whose lease was taken over meanwhile is stored and never accepted: its successor counts.

    Raises:
        StoreError: no such attempt, or it was given up by who made it.
    """
    key = _key_of(connection, attempt_id, place)
    given_up = connection.execute(select(aborts.c.detail).where(aborts.c.attempt_id == attempt_id)).scalar()
    if given_up is not None and given_up not in TAKEN_OVER:
        raise StoreError(f"{place}: attempt {attempt_id!r} was given up and can have no outcome; start a new attempt")
    row = {**columns, **key, "attempt_id": attempt_id, "recorded_at": recorded_at}
    accepted = given_up is None and _insert_accepted(connection, row)
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


def abort_open(connection: Connection, run_id: str, detail: str, *, recorded_at: str) -> int:
    """Give up every attempt of the run that has neither outcome nor abort, with all leases; return how many."""
    query = (
        select(attempts.c.attempt_id)
        .outerjoin(outcomes, outcomes.c.attempt_id == attempts.c.attempt_id)
        .outerjoin(aborts, aborts.c.attempt_id == attempts.c.attempt_id)
        .where(attempts.c.run_id == run_id, outcomes.c.attempt_id.is_(None), aborts.c.attempt_id.is_(None))
    )
    open_ones = connection.execute(query).scalars().all()
    if open_ones:
        given_up = [{"attempt_id": each, "detail": detail, "recorded_at": recorded_at} for each in open_ones]
        connection.execute(insert(aborts), given_up)
    connection.execute(delete(leases).where(leases.c.run_id == run_id))
    return len(open_ones)


def _plan(connection: Connection, planned: PlannedConversation, new: NewAttempt, place: str) -> None:
    same = (plan.c.conversation_id == new.conversation_id) | (plan.c.plan_index == planned.index)
    query = select(plan.c.conversation_id, plan.c.plan_index, plan.c.value).where(plan.c.run_id == new.run_id, same)
    held = connection.execute(query).all()
    if not held:
        for table, row in planned_rows(new.run_id, planned):
            connection.execute(insert(table), row)
    elif len(held) > 1 or stored(PlannedConversation, held[0].value, place, plan.name) != planned:
        taken = ", ".join(f"{row.conversation_id!r} as number {row.plan_index}" for row in held)
        raise StoreError(
            f"{place}: conversation {planned.id!r}, number {planned.index}, is not what is planned there: {taken}; "
            "go on with the scenario and settings that the run was started with"
        )


def _refuse_done(connection: Connection, new: NewAttempt, place: str) -> None:
    accepted = select(outcomes.c.attempt_id).where(outcomes.c.run_id == new.run_id, outcomes.c.accepted)
    if _exists(connection, accepted.where(outcomes.c.conversation_id == new.conversation_id)):
        raise StoreError(
            f"{place}: conversation {new.conversation_id!r} has its outcome already and is not run again; "
            "start a new run to repeat it"
        )


def _take_over(connection: Connection, new: NewAttempt, place: str) -> None:
    """End the lease there is, if it has expired or is the worker's own, and give its attempt up."""
    lease = connection.execute(select(leases).where(_lease_of(new))).one_or_none()
    if lease is None:
        return
    expired = lease.expires_at_s <= new.now_s
    if not expired and lease.worker != new.worker:
        raise LeaseHeldError(
            f"{place}: worker {lease.worker!r} is busy with conversation {new.conversation_id!r} for another "
            f"{lease.expires_at_s - new.now_s:.0f} s at most; wait until it ends, or until its lease has expired"
        )
    abort(
        connection,
        lease.attempt_id,
        LEASE_EXPIRED if expired else STARTED_AGAIN,
        recorded_at=new.started_at,
        place=place,
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
