"""What single nodes promise: checks run on every reply, and an interrupt ends any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
import pytest

from hairpin.domain.checks import CheckResult
from hairpin.domain.conversation import Exchange
from hairpin.domain.failures import ModeKind
from hairpin.domain.outcome import Blame, StopReason, Verdict
from hairpin.domain.scenario import Oracles, ScriptTurn
from hairpin.graph.machine import build_machine, run_conversation
from hairpin.graph.state import first_stop
from tests.patience import SLOWNESS

if TYPE_CHECKING:
    from tests.graph.conftest import World

pytestmark = pytest.mark.anyio


class Contains:
    def __init__(self, text: str) -> None:
        self.name = f"contains {text}"
        self._text = text

    async def run(self, exchange: Exchange, history: tuple[Exchange, ...]) -> CheckResult:
        return CheckResult(name=self.name, passed=self._text in exchange.assistant)


class Broken:
    name = "broken"

    async def run(self, exchange: Exchange, history: tuple[Exchange, ...]) -> CheckResult:
        raise ZeroDivisionError("division by zero")


async def test_a_check_runs_on_every_reply_and_one_failure_fails_the_conversation(world: World) -> None:
    world.checks = (Contains("reply to utterance 1"),)
    state = await world.run()
    assert [(failure.t, failure.kind) for failure in world.log.failures] == [
        (0, ModeKind.CHECK),
        (2, ModeKind.CHECK),
        (3, ModeKind.CHECK),
    ]
    assert state["verdict"].verdict is Verdict.FAIL
    assert state["verdict"].success_score == 1.0


async def test_checks_run_without_any_judge(world: World) -> None:
    world.oracles = Oracles(turn_judge=False, dimensions=False)
    world.checks = (Contains("never said"),)
    state = await world.run()
    assert state["verdict"].verdict is Verdict.FAIL


async def test_the_checks_of_a_script_turn_run_on_its_reply_alone(world: World) -> None:
    world.script = (ScriptTurn(user="yes"), ScriptTurn(user="no"))
    world.turn_checks = ((Contains("yes"),), (Contains("yes"),))
    await world.run()
    assert [failure.t for failure in world.log.failures] == [1]


async def test_a_check_that_breaks_is_not_a_failure_of_the_assistant(world: World) -> None:
    world.checks = (Broken(),)
    state = await world.run()
    stop = first_stop(state)
    assert stop is not None
    assert stop.reason is StopReason.CHECK_FAULT
    assert "broken broke at turn 0: ZeroDivisionError" in stop.detail
    assert world.log.failures == []
    assert state["verdict"].blame is Blame.USER


async def test_failed_checks_are_not_shown_to_the_strategist(world: World) -> None:
    world.checks = (Contains("never said"),)
    await world.run()
    assert all(brief.failures == () for brief in world.strategy_briefs)


@pytest.mark.parametrize("where", ["on_extract", "on_speak", "on_send", "on_judge", "on_choose", "on_score"])
async def test_an_interrupt_ends_the_io_of_any_node_and_nothing_follows(world: World, where: str) -> None:
    async def hang(_: object) -> Any:
        world.stop.set(StopReason.INTERRUPTED)
        await anyio.sleep_forever()

    setattr(world, where, hang)
    with anyio.fail_after(5 * SLOWNESS):
        state = await world.run()
    stop = first_stop(state)
    assert stop is not None
    assert stop.reason is StopReason.INTERRUPTED
    assert "verdict" not in state
    assert world.log.scores == []


async def test_between_nodes_an_interrupt_is_noticed_too(world: World) -> None:
    async def send(utterance: str) -> str:
        world.stop.set(StopReason.INTERRUPTED)
        return "answered in the same moment"

    world.on_send = send
    state = await world.run()
    assert first_stop(state) is not None
    assert "judge" not in world.calls


@pytest.mark.parametrize("where", ["on_send", "on_score"])
async def test_cancelling_from_outside_waits_until_every_branch_has_ended(world: World, where: str) -> None:
    """A scope around ``ainvoke`` itself would leave the branches of ``Send`` running."""
    running, ended = 0, 0
    all_running = anyio.Event()
    n_branches = 4 if where == "on_score" else 1

    async def hang(_: object) -> Any:
        nonlocal running, ended
        running += 1
        if running == n_branches:
            all_running.set()
        try:
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.sleep(0.02)
            ended += 1

    setattr(world, where, hang)
    async with anyio.create_task_group() as group:
        group.start_soon(run_conversation, build_machine(), world.deps())
        await all_running.wait()
        group.cancel_scope.cancel()
    assert (running, ended) == (n_branches, n_branches)
