"""What a run may spend, while conversations come and go."""

from __future__ import annotations

import anyio
import pytest

from hairpin.app.spending import KeepingBack
from hairpin.campaign.events import SilentListener
from hairpin.domain.outcome import Role
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.users import Context
from hairpin.llm.budget import Budget
from hairpin.llm.call_costs import Player

pytestmark = pytest.mark.anyio


def planned(number: int) -> PlannedConversation:
    return PlannedConversation(
        index=number,
        id=f"c{number}",
        sut="s",
        seed_phrase="go",
        persona="neutral",
        context=Context(),
        repeat=0,
        max_turns=4,
        rng_seed=1,
    )


def keeping(*, room_for: int) -> KeepingBack:
    """Return what has money for ``room_for`` conversations of one turn, and a little more."""
    players = {Role.TURN_JUDGE: Player(model="m", prompt_chars=4_000, output_cap=500)}
    with Budget(players, n_dimensions=4).reserve(Role.TURN_JUDGE, n_chars=4_000, output_cap=500) as call:
        tokens = call.estimated_tokens
    return KeepingBack(SilentListener(), Budget(players, n_dimensions=4, max_tokens=round(tokens * (room_for + 0.5))))


async def ask(keeper: KeepingBack, number: int, answers: dict[int, bool]) -> None:
    answers[number] = await keeper.admit(planned(number))


async def test_conversations_that_begin_at_the_same_time_are_not_all_promised_the_same_money() -> None:
    """Those that find no room wait until another one has ended."""
    keeper, answers = keeping(room_for=2), dict[int, bool]()
    async with anyio.create_task_group() as group:
        for number in range(3):
            group.start_soon(ask, keeper, number, answers)
        await anyio.wait_all_tasks_blocked()
        assert answers == {0: True, 1: True}
        keeper.conversation_ended(planned(0), None)
    assert answers == {0: True, 1: True, 2: True}


async def test_when_none_runs_and_there_is_no_room_none_begins_any_more() -> None:
    keeper = keeping(room_for=0)
    assert not await keeper.admit(planned(0))
    assert "another conversation takes about" in keeper.refusal
    assert not await keeper.admit(planned(1))


async def test_without_a_limit_every_conversation_may_begin() -> None:
    keeper = KeepingBack(SilentListener(), Budget({}, n_dimensions=4))
    assert [await keeper.admit(planned(number)) for number in range(50)] == [True] * 50
