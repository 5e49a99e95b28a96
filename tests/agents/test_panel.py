"""Panels of judges, as they are asked in a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import anyio
import pytest

from hairpin.agents.panel import ConversationJudgePanel, Member, TurnJudgePanel
from hairpin.domain.briefs import Brief, DimensionBrief, TurnBrief
from hairpin.domain.conversation import DialogueTurn
from hairpin.domain.judgement import ResponseFinding, TurnJudgement
from hairpin.domain.llm_calls import CallOrigin
from hairpin.domain.outcome import Role, StopReason
from hairpin.domain.rubric import Dimension
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.targets import Target, TargetStatus, TargetUpdate
from hairpin.domain.users import Context
from hairpin.errors import ProviderStoppedError
from hairpin.ports import RoleError

pytestmark = pytest.mark.anyio

TURN = DialogueTurn(t=3, user="Take me home", assistant="No.")
BRIEF = TurnBrief(
    history=(), turn=TURN, context=Context(), targets=(), modes=(), rng_seed=7, origin=CallOrigin(repeat=1)
)
PLAN = DimensionBrief(
    dimension=Dimension(id="plan", title="Plan", question="?", anchors=("0", "1", "2")), turns=(TURN,), rng_seed=7
)


@dataclass
class Judge:
    """Says what it was given, in order, the last for ever; an error it raises."""

    sayings: Sequence[str | int | Exception]
    briefs: list[Brief] = field(default_factory=list)

    def _next(self, brief: Brief) -> str | int:
        said = self.sayings[min(len(self.briefs), len(self.sayings) - 1)]
        self.briefs.append(brief)
        if isinstance(said, Exception):
            raise said
        return said

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        said = str(self._next(brief))
        found = (ResponseFinding(mode=said, evidence="“No.”"),) if said else ()
        return TurnJudgement(reasoning=f"because {said}", response=found)

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        score = int(self._next(brief))
        return DimensionScore(dimension=brief.dimension.id, score=score, reasoning=f"it is {score}")


FAULT = RoleError(StopReason.JUDGE_FAULT, Role.TURN_JUDGE, "no valid answer")


def turn_panel(*judges: Judge, votes: int = 1) -> TurnJudgePanel:
    return TurnJudgePanel([Member(f"m{n}", judge, votes=votes) for n, judge in enumerate(judges)])


def score_panel(*judges: Judge) -> ConversationJudgePanel:
    return ConversationJudgePanel([Member(f"m{n}", judge) for n, judge in enumerate(judges)])


async def test_the_majority_decides_and_what_each_said_is_kept() -> None:
    judgement = await turn_panel(Judge(["forgot"]), Judge([""]), Judge(["forgot"])).judge(BRIEF)
    assert [(each.mode, each.evidence) for each in judgement.response] == [("forgot", "2 of 3 votes: “No.”")]
    ballot = judgement.ballot
    assert ballot is not None
    assert ballot.t == 3
    assert [(vote.judge, vote.said, vote.reasoning) for vote in ballot.votes] == [
        ("m0", "forgot", "because forgot"),
        ("m1", "nothing", "because "),
        ("m2", "forgot", "because forgot"),
    ]
    assert judgement.reasoning == ballot.told == "2 of 3: forgot (m0, m2); 1 of 3: nothing (m1)"


async def test_the_median_of_scores_counts_with_the_reasoning_of_who_gave_it() -> None:
    score = await score_panel(Judge([2]), Judge([0]), Judge([1])).score(PLAN)
    assert (score.dimension, score.score) == ("plan", 1)
    assert score.reasoning.endswith("it is 1")
    assert score.ballot is not None
    assert (score.ballot.dimension, score.ballot.unanimous) == ("plan", False)


async def test_judges_who_disagree_make_a_conversation_inconclusive() -> None:
    with pytest.raises(RoleError) as caught:
        await turn_panel(Judge(["forgot"]), Judge([""])).judge(BRIEF)
    assert (caught.value.reason, caught.value.role) == (StopReason.JUDGES_DISAGREE, Role.TURN_JUDGE)
    assert caught.value.detail == ("exchange 3: no majority on forgot: 1 of 2: forgot (m0); 1 of 2: nothing (m1)")
    with pytest.raises(RoleError) as caught:
        await score_panel(Judge([0]), Judge([2])).score(PLAN)
    assert (caught.value.reason, caught.value.role) == (StopReason.JUDGES_DISAGREE, Role.CONVERSATION_JUDGE)
    assert caught.value.detail.startswith("dimension plan: no majority on the score")


async def test_a_judge_that_breaks_is_left_out_where_a_majority_stands() -> None:
    judgement = await turn_panel(Judge(["forgot"]), Judge([FAULT]), Judge(["forgot"])).judge(BRIEF)
    assert [each.mode for each in judgement.response] == ["forgot"]
    assert judgement.ballot is not None
    broken = judgement.ballot.votes[1]
    assert (broken.broken, broken.said, broken.reasoning) == (True, "judge_fault", "no valid answer")


@pytest.mark.parametrize("others", [[Judge(["forgot"]), Judge([""])], [Judge([FAULT]), Judge([FAULT])]])
async def test_a_judge_that_breaks_ends_it_where_none_stands(others: list[Judge]) -> None:
    with pytest.raises(RoleError) as caught:
        await turn_panel(Judge([FAULT]), *others).judge(BRIEF)
    assert caught.value is FAULT


@dataclass
class TargetJudge:
    """Gives the only target one label, or breaks."""

    label: str | None

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        if self.label is None:
            raise FAULT
        (target,) = brief.targets
        return TurnJudgement(
            updates=(TargetUpdate(target_id=target.id, status=TargetStatus.INCOMPLETE, failure=self.label),)
        )


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (["missed", "omitted", "wrong", None], StopReason.JUDGES_DISAGREE),
        (["missed", "missed", "omitted", None], StopReason.JUDGE_FAULT),
        (["missed", "omitted", "wrong", None, None], StopReason.JUDGE_FAULT),
    ],
)
async def test_a_judge_that_broke_is_to_blame_only_where_its_vote_could_have_decided(
    labels: list[str | None], reason: StopReason
) -> None:
    brief = BRIEF.model_copy(update={"targets": (Target(id="g1", text="go home"),)})
    panel = TurnJudgePanel([Member(f"m{n}", TargetJudge(label)) for n, label in enumerate(labels)])
    with pytest.raises(RoleError) as caught:
        await panel.judge(brief)
    assert caught.value.reason is reason


async def test_repeats_get_random_seeds_and_places_in_the_cache_of_their_own() -> None:
    first, second = Judge(["", "forgot", ""]), Judge([""])
    await turn_panel(first, second, votes=3).judge(BRIEF)
    briefs = [*first.briefs, *second.briefs]
    assert len({brief.rng_seed for brief in briefs}) == 6
    assert [brief.origin.repeat for brief in briefs] == [6, 7, 8, 9, 10, 11]
    assert briefs[0].rng_seed == BRIEF.rng_seed


async def test_repeats_of_two_conversations_never_share_an_answer() -> None:
    judge = Judge([""])
    for repeat in range(3):
        await turn_panel(judge, judge).judge(BRIEF.model_copy(update={"origin": CallOrigin(repeat=repeat)}))
    repeats = [brief.origin.repeat for brief in judge.briefs]
    assert len(set(repeats)) == len(repeats) == 6


async def test_one_judge_may_be_asked_several_times() -> None:
    judgement = await turn_panel(Judge(["forgot", "", "forgot"]), votes=3).judge(BRIEF)
    assert judgement.reasoning == "2 of 3: forgot (m0, 1, m0, 3); 1 of 3: nothing (m0, 2)"


async def test_an_endpoint_that_takes_no_call_ends_the_run_and_the_others_are_not_waited_for() -> None:
    class Slow(Judge):
        async def judge(self, brief: TurnBrief) -> TurnJudgement:
            await anyio.sleep_forever()
            raise AssertionError

    stopped = ProviderStoppedError("the quota is used up")
    with pytest.raises(ProviderStoppedError) as caught:
        await turn_panel(Slow([""]), Judge([stopped])).judge(BRIEF)
    assert caught.value is stopped


async def test_all_are_asked_at_the_same_time() -> None:
    everybody = anyio.Event()
    waiting: list[int] = []

    class Patient(Judge):
        async def judge(self, brief: TurnBrief) -> TurnJudgement:
            waiting.append(1)
            if len(waiting) == 3:
                everybody.set()
            await everybody.wait()
            return TurnJudgement()

    judgement = await turn_panel(Patient([]), Patient([]), Patient([])).judge(BRIEF)
    assert judgement.ballot is not None
    assert judgement.ballot.unanimous
