"""Conditions on what is played in a clause: put in force or taken back.

It must not say what is to be played.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hairpin.testbed.media_acts import LANGUAGES, MediaCondition
from hairpin.testbed.parsing.text import blank

ADS = r"(?:ads?|adverts?|advertis\w+|commercials?|commercial breaks?)"
_EXPLICIT = (
    r"(?:(?:explicit|dirty|offensive|vulgar|rude|foul)(?: (?:songs?|lyrics|words|content|music|language|stuff|titles?"
    r"|tracks?|podcasts?|episodes?|things?))?|swear\w*(?: words?)?|curs(?:e|ing)(?: words?)?|bad language)"
)
_NO = (
    r"(?:(?:with )?(?:nothing|no)(?: more)?|without|avoid(?:ing)?|skip(?:ping)?|free of|hate|not"
    r"|(?:don't|do not|never)(?: \w+){0,2}(?: play| want| like| hear| need| put on)(?: me)?(?: anything)?)"
)
_SOME = r"(?: (?:any|anything|the|all|those|these|with|that is|that's|that has|that have|which has|too)\b)*"
_FINE = (
    r"(?:is|are|would be|'re) (?:now |also |perfectly |totally )*(?:fine|ok|okay|alright|all right|allowed|acceptable"
    r"|no problem|not a problem)"
)
_ALLOW = (
    r"(?:allow|permit|accept|(?:don't|do not|doesn't|does not) mind|(?:you )?(?:can|may) (?:now )?(?:play|use)"
    r"|(?:fine|okay|ok) with|no need to (?:avoid|skip)|(?:don't|do not) (?:have|need) to (?:avoid|skip)"
    r"|no longer (?:avoid|skip)|stop (?:avoiding|skipping))"
)
_FORGET = r"(?:forget|never ?mind|ignore|drop|lift|remove|cancel|undo|switch off|turn off)"
_RULE = r"(?:rule|condition|filter|restriction|constraint|thing|ban|part|setting|mode)s?"
_TONGUE = r"(?:german|english)"

_REQUIRED: tuple[tuple[MediaCondition, re.Pattern[str]], ...] = (
    (
        MediaCondition.NO_EXPLICIT,
        re.compile(
            rf"\b{_NO}{_SOME} {_EXPLICIT}(?!\w)|\b(?:only (?:\w+ )?clean|clean(?: \w+)? only|only family[- ]friendly"
            r"|keep it (?:clean|family[- ]friendly)|make it (?:clean|family[- ]friendly))\b(?: (?:songs?|lyrics"
            r"|music))?"
        ),
    ),
    (
        MediaCondition.NO_ADS,
        re.compile(rf"\b{_NO}{_SOME} {ADS}\b(?: breaks?)?|\b(?:ads?|advert|advertising|commercial)s?[- ]free\b"),
    ),
)
_ONLY = re.compile(
    rf"\b(?:only|nothing but|exclusively|just)(?: (?:play|want|things?|music|songs?|something|titles?|podcasts?"
    rf"|stations?|ones?|stuff|to hear|me))* (?:that (?:is|are) )?(?:in )?(?P<a>{_TONGUE})\b(?: (?:music|songs?"
    rf"|titles?"
    rf"|lyrics|language|podcasts?|stations?|ones?|stuff))?|\b(?:in )?(?P<b>{_TONGUE})(?: (?:music|songs?|titles?"
    rf"|lyrics"
    rf"|podcasts?|stations?|ones?))? only\b|\b(?:everything|all (?:of it|songs?|titles?"
    rf"|the music)) (?:should be |must be )?"
    rf"in (?P<c>{_TONGUE})\b"
)
_LIFTED: tuple[tuple[MediaCondition, re.Pattern[str]], ...] = (
    (
        MediaCondition.NO_EXPLICIT,
        re.compile(
            rf"\b{_EXPLICIT} {_FINE}\b|\b{_ALLOW}{_SOME} {_EXPLICIT}(?!\w)"
            rf"|\b{_FORGET}(?: about)?(?: (?:the|that|my))* (?:no |nothing )?{_EXPLICIT}(?: {_RULE})?\b"
        ),
    ),
    (
        MediaCondition.NO_ADS,
        re.compile(
            rf"\b{ADS} {_FINE}\b|\b{_ALLOW}{_SOME} {ADS}\b"
            rf"|\b{_FORGET}(?: about)?(?: (?:the|that|my))* (?:no[- ])?{ADS}(?: {_RULE})?\b"
        ),
    ),
)
_ANY_LANGUAGE = re.compile(
    rf"\b(?:(?:any|every|all|other|another) languages?(?: {_FINE})?(?: again)?|{_FORGET}(?: about)?(?: (?:the"
    rf"|that|my|only))* "
    rf"(?:{_TONGUE}|language)(?: only)?(?: {_RULE})?|(?:doesn't|does not|needn't|no longer)(?: need to| have to"
    rf"| has to)? "
    rf"be (?:in )?{_TONGUE}|{_TONGUE}(?: \w+)? {_FINE})\b"
)
_BY_LANGUAGE = {language: condition for condition, language in LANGUAGES.items()}


@dataclass(frozen=True, slots=True)
class MediaConditions:
    """What a clause says of conditions, and what is left of it when those words are blanked."""

    required: tuple[MediaCondition, ...]
    lifted: tuple[MediaCondition, ...]
    rest: str


def media_conditions(clause: str) -> MediaConditions:
    """Return the conditions on what is played in a folded clause."""
    rest, lifted, required = clause, [], []
    for condition, pattern in _LIFTED:
        rest, found = _blanked(rest, pattern)
        lifted += [condition] * found
    rest, found = _blanked(rest, _ANY_LANGUAGE)
    lifted += list(LANGUAGES) * found
    for condition, pattern in _REQUIRED:
        rest, found = _blanked(rest, pattern)
        required += [condition] * found
    only = _ONLY.search(rest)
    if only:
        required.append(_BY_LANGUAGE[only["a"] or only["b"] or only["c"]])
        rest = blank(rest, [only.span()])
    return MediaConditions(required=tuple(required), lifted=tuple(lifted), rest=" ".join(rest.split()))


def _blanked(text: str, pattern: re.Pattern[str]) -> tuple[str, bool]:
    spans = [match.span() for match in pattern.finditer(text)]
    return blank(text, spans), bool(spans)
