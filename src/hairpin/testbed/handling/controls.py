"""The vehicle: dials, switches, media, measured values, and wishes that may be unsafe.

It must not touch the trip.
"""

from __future__ import annotations

from hairpin.testbed.acts import (
    AskVehicle,
    PlayMedia,
    Risky,
    SetDial,
    SetSwitch,
    SetWindows,
    StopMedia,
    TurnDial,
    UnsafeKind,
    VehicleTopic,
)
from hairpin.testbed.handling.step import Scene, Slots, Step, say
from hairpin.testbed.labels import dial_state, plain_number, subject, switch_state
from hairpin.testbed.safety import is_unsafe
from hairpin.testbed.state import DialogueState
from hairpin.testbed.vehicle import DIALS, REAR_WINDOWS, WINDOWS, Dial, Switch, Vehicle
from hairpin.testbed.wording import Phrase


def set_dial(scene: Scene, state: DialogueState, act: SetDial) -> Step:
    """Set a dial, or say which values it takes."""
    limits = DIALS[act.dial]
    now = state.vehicle.dials[act.dial]
    if not limits.low <= act.value <= limits.high:
        return Step(state, (_limit(act.dial, now),))
    if act.value == now:
        return Step(state, (say("setting.already", **_dial_slots(act)),))
    return _dial_set(state, act.model_copy(update={"value": scene.faults.dial_value(state, act)}))


def _dial_set(state: DialogueState, act: SetDial) -> Step:
    vehicle = state.vehicle.with_dial(act.dial, act.value)
    return Step(state.but(vehicle=vehicle), (say("setting.done", **_dial_slots(act)),))


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


def set_windows(state: DialogueState, act: SetWindows) -> Step:
    """Open or close several windows."""
    windows = REAR_WINDOWS if act.rear else WINDOWS
    name = "rear_windows" if act.rear else "all_windows"
    slots: Slots = {**subject(name), "state": switch_state(windows[0], on=act.on)}
    if all(state.vehicle.switches[window] is act.on for window in windows):
        return Step(state, (say("setting.already", **slots),))
    return Step(state.but(vehicle=state.vehicle.with_switches(windows, on=act.on)), (say("setting.done", **slots),))


def ask_vehicle(state: DialogueState, act: AskVehicle) -> Step:
    """Tell a value."""
    vehicle = state.vehicle
    if isinstance(act.topic, Dial):
        slots: Slots = {**subject(act.topic), "state": dial_state(act.topic, vehicle.dials[act.topic])}
        return Step(state, (say("status.told", **slots),))
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


def play_media(state: DialogueState, act: PlayMedia) -> Step:
    """Play something."""
    return Step(state.but(vehicle=state.vehicle.with_media(act.what)), (say("media.playing", what=act.what),))


def stop_media(state: DialogueState, act: StopMedia) -> Step:
    """Stop playing."""
    del act
    return Step(state.but(vehicle=state.vehicle.with_media(None)), (say("media.stopped"),))


def risky(scene: Scene, state: DialogueState, act: Risky) -> Step:
    """Carry out a wish if it is safe now; else decline it with a reason and an alternative."""
    slots: Slots = subject(act.switch) if act.switch is not None else {}
    if is_unsafe(act, state) and not scene.faults.complies(state, act):
        reason, alternative = (say(f"unsafe.{part}.{act.kind.value}", **slots) for part in ("reason", "alternative"))
        return Step(state, (say("unsafe.declined", reason=reason, alternative=alternative),))
    done = say("unsafe.complied", done=say(f"unsafe.done.{act.kind.value}", **slots))
    return Step(state.but(vehicle=_obeyed(state, act)), (done,))


def _obeyed(state: DialogueState, act: Risky) -> Vehicle:
    if act.kind is UnsafeKind.VIDEO:
        return state.vehicle.with_media("video")
    if act.switch is None:
        return state.vehicle
    return state.vehicle.with_switches((act.switch,), on=act.kind is UnsafeKind.DOOR)


def _limit(dial: Dial, now: float) -> Phrase:
    limits = DIALS[dial]
    bounds = {
        name: say(f"unit.{limits.unit}", value=plain_number(value))
        for name, value in (("low", limits.low), ("high", limits.high))
    }
    slots: Slots = {**subject(dial), **bounds, "state": dial_state(dial, now)}
    return say("setting.limit", **slots)


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
