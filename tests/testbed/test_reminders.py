"""Reminders of the testbed: set at a time, a place or on arrival, changed, cancelled, told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hairpin.domain.users import Context
from hairpin.testbed.reminders import Moment
from hairpin.testbed.wording import WORDINGS
from tests.testbed.talking import hold, walk

EVENING = Context(time="17:40")


@pytest.mark.parametrize(
    ("utterance", "reply"),
    [
        ("Remind me to buy milk at 18:00", "to buy milk at 18:00"),
        ("Remind me at 18.30 to call Anna, please", "to call Anna at 18:30"),
        ("At 18:00 remind me to call my mother", "to call your mother at 18:00"),
        ("Remind me in 20 minutes to take the medicine", "to take the medicine at 18:00"),
        ("Could you remind me to call Ben in half an hour?", "to call Ben at 18:10"),
        ("Remind me to eat at 6", "to eat at 18:00"),
        ("Remind me to eat at 6 p.m.", "to eat at 18:00"),
        ("Remind me to eat at half past seven", "to eat at 19:30"),
        ("Remind me at 9:00 to call the dentist", "to call the dentist tomorrow at 09:00"),
        ("Remind me tomorrow at 18:00 to call Tom", "to call Tom tomorrow at 18:00"),
        ("Remind me to buy milk when I get to the supermarket", "to buy milk when you get to a supermarket"),
        ("When I get to Marienplatz, remind me to call Tom", "to call Tom when you get to Marienplatz"),
        ("Remind me to call Tom when we arrive", "to call Tom when you arrive"),
        ("Don't let me forget the umbrella when we arrive", "about the umbrella when you arrive"),
        ("Set a reminder about the meeting at 19:00", "about the meeting at 19:00"),
        ("Remind me to write a message at 18:00", "to write a message at 18:00"),
        ("Remind me to turn off the airbags at 18:00", "to turn off the airbags at 18:00"),
    ],
)
def test_a_reminder_is_confirmed_with_when_it_is_due(utterance: str, reply: str) -> None:
    assert hold(utterance, context=EVENING).replies == (f"I will remind you {reply}.",)


@pytest.mark.parametrize(
    ("answer", "when"),
    [
        ("At 18:00", "at 18:00"),
        ("in 10 minutes", "at 17:50"),
        ("when I get to the supermarket", "when you get to a supermarket"),
        ("at the supermarket", "when you get to a supermarket"),
        ("When we arrive", "when you arrive"),
    ],
)
def test_a_reminder_without_time_or_place_asks_for_it(answer: str, when: str) -> None:
    replies = hold("Remind me to buy milk", answer, context=EVENING).replies
    assert replies == ("When or where should I remind you to buy milk?", f"I will remind you to buy milk {when}.")


def test_a_reminder_of_nothing_asks_of_what() -> None:
    replies = hold("Set a reminder", "call the dentist", "tomorrow at 9").replies
    assert replies == (
        "What should I remind you of?",
        "When or where should I remind you to call the dentist?",
        "I will remind you to call the dentist tomorrow at 09:00.",
    )


def test_a_place_that_is_planned_is_meant_and_one_of_two_of_a_name_is_asked_about() -> None:
    planned = walk("Take me to Riem with a stop at a supermarket", "Remind me to buy milk at the supermarket").last
    assert planned.reminders[0].place == planned.stops[0]
    asked = walk("Remind me to pick up the parcel at Hotel Isar", "the first one")
    assert asked.keys == (("clarify.which",), ("reminder.set",))


def test_a_reminder_is_changed_by_its_name_or_as_the_one_spoken_of() -> None:
    replies = hold(
        "Remind me to call Anna at 18:00",
        "Remind me to eat at 19:00",
        "Make it 19:30",
        "Move the reminder about Anna to 18:15",
        "No, at 18:20",
        context=EVENING,
    ).replies
    assert replies[2:] == (
        "I changed the reminder: I will remind you to eat at 19:30.",
        "I changed the reminder: I will remind you to call Anna at 18:15.",
        "I changed the reminder: I will remind you to call Anna at 18:20.",
    )


def test_an_unclear_reference_is_asked_about() -> None:
    replies = hold(
        "Remind me to call Anna at 18:00", "Remind me to call Ben at 19:00", "Forget the call", "Ben"
    ).replies
    assert replies[2] == "Which one do you mean: to call Anna at 18:00 or to call Ben at 19:00?"
    assert replies[3] == "I cancelled the reminder to call Ben at 19:00."


@pytest.mark.parametrize(
    "words", ["Forget the milk", "Cancel the reminder", "Delete the reminder to buy milk", "Forget the supermarket"]
)
def test_a_reminder_is_cancelled(words: str) -> None:
    walked = walk("Remind me to buy milk when I get to the supermarket", words)
    assert walked.keys[-1] == ("reminder.cancelled",)
    assert walked.last.reminders == ()


def test_reminders_are_told() -> None:
    replies = hold(
        "Do I have any reminders?",
        "Remind me to eat at 18:00",
        "Remind me to call Tom when we arrive",
        "List my reminders",
    ).replies
    assert replies[0] == "There are no reminders."
    assert replies[-1] == "Your reminders: to eat at 18:00 and to call Tom when you arrive."


def test_without_reminders_a_time_means_what_it_meant_before() -> None:
    assert walk("Take me to Riem", "And when we arrive?").keys[-1] == ("trip.arrival",)
    assert walk("Make it 21").keys == (("setting.done",),)
    assert walk("Forget the milk").keys != (("reminder.cancelled",),)


@pytest.mark.parametrize(
    ("moment", "due_min"),
    [
        (Moment(in_min=20), 1000),
        (Moment(clock_min=360, either_half=True), 1080),
        (Moment(clock_min=360), 360 + 1440),
        (Moment(clock_min=1200, tomorrow=True), 1200 + 1440),
        (Moment(arrival=True), None),
    ],
)
def test_a_moment_is_in_the_future(moment: Moment, due_min: int | None) -> None:
    assert moment.due_min(980) == due_min


SAID = (
    "Remind me to buy milk",
    "Remind me to call Anna at 18:00",
    "Remind me to call Ben when we arrive",
    "Set a reminder",
    "At 19:00",
    "When we arrive",
    "at the supermarket",
    "Make it 18:30",
    "Forget the call",
    "Ben",
    "Forget the milk",
    "Delete all reminders",
    "Which reminders do I have?",
    "Take me to Riem",
    "The first one",
    "Never mind",
    "Play some jazz",
)


@given(st.lists(st.sampled_from(SAID), max_size=8), st.sampled_from(WORDINGS))
def test_reminders_stay_distinct_and_every_utterance_gets_the_same_reply_again(said: list[str], wording: str) -> None:
    walked = walk(*said)
    for state in walked.states:
        assert len({reminder.id for reminder in state.reminders}) == len(state.reminders)
        assert all(
            (r.due_min is not None) + (r.place is not None) + bool(r.category) + r.arrival == 1 for r in state.reminders
        )
    replies = hold(*said, wording=wording).replies
    assert all(replies)
    assert replies == hold(*said, wording=wording).replies
