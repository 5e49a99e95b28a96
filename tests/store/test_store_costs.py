"""What models cost per conversation: all attempts, exactly, and unknown where one request's price is."""

from __future__ import annotations

from contextlib import closing

import pytest

from hairpin.store.runs import SqlRunStore
from tests.store.places import Place
from tests.store.store_values import a_plan, a_request, a_run

pytestmark = pytest.mark.anyio


async def pay(store: SqlRunStore, index: int, costs: list[float | None]) -> None:
    for number, cost in enumerate(costs):
        attempt_id = f"a{index}-{number}"
        await store.lease(a_plan(1, start=index)[0], attempt_id=attempt_id, worker="w", lease_s=60)
        request = a_request(attempt_id, attempt_id=attempt_id).model_copy(update={"cost_usd": cost})
        await store.record_request(request)
        await store.abort_attempt(attempt_id, "interrupted")


async def test_costs_are_summed_over_attempts_exactly_and_unknown_stays_unknown(
    store: SqlRunStore, place: Place
) -> None:
    await store.create_run(a_run())
    await store.add_plan(a_plan(1))
    await pay(store, 1, [0.1] * 10)
    await pay(store, 2, [0.5, None, 0.25])
    await store.record_request(a_request("of no conversation"))
    with closing(place.reader()) as reader:
        assert reader.costs() == {"c0001": 0.0, "c0002": 1.0, "c0003": None}
        assert sum([0.1] * 10) != 1.0
        assert reader.conversation_ids() == ("c0001", "c0002", "c0003")
