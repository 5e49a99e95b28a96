"""Reads a run from its database: the run, its conversations in plan order, and its requests to models.

It must not write. It has connections of its own, so that it can read while a run is being written, by this process or
another, and holds none between two chunks, so that a slow reader stops nobody.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, Select, Table, select
from sqlalchemy import Row as SqlRow
from sqlalchemy.exc import SQLAlchemyError

from hairpin.domain.base import Value
from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import Failure
from hairpin.domain.llm_calls import LlmRequest
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import RunProgress
from hairpin.domain.records import ConversationRecord, Outcome, RunInfo, RunStatus
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.targets import TargetEvent
from hairpin.errors import StoreError, UnknownReferenceError
from hairpin.store import sqlite
from hairpin.store.backend import Fault
from hairpin.store.codec import column_text, stored
from hairpin.store.costs import read_costs
from hairpin.store.progress import read_progress
from hairpin.store.schema import (
    attempts,
    dimension_scores,
    exchanges,
    failures,
    llm_calls,
    outcomes,
    plan,
    run_states,
    runs,
    target_events,
)

V = TypeVar("V", bound=Value)

CHUNK = 50
"""Conversations read in one transaction."""

REQUEST_CHUNK = 1000
"""Requests to models read in one transaction."""


@dataclass(frozen=True, slots=True)
class _Try:
    """An attempt, with its outcome as JSON text if that is the accepted one."""

    attempt_id: str
    outcome: str | None


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The attempt of a conversation that counts, with how many there are."""

    attempt_id: str
    attempts: int
    outcome: str | None


def open_run(path: Path) -> RunReader:
    """Open the database of a run for reading only.

    Raises:
        StoreError: no such file, not Hairpin's, another schema version, or damaged.
    """
    return RunReader(sqlite.open_reader(path), place=str(path), explain=sqlite.explain)


class RunReader:
    """Reads one run. Every method may raise StoreError, naming the database."""

    def __init__(
        self, engine: Engine, *, place: str, explain: Callable[[BaseException], Fault], run_id: str | None = None
    ) -> None:
        """``explain`` knows the database's errors; ``run_id`` may be left out where there is one run, as in a file."""
        self._engine = engine
        self._place = place
        self._explain = explain
        self._meant = run_id
        self._run_id: str | None = None

    def run_id(self) -> str | None:
        """Return which run is read; ``None`` while the database does not hold it."""
        if self._run_id is None:
            query = select(runs.c.run_id)
            if self._meant is not None:
                query = query.where(runs.c.run_id == self._meant)
            with self._reading() as connection:
                self._run_id = connection.execute(query).scalar_one_or_none()
        return self._run_id

    def run_info(self) -> RunInfo:
        """Return the run as it stands now."""
        run_id = self._known_run_id()
        states = select(run_states).where(run_states.c.run_id == run_id).order_by(run_states.c.row_number.desc())
        with self._reading() as connection:
            value = connection.execute(select(runs.c.value).where(runs.c.run_id == run_id)).scalar_one()
            state = connection.execute(states.limit(1)).one_or_none()
        run = self._decoded(RunInfo, value, "runs")
        if state is None:
            return run
        ended = {"status": RunStatus(state.status), "status_detail": state.detail, "elapsed_s": state.elapsed_s}
        return run.model_copy(update=ended)

    def progress(self) -> RunProgress:
        """Return how far the run has come, as of one moment, without any conversation's words."""
        run_id = self._known_run_id()
        with self._reading() as connection:
            return read_progress(connection, run_id, lambda value: self._decoded(PlannedConversation, value, "plan"))

    def conversations(self) -> Iterator[ConversationRecord]:
        """Yield every planned conversation in plan order, holding one chunk at a time.

        A conversation has the rows of its accepted attempt, else of its latest one, all as of one moment.
        """
        after = -1
        while chunk := self._chunk(after):
            yield from chunk
            after = chunk[-1].planned.index

    def conversation(self, conversation_id: str) -> ConversationRecord:
        """Return one planned conversation.

        Raises:
            UnknownReferenceError: the run has no such conversation.
        """
        of_run = plan.c.run_id == self._known_run_id()
        query = select(plan.c.conversation_id, plan.c.value).where(of_run)
        with self._reading() as connection:
            if records := self._records(
                connection, query.where(plan.c.conversation_id == column_text(conversation_id))
            ):
                return records[0]
            known = connection.execute(select(plan.c.conversation_id).where(of_run)).scalars().all()
        raise UnknownReferenceError("conversation", conversation_id, where=self._place, known=known)

    def llm_requests(self, conversation_id: str | None = None) -> Iterator[LlmRequest]:
        """Yield requests to models in the order in which they were stored, holding one chunk at a time.

        All of the run, or those of all attempts at one conversation.
        """
        of_run = llm_calls.c.run_id == self._known_run_id()
        query = select(llm_calls.c.row_number, llm_calls.c.value).where(of_run).order_by(llm_calls.c.row_number)
        if conversation_id is not None:
            its = attempts.c.conversation_id == column_text(conversation_id)
            query = query.join(attempts, attempts.c.attempt_id == llm_calls.c.attempt_id).where(its)
        after = 0
        while rows := self._request_chunk(query, after):
            for row in rows:
                yield self._decoded(LlmRequest, row.value, "llm_calls")
            after = rows[-1].row_number

    def conversation_ids(self) -> tuple[str, ...]:
        """Return the ids of all planned conversations, in plan order."""
        query = select(plan.c.conversation_id).where(plan.c.run_id == self._known_run_id()).order_by(plan.c.plan_index)
        with self._reading() as connection:
            return tuple(connection.execute(query).scalars())

    def costs(self) -> Mapping[str, float | None]:
        """Return per planned conversation what models cost for it, all its attempts, in USD; ``None`` when unknown."""
        run_id = self._known_run_id()
        with self._reading() as connection:
            return read_costs(connection, run_id)

    def close(self) -> None:
        """Free what is held."""
        self._engine.dispose()

    def _chunk(self, after: int) -> list[ConversationRecord]:
        of_run = plan.c.run_id == self._known_run_id()
        query = select(plan.c.conversation_id, plan.c.value).where(of_run, plan.c.plan_index > after)
        with self._reading() as connection:
            return self._records(connection, query.order_by(plan.c.plan_index).limit(CHUNK))

    def _request_chunk(self, query: Select[tuple[int, str]], after: int) -> Sequence[SqlRow[tuple[int, str]]]:
        with self._reading() as connection:
            return connection.execute(query.where(llm_calls.c.row_number > after).limit(REQUEST_CHUNK)).all()

    def _records(self, connection: Connection, query: Select[tuple[str, str]]) -> list[ConversationRecord]:
        planned = connection.execute(query).all()
        chosen = _choose(connection, self._known_run_id(), [row.conversation_id for row in planned])
        attempt_ids = [choice.attempt_id for choice in chosen.values()]
        said = self._values(connection, Exchange, exchanges, attempt_ids)
        found = self._values(connection, Failure, failures, attempt_ids)
        events = self._values(connection, TargetEvent, target_events, attempt_ids)
        scores = self._values(connection, DimensionScore, dimension_scores, attempt_ids)
        return [
            ConversationRecord(
                planned=self._decoded(PlannedConversation, row.value, "plan"),
                attempts=choice.attempts,
                exchanges=tuple(said[choice.attempt_id]),
                failures=tuple(found[choice.attempt_id]),
                target_events=tuple(events[choice.attempt_id]),
                scores=tuple(scores[choice.attempt_id]),
                outcome=None if choice.outcome is None else self._decoded(Outcome, choice.outcome, "outcomes"),
            )
            for row in planned
            for choice in (chosen.get(row.conversation_id, _Chosen("", 0, None)),)
        ]

    def _values(
        self, connection: Connection, kind: type[V], table: Table, attempt_ids: Sequence[str]
    ) -> dict[str, list[V]]:
        """Return the values of a table per attempt, in the order in which they came about."""
        order = table.c.t if table is exchanges else table.c.row_number
        query = select(table.c.attempt_id, table.c.value).where(table.c.attempt_id.in_(attempt_ids)).order_by(order)
        values: dict[str, list[V]] = defaultdict(list)
        for attempt_id, value in connection.execute(query):
            values[attempt_id].append(self._decoded(kind, value, table.name))
        return values

    def _known_run_id(self) -> str:
        run_id = self.run_id()
        if run_id is None:
            raise StoreError(f"{self._place}: holds no run; it was stopped before it began, run the scenario again")
        return run_id

    def _decoded(self, kind: type[V], text: str, table: str) -> V:
        return stored(kind, text, self._place, table)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise StoreError(f"{self._place}: {self._explain(error).says}") from error


def _choose(connection: Connection, run_id: str, conversation_ids: Sequence[str]) -> dict[str, _Chosen]:
    """Return per conversation its accepted attempt, else its latest one."""
    query = (
        select(attempts.c.conversation_id, attempts.c.attempt_id, outcomes.c.value)
        .outerjoin(outcomes, (outcomes.c.attempt_id == attempts.c.attempt_id) & outcomes.c.accepted)
        .where(attempts.c.run_id == run_id, attempts.c.conversation_id.in_(conversation_ids))
        .order_by(attempts.c.number)
    )
    tries: dict[str, list[_Try]] = defaultdict(list)
    for conversation_id, attempt_id, outcome in connection.execute(query):
        tries[conversation_id].append(_Try(attempt_id, outcome))
    return {conversation_id: _best(rows) for conversation_id, rows in tries.items()}


def _best(tries: Sequence[_Try]) -> _Chosen:
    best = next((each for each in tries if each.outcome is not None), tries[-1])
    return _Chosen(best.attempt_id, len(tries), best.outcome)
