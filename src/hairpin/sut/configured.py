"""Assistants reached by configuration, seen as data: their templates, and what of them is not a place.

It fills nothing and reaches nobody.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from pydantic import JsonValue

from hairpin.domain.sut_spec import HttpRequest, HttpSut, LangGraphSut, ProcessSut, SutSpec, WebSocketSut

_VARIABLE: Final = re.compile(r"\{env\.[^{}]*\}")
_PLACES: Final = frozenset({"folder", "base_url", "api_key_env", "gguf", "max_sessions", "retries"})
"""Where an assistant is reached and how hard it may be driven; neither what it is nor what it is asked."""


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
    session, poll = spec.session, spec.poll
    optional = (session and session.open, session and session.close, poll and poll.request)
    return (spec.request, *(request for request in optional if request is not None))


def parts_of(request: HttpRequest) -> tuple[JsonValue, ...]:
    """Return the parts of a request that may hold placeholders; the address is the first."""
    return (request.url, *request.headers.values(), request.body)


def addresses_of(spec: SutSpec) -> tuple[str, ...]:
    """Return the templates of addresses in ``spec``, which may hold a login."""
    match spec:
        case WebSocketSut():
            return (spec.url,)
        case HttpSut():
            return tuple(request.url for request in requests_of(spec))
    return ()


def without_places(data: JsonValue) -> JsonValue:
    """Return the data of a specification without what says only where its assistant is reached, and how hard.

    Of an address the path is left, of a variable ``{env}``: that a secret is sent counts, not what it is called here.
    """
    if isinstance(data, dict):
        return {
            key: path_of(value) if key == "url" and isinstance(value, str) else without_places(value)
            for key, value in data.items()
            if key not in _PLACES
        }
    if isinstance(data, list):
        return [without_places(item) for item in data]
    return _VARIABLE.sub("{env}", data) if isinstance(data, str) else data


def path_of(address: str) -> str:
    """Return the path of an address as it is written, its variables as ``{env}``."""
    return _VARIABLE.sub("{env}", urlsplit(address).path)
