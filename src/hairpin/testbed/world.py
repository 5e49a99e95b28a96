"""The city as data: places, roads and points of interest, read from ``city.json`` and validated.

It must not plan or search; ``planner`` and ``finder`` do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Self

from pydantic import Field, model_validator

from hairpin.domain.base import Value
from hairpin.testbed.clock_time import ClockTime


class Category(StrEnum):
    """What a point of interest is."""

    BAKERY = "bakery"
    CAFE = "cafe"
    CAR_WASH = "car_wash"
    CHARGING_STATION = "charging_station"
    CINEMA = "cinema"
    FUEL_STATION = "fuel_station"
    HOSPITAL = "hospital"
    HOTEL = "hotel"
    MUSEUM = "museum"
    PARK = "park"
    PARKING_GARAGE = "parking_garage"
    PHARMACY = "pharmacy"
    RESTAURANT = "restaurant"
    SUPERMARKET = "supermarket"


class Feature(StrEnum):
    """What a point of interest offers."""

    PARKING = "parking"
    OUTDOOR_SEATING = "outdoor_seating"
    VEGETARIAN = "vegetarian"
    WHEELCHAIR_ACCESS = "wheelchair_access"
    FAST_CHARGING = "fast_charging"


class PlaceKind(StrEnum):
    """What a node of the map is."""

    AIRPORT = "airport"
    DISTRICT = "district"
    JUNCTION = "junction"
    SQUARE = "square"
    STATION = "station"
    TOWN = "town"
    VIEWPOINT = "viewpoint"


class Place(Value):
    """A node of the map."""

    id: str
    name: str
    kind: PlaceKind
    x_km: float
    y_km: float
    aliases: tuple[str, ...] = ()


class Road(Value):
    """A road segment between two nodes, driven in both directions. ``park``: the park it runs through, if any."""

    id: str
    name: str
    ends: tuple[str, str]
    length_km: float = Field(gt=0)
    speed_kmh: int = Field(gt=0)
    motorway: bool = False
    toll: bool = False
    park: str | None = None

    @property
    def minutes(self) -> float:
        """The time it takes at its usual speed."""
        return self.length_km / self.speed_kmh * 60


class Poi(Value):
    """A point of interest, ``access_km`` down ``street`` from the node ``at``. ``hours`` is ``None`` if always open."""

    id: str
    name: str
    category: Category
    at: str
    street: str
    access_km: float = Field(gt=0)
    cuisine: str | None = None
    features: frozenset[Feature] = frozenset()
    rating: float = Field(ge=0, le=5)
    hours: tuple[ClockTime, ClockTime] | None = None
    aliases: tuple[str, ...] = ()

    def open_at(self, time: ClockTime) -> bool:
        """Whether it is open at ``time``."""
        return self.hours is None or self.hours[0] <= time < self.hours[1]


class CityFile(Value):
    """The file as it is written, checked: ids are unique, every reference leads somewhere."""

    start: str
    places: tuple[Place, ...] = Field(min_length=1)
    roads: tuple[Road, ...] = Field(min_length=1)
    pois: tuple[Poi, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        places = {place.id for place in self.places}
        ids = [i.id for i in self.places] + [i.id for i in self.roads] + [i.id for i in self.pois]
        if len(ids) != len(set(ids)):
            raise ValueError(f"ids are used twice: {sorted({i for i in ids if ids.count(i) > 1})}")
        ends = {end for road in self.roads for end in road.ends} | {poi.at for poi in self.pois} | {self.start}
        if not ends <= places:
            raise ValueError(f"unknown places: {sorted(ends - places)}")
        return self


@dataclass(frozen=True, eq=False)
class City:
    """The map, by id. Equal only to itself, so that plans on it can be cached."""

    start: str
    places: Mapping[str, Place]
    roads: tuple[Road, ...]
    pois: Mapping[str, Poi]

    def knows(self, spot: str) -> bool:
        """Whether ``spot`` is the id of a place or a point of interest."""
        return spot in self.places or spot in self.pois

    def name(self, spot: str) -> str:
        """Return the name of a place or a point of interest."""
        return (self.pois.get(spot) or self.places[spot]).name

    def district(self, spot: str) -> Place:
        """Return the node at which a place or a point of interest lies."""
        return self.places[self.pois[spot].at if spot in self.pois else spot]


def build_city(file: CityFile) -> City:
    """Index a validated file."""
    return City(
        start=file.start,
        places={place.id: place for place in file.places},
        roads=file.roads,
        pois={poi.id: poi for poi in file.pois},
    )


@cache
def load_city() -> City:
    """Return the city that ships with the package.

    Raises:
        pydantic.ValidationError: the data file is broken.
    """
    text = files("hairpin.testbed").joinpath("city.json").read_text(encoding="utf-8")
    return build_city(CityFile.model_validate_json(text))
