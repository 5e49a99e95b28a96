"""How alike answers are where there is nothing to find: unperturbed replays, and answers to different questions.

It decides nothing; ``metamorphic.noise`` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Final

from hairpin.domain.base import Value
from hairpin.domain.conversation import Exchange
from hairpin.domain.families import Family
from hairpin.domain.records import ConversationRecord
from hairpin.domain.relations import GoldAnswers, MetamorphicRelation, MetamorphicSpec
from hairpin.domain.replay import Method
from hairpin.domain.texts import is_blank
from hairpin.metamorphic.answer_words import AnswerType, answer_type
from hairpin.metamorphic.cases import MR1, MR2, MR3, MR4, Case, Pair, gold_numbers
from hairpin.metamorphic.outputs import follow_ups
from hairpin.metamorphic.scoring import similarities_of
from hairpin.metamorphic.similarity import Similarity

QuestionKey = tuple[str, int]
"""The id of a source conversation, and j."""

NULL_RELATIONS: Final = (MR1, MR2, MR3, MR4, MetamorphicRelation.METAL)
"""Relations whose similarity can be had without a perturbation.

RBT is none: its conversation is itself an unperturbed one, so its answers cannot stand out from those. Nor is QAAsker:
nothing but its own question has the answer that it expects.
"""


class NullSimilarity(Value):
    """A similarity of the kind that ``relation`` looks at, of answers of one type, where nothing was perturbed."""

    relation: MetamorphicRelation
    answer_type: AnswerType
    similarity: float


@dataclass(frozen=True, slots=True)
class _Unperturbed:
    """What was answered where nothing was perturbed, by question; blank answers are left out.

    ``wanted``: the texts that MR1 compares with, by number; ``without_gold``: where these are the source's own answer.
    ``types``: of the answer to each question, as ``answer_types`` says. ``said``: the type of what the
    source answered. ``source``, ``replays``: answers by number.
    """

    wanted: dict[int, list[int]]
    without_gold: frozenset[int]
    types: dict[int, AnswerType]
    said: dict[int, AnswerType]
    source: dict[int, int]
    replays: tuple[dict[int, int], ...]


def answer_types(families: Sequence[Family]) -> dict[QuestionKey, AnswerType]:
    """Return of what type the answer to each question is: its first gold answer, else what the source answered.

    Questions with neither are left out.
    """
    return {
        (family.source.planned.id, j): kind
        for family in families
        for j, kind in _types(family, _answers(family.source)).items()
    }


def null_similarities(
    families: Sequence[Family], similarity: Similarity, spec: MetamorphicSpec
) -> tuple[NullSimilarity, ...]:
    """Return the null similarities of ``families`` for each of NULL_RELATIONS, all computed in one call.

    MR1: a replay of the test seed with the gold answer (as MR1 does it). METAL: with the answer of the source. MR3: two
    unperturbed conversations, the source being one. MR2: the answer of the source to a different question with the gold
    answer; MR4: with the answer of the source; both only where the two are of one type, since the same words, asked in
    another context, are answered by something of the same type.
    """
    read = [_read(family, similarity, spec.gold) for family in families]
    made = [(case, each.types[case.index]) for each in read for case in (*_replayed(each), *_others(each))]
    found = similarities_of([case for case, _ in made], similarity)
    return tuple(
        NullSimilarity(relation=case.relation, answer_type=kind, similarity=value)
        for (case, kind), (value, _) in zip(made, found, strict=True)
        if value is not None
    )


def _replayed(each: _Unperturbed) -> Iterator[Case]:
    for j, wanted in each.wanted.items():
        again = [replay[j] for replay in each.replays if j in replay]
        own = [each.source[j]] if j in each.source else []
        for answer in again:
            yield replace(_case(MR1, j, answer, wanted), own_reply=j in each.without_gold)
            yield from (_case(MetamorphicRelation.METAL, j, answer, [first]) for first in own)
        yield from (_case(MR3, j, one, [other]) for one, other in combinations([*own, *again], 2))


def _others(each: _Unperturbed) -> Iterator[Case]:
    for j, k in permutations(each.wanted, 2):
        kind = each.types[j]
        if each.said.get(k) is kind:
            yield _case(MR2, j, each.source[k], each.wanted[j])
            if j < k and each.said.get(j) is kind:
                yield _case(MR4, j, each.source[j], [each.source[k]])


def _case(relation: MetamorphicRelation, index: int, answer: int, wanted: Sequence[int]) -> Case:
    return Case(relation, index, pairs=[Pair(answer, each, ()) for each in wanted])


def _read(family: Family, similarity: Similarity, mode: GoldAnswers) -> _Unperturbed:
    said = _answers(family.source)
    source = _numbers(said, similarity)
    types = _types(family, said)
    gold = {j: gold_numbers(family.derivation.test_seed.questions[j], mode, similarity) for j in types}
    return _Unperturbed(
        wanted={j: list(gold[j]) or [source[j]] for j in types if gold[j] or j in source},
        without_gold=frozenset(j for j in types if not gold[j]),
        types=types,
        said={j: answer_type(exchange.assistant) for j, exchange in said.items() if j in source},
        source=source,
        replays=tuple(_numbers(_answers(record), similarity) for record in follow_ups(family, Method.NULL)),
    )


def _types(family: Family, said: Mapping[int, Exchange]) -> dict[int, AnswerType]:
    found: dict[int, AnswerType] = {}
    for j, question in enumerate(family.derivation.test_seed.questions):
        gold = [text for text in question.answers if not is_blank(text)]
        if gold or j in said:
            found[j] = answer_type(gold[0] if gold else said[j].assistant)
    return found


def _answers(record: ConversationRecord) -> dict[int, Exchange]:
    replay = record.planned.replay
    asked = range(len(record.exchanges)) if replay is None else [question.index for question in replay.questions]
    return {
        j: exchange
        for j, exchange in zip(asked, record.exchanges, strict=False)
        if j is not None and not is_blank(exchange.assistant)
    }


def _numbers(said: Mapping[int, Exchange], similarity: Similarity) -> dict[int, int]:
    return {j: n for j, exchange in said.items() if (n := similarity.of_answer(exchange)) is not None}
