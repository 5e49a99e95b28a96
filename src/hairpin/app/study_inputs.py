"""What studies of the context check start from: a scenario's agents that serve replays, whoever else plays in it.

It asks no model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hairpin.app.cast import Cast, load_cast
from hairpin.app.inputs import load_inputs
from hairpin.app.replay_cast import require_replay_roles
from hairpin.domain.encoder import EncoderSpec
from hairpin.domain.outcome import Role
from hairpin.domain.relations import ContextMethod, MetamorphicSpec
from hairpin.domain.scenario import Scenario
from hairpin.errors import InvalidInputError
from hairpin.llm.prices import PriceTable
from hairpin.packs.finder import PackFinder
from hairpin.packs.scenarios import find_scenario

DEFAULT_SCENARIO = "story_metamorphic"
"""Whose offline agents are studied where none is named; the settings are the defaults, not its own."""

_ROLES = {
    ContextMethod.EC: frozenset({Role.DECONTEXTUALISER, Role.REFERENCE_ANSWERER}),
    ContextMethod.LLM_JUDGE: frozenset({Role.CONTEXT_JUDGE}),
}


@dataclass(frozen=True, slots=True)
class StudyInputs:
    """A scenario, how it replays, and who checks contexts in the ways that are studied."""

    scenario: Scenario
    spec: MetamorphicSpec
    cast: Cast
    prices: PriceTable
    methods: tuple[ContextMethod, ...]


def load_study(
    reference: str | None,
    *,
    methods: Sequence[ContextMethod] = (ContextMethod.EC,),
    encoder: str | None = None,
    epsilon_ec: float | None = None,
    packs: Sequence[Path] = (),
    overrides: Mapping[str, str] | None = None,
) -> StudyInputs:
    """Load the scenario that ``reference`` names.

    Args:
        reference: a scenario file, or the name of a shipped one; ``None``: offline agents, and what scenarios that
            say nothing have.
        methods: the ways to check contexts that are studied; whatever the scenario itself does.
        encoder: in place of the scenario's.
        epsilon_ec: in place of the scenario's.
        packs: folders searched before all others.
        overrides: ``--set`` values by dotted key.

    Raises:
        UserError: something must be mended, such as a role that nobody can play; says what and where.
    """
    given = dict(overrides or {})
    if reference is None:
        reference, given = DEFAULT_SCENARIO, {"metamorphic": "{}", **given}
    inputs = load_inputs(reference, packs=packs, overrides=given)
    scenario, spec = inputs.scenario, inputs.scenario.metamorphic
    if spec is None:
        raise InvalidInputError(
            "the scenario replays nothing, so it says nothing of how contexts and answers are compared",
            where=f"scenario {scenario.id!r}",
            hint="give it metamorphic: {}, or name one that has it, such as story_metamorphic",
        )
    spec = spec.model_copy(update=_given(encoder, epsilon_ec))
    finder = _finder(packs)
    beside = finder.beside(find_scenario(reference, finder).path.parent)
    casts = [_cast(scenario, spec, method, beside) for method in methods]
    return StudyInputs(scenario, spec, _joined(casts, methods), inputs.prices, tuple(methods))


def _finder(packs: Sequence[Path]) -> PackFinder:
    return PackFinder.standard(packs=packs, project=Path.cwd())


def _given(encoder: str | None, epsilon_ec: float | None) -> dict[str, object]:
    given: dict[str, object] = {} if encoder is None else {"encoder": EncoderSpec(model=encoder)}
    return given if epsilon_ec is None else {**given, "epsilon_ec": epsilon_ec}


def _cast(scenario: Scenario, spec: MetamorphicSpec, method: ContextMethod, finder: PackFinder) -> Cast:
    so = scenario.model_copy(update={"metamorphic": spec.model_copy(update={"context": method})})
    require_replay_roles(so)
    return load_cast(so, finder).only(_ROLES[method])


def _joined(casts: Sequence[Cast], methods: Sequence[ContextMethod]) -> Cast:
    """Return one cast of nobody but those who check contexts; no assistant is asked."""
    return replace(
        casts[0],
        needed=frozenset().union(*(_ROLES[method] for method in methods)),
        models={role: spec for cast in casts for role, spec in cast.models.items()},
        prompts={role: prompt for cast in casts for role, prompt in cast.prompts.items()},
        recorded=True,
    )
