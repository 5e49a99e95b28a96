"""EC(·) as a user without a model gets it: the offline agents, with a story and without."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from hairpin.agents.offline.decontextualiser import OfflineDecontextualiser
from hairpin.agents.offline.noun_phrases import content_stems, stem, tokens
from hairpin.agents.offline.reference_answerer import OfflineReferenceAnswerer
from hairpin.domain.briefs import ContextBrief
from hairpin.domain.relations import ContextFinding, ContextReason
from hairpin.domain.rng import derive_rng_seed
from hairpin.embeddings.vectors import unit_rows
from hairpin.metamorphic.equivalent_context import EquivalentContext
from hairpin.ports import EncoderIdentity, FloatMatrix

pytestmark = pytest.mark.anyio

STORY = (
    "Mina is a woman. She lives in the old mill. Mina is 34 years old.\n\n"
    "Clara is a woman. She lives in the tower. Clara is 51 years old."
)


class WordEncoder:
    """Implements ``ports.AsyncEncoder``: texts are alike by the words that they share."""

    identity = EncoderIdentity("words", "1", "float32")

    async def encode(self, texts: Sequence[str]) -> FloatMatrix:
        rows = np.zeros((len(texts), 256), dtype=np.float64)
        for row, text in zip(rows, texts, strict=True):
            content = set(content_stems(text))
            for token in tokens(text):
                word = stem(token.bare)
                row[derive_rng_seed(0, word) % 256] += 3.0 if word in content else 1.0
        return unit_rows(rows)


async def check(
    question: str, source: Sequence[str], follow_up: Sequence[str], story: str | None = None
) -> ContextFinding:
    checker = EquivalentContext(OfflineDecontextualiser(), OfflineReferenceAnswerer(), WordEncoder(), epsilon_ec=0.8)
    brief = ContextBrief(reference_text=story, question=question, source=tuple(source), follow_up=tuple(follow_up))
    return await checker.check(brief)


async def test_a_pronoun_with_another_antecedent_asks_for_another_fact() -> None:
    finding = await check("How old is she?", ["Where does Mina live?"], ["Where does Clara live?"], STORY)
    assert finding.equivalent is False
    assert finding.rewrites == ("How old is Mina?", "How old is Clara?")


async def test_a_pronoun_with_the_same_antecedent_asks_for_the_same() -> None:
    finding = await check("How old is she?", ["Where does Mina live?"], ["Where is the mill?", "Who is Mina?"], STORY)
    assert (finding.equivalent, finding.reason) == (True, ContextReason.SAME_REWRITE)


async def test_a_question_that_names_everything_has_no_context() -> None:
    finding = await check("How old is Clara?", ["Where does Mina live?"], [], STORY)
    assert (finding.equivalent, finding.reason) == (True, ContextReason.SAME_REWRITE)


async def test_a_request_that_changes_what_is_asked_about_makes_contexts_different() -> None:
    """An assistant that answers a repeated question as before is right only when nothing was changed in between."""
    asked = "How warm is it?"
    changed = await check(asked, [], [asked, "Set the temperature to 20."])
    assert (changed.equivalent, changed.reason) == (False, ContextReason.QUESTIONS_ONLY)
    unchanged = await check(asked, [], [asked, "Play some jazz."])
    assert (unchanged.equivalent, unchanged.reason) == (True, ContextReason.SAME_REWRITE)
