"""Which paths the fake model server knows, OpenAI's and Azure's.

It answers nothing but that a path is wrong.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final
from urllib.parse import parse_qs

from hairpin.testing.received import FakeRequest
from hairpin.testing.scripted_answers import FakeAnswer

_CHAT: Final = "/v1/chat/completions"
_MODELS: Final = "/v1/models"
_EMBEDDINGS: Final = "/v1/embeddings"
_AZURE_CHAT: Final = re.compile(r"/openai/deployments/[^/]+/chat/completions")


class Route(Enum):
    """What a request asks for."""

    CHAT = "chat"
    MODELS = "models"
    EMBEDDINGS = "embeddings"


def route_of(request: FakeRequest) -> Route | FakeAnswer:
    """Return what ``request`` asks for, or the error that says why it is nothing that is served."""
    method, path = request.method, request.path
    if (method, path) == ("GET", _MODELS):
        return Route.MODELS
    if (method, path) == ("POST", _EMBEDDINGS):
        return Route.EMBEDDINGS
    if method == "POST" and _AZURE_CHAT.fullmatch(path):
        return _azure(request)
    if method == "POST" and path in (_CHAT, f"/openai{_CHAT}"):
        return _unless_streaming(request)
    return FakeAnswer.error(404, f"no such route: {method} {path}")


def _azure(request: FakeRequest) -> Route | FakeAnswer:
    if not parse_qs(request.query).get("api-version"):
        return FakeAnswer.error(404, "the query lacks api-version", code="404")
    return _unless_streaming(request)


def _unless_streaming(request: FakeRequest) -> Route | FakeAnswer:
    if isinstance(request.body, dict) and request.body.get("stream"):
        return FakeAnswer.error(400, "this server sends whole answers; ask without stream", code="unsupported_value")
    return Route.CHAT
