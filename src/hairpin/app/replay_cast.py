"""Who serves replays: checks contexts and writes questions, played by models or by offline agents.

It asks nobody.
"""

from __future__ import annotations

from collections.abc import Mapping

from hairpin.agents.llm.context_judge import LlmContextJudge
from hairpin.agents.llm.decontextualiser import LlmDecontextualiser
from hairpin.agents.llm.question_writer import LlmQuestionWriter
from hairpin.agents.llm.reference_answerer import LlmReferenceAnswerer
from hairpin.agents.offline.decontextualiser import OfflineDecontextualiser
from hairpin.agents.offline.reference_answerer import OfflineReferenceAnswerer
from hairpin.app.cast import Cast
from hairpin.domain.outcome import Role
from hairpin.domain.relations import ContextMethod, MetamorphicSpec
from hairpin.domain.scenario import Scenario
from hairpin.errors import InvalidInputError
from hairpin.metamorphic.equivalent_context import EquivalentContext
from hairpin.ports import (
    AsyncEncoder,
    ChatModel,
    ContextChecker,
    Decontextualiser,
    QuestionWriter,
    ReferenceAnswerer,
)

Models = Mapping[Role, ChatModel]


def context_checker(
    cast: Cast,
    models: Models,
    scenario: Scenario,
    spec: MetamorphicSpec,
    encoder: AsyncEncoder,
    *,
    short_cuts: bool = True,
) -> ContextChecker:
    """Return who says whether two contexts are equivalent. ``short_cuts``: see ``EquivalentContext``.

    Raises:
        InvalidInputError: it is for a model to say and there is none, or the offline agents lack the language.
    """
    if spec.context is ContextMethod.LLM_JUDGE:
        return LlmContextJudge(models[Role.CONTEXT_JUDGE], cast.prompts[Role.CONTEXT_JUDGE])
    return EquivalentContext(
        decontextualiser(cast, models, scenario.language),
        reference_answerer(cast, models, scenario.language),
        encoder,
        epsilon_ec=spec.epsilon_ec,
        language=scenario.language,
        rng_seed=scenario.rng_seed,
        short_cuts=short_cuts,
    )


def decontextualiser(cast: Cast, models: Models, language: str) -> Decontextualiser:
    """Return who makes questions stand alone. Raises InvalidInputError when nobody speaks the language."""
    model = models.get(Role.DECONTEXTUALISER)
    if model is None:
        return OfflineDecontextualiser(language)
    return LlmDecontextualiser(model, cast.prompts[Role.DECONTEXTUALISER])


def reference_answerer(cast: Cast, models: Models, language: str) -> ReferenceAnswerer:
    """Return who answers questions from a story. Raises InvalidInputError when nobody speaks the language."""
    model = models.get(Role.REFERENCE_ANSWERER)
    if model is None:
        return OfflineReferenceAnswerer(language)
    return LlmReferenceAnswerer(model, cast.prompts[Role.REFERENCE_ANSWERER])


def question_writer(cast: Cast, models: Models) -> QuestionWriter | None:
    """Return the model that writes QAAsker's questions beside the rules, if one does."""
    model = models.get(Role.QUESTION_WRITER)
    return None if model is None else LlmQuestionWriter(model, cast.prompts[Role.QUESTION_WRITER])


def require_replay_roles(scenario: Scenario) -> None:
    """Refuse, before anything runs, replays whose roles nobody can play.

    Raises:
        InvalidInputError: says which role and what to do.
    """
    needed = scenario.needed_roles
    if Role.CONTEXT_JUDGE in needed and Role.CONTEXT_JUDGE not in scenario.models:
        raise InvalidInputError(
            "contexts are to be judged by a model, and none is given",
            where=f"scenario {scenario.id!r}",
            hint="give models: {context_judge: …}, or metamorphic: {context: ec}",
        )
    if Role.DECONTEXTUALISER in needed - scenario.models.keys():
        OfflineDecontextualiser(scenario.language)
    if Role.REFERENCE_ANSWERER in needed - scenario.models.keys():
        OfflineReferenceAnswerer(scenario.language)
