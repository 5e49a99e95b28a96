"""The outputs of a family in their places."""

from __future__ import annotations

from hairpin.domain.relations import ContextCheck, ContextFinding, ContextMethod, ContextReason
from hairpin.domain.replay import Method
from hairpin.metamorphic.outputs import answered, follow_ups, latest_findings, source_answers
from hairpin.metamorphic.similarity import KeySimilarity
from tests.metamorphic.making_families import ALTERED, EQUIVALENT, family, follow_up, source

BY_TEXT = KeySimilarity(lambda exchange: exchange.assistant)


def test_foreign_rounds_and_those_that_lead_up_are_not_looked_at() -> None:
    replay = follow_up("f", [1, None, 0, 1], ["a", "b", "c"], kind="RD", unchecked=[0])
    found = [(each.output.position, each.index, each.kind, each.reason) for each in answered(replay, BY_TEXT)]
    assert found == [(2, 0, "RD", ""), (3, 1, "RD", "not_reached")]


def test_a_source_that_was_held_freely_asked_its_questions_in_their_order() -> None:
    for free in (False, True):
        held = family([[], [], []], source(["a", ""], 3, free=free))
        found = source_answers(held, BY_TEXT)
        assert [(j, found[j].output.position, found[j].reason) for j in sorted(found)] == [
            (0, 0, ""),
            (1, 1, "blank_answer"),
            (2, 2, "not_reached"),
        ]


def test_follow_ups_come_by_method_in_plan_order() -> None:
    replays = [follow_up(name, [0], ["a"], method=method) for name, method in (("a", Method.METAL), ("b", Method.NULL))]
    made = family([[]], source(["a"], 1), [*replays, follow_up("c", [0], ["a"], method=Method.METAL)])
    assert [each.planned.id for each in follow_ups(made, Method.METAL)] == ["a", "c"]


def test_the_last_check_of_a_context_counts_and_repeats_of_studies_do_not() -> None:
    def check(finding: ContextFinding, *, repeat: int = 0, method: ContextMethod = ContextMethod.EC) -> ContextCheck:
        return ContextCheck(conversation="f", position=1, index=0, finding=finding, repeat=repeat, method=method)

    failed = ContextFinding(equivalent=None, reason=ContextReason.ROLE_FAILED)
    checks = [
        check(failed),
        check(EQUIVALENT),
        check(ALTERED, repeat=1),
        check(ALTERED, method=ContextMethod.LLM_JUDGE),
    ]
    assert latest_findings(checks, ContextMethod.EC) == {("f", 1): EQUIVALENT}
    assert latest_findings(checks, ContextMethod.LLM_JUDGE) == {("f", 1): ALTERED}
