"""What the end of one request says about its endpoint: pure rules.

Nothing is remembered here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from hairpin.domain.llm_calls import CallOutcome
from hairpin.llm.completion import CallError, Completion
from hairpin.llm.traffic.policy import RequestEnd


class Effect(StrEnum):
    """What one request tells. The answer to a request may be unusable and the endpoint in good health all the same."""

    ANSWERED = "answered"
    TURNED_AWAY = "turned_away"
    STRUGGLING = "struggling"
    LOST = "lost"
    NOTHING = "nothing"


_EFFECTS: Final = {
    CallOutcome.RATE_LIMITED: Effect.TURNED_AWAY,
    CallOutcome.OVERLOADED: Effect.STRUGGLING,
    CallOutcome.TIMED_OUT: Effect.STRUGGLING,
    CallOutcome.CONNECTION_LOST: Effect.LOST,
    # Nothing was sent.
    CallOutcome.OUT_OF_TIME: Effect.NOTHING,
    CallOutcome.OUT_OF_BUDGET: Effect.NOTHING,
    CallOutcome.CANCELLED: Effect.NOTHING,
    CallOutcome.FROM_CACHE: Effect.NOTHING,
    CallOutcome.CIRCUIT_OPEN: Effect.NOTHING,
}
_NOT_WORKED_ON: Final = (CallOutcome.RATE_LIMITED, CallOutcome.OVERLOADED)


def effect_of(end: RequestEnd) -> Effect:
    """Return what ``end`` says; an exception that is no CallError says nothing."""
    if isinstance(end, Completion):
        return Effect.ANSWERED
    return _EFFECTS.get(end.outcome, Effect.ANSWERED) if isinstance(end, CallError) else Effect.NOTHING


def asked_wait_s(end: RequestEnd) -> float:
    """Return the wait, in seconds, that the server asked for; 0 when it did not, or when the failure is for good."""
    if isinstance(end, CallError) and end.outcome.is_transient and end.retry_after_s is not None:
        return max(end.retry_after_s, 0.0)
    return 0.0


def charged_tokens(end: RequestEnd, *, estimate: int) -> int:
    """Return the tokens that a request counts for: those reported, else as estimated, none if turned away."""
    if not isinstance(end, (Completion, CallError)):
        return estimate
    prompt, completion = end.tokens.prompt_tokens, end.tokens.completion_tokens
    if prompt is not None and completion is not None:
        return prompt + completion
    if isinstance(end, CallError) and end.outcome in _NOT_WORKED_ON:
        return 0
    return max(estimate, prompt or 0, completion or 0)
