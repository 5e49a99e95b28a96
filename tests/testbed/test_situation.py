"""The context of a session: where, when, and how the vehicle is."""

from __future__ import annotations

import pytest

from hairpin.domain.users import Context
from hairpin.errors import InvalidInputError
from hairpin.testbed.situation import read_situation
from hairpin.testbed.world import load_city

CITY = load_city()


@pytest.mark.parametrize(
    ("location", "place"),
    [(None, "garching"), ("Munich", "garching"), ("Schwabing", "schwabing"), ("oberschleissheim", "oberschleissheim")],
)
def test_the_car_is_at_the_place_named_or_else_at_the_usual_start(location: str | None, place: str) -> None:
    situation, _ = read_situation(Context(location=location), CITY)
    assert situation.location == place


def test_without_a_context_the_car_drives_by_day() -> None:
    situation, vehicle = read_situation(Context(), CITY)
    assert not situation.dark
    assert vehicle.moving


@pytest.mark.parametrize(
    ("entries", "speed_kmh"),
    [
        ({"moving": False}, 0),
        ({"moving": False, "speed_kmh": 30}, 0),
        ({"moving": True, "speed_kmh": 0}, 50),
        ({"speed_kmh": 80}, 80),
        ({"speed_kmh": 0}, 0),
        ({"colour": "red"}, 50),
    ],
)
def test_the_vehicle_moves_as_the_context_says(entries: dict[str, str | float | bool], speed_kmh: float) -> None:
    _, vehicle = read_situation(Context(vehicle=entries), CITY)
    assert vehicle.speed_kmh == speed_kmh


@pytest.mark.parametrize(
    ("context", "where"),
    [
        (Context(time="25:00"), "context time"),
        (Context(date="29.11.2026"), "context date"),
        (Context(vehicle={"battery": "full"}), "context vehicle"),
        (Context(vehicle={"battery": 120}), "context vehicle"),
        (Context(vehicle={"moving": "no"}), "context vehicle"),
        (Context(vehicle={"speed_kmh": True}), "context vehicle"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(context: Context, where: str) -> None:
    with pytest.raises(InvalidInputError, match=where):
        read_situation(context, CITY)
