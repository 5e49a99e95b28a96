"""Derivation: the follow-ups of a source conversation, planned as conversations.

It decides what is asked; who asks it, and what must hold of the answers, is decided elsewhere.

A source that broke off early has questions without an answer o_j. Those with a gold answer are asked in follow-ups all
the same, since a_j is what their answers are compared with; those without are left out of them, since nothing could be
said of a reply (eq. 18). METAL and QAAsker need the source's own answers as context and as what must stay the same: of
questions that it never got to, or answered with nothing, there is no test case.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence

from hairpin.domain.plan import PlannedConversation, follow_up_index
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import Derivation, MetamorphicSpec
from hairpin.domain.replay import Method, NotApplicable, Perturbation, Replay, ReplayedQuestion
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.test_seeds import SeedQuestion, TestSeed
from hairpin.errors import InvalidInputError
from hairpin.metamorphic.baselines import BaselineSource, baseline_cases
from hairpin.metamorphic.drawing import generator
from hairpin.metamorphic.follow_up_numbers import (
    baseline_name,
    baseline_number,
    check_number,
    mortar_number,
    null_number,
)
from hairpin.metamorphic.foreign_rounds import foreign_question
from hairpin.metamorphic.perturbations import Order, perturb
from hairpin.metamorphic.refusal import Refused
from hairpin.metamorphic.reply_needs import needs_reply
from hairpin.ports import QuestionWriter

Planned = PlannedConversation | NotApplicable


async def derive(
    source: ConversationRecord,
    seed: TestSeed,
    spec: MetamorphicSpec,
    *,
    accepts_history: bool,
    writer: QuestionWriter | None,
    language: str = "en",
) -> tuple[Derivation, tuple[PlannedConversation, ...]]:
    """Return what is derived from ``source``, and its follow-ups in plan order.

    Null replays come first, then MORTAR's by perturbation and execution, then the test cases of METAL and QAAsker by
    question. The same source, test seed and specification give the same follow-ups for ever, except for questions that
    a model writes; each keeps its number, name and content whatever else is derived.

    Args:
        source: exchange t asks question t of ``seed``; it may have broken off early.
        seed: its test seed; questions that need a reply are marked as such.
        spec: what to derive.
        accepts_history: whether the assistant can be handed exchanges when a session opens.
        writer: writes QAAsker's questions where the rules refuse; ``None``: rules alone.
        language: of the questions, as a model is told; the rules know English.

    Raises:
        InvalidInputError: more follow-ups than a conversation can have.
        EndsRunError: a model takes no call any more.
    """
    check_number(spec, len(seed.questions))
    seed = _with_needs(seed)
    found: list[Planned] = [*_null_replays(source, seed, spec), *_perturbed(source, seed, spec)]
    if spec.baselines:
        baselines = BaselineSource(
            id=source.planned.id,
            seed=seed,
            exchanges=source.exchanges,
            accepts_history=accepts_history,
            rng_seed=source.planned.rng_seed,
        )
        found += [each async for each in _changed(source, baselines, spec, writer, language)]
    follow_ups = tuple(each for each in found if isinstance(each, PlannedConversation))
    derivation = Derivation(
        source=source.planned.id,
        test_seed=seed,
        follow_ups=tuple(each.id for each in follow_ups),
        not_applicable=tuple(each for each in found if isinstance(each, NotApplicable)),
    )
    return derivation, follow_ups


def seed_of_conversation(record: ConversationRecord) -> TestSeed:
    """Return a conversation that was held freely as a test seed: what the user said, without gold answers (eq. 18).

    It ends before the first blank utterance: there is nothing to ask again, and what follows would be out of place.

    Raises:
        InvalidInputError: it has no exchange to ask again.
    """
    said = [exchange.user for exchange in record.exchanges]
    blank = next((t for t, text in enumerate(said) if not text.strip()), len(said))
    if not blank:
        raise InvalidInputError(
            "no question to ask again",
            where=f"conversation {record.planned.id}",
            hint="only a conversation whose user said something can be a test seed",
        )
    return _with_needs(
        TestSeed(
            id=record.planned.id,
            origin=f"conversation {record.planned.id}",
            context=record.planned.context,
            questions=tuple(SeedQuestion(text=text) for text in said[:blank]),
        )
    )


def _with_needs(seed: TestSeed) -> TestSeed:
    """Mark questions that need the reply before them; before the first there is none."""
    questions = tuple(
        question.model_copy(update={"needs_reply": question.needs_reply or (j > 0 and needs_reply(question.text))})
        for j, question in enumerate(seed.questions)
    )
    return seed.model_copy(update={"questions": questions})


def _in_play(source: ConversationRecord, seed: TestSeed) -> tuple[int, ...]:
    """Return the questions whose answers something can be said of: see the module."""
    n_answered = len(source.exchanges)
    return tuple(j for j, question in enumerate(seed.questions) if question.answers or j < n_answered)


def _null_replays(source: ConversationRecord, seed: TestSeed, spec: MetamorphicSpec) -> Iterator[Planned]:
    order = _in_play(source, seed)
    for execution in range(spec.null_replays):
        if not order:
            yield NotApplicable(method=Method.NULL, kind="", reason=_NOTHING_TO_COMPARE)
            continue
        replay = _replay(source, seed, Method.NULL, "", execution, order)
        yield _planned(source, replay, f"null.{execution + 1}", null_number(execution))


def _perturbed(source: ConversationRecord, seed: TestSeed, spec: MetamorphicSpec) -> Iterator[Planned]:
    in_play = _in_play(source, seed)
    for perturbation in Perturbation:
        if perturbation not in spec.perturbations:
            continue
        for execution in range(spec.executions):
            order = _order(source, seed, spec, perturbation, execution, in_play)
            if isinstance(order, Refused):
                yield NotApplicable(method=Method.MORTAR, kind=perturbation.value, reason=order.reason)
                continue
            replay = _replay(source, seed, Method.MORTAR, perturbation.value, execution, order)
            number = mortar_number(perturbation, execution)
            yield _planned(source, replay, f"{perturbation.value}.{execution + 1}", number)


def _order(
    source: ConversationRecord,
    seed: TestSeed,
    spec: MetamorphicSpec,
    perturbation: Perturbation,
    execution: int,
    in_play: Sequence[int],
) -> Order | Refused:
    if not in_play:
        return Refused(reason=_NOTHING_TO_COMPARE)
    path = (seed.id, str(execution))
    return perturb(in_play, perturbation, ratio=spec.ratio, rng_seed=source.planned.rng_seed, path=path)


_NOTHING_TO_COMPARE = "no question has a gold answer or an answer of the source"


async def _changed(
    source: ConversationRecord,
    baselines: BaselineSource,
    spec: MetamorphicSpec,
    writer: QuestionWriter | None,
    language: str,
) -> AsyncIterator[Planned]:
    async for relation, index, case in baseline_cases(baselines, spec, writer=writer, language=language):
        if isinstance(case, NotApplicable):
            yield case
        else:
            yield _planned(source, case, baseline_name(relation, index), baseline_number(relation, index))


def _replay(
    source: ConversationRecord, seed: TestSeed, method: Method, kind: str, execution: int, order: Order
) -> Replay:
    foreign = ""
    if None in order:
        rng = generator(source.planned.rng_seed, seed.id, str(execution), "foreign round")
        foreign = foreign_question(rng, (*seed.texts, seed.reference_text or ""))
    return Replay(
        method=method,
        test_seed=seed.id,
        source=source.planned.id,
        kind=kind,
        execution=execution,
        questions=tuple(
            ReplayedQuestion(text=foreign, checked=False)
            if index is None
            else ReplayedQuestion(text=seed.questions[index].text, index=index)
            for index in order
        ),
    )


def _planned(source: ConversationRecord, replay: Replay, name: str, number: int) -> PlannedConversation:
    """Return the follow-up as a conversation: everything but its words is the source's."""
    planned = source.planned
    return planned.model_copy(
        update={
            "index": follow_up_index(planned, number),
            "id": f"{planned.id}.{name}",
            "seed_phrase": None,
            "recording": None,
            "max_turns": len(replay.questions),
            "rng_seed": derive_rng_seed(planned.rng_seed, "follow-up", name),
            "replay": replay,
        }
    )
