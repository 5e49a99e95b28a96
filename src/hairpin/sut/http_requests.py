"""Requests from templates: address, headers and body with their placeholders filled.

It sends nothing, and what it makes shows no credential: messages call an address as its template writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import quote, quote_plus, urlencode, urlsplit, urlunsplit

from pydantic import JsonValue
from yarl import URL

from hairpin.domain.conversation import well_formed
from hairpin.domain.sut_spec import HttpRequest
from hairpin.domain.sut_template import fill, fill_text
from hairpin.errors import AdapterFaultError
from hairpin.sut.configured import parts_of
from hairpin.sut.http_client import HttpCall
from hairpin.sut.redaction import basic_credentials

_ADDRESS: Final = re.compile(
    r"(?P<scheme>[^:/?#]+://)(?P<login>(?:\{[^{}]*\}|[^/?#{}])*@)?(?P<host>(?:\{[^{}]*\}|[^/?#{}])*)(?P<rest>.*)",
    re.DOTALL,
)
_HOST: Final = re.compile(r"[A-Za-z0-9.:\-_\[\]]*")
_UNSENDABLE: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_FORM: Final = "application/x-www-form-urlencoded"

Values = Mapping[str, JsonValue]


class RequestTemplate:
    """One request of an assistant's configuration.

    Args:
        template: as the scenario writes it.
        accept: the type of answer that is asked for, unless the template has a header of its own.
    """

    def __init__(self, template: HttpRequest, *, accept: str | None = None) -> None:
        self._template = template
        self._accept = accept
        self._content_type = _header(template.headers, "content-type")
        self.where = shown_address(template.url)

    @property
    def texts(self) -> Iterator[JsonValue]:
        """Every part that may hold placeholders."""
        yield from parts_of(self._template)

    def fill(self, values: Values) -> HttpCall:
        """Return the request with these values in it.

        Raises:
            AdapterFaultError: a header or the host would hold what it cannot; names it, not the value.
        """
        url = fill_address(self._template.url, values)
        headers = {name: self._header(name, text, values) for name, text in self._template.headers.items()}
        if url.user or url.password:
            headers["Authorization"] = f"Basic {basic_credentials(url)}"
        if self._accept is not None and _header(headers, "accept") is None:
            headers["Accept"] = self._accept
        body, content_type = self._body(values)
        if content_type is not None and self._content_type is None:
            headers["Content-Type"] = content_type
        return HttpCall(
            method=self._template.method, url=url.with_user(None), where=self.where, headers=headers, body=body
        )

    def _header(self, name: str, text: str, values: Values) -> str:
        filled = well_formed(fill_text(text, values)).strip()
        if _UNSENDABLE.search(filled):
            raise AdapterFaultError(
                f"the header {name} to {self.where} cannot hold a line break or control character, which a value in"
                f" {text!r} has; put it into the body"
            )
        return filled

    def _body(self, values: Values) -> tuple[bytes | None, str | None]:
        """Return the body and its type: a text as it is, all else as JSON; a form where the headers say so."""
        template = self._template.body
        if template is None:
            return None, None
        is_form = (self._content_type or "").lower().startswith(_FORM)
        if is_form and isinstance(template, str):
            return fill_text(template, values, quote=lambda value: quote_plus(well_formed(value))).encode(), None
        filled = fill(template, values)
        if isinstance(filled, str):
            return well_formed(filled).encode(), "text/plain; charset=utf-8"
        if is_form and isinstance(filled, dict):
            return urlencode([(key, _form_value(value)) for key, value in filled.items()]).encode(), None
        return json.dumps(filled).encode(), "application/json"


def fill_address(template: str, values: Values) -> URL:
    """Return the address with its placeholders filled; a value stays within its part of the address.

    Raises:
        AdapterFaultError: a value makes it no address.
    """
    parts = _ADDRESS.fullmatch(template)
    if parts is None:
        raise AdapterFaultError(f"{shown_address(template)} is no HTTP address")
    host = fill_text(parts["host"], values)
    login, rest = (fill_text(parts[part] or "", values, quote=_percent) for part in ("login", "rest"))
    try:
        if _HOST.fullmatch(host) is None and "{" in parts["host"]:
            raise ValueError(host)
        return URL(f"{parts['scheme']}{login}{host}{rest}")
    except ValueError:
        # No cause: it holds the address, and that a key.
        raise AdapterFaultError(
            f"{shown_address(template)} is no HTTP address once its placeholders are filled"
        ) from None


def shown_address(template: str) -> str:
    """Return scheme, host, port and path of an address as it is written, placeholders and all."""
    parts = urlsplit(template)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def has_login(template: str) -> bool:
    """Whether an address has a user or password."""
    parts = _ADDRESS.fullmatch(template)
    return parts is not None and bool(parts["login"])


def _percent(value: str) -> str:
    return quote(well_formed(value), safe="")


def _header(headers: Mapping[str, str], name: str) -> str | None:
    return next((value for key, value in headers.items() if key.lower() == name), None)


def _form_value(value: JsonValue) -> str:
    if value is None:
        return ""
    return well_formed(value) if isinstance(value, str) else json.dumps(value)
