"""How alike two answers are: by their vectors, by their words and then their vectors, or by a key of one's own.

It must not know what is compared with what; ``metamorphic.cases`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from hairpin.domain.conversation import Exchange
from hairpin.domain.relations import MetamorphicRelation
from hairpin.domain.texts import is_blank
from hairpin.metamorphic.answer_words import Containment, lexical_verdict
from hairpin.metamorphic.text_vectors import TextVectors
from hairpin.ports import IndexArray, PairCosines

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAME: Final = 1.0
DIFFERENT: Final = 0.0
"""What takes the place of a cosine where words or keys tell: below any ε above 0."""

AnswerKey = Callable[[Exchange], str]
"""What an answer says, in a world where that is known; blank: nothing."""

CONTAINMENT: Final = {
    MetamorphicRelation.RBT: Containment.SECOND_IN_FIRST,
    MetamorphicRelation.MR1: Containment.SECOND_IN_FIRST,
    MetamorphicRelation.MR3: Containment.EITHER,
}
"""Relations for which a short answer inside a longer one is the same (design, section 5)."""


class Similarity(Protocol):
    """Gives texts numbers, and pairs of numbers a similarity. Equal texts have equal numbers; blank ones have none."""

    def of_answer(self, exchange: Exchange) -> int | None:
        """Return the number of what was answered, ``None`` when nothing was."""
        ...

    def of_text(self, text: str) -> int | None:
        """Return the number of a gold or an expected answer, ``None`` when it is blank."""
        ...

    def similarities(
        self, left: IndexArray, right: IndexArray, relations: Sequence[MetamorphicRelation]
    ) -> NDArray[np.float64]:
        """Return the (n,) similarities of the texts with these numbers, each for the sake of one relation."""
        ...


class VectorSimilarity:
    """Cosines, all of a batch in one call, each distinct pair once. Implements ``Similarity``."""

    def __init__(self, vectors: TextVectors, pair_cosines: PairCosines) -> None:
        self._vectors = vectors
        self._pair_cosines = pair_cosines

    def of_answer(self, exchange: Exchange) -> int | None:
        """Return the row of the reply. Raises ValueError when it has no vector."""
        return self.of_text(exchange.assistant)

    def of_text(self, text: str) -> int | None:
        """Return the row of ``text``. Raises ValueError when it has no vector."""
        return None if is_blank(text) else self._vectors.row(text)

    def similarities(
        self,
        left: IndexArray,
        right: IndexArray,
        relations: Sequence[MetamorphicRelation],  # noqa: ARG002 - a cosine is the same for all of them
    ) -> NDArray[np.float64]:
        """Return the cosines."""
        n_texts = len(self._vectors.vectors)
        pairs, where = np.unique(np.minimum(left, right) * n_texts + np.maximum(left, right), return_inverse=True)
        first, second = np.divmod(pairs, max(n_texts, 1))
        cosines = self._pair_cosines(self._vectors.vectors, first, second)
        return np.asarray(cosines, np.float64)[where]


class WordSimilarity(VectorSimilarity):
    """What the words tell (``metamorphic.answer_words``), else the cosine. Implements ``Similarity``."""

    def similarities(
        self, left: IndexArray, right: IndexArray, relations: Sequence[MetamorphicRelation]
    ) -> NDArray[np.float64]:
        """Return SAME or DIFFERENT where the words tell, else the cosine."""
        found = super().similarities(left, right, relations)
        texts = {row: text for text, row in self._vectors.rows.items()}
        pairs = zip(left.tolist(), right.tolist(), relations, strict=True)
        for place, (one, other, relation) in enumerate(pairs):
            verdict = lexical_verdict(texts[one], texts[other], CONTAINMENT.get(relation, Containment.NONE))
            if verdict is not None:
                found[place] = SAME if verdict else DIFFERENT
        return found


class KeySimilarity:
    """SAME or DIFFERENT, by whether keys are equal; a gold answer is its own key. Implements ``Similarity``."""

    def __init__(self, key: AnswerKey) -> None:
        self._key = key
        self._numbers: dict[str, int] = {}

    def of_answer(self, exchange: Exchange) -> int | None:
        """Return the number of the key of the answer."""
        return self.of_text(self._key(exchange))

    def of_text(self, text: str) -> int | None:
        """Return the number of ``text``."""
        return None if is_blank(text) else self._numbers.setdefault(text, len(self._numbers))

    def similarities(
        self,
        left: IndexArray,
        right: IndexArray,
        relations: Sequence[MetamorphicRelation],  # noqa: ARG002 - a key is the same for all of them
    ) -> NDArray[np.float64]:
        """Return SAME or DIFFERENT."""
        return np.where(left == right, SAME, DIFFERENT)
