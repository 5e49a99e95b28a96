"""Where a redirect may lead: on the configured host only, and never to another request than the one that was meant.

Pure: it follows nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from yarl import URL

from hairpin.errors import SutError
from hairpin.sut.http_client import HttpCall

MAX_REDIRECTS: Final = 5

_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
_KEEPS_METHOD: Final = frozenset({307, 308})


def is_redirect(status: int) -> bool:
    """Whether an answer with this status sends elsewhere."""
    return status in _STATUSES


def redirected(call: HttpCall, *, status: int, location: str | None) -> HttpCall:
    """Return the request to make next.

    Scheme, host and port stay as they are configured, and the method with the body: 301, 302 and 303 turn a request
    into a GET, which only a GET survives.

    Raises:
        SutError: it may not be followed; says what to do instead. It shows of the new address what may be shown: its
            scheme, host and port.
    """
    url = _target(call, location)
    if url is None:
        raise SutError(f"{call.where} answered with status {status} without a usable address to go to")
    if url.origin() != call.url.origin():
        raise SutError(
            f"{call.where} redirects to {url.origin()}, which is not followed: a redirect may not leave the configured"
            " host; if that is where the assistant is, put its address into 'url'"
        )
    if status not in _KEEPS_METHOD and call.method != "GET":
        raise SutError(
            f"{call.where} answered a {call.method} with status {status}, a redirect that would lose what was sent;"
            " put the final address into 'url'"
        )
    return replace(call, url=url.with_user(None).with_fragment(None))


def too_many(call: HttpCall) -> SutError:
    """Return the error of redirects without end."""
    return SutError(f"{call.where} redirects more than {MAX_REDIRECTS} times; put the final address into 'url'")


def _target(call: HttpCall, location: str | None) -> URL | None:
    try:
        url = call.url.join(URL(location)) if location else None
    except ValueError:
        return None
    return url if url is not None and url.scheme in ("http", "https") and url.host else None
