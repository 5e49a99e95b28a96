"""Assistants reached by configuration, seen as data: their templates, and what of them is not a place.

It fills nothing and reaches nobody.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from pydantic import JsonValue

from hairpin.domain.sut_spec import HttpRequest, HttpSut, LangGraphSut, ProcessSut, SutSpec, WebSocketSut

_VARIABLE: Final = re.compile(r"\{env\.[^{}]*\}")
_PLACES: Final = frozenset({"folder", "base_url", "api_key_env", "gguf", "max_sessions", "retries"})
"""Where an assistant is reached and how hard it may be driven; neither what it is nor what it is asked."""

_ADDRESSES: Final = (
    ("url",),
    ("request", "url"),
    ("session", "open", "url"),
    ("session", "close", "url"),
    ("poll", "request", "url"),
)
"""Where a specification has addresses."""


def templates_of(spec: SutSpec) -> tuple[JsonValue, ...]:
    """Return everything in ``spec`` that may hold placeholders; nothing for assistants that have no templates."""
    match spec:
        case HttpSut():
            return tuple(part for request in requests_of(spec) for part in parts_of(request))
        case WebSocketSut():
            return (spec.url, *spec.headers.values(), spec.hello, spec.send)
        case ProcessSut():
            return (*spec.environment.values(), spec.hello, spec.send, spec.bye)
        case LangGraphSut():
            return (spec.input, dict(spec.config))
    return ()


def requests_of(spec: HttpSut) -> tuple[HttpRequest, ...]:
    """Return all requests that are made of an assistant behind HTTP."""
    session = spec.session
    opening, closing = (session.open, session.close) if session is not None else (None, None)
    optional = (opening, closing, spec.poll.request if spec.poll is not None else None)
    return (spec.request, *(request for request in optional if request is not None))


def parts_of(request: HttpRequest) -> tuple[JsonValue, ...]:
    """Return the parts of a request that may hold placeholders; the address is the first."""
    return (request.url, *request.headers.values(), request.body)


def addresses_of(spec: SutSpec) -> tuple[str, ...]:
    """Return the templates of addresses in ``spec``, which may hold a login."""
    if isinstance(spec, HttpSut):
        return tuple(request.url for request in requests_of(spec))
    return (spec.url,) if isinstance(spec, WebSocketSut) else ()


def hosts_of(spec: SutSpec) -> tuple[str, ...]:
    """Return the hosts of the addresses in ``spec``, with their ports, as they are written, each once."""
    return tuple(dict.fromkeys(urlsplit(address).netloc.rpartition("@")[2] for address in addresses_of(spec)))


def without_places(data: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the data of a specification without what says only where its assistant is reached, and how hard.

    Of an address the path is left, of a variable ``{env}``: that a secret is sent counts, not what it is called here.
    """
    kept = {key: _anonymous(value) for key, value in data.items() if key not in _PLACES}
    for place in _ADDRESSES:
        _keep_path(kept, place)
    return kept


def _anonymous(value: JsonValue) -> JsonValue:
    """Return a copy of ``value`` with every variable called ``{env}``."""
    if isinstance(value, dict):
        return {_VARIABLE.sub("{env}", key): _anonymous(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_anonymous(item) for item in value]
    return _VARIABLE.sub("{env}", value) if isinstance(value, str) else value


def _keep_path(data: JsonValue, place: tuple[str, ...]) -> None:
    *steps, last = place
    for step in steps:
        data = data.get(step) if isinstance(data, dict) else None
    if isinstance(data, dict) and isinstance(address := data.get(last), str):
        data[last] = urlsplit(address).path
