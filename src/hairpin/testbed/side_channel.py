"""What the testbed shows of its state beside a reply: the trip, the vehicle, the player, the reminders.

It must not change it.
"""

from __future__ import annotations

from pydantic import JsonValue

from hairpin.domain.fingerprint import digest
from hairpin.testbed.catalogue import load_catalogue
from hairpin.testbed.clock_time import DAY_MIN, format_time
from hairpin.testbed.parsing.lexicon import NOUNS
from hairpin.testbed.player import Player
from hairpin.testbed.reminders import Reminder
from hairpin.testbed.state import DialogueState
from hairpin.testbed.vehicle import Dial, Vehicle
from hairpin.testbed.world import City

_DIGEST_CHARS = 12

_ALWAYS = (Dial.TEMPERATURE, Dial.FAN, Dial.SEAT_HEATING, Dial.VOLUME)


def mind_digest(state: DialogueState) -> str:
    """Return a digest of the dialogue state but for its clock: the same digest, the same reply to the same words.

    It covers what nothing else shows, such as an open question, the list told last and what "there" means.
    """
    timeless = state.but(t=0, established=tuple(each.model_copy(update={"t": 0}) for each in state.established))
    return digest(timeless.model_dump_json())[:_DIGEST_CHARS]


def vehicle_shown(vehicle: Vehicle, start: Vehicle) -> dict[str, JsonValue]:
    """Return the vehicle; of its many switches and dials those of everyday use, and those no longer as at the start."""
    dials = {
        dial.value: value for dial, value in vehicle.dials.items() if dial in _ALWAYS or value != start.dials[dial]
    }
    switched = {switch.value: on for switch, on in vehicle.switches.items() if on is not start.switches[switch]}
    return {**dials, **switched, "battery_percent": vehicle.battery_percent, "speed_kmh": vehicle.speed_kmh}


def player_shown(player: Player) -> dict[str, JsonValue]:
    """Return what plays and what comes next, by name; whose it is, and the conditions in force."""
    catalogue = load_catalogue()
    current = catalogue[player.current] if player.current is not None else None
    return {
        "playing": "video" if player.video else current.name if current is not None else None,
        "by": current.by if current is not None else None,
        "kind": current.kind.value if current is not None else None,
        "within": catalogue[player.within].name if player.within is not None else None,
        "source": player.source.value,
        "paused": player.paused,
        "muted": player.muted,
        "queue": [catalogue[title].name for title in player.upcoming],
        "conditions": [condition.value for condition in player.conditions],
    }


def reminders_shown(city: City, reminders: tuple[Reminder, ...]) -> list[JsonValue]:
    """Return what each reminder is about, and when or where it is due."""
    return [_reminder(city, reminder) for reminder in reminders]


def _reminder(city: City, reminder: Reminder) -> dict[str, JsonValue]:
    time = format_time(reminder.due_min) if reminder.due_min is not None else None
    place = city.name(reminder.place) if reminder.place is not None else None
    return {
        "what": reminder.what.split(" ", 1)[-1],
        "time": time,
        "tomorrow": reminder.due_min is not None and reminder.due_min >= DAY_MIN,
        "place": NOUNS[reminder.category][0] if reminder.category is not None else place,
        "on_arrival": reminder.arrival,
    }
