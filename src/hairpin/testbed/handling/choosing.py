"""Questions about anything but places: which of several is meant, which value, when; and what answers them.

It must not know what the options are about. Questions about places are in ``handling.trip``.
"""

from __future__ import annotations

import re

from hairpin.testbed.acts import (
    Act,
    AskFact,
    AskTrip,
    AskVehicle,
    CancelReminder,
    Courtesy,
    Mention,
    NeverMind,
    NotUnderstood,
    Reference,
    Request,
    Search,
    SetDial,
    SmallTalk,
)
from hairpin.testbed.choice import Choice, Option
from hairpin.testbed.handling.step import Step, say
from hairpin.testbed.media_acts import AskMedia, PlayMedia
from hairpin.testbed.parsing.text import fold
from hairpin.testbed.parsing.vehicle import number
from hairpin.testbed.state import DialogueState
from hairpin.testbed.vehicle import DIALS, Dial
from hairpin.testbed.wording import Listing, Phrase

_ORDINALS = {"first": 0, "1st": 0, "former": 0, "second": 1, "2nd": 1, "latter": 1, "third": 2, "3rd": 2, "last": -1}
_ORDINAL = re.compile(
    r"\b(?P<word>" + "|".join(_ORDINALS) + r")\b|\b(?:number|option) (?P<number>[123]|one|two|three)\b"
)
_NUMBERS = {"one": 0, "two": 1, "three": 2, "1": 0, "2": 1, "3": 2}
_HALF = re.compile(r"\b(?:half(?:way)?|in the middle)\b")
_FULL = re.compile(r"\b(?:full(?:y)?|completely|all the way|max(?:imum)?|open)\b")
_SHUT = re.compile(r"\b(?:close[ds]?|shut|min(?:imum)?|off|not at all)\b")


def ask_choice(state: DialogueState, options: tuple[Option, ...], *, key: str, **slots: str | Phrase) -> Step:
    """Ask which of ``options`` is meant, with the sentence ``key``; the answer carries out the act of one."""
    labels = Listing(items=tuple(option.label for option in options), word="or")
    choice = Choice(t=state.t, options=options)
    return Step(state.but(choice=choice, pending=None), (say(key, options=labels, **slots),))


def ask_value(state: DialogueState, dial: Dial, step: Step) -> Step:
    """Keep the question of ``step``, which asks for the value of ``dial``, open."""
    return Step(step.state.but(choice=Choice(t=state.t, dial=dial), pending=None), step.said)


def is_fresh(state: DialogueState) -> bool:
    """Whether the open question was asked in the exchange before this one."""
    return state.choice is not None and state.choice.t == state.t - 1


def asked_again(state: DialogueState) -> Step:
    """Ask once more what was not answered."""
    choice = state.choice
    assert choice is not None
    if choice.dial is not None:
        return Step(state, (say("choose.value_again"),))
    labels = Listing(items=tuple(option.label for option in choice.options), word="or")
    return Step(state, (say("clarify.again", options=labels),))


def waits_for_place(state: DialogueState) -> bool:
    """Whether it was asked when a reminder is due, so that a mere place answers it."""
    return state.reminding is not None and bool(state.reminding.what)


def meant_place(act: Mention | Search) -> Reference:
    """Return the place that ``act`` speaks of."""
    return act.what if isinstance(act, Mention) else act.wanted


def answered(state: DialogueState, requests: tuple[Request, ...]) -> tuple[Request, ...]:
    """Return ``requests`` with the answer to the open question in the place of what it would mean by itself."""
    choice, waiting = state.choice, state.reminding
    if waiting is not None and not waiting.what and requests and _is_text(requests[0].act):
        text = re.sub(r"^(?:to|of|about) ", "", " and ".join(request.text for request in requests))
        return (Request(text=text, act=waiting.model_copy(update={"what": f"to {text}"})),)
    if choice is None or len(requests) != 1:
        return requests
    (request,) = requests
    act = _meant(choice, request)
    return (request.model_copy(update={"act": act}),) if act is not None else requests


def forgotten(before: DialogueState, state: DialogueState, requests: tuple[Request, ...]) -> DialogueState:
    """Drop a question that was open ``before`` once something was done; a mere question of the user leaves it."""
    idle = AskFact | AskTrip | AskVehicle | AskMedia | SmallTalk | NotUnderstood
    if all(isinstance(r.act, idle) for r in requests):
        return state
    choice = None if state.choice is before.choice else state.choice
    return state.but(choice=choice, reminding=None if state.reminding is before.reminding else state.reminding)


def _meant(choice: Choice, request: Request) -> Act | None:
    text = fold(request.text)
    if choice.dial is not None:
        value = _value(choice.dial, text) if _may_answer(request.act) else None
        return SetDial(dial=choice.dial, value=value) if value is not None else None
    if not _may_answer(request.act):
        return None
    return _option(choice.options, text)


def _is_text(act: Act) -> bool:
    """Whether the words of ``act`` may be what a reminder is about."""
    return not isinstance(act, NeverMind | CancelReminder) and not (
        isinstance(act, SmallTalk) and act.courtesy is not Courtesy.ACK
    )


def _may_answer(act: Act) -> bool:
    """Whether ``act`` is what a bare answer sounds like; a whole request stands for itself."""
    if isinstance(act, SmallTalk):
        return act.courtesy is Courtesy.ACK
    if isinstance(act, PlayMedia):
        return act.wanted.unknown is not None or len(act.wanted.ids) != 1
    return isinstance(act, Mention | NotUnderstood | Search | NeverMind | SetDial)


def _option(options: tuple[Option, ...], text: str) -> Act | None:
    """Return the act of the option that ``text`` points at: by its place in the list, or by most of its words."""
    ordinal = _ORDINAL.search(text)
    if ordinal:
        index = _ORDINALS[ordinal["word"]] if ordinal["word"] else _NUMBERS[ordinal["number"]]
        return options[index].act if index < len(options) else None
    hits = [sum(bool(re.search(rf"\b{re.escape(fold(word))}\b", text)) for word in option.words) for option in options]
    best = max(hits, default=0)
    return options[hits.index(best)].act if best and hits.count(best) == 1 else None


def _value(dial: Dial, text: str) -> float | None:
    limits = DIALS[dial]
    said = number(text)
    if said is not None:
        return said
    if _HALF.search(text):
        return (limits.low + limits.high) / 2
    if _SHUT.search(text):
        return limits.low
    return limits.high if _FULL.search(text) else None
