"""What a run may spend, while conversations come and go."""

from __future__ import annotations

import anyio
import pytest

from hairpin.app.spending import Admission
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


def admission(*, room_for: int) -> Admission:
    """Return what has money for ``room_for`` conversations of one turn, and a little more."""
    players = {Role.TURN_JUDGE: Player(model="m", prompt_chars=4_000, output_cap=500)}
    with Budget(players, n_dimensions=4).reserve(Role.TURN_JUDGE, n_chars=4_000, output_cap=500) as call:
        tokens = call.estimated_tokens
    return Admission(Budget(players, n_dimensions=4, max_tokens=round(tokens * (room_for + 0.5))))


async def hold(admission: Admission, number: int, answers: dict[int, bool], until: anyio.Event) -> None:
    async with admission.admit(planned(number)) as answers[number]:
        await until.wait()


async def test_conversations_that_begin_at_the_same_time_are_not_all_promised_the_same_money() -> None:
    """Those that find no room wait until another one has ended."""
    door, answers, ends = admission(room_for=2), dict[int, bool](), [anyio.Event() for _ in range(3)]
    async with anyio.create_task_group() as group:
        for number in range(3):
            group.start_soon(hold, door, number, answers, ends[number])
        await anyio.wait_all_tasks_blocked()
        assert answers == {0: True, 1: True}
        ends[0].set()
        await anyio.wait_all_tasks_blocked()
        assert answers == {0: True, 1: True, 2: True}
        ends[1].set()
        ends[2].set()


async def test_when_none_runs_and_there_is_no_room_none_begins_any_more() -> None:
    door = admission(room_for=0)
    async with door.admit(planned(0)) as first, door.admit(planned(1)) as second:
        assert (first, second) == (False, False)
    assert "another conversation takes about" in door.refusal


async def test_without_a_limit_every_conversation_may_begin() -> None:
    door, answers = Admission(Budget({}, n_dimensions=4)), dict[int, bool]()
    async with anyio.create_task_group() as group:
        for number in range(50):
            group.start_soon(hold, door, number, answers, anyio.Event())
        await anyio.wait_all_tasks_blocked()
        assert answers == dict.fromkeys(range(50), True)
        group.cancel_scope.cancel()
