"""One turn of the assistant: parse, let faults choose, carry out, tell the trip once.

Pure: the same state, utterance and faults give the same reply. Putting it into words is ``wording``'s work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hairpin.testbed import acts, media_acts
from hairpin.testbed.constraints import Constraint
from hairpin.testbed.handling import controls, finding, limits, media, playback, reminding, stops, trip
from hairpin.testbed.handling.choosing import answered, asked_again, forgotten, is_fresh, meant_place, waits_for_place
from hairpin.testbed.handling.resolving import pick
from hairpin.testbed.handling.step import Scene, Step, say
from hairpin.testbed.handling.telling import tell_trip
from hairpin.testbed.parsing.parser import parse
from hairpin.testbed.state import DialogueState, Pending
from hairpin.testbed.wording import Phrase
from hairpin.testbed.world import City


def respond(scene: Scene, state: DialogueState, utterance: str) -> tuple[DialogueState, tuple[Phrase, ...]]:
    """Return the state after ``utterance`` and what is said to it.

    The route is told once, however many requests changed it: after the last of them, or before a question about it.
    """
    state = scene.faults.begin(state)
    before = state
    requests = scene.faults.select(state, answered(state, parse(utterance, scene.city)))
    said: list[Phrase] = []
    untold: int | None = None
    for request in requests:
        if isinstance(request.act, acts.AskTrip):
            state, untold = _tell(scene, state, said, untold)
        step = _carried_out(scene, state, request.act, alone=len(requests) == 1)
        state = step.state
        said += step.said
        untold = len(said) if step.replan else untold
    state, _ = _tell(scene, state, said, untold)
    state = forgotten(before, state, requests)
    return state.but(t=state.t + 1), _once(said)


def _once(said: list[Phrase]) -> tuple[Phrase, ...]:
    """Return what is said without repetitions.

    A route told with its arrival answers when and how long, one told with the hours of a place whether it is open then.
    """
    told = any(phrase.key == "route.arrival" for phrase in said)
    again = {"trip.arrival", "trip.duration"} if told else set[str]()
    hours = [_hours(phrase) for phrase in said if phrase.key in {"hours.told", "hours.closed"}]
    once = [p for index, p in enumerate(said) if p not in said[:index] and p.key not in again]
    return tuple(p for p in once if p.key not in {"fact.open_then", "fact.closed_then"} or _hours(p) not in hours)


def _hours(phrase: Phrase) -> tuple[object, object]:
    """Return of which place the hours are told, and for what time."""
    return phrase.slots["place"], phrase.slots["time"]


def _tell(scene: Scene, state: DialogueState, said: list[Phrase], at: int | None) -> tuple[DialogueState, int | None]:
    """Tell the trip at index ``at`` of ``said`` if it waits to be told there."""
    if at is None or state.destination is None:
        return state, None
    told = tell_trip(scene, state)
    said[at:at] = told.said
    return told.state, None


def _carried_out(scene: Scene, state: DialogueState, asked: acts.Act, *, alone: bool) -> Step:
    """Carry out what was asked, at every point as the faults have it."""
    if not scene.faults:
        return _carry_out(scene, state, asked, alone=alone)
    step = _carry_out(scene, state, scene.faults.carried_out(state, asked), alone=alone)
    step = _settled(scene, state, step) or step
    state, said = scene.faults.answered(asked, (step.state, step.said))
    return Step(state, said, replan=step.replan)


def _settled(scene: Scene, before: DialogueState, step: Step) -> Step | None:
    """Carry out the first option of a question that ``step`` asks, where the faults have it so."""
    state, pending, choice = step.state, step.state.pending, step.state.choice
    if pending is not None and pending is not before.pending and scene.faults.settles(state, pending.options):
        return _resumed(scene, state, pending, pending.options[0])
    if choice is None or choice is before.choice or not choice.options:
        return None
    if not scene.faults.settles(state, tuple(option.words[0] for option in choice.options)):
        return None
    return _carry_out(scene, state.but(choice=None), choice.options[0].act, alone=True)


def _resumed(scene: Scene, state: DialogueState, pending: Pending, chosen: str) -> Step:
    """Carry out the act that a question kept, with the place chosen."""
    act = _replaced(pending.act, pending.name, acts.Named(name=pending.name.name, ids=(chosen,)))
    return _carry_out(scene, state.but(pending=None), act, alone=True)


def _carry_out(scene: Scene, state: DialogueState, act: acts.Act, *, alone: bool) -> Step:
    answered = _answer_to_question(scene, state, act)
    if answered is not None:
        return answered
    depending = _depending(scene, state, act, alone=alone)
    if depending is not None:
        return depending
    if isinstance(act, acts.Mention):
        return _mentioned(scene, state, act)
    if isinstance(act, acts.AddStops):
        return _add_stops(scene, state, act)
    if isinstance(act, acts.Navigate):
        return _navigate(scene, state, act)
    if isinstance(act, acts.NotUnderstood):
        return Step(state, (say("unknown") if alone else say("unknown.part", part=act.text),))
    if isinstance(act, acts.SmallTalk):
        return Step(state, (say(f"chat.{act.courtesy.value}"),))
    if isinstance(act, acts.Refuse):
        return Step(state, (say("refused"),))
    return _HANDLERS[type(act)](scene, state, act)


def _depending(scene: Scene, state: DialogueState, act: acts.Act, *, alone: bool) -> Step | None:
    """Carry out what means something else by what was asked or set before; ``None`` if it stands for itself."""
    if isinstance(act, acts.Mention | acts.Search) and waits_for_place(state):
        return reminding.change_reminder(scene, state, acts.ChangeReminder(place=meant_place(act), bare=True))
    if isinstance(act, acts.NotUnderstood) and is_fresh(state):
        return asked_again(state)
    if isinstance(act, acts.ChangeReminder) and not (state.reminders or state.reminding):
        return _carry_out(scene, state, _without_reminders(state, act), alone=alone)
    return _dropped(scene, state, act) if isinstance(act, acts.DropStop) else None


def _answer_to_question(scene: Scene, state: DialogueState, act: acts.Act) -> Step | None:
    """Take ``act`` as the answer to the question that is open, if it can be."""
    pending = state.pending
    if pending is None or not isinstance(act, acts.Mention | acts.Navigate | acts.AddStops | acts.Search):
        return None
    reference, extra = _reference(act)
    chosen = pick(reference, pending.options, scene.city, state.situation.location)
    if chosen is not None:
        if extra:
            state = trip.require(state, acts.Require(constraints=extra)).state
        return _resumed(scene, state, pending, chosen)
    new = isinstance(reference, acts.Named) and not set(reference.ids).intersection(pending.options)
    if isinstance(act, acts.Mention) and not new:
        return Step(state, (say("clarify.again", options=trip.option_list(scene.city, pending.options)),))
    return None


def _reference(act: acts.Act) -> tuple[acts.Reference | None, tuple[Constraint, ...]]:
    if isinstance(act, acts.Mention):
        return act.what, ()
    if isinstance(act, acts.Navigate):
        return act.to, act.constraints
    if isinstance(act, acts.Search):
        return act.wanted, ()
    if isinstance(act, acts.AddStops) and len(act.stops) == 1:
        return act.stops[0], act.constraints
    return None, ()


def _replaced(act: acts.Act, old: acts.Named, new: acts.Named) -> acts.Act:
    """Return ``act`` with the name the question was about replaced by the place chosen."""

    def swap(value: object) -> object:
        if value == old:
            return new
        if isinstance(value, tuple):
            return tuple(swap(item) for item in value)
        if isinstance(value, acts.Wanted) and value.near == old:
            return value.model_copy(update={"near": new})
        return value

    return act.model_copy(update={name: swap(getattr(act, name)) for name in type(act).model_fields})


def _mentioned(scene: Scene, state: DialogueState, act: acts.Mention) -> Step:
    """Take a place that is all that was said as a destination, a kind of place as a search."""
    if isinstance(act.what, acts.Wanted) and act.what.category is not None and not state.results:
        return finding.search(scene, state, acts.Search(wanted=act.what))
    return _navigate(scene, state, acts.Navigate(to=act.what))


def _navigate(scene: Scene, state: DialogueState, act: acts.Navigate) -> Step:
    unclear = stops.ambiguous_stop(scene, state, act.stops)
    if unclear is None:
        return trip.navigate(scene, state, act)
    state = trip.require(state, acts.Require(constraints=act.constraints)).state
    return trip.ask_which(scene.city, state, unclear, act.model_copy(update={"constraints": ()}))


def _add_stops(scene: Scene, state: DialogueState, act: acts.AddStops) -> Step:
    noted = trip.require(state, acts.Require(constraints=act.constraints)) if act.constraints else Step(state)
    unclear = stops.ambiguous_stop(scene, noted.state, act.stops)
    if unclear is not None:
        return trip.ask_which(scene.city, noted.state, unclear, act.model_copy(update={"constraints": ()}))
    added = stops.add_stops(scene, noted.state, act.stops, stay_min=act.stay_min, ordered=act.ordered)
    return Step(added.state, (*noted.said, *added.said), replan=noted.replan or added.replan)


def _dropped(scene: Scene, state: DialogueState, act: acts.DropStop) -> Step:
    reminder = reminding.meant_by(state, act, scene.city)
    if reminder is not None:
        return reminding.cancel_reminder(scene, state, reminder)
    return stops.drop_stop(scene.city, state, act)


def _without_reminders(state: DialogueState, act: acts.ChangeReminder) -> acts.Act:
    """Return what a mere time means where there is no reminder: a time limit if there is one, else a question."""
    at = act.at
    if at is not None and at.arrival and act.bare:
        return acts.AskTrip(question=acts.TripQuestion.ARRIVAL)
    if at is not None and state.wishes.budget is not None and not act.what:
        clock = acts.Clock(minutes=at.clock_min, either=at.either_half) if at.clock_min is not None else None
        return acts.SetLimit(by=clock, within_min=at.in_min)
    if act.what is None and isinstance(act.place, acts.Named | acts.Wanted) and act.bare:
        return acts.NotUnderstood(text="")
    return acts.AskReminders() if not act.bare else acts.NotUnderstood(text="")


_Handler = Callable[[Scene, DialogueState, Any], Step]


def _without_scene(handler: Callable[[DialogueState, Any], Step]) -> _Handler:
    return lambda _scene, state, act: handler(state, act)


def _with_city(handler: Callable[[City, DialogueState, Any], Step]) -> _Handler:
    return lambda scene, state, act: handler(scene.city, state, act)


_HANDLERS: dict[type[acts.Act], _Handler] = {
    acts.Require: _without_scene(trip.require),
    acts.Lift: _without_scene(trip.lift),
    acts.CancelTrip: _with_city(trip.cancel_trip),
    acts.NeverMind: _without_scene(trip.never_mind),
    acts.SetLimit: _without_scene(limits.set_limit),
    acts.LiftLimit: _without_scene(limits.lift_limit),
    acts.SetStay: _with_city(limits.set_stay),
    acts.LiftOrder: _without_scene(limits.lift_order),
    acts.ChargeIfNeeded: _with_city(limits.charge_if_needed),
    acts.ArriveCharged: _without_scene(limits.arrive_charged),
    acts.LiftCharge: _without_scene(limits.lift_charge),
    acts.AskTrip: trip.ask_trip,
    acts.Search: finding.search,
    acts.AskFact: finding.ask_fact,
    acts.SetDial: controls.set_dial,
    acts.TurnDial: _without_scene(controls.turn_dial),
    acts.SetSwitch: _without_scene(controls.set_switch),
    acts.SetWindows: _without_scene(controls.set_windows),
    acts.AskVehicle: _without_scene(controls.ask_vehicle),
    acts.AdjustDial: _without_scene(controls.adjust_dial),
    acts.SetSwitches: _without_scene(controls.set_switches),
    acts.Unclear: _without_scene(controls.unclear),
    media_acts.PlayMedia: _without_scene(media.play_media),
    media_acts.RequireMedia: _without_scene(media.require_media),
    media_acts.LiftMedia: _without_scene(media.lift_media),
    media_acts.ChooseSource: _without_scene(media.choose_source),
    media_acts.AskMedia: _without_scene(media.ask_media),
    media_acts.ControlPlayer: _without_scene(playback.control_player),
    acts.Remind: reminding.remind,
    acts.ChangeReminder: reminding.change_reminder,
    acts.CancelReminder: reminding.cancel_reminder,
    acts.AskReminders: reminding.ask_reminders,
    acts.Risky: controls.risky,
}
