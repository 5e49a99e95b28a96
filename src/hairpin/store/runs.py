"""The store of one run: writes through the one writer, reads through a reader of its own.

It must not know SQL; ``store.attempts`` and ``store.reader`` do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import Failure
from hairpin.domain.llm_calls import LlmRequest
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord, Outcome, RunInfo, RunStatus
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.targets import TargetEvent
from hairpin.errors import StoreError
from hairpin.ports import Clock
from hairpin.store import attempts, rows, schema, sqlite
from hairpin.store.backend import Backend
from hairpin.store.codec import column_text
from hairpin.store.reader import RunReader, open_run
from hairpin.store.sharing import release_writer, share_writer
from hairpin.store.writer import Row, Writer


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
        """Store the run. Raises StoreError when the database holds one already."""
        if (held := self._reader.run_id()) is not None:
            raise StoreError(f"{self._backend.place}: holds run {held!r} already; a new run needs a new database")
        await self._writer.insert(f"run {run.run_id!r}", [(schema.runs, rows.run_row(run))])

    async def add_plan(self, planned: Sequence[PlannedConversation]) -> None:
        """Store planned conversations, all or none. Raises StoreError when one of them is planned already."""
        if not planned:
            return
        run_id = self._run_id()
        what = f"the plan of conversations {planned[0].id!r} to {planned[-1].id!r}"
        await self._writer.insert(
            what, [(schema.plan, rows.plan_row(run_id, conversation)) for conversation in planned]
        )

    async def record_request(self, request: LlmRequest) -> None:
        """Store one request to a model: for an attempt that is open or has ended, or for none.

        Raises StoreError when its attempt was never started.
        """
        row = rows.llm_call_row(self._run_id(), request)
        await self._writer.insert(
            f"request {request.number} of call {request.call_id!r} to {request.model}", [(schema.llm_calls, row)]
        )

    async def start_attempt(self, conversation_id: str, *, attempt_id: str, worker: str, lease_s: float) -> None:
        """Lease a planned conversation to ``worker`` for ``lease_s`` seconds and open an attempt on it.

        A caller that is cancelled here cannot know whether the attempt was opened: it aborts it.

        Raises:
            UnknownReferenceError: no such conversation is planned.
            LeaseHeldError: another worker is busy with it.
        """
        now = self._clock.now()
        new = attempts.NewAttempt(
            run_id=self._run_id(),
            conversation_id=column_text(conversation_id),
            attempt_id=column_text(attempt_id),
            worker=column_text(worker),
            started_at=now.isoformat(),
            now_s=now.timestamp(),
            lease_s=lease_s,
        )
        place = self._backend.place
        what = f"the start of attempt {attempt_id!r} at conversation {conversation_id!r}"
        await self._writer.call(what, lambda connection: attempts.start(connection, new, place=place))
        self._open_attempts.add(attempt_id)

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

    def run_info(self) -> RunInfo:
        """Return the stored run as it stands now."""
        return self._reader.run_info()

    def conversations(self) -> Iterator[ConversationRecord]:
        """Yield every planned conversation in plan order, without holding them all."""
        return self._reader.conversations()

    def conversation(self, conversation_id: str) -> ConversationRecord:
        """Return one planned conversation. Raises UnknownReferenceError when there is none of that name."""
        return self._reader.conversation(conversation_id)

    def llm_requests(self) -> Iterator[LlmRequest]:
        """Yield every request to a model in the order in which they ended, without holding them all."""
        return self._reader.llm_requests()

    def close(self) -> None:
        """Wait until everything queued is stored, then let go of the database. Reading stays possible."""
        if not self._closed:
            self._closed = True
            release_writer(self._backend)

    def _run_id(self) -> str:
        run_id = self._reader.run_id()
        if run_id is None:
            raise StoreError(f"{self._backend.place}: holds no run; create the run first")
        return run_id

    def _now(self) -> str:
        return self._clock.now().isoformat()


class SqlConversationLog:
    """Implements ``ports.ConversationLog`` for one open attempt: each call returns when its rows are committed."""

    def __init__(self, attempt_id: str, place: str, writer: Writer, clock: Clock, open_attempts: set[str]) -> None:
        self._attempt_id = attempt_id
        self._place = place
        self._writer = writer
        self._clock = clock
        self._open_attempts = open_attempts

    async def record_exchange(self, exchange: Exchange) -> None:
        """Store an exchange. Raises StoreError when the attempt has one with the same ``t``."""
        self.check_open()
        row = rows.exchange_row(self._attempt_id, exchange, recorded_at=self._clock.now().isoformat())
        await self._writer.insert(f"exchange {exchange.t} of attempt {self._attempt_id!r}", [(schema.exchanges, row)])

    async def record_turn(self, failures: Sequence[Failure], events: Sequence[TargetEvent]) -> None:
        """Store what was found in a turn, all or none of it."""
        self.check_open()
        found = [(schema.failures, rows.failure_row(self._attempt_id, failure)) for failure in failures]
        changed = [(schema.target_events, rows.target_event_row(self._attempt_id, event)) for event in events]
        if found or changed:
            await self._writer.insert(f"findings of attempt {self._attempt_id!r}", [*found, *changed])

    async def record_score(self, score: DimensionScore) -> None:
        """Store a dimension score. Raises StoreError when the attempt has one of that dimension."""
        self.check_open()
        row = rows.score_row(self._attempt_id, score)
        what = f"the score of {score.dimension!r} of attempt {self._attempt_id!r}"
        await self._writer.insert(what, [(schema.dimension_scores, row)])

    def check_open(self) -> None:
        """Raise StoreError if the attempt was never started here, or has ended."""
        if self._attempt_id not in self._open_attempts:
            raise StoreError(
                f"{self._place}: attempt {self._attempt_id!r} is not open: never started here, finished or aborted; "
                "start a new attempt"
            )
