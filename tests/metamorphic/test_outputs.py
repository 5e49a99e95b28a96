"""The outputs of a family in their places."""

from __future__ import annotations

import pytest

from hairpin.domain.families import Family
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import ContextCheck, ContextFinding, ContextMethod, ContextReason, MetamorphicSpec
from hairpin.domain.replay import HistoryTurn, Method
from hairpin.metamorphic.outputs import answered, findings_of, follow_ups, latest_findings, source_answers
from hairpin.metamorphic.scoring import check_relations_exactly
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


SAME_STATE = MetamorphicSpec(same_state=True)
DIFFERS = ContextReason.STATE_DIFFERS


def stateful(
    states: str, *, order: tuple[int, ...], source_states: str = "abc", free: bool = False, finding: ContextFinding
) -> Family:
    """Return a source and a follow-up ``f`` in which the state after each reply is a letter, ``-`` for none told."""
    replay = told(follow_up("f", order, ["x"] * len(order)), states)
    checks = [ContextCheck(conversation="f", position=i, index=j, finding=finding) for i, j in enumerate(order)]
    return family([[], [], []], told(source(["x"] * 3, 3, free=free), source_states), [replay], earlier=checks)


def told(record: ConversationRecord, states: str) -> ConversationRecord:
    exchanges = tuple(
        each.model_copy(update={"state": None if state == "-" else {"light": state}})
        for each, state in zip(record.exchanges, states, strict=False)
    )
    return record.model_copy(update={"exchanges": exchanges})


def equivalent(made: Family, spec: MetamorphicSpec = SAME_STATE) -> list[bool | None]:
    found = findings_of(made, spec)
    assert all((each.equivalent is None) == (each.reason is DIFFERS) for each in found.values())
    return [found["f", i].equivalent for i in range(len(found))]


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize(
    ("order", "states", "expected"),
    [
        ((0, 1, 2), "abc", [True, True, True]),
        ((0, 1, 2), "axc", [True, True, None]),  # before q2 the source was in state b
        ((0, 2, 1), "bab", [True, True, True]),  # other questions, and the same state all the same
        ((0, 1, 1), "ayz", [True, True, None]),
        ((1, 0, 2), "abc", [None, None, True]),  # only q0 was asked in the state of a session just opened
        ((0, 1, 2), "-bc", [True, None, True]),
    ],
)
def test_with_same_state_contexts_are_equivalent_only_in_the_state_of_the_source(
    order: tuple[int, ...], states: str, expected: list[bool | None], *, free: bool
) -> None:
    made = stateful(states, order=order, free=free, finding=EQUIVALENT)
    assert equivalent(made) == expected
    assert equivalent(made, MetamorphicSpec()) == [True, True, True]


def test_two_states_that_were_not_told_are_not_known_to_be_the_same() -> None:
    assert equivalent(stateful("--c", order=(0, 1, 2), source_states="--c", finding=EQUIVALENT)) == [True, None, None]


def test_a_question_that_the_source_did_not_get_to_was_asked_in_an_unknown_state() -> None:
    """Its gold answer may be one for another state; where the source broke off the state is still known."""
    made = stateful("abc", order=(0, 1, 2), finding=EQUIVALENT)
    assert equivalent(broken_off(made, 1)) == [True, True, None]
    assert equivalent(broken_off(made, 2)) == [True, True, True]


def broken_off(made: Family, n: int) -> Family:
    source = made.source.model_copy(update={"exchanges": made.source.exchanges[:n]})
    return made.model_copy(update={"source": source})


def test_a_round_that_was_not_reached_is_that_and_nothing_else() -> None:
    made = stateful("axc", order=(0, 1, 2), finding=EQUIVALENT)
    cut = made.follow_ups[0].model_copy(update={"exchanges": made.follow_ups[0].exchanges[:2]})
    assert equivalent(made.model_copy(update={"follow_ups": (cut,)})) == [True, True, True]


def test_an_altered_context_stays_altered_in_any_state() -> None:
    for states in ("abc", "xyz", "---"):
        assert equivalent(stateful(states, order=(0, 1, 2), finding=ALTERED)) == [False, False, False]


def test_an_answer_in_another_state_is_checked_by_no_relation_and_says_why() -> None:
    made = stateful("axc", order=(0, 1, 2), finding=EQUIVALENT)
    (checks,) = check_relations_exactly([made], lambda exchange: exchange.assistant, SAME_STATE)
    singles = [(check.index, check.violated, check.reason) for check in checks if check.relation == "MR1"]
    assert singles == [(0, False, ""), (1, False, ""), (2, None, "state_differs")]


def test_a_history_that_was_handed_over_has_no_state_and_none_is_asked_for() -> None:
    """METAL changes a question in its own context; no context check is of it."""
    changed = follow_up("m", [1], ["y"], method=Method.METAL)
    replay = changed.planned.replay
    assert replay is not None
    history = (HistoryTurn(user="q0?", assistant="x"),)
    planned = changed.planned.model_copy(update={"replay": replay.model_copy(update={"history": history})})
    made = family([[], []], told(source(["x", "x"], 2), "ab"), [changed.model_copy(update={"planned": planned})])
    (checks,) = check_relations_exactly([made], lambda exchange: exchange.assistant, SAME_STATE)
    assert [(check.index, check.violated) for check in checks if check.relation == "METAL"] == [(1, True)]
