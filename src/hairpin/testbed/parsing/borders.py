"""Cuts a clause where no opening word shows a border, by what its parts mean.

It must not read a part itself; the parser hands in how.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from hairpin.testbed import acts, media_acts
from hairpin.testbed.acts import Act

Read = Callable[[str], tuple[Act, ...]]
"""What a text, taken as one clause, asks for."""

MAX_CLAUSE: Final = 400
"""Characters of a clause that is cut; nobody says a longer one."""
_MAX_BORDERS: Final = 8

_BORDER = re.compile(
    r",?\s+(?P<reason>because|since|so that)\s+|(?P<intro>:\s+|,?\s+so\s+)"
    r"|\s*[,;]\s+|\s+-+\s+|,?\s+(?:and|while you)\s+"
)
"""Before a reason, after words that lead up to a request, or between any two parts."""
_PRONOUN = r"(?:i|we|he|she|it|they|this|that|there|everyone|everybody|nobody|somebody|someone)"
_VERB = (
    r"(?:is|are|was|were|has|have|had|needs?|wants?|hurts?|feels?|likes?|loves?|looks?|sounds?|got|gets?|can't|cannot"
    r"|isn't|aren't|must|will|won't|keeps?|\w+ed)"
)
_STATEMENT = re.compile(rf"^(?:{_PRONOUN}(?:'\w+)?\s+\w+|(?:my|our) \w+ \w+|(?:my|our|the) (?:\w+ ){{1,2}}{_VERB}\b)")
"""A sentence with a subject and a verb, which tells something: "my ears hurt", "it's date night"."""

_DOMAINS: tuple[tuple[str, tuple[type[Act], ...]], ...] = (
    (
        "media",
        (
            media_acts.PlayMedia,
            media_acts.ControlPlayer,
            media_acts.ChooseSource,
            media_acts.AskMedia,
        ),
    ),
    (
        "vehicle",
        (
            acts.SetDial,
            acts.TurnDial,
            acts.SetSwitch,
            acts.SetSwitches,
            acts.SetWindows,
            acts.AdjustDial,
            acts.AskVehicle,
            acts.Unclear,
        ),
    ),
    ("trip", (acts.Navigate, acts.AddStops)),
    ("place", (acts.Search,)),
)
_WHOLE = (acts.Risky, acts.Remind, acts.ChangeReminder)
"""What is never cut: the words after it belong to it."""


def parts(clause: str, read: Read) -> tuple[str, ...]:
    """Return the parts of ``clause`` that ask for something, in order; itself where it is one.

    It is cut in two where both parts ask for something and one of them would be lost, and what merely tells something
    is taken off where it keeps the rest from being understood.
    """
    borders = list(_BORDER.finditer(clause))[:_MAX_BORDERS] if len(clause) <= MAX_CLAUSE else []
    whole = read(clause) if borders else ()
    if any(isinstance(act, _WHOLE) for act in whole):
        return (clause,)
    for border in borders:
        cut = _cut(whole, clause, border, read)
        if cut:
            return tuple(part for text in cut for part in parts(text, read))
    return (clause,)


def _cut(whole: tuple[Act, ...], clause: str, border: re.Match[str], read: Read) -> tuple[str, ...]:
    """Return the texts around ``border`` that are parts of their own, nothing if they belong together."""
    head, tail = clause[: border.start()], clause[border.end() :]
    before, after = read(head), read(tail)
    if any(isinstance(act, _WHOLE) for act in (*before, *after)):
        return ()
    known, first, second = _domains(whole), _domains(before), _domains(after)
    if first and second:
        apart = _is_trip(before) if border["intro"] else not border["reason"]
        return (head, tail) if apart and known < first | second else ()
    if second and not _asks(before) and (border["intro"] or (not known and _STATEMENT.match(head))):
        return (tail,)
    if first and not known and not _asks(after) and (border["reason"] or _STATEMENT.match(tail)):
        return (head,)
    return ()


def _domains(found: tuple[Act, ...]) -> frozenset[str]:
    """Return what is spoken of by acts that can be carried out as they are."""
    plain = [act for act in found if not _is_guess(act)]
    return frozenset(name for name, kinds in _DOMAINS if any(isinstance(act, kinds) for act in plain))


def _is_guess(act: Act) -> bool:
    """Whether ``act`` may well be a misreading: a name that is not known, a hint, a stop at "it"."""
    if isinstance(act, media_acts.PlayMedia):
        return act.wanted.unknown is not None
    if isinstance(act, acts.Navigate):
        return act.to is None or (isinstance(act.to, acts.Named) and not act.to.ids)
    if isinstance(act, acts.AddStops):
        return all(isinstance(stop, acts.Anaphor) for stop in act.stops)
    return isinstance(act, acts.Search) and act.hinted


def _is_trip(found: tuple[Act, ...]) -> bool:
    return any(isinstance(act, acts.Navigate) for act in found)


def _asks(found: tuple[Act, ...]) -> bool:
    return any(not isinstance(act, acts.SmallTalk | acts.NotUnderstood) for act in found)
