"""Which outcome a provider's error is, and which parameter of the request it refuses.

Pure: no connection, no credentials; what is done about it is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from hairpin.domain.llm_calls import CallOutcome
from hairpin.llm import error_wording as wording
from hairpin.llm.provider_error import ProviderError

MESSAGES: Final = "messages"
"""Named as the refused parameter when it is the order or the roles of the messages that are refused."""

RESPONSE_FORMAT: Final = "response_format"

_TIMEOUTS: Final = frozenset({408, 504, 522, 524})
_BUSY: Final = frozenset({409, 425})
_PERMANENT: Final = frozenset({501, 505})
_MAY_NAME_PARAMETERS: Final = frozenset({None, 400, 404, 405, 406, 415, 422, 500, 501})
_UNDERSTANDABLE: Final = frozenset({None, 400, 402, 403, 404, 413, 422, 429, 500})


def read_error(error: ProviderError, sent: Collection[str]) -> tuple[CallOutcome, str | None]:
    """Return the outcome, and the refused parameter when that is what it is about.

    Args:
        error: as the provider put it.
        sent: names of the request's parameters other than model and messages.
    """
    outcome = _by_code(error) or _by_words(error)
    if outcome is not None:
        return outcome, None
    parameter = _refused_parameter(error, sent)
    if parameter is not None:
        return CallOutcome.UNSUPPORTED, parameter
    return _by_status(error), None


def finds_no_path(error: ProviderError) -> bool:
    """Whether a server knows nothing at the address that was asked, and not merely no such model."""
    named = "model" in error.names or any("model" in code for code in error.codes)
    return error.status == 404 and not named and not wording.UNKNOWN_MODEL.search(error.message)


def _by_code(error: ProviderError) -> CallOutcome | None:
    found = {wording.OUTCOME_OF_CODE[code] for code in error.codes if code in wording.OUTCOME_OF_CODE}
    if CallOutcome.RATE_LIMITED in found and wording.REQUEST_TOO_LARGE.search(error.message):
        return CallOutcome.CONTEXT_EXCEEDED
    if error.status is not None and 400 <= error.status < 500:
        # Some servers call every error of theirs a server's error; the status is more exact.
        found -= {CallOutcome.OVERLOADED, CallOutcome.TIMED_OUT}
    # In the order of the enumeration a rate limit would come before the quota that it is really about.
    for outcome in (CallOutcome.QUOTA_EXCEEDED, CallOutcome.CONTENT_FILTERED, CallOutcome.CONTEXT_EXCEEDED):
        if outcome in found:
            return outcome
    return next(iter(sorted(found)), None)


def _by_words(error: ProviderError) -> CallOutcome | None:
    """Return what the message says, where the status leaves room for it. A page is not read: it may say anything."""
    if error.status not in _UNDERSTANDABLE or not error.is_json:
        return None
    text = error.message
    if error.status == 429:
        if wording.REQUEST_TOO_LARGE.search(text):
            return CallOutcome.CONTEXT_EXCEEDED
        # Some call a limit per minute a quota; then they say when to come back.
        final = wording.QUOTA_EXCEEDED.search(text) and not wording.COME_BACK.search(text)
        return CallOutcome.QUOTA_EXCEEDED if final else None
    for pattern, outcome in (
        (wording.CONTEXT_EXCEEDED, CallOutcome.CONTEXT_EXCEEDED),
        (wording.QUOTA_EXCEEDED, CallOutcome.QUOTA_EXCEEDED),
        (wording.UNKNOWN_MODEL, CallOutcome.REJECTED),
        (wording.UNAUTHORISED, CallOutcome.UNAUTHORISED),
        (wording.CONTENT_FILTERED, CallOutcome.CONTENT_FILTERED),
    ):
        if pattern.search(text):
            return outcome
    return None


def _by_status(error: ProviderError) -> CallOutcome:
    match error.status:
        case None:
            return CallOutcome.REJECTED
        case 401:
            return CallOutcome.UNAUTHORISED
        case 402:
            return CallOutcome.QUOTA_EXCEEDED
        case 403:
            # A page is a firewall's, which may have taken offence at this one prompt.
            return CallOutcome.UNAUTHORISED if error.is_json else CallOutcome.REJECTED
        case 413:
            return CallOutcome.CONTEXT_EXCEEDED
        case 429:
            return CallOutcome.RATE_LIMITED
        case status if status in _TIMEOUTS:
            return CallOutcome.TIMED_OUT
        case status if status in _BUSY or (status >= 500 and status not in _PERMANENT):
            return CallOutcome.OVERLOADED
    return CallOutcome.REJECTED


def _refused_parameter(error: ProviderError, sent: Collection[str]) -> str | None:
    if error.status not in _MAY_NAME_PARAMETERS or not error.is_json:
        return None
    text = error.message
    if wording.NO_SYSTEM_ROLE.search(text) or wording.ALTERNATION.search(text):
        return MESSAGES
    if error.status != 500:
        named = next((name for name in error.names if name in sent), None)
        if named is not None:
            return named
    if not wording.REFUSED_PARAMETER.search(text):
        return None
    if error.status != 500:
        named = next((name for name in sorted(sent, key=len, reverse=True) if _is_named(name, text)), None)
        if named is not None:
            return named
    return RESPONSE_FORMAT if RESPONSE_FORMAT in sent and wording.RESPONSE_FORMAT.search(text) else None


def _is_named(name: str, text: str) -> bool:
    """Whether ``text`` speaks of the parameter: a name that is also a word must be quoted or introduced."""
    quoted = re.escape(name)
    if "_" not in name:
        introduced = r"(?:parameters?|arguments?|fields?|values?|keys?|supplied|name|property|params?)\W{1,3}"
        quoted = rf"(?:['\"`]{quoted}['\"`]|{introduced}{quoted})"
    return re.search(rf"(?<!\w){quoted}(?!\w)", text, re.IGNORECASE) is not None
