from __future__ import annotations

import pytest

from hairpin.agents.absent import absent_roles
from hairpin.agents.offline.turn_judge import OfflineTurnJudge
from hairpin.agents.planted import PlantedJudge, plant
from hairpin.domain.briefs import DimensionBrief, TurnBrief
from hairpin.domain.judgement import TurnJudgement
from hairpin.domain.rubric import Dimension, Rubric, Weights
from hairpin.domain.scoring import DimensionScore
from hairpin.domain.targets import Target, TargetStatus
from hairpin.domain.users import Context
from hairpin.ports import ConversationJudge, Roles
from tests.agents.banking import modes, reader, turns

pytestmark = pytest.mark.anyio

MEMORY = Dimension(id="memory", title="Memory", question="Kept?", anchors=("no", "partly", "yes"))
RUBRIC = Rubric(
    id="banking", title="Banking", modes=modes(), dimensions=(MEMORY,), weights=Weights(dimensions={"memory": 1})
)
FORGOTTEN = (
    ("Send 20 euros to Ada without fees", "I sent 20 euros to Ada without fees."),
    ("Hello", "Your transfer to Ada went with a fee."),
)


class TurnsSeen(ConversationJudge):
    """Scores 2, and says how many exchanges it saw."""

    async def score(self, brief: DimensionBrief) -> DimensionScore:
        return DimensionScore(dimension=brief.dimension.id, score=2, reasoning=str(len(brief.turns)))


def roles_with(kind: PlantedJudge, *, error: float = 0.2) -> Roles:
    honest = absent_roles(RUBRIC)
    roles = Roles(
        extractor=honest.extractor,
        simulator=honest.simulator,
        strategist=honest.strategist,
        turn_judge=OfflineTurnJudge(reader()),
        conversation_judges={"memory": TurnsSeen()},
    )
    return plant(kind, roles, error=error)


async def label(
    roles: Roles, *pairs: tuple[str, str], targets: tuple[Target, ...] = (), rng_seed: int = 1
) -> TurnJudgement:
    *before, turn = turns(*pairs)
    return await roles.turn_judge.judge(
        TurnBrief(
            history=tuple(before), turn=turn, context=Context(), targets=targets, modes=modes(), rng_seed=rng_seed
        )
    )


async def points(roles: Roles, *pairs: tuple[str, str], rng_seed: int = 1) -> DimensionScore:
    return await roles.conversation_judges["memory"].score(
        DimensionBrief(dimension=MEMORY, turns=turns(*pairs), rng_seed=rng_seed)
    )


def labels(judgement: TurnJudgement) -> list[str]:
    found = [update.failure for update in judgement.updates if update.failure]
    return [*found, *(finding.mode for finding in judgement.response)]


GOOD = ("Send 20 euros to Ada", "I sent 20 euros to Ada.")


async def test_one_that_always_fails_labels_a_good_exchange_and_scores_it_nought() -> None:
    roles = roles_with(PlantedJudge.ALWAYS_FAIL)
    found = await label(roles, GOOD)
    assert [target.id for target in found.new_targets] == ["g1"]
    assert (found.updates[0].status, found.updates[0].failure) == (TargetStatus.INCOMPLETE, "fallback_response")
    assert len(labels(found)) > 1
    assert (await points(roles, GOOD)).score == 0


async def test_one_that_always_passes_completes_what_is_open_and_finds_nothing() -> None:
    roles = roles_with(PlantedJudge.ALWAYS_PASS)
    found = await label(roles, ("Send 20 euros to Ada", "No."), targets=(Target(id="g1", text="send money"),))
    assert (found.new_targets, labels(found)) == ((), [])
    assert found.updates[0].status is TargetStatus.COMPLETED
    assert (await points(roles, GOOD)).score == 2


async def test_a_judge_that_errs_says_the_opposite_about_as_often_as_it_is_told() -> None:
    roles = roles_with(PlantedJudge.RANDOM_ERRORS)
    wrong = [bool(labels(await label(roles, GOOD, rng_seed=seed))) for seed in range(200)]
    missed = [not labels(await label(roles, *FORGOTTEN, rng_seed=seed)) for seed in range(200)]
    flipped = [(await points(roles, GOOD, rng_seed=seed)).score == 0 for seed in range(200)]
    for errors in (wrong, missed, flipped):
        assert 0.12 < sum(errors) / 200 < 0.28


async def test_the_same_decision_errs_every_time() -> None:
    roles = roles_with(PlantedJudge.RANDOM_ERRORS)
    first, again = [[await label(roles, GOOD, rng_seed=seed) for seed in range(20)] for _ in range(2)]
    assert first == again


async def test_a_judge_that_never_errs_says_what_the_other_says() -> None:
    assert labels(await label(roles_with(PlantedJudge.RANDOM_ERRORS, error=0), *FORGOTTEN)) == ["context_forgotten"]


async def test_one_that_sees_the_last_turn_only_misses_what_was_said_before() -> None:
    roles = roles_with(PlantedJudge.LAST_TURN_ONLY)
    assert labels(await label(roles, *FORGOTTEN)) == []
    assert (await points(roles, *FORGOTTEN)).reasoning == "1"
