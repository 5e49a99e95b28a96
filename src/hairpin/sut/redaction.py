"""The credentials of one endpoint, and taking them out of every text that leaves its adapter.

It reads no environment: whoever has the key passes it in.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from yarl import URL

from hairpin.errors import InvalidInputError
from hairpin.packs.secrets import mask_urls

_MASK: Final = "***"
_SHORTEST: Final = 3
"""Anything shorter would mask letters of ordinary words."""

_PUBLIC_PARAMETERS: Final = frozenset({"api-version", "version"})


class Redactor:
    """Knows the secrets of one endpoint in every form in which a server may send them back."""

    def __init__(self, secrets: Iterable[str]) -> None:
        forms = {form for secret in secrets for form in (secret, quote(secret, safe=""), quote(secret))}
        # The longest first, or a secret that holds another would be left in part.
        self._forms = tuple(sorted((form for form in forms if len(form) >= _SHORTEST), key=len, reverse=True))

    def clean(self, text: str) -> str:
        """Return ``text`` with each secret as ``***``, and URLs in it without user and password."""
        for form in self._forms:
            text = text.replace(form, _MASK)
        return mask_urls(text)

    def __repr__(self) -> str:
        return f"Redactor({len(self._forms)} forms)"


def http_url(text: str, *, where: str) -> URL:
    """Parse an HTTP address.

    Raises:
        InvalidInputError: it is none; the message shows nothing of it but its scheme.
    """
    try:
        url = URL(text)
    except ValueError:
        url = URL()
    if url.scheme not in ("http", "https") or not url.host:
        shown = f"{url.scheme}: …" if url.scheme else "it has no scheme"
        raise InvalidInputError(
            f"not an HTTP address ({shown})", where=where, hint="write it like 'http://127.0.0.1:8000/v1'"
        )
    return url


def public_part(url: URL) -> str:
    """Return scheme, host, port and path: what messages may show of an address."""
    return str(url.with_user(None).with_query(None).with_fragment(None))


def secrets_of(url: URL) -> tuple[str, ...]:
    """Return what must not be shown of an address: user, password, their basic authentication, query values."""
    found = [value for name, value in url.query.items() if name not in _PUBLIC_PARAMETERS]
    if url.user or url.password:
        # A user without a password is a token.
        found += [url.password or url.user or "", basic_credentials(url)]
    return tuple(found)


def basic_credentials(url: URL) -> str:
    """Return user and password as the basic authentication scheme sends them (RFC 7617)."""
    return base64.b64encode(f"{url.user or ''}:{url.password or ''}".encode()).decode("ascii")
