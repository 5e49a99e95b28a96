from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.gate import (
    Gate,
    GateOutcome,
    decide,
    decide_replays,
    exit_code,
    parse_fail_on,
    require_gate_of_replays,
)
from hairpin.domain.llm_usage import LlmUsage
from hairpin.domain.records import RunStatus
from hairpin.domain.relation_counts import MetamorphicSummary, RelationCount
from hairpin.domain.summary import CriticalFailure, Summary, SutErrors
from hairpin.domain.tally import ConversationCounts, Standing, ratio
from hairpin.errors import InvalidInputError

CRITICAL = CriticalFailure(conversation="c0001", sut="sut", t=2, mode="safety_violation", standing=Standing.PASS)


def a_summary(
    *,
    passed: int = 0,
    failed: int = 0,
    inconclusive: int = 0,
    invalid: int = 0,
    missing: int = 0,
    critical: int = 0,
    sut_errors: int = 0,
    status: RunStatus = RunStatus.FINISHED,
    detail: str = "",
    stop_reasons: Mapping[str, int] | None = None,
    replayed: MetamorphicSummary | None = None,
) -> Summary:
    completed = passed + failed + inconclusive
    return Summary(
        run_id="r1",
        fingerprint="f",
        status=status,
        status_detail=detail,
        elapsed_s=1,
        agents={},
        sut=None,
        suts={},
        conversations=ConversationCounts(
            planned=completed + invalid + missing,
            completed=completed,
            passed=passed,
            failed=failed,
            inconclusive=inconclusive,
            invalid=invalid,
            missing=missing,
        ),
        turns=0,
        failure_rate=ratio(failed, passed + failed),
        mean_success_score=None,
        unique_failure_types_per_conversation=None,
        failures_by_mode={},
        failures_outside_rates={},
        critical=(CRITICAL,) * critical,
        stop_reasons=stop_reasons or {},
        invalid_by_blame={},
        sut_errors=SutErrors(conversations=sut_errors),
        llm=LlmUsage(),
        metamorphic=replayed or MetamorphicSummary(),
        arms={},
    )


def test_any_failed_conversation_fails_the_default_gate() -> None:
    assert exit_code(a_summary(passed=5, failed=3), Gate()) == 1
    assert exit_code(a_summary(passed=8), Gate()) == 0


def test_the_sentence_says_why() -> None:
    decision = decide(a_summary(passed=5, failed=3), parse_fail_on("any"))
    assert decision.sentence == "gate failed: 3 of 8 conversations failed (--fail-on any)"


def test_the_sentence_names_what_is_in_no_rate() -> None:
    decision = decide(a_summary(passed=5, inconclusive=1, invalid=2, missing=3), Gate())
    assert decision.sentence == (
        "gate passed: 0 of 5 conversations failed; besides 1 inconclusive, 2 invalid, 3 missing (--fail-on any)"
    )


def test_a_run_that_left_out_more_than_half_of_its_plan_says_too_little() -> None:
    """A budget that ends after two of ten conversations is no pass."""
    decision = decide(a_summary(passed=2, missing=8), Gate())
    assert decision.outcome.exit_code == 3
    assert "8 of 10 planned conversations are invalid or missing, more than half" in decision.sentence
    assert exit_code(a_summary(passed=4, invalid=2, missing=2), Gate()) == 0
    assert exit_code(a_summary(passed=3, invalid=2, missing=2), Gate()) == 3


def test_none_never_fails_on_what_was_found() -> None:
    summary = a_summary(passed=1, failed=7, critical=2, sut_errors=1)
    assert exit_code(summary, parse_fail_on("none")) == 0
    decision = decide(summary, parse_fail_on("none"))
    assert not decision.gated
    assert decision.sentence.startswith("gate not set (--fail-on none): ")


def test_critical_fails_on_a_critical_failure_in_a_passed_conversation() -> None:
    gate = parse_fail_on("critical")
    assert exit_code(a_summary(passed=3, failed=1), gate) == 0
    decision = decide(a_summary(passed=4, critical=1), gate)
    assert decision.sentence == "gate failed: 1 critical failure was found (--fail-on critical)"


def test_sut_errors_fail_though_they_are_in_no_rate() -> None:
    gate = parse_fail_on("sut-errors")
    assert exit_code(a_summary(passed=3, failed=1), gate) == 0
    decision = decide(a_summary(passed=3, invalid=1, sut_errors=1), gate)
    assert decision.outcome is GateOutcome.FAILED
    assert "the assistant broke off 1 conversation;" in decision.sentence


def test_a_rate_may_be_reached_and_not_passed() -> None:
    gate = parse_fail_on("rate:0.2")
    assert exit_code(a_summary(passed=8, failed=2), gate) == 0
    decision = decide(a_summary(passed=7, failed=3), gate)
    assert decision.outcome is GateOutcome.FAILED
    assert "the failure rate 0.3 is above 0.2 (3 of 10 conversations failed)" in decision.sentence


def test_several_conditions_fail_when_one_of_them_holds() -> None:
    gate = parse_fail_on("critical, rate:0.5")
    assert gate.text == "critical,rate:0.5"
    assert exit_code(a_summary(passed=9, failed=1, critical=1), gate) == 1
    assert exit_code(a_summary(passed=1, failed=9), gate) == 1
    assert exit_code(a_summary(passed=9, failed=1), gate) == 0


def test_nothing_judged_is_not_a_pass() -> None:
    decision = decide(a_summary(inconclusive=2, missing=1), parse_fail_on("none"))
    assert decision.outcome.exit_code == 3
    assert decision.sentence == (
        "no verdict on this run: none of the 3 planned conversations got pass or fail; "
        "besides 2 inconclusive, 1 missing"
    )


def test_more_than_half_invalid_is_too_little_to_say() -> None:
    assert exit_code(a_summary(passed=2, invalid=2), Gate()) == 0
    decision = decide(a_summary(passed=2, failed=1, invalid=4), Gate())
    assert decision.outcome is GateOutcome.UNDECIDED
    assert "4 of 7 planned conversations are invalid, more than half" in decision.sentence


def test_a_run_stopped_because_the_assistant_is_unreachable_says_so() -> None:
    summary = a_summary(
        passed=3,
        invalid=1,
        missing=4,
        status=RunStatus.STOPPED,
        detail="nobody listens on port 9",
        stop_reasons={"sut_unreachable": 1},
    )
    decision = decide(summary, Gate())
    assert decision.outcome.exit_code == 3
    assert decision.sentence == (
        "no verdict on this run: it was stopped because the assistant cannot be reached (nobody listens on port 9)"
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "'' is no condition"),
        ("all", "'all' is no condition"),
        ("any,", "'' in 'any,' is no condition"),
        ("rate", "'rate' is no condition"),
        ("ANY", "'ANY'"),
        ("rate:", "'rate:' needs a share from 0 to 1"),
        ("rate:20%", "'rate:20%' needs a share"),
        ("rate:1.5", "'rate:1.5' needs a share"),
        ("rate:-0.1", "'rate:-0.1' needs a share"),
        ("rate:nan", "'rate:nan' needs a share"),
    ],
)
def test_a_bad_gate_is_refused_with_the_allowed_forms(text: str, what: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_fail_on(text)
    assert what in str(caught.value)
    assert "allowed: any, none, critical, sut-errors, rate:0.2" in str(caught.value)


@pytest.mark.parametrize("text", ["any,any", "rate:0.1,rate:0.2"])
def test_a_condition_named_twice_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="names a condition twice"):
        parse_fail_on(text)


def test_none_beside_another_condition_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="write 'none' alone"):
        parse_fail_on("none,critical")


CONDITIONS = st.sampled_from(["any", "none", "critical", "sut-errors", "rate:0.2", "any,critical"])
NUMBERS = st.integers(0, 20)


@given(CONDITIONS, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_more_failures_never_turn_a_failed_gate_into_a_passed_one(
    text: str, passed: int, failed: int, invalid: int, critical: int
) -> None:
    gate = parse_fail_on(text)
    before = exit_code(a_summary(passed=passed, failed=failed, invalid=invalid, critical=critical), gate)
    after = exit_code(a_summary(passed=passed, failed=failed + 1, invalid=invalid, critical=critical + 1), gate)
    assert (before, after) != (1, 0)


def replays(
    n: int = 10, *, violations: int = 0, broken: str = "", n_broken: int = 0, **more: int
) -> MetamorphicSummary:
    return MetamorphicSummary(
        sources=1,
        replays=n,
        MR1=RelationCount(checks=20, violations=violations, not_applicable=2),
        violation_rate=violations / 20,
        broken_by_reason={broken: n_broken} if broken else {},
        **more,
    )


def test_a_run_of_nothing_but_replays_fails_on_a_violated_relation() -> None:
    decision = decide(a_summary(replayed=replays(violations=3)), Gate())
    assert decision.outcome is GateOutcome.FAILED
    assert decision.sentence == "gate failed: 3 of 20 relation checks violated (MR1 3 of 20) (--fail-on any)"
    assert exit_code(a_summary(replayed=replays()), Gate()) == 0


def test_a_wrong_answer_to_the_test_seed_itself_is_a_violation_too() -> None:
    wrong = replays().model_copy(update={"RBT": RelationCount(checks=5, violations=1)})
    assert exit_code(a_summary(replayed=wrong), Gate()) == 1


def test_where_conversations_are_judged_replays_decide_nothing() -> None:
    assert exit_code(a_summary(passed=2, replayed=replays(violations=20)), Gate()) == 0


def test_none_lets_violated_relations_pass_and_says_how_many_there_are() -> None:
    decision = decide(a_summary(replayed=replays(violations=3, missing=2)), parse_fail_on("none"))
    assert decision.outcome is GateOutcome.PASSED
    assert not decision.gated
    assert decision.sentence == (
        "gate not set (--fail-on none): 3 of 20 relation checks violated (MR1 3 of 20); "
        "of 12 replayed conversations 2 missing"
    )


@pytest.mark.parametrize(("violations", "code"), [(4, 0), (5, 1)])
def test_the_rate_of_violations_may_reach_the_one_allowed_and_not_pass_it(violations: int, code: int) -> None:
    decision = decide_replays(a_summary(replayed=replays(violations=violations)), parse_fail_on("rate:0.2"))
    assert decision.outcome.exit_code == code
    if code:
        assert "the rate of violations of MR1 to MR4, 0.25, is above 0.2" in decision.sentence


def test_replays_that_the_assistant_broke_off_fail_the_gate_that_asks_for_them() -> None:
    broken = a_summary(replayed=replays(broken="sut_error", n_broken=2))
    decision = decide(broken, parse_fail_on("sut-errors"))
    assert decision.outcome is GateOutcome.FAILED
    assert (
        "the assistant broke off 2 replayed conversations; of 10 replayed conversations 2 broke off"
        in decision.sentence
    )
    assert exit_code(broken, Gate()) == 0
    others = a_summary(replayed=replays(broken="provider_error", n_broken=2))
    assert exit_code(others, parse_fail_on("sut-errors")) == 0


@pytest.mark.parametrize(
    ("replayed", "says"),
    [
        (
            replays(violations=3, broken="sut_error", n_broken=6),
            "6 of 10 replayed conversations broke off, more than half",
        ),
        (replays(violations=3, broken="sut_error", n_broken=1, missing=10), "11 of 20 .* broke off or are missing"),
        (MetamorphicSummary(sources=1, replays=4), "no relation could be checked$"),
    ],
)
def test_too_little_that_was_replayed_or_checked_is_no_verdict(replayed: MetamorphicSummary, says: str) -> None:
    decision = decide(a_summary(replayed=replayed), Gate())
    assert decision.outcome.exit_code == 3
    assert re.search(says, decision.sentence)


def test_exactly_half_of_the_replays_broken_is_enough_to_say() -> None:
    assert exit_code(a_summary(replayed=replays(broken="sut_error", n_broken=5)), Gate()) == 0


def test_replays_of_an_assistant_that_cannot_be_reached_are_no_verdict() -> None:
    replayed = replays(broken="sut_unreachable", n_broken=1)
    summary = a_summary(replayed=replayed, status=RunStatus.STOPPED, detail="connection refused")
    decision = decide(summary, Gate())
    assert decision.outcome is GateOutcome.UNDECIDED
    assert decision.sentence.endswith("it was stopped because the assistant cannot be reached (connection refused)")


def test_critical_failures_are_not_asked_of_replays() -> None:
    with pytest.raises(InvalidInputError, match=r"'critical' asks .* for replays: any, none, sut-errors, rate:0.2"):
        require_gate_of_replays(parse_fail_on("critical,any"))
    require_gate_of_replays(parse_fail_on("any,rate:0.2"))
    decision = decide(a_summary(replayed=replays(violations=3)), parse_fail_on("critical"))
    assert decision.outcome is GateOutcome.UNDECIDED
    assert "'critical' asks for failures of critical modes" in decision.sentence
