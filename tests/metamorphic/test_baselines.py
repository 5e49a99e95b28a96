from __future__ import annotations

from collections import Counter

import pytest

from hairpin.domain.briefs import QuestionBrief
from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.replay import HistoryTurn, Method, NotApplicable, Replay, ReplayedQuestion
from hairpin.domain.test_seeds import TestSeed
from hairpin.metamorphic.baselines import BaselineSource, Relation, baseline_cases
from hairpin.metamorphic.metal import MetalRelation
from hairpin.metamorphic.qaasker import QaaskerRelation
from hairpin.ports import WrittenQuestion
from tests.metamorphic.dialogues import a_seed, exchanges

pytestmark = pytest.mark.anyio

BOTH = MetamorphicSpec(baselines=(Method.METAL, Method.QAASKER))
Found = list[tuple[Relation, int, Replay | NotApplicable]]


class Noting:
    """Finds no question, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[QuestionBrief] = []

    async def write(self, brief: QuestionBrief) -> WrittenQuestion | None:
        self.asked.append(brief)
        return None


def a_baseline_source(
    seed: TestSeed | None = None, *, answered: int | None = None, accepts_history: bool = True, answer: str = "said {}"
) -> BaselineSource:
    seed = seed or a_seed()
    return BaselineSource(
        id="c0003",
        seed=seed,
        exchanges=exchanges(seed.texts[:answered], answer),
        accepts_history=accepts_history,
        rng_seed=7,
    )


async def cases(source: BaselineSource, spec: MetamorphicSpec = BOTH, writer: Noting | None = None) -> Found:
    return [each async for each in baseline_cases(source, spec, writer=writer, language="en")]


async def test_each_question_meets_each_relation_once() -> None:
    found = await cases(a_baseline_source())
    assert Counter((relation, index) for relation, index, _ in found) == Counter(
        (relation, index) for index in range(4) for relation in (*MetalRelation, *QaaskerRelation)
    )
    assert [index for _, index, _ in found] == sorted(index for _, index, _ in found)


@pytest.mark.parametrize(("method", "n"), [(Method.METAL, 16), (Method.QAASKER, 12)])
async def test_each_baseline_can_be_had_alone(method: Method, n: int) -> None:
    found = await cases(a_baseline_source(), MetamorphicSpec(baselines=(method,)))
    assert len(found) == n
    assert {case.method for _, _, case in found} == {method}


async def test_the_context_is_handed_over_with_the_answers_that_the_source_got() -> None:
    found = await cases(a_baseline_source())
    typo = next(case for relation, index, case in found if (relation, index) == (MetalRelation.TYPO, 2))
    assert isinstance(typo, Replay)
    assert typo.history == (
        HistoryTurn(user="Who wrote the letter?", assistant="said 0"),
        HistoryTurn(user="When was Ada born?", assistant="said 1"),
    )
    (asked,) = typo.questions
    assert asked.text != "Where did Ada move?"
    assert (asked.index, asked.checked, typo.expected) == (2, True, None)


async def test_without_a_history_earlier_questions_are_asked_again_unchecked() -> None:
    found = await cases(a_baseline_source(accepts_history=False))
    polar = next(case for relation, i, case in found if (relation, i) == (QaaskerRelation.WH_TO_POLAR, 2))
    assert isinstance(polar, Replay)
    assert polar.history == ()
    assert polar.questions == (
        ReplayedQuestion(text="Who wrote the letter?", index=0, checked=False),
        ReplayedQuestion(text="When was Ada born?", index=1, checked=False),
        ReplayedQuestion(text="Did Ada move to Bonn?", index=2),
    )
    assert polar.expected == "yes"


async def test_the_gold_answer_is_built_on_where_there_is_one_else_that_of_the_source() -> None:
    writer = Noting()
    seed = a_seed((("Since when?", "2010"), ("Until when?", None)))
    await cases(a_baseline_source(seed), MetamorphicSpec(baselines=(Method.QAASKER,)), writer)
    assert {brief.question: brief.answer for brief in writer.asked} == {"Since when?": "2010", "Until when?": "said 1"}
    assert {brief.earlier for brief in writer.asked} == {(), ("Since when?",)}
    assert len({brief.rng_seed for brief in writer.asked}) == len(writer.asked) == 4


@pytest.mark.parametrize(("answered", "answer", "why"), [(1, "said {}", "broke off"), (None, " ", "blank")])
async def test_a_question_that_the_source_did_not_answer_has_no_test_case(
    answered: int | None, answer: str, why: str
) -> None:
    found = await cases(a_baseline_source(answered=answered, answer=answer))
    missing = [case for _, index, case in found if index >= (answered or 0)]
    assert len(missing) == 7 * (4 - (answered or 0))
    assert all(isinstance(case, NotApplicable) and why in case.reason for case in missing)


async def test_what_cannot_be_changed_is_counted_with_its_question() -> None:
    found = await cases(a_baseline_source(a_seed((("Who?", "Ada"), ("42?", "yes")))))
    refused = [(case.kind, case.index) for _, _, case in found if isinstance(case, NotApplicable)]
    assert ("synonym", 0) in refused
    assert ("leet", 1) in refused
