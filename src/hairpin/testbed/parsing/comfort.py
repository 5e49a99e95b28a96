"""Acts on lights, heated glass, air circulation, sunshade: what can mean several parts, or needs a value.

It must not decide what is safe.
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import Act, AdjustDial, SetDial, SetSwitch, SetSwitches, TurnDial, Unclear
from hairpin.testbed.parsing.lexicon import SWITCH_WORDS
from hairpin.testbed.vehicle import DIALS, READING_LIGHTS, Dial, Switch

_ON = re.compile(r"\b(?:on|activate|enable|start|use|switch|turn|put|heat|adjust|defrost|demist|defog)\b")
_OFF = re.compile(r"\b(?:off|deactivate|disable|stop|no more|kill)\b")
_GLASS = re.compile(r"\b(?:defrost\w*|de-?mist\w*|de-?fog\w*)\b")
_FOGGED = re.compile(
    r"\b(?:windows?|wind ?(?:screen|shield)|screen)\b.*\b(?:fogg(?:ed|ing|y)|mist(?:ed|ing|y)|steam(?:ed|ing|y)|frosted"
    r"|frozen|icy|iced)\b"
)
_REAR = re.compile(r"\b(?:rear|back)\b")
_FRONT = re.compile(r"\b(?:front|wind ?(?:screen|shield))\b")
_DIM = re.compile(r"\b(?:dim|dimmed|dimming)\b")
_INDOOR_LIGHTS = (Switch.AMBIENT_LIGHT, Switch.READING_LIGHT, Switch.INTERIOR_LIGHT)
_READING = re.compile(r"\breading (?:lights|lamps)\b|\b(?:both|all)(?: the)? reading\b")
_LIGHTS = re.compile(
    r"^(?:.*\bto )?(?:(?:please )?(?:turn|switch|put|adjust|activate|enable|set)\b(?: on| off| up)?(?: (?:the|my"
    r"|all|some|car|car's))*"
    r" (?P<what>lights?|beams?)(?: in the car| of the car)?(?: on| off)?|(?P<bare>lights|beams) (?:on|off)"
    r"|adjust the (?P<adjust>lights?) .*)$"
)
_CIRCULATION = re.compile(
    r"\b(?:re-?circulat\w*|(?:air )?circulation(?: mode)?|fresh[- ]air mode|outside air|inside air)\b"
)
_FRESH = re.compile(r"\b(?:fresh|outside|outdoor|external)\b")
_INSIDE = re.compile(r"\b(?:re-?circulat\w*|inside|indoor|internal)\b")
SUNSHADE = re.compile(
    r"\b(?:sun ?-?(?:shades?|blinds?|screens?)|roof (?:blind|shade)|roller blinds?|blinds?|shades?)\b"
)
_PERCENT = re.compile(r"\b(?P<value>\d{1,3}) ?(?:%|percent|per cent)|\bto (?P<to>\d{1,3})\b")
_HALF = re.compile(r"\bhalf(?:way)?\b|\bin the middle\b")
_OPEN = re.compile(r"\b(?:open|retract|push back|pull back|roll up|back|away)\b")
_CLOSE = re.compile(r"\b(?:close|shut|pull (?:over|out|forward)|roll down|extend|draw)\b")
_BIT = re.compile(r"\b(?:a (?:bit|little)|slightly|some more|further|more)\b")


def comfort_act(clause: str) -> Act | None:
    """Return what ``clause`` asks of these parts, or ``None``."""
    for read in (_glass, _fogged, _dimmed, _reading_lights, _lights, _circulation, _sunshade):
        act = read(clause)
        if act is not None:
            return act
    return None


def _glass(clause: str) -> Act | None:
    for switch in (Switch.REAR_WINDOW_HEATING, Switch.WINDSCREEN_HEATING):
        if re.search(rf"\b(?:{SWITCH_WORDS[switch]})(?!\w)", clause):
            return SetSwitch(switch=switch, on=not _OFF.search(clause))
    if not _GLASS.search(clause):
        return None
    on = not _OFF.search(clause)
    return Unclear(
        options=tuple(SetSwitch(switch=s, on=on) for s in (Switch.WINDSCREEN_HEATING, Switch.REAR_WINDOW_HEATING))
    )


def _fogged(clause: str) -> Act | None:
    """Read "the rear window is fogged up", a wish for its heating."""
    if not _FOGGED.search(clause):
        return None
    glass = {Switch.WINDSCREEN_HEATING: _FRONT, Switch.REAR_WINDOW_HEATING: _REAR}
    named = [switch for switch, said in glass.items() if said.search(clause)]
    wished = tuple(SetSwitch(switch=switch, on=True) for switch in named or glass)
    return wished[0] if len(wished) == 1 else Unclear(options=wished)


def _dimmed(clause: str) -> Act | None:
    """Read "dim the interior light": no light can be dimmed, so that on and off are what there is to choose."""
    if not _DIM.search(clause):
        return None
    for switch in _INDOOR_LIGHTS:
        if re.search(rf"\b(?:{SWITCH_WORDS[switch]})(?!\w)", clause):
            return Unclear(options=tuple(SetSwitch(switch=switch, on=on) for on in (True, False)))
    return None


def _reading_lights(clause: str) -> Act | None:
    if not _READING.search(clause) or re.search(r"\b(?:passenger|driver|my)\b", clause):
        return None
    off = bool(_OFF.search(clause))
    if not off and not _ON.search(clause):
        return None
    return SetSwitches(name="reading_lights", switches=READING_LIGHTS, on=not off)


def _lights(clause: str) -> Act | None:
    found = _LIGHTS.match(clause)
    if not found:
        return None
    on = not _OFF.search(clause)
    beams = "beam" in (found["what"] or found["bare"] or "")
    other = Switch.HIGH_BEAMS if beams else Switch.INTERIOR_LIGHT
    return Unclear(options=(SetSwitch(switch=Switch.HEADLIGHTS, on=on), SetSwitch(switch=other, on=on)))


def _circulation(clause: str) -> Act | None:
    if not _CIRCULATION.search(clause):
        return None
    if _FRESH.search(clause):
        return SetSwitch(switch=Switch.RECIRCULATION, on=False)
    if _OFF.search(clause):
        return SetSwitch(switch=Switch.RECIRCULATION, on=False)
    if _INSIDE.search(clause):
        return SetSwitch(switch=Switch.RECIRCULATION, on=True)
    return Unclear(options=tuple(SetSwitch(switch=Switch.RECIRCULATION, on=on) for on in (False, True)))


def _sunshade(clause: str) -> Act | None:
    if not SUNSHADE.search(clause):
        return None
    value = _PERCENT.search(clause)
    if value:
        return SetDial(dial=Dial.SUNSHADE, value=float(value["value"] or value["to"]))
    limits = DIALS[Dial.SUNSHADE]
    if _HALF.search(clause):
        return SetDial(dial=Dial.SUNSHADE, value=(limits.low + limits.high) / 2)
    closing, opening = _CLOSE.search(clause), _OPEN.search(clause)
    if not closing and not opening:
        return AdjustDial(dial=Dial.SUNSHADE) if re.search(r"\b(?:adjust|change|set|move)\b", clause) else None
    if _BIT.search(clause):
        return TurnDial(dial=Dial.SUNSHADE, direction=-1 if closing else 1)
    return SetDial(dial=Dial.SUNSHADE, value=limits.low if closing else limits.high)
