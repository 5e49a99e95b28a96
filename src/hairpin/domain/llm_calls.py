"""Hairpin's own model calls as facts: one value per HTTP request, with how it ended, its tokens and what it cost.

What a call was asked and what a role makes of the answer is not its business.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from hairpin.domain.base import Value
from hairpin.domain.outcome import Blame, Role, StopReason


class Purpose(StrEnum):
    """What a call was made for."""

    CONVERSATION = "conversation"
    CANARY = "canary"
    DOCTOR = "doctor"
    SEEDS = "seeds"
    REPLAY = "replay"


class CallOrigin(Value):
    """For whom a call is made.

    ``attempt_id`` is ``""`` outside conversations. For the cache, ``repeat`` tells repeats of one conversation apart,
    and ``draft`` an answer that was thrown away from the next one to the same question.
    """

    attempt_id: str = ""
    repeat: int = Field(default=0, ge=0)
    draft: int = Field(default=0, ge=0)
    purpose: Purpose = Purpose.CONVERSATION


class CallOutcome(StrEnum):
    """How one request, or the call it belongs to, ended. Only ``ok`` has a usable answer."""

    OK = "ok"
    # the provider, for the moment
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    TIMED_OUT = "timed_out"
    CONNECTION_LOST = "connection_lost"
    # the provider, for good
    QUOTA_EXCEEDED = "quota_exceeded"
    UNAUTHORISED = "unauthorised"
    REJECTED = "rejected"
    UNSUPPORTED = "unsupported"
    NOT_JSON = "not_json"
    EMPTY = "empty"
    CIRCUIT_OPEN = "circuit_open"
    # the model's answer
    CONTEXT_EXCEEDED = "context_exceeded"
    CONTENT_FILTERED = "content_filtered"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    NO_ANSWER = "no_answer"
    INVALID_ANSWER = "invalid_answer"
    # ourselves
    OUT_OF_TIME = "out_of_time"
    OUT_OF_BUDGET = "out_of_budget"
    CANCELLED = "cancelled"
    FROM_CACHE = "from_cache"

    @property
    def is_transient(self) -> bool:
        """Whether the same request may succeed later."""
        return self in _TRANSIENT

    @property
    def ends_run(self) -> bool:
        """Whether every other call to that endpoint would end the same way."""
        return self in (CallOutcome.QUOTA_EXCEEDED, CallOutcome.UNAUTHORISED)


_TRANSIENT = frozenset(
    {CallOutcome.RATE_LIMITED, CallOutcome.OVERLOADED, CallOutcome.TIMED_OUT, CallOutcome.CONNECTION_LOST}
)

_STOP_REASONS = {
    CallOutcome.CONTEXT_EXCEEDED: StopReason.CONTEXT_EXCEEDED,
    CallOutcome.CONTENT_FILTERED: StopReason.CONTENT_FILTERED,
    CallOutcome.REFUSED: StopReason.REFUSED,
    CallOutcome.TRUNCATED: StopReason.TRUNCATED,
    CallOutcome.OUT_OF_TIME: StopReason.DEADLINE,
    CallOutcome.OUT_OF_BUDGET: StopReason.BUDGET,
}


def stop_reason_of(outcome: CallOutcome, role: Role) -> StopReason:
    """Return the stop reason of a conversation whose ``role`` got no usable answer (design, section 2)."""
    if outcome in (CallOutcome.NO_ANSWER, CallOutcome.INVALID_ANSWER):
        return StopReason.JUDGE_FAULT if role.blame is Blame.JUDGE else StopReason.SIMULATOR_FAULT
    return _STOP_REASONS.get(outcome, StopReason.PROVIDER_ERROR)


class TokenCounts(Value):
    """Tokens of one request as the server reported them; ``None`` is unknown, never zero.

    ``cached_prompt_tokens`` are those of ``prompt_tokens`` that came from the provider's prefix cache,
    ``reasoning_tokens`` those of ``completion_tokens`` that were spent on thinking.
    """

    prompt_tokens: int | None = Field(default=None, ge=0)
    completion_tokens: int | None = Field(default=None, ge=0)
    cached_prompt_tokens: int | None = Field(default=None, ge=0)
    reasoning_tokens: int | None = Field(default=None, ge=0)


class LlmRequest(Value):
    """One HTTP request to a model, or, with ``number`` 0, a call that was answered from the response cache.

    Attributes:
        call_id: the call it belongs to; retries and repairs share it.
        number: 1, 2, … within the call.
        origin: for whom.
        role: which role asked.
        endpoint: scheme, host, port and path; never credentials.
        model: as it was asked for.
        mode: how JSON was asked for.
        outcome: how it ended; ``invalid_answer`` and the like are requests that were answered, but not usably.
        detail: the provider's or our own words about a bad end, without credentials.
        answer: the raw text of an answer that could not be used, whole; ``""`` otherwise.
        tokens: as reported.
        cost_usd: ``None`` when the price or the tokens are unknown.
        queue_wait_ms: waited for a free slot of the endpoint.
        retry_wait_ms: waited because of the request before.
        latency_ms: from sending to the whole answer.
        started_at: UTC, ISO 8601.
    """

    call_id: str
    number: int = Field(ge=0)
    origin: CallOrigin = CallOrigin()
    role: Role
    endpoint: str
    model: str
    mode: str = ""
    outcome: CallOutcome
    detail: str = ""
    answer: str = ""
    tokens: TokenCounts = TokenCounts()
    cost_usd: float | None = None
    queue_wait_ms: float = Field(default=0.0, ge=0)
    retry_wait_ms: float = Field(default=0.0, ge=0)
    latency_ms: float = Field(default=0.0, ge=0)
    started_at: str = ""
