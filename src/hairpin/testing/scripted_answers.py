"""What the fake model server receives and what it answers, as values, and how one is made from the other.

No sockets: ``testing.model_server`` has them.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue


@dataclass(slots=True)
class FakeRequest:
    """One request as it arrived, and what became of it.

    Times are seconds on the event loop's clock, which never goes back; ``answered_at`` is ``None`` while the answer is
    not out, and for ever when ``client_gone``: the client left before it was.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: JsonValue
    received_at: float
    answered_at: float | None = None
    status: int | None = None
    client_gone: bool = False

    @property
    def messages(self) -> list[dict[str, JsonValue]]:
        """The chat messages of the request, ``[]`` when it has none."""
        messages = self.body.get("messages") if isinstance(self.body, dict) else None
        return [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []

    @property
    def last_user_text(self) -> str:
        """What the user said last, ``''`` when nothing."""
        return next((str(m.get("content", "")) for m in reversed(self.messages) if m.get("role") == "user"), "")


@dataclass(frozen=True, slots=True)
class FakeAnswer:
    """One scripted answer.

    Attributes:
        text: content of a well-formed chat completion; ``None`` is ``"content": null``.
        refusal: the completion's refusal field.
        finish_reason: of the completion.
        usage: of the completion; ``None`` is ``"usage": null``.
        status: HTTP status.
        body: sent instead of a chat completion: bytes and text as they are, anything else as JSON.
        content_type: of the answer.
        headers: more headers.
        delay_s: seconds until the answer is sent; ``math.inf`` never sends it.
    """

    text: str | None = ""
    refusal: str | None = None
    finish_reason: str = "stop"
    usage: Mapping[str, int] | None = field(
        default_factory=lambda: {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    )
    status: int = 200
    body: JsonValue | bytes = None
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0

    @classmethod
    def error(cls, status: int, message: str, *, code: str | None = None, delay_s: float = 0.0) -> FakeAnswer:
        """Return an error the way the OpenAI API words it."""
        error: JsonValue = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
        return cls(status=status, body={"error": error}, delay_s=delay_s)

    def payload(self, *, model: str) -> bytes:
        """Return the bytes to send."""
        if isinstance(self.body, bytes):
            return self.body
        if isinstance(self.body, str):
            return self.body.encode()
        return json.dumps(self._completion(model) if self.body is None else self.body, ensure_ascii=False).encode()

    def _completion(self, model: str) -> JsonValue:
        message: dict[str, JsonValue] = {"role": "assistant", "content": self.text}
        if self.refusal is not None:
            message["refusal"] = self.refusal
        return {
            "id": "chatcmpl-fake",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish_reason}],
            "usage": None if self.usage is None else dict(self.usage),
        }


Answer = str | FakeAnswer
"""Text stands for a well-formed completion with that content."""

Answerer = Callable[[FakeRequest], Answer | Awaitable[Answer]]
"""Makes an answer from a request; called on the server's event loop, so it must not block."""


def echo(request: FakeRequest) -> Answer:
    """Answer with what the user said last: what the server does when nothing is scripted."""
    return f"You said: {request.last_user_text}"
