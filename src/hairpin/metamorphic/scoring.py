"""The fold of a family: every relation that can be checked, with its similarity and whether it is violated.

Pure. Vectors are made outside, of the texts that ``texts_needed`` names; contexts were checked before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import TypeAlias

import numpy as np

from hairpin.domain.families import Family
from hairpin.domain.relations import AnswerComparison, MetamorphicRelation, MetamorphicSpec, RelationCheck
from hairpin.domain.replay import Method
from hairpin.domain.texts import is_blank, normalised
from hairpin.metamorphic.cases import Case, family_cases
from hairpin.metamorphic.levels import bug_level
from hairpin.metamorphic.mr import similar
from hairpin.metamorphic.outputs import follow_ups
from hairpin.metamorphic.similarity import AnswerKey, KeySimilarity, Similarity, VectorSimilarity, WordSimilarity
from hairpin.metamorphic.text_vectors import TextVectors, numpy_pair_cosines
from hairpin.ports import PairCosines

Deciding: TypeAlias = tuple[float | None, int]
"""A similarity, and which of the pairs it is of."""


def texts_needed(families: Sequence[Family]) -> tuple[str, ...]:
    """Return the distinct texts, none blank, in the form for encoders, whose vectors ``check_relations`` needs.

    These are the replies to the questions that relations look at, those of unperturbed replays, the gold answers, and
    the expected ones.
    """
    found = chain.from_iterable(_texts(family) for family in families)
    return tuple(dict.fromkeys(normalised(text) for text in found if not is_blank(text)))


def check_relations(
    families: Sequence[Family],
    vectors: TextVectors,
    spec: MetamorphicSpec,
    *,
    pair_cosines: PairCosines = numpy_pair_cosines,
    groups_by_pair: bool = False,
) -> tuple[tuple[RelationCheck, ...], ...]:
    """Check the relations of ``spec`` in each of ``families``, by ``spec.comparison``.

    Args:
        families: what was asked and answered. Replies of conversations that ended early count as far as they go.
        vectors: of the texts that ``texts_needed`` returns for the same families.
        spec: which relations, ε, who checked contexts, how answers and gold answers are compared.
        pair_cosines: computes all cosines in one call.
        groups_by_pair: check each pair of MR3 and MR4 for itself, instead of each question once.

    Returns:
        For each family its checks: RBT by question (only where there is a gold answer); those of each follow-up in plan
        order, by position; MR3, then MR4, by question. What is not applicable says why, and has no similarity.

    Raises:
        ValueError: a text has no vector.

    Source: MORTAR, section III-D; design, section 5.
    """
    similarity = similarity_of(vectors, spec.comparison, pair_cosines)
    return check_by(similarity, families, spec, groups_by_pair=groups_by_pair)


def similarity_of(
    vectors: TextVectors, comparison: AnswerComparison, pair_cosines: PairCosines = numpy_pair_cosines
) -> Similarity:
    """Return how answers with these vectors are compared."""
    by_words = comparison is AnswerComparison.LEXICAL
    return (WordSimilarity if by_words else VectorSimilarity)(vectors, pair_cosines)


def check_relations_exactly(
    families: Sequence[Family], key: AnswerKey, spec: MetamorphicSpec, *, groups_by_pair: bool = False
) -> tuple[tuple[RelationCheck, ...], ...]:
    """Check relations in a world where it is known what an answer says: 1 when the keys are equal, else 0.

    ``key`` is compared with gold answers as they are written. Else as ``check_relations``; ε should be above 0.
    """
    return check_by(KeySimilarity(key), families, spec, groups_by_pair=groups_by_pair)


def check_by(
    similarity: Similarity, families: Sequence[Family], spec: MetamorphicSpec, *, groups_by_pair: bool = False
) -> tuple[tuple[RelationCheck, ...], ...]:
    """Check relations by any ``similarity``; all of them in one call."""
    cases = [tuple(family_cases(family, spec, similarity, by_pair=groups_by_pair)) for family in families]
    found = iter(similarities_of(list(chain.from_iterable(cases)), similarity))
    return tuple(
        _fold(family.source.planned.id, zip(own, found, strict=False), spec.epsilon)
        for family, own in zip(families, cases, strict=True)
    )


def similarities_of(cases: Sequence[Case], similarity: Similarity) -> list[Deciding]:
    """Return for each case the similarity that decides, and which of its pairs has it, the first of equals.

    ``None`` for a case without pairs.
    """
    pairs = [pair for case in cases for pair in case.pairs]
    if not pairs:
        return [(None, 0)] * len(cases)
    relations = [case.likened_as for case in cases for _ in case.pairs]
    left = np.fromiter((pair.left for pair in pairs), np.int64, len(pairs))
    right = np.fromiter((pair.right for pair in pairs), np.int64, len(pairs))
    found = similarity.similarities(left, right, relations).tolist()
    stops = accumulate(len(case.pairs) for case in cases)
    return [
        _deciding(found[stop - len(case.pairs) : stop], least=case.least)
        for case, stop in zip(cases, stops, strict=True)
    ]


def _deciding(similarities: list[float], *, least: bool) -> Deciding:
    if not similarities:
        return None, 0
    best = min(similarities) if least else max(similarities)
    return best, similarities.index(best)


def _fold(source: str, found: Iterable[tuple[Case, Deciding]], epsilon: float) -> tuple[RelationCheck, ...]:
    """Return the checks of one family. What the source answered right is known first: RBT is the first of its cases."""
    right: dict[int, bool | None] = {}
    checks = []
    for case, (similarity, place) in found:
        check = _check(case, source, similarity, place, epsilon, right)
        if case.relation is MetamorphicRelation.RBT:
            right[case.index] = None if check.violated is None else not check.violated
        checks.append(check)
    return tuple(checks)


def _check(
    case: Case, source: str, similarity: float | None, place: int, epsilon: float, right: Mapping[int, bool | None]
) -> RelationCheck:
    violated = None if similarity is None else similar(similarity, epsilon) is not case.relation.alike
    levelled = violated and case.relation is not MetamorphicRelation.RBT
    return RelationCheck(
        relation=case.relation,
        source=source,
        index=case.index,
        outputs=case.outputs if similarity is None else case.pairs[place].outputs,
        kind=case.kind,
        similarity=similarity,
        n_pairs=max(len(case.pairs), 1),
        violated=violated,
        reason=case.reason,
        level=bug_level(case.index, right) if levelled else None,
    )


def _texts(family: Family) -> Iterator[str]:
    yield from (answer for question in family.derivation.test_seed.questions for answer in question.answers)
    yield from (exchange.assistant for exchange in family.source.exchanges)
    for record in follow_ups(family, *Method):
        replay = record.planned.replay
        assert replay is not None, record.planned.id
        yield replay.expected or ""
        for question, exchange in zip(replay.questions, record.exchanges, strict=False):
            if question.checked or replay.method is Method.NULL:
                yield exchange.assistant
