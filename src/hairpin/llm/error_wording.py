"""The words by which providers say what is wrong: their codes and sentences, as patterns.

Which outcome they lead to is ``llm.error_reading``.
"""

from __future__ import annotations

import re
from typing import Final

from hairpin.domain.llm_calls import CallOutcome


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


OUTCOME_OF_CODE: Final = {
    "insufficient_quota": CallOutcome.QUOTA_EXCEEDED,
    "billing_hard_limit_reached": CallOutcome.QUOTA_EXCEEDED,
    "billing_not_active": CallOutcome.QUOTA_EXCEEDED,
    "billing_error": CallOutcome.QUOTA_EXCEEDED,
    "insufficient_balance": CallOutcome.QUOTA_EXCEEDED,
    "account_deactivated": CallOutcome.UNAUTHORISED,
    "invalid_api_key": CallOutcome.UNAUTHORISED,
    "incorrect_api_key": CallOutcome.UNAUTHORISED,
    "authentication_error": CallOutcome.UNAUTHORISED,
    "unauthenticated": CallOutcome.UNAUTHORISED,
    "context_length_exceeded": CallOutcome.CONTEXT_EXCEEDED,
    "context_window_exceeded": CallOutcome.CONTEXT_EXCEEDED,
    "exceed_context_size_error": CallOutcome.CONTEXT_EXCEEDED,
    "string_above_max_length": CallOutcome.CONTEXT_EXCEEDED,
    "request_too_large": CallOutcome.CONTEXT_EXCEEDED,
    "content_filter": CallOutcome.CONTENT_FILTERED,
    "content_policy_violation": CallOutcome.CONTENT_FILTERED,
    "responsibleaipolicyviolation": CallOutcome.CONTENT_FILTERED,
    "data_inspection_failed": CallOutcome.CONTENT_FILTERED,
    "rate_limit_exceeded": CallOutcome.RATE_LIMITED,
    "rate_limit_error": CallOutcome.RATE_LIMITED,
    "resource_exhausted": CallOutcome.RATE_LIMITED,
    "too_many_requests": CallOutcome.RATE_LIMITED,
    "overloaded_error": CallOutcome.OVERLOADED,
    "engine_overloaded": CallOutcome.OVERLOADED,
    "server_error": CallOutcome.OVERLOADED,
    "internal_server_error": CallOutcome.OVERLOADED,
    "api_error": CallOutcome.OVERLOADED,
    "unavailable": CallOutcome.OVERLOADED,
    "timeout_error": CallOutcome.TIMED_OUT,
    "deadline_exceeded": CallOutcome.TIMED_OUT,
    "model_not_found": CallOutcome.REJECTED,
    "deploymentnotfound": CallOutcome.REJECTED,
    "json_validate_failed": CallOutcome.INVALID_ANSWER,
}
"""By code or type, in lower case."""

CONTEXT_EXCEEDED: Final = _any_of(
    r"maximum context length",
    r"context[ _](length|window|size|limit)\b.{0,60}\b(exceed|overflow|surpass|too (small|short))",
    r"exceed\w*.{0,80}\bcontext([ _](length|window|size|limit))?\b",
    r"\b(prompt|input|request|messages?|conversation)( is| are|:)? too (long|large)\b",
    r"too many (input )?tokens",
    r"input (length|token count|tokens).{0,60}exceed",
    r"exceeds? the (maximum|max)( number of)? (input )?(tokens|length)",
    r"maximum (prompt|input) length",
    r"reduce the length of the (messages|prompt|input)",
    r"larger than the (maximum )?context",
    r"ran out of context|context shift is disabled",
    r"request too large",
)
REQUEST_TOO_LARGE: Final = _any_of(r"request (is )?too large")
"""One request asks for more tokens than a whole minute has: waiting does not help."""

COME_BACK: Final = _any_of(r"(try|retry|wait|come back).{0,40}\d", r"per[- ]?(minute|second|hour)|/min")
QUOTA_EXCEEDED: Final = _any_of(
    r"exceeded your current quota",
    r"insufficient[ _](quota|balance|credits?|funds)",
    r"(credit|account) balance is too low",
    r"billing (hard )?limit|billing is not active|payment required",
    r"requires more credits|(run|ran) out of credits?|no credits? (left|remaining)",
    r"account (is|has been) (closed|suspended|deactivated)",
)
UNAUTHORISED: Final = _any_of(
    r"(invalid|incorrect|wrong|missing|expired|no valid) (api|subscription|access)?[ -]?(key|token|credentials)\b",
    r"api[ -]?key (not valid|is invalid|expired|not found)",
    r"no (auth|api key|authentication) (credentials )?(found|provided)",
)
CONTENT_FILTERED: Final = _any_of(
    r"content (management|moderation|safety)? ?(policy|policies)",
    r"content[ _]filter",
    r"(input|prompt|content) (was|has been|is) (flagged|blocked)",
    r"requires moderation",
    r"inappropriate content",
)
UNKNOWN_MODEL: Final = _any_of(
    r"model.{0,120}(does not exist|not found|is not (available|a valid|found)|unknown|not exist)",
    r"(unknown|invalid|no such) model",
    r"not have access to (the )?model",
    r"deployment.{0,60}(does not exist|not found)",
)
REFUSED_PARAMETER: Final = _any_of(
    r"unsupported|not supported|n.t support|not yet supported|does not (accept|allow)|incompatible",
    r"unknown|unrecogni[sz]ed|not recogni[sz]ed|unexpected|cannot find|no such",
    r"not permitted|not allowed|forbidden|extra (inputs|fields|field)",
    r"unavailable|not available|not implemented|deprecated|removed",
    r"invalid|must (be|contain)|should be|only .{0,40}(default|allowed|supported)|expected|failed to parse|conversion",
)
RESPONSE_FORMAT: Final = _any_of(
    r"response[ _.]?format|json[ _]schema|json[ _](object|mode)",
    r"structured[ _](output|answer)s?|guided[ _](json|decoding)",
    r"\bgrammar|\bschema\b|additionalproperties",
)
NO_SYSTEM_ROLE: Final = _any_of(
    r"(system|developer)[ -](role|message|prompt|instruction)s?\b.{0,40}(not|n.t|un)[ -]?(support|allow|enable)",
    r"(not|n.t) (support|allow|accept)\w*.{0,40}\b(system|developer)\b",
    r"only user(,| and| or) (and |or )?assistant roles",
    r"(invalid|unsupported|unexpected|unknown) (message )?role:? .?system",
)
ALTERNATION: Final = _any_of(
    r"\balternat(e|es|ing)\b",
    r"(first|last) message (must|should) (be|have|use) .{0,20}user",
    r"system message must be (at )?the (beginning|first)",
    r"(consecutive|multiple|two) (user|assistant|system) messages",
)
OUTPUT_LIMIT: Final = re.compile(
    r"(?:max_(?:completion_)?tokens|completion tokens|output tokens).{0,160}?"
    r"(?:at most|less than or equal to|<=|maximum (?:allowed |value )?(?:is|of)?|limit(?: is| of)?)\D{0,20}(\d+)",
    re.IGNORECASE | re.DOTALL,
)
"""How many output tokens the model makes at most, where the cap that was sent is larger."""
