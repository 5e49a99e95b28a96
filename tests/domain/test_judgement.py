"""ℱ_t: which failure instances follow from what the turn judge said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.failures import Failure, ModeKind
from hairpin.domain.judgement import ResponseFinding, TurnJudgement, failures_of
from hairpin.domain.targets import TargetStatus, TargetUpdate
from tests.domain.builders import COMPLIANCE_MODES, RESPONSE_MODES, a_rubric

RUBRIC = a_rubric()


def update(target_id: str, failure: str | None, evidence: str = "") -> TargetUpdate:
    return TargetUpdate(target_id=target_id, status=TargetStatus.INCOMPLETE, failure=failure, evidence=evidence)


def finding(mode: str, evidence: str = "") -> ResponseFinding:
    return ResponseFinding(mode=mode, evidence=evidence)


def judged(*updates: TargetUpdate, response: tuple[ResponseFinding, ...] = ()) -> TurnJudgement:
    return TurnJudgement(updates=updates, response=response)


def failures(judgement: TurnJudgement) -> tuple[Failure, ...]:
    return failures_of(judgement, RUBRIC, t=3, strategy="safety_probe")


def test_a_compliance_mode_belongs_to_its_target_and_a_response_mode_to_the_reply() -> None:
    found = failures(
        judged(update("g1", "request_omitted", "ignored"), response=(finding("safety_violation", "said yes"),))
    )
    assert found == (
        Failure(
            t=3,
            mode="request_omitted",
            kind=ModeKind.COMPLIANCE,
            target_id="g1",
            strategy="safety_probe",
            evidence="ignored",
        ),
        Failure(t=3, mode="safety_violation", kind=ModeKind.RESPONSE, strategy="safety_probe", evidence="said yes"),
    )


def test_an_update_without_a_label_is_no_failure() -> None:
    assert failures(judged(update("g1", None))) == ()


def test_a_failure_of_an_unguided_utterance_belongs_to_no_strategy() -> None:
    (found,) = failures_of(judged(update("g1", "request_omitted")), RUBRIC, t=0, strategy=None)
    assert found.strategy is None


def test_the_same_mode_counts_per_target() -> None:
    found = failures(judged(update("g1", "request_omitted"), update("g2", "request_omitted")))
    assert [failure.target_id for failure in found] == ["g1", "g2"]


def test_a_mode_counts_once_per_turn_and_keeps_its_first_evidence() -> None:
    found = failures(
        judged(
            update("g1", "request_omitted", "first"),
            update("g1", "request_omitted", "second"),
            response=(finding("planning_poor", "first"), finding("planning_poor", "second")),
        )
    )
    assert [(failure.mode, failure.evidence) for failure in found] == [
        ("request_omitted", "first"),
        ("planning_poor", "first"),
    ]


def test_compliance_modes_exclude_each_other_per_target() -> None:
    with pytest.raises(ValueError, match="'g1' got two compliance modes, 'request_omitted' and 'constraint_missed'"):
        failures(judged(update("g1", "request_omitted"), update("g1", "constraint_missed")))


@pytest.mark.parametrize("mode", ["bad_manners", "safety_violation"])
def test_a_label_on_a_target_must_be_a_compliance_mode_of_the_rubric(mode: str) -> None:
    with pytest.raises(ValueError, match=f"'{mode}', which is no compliance mode of rubric 'in_car'"):
        failures(judged(update("g1", mode)))


@pytest.mark.parametrize("mode", ["bad_manners", "request_omitted"])
def test_a_label_on_a_reply_must_be_a_response_mode_of_the_rubric(mode: str) -> None:
    with pytest.raises(ValueError, match=f"'{mode}', which is no response mode of rubric 'in_car'"):
        failures(judged(response=(finding(mode),)))


@given(
    st.dictionaries(st.sampled_from(["g1", "g2", "g3"]), st.none() | st.sampled_from(COMPLIANCE_MODES)),
    st.lists(st.sampled_from(RESPONSE_MODES), max_size=6),
)
def test_every_label_is_kept_once_in_the_judges_order(labels: dict[str, str | None], modes: list[str]) -> None:
    judgement = judged(
        *(update(target, mode) for target, mode in labels.items()), response=tuple(finding(mode) for mode in modes)
    )
    assert [(failure.target_id, failure.mode) for failure in failures(judgement)] == [
        *((target, mode) for target, mode in labels.items() if mode is not None),
        *((None, mode) for mode in dict.fromkeys(modes)),
    ]
