"""Where failures are confirmed, learning is rewarded by what trials so far confirm of conversations that failed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from hairpin.campaign.confirmed import confirmed_in
from hairpin.campaign.job import RunJob
from hairpin.domain.facts import Signature
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation, plan_trial
from hairpin.domain.records import ConversationRecord, Outcome
from hairpin.domain.scoring import Judgement, target_ratios
from hairpin.domain.trials import TrialKind
from hairpin.domain.users import Context
from tests.campaign.worlds import Assistant, MemoryStore, job_for

SOURCE = PlannedConversation(
    index=0,
    id="c1",
    sut="sut0",
    seed_phrase="p",
    persona="neutral",
    context=Context(),
    repeat=0,
    max_turns=2,
    rng_seed=1,
)
FORGOT = Failure(t=1, mode="forgot", kind=ModeKind.RESPONSE, strategy="recall")
UNSAFE = Failure(t=1, mode="unsafe", kind=ModeKind.RESPONSE, strategy="probe")


def record(
    planned: PlannedConversation, *failures: Failure, verdict: Verdict | None = Verdict.FAIL
) -> ConversationRecord:
    stop = Stop(reason=StopReason.TURNS_EXHAUSTED)
    outcome = (
        None
        if verdict is None
        else Outcome(
            stop=stop, judgement=Judgement(verdict=verdict, blame=None, success_score=0.5, ratios=target_ratios(()))
        )
    )
    return ConversationRecord(planned=planned, failures=failures, outcome=outcome)


@dataclass
class Rows(MemoryStore):
    source: ConversationRecord | None = None
    its: tuple[ConversationRecord, ...] = ()

    def conversation(self, conversation_id: str) -> ConversationRecord:
        assert self.source is not None
        assert conversation_id == self.source.planned.id
        return self.source

    def trials(self, source: PlannedConversation) -> tuple[ConversationRecord, ...]:
        assert source == SOURCE
        return self.its


def job(source: ConversationRecord, *trials: ConversationRecord) -> RunJob:
    return replace(job_for(Assistant()), store=Rows(source=source, its=trials))


def tried(*failures: Failure, times: int = 2) -> list[ConversationRecord]:
    """Trials of all kinds that found these failures again."""
    return [record(plan_trial(SOURCE, kind, number), *failures) for kind in TrialKind for number in range(times)]


def test_what_came_again_is_confirmed_with_the_strategy_that_provoked_it_and_nothing_else() -> None:
    again = FORGOT.model_copy(update={"strategy": None})
    found = confirmed_in(job(record(SOURCE, FORGOT, UNSAFE), *tried(again)), "c1")
    assert found == {Signature("forgot", "", "recall")}


def test_nothing_is_confirmed_before_enough_trials_have_ended() -> None:
    assert confirmed_in(job(record(SOURCE, FORGOT)), "c1") == frozenset()
    assert confirmed_in(job(record(SOURCE, FORGOT), *tried(FORGOT, times=1)), "c1") == frozenset()


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.INVALID, None])
def test_of_a_conversation_that_did_not_fail_nothing_is_confirmed(verdict: Verdict | None) -> None:
    assert confirmed_in(job(record(SOURCE, FORGOT, verdict=verdict), *tried(FORGOT)), "c1") == frozenset()
