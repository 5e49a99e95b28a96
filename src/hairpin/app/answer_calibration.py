"""Which ε agrees best with people who say whether answers are correct, for one encoder and comparison.

It asks no assistant and no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hairpin.analysis.calibration import FINE_GRID, Calibration, calibrate_thresholds
from hairpin.app.replaying import cosines_of
from hairpin.domain.labels import AnswerItem
from hairpin.domain.relations import MetamorphicRelation, MetamorphicSpec
from hairpin.domain.texts import is_blank, normalised
from hairpin.metamorphic.scoring import similarity_of
from hairpin.metamorphic.text_vectors import TextVectors
from hairpin.ports import Encoder


@dataclass(frozen=True, slots=True)
class AnswerCalibration:
    """What was found. ``n_blank``: items without an answer, which are compared with nothing and left out."""

    calibration: Calibration
    n_blank: int


def calibrate_answers(items: Sequence[AnswerItem], spec: MetamorphicSpec, encoder: Encoder) -> AnswerCalibration:
    """Return how each ε agrees with the labels of ``items``, answers compared as relations compare them with gold.

    Raises:
        EncoderError: texts cannot be encoded.

    Source: MORTAR, section IV-F, Table IV.
    """
    said = [item for item in items if not is_blank(item.output)]
    texts = tuple(dict.fromkeys(normalised(text) for item in said for text in (item.output, item.answer)))
    vectors = TextVectors.of(texts, encoder.encode(texts))
    left, right = (np.array([vectors.row(text) for text in side], np.int64) for side in _sides(said))
    similarity = similarity_of(vectors, spec.comparison, cosines_of(spec.encoder))
    found = similarity.similarities(left, right, [MetamorphicRelation.RBT] * len(said)) if said else np.empty(0)
    labels = [item.correct is True for item in said]
    calibration = calibrate_thresholds([float(each) for each in found], labels, FINE_GRID, default=spec.epsilon)
    return AnswerCalibration(calibration, len(items) - len(said))


def _sides(items: Sequence[AnswerItem]) -> tuple[list[str], list[str]]:
    return [item.output for item in items], [item.answer for item in items]
