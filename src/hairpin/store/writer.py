"""The one thread of this process that writes to a database: it commits what is queued as one group.

It must not know what the rows mean. Nothing is reported as stored before it is committed.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, Table, insert
from sqlalchemy.exc import SQLAlchemyError

from hairpin.errors import StoreError
from hairpin.store.backend import Backend, Fault

R = TypeVar("R")
Row: TypeAlias = Mapping[str, str | int | float | None]

MAX_GROUP = 512
"""Items per transaction: bounds how long the first of a group waits for the last."""


class Writer:
    """Queues rows from any number of event loops and threads, and wakes each caller when its rows are committed.

    A caller that is cancelled while it waits does not take its rows back: they are stored all the same. When the
    database as a whole cannot be written (full, read-only, damaged, gone), everything queued and every later call
    fails with that same error; a lock held too long by another process fails only what waited for it.
    """

    def __init__(self, backend: Backend) -> None:
        """Connect and start the thread. Raises StoreError when there is no connection to be had."""
        self._backend = backend
        self._queue: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._lock = threading.Lock()  # between "is it closed?" and "put": nothing may be queued behind the end mark
        self._closed = False
        self._fault: _Failure | None = None
        try:
            self._connection = backend.engine.connect()
        except SQLAlchemyError as error:
            raise StoreError(f"{backend.place}: {backend.explain(error).says}") from error
        self._thread = threading.Thread(target=self._run, name=f"hairpin store {backend.place}", daemon=True)
        self._thread.start()

    async def insert(self, what: str, rows: Sequence[tuple[Table, Row]]) -> None:
        """Store ``rows``, all or none, and return when they are committed; ``what`` is what messages call them.

        Raises:
            StoreError: they are not stored.
        """
        await self._submit(what, tuple(rows), None)

    async def call(self, what: str, work: Callable[[Connection], R]) -> R:
        """Run ``work`` in the thread, inside a transaction, and return its result when it is committed.

        When another item of its group fails, ``work`` is undone and runs a second time, so it may do nothing but use
        the connection. What it raises reaches the caller, and nothing of it is stored.

        Raises:
            StoreError: it is not stored.
        """
        result: R = await self._submit(what, (), work)
        return result

    def close(self) -> None:
        """Store what is queued, then end the thread; blocks until it has ended. Closing twice is harmless."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    async def _submit(
        self, what: str, rows: tuple[tuple[Table, Row], ...], work: Callable[[Connection], object] | None
    ) -> Any:
        # A plain asyncio future, because a thread can settle many of them with one wake-up of the loop.
        loop = asyncio.get_running_loop()
        item = _Item(what, rows, work, loop, loop.create_future())
        with self._lock:
            if self._closed:
                raise StoreError(f"{self._backend.place}: {what} was not stored: the store is closed")
            if self._fault is not None:
                raise self._fault.error()
            self._queue.put(item)
        return await item.future

    def _run(self) -> None:
        try:
            for group in self._groups():
                _acknowledge(self._store(group))
            self._backend.tidy(self._connection)
        finally:
            self._connection.close()
            self._backend.engine.dispose()

    def _groups(self) -> Iterator[list[_Item]]:
        while (item := self._queue.get()) is not None:
            group = [item]
            while len(group) < MAX_GROUP:
                try:
                    following = self._queue.get_nowait()
                except queue.Empty:
                    break
                if following is None:
                    self._queue.put(None)
                    break
                group.append(following)
            yield group

    def _store(self, group: list[_Item]) -> list[_Settled]:
        if self._fault is not None:
            return [_Settled(item, error=self._fault.error()) for item in group]
        try:
            return self._commit(group)
        except BaseException as error:  # noqa: BLE001  # whatever happens, every waiting caller must get an answer
            return self._all_failed(group, error)

    def _commit(self, group: list[_Item]) -> list[_Settled]:
        self._backend.verify()
        try:
            return self._together(group)
        except Exception as error:
            if self._explain(error).whole:
                raise
        return self._singly(group)

    def _together(self, group: list[_Item]) -> list[_Settled]:
        with self._connection.begin():
            return _run_all(self._connection, group)

    def _singly(self, group: list[_Item]) -> list[_Settled]:
        """Store every item in a savepoint of its own, so that only the guilty one fails."""
        with self._connection.begin():
            return [self._alone(item) for item in group]

    def _alone(self, item: _Item) -> _Settled:
        try:
            with self._connection.begin_nested():
                return _run_all(self._connection, [item])[0]
        except Exception as error:
            fault = self._explain(error)
            if fault.whole:
                raise
            if isinstance(error, (SQLAlchemyError, OverflowError)):
                says = f"{self._backend.place}: {item.what} was not stored: {fault.says}"
                return _Settled(item, error=_Failure(says, error).error())
            return _Settled(item, error=error)

    def _explain(self, error: BaseException) -> Fault:
        # When a full disk ends the transaction by itself, what arrives is that its savepoint is gone; the reason is
        # the error before.
        faults = [self._backend.explain(each) for each in _chain(error) if isinstance(each, SQLAlchemyError)]
        return next((fault for fault in faults if fault.whole), faults[0] if faults else Fault(str(error)))

    def _all_failed(self, group: list[_Item], error: BaseException) -> list[_Settled]:
        fault = self._explain(error)
        failure = _Failure(self._say(error, fault), error)
        if fault.fatal if fault.whole else not isinstance(error, SQLAlchemyError):
            self._fault = failure
        return [_Settled(item, error=failure.error()) for item in group]

    def _say(self, error: BaseException, fault: Fault) -> str:
        if fault.whole:
            return f"{self._backend.place}: {fault.says}"
        if isinstance(error, StoreError):
            return str(error)
        if isinstance(error, SQLAlchemyError):
            return f"{self._backend.place}: nothing was stored: {fault.says}"
        return f"{self._backend.place}: the writer broke: {error!r}"


@dataclass(frozen=True, slots=True)
class _Item:
    """What one caller wants stored, and where its answer goes: ``rows``, or else ``work``."""

    what: str
    rows: tuple[tuple[Table, Row], ...]
    work: Callable[[Connection], object] | None
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


@dataclass(frozen=True, slots=True)
class _Settled:
    """The answer to an item."""

    item: _Item
    result: object = None
    error: BaseException | None = None

    def tell(self) -> None:
        """Answer the caller, unless it was cancelled meanwhile. Runs in the caller's loop."""
        if self.item.future.done():
            return
        if self.error is not None:
            self.item.future.set_exception(self.error)
        else:
            self.item.future.set_result(self.result)


@dataclass(frozen=True, slots=True)
class _Failure:
    """An error that several callers get, each its own copy (an exception carries the traceback of who raised it)."""

    says: str
    cause: BaseException

    def error(self) -> StoreError:
        """Return a new error."""
        error = StoreError(self.says)
        error.__cause__ = self.cause
        return error


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _run_all(connection: Connection, group: list[_Item]) -> list[_Settled]:
    """Store a group: plain rows of one table go together, and those queued before some work go before it."""
    settled: list[_Settled] = []
    waiting: dict[Table, list[Row]] = {}
    for item in group:
        if item.work is not None:
            _insert_all(connection, waiting)
            settled.append(_Settled(item, result=item.work(connection)))
            continue
        for table, row in item.rows:
            waiting.setdefault(table, []).append(row)
        settled.append(_Settled(item))
    _insert_all(connection, waiting)
    return settled


def _insert_all(connection: Connection, waiting: dict[Table, list[Row]]) -> None:
    for table, rows in waiting.items():
        connection.execute(insert(table), rows)
    waiting.clear()


def _acknowledge(settled: list[_Settled]) -> None:
    """Wake the callers, each event loop once."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Settled]] = {}
    for answer in settled:
        by_loop.setdefault(answer.item.loop, []).append(answer)
    for loop, answers in by_loop.items():
        # A loop that is closed has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_tell, answers)


def _tell(answers: list[_Settled]) -> None:
    for answer in answers:
        answer.tell()
