"""Answers of models kept in a file, to be used again for exactly the same question: off unless asked for.

It must not judge an answer: what is stored was found usable by whoever stores it. Errors are never stored.

SQLite in one daemon thread with a connection of its own; several processes may share a file. What goes wrong with the
file while a run goes on costs that run its cache, and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeVar

from pydantic import JsonValue, ValidationError
from structlog.typing import FilteringBoundLogger

from hairpin.errors import InvalidInputError
from hairpin.llm.completion import Completion, CompletionRequest

APPLICATION_ID: Final = 0x48504331
"""Marks the file as Hairpin's response cache, version 1 (SQLite's ``application_id``)."""

BUSY_TIMEOUT_S: Final = 10.0
_HINT: Final = "name a file on a local disk that may be written, or a new one; or leave the cache off"
R = TypeVar("R")


def cache_key(
    request: CompletionRequest,
    *,
    endpoint: str,
    model: str,
    parameters: Mapping[str, JsonValue],
    repeat: int,
    draft: int = 0,
) -> str:
    """Return the digest of everything that an answer depends on, as 64 hexadecimal digits.

    Args:
        request: messages, response format and output cap.
        endpoint: where it goes, without credentials.
        model: as it is asked for.
        parameters: what the user has set, as it is sent.
        repeat: which repeat of the conversation asks, so that repeats get answers of their own.
        draft: how many answers to this question were thrown away before; those are not served again.
    """
    rest = [endpoint, model, parameters, request.response_format, request.output_tokens, repeat, draft]
    digest = hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode())
    for message in request.messages:
        text = message.text.encode("utf-8", "surrogatepass")
        # The length keeps apart what would else run together.
        digest.update(f"\0{message.role}\0{len(text)}\0".encode())
        digest.update(text)
    return digest.hexdigest()


class ResponseCache:
    """A cache file, open. Close it at the end; an answer that is still on its way into the file is waited for."""

    def __init__(self, path: Path, connection: sqlite3.Connection, log: FilteringBoundLogger) -> None:
        self._path = path
        self._log = log
        self._connection = connection
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._closed = False
        self._broken = False
        self._thread = threading.Thread(target=self._run, name=f"hairpin response cache {path}", daemon=True)
        self._thread.start()

    @classmethod
    def open(cls, path: Path, *, log: FilteringBoundLogger, busy_timeout_s: float = BUSY_TIMEOUT_S) -> ResponseCache:
        """Open the cache at ``path``, or make a new one; blocks shortly. ``log`` hears of later trouble with the file.

        Raises:
            InvalidInputError: no folder, a file of something else, damaged, or it cannot be written.
        """
        return cls(path, _opened(path, busy_timeout_s), log)

    async def get(self, key: str) -> Completion | None:
        """Return the answer stored under ``key``, or ``None``."""
        text = await self._submit(lambda: self._read(key), None)
        if text is None:
            return None
        try:
            return _from_json(text)
        except ValueError:
            self._log.warning("an entry of the response cache cannot be read and is made anew", path=str(self._path))
            return None

    async def put(self, key: str, completion: Completion) -> None:
        """Store a usable answer; returns when it is in the file. The last one stored under a key counts."""
        text = _as_json(completion)
        await self._submit(lambda: self._write(key, text), None)

    def close(self) -> None:
        """Store what is queued, then close the file; blocks until that is done. Closing twice is harmless."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        self._thread.join()

    async def _submit(self, work: Callable[[], R], otherwise: R) -> R:
        """Do ``work`` in the thread; ``otherwise`` when the file has failed, now or before."""
        if self._closed or self._broken:
            return otherwise
        loop = asyncio.get_running_loop()
        future: asyncio.Future[R] = loop.create_future()

        def job() -> None:
            result = otherwise
            try:
                result = work()
            except sqlite3.Error as error:
                self._give_up(error)
            with contextlib.suppress(RuntimeError):  # a loop that is closed has nobody left who waits
                loop.call_soon_threadsafe(_answer, future, result)

        self._jobs.put(job)
        return await future

    def _run(self) -> None:
        with contextlib.closing(self._connection):
            while (job := self._jobs.get()) is not None:
                job()

    def _give_up(self, error: sqlite3.Error) -> None:
        if not self._broken:
            self._broken = True
            self._log.warning(
                "the response cache failed and is off from now on", path=str(self._path), error=str(error)
            )

    def _read(self, key: str) -> str | None:
        found = self._connection.execute("SELECT completion FROM responses WHERE key = ?", (key,)).fetchone()
        return None if found is None else str(found[0])

    def _write(self, key: str, text: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO responses (key, completion) VALUES (?, ?)", (key, text))


def check_cache(path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
    """Check that the cache at ``path`` can be opened; where nothing is, a new one is made.

    Raises:
        InvalidInputError: no folder, a file of something else, damaged, or it cannot be written.
    """
    _opened(path, busy_timeout_s).close()


def _answer(future: asyncio.Future[R], result: R) -> None:
    if not future.done():
        future.set_result(result)


def _as_json(completion: Completion) -> str:
    try:
        return completion.model_dump_json()
    except ValueError:  # lone surrogates, which UTF-8 cannot carry, become escapes
        return json.dumps(completion.model_dump(mode="json"))


def _from_json(text: str) -> Completion:
    try:
        return Completion.model_validate_json(text)
    except ValidationError:  # pydantic's parser refuses lone surrogates, Python's reads them
        return Completion.model_validate(json.loads(text))


def _opened(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    """Return a connection to the cache at ``path``; raises InvalidInputError when it does not do."""
    if path.is_dir() or not path.parent.is_dir():
        what = "is a folder" if path.is_dir() else "lies in a folder that does not exist"
        raise InvalidInputError(f"the response cache {str(path)!r} {what}", where="response cache", hint=_HINT)
    try:
        return _connect(path, busy_timeout_s)
    except sqlite3.Error as error:
        what = f"the response cache {str(path)!r} cannot be used: {error}"
        raise InvalidInputError(what, where="response cache", hint=_HINT) from error


def _connect(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    """Return a connection to a file that is a response cache, or was nothing before.

    Raises:
        sqlite3.Error: it is of something else, or does not do.
    """
    connection = sqlite3.connect(path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("BEGIN IMMEDIATE")  # two processes may make the same file at once; and it must be writable
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (n_tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != APPLICATION_ID and (application or n_tables):
            raise sqlite3.DatabaseError("it is a database of something else, or of another version")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("CREATE TABLE IF NOT EXISTS responses (key TEXT PRIMARY KEY, completion TEXT NOT NULL)")
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection
