"""One pass over a model's text: the objects that stand outside its thinking, each read once, in time linear in it.

Which of them is the answer is decided in ``extract``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from hairpin.llm.answers.lenient import (
    JsonObject,
    UnreadableJsonError,
    read_object,
    unique_pairs,
)
from hairpin.llm.answers.problems import AnswerProblem, invalid_answer, no_answer

_NAMES: Final = (
    r"think(?:ing)?(?:_process)?|thoughts?|(?:thought|reasoning|analysis)_process|reasoning|reflections?|scratch_?pad"
    r"|analysis|internal|drafts?(?:_answer)?|plan(?:ning)?|cot|chain_of_thought|inner_(?:monologue|thoughts?)|internal_(?:monologue|thoughts?)"
)
_CHANNELS: Final = r"(?:analysis|commentary|thoughts?|think(?:ing)?|reasoning)\b"
_ATTRIBUTES: Final = r"(?:\s{1,4}[\w:-]{1,32}\s?=[^<>]{0,120})?"
_OPENING: Final = (
    rf"(?:<|&lt;)\s{{0,4}}(?:\w{{1,16}}:)?(?:{_NAMES}){_ATTRIBUTES}\s{{0,4}}(?:>|&gt;)|\[(?:{_NAMES})\]|◁think▷"
    r"|<\|(?:begin_of_|start_of_|start_)?(?:think(?:ing)?|thought|reasoning)\|>"
    rf"|<\|channel\|?>\s?{_CHANNELS}"
)
_CLOSING: Final = (
    rf"(?:<|&lt;)\s{{0,4}}/\s{{0,4}}(?:\w{{1,16}}:)?(?:{_NAMES})\s{{0,4}}(?:>|&gt;)|\[/(?:{_NAMES})\]|◁/think▷"
    r"|<\|(?:/|end_of_|end_)(?:think(?:ing)?|thought|reasoning)\|>|<\|channel\|?>\s?final\b|<channel\|>"
)
_STOP: Final = re.compile(
    rf"(?P<brace>\{{)|(?P<end>\}})|(?=[<\[&◁`~])"
    rf"(?:(?P<comment><!--)|(?P<fence>(?:```|~~~)[ \t]?(?:{_NAMES})\b)"
    rf"|(?P<opening>{_OPENING})|(?P<closing>{_CLOSING}))",
    re.IGNORECASE,
)
_END_OF_THINKING: Final = re.compile(_CLOSING, re.IGNORECASE)
_FENCE_LINE: Final = re.compile(r"^[ \t>]*(?:```+|~~~+)[ \t]*(?P<inner>\w?)", re.MULTILINE)
_KEY: Final = r"""(?:"(?:[^"\\]|\\.){0,200}"|'(?:[^'\\]|\\.){0,200}'|[A-Za-z_]\w{0,200})"""
_CUT_KEY: Final = r"""(?:"(?:[^"\\]|\\.){0,200}|'(?:[^'\\]|\\.){0,200})?\\?"""
_LOOKS_LIKE_OBJECT: Final = re.compile(
    rf"\{{\s*(?:{_KEY}\s*(?::|\Z)|\}}|{_CUT_KEY}\Z)",
    re.DOTALL,
)
_PLACEHOLDER: Final = re.compile(r"<(?!answer>)", re.IGNORECASE)
_TEMPLATE: Final = re.compile(r"[|…]|\.\.\.")
_IN_JSON_NOTATION: Final = re.compile(r'\{\s*"')
_IN_PYTHON_NOTATION: Final = re.compile(r"\{\s*'\w{1,60}'\s*:")
_DECODER: Final = json.JSONDecoder(object_pairs_hook=unique_pairs)
_MAX_FAILURES: Final = 500
_SPARE_CHARS: Final = 65_536
_READINGS: Final = 16


@dataclass(frozen=True, slots=True)
class Found:
    """An object of the text: ``text[start:end]``. ``value`` is ``None`` when it cannot be read; ``flaw`` says why.

    ``is_template``: what made it unreadable is a place to fill in, such as ``"pass" | "fail"`` or ``<number>``.
    ``is_cut``: the text ends before it does.
    """

    start: int
    end: int
    value: JsonObject | None
    flaw: str = ""
    is_template: bool = False
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """The objects outside the thinking, in order, and where the text begins that is no thinking."""

    objects: list[Found]
    start: int


def find_objects(text: str) -> Findings:
    """Return the outermost objects after the last block of thinking. What a comment holds is passed over.

    What stands before the end of a thinking block is thinking, also where no tag opens it: some chat templates write
    the opening tag into the prompt.

    Raises:
        AnswerProblem: the thinking does not end; or the text is such a heap of broken objects that reading it would
            take more than linear time.
    """
    return _Scanner(text).run()


class _Scanner:
    """Walks from stop to stop: a tag of thinking, or a brace."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: list[Found] = []
        self._broken: Found | None = None
        self._unreadable: int | None = None  # where the first of them stands in what was found
        self._start = 0  # of what is no thinking
        self._depth = 0  # of braces in prose, or in the broken object
        self._failures = 0
        self._spare = _READINGS * len(text) + _SPARE_CHARS

    def run(self) -> Findings:
        at = 0
        while stop := _STOP.search(self._text, at):
            at = self._step(stop)
        if self._broken is not None:
            self._close_broken(len(self._text), is_cut=True)
        return Findings(self._found, self._start)

    def _step(self, stop: re.Match[str]) -> int:
        """Deal with one stop; return where to go on."""
        if stop.lastgroup in ("opening", "closing", "fence"):
            self._start = self._forget(stop)
            return self._start
        if stop.lastgroup == "comment":
            return stop.end() if self._broken is not None else self._end_of_comment(stop)
        if self._broken is not None:
            return self._count(stop)
        if stop.lastgroup == "brace":
            return self._try_object(stop.start())
        self._close_prose(stop.end())
        return stop.end()

    def _close_prose(self, end: int) -> None:
        """Take note of a closing brace in prose: an unreadable object before it may not have ended where it seemed to.

        Then what was found since is part of that object.
        """
        if self._depth:
            self._depth -= 1
        elif self._unreadable is not None:
            doubt = self._found[self._unreadable]
            self._found[self._unreadable :] = [Found(doubt.start, end, None, doubt.flaw)]

    def _forget(self, tag: re.Match[str]) -> int:
        """Drop all that was found: it was thinking.

        After an unreadable object with quotes in it the tag may stand in a string instead, of that object or of one
        that it seems to hold. Then nothing is certain any more, and the object stays, in the way of what follows.
        """
        if self._broken is not None:
            self._close_broken(tag.end())
        doubts = [found for found in self._found if self._is_doubtful(found)]
        self._found = [Found(found.start, tag.end(), None, found.flaw) for found in doubts[:1]]
        self._unreadable = 0 if doubts else None
        self._depth = 0
        if tag.lastgroup == "fence":
            return self._end_of_fence(tag)
        return self._end_of_thinking(tag) if tag.lastgroup == "opening" else tag.end()

    def _is_doubtful(self, found: Found) -> bool:
        if found.value is not None or found.is_template:
            return False
        return any(quote in self._text[found.start : found.end] for quote in "\"'")

    def _end_of_thinking(self, opening: re.Match[str]) -> int:
        closing = _END_OF_THINKING.search(self._text, opening.end())
        if closing is None:
            raise _endless(opening)
        return closing.end()

    def _end_of_fence(self, opening: re.Match[str]) -> int:
        """Find the line that closes a fence of thinking; fences that name a language may stand inside it."""
        depth = 1
        for line in _FENCE_LINE.finditer(self._text, opening.end()):
            depth += 1 if line["inner"] else -1
            if depth == 0:
                return line.end()
        raise _endless(opening)

    def _end_of_comment(self, opening: re.Match[str]) -> int:
        end = self._text.find("-->", opening.end())
        if end < 0:
            raise no_answer("the comment that <!-- begins does not end, so no answer follows it")
        return end + len("-->")

    def _count(self, brace: re.Match[str]) -> int:
        """Find the end of a broken object by its braces alone: within it nothing is what it seems."""
        self._depth += 1 if brace.lastgroup == "brace" else -1
        if self._depth == 0:
            self._close_broken(brace.end())
        return brace.end()

    def _close_broken(self, end: int, *, is_cut: bool = False) -> None:
        broken = self._broken
        assert broken is not None
        self._broken = None
        if self._unreadable is None:
            self._unreadable = len(self._found)
        self._found.append(Found(broken.start, end, None, broken.flaw, broken.is_template, is_cut))

    def _try_object(self, start: int) -> int:
        """Read the object that may begin at ``start``; what does not look like one is prose with a brace."""
        if not _LOOKS_LIKE_OBJECT.match(self._text, start):
            self._depth += 1
            return start + 1
        try:
            value, end = self._read(start)
        except UnreadableJsonError as error:
            self._charge(error.position - start)
            self._broken = self._describe(error, start)
            self._depth = 1
            return start + 1
        self._found.append(Found(start, end, value))
        return end

    def _read(self, start: int) -> tuple[JsonObject, int]:
        try:
            value, end = _DECODER.raw_decode(self._text, start)
        except (ValueError, RecursionError):
            value, end = self._read_leniently(start)
        return value, end

    def _read_leniently(self, start: int) -> tuple[JsonObject, int]:
        """Read what is not JSON; an object whose string may have swallowed the beginning of another is left alone."""
        value, end = read_object(self._text, start)
        if _IN_JSON_NOTATION.match(self._text, start) and (inner := _IN_PYTHON_NOTATION.search(self._text, start, end)):
            raise UnreadableJsonError("a string holds what looks like another object", inner.start())
        return value, end

    def _charge(self, n_chars: int) -> None:
        self._failures += 1
        self._spare -= n_chars
        if self._spare < 0 or self._failures > _MAX_FAILURES:
            raise _too_much()

    def _describe(self, error: UnreadableJsonError, start: int) -> Found:
        line = self._text.count("\n", start, error.position) + 1
        is_template = _TEMPLATE.match(self._text, error.position) is not None or (
            error.wants_value and _PLACEHOLDER.match(self._text, error.position) is not None
        )
        return Found(start, start, None, f"line {line} of the JSON object cannot be read: {error.what}", is_template)


def _endless(opening: re.Match[str]) -> AnswerProblem:
    return no_answer(f"the thinking that {opening[0]} begins does not end, so no answer follows it")


def _too_much() -> AnswerProblem:
    return invalid_answer("there are too many objects that cannot be read; one JSON object is wanted")
