from __future__ import annotations

import pytest

from hairpin.domain.arm import Arm
from hairpin.domain.conversation import Exchange, UtteranceSource
from hairpin.domain.failures import FailureMode, ModeKind
from hairpin.domain.outcome import Role, Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.recording import LeftOut
from hairpin.domain.records import ConversationRecord, Outcome, RunInfo
from hairpin.domain.rejudging import LEFT_OUT_NAMED, StoredTranscript, rejudged_of, transcript_of
from hairpin.domain.rubric import Dimension, Rubric, Weights
from hairpin.domain.scoring import Judgement, target_ratios
from hairpin.domain.targets import Target, TargetEvent, TargetStatus
from hairpin.domain.users import Context

RUBRIC = Rubric(
    id="r",
    title="R",
    modes=(
        FailureMode(
            id="forgot", kind=ModeKind.COMPLIANCE, title="Context forgotten", definition="", materiality="",
            positive_example="", negative_example="",
        ),
    ),
    dimensions=(Dimension(id="safety", title="Safety", question="", anchors=("", "", "")),),
    weights=Weights(dimensions={"safety": 1}),
)  # fmt: skip


def ended(
    stop: StopReason | Stop | None,
    n_turns: int = 2,
    *,
    source: UtteranceSource = UtteranceSource.SIMULATED,
    arm: Arm = Arm.GUIDED,
    targets: tuple[Target, ...] = (),
    ends: bool = False,
) -> ConversationRecord:
    """Return a conversation of at most four exchanges that ended so; ``None``: it never did."""
    planned = PlannedConversation(
        index=6, id="c0007", sut="bot", arm=arm, seed_phrase="Home", persona="p", context=Context(), repeat=0,
        max_turns=4, rng_seed=1,
    )  # fmt: skip
    exchanges = tuple(
        Exchange(t=t, user=f"u{t}", assistant=f"a{t}", source=source, ended=ends and t == n_turns - 1)
        for t in range(n_turns)
    )
    outcome = None
    if stop is not None:
        why = stop if isinstance(stop, Stop) else Stop(reason=stop)
        judgement = Judgement(verdict=Verdict.FAIL, blame=why.blame, success_score=None, ratios=target_ratios(targets))
        outcome = Outcome(stop=why, judgement=judgement)
    events = tuple(TargetEvent(target=target, old=None) for target in targets)
    return ConversationRecord(planned=planned, attempts=1, exchanges=exchanges, target_events=events, outcome=outcome)


@pytest.mark.parametrize(
    "reason",
    [
        StopReason.TURNS_EXHAUSTED,
        StopReason.TARGETS_RESOLVED,
        StopReason.SUT_ENDED,
        StopReason.REPETITION,
        StopReason.SCRIPT_EXHAUSTED,
        StopReason.DEADLINE,
        StopReason.BUDGET,
    ],
)
def test_what_ended_by_itself_or_was_cut_ends_as_it_did(reason: StopReason) -> None:
    """A deadline's conversation stays inconclusive whatever judges say now."""
    record = ended(Stop(reason=reason, detail="so"))
    found = transcript_of(record)
    assert isinstance(found, StoredTranscript)
    assert (found.id, found.ending, found.record) == ("c0007", Stop(reason=reason, detail="so"), record)
    assert found.exchanges == record.exchanges


@pytest.mark.parametrize(
    "reason", [StopReason.SUT_ERROR, StopReason.SIMULATOR_FAULT, StopReason.ADAPTER_FAULT, StopReason.INTERNAL_ERROR]
)
def test_what_others_than_judges_broke_is_left_out(reason: StopReason) -> None:
    assert transcript_of(ended(reason, 4)) == LeftOut(id="c0007", why=f"{reason}: no judge can make it valid")


def test_what_never_ended_or_in_which_nothing_was_said_is_left_out() -> None:
    never = LeftOut(id="c0007", why="it never ended")
    assert transcript_of(ended(None)) == never
    assert transcript_of(ended(StopReason.INTERRUPTED)) == never
    assert transcript_of(ended(StopReason.DEADLINE, 0)) == LeftOut(id="c0007", why="nothing was said (deadline)")


@pytest.mark.parametrize(
    "stop",
    [
        StopReason.JUDGE_FAULT,
        StopReason.JUDGES_DISAGREE,
        StopReason.CHECK_FAULT,
        Stop(reason=StopReason.PROVIDER_ERROR, role=Role.TURN_JUDGE),
        Stop(reason=StopReason.TRUNCATED, role=Role.CONVERSATION_JUDGE),
        Stop(reason=StopReason.REFUSED, role=Role.SIMULATOR_REVIEWER),
    ],
)
def test_where_judging_broke_only_a_whole_conversation_is_judged_again(stop: StopReason | Stop) -> None:
    whole = transcript_of(ended(stop, 4))
    assert isinstance(whole, StoredTranscript)
    assert whole.ending == Stop(reason=StopReason.TURNS_EXHAUSTED)
    cut = transcript_of(ended(stop, 2))
    assert isinstance(cut, LeftOut)
    assert "judging broke after 2 of at most 4 exchanges" in cut.why


def test_a_provider_that_broke_the_simulator_is_no_judge() -> None:
    assert isinstance(transcript_of(ended(Stop(reason=StopReason.REFUSED, role=Role.SIMULATOR), 4)), LeftOut)


def test_a_conversation_in_which_judging_broke_may_have_ended_early() -> None:
    done = Target(id="g1", text="home", status=TargetStatus.COMPLETED, introduced=0, resolved=1)
    cases = {
        StopReason.SUT_ENDED: ended(StopReason.JUDGE_FAULT, 1, ends=True),
        StopReason.TARGETS_RESOLVED: ended(StopReason.JUDGE_FAULT, 3, targets=(done,)),
    }
    for reason, record in cases.items():
        found = transcript_of(record)
        assert isinstance(found, StoredTranscript)
        assert found.ending.reason is reason
    assert isinstance(transcript_of(ended(StopReason.JUDGE_FAULT, 3, targets=(done,), arm=Arm.BASELINE)), LeftOut)


def test_a_script_is_whole_when_its_last_turn_was_answered() -> None:
    scripted = UtteranceSource.SCRIPTED
    found = transcript_of(ended(StopReason.CHECK_FAULT, 3, source=scripted), n_script=3)
    assert isinstance(found, StoredTranscript)
    assert found.ending.reason is StopReason.SCRIPT_EXHAUSTED
    assert isinstance(transcript_of(ended(StopReason.CHECK_FAULT, 2, source=scripted), n_script=3), LeftOut)


def test_of_many_left_out_the_first_are_named_and_all_are_counted() -> None:
    run = RunInfo(
        run_id="r", name="s", hairpin_version="0", created_at="2026-11-30T00:00:00+00:00", fingerprint="f",
        fingerprint_parts={}, agents={"turn_judge": "offline"}, suts={}, threshold=0.75,
    )  # fmt: skip
    transcript = transcript_of(ended(StopReason.DEADLINE))
    assert isinstance(transcript, StoredTranscript)
    found = rejudged_of(run, "runs/r", RUBRIC, (transcript,), (LeftOut(id=str(n), why="") for n in range(150)))
    assert (len(found.left_out), found.n_left_out, found.n_conversations) == (LEFT_OUT_NAMED, 150, 1)
    assert found.agents == {"turn_judge": "offline"}
    assert (found.modes, found.dimensions) == ({"forgot": "Context forgotten"}, {"safety": "Safety"})
    assert found.sentence() == "1 conversation of run r of s judged again, 150 left out"
