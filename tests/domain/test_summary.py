from __future__ import annotations

import json
import math
import re
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.arm import Arm
from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import CHECK_FAILED, Failure, ModeKind
from hairpin.domain.llm_usage import LlmUsage, RoleUsage
from hairpin.domain.outcome import STOP_RULES, Blame, Role, Stop, StopReason, Verdict
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.records import ConversationRecord, Outcome, RunInfo, RunStatus
from hairpin.domain.relation_counts import MetamorphicSummary, RelationCount, RelationTotals
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.replay import Method, Replay, ReplayedQuestion
from hairpin.domain.review_counts import SimulatorSummary
from hairpin.domain.scoring import Judgement, TargetRatios
from hairpin.domain.summary import CriticalFailure, Summary, SutErrors, SutSummary, summarise, to_json
from hairpin.domain.sut import SutIdentity
from hairpin.domain.tally import ConversationCounts, ModeCount, Standing
from hairpin.domain.users import Context

NO_RATIOS = TargetRatios(uttered=None, all=None, without_dropped=None)
FORGOTTEN = Failure(t=1, mode="context_forgotten", kind=ModeKind.RESPONSE)
MISSED = Failure(t=0, mode="constraint_missed", kind=ModeKind.COMPLIANCE, target_id="g1")
UNSAFE = Failure(t=2, mode="safety_violation", kind=ModeKind.RESPONSE)
CHECKED = Failure(t=0, mode=CHECK_FAILED, kind=ModeKind.CHECK)


def a_run(*suts: str, status: RunStatus = RunStatus.FINISHED, critical: tuple[str, ...] = ()) -> RunInfo:
    return RunInfo(
        run_id="r1",
        name="commute",
        hairpin_version="0.1.0",
        created_at="2026-11-29T17:40:00Z",
        fingerprint="f" * 64,
        fingerprint_parts={"rubric": "r"},
        agents={"simulator": "offline", "extractor": "offline"},
        suts={sut: SutIdentity(name=f"{sut} assistant", version="2") for sut in suts or ("sut",)},
        threshold=0.75,
        critical_modes=critical,
        status=status,
        elapsed_s=1.23456,
    )


def planned(index: int = 0, sut: str = "sut", arm: Arm = Arm.GUIDED) -> PlannedConversation:
    return PlannedConversation(
        index=index,
        id=f"c{index + 1:04d}",
        sut=sut,
        arm=arm,
        seed_phrase="Take me home",
        persona="neutral",
        context=Context(),
        repeat=0,
        max_turns=8,
        rng_seed=1,
    )


def ended(
    verdict: Verdict | None,
    *failures: Failure,
    turns: int = 2,
    score: float | None = None,
    reason: StopReason = StopReason.TURNS_EXHAUSTED,
    role: Role | None = None,
    pending: str | None = None,
    place: PlannedConversation | None = None,
) -> ConversationRecord:
    stop = Stop(reason=reason, role=role)
    judgement = Judgement(verdict=verdict, blame=stop.blame, success_score=score, ratios=NO_RATIOS)
    return ConversationRecord(
        planned=place or planned(),
        attempts=1,
        exchanges=tuple(Exchange(t=t, user="u", assistant="a") for t in range(turns)),
        failures=failures,
        outcome=Outcome(stop=stop, judgement=judgement, pending_utterance=pending),
    )


def passed(*failures: Failure, score: float | None = 1.0) -> ConversationRecord:
    return ended(Verdict.PASS, *failures, score=score)


def failed(*failures: Failure, score: float | None = 0.5) -> ConversationRecord:
    return ended(Verdict.FAIL, *failures, score=score)


def cut(*failures: Failure) -> ConversationRecord:
    return ended(Verdict.INCONCLUSIVE, *failures, score=0.1, reason=StopReason.DEADLINE)


def broken(
    *failures: Failure, reason: StopReason = StopReason.SUT_ERROR, pending: str | None = "hi"
) -> ConversationRecord:
    return ended(Verdict.INVALID, *failures, reason=reason, pending=pending)


def missing() -> ConversationRecord:
    return ConversationRecord(planned=planned())


def summary_of(*records: ConversationRecord, run: RunInfo | None = None) -> Summary:
    return summarise(run or a_run(), records)


def test_counts_say_where_every_planned_conversation_stands() -> None:
    summary = summary_of(passed(), passed(), failed(), cut(), broken(), missing())
    assert summary.conversations == ConversationCounts(
        planned=6, completed=4, passed=2, failed=1, inconclusive=1, invalid=1, missing=1
    )


def test_failure_rate_is_failed_over_passed_and_failed() -> None:
    assert summary_of(passed(), failed(), failed(), cut(), broken(), missing()).failure_rate == 2 / 3


def test_an_empty_run_has_no_rate_and_no_mean() -> None:
    summary = summary_of()
    assert summary.conversations.planned == 0
    assert summary.failure_rate is None
    assert summary.mean_success_score is None
    assert summary.unique_failure_types_per_conversation is None
    assert summary.arms == {}


def test_only_passed_and_failed_conversations_reach_rates_modes_and_means() -> None:
    """An infrastructure error or a cut conversation is never graded."""
    alone = summary_of(passed(score=0.9), failed(FORGOTTEN, score=0.3))
    mixed = summary_of(passed(score=0.9), cut(UNSAFE), broken(MISSED), missing(), failed(FORGOTTEN, score=0.3))
    for field in ("failure_rate", "mean_success_score", "unique_failure_types_per_conversation", "failures_by_mode"):
        assert getattr(mixed, field) == getattr(alone, field)


def test_failures_outside_the_rates_are_counted_apart() -> None:
    aborted = missing().model_copy(update={"failures": (MISSED,)})
    summary = summary_of(cut(UNSAFE, UNSAFE), broken(MISSED), aborted, passed(FORGOTTEN))
    assert summary.failures_outside_rates == {
        "inconclusive": {"safety_violation": ModeCount(instances=2, conversations=1)},
        "invalid": {"constraint_missed": ModeCount(instances=1, conversations=1)},
        "missing": {"constraint_missed": ModeCount(instances=1, conversations=1)},
    }


def test_a_mode_counts_its_instances_and_its_conversations() -> None:
    summary = summary_of(failed(FORGOTTEN, FORGOTTEN.model_copy(update={"t": 3}), MISSED), passed(FORGOTTEN))
    assert summary.failures_by_mode == {
        "constraint_missed": ModeCount(instances=1, conversations=1),
        "context_forgotten": ModeCount(instances=3, conversations=2),
    }


def test_a_failed_check_is_counted_by_mode_and_is_no_failure_type() -> None:
    summary = summary_of(failed(CHECKED, FORGOTTEN), passed())
    assert summary.failures_by_mode[CHECK_FAILED].instances == 1
    assert summary.unique_failure_types_per_conversation == 0.5


def test_a_conversation_without_a_score_is_left_out_of_the_mean_only() -> None:
    summary = summary_of(passed(score=None), failed(score=0.5))
    assert summary.mean_success_score == 0.5
    assert summary.failure_rate == 0.5


def test_critical_failures_are_listed_whatever_the_verdict() -> None:
    summary = summary_of(
        passed(UNSAFE), cut(UNSAFE), broken(UNSAFE), failed(MISSED), run=a_run(critical=(UNSAFE.mode,))
    )
    assert [(item.conversation, item.t, item.mode) for item in summary.critical] == [("c0001", 2, UNSAFE.mode)] * 3
    assert [item.standing for item in summary.critical] == [Standing.PASS, Standing.INCONCLUSIVE, Standing.INVALID]


def test_invalid_conversations_are_counted_by_blame_and_add_up() -> None:
    nobody = ended(Verdict.INVALID)
    by_judge = ended(Verdict.INVALID, reason=StopReason.REFUSED, role=Role.TURN_JUDGE)
    summary = summary_of(broken(), broken(reason=StopReason.PROVIDER_ERROR, pending=None), by_judge, nobody)
    assert summary.invalid_by_blame == {"judge": 1, "nobody": 1, "provider": 1, "sut": 1}
    assert sum(summary.invalid_by_blame.values()) == summary.conversations.invalid


def test_stop_reasons_are_counted_for_every_conversation_that_ended() -> None:
    summary = summary_of(passed(), passed(), cut(), broken(), missing())
    assert summary.stop_reasons == {"deadline": 1, "sut_error": 1, "turns_exhausted": 2}


def test_an_interrupted_conversation_is_missing_because_it_runs_again() -> None:
    summary = summary_of(ended(None, FORGOTTEN, reason=StopReason.INTERRUPTED))
    assert summary.conversations.missing == 1
    assert summary.failures_by_mode == {}


def test_sut_errors_have_their_own_count_and_rate_over_what_ended() -> None:
    summary = summary_of(broken(), broken(reason=StopReason.SUT_UNREACHABLE), passed(), cut(), missing())
    assert (summary.sut_errors.conversations, summary.sut_errors.rate) == (2, 0.5)


@pytest.mark.parametrize(
    ("reason", "pending", "calls"),
    [
        (StopReason.TURNS_EXHAUSTED, None, 2),
        (StopReason.SUT_ERROR, "and then?", 3),
        (StopReason.ADAPTER_FAULT, "and then?", 3),
        (StopReason.SUT_UNREACHABLE, None, 2),
        (StopReason.SIMULATOR_FAULT, "Assistant: of course", 2),
    ],
)
def test_calls_are_the_sends_that_happened(reason: StopReason, pending: str | None, calls: int) -> None:
    """An utterance that was never sent is no call."""
    summary = summary_of(ended(Verdict.INVALID, reason=reason, pending=pending))
    assert summary.suts["sut"].calls == calls


def test_one_assistant_stands_at_the_top_and_several_only_under_their_labels() -> None:
    one = summary_of(passed())
    assert one.sut == one.suts["sut"]
    assert one.sut is not None
    assert (one.sut.name, one.sut.version, one.sut.transport) == ("sut assistant", "2", "in-process")
    records = [
        ended(Verdict.PASS, place=planned(0, "clean")),
        ended(Verdict.FAIL, FORGOTTEN, place=planned(1, "faulty")),
    ]
    two = summarise(a_run("faulty", "clean"), records)
    assert two.sut is None
    assert list(two.suts) == ["clean", "faulty"]
    assert two.suts["clean"].failures_by_mode == {}
    assert two.suts["faulty"].failure_rate == 1.0


def test_a_record_of_an_unlisted_assistant_is_refused() -> None:
    with pytest.raises(ValueError, match=r"conversation c0001 is of assistant 'ghost'; the run lists sut"):
        summary_of(ended(Verdict.PASS, place=planned(0, "ghost")))


def test_arms_are_summed_up_apart() -> None:
    summary = summary_of(passed(), ended(Verdict.FAIL, place=planned(1, arm=Arm.BASELINE)))
    assert {arm: group.failure_rate for arm, group in summary.arms.items()} == {"baseline": 1.0, "guided": 0.0}


def test_an_unknown_price_is_null_and_no_call_costs_nothing() -> None:
    assert json.loads(to_json(summary_of()))["llm"]["cost_usd"] == 0.0
    unknown = summarise(a_run(), [], llm=LlmUsage(calls=1, attempts=2, prompt_tokens=9, cost_usd=None))
    assert json.loads(to_json(unknown))["llm"]["cost_usd"] is None


def test_the_file_is_versioned_sorted_in_its_maps_and_ends_with_a_newline() -> None:
    text = to_json(summary_of(passed(FORGOTTEN, MISSED)))
    data = json.loads(text)
    assert text.endswith("}\n")
    assert data["schema_version"] == 1
    assert data["status"] == "finished"
    assert data["elapsed_s"] == 1.235
    assert data["metamorphic"] == MetamorphicSummary().model_dump(mode="json")
    assert list(data["agents"]) == ["extractor", "simulator"]
    assert list(data["failures_by_mode"]) == ["constraint_missed", "context_forgotten"]


def test_the_file_passes_any_console() -> None:
    """With --json it is all that stdout holds, on consoles of any encoding."""
    run = a_run().model_copy(update={"status_detail": "Zoë, 客户"})
    text = to_json(summarise(run, []))
    assert text.isascii()
    assert json.loads(text)["status_detail"] == "Zoë, 客户"


def test_every_field_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "summary.md").read_text(encoding="utf-8")
    models = (Summary, SutSummary, ConversationCounts, ModeCount, CriticalFailure, SutErrors, LlmUsage, RoleUsage)
    others = (MetamorphicSummary, RelationCount, SimulatorSummary)
    fields = {name for model in (*models, *others) for name in model.model_fields}
    assert {name for name in fields if not re.search(rf"`(\S+\.)?{name}[`.]", page)} == set()


FAILURES = st.sampled_from([FORGOTTEN, MISSED, UNSAFE, CHECKED])


@st.composite
def records(draw: st.DrawFn) -> ConversationRecord:
    failures = tuple(draw(st.lists(FAILURES, max_size=4)))
    place = planned(draw(st.integers(0, 50)), draw(st.sampled_from(["a", "b"])), draw(st.sampled_from(list(Arm))))
    reason = draw(st.sampled_from(list(StopReason)))
    verdict = STOP_RULES[reason].verdict
    if verdict is None and STOP_RULES[reason].judged:
        verdict = draw(st.sampled_from([Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE]))
    score = draw(st.none() | st.floats(0, 1))
    record = ended(verdict, *failures, score=score, reason=reason, place=place, turns=draw(st.integers(0, 4)))
    return record if draw(st.booleans()) else record.model_copy(update={"outcome": None})


@given(st.lists(records(), max_size=30))
def test_parts_add_up_to_the_whole(rows: Sequence[ConversationRecord]) -> None:
    summary = summarise(a_run("a", "b"), rows)
    counts = summary.conversations
    assert counts.planned == len(rows) == counts.completed + counts.invalid + counts.missing
    assert counts.completed == counts.passed + counts.failed + counts.inconclusive
    assert sum(summary.invalid_by_blame.values()) == counts.invalid
    assert sum(sum(blames.values()) for blames in summary.invalid_by_reason.values()) == counts.invalid
    for groups in (summary.suts, summary.arms):
        assert sum(group.conversations.planned for group in groups.values()) == counts.planned
        assert sum(group.turns for group in groups.values()) == summary.turns
    counted = [*summary.failures_by_mode.values()]
    counted += [count for modes in summary.failures_outside_rates.values() for count in modes.values()]
    assert sum(count.instances for count in counted) == sum(len(row.failures) for row in rows)


@given(st.lists(st.floats(0, 1), min_size=1))
def test_the_mean_has_the_bits_of_fsum(scores: Sequence[float]) -> None:
    summary = summary_of(*(passed(score=score) for score in scores))
    assert summary.mean_success_score == math.fsum(scores) / len(scores)


@given(st.lists(records(), max_size=20))
def test_the_same_rows_give_the_same_bytes_and_never_nan(rows: Sequence[ConversationRecord]) -> None:
    text = to_json(summarise(a_run("a", "b"), rows))
    assert text == to_json(summarise(a_run("b", "a"), iter(rows)))
    assert "NaN" not in text
    assert "Infinity" not in text


def test_memory_does_not_grow_with_the_number_of_conversations() -> None:
    def stream(number: int) -> Iterator[ConversationRecord]:
        record = failed(FORGOTTEN, MISSED, score=0.1)
        return (record for _ in range(number))

    def peak(number: int) -> int:
        tracemalloc.start()
        summarise(a_run(), stream(number))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(10)
    # the least of some, because whoever measures coverage takes memory too; a list of them all would take 80,000
    assert min(peak(10_000) for _ in range(3)) < peak(50) + 50_000


def test_invalid_conversations_are_counted_by_reason_and_whose_it_was() -> None:
    """A judge that refuses is told apart from a user that refuses, and both from a provider that fails."""
    refusals = [
        ended(Verdict.INVALID, reason=StopReason.REFUSED, role=role)
        for role in (Role.TURN_JUDGE, Role.CONVERSATION_JUDGE, Role.SIMULATOR)
    ]
    summary = summary_of(*refusals, broken(reason=StopReason.PROVIDER_ERROR), passed())
    assert summary.invalid_by_reason == {"provider_error": {"provider": 1}, "refused": {"judge": 2, "simulator": 1}}


def test_regenerated_utterances_are_counted_per_assistant_and_in_all() -> None:
    once = Exchange(t=0, user="u", assistant="a", regenerations=1)
    twice = Exchange(t=1, user="u", assistant="a", regenerations=2)
    first = passed().model_copy(update={"exchanges": (once, twice)})
    second = ended(Verdict.PASS, place=planned(1, "other")).model_copy(update={"exchanges": (once,)})
    summary = summary_of(first, second, run=a_run("sut", "other"))
    assert summary.regenerations == 4
    assert {label: sut.regenerations for label, sut in summary.suts.items()} == {"sut": 3, "other": 1}


def test_blame_is_the_verdicts_own() -> None:
    assert summary_of(broken(reason=StopReason.ADAPTER_FAULT)).invalid_by_blame == {Blame.ADAPTER.value: 1}


def test_conversations_that_were_asked_for_and_never_begun_are_missing() -> None:
    run = a_run().model_copy(update={"n_planned": 5})
    counts = summarise(run, [passed(), failed()]).conversations
    assert (counts.planned, counts.missing) == (5, 3)
    assert counts.planned == counts.completed + counts.invalid + counts.missing


def test_attempts_that_were_given_up_are_counted_by_their_cause() -> None:
    given_up = {"interrupted": 2, "retried: provider_error: 503 a": 1, "retried: provider_error: 503 b": 2}
    summary = summarise(a_run(), [], given_up=given_up)
    assert summary.attempts_given_up == {"interrupted": 2, "retried after provider_error": 3}


def replayed(source: str | None = None, *, index: int = 0, reason: StopReason | None = None) -> ConversationRecord:
    question = ReplayedQuestion(text="Who?", index=0)
    method = Method.MORTAR if source else Method.RBT
    replay = Replay(method=method, test_seed="s1", source=source, questions=(question,))
    record = ended(None, turns=3, reason=reason or StopReason.SCRIPT_EXHAUSTED)
    return record.model_copy(update={"planned": planned(index).model_copy(update={"replay": replay})})


def test_replays_are_counted_apart_and_change_no_other_figure() -> None:
    """Neither the tallies of assistants and arms, nor turns, calls and stop reasons."""
    conversations = [passed(MISSED), failed(FORGOTTEN), broken(), missing()]
    replays = [replayed("c0001"), replayed("c0001", reason=StopReason.SUT_ERROR), replayed("c0002")]
    alone, together = summarise(a_run(), conversations), summarise(a_run(), [*conversations, *replays])
    assert together.model_copy(update={"metamorphic": alone.metamorphic}) == alone
    counted = together.metamorphic
    assert (counted.sources, counted.replays, counted.sut_calls) == (2, 3, 9)
    assert counted.broken_by_reason == {"sut_error": 1}


def test_a_run_of_nothing_but_replays_has_no_conversations_and_no_arms() -> None:
    summary = summarise(a_run(), [replayed(), replayed("c0001", index=1)])
    assert summary.conversations.planned == 0
    assert summary.arms == {}
    assert summary.stop_reasons == {}
    assert (summary.metamorphic.sources, summary.metamorphic.replays, summary.metamorphic.follow_ups) == (1, 2, 1)


def test_test_seeds_that_were_asked_for_and_never_begun_are_missing_but_those_begun_are_not() -> None:
    run = a_run().model_copy(update={"n_planned": 5})
    assert summarise(run, [replayed(), replayed(index=1), replayed("c0001", index=2)]).conversations.missing == 3


def test_what_relations_found_stands_in_the_summary() -> None:
    found = RelationTotals(by_relation={MetamorphicRelation.MR1: RelationCount(checks=4, violations=1)}, levels={3: 1})
    summary = summarise(a_run(), [replayed()], relations=found)
    assert summary.metamorphic.MR1.violations == 1
    assert summary.metamorphic.L3 == 1
    assert json.loads(to_json(summary))["metamorphic"]["violation_rate"] == 0.25
