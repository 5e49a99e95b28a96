"""The diversity of failures with a given encoder: what users said in failing conversations, as vectors.

It must not choose or load an encoder; it computes on the thread it is called on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hairpin.analysis.diversity import FailingConversation, analyse_diversity
from hairpin.analysis.vectors import mean_unit_vector
from hairpin.domain.arm import Arm
from hairpin.domain.facts import ConversationFacts
from hairpin.domain.tally import Standing
from hairpin.ports import Encoder
from hairpin.reports.campaign_results import Diversity

_CHUNK = 256
"""So many failing conversations are encoded at a time: memory stays with their mean vectors."""


def encoded_diversity(
    facts: Sequence[ConversationFacts], encoder: Encoder, *, suts: Sequence[str], arms: Sequence[Arm], rng_seed: int
) -> Diversity:
    """Return how diverse the failed conversations among ``facts`` are.

    Args:
        facts: planned conversations, in plan order.
        encoder: turns utterances into vectors; blank ones are left out.
        suts: labels of all assistants.
        arms: all that were run.
        rng_seed: of samples and of the starts of the clustering.

    Raises:
        EncoderError: the model cannot be loaded or run.
    """
    failed = [fact for fact in facts if fact.standing is Standing.FAIL]
    vectors = [
        vector
        for start in range(0, len(failed), _CHUNK)
        for vector in _encoded(failed[start : start + _CHUNK], encoder)
    ]
    ordered = [arm for arm in Arm if arm in arms]
    figures = analyse_diversity(vectors, suts=sorted(suts), arms=ordered, rng_seed=rng_seed)
    return Diversity(figures=figures, encoder=str(encoder.identity), reason="")


def _encoded(facts: Sequence[ConversationFacts], encoder: Encoder) -> list[FailingConversation]:
    said = [[utterance for utterance in fact.utterances if utterance.strip()] for fact in facts]
    texts = list(dict.fromkeys(utterance for utterances in said for utterance in utterances))
    matrix = encoder.encode(texts) if texts else np.zeros((0, 1), dtype=np.float32)
    rows = {utterance: row for row, utterance in enumerate(texts)}
    return [
        FailingConversation(
            fact.sut,
            fact.arm,
            mean_unit_vector(matrix[[rows[utterance] for utterance in utterances]]) if utterances else None,
        )
        for fact, utterances in zip(facts, said, strict=True)
    ]
