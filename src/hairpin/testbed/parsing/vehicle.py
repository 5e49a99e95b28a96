"""Acts on the vehicle: climate, windows, doors, lights, the volume, and questions about them.

It must not decide what is safe.
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import (
    Act,
    AdjustDial,
    AskVehicle,
    SetDial,
    SetSwitch,
    SetWindows,
    TurnDial,
    VehicleTopic,
)
from hairpin.testbed.parsing.comfort import SUNSHADE, comfort_act
from hairpin.testbed.parsing.lexicon import SWITCH_WORDS, SYSTEM_WORDS, WINDOW_WORDS
from hairpin.testbed.vehicle import ASSISTANCE, DIALS, SWITCHABLE, Dial, Switch

_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TENS = {"sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30}
_NUMBER = re.compile(
    r"(?<![\w.])(?P<digits>-?\d+(?:[.,]\d+)?)(?![\w.]*\d)|\b(?P<tens>"
    + "|".join(_TENS)
    + r")(?:[- ](?P<unit>"
    + "|".join(_NUMBER_WORDS[1:10])
    + r"))?\b|\b(?P<word>"
    + "|".join(_NUMBER_WORDS)
    + r")\b"
)
_ON = re.compile(r"\b(?:on|activate|enable|start|heat|run)\b")
_OFF = re.compile(r"\b(?:off|deactivate|disable|stop|shut down|kill|no more)\b")
_UP = re.compile(r"\b(?:up|raise|increase|higher|more|warmer|hotter|louder|stronger|faster|boost|turn it up)\b")
_DOWN = re.compile(r"\b(?:down|lower|decrease|reduce|less|cooler|colder|quieter|softer|weaker|slower)\b")
_MAXIMUM = re.compile(r"\b(?:max(?:imum)?|full|highest|fully|full blast)\b")
_MINIMUM = re.compile(r"\b(?:min(?:imum)?|lowest)\b")
_QUESTION = re.compile(r"^(?:what|what's|how|is|are|tell me|show|do i|do we|which|can you tell|did|check|give me)\b")

_HOW_WARM = re.compile(
    r"^how (?:warm|hot|cold|cool) is (?:it(?: (?:in here|in (?:the|this|my) (?:car|cabin)|inside))?|the (?:car|cabin))"
    r"(?: now| currently| at the moment)?$"
)

_SEAT = re.compile(
    r"\b(?:seat[- ]heat\w*|heated seats?|heat (?:up )?(?:the |my |our )?(?:driver'?s? )?seats?|(?:warm"
    r"|heat) (?:up )?(?:the |my )?seats?|seat warm\w*|seat heater)\b"
)
_FAN = re.compile(r"\b(?:fan|blower|ventilation|air ?flow|ventilator)\b")
_VOLUME = re.compile(
    r"\b(?:volume|louder|quieter(?! (?:drive|ride|route|trip|way|road|journey))|sound level|turn (?:it|the (?:music"
    r"|radio|sound)) (?:up|down)|(?:music|radio|sound) (?:up|down|louder|quieter))\b"
)
_TEMPERATURE = re.compile(
    r"\b(?:temp|temperature|degrees?|warmer|cooler|colder|hotter|celsius|heating|thermostat|climate)\b|°"
)
_COLD = re.compile(
    r"\b(?:(?:i'm|i am|we're|we are|it's|it is|feel\w*|getting)(?: \w+){0,4} (?:cold|freezing|chilly|frozen)"
    r"|warm (?:it|the (?:car|cabin)) up|warm up the (?:car|cabin)|warm it)\b"
)
_HOT = re.compile(
    r"\b(?:(?:i'm|i am|we're|we are|it's|it is|feel\w*|getting)(?: \w+){0,4} (?:hot|too warm|boiling|sweating|stuffy"
    r"|warm in here)|cool (?:it|the (?:car|cabin)) down|cool down the (?:car|cabin))\b"
)

_OPEN = re.compile(r"\b(?:open|roll (?:it )?down|lower|down|let (?:some|in)|wind down)\b")
_CLOSE = re.compile(r"\b(?:close|shut|roll (?:it )?up|raise|up|wind up)\b")
_WINDOW = re.compile(r"\bwindows?\b")
_ALL = re.compile(r"\b(?:all|every|both|the windows|windows)\b")
_LOCK = re.compile(r"\b(?P<un>un)?lock\b")
_STEERING_WHEEL = re.compile(r"\b(?:steering[- ]wheel|wheel heat\w*|heated wheel)\b(?! (?:button|control)s?)")
_WIPERS = re.compile(r"\b(?:wipers?|wind ?(?:screen|shield) wipers?)\b")
_PASSENGER = re.compile(r"\b(?:passenger|co-?driver|(?<!all )right)(?:'s|s)?\b(?! window)")
_DRIVER = re.compile(r"\b(?:driver(?:'s|s)?|my side|left)\b(?! window)")
_REAR = re.compile(r"\b(?:rear|back)\b")
_EVERYONE = re.compile(r"\b(?:both|all|every\w*|each)\b")
_PERCENT = re.compile(r"\b\d{1,3} ?(?:%|percent|per cent)")
_ADJUST = re.compile(r"^(?:adjust|change|set|regulate|modify)\b")
_IT = re.compile(r"\b(?:make it|set it(?: to)?|put it (?:to|at|on)|turn it (?:up |down )?to|change it to)\b")


def vehicle_question(clause: str) -> AskVehicle | None:
    """Return the question about the vehicle that ``clause`` is, or ``None``."""
    if not _QUESTION.search(clause):
        return None
    if _HOW_WARM.search(clause):
        return AskVehicle(topic=Dial.TEMPERATURE)
    topic = _measured(clause) or _dial(clause) or _switch(clause)
    return AskVehicle(topic=topic) if topic else None


def vehicle_act(clause: str) -> Act | None:
    """Return what ``clause`` asks of the vehicle, or ``None``."""
    for read in (comfort_act, _window_act, _door_act, _dial_act, _switch_act):
        act = read(clause)
        if act is not None:
            return act
    return None


def every_zone(act: Act, clause: str) -> tuple[Act, ...]:
    """Return ``act`` for each seat that ``clause`` speaks of: "both seats"."""
    if not isinstance(act, SetDial | TurnDial) or act.dial is not Dial.SEAT_HEATING or not _EVERYONE.search(clause):
        return (act,)
    seats: tuple[Dial, ...] = (Dial.SEAT_HEATING, Dial.PASSENGER_SEAT_HEATING)
    if not re.search(r"\bfront\b|\bboth\b", clause):
        seats = (*seats, Dial.REAR_SEAT_HEATING)
    return tuple(act.model_copy(update={"dial": seat}) for seat in seats)


def number(clause: str) -> float | None:
    """Return the first number in ``clause``, written in digits or words."""
    found = _NUMBER.search(clause)
    if not found:
        return None
    if found["digits"]:
        return float(found["digits"].replace(",", "."))
    if found["tens"]:
        return float(_TENS[found["tens"]] + (_NUMBER_WORDS.index(found["unit"]) if found["unit"] else 0))
    return float(_NUMBER_WORDS.index(found["word"]))


def _measured(clause: str) -> VehicleTopic | None:
    if re.search(
        r"\b(?:how far (?:(?:can|could|will) (?:i|we)|(?:i|we) (?:can|could))|range|how (?:many|much) (?:km"
        r"|kilometres|kilometers|further|longer can)|how much farther)\b",
        clause,
    ):
        return VehicleTopic.RANGE
    if re.search(
        r"\b(?:battery|charge (?:level|state|left)|state of charge|how much (?:charge|power|energy))\b", clause
    ):
        return VehicleTopic.BATTERY
    if re.search(r"\b(?:how fast|my speed|our speed|current speed|speed are we)\b", clause):
        return VehicleTopic.SPEED
    return VehicleTopic.WINDOWS if re.search(r"\bwindows\b", clause) else None


def _dial(clause: str) -> Dial | None:
    for dial, pattern in (
        (Dial.STEERING_WHEEL_HEATING, _STEERING_WHEEL),
        (Dial.SEAT_HEATING, _SEAT),
        (Dial.FAN, _FAN),
        (Dial.VOLUME, _VOLUME),
        (Dial.WIPERS, _WIPERS),
        (Dial.SUNSHADE, SUNSHADE),
        (Dial.TEMPERATURE, _TEMPERATURE),
    ):
        if pattern.search(clause):
            return _zone(dial, clause)
    return None


def _zone(dial: Dial, clause: str) -> Dial:
    """Return the seat's or side's own dial if ``clause`` names one."""
    if _EVERYONE.search(clause):
        return dial
    if dial is Dial.SEAT_HEATING:
        if _REAR.search(clause):
            return Dial.REAR_SEAT_HEATING
        return Dial.PASSENGER_SEAT_HEATING if _PASSENGER.search(clause) else dial
    if dial is Dial.TEMPERATURE and _PASSENGER.search(clause):
        return Dial.PASSENGER_TEMPERATURE
    return Dial.DRIVER_TEMPERATURE if dial is Dial.TEMPERATURE and _DRIVER.search(clause) else dial


def _switch(clause: str) -> Switch | None:
    for words in (SYSTEM_WORDS, SWITCH_WORDS):
        for switch, pattern in words.items():
            if re.search(rf"\b(?:{pattern})(?!\w)", clause):
                return switch
    if _WINDOW.search(clause):
        return _one_window(clause)
    if re.search(r"\block(?:ed)?\b", clause) and re.search(r"\b(?:doors?|car)\b", clause):
        return Switch.DOORS_LOCKED
    if re.search(r"\bsun ?roof|panorama roof\b", clause):
        return Switch.SUNROOF
    return None


def _one_window(clause: str) -> Switch:
    for switch, pattern in WINDOW_WORDS.items():
        if re.search(rf"\b(?:{pattern})\b", clause):
            return switch
    return Switch.DRIVER_WINDOW


def _dial_act(clause: str) -> Act | None:
    dial = _dial(clause)
    if dial is None:
        if _COLD.search(clause) or _HOT.search(clause):
            return TurnDial(dial=Dial.TEMPERATURE, direction=1 if _COLD.search(clause) else -1)
        value = number(clause)
        if value is not None and (_IT.search(clause) or re.search(r"\b(?:heat|cool) (?:the car )?to\b", clause)):
            return SetDial(dial=Dial.TEMPERATURE, value=value, it=bool(_IT.search(clause)))
        return None
    limits = DIALS[dial]
    value = number(clause)
    if value is not None and _PERCENT.search(clause) and limits.unit == "level":
        value = round(limits.low + (limits.high - limits.low) * min(value, 100) / 100)
    if value is not None and not re.search(r"\bby \w+(?: degrees?| levels?)?\b", clause):
        return SetDial(dial=dial, value=value)
    if _MAXIMUM.search(clause) or _MINIMUM.search(clause):
        return SetDial(dial=dial, value=limits.high if _MAXIMUM.search(clause) else max(limits.low, 1.0))
    return _turned(dial, clause)


def _turned(dial: Dial, clause: str) -> Act | None:
    limits = DIALS[dial]
    switchable = dial in SWITCHABLE
    if switchable and _OFF.search(clause):
        return SetDial(dial=dial, value=limits.low)
    if _UP.search(clause):
        return TurnDial(dial=dial, direction=1)
    if _DOWN.search(clause):
        return TurnDial(dial=dial, direction=-1)
    if _ADJUST.search(clause) and not _ON.search(clause):
        return AdjustDial(dial=dial)
    if switchable and (_ON.search(clause) or _SEAT.search(clause) or re.search(r"\b(?:warm|heat|use)\b", clause)):
        return SetDial(dial=dial, value=limits.switched_on)
    if dial is Dial.TEMPERATURE and re.search(r"\bheating\b", clause) and _ON.search(clause):
        return TurnDial(dial=dial, direction=1)
    return None


def _window_act(clause: str) -> Act | None:
    if re.search(r"\bsun ?roof\b|\bpanorama roof\b", clause):
        return _opened(Switch.SUNROOF, clause)
    if re.search(r"\b(?:fresh air|some air)\b", clause) and not (_FAN.search(clause) or _WINDOW.search(clause)):
        return SetSwitch(switch=Switch.DRIVER_WINDOW, on=True)
    if not _WINDOW.search(clause) or not (_OPEN.search(clause) or _CLOSE.search(clause)):
        return None
    opening = bool(_OPEN.search(clause)) and not re.search(r"\b(?:close|shut)\b", clause)
    specific = re.search(r"\b(?:driver|passenger|left|right|my window)", clause)
    if _ALL.search(clause) and not specific:
        return SetWindows(on=opening, rear=bool(re.search(r"\b(?:rear|back) windows\b", clause)))
    return SetSwitch(switch=_one_window(clause), on=opening)


def _door_act(clause: str) -> Act | None:
    locking = _LOCK.search(clause)
    if locking and re.search(r"\b(?:doors?|car|vehicle)\b", clause):
        return SetSwitch(switch=Switch.DOORS_LOCKED, on=not locking["un"])
    door = re.search(r"\b(?P<trunk>trunk|boot|tailgate)\b|\bdoors?\b", clause)
    if door and _CLOSE.search(clause):
        return SetSwitch(switch=Switch.TRUNK if door["trunk"] else Switch.DOOR, on=False)
    return None


def _opened(switch: Switch, clause: str) -> Act | None:
    if _CLOSE.search(clause):
        return SetSwitch(switch=switch, on=False)
    return SetSwitch(switch=switch, on=True) if _OPEN.search(clause) else None


def _switch_act(clause: str) -> Act | None:
    switch = _switch(clause)
    if switch is None or switch in WINDOW_WORDS:
        return None
    if _OFF.search(clause) and switch not in ASSISTANCE:
        return SetSwitch(switch=switch, on=False)
    if _ON.search(clause) or re.search(r"\b(?:turn|switch|warm|use)\b", clause):
        return SetSwitch(switch=switch, on=True)
    return None
