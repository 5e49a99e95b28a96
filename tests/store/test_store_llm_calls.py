"""Requests to models in the store: each one a row, whoever it was for and however it ended."""

from __future__ import annotations

from contextlib import closing

import anyio
import pytest
from hypothesis import given

from hairpin.domain.llm_calls import CallOutcome, LlmRequest, TokenCounts
from hairpin.errors import StoreError
from hairpin.ports import LlmRequestLog, RunStore
from hairpin.store.codec import from_json
from hairpin.store.rows import llm_call_row
from hairpin.store.runs import SqlRunStore
from tests.store.places import Place
from tests.store.store_values import a_plan, a_request, a_run, an_exchange, an_outcome, planned_as, request_values

pytestmark = pytest.mark.anyio


@pytest.fixture
async def planned(store: SqlRunStore) -> SqlRunStore:
    await store.create_run(a_run())
    await store.add_plan(a_plan(2))
    return store


async def test_requests_come_back_whole_and_in_the_order_in_which_they_ended(planned: SqlRunStore) -> None:
    port: RunStore = planned
    log: LlmRequestLog = planned
    sent = [a_request("k2", 1), a_request("k1", 2), a_request("k1", 1)]
    for request in sent:
        await log.record_request(request)
    assert list(port.llm_requests()) == sent


async def test_an_attempt_that_has_ended_still_gets_its_last_requests(planned: SqlRunStore, place: Place) -> None:
    """A request that was cancelled with its conversation is recorded after the outcome."""
    for attempt_id, conversation_id in (("finished", "c0001"), ("aborted", "c0002")):
        await planned.lease(planned_as(conversation_id), attempt_id=attempt_id, worker="w", lease_s=60)
        await planned.record_request(a_request(f"early {attempt_id}", attempt_id=attempt_id))
    await planned.finish_attempt("finished", an_outcome())
    await planned.abort_attempt("aborted", "interrupted")
    for attempt_id in ("finished", "aborted"):
        await planned.record_request(a_request(f"late {attempt_id}", attempt_id=attempt_id))
    counts = place.query("SELECT attempt_id, count(*) FROM llm_calls GROUP BY attempt_id ORDER BY attempt_id")
    assert counts == [("aborted", 2), ("finished", 2)]


async def test_a_request_for_no_conversation_has_no_attempt(planned: SqlRunStore, place: Place) -> None:
    await planned.record_request(a_request())
    assert place.query("SELECT attempt_id, purpose, run_id FROM llm_calls") == [(None, "canary", "r1")]


async def test_a_request_for_an_attempt_that_never_was_is_refused(planned: SqlRunStore) -> None:
    with pytest.raises(
        StoreError, match=r"request 1 of call 'k1' to judge-1 was not stored: .*(FOREIGN KEY|foreign key)"
    ):
        await planned.record_request(a_request(attempt_id="ghost"))
    assert list(planned.llm_requests()) == []


async def test_tokens_and_money_can_be_folded_in_sql_and_unknown_stays_unknown(
    planned: SqlRunStore, place: Place
) -> None:
    unknown = {"outcome": CallOutcome.TIMED_OUT, "tokens": TokenCounts(), "cost_usd": None}
    await planned.record_request(a_request("k1", 1).model_copy(update=unknown))
    await planned.record_request(a_request("k1", 2))
    fold = (
        "SELECT outcome, prompt_tokens, completion_tokens, cached_prompt_tokens, cost_usd, latency_ms, "
        f"{place.json('value', 'mode')} FROM llm_calls ORDER BY number"
    )
    assert place.query(fold) == [
        ("timed_out", None, None, None, None, 812.5, "json_object"),
        ("ok", 1000, 50, None, 0.0025, 812.5, "json_object"),
    ]


async def test_a_long_answer_with_any_characters_is_kept_whole(planned: SqlRunStore) -> None:
    answer = "\ud800\0<think>" + "ﬂ" * 300_000
    request = a_request().model_copy(update={"outcome": CallOutcome.NO_ANSWER, "answer": answer, "detail": "\udcff"})
    await planned.record_request(request)
    assert list(planned.llm_requests()) == [request]


async def test_a_number_that_no_column_holds_is_kept_in_the_value(planned: SqlRunStore, place: Place) -> None:
    request = a_request().model_copy(update={"tokens": TokenCounts(prompt_tokens=10**30, completion_tokens=7)})
    await planned.record_request(request)
    assert list(planned.llm_requests()) == [request]
    assert place.query("SELECT prompt_tokens, completion_tokens FROM llm_calls") == [(None, 7)]


async def test_requests_are_read_in_chunks_while_more_are_written(
    planned: SqlRunStore, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hairpin.store.reader.REQUEST_CHUNK", 2)
    for number in range(1, 4):
        await planned.record_request(a_request(number=number))
    with closing(place.reader()) as reader:
        requests = reader.llm_requests()
        assert next(requests).number == 1
        await planned.record_request(a_request(number=4))
        assert [request.number for request in requests] == [2, 3, 4]


async def test_the_requests_of_one_conversation_are_those_of_all_its_attempts(
    planned: SqlRunStore, place: Place
) -> None:
    for attempt_id, conversation_id in (("a1", "c0001"), ("b1", "c0002"), ("a2", "c0001")):
        await planned.lease(planned_as(conversation_id), attempt_id=attempt_id, worker="w", lease_s=60)
        await planned.record_request(a_request(attempt_id, attempt_id=attempt_id))
        await planned.abort_attempt(attempt_id, "interrupted")
    await planned.record_request(a_request("canary"))
    with closing(place.reader()) as reader:
        assert [request.call_id for request in reader.llm_requests("c0001")] == ["a1", "a2"]
        assert list(reader.llm_requests("c0009")) == []


async def test_many_requests_at_once_are_all_stored(planned: SqlRunStore) -> None:
    async def record(number: int) -> None:
        await planned.record_request(a_request(f"k{number}"))

    async with anyio.create_task_group() as tasks:
        for number in range(64):
            tasks.start_soon(record, number)
    assert {request.call_id for request in planned.llm_requests()} == {f"k{number}" for number in range(64)}


async def test_regenerations_of_an_utterance_stand_in_a_column(planned: SqlRunStore, place: Place) -> None:
    await planned.lease(planned_as("c0001"), attempt_id="a1", worker="w", lease_s=60)
    await planned.log("a1").record_exchange(an_exchange().model_copy(update={"regenerations": 2}))
    assert place.query("SELECT regenerations FROM exchanges") == [(2,)]
    assert [exchange.regenerations for exchange in planned.conversation("c0001").exchanges] == [2]


@given(request_values)
def test_every_request_survives_its_row_and_every_column_fits(request_value: LlmRequest) -> None:
    row = llm_call_row("r1", request_value)
    assert from_json(LlmRequest, str(row["value"])) == request_value
    assert all(abs(column) < 2**63 for column in row.values() if isinstance(column, int))
