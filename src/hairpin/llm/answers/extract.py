"""From the text of a message to exactly one JSON object, the final answer, never a draft.

It knows the keys of the answer and nothing else of its type; where two objects could be the answer it does not choose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from hairpin.llm.answers.lenient import JsonObject, canonical
from hairpin.llm.answers.problems import invalid_answer, no_answer
from hairpin.llm.answers.scan import Findings, Found, find_objects
from hairpin.llm.answers.surroundings import is_called_no_answer, is_taken_back

_LABEL: Final = re.compile(
    r"\W*(?:(?:so|thus|therefore|and|now|ok|okay)\b\W*)?(?:(?:here is|here's|this is)\s+)?(?:my\s+|the\s+)?"
    r"(?:final|corrected|revised)\s+(?:answer|verdict|json|output|result|response|judge?ment|assessment|evaluation)"
    r"(?:\s+(?:is|as|in|json|object))*\W*",
    re.IGNORECASE,
)
_ANSWER_TAG: Final = re.compile(r"<answer>\s*\Z", re.IGNORECASE)
_FENCE: Final = re.compile(r"(?:```|~~~)[\w+-]*\s*\Z")
_PYTHON_KEY: Final = re.compile(r"\{\s*'(\w{1,200})'\s*:")
_LABEL_CHARS: Final = 200
_MAX_CHARS: Final = 1_000_000
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NO_WRAPPER: Final = re.compile(
    r"draft|example|reject|wrong|incorrect|invalid|template|th(?:ink|ought)|reason|alternative|sample|format|schema"
    r"|scratch|hypothe|previous|discard|initial|tentative|plan|quote|mistake|bad|"
    r"(?:\A|[^a-z])(?:not?|never|old|user|assistant)(?![a-z])",
    re.IGNORECASE,
)


def extract_object(text: str, keys: frozenset[str]) -> JsonObject:
    """Return the one object of ``text`` that is the answer, whose keys are to be ``keys``.

    Thinking does not count, nor do fences and prose. Of what is left the last object that shares a key with the answer
    is the answer, unless one before it is complete too, or unreadable, and differs: then it must be alone in being
    called final in the line just before it ("Final verdict:", ``<answer>``). An object around the answer whose one key
    does not call it a draft or the like is taken off. Words just before the answer that call it no answer, and words
    behind it that take it back, are believed. Whether keys are missing is for the validation to say.

    Raises:
        AnswerProblem: there is no such object, it cannot be read, or more than one could be meant.
    """
    if len(text) > _MAX_CHARS:
        raise invalid_answer(f"the message is longer than {_MAX_CHARS:,} characters; one JSON object is wanted")
    text = _unquote(text)
    findings = find_objects(text)
    if not findings.objects:
        raise no_answer("there is no JSON object")
    relevant = [found for found in map(_Candidate(text, keys).of, findings.objects) if found is not None]
    if not relevant:
        raise invalid_answer(f"the JSON object has none of the keys {_name(keys)}")
    answer = _choose(text, keys, relevant)
    _heed(text, findings, relevant[-1], {key: answer[key] for key in answer if key in keys})
    return answer


def _heed(text: str, findings: Findings, chosen: Found, answer: JsonObject) -> None:
    """Refuse what the prose around it does not let stand as the answer."""
    if is_called_no_answer(_before(text, findings, chosen)):
        raise invalid_answer("the words before the JSON object say that it is not the answer")
    later = [found for found in findings.objects if found.start >= chosen.end and found.value is None]
    starts = [chosen.end, *(found.end for found in later)]
    ends = [*(found.start for found in later), len(text)]
    after = "\n".join(text[start:end] for start, end in zip(starts, ends, strict=True))
    if is_taken_back(after, answer):
        raise invalid_answer("the words after the JSON object take it back or tell another verdict")


def _before(text: str, findings: Findings, chosen: Found) -> str:
    """Return the prose before ``chosen``; what is said before a row of objects is said of each."""
    end = chosen.start
    for found in reversed([found for found in findings.objects if found.end <= chosen.start]):
        if "\n" in text[found.end : end] or re.search(r"\w", text[found.end : end]):
            return text[found.end : end]
        end = found.start
    return text[findings.start : end]


class _Candidate:
    """Tells what could be meant as the answer from what is only an object."""

    def __init__(self, text: str, keys: frozenset[str]) -> None:
        self._text = text
        self._keys = keys

    def of(self, found: Found) -> Found | None:
        """Return ``found`` without what is wrapped around the answer; ``None`` when it is none."""
        if found.value is None:
            return found if self._is_meant(found) else None
        value = found.value
        inner = [key for key in value if key not in self._keys and self._is_answer(value[key])]
        if self._keys & value.keys():
            return self._doubt(found) if any(self._differs(value[key], value) for key in inner) else found
        if not inner:
            return None
        wrapped = value[inner[0]]
        if len(value) > 1 or _NO_WRAPPER.search(_HUMP.sub("_", inner[0])) or not isinstance(wrapped, dict):
            return self._doubt(found)
        return Found(found.start, found.end, wrapped)

    def _is_answer(self, value: object) -> bool:
        return isinstance(value, dict) and value.keys() >= self._keys

    def _differs(self, inner: object, outer: JsonObject) -> bool:
        return any(canonical(inner[key]) != canonical(outer.get(key)) for key in self._keys if isinstance(inner, dict))

    def _doubt(self, found: Found) -> Found:
        flaw = "an answer inside another JSON object is not taken; answer with that object alone"
        return Found(found.start, found.end, None, flaw)

    def _is_meant(self, unreadable: Found) -> bool:
        """Return whether it was to be an answer: it is cut off, or has a key of one and is no pattern."""
        if unreadable.is_cut:
            return True
        body = self._text[unreadable.start : unreadable.end]
        return not unreadable.is_template and any(key in body for key in self._keys)


def _choose(text: str, keys: frozenset[str], relevant: Sequence[Found]) -> JsonObject:
    last = relevant[-1]
    if last.value is None:
        raise invalid_answer(last.flaw)
    if _swallowed(text[last.start + 1 : last.end], keys):
        raise invalid_answer("one JSON object runs into another that is in Python notation")
    rivals = _count_rivals(relevant, last.value, keys) if len(relevant) > 1 else 0
    if rivals and not (last.value.keys() >= keys and _alone_is_final(text, relevant)):
        raise invalid_answer(f"there are {rivals + 1} different JSON objects, and it is not clear which is the answer")
    return last.value


def _count_rivals(relevant: Sequence[Found], answer: JsonObject, keys: frozenset[str]) -> int:
    """Return how many objects could have been meant instead; part of an answer before the whole is only a remark."""
    wanted = canonical(answer)
    values = [found.value for found in relevant[:-1]]
    return sum(value is None or (value.keys() >= keys and canonical(value) != wanted) for value in values)


def _swallowed(body: str, keys: frozenset[str]) -> bool:
    """Whether an answer in Python notation begins within an object.

    A string that was cut off takes what follows it for its own, up to the quote after which both are valid JSON.
    """
    return any(found[1] in keys for found in _PYTHON_KEY.finditer(body))


def _alone_is_final(text: str, relevant: Sequence[Found]) -> bool:
    starts = [0, *(found.end for found in relevant[:-1])]
    called = [_called_final(text[start : found.start]) for start, found in zip(starts, relevant, strict=True)]
    return called[-1] and not any(called[:-1])


def _called_final(before: str) -> bool:
    tail = _FENCE.sub("", before.rstrip()).rstrip()
    line = tail[tail.rfind("\n") + 1 :]
    if len(line) > _LABEL_CHARS:
        return False
    return _LABEL.fullmatch(line) is not None or _ANSWER_TAG.search(line) is not None


def _unquote(text: str) -> str:
    """Return what is in a text that is one JSON string, else ``text``."""
    try:
        inner = json.loads(text) if text.lstrip().startswith('"') else None
    except (ValueError, RecursionError):
        return text
    return inner if isinstance(inner, str) else text


def _name(keys: frozenset[str]) -> str:
    return ", ".join(sorted(keys))
