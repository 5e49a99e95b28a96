"""The vehicle: dials, switches and measured values, and what setting them gives.

It must not decide what is safe; ``safety`` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from hairpin.domain.base import Value

KM_PER_BATTERY_PERCENT = 4.1


class Dial(StrEnum):
    """Something set to a number."""

    TEMPERATURE = "temperature"
    DRIVER_TEMPERATURE = "driver_temperature"
    PASSENGER_TEMPERATURE = "passenger_temperature"
    FAN = "fan"
    SEAT_HEATING = "seat_heating"
    PASSENGER_SEAT_HEATING = "passenger_seat_heating"
    REAR_SEAT_HEATING = "rear_seat_heating"
    STEERING_WHEEL_HEATING = "steering_wheel_heating"
    VOLUME = "volume"
    SUNSHADE = "sunshade"
    WIPERS = "wipers"


class Switch(StrEnum):
    """Something with two positions."""

    AIR_CONDITIONING = "air_conditioning"
    RECIRCULATION = "recirculation"
    REAR_WINDOW_HEATING = "rear_window_heating"
    WINDSCREEN_HEATING = "windscreen_heating"
    INTERIOR_LIGHT = "interior_light"
    AMBIENT_LIGHT = "ambient_light"
    READING_LIGHT = "reading_light"
    PASSENGER_READING_LIGHT = "passenger_reading_light"
    HEADLIGHTS = "headlights"
    HIGH_BEAMS = "high_beams"
    FOG_LIGHTS = "fog_lights"
    DOORS_LOCKED = "doors_locked"
    DRIVER_WINDOW = "driver_window"
    PASSENGER_WINDOW = "passenger_window"
    REAR_LEFT_WINDOW = "rear_left_window"
    REAR_RIGHT_WINDOW = "rear_right_window"
    SUNROOF = "sunroof"
    DOOR = "door"
    TRUNK = "trunk"
    AIRBAGS = "airbags"
    ESP = "esp"
    ABS = "abs"
    LANE_ASSIST = "lane_assist"
    COLLISION_WARNING = "collision_warning"
    EMERGENCY_BRAKING = "emergency_braking"
    BLIND_SPOT_WARNING = "blind_spot_warning"
    DROWSINESS_WARNING = "drowsiness_warning"
    SPEED_WARNING = "speed_warning"
    SEAT_BELT_WARNING = "seat_belt_warning"
    ASSISTANCE_SYSTEMS = "assistance_systems"


WINDOWS = (Switch.DRIVER_WINDOW, Switch.PASSENGER_WINDOW, Switch.REAR_LEFT_WINDOW, Switch.REAR_RIGHT_WINDOW)
REAR_WINDOWS = (Switch.REAR_LEFT_WINDOW, Switch.REAR_RIGHT_WINDOW)
OPENINGS = frozenset({*WINDOWS, Switch.SUNROOF, Switch.DOOR, Switch.TRUNK})
READING_LIGHTS = (Switch.READING_LIGHT, Switch.PASSENGER_READING_LIGHT)
PLURAL: frozenset[str] = frozenset(
    {
        Switch.HEADLIGHTS,
        Switch.HIGH_BEAMS,
        Switch.FOG_LIGHTS,
        Switch.DOORS_LOCKED,
        Switch.AIRBAGS,
        Switch.ASSISTANCE_SYSTEMS,
        Dial.WIPERS,
        "all_windows",
        "rear_windows",
        "reading_lights",
    }
)
ZONES = (Dial.DRIVER_TEMPERATURE, Dial.PASSENGER_TEMPERATURE)
"""The zones of the temperature. Without a zone both are meant; the temperature of the car is the driver's."""
ASSISTANCE = frozenset(
    {
        Switch.AIRBAGS,
        Switch.ESP,
        Switch.ABS,
        Switch.LANE_ASSIST,
        Switch.COLLISION_WARNING,
        Switch.EMERGENCY_BRAKING,
        Switch.BLIND_SPOT_WARNING,
        Switch.DROWSINESS_WARNING,
        Switch.SPEED_WARNING,
        Switch.SEAT_BELT_WARNING,
        Switch.ASSISTANCE_SYSTEMS,
    }
)


class DialRange(Value):
    """The values a dial takes; ``unit`` is how they are said."""

    low: float
    high: float
    step: float
    start: float
    switched_on: float
    unit: str


_DEGREES = DialRange(low=16, high=28, step=2, start=20, switched_on=20, unit="degrees")
_HEATING = DialRange(low=0, high=3, step=1, start=0, switched_on=2, unit="level")
DIALS: Mapping[Dial, DialRange] = {
    Dial.TEMPERATURE: _DEGREES,
    Dial.DRIVER_TEMPERATURE: _DEGREES,
    Dial.PASSENGER_TEMPERATURE: _DEGREES,
    Dial.FAN: DialRange(low=0, high=5, step=1, start=2, switched_on=2, unit="level"),
    Dial.SEAT_HEATING: _HEATING,
    Dial.PASSENGER_SEAT_HEATING: _HEATING,
    Dial.REAR_SEAT_HEATING: _HEATING,
    Dial.STEERING_WHEEL_HEATING: _HEATING,
    Dial.VOLUME: DialRange(low=0, high=10, step=2, start=4, switched_on=4, unit="level"),
    Dial.SUNSHADE: DialRange(low=0, high=100, step=25, start=0, switched_on=100, unit="percent"),
    Dial.WIPERS: DialRange(low=0, high=3, step=1, start=0, switched_on=1, unit="level"),
}
HEATINGS = frozenset(
    {Dial.SEAT_HEATING, Dial.PASSENGER_SEAT_HEATING, Dial.REAR_SEAT_HEATING, Dial.STEERING_WHEEL_HEATING}
)
SWITCHABLE = HEATINGS | {Dial.FAN, Dial.WIPERS}
"""Dials that are off at their lowest value and can be switched on."""


class Vehicle(Value):
    """The state of the vehicle. Switches are on when open, locked or running."""

    dials: Mapping[Dial, float]
    switches: Mapping[Switch, bool]
    battery_percent: float
    speed_kmh: float

    @property
    def moving(self) -> bool:
        """Whether it moves."""
        return self.speed_kmh > 0

    @property
    def range_km(self) -> float:
        """How far the battery lasts."""
        return self.battery_percent * KM_PER_BATTERY_PERCENT

    def with_dial(self, dial: Dial, value: float) -> Vehicle:
        """Return the vehicle with ``dial`` set. Raises ValueError outside its range."""
        limits = DIALS[dial]
        if not limits.low <= value <= limits.high:
            raise ValueError(f"{dial} goes from {limits.low} to {limits.high}, not to {value}")
        return self.model_copy(update={"dials": {**self.dials, **dict.fromkeys(_together(dial), value)}})

    def with_switches(self, switches: tuple[Switch, ...], *, on: bool) -> Vehicle:
        """Return the vehicle with ``switches`` set."""
        return self.model_copy(update={"switches": {**self.switches, **dict.fromkeys(switches, on)}})


def _together(dial: Dial) -> tuple[Dial, ...]:
    """Return the dials that are set with ``dial``: zones follow the car, and the car the driver's zone."""
    if dial is Dial.TEMPERATURE:
        return (dial, *ZONES)
    return (dial, Dial.TEMPERATURE) if dial is Dial.DRIVER_TEMPERATURE else (dial,)


def new_vehicle(*, battery_percent: float, speed_kmh: float, dark: bool) -> Vehicle:
    """Return a vehicle as it is when a conversation begins."""
    switches = {switch: switch in ASSISTANCE for switch in Switch}
    switches |= {Switch.DOORS_LOCKED: True, Switch.HEADLIGHTS: dark, Switch.AIR_CONDITIONING: False}
    return Vehicle(
        dials={dial: limits.start for dial, limits in DIALS.items()},
        switches=switches,
        battery_percent=battery_percent,
        speed_kmh=speed_kmh,
    )
