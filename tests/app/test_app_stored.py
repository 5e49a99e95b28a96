"""A stored run: everything is computed from its rows, also what models used."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from hairpin.app.stored import StoredRun
from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.domain.summary import to_json
from hairpin.store.directory import RunDirectory
from hairpin.store.reader import open_run
from hairpin.store.runs import create_store
from tests.store.store_values import StandingClock, a_plan, a_request, a_run, an_outcome, planned_as

pytestmark = pytest.mark.anyio


async def test_the_summary_counts_every_stored_request_whoever_it_was_for(tmp_path: Path) -> None:
    """Of an attempt that was given up, of one that counts, and of none: all of them were paid for."""
    directory = RunDirectory(tmp_path)
    with create_store(directory.database, clock=StandingClock()) as store:
        await store.create_run(a_run())
        await store.add_plan(a_plan(1))
        await store.record_request(a_request("canary"))
        for attempt_id in ("aborted", "counts"):
            await store.lease(planned_as("c0001"), attempt_id=attempt_id, worker="w", lease_s=60)
            await store.record_request(a_request(attempt_id, attempt_id=attempt_id))
            if attempt_id == "aborted":
                await store.abort_attempt(attempt_id, "interrupted")
        lost = {"outcome": CallOutcome.CONNECTION_LOST, "tokens": TokenCounts(), "cost_usd": None}
        await store.record_request(a_request("counts", 2, attempt_id="counts").model_copy(update=lost))
        await store.finish_attempt("counts", an_outcome())
    with closing(open_run(directory.database)) as reader:
        summary = StoredRun(directory, reader).summary()
    usage = json.loads(to_json(summary))["llm"]
    assert (usage["calls"], usage["attempts"], usage["prompt_tokens"]) == (3, 4, 3000)
    assert (usage["cost_usd"], usage["cost_known_usd"], usage["requests_without_usage"]) == (None, 0.0075, 1)
    assert usage["failed"] == {"connection_lost": 1}
