"""What a user can do with an utterance: typed acts, and how they refer to places.

Values only; ``parsing`` makes them, the handlers carry them out.
"""

from __future__ import annotations

from enum import StrEnum

from hairpin.domain.base import Value
from hairpin.testbed.constraints import Constraint
from hairpin.testbed.media_acts import MediaAct
from hairpin.testbed.reminders import Moment
from hairpin.testbed.vehicle import Dial, Switch
from hairpin.testbed.world import Category, Feature


class Named(Value):
    """A place called by a name; ``ids`` are all that bear it, none if the map does not know it."""

    name: str
    ids: tuple[str, ...]


class Ordinal(Value):
    """One of a list just told, counted from 1; 0 is the last one."""

    number: int


class Anaphor(Value):
    """The place last spoken of: "there", "it"."""


class Clock(Value):
    """A time of day in minutes since midnight; ``either``: or twelve hours from it, as in "at six"."""

    minutes: int
    either: bool = False


class Wanted(Value):
    """Any place of a kind, as in "an Italian restaurant with outdoor seating". ``category`` None: "the one …".

    ``definite``: "the restaurant", which may be one spoken of before; ``open_at``: open at that time; ``open_there``:
    open when one gets there.
    """

    category: Category | None
    cuisine: str | None = None
    features: tuple[Feature, ...] = ()
    open_now: bool = False
    open_at: Clock | None = None
    open_there: bool = False
    best_rated: bool = False
    nearest: bool = False
    near: Named | None = None
    definite: bool = False


class KindOf(Value):
    """The one of several places that is of this kind: "the district"."""

    kind: str


Reference = Named | Ordinal | Anaphor | Wanted | KindOf


class Navigate(Value):
    """Go somewhere, with the conditions and stops said in the same breath. ``instead``: in place of the old goal.

    ``stay_min`` and ``ordered``: see ``AddStops``.
    """

    to: Reference | None
    constraints: tuple[Constraint, ...] = ()
    stops: tuple[Reference, ...] = ()
    instead: bool = False
    stay_min: int | None = None
    ordered: bool = False


class AddStops(Value):
    """Stop somewhere on the way. ``stay_min``: for how long; ``ordered``: in the order in which they are said."""

    stops: tuple[Reference, ...]
    constraints: tuple[Constraint, ...] = ()
    stay_min: int | None = None
    ordered: bool = False


class Require(Value):
    """Put conditions in force."""

    constraints: tuple[Constraint, ...]


class Lift(Value):
    """Take conditions back."""

    constraints: tuple[Constraint, ...]


class DropStop(Value):
    """Take a stop back; ``None``: all of them."""

    what: Reference | None


class CancelTrip(Value):
    """Take the destination back."""


class NeverMind(Value):
    """Take back whatever was asked last."""


class SetLimit(Value):
    """Arrive by a time of day, or within so many minutes from now."""

    by: Clock | None = None
    within_min: int | None = None


class LiftLimit(Value):
    """Take the time limit back."""


class SetStay(Value):
    """Stay so long at a stop of the trip; ``None``: the one spoken of last."""

    minutes: int
    at: Reference | None


class LiftOrder(Value):
    """Leave the order of the stops to the assistant."""


class ChargeIfNeeded(Value):
    """Add a charging stop if the battery does not last. ``fast``: at a fast charger."""

    fast: bool = False


class ArriveCharged(Value):
    """Arrive with at least so much charge."""

    percent: int


class LiftCharge(Value):
    """Take the wish for a charge on arrival back."""


class TripQuestion(StrEnum):
    """What can be asked about the trip."""

    ROUTE = "route"
    CONSTRAINTS = "constraints"
    DURATION = "duration"
    ARRIVAL = "arrival"
    DISTANCE = "distance"
    DESTINATION = "destination"
    STOPS = "stops"
    LOCATION = "location"
    BATTERY = "battery"
    LIMIT = "limit"


class AskTrip(Value):
    """A question about the trip; ``about`` is the place a distance or duration is asked for."""

    question: TripQuestion
    about: Reference | None = None


class SearchArea(StrEnum):
    """Where to look if no place is named."""

    HERE = "here"
    DESTINATION = "destination"
    ROUTE = "route"


class Search(Value):
    """Find places. ``hinted``: said as a state, not as a wish: "I'm hungry"."""

    wanted: Wanted
    area: SearchArea | Anaphor | Named = SearchArea.HERE
    hinted: bool = False


class Mention(Value):
    """Only a place is said: an answer to a question, or a destination."""

    what: Reference


class Fact(StrEnum):
    """What can be asked about a place, apart from its features."""

    HOURS = "hours"
    OPEN = "open"
    RATING = "rating"
    WHERE = "where"


class AskFact(Value):
    """A question about a place. ``at``: the time it is about; ``there``: about the time one gets there."""

    fact: Fact | Feature
    about: Reference
    at: Clock | None = None
    there: bool = False


class SetDial(Value):
    """Set a dial to a value. ``it``: the dial was not named, so that the one spoken of last is meant."""

    dial: Dial
    value: float
    it: bool = False


class AdjustDial(Value):
    """Set a dial, but the user did not say to what."""

    dial: Dial


class TurnDial(Value):
    """Turn a dial up (+1) or down (-1) by its step."""

    dial: Dial
    direction: int


class SetSwitch(Value):
    """Switch something on (open, locked) or off (closed, unlocked)."""

    switch: Switch
    on: bool


class SetSwitches(Value):
    """Switch several things of one name on or off; ``name`` is what they are called together."""

    name: str
    switches: tuple[Switch, ...]
    on: bool


class Unclear(Value):
    """A wish that fits several switches or positions, any of which may be meant."""

    options: tuple[SetSwitch, ...]


class SetWindows(Value):
    """Open or close all windows, or both rear ones."""

    on: bool
    rear: bool = False


class VehicleTopic(StrEnum):
    """What is measured and cannot be set."""

    BATTERY = "battery"
    RANGE = "range"
    SPEED = "speed"
    WINDOWS = "windows"


class AskVehicle(Value):
    """A question about the vehicle; ``topic`` is a dial, a switch or one of the measured values."""

    topic: Dial | Switch | VehicleTopic


class Remind(Value):
    """Remind of ``what``, said behind "remind me", at a moment or a place; neither was said if both are ``None``."""

    what: str
    at: Moment | None = None
    place: Reference | None = None


class ChangeReminder(Value):
    """Change when a reminder is due; ``what`` names it, ``None``: the one spoken of. ``bare``: only a time was said."""

    what: str | None = None
    at: Moment | None = None
    place: Reference | None = None
    bare: bool = False


class CancelReminder(Value):
    """Take a reminder back, or all; ``surely``: the user spoke of a reminder, not only of what it is about."""

    what: str | None = None
    every: bool = False
    surely: bool = True


class AskReminders(Value):
    """A question about the reminders, or the one about ``what``."""

    what: str | None = None


class UnsafeKind(StrEnum):
    """A wish that endangers people."""

    SYSTEM_OFF = "system_off"
    SYSTEM_NEVER = "system_never"
    SEAT_BELT = "seat_belt"
    VIDEO = "video"
    DOOR = "door"
    SPEEDING = "speeding"
    TRAFFIC_RULES = "traffic_rules"
    HEADLIGHTS = "headlights"
    TEXTING = "texting"
    SLEEPING = "sleeping"
    ALCOHOL = "alcohol"


class Risky(Value):
    """A wish that is unsafe in some or all situations.

    ``switch`` is what would be switched; ``dark``: the user says that it is dark.
    """

    kind: UnsafeKind
    switch: Switch | None = None
    dark: bool = False


class Courtesy(StrEnum):
    """Small talk that gets a reply of its own when nothing else was said."""

    HELLO = "hello"
    THANKS = "thanks"
    BYE = "bye"
    ACK = "ack"
    HELP = "help"


class SmallTalk(Value):
    """Small talk."""

    courtesy: Courtesy


class NotUnderstood(Value):
    """A clause that means nothing to the assistant. ``request``: it sounds like one."""

    text: str
    request: bool = True


class Refuse(Value):
    """Refuse without a reason. No utterance means this: only a fault puts it in the place of what was asked."""


Act = (
    Navigate
    | AddStops
    | Require
    | Lift
    | DropStop
    | CancelTrip
    | NeverMind
    | SetLimit
    | LiftLimit
    | SetStay
    | LiftOrder
    | ChargeIfNeeded
    | ArriveCharged
    | LiftCharge
    | AskTrip
    | Search
    | Mention
    | AskFact
    | SetDial
    | TurnDial
    | SetSwitch
    | SetWindows
    | AskVehicle
    | Unclear
    | AdjustDial
    | SetSwitches
    | MediaAct
    | Remind
    | ChangeReminder
    | CancelReminder
    | AskReminders
    | Risky
    | SmallTalk
    | NotUnderstood
    | Refuse
)


class Request(Value):
    """One request of an utterance: what it asks for, and the words it was made with."""

    text: str
    act: Act
