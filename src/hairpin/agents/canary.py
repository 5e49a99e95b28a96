"""Asking judges about canaries, a few at a time.

It must not decide what follows when a judge fails.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

import anyio

from hairpin.domain.briefs import DimensionBrief, TurnBrief
from hairpin.domain.canary import (
    Canaries,
    CanaryResult,
    DimensionCanary,
    TurnCanary,
    expected_labels,
    expected_score,
    score_result,
    turn_result,
)
from hairpin.domain.llm_calls import CallOrigin, Purpose
from hairpin.domain.outcome import Role, StopReason
from hairpin.domain.rubric import Dimension, Rubric
from hairpin.domain.users import Context
from hairpin.errors import EndsRunError
from hairpin.ports import ConversationJudge, RoleError, TurnJudge

CANARY_ORIGIN: Final = CallOrigin(purpose=Purpose.CANARY)

_UNASKED: Final = frozenset({StopReason.PROVIDER_ERROR, StopReason.DEADLINE, StopReason.BUDGET})
"""Why a judge said nothing although it might have been right."""

_Question = Callable[[], Awaitable[CanaryResult]]


async def run_canaries(
    canaries: Canaries,
    rubric: Rubric,
    *,
    turn_judge: TurnJudge | None = None,
    conversation_judges: Mapping[str, ConversationJudge] | None = None,
    concurrency: int = 8,
) -> tuple[CanaryResult, ...]:
    """Ask the given judges about their canaries; return what they said in the order of the file, turn judge first.

    A judge that gives no judgement has failed its canary; the result says why. One that could not be asked has not.

    Args:
        canaries: of ``rubric``.
        rubric: the modes and dimensions that the judges are told.
        turn_judge: ``None``: not asked.
        conversation_judges: by dimension; those that are missing are not asked.
        concurrency: questions at the same time.

    Raises:
        EndsRunError: the endpoint of a judge takes no calls at all.
        RoleError: a judge could not be asked: its provider failed, or no time or money was left.
    """
    questions: list[_Question] = []
    if turn_judge is not None:
        questions += [partial(_label, canary, canaries.language, rubric, turn_judge) for canary in canaries.turns]
    dimensions = {dimension.id: dimension for dimension in rubric.dimensions}
    for canary in canaries.dimensions:
        judge = (conversation_judges or {}).get(canary.dimension)
        if judge is not None and canary.dimension in dimensions:
            questions.append(partial(_score, canary, canaries.language, dimensions[canary.dimension], judge))
    return await _answers(questions, concurrency)


async def _answers(questions: list[_Question], concurrency: int) -> tuple[CanaryResult, ...]:
    results: dict[int, CanaryResult] = {}
    ended: list[EndsRunError | RoleError] = []
    limiter = anyio.CapacityLimiter(concurrency)

    async def ask(index: int, question: _Question) -> None:
        async with limiter:
            try:
                results[index] = await question()
            except (EndsRunError, RoleError) as error:  # raised below, not as part of a group
                ended.append(error)
                group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        for index, question in enumerate(questions):
            group.start_soon(ask, index, question)
    if ended:
        raise ended[0]
    return tuple(results[index] for index in sorted(results))


async def _label(canary: TurnCanary, language: str, rubric: Rubric, judge: TurnJudge) -> CanaryResult:
    brief = TurnBrief(
        language=language,
        origin=CANARY_ORIGIN,
        history=canary.turns[:-1],
        turn=canary.turns[-1],
        context=Context(),
        targets=canary.targets,
        modes=rubric.modes,
    )
    try:
        return turn_result(canary, await judge.judge(brief), Role.TURN_JUDGE.value)
    except RoleError as error:
        if error.reason in _UNASKED:
            raise
        return _unjudged(Role.TURN_JUDGE.value, canary.name, expected_labels(canary), error)


async def _score(
    canary: DimensionCanary, language: str, dimension: Dimension, judge: ConversationJudge
) -> CanaryResult:
    name = f"{Role.CONVERSATION_JUDGE.value} of {dimension.id}"
    brief = DimensionBrief(language=language, origin=CANARY_ORIGIN, dimension=dimension, turns=canary.turns)
    try:
        return score_result(canary, await judge.score(brief), name)
    except RoleError as error:
        if error.reason in _UNASKED:
            raise
        return _unjudged(name, canary.name, expected_score(canary), error)


def _unjudged(judge: str, transcript: str, expected: str, error: RoleError) -> CanaryResult:
    return CanaryResult(
        judge=judge,
        transcript=transcript,
        expected=expected,
        got=f"no judgement: {error.reason}",
        ok=False,
        why=error.detail,
    )
