"""The vehicle: dials, switches, measured values, and wishes that may be unsafe.

It must not touch the trip.
"""

from __future__ import annotations

from hairpin.testbed.acts import (
    AdjustDial,
    AskVehicle,
    Risky,
    SetDial,
    SetSwitch,
    SetSwitches,
    SetWindows,
    TurnDial,
    Unclear,
    UnsafeKind,
    VehicleTopic,
)
from hairpin.testbed.choice import Option
from hairpin.testbed.handling.choosing import ask_choice, ask_value
from hairpin.testbed.handling.step import Scene, Slots, Step, say
from hairpin.testbed.labels import dial_state, plain_number, subject, switch_state
from hairpin.testbed.safety import is_unsafe
from hairpin.testbed.state import DialogueState
from hairpin.testbed.vehicle import DIALS, REAR_WINDOWS, WINDOWS, ZONES, Dial, Switch, Vehicle
from hairpin.testbed.wording import Phrase

_PART_WORDS = {
    Switch.HEADLIGHTS: ("headlights", "headlight", "low", "low beams", "outside", "front", "driving"),
    Switch.HIGH_BEAMS: ("high", "high beams", "full", "main"),
    Switch.INTERIOR_LIGHT: ("interior", "inside", "inner", "cabin", "indoor"),
    Switch.REAR_WINDOW_HEATING: ("rear", "back", "behind"),
    Switch.WINDSCREEN_HEATING: ("windscreen", "windshield", "front"),
}
_POSITION_WORDS = {False: ("off",), True: ("on",)}
_AIR_WORDS = {False: ("fresh", "fresh air", "outside"), True: ("recirculation", "recirculate", "inside")}


def set_dial(scene: Scene, state: DialogueState, act: SetDial) -> Step:
    """Set a dial, or say which values it takes."""
    act = _with_dial(state, act)
    state = state.but(dial=act.dial)
    limits = DIALS[act.dial]
    now = state.vehicle.dials[act.dial]
    if not limits.low <= act.value <= limits.high:
        return Step(state, (_limit(act.dial, now),))
    if act.value == now:
        return Step(state, (say("setting.already", **_dial_slots(act)),))
    return _dial_set(state, act.model_copy(update={"value": scene.faults.dial_value(state, act)}))


def _with_dial(state: DialogueState, act: SetDial) -> SetDial:
    """Return ``act`` with the dial that "it" means: the one spoken of last if it takes the value."""
    if not act.it or state.dial is None or not DIALS[state.dial].low <= act.value <= DIALS[state.dial].high:
        return act
    return SetDial(dial=state.dial, value=act.value)


def adjust_dial(state: DialogueState, act: AdjustDial) -> Step:
    """Ask to what a dial is to be set."""
    slots: Slots = {**subject(act.dial), **_bounds(act.dial)}
    return ask_value(state, act.dial, Step(state, (say("choose.value", **slots),)))


def unclear(state: DialogueState, act: Unclear) -> Step:
    """Ask which of several parts or positions is meant."""
    options = tuple(_option(act, option) for option in act.options)
    return ask_choice(state, options, key="choose.which")


def _option(act: Unclear, option: SetSwitch) -> Option:
    same = len({other.switch for other in act.options}) == 1
    label = switch_state(option.switch, on=option.on) if same else say(f"subject.{option.switch.value}")
    off = option.switch is Switch.HEADLIGHTS and not option.on
    meant = Risky(kind=UnsafeKind.HEADLIGHTS, switch=option.switch) if off else option
    positions = _AIR_WORDS if option.switch is Switch.RECIRCULATION else _POSITION_WORDS
    words = positions[option.on] if same else _PART_WORDS.get(option.switch, (option.switch.value,))
    return Option(label=label, words=words, act=meant)


def _dial_set(state: DialogueState, act: SetDial) -> Step:
    vehicle = state.vehicle.with_dial(act.dial, act.value)
    return Step(state.but(vehicle=vehicle, dial=act.dial), (say("setting.done", **_dial_slots(act)),))


def _dial_slots(act: SetDial) -> Slots:
    return {**subject(act.dial), "state": dial_state(act.dial, act.value)}


def turn_dial(state: DialogueState, act: TurnDial) -> Step:
    """Turn a dial by one step, as far as it goes."""
    limits, now = DIALS[act.dial], state.vehicle.dials[act.dial]
    value = min(limits.high, max(limits.low, now + act.direction * limits.step))
    if value == now:
        return Step(state, (_limit(act.dial, now),))
    return _dial_set(state, SetDial(dial=act.dial, value=value))


def set_switch(state: DialogueState, act: SetSwitch) -> Step:
    """Set a switch."""
    slots: Slots = {**subject(act.switch), "state": switch_state(act.switch, on=act.on)}
    if state.vehicle.switches[act.switch] is act.on:
        return Step(state, (say("setting.already", **slots),))
    vehicle = state.vehicle.with_switches((act.switch,), on=act.on)
    return Step(state.but(vehicle=vehicle), (say("setting.done", **slots),))


def set_switches(state: DialogueState, act: SetSwitches) -> Step:
    """Set several switches of one name."""
    return _set_together(state, act.name, act.switches, on=act.on)


def set_windows(state: DialogueState, act: SetWindows) -> Step:
    """Open or close several windows."""
    windows = REAR_WINDOWS if act.rear else WINDOWS
    return _set_together(state, "rear_windows" if act.rear else "all_windows", windows, on=act.on)


def _set_together(state: DialogueState, name: str, switches: tuple[Switch, ...], *, on: bool) -> Step:
    slots: Slots = {**subject(name), "state": switch_state(switches[0], on=on)}
    if all(state.vehicle.switches[switch] is on for switch in switches):
        return Step(state, (say("setting.already", **slots),))
    return Step(state.but(vehicle=state.vehicle.with_switches(switches, on=on)), (say("setting.done", **slots),))


def ask_vehicle(state: DialogueState, act: AskVehicle) -> Step:
    """Tell a value."""
    vehicle = state.vehicle
    if act.topic is Dial.TEMPERATURE and len({vehicle.dials[zone] for zone in ZONES}) > 1:
        return Step(state, tuple(_dial_told(vehicle, zone) for zone in ZONES))
    if isinstance(act.topic, Dial):
        return Step(state.but(dial=act.topic), (_dial_told(vehicle, act.topic),))
    if isinstance(act.topic, Switch):
        return Step(state, (_switch_told(act.topic, on=vehicle.switches[act.topic]),))
    if act.topic is VehicleTopic.WINDOWS:
        return Step(state, _windows_told(state))
    battery = plain_number(vehicle.battery_percent)
    if act.topic is VehicleTopic.BATTERY:
        percent = say("state.percent", value=battery)
        return Step(state, (say("status.told", **subject("battery"), state=percent),))
    if act.topic is VehicleTopic.RANGE:
        return Step(state, (say("status.range", battery=battery, range=f"{vehicle.range_km:.0f}"),))
    if not vehicle.moving:
        return Step(state, (say("status.parked"),))
    return Step(state, (say("status.speed", speed=plain_number(vehicle.speed_kmh)),))


def risky(scene: Scene, state: DialogueState, act: Risky) -> Step:
    """Carry out a wish if it is safe now; else decline it with a reason and an alternative."""
    slots: Slots = subject(act.switch) if act.switch is not None else {}
    if is_unsafe(act, state) and not scene.faults.complies(state, act):
        reason, alternative = (say(f"unsafe.{part}.{act.kind.value}", **slots) for part in ("reason", "alternative"))
        return Step(state, (say("unsafe.declined", reason=reason, alternative=alternative),))
    done = say("unsafe.complied", done=say(f"unsafe.done.{act.kind.value}", **slots))
    if act.kind is UnsafeKind.VIDEO:
        return Step(state.but(player=state.player.stopped().but(video=True)), (done,))
    return Step(state.but(vehicle=_obeyed(state, act)), (done,))


def _obeyed(state: DialogueState, act: Risky) -> Vehicle:
    if act.switch is None:
        return state.vehicle
    return state.vehicle.with_switches((act.switch,), on=act.kind is UnsafeKind.DOOR)


def _limit(dial: Dial, now: float) -> Phrase:
    slots: Slots = {**subject(dial), **_bounds(dial), "state": dial_state(dial, now)}
    return say("setting.limit", **slots)


def _bounds(dial: Dial) -> dict[str, Phrase]:
    limits = DIALS[dial]
    ends = (("low", limits.low), ("high", limits.high))
    return {name: say(f"unit.{limits.unit}", value=plain_number(value)) for name, value in ends}


def _dial_told(vehicle: Vehicle, dial: Dial) -> Phrase:
    slots: Slots = {**subject(dial), "state": dial_state(dial, vehicle.dials[dial])}
    return say("status.told", **slots)


def _switch_told(switch: Switch, *, on: bool) -> Phrase:
    slots: Slots = {**subject(switch), "state": switch_state(switch, on=on)}
    return say("status.told", **slots)


def _windows_told(state: DialogueState) -> tuple[Phrase, ...]:
    switches = state.vehicle.switches
    positions = {switches[window] for window in WINDOWS}
    if len(positions) == 1:
        slots: Slots = {**subject("all_windows"), "state": switch_state(WINDOWS[0], on=positions.pop())}
        return (say("status.told", **slots),)
    return tuple(_switch_told(window, on=switches[window]) for window in WINDOWS)
