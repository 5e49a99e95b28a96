"""Leases: who may work at a conversation, and what becomes of the attempts of those who are gone."""

from __future__ import annotations

import pytest

from hairpin.domain.outcome import Verdict
from hairpin.errors import StoreError
from hairpin.ports import RunStore
from hairpin.store.attempts import LEASE_EXPIRED, STARTED_AGAIN, LeaseHeldError
from hairpin.store.runs import SqlRunStore
from tests.store.places import Place
from tests.store.store_values import StandingClock, a_plan, a_run, an_exchange, an_outcome

pytestmark = pytest.mark.anyio


@pytest.fixture
async def begun(store: SqlRunStore) -> SqlRunStore:
    await store.create_run(a_run())
    return store


async def lease(store: RunStore, attempt_id: str, *, index: int = 0, worker: str = "w1") -> None:
    await store.lease(a_plan(1, start=index)[0], attempt_id=attempt_id, worker=worker, lease_s=60)


async def test_leasing_plans_what_is_not_planned_yet(begun: SqlRunStore) -> None:
    await lease(begun, "a1", index=4)
    await begun.log("a1").record_exchange(an_exchange())
    assert [(record.planned, record.attempts) for record in begun.conversations()] == [(a_plan(1, start=4)[0], 1)]


async def test_leasing_what_is_planned_adds_an_attempt(begun: SqlRunStore) -> None:
    await begun.add_plan(a_plan(1))
    await lease(begun, "a1")
    await begun.abort_attempt("a1", "interrupted")
    await lease(begun, "a2")
    assert begun.conversation("c0001").attempts == 2


async def test_a_refused_lease_plans_nothing(begun: SqlRunStore) -> None:
    await lease(begun, "a1")
    with pytest.raises(StoreError, match="the lease of conversation 'c0002' for attempt 'a1' was not stored"):
        await lease(begun, "a1", index=1)
    assert [record.planned.id for record in begun.conversations()] == ["c0001"]


@pytest.mark.parametrize("change", [{"id": "other"}, {"index": 7}, {"rng_seed": 99}, {"id": "c0002"}])
async def test_another_conversation_of_one_index_or_id_is_refused(
    begun: SqlRunStore, change: dict[str, object]
) -> None:
    await begun.add_plan(a_plan(2))
    other = a_plan(1)[0].model_copy(update=change)
    with pytest.raises(StoreError, match=r"is not what is planned there: .*'c000[12]' as number [01]"):
        await begun.lease(other, attempt_id="a1", worker="w1", lease_s=60)


async def test_a_plan_that_something_else_changed_is_named(begun: SqlRunStore, place: Place) -> None:
    await begun.add_plan(a_plan(1))
    place.query("UPDATE plan SET value = '{}'")
    with pytest.raises(StoreError, match=place.called + "table plan holds a row that cannot be read"):
        await lease(begun, "a1")


async def test_a_conversation_with_its_outcome_is_not_run_again(begun: SqlRunStore) -> None:
    await lease(begun, "a1")
    await begun.finish_attempt("a1", an_outcome())
    with pytest.raises(StoreError, match="'c0001' has its outcome already"):
        await lease(begun, "a2")
    assert begun.conversation("c0001").attempts == 1


async def test_who_takes_an_expired_lease_over_ends_its_attempt(
    begun: SqlRunStore, clock: StandingClock, place: Place
) -> None:
    await lease(begun, "a1")
    clock.pass_s(59)
    with pytest.raises(LeaseHeldError, match="worker 'w1' is busy"):
        await lease(begun, "a2", worker="w2")
    clock.pass_s(1)
    await lease(begun, "a2", worker="w2")
    assert place.query("SELECT attempt_id, detail FROM aborts") == [("a1", LEASE_EXPIRED)]
    assert place.query("SELECT attempt_id FROM leases") == [("a2",)]


async def test_a_worker_that_starts_again_ends_its_own_attempt(begun: SqlRunStore, place: Place) -> None:
    await lease(begun, "a1")
    await lease(begun, "a2")
    assert place.query("SELECT attempt_id, detail FROM aborts") == [("a1", STARTED_AGAIN)]


async def test_an_outcome_that_comes_after_the_take_over_is_kept_and_does_not_count(
    begun: SqlRunStore, clock: StandingClock, place: Place
) -> None:
    await lease(begun, "slow")
    clock.pass_s(61)
    await lease(begun, "fast", worker="w2")
    assert await begun.finish_attempt("slow", an_outcome(Verdict.FAIL)) is False
    assert await begun.finish_attempt("fast", an_outcome(Verdict.PASS)) is True
    assert place.query("SELECT attempt_id, accepted FROM outcomes") == [("slow", 0), ("fast", 1)]


async def test_a_renewed_lease_lives_on(begun: SqlRunStore, clock: StandingClock) -> None:
    await lease(begun, "a1")
    await lease(begun, "a2", index=1)
    clock.pass_s(50)
    await begun.renew_leases(["a1"], lease_s=60)
    clock.pass_s(50)
    await lease(begun, "a3", index=1, worker="w2")
    with pytest.raises(LeaseHeldError):
        await lease(begun, "a4", worker="w2")


async def test_renewing_brings_no_lost_lease_back(begun: SqlRunStore, clock: StandingClock, place: Place) -> None:
    await lease(begun, "a1")
    clock.pass_s(61)
    await lease(begun, "a2", worker="w2")
    await begun.renew_leases(["a1"], lease_s=600)
    await begun.renew_leases([], lease_s=600)
    assert place.query("SELECT attempt_id, expires_at_s FROM leases") == [("a2", clock.now().timestamp() + 60)]


async def test_open_attempts_are_given_up_and_only_those(begun: SqlRunStore, place: Place) -> None:
    for number in range(4):
        await lease(begun, f"a{number}", index=number)
    await begun.finish_attempt("a0", an_outcome())
    await begun.abort_attempt("a1", "interrupted")
    assert await begun.abort_open_attempts("its process is gone") == 2
    assert await begun.abort_open_attempts("again") == 0
    gone = [("a1", "interrupted"), ("a2", "its process is gone"), ("a3", "its process is gone")]
    assert place.query("SELECT attempt_id, detail FROM aborts ORDER BY attempt_id") == gone
    assert place.query("SELECT * FROM leases") == []
    with pytest.raises(StoreError, match="attempt 'a2' is not open"):
        begun.log("a2")
