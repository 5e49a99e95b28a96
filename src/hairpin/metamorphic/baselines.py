"""The test cases of METAL and QAAsker: one question of a dialogue changed, in its original context.

How a question is changed, ``metal`` and ``qaasker`` know; where a test case stands in the plan, ``derive``.

The context is the source's own: its exchanges are handed over where the assistant takes a history, else its earlier
questions are asked again, unchecked, so that a test case of question j costs j rounds more.

Source: MORTAR, section IV-C.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import cached_property

from hairpin.domain.briefs import QuestionBrief
from hairpin.domain.conversation import Exchange
from hairpin.domain.llm_calls import CallOrigin, Purpose
from hairpin.domain.relations import MetamorphicSpec
from hairpin.domain.replay import HistoryTurn, Method, NotApplicable, Replay, ReplayedQuestion
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.test_seeds import TestSeed
from hairpin.metamorphic.metal import MetalRelation, change
from hairpin.metamorphic.qaasker import QaaskerRelation, written
from hairpin.metamorphic.refusal import Refused
from hairpin.ports import QuestionWriter

Relation = MetalRelation | QaaskerRelation


@dataclass(frozen=True)
class BaselineSource:
    """What single questions are changed of.

    Attributes:
        id: of the source conversation.
        seed: its test seed.
        exchanges: what the source asked and was answered: exchange j is about question j.
        accepts_history: whether the assistant can be handed exchanges when a session opens.
        rng_seed: of the source conversation.
    """

    id: str
    seed: TestSeed
    exchanges: tuple[Exchange, ...]
    accepts_history: bool
    rng_seed: int

    @cached_property
    def handed(self) -> tuple[HistoryTurn, ...]:
        """Return its exchanges as a history."""
        return tuple(HistoryTurn(user=each.user, assistant=each.assistant) for each in self.exchanges)

    @cached_property
    def asked_again(self) -> tuple[ReplayedQuestion, ...]:
        """Return its questions as rounds that only lead up to another."""
        return tuple(ReplayedQuestion(text=each.user, index=j, checked=False) for j, each in enumerate(self.exchanges))


async def baseline_cases(
    source: BaselineSource, spec: MetamorphicSpec, *, writer: QuestionWriter | None, language: str
) -> AsyncIterator[tuple[Relation, int, Replay | NotApplicable]]:
    """Yield by question, for each relation of the baselines of ``spec``, its test case or why there is none.

    Raises:
        EndsRunError: a model takes no call any more.
    """
    for index in range(len(source.seed.questions)):
        if Method.METAL in spec.baselines:
            for relation, metal in _metal_cases(source, index, spec):
                yield relation, index, metal
        if Method.QAASKER in spec.baselines:
            for asking in QaaskerRelation:
                yield asking, index, await _qaasker_case(source, index, asking, writer, language)


def _metal_cases(
    source: BaselineSource, index: int, spec: MetamorphicSpec
) -> Iterator[tuple[MetalRelation, Replay | NotApplicable]]:
    missing = _missing(source, index)
    rng_seed = derive_rng_seed(source.rng_seed, source.seed.id, "question", str(index))
    for relation in MetalRelation:
        changed = missing or change(source.seed.questions[index].text, relation, spec.metal, rng_seed=rng_seed)
        yield relation, _case(source, Method.METAL, relation, index, changed)


async def _qaasker_case(
    source: BaselineSource, index: int, relation: QaaskerRelation, writer: QuestionWriter | None, language: str
) -> Replay | NotApplicable:
    missing = _missing(source, index)
    if missing is not None:
        return _case(source, Method.QAASKER, relation, index, missing)
    question = source.seed.questions[index]
    brief = QuestionBrief(
        language=language,
        rng_seed=derive_rng_seed(source.rng_seed, source.seed.id, relation.value, str(index)),
        origin=CallOrigin(purpose=Purpose.REPLAY),
        reference_text=source.seed.reference_text,
        earlier=source.seed.texts[:index],
        question=question.text,
        answer=question.answers[0] if question.answers else source.exchanges[index].assistant,
        kind=relation.value,
    )
    made = await written(brief, writer)
    if isinstance(made, Refused):
        return _case(source, Method.QAASKER, relation, index, made)
    return _case(source, Method.QAASKER, relation, index, made.question, expected=made.expected)


def _missing(source: BaselineSource, index: int) -> Refused | None:
    """Say why there is no answer of the source to compare with or to build a context on."""
    if index >= len(source.exchanges):
        return Refused(reason="the source conversation broke off before this question was answered")
    if not source.exchanges[index].assistant.strip():
        return Refused(reason="the answer of the source is blank")
    return None


def _case(
    source: BaselineSource,
    method: Method,
    relation: Relation,
    index: int,
    changed: str | Refused,
    *,
    expected: str | None = None,
) -> Replay | NotApplicable:
    if isinstance(changed, Refused):
        return NotApplicable(method=method, kind=relation.value, index=index, reason=changed.reason)
    lead = () if source.accepts_history else source.asked_again[:index]
    return Replay(
        method=method,
        test_seed=source.seed.id,
        source=source.id,
        kind=relation.value,
        history=source.handed[:index] if source.accepts_history else (),
        questions=(*lead, ReplayedQuestion(text=changed, index=index)),
        expected=expected,
    )
