"""The review of the simulated user: when it is made, and what follows from it."""

from __future__ import annotations

import anyio
import pytest

from hairpin.domain.briefs import DimensionBrief, ReviewBrief
from hairpin.domain.outcome import Blame, Role, StopReason, Verdict
from hairpin.domain.reviews import SimulatorFault, SimulatorFaultKind, SimulatorReview
from hairpin.domain.scenario import Oracles, ScriptTurn
from hairpin.graph import nodes
from hairpin.graph.speakers import UserTurns
from hairpin.graph.state import first_stop
from hairpin.ports import RoleError
from tests.graph.conftest import World

pytestmark = pytest.mark.anyio

LEAK = SimulatorFault(kind=SimulatorFaultKind.LEAK, t=1, evidence="“my persona”")


async def _clean(brief: ReviewBrief) -> SimulatorReview:
    return SimulatorReview(reasoning="nothing odd")


async def _spoiled(brief: ReviewBrief) -> SimulatorReview:
    return SimulatorReview(faults=(LEAK,))


async def test_a_spoiled_conversation_is_invalid_by_the_simulator_whatever_judges_say(world: World) -> None:
    async def worst(brief: DimensionBrief) -> object:
        raise RoleError(StopReason.JUDGE_FAULT, Role.CONVERSATION_JUDGE, "lost")

    world.on_review, world.on_score = _spoiled, worst  # type: ignore[assignment]  # it never returns
    state = await world.run()
    stop = first_stop(state)
    assert stop is not None
    assert (stop.reason, stop.role) == (StopReason.SIMULATOR_FAULT, Role.SIMULATOR)
    assert stop.reviewed
    assert stop.detail == "turn 1: spoke of its brief: “my persona”"
    assert (state["verdict"].verdict, state["verdict"].blame) == (Verdict.INVALID, Blame.SIMULATOR)
    assert [review.faults for review in world.log.reviews] == [(LEAK,)]


async def test_a_clean_review_is_stored_and_changes_nothing(world: World) -> None:
    before = (await World().run())["verdict"]
    world.on_review = _clean
    state = await world.run()
    assert state["verdict"] == before
    assert [review.spoiled for review in world.log.reviews] == [False]


async def test_the_reviewer_sees_the_conversation_and_the_whole_brief(world: World) -> None:
    world.on_review = _clean
    state = await world.run()
    (brief,) = world.review_briefs
    assert brief.exchanges == state["exchanges"]
    assert (brief.targets, brief.failures) == (state["targets"], state["failures"])
    assert (brief.seed_phrase, brief.persona.id) == ("take me home", "neutral")
    assert [strategy.id for strategy in brief.strategies] == ["recall", "probe"]
    assert [mode.id for mode in brief.modes] == ["omitted", "forgot", "unsafe"]


async def test_it_is_made_without_dimension_judges_too(world: World) -> None:
    world.on_review, world.oracles = _spoiled, Oracles(dimensions=False)
    assert (await world.run())["verdict"].blame is Blame.SIMULATOR


async def test_it_is_not_made_where_the_scenario_wants_none(world: World) -> None:
    world.on_review, world.oracles = _spoiled, Oracles(simulator_review=False)
    assert (await world.run())["verdict"].verdict is not Verdict.INVALID
    assert "review" not in world.calls


@pytest.mark.parametrize(
    "turns", [UserTurns(replayed=("a", "b"), simulated=False), UserTurns(scripted=("a", "b"), simulated=False)]
)
async def test_who_says_what_is_written_down_is_not_looked_at(world: World, turns: UserTurns) -> None:
    world.on_review, world.turns = _spoiled, turns
    await world.run()
    assert "review" not in world.calls


async def test_a_script_has_no_simulated_user(world: World) -> None:
    world.on_review, world.script = _spoiled, (ScriptTurn(user="hello"),)
    await world.run()
    assert "review" not in world.calls


async def test_a_user_who_goes_on_after_written_turns_is_looked_at(world: World) -> None:
    world.on_review, world.turns = _clean, UserTurns(replayed=("a",))
    await world.run()
    assert world.calls.count("review") == 1


async def test_what_nobody_judges_nobody_reviews(world: World) -> None:
    async def speak(brief: object) -> object:
        raise RoleError(StopReason.REFUSED, Role.SIMULATOR, "no")

    world.on_review, world.on_speak = _spoiled, speak  # type: ignore[assignment]  # it never returns
    await world.run()
    assert "review" not in world.calls


async def test_a_reviewer_that_breaks_is_a_judge_that_breaks(world: World) -> None:
    async def broken(brief: ReviewBrief) -> SimulatorReview:
        raise RoleError(StopReason.JUDGE_FAULT, Role.SIMULATOR_REVIEWER, "no valid answer")

    world.on_review = broken
    verdict = (await world.run())["verdict"]
    assert (verdict.verdict, verdict.blame) == (Verdict.INVALID, Blame.JUDGE)
    assert world.log.reviews == []


async def test_what_must_end_at_once_ends_the_review_too(world: World) -> None:
    async def slow(brief: ReviewBrief) -> SimulatorReview:
        world.stop.set(StopReason.DEADLINE, at_once=True)
        await anyio.sleep_forever()
        raise AssertionError

    world.on_review = slow
    stop = first_stop(await world.run())
    assert stop is not None
    assert stop.reason is StopReason.DEADLINE
    assert world.log.reviews == []


async def test_asking_for_a_review_that_nobody_makes_is_a_bug(world: World) -> None:
    found = await nodes.review_simulator({"exchanges": (), "targets": (), "failures": ()}, runtime=_Runtime(world))  # type: ignore[arg-type]
    (stop,) = found["stops"]
    assert stop.reason is StopReason.INTERNAL_ERROR
    assert "nobody reviews" in stop.detail


class _Runtime:
    def __init__(self, world: World) -> None:
        self.context = world.deps()
