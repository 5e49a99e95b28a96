from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hairpin.domain.arm import Arm
from hairpin.domain.tally import Standing
from hairpin.ports import EncoderIdentity, FloatMatrix
from hairpin.reports.failure_vectors import encoded_diversity
from tests.analysis.fact_builders import conversation


class Letters:
    """Counts the letters a to d, and notes what it was asked."""

    identity = EncoderIdentity(model="letters", revision="1", dtype="float32")

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        assert all(text.strip() for text in texts)
        self.asked += texts
        rows = np.array([[text.count(letter) for letter in "abcd"] for text in texts], dtype=np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def test_failed_conversations_are_told_apart_by_what_was_said() -> None:
    encoder = Letters()
    facts = [
        conversation(Standing.FAIL, index=i, arm=arm).model_copy(update={"utterances": utterances})
        for i, (arm, utterances) in enumerate(
            [
                (Arm.GUIDED, ("a", "b")),
                (Arm.GUIDED, ("b", " ", "a")),
                (Arm.GUIDED, ("c",)),
                (Arm.BASELINE, ("d",)),
                (Arm.BASELINE, ("", " ")),
            ]
        )
    ]
    facts.append(conversation(Standing.PASS, index=9).model_copy(update={"utterances": ("never encoded",)}))
    diversity = encoded_diversity(facts, encoder, suts=("a",), arms=(Arm.GUIDED, Arm.BASELINE), rng_seed=1)
    assert sorted(encoder.asked) == ["a", "b", "c", "d"]
    assert diversity.encoder == "letters@1 (float32)"
    assert diversity.figures is not None
    guided, baseline = diversity.figures.suts[0].arms
    assert (guided.n_failing, guided.n_unique) == (3, 2)
    assert (baseline.n_failing, baseline.n_without_vector, baseline.n_unique) == (2, 1, 1)


def test_without_a_failure_there_is_nothing_to_encode() -> None:
    encoder = Letters()
    diversity = encoded_diversity([], encoder, suts=("a",), arms=(Arm.GUIDED, Arm.BASELINE), rng_seed=1)
    assert encoder.asked == []
    assert diversity.figures is not None
    assert diversity.figures.overall.ratio is None
