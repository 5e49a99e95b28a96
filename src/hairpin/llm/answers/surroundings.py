"""What the prose around an object says of it: that it is only a draft, or that another verdict holds.

It reads words and never an object; what it is not sure of it calls doubtful, since asking again is cheap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hairpin.llm.answers.lenient import JsonObject
from hairpin.llm.answers.nodes import read_number, squash

_NOUN: Final = r"(?:answer|verdict|json|output|result|response|judge?ment|assessment|evaluation|decision)"
_OWN_LABEL: Final = re.compile(
    rf"\W*(?:(?:so|thus|therefore|and|now|ok|okay)\b\W*)?(?:(?:here is|here's|this is|below is)\s+)?"
    rf"(?:(?:my|the final|final|my final)\s+)"
    rf"(?:(?:json|own|overall|corrected|revised|structured|complete)\s+)?{_NOUN}\b(?:\s+(?:is|as|in|json|object))*\W*",
    re.IGNORECASE,
)
_BARE_LABEL: Final = re.compile(rf"\W*(?:the\s+)?{_NOUN}?\W*", re.IGNORECASE)
_NEVER_OWN: Final = re.compile(
    r"\b(?:drafts?|templates?|rejected|discarded|ma[dk]es? me (?:say|answer|output|write|print|return))\b"
    r"|\b(?:not|never|isn't|isn’t) (?:be )?(?:my|the|an?)\b(?:\W+\w+)?\W+(?:answer|verdict)\b",
    re.IGNORECASE,
)
_NO_ANSWER: Final = re.compile(
    _NEVER_OWN.pattern
    + r"|\b(?:examples?|e\.g|samples?|placeholders?|sketch|illustrations?|hypothetical(?:ly)?|suppose|pretend|imagine"
    r"|wrong|incorrect|invalid|mistaken|flawed|alternative(?:ly)?|tentative|preliminary|initial(?:ly)?|previous(?:ly)?"
    r"|thinking|thoughts?|would (?:\w+ )?be|would have been|do not use|don't use|ignore"
    r"|first (?:idea|thought|guess|attempt|try|impression|take|version)"
    r"|(?:old|older|earlier) (?:answer|verdict|one|output|json|version)|not (?:this|to)"
    r"|bad (?:answer|verdict|one|output|json)"
    r"|(?:wants?|wanted|told|tells|asked|asks|tried to get|instructs?|instructed) me to)\b"
    r"|\b(?:user|assistant|agent|system|it|he|she|they|someone)"
    r" (?:said|says|wrote|writes|answered|replied|printed)\W*\Z"
    r"|(?:(?<!~)~~|<(?:s|del|strike)>|//|/\*)\s*\Z"
    r"|(?<!\bin )(?<!\bas )\b(?:format|schema|pattern)\s*(?:is|would|looks? like)?\W*\Z",
    re.IGNORECASE,
)
_AS_ASKED: Final = re.compile(
    r"\b(?:in|as|following|per|using|according to|matching)\b(?:\W+\w+){0,4}?\W+(?:format|schema)\b", re.IGNORECASE
)
_POINTS_AT_IT: Final = re.compile(r"\W*(?:this|that|it|here|below|next|first|the following|what follows)\b", re.I)
_SHORT_CHARS: Final = 30
_FENCE_LINE: Final = re.compile(r"\W*(?:```|~~~)[\w+-]*\s*")
_SENTENCE_END: Final = re.compile(r"[.!?][\"')*_]*\s+")
_WINDOW_CHARS: Final = 1_000

_TAKEN_BACK: Final = re.compile(
    r"(?:\A|[.!?;:,()\n–—-])[\s*_#>\"'`]{0,8}(?:no,? wait|wait\b(?! for| until| till)|hmm\b|oops\b|actually\b"
    r"|correct(?:ion|ed)\b\s{0,4}\w{0,12}\s{0,4}:"
    r"|on (?:second thoughts?|reflection)\b|(?:on )?re-?reading\b|scratch that\b|sorry,|edit\s?:|update\s?:|reconsider)"
    r"|\bI(?:['’]d| would| now)? rather\b|\bcorrect (?:verdict|score|answer) (?:is|was|would be)\b"
    r"|\b(?:take (?:that|this|it) back|(?:that|this|it|which|above|score|verdict|answer) (?:is|was) "
    r"(?:wrong|incorrect|not right|a mistake|mistaken|only a draft|just a draft|a draft|an example|only an example"
    r"|just an example|not my|the wrong)|(?:ignore|disregard|discard) "
    r"(?:(?:the|that|this|my) (?:above|previous|first|json|object|answer|verdict|draft)|that|this|what)\b"
    r"|(?:change|revise|correct) (?:my|the) (?:mind|answer|verdict|score))\b"
    r"|\bnot (?:be )?my (?:\w+ )?(?:answer|verdict)\b",
    re.IGNORECASE,
)
_SUBJECTS: Final = "verdict|score|answer|rating|result|judge?ment|decision|grade|status|label"
_NUMBER: Final = r"[+-]?\d+(?:\.\d+)?"
_VERDICT_WORDS: Final = r"pass(?:ed|es)?|fail(?:ed|s|ure)?|yes|no|true|false|null|none"
_GAP: Final = rf"(?:\s*(?=(?:{_NUMBER}|{_VERDICT_WORDS})\b)|[^\S\n]*)"
_TOLD_VALUE: Final = (
    r"(?:(?P<sure>\s{0,4}(?:=|:|→|->|\||(?:should|must|has to|ought to)(?:\W+\w+)?\s+be\b))|\s+(?:is|becomes|remains)\b"
    rf"|\s(?=\d)){_GAP}(?:(?:now|rather|really|actually|instead)\s+)?(?!```)[\"'`*_]{{0,4}}[^\S\n]?"
    rf"(?P<value>{_NUMBER}|[A-Za-z]\w{{0,60}})"
    r"(?P<ended>[\"'`*_]{0,4}\s*(?:[.,;!)(\n–—-]|\Z|because\b|since\b|due\b|as\b|for\b))?"
)
_A_NUMBER: Final = re.compile(_NUMBER)
_A_VERDICT_WORD: Final = re.compile(_VERDICT_WORDS, re.IGNORECASE)


def is_called_no_answer(before: str) -> bool:
    """Return whether the words just before an object say that it is a draft, an example or somebody else's.

    Args:
        before: the prose in front of it. The line that the object is on counts, and the line before that one.
    """
    window = _last_lines(before[-_WINDOW_CHARS:])
    sentences = [sentence for sentence in _SENTENCE_END.split(window) if sentence.strip()]
    if not sentences:
        return False
    if _OWN_LABEL.fullmatch(sentences[-1].rpartition(", ")[2]):
        return _NEVER_OWN.search(window) is not None
    announcing = sentences[-2:] if _BARE_LABEL.fullmatch(sentences[-1]) else sentences[-1:]
    announcing = [
        sentence for sentence in announcing if sentence is not sentences[-1] or _is_about_it(sentence, window)
    ]
    said = " ".join(_AS_ASKED.sub("", sentence) for sentence in announcing)
    return _NO_ANSWER.search(said) is not None or _NEVER_OWN.search(window) is not None


def _is_about_it(sentence: str, window: str) -> bool:
    """Return whether the last sentence is about what follows: leads up to it, points at it, is a title."""
    is_complete = window.rstrip().endswith((".", "!", "?"))
    return not is_complete or len(sentence) <= _SHORT_CHARS or _POINTS_AT_IT.match(sentence) is not None


def _last_lines(text: str) -> str:
    """Return the line that the text ends in and the one before it, without empty lines and openings of fences."""
    *lines, last = text.split("\n")
    full = [line for line in lines if line.strip() and not _FENCE_LINE.fullmatch(line)]
    return "\n".join([*full[-1:], "" if _FENCE_LINE.fullmatch(last) else last])


def is_taken_back(after: str, answer: JsonObject) -> bool:
    """Return whether the words behind ``answer`` take it back, or tell a verdict that is not in it."""
    if not after.strip():
        return False
    return _TAKEN_BACK.search(after) is not None or any(_differs(told, answer) for told in _told(after, answer))


def _told(after: str, answer: JsonObject) -> Iterator[re.Match[str]]:
    keys = "|".join(re.escape(key) for key in answer if len(key) <= 60 and re.fullmatch(r"\w+", key))
    return re.finditer(
        rf"(?<![^\W_])(?P<subject>{_SUBJECTS}{'|' if keys else ''}{keys})[\"'`*_]{{0,4}}{_TOLD_VALUE}", after, re.I
    )


def _differs(told: re.Match[str], answer: JsonObject) -> bool:
    value = told["value"]
    if _A_NUMBER.fullmatch(value) is None:
        is_value = told["ended"] is not None and (told["sure"] or _A_VERDICT_WORD.fullmatch(value))
        if not is_value:
            return False
    own = answer.get(told["subject"].lower())
    given = _scalars(own if isinstance(own, str | int | float) else answer)
    return _plain(value) not in given


def _scalars(value: object) -> set[str]:
    """Return all that ``value`` says outside its objects' keys, each as ``_plain`` writes it."""
    found: set[str] = set()
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
        else:
            found.add(_plain(part))
    return found


def _plain(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    number = read_number(value)
    return squash(str(value)) if number is None else str(number)
