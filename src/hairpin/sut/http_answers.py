"""Reading whole answers of an assistant behind HTTP: a reply, an id of a session, or why there is none.

Pure: no connection. Where the parts of a reply are is ``reply_paths``' work.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from pydantic import JsonValue

from hairpin.domain.json_paths import parse_path, value_at
from hairpin.domain.sut import SutReply
from hairpin.domain.sut_spec import ReplyPaths
from hairpin.errors import SutError
from hairpin.llm.retry_after import retry_after_s
from hairpin.sut.chat_completion import error_text, excerpt, json_object, one_line
from hairpin.sut.http_client import HttpAnswer
from hairpin.sut.http_retries import LATER_STATUSES, BusyError
from hairpin.sut.redaction import Redactor
from hairpin.sut.reply_paths import (
    UnreadableJsonError,
    as_text,
    index_hint,
    is_said,
    json_trouble,
    parse_json,
    reply_of_answer,
    reply_of_text,
)

_STREAMS: Final[Mapping[str, str]] = {
    "text/event-stream": "sse",
    "application/x-ndjson": "lines",
    "application/ndjson": "lines",
    "application/jsonl": "lines",
    "application/jsonlines": "lines",
}
_PAGE_TYPES: Final = ("text/html", "application/xhtml+xml", "application/xml", "text/xml")
_PAGE_START: Final = re.compile(
    r"<(?:!doctype|\?xml|html|head|title|meta|link|base|script|style|noscript|body|frameset|iframe|center|form|h[1-6])\b",
    re.IGNORECASE,
)
_SPACE: Final = re.compile(r"\s*")


def refuse_unread_stream(content_type: str, *, where: str) -> None:
    """Refuse an answer in pieces where a whole one is configured: it may never end. Raises SutError."""
    if content_type in _STREAMS:
        raise SutError(
            f"{where} answered with {content_type}, a stream, which 'sut' does not say; set 'stream: {{format: "
            f"{_STREAMS[content_type]}, text: …}}', or ask it for a whole answer"
        )


def error_of(
    answer: HttpAnswer,
    headers: Mapping[str, str],
    *,
    error_path: str | None,
    where: str,
    redactor: Redactor,
    now: datetime,
) -> SutError:
    """Return the error that an answer with status 400 or more says, in the assistant's words.

    Args:
        answer: with such a status.
        headers: of it, names in lower case.
        error_path: where its words are, if they are known.
        where: who answered.
        redactor: knows what must not be shown.
        now: UTC, for a date in ``Retry-After``.
    """
    words = _words_at(answer, error_path) or error_text(json_object(answer)) or excerpt(answer)
    # Clean before the cut: it may leave half of a credential.
    text = f"{where} answered with status {answer.status}: {one_line(redactor.clean(words))}"
    if answer.status in LATER_STATUSES:
        return BusyError(text, retry_after_s=retry_after_s(headers, "", now=now))
    return SutError(text)


def reply_in(answer: HttpAnswer, paths: ReplyPaths, *, where: str, redactor: Redactor) -> SutReply:
    """Return the reply in a whole answer.

    Without a path to its words the answer itself is the reply: plain text, or a JSON text without its quotes.

    Raises:
        SutError: as ``reply_paths.reply_of_answer``; or the words of a JSON object or of a page are asked for without
            a path to them.
    """
    text = text_of(answer)
    if paths.text:
        return reply_of_text(text, paths, where=where, redactor=redactor)
    if _is_page(answer, text):
        raise SutError(f"{where} answered with {one_line(redactor.clean(excerpt(answer)))}, which is no reply")
    if not _is_json(answer.content_type):
        return reply_of_text(text, paths, where=where, redactor=redactor)
    try:
        found = parse_json(text)
    except UnreadableJsonError as error:
        what = f"{where} answered with {json_trouble(error)}"
        raise SutError(f"{what}: {one_line(redactor.clean(text))}") from None
    except ValueError:
        return reply_of_text(text, paths, where=where, redactor=redactor)
    whole = as_text(found)
    if isinstance(found, dict | list) and not is_said(found, paths.error):
        what = f"{where} answered with JSON: {one_line(redactor.clean(whole))}"
        raise SutError(f"{what}; say in 'reply' where in it the words are")
    return reply_of_answer(found, paths, where=where, redactor=redactor, whole=whole)


def json_of(answer: HttpAnswer, *, where: str, redactor: Redactor) -> JsonValue:
    """Return an answer that must be JSON. Raises SutError."""
    try:
        return parse_json(text_of(answer))
    except ValueError as error:
        shown = one_line(redactor.clean(excerpt(answer)))
        but = "" if isinstance(error, UnreadableJsonError) else f" but {answer.content_type}"
        raise SutError(f"{where} answered with {json_trouble(error)}{but}: {shown}") from None


def session_id_in(answer: HttpAnswer, path: str, *, where: str, redactor: Redactor) -> str:
    """Return the id of a session: a text that is not blank, or a whole number. ``""``: the answer itself.

    Raises:
        SutError: there is none at ``path``.
    """
    if not path and not _is_json(answer.content_type):
        tree: JsonValue = text_of(answer).strip()
    else:
        tree = json_of(answer, where=where, redactor=redactor)
    found = id_at(tree, path)
    if found is not None:
        return found
    shown = one_line(redactor.clean(as_text(tree)))
    at = f"{path!r}, where 'session.id' looks for it{index_hint(tree, path)}"
    raise SutError(f"{where} told no id of the session at {at}: {shown}")


def id_at(tree: JsonValue, path: str) -> str | None:
    """Return the id at ``path``: a text that is not blank, or a whole number; ``None`` if there is none."""
    found = value_at(tree, parse_path(path))
    if isinstance(found, str) and found.strip():
        return found
    return str(found) if isinstance(found, int) and not isinstance(found, bool) else None


def text_of(answer: HttpAnswer) -> str:
    """Return the body as text, in the character set that the answer names, else UTF-8."""
    try:
        return answer.body.decode(answer.charset or "utf-8-sig", "replace").removeprefix("\ufeff")
    except (LookupError, UnicodeError):
        return answer.body.decode("utf-8-sig", "replace")


def _words_at(answer: HttpAnswer, path: str | None) -> str:
    body = json_object(answer)
    return as_text(value_at(body, parse_path(path))) if path is not None and is_said(body, path) else ""


def _is_json(content_type: str) -> bool:
    return content_type == "application/json" or content_type.endswith("+json")


def _is_page(answer: HttpAnswer, text: str) -> bool:
    """Whether an answer is a page; servers also send plain words as text/html, with some markup of words in them."""
    if answer.content_type not in _PAGE_TYPES:
        return False
    start = _after_comments(text)
    return _PAGE_START.match(text, start) is not None or (start >= len(text) and bool(text.strip()))


def _after_comments(text: str) -> int:
    """Return where what is no white space and no comment begins; the length of ``text`` when nothing does."""
    place = _after_space(text, 0)
    while text.startswith("<!--", place):
        end = text.find("-->", place + 2)
        if end < 0:
            return len(text)
        place = _after_space(text, end + len("-->"))
    return place


def _after_space(text: str, start: int) -> int:
    found = _SPACE.match(text, start)
    return found.end() if found else start
