"""The run store: what a run may do with its rows, in which order, and what it gets back."""

from __future__ import annotations

import re
import threading

import anyio
import pytest

from hairpin.domain.ballots import Ballot, Vote
from hairpin.domain.outcome import Verdict
from hairpin.domain.records import RunStatus
from hairpin.domain.reviews import SimulatorFault, SimulatorFaultKind, SimulatorReview
from hairpin.errors import StoreError
from hairpin.ports import ConversationLog, RunStore
from hairpin.store.attempts import LeaseHeldError
from hairpin.store.runs import SqlRunStore
from tests.store.places import Place
from tests.store.store_values import (
    StandingClock,
    a_failure,
    a_plan,
    a_run,
    a_score,
    an_event,
    an_exchange,
    an_outcome,
    planned_as,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def planned(store: SqlRunStore) -> SqlRunStore:
    await store.create_run(a_run())
    await store.add_plan(a_plan(3))
    return store


async def start(store: SqlRunStore, attempt_id: str, conversation_id: str = "c0001", worker: str = "w1") -> None:
    await store.lease(planned_as(conversation_id), attempt_id=attempt_id, worker=worker, lease_s=60)


async def test_a_whole_conversation_comes_back_as_it_was_recorded(planned: SqlRunStore) -> None:
    """Through the port, as the runner and the state machine use it."""
    port: RunStore = planned
    await port.lease(a_plan(1)[0], attempt_id="a1", worker="w1", lease_s=60)
    log: ConversationLog = port.log("a1")
    await log.record_turn([], [an_event()])
    exchanges = [an_exchange(t, user=f"Turn {t} 👩‍🔧") for t in range(3)]
    for exchange in exchanges:
        await log.record_exchange(exchange)
        await log.record_turn([a_failure(exchange.t)], [an_event(exchange.t)])
    await log.record_score(a_score())
    assert await port.finish_attempt("a1", an_outcome()) is True
    record = next(iter(port.conversations()))
    assert record.planned == a_plan(1)[0]
    assert record.attempts == 1
    assert list(record.exchanges) == exchanges
    assert [failure.t for failure in record.failures] == [0, 1, 2]
    assert [event.t for event in record.target_events] == [None, 0, 1, 2]
    assert record.scores == (a_score(),)
    assert record.outcome == an_outcome()
    assert record.review is None


async def test_the_votes_of_a_panel_come_back_by_exchange(planned: SqlRunStore, place: Place) -> None:
    await start(planned, "a1")
    votes = [
        Ballot(t=t, votes=(Vote(judge="a", said="nothing"), Vote(judge="b", said=said)))
        for t, said in ((1, "x"), (0, "nothing"))
    ]
    for ballot in votes:
        await planned.log("a1").record_ballot(ballot.t or 0, ballot)
    assert planned.conversation("c0001").ballots == (votes[1], votes[0])
    assert place.query("SELECT t, unanimous FROM turn_ballots ORDER BY t") == [(0, True), (1, False)]
    with pytest.raises(StoreError):
        await planned.log("a1").record_ballot(1, votes[0])


@pytest.mark.parametrize("faults", [(), (SimulatorFault(kind=SimulatorFaultKind.LEAK, t=1, evidence="“\ud800”"),)])
async def test_a_review_of_the_simulated_user_comes_back_with_its_conversation(
    planned: SqlRunStore, place: Place, faults: tuple[SimulatorFault, ...]
) -> None:
    review = SimulatorReview(reasoning="looked at", faults=faults)
    await start(planned, "a1")
    await planned.log("a1").record_review(review)
    assert planned.conversation("c0001").review == review
    assert place.query("SELECT spoiled FROM simulator_reviews") == [(bool(faults),)]
    with pytest.raises(StoreError):
        await planned.log("a1").record_review(review)


async def test_findings_keep_the_order_in_which_they_were_recorded(planned: SqlRunStore) -> None:
    await start(planned, "a1")
    found = [a_failure(t, mode) for t, mode in ((2, "b"), (2, "a"), (0, "c"))]
    changed = [an_event(t, target_id) for t, target_id in ((None, "g2"), (None, "g1"), (1, "g3"))]
    log = planned.log("a1")
    await log.record_turn(found[:2], changed[:2])
    await log.record_turn([], [])
    await log.record_turn(found[2:], changed[2:])
    record = planned.conversation("c0001")
    assert list(record.failures) == found
    assert list(record.target_events) == changed


async def test_exchanges_come_back_by_their_number(planned: SqlRunStore) -> None:
    await start(planned, "a1")
    for t in (1, 0, 2):
        await planned.log("a1").record_exchange(an_exchange(t))
    assert [exchange.t for exchange in planned.conversation("c0001").exchanges] == [0, 1, 2]


async def test_the_columns_beside_the_value_can_be_folded_in_sql(planned: SqlRunStore, place: Place) -> None:
    await start(planned, "a1")
    log = planned.log("a1")
    await log.record_exchange(an_exchange(1))
    await log.record_turn([a_failure(1)], [])
    await planned.finish_attempt("a1", an_outcome(Verdict.FAIL))
    fold = (
        "SELECT o.verdict, o.success_score, f.mode, f.target_id, e.strategy, " + place.json("e.value", "user") + " "
        "FROM outcomes o JOIN failures f USING (attempt_id) JOIN exchanges e USING (attempt_id, t) WHERE o.accepted"
    )
    assert place.query(fold) == [
        ("fail", 0.875, "constraint_missed", "g1", "constraint_stacking", "Take me home"),
    ]


async def test_ids_of_any_text_are_stored_as_escapes_and_still_join(planned: SqlRunStore) -> None:
    await start(planned, "a\ud800\0")
    await planned.log("a\ud800\0").record_exchange(an_exchange(user="\ud800\0"))
    assert planned.conversation("c0001").exchanges == (an_exchange(user="\ud800\0"),)


async def test_the_first_outcome_is_the_accepted_one(planned: SqlRunStore, clock: StandingClock) -> None:
    """A worker that was thought dead may still finish; what counts is who was first."""
    await start(planned, "slow", worker="w1")
    await planned.log("slow").record_exchange(an_exchange(user="slow"))
    clock.pass_s(61)
    await start(planned, "fast", worker="w2")
    await planned.log("fast").record_exchange(an_exchange(user="fast"))
    assert await planned.finish_attempt("fast", an_outcome(Verdict.PASS)) is True
    assert await planned.finish_attempt("slow", an_outcome(Verdict.FAIL)) is False
    record = planned.conversation("c0001")
    assert record.attempts == 2
    assert record.outcome == an_outcome(Verdict.PASS)
    assert [exchange.user for exchange in record.exchanges] == ["fast"]


async def test_an_attempt_has_one_outcome(planned: SqlRunStore) -> None:
    await start(planned, "a1")
    await planned.finish_attempt("a1", an_outcome(Verdict.PASS))
    with pytest.raises(StoreError, match=r"the outcome of attempt 'a1' was not stored: (UNIQUE|duplicate)"):
        await planned.finish_attempt("a1", an_outcome(Verdict.FAIL))
    assert planned.conversation("c0001").outcome == an_outcome(Verdict.PASS)


async def test_attempts_are_numbered_per_conversation(planned: SqlRunStore, place: Place) -> None:
    for attempt_id, conversation_id in (("a1", "c0001"), ("a2", "c0002"), ("a3", "c0001")):
        await start(planned, attempt_id, conversation_id)
        await planned.abort_attempt(attempt_id, "interrupted")
    numbers = place.query("SELECT attempt_id, number FROM attempts ORDER BY attempt_id")
    assert numbers == [("a1", 1), ("a2", 1), ("a3", 2)]


async def test_a_live_lease_of_another_worker_refuses(planned: SqlRunStore, clock: StandingClock, place: Place) -> None:
    await start(planned, "a1", worker="w1")
    clock.pass_s(59)
    with pytest.raises(LeaseHeldError, match=place.called + r"worker 'w1' is busy with conversation 'c0001' .* 1 s"):
        await start(planned, "a2", worker="w2")
    assert planned.conversation("c0001").attempts == 1


async def test_an_expired_lease_does_not_refuse(planned: SqlRunStore, clock: StandingClock) -> None:
    await start(planned, "a1", worker="w1")
    clock.pass_s(60)
    await start(planned, "a2", worker="w2")
    assert planned.conversation("c0001").attempts == 2


async def test_a_worker_may_start_again_on_its_own_lease(planned: SqlRunStore, place: Place) -> None:
    await start(planned, "a1")
    await start(planned, "a2")
    assert place.query("SELECT attempt_id FROM leases") == [("a2",)]


async def test_finishing_and_aborting_give_the_lease_back(planned: SqlRunStore, place: Place) -> None:
    await start(planned, "a1", "c0001")
    await start(planned, "a2", "c0002")
    await planned.finish_attempt("a1", an_outcome())
    await planned.abort_attempt("a2", "interrupted")
    assert place.query("SELECT * FROM leases") == []
    await start(planned, "a3", "c0002", worker="w2")


async def test_a_late_finish_leaves_the_lease_of_its_successor_alone(
    planned: SqlRunStore, clock: StandingClock, place: Place
) -> None:
    await start(planned, "a1", worker="w1")
    clock.pass_s(61)
    await start(planned, "a2", worker="w2")
    await planned.finish_attempt("a1", an_outcome())
    assert place.query("SELECT attempt_id FROM leases") == [("a2",)]


async def test_of_several_aborted_attempts_the_latest_is_read(planned: SqlRunStore, place: Place) -> None:
    for attempt_id in ("a1", "a2"):
        await start(planned, attempt_id)
        await planned.log(attempt_id).record_exchange(an_exchange(user=attempt_id))
        await planned.abort_attempt(attempt_id, f"{attempt_id} was interrupted")
    record = planned.conversation("c0001")
    assert (record.attempts, record.outcome) == (2, None)
    assert [exchange.user for exchange in record.exchanges] == ["a2"]
    assert place.query("SELECT detail FROM aborts") == [("a1 was interrupted",), ("a2 was interrupted",)]


async def test_an_aborted_attempt_gets_no_outcome(planned: SqlRunStore) -> None:
    await start(planned, "a1")
    await planned.abort_attempt("a1", "interrupted")
    with pytest.raises(StoreError, match="'a1' was given up"):
        await planned.finish_attempt("a1", an_outcome())


async def test_aborting_what_has_ended_changes_nothing(planned: SqlRunStore, place: Place) -> None:
    """A runner that was cancelled while its outcome was on the way cannot know that it arrived."""
    await start(planned, "a1", "c0001")
    await planned.finish_attempt("a1", an_outcome())
    await planned.abort_attempt("a1", "cancelled")
    await start(planned, "a2", "c0002")
    await planned.abort_attempt("a2", "first")
    await planned.abort_attempt("a2", "second")
    assert planned.conversation("c0001").outcome == an_outcome()
    assert place.query("SELECT attempt_id, detail FROM aborts") == [("a2", "first")]


async def test_what_was_never_started_can_be_neither_logged_nor_ended(planned: SqlRunStore) -> None:
    with pytest.raises(StoreError, match="attempt 'ghost' is not open"):
        planned.log("ghost")
    with pytest.raises(StoreError, match="no attempt 'ghost' was ever started"):
        await planned.finish_attempt("ghost", an_outcome())
    with pytest.raises(StoreError, match="no attempt 'ghost' was ever started"):
        await planned.abort_attempt("ghost", "")


async def test_the_log_of_an_ended_attempt_is_closed(planned: SqlRunStore) -> None:
    await start(planned, "a1")
    log = planned.log("a1")
    await planned.finish_attempt("a1", an_outcome())
    for late in (log.record_exchange(an_exchange()), log.record_turn([a_failure()], []), log.record_score(a_score())):
        with pytest.raises(StoreError, match="attempt 'a1' is not open"):
            await late
    assert planned.conversation("c0001").exchanges == ()


async def test_a_second_exchange_of_one_number_is_refused(planned: SqlRunStore, place: Place) -> None:
    await start(planned, "a1")
    await planned.log("a1").record_exchange(an_exchange(0, user="first"))
    with pytest.raises(StoreError, match="exchange 0 of attempt 'a1' was not stored") as caught:
        await planned.log("a1").record_exchange(an_exchange(0, user="second"))
    assert re.match(place.called, str(caught.value))
    assert [exchange.user for exchange in planned.conversation("c0001").exchanges] == ["first"]


async def test_a_second_score_of_one_dimension_is_refused(planned: SqlRunStore) -> None:
    await start(planned, "a1")
    await planned.log("a1").record_score(a_score(score=2))
    with pytest.raises(StoreError, match="the score of 'safety' of attempt 'a1' was not stored"):
        await planned.log("a1").record_score(a_score(score=0))


async def test_a_plan_may_grow_and_repeats_are_refused_as_a_whole(planned: SqlRunStore) -> None:
    await planned.add_plan(a_plan(2, start=3))
    with pytest.raises(StoreError, match="the plan of conversations 'c0005' to 'c0006' was not stored"):
        await planned.add_plan(a_plan(2, start=4))
    await planned.add_plan([])
    assert [record.planned for record in planned.conversations()] == a_plan(5)


async def test_a_database_holds_one_run(planned: SqlRunStore) -> None:
    with pytest.raises(StoreError, match="holds run 'r1' already"):
        await planned.create_run(a_run("r2"))


async def test_nothing_can_be_planned_or_read_before_the_run(store: SqlRunStore) -> None:
    with pytest.raises(StoreError, match="holds no run"):
        await store.add_plan(a_plan(1))
    with pytest.raises(StoreError, match="holds no run"):
        store.run_info()


async def test_a_run_comes_back_running_and_then_as_it_last_ended(planned: SqlRunStore) -> None:
    assert planned.run_info() == a_run()
    await planned.finish_run(RunStatus.INTERRUPTED, detail="Ctrl-C", elapsed_s=2.5)
    await planned.finish_run(RunStatus.FINISHED, detail="", elapsed_s=9.25)
    ended = {"status": RunStatus.FINISHED, "status_detail": "", "elapsed_s": 9.25}
    assert planned.run_info() == a_run().model_copy(update=ended)


async def test_a_closed_store_refuses_to_write_and_still_reads(planned: SqlRunStore) -> None:
    planned.close()
    planned.close()
    with pytest.raises(StoreError, match="the store is closed"):
        await start(planned, "a1")
    assert planned.run_info() == a_run()


async def test_a_run_can_be_opened_again_and_goes_on(planned: SqlRunStore, place: Place, clock: StandingClock) -> None:
    await start(planned, "a1")
    planned.close()
    with place.open(clock) as again:
        await again.add_plan(a_plan(1, start=3))
        await start(again, "a2")
        assert again.conversation("c0001").attempts == 2
        assert again.run_info() == a_run()


async def test_two_stores_of_one_process_share_the_thread(
    planned: SqlRunStore, place: Place, clock: StandingClock
) -> None:
    with place.open(clock) as second:
        await second.add_plan(a_plan(1, start=3))
        assert sum(place.name in thread.name for thread in threading.enumerate()) == 1
    await planned.add_plan(a_plan(1, start=4))
    assert len(list(planned.conversations())) == 5


async def test_a_cancelled_start_can_be_aborted(planned: SqlRunStore, place: Place) -> None:
    with anyio.CancelScope() as scope:
        scope.cancel()
        await start(planned, "a1")
    await planned.abort_attempt("a1", "cancelled while it began")
    assert place.query("SELECT * FROM leases") == []


async def test_many_conversations_at_once_do_not_mix(store: SqlRunStore) -> None:
    async def converse(number: int) -> None:
        conversation_id = f"c{number:04d}"
        await start(store, f"a{number}", conversation_id, worker=f"w{number}")
        log = store.log(f"a{number}")
        for t in range(4):
            await log.record_exchange(an_exchange(t, user=f"{conversation_id} says {t}"))
            await log.record_turn([a_failure(t)], [an_event(t, target_id=conversation_id)])
        assert await store.finish_attempt(f"a{number}", an_outcome())

    await store.create_run(a_run())
    await store.add_plan(a_plan(32))
    async with anyio.create_task_group() as tasks:
        for number in range(1, 33):
            tasks.start_soon(converse, number)
    for record in store.conversations():
        said = [exchange.user for exchange in record.exchanges]
        assert said == [f"{record.planned.id} says {t}" for t in range(4)]
        assert [failure.t for failure in record.failures] == [0, 1, 2, 3]
        assert {event.target.id for event in record.target_events} == {record.planned.id}


def test_a_store_outlives_the_loop_that_first_used_it(place: Place, clock: StandingClock) -> None:
    with place.create(clock) as store:
        anyio.run(store.create_run, a_run())
        anyio.run(store.add_plan, a_plan(1))
        assert [record.planned for record in place.reader().conversations()] == a_plan(1)
