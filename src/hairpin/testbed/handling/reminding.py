"""Reminders: setting, changing, cancelling and telling them.

It must not touch the trip. They do not go off: the car's clock stands still in a conversation.
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import AskReminders, CancelReminder, ChangeReminder, DropStop, Remind, Wanted
from hairpin.testbed.choice import Option
from hairpin.testbed.clock_time import DAY_MIN, format_time
from hairpin.testbed.handling.choosing import ask_choice
from hairpin.testbed.handling.resolving import Ambiguous, pick, resolve
from hairpin.testbed.handling.step import Scene, Step, say
from hairpin.testbed.handling.trip import ask_which
from hairpin.testbed.labels import spot_label
from hairpin.testbed.parsing.lexicon import CATEGORY_WORDS, NOUNS
from hairpin.testbed.reminders import Moment, Reminder
from hairpin.testbed.state import DialogueState
from hairpin.testbed.wording import Listing, Phrase
from hairpin.testbed.world import City

_ARTICLES = frozenset({"to", "of", "the", "a", "an", "my", "your", "about"})
_IDLE_WORDS = _ARTICLES | {"that", "our", "his", "her", "its", "for", "at", "in", "on", "and", "reminder", "buy", "get"}
_IDLE_WORDS |= {"pick", "up", "call"}


def remind(scene: Scene, state: DialogueState, act: Remind) -> Step:
    """Set a reminder, or ask when it is due, or what it is about."""
    if not act.what:
        return Step(state.but(reminding=act), (say("reminder.what"),))
    if act.at is None and act.place is None:
        return Step(state.but(reminding=act), (say("reminder.when", what=act.what),))
    due = _due(scene, state, act)
    if not isinstance(due, Reminder):
        return due
    same = [r for r in state.reminders if r.model_copy(update={"id": due.id}) == due]
    if same:
        return Step(state.but(reminding=None, reminder=same[0].id), (_told(scene.city, "reminder.already", due),))
    state = state.but(reminders=(*state.reminders, due), reminder=due.id, reminding=None)
    return Step(state, (_told(scene.city, "reminder.set", due),))


def change_reminder(scene: Scene, state: DialogueState, act: ChangeReminder) -> Step:
    """Change when a reminder is due; a mere time answers the question when."""
    if state.reminding is not None and act.what is None:
        return remind(scene, state, state.reminding.model_copy(update={"at": act.at, "place": act.place}))
    found = _meant(state, act.what)
    if not found:
        return _not_found(state, act.what, bare=act.bare)
    if len(found) > 1:
        options = tuple(
            Option(label=_item(scene.city, r), words=_words(r), act=act.model_copy(update={"what": f"#{r.id}"}))
            for r in found
        )
        return ask_choice(state, options, key="reminder.which")
    due = _due(scene, state, Remind(what=found[0].what, at=act.at, place=act.place))
    if not isinstance(due, Reminder):
        return due
    changed = due.model_copy(update={"id": found[0].id})
    reminders = tuple(changed if r.id == changed.id else r for r in state.reminders)
    key = "reminder.already" if changed == found[0] else "reminder.changed"
    return Step(state.but(reminders=reminders, reminder=changed.id), (_told(scene.city, key, changed),))


def cancel_reminder(scene: Scene, state: DialogueState, act: CancelReminder) -> Step:
    """Take a reminder back; ask which if several are meant."""
    if state.reminding is not None and (act.what is None or _shares(act.what, state.reminding.what)):
        return Step(state.but(reminding=None), (say("clarify.dropped"),))
    if act.every and len(state.reminders) > 1:
        return Step(state.but(reminders=(), reminder=None), (say("reminder.cancelled_all"),))
    found = _meant(state, act.what)
    if not found:
        return _not_found(state, act.what, bare=not act.surely)
    if len(found) > 1:
        options = tuple(
            Option(label=_item(scene.city, r), words=_words(r), act=CancelReminder(what=f"#{r.id}")) for r in found
        )
        return ask_choice(state, options, key="reminder.which")
    reminders = tuple(r for r in state.reminders if r.id != found[0].id)
    return Step(state.but(reminders=reminders, reminder=None), (_told(scene.city, "reminder.cancelled", found[0]),))


def meant_by(state: DialogueState, act: DropStop, city: City) -> CancelReminder | None:
    """Return the reminder that "forget the supermarket" takes back where there is no such stop, destination or list."""
    what = act.what
    if not isinstance(what, Wanted) or what.category is None:
        return None
    spots = (*state.stops, *state.results, *filter(None, [state.destination]))
    if any(spot in city.pois and city.pois[spot].category is what.category for spot in spots):
        return None
    noun = NOUNS[what.category][0]
    words = next((w for w in (noun, *CATEGORY_WORDS[what.category]) if _named(state.reminders, w)), None)
    return CancelReminder(what=words) if words is not None else None


def ask_reminders(scene: Scene, state: DialogueState, act: AskReminders) -> Step:
    """Tell the reminders, or the one that is asked about."""
    if not state.reminders:
        return Step(state, (say("reminder.none"),))
    found = _named(state.reminders, act.what) if act.what else state.reminders
    if not found:
        return Step(state, (say("reminder.missing", what=act.what or ""),))
    items = Listing(items=tuple(_item(scene.city, reminder) for reminder in found))
    focus = found[0].id if len(found) == 1 else state.reminder
    return Step(state.but(reminder=focus), (say("reminder.told", reminders=items),))


def _due(scene: Scene, state: DialogueState, act: Remind) -> Reminder | Step:
    """Return the reminder that ``act`` means; a step if the place is unclear."""
    number = max((r.id for r in state.reminders), default=0) + 1
    if act.place is None:
        moment = act.at or Moment()
        return Reminder(
            id=number, what=act.what, due_min=moment.due_min(state.situation.time_min), arrival=moment.arrival
        )
    if isinstance(act.place, Wanted) and act.place.category is not None:
        trip = (*state.stops, *filter(None, [state.destination]))
        planned = pick(act.place, trip, scene.city, state.situation.location) if act.place.definite else None
        if planned is not None:
            return Reminder(id=number, what=act.what, place=planned)
        if act.place.near is None and not act.place.nearest:
            return Reminder(id=number, what=act.what, category=act.place.category)
    spot = resolve(act.place, state, scene.city)
    if isinstance(spot, Ambiguous):
        return ask_which(scene.city, state.but(reminding=None), spot, act)
    if isinstance(spot, Phrase):
        return Step(state, (spot,))
    return Reminder(id=number, what=act.what, place=spot)


def _meant(state: DialogueState, what: str | None) -> tuple[Reminder, ...]:
    """Return the reminders that ``what`` can mean; without it the one spoken of last, else all."""
    if what is not None:
        return _named(state.reminders, what)
    focus = tuple(r for r in state.reminders if r.id == state.reminder)
    return focus or state.reminders


def _named(reminders: tuple[Reminder, ...], what: str) -> tuple[Reminder, ...]:
    if what.startswith("#"):
        return tuple(r for r in reminders if what == f"#{r.id}")
    shared = [
        len(_content(what) & _content(f"{r.what} {NOUNS[r.category][0] if r.category else ''}")) for r in reminders
    ]
    best = max(shared, default=0)
    exact = tuple(r for r, n in zip(reminders, shared, strict=True) if n == best and best)
    if exact:
        return exact
    words = set(what.casefold().split())
    return tuple(r for r in reminders if words & set(r.what.casefold().split()) - _ARTICLES)


def _shares(one: str, other: str) -> bool:
    return bool(_content(one) & _content(other))


def _content(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w']+", text.casefold())) - _IDLE_WORDS


def _words(reminder: Reminder) -> tuple[str, ...]:
    return tuple(sorted(_content(reminder.what))) + (
        (format_time(reminder.due_min),) if reminder.due_min is not None else ()
    )


def _not_found(state: DialogueState, what: str | None, *, bare: bool) -> Step:
    if bare:
        text = what or ""
        return Step(state, (say("unknown.part", part=text) if text else say("unknown"),))
    return Step(state, (say("reminder.missing", what=what) if what and state.reminders else say("reminder.none"),))


def _told(city: City, key: str, reminder: Reminder) -> Phrase:
    return say(key, what=reminder.what, when=_when(city, reminder))


def _item(city: City, reminder: Reminder) -> Phrase:
    return _told(city, "reminder.item", reminder)


def _when(city: City, reminder: Reminder) -> Phrase:
    if reminder.due_min is not None:
        day = "tomorrow" if reminder.due_min >= DAY_MIN else "clock"
        return say(f"when.{day}", time=format_time(reminder.due_min))
    if reminder.category is not None:
        noun = NOUNS[reminder.category][0]
        return say("when.kind", kind=f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}")
    if reminder.place is not None:
        return say("when.place", place=spot_label(city, reminder.place))
    return say("when.arrival")
