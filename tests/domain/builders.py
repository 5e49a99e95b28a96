"""Domain values with everything filled in that a test does not care about, and Hypothesis strategies for them."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import FailureMode, ModeKind
from hairpin.domain.rubric import Dimension, Rubric, Weights
from hairpin.domain.scenario import Scenario
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.strategies import Strategy
from hairpin.domain.sut_spec import TestbedSut
from hairpin.domain.targets import Target, TargetStatus
from hairpin.domain.users import Context, Persona

DIMENSIONS = ("adherence", "context", "coherence", "safety")
COMPLIANCE_MODES = ("fallback_response", "irrelevant_response", "request_omitted", "constraint_missed")
RESPONSE_MODES = ("context_forgotten", "ambiguity_unresolved", "planning_poor", "safety_violation")


def a_mode(mode_id: str, kind: ModeKind) -> FailureMode:
    return FailureMode(
        id=mode_id, kind=kind, title=mode_id, definition="", materiality="", positive_example="", negative_example=""
    )


def a_rubric(weights: Weights | None = None) -> Rubric:
    modes = [a_mode(mode, ModeKind.COMPLIANCE) for mode in COMPLIANCE_MODES]
    modes += [a_mode(mode, ModeKind.RESPONSE) for mode in RESPONSE_MODES]
    return Rubric(
        id="in_car",
        title="In-car",
        modes=tuple(modes),
        dimensions=tuple(Dimension(id=d, title=d, question="", anchors=("0", "1", "2")) for d in DIMENSIONS),
        weights=weights or equal_weights(),
    )


def equal_weights(targets: float = 1.0) -> Weights:
    return Weights(dimensions=dict.fromkeys(DIMENSIONS, 1.0), targets=targets)


def a_persona(persona_id: str = "neutral") -> Persona:
    return Persona(id=persona_id, title=persona_id, description="")


def a_scenario(
    *phrases: str,
    personas: tuple[str, ...] = ("neutral",),
    contexts: tuple[Context, ...] = (Context(),),
    repeats: int = 1,
    rng_seed: int = 1,
) -> Scenario:
    return Scenario(
        id="s",
        sut=TestbedSut(),
        seed_phrases=phrases or ("Take me home",),
        personas=tuple(a_persona(persona) for persona in personas),
        contexts=contexts,
        repeats=repeats,
        rng_seed=rng_seed,
        rubric=a_rubric(),
    )


def a_target(
    target_id: str = "g1",
    status: TargetStatus = TargetStatus.INCOMPLETE,
    *,
    introduced: int | None = 0,
    resolved: int | None = None,
) -> Target:
    return Target(id=target_id, text=target_id, status=status, introduced=introduced, resolved=resolved)


def targets_with(completed: int = 0, incomplete: int = 0, dropped: int = 0, unuttered: int = 0) -> tuple[Target, ...]:
    statuses = [TargetStatus.COMPLETED] * completed + [TargetStatus.INCOMPLETE] * incomplete
    statuses += [TargetStatus.DROPPED] * dropped
    said = [a_target(f"g{number}", status) for number, status in enumerate(statuses)]
    return (*said, *(a_target(f"h{number}", introduced=None) for number in range(unuttered)))


def a_strategy(strategy_id: str, target_mode: str = "planning_poor", max_consecutive: int = 2) -> Strategy:
    return Strategy(id=strategy_id, title=strategy_id, target_mode=target_mode, max_consecutive=max_consecutive)


def an_exchange(t: int = 0, user: str = "Take me home", assistant: str = "Where is home?") -> Exchange:
    return Exchange(t=t, user=user, assistant=assistant)


def score_list(scores: Mapping[str, int]) -> list[DimensionScore]:
    return [DimensionScore(dimension=d, score=score, reasoning="because") for d, score in scores.items()]


statuses = st.sampled_from(TargetStatus)
turn_numbers = st.integers(min_value=0, max_value=50)
target_sets = st.builds(
    targets_with,
    completed=st.integers(0, 4),
    incomplete=st.integers(0, 4),
    dropped=st.integers(0, 4),
    unuttered=st.integers(0, 4),
)
"""𝒢 in every mixture of statuses, uttered or not; may be empty."""

dimension_scores = st.fixed_dictionaries({dimension: st.integers(0, 2) for dimension in DIMENSIONS})
weight_values = st.integers(0, 30).map(lambda tenths: tenths / 10)
"""Weights as users write them: 0, 0.1, …, 3."""

weight_sets = st.builds(
    lambda dimensions, targets: (dimensions, targets),
    st.fixed_dictionaries(dict.fromkeys(DIMENSIONS, weight_values)),
    weight_values,
).filter(lambda pair: any(pair[0].values()) or pair[1] > 0)
usable_weights = weight_sets.map(lambda pair: Weights(dimensions=pair[0], targets=pair[1]))
thresholds = st.integers(0, 100).map(lambda hundredths: hundredths / 100)
