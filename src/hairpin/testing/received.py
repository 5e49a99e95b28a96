"""A request as the fake model server received it, with what became of it.

It holds no socket and decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import unquote

from pydantic import JsonValue

_DEPLOYMENT = "/openai/deployments/"


class Ending(StrEnum):
    """What became of a request."""

    ANSWERED = "answered"
    CUT = "cut"
    CLIENT_GONE = "client_gone"
    SERVER_STOPPED = "server_stopped"


@dataclass(slots=True)
class FakeRequest:
    """One request as it arrived, and what became of it.

    Times are seconds on the event loop's clock, which never goes back; ``answered_at`` is ``None`` while the answer is
    not out, and for ever when it never was, whole.

    Attributes:
        number: 1, 2, … among the requests for a completion, in order of arrival; 0 for others.
        ending: ``None`` while it is in flight.
        status: of the answer, as soon as one was begun.
        answer_headers: those that the script gave the answer.
        n_bytes_sent: of the body, as far as it was written; what a lost client still read, nobody knows.
        usage: as it was sent, in an answer that went out whole; ``None`` when it had none.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: JsonValue
    received_at: float
    answered_at: float | None = None
    status: int | None = None
    number: int = 0
    ending: Ending | None = None
    answer_headers: Mapping[str, str] = field(default_factory=dict)
    n_bytes_sent: int = 0
    usage: Mapping[str, JsonValue] | None = None

    @property
    def client_gone(self) -> bool:
        """Whether the client left before the answer was out."""
        return self.ending is Ending.CLIENT_GONE

    @property
    def messages(self) -> list[dict[str, JsonValue]]:
        """The chat messages of the request, ``[]`` when it has none."""
        messages = self.body.get("messages") if isinstance(self.body, dict) else None
        return [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []

    @property
    def last_user_text(self) -> str:
        """What the user said last, ``''`` when nothing."""
        return next((str(m.get("content", "")) for m in reversed(self.messages) if m.get("role") == "user"), "")

    @property
    def deployment(self) -> str | None:
        """The deployment that an Azure-style path names, else ``None``."""
        if not self.path.startswith(_DEPLOYMENT):
            return None
        return unquote(self.path.removeprefix(_DEPLOYMENT).partition("/")[0])

    @property
    def model(self) -> str:
        """The model asked for, else the deployment, else ``fake``."""
        named = self.body.get("model") if isinstance(self.body, dict) else None
        return str(named or self.deployment or "fake")
