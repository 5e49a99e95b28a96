"""How alike two answers are: by vectors, by words, by keys."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hairpin.domain.conversation import Exchange
from hairpin.domain.relations import MetamorphicRelation
from hairpin.metamorphic.similarity import KeySimilarity, Similarity, VectorSimilarity, WordSimilarity
from hairpin.metamorphic.text_vectors import numpy_pair_cosines
from hairpin.ports import FloatArray, FloatMatrix, IndexArray
from tests.metamorphic.making_families import plane

VECTORS = plane({"the mill": (1, 0), "in the mill": (0, 1), "3": (1, 0.1), "4": (1, 0.2), "the tower": (0.6, 0.8)})


def similarities(
    similarity: Similarity, *pairs: tuple[str, str], relation: MetamorphicRelation = MetamorphicRelation.MR1
) -> NDArray[np.float64]:
    left = np.array([similarity.of_text(one) for one, _ in pairs])
    right = np.array([similarity.of_text(other) for _, other in pairs])
    return similarity.similarities(left, right, [relation] * len(pairs))


def test_by_vectors_each_distinct_pair_is_computed_once() -> None:
    asked: list[int] = []

    def counting(vectors: FloatMatrix, left: IndexArray, right: IndexArray) -> FloatArray:
        asked.append(len(left))
        return numpy_pair_cosines(vectors, left, right)

    pairs = [("the mill", "the tower"), ("the tower", "the mill"), ("3", "3"), ("the mill", "the tower")]
    found = similarities(VectorSimilarity(VECTORS, counting), *pairs)
    np.testing.assert_allclose(found, [0.6, 0.6, 1.0, 0.6], atol=1e-6)
    assert asked == [2]


@pytest.mark.parametrize("relation", list(MetamorphicRelation))
def test_by_words_a_short_answer_in_a_longer_one_is_the_same_for_some_relations(relation: MetamorphicRelation) -> None:
    same = relation in (MetamorphicRelation.RBT, MetamorphicRelation.MR1, MetamorphicRelation.MR3)
    found = similarities(WordSimilarity(VECTORS, numpy_pair_cosines), ("in the mill", "the mill"), relation=relation)
    assert found.tolist() == [1.0 if same else 0.0]


@pytest.mark.parametrize("relation", list(MetamorphicRelation))
def test_by_words_only_of_a_group_the_first_may_be_the_shorter(relation: MetamorphicRelation) -> None:
    """An output that says less than the gold answer is no match."""
    found = similarities(WordSimilarity(VECTORS, numpy_pair_cosines), ("the mill", "in the mill"), relation=relation)
    assert found.tolist() == [1.0 if relation is MetamorphicRelation.MR3 else 0.0]


def test_by_words_what_they_do_not_tell_is_a_cosine() -> None:
    found = similarities(WordSimilarity(VECTORS, numpy_pair_cosines), ("3", "4"), ("the mill", "the tower"))
    np.testing.assert_allclose(found, [0.0, 0.6], atol=1e-6)


def test_by_keys_equal_ones_are_the_same_and_all_others_are_not() -> None:
    similarity = KeySimilarity(lambda exchange: exchange.assistant.casefold())
    mill = similarity.of_answer(Exchange(t=0, user="?", assistant="MILL"))
    assert mill == similarity.of_text("mill") != similarity.of_text("tower")
    assert similarities(similarity, ("mill", "mill"), ("mill", "tower")).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    "similarity", [VectorSimilarity(VECTORS, numpy_pair_cosines), KeySimilarity(lambda e: e.assistant)]
)
def test_a_blank_text_has_no_number(similarity: Similarity) -> None:
    assert [similarity.of_text(text) for text in ("", " ", "\n", "\u200b")] == [None] * 4
    assert similarity.of_answer(Exchange(t=0, user="?", assistant=" ")) is None
