"""Conditions on routes in a clause: put in force or taken back.

It must not say what they apply to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hairpin.testbed.constraints import Constraint
from hairpin.testbed.parsing.lexicon import MOTORWAY_WORDS, TOLL_WORDS
from hairpin.testbed.parsing.text import blank

_ITEM = (
    r"(?:(?:any |all |the |those |these |such |paying |pay |big |major )*"
    rf"(?:{TOLL_WORDS}|{MOTORWAY_WORDS})\b(?![- ]free)(?: at all)?)"
)
_LIST = rf"{_ITEM}(?:(?:,? (?:and|or|nor|as well as|and also)|,) (?:no |without |avoid )?{_ITEM})*"
_SCENIC = (
    r"(?:scenic|picturesque|pretty|beautiful|panoramic)(?: (?:route|way|drive|road|roads|trip|option|one|thing|part"
    r"|detour))?"
)
_SCENIC_TO = r"(?:scenic|picturesque|pretty|beautiful|panoramic)(?= (?:route|way|drive|road|trip|tour|detour) to\b)"
"""Said of a way to somewhere, which is left to be read."""
_NATURE = (
    r"(?:through|past|along|across|by|via) (?:a |the |some |any )?(?:nice |beautiful |green |big |lovely )?"
    r"(?:parks?|greenery|nature|green areas?|gardens?|forests?|woods)(?! station)"
)

_NOT = r"(?:don't|do not|doesn't|does not|not|never|no longer|rather not|won't|can't|cannot)"
_AVOID = re.compile(
    rf"\b(?:avoid(?:s|ing|ed)?|without(?: using| taking| driving on| going on| paying| any)?|no"
    rf"|{_NOT}(?: \w+){{0,2}} (?:use|using|take|taking|want|wanting|like|include|including|drive on|driving on|go on"
    rf"|going on|via|over|pay)(?: on| over| for)?"
    rf"|skip(?:ping)?|bypass(?:ing)?|exclud(?:e|ing)|circumvent(?:ing)?|hate|keep(?:ing)? (?:off|away from|clear of"
    rf"|me off|us off)|stay(?:ing)? (?:off|away from|clear of)"
    rf"|steer(?:ing)? clear of|free (?:of|from)|instead of|rather than|but not|not (?:on|via|over)|except"
    rf"|avoidance of|away from)\s+(?P<items>{_LIST})"
)
_FREE = re.compile(r"\b(?P<items>toll|motorway|highway|freeway|autobahn)s?[- ]free\b")
_ELLIPSIS = re.compile(rf"^(?:and |also |the same (?:goes )?for |nor |no )*(?P<items>{_LIST})$")

_LIFT = re.compile(
    rf"\b(?:(?P<fine>{_LIST}) (?:is|are|would be|'re|were) (?:now |also |perfectly |totally |actually )*"
    r"(?:fine|ok|okay|alright|all right|allowed|acceptable|no problem|not a problem|possible|permitted|good)"
    rf"|(?:allow(?:ing)?|permit|accept|{_NOT} mind(?: using| taking| paying)?|can (?:now )?(?:use|take)"
    rf"|may (?:now )?(?:use|take)|fine with|okay with|ok with"
    rf"|(?:free|okay|ok|fine|happy) to (?:use|take|pay)|^(?:let's |we can |you can |you may )?(?:use|take"
    rf"|include)) (?P<allow>{_LIST})"
    rf"|(?:no need to|need not|needn't|{_NOT}(?: (?:have|need) to)?|stop|no longer|quit|forget (?:about )?"
    rf"|never ?mind) (?:bother )?avoid(?:ing)? (?P<unavoid>{_LIST})"
    rf"|(?:forget|never ?mind|ignore)(?: (?:what i said|what i told you|that|the (?:thing|part|rule)))?(?: about)?"
    rf" (?P<forget>{_LIST})(?: (?:restriction|constraint|condition|thing"
    rf"|part|rule|ban|business|request)s?)?"
    rf"|(?:drop|cancel|remove|lift|skip|scrap|undo)(?: about)? (?P<drop>{_LIST}) (?:restriction|constraint|condition"
    rf"|thing|part|rule|ban|request|avoidance)s?)"
)
_LIFT_SCENIC = re.compile(
    rf"\b(?:(?:forget|never ?mind|drop|skip|cancel|remove|ignore|scrap|{_NOT} (?:need|want|care (?:for|about))"
    rf"|no more|no|instead of|rather than)(?: about)?"
    rf"(?: (?:the|a|that|my))* {_SCENIC}|{_NOT}(?: (?:have|need) to)? be {_SCENIC}|not (?:the |a )?{_SCENIC}"
    r"|(?:make it|back to|just|only|simply|prefer|take|use|give me|show me|switch to|i want|want) (?:the "
    r"|a )?(?:fastest|quickest|shortest|direct)"
    r"(?: (?:route|way|one|option))(?! to))"
)
_REQUIRE_SCENIC = re.compile(rf"\b(?:{_SCENIC_TO}|{_SCENIC}|{_NATURE})\b")


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a clause says of conditions, and what is left of it when those words are blanked."""

    required: tuple[Constraint, ...]
    lifted: tuple[Constraint, ...]
    rest: str


def conditions(clause: str) -> Conditions:
    """Return the conditions in a folded clause."""
    rest, lifted = _take(clause, _LIFT, [])
    rest, lifted = _take(rest, _LIFT_SCENIC, lifted, Constraint.SCENIC)
    required: list[Constraint] = []
    for pattern in (_AVOID, _FREE, _ELLIPSIS):
        rest, required = _take(rest, pattern, required)
    rest, required = _take(rest, _REQUIRE_SCENIC, required, Constraint.SCENIC)
    return Conditions(required=tuple(required), lifted=tuple(lifted), rest=rest)


def _take(
    text: str, pattern: re.Pattern[str], found: list[Constraint], constraint: Constraint | None = None
) -> tuple[str, list[Constraint]]:
    matches = list(pattern.finditer(text))
    new = [c for m in matches for c in ((constraint,) if constraint else _items(m))]
    return blank(text, [m.span() for m in matches]), list(dict.fromkeys([*found, *new]))


def _items(match: re.Match[str]) -> list[Constraint]:
    words = " ".join(group for group in match.groupdict().values() if group)
    named = []
    if re.search(rf"\b(?:{TOLL_WORDS}|toll)\b", words):
        named.append(Constraint.AVOID_TOLLS)
    if re.search(rf"\b{MOTORWAY_WORDS}\b", words):
        named.append(Constraint.AVOID_MOTORWAYS)
    return named
