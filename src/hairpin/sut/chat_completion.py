"""Reading the answer to a chat completion request: a reply, or in short words why there is none.

Pure: no connection, no credentials.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from hairpin.domain.conversation import well_formed
from hairpin.domain.sut import SutReply, TokenUsage
from hairpin.sut.http_client import HttpAnswer

_MAX_LINE: Final = 300
_MAX_TEXT: Final = 64 * 1024
_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_Object = dict[str, JsonValue]


class NoReplyError(Exception):
    """The answer holds no reply; says what it holds in the provider's own words: unbounded, credentials and all."""


def reply_of(answer: HttpAnswer) -> SutReply:
    """Return the reply in ``answer``.

    Raises:
        NoReplyError: an error status, an error inside a 200, no JSON, no choice, no message, or no text in it.
    """
    if 300 <= answer.status < 400:
        raise NoReplyError(f"status {answer.status}: redirects are not followed; put the final address into base_url")
    body = json_object(answer)
    if answer.status >= 400:
        raise NoReplyError(f"status {answer.status}: {error_text(body) or excerpt(answer)}")
    if body is None:
        raise NoReplyError(f"no JSON object but {answer.content_type}: {excerpt(answer)}")
    if body.get("error"):
        raise NoReplyError(f"an error inside status {answer.status}: {error_text(body)}")
    choice = _first_choice(body)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise NoReplyError("the first choice has no message")
    return SutReply(text=_text_of(message), usage=_usage_of(body), metadata=_metadata_of(choice, message))


def json_object(answer: HttpAnswer) -> dict[str, JsonValue] | None:
    """Return the object in the body, or ``None`` when it is none."""
    try:
        body = json.loads(answer.body)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def error_text(body: Mapping[str, JsonValue] | None) -> str:
    """Return code and message of an error in the shapes that servers use: OpenAI's, ``detail``, plain text."""
    if body is None:
        return ""
    error = next((body[key] for key in ("error", "detail", "message") if body.get(key)), None)
    if isinstance(error, dict):
        code, message = error.get("code") or error.get("type"), error.get("message") or "no message"
        return f"({code}) {message}" if code else str(message)
    return error if isinstance(error, str) else json.dumps(error) if error else ""


def excerpt(answer: HttpAnswer) -> str:
    """Return the title of a page, else the text of an answer; "nothing" when it is blank."""
    text = answer.body[:_MAX_TEXT].decode("utf-8", "replace")
    title = _TITLE.search(text)
    return f"a page titled {title[1].strip()!r}" if title else text.strip() or "nothing"


def one_line(text: str) -> str:
    """Return ``text`` as one bounded line; credentials must be out of it, for a cut may leave half of one."""
    line = " ".join(well_formed(text).split())
    return line if len(line) <= _MAX_LINE else line[: _MAX_LINE - 1] + "…"


def _first_choice(body: _Object) -> _Object:
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise NoReplyError(f"no choices: {json.dumps(choices)}")
    if not isinstance(choices[0], dict):
        raise NoReplyError("the first choice is no object")
    return choices[0]


def _text_of(message: _Object) -> str:
    """Return the content; else the refusal, which is what the user would hear; else ``''``."""
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(_part_text(part) for part in content)
    if content is not None and not isinstance(content, str):
        raise NoReplyError(f"the message's content is a {type(content).__name__}, not text")
    refusal = message.get("refusal")
    return well_formed(content or (refusal if isinstance(refusal, str) else ""))


def _part_text(part: JsonValue) -> str:
    text = part.get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else ""


def _usage_of(body: _Object) -> TokenUsage | None:
    usage = body.get("usage")
    if not isinstance(usage, dict):
        return None
    return TokenUsage(
        prompt_tokens=_count(usage.get("prompt_tokens")), completion_tokens=_count(usage.get("completion_tokens"))
    )


def _count(value: JsonValue) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _metadata_of(choice: _Object, message: _Object) -> _Object:
    found = {
        "finish_reason": choice.get("finish_reason"),
        "refused": True if message.get("refusal") else None,
        "tool_calls": message.get("tool_calls"),
    }
    return {name: value for name, value in found.items() if value}
