"""The store of one run: writes through the one writer, reads through a reader of its own.

It must not know SQL; ``store.attempts`` and ``store.reader`` do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

from hairpin.domain.annotations import Annotation
from hairpin.domain.llm_calls import LlmRequest
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import Activity, RunProgress
from hairpin.domain.records import ConversationRecord, Outcome, RunInfo, RunStatus
from hairpin.domain.relations import ContextCheck, Derivation, Fold
from hairpin.errors import StoreError
from hairpin.ports import Clock
from hairpin.store import attempts, replays, rows, schema, sqlite
from hairpin.store.annotations import annotation_row
from hairpin.store.backend import Backend
from hairpin.store.codec import column_text
from hairpin.store.conversation_log import SqlConversationLog
from hairpin.store.reader import RunReader, open_run
from hairpin.store.sharing import release_writer, share_writer
from hairpin.store.writer import Row


def create_store(path: Path, *, clock: Clock, busy_timeout_s: float = sqlite.BUSY_TIMEOUT_S) -> SqlRunStore:
    """Create the database of a new run at ``path``, where nothing may be.

    Raises:
        StoreError: something is there, or the file cannot be made or written.
    """
    return SqlRunStore(sqlite.create_file(path, busy_timeout_s=busy_timeout_s), open_run(path), clock)


def open_store(path: Path, *, clock: Clock, busy_timeout_s: float = sqlite.BUSY_TIMEOUT_S) -> SqlRunStore:
    """Open the database of a run to go on writing; only to read it, use :func:`hairpin.store.reader.open_run`.

    Raises:
        StoreError: no such file, not Hairpin's, another schema version, damaged, locked, or it cannot be written.
    """
    return SqlRunStore(sqlite.open_file(path, busy_timeout_s=busy_timeout_s), open_run(path), clock)


class SqlRunStore:
    """Implements ``ports.RunStore``. Every method that stores returns when its rows are committed, else raises.

    Raises StoreError from every method: the database cannot be written or read, or the store is closed.
    """

    def __init__(self, backend: Backend, reader: RunReader, clock: Clock) -> None:
        self._backend = backend
        self._reader = reader
        self._clock = clock
        self._open_attempts: set[str] = set()
        self._closed = False
        self._writer = share_writer(backend)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def create_run(self, run: RunInfo) -> None:
        """Store the run. Raises StoreError when the database holds one already, or was opened for another."""
        place, held, meant = self._backend.place, self._reader.run_id(), self._backend.run_id
        if held is not None:
            raise StoreError(
                f"{place}: holds run {held!r} already; a new run needs a new database, or an id of its own"
            )
        if meant not in (None, column_text(run.run_id)):
            raise StoreError(f"{place}: opened for run {meant!r}, not {run.run_id!r}; open it for that one")
        await self._writer.insert(f"run {run.run_id!r}", [(schema.runs, rows.run_row(run))])

    async def add_plan(self, planned: Sequence[PlannedConversation]) -> None:
        """Store planned conversations, all or none. Raises StoreError when one of them is planned already."""
        if not planned:
            return
        run_id = self._run_id()
        what = f"the plan of conversations {planned[0].id!r} to {planned[-1].id!r}"
        await self._writer.insert(
            what, [row for conversation in planned for row in replays.planned_rows(run_id, conversation)]
        )

    async def record_request(self, request: LlmRequest) -> None:
        """Store one request to a model: for an attempt that is open or has ended, or for none.

        Raises StoreError when its attempt was never started.
        """
        row = rows.llm_call_row(self._run_id(), request)
        await self._writer.insert(
            f"request {request.number} of call {request.call_id!r} to {request.model}", [(schema.llm_calls, row)]
        )

    async def lease(self, planned: PlannedConversation, *, attempt_id: str, worker: str, lease_s: float) -> None:
        """Plan a conversation unless it is planned already, lease it and open an attempt on it; all or nothing.

        A caller that is cancelled here cannot know whether the attempt was opened: it aborts it.

        Raises:
            LeaseHeldError: another worker is busy with it.
            StoreError: it has its accepted outcome, or another conversation has its id or index.
        """
        new, place = self._new_attempt(planned.id, attempt_id, worker, lease_s), self._backend.place
        await self._writer.call(
            f"the lease of conversation {planned.id!r} for attempt {attempt_id!r}",
            lambda connection: attempts.lease(connection, planned, new, place=place),
        )
        self._open_attempts.add(attempt_id)

    async def renew_leases(self, attempt_ids: Sequence[str], *, lease_s: float) -> None:
        """Let the leases that these attempts still hold end ``lease_s`` seconds from now; others are left alone."""
        keys, expires_at_s = [column_text(each) for each in attempt_ids], self._clock.now().timestamp() + lease_s
        await self._writer.call(
            f"the renewal of {len(keys)} leases",
            lambda connection: attempts.renew(connection, keys, expires_at_s=expires_at_s),
        )

    async def record_activity(self, activity: Sequence[Activity]) -> None:
        """Store how much active time has been used so far; of one cell and arm the last one stored counts."""
        run_id, at = self._run_id(), self._now()
        found = [(schema.activity, rows.activity_row(run_id, each, recorded_at=at)) for each in activity]
        if found:
            await self._writer.insert("the active time", found)

    def log(self, attempt_id: str) -> SqlConversationLog:
        """Return the log of an attempt that this store has opened and not yet ended."""
        log = SqlConversationLog(attempt_id, self._backend.place, self._writer, self._clock, self._open_attempts)
        log.check_open()
        return log

    async def finish_attempt(self, attempt_id: str, outcome: Outcome) -> bool:
        """Store the outcome and give the lease back; return whether it is the conversation's accepted one (the first).

        Raises StoreError when the attempt is unknown, has an outcome already, or was aborted.
        """
        self._open_attempts.discard(attempt_id)
        place, at = self._backend.place, self._now()
        columns = rows.outcome_columns(outcome)
        return await self._writer.call(
            f"the outcome of attempt {attempt_id!r}",
            lambda connection: attempts.finish(
                connection, column_text(attempt_id), columns, recorded_at=at, place=place
            ),
        )

    async def abort_attempt(self, attempt_id: str, detail: str) -> None:
        """Give the attempt up, with its lease. One that has an outcome keeps it; aborting twice changes nothing.

        Raises StoreError when the attempt is unknown.
        """
        self._open_attempts.discard(attempt_id)
        place, at = self._backend.place, self._now()
        await self._writer.call(
            f"the end of attempt {attempt_id!r}",
            lambda connection: attempts.abort(
                connection, column_text(attempt_id), column_text(detail), recorded_at=at, place=place
            ),
        )

    async def abort_open_attempts(self, detail: str) -> int:
        """Give up every attempt without outcome or abort, and all leases; return how many attempts there were.

        Only inside :meth:`drive`, before anything is started: they belong to a process that is gone.
        """
        run_id, at = self._run_id(), self._now()
        self._open_attempts.clear()
        return await self._writer.call(
            "the end of the attempts that were left open",
            lambda connection: attempts.abort_open(connection, run_id, column_text(detail), recorded_at=at),
        )

    def drive(self) -> AbstractContextManager[None]:
        """Hold, while inside, the right to drive the run: no other process, and no other store, can.

        Raises:
            RunBusyError: on entering, another one drives it; names it where it is known.
            StoreError: on entering, the lock cannot be had where the database is.
        """
        return self._backend.drive()

    async def finish_run(self, status: RunStatus, *, detail: str, elapsed_s: float) -> None:
        """Store how the run ended; the last one stored counts."""
        row: Row = {
            "run_id": self._run_id(),
            "status": status.value,
            "detail": column_text(detail),
            "elapsed_s": elapsed_s,
            "recorded_at": self._now(),
        }
        await self._writer.insert("the end of the run", [(schema.run_states, row)])

    async def record_derivation(self, derivation: Derivation, follow_ups: Sequence[PlannedConversation]) -> None:
        """Plan the follow-ups of a conversation and store how they were derived, once, all or nothing.

        Raises:
            StoreError: it was done before, or the conversation or the place of a follow-up in the plan is not free.
            ValueError: ``follow_ups`` are not those that the derivation names.
        """
        derived = replays.derived_rows(self._run_id(), derivation, follow_ups)
        await self._writer.insert(f"what was derived from conversation {derivation.source!r}", derived)

    async def record_context_checks(self, checks: Sequence[ContextCheck]) -> None:
        """Store context checks, all or none. Raises StoreError when one is of no follow-up that is planned."""
        run_id = self._run_id()
        found = [(schema.context_checks, rows.context_check_row(run_id, check)) for check in checks]
        if found:
            await self._writer.insert(f"context checks of conversation {checks[0].conversation!r}", found)

    async def record_fold(self, fold: Fold) -> None:
        """Store the relation checks of a conversation and its follow-ups; of one source the last fold counts."""
        run_id, at = self._run_id(), self._now()
        await self._writer.call(
            f"the relation checks of conversation {fold.source!r}",
            lambda connection: replays.insert_fold(connection, run_id, fold, recorded_at=at),
        )

    async def record_annotations(self, annotations: Sequence[Annotation]) -> None:
        """Store what raters say, all or nothing; of one rater and conversation the last one stored counts.

        Raises StoreError when one is of no conversation that is planned.
        """
        run_id, at = self._run_id(), self._now()
        found = [(schema.annotation_rows, annotation_row(run_id, each, recorded_at=at)) for each in annotations]
        if found:
            await self._writer.insert(f"annotations of {len(found)} conversations", found)

    def annotations(self) -> tuple[Annotation, ...]:
        """Return the annotations that count, in the order stored."""
        return self._reader.annotations()

    def run_info(self) -> RunInfo:
        """Return the stored run as it stands now."""
        return self._reader.run_info()

    def progress(self) -> RunProgress:
        """Return what a resumed run must know of what is there, as of one moment."""
        return self._reader.progress()

    def conversations(self) -> Iterator[ConversationRecord]:
        """Yield every planned conversation but trials and canaries, in plan order, without holding them all."""
        return self._reader.conversations()

    def trials(self, source: PlannedConversation) -> tuple[ConversationRecord, ...]:
        """Return the trials of a conversation that were planned so far, by kind and number."""
        return self._reader.trials(source)

    def ended(self) -> Iterator[tuple[PlannedConversation, Outcome]]:
        """Yield how those conversations ended that were planned for themselves, in plan order."""
        return self._reader.ended()

    def conversation(self, conversation_id: str) -> ConversationRecord:
        """Return one planned conversation. Raises UnknownReferenceError when there is none of that name."""
        return self._reader.conversation(conversation_id)

    def derivation(self, source: str) -> tuple[Derivation, tuple[PlannedConversation, ...]] | None:
        """Return what was derived from a conversation, with its follow-ups in plan order; ``None``: nothing yet."""
        return self._reader.derivation(source)

    def context_checks(self, source: str) -> tuple[ContextCheck, ...]:
        """Return the context checks of the follow-ups of a conversation, in the order stored."""
        return self._reader.context_checks(source)

    def family(self, source: str) -> tuple[ConversationRecord, ...]:
        """Return a conversation and then its follow-ups, in plan order. Raises UnknownReferenceError."""
        return self._reader.family(source)

    def llm_requests(self) -> Iterator[LlmRequest]:
        """Yield every request to a model in the order in which they ended, without holding them all."""
        return self._reader.llm_requests()

    def close(self) -> None:
        """Wait until everything queued is stored, then let go of the database. Reading stays possible."""
        if not self._closed:
            self._closed = True
            release_writer(self._backend)

    def _new_attempt(self, conversation_id: str, attempt_id: str, worker: str, lease_s: float) -> attempts.NewAttempt:
        now = self._clock.now()
        return attempts.NewAttempt(
            run_id=column_text(self._run_id()),
            conversation_id=column_text(conversation_id),
            attempt_id=column_text(attempt_id),
            worker=column_text(worker),
            started_at=now.isoformat(),
            now_s=now.timestamp(),
            lease_s=lease_s,
        )

    def _run_id(self) -> str:
        run_id = self._reader.run_id()
        if run_id is None:
            raise StoreError(f"{self._backend.place}: holds no run; create the run first")
        return run_id

    def _now(self) -> str:
        return self._clock.now().isoformat()
