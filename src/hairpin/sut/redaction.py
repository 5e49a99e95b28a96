"""The credentials of one endpoint, and taking them out of every text that leaves its adapter.

It reads no environment: whoever has the key passes it in.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from urllib.parse import quote, quote_plus

from pydantic import JsonValue
from yarl import URL

from hairpin.domain.sut import SutReply
from hairpin.errors import InvalidInputError
from hairpin.packs.secrets import is_secret_name, mask_urls

_MASK: Final = "***"
_SHORTEST: Final = 3
"""Anything shorter would mask letters of ordinary words."""

_LONGEST_WORD: Final = 7
"""What is tested must not change: ``ollama`` as the key of a server that wants none is also a word of replies."""

_SAFE_IN_PATHS: Final = "/:@!$&'()*+,;=~"
"""What some leave as it is where they quote an address, and others do not."""

_MARKUP: Final = re.compile("[&<>'\"]")
"""What JSON that goes into web pages escapes."""

_PUBLIC_PARAMETERS: Final = frozenset({"api-version", "version"})


class Redactor:
    """Knows the secrets of one endpoint in every form in which a server may send them back.

    Args:
        secrets: what no message may show.
        spoken: those of them that no reply may show either: keys and passwords, not every part of an address.
            A short word or number is spared.
    """

    def __init__(self, secrets: Iterable[str], *, spoken: Iterable[str] = ()) -> None:
        self._forms = _forms(secrets)
        self._spoken = _forms(secret for secret in spoken if not _is_word(secret))
        # In any case: header values come back in lower case, a content type for one.
        self._patterns = _patterns(self._forms)
        self._spoken_patterns = _patterns(self._spoken)

    def clean(self, text: str) -> str:
        """Return ``text`` with each secret, in whatever case, as ``***``, and URLs in it without user and password."""
        for pattern in self._patterns:
            text = pattern.sub(_MASK, text)
        return mask_urls(text)

    def clean_reply(self, reply: SutReply) -> SutReply:
        """Return ``reply`` with each secret that is not to be spoken as ``***``, and nothing else changed."""
        if not self._spoken:
            return reply
        update = {"text": self._clean_spoken(reply.text), "metadata": self._clean_mapping(reply.metadata)}
        state = None if reply.state is None else self._clean_mapping(reply.state)
        return reply.model_copy(update={**update, "state": state})

    def _clean_mapping(self, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        return {self._clean_spoken(name): self._clean_value(value) for name, value in values.items()}

    def _clean_value(self, value: JsonValue) -> JsonValue:
        match value:
            case str():
                return self._clean_spoken(value)
            case list():
                return [self._clean_value(item) for item in value]
            case dict():
                return self._clean_mapping(value)
        return value

    def _clean_spoken(self, text: str) -> str:
        for pattern in self._spoken_patterns:
            text = pattern.sub(_MASK, text)
        return text

    def __repr__(self) -> str:
        return f"Redactor({len(self._forms)} forms)"


def _patterns(forms: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(re.escape(form), re.IGNORECASE) for form in forms)


def _is_word(secret: str) -> bool:
    return len(secret) <= _LONGEST_WORD and (secret.isalpha() or secret.isdigit())


def _forms(secrets: Iterable[str]) -> tuple[str, ...]:
    forms = {form for secret in secrets for form in _disguises(secret)}
    # The longest first, or a secret that holds another would be left in part.
    return tuple(sorted((form for form in forms if len(form) >= _SHORTEST), key=len, reverse=True))


def _disguises(secret: str) -> Iterator[str]:
    """Yield a secret as servers send it back: quoted in an address, escaped in JSON or HTML, misread, in base64."""
    yield from (secret, quote(secret, safe=""), quote(secret), quote_plus(secret), secret.replace("/", "\\/"))
    yield from (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])
    yield from (quote(secret, safe=_SAFE_IN_PATHS), html.escape(secret, quote=False), html.escape(secret))
    yield _MARKUP.sub(lambda match: f"\\u{ord(match[0]):04x}", secret)
    if not secret.isascii():
        yield from (secret.encode().decode("latin-1"), repr(secret.encode())[2:-1])
    for text in (secret, f"Bearer {secret}"):
        yield base64.b64encode(text.encode()).decode("ascii").rstrip("=")


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


def keys_of(url: URL) -> tuple[str, ...]:
    """Return what is certainly a credential in an address: ``secrets_of``, but only the key-like query parameters."""
    harmless = {value for name, value in url.query.items() if not is_secret_name(name)}
    return tuple(secret for secret in secrets_of(url) if secret not in harmless)


def basic_credentials(url: URL) -> str:
    """Return user and password as the basic authentication scheme sends them (RFC 7617)."""
    return base64.b64encode(f"{url.user or ''}:{url.password or ''}".encode()).decode("ascii")
