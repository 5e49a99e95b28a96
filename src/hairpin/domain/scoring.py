"""The success score C, the target completion ratio T and the verdict that follows.

Exact decimal arithmetic decides pass or fail, so that C = θ passes whatever the binary rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pydantic import Field

from hairpin.domain.ballots import Ballot
from hairpin.domain.base import Value
from hairpin.domain.outcome import Blame, Stop, Verdict
from hairpin.domain.rubric import Weights
from hairpin.domain.targets import Target, TargetStatus


class DimensionScore(Value):
    """d_j ∈ {0, 1, 2} of one dimension, with the reasoning that came before it.

    ``ballot``: where several judges decided, what each of them said.
    """

    dimension: str
    score: int = Field(ge=0, le=2)
    reasoning: str
    ballot: Ballot | None = None


class TargetRatios(Value):
    """T over the uttered targets (used for C), over all of 𝒢, and without dropped ones; ``None``: no such target."""

    uttered: float | None
    all: float | None
    without_dropped: float | None


class Judgement(Value):
    """A conversation's verdict with the numbers it rests on. ``success_score`` is ``None`` where C is undefined."""

    verdict: Verdict | None
    blame: Blame | None
    success_score: float | None
    ratios: TargetRatios
    note: str = ""


def target_ratios(targets: Sequence[Target]) -> TargetRatios:
    """Compute T = |{g : σ_g = 1}| / |𝒢| over three choices of 𝒢 (in-car paper, section III-D)."""
    uttered = [target for target in targets if target.uttered]
    kept = [target for target in uttered if target.status is not TargetStatus.DROPPED]
    return TargetRatios(uttered=_ratio(uttered), all=_ratio(targets), without_dropped=_ratio(kept))


def success_score(scores: Mapping[str, int], targets: Sequence[Target], weights: Weights) -> Fraction | None:
    """Compute C, exactly; ``None`` where it is undefined.

    C = (Σ w_j · d_j/2 + w_T · T) / (Σ w_j + w_T). With no uttered target T's term is left out. A missing dimension
    with a weight above zero, or no weight left, leaves C undefined.

    Source: in-car paper, eq. 1.
    """
    uttered = [target for target in targets if target.uttered]
    completed = sum(target.status is TargetStatus.COMPLETED for target in uttered)
    return success_with(scores, Fraction(completed, len(uttered)) if uttered else None, weights)


def success_with(scores: Mapping[str, int], completed: Fraction | float | None, weights: Weights) -> Fraction | None:
    """Compute C as ``success_score`` does, from T in [0, 1]; ``completed`` ``None``: T's term is left out."""
    total, weight_sum = Fraction(0), Fraction(0)
    for dimension, weight in weights.dimensions.items():
        if dimension in scores:
            total += _exact(weight) * Fraction(scores[dimension], 2)
            weight_sum += _exact(weight)
        elif weight > 0:
            return None
    if completed is not None:
        total += _exact(weights.targets) * (completed if isinstance(completed, Fraction) else _exact(completed))
        weight_sum += _exact(weights.targets)
    return total / weight_sum if weight_sum else None


def passes(success: Fraction, threshold: float) -> bool:
    """Whether C ≥ θ."""
    return success >= _exact(threshold)


def judge(
    *,
    stop: Stop,
    scores: Sequence[DimensionScore],
    targets: Sequence[Target],
    weights: Weights,
    threshold: float,
    scored: bool,
    check_failed: bool,
) -> Judgement:
    """Fold a finished conversation into its verdict.

    Args:
        stop: why it ended.
        scores: the dimension scores that exist.
        targets: 𝒢 with final statuses.
        weights: w_j and w_T.
        threshold: θ in [0, 1].
        scored: the scenario asked for dimension judges; without them the checks alone decide.
        check_failed: at least one ``checks:`` entry failed.

    Source: in-car paper, section III-D: pass iff C ≥ θ; design, sections 2 and 9.
    """
    judged = scored and stop.rule.judged  # C of a conversation that no dimension judge saw is undefined
    exact = success_score({score.dimension: score.score for score in scores}, targets, weights) if judged else None
    verdict, blame, note = stop.rule.verdict, stop.blame, ""
    if not any(target.uttered for target in targets) and judged:
        note = "no target was uttered: T is left out of C"
    if verdict is None and stop.rule.judged:
        if check_failed:
            verdict = Verdict.FAIL
        elif not scored:
            verdict = Verdict.PASS
        elif exact is None:
            verdict, note = Verdict.INCONCLUSIVE, "C is undefined: no weighted dimension or target is left to score"
        else:
            verdict = Verdict.PASS if passes(exact, threshold) else Verdict.FAIL
    return Judgement(
        verdict=verdict,
        blame=blame,
        success_score=None if exact is None else float(exact),
        ratios=target_ratios(targets),
        note=note,
    )


def unjudged(stop: Stop) -> Judgement:
    """Return what is said of a replay, which nobody judges: who is to blame where it broke, and no verdict."""
    return Judgement(
        verdict=None, blame=stop.blame, success_score=None, ratios=target_ratios(()), note="replayed: no verdict"
    )


def _ratio(targets: Sequence[Target]) -> float | None:
    if not targets:
        return None
    return float(Fraction(sum(t.status is TargetStatus.COMPLETED for t in targets), len(targets)))


def _exact(value: float) -> Fraction:
    return Fraction(repr(float(value)))
