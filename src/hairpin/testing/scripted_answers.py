"""What the fake model server answers, as values: what is sent, and how well it gets across.

No sockets: ``testing.delivery`` sends them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Final, Literal

from pydantic import JsonValue

from hairpin.testing.received import FakeRequest

Usage = Mapping[str, JsonValue]

DEFAULT_USAGE: Final[Usage] = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
"""What a completion says it used when nobody chose otherwise."""

CHARACTERS_PER_TOKEN: Final = 4

_to_json: Final = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True, slots=True)
class Drip:
    """The body goes out ``piece_bytes`` at a time, with ``pause_s`` seconds after each piece."""

    piece_bytes: int = 1
    pause_s: float = 0.01

    def __post_init__(self) -> None:
        """Refuse pieces of nothing, which would never end."""
        if self.piece_bytes < 1:
            raise ValueError(f"piece_bytes must be at least 1, not {self.piece_bytes}")


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection ends after ``after_bytes`` of the body, or before the headers if ``None``.

    ``reset``: with a TCP reset, as a crash or a firewall does it, not with an orderly end.
    """

    after_bytes: int | None = None
    reset: bool = False


@dataclass(frozen=True, slots=True)
class FakeAnswer:
    """One scripted answer.

    Attributes:
        text: content of a well-formed chat completion; ``None`` is ``"content": null``.
        refusal: the completion's refusal field.
        finish_reason: of the completion.
        usage: of the completion; ``"counted"`` counts characters, four to a token; ``None`` is ``"usage": null``.
        status: HTTP status.
        body: sent instead of a chat completion: bytes and text as they are, anything else as JSON.
        content_type: of the answer.
        headers: more headers.
        delay_s: seconds until the answer is sent; ``math.inf`` never sends it.
        drip: how slowly the body goes out; ``None`` is at once.
        cut: where the connection breaks; ``None`` is nowhere.
        connection: what becomes of the connection afterwards: it is kept, closed with notice (``Connection: close``),
            or dropped without a word although it looked kept.
    """

    text: str | None = ""
    refusal: str | None = None
    finish_reason: str = "stop"
    usage: Usage | Literal["counted"] | None = field(default_factory=lambda: DEFAULT_USAGE)
    status: int = 200
    body: JsonValue | bytes = None
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    drip: Drip | None = None
    cut: Cut | None = None
    connection: Literal["keep", "close", "drop"] = "keep"

    @classmethod
    def error(
        cls,
        status: int,
        message: str,
        *,
        code: str | None = None,
        delay_s: float = 0.0,
        retry_after: float | datetime | None = None,
    ) -> FakeAnswer:
        """Return an error the way the OpenAI API words it, with a ``Retry-After`` if one is given."""
        error: JsonValue = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
        headers = {} if retry_after is None else {"Retry-After": retry_after_value(retry_after)}
        return cls(status=status, body={"error": error}, delay_s=delay_s, headers=headers)

    @classmethod
    def rate_limited(cls, retry_after: float | datetime | None = None) -> FakeAnswer:
        """Return a 429 that asks to wait: seconds, or until a moment (with a time zone)."""
        return cls.error(429, "Rate limit reached", code="rate_limit_exceeded", retry_after=retry_after)

    @classmethod
    def quota_exceeded(cls) -> FakeAnswer:
        """Return the 429 that no waiting helps against."""
        return cls.error(429, "You exceeded your current quota", code="insufficient_quota")

    @classmethod
    def html(cls, status: int = 502, title: str = "Bad Gateway") -> FakeAnswer:
        """Return a web page, as proxies send when what is behind them is down; also with ``status`` 200."""
        page = f"<!doctype html><html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
        return cls(status=status, body=page, content_type="text/html")

    @classmethod
    def truncated(cls, text: str) -> FakeAnswer:
        """Return a completion that stops at ``text`` because the model ran into its output limit."""
        return cls(text, finish_reason="length")

    @classmethod
    def hanging(cls) -> FakeAnswer:
        """Return an answer that never comes, on a connection that stays open."""
        return cls(delay_s=math.inf)

    @classmethod
    def dripping(cls, text: str, *, piece_bytes: int = 1, pause_s: float = 0.01) -> FakeAnswer:
        """Return a completion whose body goes out in small pieces with pauses."""
        return cls(text, drip=Drip(piece_bytes, pause_s))

    @classmethod
    def cut_off(cls, text: str = "", *, after_bytes: int | None = None, reset: bool = False) -> FakeAnswer:
        """Return a completion whose connection breaks: before the headers, or after ``after_bytes`` of the body."""
        return cls(text, cut=Cut(after_bytes, reset))

    def usage_for(self, request: FakeRequest) -> Usage | None:
        """Return the usage that the completion reports, as sent; ``None`` when it reports none, or is none."""
        if self.body is not None or self.usage is None:
            return None
        return counted_usage(request, self.text or "") if self.usage == "counted" else self.usage

    def payload(self, request: FakeRequest) -> bytes:
        """Return the bytes to send."""
        if isinstance(self.body, bytes):
            return self.body
        if isinstance(self.body, str):
            return self.body.encode()
        return _to_json(self._completion(request) if self.body is None else self.body).encode()

    def _completion(self, request: FakeRequest) -> JsonValue:
        message: dict[str, JsonValue] = {"role": "assistant", "content": self.text}
        if self.refusal is not None:
            message["refusal"] = self.refusal
        usage = self.usage_for(request)
        return {
            "id": f"chatcmpl-fake-{request.number}",
            "object": "chat.completion",
            "created": 0,
            "model": request.model,
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish_reason}],
            "usage": None if usage is None else dict(usage),
        }


Answer = str | FakeAnswer
"""Text stands for a well-formed completion with that content."""

Answerer = Callable[[FakeRequest], Answer | Awaitable[Answer]]
"""Makes an answer from a request; called on the server's event loop, so it must not block."""


def echo(request: FakeRequest) -> Answer:
    """Answer with what the user said last: what the server does when nothing is scripted."""
    return f"You said: {request.last_user_text}"


def retry_after_value(retry_after: float | datetime) -> str:
    """Return the value of a ``Retry-After`` header: seconds, or an HTTP date.

    Raises:
        ValueError: a moment without a time zone.
    """
    if not isinstance(retry_after, datetime):
        return f"{retry_after:g}"
    if retry_after.tzinfo is None:
        raise ValueError("a moment to retry after needs a time zone: datetime.now(UTC) + timedelta(seconds=2)")
    return format_datetime(retry_after.astimezone(UTC), usegmt=True)


def counted_usage(request: FakeRequest, text: str) -> Usage:
    """Return the usage of a request that ``text`` answered, four characters to a token, each side rounded up."""
    prompt = _tokens(sum(_characters(message.get("content")) for message in request.messages))
    completion = _tokens(len(text))
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _characters(content: JsonValue) -> int:
    """Return how many characters a message has: a text, or a list of parts with texts."""
    if isinstance(content, list):
        return sum(_characters(part.get("text")) for part in content if isinstance(part, dict))
    return len(content) if isinstance(content, str) else 0


def _tokens(n_characters: int) -> int:
    return math.ceil(n_characters / CHARACTERS_PER_TOKEN)
