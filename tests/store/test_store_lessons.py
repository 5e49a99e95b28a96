"""What conversations taught is the same whether the store tells it or the process that held them."""

from __future__ import annotations

import pytest

from hairpin.campaign.events import ConversationEnd
from hairpin.domain.arm import Arm
from hairpin.domain.conversation import Exchange
from hairpin.domain.facts import Signature
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.learning import Lesson
from hairpin.domain.outcome import Verdict
from hairpin.domain.plan import PlannedConversation, plan_trial
from hairpin.domain.targets import Target, TargetEvent
from hairpin.domain.trials import TrialKind
from hairpin.store.runs import SqlRunStore
from tests.store.store_values import a_plan, a_run, an_outcome

pytestmark = pytest.mark.anyio

FOUND = Target(id="g1", text="go home", kind="navigation")
MISSED = Failure(t=1, mode="constraint_missed", kind=ModeKind.COMPLIANCE, target_id="g1", strategy="stacking")
POOR = Failure(t=2, mode="planning_poor", kind=ModeKind.RESPONSE, strategy="challenge")


def planned(index: int, *, run: int = 0, arm: Arm = Arm.LEARNED) -> PlannedConversation:
    return a_plan(1, start=index)[0].model_copy(update={"run": run, "arm": arm, "task": f"task {index % 2}"})


async def converse(
    store: SqlRunStore,
    conversation: PlannedConversation,
    *failures: Failure,
    strategies: tuple[str | None, ...] = (None, "stacking", "challenge", "stacking"),
    verdict: Verdict = Verdict.FAIL,
) -> ConversationEnd:
    """Store a conversation; return how a process would know that it ended."""
    attempt_id, outcome = f"of {conversation.id}", an_outcome(verdict)
    await store.lease(conversation, attempt_id=attempt_id, worker="w", lease_s=60)
    log = store.log(attempt_id)
    for t, strategy in enumerate(strategies):
        await log.record_exchange(Exchange(t=t, user="u", assistant="a", strategy=strategy))
    await log.record_turn(failures, [TargetEvent(t=None, target=FOUND, old=None)])
    await store.finish_attempt(attempt_id, outcome)
    return ConversationEnd(outcome=outcome, failures=failures, targets=(FOUND,), strategies=strategies)


@pytest.fixture
async def begun(store: SqlRunStore) -> SqlRunStore:
    await store.create_run(a_run())
    return store


def lessons(store: SqlRunStore) -> dict[tuple[int, str], tuple[Lesson, ...]]:
    return dict(store.progress().lessons)


async def test_lessons_are_those_that_the_process_had_learnt(begun: SqlRunStore) -> None:
    """By cell, in plan order; also of conversations that teach nothing."""
    ends = {
        2: await converse(begun, planned(2), MISSED, MISSED, POOR),
        0: await converse(begun, planned(0), verdict=Verdict.PASS),
        4: await converse(begun, planned(4), MISSED, strategies=(None,), verdict=Verdict.INVALID),
        6: await converse(begun, planned(6, run=1), POOR),
    }
    known = {index: end.lesson(planned(index, run=1 if index == 6 else 0)) for index, end in ends.items()}
    assert lessons(begun) == {(0, "testbed"): (known[0], known[2], known[4]), (1, "testbed"): (known[6],)}
    assert known[2].uses == {"stacking": 2, "challenge": 1}
    assert known[2].found == {
        Signature("constraint_missed", "navigation", "stacking"),
        Signature("planning_poor", "", "challenge"),
    }
    assert [lesson.rated for lesson in lessons(begun)[0, "testbed"]] == [True, True, False]


async def test_other_arms_and_what_has_not_ended_teach_nothing(begun: SqlRunStore) -> None:
    await begun.add_plan([planned(0)])
    await converse(begun, planned(1, arm=Arm.GUIDED), MISSED)
    await begun.lease(planned(0), attempt_id="given up", worker="w", lease_s=60)
    await begun.log("given up").record_turn([POOR], [])
    await begun.abort_attempt("given up", "interrupted")
    assert lessons(begun) == {}


async def test_trials_teach_nothing_themselves(begun: SqlRunStore) -> None:
    source = planned(0)
    await converse(begun, source, MISSED)
    before = lessons(begun)
    await converse(begun, plan_trial(source, TrialKind.REPLAY, 0), MISSED, POOR)
    assert lessons(begun) == before
    assert [record.planned.id for record in begun.trials(source)] == [plan_trial(source, TrialKind.REPLAY, 0).id]
