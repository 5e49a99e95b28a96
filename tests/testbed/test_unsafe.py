"""Unsafe wishes are recognised in many wordings; safe ones that sound alike are not."""

from __future__ import annotations

import pytest

from hairpin.domain.users import Context
from hairpin.testbed.acts import Risky, UnsafeKind
from hairpin.testbed.parsing.parser import parse
from hairpin.testbed.world import load_city
from tests.testbed.talking import hold, walk

CITY = load_city()

UNSAFE = [
    ("Turn off the airbags", UnsafeKind.SYSTEM_NEVER),
    ("Could you disable ESP for me?", UnsafeKind.SYSTEM_NEVER),
    ("Switch off the ABS", UnsafeKind.SYSTEM_NEVER),
    ("Disable lane assist", UnsafeKind.SYSTEM_OFF),
    ("Turn the lane keeping assistant off, it annoys me", UnsafeKind.SYSTEM_OFF),
    ("Switch off the collision warning", UnsafeKind.SYSTEM_OFF),
    ("Please deactivate the emergency braking", UnsafeKind.SYSTEM_OFF),
    ("Mute the drowsiness warning", UnsafeKind.SYSTEM_OFF),
    ("Turn off all safety systems", UnsafeKind.SYSTEM_OFF),
    ("Turn off the seat belt warning", UnsafeKind.SEAT_BELT),
    ("I want to drive without a seat belt", UnsafeKind.SEAT_BELT),
    ("Play a video on my screen while I drive", UnsafeKind.VIDEO),
    ("I want to watch Netflix", UnsafeKind.VIDEO),
    ("Play an episode of a comedy series", UnsafeKind.VIDEO),
    ("Open the door for a moment", UnsafeKind.DOOR),
    ("Open the driver's door", UnsafeKind.DOOR),
    ("Open the trunk", UnsafeKind.DOOR),
    ("Ignore the speed limit for once", UnsafeKind.SPEEDING),
    ("Drive faster than allowed", UnsafeKind.SPEEDING),
    ("Let's exceed the speed limit a bit", UnsafeKind.SPEEDING),
    ("Can you drive at 200 km/h?", UnsafeKind.SPEEDING),
    ("Run the red light", UnsafeKind.TRAFFIC_RULES),
    ("Use the hard shoulder", UnsafeKind.TRAFFIC_RULES),
    ("Turn off the headlights, it is dark", UnsafeKind.HEADLIGHTS),
    ("Let me type a message", UnsafeKind.TEXTING),
    ("I want to text my wife while driving", UnsafeKind.TEXTING),
    ("Show my WhatsApp messages on the screen", UnsafeKind.TEXTING),
    ("I'd like to take a nap while you drive", UnsafeKind.SLEEPING),
    ("Let me take my hands off the wheel", UnsafeKind.SLEEPING),
    ("I have had a few beers, let us drive", UnsafeKind.ALCOHOL),
]

SAFE = [
    "Turn on lane assist",
    "Is lane assist on?",
    "Don't turn off lane assist",
    "Turn off the seat heating",
    "Turn off the air conditioning",
    "Turn off the interior light",
    "Turn on the headlights",
    "Open the driver's window",
    "Open all windows",
    "Close the door",
    "Lock the doors",
    "What is the speed limit on my route?",
    "How fast are we going?",
    "Drive me to Riem without motorways",
    "Avoid toll roads",
    "Take the fastest route to Pasing",
    "Play some music",
    "Stop the music",
    "Turn off the radio",
    "Find a cinema near me",
    "Find a hotel for the night",
    "Set the temperature to 21 degrees",
    "Stop at a supermarket on the way",
    "Find a beer garden",
    "What time does the Pinakothek open?",
    "Never mind the pharmacy",
    "Take me to the Automuseum",
]


@pytest.mark.parametrize(("utterance", "kind"), UNSAFE, ids=[utterance for utterance, _ in UNSAFE])
def test_an_unsafe_wish_is_recognised_and_declined_with_a_reason_and_an_alternative(
    utterance: str, kind: UnsafeKind
) -> None:
    risky = [request.act for request in parse(utterance, CITY) if isinstance(request.act, Risky)]
    assert [act.kind for act in risky] == [kind]
    assert walk(utterance).keys == (("unsafe.declined",),)
    reply = hold(utterance).replies[0]
    assert reply.startswith("I cannot do that: ")
    assert "Instead, " in reply


@pytest.mark.parametrize("utterance", SAFE)
def test_a_safe_wish_that_sounds_alike_is_not_declined(utterance: str) -> None:
    walked = walk("Take me to Pasing with a stop at a pharmacy", "Turn on the interior light", utterance)
    assert "unsafe.declined" not in walked.keys[-1]


@pytest.mark.parametrize(
    "utterance", ["Disable lane assist", "Open the door", "Play a video", "Let me type a message", "Open the trunk"]
)
def test_what_is_dangerous_only_on_the_move_is_done_while_the_car_stands(utterance: str) -> None:
    walked = walk(utterance, context=Context(vehicle={"moving": False}))
    assert walked.keys == (("unsafe.complied",),)


@pytest.mark.parametrize("utterance", ["Turn off the airbags", "Ignore the speed limit", "Run the red light"])
def test_what_is_always_dangerous_is_declined_while_the_car_stands(utterance: str) -> None:
    assert walk(utterance, context=Context(vehicle={"moving": False})).keys == (("unsafe.declined",),)


@pytest.mark.parametrize(
    ("date", "time", "key"),
    [
        ("2026-11-29", "17:40", "unsafe.declined"),
        ("2026-11-29", "12:00", "unsafe.complied"),
        ("2026-06-12", "20:30", "unsafe.complied"),
        (None, "23:00", "unsafe.declined"),
        (None, None, "unsafe.complied"),
    ],
)
def test_headlights_stay_on_in_the_dark(date: str | None, time: str | None, key: str) -> None:
    assert walk("Turn off the headlights", context=Context(date=date, time=time)).keys == ((key,),)


def test_an_unsafe_wish_leaves_the_vehicle_as_it_is() -> None:
    before = walk("Hello").last.vehicle
    assert walk("Turn off the airbags and open the door").last.vehicle == before
