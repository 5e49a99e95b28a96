"""The city: large enough, consistent, and a broken file is refused."""

from __future__ import annotations

from collections import Counter

import pytest
from pydantic import ValidationError

from hairpin.testbed.clock_time import parse_time
from hairpin.testbed.world import Category, CityFile, Place, PlaceKind, Poi, Road, load_city

CITY = load_city()


def _file(**changes: object) -> dict[str, object]:
    place = {"name": "A", "kind": "district", "x_km": 0, "y_km": 0}
    poi = {"id": "p", "name": "P", "category": "park", "at": "a", "street": "S", "access_km": 0.1, "rating": 4}
    road = {"id": "r", "name": "R", "ends": ["a", "b"], "length_km": 1, "speed_kmh": 30}
    whole = {"start": "a", "places": [{"id": "a", **place}, {"id": "b", **place}], "roads": [road], "pois": [poi]}
    return {**whole, **changes}


def test_there_are_at_least_sixty_places_in_twelve_categories_and_eighty_roads() -> None:
    assert len(CITY.pois) >= 60
    assert len({poi.category for poi in CITY.pois.values()}) >= 12
    assert len(CITY.roads) >= 80


def test_every_category_has_several_places_to_choose_from() -> None:
    counts = Counter(poi.category for poi in CITY.pois.values())
    assert set(counts) == set(Category)
    assert min(counts.values()) >= 3


def test_at_least_three_names_are_borne_by_two_places() -> None:
    names = Counter([place.name for place in CITY.places.values()] + [poi.name for poi in CITY.pois.values()])
    assert len([name for name, count in names.items() if count > 1]) >= 3


def test_no_road_is_a_motorway_and_a_toll_road_at_once() -> None:
    """A reply that names one of the two is then never half the truth."""
    assert not [road.id for road in CITY.roads if road.motorway and road.toll]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"start": "nowhere"}, "unknown places"),
        ({"roads": [{"id": "r", "name": "R", "ends": ["a", "x"], "length_km": 1, "speed_kmh": 30}]}, "unknown places"),
        ({"roads": [{"id": "a", "name": "R", "ends": ["a", "b"], "length_km": 1, "speed_kmh": 30}]}, "used twice"),
        ({"roads": [{"id": "r", "name": "R", "ends": ["a", "b"], "length_km": 0, "speed_kmh": 30}]}, "greater than 0"),
    ],
)
def test_a_broken_city_file_is_refused(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        CityFile.model_validate(_file(**change))


def test_a_road_takes_its_length_at_its_speed() -> None:
    road = Road(id="r", name="R", ends=("a", "b"), length_km=10, speed_kmh=60)
    assert road.minutes == pytest.approx(10)


def test_a_place_with_hours_is_closed_outside_them() -> None:
    poi = Poi.model_validate(
        {"id": "p", "name": "P", "category": "museum", "at": "a", "street": "S", "access_km": 0.1, "rating": 4}
        | {"hours": ["10:00", "18:00"]}
    )
    opens = [poi.open_at(parse_time(time)) for time in ("09:59", "10:00", "17:59", "18:00")]
    assert opens == [False, True, True, False]


@pytest.mark.parametrize("text", ["24:00", "7", "7:5", "", "12:60", "noon"])
def test_a_time_of_day_is_hours_and_minutes(text: str) -> None:
    with pytest.raises(ValueError, match="HH:MM"):
        parse_time(text)


def test_a_place_is_a_node_of_some_kind() -> None:
    assert Place(id="a", name="A", kind=PlaceKind.TOWN, x_km=0, y_km=0).aliases == ()
