"""One request to a model and what comes back: a completion, or a typed error.

No connection, no retries; ``llm.chat_client`` sends, ``llm.traffic`` says when.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from pydantic import Field, JsonValue

from hairpin.domain.base import Value
from hairpin.domain.llm_calls import CallOutcome, TokenCounts
from hairpin.ports import ChatMessage

ReadT = TypeVar("ReadT")


class CompletionRequest(Value):
    """What one request asks for: ``response_format`` as it is, ``output_tokens`` under the name the endpoint takes."""

    messages: tuple[ChatMessage, ...] = Field(min_length=1)
    response_format: Mapping[str, JsonValue] | None = None
    output_tokens: int = Field(ge=1)


class Completion(Value):
    """A usable message: ``text`` is not empty, not cut off, refused or filtered. ``reasoning`` came apart from it."""

    text: str
    reasoning: str = ""
    finish_reason: str | None = None
    tokens: TokenCounts = TokenCounts()


class CallError(Exception):
    """A request, or a call, that has no usable answer.

    Attributes:
        outcome: which kind; never ``ok``.
        detail: the provider's own words where it said any, else ours; one line, without credentials.
        answer: the raw text that came, whole, where any did.
        tokens: what was spent all the same.
        retry_after_s: how long the server asked to wait; ``None``: it did not say, or not intelligibly.
        parameter: the request parameter that the server does not take, where it named one.
        adapted: the endpoint's ways were learnt from it; the same request, sent anew, goes out differently.
    """

    def __init__(
        self,
        outcome: CallOutcome,
        detail: str,
        *,
        answer: str = "",
        tokens: TokenCounts | None = None,
        retry_after_s: float | None = None,
        parameter: str | None = None,
        adapted: bool = False,
    ) -> None:
        self.outcome = outcome
        self.detail = detail
        self.answer = answer
        self.tokens = tokens or TokenCounts()
        self.retry_after_s = retry_after_s
        self.parameter = parameter
        self.adapted = adapted
        super().__init__(f"{outcome}: {detail}")


class EndpointClosedError(CallError):
    """An endpoint asked for a longer wait than any call may make: until then every other call would meet the same."""


class Transport(Protocol):
    """Sends one request to one model of one endpoint."""

    async def complete(self, request: CompletionRequest) -> Completion:
        """Send it, exactly once. Raises CallError; ModelSetupError for a parameter of the user's that is not taken."""
        ...


class Complete(Protocol):
    """Makes one request with all that belongs to it: limits, retries, accounting, budget, cache."""

    async def __call__(self, request: CompletionRequest, read: Callable[[Completion], ReadT]) -> ReadT:
        """Send the request and return what ``read`` makes of the completion.

        ``read`` runs inside the request's account: a CallError that it raises is how that request is recorded as having
        ended, with its detail and raw answer, and it is not retried here. A completion that ``read`` raised on is never
        cached. When the call may make no more requests, what the last one ended with is raised again.

        Raises:
            CallError: from ``read``, or no completion; with an outcome that is transient, after the last attempt.
        """
        ...
