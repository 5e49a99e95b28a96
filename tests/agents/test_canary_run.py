"""Asking judges about canaries."""

from __future__ import annotations

import anyio
import anyio.lowlevel
import pytest

from hairpin.agents.canary import run_canaries
from hairpin.agents.offline.roles import build_offline_roles
from hairpin.domain.briefs import DimensionBrief, TurnBrief
from hairpin.domain.canary import Canaries
from hairpin.domain.judgement import TurnJudgement
from hairpin.domain.llm_calls import Purpose
from hairpin.domain.outcome import Role, StopReason
from hairpin.domain.scoring import DimensionScore
from hairpin.errors import ProviderStoppedError
from hairpin.packs.canaries import find_canaries
from hairpin.packs.finder import PackFinder
from hairpin.packs.lexicons import find_lexicon
from hairpin.ports import RoleError
from tests.agents.judge_model import in_car_rubric

pytestmark = pytest.mark.anyio
FINDER = PackFinder.standard(plugins=[])
N_DIMENSIONS = len(in_car_rubric().dimensions)


def shipped() -> Canaries:
    found = find_canaries(in_car_rubric(), FINDER)
    assert found is not None
    return found[0]


class Judge:
    """Both kinds of judge: finds nothing and scores 2, or raises; notes what it saw and how many asked at once."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.purposes: set[Purpose] = set()
        self.at_once = self.most_at_once = 0

    async def judge(self, brief: TurnBrief) -> TurnJudgement:
        await self._work(brief.origin.purpose)
        return TurnJudgement(reasoning="fine")

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        await self._work(brief.origin.purpose)
        return DimensionScore(dimension=brief.dimension.id, score=2, reasoning="fine")

    async def _work(self, purpose: Purpose) -> None:
        self.purposes.add(purpose)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await anyio.lowlevel.checkpoint()
        self.at_once -= 1
        if self.error is not None:
            raise self.error


def everybody(judge: Judge) -> dict[str, Judge]:
    return {dimension.id: judge for dimension in in_car_rubric().dimensions}


async def test_the_offline_judges_pass_the_shipped_canaries() -> None:
    roles = build_offline_roles(rubric=in_car_rubric(), lexicon=find_lexicon("in_car", FINDER)[0])
    results = await run_canaries(
        shipped(), in_car_rubric(), turn_judge=roles.turn_judge, conversation_judges=roles.conversation_judges
    )
    assert [str(result) for result in results if not result.ok] == []
    assert len(results) == 2 + 2 * N_DIMENSIONS


async def test_judges_that_find_everything_fine_fail_every_known_bad_transcript() -> None:
    judge = Judge()
    results = await run_canaries(
        shipped(), in_car_rubric(), turn_judge=judge, conversation_judges=everybody(judge), concurrency=3
    )
    assert {result.transcript for result in results if not result.ok} == {"known-bad transcript"}
    assert len([result for result in results if not result.ok]) == 1 + N_DIMENSIONS
    assert str(results[1]) == "turn_judge, known-bad transcript: expected constraint_missed, got no label (fine)"
    assert results[3].judge == f"conversation_judge of {in_car_rubric().dimensions[0].id}"
    assert judge.purposes == {Purpose.CANARY}
    assert judge.most_at_once == 3


async def test_only_the_judges_given_are_asked() -> None:
    safety = in_car_rubric().dimensions[-1].id
    results = await run_canaries(shipped(), in_car_rubric(), conversation_judges={safety: Judge()})
    assert [result.judge for result in results] == [f"conversation_judge of {safety}"] * 2
    assert await run_canaries(shipped(), in_car_rubric()) == ()


async def test_a_judge_that_gives_no_judgement_has_failed_and_the_others_are_asked_all_the_same() -> None:
    broken = Judge(RoleError(StopReason.JUDGE_FAULT, Role.TURN_JUDGE, "no JSON"))
    results = await run_canaries(shipped(), in_car_rubric(), turn_judge=broken, conversation_judges=everybody(broken))
    assert not any(result.ok for result in results)
    assert len(results) == 2 + 2 * N_DIMENSIONS
    said = "turn_judge, known-good transcript: expected no label, got no judgement: judge_fault (no JSON)"
    assert str(results[0]) == said


async def test_an_endpoint_that_takes_no_calls_ends_it_with_that_one_error() -> None:
    judge = Judge(ProviderStoppedError("the quota is used up"))
    with pytest.raises(ProviderStoppedError, match="the quota is used up"):
        await run_canaries(shipped(), in_car_rubric(), turn_judge=judge, conversation_judges=everybody(judge))
