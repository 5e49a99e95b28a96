"""What a run may spend, while conversations come and go."""

from __future__ import annotations

from hairpin.app.spending import KeepingBack
from hairpin.campaign.events import SilentListener
from hairpin.domain.outcome import Role
from hairpin.domain.plan import PlannedConversation
from hairpin.domain.users import Context
from hairpin.llm.budget import Budget
from hairpin.llm.call_costs import Player


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
    """Return a budget in which ``room_for`` conversations can be judged at the same time, and a little more."""
    player = Player(model="m", prompt_chars=4_000, output_cap=500)
    probe = Budget({Role.TURN_JUDGE: player}, n_dimensions=4)
    with probe.reserve(Role.TURN_JUDGE, n_chars=4_000, output_cap=500) as call:
        tokens = call.estimated_tokens
    budget = Budget({Role.TURN_JUDGE: player}, n_dimensions=4, max_tokens=round(tokens * (room_for + 0.5)))
    return KeepingBack(SilentListener(), budget)


def test_conversations_that_begin_at_the_same_time_are_not_all_promised_the_same_money() -> None:
    """None of them has told of its beginning yet when the next one asks."""
    keeper = keeping(room_for=2)
    assert [keeper.admit(planned(number)) for number in range(4)] == [True, True, False, False]


def test_one_that_has_ended_makes_room_for_another() -> None:
    keeper = keeping(room_for=1)
    assert keeper.admit(planned(0))
    keeper.conversation_started(planned(0))
    assert not keeper.admit(planned(1))
    keeper.conversation_ended(planned(0), None)
    assert keeper.admit(planned(2))
