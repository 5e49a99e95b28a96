"""From an utterance to the requests in it.

Pure: it knows the map, not the dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from hairpin.testbed.acts import (
    Act,
    AddStops,
    Anaphor,
    Courtesy,
    Mention,
    Navigate,
    NotUnderstood,
    Request,
    Risky,
    SetStay,
    SmallTalk,
    UnsafeKind,
)
from hairpin.testbed.media_acts import PlayMedia
from hairpin.testbed.parsing.borders import parts
from hairpin.testbed.parsing.clauses import (
    bare,
    clauses,
    is_apology,
    is_filler,
    opens_with_first,
    sounds_like_request,
)
from hairpin.testbed.parsing.joining import in_own_words, merged
from hairpin.testbed.parsing.media import media_acts
from hairpin.testbed.parsing.places import chooses, fact_question, mention, search_act
from hairpin.testbed.parsing.references import references
from hairpin.testbed.parsing.reminders import dropped, moment_acts, reminder_acts
from hairpin.testbed.parsing.stop_orders import stop_order
from hairpin.testbed.parsing.time_wishes import TimeWishes, lifts_limit, time_wishes
from hairpin.testbed.parsing.trip import trip_acts
from hairpin.testbed.parsing.trip_checks import opening_question, trip_check
from hairpin.testbed.parsing.trip_questions import trip_question
from hairpin.testbed.parsing.unsafe import unsafe_wish
from hairpin.testbed.parsing.vehicle import every_zone, vehicle_act, vehicle_question
from hairpin.testbed.world import City

MAX_CHARS: Final = 20_000
"""A server answers others meanwhile: one utterance must not keep it busy for long."""

_COURTESIES: tuple[tuple[Courtesy, re.Pattern[str]], ...] = (
    (
        Courtesy.HELP,
        re.compile(
            r"^(?:help(?: me)?|what (?:can|could|do) you (?:do|offer)(?: for me)?|what are you able to do"
            r"|how can you help(?: me)?)$"
        ),
    ),
    (
        Courtesy.HELLO,
        re.compile(
            r"^(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|hi there|hello there|hey there|servus"
            r"|greetings)(?: (?:car|there|assistant))?$"
        ),
    ),
    (
        Courtesy.BYE,
        re.compile(
            r"^(?:good ?bye|bye|bye bye|see you(?: later)?|that's all(?: for now)?|that is all|that was all|ciao)$"
        ),
    ),
    (
        Courtesy.THANKS,
        re.compile(
            r"^(?:(?:many |great |ok |okay |perfect )?(?:thanks|thank you)\b.*|cheers|much appreciated"
            r"|you're (?:great|the best).*)$"
        ),
    ),
    (
        Courtesy.ACK,
        re.compile(
            r"^(?:yes|yeah|yep|no|nope|ok|okay|fine|great|good|perfect|alright|all right|sure|right|correct|exactly"
            r"|wonderful|excellent|sounds good|that's (?:fine|good|great|ok|okay|right|perfect)"
            r"|(?:no|that) works|nice|cool|lovely|got it|i see|understood|very good|go ahead|do (?:it|that)|so be it"
            r"|well|hm+|ah|oh)(?: (?:please|then|so))*$"
        ),
    ),
)
_LEAVE_ALONE = re.compile(
    r"^(?:please )?(?:don't|do not|never) (?:ever )?(?:turn|switch|open|close|shut|play|set|lock|unlock|disable"
    r"|deactivate|start|change)\b"
)
"""A wish that something stays as it is."""

_VAGUE_VERBS = ("put on", "turn on", "switch on", "start", "give me", "get me", "add")
"""What is said of media and of the vehicle alike."""

_STOPPING = re.compile(
    r"^(?:(?:i|we|let us|let's|need|want|have|to|a|make|take|the|please|will)\b ?)*"
    r"(?:stop|stopover|break|stay|pause|rest|there)?$"
)


@lru_cache(maxsize=4096)
def parse(utterance: str, city: City) -> tuple[Request, ...]:
    """Return the requests in ``utterance``, in order; never empty.

    Conditions said right after a destination or a stop belong to it. Small talk and phrases that only colour the
    rest are left out when anything else was said. What is longer than anybody says in a car is not understood.
    """
    if len(utterance) > MAX_CHARS:
        return (Request(text=utterance[:MAX_CHARS], act=NotUnderstood(text=utterance[:MAX_CHARS])),)
    found = [Request(text=text, act=act) for text in _clauses(utterance, city) for act in _acts(text, city)]
    requests = [in_own_words(request, utterance) for request in merged(found)]
    if any(isinstance(r.act, Risky) and r.act.kind is UnsafeKind.ALCOHOL for r in requests):
        requests = [r for r in requests if not isinstance(r.act, Navigate | AddStops | NotUnderstood)]
    understood = [r for r in requests if not isinstance(r.act, SmallTalk | NotUnderstood)]
    if understood:
        odd = [r for r in requests if isinstance(r.act, NotUnderstood) and r.act.request]
        return tuple(r for r in requests if r in understood or r in odd)
    odd = [r for r in requests if isinstance(r.act, NotUnderstood) and r.act.request]
    talk = sorted((r for r in requests if isinstance(r.act, SmallTalk)), key=_talk_rank)
    rest = [r for r in requests if isinstance(r.act, NotUnderstood)]
    return tuple((odd or talk or rest)[:1]) or (Request(text=utterance, act=NotUnderstood(text=utterance)),)


def _clauses(utterance: str, city: City) -> tuple[str, ...]:
    return tuple(part for clause in clauses(utterance) for part in parts(clause, lambda text: _acts(text, city)))


def _talk_rank(request: Request) -> int:
    """Which small talk is answered if there is nothing else: a question first, a mere "ok" last."""
    courtesy = request.act.courtesy if isinstance(request.act, SmallTalk) else None
    return {Courtesy.HELP: 0, Courtesy.ACK: 2}.get(courtesy, 1) if courtesy else 1


def _acts(clause: str, city: City) -> tuple[Act, ...]:
    talk = _small_talk(clause.strip(" ,;:-"))
    if talk:
        return (talk,)
    text = bare(clause)
    if not text or is_apology(clause):
        return (SmallTalk(courtesy=Courtesy.ACK),)
    noted = reminder_acts(text, city)
    if noted:
        return noted
    heard = media_acts(text, clause)
    if heard and not (isinstance(heard[-1], PlayMedia) and (unsafe_wish(text) or _is_part(heard[-1], text))):
        return heard
    if _LEAVE_ALONE.match(text):
        return (SmallTalk(courtesy=Courtesy.ACK),)
    said = time_wishes(clause if lifts_limit(clause) else text)
    demanded = stop_order(_with_first(clause, said.rest), city)
    timed = said.acts or said.stay_min is not None
    if demanded and not timed:
        return demanded
    if timed and not unsafe_wish(text):
        wished = _timed(demanded or _requested(said.rest, said.rest, city), said, city)
        if wished:
            return wished
    return _requested(text, clause, city)


def _is_part(act: PlayMedia, text: str) -> bool:
    """Whether a title that is not known is a part of the vehicle: "put on the fog lights"."""
    return act.wanted.unknown is not None and text.startswith(_VAGUE_VERBS) and vehicle_act(text) is not None


def _with_first(clause: str, rest: str) -> str:
    """Return ``rest`` with the "first" at the beginning of ``clause`` that was taken off with the polite words."""
    return f"first {rest}" if opens_with_first(clause) and not rest.startswith("first") else rest


def _timed(rest: tuple[Act, ...], said: TimeWishes, city: City) -> tuple[Act, ...]:
    """Join what a clause says of time to what else it asks for; nothing if its stay belongs to something else."""
    acts = tuple(act for act in rest if not isinstance(act, SmallTalk) and not _is_noise(act))
    if said.stay_min is None:
        return (*acts, *said.acts)
    if any(isinstance(act, AddStops) or (isinstance(act, Navigate) and act.stops) for act in acts):
        return (*(_staying(act, said.stay_min) for act in acts), *said.acts)
    places = [span.value for span in references(said.rest, city)]
    at = next((place for place in places if not isinstance(place, Anaphor)), None)
    if at is None and not places and not _STOPPING.match(said.rest):
        return said.acts
    travel = tuple(act for act in acts if isinstance(act, Navigate) and places and at is None)
    return (*travel, SetStay(minutes=said.stay_min, at=at), *said.acts)


def _is_noise(act: Act) -> bool:
    return isinstance(act, NotUnderstood) and not act.request


def _staying(act: Act, minutes: int) -> Act:
    return act.model_copy(update={"stay_min": minutes}) if isinstance(act, AddStops | Navigate) else act


def _requested(text: str, clause: str, city: City) -> tuple[Act, ...]:
    """Return what ``text``, the bare ``clause``, asks for besides time and charge."""
    if not text:
        return ()
    risky = unsafe_wish(text)
    if risky:
        rest = trip_acts(" ".join(risky.rest.split()), city) if references(risky.rest, city) else ()
        return (*(act for act in rest if isinstance(act, Navigate | AddStops)), risky.act)
    acts = _meaning(text, city)
    if acts:
        return acts
    talk = _small_talk(text)
    if talk:
        return (talk,)
    if is_filler(clause) or is_filler(text):
        return (SmallTalk(courtesy=Courtesy.ACK),)
    return (NotUnderstood(text=text, request=sounds_like_request(text) or sounds_like_request(clause)),)


def _meaning(text: str, city: City) -> tuple[Act, ...]:
    readers: tuple[Callable[[], Act | tuple[Act, ...] | None], ...] = (
        lambda: moment_acts(text, city),
        lambda: opening_question(text, city),
        lambda: trip_check(text, city),
        lambda: vehicle_question(text),
        lambda: trip_question(text, city),
        lambda: fact_question(text, city),
        lambda: _vehicle_acts(text),
        lambda: trip_acts(text, city),
        lambda: _choice(text, city),
        lambda: search_act(text, city),
        lambda: mention(text, city),
        lambda: dropped(text),
    )
    for read in readers:
        found = read()
        if found:
            return found if isinstance(found, tuple) else (found,)
    return ()


def _vehicle_acts(text: str) -> tuple[Act, ...]:
    act = vehicle_act(text)
    return every_zone(act, text) if act is not None else ()


def _choice(text: str, city: City) -> Act | None:
    """ "Take the second one": a place picked, to go there."""
    if not chooses(text):
        return None
    only = mention(text, city)
    return only if isinstance(only, Mention) else None


def _small_talk(text: str) -> SmallTalk | None:
    for courtesy, pattern in _COURTESIES:
        if pattern.match(text):
            return SmallTalk(courtesy=courtesy)
    return None
