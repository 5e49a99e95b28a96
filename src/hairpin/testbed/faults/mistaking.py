"""Faults that serve a request with something else: F8 another kind of thing, F9 another value.

They change what is carried out, never how it is told.
"""

from __future__ import annotations

from collections.abc import Mapping

from hairpin.testbed.acts import (
    Act,
    AddStops,
    AskVehicle,
    Mention,
    Navigate,
    Reference,
    Remind,
    Request,
    Search,
    SetDial,
    SetSwitch,
    TurnDial,
    VehicleTopic,
    Wanted,
)
from hairpin.testbed.faults.base import Fault
from hairpin.testbed.media_acts import PlayMedia
from hairpin.testbed.parsing.vehicle import number
from hairpin.testbed.reminders import Moment
from hairpin.testbed.state import DialogueState
from hairpin.testbed.vehicle import DIALS, OPENINGS, Dial, Switch
from hairpin.testbed.world import Category

_INSTEAD_OF: Mapping[Category, Category] = {
    Category.BAKERY: Category.CAR_WASH,
    Category.CAFE: Category.PHARMACY,
    Category.CAR_WASH: Category.BAKERY,
    Category.CHARGING_STATION: Category.CINEMA,
    Category.CINEMA: Category.SUPERMARKET,
    Category.FUEL_STATION: Category.MUSEUM,
    Category.HOSPITAL: Category.RESTAURANT,
    Category.HOTEL: Category.FUEL_STATION,
    Category.MUSEUM: Category.PARKING_GARAGE,
    Category.PARK: Category.HOTEL,
    Category.PARKING_GARAGE: Category.CAFE,
    Category.PHARMACY: Category.CAFE,
    Category.RESTAURANT: Category.CAR_WASH,
    Category.SUPERMARKET: Category.CINEMA,
}
_CLIMATE_DIALS = (Dial.TEMPERATURE, Dial.FAN, Dial.SEAT_HEATING, Dial.STEERING_WHEEL_HEATING)
_CLIMATE_SWITCHES = (Switch.AIR_CONDITIONING,)
_LATE_MIN = 30
_OTHER_MEASURE = {
    VehicleTopic.BATTERY: VehicleTopic.SPEED,
    VehicleTopic.RANGE: VehicleTopic.SPEED,
    VehicleTopic.SPEED: VehicleTopic.BATTERY,
}


class WrongCategory(Fault):
    """F8: serves the first request that names a kind of thing with another kind, whenever there is one.

    A pharmacy becomes a café, as a result, stop or destination; a wish for the climate plays music, one for music
    starts the air conditioning, one for a window switches the light; the battery's question is answered with the speed.
    Earns ``irrelevant_response``.
    """

    id = "F8"
    title = "answers in the wrong category"
    earns = "irrelevant_response"

    def select(self, state: DialogueState, requests: tuple[Request, ...]) -> tuple[Request, ...]:
        """Put another kind into the first request that has one; an answer to an open question is left alone."""
        if state.pending is not None or state.choice is not None:
            return requests
        for index, request in enumerate(requests):
            other = _mistaken(request.act)
            if other is None:
                continue
            if not self.due(state) or not self.strike(state, f"wrong kind of thing for: {request.text}"):
                return requests
            return (*requests[:index], request.model_copy(update={"act": other}), *requests[index + 1 :])
        return requests


def _mistaken(act: Act) -> Act | None:
    """Return an act of another kind than ``act``, ``None`` where no kind is named."""
    if isinstance(act, Search):
        return act.model_copy(update={"wanted": _other_kind(act.wanted)})
    if isinstance(act, Mention | Navigate | AddStops):
        return _mistaken_place(act)
    if isinstance(act, AskVehicle):
        topic = _OTHER_MEASURE.get(act.topic) if isinstance(act.topic, VehicleTopic) else None
        return AskVehicle(topic=topic) if topic is not None else None
    return _mistaken_setting(act)


def _mistaken_place(act: Mention | Navigate | AddStops) -> Act | None:
    name = "what" if isinstance(act, Mention) else "to" if isinstance(act, Navigate) else "stops"
    meant: Reference | tuple[Reference, ...] | None = getattr(act, name)
    if isinstance(meant, tuple):
        kinds = [place for place in meant if isinstance(place, Wanted) and place.category is not None]
        other = tuple(_other_kind(place) if place is kinds[0] else place for place in meant) if kinds else None
        return act.model_copy(update={name: other}) if other is not None else None
    if isinstance(meant, Wanted) and meant.category is not None and not meant.definite:
        return act.model_copy(update={name: _other_kind(meant)})
    return None


def _mistaken_setting(act: Act) -> Act | None:
    climate = (isinstance(act, SetDial | TurnDial) and act.dial in _CLIMATE_DIALS) or (
        isinstance(act, SetSwitch) and act.switch in _CLIMATE_SWITCHES
    )
    if climate:
        return PlayMedia()
    if isinstance(act, PlayMedia):
        return SetSwitch(switch=Switch.AIR_CONDITIONING, on=True)
    if isinstance(act, SetSwitch) and act.switch in OPENINGS:
        return SetSwitch(switch=Switch.INTERIOR_LIGHT, on=act.on)
    return None


def _other_kind(wanted: Wanted) -> Wanted:
    """Return a wish for another kind of place; what was said of it, but for where, does not fit that one."""
    assert wanted.category is not None
    return Wanted(category=_INSTEAD_OF[wanted.category], near=wanted.near, nearest=wanted.nearest)


class WrongValue(Fault):
    """F9: confirms a dial or a reminder, whenever the user gives a value for it, with another value.

    In even exchanges a dial is set to a value beside it, in odd ones it is left as it was; a reminder is set half an
    hour late. The reply tells how it really stands. Earns ``constraint_missed``.
    """

    id = "F9"
    title = "confirms without the value asked for"
    earns = "constraint_missed"

    _given: frozenset[float] = frozenset()

    def select(self, state: DialogueState, requests: tuple[Request, ...]) -> tuple[Request, ...]:
        """Note the values that the user gives; "turn it on" gives none."""
        del state
        self._given = frozenset(value for request in requests if (value := number(request.text)) is not None)
        return requests

    def carried_out(self, state: DialogueState, act: Act) -> Act:
        """Put a later time into a reminder for a time."""
        at = act.at if isinstance(act, Remind) else None
        late = _late(at) if at is not None else None
        if late is None or not self.due(state, "reminder") or not self.strike(state, f"reminder {_LATE_MIN} min late"):
            return act
        return act.model_copy(update={"at": late})

    def dial_value(self, state: DialogueState, act: SetDial) -> float:
        """Return the value beside the one asked for, or the one there is."""
        if act.value not in self._given or not self.due(state, act.dial):
            return act.value
        value = _wrong_value(state, act)
        if not self.strike(state, f"{act.dial}: {value:g} instead of {act.value:g}"):
            return act.value
        return value


def _late(at: Moment) -> Moment | None:
    if at.in_min is not None:
        return at.model_copy(update={"in_min": at.in_min + _LATE_MIN})
    if at.clock_min is not None and at.clock_min + _LATE_MIN < 24 * 60:
        return at.model_copy(update={"clock_min": at.clock_min + _LATE_MIN})
    return None


def _wrong_value(state: DialogueState, act: SetDial) -> float:
    limits = DIALS[act.dial]
    if state.t % 2:
        return state.vehicle.dials[act.dial]
    beside = act.value + limits.step
    return beside if beside <= limits.high else act.value - limits.step
