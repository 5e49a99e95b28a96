"""What the roles of replays will take."""

from __future__ import annotations

import pytest

from hairpin.domain.outcome import Role
from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.replay import Method, Perturbation
from hairpin.llm.replay_estimate import questions_per_source, replay_calls, replay_chars


@pytest.mark.parametrize(
    ("perturbation", "length"),
    [("RS", 1.0), ("RR", 0.7), ("RD", 1.3), ("RSR", 0.7), ("RSD", 1.3), ("RRD", 0.91), ("RSRD", 0.91), ("RI", 1.0)],
)
def test_follow_ups_are_as_long_as_their_steps_make_them(perturbation: str, length: float) -> None:
    spec = MetamorphicSpec(perturbations=(Perturbation(perturbation),), ratio=0.3)
    assert questions_per_source(spec) == pytest.approx(length)
    assert questions_per_source(spec.model_copy(update={"executions": 3})) == pytest.approx(3 * length)


def test_a_judge_is_asked_once_a_check_and_the_others_by_what_memo_and_short_cuts_leave() -> None:
    spec = MetamorphicSpec(perturbations=(Perturbation.RS,))
    assert [replay_calls(spec, Role.CONTEXT_JUDGE, 100, level) for level in range(3)] == [100, 100, 100]
    low, expected, high = (replay_calls(spec, Role.DECONTEXTUALISER, 100, level) for level in range(3))
    assert low < expected < high == 200


def test_the_question_writer_is_asked_for_each_relation_of_qaasker_and_not_without_it() -> None:
    spec = MetamorphicSpec(baselines=(Method.QAASKER,))
    assert replay_calls(spec, Role.QUESTION_WRITER, 10, 1) == 30
    assert replay_calls(MetamorphicSpec(), Role.QUESTION_WRITER, 10, 1) == 0


def test_the_answerer_sees_no_earlier_question_and_the_judge_both_contexts() -> None:
    answerer, rewriter, judge = (
        replay_chars(role, 4, 1) for role in (Role.REFERENCE_ANSWERER, Role.DECONTEXTUALISER, Role.CONTEXT_JUDGE)
    )
    assert answerer < rewriter < judge
    assert judge - rewriter == rewriter - answerer
