"""Progress is the same whether SQL folds it from columns or Python from whole conversations."""

from __future__ import annotations

import pytest

from hairpin.domain.arm import Arm
from hairpin.domain.facts import Signature, facts_of
from hairpin.domain.failures import CHECK_FAILED, Failure, ModeKind
from hairpin.domain.outcome import Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.progress import Activity, RunProgress
from hairpin.domain.relations import Fold
from hairpin.domain.targets import Target, TargetEvent, TargetStatus
from hairpin.store.runs import SqlRunStore
from tests.store.store_values import a_derivation, a_follow_up, a_plan, a_run, an_outcome

pytestmark = pytest.mark.anyio

CHECK = Failure(t=1, mode=CHECK_FAILED, kind=ModeKind.CHECK)
MISSED = Failure(t=1, mode="constraint_missed", kind=ModeKind.COMPLIANCE, target_id="g1", strategy="stacking")
POOR = Failure(t=2, mode="planning_poor", kind=ModeKind.RESPONSE, strategy="challenge")


def planned(index: int, *, run: int = 0, arm: Arm = Arm.GUIDED) -> PlannedConversation:
    return a_plan(1, start=index)[0].model_copy(update={"run": run, "arm": arm})


async def converse(
    store: SqlRunStore, conversation: PlannedConversation, *failures: Failure, verdict: Verdict = Verdict.FAIL
) -> None:
    attempt_id = f"of {conversation.id}"
    await store.lease(conversation, attempt_id=attempt_id, worker="w", lease_s=60)
    log = store.log(attempt_id)
    found = Target(id="g1", text="go home", kind="navigation")
    done = found.model_copy(update={"status": TargetStatus.COMPLETED})
    await log.record_turn([], [TargetEvent(t=None, target=found, old=None)])
    await log.record_turn(failures, [TargetEvent(t=1, target=done, old=TargetStatus.INCOMPLETE)])
    await store.finish_attempt(attempt_id, an_outcome(verdict))


@pytest.fixture
async def begun(store: SqlRunStore) -> SqlRunStore:
    await store.create_run(a_run())
    return store


async def test_a_run_that_has_just_begun_has_no_progress(begun: SqlRunStore) -> None:
    assert begun.progress() == RunProgress()


async def test_what_is_finished_and_what_is_not_is_told_in_plan_order(begun: SqlRunStore) -> None:
    await begun.add_plan([planned(5), planned(3), planned(4)])
    await converse(begun, planned(4), verdict=Verdict.INVALID)
    await begun.lease(planned(9), attempt_id="open", worker="w", lease_s=60)
    progress = begun.progress()
    assert progress.finished == {4}
    assert progress.unfinished == (planned(3), planned(5), planned(9))


async def test_distinct_failures_are_those_of_the_conversations_themselves(begun: SqlRunStore) -> None:
    """By cell and arm; those that passed or failed only; failed checks too."""
    await converse(begun, planned(0), MISSED, MISSED, CHECK)
    await converse(begun, planned(1), POOR, verdict=Verdict.PASS)
    await converse(begun, planned(2, run=1), MISSED)
    await converse(begun, planned(3, arm=Arm.BASELINE), POOR, verdict=Verdict.INCONCLUSIVE)
    expected: dict[tuple[int, str, Arm], set[Signature]] = {}
    for fact in map(facts_of, begun.conversations()):
        if fact.standing.in_rates:
            cell = expected.setdefault((fact.run, fact.sut, fact.arm), set())
            cell.update(failure.signature for failure in fact.failures)
    assert begun.progress().distinct == expected
    assert expected == {
        (0, "testbed", Arm.GUIDED): {
            Signature("constraint_missed", "navigation", "stacking"),
            Signature(CHECK_FAILED, "", ""),
            Signature("planning_poor", "", "challenge"),
        },
        (1, "testbed", Arm.GUIDED): {Signature("constraint_missed", "navigation", "stacking")},
    }


async def test_failures_of_attempts_that_do_not_count_are_left_out(begun: SqlRunStore) -> None:
    await begun.lease(planned(0), attempt_id="given up", worker="w", lease_s=60)
    await begun.log("given up").record_turn([POOR], [])
    await begun.abort_attempt("given up", "interrupted")
    await converse(begun, planned(0), MISSED)
    (signatures,) = begun.progress().distinct.values()
    assert {signature.mode for signature in signatures} == {"constraint_missed"}


async def test_of_active_time_the_last_counts(begun: SqlRunStore) -> None:
    guided = Activity(run=0, sut="testbed", arm=Arm.GUIDED, active_s=10.0)
    baseline = guided.model_copy(update={"arm": Arm.BASELINE, "active_s": 2.0})
    await begun.record_activity([guided, baseline])
    await begun.record_activity([])
    await begun.record_activity([guided.model_copy(update={"active_s": 12.5})])
    later = guided.model_copy(update={"active_s": 12.5})
    assert set(begun.progress().activity) == {baseline, later}


async def test_attempts_that_were_given_up_are_counted_by_reason(begun: SqlRunStore) -> None:
    for number, reason in enumerate(("interrupted", "interrupted", "crashed")):
        await begun.lease(planned(number), attempt_id=f"a{number}", worker="w", lease_s=60)
        await begun.abort_attempt(f"a{number}", reason)
    assert begun.progress().aborted == {"interrupted": 2, "crashed": 1}


async def test_what_conversations_took_is_told_by_cell_and_arm_for_those_that_passed_or_failed(
    begun: SqlRunStore,
) -> None:
    await converse(begun, planned(0))
    await converse(begun, planned(1), verdict=Verdict.PASS)
    await converse(begun, planned(2), verdict=Verdict.INCONCLUSIVE)
    await converse(begun, planned(3, run=1))
    took = an_outcome(Verdict.PASS).elapsed_s
    assert begun.progress().durations == {(0, "testbed", Arm.GUIDED): (took, took), (1, "testbed", Arm.GUIDED): (took,)}


async def derive(store: SqlRunStore, source: PlannedConversation, n_follow_ups: int = 1) -> list[PlannedConversation]:
    follow_ups = [a_follow_up(source, number) for number in range(n_follow_ups)]
    await store.record_derivation(a_derivation(source, follow_ups), follow_ups)
    return follow_ups


async def test_follow_ups_are_in_no_figure_but_the_attempts_given_up(begun: SqlRunStore) -> None:
    await begun.add_plan([planned(1)])
    await converse(begun, planned(0), MISSED)
    before = begun.progress()
    first, second, third = await derive(begun, planned(0), 3)
    await converse(begun, first, POOR)
    await begun.lease(second, attempt_id="open", worker="w", lease_s=60)
    await begun.lease(third, attempt_id="gone", worker="w", lease_s=60)
    await begun.abort_attempt("gone", "interrupted")
    after = begun.progress()
    assert after.aborted == {"interrupted": 1}
    assert before == RunProgress(
        finished=after.finished,
        unfinished=after.unfinished,
        distinct=after.distinct,
        durations=after.durations,
        open_families=after.open_families,
    )
    assert (after.finished, after.unfinished, after.open_families) == (frozenset({0}), (planned(1),), ("c0001",))


async def test_a_family_is_open_until_its_last_fold_is_complete(begun: SqlRunStore) -> None:
    """In plan order; one that was never folded is open, one that has not ended is no family yet."""
    await begun.add_plan([planned(index) for index in range(6)])
    for index in (4, 2, 1, 0):
        await converse(begun, planned(index))
    for index, complete in ((0, True), (1, False), (2, False), (2, True), (4, True), (4, False)):
        await begun.record_fold(Fold(source=planned(index).id, complete=complete, n_follow_ups=0))
    assert begun.progress().open_families == ("c0002", "c0005")
    await converse(begun, planned(3))
    assert begun.progress().open_families == ("c0002", "c0004", "c0005")


async def test_what_conversations_that_ask_a_test_seed_took_is_told_although_they_have_no_verdict(
    begun: SqlRunStore,
) -> None:
    await begun.lease(planned(0), attempt_id="a", worker="w", lease_s=60)
    outcome = an_outcome()
    unjudged = outcome.judgement.model_copy(update={"verdict": None})
    await begun.finish_attempt("a", outcome.model_copy(update={"judgement": unjudged}))
    assert begun.progress().durations == {(0, "testbed", Arm.GUIDED): (outcome.elapsed_s,)}
