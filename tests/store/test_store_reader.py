"""Reading a run: in plan order, in chunks, while it is written, and after somebody spoilt it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from hairpin.errors import StoreError, UnknownReferenceError
from hairpin.store import sqlite
from hairpin.store.reader import CHUNK, open_run
from hairpin.store.runs import SqlRunStore
from tests.store.places import Place, reader_over
from tests.store.store_values import a_failure, a_plan, a_run, a_score, an_event, an_exchange, an_outcome, planned_as

pytestmark = pytest.mark.anyio


async def converse(store: SqlRunStore, conversation_ids: Sequence[str]) -> None:
    for conversation_id in conversation_ids:
        attempt_id = f"attempt at {conversation_id}"
        await store.lease(planned_as(conversation_id), attempt_id=attempt_id, worker="w", lease_s=60)
        log = store.log(attempt_id)
        await log.record_exchange(an_exchange(user=conversation_id))
        await log.record_turn([a_failure()], [an_event()])
        await log.record_score(a_score())
        await store.finish_attempt(attempt_id, an_outcome())


async def test_conversations_come_in_plan_order_over_many_chunks(
    store: SqlRunStore, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hairpin.store.reader.CHUNK", 10)
    n_conversations = 21
    await store.create_run(a_run())
    await store.add_plan(a_plan(n_conversations)[::-1])
    await converse(store, [f"c{number:04d}" for number in range(n_conversations, 0, -2)])
    records = list(place.reader().conversations())
    assert [record.planned for record in records] == a_plan(n_conversations)
    assert [record.attempts for record in records] == [1, 0] * 10 + [1]
    for record in records[::2]:
        assert [exchange.user for exchange in record.exchanges] == [record.planned.id]


async def test_a_run_without_a_plan_has_no_conversations(store: SqlRunStore, place: Place) -> None:
    await store.create_run(a_run())
    assert list(place.reader().conversations()) == []


async def test_reading_holds_one_chunk_and_no_connection_in_between(file_store: SqlRunStore, path: Path) -> None:
    store = file_store
    await store.create_run(a_run())
    await store.add_plan(a_plan(2 * CHUNK))
    engine = sqlite.open_reader(path)
    held = open_connections(engine)
    records = reader_over(engine, path).conversations()
    first = list(islice(records, CHUNK))
    assert len(first) == CHUNK
    assert held == []
    await store.add_plan(a_plan(1, start=2 * CHUNK))
    assert len(list(records)) == CHUNK + 1, "the rest is read only when it is asked for"


def open_connections(engine: Engine) -> list[int]:
    held: list[int] = []
    event.listen(engine, "connect", lambda *_: held.append(1))
    event.listen(engine, "close", lambda *_: held.pop())
    return held


async def test_a_reader_that_pauses_stops_no_writer_and_sees_whole_conversations(
    store: SqlRunStore, place: Place
) -> None:
    await store.create_run(a_run())
    await store.add_plan(a_plan(CHUNK + 1))
    records = place.reader().conversations()
    assert next(records).exchanges == ()
    await converse(store, ["c0001", f"c{CHUNK + 1:04d}"])
    *_, last = records
    assert last.exchanges
    assert last.outcome == an_outcome()


async def test_one_conversation_is_found_by_its_id(store: SqlRunStore, place: Place) -> None:
    await store.create_run(a_run())
    await store.add_plan(a_plan(3))
    await converse(store, ["c0001", "c0002"])
    record = place.reader().conversation("c0002")
    assert record.planned == a_plan(3)[1]
    assert [exchange.user for exchange in record.exchanges] == ["c0002"]
    assert (record.failures, record.target_events, record.scores) == ((a_failure(),), (an_event(),), (a_score(),))


@pytest.mark.parametrize(
    ("asked", "message"), [("c001", "did you mean 'c0001'?"), ("zzz", "known: 'c0001', 'c0002'"), ("\udcff", "known:")]
)
async def test_an_unknown_conversation_is_named_with_the_nearest(
    store: SqlRunStore, place: Place, asked: str, message: str
) -> None:
    await store.create_run(a_run())
    await store.add_plan(a_plan(2))
    with pytest.raises(UnknownReferenceError) as caught:
        place.reader().conversation(asked)
    assert message in str(caught.value)
    assert re.match(place.called, str(caught.value))


async def test_a_row_that_something_else_changed_is_named(store: SqlRunStore, place: Place) -> None:
    await store.create_run(a_run())
    await store.add_plan(a_plan(1))
    await converse(store, ["c0001"])
    place.query("""UPDATE exchanges SET value = '{"t": "soon"}'""")
    with pytest.raises(StoreError, match=place.called + "table exchanges holds a row that cannot be read"):
        list(place.reader().conversations())


async def test_a_file_damaged_under_the_reader_is_a_store_error(store: SqlRunStore, place: Place) -> None:
    await store.create_run(a_run())
    await store.add_plan(a_plan(1))
    store.close()
    reader = place.reader()
    place.query("DROP TABLE plan" + place.cascade)
    with pytest.raises(
        StoreError, match=place.called + r"(no such table: plan|a table is missing; .*\"plan\" does not)"
    ):
        list(reader.conversations())


async def test_reading_changes_nothing_beside_the_file(file_store: SqlRunStore, path: Path) -> None:
    await file_store.create_run(a_run())
    file_store.close()
    before = path.read_bytes()  # noqa: ASYNC240  # a few kilobytes in a test
    reader = open_run(path)
    assert reader.run_info() == a_run()
    reader.close()
    assert path.read_bytes() == before  # noqa: ASYNC240  # the same
