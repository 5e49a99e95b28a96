"""Judges that are wrong in a known way, to find out whether Hairpin notices.

They play in no run of a user's; benchmarks and tests put them in place of judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from random import Random
from typing import Final

from hairpin.domain.briefs import Brief, DimensionBrief, TurnBrief
from hairpin.domain.failures import FailureMode, ModeKind
from hairpin.domain.judgement import ResponseFinding, TurnJudgement
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.targets import Target, TargetStatus, TargetUpdate
from hairpin.ports import ConversationJudge, Roles, TurnJudge

RANDOM_ERROR: Final = 0.2
"""How often a judge that errs at random says the opposite."""

_SAID: Final = "planted"


class PlantedJudge(StrEnum):
    """In which way a judge is wrong."""

    ALWAYS_FAIL = "always_fail"
    ALWAYS_PASS = "always_pass"
    RANDOM_ERRORS = "random_errors"
    LAST_TURN_ONLY = "last_turn_only"


def plant(kind: PlantedJudge, roles: Roles, *, error: float = RANDOM_ERROR) -> Roles:
    """Return ``roles`` with every judge replaced by one that is wrong as ``kind`` says.

    ``error``: with which chance, in [0, 1], each decision of a judge that errs at random is turned into its opposite.
    It is drawn by the random seed of the decision: the same decision is wrong every time.
    """
    judges = {
        dimension: _planted_dimension(kind, judge, error) for dimension, judge in roles.conversation_judges.items()
    }
    return replace(roles, turn_judge=_planted_turn(kind, roles.turn_judge, error), conversation_judges=judges)


class OneVerdictTurnJudge:
    """Finds everything wrong with every exchange, or nothing with any.

    A target gets the first compliance mode, because it can have but one; the response gets every mode.
    """

    def __init__(self, *, fails: bool) -> None:
        self._fails = fails

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        """Return the same verdict whatever was said."""
        new = () if any(target.open for target in brief.targets) else (_asked_now(brief),)
        open_now = [target for target in (*brief.targets, *new) if target.open]
        compliance = _of_kind(brief.modes, ModeKind.COMPLIANCE)[:1]
        failure = compliance[0] if compliance and self._fails else None
        status = TargetStatus.INCOMPLETE if self._fails else TargetStatus.COMPLETED
        return TurnJudgement(
            reasoning=_SAID,
            new_targets=new,
            updates=tuple(
                TargetUpdate(target_id=target.id, status=status, uttered=True, failure=failure, evidence=_SAID)
                for target in open_now
            ),
            response=tuple(
                ResponseFinding(mode=mode, evidence=_SAID)
                for mode in _of_kind(brief.modes, ModeKind.RESPONSE)
                if self._fails
            ),
        )


class OneScoreJudge:
    """Gives every conversation the same score."""

    def __init__(self, score: int) -> None:
        self._score = score

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        """Return the score whatever was said."""
        return DimensionScore(dimension=brief.dimension.id, score=self._score, reasoning=_SAID)


class ErringTurnJudge:
    """Now and then says the opposite of what another judge says."""

    def __init__(self, judge: TurnJudge, error: float) -> None:
        self._judge = judge
        self._error = error

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        """Return what the other judge says; by chance without its labels, or with one where it has none."""
        said = await self._judge.judge(brief)
        generator = _generator(brief, str(brief.turn.t))
        if generator.random() >= self._error:
            return said
        if said.response or any(update.failure for update in said.updates):
            return said.model_copy(update={"updates": tuple(map(_excused, said.updates)), "response": ()})
        modes = _of_kind(brief.modes, ModeKind.RESPONSE)
        made_up = tuple(
            ResponseFinding(mode=mode, evidence=_SAID) for mode in generator.sample(modes, min(1, len(modes)))
        )
        return said.model_copy(update={"response": made_up})


class ErringScoreJudge:
    """Now and then gives the lowest score for the best, and the best for any lower one."""

    def __init__(self, judge: ConversationJudge, error: float) -> None:
        self._judge = judge
        self._error = error

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        """Return what the other judge says, or by chance the opposite."""
        said = await self._judge.score(brief)
        if _generator(brief, brief.dimension.id).random() >= self._error:
            return said
        return said.model_copy(update={"score": 2 if said.score < 2 else 0, "reasoning": _SAID})


class LastTurnJudge:
    """Judges an exchange as if nothing had been said before it."""

    def __init__(self, judge: TurnJudge) -> None:
        self._judge = judge

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        """Return what the other judge says who is shown the last exchange alone."""
        return await self._judge.judge(brief.model_copy(update={"history": ()}))


class LastTurnScoreJudge:
    """Scores a conversation by its last exchange."""

    def __init__(self, judge: ConversationJudge) -> None:
        self._judge = judge

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        """Return what the other judge says who is shown the last exchange alone."""
        return await self._judge.score(brief.model_copy(update={"turns": brief.turns[-1:]}))


def _planted_turn(kind: PlantedJudge, judge: TurnJudge, error: float) -> TurnJudge:
    match kind:
        case PlantedJudge.RANDOM_ERRORS:
            return ErringTurnJudge(judge, error)
        case PlantedJudge.LAST_TURN_ONLY:
            return LastTurnJudge(judge)
    return OneVerdictTurnJudge(fails=kind is PlantedJudge.ALWAYS_FAIL)


def _planted_dimension(kind: PlantedJudge, judge: ConversationJudge, error: float) -> ConversationJudge:
    match kind:
        case PlantedJudge.RANDOM_ERRORS:
            return ErringScoreJudge(judge, error)
        case PlantedJudge.LAST_TURN_ONLY:
            return LastTurnScoreJudge(judge)
    return OneScoreJudge(0 if kind is PlantedJudge.ALWAYS_FAIL else 2)


def _asked_now(brief: TurnBrief) -> Target:
    """Return a target for what was asked for in this exchange, where nothing else is open."""
    taken = {target.id for target in brief.targets}
    name = next(name for n in range(1, len(taken) + 2) if (name := f"g{n}") not in taken)
    return Target(id=name, text=brief.turn.user)


def _excused(update: TargetUpdate) -> TargetUpdate:
    if update.failure is None:
        return update
    return update.model_copy(update={"failure": None, "status": TargetStatus.COMPLETED})


def _of_kind(modes: Sequence[FailureMode], kind: ModeKind) -> list[str]:
    return [mode.id for mode in modes if mode.kind is kind]


def _generator(brief: Brief, place: str) -> Random:
    return Random(derive_rng_seed(brief.rng_seed, "planted", place))
