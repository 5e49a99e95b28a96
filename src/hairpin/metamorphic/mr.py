"""MR1 to MR4 on similarities, and the threshold they share.

It must not know conversations; which answers are compared is decided in ``metamorphic.cases``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

TOLERANCE = 1e-6
"""Cosines are computed in float32: what is less than this below ε is at ε."""


def similar(similarity: float, epsilon: float) -> bool:
    """Whether two texts say the same: their similarity reaches ``epsilon``; at ε, within TOLERANCE, they do.

    Source: MORTAR, section III-D.
    """
    return similarity >= epsilon - TOLERANCE


def mr1_holds(similarity: float, epsilon: float) -> bool:
    """MR1, context-preserving: under an equivalent context the output o says what the gold answer a says.

    Source: MORTAR, eq. 33.
    """
    return similar(similarity, epsilon)


def mr2_holds(similarity: float, epsilon: float) -> bool:
    """MR2, context-altering: under another context the output o says something else than the gold answer a.

    Source: MORTAR, eq. 35.
    """
    return not similar(similarity, epsilon)


def mr3_holds(similarities: NDArray[Any], epsilon: float) -> bool:
    """MR3, inner-group consistency: every pair of outputs under an equivalent context says the same.

    Args:
        similarities: (n, n) cosine similarities of the n ≥ 2 outputs in o^{R+}.
        epsilon: threshold in [-1, 1].

    Raises:
        ValueError: fewer than two outputs; there is nothing to compare.

    Source: MORTAR, eq. 40.
    """
    if len(similarities) < 2:
        raise ValueError(f"MR3 compares the outputs of a group with each other; this one has {len(similarities)}")
    return similar(float(similarities.min()), epsilon)


def mr4_holds(similarities: NDArray[Any], epsilon: float) -> bool:
    """MR4, inter-group divergence: no output under an equivalent context says what one under another context says.

    Args:
        similarities: (n, m) cosine similarities of the n ≥ 1 outputs in o^{R+} and the m ≥ 1 in o^{R−}.
        epsilon: threshold in [-1, 1].

    Raises:
        ValueError: a group is empty; there is nothing to compare.

    Source: MORTAR, eq. 41.
    """
    if not similarities.size:
        raise ValueError(f"MR4 compares the outputs of two groups; of shape {similarities.shape}, one is empty")
    return not similar(float(similarities.max()), epsilon)
