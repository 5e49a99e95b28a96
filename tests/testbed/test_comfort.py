"""Controls with zones, levels and positions, and the questions where a wish fits several parts."""

from __future__ import annotations

import pytest

from hairpin.domain.users import Context
from hairpin.testbed.vehicle import Dial, Switch
from tests.testbed.talking import hold, walk


@pytest.mark.parametrize(
    ("utterance", "dials"),
    [
        ("Turn on the steering wheel heating", {Dial.STEERING_WHEEL_HEATING: 2}),
        ("My hands are cold, heat the steering wheel", {Dial.STEERING_WHEEL_HEATING: 2}),
        ("Turn on the steering wheel heating to level 3", {Dial.STEERING_WHEEL_HEATING: 3}),
        ("Set the passenger seat heating to 3", {Dial.PASSENGER_SEAT_HEATING: 3, Dial.SEAT_HEATING: 0}),
        ("Turn on the seat heating for both seats", {Dial.PASSENGER_SEAT_HEATING: 2, Dial.SEAT_HEATING: 2}),
        ("Turn on the rear seat heating", {Dial.REAR_SEAT_HEATING: 2}),
        ("Set the driver's side to 24 degrees", {Dial.DRIVER_TEMPERATURE: 24, Dial.PASSENGER_TEMPERATURE: 20}),
        ("Set the temperature to 22 degrees for the whole car", {Dial.TEMPERATURE: 22, Dial.PASSENGER_TEMPERATURE: 22}),
        ("Open the sunshade halfway", {Dial.SUNSHADE: 50}),
        ("Set the sunshade to 60%", {Dial.SUNSHADE: 60}),
        ("Turn on the wipers", {Dial.WIPERS: 1}),
        ("Set the volume to 50 percent", {Dial.VOLUME: 5}),
    ],
)
def test_a_dial_is_set_where_it_is_meant(utterance: str, dials: dict[Dial, float]) -> None:
    state = walk(utterance).last
    assert {dial: state.vehicle.dials[dial] for dial in dials} == dials


@pytest.mark.parametrize(
    ("utterance", "switches"),
    [
        ("Defrost the rear window", {Switch.REAR_WINDOW_HEATING: True, Switch.DRIVER_WINDOW: False}),
        ("The rear window is fogged up", {Switch.REAR_WINDOW_HEATING: True, Switch.DRIVER_WINDOW: False}),
        ("My windscreen is steamed up", {Switch.WINDSCREEN_HEATING: True, Switch.REAR_WINDOW_HEATING: False}),
        ("Turn on the windscreen heating", {Switch.WINDSCREEN_HEATING: True}),
        ("Turn on the reading lights", {Switch.READING_LIGHT: True, Switch.PASSENGER_READING_LIGHT: True}),
        ("Turn on the passenger's reading light", {Switch.READING_LIGHT: False, Switch.PASSENGER_READING_LIGHT: True}),
        ("Turn on the ambient light", {Switch.AMBIENT_LIGHT: True, Switch.INTERIOR_LIGHT: False}),
        ("Switch on the high beams", {Switch.HIGH_BEAMS: True, Switch.HEADLIGHTS: False}),
        ("Set the air circulation to recirculation", {Switch.RECIRCULATION: True}),
    ],
)
def test_a_switch_is_set_where_it_is_meant(utterance: str, switches: dict[Switch, bool]) -> None:
    state = walk(utterance).last
    assert {switch: state.vehicle.switches[switch] for switch in switches} == switches


@pytest.mark.parametrize(
    ("question", "answer", "confirmation"),
    [
        ("Dim the interior light", "on, please", "The interior light is now on."),
        ("The windows are fogging up", "the rear one", "The rear window heating is now on."),
        ("Turn on the lights", "the interior light", "The interior light is now on."),
        ("Turn on the beams", "high beams, please", "The high beams are now on."),
        ("Turn on the beams", "the first one", "The headlights are now on."),
        ("Could you change the air circulation mode?", "recirculation", "The air circulation is now on recirculation."),
        ("Turn on the defroster", "the rear one", "The rear window heating is now on."),
        ("Adjust the sunshade", "60%", "The sunshade is now open to 60 percent."),
        ("Adjust the sunshade", "halfway", "The sunshade is now open to 50 percent."),
        ("Adjust the temperature", "23", "The temperature is now set to 23 degrees."),
    ],
)
def test_what_fits_several_parts_or_lacks_a_value_is_asked_about(question: str, answer: str, confirmation: str) -> None:
    replies = hold(question, answer).replies
    assert replies[0].endswith("?")
    assert replies[1] == confirmation


def test_headlights_chosen_from_the_lights_to_switch_off_stay_on_in_the_dark() -> None:
    walked = walk("Turn off the beams", "the low beams", context=Context(date="2026-11-29", time="22:00"))
    assert walked.keys == (("choose.which",), ("unsafe.declined",))


def test_it_is_the_dial_spoken_of_last_and_the_temperature_otherwise() -> None:
    replies = hold(
        "Make it 22", "Turn on the fan", "Make it 4", "Turn on the steering wheel heating", "Set it to 1"
    ).replies
    assert replies[0] == "The temperature is now set to 22 degrees."
    assert replies[2] == "The fan is now set to level 4."
    assert replies[4] == "The steering wheel heating is now on at level 1."


def test_zones_that_differ_are_both_told() -> None:
    replies = hold("Set the passenger's temperature to 19 degrees", "What is the temperature?").replies
    assert (
        replies[1] == "The driver's temperature is set to 20 degrees. The passenger's temperature is set to 19 degrees."
    )
