"""What is told while a run goes on, where there is no terminal."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from hairpin.campaign.events import ArmStatus, CampaignStatus, ConversationEnd
from hairpin.cli.progress import LINE_EVERY_S, RunProgress
from hairpin.domain.arm import Arm
from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.known_transcripts import Twins, TwinTurn
from hairpin.domain.outcome import Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation, plan_canary, plan_trial
from hairpin.domain.records import Outcome
from hairpin.domain.relations import Fold, MetamorphicRelation, RelationCheck
from hairpin.domain.scoring import Judgement, TargetRatios, unjudged
from hairpin.domain.trials import TrialKind
from hairpin.domain.users import Context
from hairpin.graph.family_state import FamilyEnd

PLANNED = PlannedConversation(
    index=0,
    id="guided-001",
    sut="s",
    seed_phrase="x",
    persona="p",
    context=Context(),
    repeat=0,
    max_turns=2,
    rng_seed=1,
)
FORGOT = Failure(t=1, mode="context_forgotten", kind=ModeKind.RESPONSE)


@dataclass
class Clock:
    now_s: float = 0.0

    def __call__(self) -> float:
        return self.now_s


def end(verdict: Verdict, *failures: Failure) -> ConversationEnd:
    judgement = Judgement(
        verdict=verdict, blame=None, success_score=0.5, ratios=TargetRatios(uttered=1, all=1, without_dropped=1)
    )
    outcome = Outcome(stop=Stop(reason=StopReason.TURNS_EXHAUSTED), judgement=judgement)
    return ConversationEnd(outcome=outcome, failures=failures)


def status(*, left_s: float | None = 3600.0, n_cells: int = 4) -> CampaignStatus:
    arm = ArmStatus(used_s=65, left_s=left_s, started=7, conversations_left=None, running=2, distinct=3)
    return CampaignStatus(
        cell=1, n_cells=n_cells, run=0, sut="faulty", arms={Arm.GUIDED: arm}, models=("models: 900 tokens, 0.0100 USD",)
    )


def test_each_conversation_of_a_run_gets_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgress(Clock()) as progress:
        progress.run_started(n_planned=2)
        progress.conversation_ended(PLANNED, end(Verdict.FAIL, FORGOT))
        progress.conversation_ended(PLANNED, None)
    assert capsys.readouterr().err.splitlines() == [
        "1/2 guided-001 s: failed, C = 0.50 (turns_exhausted)",
        "2/2 guided-001 s: interrupted",
    ]


def test_a_label_is_told_as_it_is_written_also_where_it_looks_like_markup(capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgress(Clock()) as progress:
        progress.run_started(n_planned=1)
        progress.conversation_ended(PLANNED.model_copy(update={"sut": "./[red]a.py:B"}), None)
    assert capsys.readouterr().err == "1/1 guided-001 ./[red]a.py:B: interrupted\n"


def test_a_campaign_says_every_half_minute_how_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with RunProgress(clock, campaign=True) as progress:
        progress.run_started(n_planned=None)
        progress.conversation_ended(PLANNED, end(Verdict.FAIL, FORGOT, FORGOT))
        progress.conversation_ended(PLANNED, end(Verdict.INVALID, FORGOT))
        progress.ticked(status())
        assert capsys.readouterr().err == ""
        clock.now_s = LINE_EVERY_S
        progress.ticked(status())
        progress.ticked(status())
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        "2 conversations (1 failed, 1 invalid); cell 2 of 4: run 1 against faulty; guided: 0:01:05 used, 1:00:00 left, "
        "7 begun, 2 running, 3 distinct failures; 4.0 conversations per minute; failures in conversations: "
        "context_forgotten 1; models: 900 tokens, 0.0100 USD"
    )


def test_what_is_tried_again_is_told_at_once_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgress(Clock(), campaign=True) as progress:
        progress.run_ended()
        assert capsys.readouterr().err == "writing the report\n"
        progress.conversation_retried(PLANNED, Stop(reason=StopReason.PROVIDER_ERROR, detail="503"))
    assert capsys.readouterr().err == "guided-001 s: tried again after provider_error: 503\n"


def test_on_a_terminal_the_view_is_live(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    clock = Clock()
    with RunProgress(clock, campaign=True) as progress:
        progress.run_started(n_planned=None)
        clock.now_s = 10
        progress.conversation_ended(PLANNED, end(Verdict.PASS))
        progress.ticked(status(left_s=None, n_cells=1))
        progress.ending()
    shown = capsys.readouterr().err
    assert "interrupted, ending the conversations; a second signal ends at once" in shown
    assert "against faulty" in shown
    assert "0:01:05 used, 7 begun" in shown


def test_replays_are_counted_apart_from_conversations(capsys: pytest.CaptureFixture[str]) -> None:
    fold = Fold(
        source="c0001",
        complete=True,
        n_follow_ups=3,
        checks=(
            RelationCheck(relation=MetamorphicRelation.MR1, source="c0001", index=0, similarity=0.1, violated=True),
            RelationCheck(relation=MetamorphicRelation.MR3, source="c0001", index=0, reason="fewer_than_two"),
        ),
    )
    replayed = Outcome(
        stop=Stop(reason=StopReason.SCRIPT_EXHAUSTED), judgement=unjudged(Stop(reason=StopReason.SCRIPT_EXHAUSTED))
    )
    broken = Outcome(stop=Stop(reason=StopReason.SUT_ERROR), judgement=unjudged(Stop(reason=StopReason.SUT_ERROR)))
    with RunProgress(Clock()) as progress:
        progress.run_started(n_planned=2)
        progress.conversation_ended(PLANNED, ConversationEnd(outcome=replayed))
        progress.family_started("c0001", n_follow_ups=3, n_left=2)
        for _ in range(2):
            progress.follow_up_started(PLANNED)
            progress.follow_up_ended(PLANNED, ConversationEnd(outcome=replayed))
        progress.follow_up_ended(PLANNED, None)
        progress.family_ended(FamilyEnd(source="c0001", n_follow_ups=3, n_ended=3, fold=fold))
        progress.family_ended(FamilyEnd(source="c0009"))
        progress.conversation_ended(PLANNED, ConversationEnd(outcome=broken))
    assert capsys.readouterr().err.splitlines() == [
        "1/2 guided-001 s: replayed",
        "replays 3/3; c0001: 3 of 3 replayed, 1 of 1 relation check violated",
        "2/2 guided-001 s: not replayed to the end: the assistant broke off with an error",
    ]


def test_a_campaign_says_how_many_replays_there_were(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with RunProgress(clock, campaign=True) as progress:
        progress.run_started(n_planned=None)
        progress.family_started("guided-001", n_follow_ups=40, n_left=28)
        clock.now_s = LINE_EVERY_S
        progress.ticked(status())
    assert "replays 12/40" in capsys.readouterr().err


def test_a_replay_that_ended_before_its_questions_did_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    ended = Stop(reason=StopReason.SUT_ENDED)
    with RunProgress(Clock()) as progress:
        progress.run_started(n_planned=1)
        progress.conversation_ended(PLANNED, ConversationEnd(outcome=Outcome(stop=ended, judgement=unjudged(ended))))
    assert capsys.readouterr().err == "1/1 guided-001 s: replayed: the assistant ended the conversation\n"


def test_trials_are_told_apart_from_conversations(capsys: pytest.CaptureFixture[str]) -> None:
    trial = plan_trial(PLANNED, TrialKind.REPLAY, 0)
    with RunProgress(Clock()) as progress:
        progress.run_started(n_planned=1)
        progress.conversation_ended(PLANNED, end(Verdict.FAIL))
        progress.aside_started(trial)
        progress.aside_ended(trial, end(Verdict.FAIL))
        progress.aside_ended(trial, None)
    assert capsys.readouterr().err.splitlines() == [
        "1/1 guided-001 s: failed, C = 0.50 (turns_exhausted)",
        "guided-001~replay1 s: failed, C = 0.50 (turns_exhausted)",
        "guided-001~replay1 s: interrupted",
    ]


def test_canaries_say_how_often_judges_were_wrong_so_far(capsys: pytest.CaptureFixture[str]) -> None:
    turns = (TwinTurn(user="Hi", good="Hello", bad="No"),)
    twins = Twins(id="pair", mode="context_forgotten", turns=turns, labelled=0)
    progress = RunProgress(Clock())
    progress.aside_ended(plan_canary(PLANNED, twins.bad), end(Verdict.PASS))
    progress.aside_ended(plan_canary(PLANNED, twins.good), end(Verdict.PASS))
    progress.aside_ended(plan_canary(PLANNED, twins.good), None)
    assert capsys.readouterr().err.splitlines() == [
        "guided-001~canary s: passed, C = 0.50 (turns_exhausted); canaries 1: 1 of 1 known-bad passed",
        "guided-001~canary s: passed, C = 0.50 (turns_exhausted); "
        "canaries 2: 0 of 1 known-good failed, 1 of 1 known-bad passed",
        "guided-001~canary s: interrupted",
    ]


def test_a_campaign_tells_of_canaries_with_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    twins = Twins(id="p", mode="m", turns=(TwinTurn(user="Hi", good="Hello", bad="No"),), labelled=0)
    clock = Clock()
    progress = RunProgress(clock, campaign=True)
    progress.aside_ended(plan_canary(PLANNED, twins.good), end(Verdict.FAIL))
    clock.now_s = LINE_EVERY_S
    progress.ticked(status())
    assert "; canaries 1: 1 of 1 known-good failed" in capsys.readouterr().err
