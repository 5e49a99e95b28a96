"""Panels: several judges, or one several times, asked about each decision at the same time, as if they were one.

It must not count votes; ``domain.voting`` does. A judge that breaks is left out where the others still are a majority
of all; where they are not, the decision breaks as that judge did.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import anyio

from hairpin.domain.ballots import Ballot, Vote
from hairpin.domain.briefs import Brief, DimensionBrief, TurnBrief
from hairpin.domain.judgement import TurnJudgement
from hairpin.domain.outcome import Role, StopReason
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.voting import NoMajorityError, labels_of, median_score, merge_turns
from hairpin.errors import EndsRunError
from hairpin.ports import ConversationJudge, RoleError, TurnJudge

JudgeT = TypeVar("JudgeT")
BriefT = TypeVar("BriefT", bound=Brief)
SaidT = TypeVar("SaidT")


@dataclass(frozen=True, slots=True)
class Member(Generic[JudgeT]):
    """One judge of a panel; ``votes``: how often it is asked. ``modelled``: a model plays it."""

    name: str
    judge: JudgeT
    votes: int = 1
    modelled: bool = True


class TurnJudgePanel:
    """Labels one exchange by what most of its members say."""

    def __init__(self, members: Sequence[Member[TurnJudge]]) -> None:
        self.members = tuple(members)

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        """Return statuses, labels and new targets of the exchange. Raises RoleError."""
        cast = await _ask(self.members, brief, lambda judge, own: judge.judge(own))
        ballot = Ballot(
            t=brief.turn.t, votes=tuple(_vote(each, labels_of, lambda said: said.reasoning) for each in cast)
        )
        said = [each.said for each in cast if each.said is not None]
        try:
            merged = merge_turns(said, brief.targets, len(cast))
        except NoMajorityError as error:
            raise _undecided(cast, ballot, Role.TURN_JUDGE, error) from error
        return merged.model_copy(update={"reasoning": ballot.told, "ballot": ballot})


class ConversationJudgePanel:
    """Scores one dimension by the median of what its members say."""

    def __init__(self, members: Sequence[Member[ConversationJudge]]) -> None:
        self.members = tuple(members)

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        """Return d_j with the reasoning of the first who gave it. Raises RoleError."""
        cast = await _ask(self.members, brief, lambda judge, own: judge.score(own))
        ballot = Ballot(
            dimension=brief.dimension.id,
            votes=tuple(_vote(each, lambda said: f"score {said.score}", lambda said: said.reasoning) for each in cast),
        )
        said = [each.said for each in cast if each.said is not None]
        try:
            score = median_score([each.score for each in said], len(cast))
        except NoMajorityError as error:
            raise _undecided(cast, ballot, Role.CONVERSATION_JUDGE, error) from error
        first = next(each for each in said if each.score == score)
        reasoning = f"{ballot.told}. {first.reasoning}"
        return DimensionScore(dimension=brief.dimension.id, score=score, reasoning=reasoning, ballot=ballot)


@dataclass(slots=True)
class _Cast(Generic[SaidT]):
    """A vote: what a judge said, or why it said nothing."""

    judge: str
    said: SaidT | None = None
    broke: RoleError | None = None


async def _ask(
    members: Sequence[Member[JudgeT]], brief: BriefT, ask: Callable[[JudgeT, BriefT], Awaitable[SaidT]]
) -> list[_Cast[SaidT]]:
    """Ask every member as often as it votes, all at the same time, and return the votes in the order of the panel.

    Raises:
        EndsRunError: the endpoint of a member takes no call at all.
    """
    cast = [
        (member, _Cast[SaidT](member.name if member.votes == 1 else f"{member.name}, {number + 1}"))
        for member in members
        for number in range(member.votes)
    ]
    ended: list[EndsRunError] = []

    async def vote(index: int, member: Member[JudgeT], ballot: _Cast[SaidT]) -> None:
        try:
            ballot.said = await ask(member.judge, _own(brief, index, len(cast)))
        except RoleError as error:
            ballot.broke = error
        except EndsRunError as error:  # raised below, not as part of a group
            ended.append(error)
            group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        for index, (member, ballot) in enumerate(cast):
            group.start_soon(vote, index, member, ballot)
    if ended:
        raise ended[0]
    return [ballot for _, ballot in cast]


def _own(brief: BriefT, index: int, n_votes: int) -> BriefT:
    """Return the brief of one vote: with a random seed of its own, and for a cache a repeat of its own.

    Else the cache would answer the second vote of a model with its first.
    """
    origin = brief.origin.model_copy(update={"repeat": brief.origin.repeat * n_votes + index})
    rng_seed = derive_rng_seed(brief.rng_seed, "vote", str(index)) if index else brief.rng_seed
    return brief.model_copy(update={"rng_seed": rng_seed, "origin": origin})


def _vote(cast: _Cast[SaidT], label: Callable[[SaidT], str], reasoning: Callable[[SaidT], str]) -> Vote:
    if cast.said is None:
        assert cast.broke is not None
        return Vote(judge=cast.judge, said=cast.broke.reason.value, reasoning=cast.broke.detail, broken=True)
    return Vote(judge=cast.judge, said=label(cast.said), reasoning=reasoning(cast.said))


def _undecided(cast: Sequence[_Cast[SaidT]], ballot: Ballot, role: Role, error: NoMajorityError) -> RoleError:
    """Return why there is no judgement: those that broke could have made a majority; else they disagree."""
    broke = next((each.broke for each in cast if each.broke is not None), None)
    if broke is not None and error.within_reach:
        return broke
    where = f"exchange {ballot.t}" if ballot.t is not None else f"dimension {ballot.dimension}"
    return RoleError(StopReason.JUDGES_DISAGREE, role, f"{where}: no majority on {error}: {ballot.told}")
