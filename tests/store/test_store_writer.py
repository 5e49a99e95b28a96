"""The writer thread: groups, acknowledgements, failures of one and failures of all."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
from anyio.abc import TaskGroup
from sqlalchemy import Connection, event, insert
from sqlalchemy.exc import SQLAlchemyError

from hairpin.errors import StoreError
from hairpin.store import schema, sqlite
from hairpin.store.sqlite import SqliteFile
from hairpin.store.writer import Row, Writer
from tests.store.store_values import query

pytestmark = pytest.mark.anyio


@pytest.fixture
def database(path: Path) -> SqliteFile:
    return sqlite.create_file(path, busy_timeout_s=0.2)


@pytest.fixture
def writer(database: SqliteFile) -> Iterator[Writer]:
    opened = Writer(database)
    yield opened
    opened.close()


def run_row(run_id: str) -> Row:
    return {"run_id": run_id, "name": "n", "created_at": "", "fingerprint": "", "value": "{}"}


async def add(writer: Writer, run_id: str) -> None:
    await writer.insert(f"run {run_id!r}", [(schema.runs, run_row(run_id))])


def stored(path: Path) -> list[str]:
    return [run_id for (run_id,) in query(path, "SELECT run_id FROM runs ORDER BY rowid")]


class Hold:
    """Keeps the writer busy until let go, so that what comes next is queued; may then set the connection up."""

    def __init__(self, writer: Writer, setting: str | None = None) -> None:
        self._writer = writer
        self._setting = setting
        self._began = threading.Event()
        self._go = threading.Event()

    async def begin(self, tasks: TaskGroup) -> None:
        tasks.start_soon(self._writer.call, "a hold", self._wait)
        await anyio.to_thread.run_sync(self._began.wait, abandon_on_cancel=True)

    def let_go(self) -> None:
        self._go.set()

    def _wait(self, connection: Connection) -> None:
        self._began.set()
        self._go.wait(30)
        if self._setting is not None:
            connection.exec_driver_sql(self._setting).close()


def counted(database: SqliteFile, name: str) -> list[int]:
    """Collect one entry for every event of this name, begin or commit, of the database."""
    seen: list[int] = []
    event.listen(database.engine, name, lambda connection: seen.append(1))
    return seen


async def queue_behind_a_hold(writer: Writer, *queued: Callable[[], object], setting: str | None = None) -> None:
    hold = Hold(writer, setting)
    async with anyio.create_task_group() as tasks:
        await hold.begin(tasks)
        for start in queued:
            tasks.start_soon(start)  # type: ignore[arg-type]  # they are coroutine functions
        await anyio.wait_all_tasks_blocked()
        hold.let_go()


async def test_what_is_queued_is_committed_as_one_group(writer: Writer, database: SqliteFile, path: Path) -> None:
    commits = counted(database, "commit")
    await queue_behind_a_hold(writer, *[lambda n=n: add(writer, f"r{n}") for n in range(50)])
    assert len(commits) == 2, "one for the hold, one for all fifty"
    assert stored(path) == [f"r{n}" for n in range(50)]


async def test_a_group_is_no_larger_than_the_limit(
    writer: Writer, database: SqliteFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hairpin.store.writer.MAX_GROUP", 20)
    commits = counted(database, "commit")
    await queue_behind_a_hold(writer, *[lambda n=n: add(writer, f"r{n}") for n in range(50)])
    assert len(commits) == 1 + 3
    assert stored(path) == [f"r{n}" for n in range(50)]


async def test_rows_are_there_for_everybody_when_the_call_returns(writer: Writer, path: Path) -> None:
    for n in range(5):
        await add(writer, f"r{n}")
        assert stored(path)[-1] == f"r{n}"


async def test_a_call_returns_what_its_work_returns(writer: Writer) -> None:
    assert await writer.call("a sum", lambda connection: connection.exec_driver_sql("SELECT 1 + 2").scalar()) == 3


async def test_work_sees_the_rows_queued_before_it(writer: Writer) -> None:
    seen: list[int] = []

    async def count() -> None:
        def work(connection: Connection) -> int:
            return int(connection.exec_driver_sql("SELECT count(*) FROM runs").scalar_one())

        seen.append(await writer.call("a count", work))

    await queue_behind_a_hold(writer, lambda: add(writer, "r1"), lambda: add(writer, "r2"), count)
    assert seen == [2]


async def test_a_row_that_is_refused_fails_its_caller_and_nobody_else(writer: Writer, path: Path) -> None:
    await add(writer, "twice")
    refused: list[str] = []

    async def add_again() -> None:
        with pytest.raises(StoreError) as caught:
            await add(writer, "twice")
        refused.append(str(caught.value))

    await queue_behind_a_hold(writer, lambda: add(writer, "before"), add_again, lambda: add(writer, "after"))
    assert refused == [f"{path}: run 'twice' was not stored: UNIQUE constraint failed: runs.run_id"]
    assert stored(path) == ["twice", "before", "after"]


async def test_rows_of_one_call_are_stored_all_or_none(writer: Writer, path: Path) -> None:
    with pytest.raises(StoreError, match="was not stored"):
        await writer.insert("a pair", [(schema.runs, run_row("r1")), (schema.runs, run_row("r1"))])
    assert stored(path) == []


async def test_a_number_too_large_for_the_database_fails_its_caller(writer: Writer, path: Path) -> None:
    await add(writer, "r1")
    state: Row = {"run_id": "r1", "status": "", "detail": "", "elapsed_s": 0, "recorded_at": "", "row_number": 2**70}
    with pytest.raises(StoreError, match="too large"):
        await writer.insert("a state", [(schema.run_states, state)])
    await add(writer, "r2")
    assert stored(path) == ["r1", "r2"]


async def test_what_the_work_raises_reaches_its_caller_and_leaves_nothing_behind(writer: Writer, path: Path) -> None:
    def work(connection: Connection) -> None:
        connection.execute(insert(schema.runs), run_row("half"))
        raise LookupError("no such thing")

    with pytest.raises(LookupError, match="no such thing"):
        await writer.call("some work", work)
    await add(writer, "r1")
    assert stored(path) == ["r1"]


async def test_a_cancelled_caller_neither_loses_its_row_nor_breaks_the_writer(writer: Writer, path: Path) -> None:
    hold = Hold(writer)
    async with anyio.create_task_group() as outer:
        await hold.begin(outer)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(add, writer, "cancelled")
            await anyio.wait_all_tasks_blocked()
            tasks.cancel_scope.cancel()
        hold.let_go()
    await add(writer, "next")
    assert stored(path) == ["cancelled", "next"]


async def test_a_loop_that_has_ended_meanwhile_does_not_stop_the_others(writer: Writer, path: Path) -> None:
    async def give_up() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(add, writer, "left behind")
            await anyio.wait_all_tasks_blocked()
            tasks.cancel_scope.cancel()

    hold = Hold(writer)
    async with anyio.create_task_group() as tasks:
        await hold.begin(tasks)
        await anyio.to_thread.run_sync(anyio.run, give_up)
        hold.let_go()
    await add(writer, "next")
    assert stored(path) == ["left behind", "next"]


def test_several_event_loops_write_at_once(writer: Writer, path: Path) -> None:
    async def write(name: str) -> None:
        async with anyio.create_task_group() as tasks:
            for n in range(20):
                tasks.start_soon(add, writer, f"{name}{n}")

    threads = [threading.Thread(target=anyio.run, args=(write, name)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(stored(path)) == sorted(f"{name}{n}" for name in "ab" for n in range(20))


async def test_the_event_loop_goes_on_while_the_writer_is_busy(path: Path, writer: Writer) -> None:
    """Were the loop blocked, nobody could let the writer go."""
    await queue_behind_a_hold(writer, lambda: add(writer, "r1"))
    assert stored(path) == ["r1"]


async def test_a_lock_held_for_a_while_is_waited_for(path: Path, writer: Writer) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        async with anyio.create_task_group() as tasks:
            other.execute("BEGIN IMMEDIATE")
            tasks.start_soon(add, writer, "r1")
            await anyio.sleep(0.05)
            other.execute("COMMIT")
    assert stored(path) == ["r1"]


async def test_a_lock_held_too_long_fails_those_who_waited_and_only_them(path: Path, writer: Writer) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(
            StoreError, match=r"another process holds the database locked, .*nothing was stored"
        ) as caught:
            await add(writer, "r1")
        other.execute("COMMIT")
    assert str(path) in str(caught.value)
    await add(writer, "r2")
    assert stored(path) == ["r2"]


async def test_a_full_disk_fails_everything_from_then_on_with_the_same_words(path: Path, writer: Writer) -> None:
    await add(writer, "r1")
    await writer.call("a limit", lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 1").scalar())
    big = {**run_row("big"), "value": "x" * 100_000}
    said: list[str] = []
    for row in (big, run_row("small")):
        with pytest.raises(StoreError) as caught:
            await writer.insert("a run", [(schema.runs, row)])
        said.append(str(caught.value))
    assert said[0] == said[1]
    assert said[0].startswith(f"{path}: the disk is full; free some space")
    assert stored(path) == ["r1"]


@pytest.mark.parametrize("max_group", [1, 512])
async def test_everybody_queued_hears_of_a_fatal_error_by_an_exception_of_its_own(
    path: Path, writer: Writer, max_group: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hairpin.store.writer.MAX_GROUP", max_group)
    errors: list[StoreError] = []

    async def fail(run_id: str) -> None:
        try:
            await add(writer, run_id)
        except StoreError as error:
            errors.append(error)

    await queue_behind_a_hold(writer, *[lambda n=n: fail(f"r{n}") for n in range(3)], setting="PRAGMA query_only = 1")
    assert len({id(error) for error in errors}) == 3
    assert all("read-only" in str(error) for error in errors)
    assert stored(path) == []


async def test_a_transaction_that_was_lost_is_not_reported_as_stored(path: Path, writer: Writer) -> None:
    """SQLite may roll back by itself; the driver's commit() says nothing then."""

    def lose(connection: Connection) -> None:
        connection.execute(insert(schema.runs), run_row("lost"))
        connection.exec_driver_sql("ROLLBACK")

    with pytest.raises(StoreError, match="no transaction is active"):
        await writer.call("a run", lose)
    await add(writer, "next")
    assert stored(path) == ["next"]


async def test_work_that_wraps_an_error_of_the_whole_database_does_not_hide_it(path: Path, writer: Writer) -> None:
    def wrap(connection: Connection) -> None:
        try:
            connection.execute(insert(schema.runs), {**run_row("big"), "value": "x" * 100_000})
        except SQLAlchemyError as error:
            raise LookupError("no such thing") from error

    await writer.call("a limit", lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 1").scalar())
    with pytest.raises(StoreError, match="the disk is full"):
        await writer.call("a run", wrap)
    with pytest.raises(StoreError, match="the disk is full"):
        await add(writer, "next")


async def test_a_disk_that_fills_up_while_rows_are_tried_one_by_one_fails_them_all(path: Path, writer: Writer) -> None:
    """Of a group tried singly some rows were already in: none of them may count as stored."""
    await add(writer, "twice")
    big = {**run_row("big"), "value": "x" * 100_000}
    said: list[str] = []

    async def fail(row: Row) -> None:
        with pytest.raises(StoreError) as caught:
            await writer.insert("a run", [(schema.runs, row)])
        said.append(str(caught.value))

    rows = (run_row("twice"), run_row("small"), big, run_row("late"))
    starts = [lambda row=row: fail(row) for row in rows]
    await queue_behind_a_hold(writer, *starts, setting="PRAGMA max_page_count = 1")
    assert len(said) == 4
    assert all("the disk is full" in text for text in said)
    assert stored(path) == ["twice"]


async def test_rows_are_never_written_to_a_file_that_nobody_will_find(path: Path, writer: Writer) -> None:
    await add(writer, "r1")
    await anyio.Path(path).rename(path.with_name("moved.sqlite"))
    for run_id in ("r2", "r3"):
        with pytest.raises(StoreError, match=r"run\.sqlite: moved, deleted or replaced"):
            await add(writer, run_id)


async def test_an_error_in_the_thread_itself_answers_every_caller(writer: Writer) -> None:
    def work(_: Connection) -> None:
        raise SystemExit("from inside")

    for _ in range(2):
        with pytest.raises(StoreError, match="the writer broke"):
            await writer.call("some work", work)


async def refused(writer: Writer) -> None:
    """Return once the writer takes nothing more."""
    while True:
        with anyio.move_on_after(0.01):
            try:
                await writer.insert("nothing", [])
            except StoreError:
                return


async def test_closing_stores_what_is_queued(database: SqliteFile, path: Path) -> None:
    writer = Writer(database)
    hold = Hold(writer)
    async with anyio.create_task_group() as tasks:
        await hold.begin(tasks)
        for n in range(3):
            tasks.start_soon(add, writer, f"r{n}")
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(anyio.to_thread.run_sync, writer.close)
        await refused(writer)
        hold.let_go()
    assert stored(path) == ["r0", "r1", "r2"]


async def test_a_closed_writer_refuses_and_its_thread_is_gone(database: SqliteFile, path: Path) -> None:
    before = threading.active_count()
    writer = Writer(database)
    writer.close()
    writer.close()
    assert threading.active_count() == before
    with pytest.raises(StoreError, match=r"run\.sqlite: run 'r1' was not stored: the store is closed"):
        await add(writer, "r1")


async def test_a_closed_run_is_one_file(database: SqliteFile, path: Path) -> None:
    writer = Writer(database)
    await add(writer, "r1")
    assert len(list(path.parent.iterdir())) == 3, "while it is open a log and an index stand beside it"
    writer.close()
    assert list(path.parent.iterdir()) == [path]


async def test_closing_while_somebody_reads_loses_nothing_and_does_not_wait(database: SqliteFile, path: Path) -> None:
    writer = Writer(database)
    await add(writer, "r1")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        assert other.execute("SELECT run_id FROM runs").fetchall() == [("r1",)]
        writer.close()
        assert other.execute("SELECT run_id FROM runs").fetchall() == [("r1",)]
    assert stored(path) == ["r1"]


def test_a_file_that_is_gone_before_the_writer_starts_is_refused(database: SqliteFile, path: Path) -> None:
    path.unlink()
    with pytest.raises(StoreError, match=r"run\.sqlite: cannot be opened; is the folder there"):
        Writer(database)
