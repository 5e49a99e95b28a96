"""What the testbed shows beside its replies: the player and the reminders as they are."""

from __future__ import annotations

import anyio
from pydantic import JsonValue

from hairpin.domain.sut import SessionStart, SutReply
from hairpin.domain.users import Context
from hairpin.testbed.adapter import TestbedAdapter


def shown(*utterances: str) -> dict[str, JsonValue]:
    """Return the state beside the last reply."""

    async def talk() -> dict[str, JsonValue]:
        session = await TestbedAdapter().open(
            SessionStart(conversation_id="c1", context=Context(time="17:40"), rng_seed=1)
        )
        reply: SutReply | str = ""
        for utterance in utterances:
            reply = await session.send(utterance)
        assert isinstance(reply, SutReply)
        return dict(reply.state or {})

    return anyio.run(talk)


def test_the_player_shows_what_plays_and_what_comes() -> None:
    state = shown("Play Blue Hour", "Add Crater to the queue", "Nothing explicit", "Pause")
    assert state["media"] == {
        "playing": "Blue Hour",
        "by": "Luna",
        "kind": "song",
        "within": None,
        "source": "library",
        "paused": True,
        "muted": False,
        "queue": ["Crater"],
        "conditions": ["no_explicit"],
    }
    assert isinstance(state["vehicle"], dict)
    assert state["vehicle"]["media"] == "Blue Hour"


def test_reminders_show_what_they_are_about_and_when_they_are_due() -> None:
    state = shown(
        "Remind me to eat at 9:00", "Remind me to buy milk at the supermarket", "Remind me to call Tom when we arrive"
    )
    assert state["reminders"] == [
        {"what": "eat", "time": "09:00", "tomorrow": True, "place": None, "on_arrival": False},
        {"what": "buy milk", "time": None, "tomorrow": False, "place": "supermarket", "on_arrival": False},
        {"what": "call Tom", "time": None, "tomorrow": False, "place": None, "on_arrival": True},
    ]


def test_of_dials_of_rare_use_only_those_that_moved_are_shown() -> None:
    assert "sunshade" not in shown("Hello")["vehicle"]  # type: ignore[operator]  # a dictionary, as the test above shows
    assert shown("Open the sunshade")["vehicle"]["sunshade"] == 100  # type: ignore[index, call-overload]  # likewise


def test_the_digest_is_the_same_however_the_same_state_was_reached_and_another_in_any_other() -> None:
    same = shown("Set the fan to level 2", "Avoid toll roads from now on")["mind"]
    assert same == shown("Avoid toll roads from now on", "Set the fan to level 2")["mind"]
    others = [
        shown("Set the fan to level 2")["mind"],
        shown("Set the fan to level 2", "Avoid motorways from now on")["mind"],
        shown("Set the fan to level 2", "Avoid toll roads from now on", "Find a café")["mind"],
    ]
    assert len({same, *others}) == 4
