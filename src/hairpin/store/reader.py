"""Reads a run from its database: the run, its conversations in plan order, and its requests to models.

It must not write. It has connections of its own, so that it can read while a run is being written, by this process or
another, and holds none between two chunks, so that a slow reader stops nobody.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, Select, select
from sqlalchemy import Row as SqlRow
from sqlalchemy.exc import SQLAlchemyError

from hairpin.domain.annotations import Annotation
from hairpin.domain.base import Value
from hairpin.domain.families import Family
from hairpin.domain.llm_calls import LlmRequest
from hairpin.domain.plan import CANARIES_FROM, TRIALS_FROM, PlannedConversation, trial_indexes
from hairpin.domain.progress import RunProgress
from hairpin.domain.records import ConversationRecord, Outcome, RunInfo, RunStatus
from hairpin.domain.relation_counts import RelationTotals
from hairpin.domain.relations import ContextCheck, Derivation, Fold
from hairpin.errors import StoreError, UnknownReferenceError
from hairpin.store import replays, sqlite
from hairpin.store.annotations import read_annotations
from hairpin.store.backend import NOT_READ, Fault
from hairpin.store.codec import column_text, stored
from hairpin.store.costs import read_costs
from hairpin.store.progress import read_ended, read_progress
from hairpin.store.records import read_records
from hairpin.store.schema import attempts, llm_calls, plan, run_states, runs

V = TypeVar("V", bound=Value)

CHUNK = 50
"""Conversations read in one transaction."""

REQUEST_CHUNK = 1000
"""Requests to models read in one transaction."""

ENDED_CHUNK = 500
"""Ends of conversations read in one transaction."""

FAMILY_CHUNK = 100
"""Families are read in one transaction until they have more follow-ups than this."""

FOLD_CHUNK = 20
"""Folds read in one transaction."""

_NO_INDEX = (1 << 63) - 1
"""No conversation's place in the plan is so high."""


def open_run(path: Path) -> RunReader:
    """Open the database of a run for reading only.

    Raises:
        StoreError: no such file, not Hairpin's, another schema version, or damaged.
    """
    explain = partial(sqlite.explain, path=path, undone=NOT_READ)
    return RunReader(sqlite.open_reader(path), place=str(path), explain=explain)


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
        """Yield every planned conversation but trials and canaries, in plan order, holding one chunk at a time.

        A conversation has the rows of its accepted attempt, else of its latest one, all as of one moment.
        """
        return self._between(0, TRIALS_FROM)

    def asides(self) -> Iterator[ConversationRecord]:
        """Yield every trial and then every canary, in plan order of what they follow, holding one chunk at a time."""
        return self._between(TRIALS_FROM, _NO_INDEX)

    def canaries(self) -> Iterator[ConversationRecord]:
        """Yield every canary, in plan order of what they follow, holding one chunk at a time."""
        return self._between(CANARIES_FROM, _NO_INDEX)

    def trials(self, source: PlannedConversation) -> tuple[ConversationRecord, ...]:
        """Return the trials of a conversation that were planned so far, by kind and number."""
        indexes = trial_indexes(source)
        return tuple(self._between(indexes.start, indexes.stop))

    def ended(self) -> Iterator[tuple[PlannedConversation, Outcome]]:
        """Yield how those conversations ended that were planned for themselves, in plan order, a chunk at a time."""
        run_id, after = self._known_run_id(), -1
        while chunk := self._ended_chunk(run_id, after):
            yield from chunk
            after = chunk[-1][0].index

    def conversation(self, conversation_id: str) -> ConversationRecord:
        """Return one planned conversation.

        Raises:
            UnknownReferenceError: the run has no such conversation.
        """
        of_run = plan.c.run_id == self._known_run_id()
        query = select(plan.c.conversation_id, plan.c.value).where(of_run)
        with self._reading() as connection:
            its_own = query.where(plan.c.conversation_id == column_text(conversation_id))
            if records := read_records(connection, self._known_run_id(), its_own, self._place):
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

    def derivation(self, source: str) -> tuple[Derivation, tuple[PlannedConversation, ...]] | None:
        """Return what was derived from a conversation, with its follow-ups in plan order; ``None``: nothing yet."""
        run_id = self._known_run_id()
        with self._reading() as connection:
            return replays.read_derivation(connection, run_id, source, self._place)

    def derivations(self) -> Iterator[tuple[Derivation, tuple[PlannedConversation, ...]]]:
        """Yield what was derived from each source, with its follow-ups, in plan order of the sources."""
        run_id = self._known_run_id()
        for sources in self._family_chunks():
            with self._reading() as connection:
                chunk = [replays.read_derivation(connection, run_id, source, self._place) for source in sources]
            yield from (each for each in chunk if each is not None)

    def context_checks(self, source: str) -> tuple[ContextCheck, ...]:
        """Return the context checks of the follow-ups of a conversation, in the order stored."""
        run_id = self._known_run_id()
        with self._reading() as connection:
            return replays.read_context_checks(connection, run_id, source, self._place)

    def family(self, source: str) -> tuple[ConversationRecord, ...]:
        """Return a conversation and then its follow-ups, in plan order.

        Raises:
            UnknownReferenceError: the run has no such conversation.
        """
        run_id = self._known_run_id()
        with self._reading() as connection:
            records = replays.read_family(connection, run_id, source, self._place)
        return records or (self.conversation(source),)

    def families(self) -> Iterator[Family]:
        """Yield every source of which there is a derivation with what belongs to it, in plan order of the sources.

        One chunk is held at a time, and each family is as of one moment.
        """
        run_id = self._known_run_id()
        for sources in self._family_chunks():
            with self._reading() as connection:
                chunk = replays.read_families(connection, run_id, sources, self._place)
            yield from chunk

    def folds(self) -> Iterator[Fold]:
        """Yield the last fold of every source that has one, in plan order of the sources, holding a chunk at a time."""
        run_id = self._known_run_id()
        with self._reading() as connection:
            numbers = replays.read_last_folds(connection, run_id)
        for start in range(0, len(numbers), FOLD_CHUNK):
            with self._reading() as connection:
                chunk = replays.read_folds(connection, numbers[start : start + FOLD_CHUNK], self._place)
            yield from chunk

    def last_fold(self, source: str) -> Fold | None:
        """Return the last fold of a conversation; ``None``: its relations were not checked."""
        run_id = self._known_run_id()
        with self._reading() as connection:
            return replays.read_last_fold(connection, run_id, source, self._place)

    def family_of(self, source: str) -> Family | None:
        """Return a source with what belongs to it, as of one moment; ``None``: nothing was derived from it."""
        run_id = self._known_run_id()
        with self._reading() as connection:
            if replays.read_derivation(connection, run_id, source, self._place) is None:
                return None
            return replays.read_families(connection, run_id, [column_text(source)], self._place)[0]

    def annotations(self) -> tuple[Annotation, ...]:
        """Return what raters say of conversations: of one rater and conversation the last word, in the order stored."""
        run_id = self._known_run_id()
        with self._reading() as connection:
            return read_annotations(connection, run_id, self._place)

    def relation_totals(self) -> RelationTotals:
        """Count the relation checks of all last folds, in SQL."""
        run_id = self._known_run_id()
        with self._reading() as connection:
            return replays.read_totals(connection, run_id)

    def close(self) -> None:
        """Free what is held."""
        self._engine.dispose()

    def _between(self, start: int, end: int) -> Iterator[ConversationRecord]:
        """Yield the conversations whose place in the plan is from ``start`` to before ``end``."""
        while chunk := self._chunk(start, end):
            yield from chunk
            start = chunk[-1].planned.index + 1

    def _chunk(self, start: int, end: int) -> list[ConversationRecord]:
        its = (plan.c.run_id == self._known_run_id()) & (plan.c.plan_index >= start) & (plan.c.plan_index < end)
        query = select(plan.c.conversation_id, plan.c.value).where(its)
        with self._reading() as connection:
            chunk = query.order_by(plan.c.plan_index).limit(CHUNK)
            return read_records(connection, self._known_run_id(), chunk, self._place)

    def _ended_chunk(self, run_id: str, after: int) -> list[tuple[PlannedConversation, Outcome]]:
        with self._reading() as connection:
            found = read_ended(connection, run_id, after=after, at_most=ENDED_CHUNK)
        return [
            (self._decoded(PlannedConversation, row.planned, "plan"), self._decoded(Outcome, row.outcome, "outcomes"))
            for row in found
        ]

    def _family_chunks(self) -> Iterator[list[str]]:
        """Yield all sources of which there is a derivation, in plan order, a few at a time."""
        run_id = self._known_run_id()
        with self._reading() as connection:
            sizes = replays.read_sizes(connection, run_id)
        chunk: list[str] = []
        held = 0
        for source, n_follow_ups in sizes:
            if chunk and (held + n_follow_ups > FAMILY_CHUNK or len(chunk) == CHUNK):
                yield chunk
                chunk, held = [], 0
            chunk.append(source)
            held += n_follow_ups
        if chunk:
            yield chunk

    def _request_chunk(self, query: Select[tuple[int, str]], after: int) -> Sequence[SqlRow[tuple[int, str]]]:
        with self._reading() as connection:
            return connection.execute(query.where(llm_calls.c.row_number > after).limit(REQUEST_CHUNK)).all()

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
