"""Reminders in a clause: set, changed, taken back, asked for.

It must not know which reminders there are. What is to be remembered is not read for what it would mean by itself.
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import (
    Act,
    Anaphor,
    AskReminders,
    CancelReminder,
    ChangeReminder,
    KindOf,
    Named,
    Ordinal,
    Reference,
    Remind,
    Wanted,
)
from hairpin.testbed.parsing.references import references
from hairpin.testbed.parsing.text import blank
from hairpin.testbed.parsing.times import BARE_HOUR, CLOCK, DURATION, clock_in, minutes_in
from hairpin.testbed.reminders import Moment
from hairpin.testbed.world import City

_ASKED = re.compile(
    r"\b(?:remind (?:me|us)(?: again| then| please)?|(?:set|create|make|add|start|put)(?: up| in)?(?: me"
    r"| us)? (?:a|another|one|the) (?:new )?reminder"
    r"|(?:i|we) (?:need|want|would like) (?:a|another) reminder|(?:don't|do not) let (?:me|us) forget|(?:give"
    r"|send) me a reminder"
    r"|make sure (?:that )?(?:i|we) (?:don't|do not) forget|help me (?:to )?remember|make a note|note down"
    r"|i (?:must not|mustn't|shouldn't|should not) forget)\b"
    r"(?: (?:that|for me))?"
)
_NOT_SETTING = re.compile(
    r"^(?:what|which|when|do i|do we|have i|are there|is there|list|show|read|tell me|delete|cancel|remove"
    r"|forget|drop|clear|never ?mind|change|move|"
    r"postpone|shift|skip|scrap|how many|will you|did)\b"
)
_QUESTION = re.compile(
    r"^(?:what|which|how many|list|show|read|tell me|do (?:i|we) have|have (?:i|we)|are there|is there"
    r"|give me)\b.*\breminders?\b"
    r"|^what (?:did i (?:ask you to remind me|want to (?:remember|be reminded))|(?:should|will|do) (?:you"
    r"|i) (?:remind me|(?:have to |need to )?remember)|am i to remember)\b"
    r"|^when (?:will|do|are) you (?:going to )?remind (?:me|us)\b|^when (?:is|are) (?:the|my) reminders?\b"
)
_CANCEL = (
    r"(?:forget|cancel|delete|drop|remove|never ?mind|scrap|skip|clear|get rid of|turn off|switch off"
    r"|i (?:don't|do not|no longer) need)"
)
_CANCELLED = re.compile(
    rf"^{_CANCEL}(?: about)?(?: (?:the|my|that|this|all|every|both"
    rf"|a))* (?:(?P<before>[^,]*?) )?reminders?(?: (?:about|of|for|on|that|to|at"
    rf"|called) (?P<what>.*))?(?: any ?more)?$"
    r"|^(?:don't|do not|you (?:don't|do not) (?:have|need) to|no need to|no longer|stop) remind(?:ing)? (?:me"
    r"|us)(?: (?P<of>(?:to|of|about|that) .*))?$"
)
_DROPPED = re.compile(
    r"^(?:forget|never ?mind|cancel|delete|drop|skip|scrap)(?: about)? (?:the |my |that )(?P<a>[a-z' -]{3,40})$"
    r"|^i (?:already |'ve already |have already )(?:bought|got|called|have|picked up|did|done|sent|paid) (?:the "
    r"|my )?(?P<b>[a-z' -]{3,40})$"
)
_CHANGED = re.compile(
    r"^(?:(?:make|change|move|set|put|shift|push|postpone|reschedule|delay|bring forward|update|snooze|correct"
    r"|better|rather|no,?|sorry,?)\b)"
    r"(?: (?:it|that|this|one|that one|(?:the|my|that) reminder(?P<after> (?:about|to|for|of) [^,]*?)?|(?:the"
    r"|my) (?P<before>[^,]*?) reminder))?"
    r"(?: (?:to|at|for|until|by|from|back|forward|rather|better))*$"
)
_INSTEAD = re.compile(r"^(?:(?:rather|better|or|no|instead|actually|wait|hmm|and|please|say|maybe)\b[ ,]*)*$")
_WHEN_WE = (
    r"(?:when(?:ever)?|once|as soon as|if|the (?:next )?(?:time|moment)|next time) (?:i|we)(?:'m|'re"
    r"|'ve)?(?: (?:are|am|have|next|finally|do))*"
)
_ARRIVAL = re.compile(
    rf"\b{_WHEN_WE} (?:arrive|get there|there|arrived|reach (?:the|our|my) destination|at (?:the|our"
    rf"|my) destination|park|get out)\b(?! (?:at|in) (?!the destination))"
    r"(?: (?:at (?:the|our|my) destination|there))?|\b(?:up)?on arrival\b|\bat (?:the|our|my) destination\b"
    r"|\bwhen the (?:trip|drive) is over\b"
)
_AT_PLACE = re.compile(
    rf"\b{_WHEN_WE} (?:get|arrive|come|stop|pass(?: by)?|drive (?:past|by|through)|reach|near|approach|be|go"
    rf"|enter|walk)?(?: (?:to|at|in|by|past|near|into|around|there))* ?(?=(?:the |a |an |my |our |next )?[a-z])"
)
_HERE = re.compile(r"\b(?:at|near|in|by|close to) (?=(?:the |a |an |next )?[a-z])")
_TIME = re.compile(
    rf"\b(?:(?P<day>tomorrow)(?: (?:morning|afternoon|evening|night))?,? )?(?:(?:at|by|around|about|for|to|until"
    rf"|from|before) )*(?:(?P<clock>{CLOCK})|(?<=at )(?P<hour>{BARE_HOUR}))(?: (?P<after>tomorrow)\b| tonight"
    rf"| today| this (?:evening|afternoon))?"
)
_IN = re.compile(
    rf"\bin (?:about |around |exactly )?(?P<a>{DURATION})(?: from now)?\b|\b(?P<b>{DURATION}) from now\b"
    rf"|\bin (?:a|one) (?P<c>minute|moment)\b"
)
_VAGUE = re.compile(
    r"\b(?:(?P<tonight>tonight|this evening|in the evening)|(?P<afternoon>this afternoon|in the afternoon)"
    r"|(?P<tomorrow>tomorrow(?: (?:morning|(?P<pm>afternoon)|(?P<night>evening|night)))?))\b"
)
_YOURS = {
    "my": "your",
    "mine": "yours",
    "me": "you",
    "i": "you",
    "our": "your",
    "us": "you",
    "we": "you",
    "i'm": "you are",
    "myself": "yourself",
    "am": "are",
}
_LEADING = re.compile(r"^(?:[\s,.:;-]|(?:please|then|also|again|and)\b)+")


def reminder_acts(clause: str, city: City) -> tuple[Act, ...]:
    """Return what ``clause`` asks about reminders by that word, nothing if it does not speak of them."""
    if _QUESTION.search(clause):
        about = re.search(r"\bremind me (?P<what>(?:to|of|about) .*)", clause)
        return (AskReminders(what=about["what"] if about and clause.startswith("when") else None),)
    cancelled = _CANCELLED.match(clause)
    if cancelled:
        what = cancelled["what"] or cancelled["before"] or cancelled["of"]
        return (
            CancelReminder(what=what, every=bool(re.search(r"\b(?:all|every|both|reminders)\b", clause)) and not what),
        )
    asked = _ASKED.search(clause)
    if asked and not _NOT_SETTING.match(clause):
        return (_remind(clause, asked.span(), city),)
    return _changed(clause, city) if "reminder" in clause else ()


def dropped(clause: str) -> CancelReminder | None:
    """Return the reminder that "forget the milk" may be about; what else it may mean comes first."""
    found = _DROPPED.match(clause)
    return CancelReminder(what=found["a"] or found["b"], surely=False) if found else None


def _remind(clause: str, asked: tuple[int, int], city: City) -> Remind:
    at, place, rest = _when(blank(clause, [asked]), city, sure=True)
    what = _LEADING.sub("", " ".join(rest.split())).strip(" ,;:-")
    what = re.sub(r"^(?:that )?(?:i|we) (?:have|need|want|must|should|ought)(?: to)? ", "to ", what)
    what = re.sub(r"^for (?=(?:the|my|a|an)\b)", "about ", what)
    if what and not re.match(r"^(?:to|of|about|that)\b", what):
        what = f"about {what}" if re.match(r"^(?:the|a|an|my|our|\d)\b", what) else f"to {what}"
    spoken = " ".join(_YOURS.get(word, word) for word in what.split())
    return Remind(what=spoken, at=at, place=place)


def moment_acts(clause: str, city: City) -> tuple[Act, ...]:
    """Return the change of a reminder that a mere time or place, or "make it 18:30", may be."""
    return () if re.match(r"^(?:by|before|until|till|for)\b", clause) else _changed(clause, city)


def _changed(clause: str, city: City) -> tuple[Act, ...]:
    """Return the change that a time or a place, with nothing but "make it" around it, can be."""
    named = re.search(r"\breminder\b", clause)
    at, place, rest = _when(clause, city, sure=bool(named))
    if at is None and place is None:
        return ()
    rest = " ".join(rest.split()).strip(" ,;:-")
    change = _CHANGED.match(rest)
    if change:
        what = (change["after"] or change["before"] or "").strip() or None
        return (ChangeReminder(what=what, at=at, place=place),)
    bare = _INSTEAD.match(rest) and (
        place is None or clause.startswith(("when", "once", "as soon", "if", "next time", "the next"))
    )
    return (ChangeReminder(at=at, place=place, bare=True),) if bare else ()


def _when(text: str, city: City, *, sure: bool) -> tuple[Moment | None, Reference | None, str]:
    """Return the moment or the place in ``text``, and what is left of it."""
    arrival = _ARRIVAL.search(text)
    if arrival:
        return Moment(arrival=True), None, blank(text, [arrival.span()])
    moment = _moment(text)
    if moment is not None:
        return moment[0], None, moment[1]
    for pattern in (_AT_PLACE, _HERE) if sure else (_AT_PLACE,):
        for found in pattern.finditer(text):
            place = _place(text, found.end(), city)
            if place is not None:
                return None, place[0], blank(text, [(found.start(), place[1])])
    return None, None, text


def _moment(text: str) -> tuple[Moment, str] | None:
    later = _IN.search(text)
    if later:
        minutes = minutes_in(later["a"] or later["b"]) if later["a"] or later["b"] else 1
        if minutes:
            return Moment(in_min=minutes), blank(text, [later.span()])
    for found in _TIME.finditer(text):
        clock = clock_in(found["clock"] or found["hour"])
        if clock is not None:
            tomorrow = bool(found["day"] or found["after"])
            moment = Moment(clock_min=clock.minutes, either_half=clock.either, tomorrow=tomorrow)
            return moment, blank(text, [found.span()])
    vague = _VAGUE.search(text)
    if vague is None:
        return None
    hour = 20 if vague["tonight"] or vague["night"] else 15 if vague["afternoon"] or vague["pm"] else 8
    return Moment(clock_min=hour * 60, tomorrow=bool(vague["tomorrow"])), blank(text, [vague.span()])


def _place(text: str, start: int, city: City) -> tuple[Reference, int] | None:
    """Return the place that begins at ``start`` and where it ends."""
    for span in references(text[start:], city):
        if re.fullmatch(r"(?:the |a |an |my |our |next |nearest )*", text[start : start + span.start]):
            value = span.value
            if isinstance(value, Named | Wanted | KindOf | Ordinal | Anaphor):
                return value, start + span.end
    return None
