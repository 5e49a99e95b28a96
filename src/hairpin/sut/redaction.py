"""The credentials of one endpoint, and taking them out of every text that leaves its adapter.

It reads no environment: whoever has the key passes it in.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from pydantic import JsonValue
from yarl import URL

from hairpin.domain.sut import SutReply
from hairpin.errors import InvalidInputError
from hairpin.packs.secrets import is_secret_name, mask_urls
from hairpin.sut.spellings import spellings_of

_MASK: Final = "***"
_SHORTEST: Final = 3
"""Anything shorter would mask letters of ordinary words."""

_LONGEST_WORD: Final = 7
"""What is tested must not change: ``ollama`` as the key of a server that wants none is also a word of replies."""

_PUBLIC_PARAMETERS: Final = frozenset({"api-version", "version"})


class Redactor:
    """Knows the secrets of one endpoint in every form in which a server may send them back.

    Args:
        secrets: what no message may show.
        spoken: those of them that no reply may show either: keys and passwords, not every part of an address.
            A short word or number is spared.
    """

    def __init__(self, secrets: Iterable[str], *, spoken: Iterable[str] = ()) -> None:
        self._patterns = _patterns(frozenset(secrets))
        self._spoken_patterns = _patterns(frozenset(secret for secret in spoken if not _is_word(secret)))

    def clean(self, text: str) -> str:
        """Return ``text`` with each secret, in whatever case, as ``***``, and URLs in it without user and password."""
        for pattern in self._patterns:
            text = pattern.sub(_MASK, text)
        return mask_urls(text)

    def clean_reply(self, reply: SutReply) -> SutReply:
        """Return ``reply`` with each secret that is not to be spoken as ``***``, and nothing else changed."""
        if not self._spoken_patterns:
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
        return f"Redactor({len(self._patterns)} forms)"


def _patterns(secrets: Collection[str]) -> tuple[re.Pattern[str], ...]:
    expressions = {form: re.escape(form) for secret in secrets for form in _in_base64(secret)}
    expressions |= {secret: spellings_of(secret) for secret in secrets}
    # The longest first, or a secret that holds another would be left in part.
    known = sorted((form for form in expressions if len(form) >= _SHORTEST), key=len, reverse=True)
    # In any case: header values come back in lower case, a content type for one.
    return tuple(re.compile(expressions[form], re.IGNORECASE) for form in known)


def _is_word(secret: str) -> bool:
    return len(secret) <= _LONGEST_WORD and (secret.isalpha() or secret.isdigit())


def _in_base64(secret: str) -> Iterator[str]:
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
